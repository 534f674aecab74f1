"""Values that nobody asked for: which slots may take them, and how sure they must be."""

import re
from collections.abc import Sequence

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.session import AskedSlot, AskedYes, Session
from hilo.recognisers.choices import is_all, is_wished
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_parts import NamePart
from hilo.recognisers.people.name_words import GIVEN_NAMES
from hilo.recognisers.people.recipients import is_received, may_be_sent, sent_to
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.cities import AMERICA, as_city, is_covered, regions_of
from hilo.recognisers.places.gazetteer_names import LARGE
from hilo.recognisers.places.regions import find_zip_states
from hilo.slots.utterance import SURE
from hilo.understanding.assignment import Assignment
from hilo.understanding.reading import Reading

LEAST_SURE = 50  # the other part of a name that was asked for
KNOWN_NAME = 80
SHORT_AMENDMENT = 8  # words of a message that adds to an address

_ORDINARY = word_set("un uno una dos tres cuatro cinco primero primera a one two three four five first")
_BREAKS = frozenset(",;.\n")
_TOWN = re.compile(r",[ ]*([A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2}?)(?=[ ]*(?:[,.\n]|$)|,?[ ][A-Z]{2}\b|[ ]\d{5})")
_EXCUSE = re.compile(
    r"(?:ay |uy )?(?:no[, ]+)?(?:perdon|perdone|disculp[ae]|digo|corrijo|mejor dicho|sorry|i meant?)\b[ ,.:]*"
)
_LIVES = re.compile(r"\b(?:vivo|vivimos|resido|me mude|nos mudamos|i live|i moved)\b")


def take_by_shape(agent: Agent, session: Session, reading: Reading, taken: Assignment, name: str) -> None:
    """A value that nobody asked for, where its type leaves no doubt."""
    slot = agent.slots[name]
    asks = reading.has("question") and not reading.has("affirm", "deny", "correct")
    beside = asks and (name in session.slots or isinstance(session.pending, AskedYes))
    if name in taken.values or beside or not _has_shape(agent, session, reading, name):
        return
    if slot.part and reading.is_only("deny"):
        return  # "nah, I'm good" is nobody
    if slot.part == "given" and _has_the_family_of_another(agent, session, reading, name):
        return
    found = [each for each in _unasked(agent, session, reading, name) if taken.free(each)]
    asked = slot.kind.place == "street" and session.pending == AskedSlot(name)  # beside a new name it is not the target
    least = LEAST_SURE if asked or (slot.part and _asked_part(agent, session, taken)) else SURE
    listed = slot.kind.is_listed and bool(taken.values)
    sure = [each for each in found if each.confidence >= least or (listed and _is_member(slot, each, reading))]
    places = [taken.places[each] for each in taken.values if agent.slots[each].kind.place]
    if slot.kind.sort == "choice" and (len(sure) != 1 or not _is_chosen(session, reading, name, sure[0], places)):
        return
    if sure and sure[0].value != session.slots.get(name):
        taken.take(name, sure[0])


def _has_the_family_of_another(agent: Agent, session: Session, reading: Reading, name: str) -> bool:
    """Whether a receiver with only a given name would get the family name of the contact."""
    families = [each for each, slot in agent.slots.items() if slot.part == "family" and each in session.slots]
    told = any(reading.values.of(agent.slots[each]) for each in families)
    return name in session.slots and bool(families) and not told and is_received(reading.text.folded)


def _is_chosen(session: Session, reading: Reading, name: str, found: Found, places: Sequence[tuple[int, int]]) -> bool:
    """Whether a choice is what a message is about; to change one, or in a word like "una", it must be all of it.

    `places` are where it shall be sent to: "mejor la de tres, y mándela a la calle 5 # 6-7".
    """
    text = reading.text.folded
    if isinstance(session.pending, AskedYes) and _is_in_a_yes(reading, found):
        return False
    ordinary = text[found.start : found.end] in _ORDINARY
    if name not in session.slots and (not ordinary or is_wished(reading.text, found)):
        return True
    return not reading.has("question") and is_all(text, found, places)


def _is_in_a_yes(reading: Reading, found: Found) -> bool:
    """Whether a choice is but a word of a yes: "de una" means at once."""
    return any(act.kind == "affirm" and act.start < found.start and found.end <= act.end for act in reading.acts)


