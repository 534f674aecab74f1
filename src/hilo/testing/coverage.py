"""How much of an agent its conversations have gone through.

Of every agent are counted: `steps` that were carried out (not those that their `when` skipped), changes between
dialogue `states` (of those that `transitions` finds possible), `guards` (each counts twice: holding and not holding),
escalation `policies` that handed the session over and `timers` that did what they are for.

Of an agent with modes: the `modes` that a session was in, the declared `moves` between them, the `topics` (order or
info) of the messages that came in each mode, the `tools` that were run, what else than a policy `triggers` a handoff,
the confidence `bands`, and the `needs` of modes, each met and missing.

A way that a mode names under `to` is gone by whatever leads there; one that it names for a tool or a timer only by that
one. Where an operator's mode is declared, every mode leads to it, and it leads to the first one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise, starmap

from hilo.agent.declaration import Agent
from hilo.agent.instructions import LeaveToPerson, UseTool
from hilo.agent.policies import policy_kind
from hilo.dialogue.commands import CallTool
from hilo.dialogue.effects import AskMeaning, RunTool
from hilo.dialogue.escalation import band_of
from hilo.dialogue.timers import PREFIX
from hilo.testing.transitions import possible_transitions
from hilo.turn.trace import Trace

ANY_TOPIC = "*"
# what a message counts for, by the topic that was understood
TOPICS: Mapping[str, tuple[str, ...]] = {"order": ("order",), "info": ("info",), "mixed": ("order", "info")}
BANDS = ("proceed", "reanalyse", "clarify", "unclear")


@dataclass(frozen=True, slots=True)
class Covered:
    """One kind of things: all that there are, in the order of the file, and those that conversations reached."""

    kind: str
    known: tuple[str, ...]
    reached: frozenset[str]

    @property
    def missing(self) -> tuple[str, ...]:
        """What no conversation reached."""
        return tuple(name for name in self.known if name not in self.reached)

    @property
    def percent(self) -> int | None:
        """Rounded down, so that 100 means all; nothing where there is nothing to reach."""
        if not self.known:
            return None
        reached = len(self.known) - len(self.missing)
        return 100 * reached // len(self.known)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A kind of things that is counted: all that an agent has, and those that a turn reached."""

    kind: str
    known: Callable[[Agent], Iterable[str]]
    reached: Callable[[Agent, Trace], Iterable[str]]


def coverage(agent: Agent, traces: Iterable[Trace]) -> tuple[Covered, ...]:
    """What these turns have gone through of an agent."""
    counted = [*_OF_ALL_AGENTS]
    if agent.modes:
        counted += _OF_AGENTS_WITH_MODES
    turns = tuple(traces)
    return tuple(_covered(each, agent, turns) for each in counted)


def _covered(counted: _Counted, agent: Agent, traces: tuple[Trace, ...]) -> Covered:
    known = dict.fromkeys(counted.known(agent))
    reached = chain.from_iterable(counted.reached(agent, trace) for trace in traces)
    return Covered(counted.kind, tuple(known), frozenset(reached))


# --- steps, states, guards, policies, timers --------------------------------------------------------------


def _steps(agent: Agent) -> Iterator[str]:
    return (step.full_name for step in agent.all_steps)


def _done(_agent: Agent, trace: Trace) -> Iterable[str]:
    return trace.steps


def _changes(agent: Agent) -> list[str]:
    return sorted(starmap(_way, possible_transitions(agent)))


def _changed(_agent: Agent, trace: Trace) -> Iterator[str]:
    return starmap(_way, pairwise(trace.states))


def _guards(agent: Agent) -> Iterator[str]:
    for step in agent.all_steps:
        for guard in step.guards:
            yield f"{step.full_name}: {guard} is true"
            yield f"{step.full_name}: {guard} is false"
    for name, timer in agent.all_timers.items():
        if timer.when:
            yield f"{PREFIX}{name}: {timer.when} is true"
            yield f"{PREFIX}{name}: {timer.when} is false"


def _asked(_agent: Agent, trace: Trace) -> Iterator[str]:
    for where, guard, held in trace.guards:
        yield f"{where}: {guard} is {str(held).lower()}"


def _policies(agent: Agent) -> Iterator[str]:
    return map(policy_kind, agent.escalation)


def _handed_over(_agent: Agent, trace: Trace) -> Iterator[str]:
    if trace.policy:
        yield trace.policy


def _timers(agent: Agent) -> Iterable[str]:
    return agent.all_timers


def _fired(_agent: Agent, trace: Trace) -> Iterator[str]:
    for step in trace.steps:
        if step.startswith(PREFIX):
            yield step.removeprefix(PREFIX)


# --- modes and the moves between them -------------------------------------------------------------------


def _modes(agent: Agent) -> Iterable[str]:
    return agent.modes


def _visited(agent: Agent, trace: Trace) -> Iterator[str]:
    yield trace.mode or agent.first_mode
    for _, after in trace.modes:
        yield after


def _way(before: str, after: str) -> str:
    return f"{before} → {after}"


def _moves(agent: Agent) -> Iterator[str]:
    for name, mode in agent.modes.items():
        for target in mode.to:
            yield _way(name, target)
        for tool, target in mode.after.items():
            yield f"{_way(name, target)} after {tool}"
        for tools, target in mode.before.items():
            yield f"{_way(name, target)} before {tools}"
        for key, timer in mode.timers.items():
            if timer.mode:
                yield f"{_way(name, timer.mode)} by {key}"
        if mode.operator:
            yield _way(name, agent.first_mode)
        elif agent.operator_mode:
            yield _way(name, agent.operator_mode)


