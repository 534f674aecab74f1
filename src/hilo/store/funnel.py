"""How far sessions come: each mode that a session came into is noted once, with when and how often."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from hilo.dialogue.session import Session
from hilo.store.script import Row, Script, many, micros


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


def add_visits(workspace: str, session: Session, *, modes: Sequence[str], at: datetime) -> Script[None]:
    """Note the modes that a session came into in a turn; nothing is written where it stayed."""
    ids = {"workspace": workspace, "session": session.id, "agent": session.agent}
    for mode, times in Counter(modes).items():
        yield from many("add_visit", **ids, mode=mode, times=times, at=micros(at))


def mode_orders(workspace: str) -> Script[tuple[ModeOrder, ...]]:
    """All agents of a workspace by name."""
    return tuple(map(_order, (yield from many("funnel_agents", workspace=workspace))))


def _order(row: Row) -> ModeOrder:
    """What was published by an older program names no modes, or no handoff."""
    offered = json.loads(row["offers"])
    return ModeOrder(row["name"], tuple(offered.get("modes", ())), offered.get("handoff", ""))


def funnel(workspace: str, order: ModeOrder, *, since: datetime, until: datetime) -> Script[tuple[Reached, ...]]:
    """How far the sessions came that began in a period: the modes in order, then those that are not in it."""
    places = "\n".join(("", *order.modes, ""))
    period = {"since": micros(since), "until": micros(until)}
    rows = yield from many("funnel", workspace=workspace, agent=order.agent, places=places, **period)
    return tuple(_in_order(order, {row["mode"]: row for row in rows}))


def _in_order(order: ModeOrder, rows: Mapping[str, Row]) -> Iterator[Reached]:
    for mode in order.modes:
        yield _reached(rows[mode], in_order=True) if mode in rows else Reached(mode, in_order=True)
    for mode in sorted(rows.keys() - set(order.modes), key=lambda each: (each == order.handoff, each)):
        yield _reached(rows[mode], in_order=False)


def _reached(row: Row, *, in_order: bool) -> Reached:
    """A clock that was set back would make times less than nothing."""
    return Reached(
        row["mode"],
        in_order,
        sessions=row["sessions"],
        contacts=row["contacts"],
        sessions_went_on=row["sessions_on"],
        contacts_went_on=row["contacts_on"],
        half=timedelta(microseconds=max(0, row["half"])),
    )
