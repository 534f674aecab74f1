"""The panel's part of the API: the inbox, a session whole, who has it, why a turn came out so, and the live stream."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from gateways import Gateway, until
from test_handoffs_api import AGENT, TOOLS, Desk, open_desk
from test_people import add, browser

from hilo.app.gateway import edge_of
from hilo.ids import new_id
from hilo.llm.model import Spent
from hilo.llm.prices import Cost, SpendingLimits
from hilo.llm.reservations import ModelAccount, Reservation
from hilo.server import stream as streams
from hilo.server.access import CSRF
from hilo.server.app import make_app
from hilo.settings import Settings
from hilo.store.workspaces import add_workspace
from hilo.workers.reservations import StoredReservations
from patience import PATIENCE

FOR_PEOPLE = """
labels: {IDLE: Libre, count: Contar casos, nudge: Preguntar si sigue}
counts: {consultas: {tools: [count], sum: tally}}
answer_within: 2m
timers:
  nudge: {after: 1 h of silence, say: "¿Sigues ahí?"}
escalation:"""
TIMED = AGENT.replace("\nescalation:", FOR_PEOPLE)


@pytest.fixture
def mesa(tmp_path: Path) -> Path:
    folder = tmp_path / "mesa"
    folder.mkdir()
    (folder / "agent.yaml").write_text(TIMED, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    return folder


@pytest.fixture
async def desk(database_url: str, mesa: Path) -> AsyncIterator[Desk]:
    """On each kind of database."""
    async with open_desk(database_url, mesa) as opened:
        yield opened


@pytest.fixture
async def light(sqlite_url: str, mesa: Path) -> AsyncIterator[Desk]:
    """On SQLite only."""
    async with open_desk(sqlite_url, mesa) as opened:
        yield opened


@asynccontextmanager
async def person(desk: Desk, login: str) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody at the panel."""
    await add(desk.served, login)
    async with browser(desk.served, login) as client:
        client.base_url = httpx.URL("http://hilo/api/v1")
        yield client


async def act(client: httpx.AsyncClient, path: str, **body: Any) -> httpx.Response:
    return await client.post(path, headers={"idempotency-key": new_id("once")}, json=body or None)


async def holds(desk: Desk, session: str, operator: str) -> None:
    async def is_so() -> bool:
        found = await desk.get(f"/sessions/{session}/whole")
        return bool(found["operator"] == operator)

    await until(is_so)


# --- the inbox ----------------------------------------------------------------------------------------


async def test_the_inbox_shows_who_waits_and_the_views_count(desk: Desk) -> None:
    await desk.write("hola")
    desk.contact = "5491155550002"
    await desk.write("hola", "soy Ana Pérez", "quiero un humano")
    page = await desk.get("/inbox", view="waiting")
    assert page["counts"] == {"waiting": 1, "mine": 0, "agent": 1, "paused": 0, "trouble": 0}
    [row] = page["items"]
    assert (row["contact"]["name"], row["address"], row["holder"]) == ("Ana del canal", "5491155550002", "operator")
    assert (row["mode"], row["channel"], row["operator"], row["unread"]) == ("PERSON", "wa", "", 3)
    assert (row["waits_since"] is not None, row["patience"], row["wanted"]) == (True, 120, "customer_request")
    assert (row["last"]["author"], row["last"]["text"]) == ("contact", "quiero un humano")  # not that a person comes
    await desk.done(f"/sessions/{row['session']}/take-over", operator="crm")
    assert [each["session"] for each in (await desk.get("/inbox", view="mine"))["items"]] == [row["session"]]
    assert (await desk.get("/inbox", view="waiting"))["items"] == []
    await desk.api.post(f"/sessions/{row['session']}/read")
    assert (await desk.get("/inbox", view="mine"))["items"][0]["unread"] == 0


