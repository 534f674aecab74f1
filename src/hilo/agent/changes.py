"""What differs between two values that an author wrote, in the smallest parts and in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import time, timedelta
from difflib import SequenceMatcher
from itertools import repeat
from types import NoneType
from typing import Any, Literal

from hilo.agent.shorthand import Declared, show_duration
from hilo.agent.steps.collect import Collected
from hilo.agent.timers import SILENCE, After, QuietHours

Kind = Literal["added", "removed", "changed"]
Row = Sequence[Any]
Key = Callable[[Any], Any]

_BLANK: tuple[Any, ...] = (None, "", (), {})


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it was: in which part of the agent, what, and in words what it was and is."""

    part: str
    kind: Kind
    what: str
    before: str = ""
    after: str = ""


def compared(part: str, what: str, was: Any, now: Any) -> Iterator[Change]:
    """The smallest things that differ between two values."""
    match was, now:
        case _ if was == now:
            return
        case Declared(), Declared() if type(was) is type(now):
            yield from compared_fields(part, what, (was, now))
        case Mapping(), Mapping():
            for name in all_names(was, now):
                yield from compared(part, _joined(what, name), was.get(name), now.get(name))
        # policies and nodes stand in a list, and an author finds them by their kind
        case tuple(), tuple() if all(isinstance(each, Declared) for each in (*was, *now)):
            yield from compared(part, what, _keyed(was), _keyed(now))
        case tuple(), tuple() if set(was) != set(now):
            yield from _members(part, what, was, now)
        case _:
            yield Change(part, _kind(was, now), what, said(was), said(now))


def compared_fields(
    part: str,
    what: str,
    both: tuple[Any, Any],
    *,
    but: Sequence[str] = (),
) -> Iterator[Change]:
    """What differs between the fields of two things of one class."""
    was, now = both
    for each in fields(was):
        if each.name not in but:
            field = _joined(what, each.name)
            yield from compared(part, field, getattr(was, each.name), getattr(now, each.name))


def all_names(was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of both, each once, those that were there before first."""
    return tuple(dict.fromkeys((*was, *now)))


def _kind(was: Any, now: Any) -> Kind:
    if was in _BLANK:
        return "added"
    if now in _BLANK:
        return "removed"
    return "changed"


def _members(part: str, what: str, was: Row, now: Row) -> Iterator[Change]:
    """What left a row, and what is new in it; the order is left aside."""
    for each in was:
        if each not in now:
            yield Change(part, "removed", what, before=said(each))
    for each in now:
        if each not in was:
            yield Change(part, "added", what, after=said(each))


def _keyed(declared: tuple[Any, ...]) -> dict[str, Any]:
    """Things in a row by what they begin with, as an author writes them: `keyword`, a second `keyword`."""
    found: dict[str, Any] = {}
    for each in declared:
        key = fields(each)[0].name
        while key in found:
            key += "'"
        found[key] = each
    return found


def _joined(what: str, name: str) -> str:
    return f"{what} · {name}" if what else name


# --- rows side by side --------------------------------------------------------------------------------


def aligned(was: Row, now: Row, *, content: Key, key: Key) -> Iterator[tuple[Any, Any]]:
    """What differs in content between two rows, side by side where it is of the same key."""
    for same, old, new in _stretches(was, now, content):
        if not same:
            yield from _paired(old, new, key)


def _paired(was: Row, now: Row, key: Key) -> Iterator[tuple[Any, Any]]:
    for alike, old, new in _stretches(was, now, key):
        if alike:
            yield from zip(old, new, strict=True)
        else:
            yield from zip(old, repeat(None))
            yield from zip(repeat(None), new)


def _stretches(was: Row, now: Row, key: Key) -> Iterator[tuple[bool, Row, Row]]:
    """Two rows in stretches that are alike by a key, or are not."""
    # no element is too common to be compared by: rows are short
    matcher = SequenceMatcher(None, list(map(key, was)), list(map(key, now)), autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        yield tag == "equal", was[first:last], now[start:end]


# --- words --------------------------------------------------------------------------------------------


def said(value: Any) -> str:
    """A value as an author would write it, in a line."""
    for kind, words in _SAID:
        if isinstance(value, kind):
            return words(value)
    return str(value)


def written(declared: Any) -> dict[str, Any]:
    """The fields that are not as they are by default."""
    found: dict[str, Any] = {}
    for each in fields(declared):
        value = getattr(declared, each.name)
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if value != default:
            found[each.name] = value
    return found


def _clock(clock: time) -> str:
    return f"{clock:%H:%M}"


def _after(after: After) -> str:
    duration = show_duration(after.duration)
    return f"{duration} {SILENCE}" if after.silence else duration


def _declared(declared: Declared) -> str:
    keys = [f"{name} {said(each)}".rstrip() for name, each in written(declared).items()]
    return ", ".join(keys) or "by default"


def _entries(values: Mapping[str, Any]) -> str:
    entries = [f"{name}: {said(each)}".removesuffix(": ") for name, each in values.items()]
    return ", ".join(entries)


def _listed(values: Sequence[Any]) -> str:
    return ", ".join(map(said, values))


_SAID: tuple[tuple[type, Callable[[Any], str]], ...] = (  # the first kind that fits
    (NoneType, lambda _none: ""),
    (bool, lambda truth: str(truth).lower()),
    (timedelta, show_duration),
    (time, _clock),
    (After, _after),
    # Its own question is told among the texts.
    (Collected, lambda collected: ", ".join(collected.slot)),
    (QuietHours, lambda hours: f"{_clock(hours.begin)} to {_clock(hours.end)}"),
    (Declared, _declared),
    (Mapping, _entries),
    (tuple, _listed),
    (list, _listed),
)
