"""Who has a session: the operator who took it, or who has reached for it first."""

from dataclasses import dataclass
from datetime import datetime

from hilo.dialogue.events import Event, OperatorTookOver
from hilo.dialogue.stored import decode
from hilo.tools.database import Script, execute, moment, one


@dataclass(frozen=True, slots=True)
class Keeper:
    """Who has a session, and since when; nobody's name where nobody has it."""

    operator: str = ""
    since: datetime | None = None


def keeper(workspace: str, session: str) -> Script[Keeper]:
    """Who has a session, or has reached for it before its turn came."""
    keys = {"workspace": workspace, "session": session}
    row = yield from one("keeper", **keys)
    found = Keeper(row["operator"] or "", moment(row["at"])) if row else Keeper()
    for waiting in (yield from execute("takers", **keys)):
        event = decode(Event, waiting["event"])
        found = Keeper()
        if isinstance(event, OperatorTookOver):
            found = Keeper(event.operator, moment(waiting["received_at"]))
    return found