def _unasked(agent: Agent, session: Session, reading: Reading, name: str) -> tuple[Found, ...]:
    """Values for a slot that was not asked for, where what was asked or is known makes more of them."""
    slot, values, asked = agent.slots[name], reading.values, _asked_part(agent, session)
    if slot.part and asked:
        return values.part(slot, asked=asked)
    if slot.part and name in session.slots and _excuses_a_name(reading):
        return tuple(each for each in values.part(slot, asked="given") if each.confidence >= KNOWN_NAME)
    found = values.of(slot)
    if slot.kind.place == "town":
        streets = _addresses(agent, reading) if name in session.slots else []
        apart = [each for each in found if all(each.end <= one.start or each.start >= one.end for one in streets)]
        return tuple(each for each in apart if not _is_region(agent, reading, name, each))
    if slot.kind.amend and name in session.slots and not found and _is_short(reading):
        mended = slot.kind.amend(str(session.slots[name]), values.text)
        return (mended,) if mended else ()
    return found


def _excuses_a_name(reading: Reading) -> bool:
    """Whether a message says sorry and goes on with what may be a whole name: "perdón, Ana Peralta"."""
    said = _EXCUSE.match(reading.text.folded)
    return said is not None and len(reading.text.folded[said.end() :].split()) > 1


def _asked_part(agent: Agent, session: Session, taken: Assignment | None = None) -> NamePart:
    """The part of a name that was asked for, and given if it must be."""
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    return agent.slots[asked].part if asked and (taken is None or asked in taken.values) else ""


def _is_short(reading: Reading) -> bool:
    return len(reading.text.raw.split()) <= SHORT_AMENDMENT and not reading.has("question")


def _is_region(agent: Agent, reading: Reading, city: str, found: Found) -> bool:
    """Whether a small town's name is more likely that of a region: "soy de Boyacá"."""
    regional = [slot for slot in agent.slots.values() if slot.region_of == city]
    regions = {each.start: each.end for slot in regional for each in reading.values.of(slot)}
    towns = [town.places[0] for town in reading.values.places if town.start == found.start]
    return regions.get(found.start) == found.end and all(town.population < LARGE for town in towns)


def _is_member(slot: Slot, found: Found, reading: Reading) -> bool:
    """Whether a value stands for itself in a list of them: "Ana Pérez, 30123456, San Martín 1234"."""
    start, end = reading.text.span(found.start, found.end)
    before, after = reading.text.raw[:start].rstrip(" "), reading.text.raw[end:].lstrip(" ")
    opens = before[-1:] in _BREAKS or (not before and slot.kind.place == "town")
    return found.kind == slot.type and opens and (not after or after[0] in _BREAKS)


def _has_shape(agent: Agent, session: Session, reading: Reading, name: str) -> bool:
    """Whether a value of the slot is told by its shape; a second city is a new one only in a correction, or alone."""
    slot = agent.slots[name]
    if slot.kind.place == "town":
        cities = [each for each in agent.slots.values() if each.kind.place == "town"]
        moved = reading.has("correct", "deny") or bool(_LIVES.search(reading.text.folded))
        moved = moved or (session.pending is None and _is_all(reading, slot))
        return len(cities) == 1 and (name not in session.slots or moved or _is_sent_elsewhere(agent, reading, slot))
    coded = slot.kind.is_free and bool(slot.pattern or slot.region_of)
    return slot.kind.volunteered in {"always", "as_a_wish"} or coded


def _is_sent_elsewhere(agent: Agent, reading: Reading, city: Slot) -> bool:
    """Whether a town stands beside an address, or is where something shall be sent."""
    if not may_be_sent(reading.text.folded):
        return bool(_addresses(agent, reading))
    return bool(_addresses(agent, reading) or sent_to(reading.text.folded, reading.values.of(city)))


def _addresses(agent: Agent, reading: Reading) -> list[Found]:
    slots = [slot for slot in agent.slots.values() if slot.kind.place == "street"]
    return [each for slot in slots for each in reading.values.of(slot) if each.confidence >= SURE]


def _is_all(reading: Reading, slot: Slot) -> bool:
    """Whether a message is nothing but a value of the slot."""
    return any(each.confidence >= SURE for each in _whole(reading, slot))


def _whole(reading: Reading, slot: Slot) -> list[Found]:
    whole = len(reading.text.folded.strip(" .!"))
    return [each for each in reading.values.of(slot) if each.end - each.start == whole]


