"""Finding sessions by words: names, numbers, what is known, and what anybody wrote in them."""

from hilo.store.letters import plain_letters
from hilo.tools.database import Script, execute

MOST_FOUND = 5_000  # sessions, the newest ones
FEWEST_DIGITS = 3  # of what may be a part of a phone number


def find_sessions(workspace: str, words: str, *, session: str = "") -> Script[list[str]]:
    """The newest sessions in which these words stand, whatever their accents and capitals; or this one, if they do."""
    digits = _digits(words)
    values = {"words": _within(plain_letters(words)), "digits": _within(digits) if digits else ""}
    rows = yield from execute("find_sessions", workspace=workspace, session=session, **values, at_most=MOST_FOUND)
    return [row["id"] for row in rows]


def _within(words: str) -> str:
    """A pattern for LIKE: anywhere in a text."""
    escaped = words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _digits(words: str) -> str:
    """A phone number as it is stored, however it was written: "+54 9 11 5555-1234"; empty if it is none."""
    rest = words.translate(dict.fromkeys(map(ord, "+-().  ")))
    return rest if rest.isascii() and rest.isdigit() and len(rest) >= FEWEST_DIGITS else ""
