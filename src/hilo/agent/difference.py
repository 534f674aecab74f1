"""What another version of an agent changes: tools that come within reach, texts, paths, and whatever else is declared.

What has a shape of its own to be told in (tools, texts, flows, ways between modes) is compared by it. Everything else
is compared field by field, so that a new word of the agent language shows up here by itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from datetime import time, timedelta
from difflib import SequenceMatcher
from itertools import chain
from typing import Any, Literal

from hilo.agent.declaration import Agent, Mode
from hilo.agent.reach import reachable
from hilo.agent.shorthand import Declared
from hilo.agent.steps import Step
from hilo.agent.texts import phrases
from hilo.agent.timers import SILENCE, After, QuietHours

Kind = Literal["added", "removed", "changed"]
Pairs = Iterator[tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it was: in which part of the agent, what, and in words what it was and is."""

    part: str
    kind: Kind
    what: str
    before: str = ""
    after: str = ""


def difference(before: Agent, after: Agent) -> tuple[Change, ...]:
    """All changes from one version to another, the gravest parts first; nothing when they do the same."""
    parts = (_tools, _texts, _flows, _paths, _modes, _rest)
    return tuple(chain.from_iterable(part(before, after) for part in parts))


# --- tools: from where each can be reached ------------------------------------------------------------


def _tools(before: Agent, after: Agent) -> Iterator[Change]:
    old, new = reachable(before), reachable(after)
    for name in _names(old, new):
        was, now = old.get(name, frozenset()), new.get(name, frozenset())
        more, gone = _places(now - was), _places(was - now)
        if more:
            words = "now also reachable" if was else "newly reachable"
            yield Change("tools", "added", name, after=f"{words} {more}")
        if gone:
            # where it cannot be reached at all any more, from where it could be says nothing
            words = f"no longer reachable {gone}" if now else "no longer reachable"
            yield Change("tools", "removed", name, before=words)
        if was and now:
            yield from _spec(name, before, after)


def _spec(name: str, before: Agent, after: Agent) -> Iterator[Change]:
    """What a tool is like; what a server says of its tools is known only while it is connected."""
    servers = tuple(each.tool_name(server, "") for server, each in after.tools.mcp.items())
    known = () if name.startswith(servers) else ("parameters",)
    old, new = before.toolbox.get(name), after.toolbox.get(name)
    if not old or not new:
        return
    for field in (*known, "writes", "needs_yes", "idempotent", "operator"):
        yield from _compared("tools", f"{name} · {field}", getattr(old, field), getattr(new, field))


def _places(found: frozenset[tuple[str, str]]) -> str:
    """The modes, each with the ways to get there: `in RESUMEN by the flow checkout`."""
    ways: dict[str, list[str]] = {}
    for mode, by in sorted(found):
        ways.setdefault(mode, []).append(by)
    modes: dict[str, list[str]] = {}  # those with the same ways are told together
    for mode, by_all in ways.items():
        modes.setdefault(_listed(by_all), []).append(mode)
    said: list[str] = []
    for by, names in modes.items():
        # a tool that is called whatever the mode has one that is empty
        said.append(f"in {_listed(names)} by {by}" if any(names) else f"by {by}")
    return "; ".join(said)


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# --- texts --------------------------------------------------------------------------------------------


def _texts(before: Agent, after: Agent) -> Iterator[Change]:
    """Texts that stand in steps go with their steps, for they have no names that stay."""
    old, new = _own_texts(before), _own_texts(after)
    for name in _names(old, new):
        was, now = before.templates.get(name), after.templates.get(name)
        yield from _wordings(name, was.variants if was else (), now.variants if now else ())
        if was and now:
            yield from _fields("texts", name, (was, now), but=("text", "again"))
    for flow in _names(before.flows, after.flows):
        for place, step, then in _aligned_in(flow, before, after):
            old_text, new_text = step.text if step else (), then.text if then else ()
            yield from _wordings(f"{flow}, {place}", old_text, new_text)


def _own_texts(agent: Agent) -> dict[str, Any]:
    """The templates that are the agent's own, without those of the engine and of steps."""
    own = dict(agent.templates)
    for name, text in phrases(agent.language).items():
        if own.get(name) == text:
            del own[name]
    for name, flow in agent.compiled.items():
        for step in flow.steps:
            own.pop(f"{name}.{step.name}", None)
    return own


