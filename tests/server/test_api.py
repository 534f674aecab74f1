"""The REST API: what a key may see and do, in its own workspace and nowhere else."""

import asyncio
import base64
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from gateways import Gateway, until

from hilo.app.installation import WORKSPACE
from hilo.channels.channel import Rejected, Sent
from hilo.ids import new_id
from hilo.messages import Address, Inbound
from hilo.store.keys import keys, revoke_key
from hilo.store.workspaces import ChannelRow, add_workspace
from hilo.testing.world import RecordingChannel

CONTACTS = ("5491155550001", "5491155550002", "5491155550003")


@pytest.fixture
async def talked(worked: Gateway) -> Gateway:
    """Three contacts have said something, and were answered: what nobody takes would be tried for half a minute."""
    row = ChannelRow("wa", WORKSPACE, "infobip", "eco", window_hours=24)
    await worked.connect(row, RecordingChannel())
    for number, contact in enumerate(CONTACTS):
        await say(worked, contact, f"cosa {number}")
    await until(lambda: _sessions(worked, 3))
    return worked


async def say(hilo: Gateway, contact: str, text: str) -> None:
    message = Inbound(new_id("m"), Address("wa", contact), text, hilo.hilo.clock.now())
    await hilo.hilo.intake.messages("wa", [message])


async def _sessions(hilo: Gateway, wanted: int) -> bool:
    return len(hilo.rows("SELECT id FROM sessions")) == wanted


@pytest.fixture
async def api(talked: Gateway) -> AsyncIterator[httpx.AsyncClient]:
    """A client with a key that may do everything."""
    async with talked.client(key=await talked.key("read", "write", "operate")) as client:
        client.base_url = httpx.URL("http://hilo/api/v1")
        yield client


@pytest.fixture
def session(talked: Gateway) -> str:
    [row] = talked.rows(
        "SELECT s.id FROM sessions s JOIN addresses a ON a.id = s.address_id WHERE a.value LIKE '%0001'"
    )
    return str(row["id"])


def once() -> dict[str, str]:
    return {"idempotency-key": new_id("once")}


async def act(api: httpx.AsyncClient, path: str, **body: Any) -> httpx.Response:
    return await api.post(path, headers=once(), json=body or None)


async def status(api: httpx.AsyncClient, session: str) -> tuple[str, str]:
    found = (await api.get(f"/sessions/{session}")).json()
    return found["status"], found["holder"]


async def becomes(api: httpx.AsyncClient, session: str, wanted: tuple[str, str]) -> None:
    async def is_so() -> bool:
        return await status(api, session) == wanted

    await until(is_so)


# --- who may ------------------------------------------------------------------------------------------


async def test_without_a_key_nothing_is_shown(talked: Gateway) -> None:
    async with talked.client() as client:
        answer = await client.get("/api/v1/sessions")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == 401


@pytest.mark.parametrize("key", ["hilo_x", "ñandú", "\x00", "a" * 5000])
async def test_a_key_that_is_none_is_refused(talked: Gateway, key: str) -> None:
    async with talked.client() as client:
        answer = await client.get("/api/v1/sessions", headers={b"authorization": f"Bearer {key}".encode()})
    assert answer.status_code == 401


async def test_a_key_may_do_what_its_scopes_say_and_no_more(talked: Gateway, session: str) -> None:
    async with talked.client(key=await talked.key("read")) as client:
        assert (await client.get("/api/v1/sessions")).status_code == 200
        for path in ("messages", "take-over", "close"):
            body = {"text": "hola"} if path == "messages" else None
            answer = await client.post(f"/api/v1/sessions/{session}/{path}", headers=once(), json=body)
            assert answer.status_code == 403
    async with talked.client(key=await talked.key("operate")) as client:
        assert (await client.get("/api/v1/sessions")).status_code == 403


async def test_a_revoked_key_opens_nothing(talked: Gateway) -> None:
    secret, store = await talked.key("read"), talked.hilo.store
    [key] = await store.run(keys, "main")
    assert await store.run(revoke_key, "main", key.id, now=talked.hilo.clock.now())
    async with talked.client(key=secret) as client:
        assert (await client.get("/api/v1/sessions")).status_code == 401


