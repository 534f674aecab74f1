"""Where a model's values and figures come from: the contact's words, results, the agent's file, or nowhere.

What stands nowhere is invented. A value is compared as its slot would store it, a text by its words, and words may be
misspelled; figures, links and identifiers must be the same.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from difflib import SequenceMatcher
from functools import cached_property
from itertools import chain, filterfalse
from typing import Any

from hilo.agent.declaration import Agent, Slot
from hilo.agent.values import Accepted, accept
from hilo.recognisers.amounts.digits import read_digits
from hilo.recognisers.amounts.numbers import find_numbers
from hilo.recognisers.normalise import MAX_CHARACTERS, fold
from hilo.understanding.slot_values import Values

# The whole of a reference counts: `pagos.com` is not `mispagos.com`.
REFERENCE = r"\S*[@#]\S*|\S*://\S*|\w[\w-]*(?:\.[\w-]+)*\.[^\W\d_]\S*"
FIGURE = r"\+?\d+(?:[ .,:/-]\d+)*"
_WITH_A_SIGN = re.compile(r"[@#]|://")
# The same as the last part of it, tried only where a row of names with dots begins.
_ADDRESS = re.compile(r"(?<![\w-])(?<!\w\.)-*+(\w[\w-]*+(?:\.[\w-]++)*\.[^\W\d_]\S*)")
_FIGURE = re.compile(FIGURE)
_SPACED = re.compile(r"\S+")
_PIECE = re.compile(rf"(?s).{{1,{MAX_CHARACTERS}}}(?=\s|$)|.{{1,{MAX_CHARACTERS}}}")
_WORD = re.compile(r"[^\W\d_]+")
# The number of a line of a list.
_LISTED = re.compile(r"(?m)^[\s*-]*\d{1,2}[.)\ufe0f\u20e3]+(?=\s)")
_BEFORE_LINK = re.compile(r"^(?:https?://)?(?:www\.)?")
_EDGE = "¿¡([{<\"'«“.,;:!?)]}>»”*_~"
_IMPLIED = frozenset((Decimal(0), Decimal(1)))  # "una coca", "sin gas"
# What a tool may take in another form.
_TYPES = ("date", "time", "number", "money", "duration", "phone")
_SHORT = 2  # letters of a word that says nothing by itself: "de", "la", "y"
_STEM = 4  # letters that "coca" and "cocas" share
_ALIKE = 0.8  # how alike a word is to one that was misspelled
_FEWEST_SPELLED = 10  # smaller numbers in words are mostly no figures: "un momento", "dos cosas"
_LONGEST_ID = 4  # digits from which a number may be somebody's
_HALF_DAY = 12
_AFTERNOON = re.compile(r"\b(1[3-9]|2[0-3])(?=:\d\d)")
_MOST_READ = 10  # of the contact's last messages are read for values in other forms


@dataclass(frozen=True)
class Sources:
    """What a model may take values and figures from: `heard` is the contact's, `known` all the rest."""

    agent: Agent
    now: datetime
    heard: tuple[str, ...]
    known: tuple[str, ...]

    def invented(self, value: Any, slot: Slot | None = None) -> str:
        """The piece of a value that stands nowhere; nothing where all of it stands somewhere."""
        match value:
            case None | bool():
                return ""
            case int() | float() | Decimal():
                number = Decimal(str(value))
                found = number in _IMPLIED or number in self._numbers or str(value) in self._figures
                return "" if found or self._is_typed(value, slot) else str(value)
            case Mapping():
                return _first(filter(None, map(self.invented, value.values())))
            case list() | tuple():
                return _first(filter(None, map(self.invented, value)))
        text = str(value)
        piece = self._invented_text(text)
        return "" if not piece or self._is_typed(text, slot) else piece

    def invented_id(self, value: Any) -> str:
        """The figure or reference in a value that may be somebody's and stands nowhere: nobody may be looked up so."""
        text = json.dumps(value, ensure_ascii=False, default=str)
        ids = [each for each in _figures_in(text) if len(_digits(each)) >= _LONGEST_ID]
        unknown = _first(filterfalse(self._has_figure, ids))
        piece = unknown or self._unknown_reference(text.replace('"', " "))
        return piece if piece and self.invented(value) else ""

    def claimed(self, text: str) -> str:
        """The figure, link or amount in a model's words that stands nowhere."""
        plain = _LISTED.sub(" ", text)
        if piece := self._unknown_figure(plain):
            return piece
        spelled = _FIGURE.sub(" ", _without_references(plain))
        for piece in _PIECE.findall(spelled):
            for found in find_numbers(self.agent.fold(piece), country=self.agent.country):
                number = Decimal(str(found.value))
                if number >= _FEWEST_SPELLED and number not in self._numbers:
                    return str(found.value)
        return ""

    # --- comparing ------------------------------------------------------------------------------------------

    def _invented_text(self, text: str) -> str:
        words = _words_of(_without_references(text))
        return self._unknown_figure(text) or _first(filterfalse(self._has_word, words))

    def _unknown_figure(self, text: str) -> str:
        """The first link, or else the first figure, that stands nowhere."""
        figures = _figures_in(_without_references(text))
        return self._unknown_reference(text) or _first(filterfalse(self._has_figure, figures))

    def _unknown_reference(self, text: str) -> str:
        return _first(filterfalse(self._references.__contains__, _references_in(text)))

    def _has_figure(self, figure: str) -> bool:
        """As it is, as a number, as its parts where it is a date or an hour, or as a phone that was given shorter."""
        digits = _digits(figure)
        if digits in self._figures or self._is_number(figure):
            return True
        parts = re.split(r"[ :/-]", figure.lstrip("+"))
        if len(parts) > 1 and all(_plain(each) in self._figures or self._is_number(each) for each in parts):
            return True
        phones = (each for each in self._figures if len(each) > 6)  # noqa: PLR2004 -- as local numbers are
        return any(digits.endswith(each) and len(digits) - len(each) <= _STEM for each in phones)

    def _is_number(self, figure: str) -> bool:
        number = read_digits(figure.lstrip("+"), self.agent.country)
        return number is not None and number in self._numbers

    def _has_word(self, word: str) -> bool:
        if len(word) <= _SHORT or word in self._words:
            return True
        return any(_is_alike(word, each) for each in self._heard_words)

    def _is_typed(self, value: Any, slot: Slot | None) -> bool:
        """Whether the contact wrote the same in another form: "mañana", "dos mil", "a las cinco"."""
        slots = (slot,) if slot else tuple(Slot(type=each) for each in _TYPES)
        return any(self._stored(each, value) in self._found(each) for each in slots)

    def _stored(self, slot: Slot, value: Any) -> str:
        taken = accept(slot, value, country=self.agent.country)
        return str(taken.value) if isinstance(taken, Accepted) else "\0"

    def _found(self, slot: Slot) -> set[str]:
        found: set[str] = set()
        for values in self._read:
            found.update(self._stored(slot, each.value) for each in values.of(slot, asked=True))
        return found - {"\0"}

    @cached_property
    def _read(self) -> tuple[Values, ...]:
        agent = self.agent
        return tuple(
            Values(agent.fold(text), (), self.now, agent.country, agent.language)
            for text in filter(None, self.heard[:_MOST_READ])
        )

    # --- what there is ----------------------------------------------------------------------------------------

    @cached_property
    def _all(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(map(_PIECE.findall, (*self.heard, *self.known))))

    @cached_property
    def _heard_words(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(map(_words_of, self.heard)))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(map(_words_of, self._all)))

    @cached_property
    def _references(self) -> frozenset[str]:
        return frozenset(chain.from_iterable(map(_references_in, self._all)))

    @cached_property
    def _figures(self) -> frozenset[str]:
        """The digits of every figure, together and by its parts; hours also as they are said after noon."""
        found: set[str] = set()
        for text in self._all:
            for figure in map(str, _FIGURE.findall(text)):
                parts = [_plain(each) for each in re.split(r"\D+", figure) if each]
                found |= {_digits(figure), *parts}
            found.update(str(int(hour) - _HALF_DAY) for hour in _AFTERNOON.findall(text))
        return frozenset(found)

    @cached_property
    def _numbers(self) -> frozenset[Decimal]:
        found: set[Decimal] = set()
        for text in self._all:
            numbers = find_numbers(self.agent.fold(text), country=self.agent.country)
            found.update(Decimal(str(each.value)) for each in numbers)
            written = (read_digits(each.lstrip("+"), self.agent.country) for each in _FIGURE.findall(text))
            found.update(each for each in written if each is not None)
        return frozenset(found)


