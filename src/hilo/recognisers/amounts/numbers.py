"""Find the numbers of a message, in digits or words, and tell them from articles, codes and idioms."""

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from hilo.recognisers.amounts.lexicon import ONES, numeral, one_of
from hilo.recognisers.amounts.numerals import NumberReading, is_range, read_number, read_ratio
from hilo.recognisers.amounts.tokens import Tokens, at, follows, glued_after, glued_before, tokens, touches, word
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text

ARTICLE = 40  # "un" and "una" are articles far more often than numbers
_SURE_ONE, _ORDINAL, _LOOSE = 90, 60, 50

_ORDINALS = (
    dict.fromkeys(("primero", "primera", "primer", "first"), 1)
    | dict.fromkeys(("segundo", "segunda", "second"), 2)
    | dict.fromkeys(("tercero", "tercera", "tercer", "third"), 3)
    | dict.fromkeys(("cuarto", "cuarta", "fourth"), 4)
    | dict.fromkeys(("quinto", "quinta", "fifth"), 5)
    | dict.fromkeys(("sexto", "sexta"), 6)
    | dict.fromkeys(("septimo", "septima"), 7)
    | dict.fromkeys(("octavo", "octava"), 8)
    | dict.fromkeys(("noveno", "novena"), 9)
    | dict.fromkeys(("decimo", "decima"), 10)
)
_ORDINAL_FILLERS = one_of(
    "el la lo los las opcion opción numero nro the quiero prefiero esa ese si dale va con me quedo elijo "
    "option one por favor"
)
_ORDINAL_ENDINGS = one_of("ro ra do da to ta mo ma vo va no na er ero era st nd rd th o a")
_UNIT_ENDINGS = one_of(
    "k mil l lt lts ml cc cl kg kgs g gr grs mg lb lbs oz m cm mm km mt mts u un ud uds und unds x pax h hs "
    "hr hrs min am pm usd ars mxn cop clp pen eur dls pz pza pzas doc c"
)
_IDIOM_NOUNS = one_of(
    "pregunta preguntita consulta consultita duda momento momentito segundo seg segundito minuto minutito "
    "favor favorcito vez poco poquito rato ratito saludo abrazo gusto placer monton problema cosa cosita "
    "ayuda manita beso genio genia crack capo amigo amiga desastre lujo asco verguenza pena lastima bendicion "
    "maravilla espectaculo exito idea chance poquitin tiempo toque cacho ejemplo error dia par otro otra "
    "tanto que se lado"
)
_NOT_ONE_BEFORE = one_of("cada ninguno alguno this that which the each no every any another someone al ni la el")
_NOT_ONE_AFTER = one_of("mismo misma of que se nunca siempre no piensa tiene puede paga otro otra por")
_ONLY = one_of("mas more solo sola solamente unicamente nomas only nada just")
_THANKS = one_of(
    "gracias disculpas perdones perdon veces bendiciones besos amores saludos felicidades felicitaciones "
    "exitos abrazos maravillas"
)
_ONCE_AFTER = one_of("you i we the it they he she again more a in upon my your")
_ENGLISH = one_of("the my i was is you it got")
_TEN_AFTER = one_of("en cuidado por paciencia un una la el calma fe presente piedad")
_MINUS_BEFORE = one_of("a es son hace en con saldo esta estan estamos grados temperatura de da")
_OPENERS = one_of(
    "a an mil millon luca palo docena dosena dozen hundred medio media mitad half meio meia cuarto cuartos tercio "
    "tercios par couple pair parcito parsito"
)
_RANGE = frozenset(("o", "u", "a", "al", "or", "to", "hasta", "-", "/"))
_HALF_UNITS = one_of(
    "kilo kilos kg kgs kilito litro litros lt lts l hora horas hs metro metros mts libra libras porcion taza tazas "
    "gramo galon pizza pizzas unidad caja cajas botella barra bolsa bolsas dia dias semana mes ano"
)


_SHARES = {"medio": Decimal("0.5"), "media": Decimal("0.5"), "cuarto": Decimal("0.25")}


_FARTHEST_IN_LIST = 6


class Number(NamedTuple):
    """A number of a message with the tokens it spans; money and quantities build on it."""

    value: Decimal
    first: int
    last: int
    scale: Decimal
    confidence: int