async def test_the_inbox_is_searched_filtered_and_paged(desk: Desk) -> None:
    for number in range(3):
        desk.contact = f"549115555000{number}"
        await desk.write("hola", f"lo del 10%_{number}")
    newest = [row["address"] for row in (await desk.get("/inbox"))["items"]]
    assert newest == ["5491155550002", "5491155550001", "5491155550000"]
    first = await desk.get("/inbox", view="agent", limit=2)
    rest = await desk.get("/inbox", view="agent", limit=2, cursor=first["next"])
    assert [row["address"] for row in (*first["items"], *rest["items"])] == newest
    for words, found in {"0001": 1, "ANA DEL": 3, "10%_2": 1, "10%": 3, "1_%": 0, "nada": 0}.items():
        assert len((await desk.get("/inbox", q=words))["items"]) == found, words
    assert (await desk.get("/inbox", agent="otro"))["items"] == []
    assert len((await desk.get("/inbox", channel="wa"))["items"]) == 3


async def test_names_numbers_notes_and_both_sides_are_searched_without_accents(desk: Desk) -> None:
    await desk.write("quiero un HUMANO, soy José Ibáñez")
    session = (await desk.session())["id"]
    async with person(desk, "luis") as luis:
        await act(luis, f"/sessions/{session}/take-over")
        await holds(desk, session, "Luis")
        await act(luis, f"/sessions/{session}/messages", text="Ya está EN CAMINO, señor")
        await act(luis, f"/sessions/{session}/notes", text="Paga en efectivo, vive en Güemes")
        await act(luis, f"/sessions/{session}/correct", slot="name", value="Jorge Íñigo")

        async def is_known() -> bool:
            return bool((await desk.get("/inbox", q="inigo"))["items"])

        await until(is_known)
    finds = (
        "jose ibanez",
        "en camino, senor",
        "GUEMES",
        "Jorge Íñigo",
        "+54 9 11 5555-0001",
        "(11) 5555 0001",
        "ana del",
    )
    for words in finds:
        assert len((await desk.get("/inbox", q=words))["items"]) == 1, words
        assert len((await desk.get("/inbox", q=words, session=session))["items"]) == 1, words
    for words in ("camino, senora", "55 55 55", '"text"', "person_name", "22"):
        assert (await desk.get("/inbox", q=words))["items"] == [], words
    key = await desk.served.key("read", workspace="otra")
    async with desk.served.client(key=key) as other:
        assert (await other.get("/api/v1/inbox", params={"q": "ibanez"})).json()["items"] == []


# --- a session whole ----------------------------------------------------------------------------------


async def test_a_session_is_shown_whole_in_the_agents_words(desk: Desk) -> None:
    await desk.write("hola", "cuántos casos tengo", "soy Ana Pérez")
    session = (await desk.session())["id"]
    whole = await desk.get(f"/sessions/{session}/whole")
    [name] = whole["slots"]
    assert (name["label"], name["shown"], name["set_by"]) == ("nombre", "Ana Pérez", "contact")
    assert name["set_at"] is not None
    assert whole["found"] == [{"label": "casos abiertos", "shown": "3"}]
    assert (whole["flow"]["label"], whole["question"]) == ("abrir un caso", {"kind": "slot", "words": "asunto"})
    assert whole["mode"] == {"name": "IDLE", "label": "Libre"}
    assert {each["name"]: each["label"] for each in whole["modes"]} == {"IDLE": "Libre", "OPEN": "Open"}
    assert {each["name"]: each["does"] for each in whole["timers"]} == {"timer.nudge": "Preguntar si sigue"}
    assert [(each["label"], each["money"]) for each in whole["made"]] == [("consultas", "3")]
    assert {each["tool"] for each in whole["actions"]} == {"count", "wipe", "break_down", "audit_case"}
    [count] = [each for each in whole["actions"] if each["tool"] == "count"]
    assert (count["title"], count["own"], count["description"]) == ("Contar casos", False, "")
    assert (whole["handoff"], whole["holder"], whole["earlier"]) == (None, "agent", [])
    assert {"take", "pause", "close"} <= set(whole["may"])


