"""Promises: a timer that is due becomes an event in the inbox, once."""

from datetime import datetime

from hilo.dialogue.events import TimerFired
from hilo.store.inbox import put
from hilo.store.script import Script, execute, maybe_moment, micros, moment, one

AT_ONCE = 200


def fire(*, now: datetime) -> Script[tuple[str, ...]]:
    """Put the timers that are due into the inbox; the addresses that have a turn now."""
    rows = yield from execute("due_timers", now=micros(now), at_most=AT_ONCE)
    fired = []
    for row in sorted(rows, key=lambda each: (each["due_at"], each["name"])):
        due = moment(row["due_at"])
        event = TimerFired(at=max(now, due), name=row["name"], due=due)
        once = f"{row['name']}:{row['due_at']}"
        accepted = yield from put(row["workspace_id"], row["session_id"], event, external_id=once, now=now)
        if accepted is not None:
            fired.append(accepted.address)
    return tuple(dict.fromkeys(fired))


def next_due() -> Script[datetime | None]:
    """When the next timer is due."""
    row = yield from one("next_timer")
    return maybe_moment(row["due_at"]) if row else None
