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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledStep
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
HOLDS = {True: "true", False: "false"}


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
        reached = len(self.known) - len(self.missing)
        return 100 * reached // len(self.known) if self.known else None


def coverage(agent: Agent, traces: Iterable[Trace]) -> tuple[Covered, ...]:
    """What these turns have gone through of an agent."""
    traces = tuple(traces)
    steps = {f"{name}.{step.name}": step for name, flow in agent.compiled.items() for step in flow.steps}
    done = [step for trace in traces for step in trace.steps]
    fired = [step.removeprefix(PREFIX) for step in done if step.startswith(PREFIX)]
    possible = sorted(_way(*each) for each in possible_transitions(agent))
    changes = [_way(*change) for trace in traces for change in pairwise(trace.states)]
    asked = [f"{step}: {guard} is {HOLDS[held]}" for trace in traces for step, guard, held in trace.guards]
    policies = [trace.policy for trace in traces if trace.policy]
    found = [
        _covered("steps", steps, done),
        _covered("states", possible, changes),
        _covered("guards", _guards(agent, steps), asked),
        _covered("policies", map(policy_kind, agent.escalation), policies),
        _covered("timers", agent.all_timers, fired),
    ]
    if agent.modes:
        run = [tool for trace in traces for tool in _run(trace)]
        found += [
            _covered("modes", agent.modes, _visited(agent, traces)),
            _covered("moves", _moves(agent), _moved(agent, traces)),
            _covered("topics", _topics(agent, steps), _heard(agent, traces)),
            _covered("tools", _tools(agent), run),
            _covered("triggers", _triggers(agent, steps), [trace.policy for trace in traces]),
            _covered("bands", BANDS if agent.confidence else (), _bands(agent, traces)),
            _covered("needs", _needs(agent), _needed(agent, traces)),
        ]
    return tuple(found)


def _covered(kind: str, known: Iterable[str], reached: Iterable[str]) -> Covered:
    return Covered(kind, tuple(dict.fromkeys(known)), frozenset(reached))


def _guards(agent: Agent, steps: Mapping[str, CompiledStep]) -> Iterator[str]:
    asked = [(name, guard) for name, step in steps.items() for guard in step.guards]
    asked += [(f"{PREFIX}{name}", timer.when) for name, timer in agent.all_timers.items() if timer.when]
    for name, guard in asked:
        yield from (f"{name}: {guard} is {held}" for held in HOLDS.values())


# --- modes and the moves between them -------------------------------------------------------------------