def _moved(agent: Agent, trace: Trace) -> Iterator[str]:
    for before, after in trace.modes:
        way = _way(before, after)
        yield way
        for cause in _causes(agent, trace, before, after):
            yield f"{way} {cause}"


def _causes(agent: Agent, trace: Trace, before: str, after: str) -> Iterator[str]:
    """What may have led from one mode to another in this turn, by the tools that were called and the timers."""
    mode = agent.modes[before]
    run = tuple(_run(agent, trace))
    called = [*run, *_called(trace)]  # what lacked something to run was called all the same
    for tool in run:
        if mode.after.get(tool) == after:
            yield f"after {tool}"
    for tools, target in mode.before.items():
        if target == after and any(agent.in_group(tool, tools) for tool in called):
            yield f"before {tools}"
    for key, timer in mode.timers.items():
        if timer.mode == after and f"{PREFIX}{before}.{key}" in trace.steps:
            yield f"by {key}"


# --- what messages are about ------------------------------------------------------------------------------


def _topics(agent: Agent) -> Iterator[str]:
    """Each mode with each topic."""
    passing = _passing(agent)
    for name in agent.modes:
        if name == agent.operator_mode:
            # while an operator holds the session nobody looks at what a message is about
            yield f"{name} × {ANY_TOPIC}"
        elif name not in passing:
            yield f"{name} × order"
            yield f"{name} × info"


def _passing(agent: Agent) -> set[str]:
    """The modes in which no message finds a session: a flow is in them only while a tool works."""
    working: set[str] = set()
    entered = {agent.first_mode}
    for step in agent.all_steps:
        modes = working if isinstance(step.does, UseTool) else entered
        modes.add(step.mode)
    for mode in agent.modes.values():
        entered.update(mode.after.values(), mode.before.values())
        entered.update(timer.mode for timer in mode.timers.values())
    return working - entered


def _heard(agent: Agent, trace: Trace) -> Iterator[str]:
    if trace.event != "MessageReceived":
        return
    mode = trace.mode or agent.first_mode
    if mode == agent.operator_mode:
        yield f"{mode} × {ANY_TOPIC}"
        return
    for topic in TOPICS.get(trace.understanding.topic, ()):
        yield f"{mode} × {topic}"
    # it is about the order, however it was understood, if it made a tool of the order run
    called = agent.toolbox.keys() & set(_called(trace))
    if any(agent.toolbox[tool].writes for tool in called):
        yield f"{mode} × order"


# --- tools, triggers, bands, needs ------------------------------------------------------------------------


def _tools(agent: Agent) -> Iterator[str]:
    """The tools that some mode allows; those of operators are for nobody in a conversation."""
    allowed = frozenset().union(*map(agent.tools_in, agent.modes))
    for name, spec in agent.toolbox.items():
        if name in allowed and not spec.operator:
            yield name


def _run(_agent: Agent, trace: Trace) -> Iterator[str]:
    return (effect.tool for effect in trace.effects if isinstance(effect, RunTool))


def _called(trace: Trace) -> Iterator[str]:
    """What a message or a model proposed and was let through."""
    return (command.tool for command in trace.accepted if isinstance(command, CallTool))


def _triggers(agent: Agent) -> Iterator[str]:
    for step in agent.all_steps:
        if isinstance(step.does, LeaveToPerson):
            yield step.does.policy
        elif "handoff" in step.leads:
            yield "flow"
    if agent.toolbox:
        yield "errors"
    if any(timer.handoff for timer in agent.all_timers.values()):
        yield "timer"


def _bands(agent: Agent) -> tuple[str, ...]:
    return BANDS if agent.confidence else ()


def _acted_upon(agent: Agent, trace: Trace) -> Iterator[str]:
    """The bands that were acted upon: a doubtful meaning counts when it was asked about."""
    band = band_of(agent, trace.understanding.confidence)
    if any(isinstance(effect, AskMeaning) for effect in trace.effects):
        yield "unclear" if band == "unclear" else "clarify"
    elif trace.understanding.intent and trace.accepted and band in {"proceed", "reanalyse"}:
        yield band


def _needs(agent: Agent) -> Iterator[str]:
    for name, mode in agent.modes.items():
        for need in mode.requires:
            yield f"{name}: {need} is met"
            yield f"{name}: {need} is missing"


def _needed(agent: Agent, trace: Trace) -> Iterator[str]:
    for _, mode in trace.modes:
        for need in agent.modes[mode].requires:  # a mode that was entered had all it needs
            yield f"{mode}: {need} is met"
    for mode, need in trace.unmet:
        yield f"{mode}: {need} is missing"


_OF_ALL_AGENTS = (
    _Counted("steps", _steps, _done),
    _Counted("states", _changes, _changed),
    _Counted("guards", _guards, _asked),
    _Counted("policies", _policies, _handed_over),
    _Counted("timers", _timers, _fired),
)
_OF_AGENTS_WITH_MODES = (
    _Counted("modes", _modes, _visited),
    _Counted("moves", _moves, _moved),
    _Counted("topics", _topics, _heard),
    _Counted("tools", _tools, _run),
    _Counted("triggers", _triggers, _handed_over),
    _Counted("bands", _bands, _acted_upon),
    _Counted("needs", _needs, _needed),
)
