"""The nodes of a turn: small functions from state to changes of state, named as in the seeds."""

from dataclasses import replace

from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CancelFlow,
    Command,
    CorrectSlot,
    Digress,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.decide import MID_TURN
from hilo.dialogue.decide import decide as decide_next
from hilo.dialogue.draft import Decision, continued
from hilo.dialogue.effects import Question, Say
from hilo.dialogue.escalation import check_policies
from hilo.dialogue.events import (
    EscalationTriggered,
    Event,
    MessageReceived,
    MessageUnderstood,
    ModelAnswered,
    Summarised,
    ToolsReturned,
)
from hilo.dialogue.session import AskedSlot
from hilo.tools.call import call_all
from hilo.turn.compose import compose
from hilo.turn.model_nodes import is_sure
from hilo.turn.model_requests.router import Routed
from hilo.turn.rewording import repeated, reworded
from hilo.turn.routes import is_answerable, open_calls
from hilo.turn.state import TurnContext, TurnState
from hilo.turn.validating import here, validated
from hilo.understanding.confirmations import is_plain_yes, opens_with_yes
from hilo.understanding.corrections import find_correction
from hilo.understanding.digressions import find_digression
from hilo.understanding.extraction import extract, extract_free, gives_a_value
from hilo.understanding.payloads import read_pattern, read_payload
from hilo.understanding.proposals import proposals, signals_of, started_by_values
from hilo.understanding.reading import read
from hilo.understanding.reanalysis import looked_at_again
from hilo.understanding.regions import with_regions

LOOPED = Routed("", 100)  # a model that acts through tools names no intent; our own doubts are not about its proposals


def _message(state: TurnState) -> MessageReceived:
    event = state["event"]
    assert isinstance(event, MessageReceived)  # noqa: S101 -- is_answerable lets no other event come here
    return event


async def check_escalation(state: TurnState, context: TurnContext) -> TurnState:
    """Ask the agent's policies whether a person must take over."""
    if not is_answerable(state):
        return {}
    message = _message(state)
    reading = read(context.understander, message.text, at=message.written or message.at)
    signals = signals_of(context.agent, state["session"], reading, at=message.at)
    return {"reading": reading, "escalation": check_policies(context.agent, state["session"], signals)}


async def understand(state: TurnState, context: TurnContext) -> TurnState:
    """What the message does, by exact signals or by its acts and intent."""
    message = _message(state)
    exact = read_payload(message.payload, context.agent) or read_pattern(message.text, context.agent, state["session"])
    if exact:
        return {"commands": (exact,)}
    reading = state["reading"]
    sure = looked_at_again(context.agent, state["session"], reading)
    reading = reading if sure == reading.confidence else replace(reading, confidence=sure)
    model = context.agent.asks_by if context.asking else "off"
    return {"reading": reading, "commands": proposals(context.agent, state["session"], reading), "model": model}


async def check_correction(state: TurnState, context: TurnContext) -> TurnState:
    """Whether an earlier answer is being corrected, and which; "cambia la fecha" in a flow is no wish for another."""
    correction = find_correction(context.agent, state["session"], state["reading"])
    if correction is None or not state["session"].stack:
        return {"correction": correction}
    kept = tuple(each for each in state["commands"] if not isinstance(each, StartFlow))
    return {"correction": correction, "commands": kept}


async def check_off_topic(state: TurnState, context: TurnContext) -> TurnState:
    """Whether the message is about something else."""
    session, reading = state["session"], state["reading"]

    def relevant() -> bool:
        return bool(_understood(state)) or gives_a_value(context.agent, session, reading, _target(state))

    digression = find_digression(session, reading, relevant=relevant)
    commands = (*state["commands"], digression) if digression else state["commands"]
    return {"commands": commands, "sure": is_sure(context, reading, commands)}


def _understood(state: TurnState) -> list[Command]:
    return [command for command in state["commands"] if not isinstance(command, Digress)]


def _target(state: TurnState) -> str:
    """The slot that a value is looked for: the one being corrected, or the one that was asked."""
    correction, pending = state.get("correction"), state["session"].pending
    if correction and correction.slot:
        return correction.slot
    return pending.slot if isinstance(pending, AskedSlot) else ""


async def extract_field(state: TurnState, context: TurnContext) -> TurnState:
    """Values for the target slot and for any other slot in the same message."""
    correction, target = state.get("correction"), _target(state)
    text_slot = bool(target) and context.agent.slots[target].kind.is_free and correction is not None
    plain = not _understood(state) and correction is None  # nothing but an answer
    read_values = extract_free if plain or text_slot else extract
    values = read_values(context.agent, state["session"], state["reading"], target)
    if correction and not any(isinstance(each, CorrectSlot) for each in values):
        values = (*values, CorrectSlot(correction.slot))
    given = {each.slot: each.value for each in values if isinstance(each, SetSlot)}
    started = started_by_values(context.agent, state["session"], state["reading"], given) if plain else ()
    commands = (*started, *_without_a_mere_choice(state, context, values), *values)
    if {each.slot for each in values if isinstance(each, CorrectSlot)} & set(state["session"].written):
        commands = tuple(each for each in commands if each != StartFlow(context.agent.amends))  # the correction does it
    return {"commands": commands, "sure": is_sure(context, state["reading"], commands)}