def find_numbers(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """Every number of a message; the country tells 1.500 (a thousand and more) from 1.500 (MX, US: one and a half)."""
    toks = tokens(text.folded)
    return tuple(_found(toks, number) for number in numbers_of(toks, country=country))


@lru_cache(maxsize=16)
def numbers_of(toks: Tokens, *, country: str = "") -> tuple[Number, ...]:
    """The numbers with their token spans; money and quantities ask for those of the same message."""
    numbers: list[Number] = []
    index = 0
    while index < len(toks):
        number = _number_at(toks, index, country)
        if number and number.confidence:
            numbers.append(number)
        index = percent_after(toks, number.last + 1) if number else _past_phone(toks, index)
    return tuple(_listed_ones(toks, _shared_scales(toks, numbers))) if numbers else ()


def plain(value: Decimal) -> int | Decimal:
    """An int when integral."""
    return int(value) if value == value.to_integral_value() else value.normalize()


def _found(toks: Tokens, number: Number) -> Found:
    after = percent_after(toks, number.last + 1)
    unit = "%" if after > number.last + 1 else ""
    share = _share_after_unit(toks, number.last + 1) if number.value == int(number.value) else Decimal(0)
    after += 3 if share else 0
    span = toks[number.first].start, toks[after - 1].end
    return Found("number", plain(number.value + share), *span, max(number.confidence, 80 if share else 0), unit)


def _share_after_unit(toks: Tokens, index: int) -> Decimal:
    """The half of "dos kilos y medio", "3 horas y media"."""
    measured = word(toks, index) in _HALF_UNITS and word(toks, index + 1) == "y"
    counted = word(toks, index + 3) in _HALF_UNITS or word(toks, index + 3) in ("docena", "de")
    if not measured or (counted and not follows(toks, index + 3, ("de",))):
        return Decimal(0)
    return _SHARES.get(word(toks, index + 2), Decimal(0))


def percent_after(toks: Tokens, index: int) -> int:
    """The index after a per cent sign or words, or the same index."""
    if word(toks, index) in ("%", "porciento", "percent", "pct"):
        return index + 1
    return index + 2 if word(toks, index) == "por" and word(toks, index + 1) in ("ciento", "cien") else index


def _number_at(toks: Tokens, index: int, country: str) -> Number | None:
    """A number at a token; one of confidence 0 marks tokens that only look like a number."""
    token = toks[index]
    if token.kind == "digits":
        return _digits_at(toks, index, country)
    if token.kind == "mark":
        return _negative(toks, index, country)
    if token.text in ("menos", "minus"):
        return _negative(toks, index, country)
    if not _opens_number(token.text):
        return None
    reading = read_number(toks, index, country)
    return _judged(toks, index, reading) if reading else _other_words(toks, index)


@lru_cache(maxsize=4096)
def _opens_number(text: str) -> bool:
    """Whether a word can be the first of a number at all: most are not."""
    return numeral(text) is not None or text in _OPENERS or text in _ORDINALS or text in _HALF_UNITS


def _read(toks: Tokens, index: int, country: str) -> NumberReading | None:
    ratio = read_ratio(toks, index)
    return ratio if ratio and word(toks, index - 1) != "el" else read_number(toks, index, country)


def _digits_at(toks: Tokens, index: int, country: str) -> Number | None:
    ratio = _read(toks, index, country) if word(toks, index + 1) == "/" else None
    if ratio and ratio.end == index + 3 and not glued_before(toks, index):
        return Number(ratio.value, index, index + 2, Decimal(1), ratio.confidence)
    confidence = _standing(toks, index)
    reading = _read(toks, index, country) if confidence else None
    if not reading:
        return None
    value = reading.value
    if touches(toks, index) and word(toks, index - 1) == "." and not touches(toks, index - 1) and value < 10:  # noqa: PLR2004
        value = value / 10 if value else value
    return Number(value, index, reading.end - 1, reading.scale, min(confidence, reading.confidence))


def _standing(toks: Tokens, index: int) -> int:
    """How surely digits are a number of their own and not part of a code, date, hour or phone."""
    if is_range(toks, index) or (index > 1 and is_range(toks, index - 2)):
        return 100
    if glued_before(toks, index) or glued_after(toks, index):
        return 0
    if not touches(toks, index + 1) or toks[index + 1].kind != "word":
        return 100
    ending, coded = toks[index + 1].text, touches(toks, index + 2) and toks[index + 2].kind == "digits"
    if coded:
        return 0
    if ending in _ORDINAL_ENDINGS:
        return _ORDINAL
    return 100 if ending in _UNIT_ENDINGS else 80 if len(ending) > 3 else 0  # noqa: PLR2004


def _past_phone(toks: Tokens, index: int) -> int:
    """Skip an international phone number, however it is spaced; otherwise one token."""
    following = at(toks, index + 1)
    if (
        toks[index].text != "+"
        or following.kind != "digits"
        or len(following.text) == 1
        or not touches(toks, index + 1)
    ):
        return index + 1
    index += 2
    while index < len(toks) and (toks[index].kind == "digits" or toks[index].text in "-()"):
        index += 1
    return index


def _negative(toks: Tokens, index: int, country: str) -> Number | None:
    """-3 and "menos tres"; a hyphen before things to order is a bullet, and "por lo menos 3" is three."""
    if toks[index].text in ("-", "−", "–"):
        following = at(toks, index + 2)
        bullet = following.kind == "word" and following.text not in ("grados", "puntos", "y", "o", "pesos", "dolares")
        if at(toks, index + 1).kind != "digits" or touches(toks, index) or not touches(toks, index + 1) or bullet:
            return None
    elif toks[index].text not in ("menos", "minus") or not (index == 0 or word(toks, index - 1) in _MINUS_BEFORE):
        return None
    if at(toks, index + 1).kind == "digits" and not _standing(toks, index + 1):
        return None
    reading = read_number(toks, index + 1, country)
    if not reading or word(toks, index + 1) in ONES or word(toks, index + 1) == "cuarto":
        return None
    return Number(-reading.value, index, reading.end - 1, reading.scale, min(90, reading.confidence))


def _judged(toks: Tokens, index: int, reading: NumberReading) -> Number:
    """How surely words that read as a number are meant as one."""
    first, confidence = word(toks, index), reading.confidence
    following = word(toks, reading.end)
    if reading.end == index + 1:
        confidence = _one(toks, index) if first in ONES else 0 if _idiom(toks, index, following) else confidence
    elif (following == "de" and word(toks, reading.end + 1) in _THANKS) or word(toks, index - 1) == "thanks":
        confidence = 0
    return Number(reading.value, index, reading.end - 1, reading.scale, confidence)


def _idiom(toks: Tokens, index: int, following: str) -> bool:
    """Mil gracias, at once, ten cuidado."""
    before = word(toks, index - 1)
    match word(toks, index):
        case "mil":
            return following in _THANKS or (before == "a" and word(toks, index - 2) != "de")
        case "once":
            english = any(token.text in _ENGLISH for token in toks)
            return english or following in _ONCE_AFTER or before in ("at", "la", "tomar")
        case "ten":
            return following in _TEN_AFTER
    return False


def _one(toks: Tokens, index: int) -> int:
    before, following = word(toks, index - 1), word(toks, index + 1)
    if following in ONES or at(toks, index + 1).kind == "digits" or before == "cada":
        return 0
    if following in _ONLY or before in ("solo", "solamente", "only", "just") or len(toks) == 1:
        return _SURE_ONE
    if percent_after(toks, index + 1) > index + 1 and before not in ("dos", "2"):
        return _SURE_ONE
    if following in _IDIOM_NOUNS or _pronoun(toks, index):
        return 0
    return 60 if word(toks, index) in ("uno", "one") or index + 1 == len(toks) else ARTICLE


def _pronoun(toks: Tokens, index: int) -> bool:
    if word(toks, index) not in ("uno", "one", "una"):
        return False
    choice = word(toks, index - 1) in ("el", "la", "al", "the") and index + 1 == len(toks)
    if choice:
        return word(toks, index) == "one"
    return word(toks, index - 1) in _NOT_ONE_BEFORE or word(toks, index + 1) in _NOT_ONE_AFTER


def _other_words(toks: Tokens, index: int) -> Number | None:
    """A pair, halves of something measured, ordinals as a choice."""
    text = word(toks, index)
    if text in ("par", "couple", "pair", "parcito", "parsito"):
        return _pair(toks, index)
    if text in _HALF_UNITS:
        return _one_and_a_half(toks, index)
    if text in ("medio", "media", "mitad", "half"):
        return _half(toks, index)
    if text in ("cuarto", "cuartos", "tercio", "tercios"):
        return _part(toks, index)
    return _ordinal(toks, index)


def _one_and_a_half(toks: Tokens, index: int) -> Number | None:
    """Kilo y medio, hora y media: the one goes without saying."""
    share, before = _share_after_unit(toks, index), at(toks, index - 1)
    if not share or before.kind == "digits" or numeral(before.text):
        return None
    return Number(1 + share, index, index + 2, Decimal(1), 80)


def _pair(toks: Tokens, index: int) -> Number | None:
    if word(toks, index - 1) not in ("un", "a", "el", "una") and not follows(toks, index + 1, ("de",)):
        return None
    first = index - (word(toks, index - 1) in ("un", "a"))
    return Number(Decimal(2), first, index, Decimal(1), _SURE_ONE if first < index else _LOOSE)


def _half(toks: Tokens, index: int) -> Number | None:
    """Reads "medio kilo" as a half; "medio caro" is none."""
    if word(toks, index + 1) == "dia":
        return None
    alone = len(toks) == 1 or (len(toks) == 2 and index == 1)  # noqa: PLR2004
    if not alone and word(toks, index + 1) not in _HALF_UNITS:
        return None
    return Number(Decimal("0.5"), index, index, Decimal(1), 60)


def _part(toks: Tokens, index: int) -> Number | None:
    """Un cuarto de kilo, tres cuartos de litro, dos tercios."""
    if (
        not (follows(toks, index + 1, ("de",)) and word(toks, index + 2) in _HALF_UNITS)
        and word(toks, index) != "tercios"
    ):
        return None
    third = word(toks, index).startswith("tercio")
    many = {"tres": 3, "3": 3, "dos": 2, "2": 2}.get(word(toks, index - 1), 1)
    value = round(Decimal(many) / 3, 4) if third else many * Decimal("0.25")
    return Number(value, index - (word(toks, index - 1) in (*ONES, "tres", "3", "dos", "2")), index, Decimal(1), 70)


def _ordinal(toks: Tokens, index: int) -> Number | None:
    """A choice, when "la segunda" is the whole answer; inside a sentence it is none."""
    value = _ORDINALS.get(word(toks, index))
    if not value or len(toks) > 6 or (len(toks) == 1 and value in (1, 2, 4)):  # noqa: PLR2004
        return None
    others = [token.text for token in toks[:index] + toks[index + 1 :] if token.kind == "word"]
    if any(other not in _ORDINAL_FILLERS for other in others):
        return None
    return Number(Decimal(value), index, index, Decimal(1), _LOOSE)


def _shared_scales(toks: Tokens, numbers: list[Number]) -> list[Number]:
    """In "entre 2 y 3 millones" both are millions; "tres cuartos" is no three."""
    kept: list[Number] = []
    for position, number in enumerate(numbers):
        following = numbers[position + 1] if position + 1 < len(numbers) else None
        if following and following.first <= number.last:
            continue
        kept.append(_borrowed(toks, number, following))
    return kept


def _borrowed(toks: Tokens, number: Number, following: Number | None) -> Number:
    if not following or number.scale != 1 or following.scale == 1 or following.first != number.last + 2:
        return number
    joiner = word(toks, number.last + 1)
    ranged = joiner in _RANGE or (joiner == "y" and word(toks, number.first - 1) == "entre")
    if not ranged or number.value * following.scale > following.value or word(toks, number.first) in ONES:
        return number
    return number._replace(value=number.value * following.scale, scale=following.scale)


def _listed_ones(toks: Tokens, numbers: list[Number]) -> list[Number]:
    """Dos cocas y una fanta: after another count "una" counts too."""
    listed: list[Number] = []
    for number in numbers:
        before = listed[-1] if listed else None
        counts = number.confidence == ARTICLE and before is not None and before.confidence > ARTICLE
        listed.append(
            number._replace(confidence=70) if counts and before and _goes_on(toks, before, number) else number
        )
    return listed


def _goes_on(toks: Tokens, before: Number, number: Number) -> bool:
    """Whether a list goes on from one number to the next: words, and a joiner right before."""
    between = toks[before.last + 1 : number.first]
    joined = 2 <= len(between) <= _FARTHEST_IN_LIST and between[-1].text in ("y", ",", "e", "i", "mas", "+", "and")  # noqa: PLR2004
    return joined and between[0].kind == "word" and at(toks, number.last + 1).kind == "word"
