"""What nothing was heard in is heard by itself: a message is a sequence of things.

A message is understood as a whole first. Where none of what was understood stands in a part of it, that part is read
as if it had been written alone, and what it surely means is added. What says nothing even then is kept in its own
words (`unheard`), so that nothing given is lost without a trace.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
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
    LeaveUnanswered,
    Quote,
    SetSlot,
    StartFlow,
    TakeNote,
)
from hilo.dialogue.draft import are_all, but, has, of_kind
from hilo.dialogue.session import AskedYes, Session
from hilo.recognisers.normalise import Span, fold
from hilo.turn.message_nodes import heard_alone, read_message, writes
from hilo.turn.state import Record, TurnContext, TurnState, message_in
from hilo.turn.value_nodes import VALUE, Commands, is_good, says_plainly_yes
from hilo.understanding.acts.hearing import COURTEOUS_PARTS
from hilo.understanding.doubts import KNOWN
from hilo.understanding.intents.gist import is_courtesy
from hilo.understanding.lookups import is_of_intent
from hilo.understanding.notes import noted_beside_a_yes
from hilo.understanding.ordering import ordered_lines
from hilo.understanding.parts import EDGES, LONGEST_RANKED, clauses, denies
from hilo.understanding.put_right import says_nothing_else
from hilo.understanding.reading import SURELY_OURS, Reading, speaks_spanish

MOST_ALONE = 4  # parts that are read by themselves; more is a speech
FEWEST_WORDS = 2  # of what is kept though nothing was heard in it
NOTHING_HEARD: tuple[DigressionKind, ...] = ("off_topic", "beside", "unnoted", "told")  # words for having heard nothing
SAYS_NO_MORE = ("change", "correct")  # acts that say nothing by themselves: what is to be otherwise is told beside them
WHOLLY_HEARD = ("affirm", "later", "human")  # acts that are all of a message, where they are
_NO = re.compile(r"\W*no\W*", re.IGNORECASE)  # alone before a part: what is put right by it goes on from there
_JOINERS = re.compile(r"^(?:(?:y|e|pero|and|but)\s+)+|\s+(?:y|e|pero|and|but)$", re.IGNORECASE)


async def hear_rest(state: TurnState, context: TurnContext) -> TurnState:
    """Add what the parts mean that nothing was heard in; a yes beside what nobody heard is none."""
    reading, commands = state["reading"], state["commands"]
    is_yes = has(commands, Affirm) and says_plainly_yes(context.agent, state["session"], reading)
    # who replaces a node that understands wants no other hearing of the message
    is_heard = is_yes or message_in(state).needs_no_reading or any(node.replace for node in context.agent.nodes)
    is_heard = is_heard or not speaks_spanish(context.agent)  # where parts are told apart, and nothing else was tried
    rest = [] if is_heard else list(_unheard(context, state["session"], reading, commands))
    unheard, added = [text for _, text in rest[MOST_ALONE:]], list[Command]()
    is_shown = isinstance(state["session"].pending, AskedYes)
    for opening, text in rest[:MOST_ALONE]:
        if is_shown and denies(text) and has(commands, StartFlow):
            added.append(Deny())  # "no quiero reservar, quiero cancelar"
            continue
        alone, more = await _meant_alone(state, context, f"{opening}{text}")
        added += (each for each in more if each not in added)
        if not more:
            unheard.append(text)
        if has(more, AskInfo | StartFlow | CallTool):  # the message is as sure as what is done by it
            reading = replace(reading, confidence=max(alone.confidence, reading.confidence))
    added = _without_rivals(added)
    if unheard and not is_shown:
        added = [each for each in added if not _counts_something(context.agent, each)]
    if added:
        nothing = [Digress(kind) for kind in NOTHING_HEARD]
        commands = (*(each for each in commands if each not in nothing), *added)
    if is_shown and writes(context.agent, added):
        commands = but(commands, Affirm)  # what is written now is shown before anybody says yes to it
    if is_shown:
        commands = _answered(context.agent, commands, is_all_heard=not unheard)
        if Digress("unnoted") in commands:
            notes = noted_beside_a_yes(context.agent, state["session"], unheard or _said_behind(reading))
            commands = (*(each for each in commands if each != Digress("unnoted")), *notes) if notes else commands
            unheard = [] if notes else unheard
    if is_yes:
        unheard = _said_behind(reading)
    told = tuple(text for text in unheard if len(text.split()) >= FEWEST_WORDS)
    return {"reading": reading, "commands": commands, "unheard": told}


def _without_rivals(added: list[Command]) -> list[Command]:
    """Of two parts that give one slot different values neither counts: "her address is …; mine is …"."""
    given = Counter(each.slot for each in of_kind(added, VALUE))
    return [each for each in added if not isinstance(each, VALUE) or given[each.slot] == 1]


def _said_behind(reading: Reading) -> list[str]:
    """What stands behind a yes that it takes nothing from, and is no courtesy: "sí, cuidado con el escalón"."""
    heard = reading.hearing
    behind = heard.behind_yes if heard else ()
    more = [each for each in behind if heard and not (each.act in COURTEOUS_PARTS and heard.is_sure(each))]
    return [reading.text.original(each.start, each.end) for each in more]


def _counts_something(agent: Agent, command: Command) -> bool:
    """Whether a bare number may be told, of which what was not heard may tell another: "quiero 2 y mi hermana 3"."""
    return isinstance(command, VALUE) and agent.slots[command.slot].kind.sort in ("choice", "number")


def _answered(agent: Agent, commands: Commands, *, is_all_heard: bool) -> Commands:
    """The answer to a summary beside all else: no yes beside what nobody heard; a no gives way to the wish with it."""
    if not is_all_heard and has(commands, Affirm):
        rest = (each for each in but(commands, Affirm) if each != Digress("off_topic"))
        return (*rest, Digress("unnoted"))
    begun = of_kind(commands, StartFlow)
    if not begun or not has(commands, Deny):
        return commands
    # "no quiero reservar, quiero cancelar el de mañana": what is under way is left first
    undoes = any(each.flow in agent.undoing for each in begun)
    return (*([CancelFlow()] if undoes else []), *but(commands, Deny | CancelFlow))


def is_met_with_a_word(state: TurnState) -> bool:
    """What is only met with a word has no values."""
    return are_all(state["commands"], Digress)


def _unheard(context: TurnContext, session: Session, reading: Reading, commands: Commands) -> Iterator[tuple[str, str]]:
    """The parts in which nothing stands that was understood, each with a no right before it; courtesy needs none."""
    raw = reading.text.raw[:LONGEST_RANKED]
    parts = clauses(raw, context.agent, loose=True)
    is_one = len(parts) == 1 and not raw[: parts[0][0]].strip(EDGES)
    if is_one or reading.is_only(*WHOLLY_HEARD):
        return
    heard = list(_heard(context, session, reading, commands))
    meant = list(_meant(context.agent, reading, commands))
    shown = isinstance(session.pending, AskedYes)  # a value that is taken is shown before anything is done
    lost = [(each.start, each.end) for each in context.record.values if shown and not each.taken]
    for start, end in parts:
        text = _JOINERS.sub("", raw[start:end].strip(EDGES))
        # What a message means as a whole is not meant by its noes ("no quiero reservar, quiero cancelar"), and is not
        # all of a part with a value that the whole had doubts about.
        is_more = denies(text) or _meets(lost, start, end)
        if not text or _meets(heard if is_more else [*heard, *meant], start, end):
            continue
        if not is_courtesy(text) and not says_nothing_else(fold(text)):
            opening = "no, " if _NO.fullmatch(raw, 0, start) else ""
            yield opening, f"{text}?" if raw[end : end + 1] == "?" else text


def _meets(spans: Iterable[Span], start: int, end: int) -> bool:
    return any(first < end and start < last for first, last in spans)


def _heard(context: TurnContext, session: Session, reading: Reading, commands: Commands) -> Iterator[Span]:
    """Where what was understood stands in the message."""
    raw = reading.text.raw
    yield from ((each.start, each.end) for each in context.record.values if each.taken or KNOWN in each.against)
    if any(_orders(context.agent, each) for each in commands):
        lines = ordered_lines(context.agent, session, reading)
        yield from (reading.text.span(line.start, line.end) for line in lines)
    said = [each.asked for each in context.record.lookups if each.quoted]
    said += [each.question for each in of_kind(commands, LeaveUnanswered)]
    said += [each.text for each in of_kind(commands, TakeNote)]
    yield from ((raw.find(text), raw.find(text) + len(text)) for text in said)
    for act in reading.acts:
        # a question is heard where it is met with a word; "sí, y que toquen el timbre" is none
        is_met = act.kind != "question" or (Digress("off_topic") in commands and _may_ask(reading, commands))
        if act.kind not in SAYS_NO_MORE and is_met:
            yield reading.text.span(act.start, act.end)


def _may_ask(reading: Reading, commands: Commands) -> bool:
    return "?" in reading.text.raw or not has(commands, Affirm)


def _meant(agent: Agent, reading: Reading, commands: Commands) -> Iterator[Span]:
    """Where the intents stand that something is done by."""
    for part in reading.parts:
        name = part.ranked.intent or ""
        if name in reading.meant and any(is_of_intent(agent, name, each) for each in commands):
            yield part.start, part.end


async def _meant_alone(state: TurnState, context: TurnContext, text: str) -> tuple[Reading, Commands]:
    """A part by itself, and what it surely means of what the message does not mean already."""
    alone = replace(context, record=Record(), asking=None)
    reading = read_message(alone, state["session"], replace(message_in(state), text=text))
    found = await heard_alone({**state, "reading": reading}, alone)
    # "llegó todo fresquito, mil gracias" asks nothing; at a summary it may be why it is not to be
    asks = "?" in text or reading.has("question") or isinstance(state["session"].pending, AskedYes)
    is_sure = reading.confidence >= SURELY_OURS and (asks or has(found, StartFlow))
    new = [each for each in found if each not in state["commands"]]
    return reading, tuple(each for each in new if _counts(state, context, each, is_sure=is_sure))


def _counts(state: TurnState, context: TurnContext, command: Command, *, is_sure: bool) -> bool:
    """Whether what a part proposes by itself is added: a good value, an order, what is surely meant and can be done."""
    agent, commands = context.agent, state["commands"]
    match command:
        case SetSlot(slot=slot, value=value) | CorrectSlot(slot=slot, value=value):
            if value in (None, "") or slot in {each.slot for each in of_kind(commands, VALUE)}:
                return False
            found = {each.value for each in state["reading"].values.of(agent.slots[slot])}
            weighed = {each.value for each in context.record.values if each.slot == slot}
            return (
                max(len(found), len(weighed)) <= 1 and is_good(context, command) and not agent.slots[slot].kind.is_free
            )
        case CallTool(tool=tool, arguments=arguments):
            is_complete = tool in agent.toolbox and set(agent.toolbox[tool].needed) <= arguments.keys()
            # an order is heard as a whole: "10 palitos, 5 de limón y 5 de frutilla"
            return is_sure and is_complete and not _orders(agent, command)
        case AskInfo() | StartFlow():
            return is_sure
    return isinstance(command, Quote)


def _orders(agent: Agent, command: Command) -> bool:
    return isinstance(command, CallTool) and command.tool in agent.ordering.values()
