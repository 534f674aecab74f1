"""What a slot type is: one value of `SlotType` says all that the rest of Hilo needs to know of a type."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, Protocol, get_args

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Text
from hilo.slots.utterance import Utterance

Language = Literal["es", "es-AR", "es-CO", "es-ES", "es-MX", "en", "pt-BR"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
SPANISH: tuple[Language, ...] = tuple(each for each in LANGUAGES if each.startswith("es"))

_OF_ALL = {"es": "es", "en": "en", "pt": "pt-BR"}  # what is spoken to a country that has no texts of its own


def spoken_language(tag: str) -> Language:
    """The texts for a language tag: its own, else those of the language, else English."""
    near = tag if tag in LANGUAGES else _OF_ALL.get(tag.partition("-")[0], "en")
    return next(each for each in LANGUAGES if each == near)


Wordings = tuple[str, ...]
Sort = Literal["text", "number", "choice", "boolean"]
# What the shape of a value is worth where nobody asked for it, if it is found as surely as `utterance.SURE`:
# nothing; it tells what a correction corrects ("no, es el martes"); it is taken where it is given ahead; or both.
Volunteered = Literal["no", "in_a_correction", "as_a_wish", "always"]


class SlotRules(Protocol):
    """What a slot declares beyond its type; an author writes it, `hilo.agent.declaration.Slot` keeps it."""

    @property
    def label(self) -> str: ...
    @property
    def also(self) -> tuple[str, ...]: ...
    @property
    def ask(self) -> tuple[str, ...]: ...
    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def before(self) -> tuple[str, ...]: ...
    @property
    def pattern(self) -> str: ...
    @property
    def part(self) -> Literal["", "given", "family"]: ...
    @property
    def region_of(self) -> str: ...
    @property
    def any_currency(self) -> bool: ...
    @property
    def ranges(self) -> bool: ...
    @property
    def min(self) -> Decimal | None: ...
    @property
    def max(self) -> Decimal | None: ...


WordOf = Callable[[str], str]  # a small word of the agent's language by its name: `yes`, `months`
Accept = Callable[[Value, SlotRules, str], Value | None]
Show = Callable[[Value, WordOf], str]


class Find(Protocol):
    """Candidates for a slot, where `asked` tells whether its question was the last one."""

    def __call__(self, said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]: ...


@dataclass(frozen=True, kw_only=True)
class Example:
    """What a contact writes in a language, the value that is stored, and how it is shown to them."""

    said: str
    stored: Value
    shown: str


def anything(_said: Utterance) -> bool:
    """For types that let `accept` judge words in which nothing was found."""
    return True


@dataclass(frozen=True, kw_only=True)
class SlotType:
    """A type of slots. What it says of languages it says for all of them, or it cannot be made."""

    name: str
    summary: str  # what it takes and in which form it is stored: a row of the table in docs/agent-language.md
    aliases: tuple[str, ...] = ()  # words that authors try for it; they get a hint, not the type
    called: tuple[str, ...] = ()  # what contacts call a value of it: "mi correo"
    phrases: Mapping[str, Mapping[Language, Wordings]]  # `invalid.NAME` at least
    examples: Mapping[Language, Example]

    keys: frozenset[str] = frozenset()  # keys of a slot that only some types understand
    needs: Mapping[str, str] = field(default_factory=dict)  # keys that must be there, with a hint
    out_of_range: str = "invalid.range"  # what is said of a value below `min` or above `max`

    find: Find
    accept: Accept  # the form that is stored, or None
    problem: Callable[[Value], str] | None = None  # the phrase for a value that is not taken, if not `invalid.NAME`
    show: Show | None = None  # as one writes it to a contact; texts, numbers, yes and no need none

    sort: Sort = "text"  # what guards compare it with, and how it is asked for
    volunteered: Volunteered = "no"  # whether its shape tells a value that nobody asked for
    is_free: bool = False  # takes any words
    is_note: bool = False  # takes what is wished besides, and is never asked for
    is_signed: bool = False  # a minus before it counts
    is_listed: bool = False  # stands for itself between commas, even where it is not sure
    names_person: bool = False
    place: Literal["", "street", "town"] = ""
    is_beside_towns: bool = False  # a town may stand right before or after it
    is_when: bool = False  # a day or an hour: it may lie in the past
    led_by: re.Pattern[str] | None = None  # words before a value that tell it, where a single slot takes such values
    may_be: Callable[[Utterance], bool] = anything  # whether an answer in which nothing was found is worth judging
    keep: Callable[[str, str], str] | None = None  # a new value with what of the stored one still holds
    amend: Callable[[str, Text], Found | None] | None = None  # a stored value with what a message changes in it

    def __post_init__(self) -> None:
        if f"invalid.{self.name}" not in self.phrases:
            raise ValueError(f"slot type {self.name}: the phrase invalid.{self.name} is missing")
        for facet, by_language in {"examples": self.examples, **self.phrases}.items():
            missing = [language for language in LANGUAGES if not by_language.get(language)]
            if missing:
                raise ValueError(f"slot type {self.name}: {facet} is missing in {', '.join(missing)}")


def spanish(*tu: str, vos: Wordings = (), usted: Wordings = ()) -> dict[Language, Wordings]:
    """A phrase of all Spanish; one that addresses the contact says how with vos (es-AR) and with usted (es-CO)."""
    return {"es": tu, "es-AR": vos or tu, "es-CO": usted or tu, "es-ES": tu, "es-MX": tu}


def said_alike(in_spanish: Example, *, english: Example, portuguese: Example) -> dict[Language, Example]:
    """One example for all Spanish, one in English and one in Portuguese."""
    return {**dict.fromkeys(SPANISH, in_spanish), "en": english, "pt-BR": portuguese}
