"""Why a value that nobody asked for may be for a slot: its shape tells (40), or what stands beside it (less)."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from hilo.agent.declaration import Agent, Slot
from hilo.recognisers.address_words import AREAS
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_parts import NamePart
from hilo.recognisers.people.name_words import GIVEN_NAMES, PARTICLES
from hilo.recognisers.people.parties import counts_people, counts_seats, find_people
from hilo.recognisers.people.recipients import may_be_sent, sent_to
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.cities import AMERICA, as_city, is_covered, regions_of
from hilo.recognisers.places.gazetteer_names import LARGE
from hilo.recognisers.places.regions import find_zip_states
from hilo.slots.utterance import SURE
from hilo.understanding.assignment import Offer, Reason, Span, ValueCase, reason
from hilo.understanding.orders.ordinary import ordinary_words
from hilo.understanding.person_names import names_in
from hilo.understanding.reading import Reading

NEAR = 60  # characters before a value that tell its type
LEAST_SURE = 50  # the other part of a name that was asked for
KNOWN_NAME = 80
SURE_NAME = 95
SHORT_AMENDMENT = 8  # words of a message that adds to an address

A_THOUSAND = 1000
GIVING = frozenset({"provide", "order"})  # what a part of a message does that may give an amount
SMALL_WORDS = word_set(
    "y e con mi es son el la en como unos unas mas o menos aprox casi hasta de por ahi serian ah bueno and"
    " pesos dolares soles euros usd"
)
_BREAKS = frozenset(",;.\n")
_TOWN = re.compile(r",[ ]*([A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2}?)(?=[ ]*(?:[,.\n]|$)|,?[ ][A-Z]{2}\b|[ ]\d{5})")
EXCUSE = re.compile(
    r"(?:ay |uy )?(?:no[, ]+)?(?:perdon|perdone|disculp[ae]|digo|corrijo|mejor dicho|sorry|i meant?)\b[ ,.:]*"
)
_QUARTER = re.compile(r"[^\W\d_]{2,}(?: [^\W\d_]{2,}){0,3}(?=[ ]*(?:[.,;\n]|$))")
_ARTICLES, _CENTRES = word_set("el la los las"), word_set("centro norte sur alto bajo nuevo nueva")
_LIVES_IN = re.compile(r"\b(?:vivo|vivimos|resido|estoy|estamos|recibo|i live) (?:en|por|in) (?:la ciudad de )?$")
_LIVES = re.compile(r"\b(?:vivo|vivimos|resido|me mude|nos mudamos|i live|i moved)\b")

# the number of somebody's papers, which may stand beside a name though nobody asks for it
_ID = re.compile(r"\b(?:(?:mi )?(?:dni|documento|cedula|ci|cc|rut|curp)\W*(?:es|nro|numero|n)?\W*)?\d[\d.-]{5,}\b")

_LEADS_TO_OTHERS = word_set("con de del a al por y e o doctora doctor dra dr lic")
UNASKED_REASONS: list[Reason] = []


@reason(UNASKED_REASONS, "its shape", 40, least=SURE)
def _shaped(case: ValueCase) -> Iterator[Offer]:
    """A value whose type leaves no doubt: a mail address, a phone, a day."""
    for name in _unasked(case):
        if _has_shape(case, name):
            yield from ((name, found) for found in _of(case, name))


def _unasked(case: ValueCase) -> list[str]:
    """The slots that were not asked for; regions after their cities."""
    names = [name for name in case.known if name != case.target and name not in case.taken]
    return sorted(names, key=lambda name: bool(case.agent.slots[name].region_of))


def _has_shape(case: ValueCase, name: str) -> bool:
    """Whether a value of the slot is told by its shape; a second city is a new one only in a correction, or alone."""
    slot, reading = case.agent.slots[name], case.reading
    if slot.kind.place == "town":
        if sum(each.kind.place == "town" for each in case.agent.slots.values()) > 1:
            return False
        is_new = name not in case.session.slots or reading.has("correct", "deny")
        is_all = case.session.pending is None and any(each.confidence >= SURE for each in whole(reading, slot))
        moved = is_new or is_all or bool(_LIVES.search(reading.text.folded))
        return moved or _is_sent_elsewhere(case.agent, reading, slot)
    coded = slot.kind.is_free and bool(slot.pattern or slot.region_of)
    shaped = slot.kind.volunteered in {"always", "as_a_wish"} and not slot.kind.led_by  # which must be the only ones
    return shaped or coded


def _is_sent_elsewhere(agent: Agent, reading: Reading, city: Slot) -> bool:
    """Whether a town stands beside an address, or is where something shall be sent."""
    if not may_be_sent(reading.text.folded):
        return bool(_addresses(agent, reading))
    return bool(_addresses(agent, reading) or sent_to(reading.text.folded, reading.values.of(city)))


def _addresses(agent: Agent, reading: Reading) -> list[Found]:
    slots = [slot for slot in agent.slots.values() if slot.kind.place == "street"]
    return [each for slot in slots for each in reading.values.of(slot) if each.confidence >= SURE]


def whole(reading: Reading, slot: Slot) -> list[Found]:
    """The values of a slot that are the whole message."""
    length = len(reading.text.folded.strip(" .!"))
    return [each for each in reading.values.of(slot) if each.end - each.start == length]


def _of(case: ValueCase, name: str) -> tuple[Found, ...]:
    """Values for a slot that was not asked for, where what was asked or is known makes more of them."""
    slot, values, is_filled = case.agent.slots[name], case.reading.values, name in case.session.slots
    if slot.part and (asked := _asked_part(case)):
        return values.part(slot, asked=asked)
    if slot.part and is_filled and _excuses_a_name(case.reading):
        return tuple(each for each in values.part(slot, asked="given") if each.confidence >= KNOWN_NAME)
    found = values.of(slot)
    if slot.kind.place == "town":
        streets = _addresses(case.agent, case.reading) if is_filled else []
        apart = [each for each in found if all(each.end <= one.start or each.start >= one.end for one in streets)]
        return tuple(each for each in apart if not _is_region(case, name, each))
    if slot.kind.amend and is_filled and not found and _is_short(case.reading):
        mended = slot.kind.amend(str(case.session.slots[name]), values.text)
        return (mended,) if mended else ()
    return found


def _asked_part(case: ValueCase) -> NamePart:
    """The part of a name that was asked for."""
    return case.agent.slots[case.asked].part if case.asked else ""


def _excuses_a_name(reading: Reading) -> bool:
    """Whether a message says sorry and goes on with what may be a whole name: "perdón, Ana Peralta"."""
    said = EXCUSE.match(reading.text.folded)
    return said is not None and len(reading.text.folded[said.end() :].split()) > 1


def _is_short(reading: Reading) -> bool:
    return len(reading.text.raw.split()) <= SHORT_AMENDMENT and not reading.has("question")


def _is_region(case: ValueCase, city: str, found: Found) -> bool:
    """Whether a small town's name is more likely that of a region: "soy de Boyacá"."""
    regional = [slot for slot in case.agent.slots.values() if slot.region_of == city]
    regions = {each.start: each.end for slot in regional for each in case.reading.values.of(slot)}
    towns = [town.places[0] for town in case.reading.values.places if town.start == found.start]
    return regions.get(found.start) == found.end and all(town.population < LARGE for town in towns)


