"""What another version of an agent changes: tools that come within reach, texts, paths, and all else that is declared.

What has a shape of its own to be told in (tools, texts, flows, ways between modes) is compared by it. Everything else
is compared field by field, so that a new word of the agent language shows up here by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain

from hilo.agent.changes import Change, Kind, aligned, all_names, compared, compared_fields, said, written
from hilo.agent.declaration import Agent
from hilo.agent.modes import Mode
from hilo.agent.reach import reachable
from hilo.agent.shorthand import Declared
from hilo.agent.steps import Step
from hilo.agent.templates import Template
from hilo.agent.texts import phrases

__all__ = ["Change", "Kind", "difference"]


def difference(before: Agent, after: Agent) -> tuple[Change, ...]:
    """All changes from one version to another, the gravest parts first; nothing when they do the same."""
    parts = (_tools, _texts, _flows, _paths, _modes, _folder_texts, _rest)
    return tuple(chain.from_iterable(part(before, after) for part in parts))


# --- tools: from where each can be reached ------------------------------------------------------------


def _tools(before: Agent, after: Agent) -> Iterator[Change]:
    old, new = reachable(before), reachable(after)
    for name in all_names(old, new):
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
    old, new = before.toolbox.get(name), after.toolbox.get(name)
    if not old or not new:
        return
    told = ["writes", "needs_yes", "idempotent", "operator"]
    servers = tuple(each.tool_name(server, "") for server, each in after.tools.mcp.items())
    if not name.startswith(servers):
        told.insert(0, "parameters")
    for field in told:
        yield from compared("tools", f"{name} · {field}", getattr(old, field), getattr(new, field))


def _places(found: frozenset[tuple[str, str]]) -> str:
    """The modes, each with the ways to get there: `in RESUMEN by the flow checkout`."""
    ways: dict[str, list[str]] = {}
    for mode, by in sorted(found):
        ways.setdefault(mode, []).append(by)
    modes: dict[str, list[str]] = {}  # those with the same ways are told together
    for mode, by_all in ways.items():
        modes.setdefault(_and(by_all), []).append(mode)
    words: list[str] = []
    for by, names in modes.items():
        # a tool that is called whatever the mode has one that is empty
        words.append(f"in {_and(names)} by {by}" if any(names) else f"by {by}")
    return "; ".join(words)


def _and(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# --- texts --------------------------------------------------------------------------------------------


def _texts(before: Agent, after: Agent) -> Iterator[Change]:
    """Texts that stand in steps go with their steps, for they have no names that stay."""
    for name in all_names(_own_texts(before), _own_texts(after)):
        was, now = before.templates.get(name), after.templates.get(name)
        yield from _wordings(name, _variants(was), _variants(now))
        if was and now:
            yield from compared_fields("texts", name, (was, now), but=("text", "again"))
    for flow in all_names(before.flows, after.flows):
        for place, old, new in _changed_steps(flow, before, after):
            yield from _wordings(f"{flow}, {place}", _text(old), _text(new))


def _own_texts(agent: Agent) -> dict[str, Template]:
    """The templates that are the agent's own, without those of the engine and of steps."""
    own = dict(agent.templates)
    # a phrase that the file replaces is its own; one that it leaves as it is comes with the engine
    for name, text in phrases(agent.language).items():
        if own.get(name) == text:
            del own[name]
    for step in agent.all_steps:
        own.pop(step.full_name, None)
    return own


def _variants(template: Template | None) -> tuple[str, ...]:
    return template.variants if template else ()


def _wordings(what: str, was: Sequence[str], now: Sequence[str]) -> Iterator[Change]:
    # any wording may have become any other: they stand in no order that means something
    for old, new in aligned(was, now, content=str, key=lambda _wording: ""):
        yield from compared("texts", what, old, new)


