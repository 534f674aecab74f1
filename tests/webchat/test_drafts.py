"""Answers that are seen while they are written: by socket, as events, and on the page of a running `hilo serve`."""

import asyncio
import json
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect
from websockets.asyncio.client import ClientConnection, connect

from hilo.app.channels import ChannelBook
from hilo.channels.webchat import DRAFT_EVERY, MAX_DRAFT, WebChat
from hilo.messages import Address
from hilo.server.webchat.visits import visitor_of
from hilo.store.sqlite import SqliteStore
from hilo.store.turns import SessionScope
from hilo.store.workspaces import ChannelRow
from hilo.testing.models.answers import Breaks, Fails, Says, Script, about
from hilo.testing.models.anthropic import FakeAnthropic
from hilo.testing.models.server import KEY
from hilo.testing.models.table import Case
from hilo.workers.turns import showing
from patience import PATIENCE
from webchat.gateway import ANA, LUIS, PAGE, Gateway, gateway
from webchat.screen import Screen, visitor
from webchat.serving import Serving

SOON = PATIENCE
in_session = pytest.mark.asyncio(loop_scope="session")


def address(token: str = ANA) -> Address:
    value = visitor_of(token)
    assert value is not None
    return Address(PAGE, value)


async def hear(opened: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(SOON):
        heard: dict[str, Any] = json.loads(await opened.recv())
        return heard


async def joined(url: str, token: str = ANA) -> ClientConnection:
    opened = await connect(url, open_timeout=PATIENCE)
    await opened.send(json.dumps({"visitor": token, "after": "0.0"}))
    await hear(opened)
    return opened


# --- what a connection is told --------------------------------------------------------------------------


async def test_a_draft_is_told_to_every_tab_of_its_visitor_and_to_nobody_else(door: Gateway) -> None:
    async with (
        await joined(door.socket_url) as one,
        await joined(door.socket_url) as other,
        await joined(door.socket_url, LUIS) as stranger,
    ):
        door.chat.show_draft(address(), "Hola")
        assert await hear(one) == await hear(other) == {"draft": "Hola"}
        door.chat.show_draft(address(LUIS), "para Luis")
        assert await hear(stranger) == {"draft": "para Luis"}


async def test_many_drafts_are_few_updates_and_the_last_one_is_told(door: Gateway) -> None:
    async with await joined(door.socket_url) as opened:
        begun, told = time.monotonic(), list[str]()
        for number in range(200):
            door.chat.show_draft(address(), f"palabra {number}")
            await asyncio.sleep(0.002)
        while told[-1:] != ["palabra 199"]:
            told.append((await hear(opened))["draft"])
        assert told[0] == "palabra 0"
        assert len(told) <= (time.monotonic() - begun) / DRAFT_EVERY + 2


async def test_a_draft_has_a_length_that_a_screen_can_bear(door: Gateway) -> None:
    async with await joined(door.socket_url) as opened:
        door.chat.show_draft(address(), "x" * 100_000)
        draft = (await hear(opened))["draft"]
        assert len(draft) == MAX_DRAFT
        assert draft.endswith("x…")


async def test_the_message_is_told_before_its_draft_is_taken_away(door: Gateway) -> None:
    await door.write("hola", "id-number-1")
    async with await joined(door.socket_url) as opened:
        door.chat.show_draft(address(), "¡Ho")
        assert await hear(opened) == {"draft": "¡Ho"}
        door.chat.show_draft(address(), "¡Hol")  # not told yet
        await door.answer("¡Hola!")
        heard: list[dict[str, Any]] = []
        while {"draft": ""} not in heard:
            heard.append(await hear(opened))
        told = [message["text"] for each in heard for message in each.get("messages", ())]
        assert told == ["¡Hola!"]
        # A page may look between the sending and its ring: the last words are told after all, and taken away too.
        assert all("messages" in each or each == {"draft": "¡Hol"} for each in heard[:-1])


async def test_what_another_process_sent_is_found_while_a_draft_is_being_written(door: Gateway) -> None:
    await door.write("hola", "id-number-1")
    async with await joined(door.socket_url) as opened:
        await door.answer("de lejos", rings=False)
        for number in range(40):
            door.chat.show_draft(address(), f"palabra {number}")
            if "messages" in (heard := await hear(opened)):
                break
        assert [message["text"] for message in heard["messages"]] == ["de lejos"]


async def test_events_tell_drafts_and_polling_does_not(door: Gateway) -> None:
    async with door.http.stream("GET", f"/chat/{PAGE}/events?after=0.0", headers={"X-Visitor": ANA}) as answer:
        lines = answer.aiter_lines()
        async with asyncio.timeout(SOON):
            await anext(lines)
            door.chat.show_draft(address(), "Hola")
            heard = [json.loads(line.removeprefix("data: ")) async for line in _first(lines)]
    assert heard == [{"draft": "Hola"}]
    assert "draft" not in (await door.get("messages?after=0.0")).json()


async def _first(lines: AsyncIterator[str]) -> AsyncIterator[str]:
    async for line in lines:
        if line:
            yield line
            return


async def test_a_draft_for_nobody_is_kept_nowhere(door: Gateway) -> None:
    door.chat.show_draft(address(), "Hola")
    assert not door.chat.listeners
    async with await joined(door.socket_url) as opened:
        await door.chat.typing(address(), answering="")
        assert await hear(opened) == {"typing": True}


# --- a real turn ----------------------------------------------------------------------------------------

AGENT = """
agent: charla
language: es
model: loop
intents: {hours: {examples: [a qué hora abren, cuál es el horario], answer: hours}}
templates: {hours: "De 9 a 18.", off_topic: "Eso no lo sé."}
grounded: loose
"""
STRICT = AGENT.replace("charla", "estricta").replace("loose", "strict")
SLOWLY = 0.08  # seconds between two pieces of eight characters
LONG = "El faro de la isla se ve desde el puerto, y de noche se ve desde mucho más lejos."
HOSTILE = "<img src=x onerror=document.title='x'> <script>document.title='x'</script> https://example.com/ok y más aún"
SCRIPT: list[Script] = [
    Case(about("prueba"), Says("Listo.")),
    Case(about("y algo más"), Says("Aquí va todo junto.", between=SLOWLY)),
    Case(about("faro"), Says(LONG, between=SLOWLY)),
    Case(about("hostil"), Says(HOSTILE, between=SLOWLY)),
    Case(about("se corta"), Breaks(Says(LONG, between=SLOWLY), 8, "cut"), times=1),
    Case(about("se corta"), Fails(400, "invalid_request_error")),
]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def claude() -> AsyncIterator[FakeAnthropic]:
    async with FakeAnthropic(SCRIPT) as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def talking(tmp_path_factory: pytest.TempPathFactory, claude: FakeAnthropic) -> AsyncIterator[Serving]:
    """A real `hilo serve` whose agents ask a model; it has asked once, for the provider's SDK takes seconds to load."""
    folder = tmp_path_factory.mktemp("talking")
    server = Serving(folder, _agents(folder), {"HILO_MODEL_URL": claude.url, "HILO_MODEL_KEY": KEY})
    await asyncio.to_thread(server.start)
    try:
        await _answered(server)
        yield server
    finally:
        await asyncio.to_thread(server.stop)


async def _answered(server: Serving) -> None:
    token = secrets.token_hex(16)
    await write(server, "charla", "una prueba", token=token)
    async with httpx.AsyncClient(base_url=server.url, headers={"X-Visitor": token}, timeout=PATIENCE) as http:
        for _ in range(300):
            if len((await http.get("/chat/web-charla/messages")).json()["messages"]) > 1:
                return
            await asyncio.sleep(0.1)
    raise AssertionError(f"nobody answered: {server.log()}")


def _agents(folder: Path) -> tuple[Path, ...]:
    files = [folder / name for name in ("charla.yaml", "estricta.yaml")]
    for file, text in zip(files, (AGENT, STRICT), strict=True):
        file.write_text(text, encoding="utf-8")
    return tuple(files)


@in_session
async def test_an_answer_is_seen_while_it_is_written_and_then_stands_in_its_place(
    browser: Browser, talking: Serving
) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, f"{talking.url}/chat/web-charla")
        await screen.write("háblame del faro")
        draft = screen.inside.locator("#draft")
        await expect(draft).to_be_visible()
        await expect(screen.inside.locator("#status")).to_have_text("Escribiendo…")
        await expect(screen.inside.locator("#typing")).to_be_hidden()
        begun = await draft.locator(".text").inner_text()
        assert LONG.startswith(begun.strip())
        assert await draft.evaluate("draft => getComputedStyle(draft.querySelector('.bubble')).animationName") == "none"
        await screen.sees("háblame del faro", f"¡Hola! {LONG}")
        await expect(draft).to_be_hidden()
        assert await screen.inside.locator(".line.agent.settled").count() == 1
        await expect(screen.inside.locator("#status")).to_have_text("En línea")


