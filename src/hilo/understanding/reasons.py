"""Why a value may be for a slot: it answers the question (60), or the message itself says whose it is (more)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from hilo.agent.declaration import Agent
from hilo.dialogue.session import AskedSlot
from hilo.recognisers.address_words import STOPS
from hilo.recognisers.calendar.days_in_talk import DAYS_AFTER, days_after
from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_words import FUNCTION_WORDS, GIVEN_NAMES, KIN
from hilo.recognisers.people.parties import counts_people
from hilo.slots.utterance import SURE
from hilo.understanding.arguments import takes_any
from hilo.understanding.assignment import Offer, Reason, ValueCase, reason
from hilo.understanding.days_in_context import PAIR, day_looked_up, pair_of_times
from hilo.understanding.mentions import Mention
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading

NEAR = 60  # a value belongs to a name that stands at most so many characters before it
NEXT = 2  # a number belongs to a name that follows it at once
MOST_TAIL_WORDS = 3
NAMED = 95  # a choice that is told by its name, and not by its place, size or rank

_PROPER = re.compile(r"\b(\w+)\s+([A-ZÁÉÍÓÚÑ]\w{2,}(?:\s+[A-ZÁÉÍÓÚÑ]\w+){0,2})")
_TAIL = re.compile(r"[ ,-]+([^\W\d_]+(?: [^\W\d_]+)*)[ .]*$")
_FROM = re.compile(r"\b(?:del?|desde)(?: el)?(?: dia)? $")
_UNTIL = re.compile(r"\s(?:al?|hasta)(?: el)?(?: dia)?\s")
_BACK = re.compile(r"\b(?:vuelv\w+|volv\w+|vuelta|regres\w+|retorn\w+|devuelv\w+|devolv\w+|return\w*|back|volta\w*)\b")
_OUT = re.compile(
    r"\b(?:sal(?:go|imos|ida|dria\w*|iendo|ir)|viaj\w+|ida|voy|vamos|me voy|part(?:o|imos|ida|ir)|leav\w+|depart\w*)\b"
)
_BOTH_WAYS = re.compile(r"\bida y (?:la )?(?:vuelta|buelta|regreso)\b|\bround trip\b|\bida e volta\b")
_CLAUSE = re.compile(r"[.,;!?]|\b(?:y|e|and|pero)\b")
_HERE = re.compile(
    r"\b(?:vivo|vivimos|resido|estoy|estamos|ando|soy|somos|i live|i am) (?:en|de|por|aqui en|aca en|in) $"
)
_THERE = re.compile(r"\b(?:en|in|conocer|visitar|visit) $")
_WAY = re.compile(r"[ ]*(?:-+>?|–|—|→|/|>|(?:a|hasta|hacia|para)\b)?[ ]*")

_NAMED_BEHIND = re.compile(r" de (?:(?:mi|el|un) )?")
_IS_MY = re.compile(r"\b(?:es|son) (?:mi|el|la|mis)\s+$")
REASONS: list[Reason] = []
TEXT_BY_NAME = Reason("a text after its name", 90, lambda _: (), overlaps=True)
REST = Reason("what is left of the answer", 50, lambda _: ())


# --- the message says whose it is ---------------------------------------------------------------------------


@reason(REASONS, "offered", 95)
def _offered(case: ValueCase) -> Iterator[Offer]:
    """One of the values that we showed for a slot; "9" among hours is nine o'clock, and not the ninth."""
    pending = case.session.pending
    if not isinstance(pending, AskedSlot) or not pending.offered:
        return
    slot = case.agent.slots[pending.slot]
    if slot.kind.is_when and case.reading.values.of(slot, asked=True):
        return
    named = case.reading.values.among(pending.offered)[:1]
    if not named and takes_any(case.reading) and not _is_choice_of_another(case, pending.slot):
        meant = [each for each in pending.offered if _means_any(each)]
        named = (Found("choice", (*meant, *pending.offered)[0], 0, len(case.reading.text.folded), SURE),)
    for found in named:
        yield pending.slot, found


def _is_choice_of_another(case: ValueCase, asked: str) -> bool:
    """Whether "any one" is what a slot still to be filled has among its choices: "con cualquiera" names no service."""
    slots, filled = case.agent.slots, case.session.slots
    others = [slots[name] for name in case.known if name != asked and name not in filled]
    return any(_means_any(choice) for slot in others for choice in slot.choices)