def _visited(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    for trace in traces:
        yield from (trace.mode or agent.first_mode, *(after for _, after in trace.modes))


def _way(before: str, after: str) -> str:
    return f"{before} → {after}"


def _moves(agent: Agent) -> Iterator[str]:
    person = agent.operator_mode
    for name, mode in agent.modes.items():
        yield from (_way(name, target) for target in mode.to)
        yield from (f"{_way(name, target)} after {tool}" for tool, target in mode.after.items())
        yield from (f"{_way(name, target)} before {tools}" for tools, target in mode.before.items())
        yield from (f"{_way(name, timer.mode)} by {key}" for key, timer in mode.timers.items() if timer.mode)
        if person:
            yield _way(name, person if name != person else agent.first_mode)


def _moved(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    for trace in traces:
        for before, after in trace.modes:
            way = _way(before, after)
            yield from (way, *(f"{way} {cause}" for cause in _causes(agent, trace, before, after)))


def _causes(agent: Agent, trace: Trace, before: str, after: str) -> Iterator[str]:
    """What may have led from one mode to another in this turn, by the tools that were called and the timers."""
    mode = agent.modes[before]
    run = _run(trace)
    called = [*run, *_called(trace)]  # what lacked something to run was called all the same
    yield from (f"after {tool}" for tool in run if mode.after.get(tool) == after)
    for tools, target in mode.before.items():
        if target == after and any(agent.in_group(tool, tools) for tool in called):
            yield f"before {tools}"
    for key, timer in mode.timers.items():
        if timer.mode == after and f"{PREFIX}{before}.{key}" in trace.steps:
            yield f"by {key}"


# --- what messages are about ------------------------------------------------------------------------------


def _topics(agent: Agent, steps: Mapping[str, CompiledStep]) -> Iterator[str]:
    """Each mode with each topic; while an operator holds the session it is not looked at what a message is about."""
    passing = _passing(agent, steps)
    for name, mode in agent.modes.items():
        if name not in passing:
            yield from (f"{name} × {topic}" for topic in ((ANY_TOPIC,) if mode.operator else TOPICS["mixed"]))


def _passing(agent: Agent, steps: Mapping[str, CompiledStep]) -> set[str]:
    """The modes in which no message finds a session: a flow is in them only while a tool works."""
    working = {step.mode for step in steps.values() if isinstance(step.does, UseTool)}
    entered = {step.mode for step in steps.values() if not isinstance(step.does, UseTool)}
    for mode in agent.modes.values():
        entered |= {*mode.after.values(), *mode.before.values(), *(timer.mode for timer in mode.timers.values())}
    return working - entered - {agent.first_mode}


def _heard(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    for trace in traces:
        if trace.event == "MessageReceived":
            mode = trace.mode or agent.first_mode
            topics = [ANY_TOPIC] if mode == agent.operator_mode else _about(agent, trace)
            yield from (f"{mode} × {topic}" for topic in topics)


def _about(agent: Agent, trace: Trace) -> list[str]:
    """What a message is about: as it was understood, and the order where it made a tool of the order run."""
    called = [agent.toolbox[tool] for tool in _called(trace) if tool in agent.toolbox]
    said = TOPICS.get(trace.understanding.topic, ())
    return [*said, "order"] if any(tool.writes for tool in called) else [*said]


# --- tools, triggers, bands, needs ------------------------------------------------------------------------


def _tools(agent: Agent) -> Iterator[str]:
    """The tools that some mode allows; those of operators are for nobody in a conversation."""
    allowed = {tool for mode in agent.modes for tool in agent.tools_in(mode)}
    return (name for name, spec in agent.toolbox.items() if name in allowed and not spec.operator)


def _run(trace: Trace) -> list[str]:
    return [effect.tool for effect in trace.effects if isinstance(effect, RunTool)]


def _called(trace: Trace) -> list[str]:
    """What a message or a model proposed and was let through."""
    return [command.tool for command in trace.accepted if isinstance(command, CallTool)]


def _triggers(agent: Agent, steps: Mapping[str, CompiledStep]) -> Iterator[str]:
    for step in steps.values():
        if isinstance(step.does, LeaveToPerson):
            yield step.does.policy
        elif any(edge.leads == "handoff" for edge in step.edges):
            yield "flow"
    handing = any(timer.handoff for timer in agent.all_timers.values())
    others = {"errors": agent.toolbox, "timer": handing}
    yield from (name for name, there in others.items() if there)


def _bands(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    """The bands that were acted upon: a doubtful meaning counts when it was asked about."""
    for trace in traces:
        band = band_of(agent, trace.understanding.confidence)
        if any(isinstance(effect, AskMeaning) for effect in trace.effects):
            yield "unclear" if band == "unclear" else "clarify"
        elif trace.understanding.intent and trace.accepted and band in {"proceed", "reanalyse"}:
            yield band


def _needs(agent: Agent) -> Iterator[str]:
    for name, mode in agent.modes.items():
        yield from (f"{name}: {need} is {met}" for need in mode.requires for met in ("met", "missing"))


def _needed(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    """A mode that was entered had all it needs."""
    for trace in traces:
        for _, mode in trace.modes:
            yield from (f"{mode}: {need} is met" for need in agent.modes[mode].requires)
        yield from (f"{mode}: {need} is missing" for mode, need in trace.unmet)
