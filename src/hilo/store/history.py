"""What was said in a session before, for models to read."""

import json
from dataclasses import dataclass

from hilo.tools.database import Script, execute


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """What a turn heard, and all that it said."""

    number: int
    heard: str
    said: str


def said_since(session: str, turn: int, *, most: int) -> Script[tuple[SaidTurn, ...]]:
    """The newest turns after that one, at most so many, the oldest of them first."""
    turns = []
    for row in (yield from execute("newest_exchanges", session=session, after=turn, most=most)):
        said = "\n".join(str(each.get("text", "")) for each in json.loads(row["said"]))
        turns.append(SaidTurn(row["number"], row["heard"], said))
    return tuple(reversed(turns))