@in_session
async def test_hostile_words_are_words_while_they_are_written(browser: Browser, talking: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, f"{talking.url}/chat/web-charla")
        await screen.write("algo hostil")
        draft = screen.inside.locator("#draft .text")
        await screen.inside.locator("#draft", has_text="</script> https://exam").wait_for()
        assert await draft.locator("*").count() == 0
        await screen.sees("algo hostil", f"¡Hola! {HOSTILE}")
        assert await screen.page.title() == "Charla"


# --- on the page --------------------------------------------------------------------------------------------


@dataclass
class Shown:
    """A page in the browser, and the gateway that it looks at; the test writes the drafts."""

    door: Gateway
    screen: Screen

    async def token(self) -> str:
        return str(await self.screen.inside.evaluate(f"localStorage.getItem('hilo.visitor.{PAGE}')"))

    async def draft(self, text: str) -> None:
        self.door.chat.show_draft(address(await self.token()), text)
        await expect(self.words).to_have_text(text)

    @property
    def words(self) -> Locator:
        return self.screen.inside.locator("#draft .text")


@pytest_asyncio.fixture(loop_scope="session")
async def shown(browser: Browser, migrated_file: Path, tmp_path: Path) -> AsyncIterator[Shown]:
    shutil.copy(migrated_file, tmp_path / "hilo.db")
    store = SqliteStore(tmp_path / "hilo.db", synchronous="NORMAL")
    async with gateway(store) as door, visitor(browser) as context:
        await context.clock.install()
        yield Shown(door, await Screen.open(context, f"{door.url}/chat/{PAGE}"))
    await store.close()


