"""What is wrong with modes: names, ways between them, what it takes to enter one, what happens in it."""

import re

from hilo.agent.checks.place import ANOTHER, Place
from hilo.agent.checks.timers import check_timer, timer_path
from hilo.agent.declaration import Agent
from hilo.agent.flow import PLACES, CompiledFlow, CompiledStep
from hilo.agent.instructions import CountRound, UseTool
from hilo.agent.mode_ways import Modes, called_in, drifted, entered, modes_along, talking, ways
from hilo.agent.modes import Mode
from hilo.agent.shorthand import is_name
from hilo.agent.texts import phrases

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# what never comes to pass while an operator holds the session
OF_A_PERSON = ("after", "before", "requires", "enter", "timers")


def check_modes(file: Place) -> None:
    """Names that are not declared, modes that cannot be entered, words without effect."""
    agent = file.agent
    for name, mode in agent.modes.items():
        here = file / "modes" / name
        _name(name, here)
        _mode(mode, here)
        _after(mode, here)
        _before(mode, here)
        _timers(mode, here)
    _operator(file)
    _places(file)
    # an unknown mode is reported above, and cannot be followed
    if agent.modes and all(ways(agent, name) <= agent.modes.keys() for name in agent.modes):
        _reached(file)
        _timers_for_ever(file)
        _along_flows(file)


def _name(name: str, here: Place) -> None:
    here.require_in_turn(
        (NAME.fullmatch(name), f"`{name}` is not a name", "use letters, digits and _"),
        (name not in PLACES, f"`{name}` is a word of the language", ANOTHER),
        (name not in here.agent.flows, f"a flow is called `{name}`, too", ANOTHER),
        at_key=True,
    )


# --- one mode -------------------------------------------------------------------------------------------


def _mode(mode: Mode, here: Place) -> None:
    (here / "tools").named("tool or group", *mode.tools)
    (here / "to").named("mode", *mode.to)
    for need in mode.requires:
        _need(need, here / "requires")
    (here / "bridge").may_say(mode.bridge)
    (here / "next").may_name("flow", mode.next.yes)
    (here / "next").may_name("flow", mode.next.no)
    if mode.changes:
        _changes(here.agent, mode.changes, here / "changes")
    (here / "enter" / "start").may_name("flow", mode.entrance.start)
    (here / "enter" / "say").may_say(mode.entrance.say)


def _changes(agent: Agent, flow: str, here: Place) -> None:
    """The flow that changes an order must ask for what, and how many."""
    here.named("flow", flow)
    if flow in agent.flows:
        types = {agent.slots[name].type for name in agent.collected_by(flow) if name in agent.slots}
        hint = "the product is a slot of the type `text`, how many there shall be one of the type `number`"
        here.require(types >= {"text", "number"}, f"{flow} collects no text and number", hint)


def _need(need: str, here: Place) -> None:
    """A slot, a template, or a guard of both."""
    own = {*here.agent.slots, *here.agent.templates}
    known = own.union(phrases(here.agent.language))
    if not is_name(need):
        here.asks(need, also=known)
    elif need not in known:
        here.unknown("slot or template", need, own)


def _after(mode: Mode, place: Place) -> None:
    agent, name = place.agent, place.key
    for tool, target in mode.after.items():
        here = place / "after" / tool
        here.named("tool", tool)
        here.named("mode", target)
        runs = tool in agent.tools_in(name) or tool not in agent.toolbox
        here.require(runs, f"{tool} does not run in {name}", "name it among its `tools`", at_key=True)
        _not_a_persons(target, here)


def _before(mode: Mode, place: Place) -> None:
    agent = place.agent
    known = {*agent.toolbox, *agent.tools.groups}
    for name, target in mode.before.items():
        here = place / "before" / name
        if name not in known:
            here.unknown("tool or group", name, known)
        elif target not in agent.modes:
            here.unknown("mode", target, agent.modes)
        else:
            runs = agent.tools_in(target).issuperset(agent.tools.groups.get(name, (name,)))
            hint = f"name it among the `tools` of {target}"
            here.require(runs, f"{name} does not run in {target} either", hint)


def _timers(mode: Mode, place: Place) -> None:
    agent, name = place.agent, place.key
    for each, timer in mode.timers.items():
        here, target = place / "timers" / each, timer.mode
        here.proper(each)
        check_timer(timer, here)
        if target == name != agent.operator_mode:
            (here / "mode").problem(f"the session is in {name} already")
        elif target in agent.modes.keys() - {*ways(agent, name), agent.operator_mode}:
            hint = f"write `to: [{target}]` in {name}"
            (here / "mode").problem(f"{name} does not lead to {target}", hint)


# --- the operator's mode --------------------------------------------------------------------------------


def _not_a_persons(mode: str, here: Place) -> None:
    if mode and mode == here.agent.operator_mode:
        problem = f"{mode} is the operator's: only a handoff leads there"
        here.problem(problem, "write `handoff` instead")


