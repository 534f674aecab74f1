"""The nodes that only a message passes: from its reading to commands."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from types import UnionType

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import (
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    Digress,
    OfferSections,
    Quote,
    SetSlot,
    StartFlow,
    TakeNote,
)
from hilo.dialogue.draft import but, has, less, of_kind
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import AskedWhich, Session
from hilo.turn.dropped_notes import dropped_notes
from hilo.turn.state import TurnContext, TurnState, message_in
from hilo.turn.unchanged import unchanged, without_what_stays
from hilo.turn.value_nodes import extract_field, needs_model, validate, with_unanswered
from hilo.understanding.acts.trained import CONFIRMATION, NOTHING
from hilo.understanding.another import with_another
from hilo.understanding.asking_again import asked_again
from hilo.understanding.attachments import read_attachments, read_cart
from hilo.understanding.beside_values import VALUE, Commands, period_told
from hilo.understanding.cancelling import has_example
from hilo.understanding.corrections import Correction, find_correction
from hilo.understanding.digressions import find_digression
from hilo.understanding.extraction import asks_as_a_wish, gives_a_value, says_that_none_is_there
from hilo.understanding.likely_flows import flow_begun_by_values, flow_beside_an_answer
from hilo.understanding.lookups import with_quotes
from hilo.understanding.notes import with_notes
from hilo.understanding.open_question import as_it_is_heard, asked_in, waiting_in
from hilo.understanding.openings import dictated
from hilo.understanding.opt_out import wants_out
from hilo.understanding.payloads import read_pattern, read_payload
from hilo.understanding.proposals import proposals
from hilo.understanding.reading import Reading, read
from hilo.understanding.reanalysis import looked_at_again
from hilo.understanding.references import Resolved, resolved
from hilo.understanding.said_beside import calls_beside
from hilo.understanding.start_patterns import flow_by_pattern

ALREADY_MET = ("help", "bot", "why", "opens", "bye", "not_served")  # digressions that no other one is added to


def read_message(context: TurnContext, session: Session, event: MessageReceived) -> Reading:
    """What a message says where a session stands, with what its words refer to."""
    # "Tomorrow" is the day after it was written, even if the message reached us later.
    written = event.written or event.at
    waiting = "" if event.payload else waiting_in(context.agent, session)
    number = context.contact.phone if context.contact else ""
    said = Resolved(event.text) if event.payload else resolved(context.agent, session, asked_again(event.text))
    context.record.references = list(said.references)
    asked = asked_in(context.agent, session)
    read_part = partial(read, context.understander, at=written, waiting=waiting, asked=asked, own_number=number)
    reading = with_another(context.agent, session, read_part(said.text), read_part)
    if waiting in (CONFIRMATION, NOTHING) or isinstance(session.pending, AskedWhich):
        reading = without_what_stays(context.agent, session, reading, read_part)
    return replace(reading, refers_to=said.references[-1][1]) if said.references else reading


async def understand(state: TurnState, context: TurnContext) -> TurnState:
    """What the message does, by exact signals or by its acts and intent."""
    agent, session, message = context.agent, state["session"], message_in(state)
    exact = read_payload(message.payload, agent) or read_pattern(message.text, agent, session)
    if exact:
        return {"commands": (exact,)}
    sent = (*read_attachments(agent, session, message.attachments), *read_cart(agent, message.order))
    if sent and not message.text.strip():
        return {"commands": sent}
    if dropped := dropped_notes(agent, session, state["reading"]):
        return {"reading": replace(state["reading"].about_nothing(), left="as it is"), "commands": (*sent, *dropped)}
    if state["reading"].left:
        return {"commands": (*sent, *unchanged(agent, session, state["reading"]))}
    session = as_it_is_heard(agent, session, state["reading"])
    sure = looked_at_again(agent, session, state["reading"])
    reading = replace(state["reading"], confidence=sure)
    proposed = wants_out(agent, session, reading) or flow_by_pattern(agent, session, reading)
    proposed = proposed or proposals(agent, session, reading)
    proposed = calls_beside(agent, session, reading, proposed)
    proposed = with_notes(agent, session, reading, proposed)
    is_named = reading.is_only("cancel") and any(_is_named(agent, each, reading) for each in proposed)
    if is_named or (dictated(agent, reading.text.folded) and not reading.meant):
        reading = replace(reading, confidence=100)
    if context.understander.knowledge:
        proposed, context.record.lookups = with_quotes(
            context.understander.knowledge, agent, session, reading, proposed
        )
    proposed = with_unanswered(context, session, reading, proposed)
    if CancelFlow() in proposed and session.is_idle and not reading.meant and len(agent.undoing) == 1:
        reading = replace(reading, meant=agent.undoing)  # what is to be undone may be named: "anulen el DEMO22"
    begun = "" if but(proposed, OfferSections) else flow_begun_by_values(agent, session, reading)
    if begun:
        reading, proposed = replace(reading, meant=(begun,)), (StartFlow(begun),)
    elif is_answered(agent, proposed) and (likely := flow_beside_an_answer(agent, session, reading)):
        reading, proposed = replace(reading, meant=(*reading.meant, likely)), (StartFlow(likely), *proposed)
    return {"reading": reading, "commands": (*sent, *proposed, *reading.also)}


def is_answered(agent: Agent, commands: Commands) -> bool:
    """Whether a message is but asked something, and hears it: nothing begins or changes by it."""
    answers = all(isinstance(each, AskInfo | CallTool) for each in commands)
    return bool(commands) and answers and not writes(agent, commands)


def _is_named(agent: Agent, command: Command, reading: Reading) -> bool:
    """Whether a flow is meant by its very words, however sure its intent is: "dejá, cancelá todo, que salimos"."""
    return isinstance(command, StartFlow) and has_example(agent.flows[command.flow], reading)


def is_all_understood(state: TurnState) -> bool:
    """A pressed button, or an answer that fits its pattern, needs no further reading."""
    commands = state.get("commands", ())
    # Only a pattern, or a node of the agent's own, can have given a value by now.
    return has(commands, VALUE) or bool(commands and message_in(state).needs_no_reading)


async def check_correction(state: TurnState, context: TurnContext) -> TurnState:
    """Whether an earlier answer is being corrected, and which."""
    session = as_it_is_heard(context.agent, state["session"], state["reading"])
    correction = find_correction(context.agent, session, state["reading"])
    if correction == Correction() and (writes(context.agent, state["commands"]) or has(state["commands"], TakeNote)):
        correction = None  # "sí, pero pago con débito" says itself what is to be otherwise
    if correction is None or not session.stack:
        return {"correction": correction}
    # "Cambia la fecha" in a flow is no wish for another flow, and "la hora está mal" asks nothing about hours.
    meant_otherwise = StartFlow if state["reading"].has("question") else StartFlow | AskInfo
    kept = but(state["commands"], meant_otherwise)
    return {"correction": correction, "commands": kept}


def writes(agent: Agent, commands: Iterable[Command]) -> bool:
    """Whether a call among the commands changes something."""
    return any(agent.writes(each.tool) for each in of_kind(commands, CallTool))


async def check_off_topic(state: TurnState, context: TurnContext) -> TurnState:
    """Whether the message is about something else."""
    reading, commands = state["reading"], state["commands"]
    session = as_it_is_heard(context.agent, state["session"], reading)

    def relevant() -> bool:
        agent, asked = context.agent, session.asked_slot
        understood = but(commands, Digress) or period_told(agent, session, reading, commands)
        if understood or says_that_none_is_there(agent, session, reading):
            return True
        return asks_as_a_wish(agent, asked, reading) or gives_a_value(agent, session, reading, asked)

    kinds = {each.kind for each in of_kind(commands, Digress)}
    is_answered = has(commands, Quote | OfferSections | AskInfo) or not kinds.isdisjoint(ALREADY_MET)
    is_answered = is_answered or (has(commands, TakeNote) and "?" not in reading.text.raw)
    if not is_answered and (digression := find_digression(session, reading, relevant=relevant)):
        if digression.kind == "thanks":
            commands = less(commands, Digress("aside"))  # one word back is enough
        commands = (*commands, digression)
    return {"commands": commands, "needs_model": needs_model(state, context, commands)}


def may_give_values(state: TurnState) -> bool:
    """What is off the subject has no value to extract; the beginning of a long message may have one."""
    commands = state.get("commands", ())
    # what begins a flow may tell what it needs, whatever else is not ours: "una boda en Cali, ¿y hoteles?"
    return has(commands, StartFlow) or set(of_kind(commands, Digress)) <= {Digress("too_long"), Digress("not_served")}


async def heard_alone(state: TurnState, context: TurnContext) -> Commands:
    """What a reading proposes where the session stands; no model is asked."""
    for node in (understand, check_correction, extract_field):
        state = {**state, **await node(state, context)}
    return state["commands"]


async def given_values(
    state: TurnState,
    context: TurnContext,
    also: type | UnionType = SetSlot,
) -> Commands:
    """The values that a message gives, whatever else it means, and what `also` counts.

    No model is asked, and no free text is taken.
    """
    commands = await heard_alone(state, context)
    checked = await validate({**state, "commands": commands}, context)
    slots = context.agent.slots
    heard: list[Command] = []
    for each in checked["commands"]:
        if isinstance(each, SetSlot):
            if each.slot in slots and not slots[each.slot].kind.is_free:
                heard.append(each)
        elif isinstance(each, also):
            heard.append(each)
    return tuple(heard)
