"""Read one number, in digits or words, at a place of a message: 2.350,50, dos mil quinientos, 1 1/2."""

from decimal import Decimal
from typing import NamedTuple

from hilo.recognisers.amounts.digits import ratio_of, read_digits, read_vulgar
from hilo.recognisers.amounts.lexicon import HUNDREDS, ONES, TEENS, TENS, UNITS, numeral
from hilo.recognisers.amounts.tokens import Tokens, at, follows, glued_after, glued_before, touches, word

_THOUSAND, _MILLION = Decimal(1000), Decimal(10**6)
_SCALES = (
    dict.fromkeys(("mil", "k", "thousand"), _THOUSAND)
    | dict.fromkeys(("luca", "lucas", "luka", "lukas", "luquita", "luquitas", "lks", "grand"), _THOUSAND)
    | dict.fromkeys(("millon", "millones", "millone", "milon", "milones", "miyon", "miyones", "mill"), _MILLION)
    | dict.fromkeys(("million", "millions", "milhao", "milhoes", "palo", "palos", "palito", "palitos"), _MILLION)
    | dict.fromkeys(("billon", "billones"), Decimal(10**12))
    | {"billion": Decimal(10**9)}
)
_COLLECTIVES = (
    dict.fromkeys(("docena", "docenas", "dosena", "dosenas", "doc", "docs", "docenita", "dozen", "dozens"), Decimal(12))
    | dict.fromkeys(("duzia", "duzias"), Decimal(12))
    | dict.fromkeys(("decena", "decenas"), Decimal(10))
    | dict.fromkeys(("centena", "centenas", "centenar", "centenares"), Decimal(100))
    | dict.fromkeys(("millar", "millares"), _THOUSAND)
    | dict.fromkeys(("veintena", "veintenas"), Decimal(20))
)
_BARE = frozenset(("mil", "millon", "docena", "dosena", "dozen"))
_HUNDREDS = frozenset(("cientos", "cientas", "ciento", "sientos", "hundred", "hundreds"))
_HALVES = frozenset(("medio", "media", "half", "meio", "meia"))
_AND = frozenset(("y", "i", "e", "and", "&"))
_FRACTIONS = {(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 8)}
_HALF, _QUARTER = Decimal("0.5"), Decimal("0.25")
THINGS_TOO = frozenset(("palo", "palos", "palito", "palitos"))  # also sticks, when "de" follows


class NumberReading(NamedTuple):
    """A number, the index of the token after it, and the last multiplier said (mil, docena, 1 without)."""

    value: Decimal
    end: int
    scale: Decimal = Decimal(1)
    confidence: int = 100


def read_number(toks: Tokens, index: int, country: str = "") -> NumberReading | None:
    """The number that starts at a token, as long as the grammar reaches."""
    part = _read_fraction_of(toks, index)
    if part:
        return part
    reading = _read_sum(toks, index, country)
    if not reading:
        return None
    reading = _with_decimals(toks, reading)
    return _with_scale(toks, _with_fraction(toks, reading), country)


def read_ratio(toks: Tokens, index: int) -> NumberReading | None:
    """1/2, 3/4: the fractions people order by."""
    if at(toks, index + 2).kind != "digits" or word(toks, index + 1) != "/" or at(toks, index).kind != "digits":
        return None
    if not (touches(toks, index + 1) and touches(toks, index + 2)) or _outside_glued(toks, index, index + 2):
        return None
    numbers = word(toks, index), word(toks, index + 2)
    if max(map(len, numbers)) > 1 or (int(numbers[0]), int(numbers[1])) not in _FRACTIONS:
        return None
    return NumberReading(ratio_of(*numbers), index + 3, confidence=90)


def is_range(toks: Tokens, index: int) -> bool:
    """Whether digits at an index and those after a hyphen are a range: 2-3, 100-200."""
    first, last = word(toks, index), word(toks, index + 2)
    if word(toks, index + 1) not in ("-", "/") or not (first.isdecimal() and last.isdecimal()):
        return False
    if word(toks, index + 1) == "/" and word(toks, index + 3) not in _SCALES:  # 100/150 mil
        return False
    if first[0] == "0" or max(len(first), len(last)) > 6 or _outside_glued(toks, index, index + 2):  # noqa: PLR2004
        return False
    return int(first) < int(last) and not len(first) == len(last) == 4  # noqa: PLR2004


