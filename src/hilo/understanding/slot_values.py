"""The values that a message has for the slots of an agent: which recogniser reads which type."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from hilo.agent.declaration import Slot
from hilo.agent.values import Accepted, accept
from hilo.recognisers.amounts.money import find_money
from hilo.recognisers.amounts.numbers import find_numbers
from hilo.recognisers.calendar.dates import find_dates
from hilo.recognisers.calendar.times import find_times
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold, words
from hilo.recognisers.people.contact import find_emails, find_urls
from hilo.recognisers.people.dictation import may_be_dictated
from hilo.recognisers.people.ids import find_national_ids
from hilo.recognisers.people.name_parts import NamePart, part_of
from hilo.recognisers.people.names import find_family_names, find_person_names
from hilo.recognisers.people.phones import find_phones
from hilo.recognisers.people.recipients import is_received, of_two_people, sent_to, theirs
from hilo.recognisers.places.address_words import STREETS
from hilo.recognisers.places.addresses import find_addresses
from hilo.recognisers.places.cities import PlaceFound, as_city, find_cities
from hilo.recognisers.places.landmarks import find_landmarks
from hilo.recognisers.places.regions import find_regions
from hilo.understanding.acts.recognise import Act
from hilo.understanding.choices import find_choices, find_word
from hilo.understanding.named_texts import hidden

_GAP = re.compile(r"[ ,]* ,[ ,]*|,[ ,]*,[ ,]*")
_TOKEN = re.compile(r"[\w-]+")
_OF_ANOTHER = re.compile(r"[$€£#] ?$|\b(?:order|number|pedido|orden|numero|nro|want|need|quiero|necesito)[ :#]*$")
FILLERS = frozenset(fold("el la los las lo un una uno de del en a al es mi por favor ese esa the one in of").split())
_PLACES = {"prime": 0, "first": 0, "segun": 1, "secon": 1, "terce": 2, "third": 2, "cuart": 3, "ultim": -1, "last": -1}
MOST_FOUND = 40  # values of one type in one message; more is rubbish
SURE = 70  # a value that was not asked for must be recognised at least this surely


@dataclass(frozen=True)
class Values:
    """Values of one message, found on demand and once per type."""

    text: Text
    acts: tuple[Act, ...]
    now: datetime
    country: str
    language: str = ""
    _cache: dict[str, tuple[Found, ...]] = field(default_factory=dict)

    @cached_property
    def _has_digits(self) -> bool:
        return any(map(str.isdigit, self.text.folded))

    def of(self, slot: Slot, *, asked: bool = False) -> tuple[Found, ...]:
        """Candidates for a slot that the slot would take, the surest first."""
        if slot.type in {"phone", "national_id"} and not (self._has_digits or self._is_dictated(slot)):
            return ()
        if slot.type == "choice":
            found = self._choices(slot, asked=asked)
        elif slot.type == "person_name":
            found = self._named(slot.part, asked=slot.part if asked else "") if slot.part else self._names(asked=asked)
        elif slot.type == "address":
            found = tuple(map(_joined, self._once("address"))) or find_choices(self.text, slot, numbered=asked)
            found = found or tuple(map(_joined, self._once("landmark")))
        elif slot.type in {"number", "money"}:
            found = self._outside_dates(self._once(slot.type))
        elif slot.region_of:
            found = self._once("region")
        elif slot.type in _FINDERS:
            found = self._once(slot.type)
        else:
            found = ()
        if slot.type == "text" and slot.pattern:
            found = _coded(self.text)
        found = self._of_one_person(slot, found)
        if slot.type == "city" and not slot.before:
            found = sent_to(self.text.folded, found) or found
        return self._usable(slot, found)

    def _of_one_person(self, slot: Slot, found: tuple[Found, ...]) -> tuple[Found, ...]:
        """Those of who receives the order; none where the details of two people are mixed."""
        placed = slot.type in {"address", "city"} and not slot.before
        if found and (placed or slot.region_of or slot.pattern) and self.is_of_two_people:
            sure = [each for each in found if slot.type == "address" and each.confidence >= SURE]
            return theirs(self.text.folded, sure) if is_received(self.text.folded) else ()
        received = placed and is_received(self.text.folded)
        return theirs(self.text.folded, found) if received or slot.type == "phone" else found

    @cached_property
    def is_of_two_people(self) -> bool:
        """Whether the message has an address of one person and one of another."""
        return self._has_digits and of_two_people(self.text.folded, self._once("address"))

    def _is_dictated(self, slot: Slot) -> bool:
        return slot.type == "phone" and may_be_dictated(self.text.folded)

    def part(self, slot: Slot, *, asked: NamePart) -> tuple[Found, ...]:
        """Candidates for a part of a name, in an answer to the question for another part."""
        return self._usable(slot, self._named(slot.part, asked=asked))

    def without(self, spans: Sequence[tuple[int, int]]) -> "Values":
        """What the message has besides these spans."""
        return replace(self, text=hidden(self.text, spans), _cache={}) if spans else self

    @cached_property
    def places(self) -> tuple[PlaceFound, ...]:
        """The towns of the message, with all places that each may be."""
        return find_cities(self.text, country=self.country)

    @cached_property
    def phones(self) -> tuple[Found, ...]:
        """The phones outside addresses: the 12 of "calle 10 #43-12 3001234567" is no part of one."""
        streets = "#" in self.text.folded or not STREETS.isdisjoint(word.text for word in words(self.text))
        sure = [each for each in self._once("address") if each.confidence >= SURE] if streets else []
        return find_phones(hidden(self.text, [(each.start, each.end) for each in sure]), country=self.country)

    def _usable(self, slot: Slot, found: tuple[Found, ...]) -> tuple[Found, ...]:
        few = _after_but(self.text, found[:MOST_FOUND])
        usable = [each for each in few if isinstance(accept(slot, each.value, country=self.country), Accepted)]
        return tuple(sorted(usable, key=lambda each: (-each.confidence, each.start)))

    def _names(self, *, asked: bool) -> tuple[Found, ...]:
        return self._once("person_name", asked=asked)

    def _named(self, part: NamePart, *, asked: NamePart) -> tuple[Found, ...]:
        """The given or the family names of the message; what is said to be a family's is no given name."""
        families = self._once("asked_family_name" if asked == "family" else "family_name")
        whole = _one_person([each for each in self._names(asked=bool(asked)) if _is_apart(each, families)])
        english = self.language.startswith("en")
        parts = [part_of(each, self.text, part, asked=asked, english=english) for each in whole]
        return (*(families if part == "family" else ()), *(each for each in parts if each))

    def _outside_dates(self, numbers: tuple[Found, ...]) -> tuple[Found, ...]:
        """The 3 of "el 3 de enero" is no amount."""
        dated = numbers and any(sign in self.text.folded for sign in (" de ", "/", "-"))
        dates = [each for each in self._once("date") if each.confidence > SURE] if dated else []
        return tuple(each for each in numbers if all(each.end <= day.start or each.start >= day.end for day in dates))

    def among(self, offered: tuple[str, ...]) -> tuple[Found, ...]:
        """The values that were offered and are named now, by number, name or a part of it that is only theirs."""
        named = find_choices(self.text, Slot(type="choice", choices=dict.fromkeys(offered, ())))
        said = [word.text for word in words(self.text) if word.text not in FILLERS]
        parts = [each for each in offered if said and all(find_word(fold(each), word) >= 0 for word in said)]
        part = [Found("choice", each, 0, len(self.text.folded), 80) for each in parts] if len(parts) == 1 else []
        return named or tuple(part) or _placed(said, offered)

    def _choices(self, slot: Slot, *, asked: bool) -> tuple[Found, ...]:
        key = f"choice:{id(slot)}:{asked}"
        if key not in self._cache:
            self._cache[key] = find_choices(self.text, slot, numbered=asked)
        return self._cache[key]

    def _once(self, kind: str, *, asked: bool = False) -> tuple[Found, ...]:
        key = f"{kind}:{asked}"
        if key not in self._cache:
            finder = find_person_names_asked if asked else _FINDERS[kind]
            self._cache[key] = finder(self)
        return self._cache[key]

    @cached_property
    def is_bare(self) -> bool:
        """Whether there is nothing to read at all."""
        return not any(letter.isalnum() for letter in self.text.folded)


