"""How much of an agent's modes its conversations have gone through.

Counted are the `modes` that a session was in, the declared `moves` between them, the `topics` (order or info) of the
messages that came in each mode, the `tools` that were run, what else than a policy `triggers` a handoff, the confidence
`bands`, and the `needs` of modes, each met and missing.

A way that a mode names under `to` is gone by whatever leads there; one that it names for a tool or a timer only by that
one. Where an operator's mode is declared, every mode leads to it, and it leads to the first one.
"""

from collections.abc import Iterable, Iterator

from hilo.agent.declaration import Agent
from hilo.agent.instructions import LeaveToPerson, UseTool
from hilo.dialogue.commands import CallTool
from hilo.dialogue.effects import AskMeaning, RunTool
from hilo.dialogue.escalation import band_of
from hilo.dialogue.timers import PREFIX
from hilo.testing.covered import Covered
from hilo.turn.trace import Trace

TOPICS = ("order", "info")
ANY_TOPIC = "*"
BANDS = ("proceed", "reanalyse", "clarify", "handoff")


def mode_coverage(agent: Agent, traces: tuple[Trace, ...]) -> tuple[Covered, ...]:
    """What these turns have gone through of an agent's modes; nothing of an agent that has none."""
    if not agent.modes:
        return ()
    return (
        Covered("modes", tuple(agent.modes), frozenset(_visited(agent, traces))),
        Covered("moves", tuple(dict.fromkeys(_moves(agent))), frozenset(_moved(agent, traces))),
        Covered("topics", tuple(_topics(agent)), frozenset(_heard(agent, traces))),
        Covered("tools", tuple(_tools(agent)), frozenset(tool for each in traces for tool in _run(each))),
        Covered("triggers", tuple(dict.fromkeys(_triggers(agent))), frozenset(each.policy for each in traces)),
        Covered("bands", BANDS if agent.confidence else (), frozenset(_bands(agent, traces))),
        Covered("needs", tuple(_needs(agent)), frozenset(_needed(agent, traces))),
    )


# --- modes and the moves between them -------------------------------------------------------------------


def _visited(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    for trace in traces:
        yield from (trace.mode or agent.first_mode, *(after for _, after in trace.modes))


def _moves(agent: Agent) -> Iterator[str]:
    for name, mode in agent.modes.items():
        yield from (_way(name, target) for target in mode.to)
        yield from (_way(name, target, f"after {tool}") for tool, target in mode.after.items())
        yield from (_way(name, target, f"before {tools}") for tools, target in mode.before.items())
        yield from (_way(name, timer.mode, f"by {key}") for key, timer in mode.timers.items() if timer.mode)
        if agent.operator_mode:
            person = agent.operator_mode
            yield _way(name, person) if name != person else _way(person, agent.first_mode)


def _way(before: str, after: str, cause: str = "") -> str:
    return f"{before} → {after}{f' {cause}' if cause else ''}"


def _moved(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    for trace in traces:
        for before, after in trace.modes:
            yield _way(before, after)
            yield from (_way(before, after, cause) for cause in _causes(agent, trace, before, after))


def _causes(agent: Agent, trace: Trace, before: str, after: str) -> Iterator[str]:
    """What may have led from one mode to another in this turn, by the tools that were called and the timers."""
    mode = agent.modes[before]
    called = [*_run(trace), *_called(trace)]  # what lacked something to run was called all the same
    for tool in _run(trace):
        yield from (f"after {tool}" for target in (mode.after.get(tool),) if target == after)
    for tools, target in mode.before.items():
        if target == after and any(agent.in_group(tool, tools) for tool in (*called, *_run(trace))):
            yield f"before {tools}"
    for key, timer in mode.timers.items():
        if timer.mode == after and f"{PREFIX}{before}.{key}" in trace.steps:
            yield f"by {key}"


# --- what messages are about ------------------------------------------------------------------------------


def _topics(agent: Agent) -> Iterator[str]:
    """Each mode with each topic; while an operator holds the session it is not looked at what a message is about."""
    for name, mode in agent.modes.items():
        topics = (ANY_TOPIC,) if mode.operator else TOPICS
        yield from (f"{name} × {topic}" for topic in topics if not _passes_at_once(agent, name))


def _passes_at_once(agent: Agent, mode: str) -> bool:
    """Whether no message finds a session in a mode: a flow is in it only while a tool works."""
    steps = [step for flow in agent.compiled.values() for step in flow.steps if step.mode == mode]
    others = {target for each in agent.modes.values() for target in (*each.after.values(), *each.before.values())}
    others |= {timer.mode for each in agent.modes.values() for timer in each.timers.values()}
    return (
        bool(steps)
        and all(isinstance(step.does, UseTool) for step in steps)
        and mode not in {*others, agent.first_mode}
    )


def _heard(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    for trace in traces:
        if trace.event == "MessageReceived":
            mode = trace.mode or agent.first_mode
            topics = (ANY_TOPIC,) if mode == agent.operator_mode else _about(agent, trace)
            yield from (f"{mode} × {topic}" for topic in topics)


def _about(agent: Agent, trace: Trace) -> set[str]:
    """What a message is about: as it was understood, and the order where it made a tool of the order run."""
    read = trace.understanding.topic
    said = set(TOPICS) if read == "mixed" else {read} & set(TOPICS)
    writes = any(agent.toolbox[tool].writes for tool in _called(trace) if tool in agent.toolbox)
    return said | ({"order"} if writes else set())


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


def _triggers(agent: Agent) -> Iterator[str]:
    for flow in agent.compiled.values():
        for step in flow.steps:
            if isinstance(step.does, LeaveToPerson):
                yield step.does.policy
            elif any(edge.leads == "handoff" for edge in step.edges):
                yield "flow"
    if agent.toolbox:
        yield "errors"
    if agent.confidence:
        yield "confidence"
    if any(timer.handoff for timer in agent.all_timers.values()):
        yield "timer"


def _bands(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    """The bands that were acted upon: a doubtful meaning counts when it was asked about or left to a person."""
    for trace in traces:
        if trace.policy == "confidence":
            yield "handoff"
        elif any(isinstance(effect, AskMeaning) for effect in trace.effects):
            yield "clarify"
        elif trace.understanding.intent and trace.accepted:
            band = band_of(agent, trace.understanding.confidence)
            yield from (each for each in ("proceed", "reanalyse") if each == band)


def _needs(agent: Agent) -> Iterator[str]:
    for name, mode in agent.modes.items():
        for need in mode.requires:
            yield from (_need(name, need, met=met) for met in (True, False))


def _need(mode: str, need: str, *, met: bool) -> str:
    return f"{mode}: {need} is {'met' if met else 'missing'}"


def _needed(agent: Agent, traces: Iterable[Trace]) -> Iterator[str]:
    """A mode that was entered had all it needs."""
    for trace in traces:
        for _, entered in trace.modes:
            for need in agent.modes[entered].requires:
                yield _need(entered, need, met=True)
        for mode, need in trace.unmet:
            yield _need(mode, need, met=False)