@reason(UNASKED_REASONS, "the only slot of its type", 38)
def _alone(case: ValueCase) -> Iterator[Offer]:
    """An amount with its currency, or an hour, where a single empty slot takes one: "dispongo de 900 usd"."""
    for name in _unasked(case):
        slot = case.agent.slots[name]
        if slot.kind.led_by and name not in case.session.slots and _is_alone(case.agent, slot):
            for found in case.reading.values.of(slot):
                led = _is_led(case, found, slot.kind.led_by) or _is_given_amount(case, found)
                if found.confidence >= SURE or led:
                    yield name, found


def _is_given_amount(case: ValueCase, found: Found) -> bool:
    """Whether a large round number stands among words that give something: "tope 2.800.000"."""
    if not isinstance(found.value, int | Decimal) or found.value < A_THOUSAND or found.value % 100:
        return False
    if found.kind != "money" and case.target and case.target not in case.taken:
        return False  # it may be a part of the answer
    return case.reading.is_heard(GIVING, (found.start, found.end))


def _is_alone(agent: Agent, slot: Slot) -> bool:
    others = [name for name, other in agent.slots.items() if other.type == slot.type]
    return len(set(others) - agent.found_only()) == 1


def _is_led(case: ValueCase, found: Found, words: re.Pattern[str]) -> bool:
    return bool(words.search(case.reading.text.folded, max(0, found.start - NEAR), found.start))


