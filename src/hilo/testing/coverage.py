"""How much of an agent its conversations have gone through.

Five kinds of things are counted: `steps` that were carried out (not those that their `when` skipped), changes between
dialogue `states` (of those that `transitions` finds possible), `guards` (each counts twice: holding and not holding),
escalation `policies` that handed the session over and `timers` that did what they are for. Of an agent with modes
`mode_coverage` counts more.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from hilo.agent.declaration import Agent
from hilo.agent.policies import policy_kind
from hilo.dialogue.timers import PREFIX
from hilo.testing.covered import Covered
from hilo.testing.mode_coverage import mode_coverage
from hilo.testing.transitions import possible_transitions
from hilo.turn.trace import Trace


def coverage(agent: Agent, traces: Iterable[Trace]) -> tuple[Covered, ...]:
    """What these turns have gone through of an agent."""
    traces = tuple(traces)
    walked = [each for trace in traces for each in _walked(trace)]
    return (
        Covered("steps", tuple(_steps(agent)), frozenset(name for name, guard in walked if not guard)),
        Covered("states", _possible_states(agent), frozenset(_states(traces))),
        Covered("guards", tuple(_guards(agent)), frozenset(guard for _, guard in walked if guard)),
        Covered("policies", tuple(dict.fromkeys(map(policy_kind, agent.escalation))), frozenset(_policies(traces))),
        Covered("timers", tuple(agent.all_timers), frozenset(_timers(walked))),
        *mode_coverage(agent, traces),
    )


# --- all that there are ---------------------------------------------------------------------------------


def _steps(agent: Agent) -> Iterator[str]:
    return (f"{name}.{step.name}" for name, flow in agent.compiled.items() for step in flow.steps)


def _possible_states(agent: Agent) -> tuple[str, ...]:
    return tuple(sorted(f"{before} → {after}" for before, after in possible_transitions(agent)))


def _guards(agent: Agent) -> Iterator[str]:
    for name, flow in agent.compiled.items():
        for step in flow.steps:
            for guard in step.guards:
                yield from (_outcome(f"{name}.{step.name}", guard, holds=holds) for holds in (True, False))
    for name, timer in agent.all_timers.items():
        if timer.when:
            yield from (_outcome(f"{PREFIX}{name}", timer.when, holds=holds) for holds in (True, False))


def _outcome(step: str, guard: str, *, holds: bool) -> str:
    return f"{step}: {guard} is {'true' if holds else 'false'}"


# --- what was reached -----------------------------------------------------------------------------------


def _states(traces: Iterable[Trace]) -> Iterator[str]:
    return (f"{before} → {after}" for trace in traces for before, after in pairwise(trace.states))


def _policies(traces: Iterable[Trace]) -> Iterator[str]:
    return (trace.policy for trace in traces if trace.policy)


def _timers(walked: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (name.removeprefix(PREFIX) for name, guard in walked if not guard and name.startswith(PREFIX))


def _walked(trace: Trace) -> Iterator[tuple[str, str]]:
    """The steps carried out and the outcomes of guards, as (step, "") and (step, outcome)."""
    yield from ((name, "") for name in trace.steps)
    yield from ((name, _outcome(name, guard, holds=held)) for name, guard, held in trace.guards)
