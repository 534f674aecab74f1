"""Which slot gets which value of a message: named ones first, then what was asked, then what is told by its shape."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.commands import CorrectSlot, SetSlot, SkipSlot
from hilo.dialogue.session import AskedSlot, AskedYes, Session
from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_words import FUNCTION_WORDS, GIVEN_NAMES, LIKE_CITIES
from hilo.recognisers.places.address_words import STOPS
from hilo.recognisers.places.cities import PlaceFound, is_well_known, only_region
from hilo.slots.utterance import SURE
from hilo.understanding.assignment import Assignment
from hilo.understanding.labelled_values import labelled_values
from hilo.understanding.mentions import Mention
from hilo.understanding.reading import Reading
from hilo.understanding.regions import with_regions
from hilo.understanding.volunteered import (
    take_by_shape,
    take_names_between,
    take_state_of_zip,
    take_town_after_address,
    take_town_beside,
)

SlotCommand = SetSlot | CorrectSlot | SkipSlot
NEAR = 60  # a value belongs to a name that stands at most so many characters before it
LEAST_SURE, SHORT = 50, 3  # how sure a number must be in a message of more words
MOST_TAIL_WORDS = 3
SURE_BESIDE_A_NAME, KNOWN_NAME = 85, 80  # how sure an intent must be to beat words that nobody knows for a name
NEXT = 2  # a number belongs to a name that follows it at once

_PROPER = re.compile(r"\b(\w+)\s+([A-ZÁÉÍÓÚÑ]\w{2,}(?:\s+[A-ZÁÉÍÓÚÑ]\w+){0,2})")
_TAIL = re.compile(r"[ ,-]+([^\W\d_]+(?: [^\W\d_]+)*)[ .]*$")
_LEAD_IN = re.compile(
    r"^[\s,.:;!¡¿-]*(?:(?:pues|bueno|mira|ah|eh|este|ok|si|no|claro|hola|perdon|well|yes)\b[\s,.:;!-]*)*"
    r"(?:(?:en realidad|quise decir|deberia ser|actually|i meant)[\s,:]*)?"
    r"(?:(?:(?:mi|la|el|su|my|the)\s+[\w ]{2,25}?\s+(?:es|se llama|seria|era|is)|trabajo (?:en|para|con)|soy de|es de"
    r"|se llama|seria|es|it is|it's|i work (?:at|for))\b[\s,:]*)?"
)


def extract(agent: Agent, session: Session, reading: Reading, target: str) -> tuple[SlotCommand, ...]:
    """Commands for the values that recognisers find; `target` is the slot that was asked for or is being corrected."""
    taken = _recognised(agent, session, reading, target)
    return _with_regions(agent, _as_it_starts(agent, session, reading), reading, taken)


def extract_free(agent: Agent, session: Session, reading: Reading, target: str) -> tuple[SlotCommand, ...]:
    """The same for a message that must be the answer: a text slot takes what is left, the unreadable is refused."""
    taken = _recognised(agent, session, reading, target)
    if target and target not in taken.values and agent.slots[target].kind.is_free:
        _rest_of_text(reading, taken, target)
    return _with_regions(agent, session, reading, taken) or tuple(_without_value(agent, reading, target))


def _with_regions(agent: Agent, session: Session, reading: Reading, taken: Assignment) -> tuple[SlotCommand, ...]:
    """The commands, with the regions of the cities; "San Carlos, Antioquia" tells which San Carlos it is."""
    starts = {taken.places[name][0]: name for name in taken.values if agent.slots[name].kind.place == "town"}
    told = {starts[town.start]: only_region(town.places, agent.country) for town in _towns(reading, starts)}
    return with_regions(agent, session, _commands(session, taken), told=told)


def _towns(reading: Reading, starts: Mapping[int, str]) -> list[PlaceFound]:
    return [town for town in reading.values.places if town.start in starts] if starts else []


def _commands(session: Session, taken: Assignment) -> tuple[SlotCommand, ...]:
    in_order = sorted(taken.values, key=lambda slot: taken.places[slot])
    return tuple(_command(session, slot, taken.values[slot]) for slot in in_order)


def gives_a_value(agent: Agent, session: Session, reading: Reading, target: str) -> bool:
    """Whether a message has a value that a recogniser can tell."""
    return bool(_recognised(agent, session, reading, target).values)


def _recognised(agent: Agent, session: Session, reading: Reading, target: str) -> Assignment:
    taken = Assignment()
    session = _as_it_starts(agent, session, reading)
    pending = session.pending
    if isinstance(pending, AskedSlot) and pending.offered and (offered := reading.values.among(pending.offered)):
        taken.take(pending.slot, offered[0])
        return taken
    known = in_play(agent, session, reading)
    reading = _without_named_texts(agent, session, reading, taken, known)
    _by_word_before(agent, session, reading, taken, known)
    _by_name(agent, session, reading, taken)
    if target and target not in taken.values:
        _for_target(agent, session, reading, taken, target)
    regional = [name for name, slot in agent.slots.items() if slot.region_of]
    for name in (*(each for each in known if each not in regional), *regional):
        if name != target:
            take_by_shape(agent, session, reading, taken, name)
    take_town_after_address(agent, session, reading, taken, known)
    take_town_beside(agent, session, reading, taken, known)
    take_state_of_zip(agent, session, reading, taken)
    take_names_between(agent, session, reading, taken, known)
    for name in known:
        if agent.slots[name].kind.sort == "choice" and taken.values and name != target:
            take_by_shape(agent, session, reading, taken, name)  # beside what is known now to be something else
    return taken


def _without_named_texts(
    agent: Agent, session: Session, reading: Reading, taken: Assignment, known: tuple[str, ...]
) -> Reading:
    """Take the free texts that are named; what is left of the message is for the rest."""
    names = dict.fromkeys((*known, *session.slots))
    free = {name: agent.slots[name] for name in names if _is_free_text(agent, name)}
    named = labelled_values(free, reading.text, reading.mentions, country=agent.country) if free else []
    for each in named:
        taken.take(each.slot, each.found)
        taken.hidden.add(each.slot)
    spans = [(each.start, each.found.end) for each in named]
    return replace(reading, values=reading.values.without(spans)) if spans else reading


def _is_free_text(agent: Agent, name: str) -> bool:
    slot = agent.slots[name]
    return slot.kind.is_free and not slot.pattern and not slot.region_of and name not in agent.found_only()


def _as_it_starts(agent: Agent, session: Session, reading: Reading) -> Session:
    """The session without what a flow that is about to start will ask anew; what is in use stays."""
    under_way = {frame.flow for frame in session.stack}
    in_use = {name for flow in under_way for name in agent.flows[flow].collects}
    starting = [agent.flows[name] for name in reading.meant if name in agent.flows and name not in under_way]
    anew = {name for flow in starting for name in flow.collects if not agent.slots[name].keep} - in_use
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
    names = list(dict.fromkeys((*names, *_chosen_ahead(agent), *_never_asked(agent)))) if names else names
    filled_first = isinstance(session.pending, AskedYes) and not starting
    return tuple(sorted(names, key=lambda name: (name in session.slots) != filled_first))


def _chosen_ahead(agent: Agent) -> list[str]:
    """The choices that the flows of modes will ask for: "quiero la promo de dos" says one before it is its turn."""
    begun = {mode.enter.start for mode in agent.modes.values() if mode.enter and mode.enter.start}
    asked = [name for flow in sorted(begun) if flow in agent.flows for name in agent.flows[flow].collects]
    return [name for name in asked if agent.slots[name].kind.sort == "choice"]


def _never_asked(agent: Agent) -> list[str]:
    """The slots that no flow asks for and no tool fills or is given: the contact may say them at any time."""
    tools = {intent.do for intent in agent.intents.values()} & agent.toolbox.keys()
    others = {name for tool in tools for name in agent.toolbox[tool].parameters} | agent.found_only()
    others.update(name for flow in agent.flows.values() for name in flow.collects)
    return [name for name in agent.slots if name not in others]


def _command(session: Session, slot: str, value: Value) -> SlotCommand:
    return CorrectSlot(slot, value) if slot in session.slots else SetSlot(slot, value)


def _by_word_before(
    agent: Agent, session: Session, reading: Reading, taken: Assignment, known: tuple[str, ...]
) -> None:
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


def _by_name(agent: Agent, session: Session, reading: Reading, taken: Assignment) -> None:
    """The first value of the right type after the name, as in "mi correo es x, y el presupuesto 5000"."""
    theirs = agent.found_only()
    for mention in sorted(reading.mentions, key=lambda each: (each.start, each.slot in session.slots)):
        if mention.slot in taken.values or mention.slot in theirs or agent.slots[mention.slot].region_of:
            continue  # a region is looked for when its city is known
        free = [found for found in reading.values.of(agent.slots[mention.slot]) if taken.free(found)]
        after = [found for found in free if 0 <= found.start - mention.end <= NEAR]
        counted = [found for found in free if _counts(found, mention)]
        if counted or after:
            taken.take(mention.slot, min(counted or after, key=lambda found: found.start))


def _counts(found: Found, mention: Mention) -> bool:
    """A number right before a name belongs to it: "2 asientos"."""
    sure = found.kind == "number" and found.confidence >= SURE
    return sure and 0 <= mention.start - found.end <= NEXT


def _for_target(agent: Agent, session: Session, reading: Reading, taken: Assignment, target: str) -> None:
    free = [found for found in reading.values.of(agent.slots[target], asked=True) if taken.free(found)]
    kind = agent.slots[target].kind
    if target in session.slots and kind.amend and not _is_sure(free):
        mended = kind.amend(str(session.slots[target]), reading.values.text)
        free = [mended] if mended and taken.free(mended) else free
    if len(free) > 1 and kind.sort == "choice":
        return  # "la 1 y la 2"
    if free and not _is_article(free[0], reading) and not _is_no_name(agent, session, reading, free[0]):
        taken.take(target, _with_tail(reading, free[0]) if free[0].kind == "address" else free[0])


def _is_no_name(agent: Agent, session: Session, reading: Reading, found: Found) -> bool:
    """Whether what could be a name says something else ("un momentico"), or is the large city still to be told."""
    if found.kind != "person_name" or fold(str(found.value)).split()[0] in GIVEN_NAMES | LIKE_CITIES:
        return False
    cities = [name for name, slot in agent.slots.items() if slot.kind.place == "town"]
    towns = [town for town in reading.values.places if (town.start, town.end) == (found.start, found.end)]
    untold = len(cities) == 1 and cities[0] not in session.slots
    sure = reading.intent and reading.confidence >= SURE_BESIDE_A_NAME and len(reading.parts) == 1
    says = reading.is_only("deny") or (sure and found.confidence < KNOWN_NAME)
    return bool(says) or (untold and any(is_well_known(town.places[0]) for town in towns if town.confidence >= SURE))


def _with_tail(reading: Reading, address: Found) -> Found:
    """An address that was asked for, with the few words that end it: "transversal 54 # 41-100 manga"."""
    text = reading.values.text
    tail = _TAIL.match(text.folded, address.end)
    named = tail.group(1).split() if tail else []
    towns = {place for town in reading.values.places for place in range(town.start, town.end)}
    if not tail or not 0 < len(named) <= MOST_TAIL_WORDS or named[0] in GIVEN_NAMES or towns & {*range(*tail.span(1))}:
        return address
    if any(word in STOPS | FUNCTION_WORDS for word in named) or any(each.start >= address.end for each in reading.acts):
        return address
    value = f"{address.value}{text.original(address.end, tail.end(1))}"
    return replace(address, value=value, end=tail.end(1))


def _is_sure(found: list[Found]) -> bool:
    return bool(found) and found[0].confidence >= SURE


def _is_article(found: Found, reading: Reading) -> bool:
    """The "un" of "un vuelo más barato" counts nothing."""
    return found.kind == "number" and found.confidence < LEAST_SURE and len(reading.text.raw.split()) > SHORT


def _rest_of_text(reading: Reading, taken: Assignment, target: str) -> None:
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
        yield SetSlot(target, _unusable(agent.slots[target], reading))


def _unusable(slot: Slot, reading: Reading) -> Value:
    """What is proposed to be refused, so that the explanation fits: a value out of bounds, the words, or nothing."""
    refused = reading.values.out_of_range(slot)
    if refused is not None:
        return refused
    return reading.text.raw[:200] if slot.kind.may_be(reading.values.said) else ""