@reason(UNASKED_REASONS, "the people who come along", 37, least=SURE)
def _party(case: ValueCase) -> Iterator[Offer]:
    """Mi esposa y yo, los cuatro: for an empty slot that counts people; "voy yo solo" for a filled one, too."""
    for name in _unasked(case):
        slot = case.agent.slots[name]
        counts = slot.type == "number" and counts_people((slot.label, *slot.also), slot.ask)
        seats = counts_seats((slot.label, *slot.also))
        told = find_people(case.reading.values.text, asked=False, babies=not seats) if counts else ()
        is_filled = name in case.session.slots
        yield from ((name, found) for found in told if not is_filled or found.value == 1)


# --- what stands beside it tells ----------------------------------------------------------------------------


@reason(UNASKED_REASONS, "the rest of the name", 39, least=LEAST_SURE)
def _rest_of_name(case: ValueCase) -> Iterator[Offer]:
    """The other part of a name, where the part that was asked for has been given."""
    if _asked_part(case) and case.asked in case.taken:
        for name in _unasked(case):
            if case.agent.slots[name].part:
                yield from ((name, found) for found in _of(case, name))


@reason(UNASKED_REASONS, "the rest of the name given last", 39, least=LEAST_SURE)
def _rest_of_name_given(case: ValueCase) -> Iterator[Offer]:
    """The other part of a name, written by itself right after the first: "Marta Lucía", then "Restrepo de Vélez"."""
    slots, text = case.agent.slots, case.reading.text
    given = {slots[name].part for name in case.session.last_given if name in slots} - {""}
    if len(given) != 1:
        return
    words = text.original(0, len(text.folded)).split()
    is_written = all(word[:1].isupper() for word in words if fold(word) not in PARTICLES)
    for name in _unasked(case) if is_written else ():
        part = slots[name].part
        if part and part not in given and name not in case.session.slots:
            found = case.reading.values.part(slots[name], asked=part)
            yield from ((name, each) for each in found if _stands_alone(text.folded, each, ()))


@reason(UNASKED_REASONS, "a number beside other details", 38, least=60)
def _phone_of_abroad(case: ValueCase) -> Iterator[Offer]:
    """A phone that may be of another country, where a person tells who they are: "Ana Gil 611223344 ana@x.es"."""
    told = case.spans(_is_detail)
    for name in _unasked(case) if told else ():
        kind = case.agent.slots[name].kind
        if kind.is_beside_towns and not kind.place:
            yield from ((name, found) for found in case.reading.values.of(case.agent.slots[name]))


def _is_detail(slot: Slot) -> bool:
    """Whether a slot says who or where somebody is: neither an amount, a time nor a choice."""
    return slot.kind.sort == "text" and not slot.kind.is_when


@reason(UNASKED_REASONS, "a list of values", 38)
def _listed(case: ValueCase) -> Iterator[Offer]:
    """A value that stands for itself in a list of them: "Ana Pérez, 30123456, San Martín 1234"."""
    begins = len(case.reading.parts) > 1 and any(name in case.agent.flows for name in case.reading.meant)
    for name in _unasked(case) if case.taken or begins else ():  # "cerralo, Mitre 1450"
        slot = case.agent.slots[name]
        if slot.kind.is_listed and _has_shape(case, name):
            yield from ((name, found) for found in _of(case, name) if _is_member(slot, found, case.reading))


def _is_member(slot: Slot, found: Found, reading: Reading) -> bool:
    start, end = reading.text.span(found.start, found.end)
    before, after = reading.text.raw[:start].rstrip(" "), reading.text.raw[end:].lstrip(" ")
    opens = before[-1:] in _BREAKS or (not before and slot.kind.place == "town")
    return found.kind == slot.type and opens and (not after or after[0] in _BREAKS)