@in_session
async def test_a_draft_does_not_outlive_the_connection_or_the_page(shown: Shown) -> None:
    await shown.draft("Uno")
    await shown.screen.page.context.set_offline(True)
    await expect(shown.words).to_be_hidden()
    await expect(shown.words).to_have_text("")
    await shown.screen.page.context.set_offline(False)
    await shown.screen.is_live()
    await shown.draft("Uno dos")
    await shown.screen.page.reload()
    await shown.screen.is_live()
    await expect(shown.words).to_be_hidden()


@in_session
async def test_a_draft_that_nobody_goes_on_with_vanishes_after_half_a_minute(shown: Shown) -> None:
    await shown.draft("Un momento")
    await shown.screen.page.clock.fast_forward(29_000)
    await shown.draft("Un momento, por favor")
    await shown.screen.page.clock.fast_forward(29_000)
    await expect(shown.words).to_be_visible()
    await shown.screen.page.clock.fast_forward(2_000)
    await expect(shown.words).to_be_hidden()
    await expect(shown.screen.inside.locator("#status")).to_have_text("En línea")


@in_session
async def test_a_draft_is_not_read_aloud_and_the_message_is_new_in_the_log(shown: Shown) -> None:
    await shown.screen.write("hola")
    await shown.draft("¡Hol")
    await expect(shown.screen.inside.locator("#draft")).to_have_attribute("aria-live", "off")
    await shown.screen.is_accessible()
    await shown.screen.inside.evaluate(WATCH)
    await shown.door.answer("¡Hola!", token=await shown.token())
    await shown.screen.sees("hola", "¡Hola!")
    assert set(await shown.screen.inside.evaluate("window.seen")) == {"¡Hola!"}