async def test_a_turn_says_why(desk: Desk) -> None:
    await desk.write("hola", "cuántos casos tengo", "soy Ana Pérez")
    session = (await desk.session())["id"]
    why = await desk.get(f"/sessions/{session}/turns/3")
    assert why["heard"] == "soy Ana Pérez"
    assert why["nodes"][0]["name"] == "check_escalation"
    [value] = [each for each in why["found"] if each["taken"]]
    assert (value["slot"], value["text"], why["heard"][value["start"] : value["end"]]) == ("name", *["Ana Pérez"] * 2)
    assert {"command": "SetSlot", "about": "name", "label": "nombre", "words": "Ana Pérez"} in why["accepted"]
    assert why["handoff"] is None
    assert why["said"][-1]["template"].startswith("ask.topic")
    asked = await desk.get(f"/sessions/{session}/turns/2")
    assert [each["tool"] for each in asked["calls"]] == ["count"]
    assert (asked["meanings"][0]["name"], asked["meanings"][0]["label"]) == ("how_many", "«cuántos casos tengo»")
    graph = await desk.get("/agents/mesa/turn")
    steps = [(way["start"], way["to"]) for way in graph["ways"]]
    visited = [node["name"] for node in why["nodes"]]
    assert set(pairwise(visited)) <= set(steps)  # the path can be drawn on it
    assert asked["tokens"]["cost"] == "0"
    assert (await desk.api.get(f"/sessions/{session}/turns/99")).status_code == 404


async def test_the_tokens_of_a_turn_are_all_that_a_model_has_read(desk: Desk) -> None:
    await desk.write("hola")
    session, hilo = (await desk.session())["id"], desk.served.hilo
    account = ModelAccount("main", "desk", session, hilo.clock.now().date(), 1)
    most, spent = Spent(5000, 500), Spent(1000, 40, cache_read=2000, cache_written=100)
    reservations = StoredReservations(hilo.store, hilo.clock)
    asked = Reservation(account, "small", "m", most, Cost(most.total, Decimal(1)), 10)
    await reservations.reserve([asked], SpendingLimits(), turn=Cost())
    await reservations.settle(asked, spent, Cost(spent.total, Decimal("0.25")))
    tokens = (await desk.get(f"/sessions/{session}/turns/1"))["tokens"]
    assert tokens == {"input": 3100, "output": 40, "cached": 2000, "cost": "0.25", "models": ["m"]}


# --- who has it ---------------------------------------------------------------------------------------


async def test_two_reach_for_a_session_and_the_second_is_told_who_has_it(desk: Desk) -> None:
    await desk.write("humano")
    session = (await desk.session())["id"]
    async with person(desk, "olga") as olga, person(desk, "luis") as luis:
        taking = [act(each, f"/sessions/{session}/take-over", operator="Otra") for each in (olga, luis)]
        answers = await asyncio.gather(*taking)
        assert sorted(each.status_code for each in answers) == [202, 409]
        [lost] = [each for each in answers if each.status_code == 409]
        winner, loser = ("Luis", olga) if lost is answers[0] else ("Olga", luis)
        assert (lost.json()["operator"], winner in lost.json()["detail"]) == (winner, True)
        await holds(desk, session, winner)
        for path, body in (("messages", {"text": "hola"}), ("release", {}), ("close", {}), ("take-over", {})):
            refused = await act(loser, f"/sessions/{session}/{path}", **body)
            assert (path, refused.status_code, refused.json()["operator"]) == (path, 409, winner)
        keeper = olga if loser is luis else luis
        assert (await act(keeper, f"/sessions/{session}/messages", text="soy yo")).status_code == 202
        last = (await desk.get(f"/sessions/{session}/messages"))["items"][0]
        assert (last["text"], last["operator"]) == ("soy yo", winner)
        assert (await act(loser, f"/sessions/{session}/take-over", instead_of=winner)).status_code == 202