@reason(UNASKED_REASONS, "what is left between other values", 34, least=SURE)
def _name_between(case: ValueCase) -> Iterator[Offer]:
    """A name is what is left between other details of a person: "3001234567 ana pérez medellín"."""
    people = [name for name in case.known if case.agent.slots[name].kind.names_person]
    if not case.spans(_is_detail) or any(name in case.taken or name in case.session.slots for name in people):
        return
    labels = [(mention.start, mention.end) for mention in case.reading.mentions]
    rest = case.reading.values.without([*(each.span for each in case.taken.values()), *labels])
    offers: list[Offer] = []
    for name in people:
        slot = case.agent.slots[name]
        found = rest.part(slot, asked="given") if slot.part else rest.of(slot, asked=True)
        offers += [(name, each) for each in found[:1]]
    if any(_looks_like_a_name(case, found) for _, found in offers):  # the given name vouches for the family's
        yield from offers


def _looks_like_a_name(case: ValueCase, found: Found) -> bool:
    """Whether what is left is a person's: a known name, or all of it with capitals; "cerquita de" is none."""
    said = fold(str(found.value)).split()
    written = case.reading.text.original(found.start, found.end).split()
    capitals = all(word[:1].isupper() for word in written if fold(word) not in PARTICLES)
    town = any(each.start < found.end and found.start < each.end for each in case.reading.values.places)
    return bool(said) and (said[0] in GIVEN_NAMES or (len(written) > 1 and capitals and not town))


@reason(UNASKED_REASONS, "what the flow asks for next", 33)
def _asked_soon(case: ValueCase) -> Iterator[Offer]:
    """A value that a flow under way still asks for, and that is all there is beside the others: "Ana Gil 33222111"."""
    if not case.taken and not case.session.stack:
        return
    is_bad_answer = not case.taken and _may_be_the_answer(case)
    spans = [each.span for each in case.taken.values()]
    for name in _unasked(case):
        slot = case.agent.slots[name]
        # A yes answers what was asked and nothing else.
        is_an_answer = slot.kind.sort in ("choice", "boolean")
        if name in case.session.slots or slot.kind.is_free or slot.part or is_an_answer:
            continue
        if slot.kind.names_person or (is_bad_answer and slot.kind.place != "street"):
            continue
        # a bare number that nobody asked for is no hour and no day
        for found in case.reading.values.without(spans).of(slot, asked=not slot.kind.is_when):
            if is_bad_answer and not _is_called(case, found):
                continue
            if _is_large_enough(slot, found) and _stands_alone(case.reading.text.folded, found, spans):
                yield name, found


def _is_called(case: ValueCase, found: Found) -> bool:
    """Whether a street has a name, which no number that was asked for has: "Belgrano 1220", asked for a document.

    Asked for a town, "vereda La Loma" is one.
    """
    if case.agent.slots[case.asked].kind.place:
        return False
    named = re.findall(r"[^\W\d_]{3,}", case.reading.text.folded[found.start : found.end])
    return bool(named) and not case.reading.mentions


def _may_be_the_answer(case: ValueCase) -> bool:
    """Whether a message in which nothing was found may still be a bad answer: "12345", asked for a phone."""
    kind = case.agent.slots[case.asked].kind if case.asked else None
    return kind is not None and not kind.is_free and kind.may_be(case.reading.values.said)


@reason(UNASKED_REASONS, "a full name by itself", 33)
def _full_name(case: ValueCase) -> Iterator[Offer]:
    """Somebody is named as on a form while we ask for something else, also where we have a name: "Begoña Uriarte"."""
    spans = [each.span for each in case.taken.values()]
    values = case.reading.values.without(spans)
    written = values.text.raw.strip(" ,.!")
    is_full = len(written.split()) > 1 and (written.istitle() or _ID.search(values.text.folded) is not None)
    is_known = is_full and fold(written.split()[0]) in GIVEN_NAMES  # "Punta Gallinas" is nobody
    is_all = _is_nothing_but_a_name(case)
    may_be_a_text = bool(case.target) and case.agent.slots[case.target].kind.is_free  # "Ford Ka", asked for the model
    for name in _unasked(case) if (is_full or is_all) and (spans or case.session.stack) else ():
        slot = case.agent.slots[name]
        if not slot.kind.names_person or (slot.part and name in case.session.slots):
            continue  # a part of a name is not changed without the other
        for found in values.part(slot, asked="given") if slot.part else values.of(slot, asked=True):
            is_empty = not slot.part and name not in case.session.slots and not may_be_a_text
            if is_known or (is_empty and (is_all or _looks_like_a_name(case, found))):
                yield name, found


