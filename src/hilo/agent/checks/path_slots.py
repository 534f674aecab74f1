"""What flows take for granted of slots: guards that say nothing, slots that are used before they can be filled."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from hilo.agent.checks.guard_sense import tests_emptiness
from hilo.agent.checks.place import Finding
from hilo.agent.checks.walks import (
    Facts,
    View,
    Walk,
    at,
    blindly,
    empty,
    filled,
    leads_to,
    nowhere,
    path_hint,
    reached,
    sensibly,
    shortest,
    shown,
    surely_filled,
)
from hilo.agent.declaration import Agent, Slot
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge, Guard
from hilo.agent.guards import names_in
from hilo.agent.instructions import UseTool
from hilo.agent.templates import Template
from hilo.agent.texts import BUILT_IN, PLACEHOLDER, placeholders, words_for

# --- guards that say nothing ------------------------------------------------------------------------------


def guard_findings(view: View, flow: CompiledFlow) -> Iterator[Finding]:
    """Guards that can never hold, or that always do."""
    for name, walk in reached(flow).items():
        for guard in flow[name].asked:
            if not names_in(guard.text):
                continue  # one without slots is meant to hold always, or never
            found = _senseless(view, flow, name, guard=guard)
            if found:
                hint = path_hint(found.hint, shown(walk, flow[name]))
                yield replace(found, path=guard.path, hint=hint, at_key=guard.at_key)


def _senseless(view: View, flow: CompiledFlow, step: str, *, guard: Guard) -> Finding | None:
    if not view.possible(frozenset({(guard.text, True)})):
        return Finding((), f"`{guard.text}` can never hold", _kinds(view.agent, guard.text))
    if not view.fits(frozenset(guard.known), ((guard.text, True),)):
        return Finding((), f"`{guard.text}` can never hold here", "a guard before it takes all that it could")
    known = {(guard.text, False)}
    for slot in names_in(guard.text):
        # a guard that asks whether a slot is filled is not held against the paths that fill it
        if not tests_emptiness(guard.text, slot) and not _may_be_empty(view, flow, step, slot=slot):
            known.add(filled(slot))
    if not view.possible(frozenset(known)):
        return Finding((), f"`{guard.text}` always holds", _kinds(view.agent, guard.text))
    return None


def _may_be_empty(view: View, flow: CompiledFlow, step: str, *, slot: str) -> bool:
    """Whether a path from the start, or from where the slot is emptied, leads here and does not fill the slot."""

    def fills(at: CompiledStep, edge: Edge) -> bool:
        return slot in surely_filled(view.agent, at, edge)

    emptying = [edge.to for edge in flow.edges if slot in edge.empties and edge.leads == "step"]
    starts = [flow.steps[0].name, *emptying]
    return any(leads_to(flow, step, start=start, avoid=fills) for start in starts)


def _kinds(agent: Agent, guard: str) -> str:
    return ", ".join(f"`{name}` is {_kind(agent.slots[name])}" for name in sorted(names_in(guard)))


def _kind(slot: Slot) -> str:
    match slot.kind.sort:
        case "choice":
            return f"one of {', '.join(slot.choices)}"
        case "boolean":
            return "true or false"
        case "number":
            return _number(slot)
        case "text":
            return "a text"


def _number(slot: Slot) -> str:
    words = "a number"
    if slot.min is not None:
        words += f" from {slot.min}"
    if slot.max is not None:
        words += f" up to {slot.max}"
    return words


# --- slots that are used before they can be filled ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Use:
    """Where a slot is needed. A text or a call needs it on every path, a guard only on some."""

    slot: str
    step: CompiledStep
    in_guard: bool = False


def use_findings(view: View) -> Iterator[Finding]:
    """Slots that nothing fills, and slots that the opening flow uses too early. An author's node may fill any slot."""
    if view.agent.nodes:
        return  # which slots it fills is known to its author only
    fillers = _fillers(view)
    for flow in view.flows.values():
        # One problem a slot is enough: the first one is the cause of the others.
        told: set[str] = set()
        for use in _all_uses(view, flow):
            if use.slot in told:
                continue
            found = _too_early(view, flow, use, fillers=fillers)
            if found:
                told.add(use.slot)
                yield found


