"""The nodes of a turn: small functions from state to changes of state, named as in the seeds."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    Command,
    CorrectSlot,
    Digress,
    OfferValues,
    RejectSlot,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.decide import decide as decide_next
from hilo.dialogue.draft import Decision, continued
from hilo.dialogue.escalation import check_policies
from hilo.dialogue.events import EscalationTriggered, Event, MessageReceived, MessageUnderstood, ToolsReturned
from hilo.dialogue.session import AskedSlot, Session
from hilo.dialogue.states import DialogueState
from hilo.errors import InvalidTransition
from hilo.tools.call import answer_of, call_all
from hilo.tools.tool import ToolFailed
from hilo.turn.compose import compose
from hilo.turn.routes import is_answerable, open_calls
from hilo.turn.state import TurnContext, TurnState
from hilo.understanding.confirmations import is_plain_yes, opens_with_yes
from hilo.understanding.corrections import find_correction
from hilo.understanding.digressions import find_digression
from hilo.understanding.extraction import extract, extract_free, gives_a_value
from hilo.understanding.payloads import read_pattern, read_payload
from hilo.understanding.proposals import proposals, signals_of
from hilo.understanding.reading import read


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
    return {"commands": proposals(context.agent, state["session"], state["reading"])}


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
    return {"commands": (*state["commands"], digression)} if digression else {}


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
    text_slot = bool(target) and context.agent.slots[target].type == "text" and correction is not None
    plain = not _understood(state) and correction is None  # nothing but an answer
    read_values = extract_free if plain or text_slot else extract
    values = read_values(context.agent, state["session"], state["reading"], target)
    if correction and not any(isinstance(each, CorrectSlot) for each in values):
        values = (*values, CorrectSlot(correction.slot))
    return {"commands": (*_without_a_doubtful_yes(state, values), *values)}


def _without_a_doubtful_yes(state: TurnState, values: tuple[Command, ...]) -> tuple[Command, ...]:
    """A yes counts when it is plain, or opens a message whose rest was understood; "sí, pero más barato" is no yes."""
    rest_is_clear = bool(values) or any(isinstance(each, AskInfo) for each in state["commands"])
    if is_plain_yes(state["reading"]) or (rest_is_clear and opens_with_yes(state["reading"])):
        return state["commands"]
    return tuple(each for each in state["commands"] if not isinstance(each, Affirm))


async def validate(state: TurnState, context: TurnContext) -> TurnState:
    """Values in the form that is kept ("Juan@X.com" → "juan@x.com"); what a slot does not take stays as it is."""
    now = state["event"].at
    return {"commands": tuple([await _validated(command, context, now) for command in state["commands"]])}


async def _validated(command: Command, context: TurnContext, now: datetime) -> Command:
    if not isinstance(command, SetSlot | CorrectSlot) or not command.slot or command.value is None:
        return command
    slot = context.agent.slots[command.slot]
    result = accept(slot, command.value, country=context.agent.country)
    if not isinstance(result, Accepted):
        return command
    if not slot.valid_if:
        return type(command)(command.slot, result.value)
    return await _asked_a_tool(type(command)(command.slot, result.value), context, now)


async def _asked_a_tool(command: SetSlot | CorrectSlot, context: TurnContext, now: datetime) -> Command:
    """A tool may know the value, by another name too, know several, or none; its own failure lets the value pass."""
    tool = context.agent.slots[command.slot].valid_if
    try:
        answer = await answer_of(context.tools[tool], command.value, now=now)
    except ToolFailed as error:
        context.record.errors.append(f"{tool}: {error}")
        return command
    match answer:
        case False | None:
            return RejectSlot(command.slot, command.value or "")
        case True:
            return command
        case list() | tuple():
            return OfferValues(command.slot, tuple(map(str, answer)))
        case str() | int() | Decimal():
            return type(command)(command.slot, answer)
    context.record.errors.append(f"{tool} gave {type(answer).__name__}, not a value, a list or a yes or no")
    return command


async def execute_tools(state: TurnState, context: TurnContext) -> TurnState:
    """Run the calls that the dialogue has ordered, in parallel."""
    now = state["event"].at
    calls = open_calls(state["decision"])
    return {"event": ToolsReturned(now, await call_all(context.tools, calls, now=now, journal=context.journal))}


async def decide(state: TurnState, context: TurnContext) -> TurnState:
    """Ask the dialogue what happens next; the results of tools continue what it decided before them."""
    event = state["event"]
    if isinstance(event, ToolsReturned):
        before = state["decision"]
        return {"decision": continued(before, _decided(context, before.session, event))}
    if isinstance(event, MessageReceived):
        reading = state.get("reading")
        event = MessageUnderstood(
            at=event.at,
            commands=state.get("commands", ()),
            intent=reading.intent if reading else "",
            confidence=reading.confidence if reading else 0,
            sentiment=reading.sentiment.score if reading else 0.0,
            early=event.early,
        )
    return {"decision": _decided(context, state["session"], event)}


def _decided(context: TurnContext, session: Session, event: Event) -> Decision:
    """A change of state that the table does not allow is a bug of ours: it is recorded, and a person takes over."""
    context.record.told.append(event)
    try:
        return decide_next(context.agent, session, event)
    except InvalidTransition as error:
        context.record.errors.append(str(error))
        version = session.version - isinstance(event, ToolsReturned)  # the turn has raised it already
        rested = replace(session, state=DialogueState.IDLE, running=None, version=version)
        context.record.told[-1] = EscalationTriggered(event.at, "error", str(error))
        return decide_next(context.agent, rested, context.record.told[-1])


async def escalate(state: TurnState, context: TurnContext) -> TurnState:
    """Hand over, and tell the contact."""
    if "decision" in state:
        return {"replies": compose(context.agent, state["decision"])}
    escalation = state["escalation"]
    assert escalation is not None  # noqa: S101 -- route_after_escalation_check
    event = EscalationTriggered(state["event"].at, escalation.policy, escalation.reason)
    context.record.told.append(event)
    decision = decide_next(context.agent, state["session"], event)
    return {"decision": decision, "replies": compose(context.agent, decision)}


async def reply(state: TurnState, context: TurnContext) -> TurnState:
    """Put what the dialogue ordered into messages."""
    return {"replies": compose(context.agent, state["decision"])}


prompt_next = confirm_action = complete = generate = reply