def _joined(address: Found) -> Found:
    """An address without the gap that a text hidden in it has left."""
    return replace(address, value=_GAP.sub(", ", str(address.value)))


def _is_apart(found: Found, others: tuple[Found, ...]) -> bool:
    return all(found.end <= other.start or found.start >= other.end for other in others)


def _one_person(names: list[Found]) -> list[Found]:
    """The surest name, as fully as it is written: nobody gets the family of another."""
    surest = min(names, key=lambda each: (-each.confidence, each.start), default=None)
    first = str(surest.value).split()[0] if surest else ""
    same = [each for each in names if str(each.value).split()[0] == first]
    return [max(same, key=lambda each: len(str(each.value)))] if same else []


def _placed(said: list[str], offered: tuple[str, ...]) -> tuple[Found, ...]:
    """The one that is told by its place: la primera, el último."""
    place = _PLACES.get(said[0][:5]) if len(said) == 1 else None
    in_range = place is not None and -1 <= place < len(offered) and bool(offered)
    return (Found("choice", offered[place], 0, 0, 80),) if place is not None and in_range else ()


def _coded(text: Text) -> tuple[Found, ...]:
    """Words that may be codes, for a slot with a pattern to judge: those with a digit are surer."""
    if len(text.raw) != len(text.folded):
        return ()
    return tuple(
        Found("text", each.group(), each.start(), each.end(), 90 if _is_coded(text, each) else 60)
        for each in _TOKEN.finditer(text.raw)
    )


