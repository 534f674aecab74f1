"""Digits as people dictate them: "tres cero cero, uno veintitrés, doble cuatro, triple cinco"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hilo.recognisers.amounts.lexicon import HUNDREDS, ONES, TENS, Numeral, number_words, numeral
from hilo.recognisers.phrases import word_set

FEWEST_WORDS = 2  # that are spelled rightly, where no digits are written beside them
MOST_READINGS, MOST_DIGITS = 64, 16
LONGEST_GROUP = 4  # of written digits beside words; more are a number of their own
EXACT, TWENTY = 100, 20

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_BETWEEN = frozenset(",.-–()/")
_APART = str.maketrans(dict.fromkeys(_BETWEEN, " "))
_TIMES = {"doble": 2, "dobles": 2, "double": 2, "triple": 3, "triples": 3}
_PLUS = frozenset(("mas", "plus", "+"))
_WHOLE = frozenset(("veinte", "cien"))  # what follows is apart: else they would say veintiuno, ciento uno
_OH = frozenset(("oh", "o"))
_ENGLISH = word_set("zero one two three four five six seven eight nine oh o double triple")
# beside these a number is counted, not dictated
_COUNTING = word_set("""
    mil miles millon millones cientos cientas thousand thousands million millions hundred un una unos unas docena
    docenas pesos dolares euros soles lucas porciento kilos gramos litros metros anos dias meses semanas horas minutos
    personas ceros cincos sietes
