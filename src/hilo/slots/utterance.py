"""What finders read: the text of a message and what is known about it, each thing found once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar, cast

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Span, Text, hidden

T = TypeVar("T")
FindNames = Callable[[Text, bool], tuple[Found, ...]]  # in a text, where a name was asked for or not

SURE = 70  # a value that was not asked for must be recognised at least this surely


@dataclass(frozen=True)
class Utterance:
    """A message for the finders of values; `yes_or_no` are the answers in it, as booleans."""

    text: Text
    now: datetime
    country: str
    language: str = ""
    yes_or_no: tuple[Found, ...] = ()
    asks: bool = False
    own_number: str = ""  # that the contact writes from, where the channel is a phone's
    has_towns: bool = True  # whether towns have a slot of their own
    goods: tuple[Span, ...] = ()  # where goods are named, in which no street is
    names: FindNames | None = None  # what finds names by what was learnt, for the languages that have it
    _found: dict[str, Any] = field(default_factory=dict)
    _finding: list[str] = field(default_factory=list)  # what is being found, the innermost last
    _by_goods: set[str] = field(default_factory=set)  # what was found by where goods stand

    @cached_property
    def has_digits(self) -> bool:
        return any(map(str.isdigit, self.text.folded))

    def once(self, key: str, find: Callable[[], T]) -> T:
        """What `find` finds; several slots may ask for the same."""
        if key not in self._found:
            self._finding.append(key)
            try:
                self._found[key] = find()
            finally:
                self._finding.pop()
        if key in self._by_goods:
            self.looks_at_goods()
        return cast("T", self._found[key])

    def looks_at_goods(self) -> None:
        """Note that what is being found depends on where goods stand."""
        self._by_goods.update(self._finding)

    def with_goods(self, goods: tuple[Span, ...]) -> "Utterance":
        """The same message, in which goods were found; what does not depend on them is not looked for again."""
        kept = {key: found for key, found in self._found.items() if key not in self._by_goods}
        return replace(self, goods=goods, _found=kept, _finding=[], _by_goods=set())

    def unless_asking(self, found: tuple[Found, ...], *, asked: bool) -> tuple[Found, ...]:
        """What was found; in a question of the contact, not surely enough to be taken without ours."""
        if asked or not self.asks:
            return found
        return tuple(replace(each, confidence=min(each.confidence, SURE - 1)) for each in found)

    def without(self, spans: Sequence[tuple[int, int]]) -> "Utterance":
        """The rest of the message, to be read anew."""
        return replace(self, text=hidden(self.text, spans), _found={}, _finding=[], _by_goods=set())
