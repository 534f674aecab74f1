"""Handoffs from end to end: the record that a person reads, the ways back to the agent, quick actions, and news."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from gateways import Gateway, gateway, until

from hilo.app.gateway import edge_of
from hilo.app.installation import WORKSPACE
from hilo.ids import new_id
from hilo.messages import Address, Inbound
from hilo.server import events
from hilo.server.app import make_app
from hilo.settings import Settings
from hilo.store.handoffs import one_handoff
from hilo.store.keys import keys, revoke_key
from hilo.store.store import Store
from hilo.store.workspaces import ChannelRow, add_workspace
from hilo.testing.world import RecordingChannel
from hilo.tools.database import Script
from patience import PATIENCE

AGENT = """
agent: mesa
language: es
slots:
  name: {type: person_name, ask: "¿Cómo te llamas?", label: nombre}
  topic: {type: text, ask: "¿De qué se trata?", label: asunto}
  tally: {type: number, label: casos abiertos, found: true}
modes:
  IDLE: {tools: [count, wipe, audit_case], to: [OPEN]}
  OPEN: {tools: [count, wipe], to: [IDLE]}
  PERSON: {operator: true, tools: [count]}
intents:
  how_many: {examples: [cuántos casos tengo, decime mis casos], do: count}
  locked: {examples: [mi caso cerrado, abrí mi caso cerrado], do: audit_case}
  forget: {examples: [borra todo, borrá mis casos], do: wipe}
tools:
  says: {count: "Llevas {tally}.", wipe: "Borrado."}
flows:
  start:
    description: abrir un caso
    starts: always
    steps:
      - collect: [name, topic]
      - say: "Anotado: {topic}"
escalation:
  - keyword: [humano]