async def test_who_has_not_taken_a_session_says_nothing_in_it(light: Desk) -> None:
    await light.write("humano")
    session = (await light.session())["id"]
    async with person(light, "olga") as olga:
        refused = await act(olga, f"/sessions/{session}/messages", text="hola")
        assert (refused.status_code, "take it over" in refused.json()["detail"]) == (409, True)


async def test_acts_carry_the_persons_name(desk: Desk) -> None:
    await desk.write("hola")
    session = (await desk.session())["id"]
    async with person(desk, "olga") as olga:
        for path in ("pause", "resume", "take-over", "release"):
            turns = len(desk.served.rows("SELECT number FROM turns"))
            assert (await act(olga, f"/sessions/{session}/{path}", operator="Otra")).status_code == 202
            await until(lambda turns=turns: desk._more_than(turns))  # type: ignore[misc]  # noqa: SLF001
    rows = desk.served.rows("SELECT actor, action FROM audit ORDER BY number")
    acts = [
        (row["actor"], row["action"]) for row in rows if row["action"] in {"paused", "resumed", "took over", "released"}
    ]
    assert acts == [("Olga", "paused"), ("Olga", "resumed"), ("Olga", "took over"), ("Olga", "released")]


async def test_a_session_is_handed_to_a_colleague_and_to_a_team(desk: Desk) -> None:
    await desk.write("humano")
    session = (await desk.session())["id"]
    await add(desk.served, "caro", teams=("ventas",))
    async with person(desk, "olga") as olga:
        await act(olga, f"/sessions/{session}/take-over")
        await holds(desk, session, "Olga")
        assert (await act(olga, f"/sessions/{session}/transfer", operator="Nadie")).status_code == 422
        assert (await act(olga, f"/sessions/{session}/transfer", team="nada")).status_code == 422
        assert (await act(olga, f"/sessions/{session}/transfer")).status_code == 422
        assert (await act(olga, f"/sessions/{session}/transfer", team="ventas")).status_code == 202
        [row] = (await desk.get("/inbox", view="waiting", team="ventas"))["items"]
        assert (row["session"], row["operator"], row["team"]) == (session, "", "ventas")
        await act(olga, f"/sessions/{session}/take-over")
        await holds(desk, session, "Olga")
        assert (await act(olga, f"/sessions/{session}/transfer", operator="Caro")).status_code == 202
        await holds(desk, session, "Caro")
        news = (await desk.get("/stream", after=0))["items"]
        passed = [each["detail"] for each in news if each["event"] == "transferred"]
        assert passed == [
            {"team": "ventas", "operator": "", "by": "Olga"},
            {"team": "", "operator": "Caro", "by": "Olga"},
        ]
        assert (await act(olga, f"/sessions/{session}/transfer", team="ventas")).status_code == 409


# --- other acts ---------------------------------------------------------------------------------------


async def test_notes_are_for_colleagues_only(desk: Desk) -> None:
    await desk.write("hola")
    session, once = (await desk.session())["id"], {"idempotency-key": "una"}
    for _ in range(2):
        answer = await desk.api.post(f"/sessions/{session}/notes", json={"text": "<b>ojo</b>"}, headers=once)
        assert answer.status_code == 202
    other = await desk.api.post(f"/sessions/{session}/notes", json={"text": "otra"}, headers=once)
    assert other.status_code == 422
    [note] = (await desk.get(f"/sessions/{session}/notes"))["items"]
    assert (note["text"], note["author"]) == ("<b>ojo</b>", "crm")
    assert all("ojo" not in each.message.text for each in desk.sent.delivered)


async def test_canned_replies_are_kept_changed_and_forgotten(desk: Desk) -> None:
    for text in ("Hola {name}", "Buenas {name}"):
        assert (await desk.api.put("/replies/saludo", json={"text": text})).status_code == 200
    assert (await desk.get("/replies"))["items"] == [{"name": "saludo", "text": "Buenas {name}"}]
    assert (await desk.get("/replies/saludo"))["text"] == "Buenas {name}"
    assert (await desk.api.delete("/replies/saludo")).status_code == 204
    assert (await desk.api.delete("/replies/saludo")).status_code == 404