# --- flows --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ShownStep:
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

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same step in another version."""
        return self.step.kind, self.step.name


def _flows(before: Agent, after: Agent) -> Iterator[Change]:
    for name in all_names(before.flows, after.flows):
        old, new = before.flows.get(name), after.flows.get(name)
        if old is None or new is None:
            yield from compared("flows", name, _flow_words(before, name), _flow_words(after, name))
            continue
        yield from compared_fields("flows", name, (old, new), but=("steps",))
        for place, was, now in _changed_steps(name, before, after):
            what = f"{name}, {place}"
            if was and now:
                yield from compared_fields("flows", what, (was.step, now.step), but=("name",))
            else:
                yield from compared("flows", what, _words(was), _words(now))


def _flow_words(agent: Agent, name: str) -> str | None:
    if name not in agent.flows:
        return None
    starts = said(agent.flows[name].starts)
    steps = " › ".join(str(_words(each)) for each in _shown(agent, name))
    return f"starts: {starts}; {steps}" if starts else steps


def _words(shown: _ShownStep | None) -> str | None:
    """A step in a line. A text of its own is told among the texts."""
    if shown is None:
        return None
    keys = {name: said(value) for name, value in written(shown.step).items()}
    keys.pop("name", None)
    main = keys.pop(shown.step.kind, "")
    rest = "".join(f", {name} {value}" for name, value in keys.items())
    return f"{shown.step.kind} {main}".rstrip() + rest


def _text(shown: _ShownStep | None) -> tuple[str, ...]:
    return shown.text if shown else ()


def _changed_steps(
    flow: str,
    before: Agent,
    after: Agent,
) -> Iterator[tuple[str, _ShownStep | None, _ShownStep | None]]:
    """The steps of a flow that are not the same in both, side by side, with where they stand."""
    pairs = aligned(
        _shown(before, flow),
        _shown(after, flow),
        content=lambda shown: shown.content,
        key=lambda shown: shown.key,
    )
    for was, now in pairs:
        yield (now or was).place, was, now


def _shown(agent: Agent, flow: str) -> list[_ShownStep]:
    if flow not in agent.compiled:
        return []
    found: list[_ShownStep] = []
    for number, step in enumerate(agent.compiled[flow].steps, 1):
        as_written: Step = step.written
        # what a step says stands under the key of its kind, and so do steps inside of it
        if step.texts or as_written.inner:
            as_written = as_written.bare()
        found.append(_ShownStep(number, as_written, step.texts))
    return found


# --- ways between modes, and all the rest -------------------------------------------------------------


def _paths(before: Agent, after: Agent) -> Iterator[Change]:
    old, new = dict.fromkeys(_ways(before)), dict.fromkeys(_ways(after))
    for way, how in old:
        if (way, how) not in new:
            yield Change("paths", "removed", way, before=how)
    for way, how in new:
        if (way, how) not in old:
            yield Change("paths", "added", way, after=how)


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
    yield from compared("modes", "", _without_ways(before), _without_ways(after))


def _without_ways(agent: Agent) -> dict[str, Mode]:
    return {name: replace(mode, to=(), after={}, before={}) for name, mode in agent.modes.items()}


def _folder_texts(before: Agent, after: Agent) -> Iterator[Change]:
    """What lies beside the file: the sections of its pages by their headings, and its goods by their names."""
    yield from compared("pages", "", _sections(before), _sections(after))
    yield from compared("goods", "", _goods(before), _goods(after))
    if before.pack != after.pack:
        yield Change("words", "changed", after.words or before.words)


def _sections(agent: Agent) -> dict[str, str]:
    texts: dict[str, str] = {}
    for each in agent.documents:  # a long section is in pieces
        texts[each.source] = f"{texts[each.source]}\n{each.text}" if each.source in texts else each.text
    return texts


def _goods(agent: Agent) -> dict[str, str]:
    """All that is known of each, but for its line, which moves when another is put in above it."""
    told = {}
    for each in agent.goods:
        known = (each.brand, each.category, *each.keywords)
        told[" ".join(filter(None, (each.name, each.size)))] = ", ".join(filter(None, known)) or each.name
    return told


_TOLD = frozenset({"flows", "templates", "modes", "toolbox", "version", "goods", "documents", "pack"})
_HEADINGS = {"tools": "declared tools"}  # `tools` alone are those that can be reached
_WITH_PARTS = (Declared, Mapping, tuple)


def _rest(before: Agent, after: Agent) -> Iterator[Change]:
    """Every field that has no shape of its own; what slots ask is told among the texts."""
    old, new = _without_questions(before), _without_questions(after)
    for name in (each.name for each in fields(Agent) if each.name not in _TOLD):
        was, now = getattr(old, name), getattr(new, name)
        # what has parts is a heading of its own, and single values stand together
        if isinstance(was, _WITH_PARTS) and isinstance(now, _WITH_PARTS):
            yield from compared(_HEADINGS.get(name, name), "", was, now)
        else:
            yield from compared("settings", name, was, now)


def _without_questions(agent: Agent) -> Agent:
    slots = {name: replace(slot, ask=(), invalid=()) for name, slot in agent.slots.items()}
    return replace(agent, slots=slots)