async def test_the_store_does_not_hold_the_key(talked: Gateway) -> None:
    secret = await talked.key("read")
    [row] = talked.rows("SELECT * FROM api_keys")
    assert secret not in str(row)
    assert secret.removeprefix("hilo_") not in str(row)


async def test_another_workspace_is_not_there(talked: Gateway, session: str) -> None:
    await talked.hilo.store.run(add_workspace, "otra", name="otra", now=talked.hilo.clock.now())
    secret = await talked.key("read", "write", "operate", workspace="otra")
    [contact] = talked.rows("SELECT id FROM contacts LIMIT 1")
    async with talked.client(key=secret) as client:
        for path in ("sessions", "contacts", "handoffs", "agents"):
            assert (await client.get(f"/api/v1/{path}")).json()["items"] == []
        reads = [f"sessions/{session}{end}" for end in ("", "/turns", "/messages")] + [f"contacts/{contact['id']}"]
        answers = [await client.get(f"/api/v1/{path}") for path in reads]
        for path in ("take-over", "release", "pause", "resume", "close", "messages"):
            body = {"text": "hola"} if path == "messages" else None
            answers.append(await client.post(f"/api/v1/sessions/{session}/{path}", headers=once(), json=body))
        absent = await client.get("/api/v1/sessions/session_nobody")
    assert {(each.status_code, each.text) for each in answers} == {(404, absent.text)}


# --- looking ------------------------------------------------------------------------------------------


async def test_sessions_come_in_pieces_and_each_once(api: httpx.AsyncClient) -> None:
    found, cursor = [], ""
    for _ in range(3):
        piece = (await api.get("/sessions", params={"limit": 1, "cursor": cursor})).json()
        found += [each["address"] for each in piece["items"]]
        cursor = piece["next"]
    assert cursor is None
    assert sorted(found) == sorted(CONTACTS)


async def test_sessions_are_filtered(api: httpx.AsyncClient, session: str) -> None:
    assert len((await api.get("/sessions", params={"status": "active", "agent": "eco"})).json()["items"]) == 3
    for query in ({"status": "closed"}, {"agent": "otro"}, {"channel": "tg"}, {"contact": "nobody"}):
        assert (await api.get("/sessions", params=query)).json()["items"] == []
    contact = (await api.get(f"/sessions/{session}")).json()["contact"]
    [found] = (await api.get("/sessions", params={"contact": contact})).json()["items"]
    assert found["id"] == session


async def test_messages_of_both_sides_are_shown_the_newest_first(api: httpx.AsyncClient, session: str) -> None:
    items = (await api.get(f"/sessions/{session}/messages")).json()["items"]
    assert [each["author"] for each in items] == ["agent", "contact"]
    assert items[1]["text"] == "cosa 0"
    [turn] = (await api.get(f"/sessions/{session}/turns")).json()["items"]
    assert (turn["heard"], turn["said"][0]["text"]) == ("cosa 0", items[0]["text"])


async def test_contacts_have_their_addresses(api: httpx.AsyncClient) -> None:
    contacts = (await api.get("/contacts")).json()["items"]
    found = [(await api.get(f"/contacts/{each['id']}")).json()["addresses"][0]["value"] for each in contacts]
    assert sorted(found) == sorted(CONTACTS)


async def test_agents_are_listed_in_their_version(api: httpx.AsyncClient) -> None:
    [agent] = (await api.get("/agents")).json()["items"]
    assert agent["name"] == "eco"


CURSORS = ("x", "¡", base64.urlsafe_b64encode(b"[1]").decode(), base64.urlsafe_b64encode(b'[1e400,""]').decode(),
           base64.urlsafe_b64encode(b'[99999999999999999999999,""]').decode())  # fmt: skip


@pytest.mark.parametrize("cursor", CURSORS)
async def test_a_cursor_that_is_none_of_ours_is_refused(api: httpx.AsyncClient, cursor: str) -> None:
    answer = await api.get("/sessions", params={"cursor": cursor})
    assert answer.status_code == 422


# --- acting -------------------------------------------------------------------------------------------