def _means_any(choice: str) -> bool:
    return pattern_of("any one").fullmatch(fold(choice)) is not None


@reason(REASONS, "the word before it", 80)
def _cued(case: ValueCase) -> Iterator[Offer]:
    """The author says which words stand right before it: "de Madrid a Lima"."""
    for name in case.known:
        slot = case.agent.slots[name]
        if not slot.before:
            continue
        cues = {fold(word) for word in slot.before}
        judged = _named_after(case.reading, cues) if slot.valid_if and name not in case.session.slots else ()
        for found in (*case.reading.values.of(slot), *judged):
            if _word_before(case.reading.text.folded, found.start) in cues and not _is_anothers(case, name, found):
                yield name, found


def _is_anothers(case: ValueCase, name: str, found: Found) -> bool:
    """Whether the word that leads a value belongs to the name of another slot: "a nombre de Ana" names no place."""
    text, slots = case.reading.text.folded, case.agent.slots
    others = [each for each in case.reading.mentions if each.slot != name and each.end <= found.start]
    others = [each for each in others if slots[each.slot].kind.sort == "text"]  # "pasaje a Lima" counts nobody
    return any(len(text[each.end : found.start].split()) == 1 for each in others)


def _named_after(reading: Reading, cues: set[str]) -> Iterator[Found]:
    """Capitalised words after a cue, for a tool to judge: "de MAD a Miami"."""
    text = reading.text
    for match in _PROPER.finditer(text.raw):
        if fold(match.group(1)) in cues and len(text.raw) == len(text.folded):
            yield Found("text", match.group(2), match.start(2), match.end(2), 50)


def _word_before(text: str, start: int) -> str:
    before = text[:start].rstrip()
    return before[before.rfind(" ") + 1 :].strip(",.;:¿¡(") if before and before[-1] not in ",.;:" else ""


@reason(REASONS, "it counts what the slot is called", 75, least=SURE)
def _counted(case: ValueCase) -> Iterator[Offer]:
    """A number right before a name belongs to it: "2 asientos"."""
    for mention, values in _named(case):
        for found in values:
            if found.kind == "number" and 0 <= mention.start - found.end <= NEXT:
                slot = case.agent.slots[mention.slot]
                people = counts_people((slot.label, *slot.also), slot.ask)  # una persona is one, un presupuesto none
                yield mention.slot, replace(found, confidence=max(found.confidence, SURE)) if people else found


@reason(REASONS, "the slot's name before it", 70)
def _labelled(case: ValueCase) -> Iterator[Offer]:
    """The first value of the right type after the name, "el presupuesto es 5000", or "5000 de presupuesto"."""
    text = case.reading.text.folded
    for mention, values in _named(case):
        behind = (found for found in values if _NAMED_BEHIND.fullmatch(text, found.end, mention.start))
        yield from ((mention.slot, found) for found in behind)
        asked = case.reading.text.folded.find("?", mention.end, mention.end + NEAR)
        near = asked if asked >= 0 else mention.end + NEAR
        after = [found for found in values if mention.end <= found.start <= near]
        for found in sorted(after, key=lambda found: found.start):
            yield mention.slot, found


@reason(REASONS, "the slot's name behind it", 70)
def _labelled_behind(case: ValueCase) -> Iterator[Offer]:
    """A whole name before what it is called: "andrés ruiz es mi nombre completo"."""
    text = case.reading.text.folded
    for mention in case.reading.mentions:
        slot = case.agent.slots[mention.slot]
        said = _IS_MY.search(text, 0, mention.start)
        if not slot.kind.names_person or said is None:
            continue
        rest = case.reading.values.without([(said.start(), len(text))])
        for name in case.known if slot.part else (mention.slot,):
            each = case.agent.slots[name]
            if each.kind.names_person:
                found = rest.part(each, asked="given") if each.part else rest.of(each, asked=True)
                yield from ((name, one) for one in found[:1])


