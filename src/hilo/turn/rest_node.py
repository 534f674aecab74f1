"""What nothing was heard in is heard by itself: a message is a sequence of things.

A message is understood as a whole first. Where none of what was understood stands in a part of it, that part is read
as if it had been written alone, and what it surely means is added. What says nothing even then is kept in its own
words (`unheard`), so that nothing given is lost without a trace.
"""

from collections import Counter
from dataclasses import replace

from hilo.agent.declaration import Agent, Bands
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
    Quote,
    SetSlot,
    StartFlow,
    SuggestSlot,
)
from hilo.dialogue.draft import are_all, but, has, less, of_kind
from hilo.dialogue.session import AskedYes
from hilo.turn.message_nodes import heard_alone, read_message, writes
from hilo.turn.side_questions import answered_alone, with_answers, without_needless_doubt
from hilo.turn.state import Record, TurnContext, TurnState, message_in
from hilo.turn.told_besides import with_what_is_told
from hilo.turn.value_nodes import is_good
from hilo.understanding.acts.consent import is_taken_back
from hilo.understanding.beside_values import VALUE, Commands, only_tells, without_a_mere_choice
from hilo.understanding.confirmations import opens_with_firm_yes, says_plainly_yes
from hilo.understanding.notes import noted_beside_a_yes
from hilo.understanding.parts import denies
from hilo.understanding.reading import SURELY_OURS, Reading, speaks_spanish
from hilo.understanding.unheard import (
    Understood,
    orders_goods,
    said_behind,
    unheard_parts,
)

MOST_ALONE = 4  # parts that are read by themselves; more is a speech
FEWEST_WORDS = 2  # of what is kept though nothing was heard in it
NOTHING_HEARD: tuple[DigressionKind, ...] = (
    "off_topic",
    "beside",
    "nearly",
    "unnoted",
    "told",
)  # words for having heard nothing


async def hear_rest(state: TurnState, context: TurnContext) -> TurnState:
    """Add what the parts mean that nothing was heard in; a yes beside what nobody heard is none."""
    reading, commands = state["reading"], state["commands"]
    is_yes = has(commands, Affirm) and says_plainly_yes(context.agent, state["session"], reading)
    # who replaces a node that understands wants no other hearing of the message
    is_heard = is_yes or message_in(state).needs_no_reading or any(node.replace for node in context.agent.nodes)
    is_heard = is_heard or bool(reading.left)
    is_heard = is_heard or not speaks_spanish(context.agent)  # where parts are told apart, and nothing else was tried
    understood = Understood(commands, context.record.values, context.record.lookups)
    rest = [] if is_heard else list(unheard_parts(context.agent, state["session"], reading, understood))
    is_shown = isinstance(state["session"].pending, AskedYes)
    if not message_in(state).needs_no_reading:
        commands = await with_answers(state, context, is_yes=is_yes)
    added, unheard, confidence = await _heard_in_parts({**state, "commands": commands}, context, rest)
    if commands != state["commands"] or has(added, AskInfo | Quote):
        confidence = max(confidence, round((context.agent.confidence or Bands()).reanalyse))  # it was decided by itself
    reading = replace(reading, confidence=max(confidence, reading.confidence))
    added = _without_rivals(added)
    if unheard and not is_shown:
        added = [each for each in added if not _counts_something(context.agent, each)]
    if added:
        # what was asked is not known still where a value alone was heard besides
        words = NOTHING_HEARD[are_all(tuple(added), VALUE) :]
        commands = less(commands, *map(Digress, words))
        given = tuple(added)
        commands = (*without_a_mere_choice(context.agent, state["session"], reading, commands, given), *given)
    if is_shown and writes(context.agent, added):
        commands = but(commands, Affirm)  # what is written now is shown before anybody says yes to it
    if is_shown:
        if Digress("unnoted") in state["commands"] and not unheard and _only_asks(context, state, reading, added):
            commands = (Affirm(), *commands)  # "sí, y pasame la dirección"
        commands = _answered(context.agent, commands, is_all_heard=not unheard)
        if Digress("unnoted") in commands:
            notes = noted_beside_a_yes(context.agent, state["session"], unheard or said_behind(reading))
            if notes:
                commands, unheard = (*less(commands, Digress("unnoted")), *notes), []
    if is_yes:
        unheard = said_behind(reading)
    if not is_heard:
        commands, unheard = with_what_is_told(context.agent, state["session"], reading, commands, unheard)
    if has(commands, VALUE):
        # who tells something asks for no heading, nor for what may be an answer, unless they ask
        asks = "?" in reading.text.raw
        told_only = [each for each in of_kind(state["commands"], Quote) if not each.sure and not asks]
        commands = less(but(commands, OfferSections), *told_only)
    commands = without_needless_doubt(state["session"], commands)
    told = tuple(text for text in unheard if len(text.split()) >= FEWEST_WORDS)
    return {"reading": reading, "commands": commands, "unheard": told}