def tells_what_we_know(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a message is nothing but a value that its slot has already."""
    told = {name: value for name, value in session.slots.items() if agent.slots[name].kind.volunteered != "no"}
    return any(each.value == value for name, value in told.items() for each in _whole(reading, agent.slots[name]))


def take_town_after_address(
    agent: Agent, session: Session, reading: Reading, taken: Assignment, known: tuple[str, ...]
) -> None:
    """Where no list of towns helps, the town is what stands after the street: "12 Oak Rd, Smallville"."""
    cities = [name for name in known if agent.slots[name].kind.place == "town"]
    if len(cities) != 1 or cities[0] in taken.values or cities[0] in session.slots or is_covered(agent.country):
        return
    ends = [taken.places[name][1] for name in taken.values if agent.slots[name].kind.place == "street"]
    text = reading.text
    town = _TOWN.match(text.raw, text.span(0, ends[0])[1]) if ends and len(text.raw) == len(text.folded) else None
    if town and taken.free(found := Found("city", town.group(1), town.start(1), town.end(1), SURE)):
        taken.take(cities[0], found)


def take_town_beside(
    agent: Agent, session: Session, reading: Reading, taken: Assignment, known: tuple[str, ...]
) -> None:
    """A name that may be a town is one where a phone or an address touches it: "3105556677 Pereira cra 8 # 20-10"."""
    cities = [name for name in known if agent.slots[name].kind.place == "town"]
    if len(cities) != 1 or cities[0] in taken.values:
        return
    moved = any(agent.slots[name].kind.place == "street" for name in taken.values)
    if cities[0] in session.slots and not moved:
        return
    near = [taken.places[name] for name in taken.values if agent.slots[name].kind.is_beside_towns]
    told = [each for each in map(as_city, reading.values.places) if taken.free(each) and _touches(reading, each, near)]
    named = any(agent.slots[name].kind.names_person for name in (*taken.values, *session.slots))
    if len(told) == 1 and (named or fold(str(told[0].value)) not in GIVEN_NAMES):
        taken.take(cities[0], told[0])


def _touches(reading: Reading, town: Found, near: Sequence[tuple[int, int]]) -> bool:
    """Whether one of these values stands beside a town, and no word of another stands on its other side."""
    text = reading.text.folded
    edges = [(end, town.start) for _, end in near if end <= town.start]
    edges += [(town.end, start) for start, _ in near if start >= town.end]
    beside = any(not text[first:last].strip(" ,") for first, last in edges)
    before, after = text[: town.start].rstrip(" "), text[town.end :].lstrip(" ")
    starts, ends = {start for start, _ in near}, {end for _, end in near}
    apart_before = not before[-1:].isalnum() or len(before) in ends
    apart_after = not after[:1].isalnum() or len(text) - len(after) in starts
    return beside and apart_before and apart_after


def take_state_of_zip(agent: Agent, session: Session, reading: Reading, taken: Assignment) -> None:
    """A ZIP code tells the state of a town that may lie there; a state that is written or known goes first."""
    regional = [name for name, slot in agent.slots.items() if slot.region_of]
    if agent.country != AMERICA or not regional or regional[0] in taken.values:
        return
    city = agent.slots[regional[0]].region_of
    known = (regional[0] in session.slots and city not in taken.values) or reading.values.is_of_two_people
    if known or any(each.confidence >= SURE for each in reading.values.of(agent.slots[regional[0]])):
        return
    possible = regions_of(str(taken.values.get(city, session.slots.get(city, ""))), AMERICA)
    for state in find_zip_states(reading.text):
        code = reading.text.folded[state.start : state.end]
        if reading.text.raw.strip()[:5] == code and not any(str(each)[:5] == code for each in taken.values.values()):
            continue  # five digits alone are a ZIP code only where one was asked for
        if not possible or state.value in possible:
            taken.take(regional[0], state)
            taken.hidden.add(regional[0])


def take_names_between(
    agent: Agent, session: Session, reading: Reading, taken: Assignment, known: tuple[str, ...]
) -> None:
    """A name is what is left between other values: "3001234567 ana pérez medellín"."""
    people = [name for name in known if agent.slots[name].kind.names_person]
    if not taken.values or any(name in taken.values or name in session.slots for name in people):
        return
    labels = [(mention.start, mention.end) for mention in reading.mentions]
    rest = reading.values.without([*taken.places.values(), *labels])
    for name in people:
        slot = agent.slots[name]
        found = rest.part(slot, asked="given") if slot.part else rest.of(slot, asked=True)
        if found and found[0].confidence >= SURE:
            taken.take(name, found[0])