def _outside_glued(toks: Tokens, first: int, last: int) -> bool:
    return glued_before(toks, first) or glued_after(toks, last)


def _read_fraction_of(toks: Tokens, index: int) -> NumberReading | None:
    """Medio millón, media docena, half a million, un cuarto de millón, tres cuartos de millón."""
    start = index + 1 if word(toks, index) in ONES and word(toks, index + 1) in ("cuarto", "medio") else index
    share, after = _HALF, start + 1
    if word(toks, start) == "cuarto":
        share = _QUARTER
    elif word(toks, start) in ("tres", "3") and word(toks, start + 1) == "cuartos":
        share, after = 3 * _QUARTER, start + 2
    elif word(toks, start) not in _HALVES:
        return None
    after += word(toks, after) in ("de", "a", "an")
    scale = _scale(toks, after, "")
    if scale is None or word(toks, after) == "k":
        return None
    return NumberReading(share * scale, after + 1, scale)


def _read_sum(toks: Tokens, index: int, country: str) -> NumberReading | None:
    """Terms of falling size: two millions, three hundred thousands, five hundred."""
    total, scale, confidence = Decimal(0), Decimal(0), 100
    while True:
        term = _dictated(toks, index, scale) or _read_term(toks, index, country, first=scale == 0)
        if not term or (scale and term.scale >= scale):
            break
        term = _thousands_unsaid(term, scale)
        total, scale, index = total + term.value, term.scale, term.end
        confidence = min(confidence, term.confidence)
        if scale < _THOUSAND or term.value != int(term.value):
            break
        index += _joins_thousands(toks, index)
    if not scale:
        return None
    return NumberReading(total, index - (word(toks, index - 1) in ("e", "and", "y")), scale, confidence)


def _dictated(toks: Tokens, index: int, scale: Decimal) -> NumberReading | None:
    """The six digits after "32 millones" in a number of a document: 456 789, 456789."""
    if scale != _MILLION:
        return None
    digits, end = word(toks, index), index + 1
    if len(digits) == len(word(toks, end)) == 3 and not touches(toks, end):  # noqa: PLR2004
        digits, end = digits + word(toks, end), end + 1
    if len(digits) != 6 or not digits.isdecimal() or _labels(toks, end - 1):  # noqa: PLR2004
        return None
    return NumberReading(Decimal(digits), end)


def _thousands_unsaid(term: NumberReading, scale: Decimal) -> NumberReading:
    """Un millón quinientos is 1.500.000 wherever prices are spoken of."""
    if scale != _MILLION or term.scale != 1 or not 100 <= term.value < 1000:  # noqa: PLR2004
        return term
    return term._replace(value=term.value * 1000, confidence=70)


def _joins_thousands(toks: Tokens, index: int) -> bool:
    """One thousand and five, mil e quinhentos; the Spanish y lists, except before thousands after millions."""
    joiner, following = word(toks, index), numeral(word(toks, index + 1))
    if joiner == "y" and word(toks, index - 1).startswith("mill"):
        return "mil" in (word(toks, index + 2), word(toks, index + 3))
    return bool(joiner in ("e", "and") and following and word(toks, index - 1) not in ("luca", "lucas"))


def _read_term(toks: Tokens, index: int, country: str, *, first: bool) -> NumberReading | None:
    group = _read_digit_token(toks, index, country) if at(toks, index).kind == "digits" else _read_group(toks, index)
    if group and not first and not _continues(toks, index, group):
        return None
    after = group.end if group else index
    scale = _scale(toks, after, country)
    if scale is None:
        return group
    if not group and (word(toks, index) not in _BARE and not _bare_slang(toks, index)):
        return None
    return _multiplied(
        toks, group or NumberReading(Decimal(1), index, confidence=_bare_confidence(toks, index)), country
    )


def _multiplied(toks: Tokens, group: NumberReading, country: str) -> NumberReading:
    """A group with its scales: "mil", "millones", or both ("tres mil millones")."""
    scale, end = _scale(toks, group.end, country) or Decimal(1), group.end + 1
    further = _scale(toks, end, country)
    if scale == _THOUSAND and further == _MILLION:
        scale, end = scale * further, end + 1
    return NumberReading(group.value * scale, end, scale, group.confidence)


def _bare_slang(toks: Tokens, index: int) -> bool:
    return (
        word(toks, index) in ("luca", "palo") and follows(toks, index + 1, ("y",)) and word(toks, index + 2) in _HALVES
    )


