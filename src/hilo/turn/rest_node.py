"""What nothing was heard in is heard by itself: a message is a sequence of things.

A message is understood as a whole first. Where none of what was understood stands in a part of it, that part is read
as if it had been written alone, and what it surely means is added. What says nothing even then is kept in its own
words (`unheard`), so that nothing given is lost without a trace.
"""

from collections import Counter
from dataclasses import replace

from hilo.agent.declaration import Agent
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
)
from hilo.dialogue.draft import are_all, but, has, less, of_kind
from hilo.dialogue.session import AskedYes
from hilo.turn.message_nodes import heard_alone, read_message, writes
from hilo.turn.state import Record, TurnContext, TurnState, message_in
from hilo.turn.told_besides import with_what_is_told
from hilo.turn.value_nodes import is_good
from hilo.understanding.beside_values import VALUE, Commands, without_a_mere_choice
from hilo.understanding.confirmations import says_plainly_yes
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
    unheard, added = [text for _, text in rest[MOST_ALONE:]], list[Command]()
    is_shown = isinstance(state["session"].pending, AskedYes)
    for opening, text in rest[:MOST_ALONE]:
        if is_shown and denies(text) and has(commands, StartFlow):
            added.append(Deny())  # "no quiero reservar, quiero cancelar"
            continue
        alone, more = await _meant_alone(state, context, f"{opening}{text}")
        if denies(text):  # "sin promoción" refuses what it names; some flows begin with a no
            flows = context.agent.flows
            refused = [each for each in of_kind(more, StartFlow) if not any(map(denies, flows[each.flow].examples))]
            more = tuple(each for each in more if each not in refused)
        added += (each for each in more if each not in added)
        if not more:
            unheard.append(text)
        if has(more, AskInfo | StartFlow | CallTool):  # the message is as sure as what is done by it
            reading = replace(reading, confidence=max(alone.confidence, reading.confidence))
    added = _without_rivals(added)
    if unheard and not is_shown:
        added = [each for each in added if not _counts_something(context.agent, each)]
    if added:
        commands = less(commands, *map(Digress, NOTHING_HEARD))
        given = tuple(added)
        commands = (*without_a_mere_choice(context.agent, state["session"], reading, commands, given), *given)
    if is_shown and writes(context.agent, added):
        commands = but(commands, Affirm)  # what is written now is shown before anybody says yes to it
    if is_shown:
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
        # who tells something asks for no heading, nor for what may be an answer
        commands = tuple(
            each for each in but(commands, OfferSections) if not (isinstance(each, Quote) and not each.sure)
        )
    told = tuple(text for text in unheard if len(text.split()) >= FEWEST_WORDS)
    return {"reading": reading, "commands": commands, "unheard": told}


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
            return (
                max(len(found), len(weighed)) <= 1 and is_good(context, command) and not agent.slots[slot].kind.is_free
            )
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
