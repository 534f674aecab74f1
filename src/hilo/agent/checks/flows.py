"""What is wrong with flows and their steps one by one: undeclared names, words without sense."""

import difflib
from collections.abc import Iterator
from dataclasses import replace

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.references import check_guard, check_text, undeclared, undeclared_if_any, unknown
from hilo.agent.checks.timers import check_wait
from hilo.agent.declaration import CONSENT, Agent
from hilo.agent.flow import PLACES, CompiledFlow, CompiledStep, Flow
from hilo.agent.instructions import (
    AskConfirmation,
    AskSlots,
    CountRound,
    PushFlow,
    SayTemplate,
    SetValues,
    UseTool,
    WaitUntil,
)
from hilo.agent.source import Path
from hilo.agent.values import Invalid, accept

MAX_ROUNDS = 50
MAX_FLOW_STEPS = 200


def check_flows(agent: Agent) -> Iterator[Finding]:
    """Flows that nothing starts, steps that name what is not there."""
    if not agent.flows and not agent.intents:
        hint = "flows: {capture: {starts: always, steps: [...]}}"
        yield Finding((), "an agent needs at least one flow or intent", hint)
    yield from undeclared_if_any("flow", agent.amends, agent.flows, ("amends",))
    opening = [name for name, flow in agent.flows.items() if flow.starts_by_itself]
    for name in opening[1:]:
        yield Finding(("flows", name, "starts"), f"only one flow can start always, and `{opening[0]}` does")
    called = _called(agent)
    for name, flow in agent.flows.items():
        yield from _flow(agent, flow, ("flows", name))
        yield from _steps(agent, agent.compiled[name])
        if name not in called and not agent.begins_untold(name):
            message = f"nothing starts the flow `{name}`"
            yield Finding(("flows", name), message, "give it `starts:`, or call it", at_key=True)


def _called(agent: Agent) -> set[str]:
    """The flows that others call or lead to."""
    called: set[str] = set()
    for flow in agent.compiled.values():
        called |= flow.leaves_to
        called.update(step.does.flow for step in flow.steps if isinstance(step.does, PushFlow))
    return called


def _flow(agent: Agent, flow: Flow, path: Path) -> Iterator[Finding]:
    if not flow.steps:
        yield Finding((*path, "steps"), "a flow needs at least one step")
    here = (*path, "starts")
    # one example alone that looks like `always` is more likely a slip than something to say
    if len(flow.starts) == 1 and not flow.starts_by_itself:
        start = flow.starts[0]
        if difflib.get_close_matches(start, ["always"]):
            yield Finding(here, f"`{start}` is not known here", "did you mean `always`?")
    named = frozenset().union(*flow.starts_by_values)
    yield from undeclared("slot", sorted(named), agent.slots, here)
    yield from undeclared_if_any("flow", flow.resumes, agent.flows, (*path, "resumes"))


def _steps(agent: Agent, flow: CompiledFlow) -> Iterator[Finding]:
    if len(flow.steps) > MAX_FLOW_STEPS:
        path = ("flows", flow.name, "steps")
        yield Finding(path, f"a flow has at most {MAX_FLOW_STEPS} steps", "call another flow")
    named = [step.written.name for step in flow.steps if step.written.name]
    known = {*named, *agent.flows, *PLACES, *agent.modes}
    for step in flow.steps:
        yield from _step(agent, step)
        if named.count(step.written.name) > 1:
            yield Finding((*step.path, "name"), f"two steps are called `{step.name}`")
        for edge in step.edges:
            if edge.leads == "nowhere":
                wanted = "step, flow or mode" if agent.modes else "step or flow"
                yield unknown(wanted, edge.to, known, step.path)


def _step(agent: Agent, step: CompiledStep) -> Iterator[Finding]:
    """What a step does, by its instruction; most of it stands under the key of its kind."""
    path = (*step.path, step.kind)
    yield from check_guard(agent, step.when, (*step.path, "when"))
    for edge in step.edges:
        yield from check_guard(agent, edge.guard, (*path, edge.guard), at_key=True)
    match step.does:
        case AskSlots(slots):
            yield from _asked(agent, slots, path)
        case SayTemplate() | AskConfirmation():
            yield from check_text(agent, step.said, path)
        case SetValues():
            yield from _set(agent, step.does, path)
        case PushFlow(flow):
            yield from undeclared("flow", [flow], agent.flows, path)
        case UseTool():
            yield from _call(agent, step.does, step)
        case CountRound():
            yield from _rounds(agent, step.does, step)
        case WaitUntil(wait):
            yield from check_wait(agent, wait, path)


def _call(agent: Agent, call: UseTool, step: CompiledStep) -> Iterator[Finding]:
    spec = agent.toolbox.get(call.tool)
    if spec is None:
        strange = unknown("tool", call.tool, agent.toolbox, (*step.path, step.kind))
        if not agent.toolbox:
            strange = replace(strange, hint="write it in tools.py beside this file")
        yield strange
        return
    for name in call.arguments:
        path = (*step.path, "arguments", name)
        yield from undeclared(f"parameter of {call.tool}", [name], spec.parameters, path)
    given = {*call.arguments, *agent.slots, CONSENT}
    for name, required in spec.parameters.items():
        if required and name not in given:
            hint = f"a slot of that name, or `arguments: {{{name}: …}}`"
            yield Finding(step.path, f"{call.tool} needs `{name}`", hint)
    yield from undeclared("slot", call.into.values(), agent.slots, (*step.path, "into"))
    if call.attempts < 1:
        yield Finding((*step.path, "attempts"), "`attempts` is at least 1")


def _rounds(agent: Agent, rounds: CountRound, step: CompiledStep) -> Iterator[Finding]:
    yield from check_guard(agent, rounds.until, (*step.path, "until"))
    if not step.written.inner:
        yield Finding((*step.path, step.kind), f"`{step.kind}` needs steps")
    if not 1 <= rounds.at_most <= MAX_ROUNDS:
        yield Finding((*step.path, "at_most"), f"`at_most` is from 1 to {MAX_ROUNDS}")


def _asked(agent: Agent, names: tuple[str, ...], path: Path) -> Iterator[Finding]:
    if not names:
        yield Finding(path, f"`{path[-1]}` needs the name of a slot")
    yield from undeclared("slot", names, agent.slots, path)
    for name in names:
        slot = agent.slots.get(name)
        if slot and slot.found:
            hint = "do not collect it, or leave out `found`"
            yield Finding(path, f"`{name}` is found by tools", hint)
        elif slot and not slot.ask and f"ask.{name}" not in agent.templates:
            message = f"`{name}` is collected, but has no question"
            yield Finding(("slots", name), message, 'add `ask: "…"`', at_key=True)


def _set(agent: Agent, given: SetValues, path: Path) -> Iterator[Finding]:
    for name, value in given.values.items():
        yield from undeclared("slot", [name], agent.slots, (*path, name))
        slot = agent.slots.get(name)
        if slot is None or value is None:  # an unknown name is reported above, and null empties a slot
            continue
        if isinstance(accept(slot, value, country=agent.country), Invalid):
            yield Finding((*path, name), f"`{value}` is no value for a slot of type {slot.type}")