def _without_a_mere_choice(state: TurnState, context: TurnContext, values: tuple[Command, ...]) -> tuple[Command, ...]:
    """What the flow under way takes ("quiero la de tres", "vivo en Cali") is no wish for another that takes it too."""
    kept, stack, agent = _without_a_doubtful_yes(state, values), state["session"].stack, context.agent
    given = {each.slot for each in values if isinstance(each, SetSlot | CorrectSlot) and each.slot}
    taken = given & set(agent.flows[stack[-1].flow].collects) if stack else set()
    if any(agent.slots[slot].kind.sort == "choice" for slot in taken):
        return tuple(each for each in kept if not isinstance(each, StartFlow))
    takes_it_too = [StartFlow(name) for name, flow in agent.flows.items() if taken & set(flow.collects)]
    return tuple(each for each in kept if each not in takes_it_too)


def _without_a_doubtful_yes(state: TurnState, values: tuple[Command, ...]) -> tuple[Command, ...]:
    """A yes counts when it is plain, or opens a message whose rest was understood; "sí, pero más barato" is no yes."""
    rest_is_clear = bool(values) or any(isinstance(each, AskInfo) for each in state["commands"])
    repeated = state["reading"].is_only("cancel") and CancelFlow() not in state["commands"]  # "sí, cancélelo"
    if is_plain_yes(state["reading"]) or repeated or (rest_is_clear and opens_with_yes(state["reading"])):
        return state["commands"]
    return tuple(each for each in state["commands"] if not isinstance(each, Affirm))


async def validate(state: TurnState, context: TurnContext) -> TurnState:
    """Values in the form that is kept ("Juan@X.com" → "juan@x.com"); what a slot does not take stays as it is."""
    commands = with_regions(context.agent, state["session"], state["commands"])
    return {"commands": await validated(context, commands, at=state["event"].at)}


async def execute_tools(state: TurnState, context: TurnContext) -> TurnState:
    """Run the calls that the dialogue has ordered, in parallel."""
    at, calls = state["event"].at, open_calls(state["decision"])
    now = here(context, at)
    results = await call_all(context.tools, calls, now=now, journal=context.journal, given=context.given)
    return {"event": ToolsReturned(at, results), "results": (*state.get("results", ()), *results)}


async def decide(state: TurnState, context: TurnContext) -> TurnState:
    """Ask the dialogue what happens next; the results of tools continue what it decided before them."""
    event = state["event"]
    if isinstance(event, MID_TURN):
        before = state["decision"]
        if isinstance(event, ModelAnswered):
            event = replace(event, spoken=any(isinstance(effect, Say | Question) for effect in before.effects))
        return {"decision": continued(before, await _decided_anew(context, before, event))}
    if isinstance(event, MessageReceived):
        event = _understood_message(state, event)
    decision = await _decided_anew(context, Decision(state["session"]), event)
    if kept := state.get("summary"):
        decision = continued(decision, _decided(context, decision, Summarised(event.at, *kept)))
    return {"decision": decision}


def _understood_message(state: TurnState, message: MessageReceived) -> MessageUnderstood:
    """What the dialogue is told of a message: the model's word on its intent where it was asked, else our own."""
    reading = state.get("reading")
    meant = LOOPED if state.get("round") else state.get("routed") or reading
    return MessageUnderstood(
        at=message.at,
        commands=state.get("commands", ()),
        intent=meant.intent if meant else "",
        confidence=meant.confidence if meant else 0,
        alternatives=meant.alternatives if meant else (),
        sentiment=reading.sentiment.score if reading else 0.0,
        early=message.early,
        floor=state.get("floor", False),
    )


async def _decided_anew(context: TurnContext, before: Decision, event: Event) -> Decision:
    """The decision; where it lacked words and a model gives some, the one that it makes with them."""
    decision = _decided(context, before, event)
    if not decision.exhausted:
        return decision
    found = await reworded(context, before, event, decision) or repeated(context, before, event, decision)
    if not found:
        return decision
    context.record.told.pop()
    for each in found:
        before = _decided(context, before, each)
    return _decided(context, before, event)


def _decided(context: TurnContext, before: Decision, event: Event) -> Decision:
    """What the dialogue decides, and that it was told: enough to decide again."""
    context.record.told.append(event)
    return decide_next(context.agent, before.session, event, before.progress)


async def escalate(state: TurnState, context: TurnContext) -> TurnState:
    """Hand off, and tell the contact."""
    if "decision" in state:
        return {"replies": compose(context.agent, state["decision"])}
    escalation = state["escalation"]
    assert escalation is not None  # noqa: S101 -- route_after_escalation_check
    reading = state.get("reading")
    sentiment = reading.sentiment.score if reading else 0.0
    event = EscalationTriggered(state["event"].at, escalation.policy, escalation.reason, sentiment)
    context.record.told.append(event)
    decision = decide_next(context.agent, state["session"], event)
    return {"decision": decision, "replies": compose(context.agent, decision)}


async def reply(state: TurnState, context: TurnContext) -> TurnState:
    """Put what the dialogue ordered into messages."""
    return {"replies": compose(context.agent, state["decision"])}


prompt_next = confirm_action = complete = generate = reply
