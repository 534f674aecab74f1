"""The values of a message as commands, and what else of it counts beside them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import Any

from hilo.agent.declaration import Agent, Bands
from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    OfferSections,
    OfferValues,
    Quote,
    RejectSlot,
    SetSlot,
    StartFlow,
    SuggestSlot,
    TakeNote,
)
from hilo.dialogue.draft import but, has, less, of_kind
from hilo.dialogue.session import AskedYes, Session
from hilo.tools.call import answer_of
from hilo.tools.tool import ToolFailed
from hilo.turn.answers_ahead import answers_ahead, completed_name
from hilo.turn.state import TurnContext, TurnState
from hilo.understanding.acts.consent import is_taken_back
from hilo.understanding.assignment import Weighed
from hilo.understanding.beside_values import (
    VALUE,
    Commands,
    fills_what_it_means,
    meant_beside,
    only_tells,
    passed_over,
    period_told,
    tells,
    what_is_told,
    without_a_mere_choice,
)
from hilo.understanding.confirmations import says_yes_and_then_asks
from hilo.understanding.corrections import Correction
from hilo.understanding.extraction import (
    extract,
    extract_free,
    weigh,
    weigh_free,
)
from hilo.understanding.follow_ups import taken_along
from hilo.understanding.likely_flows import values_of_likely_flow
from hilo.understanding.not_ours import not_served
from hilo.understanding.notes import without_notes
from hilo.understanding.only_values import started_by_values
from hilo.understanding.open_question import as_it_is_heard
from hilo.understanding.put_right import PutRight
from hilo.understanding.reading import Reading
from hilo.understanding.regions import with_regions
from hilo.understanding.signals import REACHED
from hilo.understanding.unanswered import left_unanswered


def needs_model(state: TurnState, context: TurnContext, commands: Commands) -> bool:
    """Whether there is a model to ask, and the message was not read well enough to do without."""
    asking, agent, reading = context.asking, context.agent, state["reading"]
    if (asking is None or agent.asks_by == "off") and not agent.asks_own_node:
        return False
    if has(commands, Quote):
        return asking is not None and agent.grounded != "strict"  # to word what the pages say
    unsure = not commands or Digress("off_topic") in commands or has(commands, OfferSections)
    if unsure or (asking and asking.always):
        return True
    values = of_kind(commands, VALUE)
    if not all(is_good(context, each) for each in values):
        return True
    if has(commands, StartFlow | AskInfo | CallTool):
        return reading.confidence < (agent.confidence or Bands()).proceed
    # Beside a value, a question is something that we have no answer to.
    return bool(values) and reading.asks


def with_unanswered(
    context: TurnContext,
    session: Session,
    reading: Reading,
    proposed: Commands,
) -> Commands:
    """The commands, with what nothing among them answers, or nobody here does; a model may know more."""
    if context.asking is not None or context.agent.asks_own_node:
        return proposed
    if not proposed:
        return not_served(context.agent, session, reading, context.understander.intents)
    return (*proposed, *left_unanswered(context.agent, session, reading, proposed, context.record.lookups))


def tells_who(agent: Agent, given: Command) -> bool:
    """Whether a value is a name, a phone or a mail address."""
    slot = agent.slots.get(given.slot) if isinstance(given, SetSlot | CorrectSlot) else None
    return slot is not None and (slot.kind.names_person or slot.type in REACHED)


async def extract_field(state: TurnState, context: TurnContext) -> TurnState:
    """Values for the slot that is corrected or was asked, and for any other slot in the same message."""
    agent, reading = context.agent, state["reading"]
    session = as_it_is_heard(agent, state["session"], reading)
    found = state.get("correction")
    correction, proposed = found or Correction(), state["commands"]
    if correction.right:
        return _with_right(state, context, correction.right)
    reading = without_notes(reading, of_kind(proposed, TakeNote))
    target = correction.slot or session.slot_in_question
    is_left = bool(reading.text.folded.strip(" ,.;"))  # of what is no note
    is_elsewhere = Digress("not_served") in proposed
    plain = found is None and is_left and not is_elsewhere and not but(proposed, Digress | TakeNote)  # only an answer
    new_text = found is not None and target in agent.slots and agent.slots[target].kind.is_free
    weighing, extracting = (weigh_free, extract_free) if plain or new_text else (weigh, extract)
    weighed = weighing(agent, session, reading, target)
    values = extracting(agent, session, reading, target)
    ahead = answers_ahead(agent, session, reading, tuple(weighed.taken.values()))
    values = (*values, *(SetSlot(each.slot, each.found.value) for each in ahead))
    completed = completed_name(agent, session, reading, (*weighed.taken.values(), *ahead))
    if completed and (plain or weighed.taken):
        kept = {*weighed.taken, *(each.slot for each in ahead)}
        values = (*(each for each in values if getattr(each, "slot", "") in kept), completed)
    if is_elsewhere:  # a hotel in Lima is no destination, but who somebody is holds all the same
        values = tuple(each for each in values if tells_who(agent, each))
    context.record.values = replace(weighed, taken={**weighed.taken, **{each.slot: each for each in ahead}}).weighed()
    if plain:
        if values == (SetSlot(target, ""),) and tells(reading):
            heard = Digress(what_is_told(agent, session, reading))
            return {"commands": (*proposed, heard), "needs_model": context.asking is not None}
        values = max(values, values_of_likely_flow(agent, session, reading), key=len)
    elif found and not has(values, CorrectSlot) and not fills_what_it_means(reading, correction, values):
        values = (*values, CorrectSlot(correction.slot))
    given = {each.slot: each.value for each in of_kind(values, SetSlot)}
    if plain:
        proposed = (*started_by_values(agent, session, reading, given), *proposed)
    period = period_told(agent, session, reading, proposed)
    if period:  # "la semana que viene" is no bad answer
        values = tuple(each for each in values if not isinstance(each, VALUE) or is_good(context, each))
    takes_back = is_taken_back(state["reading"].text) and not says_yes_and_then_asks(reading)
    if isinstance(session.pending, AskedYes) and has(proposed, Affirm) and takes_back:
        proposed = but(proposed, Affirm) or (Digress("later"),)
    proposed = meant_beside(agent, session, reading, proposed, values, asked=target, given=given)
    passed = passed_over(agent, session, reading, target, values)
    values = less(values, *(SetSlot(each.slot, "") for each in passed))
    along = taken_along(agent, session, (*proposed, *values))
    commands = (*proposed, *values, *along, *period, *passed)
    commands = with_unanswered(context, session, reading, commands)
    return {"commands": commands, "needs_model": needs_model(state, context, commands)}


def _with_right(state: TurnState, context: TurnContext, right: PutRight) -> TurnState:
    """What a value alone puts right; what is only asked, or may be for two slots, is asked about."""
    text, slots = state["reading"].text, state["session"].slots
    proposed = state["commands"]
    values: list[Command] = []
    if right.sure and not right.which:
        values += [CorrectSlot(slot, value) if slot in slots else SetSlot(slot, value) for slot, value in right.values]
    else:
        # A yes or a no beside it is not to what was asked before.
        proposed = but(proposed, Affirm | Deny | Digress)
        values.append(SuggestSlot(right.slots, right.values[0][1]))
    rule = "it puts right what was given" if right.sure else "it may put right what was given"
    span = text.span(*right.span)
    context.record.values = tuple(Weighed(slot, str(value), *span, rule) for slot, value in right.values)
    session, reading = state["session"], state["reading"]
    if right.sure and not reading.surely_means:
        # "¿antes de las 10 puede ser?" is told by its value, not asked; nor does "no, mejor uno solo" want nothing
        proposed = but(tuple(each for each in proposed if not only_tells(context.agent, each)), StartFlow)
    commands = (*without_a_mere_choice(context.agent, session, reading, proposed, tuple(values)), *values)
    return {"commands": commands, "needs_model": needs_model(state, context, commands)}


# --- whether a value will do --------------------------------------------------------------------------


def is_good(context: TurnContext, command: VALUE) -> bool:
    """Whether the slot takes the value."""
    if command.value is None:
        return isinstance(command, CorrectSlot)  # the value comes next
    taken = accept(context.agent.slots[command.slot], command.value, country=context.agent.country)
    return isinstance(taken, Accepted)


async def validate(state: TurnState, context: TurnContext) -> TurnState:
    """Values in the form that is kept ("Juan@X.com" → "juan@x.com"): by their types, and by tools that know them."""
    commands = with_regions(context.agent, state["session"], state["commands"])
    checked = await validated(context, commands, at=state["event"].at, known=state["session"].slots)
    # What would begin counts only where nothing is under way.
    flows = state["session"].flows or [each.flow for each in of_kind(checked, StartFlow)]
    if flows and has(checked, RejectSlot):
        # A value that no tool knows, for a slot that nothing under way asks for, was never meant for it.
        collected = set(chain.from_iterable(map(context.agent.collected_by, flows)))
        strays = [each for each in of_kind(checked, RejectSlot) if each.slot not in collected]
        checked = less(checked, *strays)
    return {"commands": checked}


async def validated(
    context: TurnContext, commands: Commands, *, at: datetime, known: Mapping[str, Any] | None = None
) -> Commands:
    """The commands with their values checked, beside what is `known` and what else the message gives."""
    checked, slots = list(commands), context.agent.slots
    given = {each.slot: each.value for each in of_kind(commands, VALUE) if each.value not in (None, "")}
    beside = {**(known or {}), **given}
    for place, command in enumerate(commands):
        if isinstance(command, SuggestSlot):
            checked[place] = await _suggested(command, context, at, beside)
        if not isinstance(command, VALUE) or command.value is None or command.slot not in slots:
            continue
        slot = slots[command.slot]
        result = accept(slot, command.value, country=context.agent.country)
        # What the slot does not take stays as it is, for the dialogue to refuse.
        if isinstance(result, Accepted):
            keep, stored = slot.kind.keep, (known or {}).get(command.slot)
            same = keep and stored is not None and isinstance(command, CorrectSlot)
            kept = type(command)(command.slot, keep(str(stored), str(result.value)) if keep and same else result.value)
            checked[place] = await _asked_a_tool(kept, context, at, beside) if slot.valid_if else kept
    return tuple(checked)


async def _suggested(command: SuggestSlot, context: TurnContext, at: datetime, beside: Mapping[str, Any]) -> Command:
    """A value that may be meant, by the name under which a tool knows it: a yes to it must keep nothing else."""
    slot = context.agent.slots.get(command.slots[0])
    if slot is None or not slot.valid_if:
        return command
    known = await _asked_a_tool(CorrectSlot(command.slots[0], command.value), context, at, beside)
    if isinstance(known, CorrectSlot) and known.value is not None:
        return SuggestSlot(command.slots, known.value)
    return known


async def _asked_a_tool(command: VALUE, context: TurnContext, at: datetime, beside: Mapping[str, Any]) -> Command:
    """A tool may know the value, by another name too, know several, or none, and tell why.

    Its own failure lets the value pass.
    """
    tool, now = context.agent.slots[command.slot].valid_if, at.astimezone(context.understander.zone)
    try:
        others = {name: value for name, value in beside.items() if name != command.slot}
        answer = await answer_of(context.tools[tool], command.value, now=now, given=context.given, beside=others)
    except ToolFailed as error:
        if error.tell:
            return RejectSlot(command.slot, command.value or "", error.tell)
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
    given = type(answer).__name__
    context.record.errors.append(f"{tool} gave {given}, not a value, a list or a yes or no")
    return command