def _operator(file: Place) -> None:
    agent = file.agent
    first, *others = [name for name, mode in agent.modes.items() if mode.operator] or [""]
    for name in others:
        problem = f"only one mode is the operator's, and `{first}` is"
        (file / "modes" / name / "operator").problem(problem)
    if not first:
        return
    here = file / "modes" / first
    problem = f"sessions begin in the first mode, and {first} is the operator's"
    begins = first == agent.first_mode
    here.require(not begins, problem, "write another mode before it", at_key=True)
    for key in OF_A_PERSON:
        problem = f"`{key}` has no effect where an operator holds the session"
        unused = not getattr(agent.modes[first], key)
        (here / key).require(unused, problem, "leave it out", at_key=True)


def _places(file: Place) -> None:
    """Modes that steps and timers name."""
    agent = file.agent
    for step in agent.all_steps:
        here = file.at(step.path)
        (here / "mode").may_name("mode", step.mode)
        _not_a_persons(step.mode, here)
        for edge in step.edges:
            if edge.leads == "mode":
                _not_a_persons(edge.to, here)
    for step, _ in agent.doing(CountRound):
        hint = "write it at the steps in the block"
        has_one = step.mode in agent.modes
        (file.at(step.path) / "mode").require(not has_one, "a repeated block has no mode", hint)
    for name, timer in agent.all_timers.items():
        _not_a_persons(timer.mode, file.at(timer_path(name)) / "mode")


# --- all modes together ---------------------------------------------------------------------------------


def _reached(file: Place) -> None:
    """Some way must lead to every mode from the first one."""
    agent = file.agent
    reached = {agent.operator_mode, *drifted(agent, frozenset({agent.first_mode}))}
    # the operator's mode is reached by handing off, from anywhere
    for name in agent.modes.keys() - reached:
        hint = f"write `to: [{name}]` in a mode before it, or `after: {{TOOL: {name}}}`"
        (file / "modes" / name).problem(f"nothing leads to the mode `{name}`", hint, at_key=True)


def _timers_for_ever(file: Place) -> None:
    """Modes whose timers alone lead around in a circle: their chances are counted afresh each time."""
    seen: set[str] = set()
    for name in file.agent.modes:
        if name in seen:
            continue  # it was told with another mode of the same circle
        circle = _circle(file.agent, name)
        if circle:
            seen.update(circle)
            hint = f"give one of the timers a `when`; the circle: {' → '.join(circle)}"
            message = f"timers lead from {name} back to it for ever"
            (file / "modes" / name / "timers").problem(message, hint, at_key=True)


def _circle(agent: Agent, start: str) -> tuple[str, ...]:
    """The modes of the shortest walk by timers without a guard from a mode back to it."""
    walks: list[tuple[str, ...]] = [(start,)]
    visited = {start}
    for walk in walks:
        targets = _by_timers(agent, walk[-1])
        if start in targets and len(walk) > 1:  # a timer to its own mode is reported elsewhere
            return (*walk, start)
        for target in targets:
            if target not in visited:
                visited.add(target)
                walks.append((*walk, target))
    return ()


def _by_timers(agent: Agent, mode: str) -> list[str]:
    """The modes that timers without a guard lead to."""
    unguarded = [timer for timer in agent.modes[mode].timers.values() if not timer.when]
    return [timer.mode for timer in unguarded if timer.mode in agent.modes]


# --- along flows ------------------------------------------------------------------------------------------


def _along_flows(file: Place) -> None:
    """What no session can do, whichever mode the flow begins in."""
    agent = file.agent
    found = modes_along(agent, dict.fromkeys(agent.flows, talking(agent)))
    for flow in agent.compiled.values():
        if _is_sound(agent, flow):
            for step in flow.steps:
                modes = found.get((flow.name, step.name), frozenset())
                _possible(step, modes, file.at(step.path))


def _is_sound(agent: Agent, flow: CompiledFlow) -> bool:
    """Whether every name is known; the others are reported already."""
    named = {step.mode for step in flow.steps} - {""}
    return named <= agent.modes.keys() and not flow.leads_nowhere


def _possible(step: CompiledStep, modes: Modes, here: Place) -> None:
    if not modes or isinstance(step.does, CountRound):
        return  # a step that no session comes to is reported with the paths
    agent = here.agent
    inside, shown = entered(agent, step, modes), ", ".join(sorted(modes))
    if not inside:
        hint = f"the session is in {shown}, which does not lead there"
        (here / "mode").problem(f"`{step.mode}` can never be entered here", hint)
    elif isinstance(step.does, UseTool) and step.does.tool in agent.toolbox:
        tool, mode = step.does.tool, step.mode or shown
        allowed = called_in(agent, tool, inside)
        hint = f"name it in the `tools` of {mode}"
        (here / step.kind).require(allowed, f"{tool} is not allowed in {mode}", hint)
