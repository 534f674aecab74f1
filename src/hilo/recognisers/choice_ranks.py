"""Choices that are told by their place, their size, their price or how many people share them.

El segundo, la del medio, la última; el grande, la más barata, la de 49.900; uno para mí y otro para mi mamá.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from hilo.recognisers.amounts.lexicon import numeral, one_of
from hilo.recognisers.amounts.numbers import find_numbers
from hilo.recognisers.amounts.quantities import find_quantities
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold, normalise
from hilo.recognisers.people.parties import find_people

# --- words ----------------------------------------------------------------------------------------------

_ORDINALS = {
    stem: place
    for place, stems in enumerate(
        (
            "primer primero primera 1er 1ro 1ra 1ero 1era first",
            "segundo segunda 2do 2da second",
            "tercer tercero tercera 3er 3ro 3ra third",
            "cuarto cuarta 4to 4ta fourth",
            "quinto quinta 5to 5ta fifth",
            "sexto sexta 6to 6ta sixth",
        )
    )
    for stem in stems.split()
} | dict.fromkeys(one_of("ultimo ultima last"), -1)
_ENDS = {"arriba": 0, "abajo": -1}
_MIDDLE = one_of("medio enmedio mitad centro mediano mediana mediano intermedio intermedia middle")
_LEAST = one_of("chico chica chiquito chiquita pequeno pequena menor small smallest smaller")
_MOST = one_of("completo completa grande grandote grandota mayor big biggest bigger large largest")
_CHEAP = one_of("barato barata baratito baratita economico economica cheap cheapest")
_DEAR = one_of("caro cara expensive")
_BESIDE_A_RANK = one_of(
    "mas muy numero nro opcion option most one que tengan tenga hay haya tienen tiene todos todas ellos ellas tamano "
    "precio porfis dale al po va elijo escojo agarro nomas vamos of"
)
_EACH = re.compile(
    r"\b(?:un[oa]?|1|one)\b[^,.;\d]{0,20}?(?:\b(?:para |p/)?(?:cada un[oa]|c/u)|\b(?:y|,) ?otr[oa]\b|\beach\b)"
)
_ANY_OF = re.compile(
    r"\b(?:cualquier[a]?|ningun[oa]|algun[oa]|cual|un[oa]|entre|either|any) (?:de |of )?(?:las?|los|es[oa]s|the)? ?$"
)
_AMONG = re.compile(r"[ ]de (?:las?|los|es[oa]s|ellas|ellos)\b")
_NUMBERED = re.compile(r"\b(opcion|option|numero|number|nro|el|la) (?:numero |nro |n )?([1-9])\b(?![.,]\d)")
_PRICE_FROM = 100
_THOUSAND = 1000
_WHY = re.compile(r"\b(?:para|pa|que|q|asi|porque)\b(?! (?:tengan?|haya?|hay|tienen?)\b)")  # el grande que somos muchos
_DIMINUTIVE = re.compile(r"(?:it|ic|ill)(?=[oa]$)")
_SMALL_GREAT = re.compile(r"ecit[oa]$")  # grandecito
_BASES = {"ml": ("l", 1000), "g": ("kg", 1000), "cm": ("m", 100), "mg": ("kg", 1_000_000)}


class _Rank(NamedTuple):
    """What a word says: a place among those shown, or the least (0) or most (-1) of a measure."""

    by: str
    place: int


Choices = Mapping[str, tuple[str, ...]]


def ranked(text: Text, choices: Choices, beside: frozenset[str]) -> tuple[Found, ...]:
    """The choice that a whole answer tells by its place, size or price; `beside` may stand there too."""
    said = _WHY.split(text.folded, maxsplit=1)[0]
    words = re.findall(r"\w+", _NUMBERED.sub(r"\1 numbered\2", said))
    ranks = {rank for word in words if (rank := _rank(word))}
    others = [word for word in words if not _rank(word) and word not in beside and word not in _BESIDE_A_RANK]
    if len(ranks) != 1 or others or "no" in words or set(words) <= {"mitad", "y"}:
        return ()
    choice = _ranked_choice(ranks.pop(), tuple(choices.items()))
    return (Found("choice", choice, 0, len(text.folded), 85),) if choice else ()


def priced(text: Text, choices: Choices) -> list[Found]:
    """The choices whose price is named; it stands in their names: la de 49.900, la de 49 mil 900."""
    prices = {price: choice for choice, price in _prices(tuple(choices.items())).items()}
    prices |= _in_thousands(prices)
    found = [(prices.get(Decimal(number.value)), number) for number in find_numbers(text)] if prices else []
    return [Found("choice", choice, number.start, number.end, 90) for choice, number in found if choice]


def _in_thousands(prices: Mapping[Decimal, str]) -> dict[Decimal, str]:
    """Prices as people cut them short: la de 129 is that of 129.900."""
    short = [price // _THOUSAND for price in prices if price >= _PRICE_FROM * _THOUSAND // 10]
    known = {price // _THOUSAND: choice for price, choice in prices.items() if short.count(price // _THOUSAND) == 1}
    return known | {price * _THOUSAND: choice for price, choice in known.items()}  # la de 129 mil


def shared(text: Text, choices: Choices) -> tuple[Found, ...] | None:
    """As many as there are people: uno cada uno, para mí y mi hermana; None where nothing is shared out."""
    if not _EACH.search(text.folded):
        return None
    parties = find_people(text)
    many = max((Decimal(party.value) for party in parties), default=Decimal(0))
    meant = [choice for choice, measure in _measures(tuple(choices.items())).items() if many > 1 and measure == many]
    return tuple(Found("choice", choice, 0, len(text.folded), 85) for choice in meant[:1])


def is_any_of(folded: str, start: int, end: int) -> bool:
    """Whether a number only says among how many, or one of which: cualquiera de las dos, una de las dos."""
    return bool(_ANY_OF.search(folded, max(0, start - 30), start) or _AMONG.match(folded, end))


@lru_cache(maxsize=1024)
def _rank(word: str) -> _Rank | None:
    """What a word says, or the one that it is the diminutive of: baratico."""
    return _rank_of(word) or _rank_of(_DIMINUTIVE.sub("", word)) or _rank_of(_SMALL_GREAT.sub("e", word))


def _rank_of(word: str) -> _Rank | None:
    if word in _ORDINALS:
        return _Rank("place", _ORDINALS[word])
    if word.startswith("numbered"):
        return _Rank("number", int(word[-1]))
    if word in _ENDS:
        return _Rank("place", _ENDS[word])
    if word in _MIDDLE:
        return _Rank("middle", 0)
    if word in _LEAST or word in _MOST:
        return _Rank("measure", 0 if word in _LEAST else -1)
    if word in _CHEAP or word in _DEAR:
        return _Rank("price", 0 if word in _CHEAP else -1)
    return None


def _ranked_choice(rank: _Rank, choices: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    """The choice that has a rank, "" where there is none."""
    shown = [choice for choice, _ in choices]
    if rank.by == "place":
        return shown[rank.place] if -len(shown) <= rank.place < len(shown) else ""
    if rank.by == "number":
        measured = [choice for choice, measure in _measures(choices).items() if measure == rank.place]
        return next((choice for choice in (*measured, *shown[rank.place - 1 : rank.place])), "")
    if rank.by == "middle":
        return shown[len(shown) // 2] if len(shown) % 2 else ""
    if rank.by == "price" and _are_different_goods(shown):
        return ""  # the smallest of several things need not be the cheapest
    measures = (_prices(choices) if rank.by == "price" else {}) or _measures(choices)
    if not shown or len(measures) < len(shown):
        return ""
    return sorted(shown, key=lambda choice: measures[choice])[rank.place]


def _are_different_goods(shown: Sequence[str]) -> bool:
    """Whether sizes stand in the names of things that differ in more than that."""
    names, sized = set(), False
    for choice in shown:
        text = normalise(choice)
        sizes = find_quantities(text)
        sized = sized or bool(sizes)
        names.add(text.folded[: sizes[0].start].strip() if sizes else text.folded)
    return sized and len(names) > 1


@lru_cache(maxsize=256)
def _measures(choices: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, Decimal]:
    """What each choice is called by or measures (2x, dos, 1,5 l), if all do in one unit and no two alike."""
    told = {choice: measure for choice, names in choices if (measure := _measure((choice, *names)))}
    units = {unit for unit, _ in told.values()}
    return (
        {choice: number for choice, (_, number) in told.items()} if len(units) == 1 and _differ(told, choices) else {}
    )


def _differ(told: Mapping[str, object], choices: Sequence[object]) -> bool:
    return len(set(told.values())) == len(choices)


def _measure(names: Sequence[str]) -> tuple[str, Decimal] | None:
    """A unit and a number, from the first name that has one."""
    for name in names:
        spoken, quantities = numeral(fold(name)), find_quantities(normalise(name))
        written = re.fullmatch(r"\D{0,12}(\d{1,2})\D{0,12}", fold(name))
        if spoken and spoken.value:
            return "", Decimal(spoken.value)
        if len(quantities) == 1:
            unit, parts = _BASES.get(quantities[0].unit, (quantities[0].unit, 1))
            return unit, Decimal(quantities[0].value) / parts
        if written:
            return "", Decimal(written.group(1))
    return None


@lru_cache(maxsize=256)
def _prices(choices: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, Decimal]:
    """The price that stands in the names of each choice, if all have one and no two the same."""
    prices: dict[str, Decimal] = {}
    for choice, names in choices:
        numbers = {Decimal(each.value) for name in (choice, *names) for each in find_numbers(normalise(name))}
        large = {number for number in numbers if number >= _PRICE_FROM}
        if len(large) == 1:
            prices[choice] = large.pop()
    return prices if _differ(prices, choices) else {}
