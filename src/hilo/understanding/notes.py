"""What a message wishes besides, which no slot takes: "que lleguen después de las 5", "sin bolsa por favor".

An agent keeps it where a flow collects a slot of the type `note`. A clause is one if a trained classifier takes it for
one and it is nothing else: no act that the tables know, nothing that is meant or ordered, and no value of another slot.
It is for Spanish, as is the corpus that it was learnt from.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.commands import AskInfo, CallTool, Command, Deny, LeaveOut, RequestHuman, StartFlow, TakeNote
from hilo.dialogue.draft import of_kind
from hilo.dialogue.session import Session
from hilo.recognisers.normalise import Span, Text, fold, hidden
from hilo.slots.utterance import SURE
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.assignment import SlotCandidate
from hilo.understanding.extraction import in_play, says_there_is_none, told_instead, weigh, would_rather
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.orders.lines import OrderLine
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.put_right import is_written_as_name, names_another
from hilo.understanding.reading import Reading, is_sure, speaks_spanish
from hilo.understanding.slot_values import FILLERS
from hilo.understanding.trained.classifier import load_classifier

NOTES = "notes"  # the name of the classifier
NOTE = "note"  # its label
SURELY_NOTED = 0.65  # of what is nothing else, and said in the midst of something
SURE_BESIDE_ELSE = 0.9  # where it holds a value, or sounds like a wish for a person
LIKELY_NOTED = 0.4  # of what says itself that somebody shall do something
PERHAPS_NOTED = 0.1  # of what stands beside a yes, and was heard as nothing else
FEWEST_WORDS, FEWEST_OF_AN_ANSWER = 2, 4  # fewer are rather what was asked for, where any words may answer
# acts that say what a clause is, so that it is no note
NO_NOTE = frozenset({"cancel", "greet", "thanks", "bye", "later", "skip", "repeat", "chitchat"})

_JOINED_NAMES = re.compile(r",? y (?:a )?|, ")
_BREAK = re.compile(r"[;!?¿\n]+|,(?!\d)|\.(?!\w)|\s+(?=(?:y|pero) (?:que|q|ke|sin|con|si)\b)")
# what follows these is a note, whatever it is: "anotá que…", "me faltó decir que…", "poné una nota: …"
_TOLD_TO_NOTE = re.compile(
    r"(?:por favor |porfa )?(?:me )?(?:(?:anot|apunt|aclar)[ae]\w{0,3} (?:en (?:las? )?(?:notas?|observaciones) )?que|"
    r"(?:falt|olvid)\w+ (?:decir|aclarar|agregar|avisar|comentar|mencionar)\w* que|"
    r"(?:\w+ )?(?:en |a |una |las? |mis? )*(?:nota|aclaracion|observacion)(?:e?s)?"
    r"(?: (?:para|al) (?:el |la )?\w+)?:)\s+(?=\w)"
)
# "que pregunten por Rosa", "que no toquen el timbre"
_BIDS = re.compile(r"(?:que|q|ke) (?:(?:me|nos|le|les|lo|la|los|las|no|por favor) )*\w{2,}[ae]n\b")
_HOW = re.compile(r" (?:con|sin) (?!mas \d)\w[^,.;!?¿\n]*?(?=[,.;!?¿\n]| y (?!sin\b|con\b)|$| por ?fa)")  # of goods
_QUE = re.compile(r"^(?:q|ke|k) ", re.IGNORECASE)
# "si que no toquen": a yes; "si llega antes de las 9": a condition, which is noted with its word
_LEAD = re.compile(
    r"(?:\s|(?:y|e|pero|ah|eh|bueno|tambien|ademas|dale|ok|confirmo|listo|perfecto|genial)\b[\s,]*|"
    r"s+i+(?= (?:que|q|ke) ))+"
)
_WORD = re.compile(r"[^\W\d_]+")
_BUT_NOTED = AskInfo | CallTool | Deny | LeaveOut  # what words are not that only are to be noted
_HOURS = Slot(type="time_range")
_REACHED = (Slot(type="phone"), Slot(type="email"))


def with_notes(agent: Agent, session: Session, reading: Reading, proposed: tuple[Command, ...]) -> tuple[Command, ...]:
    """What is proposed, and the notes; goods that a note only sounds like are not ordered: "bien frías" is no viena."""
    notes = notes_in(agent, session, reading, proposed)
    if not notes:
        return proposed
    left = without_notes(reading, notes).text.folded
    is_told = tells_to_note(reading)  # what is told to be noted orders nothing, whatever goods it names
    guessed = {
        line.product
        for line in reading.lines
        if ((is_told and not line.counted) or not _is_written(reading, line)) and not left[line.start].strip(" ,")
    }
    orders = agent.ordering.values()
    is_all = not _WORD.search(left)  # who tells to note something asks for nothing else by it
    kept = [
        each
        for each in proposed
        if not (isinstance(each, CallTool) and each.tool in orders and each.arguments.get("product") in guessed)
        and not (is_all and isinstance(each, _BUT_NOTED) and getattr(each, "tool", "") not in orders)
    ]
    return (*kept, *notes)


def _is_written(reading: Reading, line: OrderLine) -> bool:
    """Whether goods are called by a word that stands there, and are not only told by its sound."""
    said = set(_WORD.findall(reading.text.folded[line.start : line.end]))
    return not said.isdisjoint(_WORD.findall(fold(line.product)))


def notes_in(agent: Agent, session: Session, reading: Reading, proposed: Sequence[Command]) -> tuple[TakeNote, ...]:
    """The notes of a message, for the slot that takes them where the conversation stands."""
    slot = note_slot(agent, session, proposed)
    is_else = any(isinstance(each, RequestHuman) for each in proposed)
    if not slot or not speaks_spanish(agent) or is_else:
        return ()
    asked = session.slot_in_question
    if asked and would_rather(session, agent.slots[asked], reading):
        return ()  # "prefiero por correo" answers the question for a phone
    takes_any_words = bool(asked) and agent.slots[asked].kind.is_free
    if takes_any_words and (rest := told_instead(reading)) and "?" not in rest:
        if says_there_is_none(agent.slots[asked], fold(rest)):
            return ()  # "no tengo empresa, soy independiente" says the same twice
        return (TakeNote(slot, rest),)  # "no tengo empresa, vendo en la feria"
    held = tuple(_held(agent, reading, proposed))
    others = [TakeNote(slot, name) for name in _named_besides(agent, reading, asked)]
    others += [TakeNote(slot, _worded(reading.text, span)) for span in _said_of_goods(reading)]
    more = [] if asked else list(_one_more(agent, session, reading))
    values: list[Span] | None = None  # looked for only where a clause may yet be a note
    found: list[TakeNote] = []
    for place, (_, span) in enumerate(_clauses(reading.text)):
        if reading.text.folded[span[1] : span[1] + 1] == "?":
            continue  # what is asked is no wish
        if (told := _noted(reading.text, span)) != span:
            found.append(TakeNote(slot, _worded(reading.text, told)))
            continue
        if any(_overlap(span, each) for each in more):
            found.append(TakeNote(slot, _worded(reading.text, span)))
            continue
        if takes_any_words and not place and len(_WORD.findall(reading.text.folded, *span)) < FEWEST_OF_AN_ANSWER:
            continue  # what was asked for stands first
        if any(_overlap(span, each) for each in held):
            continue
        if values is None:
            values = list(_values(agent, session, reading, asked))
        beside = [each for each in values if _overlap(span, each)]
        least = SURE_BESIDE_ELSE if beside or (takes_any_words and not place) else SURELY_NOTED
        if _BIDS.match(reading.text.folded, *span):
            least = min(least, LIKELY_NOTED)
        text = hidden(reading.text, beside).folded[slice(*span)] if beside else reading.text.original(*span)
        is_told = not beside and (_is_when(reading, span) or _is_for_nobody(agent, reading, span))
        if is_told or chance_of_note(text) >= least:
            found.append(TakeNote(slot, _worded(reading.text, span)))
    return (*others, *found)


def _named_besides(agent: Agent, reading: Reading, asked: str) -> Iterator[str]:
    """Who is named beside the one person that was asked for: "Camila Sosa y Tobías Rey"."""
    if not asked or not agent.slots[asked].kind.names_person:
        return
    named = sorted(reading.values.of(agent.slots[asked], asked=True), key=lambda each: each.start)
    for before, each in pairwise(named):
        if _JOINED_NAMES.fullmatch(reading.text.folded, before.end, each.start):
            yield reading.text.original(each.start, each.end)


def _said_of_goods(reading: Reading) -> Iterator[Span]:
    """How something that is ordered shall be: "una napolitana con extra queso", "2 hamburguesas sin cebolla"."""
    goods = sorted((line for line in reading.lines if line.known and not line.beside), key=lambda line: line.start)
    ends = [*(line.start for line in goods[1:]), len(reading.text.folded)]
    for line, end in zip(goods, ends, strict=False):
        if line.action == "add" and (how := _HOW.match(reading.text.folded, line.end, end)):
            yield line.named[0], how.end()


def _one_more(agent: Agent, session: Session, reading: Reading) -> Iterator[Span]:
    """Where somebody is named besides the one that is known: "y el otro es Tomás"."""
    people = [slot for name, slot in agent.slots.items() if slot.kind.names_person and name in session.slots]
    for slot in people:
        named = (each for each in reading.values.of(slot) if is_written_as_name(reading, each))
        yield from ((each.start, each.end) for each in named if names_another(reading, each))


def tells_to_note(reading: Reading) -> bool:
    """Whether a message asks to note what it says."""
    return any(_noted(reading.text, span) != span for _, span in _clauses(reading.text))


def noted_beside_a_yes(agent: Agent, session: Session, texts: Sequence[str]) -> tuple[TakeNote, ...]:
    """What stood beside a yes to a summary and nobody heard, as notes where they are kept; none if one cannot be one.

    The summary that is shown again shows them, so less will do than for a note that is only told.
    """
    slot = note_slot(agent, session, ())
    if not slot or any(chance_of_note(text) < PERHAPS_NOTED for text in texts):
        return ()
    return tuple(TakeNote(slot, text) for text in texts)


def without_notes(reading: Reading, notes: Sequence[TakeNote]) -> Reading:
    """What is left of a message for other slots; a value that stands in a note is still given."""
    texts = {note.text for note in notes}
    spans = [
        whole for whole, span in _clauses(reading.text) if _worded(reading.text, _noted(reading.text, span)) in texts
    ]
    return replace(reading, text=hidden(reading.text, spans)) if spans else reading


def is_no_note(said: str) -> bool:
    """Whether words only let off steam, tell which one of what was offered, or ask something."""
    return any(pattern_of(section).search(said) for section in ("grumbles", "no note"))


def chance_of_note(text: str) -> float:
    """How probable it is that words wish something besides."""
    words = _QUE.sub("que ", text.strip(" ,.;¡!"))
    if len(_WORD.findall(words)) < FEWEST_WORDS or is_no_note(fold(words)):
        return 0.0
    encoder, classifier = load_encoder(), load_classifier(NOTES)
    vector = encoder.encode([words])[0] if encoder else None
    return float(classifier.probabilities(words, vector=vector)[classifier.labels.index(NOTE)])


def note_slot(agent: Agent, session: Session, proposed: Sequence[Command]) -> str:
    """The slot for notes of a flow that is under way, begins, comes next, or has taken what opens sessions."""
    mode = agent.modes.get(session.mode)
    opening = [name for name, flow in agent.flows.items() if flow.starts_by_itself]
    begun = [each.flow for each in of_kind(proposed, StartFlow)]
    orders = any(each.tool in agent.ordering.values() for each in of_kind(proposed, CallTool))
    ahead = agent.modes.values() if orders else (mode,) if mode else ()  # what is ordered leads to where it is closed
    flows = [*reversed(session.flows), *begun, *opening, *(each.next.yes for each in ahead)]
    slots = [name for flow in flows for name in agent.collected_by(flow)]
    return next((name for name in slots if agent.slots[name].kind.is_note), "")


def _clauses(text: Text) -> tuple[tuple[Span, Span], ...]:
    """The parts of a message between its signs, each whole and without the words that lead in."""
    folded, spans, start = text.folded, list[tuple[Span, Span]](), 0
    for sign in (*_BREAK.finditer(folded), None):
        end = sign.start() if sign else len(folded)
        lead = _LEAD.match(folded, start, end)
        first = lead.end() if lead else start
        if first < end:
            spans.append(((start, end), (first, end)))
        start = sign.end() if sign else end
    return tuple(spans)


def _values(agent: Agent, session: Session, reading: Reading, asked: str) -> Iterator[Span]:
    """Where values stand, also days and hours that may yet be taken when their part is read alone."""
    yield from (each.span for each in weigh(agent, session, reading, asked).taken.values() if _is_told(each))
    slots = [agent.slots[name] for name in in_play(agent, session, reading)]
    for slot in slots:
        if slot.kind.is_when:
            yield from ((each.start, each.end) for each in reading.values.of(slot))


def _is_when(reading: Reading, span: Span) -> bool:
    """Whether a clause says nothing but between which hours: "después de las 5", where no slot takes that."""
    text = reading.text.folded
    return any(
        span[0] <= each.start
        and each.end <= span[1]
        and set(_WORD.findall(f"{text[span[0] : each.start]} {text[each.end : span[1]]}")) <= FILLERS
        for each in reading.values.of(_HOURS)
    )


def _is_for_nobody(agent: Agent, reading: Reading, span: Span) -> bool:
    """Whether a clause tells how to reach somebody, where no slot takes that: "mi tel es 11 4444 5555"."""
    taken = {slot.type for slot in agent.slots.values()}
    found = [each for slot in _REACHED if slot.type not in taken for each in reading.values.of(slot)]
    return any(span[0] <= each.start and each.end <= span[1] and each.confidence >= SURE for each in found)


def _noted(text: Text, span: Span) -> Span:
    """Where a note itself stands, behind the words that ask to note it."""
    told = _TOLD_TO_NOTE.match(text.folded, *span)
    return (told.end(), span[1]) if told else span


def _worded(text: Text, span: Span) -> str:
    return text.original(*span).strip(" ,.;")


def _is_told(candidate: SlotCandidate) -> bool:
    return candidate.found.confidence >= SURE or not candidate.is_unasked


def _held(agent: Agent, reading: Reading, proposed: Sequence[Command]) -> Iterator[Span]:
    """Where something else stands: acts by their very words, goods, and what is done because it is meant."""
    later = [act for act in reading.acts if act.kind == "later"]  # "esperá que consulto con mi mujer"
    yield from ((act.start, act.end) for act in (*find_acts(reading.text), *later) if act.kind in NO_NOTE)
    yield from (
        (line.start, line.end)
        for line in reading.lines
        if line.known and not line.beside and _is_written(reading, line)
    )
    infos = {each.intent for each in of_kind(proposed, AskInfo)}
    tools = {each.tool for each in of_kind(proposed, CallTool)}
    done = {name for name, intent in agent.intents.items() if name in infos or (intent.do and intent.do in tools)}
    for part in reading.parts:
        start = reading.text.raw.find(part.text)
        is_wish = not reading.asks and chance_of_note(part.text) >= SURE_BESIDE_ELSE
        if part.ranked.intent in done and is_sure(part.ranked) and start >= 0 and not is_wish:
            yield start, start + len(part.text)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
