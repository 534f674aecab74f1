"""What fits into one message of a channel: texts split at sentences, choices as buttons, as a list or as numbers.

Lengths are counted in UTF-16 units, as the providers' own checks do; an emoji counts as two. A choice is always shown
in full somewhere, so a contact who types its words or its number, instead of pressing, still reaches its payload.
"""

import re
import unicodedata
from dataclasses import dataclass
from itertools import takewhile

from hilo.messages import Button

ELLIPSIS = "…"
# A full stop after a digit may belong to "1. Rojo", and a choice must not lose its number.
_SENTENCE_END = re.compile(r"""(?:[!?…]|(?<!\d)\.)["'»”’)\]]*(?=\s)|(?=\n)""")
_UNFIT = re.compile("[\x00\ud800-\udfff]")
_LONGEST_GRAPHEME = 32


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a channel takes; `payload` is in UTF-8 bytes, and `rows=0` is a channel without lists."""

    text: int = 4096
    buttons: int = 3
    button_title: int = 20
    buttons_body: int = 1024
    rows: int = 10
    row_title: int = 24
    row_description: int = 72
    list_body: int = 4096
    payload: int = 200


WHATSAPP = Limits()


@dataclass(frozen=True, slots=True)
class PlainText:
    """Words only; where choices were offered, they stand numbered in the text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyButtons:
    """A text with buttons under it, each with its whole title."""

    text: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a list; a title that had to be cut stands in full in the description."""

    payload: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """A text with a list that opens at a press."""

    text: str
    rows: tuple[Row, ...]


Part = PlainText | ReplyButtons | ChoiceList


def clean_text(text: str) -> str:
    """Without what neither UTF-8 nor PostgreSQL can hold: lone surrogates and NUL."""
    return _UNFIT.sub("", text)


def length(text: str) -> int:
    """In UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


def split_text(text: str, limit: int = 4096) -> tuple[str, ...]:
    """Parts within the limit, cut at sentence ends, else at white space, else anywhere; only white space is lost."""
    if limit < 2:  # noqa: PLR2004 -- an emoji takes two units
        raise ValueError("a part of a text takes at least two units")
    rest = clean_text(text).strip()
    parts = []
    while rest:
        cut = _cut(rest, limit)
        parts.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return tuple(parts)


def cut_title(title: str, limit: int) -> str:
    """A title within the limit, cut at a word where it has one, with an ellipsis."""
    if length(title) <= limit:
        return title
    reach = _reach(title, limit - 1)
    space = title.rfind(" ", 0, reach + 1)
    return title[: space if space > 0 else _before_grapheme(title, reach)].rstrip(" ,;:.") + ELLIPSIS


def fit_buttons(text: str, buttons: tuple[Button, ...], limits: Limits = WHATSAPP) -> tuple[Part, ...]:
    """The messages that carry a text and its choices, in sending order; the choices come with the last of them."""
    offered = _offered(buttons)
    words = clean_text(text).strip()
    if words and offered and _fit_as_buttons(offered, limits):
        *before, last = _with_short_end(words, limits.text, limits.buttons_body)
        return (*map(PlainText, before), ReplyButtons(last, offered))
    if words and offered and (rows := _rows(offered, limits)):
        *before, last = _with_short_end(words, limits.text, limits.list_body)
        return (*map(PlainText, before), ChoiceList(last, rows))
    return tuple(map(PlainText, split_text(_numbered(words, offered), limits.text)))


def _offered(buttons: tuple[Button, ...]) -> tuple[Button, ...]:
    """The choices that can be read and told apart: a title on one line, each payload once."""
    by_payload: dict[str, Button] = {}
    for each in buttons:
        shown = Button(clean_text(each.payload), " ".join(clean_text(each.title).split()))
        if shown.title:
            by_payload.setdefault(shown.payload or shown.title, shown)
    return tuple(by_payload.values())


def _fit_as_buttons(offered: tuple[Button, ...], limits: Limits) -> bool:
    titles = tuple(each.title for each in offered)
    return (
        len(offered) <= limits.buttons
        and all(length(title) <= limits.button_title for title in titles)
        and _payloads_fit(offered, limits)
        and _differ(titles)
    )


def _rows(offered: tuple[Button, ...], limits: Limits) -> tuple[Row, ...]:
    """The rows of a list, or none where a choice could not be shown in full."""
    shown = max(limits.row_title, limits.row_description)
    if len(offered) > limits.rows or any(length(each.title) > shown for each in offered):
        return ()
    rows = tuple(_row(each, limits) for each in offered)
    return rows if _payloads_fit(offered, limits) and _differ(tuple(row.title for row in rows)) else ()


def _row(button: Button, limits: Limits) -> Row:
    title = cut_title(button.title, limits.row_title)
    return Row(button.payload, title, "" if title == button.title else button.title)


def _payloads_fit(offered: tuple[Button, ...], limits: Limits) -> bool:
    return all(0 < len(each.payload.encode()) <= limits.payload for each in offered)


def _differ(titles: tuple[str, ...]) -> bool:
    """WhatsApp refuses two equal titles; two that differ only in case would confuse a reader."""
    return len({title.casefold() for title in titles}) == len(titles)


def _numbered(text: str, offered: tuple[Button, ...]) -> str:
    lines = "\n".join(f"{number}. {each.title}" for number, each in enumerate(offered, start=1))
    return f"{text}\n\n{lines}".strip()


def _with_short_end(text: str, limit: int, last: int) -> tuple[str, ...]:
    """Split so that the last part, which carries the choices, fits its own smaller limit."""
    *before, end = split_text(text, limit)
    if length(end) <= last:
        return (*before, end)
    short = split_text(end, last)[-1]
    return (*before, end[: len(end) - len(short)].rstrip(), short)


def _cut(text: str, limit: int) -> int:
    """Where to cut a text that begins and ends without white space."""
    reach = _reach(text, limit)
    if reach == len(text):
        return reach
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, reach + 1)]
    if ends and 0 < ends[-1] <= reach:
        return ends[-1]
    space = next((at for at in range(reach, 0, -1) if text[at].isspace()), 0)
    return space or _before_grapheme(text, reach)


def _reach(text: str, limit: int) -> int:
    """How many characters of a text fill the limit."""
    window = text[:limit]
    if length(window) <= limit:
        return len(window)
    return len(window.encode("utf-16-le")[: limit * 2].decode("utf-16-le", errors="ignore"))


def _before_grapheme(text: str, at: int) -> int:
    """The last place up to `at` where no accent, flag or joined emoji is torn; `at` itself where there is none."""
    if at >= len(text):
        return at
    nearest = (cut for cut in range(at, max(0, at - _LONGEST_GRAPHEME), -1) if not _torn(text, cut))
    return next(nearest, at)


def _torn(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if _is_flag_half(before) and _is_flag_half(after):
        halves = sum(1 for _ in takewhile(_is_flag_half, reversed(text[:at])))
        return halves % 2 == 1
    return before == "\u200d" or after == "\u200d" or _clings(after)


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _clings(character: str) -> bool:
    """Accents, variation selectors, skin tones: nothing by themselves."""
    return unicodedata.category(character).startswith("M") or "\U0001f3fb" <= character <= "\U0001f3ff"
