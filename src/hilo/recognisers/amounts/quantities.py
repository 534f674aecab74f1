"""Find measured and packed quantities: litro y medio, 1,5 l, cuarto de kilo, 500cc, dos cajas."""

from decimal import Decimal
from typing import NamedTuple

from hilo.packs.pack import shared_meanings
from hilo.recognisers.amounts.lexicon import ONES, one_of
from hilo.recognisers.amounts.numbers import Number, numbers_of, plain
from hilo.recognisers.amounts.tokens import Tokens, at, follows, tokens, touches, word
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text

_UNITS = {name: unit for name, (unit,) in shared_meanings("measures").items()}
_FACTORS = {
    "cl": ("ml", 10),
    "hg": ("g", 100),
    "quintal": ("kg", 100),
    "quintales": ("kg", 100),
    "tonelada": ("kg", 1000),
}
_MEASURES = frozenset(("l", "kg", "lb", "m", "gal", "km", "oz"))
_AMBIGUOUS = frozenset(("sobre", "copa", "juego", "combo", "bot", "can", "m", "gs", "u"))
_COLLECTIVES = one_of("docena docenas dosena dosenas doc docs dozen dozens docenita decena decenas duzia duzias")
_DOZENS = one_of("docena dosena doc dozen duzia")
_FOOD = one_of(
    "helado jamon queso carne pan asado salame salamin milanesas chorizo mortadela fiambre crudo cocido "
    "paleta masas pollo facturas tomate tomates papa papas cebolla azucar cafe pescado molida chuletas "
    "aceitunas"
)
_SHARES = {"medio": Decimal("0.5"), "media": Decimal("0.5"), "half": Decimal("0.5"), "cuarto": Decimal("0.25")}
_THREE_QUARTERS = Decimal("0.75")


class Measure(NamedTuple):
    """A quantity with the tokens it spans."""

    value: Decimal
    first: int
    last: int
    unit: str
    confidence: int