# Tells what stood where the draft was, whenever the log could be painted without it.
WATCH = """() => {
  window.seen = [];
  const draft = document.getElementById("draft");
  new MutationObserver(() => {
    const answer = document.querySelector("#lines .agent .text")?.textContent;
    if (draft.hidden) window.seen.push(answer ?? "a gap");
  }).observe(document.getElementById("log"), { subtree: true, childList: true, attributes: true });
}"""


# --- a draft that does not become a message -----------------------------------------------------------------


async def write(server: Serving, agent: str, text: str, *, token: str) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        body = {"id": secrets.token_hex(8), "text": text}
        address = f"{server.url}/chat/web-{agent}/messages"
        assert (await http.post(address, json=body, headers={"X-Visitor": token})).status_code == 202


async def until_answered(opened: ClientConnection) -> tuple[list[str], list[str]]:
    """The drafts that were told, and the answer."""
    drafts = list[str]()
    while True:
        heard = await hear(opened)
        drafts += [heard["draft"]] if "draft" in heard else []
        answers = [each["text"] for each in heard.get("messages", ()) if each["by"] == "agent"]
        if answers:
            return drafts, answers


def socket_of(server: Serving, agent: str) -> str:
    return f"{server.url.replace('http', 'ws', 1)}/chat/web-{agent}/socket"


@in_session
async def test_the_draft_of_a_turn_that_is_thrown_away_vanishes(talking: Serving) -> None:
    token = secrets.token_hex(16)
    async with await joined(socket_of(talking, "charla"), token) as opened:
        await write(talking, "charla", "háblame del faro", token=token)
        while "draft" not in await hear(opened):
            pass
        await write(talking, "charla", "y algo más", token=token)
        drafts, answers = await until_answered(opened)
    first = [draft for draft in drafts if draft and LONG.startswith(draft)]
    assert first
    assert "" in drafts[drafts.index(first[-1]) :]
    assert answers == ["¡Hola! Aquí va todo junto."]


@in_session
async def test_the_draft_of_a_reply_that_breaks_off_vanishes(talking: Serving) -> None:
    token = secrets.token_hex(16)
    async with await joined(socket_of(talking, "charla"), token) as opened:
        await write(talking, "charla", "esto se corta", token=token)
        drafts, answers = await until_answered(opened)
        if drafts[-1]:
            assert await hear(opened) == {"draft": ""}
    assert LONG.startswith(drafts[0])
    assert len(answers) == 1
    assert "faro" not in answers[0]


@in_session
async def test_what_may_not_be_said_is_not_shown_either(talking: Serving) -> None:
    token = secrets.token_hex(16)
    async with await joined(socket_of(talking, "estricta"), token) as opened:
        await write(talking, "estricta", "háblame del faro", token=token)
        drafts, answers = await until_answered(opened)
    assert drafts == []
    assert "faro" not in answers[0]


HERE = SessionScope("w", "web-charla", "address", "ana", "contact", "charla")


def test_a_draft_vanishes_with_what_breaks() -> None:
    shown = list[str]()
    with pytest.raises(KeyError), showing(shown.append, None):
        raise KeyError
    with showing(shown.append, None):
        shown.append("palabras")
    assert shown == ["", "palabras"]


class BrokenChat(WebChat):
    """A page whose drafts cannot be shown."""

    def show_draft(self, to: Address, text: str) -> None:
        raise RuntimeError(f"{to}: {text}")


async def test_a_channel_that_cannot_show_a_draft_does_not_disturb_the_turn(door: Gateway) -> None:
    book = ChannelBook(door.store)
    assert book.drafts(HERE) is None
    book.add(ChannelRow(HERE.channel, "w", "web", "charla"), BrokenChat())
    show = book.drafts(HERE)
    assert show is not None
    show("palabras")