"""

TOOLS = '''
from pathlib import Path

from hilo.tools.tool import NeedsPerson, ToolFailed, tool

LEDGER = Path(__file__).parent / "ledger"


@tool
async def count() -> dict[str, int]:
    """How many cases are open."""
    return {"tally": 3}


@tool(writes=True, needs_yes=False)
async def wipe() -> dict[str, int]:
    """Forget the cases."""
    with LEDGER.open("a") as ledger:
        ledger.write("wiped ")
    return {"tally": 0}


@tool(writes=True, needs_yes=False)
async def break_down() -> str:
    """It never works."""
    raise ToolFailed("the machine is off")


@tool(writes=True, needs_yes=False)
async def audit_case() -> str:
    """Only a person may."""
    raise NeedsPerson("case_locked", "case 7 is locked")
'''


@dataclass
class Desk:
    """An installation with one contact, seen by a program that may do everything."""

    served: Gateway
    folder: Path
    sent: RecordingChannel
    api: httpx.AsyncClient
    contact: str = "5491155550001"
    _count: int = field(default=0)

    async def write(self, *texts: str) -> None:
        """Write and wait for the turn."""
        for text in texts:
            self._count += 1
            turns, to = await self._turns(), Address("wa", self.contact)
            message = Inbound(f"m{self._count}", to, text, self.served.hilo.clock.now(), name="Ana del canal")
            await self.served.hilo.intake.messages("wa", [message])
            await until(lambda turns=turns: self._more_than(turns))  # type: ignore[misc]

    async def _turns(self) -> int:
        return len(self.served.rows("SELECT number FROM turns"))

    async def _more_than(self, turns: int) -> bool:
        return await self._turns() > turns

    async def act(self, path: str, **body: Any) -> httpx.Response:
        return await self.api.post(path, headers={"idempotency-key": new_id("once")}, json=body or None)

    async def done(self, path: str, **body: Any) -> None:
        """Act, and wait for the turn."""
        turns = await self._turns()
        assert (await self.act(path, **body)).status_code == 202
        await until(lambda: self._more_than(turns))

    async def get(self, path: str, **query: Any) -> Any:
        answer = await self.api.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def handoff(self) -> dict[str, Any]:
        """The newest, with its context."""
        found: dict[str, Any] = await self.get(f"/handoffs/{(await self.get('/handoffs'))['items'][-1]['id']}")
        return found

    async def session(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self.get("/sessions"))["items"][0]
        return found

    async def heard(self, text: str) -> None:
        """Wait until the contact has been told this."""

        async def is_there() -> bool:
            return any(text in each.message.text for each in self.sent.delivered)

        await until(is_there)

    @property
    def ledger(self) -> str:
        file = self.folder / "ledger"
        return file.read_text() if file.exists() else ""


@asynccontextmanager
async def open_desk(url: str, folder: Path, **more: Any) -> AsyncIterator[Desk]:
    async with gateway(url, folder, workers=True, **more) as served:
        sent = RecordingChannel()
        await served.connect(ChannelRow("wa", WORKSPACE, "test", "mesa"), sent)
        async with served.client(key=await served.key("read", "write", "operate")) as client:
            client.base_url = httpx.URL("http://hilo/api/v1")
            yield Desk(served, folder, sent, client)


@pytest.fixture
def mesa(tmp_path: Path) -> Path:
    folder = tmp_path / "mesa"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    return folder


@pytest.fixture
async def desk(database_url: str, mesa: Path) -> AsyncIterator[Desk]:
    """On each kind of database."""
    async with open_desk(database_url, mesa) as opened:
        yield opened


@pytest.fixture
async def light(sqlite_url: str, mesa: Path) -> AsyncIterator[Desk]:
    """On SQLite only, for what does not reach the database."""
    async with open_desk(sqlite_url, mesa) as opened:
        yield opened


# --- the record ---------------------------------------------------------------------------------------


async def test_the_record_has_what_a_person_needs(desk: Desk) -> None:
    await desk.write("hola", "cuántos casos tengo", "soy Ana Pérez", "quiero un humano")
    found = await desk.handoff()
    assert (found["trigger"], found["policy"], found["status"]) == ("customer_request", "keyword", "pending")
    assert (found["operator"], found["assigned_at"], found["resolved_at"], found["resolution"]) == ("", None, None, "")
    context = found["context"]
    assert (context["mode"], context["flow"], context["question"]) == ("IDLE", "abrir un caso", "asunto")
    assert context["known"] == {"nombre": "Ana Pérez", "casos abiertos": "3"}
    assert context["issue"] == found["reason"] == "the contact wrote humano"
    contact = context["contact"]
    assert (contact["name"], contact["address"], contact["channel"]) == ("Ana Pérez", desk.contact, "wa")
    assert [each["who"] for each in context["messages"]] == ["agent", "contact", "agent", "contact", "agent"]
    assert context["messages"][-2]["text"] == "quiero un humano"
    await desk.heard(context["messages"][-1]["text"])
    assert (await desk.session())["mode"] == "PERSON"


async def test_a_contact_without_a_name_slot_goes_by_the_channels_name(desk: Desk) -> None:
    await desk.write("humano")
    context = (await desk.handoff())["context"]
    assert (context["contact"]["name"], context["known"]) == ("Ana del canal", {})
    assert context["messages"][0]["text"] == "humano"


async def test_an_operator_who_comes_unasked_has_a_record_too(desk: Desk) -> None:
    await desk.write("hola")
    await desk.done(f"/sessions/{(await desk.session())['id']}/take-over", operator="Olga")
    found = await desk.handoff()
    assert (found["policy"], found["status"], found["operator"]) == ("operator", "assigned", "Olga")
    assert (found["context"]["mode"], found["context"]["question"]) == ("IDLE", "nombre")
    assert [each["who"] for each in found["context"]["messages"]] == ["contact", "agent"]


async def test_a_tools_own_policy_is_the_trigger(desk: Desk) -> None:
    await desk.write("mi caso cerrado")
    found = await desk.handoff()
    assert (found["trigger"], found["reason"]) == ("case_locked", "case 7 is locked")


async def test_an_operator_who_takes_it_from_another_opens_no_second_handoff(desk: Desk) -> None:
    await desk.write("humano")
    session = (await desk.session())["id"]
    await desk.done(f"/sessions/{session}/take-over", operator="Olga")
    await desk.done(f"/sessions/{session}/take-over", operator="Luis", instead_of="Olga")
    [found] = (await desk.get("/handoffs"))["items"]
    assert (found["status"], found["operator"]) == ("assigned", "Luis")


# --- while a person has it ----------------------------------------------------------------------------


async def test_the_agent_is_silent_and_the_operators_words_go_out(desk: Desk) -> None:
    await desk.write("humano")
    handoff = await desk.handoff()
    await desk.done(f"/handoffs/{handoff['id']}/assign", operator="Olga")
    await desk.heard(handoff["context"]["messages"][-1]["text"])
    said = len(desk.sent.delivered)
    await desk.write("borra todo", "¿hay alguien?")
    assert (await desk.act(f"/sessions/{handoff['session']}/messages", text="Soy Olga")).status_code == 202
    await desk.heard("Soy Olga")
    assert [each.message_id for each in desk.sent.delivered[said:] if ".operator." not in each.message_id] == []
    assert desk.ledger == ""


# --- the way back -------------------------------------------------------------------------------------


async def test_a_session_goes_back_in_the_chosen_mode_after_the_named_tools_with_the_words(desk: Desk) -> None:
    await desk.write("soy Ana Pérez", "cuántos casos tengo", "humano")
    path = f"/handoffs/{(await desk.handoff())['id']}"
    words = {"mode": "OPEN", "calls": ["wipe"], "message": "¡Listo! Ya está.", "resolution": "phoned her"}
    await desk.done(f"{path}/resolve", operator="Olga", **words)
    found, session = await desk.handoff(), await desk.session()
    assert (found["status"], found["resolution"], found["resolved_by"]) == ("resolved", "phoned her", "Olga")
    assert (session["status"], session["holder"], session["mode"]) == ("active", "agent", "OPEN")
    assert desk.ledger == "wiped "
    [entry] = desk.served.rows("SELECT actor FROM audit WHERE action = 'released'")
    assert entry["actor"] == "Olga"
    await desk.heard("¡Listo! Ya está.")
    assert (await desk.act(f"{path}/resolve")).status_code == 409


async def test_a_release_is_done_once_however_often_it_is_asked_for(desk: Desk) -> None:
    await desk.write("humano")
    path = f"/handoffs/{(await desk.handoff())['id']}/resolve"
    request: dict[str, Any] = {"headers": {"idempotency-key": "one"}, "json": {"calls": ["wipe"]}}
    answers = await asyncio.gather(*(desk.api.post(path, **request) for _ in range(5)))
    assert {(each.status_code, each.json()["id"]) for each in answers} == {(202, answers[0].json()["id"])}
    await desk.heard("Borrado.")
    assert (await desk.api.post(path, **request)).status_code == 202
    assert len(desk.served.rows("SELECT number FROM turns WHERE event = 'Released'")) == 1
    assert desk.ledger == "wiped "


@dataclass
class Held:
    """A store that keeps back the first answer about a handoff until it is let go."""

    store: Store
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, script: Callable[..., Script[Any]], *values: Any, **named: Any) -> Any:
        found = await self.store.run(script, *values, **named)
        if script is one_handoff and not self.asked.is_set():
            self.asked.set()
            await self.let_go.wait()
        return found

    async def close(self) -> None:
        await self.store.close()


async def test_a_repeated_release_is_answered_like_the_one_that_overtook_it(light: Desk) -> None:
    await light.write("humano")
    held = Held(light.served.hilo.store)
    light.served.app = make_app(replace(edge_of(light.served.hilo, Settings(Path())), store=held))
    path = f"/api/v1/handoffs/{(await light.handoff())['id']}/resolve"
    request: dict[str, Any] = {"headers": {"idempotency-key": "one"}, "json": {"resolution": "done"}}
    async with light.served.client(key=await light.served.key("operate")) as api:
        slow = asyncio.create_task(api.post(path, **request))
        await held.asked.wait()
        fast = await api.post(path, **request)
        held.let_go.set()
        answers = [fast, await slow]
    assert [(each.status_code, each.json()["id"]) for each in answers] == [(202, fast.json()["id"])] * 2


async def test_a_key_that_was_used_for_another_end_or_another_operator_is_refused(desk: Desk) -> None:
    await desk.write("humano")
    path, headers = f"/handoffs/{(await desk.handoff())['id']}", {"idempotency-key": "one"}
    for body, wanted in (({"operator": "Luis"}, 202), ({"operator": "Olga"}, 422), ({"operator": "Luis"}, 202)):
        assert (await desk.api.post(f"{path}/assign", headers=headers, json=body)).status_code == wanted
    called = {"resolution": "called"}
    ends: list[dict[str, str]] = [called, {"resolution": "wrote"}, {"message": "¡Listo!", **called}, {}, called]
    answers = [await desk.api.post(f"{path}/resolve", headers=headers, json=each) for each in ends]
    assert [each.status_code for each in answers] == [202, 422, 422, 422, 202]
    assert "Idempotency-Key was used for another request" in answers[1].json()["detail"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"mode": "NOWHERE"}, "there is no mode NOWHERE: choose one of IDLE, OPEN"),
        ({"mode": "PERSON"}, "there is no mode PERSON: choose one of IDLE, OPEN"),
        ({"calls": ["wipe", "fly"]}, "there is no tool fly: choose one of"),
        ({"calls": ["wipe"] * 6}, "at most 5"),
        ({"message": "a" * 3001}, "at most 3000"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_what_does_not_exist_is_refused_with_what_does(light: Desk, body: dict[str, Any], words: str) -> None:
    await light.write("humano")
    answer = await light.act(f"/handoffs/{(await light.handoff())['id']}/resolve", **body)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert (await light.session())["holder"] == "operator"


async def test_a_release_whose_tool_needs_a_person_is_a_handoff_again(desk: Desk) -> None:
    await desk.write("humano")
    first = await desk.handoff()
    await desk.done(f"/handoffs/{first['id']}/resolve", mode="IDLE", calls=["audit_case"], resolution="tried")
    second = await desk.handoff()
    assert (second["trigger"], second["status"], second["context"]["mode"]) == ("case_locked", "pending", "IDLE")
    assert (await desk.get(f"/handoffs/{first['id']}"))["status"] == "resolved"
    assert (await desk.session())["holder"] == "operator"
    told = [(each["event"], each["handoffs"]) for each in (await desk.get("/events", after=1))["items"]]
    assert told == [("released", [first["id"]]), ("new_handoff", [second["id"]])]


async def test_the_agents_say_what_can_be_chosen(light: Desk) -> None:
    [agent] = (await light.get("/agents"))["items"]
    assert agent["modes"] == ["IDLE", "OPEN"]
    assert sorted(agent["tools"]) == ["audit_case", "break_down", "count", "wipe"]
    assert agent["tools"]["wipe"] == {"writes": True, "description": "Forget the cases.", "parameters": {}}


# --- quick actions ------------------------------------------------------------------------------------


async def test_an_operator_has_a_tool_run_and_its_result_told(desk: Desk) -> None:
    await desk.write("humano")
    session = (await desk.session())["id"]
    await desk.done(f"/sessions/{session}/calls", tool="wipe", operator="Olga")
    await desk.heard("Borrado.")
    [call] = (await desk.get(f"/sessions/{session}/calls"))["items"]
    assert (call["tool"], call["operator"], call["status"], call["outputs"]) == ("wipe", "Olga", "ok", {"tally": 0})
    [entry] = desk.served.rows("SELECT actor, subject FROM audit WHERE action = 'called'")
    assert entry == {"actor": "Olga", "subject": f"{session} wipe"}
    assert (await desk.session())["holder"] == "operator"


async def test_a_call_that_is_not_to_be_told_is_not(desk: Desk) -> None:
    await desk.write("hola")
    await desk.heard("¿Cómo te llamas?")
    session, said = (await desk.session())["id"], len(desk.sent.delivered)
    await desk.done(f"/sessions/{session}/calls", tool="count", tell=False)
    assert (await desk.get(f"/sessions/{session}/calls"))["items"][0]["outputs"] == {"tally": 3}
    assert len(desk.sent.delivered) == said
    assert [row["actor"] for row in desk.served.rows("SELECT actor FROM audit")] == ["crm"]


async def test_the_same_call_asked_for_many_times_at_once_is_made_once(desk: Desk) -> None:
    await desk.write("hola")
    path = f"/sessions/{(await desk.session())['id']}/calls"
    request: dict[str, Any] = {"headers": {"idempotency-key": "one"}, "json": {"tool": "wipe"}}
    answers = await asyncio.gather(*(desk.api.post(path, **request) for _ in range(10)))
    assert {each.status_code for each in answers} == {202}
    await desk.heard("Borrado.")
    assert desk.ledger == "wiped "


async def test_a_call_that_fails_says_why(desk: Desk) -> None:
    await desk.write("hola")
    session = (await desk.session())["id"]
    await desk.done(f"/sessions/{session}/calls", tool="break_down")
    [call] = (await desk.get(f"/sessions/{session}/calls"))["items"]
    assert (call["status"], call["error"]) == ("failed", "the machine is off")
    turn = (await desk.get(f"/sessions/{session}/turns"))["items"][0]
    assert (turn["event"], turn["errors"]) == ("OperatorCalled", ["break_down: the machine is off"])


async def test_a_call_in_a_session_that_is_over_is_refused_and_that_is_seen(desk: Desk) -> None:
    await desk.write("hola")
    session = (await desk.session())["id"]
    await desk.done(f"/sessions/{session}/close")
    await desk.done(f"/sessions/{session}/calls", tool="wipe")
    turn = (await desk.get(f"/sessions/{session}/turns"))["items"][0]
    assert "the session is closed" in turn["refused"][0]
    assert desk.ledger == ""


DEEP: Any = []
for _ in range(20):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "body",
    [
        {"tool": "fly"},
        {"tool": "../wipe"},
        {},
        {"tool": "wipe", "arguments": ["x"]},
        {"tool": "wipe", "arguments": {"a": DEEP}},
        {"tool": "wipe", "arguments": {"a": "x" * 9000}},
        {"tool": "wipe", "arguments": {"a": "\0"}},
        {"tool": "wipe", "arguments": {"a": "\ud800"}},
        {"tool": "wipe", "colour": "red"},
    ],
    ids=lambda body: str(body)[:40].encode("ascii", "replace").decode(),
)
async def test_a_call_that_is_not_as_described_is_refused(light: Desk, body: dict[str, Any]) -> None:
    await light.write("hola")
    headers = {"idempotency-key": "one", "content-type": "application/json"}
    path = f"/sessions/{(await light.session())['id']}/calls"
    answer = await light.api.post(path, headers=headers, content=json.dumps(body).encode())
    assert answer.status_code == 422
    assert light.ledger == ""


# --- who may ------------------------------------------------------------------------------------------


async def test_another_workspace_sees_and_does_nothing(desk: Desk) -> None:
    await desk.write("humano")
    handoff, store = await desk.handoff(), desk.served.hilo.store
    await store.run(add_workspace, "otra", name="otra", now=desk.served.hilo.clock.now())
    secret = await desk.served.key("read", "write", "operate", workspace="otra")
    once = {"idempotency-key": "x"}
    async with desk.served.client(key=secret) as other:
        answers = [
            await other.get(f"/api/v1/handoffs/{handoff['id']}"),
            await other.post(f"/api/v1/handoffs/{handoff['id']}/resolve", headers=once, json={"mode": "IDLE"}),
            await other.post(f"/api/v1/sessions/{handoff['session']}/calls", headers=once, json={"tool": "wipe"}),
            await other.get(f"/api/v1/sessions/{handoff['session']}/calls"),
        ]
        assert {each.status_code for each in answers} == {404}
        assert (await other.get("/api/v1/events", params={"after": 0})).json()["items"] == []


async def test_a_key_that_may_only_read_has_no_tool_run(light: Desk) -> None:
    await light.write("humano")
    handoff = await light.handoff()
    async with light.served.client(key=await light.served.key("read", "write")) as reader:
        for path in (f"handoffs/{handoff['id']}/resolve", f"sessions/{handoff['session']}/calls"):
            answer = await reader.post(f"/api/v1/{path}", headers={"idempotency-key": "x"}, json={"tool": "wipe"})
            assert answer.status_code == 403


# --- news ---------------------------------------------------------------------------------------------


async def test_news_are_told_in_order_and_each_once(desk: Desk) -> None:
    assert await desk.get("/events") == {"items": [], "next": 0, "more": False}
    await desk.write("humano")
    handoff = await desk.handoff()
    await desk.done(f"/handoffs/{handoff['id']}/assign", operator="Olga")
    await desk.done(f"/sessions/{handoff['session']}/calls", tool="break_down", operator="Olga")
    await desk.done(f"/handoffs/{handoff['id']}/resolve", calls=["wipe"])
    found = await desk.get("/events", after=0)
    assert [each["event"] for each in found["items"]] == ["new_handoff", "assigned", "call_done", "released"]
    assert {each["session"] for each in found["items"]} == {handoff["session"]}
    assert [each["handoffs"] for each in found["items"]] == [[handoff["id"]], [handoff["id"]], [], [handoff["id"]]]
    assert found["items"][2]["detail"] == {"error": "the machine is off", "ok": False, "tool": "break_down"}
    assert found["items"][0]["detail"]["policy"] == "keyword"
    assert (await desk.get("/events", after=found["next"]))["items"] == []
    [last] = (await desk.get("/events", after=found["items"][2]["id"]))["items"]
    assert last["event"] == "released"


async def test_the_end_of_a_session_that_nobody_was_at_is_no_news(desk: Desk) -> None:
    await desk.write("hola", "borra todo")
    await desk.done(f"/sessions/{(await desk.session())['id']}/close")
    assert (await desk.get("/events", after=0))["items"] == []


async def stream(desk: Desk, key: str, **headers: str) -> AsyncIterator[dict[str, str]]:
    """What a dashboard reads, event by event; a sign of life has no data."""
    wanted = {"accept": "text/event-stream", "authorization": f"Bearer {key}", **headers}
    async with (
        httpx.AsyncClient(base_url=desk.served.url, headers=wanted, timeout=PATIENCE) as client,
        client.stream("GET", "/api/v1/events") as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        read: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if not line:
                yield read
                read = {}
            else:
                name, _, value = line.partition(": ")
                read[name] = value


async def test_a_dashboard_hears_of_a_handoff_as_it_happens_and_goes_on_where_it_stopped(desk: Desk) -> None:
    key = await desk.served.key("read")
    await desk.write("hola")
    news = stream(desk, key)
    async with asyncio.timeout(PATIENCE):
        assert await anext(news) == {"retry": "2000"}
        await desk.write("humano")
        first = await anext(news)
        await news.aclose()  # type: ignore[attr-defined]
        handoff = await desk.handoff()
        assert (first["event"], json.loads(first["data"])["handoffs"]) == ("new_handoff", [handoff["id"]])
        await desk.done(f"/handoffs/{handoff['id']}/assign", operator="Olga")
        again = stream(desk, key, **{"last-event-id": first["id"]})
        assert await anext(again) == {"retry": "2000"}
        assert (await anext(again))["event"] == "assigned"
        await again.aclose()  # type: ignore[attr-defined]


async def test_a_stream_shows_life_and_ends_with_its_key(light: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PING", events.PING * 0)
    monkeypatch.setattr(events, "LOOK", 0.01)
    secret, store = await light.served.key("read"), light.served.hilo.store
    news = stream(light, secret)
    async with asyncio.timeout(PATIENCE):
        await anext(news)
        assert await anext(news) == {"": "still here"}
        for key in await store.run(keys, WORKSPACE):
            await store.run(revoke_key, WORKSPACE, key.id, now=light.served.hilo.clock.now())
        async for _life in news:
            pass


async def test_only_so_many_streams_are_open_at_once(light: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST", 1)
    key = await light.served.key("read")
    news = stream(light, key)
    async with asyncio.timeout(PATIENCE):
        await anext(news)
        answer = await light.api.get("/events", headers={"accept": "text/event-stream"})
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
        await news.aclose()  # type: ignore[attr-defined]


@pytest.mark.parametrize("place", ["x", "-1", "99999999999", "１"])
async def test_a_place_that_is_none_is_refused(light: Desk, place: str) -> None:
    headers = {"accept": "text/event-stream", b"last-event-id": place.encode()}
    answer = await light.api.get("/events", headers=headers)  # type: ignore[arg-type]
    assert answer.status_code == 422
