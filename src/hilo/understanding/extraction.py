"""Which slot gets which value of a message: named ones first, then what was asked, then what is told by its shape."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import CorrectSlot, SetSlot, SkipSlot
from hilo.dialogue.session import AskedSlot, Session
from hilo.understanding.corrections import DISTINCTIVE
from hilo.understanding.found import Found, Value
from hilo.understanding.mentions import Mention
from hilo.understanding.normalise import fold
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import SURE

SlotCommand = SetSlot | CorrectSlot | SkipSlot
NEAR = 60  # a value belongs to a name that stands at most so many characters before it
NEXT = 2  # a number belongs to a name that follows it at once

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
    """Commands for all values of a message; `target` is the slot that was asked for or is being corrected."""
    taken = _recognised(agent, session, reading, target)
    if target and target not in taken.values and agent.slots[target].type == "text":
        _rest_of_text(reading, taken, target)
    in_order = sorted(taken.values, key=lambda slot: taken.places[slot])
    commands = tuple(_command(session, slot, taken.values[slot]) for slot in in_order)
    return commands or tuple(_without_value(agent, reading, target))


def gives_a_value(agent: Agent, session: Session, reading: Reading, target: str) -> bool:
    """Whether a message has a value that a recogniser can tell."""
    return bool(_recognised(agent, session, reading, target).values)


def _recognised(agent: Agent, session: Session, reading: Reading, target: str) -> _Taken:
    taken = _Taken()
    _by_word_before(agent, reading, taken)
    _by_name(agent, reading, taken)
    if target and target not in taken.values:
        _for_target(agent, session, reading, taken, target=target)
    _by_shape(agent, session, reading, taken, target)
    return taken


def _command(session: Session, slot: str, value: Value) -> SlotCommand:
    return CorrectSlot(slot, value) if slot in session.slots else SetSlot(slot, value)


def _by_word_before(agent: Agent, reading: Reading, taken: _Taken) -> None:
    """Values told apart by the word right before them: "de Madrid a Lima"."""
    for name, slot in agent.slots.items():
        if not slot.before:
            continue
        cues = {fold(word) for word in slot.before}
        for found in sorted(reading.values.of(slot), key=lambda found: found.start):
            if _word_before(reading.text.folded, found.start) in cues and taken.free(found):
                taken.take(name, found)


def _word_before(text: str, start: int) -> str:
    before = text[:start].rstrip()
    return before[before.rfind(" ") + 1 :].strip(",.;:¿¡(") if before and before[-1] not in ",.;:" else ""


def _by_name(agent: Agent, reading: Reading, taken: _Taken) -> None:
    """The first value of the right type after the name, as in "mi correo es x, y el presupuesto 5000"."""
    for mention in reading.mentions:
        if mention.slot in taken.values:
            continue
        candidates = reading.values.of(agent.slots[mention.slot])
        near = [found for found in candidates if 0 <= found.start - mention.end <= NEAR or _counts(found, mention)]
        if free := [found for found in near if taken.free(found)]:
            taken.take(mention.slot, min(free, key=lambda found: abs(found.start - mention.end)))


def _counts(found: Found, mention: Mention) -> bool:
    """A number right before a name belongs to it: "2 asientos"."""
    return found.kind == "number" and 0 <= mention.start - found.end <= NEXT


def _for_target(agent: Agent, session: Session, reading: Reading, taken: _Taken, *, target: str) -> None:
    pending = session.pending
    if isinstance(pending, AskedSlot) and pending.offered and (offered := reading.values.among(pending.offered)):
        taken.take(target, offered[0])
        return
    free = [found for found in reading.values.of(agent.slots[target], asked=True) if taken.free(found)]
    if free:
        taken.take(target, free[0])


def _by_shape(agent: Agent, session: Session, reading: Reading, taken: _Taken, target: str) -> None:
    """Values that nobody asked for, where their type leaves no doubt; empty slots come before filled ones."""
    names = sorted(agent.slots, key=lambda name: name in session.slots)
    for name in names:
        slot = agent.slots[name]
        if name in taken.values or name == target or slot.type not in DISTINCTIVE:
            continue
        sure = [found for found in reading.values.of(slot) if found.confidence >= SURE and taken.free(found)]
        if sure and sure[0].value != session.slots.get(name):
            taken.take(name, sure[0])


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
        yield SetSlot(target, "" if unread else reading.text.raw[:200])
