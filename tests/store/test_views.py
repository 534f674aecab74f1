"""What can be looked at: the same on both databases, and never another workspace's."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from scenes import NOW, Scene, draft, later, outcome

from hilo.dialogue.session import to_json as session_json
from hilo.errors import HiloError
from hilo.llm.model import Spent
from hilo.llm.prices import Cost, SpendingLimits
from hilo.llm.reservations import ModelAccount, Reservation
from hilo.messages import Receipt
from hilo.store.audit import AuditEntry
from hilo.store.commits import commit
from hilo.store.journal import CallAttempt, Ended, begin_call, end_call
from hilo.store.outbox import Went, note_receipts
from hilo.store.spending import reserve, settle
from hilo.store.turns import Person, Usage
from hilo.store.views import (
    SessionView,
    Transcript,
    audit_entries,
    existing_store,
    find_session,
    record,
    sessions,
    transcript,
    usage,
)

pytest_plugins = ("databases",)


async def listed(scene: Scene, which: str = "all", workspace: str = "w", agent: str = "") -> tuple[SessionView, ...]:
    return await scene.store.run(sessions, workspace, which, agent=agent, at_most=10)  # type: ignore[arg-type]


async def shown(scene: Scene, session: str, *, last: int | None = 50) -> Transcript:
    found = await scene.store.run(transcript, "w", session, last=last)
    assert found is not None
    return found


async def test_sessions_are_listed_the_newest_first_with_what_is_wrong_in_them(scene: Scene) -> None:
    first = await scene.turn("hola", sender="ana-555", say=("one", "two"))
    await scene.send(first.place.address, Went("failed", "no such number"))
    second = await scene.turn("hey", sender="bea", at=later(60), person=Person("pending", "keyword", "asked"))
    newest, oldest = await listed(scene)
    assert (newest.id, oldest.id) == (second.session_id, first.session_id)
    assert (oldest.address, oldest.agent, oldest.turns, oldest.last_at) == ("ana-555", "leads", 1, NOW)
    assert (oldest.failed, oldest.unsent, oldest.handoff) == (1, 1, "")
    assert (newest.failed, newest.unsent, newest.handoff) == (0, 0, "keyword")


async def test_a_list_may_be_of_open_or_handed_off_sessions_or_of_an_agent(scene: Scene) -> None:
    ids = {}
    for status in ("active", "handed_off", "paused", "closed"):
        taken = await scene.turn(f"hola {status}", sender=status)
        ids[status] = taken.session_id
        scene.rows(f"UPDATE sessions SET status = '{status}' WHERE id = '{taken.session_id}'")  # noqa: S608
    assert {each.id for each in await listed(scene)} == set(ids.values())
    assert {each.id for each in await listed(scene, "open")} == set(ids.values()) - {ids["closed"]}
    assert [each.id for each in await listed(scene, "handed_off")] == [ids["handed_off"]]
    assert len(await listed(scene, agent="leads")) == 4
    assert await listed(scene, agent="other") == ()


async def test_another_workspace_sees_nothing(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("one",), audit=(AuditEntry("agent", "called", "x"),))
    session = taken.session_id
    assert await listed(scene, workspace="v") == ()
    assert await scene.store.run(find_session, "v", session) == ()
    assert await scene.store.run(transcript, "v", session) is None
    assert await scene.store.run(record, "v", session) is None
    assert await scene.store.run(audit_entries, "v", at_most=9) == ()
    assert await scene.store.run(usage, "v", since=NOW - timedelta(days=1)) == ()


async def test_a_session_is_found_by_the_beginning_of_its_id(scene: Scene) -> None:
    first = (await scene.turn("hola", sender="ana")).session_id
    second = (await scene.turn("hey", sender="bea")).session_id
    assert await scene.store.run(find_session, "w", first) == (first,)
    assert await scene.store.run(find_session, "w", first.removeprefix("session_")[:8]) == (first,)
    assert await scene.store.run(find_session, "w", "session_0") == tuple(sorted((first, second)))
    assert await scene.store.run(find_session, "w", "session%") == ()
    assert await scene.store.run(find_session, "w", "nothing") == ()


async def test_a_whole_id_is_that_session_even_if_another_goes_on_like_it(scene: Scene) -> None:
    first = (await scene.turn("hola", sender="ana")).session_id
    second = (await scene.turn("hey", sender="bea")).session_id
    scene.rows(f"UPDATE sessions SET id = '{first}x' WHERE id = '{second}'")  # noqa: S608
    assert await scene.store.run(find_session, "w", first) == (first,)
    assert await scene.store.run(find_session, "w", first[:-1]) == (first, f"{first}x")


async def test_a_transcript_has_turns_messages_calls_and_handoffs(scene: Scene) -> None:
    heard = await scene.hear("hola")
    taken = await scene.take(heard.address)
    call = CallAttempt(taken.session_id, 1, "c1", 1, "search", taken.last)
    await scene.store.run(begin_call, taken.claim, call, {"city": "Lima"}, now=NOW)
    await scene.store.run(end_call, call, Ended("ok", {"options": 2}), now=later(1))
    person = Person("pending", "keyword", "asked")
    await scene.store.run(commit, outcome(taken, say=("one",), person=person), now=NOW)
    await scene.say(draft(taken, "I am Olga", session=taken.session_id, author="operator"), at=later(5))
    await scene.send(heard.address, at=later(6))
    await scene.store.run(note_receipts, "wa", [Receipt("one", "read", later(7))], now=later(7))
    found = await shown(scene, taken.session_id)
    assert [(each.number, each.heard, each.event) for each in found.turns] == [(1, "heard", "MessageReceived")]
    assert [(each.id, each.author, each.status) for each in found.messages] == [
        ("one", "agent", "read"),
        ("I am Olga", "operator", "pending"),
    ]
    assert found.messages[0].sent_at == later(6)
    [made] = found.calls
    assert (made.tool, made.arguments, made.outputs, made.status) == ("search", {"city": "Lima"}, {"options": 2}, "ok")
    assert made.ended_at == later(1)
    [handed] = found.handoffs
    assert (handed.policy, handed.reason, handed.status, handed.operator) == ("keyword", "asked", "pending", "")


async def test_a_long_transcript_is_cut_at_its_beginning(scene: Scene) -> None:
    for number in range(1, 6):
        taken = await scene.turn(f"m{number}", at=later(number), say=(f"reply {number}",))
    cut = await shown(scene, taken.session_id, last=2)
    assert [turn.number for turn in cut.turns] == [4, 5]
    assert [each.id for each in cut.messages] == ["reply 4", "reply 5"]
    assert cut.left_out == 3
    assert len((await shown(scene, taken.session_id, last=None)).turns) == 5


async def test_a_record_has_the_session_byte_for_byte(scene: Scene) -> None:
    await scene.turn("hola")
    taken = await scene.turn("hey", at=later(3))
    found = await scene.store.run(record, "w", taken.session_id)
    assert found is not None
    after = outcome(taken, at=later(3)).session
    assert found.state == session_json(after)
    assert (found.version, len(found.turns), found.agent, found.agent_version) == (2, 2, "leads", "1")
    assert '"version":0' in found.opening
    assert found.turns[0].told == ()


async def test_a_turn_that_comes_while_a_record_is_read_is_not_in_it(scene: Scene) -> None:
    taken = await scene.turn("hola")
    scene.rows(
        "INSERT INTO turns (session_id, number, at, event, said, told, trace)"
        " SELECT session_id, 2, at, event, said, told, trace FROM turns"
    )
    found = await scene.store.run(record, "w", taken.session_id)
    assert found is not None
    assert [turn.number for turn in found.turns] == [1]


async def test_the_newest_entries_of_the_audit_come_first(scene: Scene) -> None:
    entries = tuple(AuditEntry("agent", action, "s", {"sum": 5}) for action in ("one", "two", "three"))
    await scene.turn("hola", audit=entries)
    found = await scene.store.run(audit_entries, "w", at_most=2)
    assert [(each.number, each.action) for each in found] == [(3, "three"), (2, "two")]
    assert (found[0].at, found[0].detail) == (NOW, {"sum": 5})


async def test_usage_counts_turns_tokens_cost_and_times(scene: Scene) -> None:
    for number in range(1, 21):
        heard = await scene.hear(f"m{number}", at=later(number))
        taken = await scene.take(heard.address, at=later(number))
        free = Usage("embedded", tools=1, milliseconds=float(number))
        paid = Usage("model", milliseconds=9.0)
        done = replace(outcome(taken, at=later(number)), usage=paid if number > 18 else free)
        if number > 18:
            account = ModelAccount("w", "leads", taken.session_id, NOW.date(), number)
            spent, cost = Spent(100, 10), Cost(110, Decimal("0.0015"))
            asked = Reservation(account, "small", "m", spent, cost, 5)
            await scene.store.run(reserve, [asked], SpendingLimits(), turn=Cost(), now=later(number))
            await scene.store.run(settle, asked.id, spent, cost, now=later(number))
        await scene.store.run(commit, done, now=later(number))
    embedded, model = await scene.store.run(usage, "w", since=NOW)
    assert (embedded.agent, embedded.stage, embedded.turns, embedded.free_turns, embedded.tools) == (
        *("leads", "embedded"),
        *(18, 18, 18),
    )
    assert (embedded.half, embedded.most) == (9.0, 18.0)
    assert (model.turns, model.free_turns, model.input_tokens, model.output_tokens) == (2, 0, 200, 20)
    assert model.cost == Decimal("0.003")
    assert [each.turns for each in await scene.store.run(usage, "w", since=later(20))] == [1]


async def test_looking_changes_nothing(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("one",))
    before = scene.everything()
    await listed(scene)
    await shown(scene, taken.session_id)
    await scene.store.run(record, "w", taken.session_id)
    await scene.store.run(usage, "w", since=NOW)
    assert scene.everything() == before


async def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(HiloError, match="there is no database"):
        async with existing_store(f"sqlite:///{tmp_path / 'x.db'}"):
            pass
    assert not (tmp_path / "x.db").exists()


async def test_a_database_that_is_there_is_opened(scene: Scene) -> None:
    await scene.turn("hola")
    async with existing_store(scene.url) as store:
        assert len(await store.run(sessions, "w", "all", at_most=5)) == 1