def _is_nothing_but_a_name(case: ValueCase) -> bool:
    """Whether a message is surely a name, however it is written: "lucas", "laura perez"; "rosario" may be the town."""
    reading = case.reading
    may_be_a_town = any(each.confidence >= SURE for each in reading.values.places)
    if reading.acts or reading.meant or reading.mentions or reading.lines or may_be_a_town:
        return False
    said = reading.text.folded.strip(" .!")
    found = names_in(reading.values.text, asked=True)
    return len(found) == 1 and found[0].confidence >= SURE_NAME and fold(str(found[0].value)) == said


def _is_full_name(case: ValueCase, found: Found) -> bool:
    """Whether somebody is named as on a form: "Begoña Uriarte", while we ask for the day."""
    written = case.reading.text.original(found.start, found.end)
    as_on_a_form = written.istitle() or _ID.search(case.reading.text.folded) is not None
    return len(written.split()) > 1 and as_on_a_form and _looks_like_a_name(case, found)


def _is_large_enough(slot: Slot, found: Found) -> bool:
    """Whether a number may be an amount: a small one counts things, and may be for anything."""
    return slot.kind.sort != "number" or (isinstance(found.value, int | Decimal) and found.value >= A_THOUSAND)


def _stands_alone(text: str, found: Found, taken: Sequence[Span]) -> bool:
    """Whether nothing but small words stands beside a value and those that were taken."""
    rest = list(text)
    for start, end in ((found.start, found.end), *taken):
        rest[start:end] = " " * (end - start)
    return all(word in SMALL_WORDS for word in re.findall(r"\w+", _ID.sub(" ", "".join(rest))))


@reason(UNASKED_REASONS, "a full name at the end", 30, least=SURE)
def _name_at_end(case: ValueCase) -> Iterator[Offer]:
    """Who is named as on a form after all that a wish says: "turno el jueves a las 10, Laura Méndez"."""
    text = case.reading.text
    for name in _unasked(case) if case.taken else ():
        slot = case.agent.slots[name]
        if not slot.kind.names_person or slot.part or name in case.session.slots:
            continue
        for found in case.reading.values.of(slot, asked=True):
            before = text.folded[: found.start].split()[-1:]
            ends = not text.folded[found.end :].strip(" .!")
            if ends and before and before[0] not in _LEADS_TO_OTHERS and _is_full_name(case, found):
                yield name, found


# --- towns and states ---------------------------------------------------------------------------------------


@reason(UNASKED_REASONS, "the town after a street", 37)
def _town_after_address(case: ValueCase) -> Iterator[Offer]:
    """Where no list of towns helps, the town is what stands after the street: "12 Oak Rd, Smallville"."""
    city = _city_to_tell(case)
    ends = [end for _, end in case.spans(_is_street)]
    text = case.reading.text
    if not city or not ends or city in case.session.slots or is_covered(case.agent.country):
        return
    town = _TOWN.match(text.raw, text.span(0, ends[0])[1]) if len(text.raw) == len(text.folded) else None
    if town:
        yield city, Found("city", town.group(1), town.start(1), town.end(1), SURE)


@reason(UNASKED_REASONS, "the quarter after a street", 29)
def _quarter_after_address(case: ValueCase) -> Iterator[Offer]:
    """What ends the clause behind an address, or behind the town after it: "cll 45 # 65-20, Medellín, Laureles"."""
    text, session = case.reading.text.folded, case.session
    quarters = [name for name in _unasked(case) if _is_quarter(case, name) and name not in session.slots]
    if not quarters or case.reading.values.is_of_two_people:
        return
    towns = {town.start: town.end for town in case.reading.values.places if town.confidence >= SURE}
    taken = [each.span[0] for each in case.taken.values()]
    is_named = any(case.agent.slots[name].kind.names_person for name in (*case.taken, *session.slots))
    for _, end in case.spans(_is_street):
        past = _next_word(text, end)
        if past in towns:
            past = _next_word(text, towns[past])
        said = _QUARTER.match(text, past, min((each for each in taken if each >= past), default=len(text)))
        if said and not _is_everyday(said[0]) and (is_named or said[0].split()[0] not in GIVEN_NAMES):
            found = case.reading.text.original(*said.span())
            yield quarters[0], Found("text", found, *said.span(), SURE)