def _wordings(what: str, was: Sequence[str], now: Sequence[str]) -> Iterator[Change]:
    for old, new in _aligned(was, now, lambda _wording: ""):
        yield from _compared("texts", what, old, new)


# --- flows --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shown:
    """A step as it is written, without what is told elsewhere: its own text and the steps inside of it."""

    number: int
    step: Step
    text: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"step {self.number} ({self.step.name or self.step.kind})"

    @property
    def content(self) -> str:
        return repr((self.step, self.text))


def _flows(before: Agent, after: Agent) -> Iterator[Change]:
    for name in _names(before.flows, after.flows):
        old, new = before.flows.get(name), after.flows.get(name)
        if old is None or new is None:
            was_said, now_said = _flow_words(before, name), _flow_words(after, name)
            yield from _compared("flows", name, was_said, now_said)
            continue
        yield from _fields("flows", name, (old, new), but=("steps",))
        for place, was, now in _aligned_in(name, before, after):
            if was and now:
                yield from _fields("flows", f"{name}, {place}", (was.step, now.step), but=("name",))
            else:
                yield from _compared("flows", f"{name}, {place}", was and _words(was), now and _words(now))


def _flow_words(agent: Agent, name: str) -> str | None:
    if name not in agent.flows:
        return None
    starts = _said(agent.flows[name].starts)
    steps = " › ".join(map(_words, _shown(agent, name)))
    return f"starts: {starts}; {steps}" if starts else steps


def _words(shown: _Shown) -> str:
    """A step in a line. A text of its own is told among the texts."""
    written = {name: _said(value) for name, value in _written(shown.step) if name != "name"}
    main = written.pop(shown.step.kind, "")
    rest = "".join(f", {name} {value}" for name, value in written.items())
    return f"{shown.step.kind} {main}".rstrip() + rest


def _aligned_in(flow: str, before: Agent, after: Agent) -> Iterator[tuple[str, _Shown | None, _Shown | None]]:
    """The steps of a flow that are not the same in both, side by side, with where they stand."""
    old, new = _shown(before, flow), _shown(after, flow)
    for was, now in _aligned(old, new, lambda each: (each.step.kind, each.step.name)):
        yield (now or was).place, was, now


def _shown(agent: Agent, flow: str) -> list[_Shown]:
    found: list[_Shown] = []
    steps = agent.compiled[flow].steps if flow in agent.compiled else ()
    for number, step in enumerate(steps, 1):
        written, text = step.written, step.text
        # what a step says stands under the key of its kind, and so do steps inside of it
        if text or written.inner:
            elsewhere: dict[str, Any] = {step.kind: "" if text else ()}
            written = replace(written, **elsewhere)
        found.append(_Shown(number, written, (text,) if text else ()))
    return found


# --- ways between modes, and all the rest -------------------------------------------------------------


def _paths(before: Agent, after: Agent) -> Iterator[Change]:
    old, new = dict.fromkeys(_ways(before)), dict.fromkeys(_ways(after))
    yield from (Change("paths", "removed", way, before=how) for way, how in old if (way, how) not in new)
    yield from (Change("paths", "added", way, after=how) for way, how in new if (way, how) not in old)


def _ways(agent: Agent) -> Iterator[tuple[str, str]]:
    for name, mode in agent.modes.items():
        for target in mode.to:
            yield f"{name} → {target}", ""
        for tool, target in mode.after.items():
            yield f"{name} → {target}", f"after {tool}"
        for tool, target in mode.before.items():
            yield f"{name} → {target}", f"before {tool}"


def _modes(before: Agent, after: Agent) -> Iterator[Change]:
    """All but the ways between them, which are told as paths."""
    yield from _compared("modes", "", _without_ways(before), _without_ways(after))


def _without_ways(agent: Agent) -> dict[str, Mode]:
    return {name: replace(mode, to=(), after={}, before={}) for name, mode in agent.modes.items()}


_TOLD = frozenset({"flows", "templates", "modes", "toolbox", "version", "goods", "pack"})
_HEADINGS = {"tools": "declared tools"}  # `tools` alone are those that can be reached
_WITH_PARTS = (Declared, Mapping, tuple)


