"""What was said in a session, for whoever has to go on with it."""

import json
from dataclasses import dataclass

from hilo.store.script import Script, execute


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """What a turn heard, and all that it said."""

    number: int
    heard: str
    said: str


def said_since(session: str, turn: int, *, most: int) -> Script[tuple[SaidTurn, ...]]:
    """The newest turns after that one, at most so many, the oldest of them first."""
    rows = yield from execute("newest_exchanges", session=session, after=turn, most=most)
    return tuple(SaidTurn(row["number"], row["heard"], _words(row["said"])) for row in reversed(rows))


def _words(said: str) -> str:
    return "\n".join(str(each.get("text", "")) for each in json.loads(said))
