"""What is wrong with modes: names, ways between them, what it takes to enter one, what happens in it."""

import re
from collections.abc import Iterator

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.mode_paths import mode_path_findings
from hilo.agent.checks.references import check_guard, check_text, undeclared, undeclared_if_any, unknown
from hilo.agent.checks.timers import check_timer, timer_path
from hilo.agent.declaration import Agent, Entrance, Mode
from hilo.agent.flow import PLACES, CompiledStep
from hilo.agent.instructions import CountRound
from hilo.agent.mode_ways import drifted, ways
from hilo.agent.shorthand import is_name
from hilo.agent.source import Path
from hilo.agent.texts import phrases

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
TIMER_NAME = re.compile(r"[a-z][a-z0-9_]*")
OF_A_PERSON = ("after", "before", "requires", "enter", "timers")  # what never comes to pass while one holds the session


def check_modes(agent: Agent) -> Iterator[Finding]:
    """Names that are not declared, modes that cannot be entered, words without effect."""
    for name, mode in agent.modes.items():
        yield from _name(agent, name)
        yield from _mode(agent, mode, ("modes", name))
        yield from _timers(agent, name)
    yield from _operator(agent)
    yield from _places(agent)
    if all(ways(agent, name) <= agent.modes.keys() for name in agent.modes):
        yield from _unreached(agent)
        yield from _timers_for_ever(agent)
        yield from mode_path_findings(agent)


def _name(agent: Agent, name: str) -> Iterator[Finding]:
    path: Path = ("modes", name)
    if not NAME.fullmatch(name):
        yield Finding(path, f"`{name}` is not a name", "use letters, digits and _", at_key=True)
    elif name in PLACES:
        yield Finding(path, f"`{name}` is a word of the language", "choose another name", at_key=True)
    elif name in agent.flows:
        yield Finding(path, f"a flow is called `{name}`, too", "choose another name", at_key=True)


# --- one mode -------------------------------------------------------------------------------------------


def _mode(agent: Agent, mode: Mode, path: Path) -> Iterator[Finding]:
    known = {*agent.toolbox, *agent.tools.groups}
    yield from undeclared("tool or group", mode.tools, known, (*path, "tools"))
    yield from undeclared("mode", mode.to, agent.modes, (*path, "to"))
    yield from _after(agent, mode, path)
    yield from _before(agent, mode, path)
    for need in mode.requires:
        yield from _need(agent, need, (*path, "requires"))
    if mode.bridge:
        yield from check_text(agent, mode.bridge, (*path, "bridge"))
    yield from undeclared("flow", sorted({mode.next.yes, mode.next.no} - {""}), agent.flows, (*path, "next"))
    entrance = mode.enter or Entrance()
    yield from undeclared_if_any("flow", entrance.start, agent.flows, (*path, "enter", "start"))
    if entrance.say:
        yield from check_text(agent, entrance.say, (*path, "enter", "say"))


def _after(agent: Agent, mode: Mode, path: Path) -> Iterator[Finding]:
    allowed = agent.tools_in(str(path[1]))
    for tool, target in mode.after.items():
        here = (*path, "after", tool)
        yield from undeclared("tool", [tool], agent.toolbox, here)
        yield from undeclared("mode", [target], agent.modes, here)
        if tool in agent.toolbox and tool not in allowed:
            yield Finding(here, f"{tool} does not run in {path[1]}", "name it among its `tools`", at_key=True)
        if target and target == agent.operator_mode:
            yield _of_a_person(target, here)


def _before(agent: Agent, mode: Mode, path: Path) -> Iterator[Finding]:
    known = {*agent.toolbox, *agent.tools.groups}
    for name, target in mode.before.items():
        here = (*path, "before", name)
        if name not in known:
            yield unknown("tool or group", name, known, here)
        elif target not in agent.modes:
            yield unknown("mode", target, agent.modes, here)
        elif not set(agent.tools.groups.get(name, (name,))) <= agent.tools_in(target):
            yield Finding(here, f"{name} does not run in {target} either", f"name it among the `tools` of {target}")


def _need(agent: Agent, need: str, path: Path) -> Iterator[Finding]:
    """A slot, a template, or a guard of both."""
    known = {*agent.slots, *agent.templates, *phrases(agent.language)}
    if not is_name(need):
        yield from check_guard(agent, need, path, also=frozenset(known))
    elif need not in known:
        yield unknown("slot or template", need, {*agent.slots, *agent.templates}, path)