async def test_a_promise_is_kept_now_or_taken_back(desk: Desk) -> None:
    await desk.write("hola")
    session = (await desk.session())["id"]
    await desk.done(f"/sessions/{session}/timers/timer.nudge/fire")
    await desk.heard("¿Sigues ahí?")
    assert (await act(desk.api, f"/sessions/{session}/timers/timer.nudge/fire")).status_code == 404
    desk.contact = "5491155550002"
    await desk.write("hola")
    second = (await desk.session())["id"]
    assert (await act(desk.api, f"/sessions/{second}/timers/timer.nudge/cancel")).status_code == 202
    assert (await desk.get(f"/sessions/{second}/whole"))["timers"] == []


async def test_a_value_is_corrected_by_who_has_the_session(desk: Desk) -> None:
    await desk.write("hola", "soy Ana Pérez")
    session = (await desk.session())["id"]
    refused = await act(desk.api, f"/sessions/{session}/correct", slot="name", value="Eva Ruiz")
    assert refused.status_code == 409
    await desk.done(f"/sessions/{session}/take-over")
    said = len(desk.sent.delivered)
    await desk.done(f"/sessions/{session}/correct", slot="name", value="Eva Ruiz")
    [name] = (await desk.get(f"/sessions/{session}/whole"))["slots"]
    assert (name["shown"], name["set_by"]) == ("Eva Ruiz", "operator")
    assert len(desk.sent.delivered) == said


async def test_a_preview_tells_what_the_agent_will_say_and_does_nothing(desk: Desk) -> None:
    await desk.write("hola", "soy Ana Pérez", "humano")
    session = (await desk.session())["id"]
    before = desk.served.rows("SELECT state, version FROM sessions")
    seen = (await act(desk.api, f"/sessions/{session}/preview", mode="OPEN", message="Listo, Ana")).json()
    assert (seen["messages"][0].startswith("Listo, Ana"), seen["mode"], seen["runs"]) == (True, "OPEN", [])
    writes = (await act(desk.api, f"/sessions/{session}/preview", calls=["wipe"])).json()
    assert (writes["runs"], desk.ledger) == (["wipe"], "")
    assert (await act(desk.api, f"/sessions/{session}/preview", mode="NONE")).status_code == 422
    assert desk.served.rows("SELECT state, version FROM sessions") == before
    await desk.done(f"/sessions/{session}/take-over")
    [handoff] = (await desk.get("/handoffs"))["items"]
    await desk.done(f"/handoffs/{handoff['id']}/resolve", mode="OPEN", message="Listo, Ana")
    await desk.heard(seen["messages"][-1])


# --- map and numbers ---------------------------------------------------------------------------------


async def test_the_map_and_the_numbers_count_what_happened(desk: Desk) -> None:
    await desk.write("hola")
    desk.contact = "5491155550002"
    await desk.write("humano")
    await desk.done(f"/sessions/{(await desk.session())['id']}/take-over")
    places = {(each["mode"], each["status"]): each["sessions"] for each in (await desk.get("/map"))["items"]}
    assert places == {("IDLE", "active"): 1, ("PERSON", "handed_off"): 1}
    found = await desk.get("/numbers", days=7)
    assert (found["sessions"], found["without_person"], len(found["days"])) == (2, 1, 7)
    assert (found["days"][-1]["sessions"], found["handoffs"]) == (2, {"customer_request": 1})
    assert (found["waits"]["taken"], found["waits"]["p50"] == found["waits"]["p95"] is not None) == (1, True)
    assert (found["usage"]["turns"], found["usage"]["free_turns"], found["usage"]["cost"]) == (3, 3, "0")
    funnel = await desk.get("/funnel/mesa")
    assert (funnel["sessions"], funnel["modes"][0]["mode"], funnel["modes"][0]["sessions"]) == (2, "IDLE", 2)
    assert (await desk.api.get("/funnel/none")).status_code == 404
    assert (await desk.api.get("/numbers", params={"zone": "Nowhere"})).status_code == 422