async def test_an_operator_speaks_only_while_holding_the_session(
    api: httpx.AsyncClient, session: str, talked: Gateway
) -> None:
    sent = RecordingChannel()
    talked.hilo.channels.given["wa"] = (talked.hilo.channels.given["wa"][0], sent)
    assert (await act(api, f"/sessions/{session}/messages", text="soy Luis")).status_code == 409
    assert (await act(api, f"/sessions/{session}/take-over", operator="Luis")).status_code == 202
    await becomes(api, session, ("handed_off", "operator"))
    before = (await api.get(f"/sessions/{session}")).json()["last_at"]
    same = {"headers": once(), "json": {"text": "soy Luis", "buttons": [{"payload": "p", "title": "Bien"}]}}
    answers = [await api.post(f"/sessions/{session}/messages", **same) for _ in range(2)]  # type: ignore[arg-type]
    assert {(each.status_code, each.json()["id"]) for each in answers} == {(202, answers[0].json()["id"])}
    await until(lambda: _said(sent, 1))
    # what waited for the channel before may go out beside it
    [words] = [each.message for each in sent.delivered if ".operator." in each.message_id]
    assert (words.text, words.buttons[0].title) == ("soy Luis", "Bien")
    assert (await api.get(f"/sessions/{session}")).json()["last_at"] > before
    assert (await act(api, f"/sessions/{session}/release")).status_code == 202
    await becomes(api, session, ("active", "agent"))
    assert (await act(api, f"/sessions/{session}/messages", text="otra")).status_code == 409
    repeated = await api.post(f"/sessions/{session}/messages", **same)  # type: ignore[arg-type]
    assert repeated.status_code == 202


async def test_what_has_not_arrived_is_listed_sent_again_and_discarded(
    api: httpx.AsyncClient, session: str, talked: Gateway
) -> None:
    sent = RecordingChannel(outcome=lambda _delivered: Rejected("no such number"))
    talked.hilo.channels.given["wa"] = (talked.hilo.channels.given["wa"][0], sent)
    await act(api, f"/sessions/{session}/take-over", operator="Luis")
    await becomes(api, session, ("handed_off", "operator"))
    message = (await act(api, f"/sessions/{session}/messages", text="soy Luis")).json()["id"]

    async def failed() -> bool:
        found = (await api.get("/outbox", params={"status": "failed"})).json()["items"]
        return any((each["id"], each["reason"]) == (message, "no such number") for each in found)

    await until(failed)
    sent.outcome = lambda _delivered: Sent()
    assert (await api.post(f"/outbox/{message}/resend")).status_code == 202
    await until(lambda: _said(sent, 1))
    assert (await api.post(f"/outbox/{message}/discard")).status_code == 409
    assert (await api.post("/outbox/nothing/discard")).status_code == 404


async def _said(sent: RecordingChannel, wanted: int) -> bool:
    return len([each for each in sent.delivered if ".operator." in each.message_id]) >= wanted


async def test_a_session_is_paused_resumed_and_closed(api: httpx.AsyncClient, session: str) -> None:
    for path, wanted in (("pause", "paused"), ("resume", "active"), ("close", "closed")):
        assert (await act(api, f"/sessions/{session}/{path}")).status_code == 202
        await becomes(api, session, (wanted, "agent"))


async def test_an_act_without_an_idempotency_key_is_refused(api: httpx.AsyncClient, session: str) -> None:
    assert (await api.post(f"/sessions/{session}/close")).status_code == 422


async def test_a_key_that_was_used_for_other_words_is_refused(api: httpx.AsyncClient, session: str) -> None:
    await act(api, f"/sessions/{session}/take-over")
    await becomes(api, session, ("handed_off", "operator"))
    path, same = f"/sessions/{session}/messages", once()
    bodies: list[dict[str, Any]] = [
        {"text": "uno"},
        {"text": "dos"},
        {"text": "uno", "buttons": [{"payload": "p", "title": "Bien"}]},
        {"buttons": [], "text": " uno"},
    ]
    answers = [await api.post(path, headers=same, json=body) for body in bodies]
    assert [each.status_code for each in answers] == [202, 422, 422, 202]
    assert "Idempotency-Key was used for another request" in answers[1].json()["detail"]
    said = [each["text"] for each in (await api.get(path)).json()["items"] if each["author"] == "operator"]
    assert said == ["uno"]


