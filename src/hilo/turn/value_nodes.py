"""The values of a message as commands, and what else of it counts beside them."""

from collections.abc import Container, Iterable, Mapping
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
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    DigressionKind,
    OfferSections,
    OfferValues,
    Quote,
    RejectSlot,
    SetSlot,
    SkipSlot,
    StartFlow,
    SuggestSlot,
    TakeNote,
)
from hilo.dialogue.draft import but, has, of_kind
from hilo.dialogue.session import AskedYes, Session
from hilo.recognisers.normalise import words
from hilo.recognisers.phrases import word_set
from hilo.tools.call import answer_of
from hilo.tools.tool import ToolFailed
from hilo.turn.state import TurnContext, TurnState
from hilo.understanding.acts.consent import is_taken_back
from hilo.understanding.arguments import takes_any
from hilo.understanding.assignment import Weighed
from hilo.understanding.confirmations import (
    is_plain_yes,
    is_yes_beside_a_question,
    opens_by_confirming,
    opens_with_yes,
    tells_to_confirm,
)
from hilo.understanding.corrections import Correction
from hilo.understanding.days_in_context import told_period
from hilo.understanding.extraction import (
    extract,
    extract_free,
    in_play,
    weigh,
    weigh_free,
)
from hilo.understanding.likely_flows import values_of_likely_flow
from hilo.understanding.not_ours import not_served
from hilo.understanding.notes import without_notes
from hilo.understanding.only_values import is_but_values, started_by_values
from hilo.understanding.open_question import as_it_is_heard
from hilo.understanding.plain_phrases import told_before
from hilo.understanding.put_right import PutRight
from hilo.understanding.reading import SURELY_OURS, Reading
from hilo.understanding.regions import with_regions
from hilo.understanding.told_again import told_again
from hilo.understanding.unanswered import left_unanswered

SENTENCE = 5  # words in which no value was found: they tell something, and are no bad answer
SHORT_SENTENCE = 3  # if they begin with one of these
TELLS = word_set("quiero quisiera necesito busco tengo estoy soy es me yo queria vengo solo dale i want need am")
VALUE = SetSlot | CorrectSlot
Commands = tuple[Command, ...]


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
    plain = found is None and is_left and not but(proposed, Digress | TakeNote)  # nothing but an answer
    new_text = found is not None and target in agent.slots and agent.slots[target].kind.is_free
    weighing, extracting = (weigh_free, extract_free) if plain or new_text else (weigh, extract)
    context.record.values = weighing(agent, session, reading, target).weighed()
    values = extracting(agent, session, reading, target)
    if plain:
        if values == (SetSlot(target, ""),) and _tells(reading):
            heard = Digress(_told_what(agent, session, reading))
            return {"commands": (*proposed, heard), "needs_model": context.asking is not None}
        values = max(values, values_of_likely_flow(agent, session, reading), key=len)
    elif found and not has(values, CorrectSlot) and not _fills_what_it_means(reading, correction, values):
        values = (*values, CorrectSlot(correction.slot))
    given = {each.slot: each.value for each in of_kind(values, SetSlot)}
    if plain:
        proposed = (*started_by_values(agent, session, reading, given), *proposed)
    period = period_told(agent, session, reading, proposed)
    if period:  # "la semana que viene" is no bad answer
        values = tuple(each for each in values if not isinstance(each, VALUE) or is_good(context, each))
    if isinstance(session.pending, AskedYes) and has(proposed, Affirm) and is_taken_back(state["reading"].text):
        proposed = but(proposed, Affirm) or (Digress("later"),)
    proposed = _without_a_doubtful_yes(agent, session, reading, proposed, values)
    if target in given and (is_but_values(agent, reading, given) or takes_any(reading)):
        proposed = _without_other_meanings(agent, proposed)
    elif given and session.stack and is_but_values(agent, reading, given):
        proposed = _without_other_flows(agent, session, proposed, given.keys())
    proposed = _without_a_mere_choice(agent, session, reading, proposed, values)
    if isinstance(session.pending, AskedYes) and has(values, VALUE) and not reading.surely_means:
        proposed = but(proposed, StartFlow)  # what changes a summary is no other wish, unless that is sure
    commands = (*proposed, *values, *period, *_passed_over(agent, reading, target, given))
    commands = with_unanswered(context, session, reading, commands)
    return {"commands": commands, "needs_model": needs_model(state, context, commands)}


def _told_what(agent: Agent, session: Session, reading: Reading) -> DigressionKind:
    """What words are that give no value: beside the point, or told before, noted or not."""
    again = told_again(agent, session, reading)
    if again is None:
        return "beside"
    return "aside" if again.known else "told"


def period_told(agent: Agent, session: Session, reading: Reading, proposed: Commands) -> Commands:
    """The month or week of a day that what is under way, or begins, still lacks."""
    slots = set(in_play(agent, session, reading))
    slots.update(*(agent.collected_by(each.flow) for each in of_kind(proposed, StartFlow)))
    return told_period(agent, slots - session.slots.keys(), reading)


def _passed_over(agent: Agent, reading: Reading, target: str, given: Container[str]) -> Commands:
    """The slot that was asked for, where another does in its place: "no tengo mail, mi celular es…"."""
    if target in given or target not in agent.slots or agent.slots[target].instead not in given:
        return ()
    return (SkipSlot(target),) if reading.has("skip", "deny") else ()


def _fills_what_it_means(reading: Reading, correction: Correction, values: Commands) -> bool:
    """Whether a change only gives what was still empty: "no, la vuelta el 9", "el de las 8" need no "which one?"."""
    named = {mention.slot for mention in reading.mentions}
    given = {each.slot for each in of_kind(values, SetSlot) if each.value not in (None, "")}
    return not named.isdisjoint(given) or (bool(given) and not correction.slot and not named)


