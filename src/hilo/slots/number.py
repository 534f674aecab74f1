"""A number, in digits or words."""

import re
from decimal import Decimal, InvalidOperation

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import fold
from hilo.recognisers.pairs import settled
from hilo.slots.slot_type import Example, SlotRules, SlotType, WordOf, said_alike, spanish
from hilo.slots.utterance import SURE, Utterance

_HOUR = re.compile(r"\b(?:a|de|para|tipo|sobre|desde|hasta) las \w+$")
# "las 9 y 15", but not "las 2 y 3 niños"
_CLOCK = re.compile(r"\blas \w+ (?:y|menos) (?:\d{1,2}|cuarto|media|pico)(?=\s*(?:[,.;!]|hs?\b|$))")
MAX_AMOUNT = 10**15
LONGEST_JOINER = 3  # letters: the "de" of "número de pasajeros" names nothing that is counted
MAX_DECIMALS = 6


def accept_number(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    """A whole number as such, another one as an exact decimal."""
    if isinstance(value, bool):
        return None
    try:
        number = Decimal(value.strip()) if isinstance(value, str) else Decimal(value)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number) >= MAX_AMOUNT or _decimals(number) > MAX_DECIMALS:
        return None
    return int(number) if number == number.to_integral_value() else number.normalize()


def _decimals(number: Decimal) -> int:
    """How many digits stand behind the point; the exponent of a finite number is one."""
    return -int(number.normalize().as_tuple().exponent)


def number_text(number: int | Decimal, word: WordOf) -> str:
    """1500 → 1.500 in Spanish, 1,500 in English."""
    plain = f"{number:,}" if isinstance(number, int) else f"{number:,f}"
    return plain.translate(str.maketrans(",.", word("separators")))


def outside_dates(said: Utterance, numbers: tuple[Found, ...]) -> tuple[Found, ...]:
    """The 3 of "el 3 de enero" is no amount."""
    from hilo.slots.date import dates

    dated = numbers and any(sign in said.text.folded for sign in (" de ", "/", "-"))
    days = [each for each in dates(said) if each.confidence > SURE] if dated else []
    return tuple(each for each in numbers if all(each.end <= day.start or each.start >= day.end for day in days))


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:
    found = _people(said, slot, asked=asked) or _outside_ages(said, slot, said.once("number", lambda: _plain(said)))
    named = {fold(word) for name in (slot.label, *slot.also) for word in name.split()}
    counted = {word for word in named if len(word) > LONGEST_JOINER}
    return tuple(each for each in found if not _is_hour(said.text.folded, each, counted))


def _is_hour(text: str, found: Found, counted: set[str]) -> bool:
    """Whether a number is an hour by the words before it: "el de las 8"; "para las 8 personas" counts."""
    if any(clock.start() < found.end and found.start < clock.end() for clock in _CLOCK.finditer(text)):
        return True
    following = text[found.end :].split()[:1]
    return _HOUR.search(text, 0, found.end) is not None and not counted.intersection(following)


def _outside_ages(said: Utterance, slot: SlotRules, numbers: tuple[Found, ...]) -> tuple[Found, ...]:
    """The numbers that may count people: the 6 of "mi hija de 6" does not."""
    from hilo.recognisers.people.ages import is_age
    from hilo.recognisers.people.parties import counts_people

    if not numbers or not counts_people((slot.label, *slot.also), slot.ask):
        return numbers
    return tuple(each for each in numbers if not is_age(said.text.folded, each.start, each.end))


def _people(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:
    """For a slot that counts people: "mis viejos y yo" are three of them."""
    from hilo.recognisers.people.parties import counts_people, counts_seats, find_people

    if not counts_people((slot.label, *slot.also), slot.ask):
        return ()
    babies = not counts_seats((slot.label, *slot.also))
    return said.once(f"people:{asked}:{babies}", lambda: find_people(said.text, asked=asked, babies=babies))


def _plain(said: Utterance) -> tuple[Found, ...]:
    from hilo.recognisers.amounts.numbers import find_numbers

    return settled(said.text, outside_dates(said, find_numbers(said.text, country=said.country)))


TYPE = SlotType(
    name="number",
    summary="a number, in digits or words, from `min` to `max`: “mil quinientos” → `1500`; or how many people",
    aliases=("int", "integer", "float", "decimal", "numero", "entero", "cantidad", "quantity", "count"),
    phrases={
        "invalid.number": {
            **spanish("Necesito un número, por ejemplo 1500 o «mil quinientos»."),
            "en": ("I need a number, such as 1500 or “fifteen hundred”.",),
            "pt-BR": ("Preciso de um número, por exemplo 1500 ou “mil e quinhentos”.",),
        },
        "word.separators": {**spanish(".,"), "es-MX": (",.",), "en": (",.",), "pt-BR": (".,",)},
    },
    examples={
        **said_alike(
            Example(said="mil quinientos", stored=1500, shown="1.500"),
            english=Example(said="fifteen hundred", stored=1500, shown="1,500"),
            portuguese=Example(said="mil e quinhentos", stored=1500, shown="1.500"),
        ),
        "es-MX": Example(said="mil quinientos", stored=1500, shown="1,500"),
    },
    keys=frozenset({"min", "max"}),
    find=_find,
    accept=accept_number,
    sort="number",
    is_signed=True,
)
