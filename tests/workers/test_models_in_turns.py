"""Turn workers that ask a model: the real SDK, a server that answers by a script, and a real database."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from hilo.app.installation import WORKSPACE, Options, installation
from hilo.cli import hilo as command_line
from hilo.settings import Settings
from hilo.store.views import Transcript, TurnView, transcript, usage, usage_by_model
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import FakeClock
from hilo.testing.models.answers import Answer, Calls, Fails, ReceivedRequest, Says
from hilo.testing.models.answers import Script as Scripted
from hilo.testing.models.anthropic import FakeAnthropic
from hilo.testing.models.server import KEY
from hilo.testing.models.table import Case, always
from hilo.testing.world import CHANNEL, RecordingChannel, World
from hilo.tools.database import Script, execute
from patience import PATIENCE

AGENT = """
agent: kiosco
description: Vende bebidas.
grounded: loose
language: es
slots:
  name: {type: person_name, ask: "¿Nombre?"}
  cart: {type: text, found: true}
modes:
  SHOP: {tools: [search, add], to: []}
flows:
  pickup:
    starts: [quiero retirar]
    steps: [{collect: name}, {say: "Te espero, {name}."}]
tools:
  says: {search: "Hay {found}.", add: "Agregué {product}."}
"""

TOOLS = '''
from pathlib import Path

from hilo.tools.tool import tool

LEDGER = Path(__file__).parent / "ledger"


@tool
async def search(text: str) -> dict[str, str]:
    """Find products."""
    return {"found": text}


@tool(writes=True, needs_yes=False)
async def add(product: str) -> dict[str, str]:
    """Put a product into the cart."""
    with LEDGER.open("a") as ledger:
        ledger.write(f"{product}\\n")
    return {"cart": product}
'''

PRICES = """
small = "small-fake"
large = "large-fake"
[models.small-fake]
input = 1
output = 5
cache_read = 0.1
cache_written = 1
[models.large-fake]
input = 3
output = 15
cache_read = 0.3
cache_written = 3
"""
VAGUE = "mmm necesito algo de ustedes vecino"
DOWN = Fails(400, "invalid_request_error", "nobody is there")
ADDS = Says("", (Calls("add", {"product": "coca"}),))


@dataclass(kw_only=True)
class ModelWorld(World):
    """A world, the server that its turns ask, and where the tools write."""

    fake: FakeAnthropic
    folder: Path
    database_url: str

    @property
    def written(self) -> list[str]:
        ledger = self.folder / "ledger"
        return ledger.read_text().splitlines() if ledger.exists() else []

    async def transcript(self) -> Transcript:
        (session,) = await self.hilo.store.run(_sessions)
        found = await self.hilo.store.run(transcript, WORKSPACE, session)
        assert found is not None
        return found

    async def last_turn(self) -> TurnView:
        return (await self.transcript()).turns[-1]

    async def at_work(self, requests: int) -> asyncio.Task[Any]:
        """The turn that is waiting, under way, once the server was asked so often."""
        address = (await self.hilo.store.run(_waiting))[0]
        work = asyncio.create_task(self.hilo.runtime.turns.work(address))
        async with asyncio.timeout(PATIENCE):
            while len(self.fake.asked) < requests:  # noqa: ASYNC110 -- the server has no event for it
                await asyncio.sleep(0.01)
        return work


def _sessions() -> Script[list[str]]:
    values = {"workspace": WORKSPACE, "status": "all", "agent": "", "session": "", "at_most": 9}
    return [row["id"] for row in (yield from execute("view_sessions", **values))]


def _waiting() -> Script[list[str]]:
    return [row["address_id"] for row in (yield from execute("waiting", until=2**60, at_most=10))]


@asynccontextmanager
async def opened(
    folder: Path, *answers: Answer | Scripted, url: str = "", limits: str = ""
) -> AsyncIterator[ModelWorld]:
    """A kiosk whose model gives these answers in their order, and then is down."""
    shop = folder / "kiosco"
    shop.mkdir()
    (shop / "agent.yaml").write_text(AGENT, encoding="utf-8")
    (shop / "tools.py").write_text(TOOLS, encoding="utf-8")
    (folder / "models.toml").write_text(PRICES + limits, encoding="utf-8")
    cases = [each if isinstance(each, Case) else Case(always, each, times=1) for each in answers]
    clock, channel, url = FakeClock(), RecordingChannel(), url or f"sqlite:///{folder}/hilo.db"
    async with FakeAnthropic([*cases, Case(always, DOWN)]) as fake:
        settings = Settings(
            folder, database_url=url, models_file=folder / "models.toml", model_url=fake.url, model_key=KEY
        )
        async with installation(settings, [shop], options=Options(burst=timedelta()), clock=clock) as hilo:
            await hilo.add_channel(ChannelRow(CHANNEL, WORKSPACE, "test", "kiosco"), channel)
            yield ModelWorld(hilo, clock, channel, fake=fake, folder=shop, database_url=url)


def texts(asked: ReceivedRequest) -> str:
    return json.dumps(asked.body["messages"], ensure_ascii=False)


# --- what it costs ------------------------------------------------------------------------------------------------


async def test_a_turn_that_asked_a_model_has_its_usage(database_url: str, tmp_path: Path) -> None:
    async with opened(tmp_path, ADDS, Says("Ahí va tu coca."), url=database_url) as shop:
        assert await shop.say("ana", VAGUE) == ["¡Hola! Ahí va tu coca."]
        (row,) = await shop.hilo.store.run(usage, WORKSPACE, since=shop.clock.now() - timedelta(days=1))
        assert (row.stage, row.turns, row.free_turns, row.tools) == ("loop", 1, 0, 1)
        assert (row.input_tokens, row.output_tokens, row.cached_tokens) == (42, 24, 3680)
        assert row.cost == Decimal("0.001590")  # twice 21 × 3 + 12 × 15 + 1840 × 0.3 millionths
        (model,) = await shop.hilo.store.run(usage_by_model, WORKSPACE, since=shop.clock.now() - timedelta(days=1))
        assert (model.model, model.turns) == ("large-fake", 1)


async def test_the_share_of_turns_without_a_model_is_told(tmp_path: Path) -> None:
    start = Says("", (Calls("dialogue_start_flow", {"flow": "pickup"}),))
    async with opened(tmp_path, start, Says("Vale.")) as shop:
        await shop.say("ana", VAGUE)
        assert await shop.say("ana", "Ana Pérez") == ["Te espero, Ana Pérez."]
        assert len(shop.fake.asked) == 2
        env = {"HILO_DATABASE_URL": shop.database_url, "HILO_MODELS": str(tmp_path / "models.toml"), "COLUMNS": "200"}
        run = CliRunner(env=env).invoke
        shown = await asyncio.to_thread(run, command_line, ["usage", "--days", "3650"])
        assert "Turns without a model: 50%" in shown.output


async def test_when_the_budget_is_spent_the_embedded_understander_goes_on(tmp_path: Path) -> None:
    limits = "[limits.session]\ntokens = 5500\n"
    async with opened(tmp_path, Case(always, Says("Hola, vecino.")), limits=limits) as shop:
        while len(shop.fake.asked) == len(shop.sent_to("ana")):
            assert await shop.say("ana", VAGUE) != []
            assert len(shop.fake.asked) < 5
        assert len(shop.fake.asked) >= 1
        turn = await shop.last_turn()
        assert turn.stage == "embedded"
        (note,) = turn.trace["notes"]
        assert note.startswith("the model did not answer (out_of_budget: the tokens per session")
        assert await shop.say("luis", VAGUE) == ["¡Hola! Hola, vecino."]  # a session of its own


async def test_a_provider_that_is_down_is_soon_not_asked_any_more(tmp_path: Path) -> None:
    async with opened(tmp_path, Case(always, Fails(401, "authentication_error"))) as shop:
        for _ in range(6):
            assert await shop.say("ana", VAGUE) != []
        assert len(shop.fake.asked) == 5
        turn = await shop.last_turn()
        assert turn.trace["notes"][0].startswith("the model did not answer (circuit_open")
        assert turn.stage == "embedded"


# --- when a turn is done again ------------------------------------------------------------------------------------


def after(words: str) -> Any:
    """Fits requests that bring results back."""
    return lambda asked: asked.last.startswith(words)


async def test_a_turn_that_is_broken_off_after_a_call_does_not_write_twice(database_url: str, tmp_path: Path) -> None:
    slow = Case(after('{"cart"'), Says("Nunca.", after=30), times=1)
    other = Says(calls=(Calls("add", {"product": "Coca-Cola"}),))  # the same in other words
    async with opened(tmp_path, slow, ADDS, other, Says("Ahí va tu coca."), url=database_url) as shop:
        shop.clock.advance(timedelta(seconds=1))
        await shop.write("ana", VAGUE)
        work = await shop.at_work(2)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        assert shop.written == ["coca"]
        await shop.settle()
        assert shop.heard_by("ana") == ["¡Hola! Agregué coca."]
        assert shop.written == ["coca"]
        assert [(call.tool, call.status) for call in (await shop.transcript()).calls] == [("add", "ok")]


async def test_what_a_broken_off_attempt_spent_is_booked_too(tmp_path: Path) -> None:
    slow = Case(after('{"cart"'), Says("Nunca.", after=30), times=1)
    async with opened(tmp_path, slow, ADDS, ADDS, Says("Ahí va.")) as shop:
        await shop.write("ana", VAGUE)
        work = await shop.at_work(2)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        await shop.settle()
        (model,) = await shop.hilo.store.run(usage_by_model, WORKSPACE, since=shop.clock.now() - timedelta(days=1))
        assert model.turns == 1
        assert model.output_tokens > 3 * 12  # three replies, and at worst the one that nobody heard


async def test_a_newer_message_meanwhile_is_answered_together_with_the_first(tmp_path: Path) -> None:
    async with opened(tmp_path, Says("¿Algo más?", after=0.4), Says("Las dos cosas.")) as shop:
        await shop.write("ana", VAGUE)
        work = await shop.at_work(1)
        await shop.write("ana", "y también otra cosita más")
        await work
        await shop.settle()
        assert shop.heard_by("ana") == ["¡Hola! Las dos cosas."]
        assert f"{VAGUE}\ny también otra cosita más" in shop.fake.asked[1].last
        (row,) = await shop.hilo.store.run(usage, WORKSPACE, since=shop.clock.now() - timedelta(days=1))
        assert (row.turns, row.output_tokens) == (1, 24)


async def test_after_a_writing_call_a_newer_message_waits_for_its_own_turn(tmp_path: Path) -> None:
    async with opened(tmp_path, ADDS, Says("Ahí va.", after=0.4), Says("Dime.")) as shop:
        await shop.write("ana", VAGUE)
        work = await shop.at_work(2)
        await shop.write("ana", "y también otra cosita más")
        await work
        await shop.settle()
        assert shop.heard_by("ana") == ["¡Hola! Ahí va.", "Dime."]
        assert shop.written == ["coca"]


# --- what was said before -----------------------------------------------------------------------------------------


async def test_what_was_said_before_is_read_from_the_store(tmp_path: Path) -> None:
    async with opened(tmp_path, Says("Soy el kiosco."), ADDS, Says("Listo."), Says("Ya.")) as shop:
        for text in (f"{VAGUE} uno", f"{VAGUE} dos", f"{VAGUE} tres"):
            await shop.say("ana", text)
        roles = [each["role"] for each in shop.fake.asked[-1].body["messages"]]
        assert roles == ["user", "assistant", "user", "assistant", "user"]
        for words in (f"<message>{VAGUE} uno</message>", "¡Hola! Soy el kiosco.", "Listo."):
            assert words in texts(shop.fake.asked[-1])
        await shop.say("luis", VAGUE)
        assert len(shop.fake.asked[-1].body["messages"]) == 1


async def test_a_summary_is_kept_in_the_session(tmp_path: Path) -> None:
    def shortens(asked: ReceivedRequest) -> bool:
        return "shorten" in asked.body["system"][0]["text"]

    script = Case(shortens, Says("Ana pide cosas."), times=1), Case(always, Says("Aquí estamos."))
    async with opened(tmp_path, *script, limits="[limits.session]\ntokens = 100_000_000\n") as shop:
        for number in range(28):
            await shop.say("ana", f"{VAGUE} {number}")
        assert sum(map(shortens, shop.fake.asked)) == 1
        assert "<earlier>\\nAna pide cosas.\\n</earlier>" in texts(shop.fake.asked[-1])
        assert f"{VAGUE} 3<" not in texts(shop.fake.asked[-1])


# --- what is kept -------------------------------------------------------------------------------------------------


async def test_the_turn_keeps_what_the_model_proposed_and_why_it_was_refused(tmp_path: Path) -> None:
    wrong = Says("", (Calls("pay", {"all": "of it"}), Calls("search", {"text": "coca"})))
    async with opened(tmp_path, wrong, Says("No se puede.")) as shop:
        await shop.say("ana", VAGUE)
        turn = await shop.last_turn()
        assert turn.stage == "loop"
        assert [each["reason"] for each in turn.trace["refused"]] == ["there is no tool pay"]
        kinds = [type(each).__name__ for each in turn.told]
        assert kinds == ["MessageUnderstood", "ToolsReturned", "ModelAnswered"]
