"""Handoffs in the store: what a person is told, how they end, and the news of them."""

import json
from dataclasses import replace
from typing import Any

import pytest
from scenes import NOW, SECOND, Scene, later, outcome, spied

from hilo.dialogue.events import Released
from hilo.messages import Outbound
from hilo.store.audit import NEWS_AT_ONCE as PIECE
from hilo.store.audit import AuditEntry, news_since
from hilo.store.commits import commit, park
from hilo.store.handoffs import (
    MAX_WORDS,
    HandoffEnding,
    find_handoff,
    list_handoffs,
    offers,
    one_handoff,
    put_ending,
    resolve_alone,
    unknown_choice,
)
from hilo.store.inbox import IdReused
from hilo.store.outbox import OutboxEntry
from hilo.store.registry import Version, publish
from hilo.store.turns import Committed, Person, TurnRow, Unreadable

pytest_plugins = ("databases",)

ASKED = Person("pending", "keyword", "humano", known={"mode": "OPEN", "name": "Ana Pérez", "known": {"asunto": "x"}})
HANDED = AuditEntry("agent", "handed over", "s", {"policy": "keyword"})


async def context(scene: Scene) -> dict[str, Any]:
    [row] = scene.rows("SELECT context FROM handoffs ORDER BY created_at DESC LIMIT 1")
    found: dict[str, Any] = row["context"] if isinstance(row["context"], dict) else json.loads(row["context"])
    return found


# --- the record ---------------------------------------------------------------------------------------


async def test_the_record_has_the_last_five_messages_this_turns_last(scene: Scene) -> None:
    for number in range(4):
        await scene.turn(f"m{number}", at=later(number), say=(f"re {number}",))
    await scene.turn("m4", at=later(4), say=("viene alguien",), person=ASKED)
    found = await context(scene)
    assert [(each["who"], each["text"]) for each in found["messages"]] == [
        *(("agent", "re 2"), ("contact", "heard"), ("agent", "re 3"), ("contact", "heard"), ("agent", "viene alguien"))
    ]
    assert (found["mode"], found["known"], found["issue"]) == ("OPEN", {"asunto": "x"}, "humano")
    contact = found["contact"]
    assert (contact["name"], contact["address"], contact["channel"]) == ("Ana Pérez", "ana", "wa")
    assert "name" not in found


async def test_a_long_message_is_cut_in_the_record(scene: Scene) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    turn = TurnRow(NOW, "MessageReceived", "a" * 5000, "[]", "[]", "{}")
    assert isinstance(
        await scene.store.run(commit, replace(outcome(taken, person=ASKED), turn=turn), now=NOW), Committed
    )
    assert (await context(scene))["messages"] == [{"who": "contact", "text": "a" * MAX_WORDS}]


async def test_the_words_of_a_turn_that_failed_are_in_the_record(scene: Scene) -> None:
    taken = await scene.take((await scene.hear("veneno")).address)
    turn = TurnRow(NOW, "EscalationTriggered", "veneno", "[]", "[]", "{}")
    result = replace(outcome(taken, person=ASKED, failed=True), turn=turn)
    assert isinstance(await scene.store.run(commit, result, now=NOW), Committed)
    assert (await context(scene))["messages"] == [{"who": "contact", "text": "veneno"}]


async def test_the_record_of_one_contact_has_no_word_of_another(scene: Scene) -> None:
    await scene.turn("secreto", sender="bea", say=("para Bea",))
    await scene.turn("hola", at=later(1), say=("para Ana",), person=ASKED)
    assert "Bea" not in json.dumps(await context(scene), ensure_ascii=False)


async def test_what_was_parked_has_a_record_too(scene: Scene) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    place = taken.place
    notice = OutboxEntry(
        "n", place.workspace, place.channel, place.address, None, None, "notice", Outbound("Un momento.")
    )
    await scene.store.run(park, Unreadable(taken.claim, place, taken.last, "not readable"), notice, now=NOW)
    found = await context(scene)
    assert (found["contact"]["address"], found["messages"], found["issue"]) == ("ana", [], "not readable")
    [item] = (await scene.store.run(news_since, "w", 0)).items
    assert (item.kind, item.session, len(item.handoffs)) == ("new_handoff", "", 1)


@pytest.mark.parametrize("person", [None, Person("resolved"), ASKED])
async def test_only_a_turn_that_hands_over_pays_for_the_record(scene: Scene, person: Person | None) -> None:
    taken, seen = await scene.take((await scene.hear("hola")).address), list[str]()
    result = await scene.store.run(lambda: spied(commit(outcome(taken, person=person), now=NOW), seen))
    assert isinstance(result, Committed)
    assert ("api_messages" in seen, "api_contacts" in seen) == (person is ASKED, person is ASKED)
    assert "add_turn" in seen


# --- how they end -------------------------------------------------------------------------------------


async def handed(scene: Scene) -> HandoffEnding:
    taken = await scene.turn("hola", person=ASKED, audit=(HANDED,))
    [found] = await scene.store.run(list_handoffs, "w", "pending", at_most=10)
    return HandoffEnding(found.id, taken.session_id, "Olga", "phoned")


