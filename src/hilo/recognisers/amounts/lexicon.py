"""The number words of Spanish (with chat spelling), English and Portuguese."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple


def one_of(names: str) -> frozenset[str]:
    """The words of a line as a set."""
    return frozenset(names.split())


HUNDREDS, TENS, TEENS, UNITS = 4, 3, 2, 1


class Numeral(NamedTuple):
    """What a word counts, its place in a number, and whether it was spelled rightly (100) or nearly."""

    value: int
    rank: int
    confidence: int = 100


_SPANISH = {
    UNITS: "cero uno dos tres cuatro cinco seis siete ocho nueve",
    TEENS: "diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
    TENS: "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    HUNDREDS: "cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
}
_MORE_SPANISH = {
    "un": (1, UNITS),
    "una": (1, UNITS),
    "ciento": (100, HUNDREDS),
    "dociento": (200, HUNDREDS),
    "treciento": (300, HUNDREDS),
    "quiniento": (500, HUNDREDS),
    "seicientos": (600, HUNDREDS),
    "sietecientos": (700, HUNDREDS),
    "nuevecientos": (900, HUNDREDS),
    "trenta": (30, TENS),
    "cuareta": (40, TENS),
    "cincunta": (50, TENS),
    "ochnta": (80, TENS),
    "quatro": (4, UNITS),
    "cuatr": (4, UNITS),
    "sinc": (5, UNITS),
    "viente": (20, TENS),
    "vinte": (20, TENS),
    "veinti": (20, TENS),
}
_OTHERS = {  # English and Portuguese: spelled exactly, for their words resemble too many Spanish ones
    UNITS: (
        "zero one two three four five six seven eight nine",
        "zero um dois tres quatro cinco seis sete oito nove",
        "zero uma duas tres quatro cinco seis sete oito nove",
    ),
    TEENS: (
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        "dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove",
    ),
    TENS: (
        "twenty thirty forty fifty sixty seventy eighty ninety",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    ),
    HUNDREDS: (
        "cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
        "cento duzentas trezentas quatrocentas quinhentas seiscentas setecentas oitocentas novecentas",
    ),
}
_FIRST = {UNITS: (0, 1), TEENS: (10, 1), TENS: (20, 10), HUNDREDS: (100, 100)}
# Words of another meaning that sound like a number.
_NOT_NUMBERS = one_of("siento sientos sienta novena novenas veintena zeta des sem beses veses")
ONES = frozenset(("un", "una", "uno", "um", "uma", "one"))
_NEARLY_FROM = 7


@lru_cache(maxsize=4096)
def numeral(word: str) -> Numeral | None:
    """The number word behind a spelling: sinko, kinientos, treintaicinco, cincueta."""
    exact = _exact().get(word)
    if exact or word in _NOT_NUMBERS or len(word) < 3:  # noqa: PLR2004
        return exact
    heard = sound(word)
    return _sounds().get(heard) or (_nearly(heard) if len(heard) >= _NEARLY_FROM else None)


@lru_cache(maxsize=1)
def number_words() -> frozenset[str]:
    """All that are spelled rightly, but for the articles."""
    return frozenset(_exact()) - ONES | {"uno", "one"}


def _nearly(heard: str) -> Numeral | None:
    found = {_misspelt()[form] for form in _one_letter_off(heard) if form in _misspelt()}
    close = {_sounds()[word] for word in found if word[0] == heard[0] and abs(len(word) - len(heard)) <= 1}
    return close.pop()._replace(confidence=80) if len(close) == 1 else None


@lru_cache(maxsize=1)
def _exact() -> dict[str, Numeral]:
    entries = {word: Numeral(value, rank) for word, value, rank in _series(_OTHERS)}
    return entries | {word: Numeral(value, rank) for word, value, rank in _spanish()}


@lru_cache(maxsize=1)
def _sounds() -> dict[str, Numeral]:
    return {sound(word): Numeral(value, rank) for word, value, rank in _spanish()}


@lru_cache(maxsize=1)
def _misspelt() -> dict[str, str]:
    long_words = [word for word in _sounds() if len(word) >= _NEARLY_FROM]
    return {form: word for word in long_words for form in _one_letter_off(word)}


def _spanish() -> Iterator[tuple[str, int, int]]:
    yield from _series({rank: (line,) for rank, line in _SPANISH.items()})
    yield from ((word, value, rank) for word, (value, rank) in _MORE_SPANISH.items())
    for hundreds, word in enumerate(_SPANISH[HUNDREDS].split()[1:], start=2):
        yield word[:-2] + "as", hundreds * 100, HUNDREDS
    yield from _joined()


def _joined() -> Iterator[tuple[str, int, int]]:
    """Tens and units in one word: veintitres, treintaicinco, treinticinco, cuarentaydos."""
    digits = [*enumerate(_SPANISH[UNITS].split()[1:], start=1), (1, "un"), (1, "una")]
    for tens, name in enumerate(_SPANISH[TENS].split(), start=2):
        stems = (name[:-1] + "i", name + "i", name + "y", "venti" if name == "veinte" else name[:-1] + "ay")
        for value, digit in digits:
            yield from ((stem + digit, tens * 10 + value, TEENS) for stem in stems)


def _series(lines: Mapping[int, tuple[str, ...]]) -> Iterator[tuple[str, int, int]]:
    for rank, several in lines.items():
        first, step = _FIRST[rank]
        for line in several:
            yield from ((word, first + step * index, rank) for index, word in enumerate(line.split()))


def sound(word: str) -> str:
    """Spellings that sound alike in Latin America become one: c/s/z, b/v, k/qu, mute h."""
    if "ch" in word:
        word = word.replace("ch", "x")
    for spelling, heard in (("ce", "se"), ("ci", "si"), ("qua", "kua"), ("qu", "k"), ("sh", "x")):
        word = word.replace(spelling, heard)
    return word.translate(_SOUNDS)


_SOUNDS = str.maketrans({"z": "s", "v": "b", "c": "k", "q": "k", "h": None, "y": "i"})


def _one_letter_off(word: str) -> set[str]:
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}