def _tells(reading: Reading) -> bool:
    """Whether words in which no value was found are a sentence ("quiero una web"), or say that it was told."""
    if told_before().search(reading.text.folded):
        return True
    said = words(reading.text)
    least = SHORT_SENTENCE if said and said[0].text in TELLS else SENTENCE
    return len(said) >= least


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
        proposed = tuple(
            each for each in proposed if not _only_tells(context.agent, each)
        )  # "¿antes de las 10 puede ser?" is told by its value, not asked
    commands = (*_without_a_mere_choice(context.agent, session, reading, proposed, tuple(values)), *values)
    return {"commands": commands, "needs_model": needs_model(state, context, commands)}


def says_plainly_yes(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message is a yes and nothing else, or tells that what waits be confirmed."""
    return is_plain_yes(reading) or tells_to_confirm(agent, session, reading)


def _without_a_doubtful_yes(
    agent: Agent, session: Session, reading: Reading, proposed: Commands, values: Commands
) -> Commands:
    """A yes counts when it is plain, or opens a message whose rest was understood."""
    if not has(proposed, Affirm):
        return proposed
    repeated = reading.is_only("cancel") and CancelFlow() not in proposed  # "sí, cancélelo"
    if says_plainly_yes(agent, session, reading) or is_yes_beside_a_question(reading) or repeated:
        return proposed
    rest = but(proposed, Affirm)
    if not opens_with_yes(reading) and not opens_by_confirming(reading):
        return rest
    # "sí, pero más barato" is no yes
    if values or (not reading.has("question") and any(_only_tells(agent, each) for each in rest)):
        return proposed
    if rest or not isinstance(session.pending, AskedYes) or "?" in reading.text.raw:
        return rest
    return (Digress("unnoted"),)  # what stands beside the yes may change what it is a yes to


def _only_tells(agent: Agent, command: Command) -> bool:
    """Whether what was meant beside a yes is answered with words alone: "sí, y pago con transferencia"."""
    if isinstance(command, CallTool):
        tool = agent.toolbox.get(command.tool)
        return tool is not None and not tool.writes and not command.arguments
    return isinstance(command, AskInfo)


def _without_a_mere_choice(
    agent: Agent,
    session: Session,
    reading: Reading,
    proposed: Commands,
    values: Commands,
) -> Commands:
    """What the flow under way takes ("quiero la de tres", "vivo en Cali") is no wish for another that takes it too.

    To undo something is: "no quiero reservar, quiero cancelar el de mañana".
    """
    undoing = [name for name in reading.meant if name in agent.undoing and reading.confidence >= SURELY_OURS]
    if any(StartFlow(name) in proposed for name in undoing):
        return proposed
    corrected = {each.slot for each in of_kind(values, CorrectSlot)}
    given = {each.slot for each in of_kind(values, VALUE)}
    not_meant: set[str] = set()
    if corrected & set(session.written):
        # The correction itself starts the flow that amends what was written.
        not_meant.add(agent.amends)
    mode = agent.modes.get(session.mode)
    if mode and any(each.value is not None for each in of_kind(values, CorrectSlot)):
        not_meant.add(mode.next.no)  # "no, mejor mándeme dos" puts right what was told, and refuses nothing
    taken = given.intersection(agent.collected_by(session.flow))
    if any(agent.slots[slot].kind.sort == "choice" for slot in taken):
        return but(proposed, StartFlow)
    not_meant.update(name for name, flow in agent.flows.items() if taken.intersection(flow.collects))
    dropped = list(map(StartFlow, not_meant))
    return tuple(each for each in proposed if each not in dropped)


def _without_other_meanings(agent: Agent, proposed: Commands) -> Commands:
    """What is nothing but the answer that was asked for is no wish besides; goods that are named are still ordered."""
    orders = agent.ordering.values()
    kept = but(proposed, StartFlow | AskInfo | Quote)
    return tuple(each for each in kept if not isinstance(each, CallTool) or each.tool in orders)


def _without_other_flows(
    agent: Agent,
    session: Session,
    proposed: Commands,
    given: Iterable[str],
) -> Commands:
    """Who gives nothing but details that any flow may use ("a nombre de Ana") does not want another one."""
    others = set(given).difference(agent.collected_by(session.flow))
    return but(proposed, StartFlow) if all(agent.slots[slot].keep for slot in others) else proposed


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
    return {"commands": _without_strays(context.agent, state["session"], checked)}


def _without_strays(agent: Agent, session: Session, commands: Commands) -> Commands:
    """A value that no tool knows, for a slot that nothing under way asks for, was never meant for it."""
    # What would begin counts only where nothing is under way.
    flows = session.flows or [each.flow for each in of_kind(commands, StartFlow)]
    if not flows:
        return commands
    collected = set(chain.from_iterable(map(agent.collected_by, flows)))
    return tuple(each for each in commands if not isinstance(each, RejectSlot) or each.slot in collected)


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
            kept = type(command)(command.slot, result.value)
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
    """A tool may know the value, by another name too, know several, or none; its own failure lets the value pass."""
    tool, now = context.agent.slots[command.slot].valid_if, at.astimezone(context.understander.zone)
    try:
        others = {name: value for name, value in beside.items() if name != command.slot}
        answer = await answer_of(context.tools[tool], command.value, now=now, given=context.given, beside=others)
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
    given = type(answer).__name__
    context.record.errors.append(f"{tool} gave {given}, not a value, a list or a yes or no")
    return command