def _named(case: ValueCase) -> Iterator[tuple[Mention, tuple[Found, ...]]]:
    """The slots that are named, empty ones first; a region is looked for when its city is known."""
    theirs = {*case.agent.found_only(), *spelt_by_choices(case.agent, case.reading)}
    for mention in sorted(case.reading.mentions, key=lambda each: (each.start, each.slot in case.session.slots)):
        slot = case.agent.slots[mention.slot]
        if mention.slot not in theirs and not slot.region_of:
            yield mention, case.reading.values.of(slot)


def spelt_by_choices(agent: Agent, reading: Reading) -> set[str]:
    """The slots of whose names only parts of choices speak: the "ida" of "ida y vuelta" is no day."""
    choices = [slot for slot in agent.slots.values() if slot.kind.sort == "choice"]
    spans = [(each.start, each.end) for slot in choices for each in reading.values.of(slot)]
    inside: set[str] = set()
    outside: set[str] = set()
    for mention in reading.mentions:
        within = any(start <= mention.start and mention.end <= end for start, end in spans)
        is_all = (mention.start, mention.end) in spans
        (inside if within and not is_all else outside).add(mention.slot)
    return inside - outside


# --- it answers the question --------------------------------------------------------------------------------


@reason(REASONS, "asked", 60)
def _asked(case: ValueCase) -> Iterator[Offer]:
    """A value of the type that was asked for."""
    if case.target and case.target == case.asked:
        yield from _answers(case)


@reason(REASONS, "corrected", 60)
def _corrected(case: ValueCase) -> Iterator[Offer]:
    """A value for the slot that the message corrects."""
    if case.target and case.target != case.asked:
        yield from _answers(case)


@reason(REASONS, "asked, beside a correction", 55)
def _asked_too(case: ValueCase) -> Iterator[Offer]:
    """A message may answer and change another slot, too: "San Martín 1234 a nombre de Rosa"."""
    if not case.asked or not case.target or case.target == case.asked:
        return
    slot = case.agent.slots[case.asked]
    if slot.kind.sort == "text" and not slot.kind.is_when and not slot.kind.is_free:
        yield from ((case.asked, found) for found in case.reading.values.of(slot))


def _answers(case: ValueCase) -> Iterator[Offer]:
    """The values of the target's type; one that mends a part of what is known, where none is sure."""
    slot, stored = case.agent.slots[case.target], case.session.slots.get(case.target)
    shown = getattr(case.session.pending, "offered", ())
    found = case.reading.values.of(slot, asked=True)
    if slot.kind.sort == "choice" and shown:  # of a list that shows some of the choices, the others have no place
        found = tuple(each for each in found if each.confidence >= NAMED or each.value in shown)
    if stored is not None and slot.kind.amend and not (found and found[0].confidence >= SURE):
        mended = slot.kind.amend(str(stored), case.reading.values.text)
        found = (mended,) if mended else found
    for each in found:
        yield case.target, _with_tail(case.reading, each) if each.kind == "address" else each


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


@reason(REASONS, "the ends of a range", 61)
def _ends(case: ValueCase) -> Iterator[Offer]:
    """Two days, or hours, for the two slots that take such, or both anew: "del 3 al 10 de mayo"."""
    pair = pair_of_times(case.agent, case.known)
    filled = [name for name in pair if name in case.session.slots]
    is_half_told = any(name != case.target for name in filled) or (bool(pair) and case.target == pair[1])
    if not pair or (is_half_told and filled != pair):
        return
    found, text = sorted(case.reading.values.of(case.agent.slots[pair[0]]), key=_start), case.reading.text.folded
    for first, last in pairwise(found):
        if _UNTIL.fullmatch(text, first.end, last.start) and _FROM.search(text[: first.start]):
            yield from zip(pair, (first, last), strict=True)


@reason(REASONS, "the day of setting out or of coming back", 72)
def _on_the_way(case: ValueCase) -> Iterator[Offer]:
    """Which of two slots a day is for, by words beside it: "el viernes salgo, el 22 es la vuelta", "regreso el 9"."""
    pair = pair_of_times(case.agent, case.known)
    if not pair:
        return
    days = case.reading.values.of(case.agent.slots[pair[0]], asked=True)
    ways = {day: _way_of(case, day, pair) for day in days}
    told = {way for way in ways.values() if way}
    if not told:
        return
    by_slot = {name: [day for day, way in ways.items() if way == name] for name in pair}
    unsaid = [day for day, way in ways.items() if not way]
    for name in pair:
        # of two days one tells the other: "salgo el 4, el 9 la vuelta"
        found = by_slot[name] or (unsaid if len(days) == PAIR else [])
        yield from ((name, each) for each in found)


