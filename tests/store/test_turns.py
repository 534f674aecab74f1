"""A turn: what it starts from, and its one commit."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from scenes import NOW, Scene, arrival, draft, later, next_session, outcome

from hilo.dialogue.events import Closed, MessageReceived, OperatorTookOver, TimerFired
from hilo.dialogue.session import AskedYes, Session
from hilo.messages import Outbound
from hilo.store.audit import AuditEntry
from hilo.store.commits import commit, park
from hilo.store.inbox import accept, put
from hilo.store.journal import CallAttempt, Ended, begin_call, end_call
from hilo.store.outbox import OutboxEntry, Went, end
from hilo.store.turns import Committed, Person, ThrownAway, TurnInput, Unreadable, take
from hilo.store.work import NotNow, give_back
from patience import PATIENCE

pytest_plugins = ("databases",)

HOUR = timedelta(hours=1)


def heard(taken: TurnInput) -> list[str]:
    return [each.event.text if isinstance(each.event, MessageReceived) else "-" for each in taken.events]


async def session_of(scene: Scene, taken: TurnInput) -> Session:
    """As the next turn would see it."""
    await scene.store.run(put, "w", taken.session_id, OperatorTookOver(NOW), external_id="look", now=NOW)
    seen = await scene.take(taken.place.address)
    await scene.store.run(give_back, seen.claim, now=NOW)
    assert seen.session is not None
    return seen.session


# --- the commit ---------------------------------------------------------------------------------------


async def test_a_commit_writes_all_that_a_turn_changes(scene: Scene) -> None:
    changes: dict[str, Any] = {
        "timers": {"silence": later(360)},
        "person": Person("pending", "keyword", "humano"),
        "audit": (AuditEntry("agent", "called", "order"),),
    }
    taken = await scene.turn("hola", say=("¡Hola!", "¿Cómo te llamas?"), **changes)
    assert scene.column("SELECT status FROM inbox") == ["done"]
    assert scene.column("SELECT version FROM sessions") == [1]
    assert scene.column("SELECT number FROM turns") == [1]
    assert scene.column("SELECT turn FROM usage") == [1]
    assert scene.column("SELECT message_id FROM outbox ORDER BY id") == ["¡Hola!", "¿Cómo te llamas?"]
    assert scene.column("SELECT name FROM timers") == ["silence"]
    assert scene.column("SELECT reason FROM handoffs") == ["humano"]
    assert scene.column("SELECT action FROM audit") == ["called"]
    assert await session_of(scene, taken) == next_session(taken)


async def test_a_turn_is_committed_once(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("uno",))
    before = scene.everything()
    assert await scene.commit(taken, say=("uno",)) == ThrownAway("lease")
    assert scene.everything() == before


async def test_of_many_commits_of_a_turn_at_once_one_holds(scene: Scene) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    results = await asyncio.gather(*(scene.commit(taken, say=("uno",)) for _ in range(5)))
    assert sorted(type(each).__name__ for each in results) == ["Committed"] + ["ThrownAway"] * 4
    assert scene.column("SELECT message_id FROM outbox") == ["uno"]


@pytest.mark.parametrize("version", [1, 3])
async def test_a_commit_from_another_version_writes_nothing(scene: Scene, version: int) -> None:
    first = await scene.turn("hola")
    await scene.hear("otra")
    taken = await scene.take(first.place.address)
    before = scene.everything(but=("work",))
    changes: dict[str, Any] = {"timers": {"x": NOW}, "person": Person("pending"), "audit": (AuditEntry("a", "b", "c"),)}
    stale = replace(next_session(taken), version=version)
    result = await scene.commit(taken, session=stale, say=("no",), **changes)
    assert result == ThrownAway("version")
    assert scene.everything(but=("work",)) == before
    assert heard(await scene.take(first.place.address)) == ["otra"]


async def test_a_session_that_is_already_there_is_not_opened_again(scene: Scene) -> None:
    first = await scene.turn("hola")
    await scene.hear("otra")
    taken = await scene.take(first.place.address)
    before = scene.everything(but=("work",))
    again = outcome(replace(taken, session=None, session_id=first.session_id), say=("no",))
    assert await scene.store.run(commit, again, now=NOW) == ThrownAway("version")
    assert scene.everything(but=("work",)) == before


async def test_a_turn_that_a_newer_message_made_stale_is_thrown_away(scene: Scene) -> None:
    address = (await scene.hear("una")).address
    taken = await scene.take(address)
    await scene.hear("espera")
    before = scene.everything(but=("work",))
    assert await scene.commit(taken, say=("no",), wait_for_newer=True) == ThrownAway("newer")
    assert scene.everything(but=("work",)) == before
    again = await scene.take(address)
    assert heard(again) == ["una", "espera"]
    assert again.claim.attempts == 1


async def test_the_calls_of_a_turn_that_was_thrown_away_are_made_anew(scene: Scene) -> None:
    address = (await scene.hear("una")).address
    taken = await scene.take(address)
    await scene.store.run(
        begin_call, taken.claim, CallAttempt(taken.session_id, 1, "c", 1, "look", taken.last), {}, now=NOW
    )
    await scene.hear("espera")
    assert await scene.commit(taken, wait_for_newer=True) == ThrownAway("newer")
    again = await scene.take(address)
    assert (heard(again), again.calls) == (["una", "espera"], ())


async def test_a_turn_with_effects_does_not_wait_for_newer_messages(scene: Scene) -> None:
    address = (await scene.hear("una")).address
    taken = await scene.take(address)
    await scene.hear("espera")
    assert await scene.commit(taken) == Committed(NOW)
    assert heard(await scene.take(address)) == ["espera"]


async def test_an_event_that_is_no_message_makes_no_turn_stale(scene: Scene) -> None:
    first = await scene.turn("hola")
    await scene.hear("una")
    taken = await scene.take(first.place.address)
    await scene.store.run(put, "w", first.session_id, OperatorTookOver(NOW), external_id="click", now=NOW)
    assert await scene.commit(taken, wait_for_newer=True) == Committed(NOW)


async def test_a_failed_turn_marks_its_events(scene: Scene) -> None:
    await scene.turn("veneno", failed=True)
    assert scene.column("SELECT status FROM inbox") == ["failed"]


async def test_handoffs_are_wanted_taken_and_resolved(scene: Scene) -> None:
    steps = (Person("pending", "keyword"), Person("assigned", operator="Olga"), Person("resolved"))
    for number, person in enumerate(steps):
        await scene.turn(f"m{number}", at=later(number), person=person)
        [row] = scene.rows("SELECT * FROM handoffs")
        assert row["status"] == person.status
    assert (row["operator_id"], row["assigned_at"] < row["resolved_at"]) == ("Olga", True)


async def test_ids_and_versions_are_gapless_under_many_messages_and_workers(scene: Scene) -> None:
    address = (await scene.hear("m")).address
    left = 12

    async def work(owner: str) -> None:
        while left:
            taken = await scene.store.run(take, address, owner=owner, now=NOW)
            if isinstance(taken, TurnInput):
                await scene.commit(taken, say=tuple(f"re {each}" for each in heard(taken)))
            await asyncio.sleep(0)

    async def write() -> None:
        nonlocal left
        while left:
            await scene.hear(f"m{left}")
            left -= 1

    await asyncio.wait_for(asyncio.gather(write(), work("A"), work("B")), PATIENCE)
    if isinstance(rest := await scene.store.run(take, address, owner="C", now=NOW), TurnInput):
        await scene.commit(rest, say=tuple(f"re {each}" for each in heard(rest)))
    events = scene.column("SELECT external_id FROM inbox ORDER BY id")
    assert scene.column("SELECT DISTINCT status FROM inbox") == ["done"]
    assert scene.column("SELECT message_id FROM outbox ORDER BY id") == [f"re {each}" for each in events]
    numbers = scene.column("SELECT number FROM turns ORDER BY number")
    assert numbers == list(range(1, len(numbers) + 1))


# --- what it starts from ------------------------------------------------------------------------------


async def test_messages_are_read_together_up_to_ten(scene: Scene) -> None:
    texts = [f"m{each:02}" for each in range(12)]
    address = (await scene.hear(*texts)).address
    assert heard(await scene.next_turn(address)) == texts[:10]
    assert heard(await scene.next_turn(address)) == texts[10:]


async def test_a_pressed_button_has_a_turn_of_its_own(scene: Scene) -> None:
    pressed = arrival("sí")
    pressed = replace(pressed, event=replace(pressed.event, payload="yes"))
    batch = [arrival("uno"), pressed, arrival("dos"), arrival("tres")]
    address = (await scene.store.run(accept, "wa", batch, now=NOW))[0].address
    turns = [heard(await scene.next_turn(address)) for _ in range(3)]
    assert turns == [["uno"], ["sí"], ["dos", "tres"]]


async def test_a_timer_has_a_turn_of_its_own_in_its_place(scene: Scene) -> None:
    first = await scene.turn("hola")
    await scene.hear("antes")
    await scene.store.run(put, "w", first.session_id, TimerFired(NOW, "t", NOW), external_id="t", now=NOW)
    await scene.hear("después", "más")
    turns = [heard(await scene.next_turn(first.place.address)) for _ in range(3)]
    assert turns == [["antes"], ["-"], ["después", "más"]]


async def test_the_turn_knows_its_place(scene: Scene) -> None:
    place = (await scene.turn("hola")).place
    assert (place.workspace, place.channel, place.value, place.agent) == ("w", "wa", "ana", "leads")
    assert scene.column("SELECT id FROM contacts") == [place.contact]


async def test_a_new_session_has_the_same_id_however_often_it_is_tried(scene: Scene) -> None:
    address = (await scene.hear("hola")).address
    first = await scene.take(address)
    await scene.hear("más")
    again = await scene.take(address, at=later(11), owner="B")
    assert first.session is None
    assert again.session_id == first.session_id
    other = await scene.take((await scene.hear("buenas", sender="beto")).address)
    assert other.session_id != first.session_id


async def test_a_turn_that_is_tried_again_sees_its_calls_and_only_its_events(scene: Scene) -> None:
    address = (await scene.hear("una", "dos")).address
    taken = await scene.take(address)
    calls = [CallAttempt(taken.session_id, 1, f"call{each}", 1, "order", taken.last) for each in range(3)]
    for call in calls:
        await scene.store.run(begin_call, taken.claim, call, {}, now=NOW)
    await scene.store.run(end_call, calls[0], Ended("ok", {"order": 7}), now=NOW)
    await scene.store.run(end_call, calls[1], Ended("failed", {}, "no"), now=NOW)
    await scene.hear("tres")
    again = await scene.take(address, at=later(11), owner="B")
    assert heard(again) == ["una", "dos"]
    seen = [(each.call_id, each.status, each.outputs, each.error) for each in again.calls]
    assert seen == [("call0", "ok", {"order": 7}, ""), ("call1", "failed", {}, "no"), ("call2", "started", {}, "")]
    await scene.commit(again)
    after = await scene.take(address)
    assert (heard(after), after.calls) == (["tres"], ())


async def test_calls_of_a_turn_that_was_parked_do_not_hinder_the_next(scene: Scene) -> None:
    first = await scene.turn("hola")
    await scene.hear("una")
    taken = await scene.take(first.place.address)
    call = CallAttempt(taken.session_id, 2, "call", 1, "order", taken.last)
    await scene.store.run(begin_call, taken.claim, call, {}, now=NOW)
    case = Unreadable(taken.claim, taken.place, taken.last, "broken")
    notice = draft(taken, "perdón", author="notice")
    assert isinstance(await scene.store.run(park, case, notice, now=NOW), Committed)
    await scene.hear("dos")
    again = await scene.take(first.place.address)
    assert (heard(again), again.calls) == (["dos"], ())


async def test_an_event_that_cannot_be_read_is_parked_and_the_next_has_its_turn(scene: Scene) -> None:
    address = (await scene.hear("una")).address
    scene.rows("""UPDATE inbox SET event = '{"is":"NoSuchEvent"}'""")
    await scene.hear("dos")
    case = await scene.store.run(take, address, owner="A", now=NOW)
    assert isinstance(case, Unreadable)
    notice = OutboxEntry("n", "w", "wa", address, None, None, "notice", Outbound("perdón"))
    assert await scene.store.run(park, case, notice, now=NOW) == Committed(NOW)
    assert scene.column("SELECT status FROM inbox ORDER BY id") == ["failed", "pending"]
    assert heard(await scene.take(address)) == ["dos"]


# --- one session after another ------------------------------------------------------------------------


async def test_a_message_within_the_window_stays_in_the_session(scene: Scene) -> None:
    first = await scene.turn("hola")
    at = NOW + 24 * HOUR - timedelta(seconds=1)
    again = await scene.turn("otra", at=at)
    assert again.session == next_session(first)
    assert again.heard_at == NOW


async def test_a_message_after_the_window_opens_a_session_and_closes_the_one_before(scene: Scene) -> None:
    first = await scene.turn("hola")
    at = NOW + 24 * HOUR
    await scene.hear("otra", at=at)
    taken = await scene.take(first.place.address, at=at)
    assert (taken.session, taken.before) == (None, next_session(first))
    assert taken.session_id != first.session_id
    assert isinstance(await scene.commit(taken, at=at, closes=first.session_id), Committed)
    last = await scene.take(first.place.address, at=at)
    assert [each.event for each in last.events] == [Closed(at)]
    assert last.session == next_session(first)


async def test_the_window_goes_by_when_the_contact_was_last_heard(scene: Scene) -> None:
    first = await scene.turn("hola")
    await scene.store.run(put, "w", first.session_id, OperatorTookOver(NOW), external_id="x", now=NOW + 23 * HOUR)
    await scene.next_turn(first.place.address, at=NOW + 23 * HOUR, heard_at=NOW)
    assert (await scene.turn("otra", at=NOW + 25 * HOUR)).session is None


async def test_a_message_after_the_end_opens_a_session_at_once(scene: Scene) -> None:
    heard_first = await scene.hear("hola")
    taken = await scene.take(heard_first.address)
    await scene.commit(taken, session=replace(next_session(taken), status="closed"))
    again = await scene.turn("otra", at=later(1))
    assert again.session is None
    assert again.before is not None
    assert again.before.status == "closed"


async def test_a_paused_session_is_not_left(scene: Scene) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    held = replace(next_session(taken), status="paused")
    await scene.commit(taken, session=held)
    assert (await scene.turn("otra", at=NOW + 100 * HOUR)).session == held


async def test_a_session_that_a_person_has_is_not_left_while_something_happens_in_it(scene: Scene) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    held = replace(next_session(taken), status="handed_off", last_at=NOW + 20 * HOUR)
    await scene.commit(taken, session=held)
    assert (await scene.turn("otra", at=NOW + 43 * HOUR)).session == held
    assert (await scene.turn("tarde", at=NOW + 67 * HOUR)).session is None


async def test_an_event_goes_to_its_session_even_when_a_newer_one_is_there(scene: Scene) -> None:
    first = await scene.turn("hola")
    await scene.turn("otra", at=NOW + 25 * HOUR)
    at = NOW + 26 * HOUR
    await scene.store.run(put, "w", first.session_id, TimerFired(at, "t", at), external_id="t", now=at)
    taken = await scene.take(first.place.address, at=at)
    assert taken.session_id == first.session_id
    assert taken.session == next_session(first)


async def test_a_yes_is_early_when_it_was_written_before_the_summary_was_sent(scene: Scene) -> None:
    address = (await scene.hear("hola")).address
    taken = await scene.take(address)
    asked = replace(next_session(taken), pending=AskedYes("digest"))
    await scene.commit(taken, session=asked, say=("¿Confirmas?",))
    await scene.hear("sí", at=later(1))
    early = await scene.take(address, at=later(1))
    assert early.early
    await scene.store.run(give_back, early.claim, now=later(1))
    assert await scene.send(address, Went("sent"), at=later(2)) == "¿Confirmas?"
    early = await scene.take(address, at=later(3))
    assert early.early
    await scene.commit(early, session=replace(asked, version=2), at=later(3))
    await scene.hear("sí, claro", at=later(4))
    assert not (await scene.take(address, at=later(4))).early


async def ask_for_a_yes(scene: Scene) -> str:
    """An address whose summary is in the outbox."""
    address = (await scene.hear("hola")).address
    taken = await scene.take(address)
    asked = replace(next_session(taken), pending=AskedYes("digest"))
    await scene.commit(taken, session=asked, say=("¿Confirmas?",))
    return address


async def test_a_yes_that_comes_while_the_summary_is_being_sent_waits_for_what_becomes_of_it(scene: Scene) -> None:
    address = await ask_for_a_yes(scene)
    sending = await scene.begin(address, at=later(1))
    await scene.hear("sí", at=later(2))
    waits = await scene.store.run(take, address, owner="A", now=later(2))
    assert isinstance(waits, NotNow)
    await scene.store.run(end, sending, Went("sent"), now=later(3))
    taken = await scene.take(address, at=later(3))
    assert (taken.early, taken.claim.attempts) == (False, 1)


async def test_a_yes_to_a_summary_that_did_not_arrive_is_early(scene: Scene) -> None:
    address = await ask_for_a_yes(scene)
    sending = await scene.begin(address, at=later(1))
    await scene.hear("sí", at=later(2))
    await scene.store.run(end, sending, Went("later", "no connection"), now=later(3))
    assert (await scene.take(address, at=later(3))).early


async def test_a_yes_does_not_wait_for_a_sender_that_died(scene: Scene) -> None:
    address = await ask_for_a_yes(scene)
    await scene.begin(address, at=later(1))
    await scene.hear("sí", at=later(2))
    assert isinstance(await scene.store.run(take, address, owner="A", now=later(2)), NotNow)
    assert (await scene.take(address, at=later(12))).early


async def test_without_a_summary_nothing_is_early(scene: Scene) -> None:
    await scene.turn("hola", say=("¡Hola!",))
    assert not (await scene.turn("sí")).early
