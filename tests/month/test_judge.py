"""A judge who finds nothing is worth something only if there is nothing to find."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hilo.app.loading import load_agent
from month.case import Case, open_case
from month.drive import Shard
from month.judge import judge
from month.ledger import Copy
from month.month import MEMORY, SOMNIO
from month.people import crowd
from month.records import Turn
from month.worker import Place

Tampering = Callable[[Case], Case]


@pytest.fixture(scope="module")
def case() -> Iterator[Callable[[], Case]]:
    """A few people's month, as often as it is asked for."""
    with tempfile.TemporaryDirectory(prefix="hilo-month-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        place, people = Place(Path(folder), SOMNIO), crowd("judged", range(40))
        shard = Shard(place, people, Random(1), kills=0)  # noqa: S311 -- a game
        story, agent = shard.run(), load_agent(SOMNIO).agent
        yield lambda: open_case(agent, story, tuple(shard.tail.copies))


def test_a_month_that_nobody_touched_is_right(case: Callable[[], Case]) -> None:
    assert judge(case()).wrong == []


# --- what somebody might have done --------------------------------------------------------------------


def with_turns(case: Case, change: Callable[[list[Turn]], list[Turn]], *, of: Callable[[Turn], bool]) -> Case:
    """The first session that has such a turn, with other turns."""
    found = next(each for each in case.sittings if any(map(of, each.turns)))
    changed = replace(found, turns=change(found.turns))
    return replace(case, sittings=[changed if each is found else each for each in case.sittings])


def fired(turn: Turn) -> bool:
    return turn.event == "TimerFired" and bool(turn.effects)


def enters(mode: str) -> Callable[[Turn], bool]:
    return lambda turn: any(after == mode for _, after in turn.trace.get("modes", ()))


def told(turn: Turn, **changes: Any) -> Turn:
    return replace(turn, trace={**turn.trace, **changes})


def losing_a_timer(case: Case) -> Case:
    return with_turns(case, lambda turns: [each for each in turns if not fired(each)], of=fired)


def doubling_a_timer(case: Case) -> Case:
    return with_turns(case, lambda turns: [each for turn in turns for each in [turn] * (1 + fired(turn))], of=fired)


def firing_late(case: Case) -> Case:
    late = timedelta(minutes=1)
    return with_turns(
        case, lambda turns: [replace(each, at=each.at + late) if fired(each) else each for each in turns], of=fired
    )


def skipping_a_mode(case: Case) -> Case:
    leap = enters("ofrecer_promos")
    change = [["conversacion", "resumen"]]
    return with_turns(case, lambda turns: [told(each, modes=change) if leap(each) else each for each in turns], of=leap)


def knowing_nothing(case: Case) -> Case:
    def forget(turns: list[Turn]) -> list[Turn]:
        return [told(each, accepted=[]) for each in turns]

    return with_turns(case, forget, of=enters("ofrecer_promos"))


def saying_nothing_before(case: Case) -> Case:
    def hush(turn: Turn) -> Turn:
        return told(turn, effects=[])

    return with_turns(case, lambda turns: list(map(hush, turns)), of=enters("compra_confirmada"))


def losing_a_message(case: Case) -> Case:
    def deaf(turns: list[Turn]) -> list[Turn]:
        return [replace(turns[0], heard=""), *turns[1:]]

    return with_turns(case, deaf, of=lambda turn: bool(turn.heard))


def with_copies(case: Case, *more: Copy) -> Case:
    return replace(case, copies=(*case.copies, *more))


def sending_twice(case: Case) -> Case:
    return with_copies(case, case.copies[0])


def saying_it_again(case: Case) -> Case:
    """The words of a turn once more, under another number."""
    return with_copies(case, replace(case.copies[0], message_id=f"{case.copies[0].message_id}0"))


def by_timer(case: Case) -> Copy:
    turns = case.turns()
    return next(each for each in case.copies if turns[each.turn].event == "TimerFired")


def sending_at_night(case: Case) -> Case:
    proactive = by_timer(case)
    at_night = replace(proactive, at=proactive.at.replace(hour=7))  # two o'clock in Bogotá
    return replace(case, copies=[at_night if each is proactive else each for each in case.copies])


def sending_after_the_window(case: Case) -> Case:
    last = {each.contact: each for each in case.copies if each.free_form}
    copy = next(iter(last.values()))
    late = replace(copy, at=copy.at + timedelta(days=40))
    return replace(case, copies=[late if each is copy else each for each in case.copies])


def inventing_a_text(case: Case) -> Case:
    first = case.copies[0]
    return replace(case, copies=(replace(first, text="¡Gratis!"), *case.copies[1:]))


def forgetting_an_order(case: Case) -> Case:
    def forget(turn: Turn) -> Turn:
        return replace(turn, told=tuple(each for each in turn.told if "results" not in each))

    return with_turns(case, lambda turns: list(map(forget, turns)), of=enters("compra_confirmada"))


def confirming_by_timer(case: Case) -> Case:
    buys = enters("compra_confirmada")

    def unasked(turn: Turn) -> Turn:
        return told(turn, accepted=[]) if buys(turn) else turn

    return with_turns(case, lambda turns: list(map(unasked, turns)), of=buys)


def losing_a_turn(case: Case) -> Case:
    return with_turns(case, lambda turns: turns[:-1], of=lambda turn: turn.number > 1)


@pytest.mark.parametrize(
    ("tampering", "found"),
    [
        (losing_a_timer, "timer lost"),
        (doubling_a_timer, "timer doubled"),
        (firing_late, "timer fired at a wrong time"),
        (skipping_a_mode, "mode skipped"),
        (knowing_nothing, "mode entered without what it requires"),
        (saying_nothing_before, "mode entered without what it requires"),
        (losing_a_message, "messages lost, doubled or out of order"),
        (sending_twice, "sent twice"),
        (saying_it_again, "template repeated"),
        (sending_at_night, "sent by a timer in the quiet hours"),
        (sending_after_the_window, "free text outside of the window"),
        (inventing_a_text, "a text that no template explains"),
        (forgetting_an_order, "order is not as it should be"),
        (confirming_by_timer, "order confirmed without a yes"),
        (losing_a_turn, "turns and versions"),
    ],
)
def test_what_somebody_has_touched_is_found(case: Callable[[], Case], tampering: Tampering, found: str) -> None:
    assert any(each.startswith(found) for each in judge(tampering(case())).wrong)