def _rest(before: Agent, after: Agent) -> Iterator[Change]:
    """Every field that has no shape of its own; what slots ask is told among the texts."""
    old, new = _without_questions(before), _without_questions(after)
    for name in (each.name for each in fields(Agent) if each.name not in _TOLD):
        was, now = getattr(old, name), getattr(new, name)
        # what has parts is a heading of its own, and single values stand together
        if isinstance(was, _WITH_PARTS) and isinstance(now, _WITH_PARTS):
            yield from _compared(_HEADINGS.get(name, name), "", was, now)
        else:
            yield from _compared("settings", name, was, now)


def _without_questions(agent: Agent) -> Agent:
    slots = {name: replace(slot, ask=(), invalid=()) for name, slot in agent.slots.items()}
    return replace(agent, slots=slots)


# --- comparing ----------------------------------------------------------------------------------------


def _compared(part: str, what: str, was: Any, now: Any) -> Iterator[Change]:
    """The smallest things that differ between two values."""
    match was, now:
        case _ if was == now:
            return
        case Declared(), Declared() if type(was) is type(now):
            yield from _fields(part, what, (was, now))
        case Mapping(), Mapping():
            for name in _names(was, now):
                yield from _compared(part, _joined(what, name), was.get(name), now.get(name))
        case tuple(), tuple() if all(isinstance(each, Declared) for each in (*was, *now)):
            yield from _compared(part, what, _keyed(was), _keyed(now))
        case tuple(), tuple() if set(was) != set(now):
            yield from (Change(part, "removed", what, before=_said(each)) for each in was if each not in now)
            yield from (Change(part, "added", what, after=_said(each)) for each in now if each not in was)
        case _:
            kind: Kind = "changed"
            if was in _BLANK:
                kind = "added"
            elif now in _BLANK:
                kind = "removed"
            yield Change(part, kind, what, _said(was), _said(now))


_BLANK: tuple[Any, ...] = (None, "", (), {})


def _fields(part: str, what: str, both: tuple[Any, Any], *, but: Sequence[str] = ()) -> Iterator[Change]:
    for name in (each.name for each in fields(both[0]) if each.name not in but):
        yield from _compared(part, _joined(what, name), *(getattr(each, name) for each in both))


def _keyed(declared: tuple[Any, ...]) -> dict[str, Any]:
    """Things in a row by what they begin with, as an author writes them: `keyword`, `timeout`, a second `keyword`."""
    found: dict[str, Any] = {}
    for each in declared:
        key = fields(each)[0].name
        while key in found:
            key += "'"
        found[key] = each
    return found


def _aligned(was: Sequence[Any], now: Sequence[Any], key: Callable[[Any], Any]) -> Pairs:
    """What differs between two rows, side by side where it is of the same key."""
    old, new = ([getattr(each, "content", each) for each in row] for row in (was, now))
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from _paired(was[first:last], now[start:end], key)


def _paired(was: Sequence[Any], now: Sequence[Any], key: Callable[[Any], Any]) -> Pairs:
    old, new = [key(each) for each in was], [key(each) for each in now]
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from zip(was[first:last], now[start:end], strict=True)
        else:
            yield from ((each, None) for each in was[first:last])
            yield from ((None, each) for each in now[start:end])


def _names(was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*was, *now)))


def _joined(what: str, name: str) -> str:
    return f"{what} · {name}" if what else name


# --- words --------------------------------------------------------------------------------------------


def _said(value: Any) -> str:
    """A value as an author would write it, in a line."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case timedelta():
            return _span(value)
        case time():
            return f"{value:%H:%M}"
        case After(duration, silence):
            return f"{_span(duration)} {SILENCE}" if silence else _span(duration)
        case QuietHours(begin, end):
            return f"{begin:%H:%M} to {end:%H:%M}"
        case Declared():
            keys = [f"{name} {_said(each)}".rstrip() for name, each in _written(value)]
            return ", ".join(keys) or "by default"
        case Mapping():
            entries = [f"{name}: {_said(each)}" for name, each in value.items()]
            return ", ".join(entry.removesuffix(": ") for entry in entries)
        case tuple() | list():
            return ", ".join(map(_said, value))
    return str(value)


def _written(declared: Any) -> Iterator[tuple[str, Any]]:
    """The fields that are not as they are by default."""
    for each in fields(declared):
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if getattr(declared, each.name) != default:
            yield each.name, getattr(declared, each.name)


def _span(duration: timedelta) -> str:
    seconds, parts = int(duration.total_seconds()), []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m"), (1, "s")):
        if seconds >= size:
            parts.append(f"{seconds // size}{unit}")
        seconds %= size
    return " ".join(parts) or "0s"