async def test_an_ending_is_noted_once_with_its_release(scene: Scene) -> None:
    ending = await handed(scene)
    for again in (False, True):
        accepted = await scene.store.run(put_ending, "w", ending, Released(NOW), external_id="x", now=NOW)
        assert accepted is not None
        assert accepted.duplicate is again
    told = replace(ending, words="another word")
    with pytest.raises(IdReused):
        await scene.store.run(put_ending, "w", told, Released(NOW), external_id="x", now=NOW)
    found = await scene.store.run(one_handoff, "w", ending.handoff)
    assert found is not None
    assert (found.status, found.resolution, found.resolved_by) == ("pending", "phoned", "Olga")
    [address] = scene.column("SELECT address_id FROM inbox WHERE status = 'pending'")
    await scene.next_turn(address, at=later(1), person=Person("resolved"))
    found = await scene.store.run(one_handoff, "w", ending.handoff)
    assert found is not None
    assert (found.status, found.resolved_at, found.resolution) == ("resolved", later(1), "phoned")


async def test_a_handoff_without_a_session_is_resolved_by_itself(scene: Scene) -> None:
    await handed(scene)
    scene.rows("UPDATE handoffs SET session_id = ''")
    [found] = await scene.store.run(list_handoffs, "w", "open", at_most=10)
    for _ in range(2):
        await scene.store.run(resolve_alone, "w", HandoffEnding(found.id, "", "Olga", "phoned"), now=later(1))
    assert await scene.store.run(list_handoffs, "w", "open", at_most=10) == ()
    items = (await scene.store.run(news_since, "w", 1)).items
    assert [(each.kind, each.session, each.handoffs, each.actor) for each in items] == [
        ("resolved", "", (found.id,), "Olga")
    ]


async def test_what_was_given_back_and_went_to_a_person_again_is_two_handoffs(scene: Scene) -> None:
    await handed(scene)
    released = (AuditEntry("operator", "released", "s"), HANDED)
    await scene.turn("m", at=later(1), person=replace(ASKED, again=True), audit=released)
    first, second = await scene.store.run(list_handoffs, "w", "", at_most=10)
    assert (first.status, second.status) == ("resolved", "pending")
    items = (await scene.store.run(news_since, "w", 1)).items
    assert [(each.kind, each.handoffs) for each in items] == [("released", (first.id,)), ("new_handoff", (second.id,))]


async def test_another_business_finds_and_ends_nothing(scene: Scene) -> None:
    ending = await handed(scene)
    before = scene.everything()
    assert await scene.store.run(one_handoff, "v", ending.handoff) is None
    assert await scene.store.run(one_handoff, "w", "") is None
    assert await scene.store.run(find_handoff, "v", "handoff_") == ()
    assert await scene.store.run(find_handoff, "w", ending.handoff[8:14]) == (ending.handoff,)
    assert await scene.store.run(put_ending, "v", ending, Released(NOW), external_id="x", now=NOW) is None
    await scene.store.run(resolve_alone, "v", ending, now=NOW)
    assert await scene.store.run(offers, "v", ending.session) is None
    assert (await scene.store.run(news_since, "v", 0)).items == ()
    assert scene.everything() == before


# --- what can be chosen -------------------------------------------------------------------------------


async def test_what_can_be_chosen_is_that_of_the_sessions_version(scene: Scene) -> None:
    session = (await handed(scene)).session
    assert await scene.store.run(offers, "w", session) is None
    for version, mode in (("1", "OPEN"), ("2", "OTHER")):
        made = Version("leads", version, "agent: leads", {"modes": [mode], "tools": {"wipe": {}}})
        await scene.store.run(publish, "w", made, now=NOW)
    found = await scene.store.run(offers, "w", session)
    assert found is not None
    assert unknown_choice(found, mode="OPEN", tools=("wipe",)) == ""
    assert unknown_choice(found, mode="OTHER") == "there is no mode OTHER: choose one of OPEN"
    assert unknown_choice(found, tools=("wipe", "fly")) == "there is no tool fly: choose one of wipe"
    assert unknown_choice(None, mode="OTHER", tools=("fly",)) == ""


# --- news ---------------------------------------------------------------------------------------------


async def test_news_come_in_pieces_past_what_is_none(scene: Scene) -> None:
    many = tuple(AuditEntry("agent", "called", f"s {number}") for number in range(PIECE + 5))
    await scene.turn("m", audit=(*many, HANDED), person=ASKED)
    first = await scene.store.run(news_since, "w", 0)
    assert (first.items, first.last, first.more) == ((), PIECE, True)
    second = await scene.store.run(news_since, "w", first.last)
    assert ([each.number for each in second.items], second.more) == ([PIECE + 6], False)
    assert (await scene.store.run(news_since, "w", None)).last == PIECE + 6
    assert second.items[0].at == NOW
    assert (await scene.store.run(news_since, "w", second.last)).last == second.last


@pytest.mark.parametrize("action", ["called", "failed", "refused"])
async def test_what_an_operator_had_done_is_news_and_what_the_agent_did_is_not(scene: Scene, action: str) -> None:
    entries = (
        AuditEntry("agent", action, "s wipe"),
        AuditEntry("agent", action, "s wipe", {"operator": True, "error": "e"}),
    )
    await scene.turn("m", at=NOW + SECOND, audit=entries)
    [item] = (await scene.store.run(news_since, "w", 0)).items
    assert (item.number, item.kind, item.session) == (2, "call_done", "s")
    assert item.detail == {"error": "e", "tool": "wipe", "ok": action == "called"}
