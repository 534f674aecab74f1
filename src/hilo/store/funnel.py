"""How far sessions come: each mode that a session came into is noted once, with when and how often."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from hilo.store.store import reading
from hilo.tools.database import Row, Script, execute, micros


@dataclass(frozen=True, slots=True)
class ModeOrder:
    """The modes of an agent's version in force, in their order; the handoff's is not one of them."""

    agent: str
    modes: tuple[str, ...] = ()
    handoff: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """Who came into a mode, and how many of them into a later one too; half of the sessions took at most so long."""

    mode: str
    in_order: bool
    sessions: int = 0
    contacts: int = 0
    sessions_went_on: int = 0
    contacts_went_on: int = 0
    half: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Funnel:
    """All who came into any mode, and who came into which."""

    sessions: int
    contacts: int
    modes: tuple[Reached, ...]


def mode_orders(workspace: str) -> Script[tuple[ModeOrder, ...]]:
    """All agents of a workspace by name."""
    return tuple(map(_order, (yield from execute("funnel_agents", workspace=workspace))))


def _order(row: Row) -> ModeOrder:
    """What was published by an older program names no modes, or no handoff."""
    offered = json.loads(row["offers"])
    return ModeOrder(row["name"], tuple(offered.get("modes", ())), offered.get("handoff", ""))


@reading
def funnel(workspace: str, order: ModeOrder, *, since: datetime, until: datetime) -> Script[Funnel]:
    """How far the sessions came that began in a period: the modes in order, then those that are not in it."""
    period = {"workspace": workspace, "agent": order.agent, "since": micros(since), "until": micros(until)}
    paths = yield from execute("funnel_paths", **period)
    times = yield from execute("funnel_times", **period)
    sessions, contacts = (_tally(order, paths, whose) for whose in ("sessions", "contacts"))
    half = {row["mode"]: timedelta(microseconds=max(0, row["took"])) for row in times}  # a clock may be set back
    others = sorted(sessions.came.keys() - set(order.modes), key=lambda mode: (mode == order.handoff, mode))
    modes = (
        Reached(
            *(mode, mode in order.modes, sessions.came[mode], contacts.came[mode]),
            *(sessions.went_on[mode], contacts.went_on[mode], half.get(mode)),
        )
        for mode in (*order.modes, *others)
    )
    return Funnel(sessions.number, contacts.number, tuple(modes))


@dataclass(frozen=True, slots=True)
class _Tally:
    number: int
    came: Counter[str]
    went_on: Counter[str]


def _tally(order: ModeOrder, paths: Sequence[Row], whose: str) -> _Tally:
    """How many there are, and of them how many came into each mode, and into each and a later one."""
    places = {mode: place for place, mode in enumerate(order.modes)}
    number, came, went_on = 0, Counter[str](), Counter[str]()
    for modes, size in ((set(row["modes"].split("\n")), row["number"]) for row in paths if row["whose"] == whose):
        furthest = max((places[mode] for mode in modes & places.keys()), default=0)
        number += size
        came.update(dict.fromkeys(modes, size))
        went_on.update({mode: size for mode in modes if places.get(mode, furthest) < furthest})
    return _Tally(number, came, went_on)
