"""Names in a conversation that its agent must know: slots, flows, nodes, modes, policies."""

from collections.abc import Iterable, Iterator

from hilo.agent.checks.check import Finding
from hilo.agent.instructions import LeaveToPerson
from hilo.agent.policies import POLICIES
from hilo.agent.shape_errors import did_you_mean
from hilo.agent.source import Path
from hilo.agent.values import Invalid, accept
from hilo.errors import FileProblems
from hilo.testing.script import Expect, Expected, Operated, ScriptFile
from hilo.turn.run import Turn

QUESTIONS = ("none", "yes", "which", "switch", "argument", "meaning", "timer")  # what `asked` may name besides a slot
# what `handed_off` may name
CAUSES = (
    *(*POLICIES, "request", "operator", "flow", "error", "errors", "gate", "mode", "timer", "confidence"),
    *("unknown_outcome", "repeats"),
)


def check_names(script: ScriptFile, turn: Turn) -> None:
    """Raise FileProblems when a script speaks of what its agent does not have."""
    findings: list[Finding] = []
    for place, step in enumerate(script.script.steps):
        path: Path = ("steps", place)
        findings += _expect(step.expect, turn, (*path, "expect"))
        findings += _expect(step.with_model, turn, (*path, "with_model"))
        if step.operator:
            findings += _operator(step.operator, turn, (*path, "operator"))
        for name in step.tools:
            findings += _known("tool", name, turn.tools, (*path, "tools", name))
    if findings:
        problem = script.source.problem
        raise FileProblems(tuple(problem(each.path, each.message, each.hint) for each in findings))


def _expect(expect: Expect, turn: Turn, path: Path) -> Iterator[Finding]:
    agent = turn.agent
    for name, value in (expect.slots or {}).items():
        yield from _slot(name, value, turn, (*path, "slots", name))
    done = [step.does for flow in agent.compiled.values() for step in flow.steps]
    policies = [does.policy for does in done if isinstance(does, LeaveToPerson)]
    named: dict[str, tuple[str, Iterable[str]]] = {
        "nodes": ("node", turn.graph.nodes),
        "asked": ("slot", (*agent.slots, *QUESTIONS)),
        "completed": ("flow", agent.flows),
        "mode": ("mode", agent.modes),
        "handed_off": ("policy", (*CAUSES, *policies)),
    }
    for key, (kind, known) in named.items():
        value = getattr(expect, key)
        for name in value if isinstance(value, tuple) else (value,):
            if isinstance(name, str):  # whether there is a handoff at all names nothing
                yield from _known(kind, name, known, (*path, key))


def _operator(operated: Operated, turn: Turn, path: Path) -> Iterator[Finding]:
    if operated.does == "calls":
        yield from _known("tool", operated.calls, turn.tools, (*path, "calls"))
    for name in operated.releases.calls:
        yield from _known("tool", name, turn.tools, (*path, "releases", "calls"))
    if operated.releases.mode:
        yield from _known("mode", operated.releases.mode, turn.agent.modes, (*path, "releases", "mode"))


def _known(kind: str, name: str, known: Iterable[str], path: Path) -> Iterator[Finding]:
    known = list(known)
    if name not in known:
        hint = did_you_mean(name, known) or f"known are: {', '.join(known) or 'none'}"
        yield Finding(path, f"there is no {kind} `{name}`", hint)


def _slot(name: str, value: Expected, turn: Turn, path: Path) -> Iterator[Finding]:
    if name not in turn.agent.slots:
        yield from _known("slot", name, turn.agent.slots, path)
    elif value is not None:
        slot = turn.agent.slots[name]
        if isinstance(accept(slot, value, country=turn.agent.country), Invalid):
            yield Finding(path, f"`{value}` is no value for a slot of type {slot.type}")
