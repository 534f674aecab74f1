"""A transaction as a generator: it yields statements and is sent their rows. It knows no database and no await.

The store's own transactions are written in these words, and so are those of an agent's tools (docs/tools.md).
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

T = TypeVar("T")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Statement:
    """A named query of a `sql` folder with its values."""

    query: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Together(Statement):
    """Several statements that need not wait for one another's rows, nor see what the others change.

    So many of the first must each have a row, or all is given up (`Refuted`).
    """

    parts: tuple[Statement, ...]
    required: int = 0


Script = Generator[Statement, list[Row], T]


def statement(query: str, **values: Any) -> Statement:
    """A named query with values that every database can keep."""
    kept = {name: storable(value) if isinstance(value, str) else value for name, value in values.items()}
    return Statement(query, kept)


def execute(query: str, **values: Any) -> Script[list[Row]]:
    """Run a statement; its rows, if it has any."""
    return (yield statement(query, **values))


def together(*parts: Statement, required: int = 0) -> Script[list[list[Row]]]:
    """Run statements in one trip to the database: the rows of each.

    On PostgreSQL they see the same moment, so nothing is read beside a statement that may have to wait for a lock
    which guards it. No two of them may change the same row. Of those that are `required` each must have a row, or
    nothing happens and the store raises Refuted.
    """
    rows: Any = yield Together("together", {}, parts, required)
    return rows  # type: ignore[no-any-return]


def one(query: str, **values: Any) -> Script[Row | None]:
    """The first row, if there is one."""
    rows = yield from execute(query, **values)
    return rows[0] if rows else None


def storable(text: str) -> str:
    """A text that every database can keep: PostgreSQL has no NUL, and half a surrogate pair is in no encoding."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(moment: datetime) -> int:
    """How times are stored, in both dialects: microseconds since 1970."""
    return (moment - EPOCH) // _MICROSECOND


def moment(stored: int) -> datetime:
    """The time that was stored."""
    return EPOCH + timedelta(microseconds=stored)


def maybe_moment(stored: int | None) -> datetime | None:
    """The same for a time that may not be there."""
    return None if stored is None else moment(stored)
