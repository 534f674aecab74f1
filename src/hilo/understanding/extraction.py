"""Which slot gets which value of a message: named ones first, then what was asked, then what is told by its shape."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.commands import CorrectSlot, SetSlot, SkipSlot
from hilo.dialogue.session import AskedSlot, AskedYes, Session
from hilo.understanding.corrections import DISTINCTIVE
from hilo.understanding.found import Found, Value
from hilo.understanding.mentions import Mention
from hilo.understanding.normalise import fold
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import SURE

SlotCommand = SetSlot | CorrectSlot | SkipSlot
NEAR = 60  # a value belongs to a name that stands at most so many characters before it
LONGEST_CITY = 5  # words
LEAST_SURE, SHORT = 50, 3  # how sure a number must be in a message of more words
NEXT = 2  # a number belongs to a name that follows it at once

_BREAKS = frozenset(",;.\n")
_PROPER = re.compile(r"\b(\w+)\s+([A-ZÁÉÍÓÚÑ]\w{2,}(?:\s+[A-ZÁÉÍÓÚÑ]\w+){0,2})")
_LEAD_IN = re.compile(
    r"^[\s,.:;!¡¿-]*(?:(?:pues|bueno|mira|ah|eh|este|ok|si|no|claro|hola|perdon|well|yes)\b[\s,.:;!-]*)*"
    r"(?:(?:en realidad|quise decir|deberia ser|actually|i meant)[\s,:]*)?"
    r"(?:(?:(?:mi|la|el|su|my|the)\s+[\w ]{2,25}?\s+(?:es|se llama|seria|era|is)|trabajo (?:en|para|con)|soy de|es de"
    r"|se llama|seria|es|it is|it's|i work (?:at|for))\b[\s,:]*)?"
)


@dataclass(slots=True)
class _Taken:
    """What already belongs to a slot: values by slot, and where they stand."""

    values: dict[str, Value] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def free(self, found: Found) -> bool:
        return all(found.end <= start or found.start >= end for start, end in self.places.values())

    def take(self, slot: str, found: Found) -> None:
        self.places[slot] = (found.start, found.end)
        self.values[slot] = found.value


def extract(agent: Agent, session: Session, reading: Reading, target: str) -> tuple[SlotCommand, ...]:
    """Commands for the values that recognisers find; `target` is the slot that was asked for or is being corrected."""
    return _commands(_as_it_starts(agent, session, reading), _recognised(agent, session, reading, target))


def extract_free(agent: Agent, session: Session, reading: Reading, target: str) -> tuple[SlotCommand, ...]:
    """The same for a message that must be the answer: a text slot takes what is left, the unreadable is refused."""
    taken = _recognised(agent, session, reading, target)
    if target and target not in taken.values and agent.slots[target].type == "text":
        _rest_of_text(reading, taken, target)
    return _commands(session, taken) or tuple(_without_value(agent, reading, target))


def _commands(session: Session, taken: "_Taken") -> tuple[SlotCommand, ...]:
    in_order = sorted(taken.values, key=lambda slot: taken.places[slot])
    return tuple(_command(session, slot, taken.values[slot]) for slot in in_order)


def gives_a_value(agent: Agent, session: Session, reading: Reading, target: str) -> bool:
    """Whether a message has a value that a recogniser can tell."""
    return bool(_recognised(agent, session, reading, target).values)


def _recognised(agent: Agent, session: Session, reading: Reading, target: str) -> _Taken:
    taken = _Taken()
    session = _as_it_starts(agent, session, reading)
    pending = session.pending
    if isinstance(pending, AskedSlot) and pending.offered and (offered := reading.values.among(pending.offered)):
        taken.take(pending.slot, offered[0])
        return taken
    known = in_play(agent, session, reading)
    _by_word_before(agent, session, reading, taken, known)
    _by_name(agent, session, reading, taken)
    if target and target not in taken.values:
        _for_target(agent, reading, taken, target)
    for name in known:
        if name != target:
            _by_shape(agent, session, reading, taken, name)
    return taken


def _as_it_starts(agent: Agent, session: Session, reading: Reading) -> Session:
    """The session without what a flow that is about to start will ask anew."""
    under_way = {frame.flow for frame in session.stack}
    starting = [agent.flows[name] for name in reading.meant if name in agent.flows and name not in under_way]
    anew = {name for flow in starting for name in flow.collects if not agent.slots[name].keep}
    return (
        replace(session, slots={name: value for name, value in session.slots.items() if name not in anew})
        if anew
        else session
    )


def in_play(agent: Agent, session: Session, reading: Reading) -> tuple[str, ...]:
    """The slots that an unasked value may be for: those of the flows under way or about to start, the likeliest first.

    While a summary waits for its yes, what it is about is likelier to be changed than something new to be said.
    """
    starting = [name for name in reading.meant if name in agent.flows]
    under_way = [frame.flow for frame in reversed(session.stack)]
    opening = [] if session.finished else [name for name, flow in agent.flows.items() if flow.starts_by_itself]
    slots = dict.fromkeys(name for flow in (*starting, *under_way, *opening) for name in agent.flows[flow].collects)
    kept = [name for name, slot in agent.slots.items() if slot.keep]
    names = list(slots) or [name for name in (*session.slots, *kept) if name not in agent.found_only()]
    filled_first = isinstance(session.pending, AskedYes) and not starting
    return tuple(sorted(names, key=lambda name: (name in session.slots) != filled_first))


def _command(session: Session, slot: str, value: Value) -> SlotCommand:
    return CorrectSlot(slot, value) if slot in session.slots else SetSlot(slot, value)


def _by_word_before(agent: Agent, session: Session, reading: Reading, taken: _Taken, known: tuple[str, ...]) -> None:
    """Values told apart by the word right before them: "de Madrid a Lima"."""
    for name in known:
        slot, cues = agent.slots[name], {fold(word) for word in agent.slots[name].before}
        found = reading.values.of(slot) if cues else ()
        judged = _named_after(reading, cues) if cues and slot.valid_if and name not in session.slots else ()
        for each in (*found, *judged):
            if _word_before(reading.text.folded, each.start) in cues and taken.free(each) and name not in taken.values:
                taken.take(name, each)


def _named_after(reading: Reading, cues: set[str]) -> Iterator[Found]:
    """Capitalised words after a cue, for a tool to judge: "de MAD a Miami"."""
    text = reading.text
    for match in _PROPER.finditer(text.raw):
        if fold(match.group(1)) in cues and len(text.raw) == len(text.folded):
            yield Found("text", match.group(2), match.start(2), match.end(2), 50)


def _word_before(text: str, start: int) -> str:
    before = text[:start].rstrip()
    return before[before.rfind(" ") + 1 :].strip(",.;:¿¡(") if before and before[-1] not in ",.;:" else ""


def _by_name(agent: Agent, session: Session, reading: Reading, taken: _Taken) -> None:
    """The first value of the right type after the name, as in "mi correo es x, y el presupuesto 5000"."""
    theirs = agent.found_only()
    for mention in sorted(reading.mentions, key=lambda each: (each.start, each.slot in session.slots)):
        if mention.slot in taken.values or mention.slot in theirs:
            continue
        free = [found for found in reading.values.of(agent.slots[mention.slot]) if taken.free(found)]
        after = [found for found in free if 0 <= found.start - mention.end <= NEAR]
        counted = [found for found in free if _counts(found, mention)]
        if counted or after:
            taken.take(mention.slot, min(counted or after, key=lambda found: found.start))


def _counts(found: Found, mention: Mention) -> bool:
    """A number right before a name belongs to it: "2 asientos"."""
    sure = found.kind == "number" and found.confidence >= SURE
    return sure and 0 <= mention.start - found.end <= NEXT


def _for_target(agent: Agent, reading: Reading, taken: _Taken, target: str) -> None:
    free = [found for found in reading.values.of(agent.slots[target], asked=True) if taken.free(found)]
    if free and not _is_article(free[0], reading):
        taken.take(target, free[0])


def _is_article(found: Found, reading: Reading) -> bool:
    """The "un" of "un vuelo más barato" counts nothing."""
    return found.kind == "number" and found.confidence < LEAST_SURE and len(reading.text.raw.split()) > SHORT


def _by_shape(agent: Agent, session: Session, reading: Reading, taken: _Taken, name: str) -> None:
    """A value that nobody asked for, where its type leaves no doubt."""
    slot = agent.slots[name]
    asks = reading.has("question") and not reading.has("affirm", "deny", "correct")
    beside = asks and (name in session.slots or isinstance(session.pending, AskedYes))
    if name in taken.values or not _has_shape(slot) or beside:
        return
    found = [each for each in reading.values.of(slot) if taken.free(each)]
    sure = [each for each in found if each.confidence >= SURE or (taken.values and _is_member(each, reading))]
    if slot.type == "choice" and (name in session.slots or len(sure) != 1):
        return
    if sure and sure[0].value != session.slots.get(name):
        taken.take(name, sure[0])


def _is_member(found: Found, reading: Reading) -> bool:
    """Whether a value stands for itself in a list of them: "Ana Pérez, 30123456, San Martín 1234"."""
    start, end = reading.text.span(found.start, found.end)
    before, after = reading.text.raw[:start].rstrip(" "), reading.text.raw[end:].lstrip(" ")
    return found.kind in {"address", "national_id"} and before[-1:] in _BREAKS and (not after or after[0] in _BREAKS)


def _has_shape(slot: Slot) -> bool:
    """Whether a value of the slot is told by its shape."""
    return slot.type in DISTINCTIVE or slot.type == "choice" or (slot.type == "text" and bool(slot.pattern))


def _rest_of_text(reading: Reading, taken: _Taken, target: str) -> None:
    """A text slot takes what is left of the message, without the words that lead in."""
    if reading.is_only("skip", "affirm", "deny", "repeat", "cancel", "human"):
        return
    start = _text_start(reading)
    starts = [first for first, _ in taken.places.values()]
    end = min((first for first in starts if first >= start), default=len(reading.text.folded))
    if any(first < start for first in starts):
        return
    text = reading.text.original(start, end).strip(" ,.;:") if start < end else ""
    if any(letter.isalnum() for letter in text):
        taken.take(target, Found("text", text, start, end))


def _text_start(reading: Reading) -> int:
    openings = [act.end for act in reading.acts if act.kind in {"correct", "greet"} and act.start == 0]
    start = max(openings, default=0)
    lead = _LEAD_IN.match(reading.text.folded[start:])
    return start + (lead.end() if lead else 0)


def _without_value(agent: Agent, reading: Reading, target: str) -> Iterator[SlotCommand]:
    """Nothing to keep: the contact will not say it, or what they said is offered to be refused with an explanation."""
    if not target:
        return
    if reading.has("skip") or (reading.is_only("deny") and not agent.slots[target].required):
        yield SkipSlot(target)
    elif not reading.acts or not any(act.whole for act in reading.acts):
        unread = agent.slots[target].type == "person_name"  # a name is what the recogniser takes for one
        unread = unread or (agent.slots[target].type == "city" and len(reading.text.raw.split()) > LONGEST_CITY)
        yield SetSlot(target, "" if unread else reading.text.raw[:200])