def _start(found: Found) -> int:
    return found.start


def _way_of(case: ValueCase, day: Found, pair: list[str]) -> str:
    """The slot that the words of a clause around a day speak of, if they speak of one."""
    text = _BOTH_WAYS.sub(lambda both: " " * len(both[0]), case.reading.text.folded)
    others = [each for each in case.reading.values.of(case.agent.slots[pair[0]], asked=True) if each != day]
    first = max((sign.end() for sign in _CLAUSE.finditer(text, 0, day.start)), default=0)
    first = max([first, *(each.end for each in others if each.end <= day.start)])
    sign = _CLAUSE.search(text, day.end)
    last = sign.start() if sign else len(text)
    # what stands between two days leads to the second one: "el 20 con vuelta el 25"
    is_last = all(each.start < day.end or each.start >= last for each in others)
    for start, end in ((first, day.start), (day.end, last if is_last else day.end)):
        inside = [each for each in case.reading.mentions if start <= each.start and each.end <= end]
        named = {each.slot for each in inside if text[each.start : each.end].strip()}
        back = _BACK.search(text, start, end) is not None or pair[1] in named - {pair[0]}
        if back != (_OUT.search(text, start, end) is not None):
            return pair[1] if back else pair[0]
    return ""


@reason(REASONS, "so many days after setting out", 72)
def _after_days(case: ValueCase) -> Iterator[Offer]:
    """Vuelvo a los cinco días, un día antes: counted from the day of setting out, or from that of what is changed."""
    said = DAYS_AFTER.search(case.reading.text.folded)
    name, day = _counted_from(case) if said else ("", None)
    if said and name and day is not None and case.agent.slots[name].type == "date":
        yield name, Found("date", days_after(said, str(day)), said.start(), said.end(), SURE)


def _counted_from(case: ValueCase) -> tuple[str, Value | None]:
    """The slot of a day that is counted, and the day from which: the first of two, else the one that was looked up."""
    if pair := pair_of_times(case.agent, case.known):
        days = [each.value for each in case.reading.values.of(case.agent.slots[pair[0]])]
        return pair[1], next(iter(days), case.session.slots.get(pair[0]))
    asked = case.agent.collected_by(case.session.flow)
    days_asked = [name for name in asked if case.agent.slots[name].type == "date"]
    day = day_looked_up(case.agent, case.session)
    return (days_asked[0], day) if day and days_asked else ("", None)


@reason(REASONS, "from one town to another", 61)
def _way(case: ValueCase) -> Iterator[Offer]:
    """Two towns side by side for the two slots that take such: "vuelos Bogotá Medellín", "Lima - Cusco"."""
    slots = case.agent.slots
    pair = [name for name in slots if name in case.known and slots[name].kind.place == "town"]
    if len(pair) != PAIR or any(name in case.session.slots for name in pair):
        return
    found, text = sorted(case.reading.values.of(slots[pair[0]]), key=lambda each: each.start), case.reading.text.folded
    for first, last in pairwise(found):
        if (
            _WAY.fullmatch(text, first.end, last.start) and _word_before(text, first.start) not in KIN
        ):  # mi tía Florencia
            yield from zip(pair, (first, last), strict=True)
            return


@reason(REASONS, "the only town of a journey", 58)
def _only_town(case: ValueCase) -> Iterator[Offer]:
    """Where somebody is sets out the journey, where something else is ends it: "a ver a mi hijo que vive en Madrid"."""
    slots = case.agent.slots
    pair = [name for name in slots if name in case.known and slots[name].kind.place == "town"]
    if len(pair) != PAIR or all(name in case.session.slots for name in pair):
        return
    for found in case.reading.values.of(slots[pair[0]], asked=True):
        before = case.reading.text.folded[: found.start]
        if _HERE.search(before):
            yield pair[0], found
        elif _THERE.search(before):
            yield pair[1], found