def _timers(agent: Agent, name: str) -> Iterator[Finding]:
    for each, timer in agent.modes[name].timers.items():
        path = ("modes", name, "timers", each)
        if not TIMER_NAME.fullmatch(each):
            yield Finding(path, f"`{each}` is not a name", "use a–z, 0–9 and _", at_key=True)
        yield from check_timer(agent, timer, path)
        if timer.mode in agent.modes and timer.mode != agent.operator_mode:
            yield from _changed_by_timer(agent, name, timer.mode, (*path, "mode"))


def _changed_by_timer(agent: Agent, mode: str, target: str, path: Path) -> Iterator[Finding]:
    if target == mode:
        yield Finding(path, f"the session is in {mode} already")
    elif target not in ways(agent, mode):
        yield Finding(path, f"{mode} does not lead to {target}", f"write `to: [{target}]` in {mode}")


# --- the operator's mode --------------------------------------------------------------------------------


def _of_a_person(mode: str, path: Path) -> Finding:
    return Finding(path, f"{mode} is the operator's: only a handoff leads there", "write `handoff` instead")


def _operator(agent: Agent) -> Iterator[Finding]:
    marked = [name for name, mode in agent.modes.items() if mode.operator]
    for name in marked[1:]:
        yield Finding(("modes", name, "operator"), f"only one mode is the operator's, and `{marked[0]}` is")
    for name in marked[:1]:
        if name == agent.first_mode:
            message = f"sessions begin in the first mode, and {name} is the operator's"
            yield Finding(("modes", name), message, "write another mode before it", at_key=True)
        for key in OF_A_PERSON:
            if getattr(agent.modes[name], key):
                message = f"`{key}` has no effect where an operator holds the session"
                yield Finding(("modes", name, key), message, "leave it out", at_key=True)


# --- where modes are named ------------------------------------------------------------------------------


def _places(agent: Agent) -> Iterator[Finding]:
    """Modes that steps and timers name."""
    for flow in agent.compiled.values():
        for step in flow.steps:
            yield from _step(agent, step)
    for name, timer in agent.all_timers.items():
        if timer.mode and timer.mode == agent.operator_mode:
            yield _of_a_person(timer.mode, (*timer_path(name), "mode"))


def _step(agent: Agent, step: CompiledStep) -> Iterator[Finding]:
    yield from undeclared_if_any("mode", step.mode, agent.modes, (*step.path, "mode"))
    if step.mode in agent.modes and isinstance(step.does, CountRound):
        yield Finding((*step.path, "mode"), "a repeated block has no mode", "write it at the steps in the block")
    named = {step.mode, *(edge.to for edge in step.edges if edge.leads == "mode")}
    if agent.operator_mode and agent.operator_mode in named:
        yield _of_a_person(agent.operator_mode, step.path)


# --- all modes together ---------------------------------------------------------------------------------


def _unreached(agent: Agent) -> Iterator[Finding]:
    """The modes that no way from the first one leads to."""
    reached = {agent.operator_mode, *drifted(agent, frozenset({agent.first_mode}))}
    for name in agent.modes:
        if name not in reached:
            hint = f"write `to: [{name}]` in a mode before it, or `after: {{TOOL: {name}}}`"
            yield Finding(("modes", name), f"nothing leads to the mode `{name}`", hint, at_key=True)


def _timers_for_ever(agent: Agent) -> Iterator[Finding]:
    """Modes whose timers alone lead around in a circle: their chances are counted afresh each time."""
    seen: set[str] = set()
    for name in agent.modes:
        circle = () if name in seen else _circle(agent, name)
        if circle:
            seen.update(circle)
            hint = f"give one of the timers a `when`; the circle: {' → '.join(circle)}"
            message = f"timers lead from {name} back to it for ever"
            yield Finding(("modes", name, "timers"), message, hint, at_key=True)


def _circle(agent: Agent, start: str) -> tuple[str, ...]:
    """The modes of the shortest walk by timers without a guard from a mode back to it."""
    walks: list[tuple[str, ...]] = [(start,)]
    visited: set[str] = set()
    for walk in walks:
        for timer in agent.modes[walk[-1]].timers.values():
            if timer.mode == start and not timer.when and len(walk) > 1:
                return (*walk, start)
            if timer.mode in agent.modes and not timer.when and timer.mode not in {start, *visited}:
                visited.add(timer.mode)
                walks.append((*walk, timer.mode))
    return ()