def declared_texts(agent: Agent) -> Iterator[str]:
    """What the agent file says: its description, texts, facts, choices and goods."""
    yield agent.description
    for template in agent.templates.values():
        yield from template.texts
    for name, fact in agent.named_facts.items():
        yield f"{name.rpartition('.')[2]} {fact}"
    for slot in agent.slots.values():
        yield from slot.choices
    for product in agent.goods:
        yield f"{product.id} {product.name} {product.brand} {product.size} {product.category}"


def told(value: Any) -> Iterator[str]:
    """Every text and number of a result, and how many there are of what it lists."""
    match value:
        case Mapping():
            for name, each in value.items():
                yield str(name)
                yield from told(each)
        case list() | tuple():
            yield str(len(value))
            for each in value:
                yield from told(each)
        case _:
            yield str(value)


def allowed_values(schema: Any) -> set[str]:
    """The values that the schema of a tool's arguments names: one of these is the author's, not a model's."""
    match schema:
        case Mapping():
            named = [*schema.get("enum", ()), *(schema[key] for key in ("const", "default") if key in schema)]
            return set(map(str, named)).union(*(allowed_values(each) for each in schema.values()))
        case list():
            return set().union(*map(allowed_values, schema))
    return set()


def _first(texts: Iterable[str]) -> str:
    return next(iter(texts), "")


def _words_of(text: str) -> list[str]:
    found: list[str] = []
    for piece in _PIECE.findall(text):
        found += _WORD.findall(fold(piece))
    return found


def _references_in(text: str) -> Iterator[str]:
    for start, end in reference_spans(text):
        yield _BEFORE_LINK.sub("", text[start:end].strip(_EDGE).lower()).rstrip("/")


def _without_references(text: str) -> str:
    kept, begins = [], 0
    for start, end in reference_spans(text):
        kept.append(text[begins:start])
        begins = end
    return " ".join([*kept, text[begins:]])


def reference_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where REFERENCE matches, word by word: by itself it reads a long word of a model once for each of its letters."""
    for word in _SPACED.finditer(text):
        if _WITH_A_SIGN.search(word.group()):
            yield word.span()
        elif found := _ADDRESS.search(text, *word.span()):
            yield found.span(1)


def _figures_in(text: str) -> list[str]:
    """Figures; one with letters or dashes in it, such as A-1234, counts by its digits."""
    return list(map(str, _FIGURE.findall(text)))


def _digits(figure: str) -> str:
    return re.sub(r"\D", "", figure)


def _plain(digits: str) -> str:
    """Digits without zeros before them: 07 is 7."""
    return _digits(digits).lstrip("0") or "0"


def _is_alike(word: str, heard: str) -> bool:
    shorter, longer = sorted((word, heard), key=len)
    if len(shorter) < _STEM:
        return False
    return longer.startswith(shorter) or SequenceMatcher(None, word, heard).ratio() >= _ALIKE