def _bare_confidence(toks: Tokens, index: int) -> int:
    """Asking for "la docena" asks for a price more often than it counts."""
    return 60 if word(toks, index - 1) in ("la", "el", "por", "cada", "x") and word(toks, index) != "mil" else 100


def _continues(toks: Tokens, index: int, group: NumberReading) -> bool:
    """Digits go on with a number only as "2 mil 500" and "1 millon 200 mil"; "mil 3" is two numbers."""
    if at(toks, index).kind != "digits":
        return True
    text = word(toks, index)
    return text.isdecimal() and 2 <= len(text) <= 3 and group.value >= 10 and not _labels(toks, index)  # noqa: PLR2004


def _labels(toks: Tokens, index: int) -> bool:
    return at(toks, index + 1).kind == "word" and touches(toks, index + 1)


def _scale(toks: Tokens, index: int, country: str) -> Decimal | None:
    text = word(toks, index)
    scale = _SCALES.get(text)
    if scale is None:
        return _COLLECTIVES.get(text)
    if text == "k" and not _thousand_k(toks, index):
        return None
    if text in THINGS_TOO and follows(toks, index + 1, ("de",)) and word(toks, index + 2) not in ("pesos", "dolares"):
        return None
    if country == "PE" and text.startswith(("luc", "luk", "luq")):
        return Decimal(1)
    return scale


def _thousand_k(toks: Tokens, index: int) -> bool:
    """3k and "3 k" count; in "2 k sean rojas" the k is the word "que"."""
    following = at(toks, index + 1)
    if touches(toks, index):
        return not (touches(toks, index + 1) and following.kind == "digits")
    return following.kind != "word" or following.text in ("de", "pesos", "usd", "o", "y", "a", "dolares", "por", "x")


def _read_digit_token(toks: Tokens, index: int, country: str) -> NumberReading | None:
    value = read_digits(word(toks, index), country)
    if value is None:
        return None
    reading = NumberReading(value, index + 1)
    return _spaced_thousands(toks, reading) or _mixed(toks, reading) or _digit_hundreds(toks, reading) or reading


def _digit_hundreds(toks: Tokens, reading: NumberReading) -> NumberReading | None:
    if word(toks, reading.end) not in _HUNDREDS or not 1 < reading.value < 100:  # noqa: PLR2004
        return None
    return NumberReading(reading.value * 100, reading.end + 1)


def _spaced_thousands(toks: Tokens, reading: NumberReading) -> NumberReading | None:
    """25 000 and 1 500 000; a lone group that is not round stays a number of its own."""
    head, end = word(toks, reading.end - 1), reading.end
    if not head.isdecimal() or len(head) > 3 or head[0] == "0":  # noqa: PLR2004
        return None
    groups = [head]
    while _is_group(toks, end):
        groups.extend(word(toks, end).replace(",", ".").split("."))
        end += 1
    if len(groups) < 2 or (len(groups) == 2 and groups[1] != "000"):  # noqa: PLR2004
        return None
    return NumberReading(Decimal("".join(groups)), end) if len(groups) <= 5 else None  # noqa: PLR2004


def _is_group(toks: Tokens, index: int) -> bool:
    text = word(toks, index)
    apart = at(toks, index).start == at(toks, index - 1).end + 1 and not touches(toks, index + 1)
    groups = text.replace(",", ".").split(".")
    return apart and all(len(group) == 3 and group.isdecimal() for group in groups)  # noqa: PLR2004


def _mixed(toks: Tokens, reading: NumberReading) -> NumberReading | None:
    """1 1/2, 2 ½."""
    ratio = read_ratio(toks, reading.end)
    if ratio and reading.value == int(reading.value) and not touches(toks, reading.end):
        return NumberReading(reading.value + ratio.value, ratio.end)
    text = word(toks, reading.end)
    if (
        "\u2044" in text
        and reading.value == int(reading.value)
        and not touches(toks, reading.end)
        and (value := read_vulgar(text)) is not None
        and value < 1
    ):
        return NumberReading(reading.value + value, reading.end + 1)
    return None


def _read_group(toks: Tokens, index: int) -> NumberReading | None:
    return _read_words(toks, index) or _a_hundred(toks, index)