async def test_the_map_has_modes_and_flows_with_who_stands_there(desk: Desk) -> None:
    await desk.write("hola", "soy Ana Pérez")
    found = await desk.get("/agents/mesa/map")
    assert [(each["label"], each["sessions"]) for each in found["modes"]] == [("Libre", 1), ("Open", 0), ("Person", 0)]
    [flow] = found["flows"]
    assert (flow["label"], flow["sessions"]) == ("Abrir un caso", 1)
    assert (flow["steps"][0]["kind"], flow["steps"][0]["words"]) == ("collect", "nombre, asunto")
    assert [step["sessions"] for step in flow["steps"]] == [1, 0]
    assert (await desk.api.get("/agents/none/map")).status_code == 404


async def test_what_the_business_counts_is_counted_by_day_with_its_money(desk: Desk) -> None:
    await desk.write("hola", "cuántos casos tengo")
    desk.contact = "5491155550002"
    await desk.write("cuántos casos tengo")
    [counted] = (await desk.get("/numbers", days=2, zone="America/Bogota"))["counts"]
    assert (counted["label"], counted["made"], counted["money"]) == ("consultas", 2, "6")
    assert (len(counted["days"]), sum(day["made"] for day in counted["days"])) == (2, 2)


# --- another workspace --------------------------------------------------------------------------------


async def test_nothing_of_another_workspace_is_there(desk: Desk) -> None:
    await desk.write("humano")
    session, hilo = (await desk.session())["id"], desk.served.hilo
    await desk.api.put("/replies/saludo", json={"text": "hola"})
    await hilo.store.run(add_workspace, "otra", name="otra", now=hilo.clock.now())
    key = await desk.served.key("read", "write", "operate", workspace="otra")
    async with desk.served.client(key=key) as other:
        other.base_url = httpx.URL("http://hilo/api/v1")
        assert (await other.get("/inbox")).json()["items"] == []
        assert set((await other.get("/inbox")).json()["counts"].values()) == {0}
        assert (await other.get("/replies")).json()["items"] == []
        assert (await other.get("/map")).json()["items"] == []
        assert (await other.get("/numbers")).json()["sessions"] == 0
        assert (await other.get("/funnel/mesa")).status_code == 404
        assert (await other.get("/stream", params={"after": 0})).json()["items"] == []
        for path in ("whole", "turns/1", "notes"):
            assert (await other.get(f"/sessions/{session}/{path}")).status_code == 404
        acts: dict[str, dict[str, Any]] = {
            "notes": {"text": "x"},
            "correct": {"slot": "name", "value": "x"},
            "preview": {},
            "read": {},
            "typing": {},
            "timers/timer.nudge/fire": {},
            "timers/timer.nudge/cancel": {},
            "take-over": {},
        }
        for path, body in acts.items():
            answer = await other.post(f"/sessions/{session}/{path}", headers={"idempotency-key": "x"}, json=body)
            assert answer.status_code == 404, path
        assert (await other.delete("/replies/saludo")).status_code == 404


# --- live ---------------------------------------------------------------------------------------------


async def follow(url: str, key: str, **headers: str) -> AsyncIterator[dict[str, Any]]:
    """What a page reads, event by event."""
    wanted = {"accept": "text/event-stream", "authorization": f"Bearer {key}", **headers}
    async with (
        httpx.AsyncClient(base_url=url, headers=wanted, timeout=PATIENCE) as client,
        client.stream("GET", "/api/v1/stream") as answer,
    ):
        read: dict[str, Any] = {}
        async for line in answer.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                read[name] = value
                continue
            if "data" in read:
                yield {**read, "data": json.loads(read["data"])}
            read = {}