async def _heard_in_parts(
    state: TurnState, context: TurnContext, rest: list[tuple[str, str]]
) -> tuple[list[Command], list[str], int]:
    """What the parts mean by themselves, what is still unheard of them, and how sure the surest of them is."""
    commands, added, confidence = state["commands"], list[Command](), 0
    unheard = [text for _, text in rest[MOST_ALONE:]]
    for opening, text in rest[:MOST_ALONE]:
        if isinstance(state["session"].pending, AskedYes) and denies(text) and has(commands, StartFlow):
            added.append(Deny())  # "no quiero reservar, quiero cancelar"
            continue
        alone, more = await _meant_alone(state, context, f"{opening}{text}")
        if denies(text):  # "sin promoción" refuses what it names; some flows begin with a no
            flows = context.agent.flows
            refused = [each for each in of_kind(more, StartFlow) if not any(map(denies, flows[each.flow].examples))]
            more = less(more, *refused)
        more = more or await answered_alone(state, context, text)
        if not more and unheard and (more := await answered_alone(state, context, f"{unheard[-1]}, {text}")):
            unheard.pop()  # "tengo PAMI, ¿me lo cubren?"
        if not more:
            unheard.append(text)
        added += less(more, *commands, *added)
        if has(more, AskInfo | StartFlow | CallTool):  # the message is as sure as what is done by it
            confidence = max(confidence, alone.confidence)
    return added, unheard, confidence


def is_met_with_a_word(state: TurnState) -> bool:
    """What is only met with a word has no values."""
    return are_all(state["commands"], Digress)


async def _meant_alone(state: TurnState, context: TurnContext, text: str) -> tuple[Reading, Commands]:
    """A part by itself, and what it surely means of what the message does not mean already."""
    alone = replace(context, record=Record(), asking=None)
    reading = read_message(alone, state["session"], replace(message_in(state), text=text))
    found = await heard_alone({**state, "reading": reading}, alone)
    # "llegó todo fresquito, mil gracias" asks nothing; at a summary it may be why it is not to be
    asks = "?" in text or reading.has("question") or isinstance(state["session"].pending, AskedYes)
    is_sure = reading.confidence >= SURELY_OURS and (asks or has(found, StartFlow))
    if has(found, StartFlow) and has(state["commands"], StartFlow):
        return reading, ()  # why something is wanted may sound like another wish: "el viernes tengo dentista, pasalo"
    new = less(found, *state["commands"])
    return reading, tuple(each for each in new if _counts(state, context, each, is_sure=is_sure))


def _counts(state: TurnState, context: TurnContext, command: Command, *, is_sure: bool) -> bool:
    """Whether what a part proposes by itself is added: a good value, an order, what is surely meant and can be done."""
    agent, commands = context.agent, state["commands"]
    match command:
        case SetSlot(slot=slot, value=value) | CorrectSlot(slot=slot, value=value):
            if value in (None, "") or slot in {each.slot for each in of_kind(commands, VALUE)}:
                return False
            asks_it = state["session"].slot_in_question == slot
            if agent.slots[slot].kind.names_person and not asks_it and not has(commands, VALUE):
                return False  # "pedí 3 cocas y vinieron calientes": the rest of a sentence names nobody
            found = {each.value for each in state["reading"].values.of(agent.slots[slot])}
            weighed = {each.value for each in context.record.values if each.slot == slot}
            # any words may be a name, but beside a question those were asked for: "Panadería Sol. ¿Y cuánto tarda?"
            may_be_it = not agent.slots[slot].kind.is_free or (asks_it and state["reading"].asks)
            return max(len(found), len(weighed)) <= 1 and is_good(context, command) and may_be_it
        case SuggestSlot(slots=slots):
            # "a nombre de Ana, y mejor el 14": which day is meant is asked beside the answer
            return set(slots).isdisjoint(each.slot for each in of_kind(commands, VALUE))
        case CallTool(tool=tool, arguments=arguments):
            is_complete = tool in agent.toolbox and set(agent.toolbox[tool].needed) <= arguments.keys()
            # an order is heard as a whole: "10 palitos, 5 de limón y 5 de frutilla"
            return is_sure and is_complete and not orders_goods(agent, command)
        case StartFlow():
            # what is told beside an answer may sound like a wish: "no lo tengo; vuelo a Lima el 3"
            return is_sure and (not state["session"].stack or isinstance(state["session"].pending, AskedYes))
        case AskInfo():
            return is_sure
    return isinstance(command, Quote)


def _only_asks(context: TurnContext, state: TurnState, reading: Reading, added: list[Command]) -> bool:
    """Whether all that stands behind a firm yes is asked, and was answered."""
    answers = bool(added) and all(isinstance(each, Quote) or only_tells(context.agent, each) for each in added)
    return answers and opens_with_firm_yes(reading) and not is_taken_back(state["reading"].text)


# --- what counts beside what was heard -----------------------------------------------------------------


def _without_rivals(added: list[Command]) -> list[Command]:
    """Of two parts that give one slot different values neither counts: "her address is …; mine is …"."""
    given = Counter(each.slot for each in of_kind(added, VALUE))
    return [each for each in added if not isinstance(each, VALUE) or given[each.slot] == 1]


def _counts_something(agent: Agent, command: Command) -> bool:
    """Whether a bare number may be told, of which what was not heard may tell another: "quiero 2 y mi hermana 3"."""
    return isinstance(command, VALUE) and agent.slots[command.slot].kind.sort in ("choice", "number")


def _answered(agent: Agent, commands: Commands, *, is_all_heard: bool) -> Commands:
    """The answer to a summary beside all else: no yes beside what nobody heard; a no gives way to the wish with it."""
    if not is_all_heard and has(commands, Affirm):
        return (*less(but(commands, Affirm), Digress("off_topic")), Digress("unnoted"))
    begun = of_kind(commands, StartFlow)
    if not begun or not has(commands, Deny):
        return commands
    # "no quiero reservar, quiero cancelar el de mañana": what is under way is left first
    undoes = any(each.flow in agent.undoing for each in begun)
    return (*([CancelFlow()] if undoes else []), *but(commands, Deny | CancelFlow))
