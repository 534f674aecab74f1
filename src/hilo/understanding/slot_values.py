"""The values that a message has for the slots of an agent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from hilo.agent.declaration import Slot
from hilo.agent.values import Accepted, Invalid, accept
from hilo.recognisers.choices import find_choices, find_word, spelt_out
from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Span, Text, fold, hidden, words
from hilo.recognisers.pairs import mended
from hilo.recognisers.people.name_parts import NamePart
from hilo.recognisers.places.cities import PlaceFound
from hilo.slots.person_name import find_part
from hilo.slots.places import is_of_two_people, towns, unless_of_two_people
from hilo.slots.utterance import SURE, FindNames, Utterance
from hilo.understanding.acts.recognise import Act

FILLERS = frozenset(
    fold("el la los las lo un una uno de del en a al con es mi por favor ese esa the one in of").split()
)
_PLACES = {"prime": 0, "first": 0, "segun": 1, "secon": 1, "terce": 2, "third": 2, "cuart": 3, "ultim": -1, "last": -1}
MOST_FOUND = 40  # values of one type in one message; more is rubbish


@dataclass(frozen=True)
class Values:
    """Values of one message, found on demand and once per type; each type says how."""

    text: Text
    acts: tuple[Act, ...]
    now: datetime
    country: str
    language: str = ""
    own_number: str = ""
    has_towns: bool = True
    goods: tuple[Span, ...] = ()  # where goods are named, in which no street is
    names: FindNames | None = None

    @cached_property
    def said(self) -> Utterance:
        """The message as the finders of the types read it."""
        return Utterance(
            self.text,
            self.now,
            self.country,
            self.language,
            yes_or_no=tuple(map(_boolean, (act for act in self.acts if act.kind in {"affirm", "deny"}))),
            asks=any(act.kind == "question" for act in self.acts),
            own_number=self.own_number,
            has_towns=self.has_towns,
            goods=self.goods,
            names=self.names,
        )

    def of(self, slot: Slot, *, asked: bool = False) -> tuple[Found, ...]:
        """Candidates for a slot that the slot would take, the surest first."""
        # The slot is kept with what was found, so that no other one gets its id.
        return self.said.once(f"of:{id(slot)}:{asked}", lambda: (slot, self._found(slot, asked=asked)))[1]

    def _found(self, slot: Slot, *, asked: bool) -> tuple[Found, ...]:
        found = slot.kind.find(self.said, slot, asked=asked)
        return self._usable(slot, unless_of_two_people(self.said, found) if slot.pattern else found)

    def out_of_range(self, slot: Slot) -> Value | None:
        """The first value of its type that is surely meant and that the bounds of a slot refuse: "cien personas"."""
        for found in slot.kind.find(self.said, slot, asked=True):
            result = accept(slot, found.value, country=self.country)
            is_bounded = isinstance(result, Invalid) and result.problem == slot.kind.out_of_range
            if is_bounded and found.confidence >= SURE:
                return found.value
        return None

    def part(self, slot: Slot, *, asked: NamePart) -> tuple[Found, ...]:
        """Candidates for a part of a name, in an answer to the question for another part."""
        return self._usable(slot, find_part(self.said, slot.part, asked=asked))

    def without(self, spans: Sequence[tuple[int, int]]) -> "Values":
        """What the message has besides these spans."""
        if not spans or not self.text.folded:  # of "mañana le confirmo" no text is left for values
            return self
        return self.said.once(f"without:{[*spans]}", lambda: self._hiding(spans))

    def _hiding(self, spans: Sequence[tuple[int, int]]) -> "Values":
        self.said.looks_at_goods()  # the rest has the same
        return replace(self, text=hidden(self.text, spans))

    def with_goods(self, goods: tuple[Span, ...]) -> "Values":
        """The same where goods are known to stand."""
        found = replace(self, goods=goods)
        found.__dict__["said"] = self.said.with_goods(goods)  # what was found already stays found
        return found

    @property
    def places(self) -> tuple[PlaceFound, ...]:
        """The towns of the message, with all places that each may be."""
        return towns(self.said)

    @property
    def is_of_two_people(self) -> bool:
        """Whether the message has an address of one person and one of another."""
        return is_of_two_people(self.said)

    def _usable(self, slot: Slot, found: tuple[Found, ...]) -> tuple[Found, ...]:
        few = mended(self.text, _after_but(self.text, found[:MOST_FOUND]))
        usable = [each for each in few if isinstance(accept(slot, each.value, country=self.country), Accepted)]
        return tuple(sorted(usable, key=lambda each: (-each.confidence, each.start)))

    def among(self, offered: tuple[str, ...]) -> tuple[Found, ...]:
        """The values that were offered and are named now, by number, name or a part of it that is only theirs."""
        said = [word.text for word in words(self.text) if word.text not in FILLERS]
        parts = [each for each in offered if said and all(find_word(spelt_out(each), word) >= 0 for word in said)]
        measured = len(parts) == 1 and parts[0] in _with_number(said, offered)
        named = find_choices(self.text, dict.fromkeys(offered, ()), numbered=not measured)
        part = [Found("choice", each, 0, len(self.text.folded), 80) for each in parts] if len(parts) == 1 else []
        return named or tuple(part) or _placed(said, offered)


def _with_number(said: list[str], offered: tuple[str, ...]) -> list[str]:
    """What has a bare number in its name: of two bags of 2 and 4 kilos "2" is the first, but no coke of 2,25 l."""
    number = said[0] if len(said) == 1 and said[0].isdecimal() else ""
    whole = re.compile(rf"(?<![\d.,]){number}(?![.,]?\d)") if number else None
    return [each for each in offered if whole and whole.search(each)]


def _placed(said: list[str], offered: tuple[str, ...]) -> tuple[Found, ...]:
    """The one that is told by its place: la primera, el último."""
    place = _PLACES.get(said[0][:5]) if len(said) == 1 else None
    in_range = place is not None and -1 <= place < len(offered) and bool(offered)
    return (Found("choice", offered[place], 0, 0, 80),) if place is not None and in_range else ()


def _after_but(text: Text, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """In "no es a@x.com sino b@x.com" the second is meant."""
    pivot = text.folded.find(" sino ")
    after = tuple(each for each in found if each.start > pivot) if pivot >= 0 else ()
    return after or found


def _boolean(act: Act) -> Found:
    return Found("boolean", act.kind == "affirm", act.start, act.end, act.confidence)