async def test_a_key_that_was_used_for_another_act_is_refused(api: httpx.AsyncClient, session: str) -> None:
    path, same = f"/sessions/{session}/take-over", once()
    for who, wanted in (("Ana", 202), ("Eva", 422), ("Ana", 202)):
        assert (await api.post(path, headers=same, json={"operator": who})).status_code == wanted
    assert (await api.post(f"/sessions/{session}/pause", headers=same)).status_code == 202


async def test_of_many_texts_under_one_key_at_once_one_is_said_and_the_others_are_refused(
    api: httpx.AsyncClient, session: str
) -> None:
    await act(api, f"/sessions/{session}/take-over")
    await becomes(api, session, ("handed_off", "operator"))
    path, same = f"/sessions/{session}/messages", once()
    answers = await asyncio.gather(*(api.post(path, headers=same, json={"text": str(each)}) for each in range(5)))
    assert sorted(each.status_code for each in answers) == [202, 422, 422, 422, 422]


async def test_the_same_key_on_two_sessions_acts_on_both(api: httpx.AsyncClient) -> None:
    same, found = once(), (await api.get("/sessions")).json()["items"][:2]
    for each in found:
        assert (await api.post(f"/sessions/{each['id']}/close", headers=same)).status_code == 202
    for each in found:
        await becomes(api, each["id"], ("closed", "agent"))


async def test_a_handoff_is_assigned_and_resolved(api: httpx.AsyncClient, session: str, talked: Gateway) -> None:
    await say(talked, CONTACTS[0], "quiero hablar con un humano")
    await becomes(api, session, ("handed_off", "operator"))
    [handoff] = (await api.get("/handoffs")).json()["items"]
    path = f"/handoffs/{handoff['id']}"
    assert (handoff["status"], handoff["session"], handoff["policy"]) == ("pending", session, "keyword")
    same = once()
    for _ in range(2):
        assert (await api.post(f"{path}/assign", headers=same, json={"operator": "Luis"})).status_code == 202
        await until(lambda: _is(api, path, "assigned"))
    assert (await api.get(path)).json()["operator"] == "Luis"
    assert (await act(api, f"{path}/assign")).status_code == 409
    same = once()
    for _ in range(2):
        assert (await api.post(f"{path}/resolve", headers=same)).status_code == 202
        await becomes(api, session, ("active", "agent"))
    assert (await api.get(path)).json()["status"] == "resolved"
    assert (await act(api, f"{path}/assign")).status_code == 409
    assert (await api.get("/handoffs", params={"status": "pending"})).json()["items"] == []


async def _is(api: httpx.AsyncClient, path: str, wanted: str) -> bool:
    found: bool = (await api.get(path)).json()["status"] == wanted
    return found


BAD = {
    "not JSON": (b"{", 400, "the body is not JSON: Expecting property name enclosed in double quotes, at character 1"),
    "deep": (b"[" * 50_000, 400, "error parsing the body"),
    "invalid UTF-8": (b'{"text": "\xff"}', 400, "error parsing the body"),
    "nothing": (b"", 422, "body: Field required"),
    "a list": (b"[]", 422, "body: send a JSON object, with Content-Type: application/json"),
    "half a surrogate": (b'{"text": "\\ud800"}', 422, "text: Input should be a valid string"),
    "a number": (b'{"text": 1}', 422, "text: Input should be a valid string"),
    "NaN": (b'{"text": NaN}', 422, "text: Input should be a valid string"),
    "too long": (b'{"text": "' + b"a" * 5000 + b'"}', 422, "text: String should have at most 4096 characters"),
    "blank": (b'{"text": "  "}', 422, "text: String should have at least 1 character"),
    "an unknown key": (b'{"text": "hola", "\\ud800": 1}', 422, "body: Input should be a valid string"),
}


@pytest.mark.parametrize(("body", "status", "words"), BAD.values(), ids=BAD)
async def test_a_body_that_is_not_as_described_is_a_problem_of_the_caller(
    api: httpx.AsyncClient, body: bytes, status: int, words: str
) -> None:
    headers = {**once(), "content-type": "application/json"}
    answer = await api.post("/sessions/any/messages", headers=headers, content=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert words in answer.json()["detail"]


async def test_a_large_body_is_refused(api: httpx.AsyncClient, session: str) -> None:
    headers = {**once(), "content-type": "application/json"}
    answer = await api.post(f"/sessions/{session}/messages", headers=headers, content=b" " * 10_000_000)
    assert answer.status_code == 413