def _is_quarter(case: ValueCase, name: str) -> bool:
    slot = case.agent.slots[name]
    return slot.kind.is_free and not AREAS.isdisjoint(map(fold, (slot.label or name, *slot.also)))


def _next_word(text: str, index: int) -> int:
    return len(text) - len(text[index:].lstrip(" ,"))


def _is_everyday(said: str) -> bool:
    """Whether words say something else than where: "gracias", "pago en efectivo"; any may follow an article."""
    first, *more = said.split()
    if first in _ARTICLES:
        return not more
    everyday = ordinary_words() | SMALL_WORDS - _ARTICLES
    return not everyday.isdisjoint({first, *more} - _CENTRES)


@reason(UNASKED_REASONS, "a town beside another value", 36)
def _town_beside(case: ValueCase) -> Iterator[Offer]:
    """A name that may be a town is one where a phone or an address touches it: "3105556677 Pereira cra 8 # 20-10"."""
    city = _city_to_tell(case)
    near = case.spans(lambda slot: slot.kind.is_beside_towns)
    if not city or not near or (city in case.session.slots and not case.spans(_is_street)):
        return
    towns = map(as_city, case.reading.values.places)
    told = [each for each in towns if case.is_free(each) and _touches(case.reading, each, near)]
    named = any(case.agent.slots[name].kind.names_person for name in (*case.taken, *case.session.slots))
    if len(told) == 1 and (named or fold(str(told[0].value)) not in GIVEN_NAMES):
        yield city, told[0]


@reason(UNASKED_REASONS, "where somebody lives", 36)
def _town_lived_in(case: ValueCase) -> Iterator[Offer]:
    """A name that may be a town is one after words that say so: "vivo en Girardot, en la calle 20"."""
    city = _city_to_tell(case)
    if not city or city in case.session.slots:
        return
    for each in map(as_city, case.reading.values.places):
        if case.is_free(each) and _LIVES_IN.search(case.reading.text.folded[: each.start]):
            yield city, each


def _city_to_tell(case: ValueCase) -> str:
    """The only slot for a town, where it has none yet."""
    cities = [name for name in case.known if case.agent.slots[name].kind.place == "town"]
    return cities[0] if len(cities) == 1 and cities[0] not in case.taken else ""


def _is_street(slot: Slot) -> bool:
    return slot.kind.place == "street"


def _touches(reading: Reading, town: Found, near: Sequence[Span]) -> bool:
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


@reason(UNASKED_REASONS, "the state of a ZIP code", 35, overlaps=True)
def _state_of_zip(case: ValueCase) -> Iterator[Offer]:
    """A ZIP code tells the state of a town that may lie there; a state that is written or known goes first."""
    agent, reading = case.agent, case.reading
    regional = next((name for name, slot in agent.slots.items() if slot.region_of), "")
    if agent.country != AMERICA or not regional or reading.values.is_of_two_people:
        return
    city = agent.slots[regional].region_of
    known = regional in case.session.slots and city not in case.taken
    untold = [] if city in case.taken else reading.values.of(agent.slots[city])  # the town comes first
    written = (*untold, *reading.values.of(agent.slots[regional]))
    if known or any(each.confidence >= SURE for each in written):
        return
    values = case.values
    possible = regions_of(str(values.get(city, case.session.slots.get(city, ""))), AMERICA)
    for state in find_zip_states(reading.text):
        code = reading.text.folded[state.start : state.end]
        if reading.text.raw.strip()[:5] == code and not any(str(each)[:5] == code for each in values.values()):
            continue  # five digits alone are a ZIP code only where one was asked for
        if not possible or state.value in possible:
            yield regional, state