""")


@dataclass(frozen=True, slots=True)
class Dictated:
    """A run of dictated digits: all that it may mean, and what it means if words that can go together do."""

    plainest: str
    readings: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DictatedToken:
    """A word or a number of a message, with what it counts."""

    text: str
    start: int
    end: int
    apart: bool = True  # a sign stands before it
    number: Numeral | None = None


def dictated(folded: str) -> Iterator[Dictated]:
    """The runs of digits of which some are words."""
    tokens = dictated_tokens(folded) if may_be_dictated(folded) else []
    first = 0
    while first < len(tokens):
        last = _run_end(tokens, first)
        if last > first and (run := _read(tokens, first, last)):
            yield run
        first = max(last, first + 1)


def may_be_dictated(folded: str) -> bool:
    """Whether there are number words enough for a phone; most messages cost no more than this look."""
    words = sum(map(number_words().__contains__, folded.translate(_APART).split()))
    return words >= FEWEST_WORDS or (words > 0 and sum(map(str.isdecimal, folded)) >= LONGEST_GROUP)


def dictated_tokens(folded: str) -> list[DictatedToken]:
    """The words and numbers; signs only set them apart."""
    tokens: list[DictatedToken] = []
    apart = True
    for match in _TOKEN.finditer(folded):
        text = match.group()
        if text in _BETWEEN:
            apart = True
            continue
        tokens.append(DictatedToken(text, match.start(), match.end(), apart, _numeral(text)))
        apart = False
    return tokens


def _numeral(word: str) -> Numeral | None:
    found = numeral(word) if word.isalpha() and word not in ONES - {"uno", "one"} else None
    return found if found and found.confidence == EXACT else None


def _run_end(tokens: Sequence[DictatedToken], first: int) -> int:
    """The index after the digits that begin here."""
    place = first
    while place < len(tokens) and (size := size_of_digits(tokens, place, inside=place > first)):
        place += size
    return place


def size_of_digits(tokens: Sequence[DictatedToken], place: int, *, inside: bool) -> int:
    """How many tokens go on with the digits here: a number, "y cinco", "doble cero", an English "oh"."""
    token, following = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else None
    if token.number or token.text.isdecimal():
        return 1
    if following is None:
        return 0
    if token.text in _TIMES:
        return 2 if _digit(following) else 0
    if token.text == "y" and inside and following.number:
        return 2 if _joins(tokens[place - 1], following) and not following.apart else 0
    around = {tokens[place - 1].text, following.text} if inside else set()
    return 1 if token.text in _OH and around and around <= _ENGLISH else 0


def _joins(tens: DictatedToken, unit: DictatedToken) -> bool:
    return bool(tens.number and tens.number.rank == TENS and unit.number and 0 < unit.number.value < 10)  # noqa: PLR2004


def _digit(token: DictatedToken) -> str:
    """The one digit that a token is."""
    value = token.text if token.text.isdecimal() else str(token.number.value) if token.number else ""
    return value if len(value) == 1 else ""


def _read(tokens: Sequence[DictatedToken], first: int, last: int) -> Dictated | None:
    before, after = (tokens[place].text if 0 <= place < len(tokens) else "" for place in (first - 1, last))
    run = tokens[first:last]
    words = any(token.number for token in run)
    long = any(token.text.isdecimal() and len(token.text) > LONGEST_GROUP for token in run)
    if not words or long or {before, after} & _COUNTING or _counts_up(run) or _is_slurred(run) or _lists_hundreds(run):
        return None
    plus = "+" if before in _PLUS else ""
    readings = _readings(run)
    if not readings:
        return None
    return Dictated(plus + readings[0], tuple(plus + each for each in readings), run[0].start, run[-1].end)


def _counts_up(run: Sequence[DictatedToken]) -> bool:
    """One, two, three, four … is no number."""
    values = [token.number.value if token.number else -1 for token in run]
    return len(values) > LONGEST_GROUP and all(b - a == 1 for a, b in pairwise(values))


def _lists_hundreds(run: Sequence[DictatedToken]) -> bool:
    """Prices rather than digits: "trescientos, doscientos, quince"."""
    whole = [a.number and a.number.rank == HUNDREDS and not _goes_on(b) for a, b in pairwise((*run, None)) if a]
    return sum(map(bool, whole)) > 1


def _goes_on(token: DictatedToken | None) -> bool:
    return bool(token and not token.apart and token.number and token.number.rank < HUNDREDS and token.number.value)


def _is_slurred(run: Sequence[DictatedToken]) -> bool:
    """Whether "cuarenta cinco" may be 45 or 40 and 5; "veinte cinco" is never 25, and "forty five" always 45."""
    pairs = [(a.number, b.number) for a, b in pairwise(run) if not b.apart and not a.text.endswith("ty")]
    return any(a and b and a.rank == TENS and a.value > TWENTY and 0 < b.value < 10 for a, b in pairs)  # noqa: PLR2004


def _readings(run: Sequence[DictatedToken]) -> tuple[str, ...]:
    """All digits that a run may mean, first those of the longest parts; none where there are too many."""
    found: list[tuple[str, int]] = [("", 0)]
    complete: list[str] = []
    while found:
        digits, place = found.pop(0)
        if place == len(run):
            complete.append(digits)
            continue
        nexts = [(digits + part, end) for part, end in digit_parts(run, place) if len(digits + part) <= MOST_DIGITS]
        found = [*nexts, *found]
        if len(found) + len(complete) > MOST_READINGS:
            return ()
    return tuple(dict.fromkeys(complete))


def digit_parts(run: Sequence[DictatedToken], place: int) -> Iterator[tuple[str, int]]:
    """The digits that begin here and where they end, the longest first: "trescientos uno" is 301, or 300 and 1."""
    token = run[place]
    if token.text in _TIMES:
        yield _digit(run[place + 1]) * _TIMES[token.text], place + 2
    elif token.text in _OH:
        yield "0", place + 1
    elif token.number is None:
        yield token.text, place + 1
    else:
        yield from _sums(run, place, token.number)


def _sums(run: Sequence[DictatedToken], place: int, number: Numeral) -> Iterator[tuple[str, int]]:
    here, total = place + 1, number.value
    ends = [(str(total), here)]
    rank = number.rank
    while here < len(run) and rank in {HUNDREDS, TENS}:
        joined = run[here].text == "y"
        if run[here - 1].text in _WHOLE and not joined:
            break
        part = run[here + 1] if joined else run[here]
        added = part.number
        if added is None or added.rank >= rank or not added.value or part.apart or (rank == TENS and added.value > 9):  # noqa: PLR2004
            break
        total, rank, here = total + added.value, added.rank, here + 1 + joined
        ends = [(str(total), here)] if joined else [*ends, (str(total), here)]
    yield from reversed(ends)
