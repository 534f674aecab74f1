"""What is wrong with flows and their steps one by one: undeclared names, words without sense."""

import difflib

from hilo.agent.beginnings import begun_flows
from hilo.agent.checks.place import Place
from hilo.agent.checks.timers import check_wait
from hilo.agent.declaration import CONSENT
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
from hilo.agent.values import Invalid, accept

MAX_ROUNDS = 50  # a bound that no talk reaches, so that a mistake comes to an end
MAX_FLOW_STEPS = 200  # walks through a flow are searched, see `walks`


def check_flows(file: Place) -> None:
    """Flows that nothing starts, steps that name what is not there."""
    agent = file.agent
    hint = "flows: {capture: {starts: always, steps: [...]}}"
    does_something = agent.flows or agent.intents or agent.knowledge
    file.require(does_something, "an agent needs at least one flow or intent, or pages", hint)
    (file / "amends").may_name("flow", agent.amends)
    opening = [name for name, flow in agent.flows.items() if flow.starts_by_itself]
    for name in opening[1:]:
        problem = f"only one flow can start always, and `{opening[0]}` does"
        (file / "flows" / name / "starts").problem(problem)
    started = set(begun_flows(agent))
    for compiled in agent.compiled.values():
        started |= compiled.leaves_to | compiled.calls
    for name, flow in agent.flows.items():
        here = file / "flows" / name
        _flow(flow, here)
        _steps(agent.compiled[name], file)
        hint = "give it `starts:`, or call it"
        here.require(name in started, f"nothing starts the flow `{name}`", hint, at_key=True)


def _flow(flow: Flow, here: Place) -> None:
    (here / "steps").require(flow.steps, "a flow needs at least one step")
    (here / "resumes").may_name("flow", flow.resumes)
    if flow.like:
        (here / "like").like(flow.like)
    starts = here / "starts"
    starts.named("slot", *sorted(frozenset().union(*flow.starts_by_values)))
    # one example alone that looks like `always` is more likely a slip than something to say
    if len(flow.starts) == 1 and not flow.starts_by_itself:
        start = flow.starts[0]
        meant = difflib.get_close_matches(start, ["always"])
        starts.require(not meant, f"`{start}` is not known here", "did you mean `always`?")


def _steps(flow: CompiledFlow, file: Place) -> None:
    agent = file.agent
    short = len(flow.steps) <= MAX_FLOW_STEPS
    problem = f"a flow has at most {MAX_FLOW_STEPS} steps"
    (file / "flows" / flow.name / "steps").require(short, problem, "call another flow")
    named = [step.written.name for step in flow.steps if step.written.name]
    known = {*named, *agent.flows, *PLACES, *agent.modes}
    kinds = "step, flow or mode" if agent.modes else "step or flow"
    for step in flow.steps:
        here = file.at(step.path)
        _step(step, here)
        alone = named.count(step.written.name) <= 1
        (here / "name").require(alone, f"two steps are called `{step.name}`")
        for edge in step.edges:
            if edge.leads == "nowhere":
                here.unknown(kinds, edge.to, known)


def _step(step: CompiledStep, here: Place) -> None:
    """What a step does, by its instruction; most of it stands under the key of its kind."""
    main = here / step.kind
    for guard in step.asked:
        here.at(guard.path).asks(guard.text, at_key=guard.at_key)
    match step.does:
        case AskSlots(slots):
            _asked(slots, main, in_own_words=bool(step.said))
            _chosen(slots, main)
            if step.said:
                _own_question(step, slots, main / "ask")
        case SayTemplate() | AskConfirmation():
            main.says(step.said)
        case SetValues():
            _set(step.does, main)
        case PushFlow(flow):
            main.named("flow", flow)
        case UseTool():
            _call(step.does, here, main)
        case CountRound(at_most=at_most):
            main.require(step.written.inner, f"`{step.kind}` needs steps")
            bounded = 1 <= at_most <= MAX_ROUNDS
            (here / "at_most").require(bounded, f"`at_most` is from 1 to {MAX_ROUNDS}")
        case WaitUntil(wait):
            check_wait(wait, main)


def _call(call: UseTool, here: Place, main: Place) -> None:
    agent, tool = here.agent, call.tool
    spec = agent.toolbox.get(tool)
    if spec is None:
        # where there are no tools at all, a list of them would not help
        hint = "" if agent.toolbox else "write it in tools.py beside this file"
        main.unknown("tool", tool, agent.toolbox, hint)
        return
    for name in call.arguments:
        (here / "arguments" / name).named(f"parameter of {tool}", name, among=spec.parameters)
    given = {*call.arguments, *agent.slots, CONSENT}  # the engine knows who consented
    for name, required in spec.parameters.items():
        hint = f"a slot of that name, or `arguments: {{{name}: …}}`"
        here.require(name in given or not required, f"{tool} needs `{name}`", hint)
    (here / "into").named("slot", *call.into.values())
    (here / "attempts").require(call.attempts >= 1, "`attempts` is at least 1")


def _chosen(names: tuple[str, ...], main: Place) -> None:
    """A slot whose choices a tool knows is asked for by itself, when what the tool needs is known."""
    for name in names:
        slot = main.agent.slots.get(name)
        if slot and slot.choices_from:
            hint = f"write a `collect` for `{name}` alone"
            main.require(len(names) == 1, f"the choices of `{name}` come from a tool", hint)


def _own_question(step: CompiledStep, slots: tuple[str, ...], here: Place) -> None:
    """A question of a step's own is for one slot, and says something."""
    problem = "a question of a step's own is for one slot"
    here.require(len(slots) == 1, problem, "write a `collect` for each of them")
    for text in step.texts or (step.said,):
        here.says(text)


def _asked(names: tuple[str, ...], here: Place, *, in_own_words: bool) -> None:
    agent = here.agent
    here.require(names, f"`{here.key}` needs the name of a slot")
    here.named("slot", *names)
    for name in names:
        slot = agent.slots.get(name)
        if slot is None:
            continue  # reported above
        if slot.found:
            hint = "do not collect it, or leave out `found`"
            here.problem(f"`{name}` is found by tools", hint)
            continue
        question = slot.kind.is_note or slot.ask or in_own_words or f"ask.{name}" in agent.templates
        problem = f"`{name}` is collected, but has no question"
        declared = here.at(("slots", name))
        declared.require(question, problem, 'add `ask: "…"`', at_key=True)


def _set(given: SetValues, main: Place) -> None:
    agent = main.agent
    for name, value in given.values.items():
        if value is None:  # a `forget`: its names stand in a list
            main.named("slot", name)
            continue
        here = main / name
        here.named("slot", name)
        slot = agent.slots.get(name)
        if slot is None:
            continue
        taken = not isinstance(accept(slot, value, country=agent.country), Invalid)
        here.require(taken, f"`{value}` is no value for a slot of type {slot.type}")