def _read_words(toks: Tokens, index: int) -> NumberReading | None:
    """Words up to 999: trescientos, treinta y cinco, two hundred and ten."""
    total, rank, confidence, start = 0, HUNDREDS + 1, 100, index
    while (found := numeral(word(toks, index))) and found.rank < rank and not (total and not found.value):
        value, index, place = found.value, index + 1, found.rank
        if place != HUNDREDS and value and word(toks, index) in _HUNDREDS:
            value, index, place = value * 100, index + 1, HUNDREDS
        total, confidence = total + value, min(confidence, found.confidence)
        rank = UNITS if place == TEENS else place
        index += _joins(toks, index, total, rank)
        if place == TEENS and not (value == 10 and word(toks, index - 1) == "y"):  # noqa: PLR2004
            break
        rank = UNITS + 1 if place == TEENS else rank
        if place == TENS:
            rank = UNITS + 1
    return NumberReading(Decimal(total), index, confidence=confidence) if index > start else None


def _a_hundred(toks: Tokens, index: int) -> NumberReading | None:
    after = index + (word(toks, index) in ("a", "an"))
    if word(toks, after) == "hundred":
        rest = _read_words(toks, after + 2) if word(toks, after + 1) == "and" else None
        if rest and rest.value < 100:  # noqa: PLR2004
            return NumberReading(100 + rest.value, rest.end)
        return NumberReading(Decimal(100), after + 1)
    if after > index and _scale(toks, after, "") is not None and word(toks, after) not in ("k", "mil", "palo", "luca"):
        return NumberReading(Decimal(1), after)
    return None


def _joins(toks: Tokens, index: int, total: int, rank: int) -> bool:
    """Whether a joiner between tens and units stands here: treinta y cinco, diez y seis, twenty-five."""
    following, joiner = numeral(word(toks, index + 1)), word(toks, index)
    if not following or following.rank >= rank + (rank == UNITS) or not following.value:
        return False
    if rank == HUNDREDS:
        return joiner in ("e", "and")
    if total % 100 == 10:  # noqa: PLR2004
        return joiner == "y" and following.value > 5 and word(toks, index - 2) != "entre"  # noqa: PLR2004
    return following.rank == UNITS and rank == TENS and joiner in ("y", "i", "e", "-")


def _with_decimals(toks: Tokens, reading: NumberReading) -> NumberReading:
    """Tres coma cinco, dos punto setenta y cinco."""
    mark = word(toks, reading.end)
    if (
        mark not in ("coma", "punto", "point", "con")
        or reading.scale != 1
        or at(toks, reading.end - 1).kind == "digits"
    ):
        return reading
    rest = _read_words(toks, reading.end + 1)
    if not rest or (mark == "con" and (not 10 <= rest.value < 100 or reading.value < 1)):  # noqa: PLR2004
        return reading
    return NumberReading(reading.value + Decimal(f"0.{int(rest.value)}"), rest.end)


def _with_fraction(toks: Tokens, reading: NumberReading) -> NumberReading:
    """Dos y medio, un millón y medio, docena y media, two and a half, 2 y 1/2."""
    if word(toks, reading.end) not in _AND or reading.value != int(reading.value):
        return reading
    share, end = _share(toks, reading.end + 1)
    return (
        NumberReading(reading.value + share * reading.scale, end, reading.scale, reading.confidence)
        if share
        else reading
    )


def _share(toks: Tokens, index: int) -> tuple[Decimal, int]:
    if word(toks, index) in ("un", "a", "una"):
        index += 1
    text = word(toks, index)
    if text in _HALVES and word(toks, index + 1) not in ("docena", "kilo", "litro", "hora", "pizza", "millon"):
        return _HALF, index + 1
    if text in ("cuarto", "quarter"):
        return _QUARTER, index + 1
    if text in ("tres", "3") and word(toks, index + 1) == "cuartos":
        return 3 * _QUARTER, index + 2
    ratio = read_ratio(toks, index)
    return (ratio.value, ratio.end) if ratio else (Decimal(0), index)


def _with_scale(toks: Tokens, reading: NumberReading, country: str) -> NumberReading:
    """Two and a half million, dos y medio millones, tres coma cinco millones."""
    scale = _scale(toks, reading.end, country)
    if scale is None or reading.scale != 1 or word(toks, reading.end) == "k":
        return reading
    return NumberReading(reading.value * scale, reading.end + 1, scale, reading.confidence)