async def test_pages_hear_everything_as_it_happens_and_go_on_where_they_stopped(desk: Desk) -> None:
    key = await desk.served.key("read")
    news = follow(desk.served.url, key)
    async with asyncio.timeout(PATIENCE):
        assert (await anext(news))["event"] == "hello"
        await desk.write("hola", "humano")
        seen: list[dict[str, Any]] = []
        while [each["event"] for each in seen].count("heard") < 2 or "handoff" not in {each["event"] for each in seen}:
            seen.append(await anext(news))
        await news.aclose()  # type: ignore[attr-defined]
        assert {"heard", "said", "timer", "status", "mode", "handoff"} <= {each["event"] for each in seen}
        assert [int(each["id"]) for each in seen] == list(range(1, len(seen) + 1))
        session = (await desk.session())["id"]
        assert {each["data"]["session"] for each in seen} == {session}
        await desk.done(f"/sessions/{session}/take-over", operator="crm")
        await desk.done(f"/sessions/{session}/release")
        again, later = follow(desk.served.url, key, **{"last-event-id": seen[-1]["id"]}), list[dict[str, Any]]()
        while "released" not in {each["event"] for each in later}:
            later.append(await anext(again))
        await again.aclose()  # type: ignore[attr-defined]
    assert int(later[0]["id"]) == len(seen) + 1
    assert "taken" in {each["event"] for each in later}


async def test_another_process_tells_the_same_under_the_same_numbers(desk: Desk) -> None:
    settings = Settings(Path(), database_url=desk.served.database_url)
    other = Gateway(desk.served.hilo, make_app(edge_of(desk.served.hilo, settings)), desk.served.database_url)
    await desk.write("hola")
    session = (await desk.session())["id"]
    await asyncio.gather(*(act(desk.api, f"/sessions/{session}/notes", text=f"n{number}") for number in range(5)))
    async with other.client(key=await desk.served.key("read")) as client:
        ours, theirs = desk.get("/stream", after=0), client.get("/api/v1/stream", params={"after": 0})
        mine, answer = await asyncio.gather(ours, theirs)
        mine = await desk.get("/stream", after=0)
        answer = await client.get("/api/v1/stream", params={"after": 0})
    assert mine == answer.json()
    assert [each["n"] for each in mine["items"]] == list(range(1, len(mine["items"]) + 1))
    assert sum(each["event"] == "note" for each in mine["items"]) == 5


async def test_a_page_that_was_away_too_long_loads_anew(light: Desk) -> None:
    await light.write("hola")
    page = await light.get("/stream")
    assert (page["items"], page["reset"]) == ([], False)
    assert (await light.get("/stream", after=page["next"] + 5))["reset"] is True
    light.served.rows("SELECT 1")
    far = follow(light.served.url, await light.served.key("read"), **{"last-event-id": "999"})
    async with asyncio.timeout(PATIENCE):
        assert (await anext(far))["event"] == "reset"
        await far.aclose()  # type: ignore[attr-defined]


async def test_a_stream_ends_with_the_login(light: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PING", 0.05)
    await add(light.served, "olga")
    async with browser(light.served, "olga") as olga:
        olga.base_url = httpx.URL(light.served.url)
        cookie = "; ".join(f"{name}={value}" for name, value in olga.cookies.items())
        word = olga.headers[CSRF]
        headers = {"accept": "text/event-stream", "cookie": cookie}
        async with (
            asyncio.timeout(PATIENCE),
            httpx.AsyncClient(base_url=light.served.url, headers=headers, timeout=PATIENCE) as client,
            client.stream("GET", "/api/v1/stream") as answer,
        ):
            lines = answer.aiter_lines()
            assert await anext(lines) == "retry: 2000"
            async with light.served.client() as leaving:
                out = await leaving.post("/panel/logout", headers={"cookie": cookie, CSRF: word})
                assert out.status_code == 204
            async for _line in lines:
                pass