def find_quantities(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """Numbers with a unit in its canonical name; dozens count as units."""
    toks = tokens(text.folded)
    by_first = {number.first: number for number in numbers_of(toks, country=country)}
    measures: list[Measure] = []
    index = 0
    while index < len(toks):
        measure = _measure_at(toks, index, by_first.get(index))
        if measure:
            measures.append(measure)
        index = measure.last + 1 if measure else index + 1
    return tuple(_found(toks, measure) for measure in _compound(toks, measures))


def _found(toks: Tokens, measure: Measure) -> Found:
    span = toks[measure.first].start, toks[measure.last].end
    return Found("quantity", plain(measure.value), *span, measure.confidence, measure.unit)


def _measure_at(toks: Tokens, index: int, number: Number | None) -> Measure | None:
    return _share_of(toks, index) or (_counted(toks, number) if number else None) or _bare(toks, index)


def _unit(toks: Tokens, index: int) -> tuple[str, int, int] | None:
    """Unit, factor and last token of a unit name: six pack, metros cuadrados, m2."""
    text = word(toks, index)
    if text in _FACTORS:
        return (*_FACTORS[text], index)
    if text == "six" and word(toks, index + 1) == "pack":
        return "pack", 1, index + 1
    unit = _UNITS.get(text)
    if unit == "m" and (word(toks, index + 1) in ("cuadrados", "cuadrado", "2")):
        return "m2", 1, index + 1
    return (unit, 1, index) if unit else None


def _counted(toks: Tokens, number: Number) -> Measure | None:
    """A number and its unit: 2 kilos, 500cc, dos litros y medio, dos docenas."""
    said = {word(toks, index) for index in range(number.first, number.last + 1)}
    if said & _COLLECTIVES:
        return Measure(number.value, number.first, number.last, "unit", max(number.confidence, 60))
    if number.value < 1 and word(toks, number.last + 1) in _DOZENS:
        return Measure(number.value * 12, number.first, number.last + 1, "unit", 80)  # 1/2 docena
    if "par" in said or "couple" in said:
        return Measure(number.value, number.first, number.last, "unit", 70)
    if word(toks, number.last) == "six" and word(toks, number.last + 1) == "pack":
        return Measure(Decimal(1), number.first, number.last + 1, "pack", 80)
    index = number.last + 1
    index += word(toks, index) == "de" and number.value < 1
    unit = _unit(toks, index)
    if not unit or number.value <= 0:
        return _butchers_k(toks, number)
    return _with_share(toks, number, unit)


def _with_share(toks: Tokens, number: Number, unit: tuple[str, int, int]) -> Measure | None:
    name, factor, last = unit
    confidence = 95 if number.confidence > 50 else 80  # noqa: PLR2004
    if word(toks, last) in _AMBIGUOUS and word(toks, number.last) in ONES:
        return None
    share, last = _share_after(toks, last + 1, name)
    value = _scaled(toks, number, name) + share
    return Measure(value * factor, number.first, last, name, confidence)


def _scaled(toks: Tokens, number: Number, unit: str) -> Decimal:
    """1,500 kg on a butcher's scale is one and a half; 1,5 is read right anyhow."""
    text = word(toks, number.last)
    if unit in ("kg", "l") and number.first == number.last and text.count(",") == 1 and "." not in text:
        return Decimal(text.replace(",", "."))
    return number.value


def _butchers_k(toks: Tokens, number: Number) -> Measure | None:
    """2k de asado: kilos, since nobody orders two thousand."""
    coefficient = number.value / 1000
    if word(toks, number.last) != "k" or word(toks, number.last + 1) != "de" or coefficient > 20:  # noqa: PLR2004
        return None
    if word(toks, number.last + 2) in ("pesos", "dolares", "usd", "euros"):
        return None
    return Measure(coefficient, number.first, number.last, "kg", 60)


def _share_after(toks: Tokens, index: int, unit: str) -> tuple[Decimal, int]:
    """The share after a unit and the last token read: y medio, y cuarto, tres cuartos, doscientos (gramos)."""
    start = index + (word(toks, index) in ("y", "i", "and", "con"))
    start += word(toks, start) in ("un", "a") and word(toks, start + 1) in _SHARES
    if start > index and word(toks, start) in _SHARES and not _unit(toks, start + 1):
        return _SHARES[word(toks, start)], start
    if word(toks, start) in ("tres", "3") and word(toks, start + 1) == "cuartos":
        return _THREE_QUARTERS, start + 1
    if unit in ("kg", "l") and start == index:
        return _thousandths(toks, index)
    return Decimal(0), index - 1


def _thousandths(toks: Tokens, index: int) -> tuple[Decimal, int]:
    """Un kilo doscientos, 2 kilos 300: grams left unsaid."""
    following = [number for number in numbers_of(toks[index : index + 4]) if number.first == 0]
    if not following or not 100 <= following[0].value < 1000 or following[0].scale != 1:  # noqa: PLR2004
        return Decimal(0), index - 1
    last = index + following[0].last
    if _unit(toks, last + 1) or at(toks, last + 1).text in ("pesos", "$"):
        return Decimal(0), index - 1
    return following[0].value / 1000, last


def _share_of(toks: Tokens, index: int) -> Measure | None:
    """Medio kilo, un cuarto de kilo, cuarto kilo, tres cuartos de litro, un cuarto de helado."""
    start = index + (word(toks, index) in ONES and word(toks, index + 1) in ("cuarto", "medio"))
    if word(toks, start) in ("tres", "3") and word(toks, start + 1) == "cuartos":
        share, after = _THREE_QUARTERS, start + 2
    elif word(toks, start) in _SHARES and word(toks, start - 1) not in ("y", "and"):
        share, after = _SHARES[word(toks, start)], start + 1
    else:
        return None
    of = word(toks, after) in ("de", "a")
    unit = _unit(toks, after + of)
    if unit and not (of and word(toks, start) in ("medio", "media")):
        return Measure(share * unit[1], index, unit[2], unit[0], 95)
    if of and share != Decimal("0.5") and word(toks, after + 1) in _FOOD:
        return Measure(share, index, after - 1, "kg", 70)
    return None


def _bare(toks: Tokens, index: int) -> Measure | None:
    """Litro y medio, docena y media, una fanta de litro: a unit that stands for one."""
    unit = _unit(toks, index)
    if unit and word(toks, index - 1) == "a" and word(toks, index + 1) == "of":
        return Measure(Decimal(1), index - 1, index, unit[0], 80)
    if not unit or unit[0] not in _MEASURES or len(word(toks, index)) < 4 or touches(toks, index):  # noqa: PLR2004
        return None
    share, last = _share_after(toks, unit[2] + 1, unit[0])
    if share and share in (*_SHARES.values(), _THREE_QUARTERS):
        return Measure(1 + share, index, last, unit[0], 90)
    if word(toks, index - 1) == "de" and index > 1 and unit[0] in ("l", "kg") and not follows(toks, index + 1, ("de",)):
        return Measure(Decimal(1), index, unit[2], unit[0], 60)
    return None


def _compound(toks: Tokens, measures: list[Measure]) -> list[Measure]:
    """1 kilo y 200 gramos is one quantity."""
    joined: list[Measure] = []
    for measure in measures:
        big = joined[-1] if joined else None
        gap = measure.first - big.last - 1 if big else -1
        near = gap == 0 or (gap == 1 and word(toks, measure.first - 1) in ("y", "con"))
        if big and near and (big.unit, measure.unit) in (("kg", "g"), ("l", "ml")) and measure.value < 1000:  # noqa: PLR2004
            joined[-1] = big._replace(value=big.value + measure.value / 1000, last=measure.last)
        else:
            joined.append(measure)
    return joined