def _all_uses(view: View, flow: CompiledFlow) -> Iterator[_Use]:
    for name in reached(flow):
        yield from _uses(view, flow[name])


def _fillers(view: View) -> Mapping[str, set[str]]:
    """The flows that fill each slot.

    Tools fill those to be found, examples with a slot in them fill it too, and so do the lists of campaigns.
    """
    agent = view.agent
    anywhere = {name for name, slot in agent.slots.items() if slot.found}
    said = [flow.starts for flow in agent.flows.values()]
    said += [intent.examples for intent in agent.intents.values()]
    for text in chain.from_iterable(said):
        anywhere.update(PLACEHOLDER.findall(text))
    for campaign in agent.campaigns.values():
        template = agent.templates.get(campaign.template)
        anywhere.update(campaign.into.values() or (placeholders(template) if template else ()))
    fillers: dict[str, set[str]] = {name: {""} for name in anywhere}
    for step in agent.all_steps:  # all flows are sound where this is asked
        for slot in step.does.fills:
            fillers.setdefault(slot, set()).add(step.flow)
    return fillers


def _too_early(
    view: View,
    flow: CompiledFlow,
    use: _Use,
    *,
    fillers: Mapping[str, set[str]],
) -> Finding | None:
    if use.slot not in fillers:
        steps = shown(reached(flow)[use.step.name], use.step)
        return Finding(use.step.path, f"no step fills `{use.slot}`", path_hint("collect or set it before", steps))
    if not view.agent.flows[flow.name].starts_by_itself or fillers[use.slot] != {flow.name}:
        return None  # another flow may have filled it
    walk = _walk_in_vain(view, flow, use)
    if walk is None:
        return None
    hint = path_hint("collect or set it before", shown(walk, use.step))
    return Finding(use.step.path, f"`{use.slot}` is used before it is collected", hint)


def _walk_in_vain(view: View, flow: CompiledFlow, use: _Use) -> Walk | None:
    """A path to a use that leaves the slot empty; to a guard, only where no path at all fills it before."""
    here = use.step.name
    vain = () if use.in_guard else (*use.step.edges[0].facts, empty(use.slot))

    def fills(_step: CompiledStep, edge: Edge) -> bool:
        return use.slot in edge.fills

    def is_there(step: str, facts: Facts) -> bool:
        return step == here and view.fits(facts, vain)

    # the blind search is cheap, and most often there is no such path
    if shortest(flow, at(here), learn=blindly(fills)) is None:
        return None
    filling = [step.name for step in flow.steps if use.slot in step.does.fills]
    if use.in_guard and any(leads_to(flow, here, start=each, avoid=nowhere) for each in filling):
        return None
    return shortest(flow, is_there, learn=sensibly(view, fills))


def _uses(view: View, step: CompiledStep) -> Iterator[_Use]:
    """What a step takes for granted. What is optional may be empty in a guard or a text, and the author knows."""
    required = {name for name, slot in view.agent.slots.items() if slot.always_given}
    for guard in step.asked:
        for name in sorted(names_in(guard.text) & required):
            if _takes_for_granted(view, guard.text, name):
                yield _Use(name, step, in_guard=True)
    for name in sorted(_spoken_of(view.agent, step) & required):
        yield _Use(name, step)
    if call := view.agent.step_tool(step.does):
        for name in _arguments(view.agent, call):
            yield _Use(name, step)


def _takes_for_granted(view: View, guard: str, slot: str) -> bool:
    """Whether a guard can only hold if a slot is filled, and does not ask for that."""
    return not tests_emptiness(guard, slot) and not view.possible(frozenset({(guard, True), empty(slot)}))


def _spoken_of(agent: Agent, step: CompiledStep) -> set[str]:
    """The names in what a step says: a text, or the template of that name."""
    if step.texts:
        return placeholders(Template(text="\n".join(step.texts))) - BUILT_IN
    template = words_for(agent, step.said)
    return placeholders(template) - BUILT_IN if template else set()


def _arguments(agent: Agent, call: UseTool) -> list[str]:
    """The slots that a tool cannot do without."""
    if call.tool not in agent.toolbox:
        return []
    said = [str(call.arguments.get(name, name)) for name in agent.toolbox[call.tool].needed]
    return [name for name in said if name in agent.slots]