def _is_coded(text: Text, token: re.Match[str]) -> bool:
    """Whether there is a digit, and no sign or word before that makes it the number of something else."""
    before = text.folded[max(0, token.start() - 12) : token.start()]
    return any(map(str.isdigit, token.group())) and not (token.group().isdigit() and _OF_ANOTHER.search(before))


def _after_but(text: Text, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """In "no es a@x.com sino b@x.com" the second is meant."""
    pivot = text.folded.find(" sino ")
    after = tuple(each for each in found if each.start > pivot) if pivot >= 0 else ()
    return after or found


def find_person_names_asked(values: Values) -> tuple[Found, ...]:
    """Names in an answer to "¿cómo te llamas?"."""
    return find_person_names(values.text, asked=True)


def _booleans(values: Values) -> tuple[Found, ...]:
    return tuple(
        Found("boolean", act.kind == "affirm", act.start, act.end, act.confidence)
        for act in values.acts
        if act.kind in {"affirm", "deny"}
    )


def _landmarks(values: Values) -> tuple[Found, ...]:
    asks = any(act.kind == "question" for act in values.acts)
    return () if asks else find_landmarks(values.text, country=values.country)


def _amounts(values: Values) -> tuple[Found, ...]:
    """Money where it is said to be money, otherwise plain numbers, less surely."""
    money = find_money(values.text, country=values.country)
    plain = find_numbers(values.text, country=values.country)
    return money or tuple(replace(each, confidence=min(each.confidence, SURE - 1)) for each in plain)


_FINDERS: Mapping[str, Callable[[Values], tuple[Found, ...]]] = {
    "person_name": lambda values: find_person_names(values.text),
    "family_name": lambda values: find_family_names(values.text),
    "asked_family_name": lambda values: find_family_names(values.text, asked=True),
    "region": lambda values: find_regions(values.text, country=values.country),
    "email": lambda values: find_emails(values.text),
    "phone": lambda values: values.phones,
    "url": lambda values: find_urls(values.text),
    "number": lambda values: find_numbers(values.text, country=values.country),
    "date": lambda values: find_dates(values.text, now=values.now),
    "national_id": lambda values: find_national_ids(values.text, country=values.country),
    "boolean": _booleans,
    "money": _amounts,
    "time": lambda values: find_times(values.text),
    "city": lambda values: tuple(map(as_city, values.places)),
    "address": lambda values: find_addresses(values.text, towns_of=lambda: values.places),
    "landmark": _landmarks,
}
