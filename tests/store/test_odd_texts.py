"""What people and tools write is kept, whatever it is: JSON exactly, other columns without what none can keep."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scenes import NOW, Scene, arrival, draft, next_session, outcome

from hilo.dialogue.events import EscalationTriggered, MessageReceived
from hilo.messages import Address, Inbound, Outbound, Receipt
from hilo.store.audit import AuditEntry, add_audit, verify
from hilo.store.commits import commit
from hilo.store.inbox import Arrival, accept, put
from hilo.store.journal import CallAttempt, Ended, begin_call, end_call
from hilo.store.outbox import Went, note_receipts
from hilo.store.turns import Committed, Person, TurnRow
from hilo.store.work import put_off
from hilo.tools.database import storable

pytest_plugins = ("databases",)

ODD = {
    "nul": "a\0b",
    "half": "a\ud83d b",
    "long": "ñ" * 100_000,
    "emoji": "👩‍👩‍👧‍👦🇨🇴 é",
    "quotes": "'; DROP TABLE inbox; --\\\" $1 :name %s",
    "lines": "a\r\n\u2028b\t\x1b[0m",
    "number": "1e5",
}
KEPT = {**ODD, "nul": "a\ufffdb", "half": "a\ufffd b"}


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def test_a_message_is_kept_exactly(scene: Scene, odd: str) -> None:
    event = MessageReceived(NOW, ODD[odd], payload=ODD[odd], id="1")
    message = Inbound("1", Address("wa", "ana"), ODD[odd], NOW)
    [accepted] = await scene.store.run(accept, "wa", [Arrival(message, event)], now=NOW)
    taken = await scene.take(accepted.address)
    assert [each.event for each in taken.events] == [event]


async def test_an_event_is_kept_exactly(scene: Scene, odd: str) -> None:
    first = await scene.turn("hola")
    event = EscalationTriggered(NOW, "p", ODD[odd])
    await scene.store.run(put, "w", first.session_id, event, external_id="e", now=NOW)
    assert [each.event for each in (await scene.take(first.place.address)).events] == [event]


@pytest.mark.parametrize("odd", sorted(ODD.keys() - {"long"}))  # an index of PostgreSQL takes less than 3 KB
async def test_who_wrote_and_what_the_channel_calls_it_can_be_anything(scene: Scene, odd: str) -> None:
    text = ODD[odd]
    message = Inbound(text, Address("wa", text), "hola", NOW, name=text, phone=text)
    batch = [replace(arrival("x"), message=message)]
    [first] = await scene.store.run(accept, "wa", batch, now=NOW)
    [again] = await scene.store.run(accept, "wa", batch, now=NOW)
    assert (again.duplicate, again.address) == (True, first.address)
    assert (await scene.take(first.address)).place.value == KEPT[odd]
    assert scene.rows("SELECT name, phone FROM contacts") == [{"name": KEPT[odd], "phone": KEPT[odd]}]


async def test_a_call_and_its_error_can_be_anything(scene: Scene, odd: str) -> None:
    address = (await scene.hear("hola")).address
    taken = await scene.take(address)
    text = ODD[odd]
    call = CallAttempt(taken.session_id, 1, "call", 1, "order", taken.last)
    await scene.store.run(begin_call, taken.claim, call, {text: text}, now=NOW)
    await scene.store.run(end_call, call, Ended("failed", {text: text}, text), now=NOW)
    await scene.store.run(put_off, taken.claim, until=NOW, error=text)
    again = await scene.take(address)
    assert [(each.outputs, each.error) for each in again.calls] == [({text: text}, KEPT[odd])]
    assert again.claim.error == KEPT[odd]


async def test_a_turn_can_have_heard_and_said_anything(scene: Scene, odd: str) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    text = ODD[odd]
    turn = TurnRow(NOW, "MessageReceived", text, "[]", "[]", "{}", intent=text, stage=text)
    said = replace(draft(taken, "m"), message=Outbound(text))
    person = Person("pending", text, text, known={"mode": text, "known": {text: text}})
    result = replace(
        outcome(taken), turn=turn, messages=(said,), person=person, audit=(AuditEntry(text, text, text, {text: text}),)
    )
    assert isinstance(await scene.store.run(commit, result, now=NOW), Committed)
    assert scene.column("SELECT heard FROM turns") == [KEPT[odd]]
    assert scene.column("SELECT reason FROM handoffs") == [KEPT[odd]]
    sent = (await scene.begin(taken.place.address)).message.text
    assert sent == (text if odd == "nul" else KEPT[odd])  # what cannot be encoded could not be sent either


async def test_reasons_and_receipts_can_be_anything(scene: Scene, odd: str) -> None:
    taken = await scene.turn("hola", say=("uno",))
    await scene.send(taken.place.address, Went("failed", ODD[odd]))
    assert scene.column("SELECT reason FROM outbox") == [KEPT[odd]]
    if odd != "long":  # an index takes no 100 KB
        await scene.store.run(note_receipts, "wa", [Receipt(ODD[odd], "failed", NOW, ODD[odd])], now=NOW)
        assert scene.column("SELECT reason FROM receipts") == [KEPT[odd]]


async def test_the_audit_holds_whatever_was_written(scene: Scene, odd: str) -> None:
    entry = AuditEntry(ODD[odd], ODD[odd], ODD[odd], {ODD[odd]: [ODD[odd]]})
    await scene.store.run(add_audit, "w", [entry, entry], at=NOW)
    verified = await scene.store.run(verify, "w")
    assert (verified.entries, verified.broken) == (2, None)


@pytest.mark.parametrize("odd", sorted(ODD.keys() - {"half"}))  # no slot takes it: they clean what they accept
async def test_a_session_keeps_what_its_slots_hold(scene: Scene, odd: str) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    session = replace(next_session(taken), slots={"note": ODD[odd]})
    await scene.commit(taken, session=session)
    assert (await scene.turn("otra")).session == session


@given(st.text(st.characters()))
@example("\ud83d\ude00")
@example("\ude00\ud83d")
@example("\0\ud800\0")
def test_what_is_storable_can_be_encoded_and_stays_as_it_is(text: str) -> None:
    kept = storable(text)
    kept.encode()
    assert "\0" not in kept
    assert storable(kept) == kept
    if "\0" not in text and text.isprintable():
        assert kept == text
