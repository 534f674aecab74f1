"""A conversation as its visitor sees it on a chat page: what they wrote and what was sent to them, nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from hilo.dialogue.events import Event
from hilo.dialogue.stored import decode
from hilo.messages import Attachment, Button, Outbound
from hilo.store.inbox import KEPT
from hilo.store.live import LiveEvent, tell_live
from hilo.tools.database import Row, Script, execute, micros, moment, one

PAGE = 50
AT_ONCE = 200
SETTLED = timedelta(seconds=10)
LAST = "z" * 80  # sorts after every id of a browser, in whatever order a database has its letters


@dataclass(frozen=True, slots=True)
class ChatVisit:
    """Whose conversation, on which page."""

    channel: str
    visitor: str


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a conversation: the numbers of the last message heard and the last one said."""

    heard: int = 0
    said: int = 0


END = Cursor(10**18 - 1, 10**18 - 1)


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One message; `id` is the browser's own for what the visitor wrote. `payload` tells which button was pressed."""

    number: int
    id: str
    by: Literal["contact", "agent", "operator"]
    at: datetime
    text: str
    payload: str = ""
    buttons: tuple[Button, ...] = ()
    attachment: Attachment | None = None


@dataclass(frozen=True, slots=True)
class ChatPage:
    """A piece of history, oldest first. `earlier` is where to go on backwards, `last` where news begin."""

    lines: tuple[ChatLine, ...]
    earlier: Cursor | None
    last: Cursor


@dataclass(frozen=True, slots=True)
class ChatUpdates:
    """What came after a cursor; the youngest of it come again with the next one."""

    lines: tuple[ChatLine, ...]
    last: Cursor
    more: bool


@dataclass(frozen=True, slots=True)
class ChatChange:
    """Something that a visitor has written, or that was sent to them."""

    number: int
    heard: bool
    visitor: str


def message_key(visitor: str, browser_id: str) -> str:
    """The id of a visitor's message in the inbox: the ids of two visitors never meet."""
    return f"{visitor}.{browser_id}"


def chat_page(visit: ChatVisit, before: Cursor = END, *, now: datetime, at_most: int = PAGE) -> Script[ChatPage]:
    """The last messages before a place; none that is older than the inbox keeps, for it would be half a talk."""
    heard, said = yield from _lines(visit, "before", before, now=now, at_most=at_most + 1)
    newest_first = tuple(_merged(heard, said, newest_first=True))
    lines = newest_first[:at_most][::-1]
    return ChatPage(
        lines,
        earlier=_beginning(lines, before) if len(newest_first) > at_most else None,
        last=Cursor(_newest(heard, 0), _settled(said, said[-1].number - 1 if said else 0, now=now)),
    )


def chat_news(visit: ChatVisit, after: Cursor, *, now: datetime, at_most: int = AT_ONCE) -> Script[ChatUpdates]:
    """What came after a place, in order."""
    heard, said = yield from _lines(visit, "after", after, now=now, at_most=at_most)
    more = at_most in (len(heard), len(said))
    reached = _newest(said, after.said) if more else _settled(said, after.said, now=now)
    return ChatUpdates(tuple(_merged(heard, said)), Cursor(_newest(heard, after.heard), reached), more)


def chat_numbers() -> Script[tuple[int, int]]:
    """The newest numbers of what was heard and what was said anywhere."""
    row = yield from one("chat_numbers")
    return (row["heard"] or 0, row["said"] or 0) if row else (0, 0)


def chat_changes(channel: str, heard: int, said: int) -> Script[tuple[ChatChange, ...]]:
    """What came on a page after these numbers, of all its visitors."""
    values = {"channel": channel, "heard": heard, "said": said, "at_most": AT_ONCE * PAGE}
    rows = yield from execute("chat_changes", **values)
    return tuple(ChatChange(row["number"], bool(row["heard"]), row["visitor"]) for row in rows)


def _lines(
    visit: ChatVisit, side: Literal["before", "after"], cursor: Cursor, *, now: datetime, at_most: int
) -> Script[tuple[list[ChatLine], list[ChatLine]]]:
    since = micros(now - KEPT)
    values = {"channel": visit.channel, "visitor": visit.visitor, "since": since, "at_most": at_most}
    keys = {"first_key": visit.visitor, "last_key": visit.visitor + LAST}
    heard = yield from execute(f"chat_heard_{side}", number=cursor.heard, **keys, **values)
    said = yield from execute(f"chat_said_{side}", number=cursor.said, **values)
    return [_heard(row) for row in heard], [_said(row) for row in said]


def _merged(heard: Sequence[ChatLine], said: Sequence[ChatLine], *, newest_first: bool = False) -> Iterator[ChatLine]:
    """Both by their times, each in its own order whatever the clocks say; at the same time the visitor came first."""
    ours = iter(said)
    line = next(ours, None)
    for mine in heard:
        while line is not None and (line.at >= mine.at if newest_first else line.at < mine.at):
            yield line
            line = next(ours, None)
        yield mine
    if line is not None:
        yield from (line, *ours)


def _beginning(lines: Sequence[ChatLine], before: Cursor) -> Cursor:
    heard = (line.number for line in lines if line.by == "contact")
    said = (line.number for line in lines if line.by != "contact")
    return Cursor(min(heard, default=before.heard), min(said, default=before.said))


def _newest(lines: Sequence[ChatLine], otherwise: int) -> int:
    return max((line.number for line in lines), default=otherwise)


def _settled(said: Sequence[ChatLine], otherwise: int, *, now: datetime) -> int:
    """A cursor does not pass a young message of ours: one with a lower number may be committed after it."""
    return _newest([line for line in said if line.at <= now - SETTLED], otherwise)


def _heard(row: Row) -> ChatLine:
    event = decode(Event, row["event"])
    browser_id = row["external_id"].rpartition(".")[2]
    return ChatLine(row["id"], browser_id, "contact", moment(row["received_at"]), event.text, payload=event.payload)


def _said(row: Row) -> ChatLine:
    message = decode(Outbound, row["message"])
    return ChatLine(
        row["id"],
        id=f"a{row['id']}",
        by="operator" if row["author"] == "operator" else "agent",
        at=moment(row["created_at"]),
        text=message.text,
        buttons=message.buttons,
        attachment=message.attachment,
    )


def tell_visitor_types(visit: ChatVisit, *, now: datetime) -> Script[None]:
    """Pages of people see that somebody writes, where a person has the conversation."""
    row = yield from one("held_on", channel=visit.channel, visitor=visit.visitor)
    if row:
        yield from tell_live(row["workspace_id"], (LiveEvent("typing", row["id"], {"by": "contact"}),), now=now)
