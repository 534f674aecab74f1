"""Days of the month: 5/5, 05-05-2027, 5 de mayo, mayo 5, el 15 del mes que viene."""

import re
from datetime import date
from typing import NamedTuple

from hilo.recognisers.amounts.lexicon import ONES, TEENS, numeral, one_of
from hilo.recognisers.amounts.numerals import is_range, read_number
from hilo.recognisers.amounts.tokens import Tokens, at, follows, glued_before, touches, word
from hilo.recognisers.calendar.periods import PAST, period
from hilo.recognisers.calendar.words import (
    day_of,
    full_year,
    month_end,
    month_of,
    monthly,
    plus_months,
    weekday_of,
    yearly,
)

_NUMERIC = re.compile(
    r"(\d{1,4})(?: ?(/) ?|([.-])| (-) )(\d{1,2})(?:(?: ?/ ?|[.-]| - )(\d{4}|\d{1,2}))?(?!\d|[a-su-z_]|[/-]\d|\.\d)"
)
_CUES = one_of("el dia fecha para del desde hasta al nacimiento naci fec fn on the")
_FRACTIONS = frozenset(("1/2", "1/3", "2/3", "1/4", "3/4", "1/8", "24/7", "50/50"))
_ENDINGS = one_of("ro er ero o th st nd rd")
_NOT_A_DAY = one_of(
    "% por x en / : $ estrellas cuotas pulgadas puertas litros litro kg kilos l ml unidades personas horas hs "
    "hrs cajas mil k millones pesos dolares euros soles opcion y porciento percent am pm grados veces meses "
    "dias anos cm m"
)
_DAY_AFTER = one_of(
    "a al de del o me nos te si no que puede puedo podria llega viajo salgo es cumplo por favor y pasado at is"
    " para pa con solo ida somos pero"
)
_STREETS = one_of("calle av avda avenida plaza esquina esq pasaje barrio colonia bulevar blvd autopista cll c/ entre")
_CHOICES = one_of("quiero dame prefiero elijo quisiera deme opcion llevo mejor want")
_MOVES = re.compile(r"(?:pas|mov|muev|cambi|corr|adelant|atras|posterg|pospon|aplaz|traslad|reprogram|reagend)\w+")
_MOVE_REACH = 5  # words between such a verb and the day
_MONTH_DAYS = 31


class Today(NamedTuple):
    """What a date is relative to, and the text it stands in; `past` when the verb beside it is."""

    day: date
    month_first: bool
    folded: str
    past: bool = False
    country: str = ""


class Dated(NamedTuple):
    """A date and the token after it; without a day, something that only looks like a date.

    With `until` it is the first day of a period, of which no day was said.
    """

    day: date | None
    end: int
    confidence: int
    until: date | None = None


def spaced_date(toks: Tokens, index: int, today: Today) -> Dated | None:
    """26 11 2026."""
    parts = [word(toks, index + offset) for offset in range(3)]
    if not all(part.isdecimal() for part in parts) or [len(part) > 2 for part in parts] != [False, False, True]:  # noqa: PLR2004
        return None
    if len(parts[2]) != 4 or not 1900 <= int(parts[2]) <= 2100 or glued_before(toks, index):  # noqa: PLR2004
        return None
    return _ordered((int(parts[0]), int(parts[1])), index + 3, today, year=int(parts[2]))._replace(confidence=70)


def numeric_date(toks: Tokens, index: int, today: Today) -> Dated | None:
    """5/5, 05-05-2027, 2027-05-05, 12.03.1985."""
    if at(toks, index).kind != "digits" or glued_before(toks, index):
        return None
    match = _NUMERIC.match(today.folded, toks[index].start)
    if not match:
        return None
    end = index
    while end < len(toks) and toks[end].start < match.end():
        end += 1
    first, second, third = match.group(1), match.group(5), match.group(6)
    if third is not None:
        return _three_parts((first, second, third), end, today)
    mark = match.group(2) or match.group(3) or match.group(4)
    return _two_parts(toks, (index, end), (first, mark, second), today)


def _three_parts(parts: tuple[str, str, str], end: int, today: Today) -> Dated | None:
    first, second, third = parts
    if len(first) == 4:  # noqa: PLR2004
        return Dated(day_of(int(first), int(second), int(third)), end, 100)
    if len(first) > 2 or len(third) == 1:  # noqa: PLR2004
        return None
    return _ordered((int(first), int(second)), end, today, year=full_year(int(third), today.day))


def _two_parts(toks: Tokens, place: tuple[int, int], parts: tuple[str, str, str], today: Today) -> Dated | None:
    """5/5 is a date; 2-3 and 5.5 only after "el" or "día"; 1/2 is a half."""
    index, end = place
    first, mark, second = parts
    cue = word(toks, index - 1) in _CUES
    if len(first) > 2 or (mark == "." and (not cue or len(second) > 2)):  # noqa: PLR2004
        return None
    if mark == "-" and not cue and not len(first) == len(second) == 2:  # noqa: PLR2004
        return None
    if f"{int(first)}/{int(second)}" in _FRACTIONS and (not cue or first + second == "247") and len(first + second) < 4:  # noqa: PLR2004
        return None
    dated = _ordered((int(first), int(second)), end, today)
    if mark == "-" and not dated.day:
        return None
    return dated if cue or mark == "/" else dated._replace(confidence=min(dated.confidence, 70))


def _ordered(pair: tuple[int, int], end: int, today: Today, year: int = 0) -> Dated:
    """Day and month in the order of the language; the other order only where the first is impossible."""
    day, month = reversed(pair) if today.month_first else pair
    if month > 12 >= day:  # noqa: PLR2004
        return Dated(_in_year(month, day, year, today), end, 90 if today.month_first else 50)
    return Dated(_in_year(day, month, year, today), end, 95 if year else 90)


def _in_year(day: int, month: int, year: int, today: Today, *, past: bool = False) -> date | None:
    return day_of(year, month, day) if year else yearly(today.day, month, day, past=past or today.past)


def read_day(toks: Tokens, index: int) -> tuple[int, int] | None:
    """A day of the month and the token after it: 5, 1ro, 1°, cinco, treinta y uno, primero."""
    text = word(toks, index)
    if text in ("primero", "primer", "first"):
        return 1, index + 1
    if at(toks, index).kind == "digits":
        return _digit_day(toks, index)
    found = numeral(text)
    if not found or text in ONES - {"uno"} or found.rank > TEENS + 1:
        return None
    reading = read_number(toks, index)
    if not reading or reading.scale != 1 or not 1 <= reading.value <= _MONTH_DAYS:
        return None
    return int(reading.value), reading.end


def _digit_day(toks: Tokens, index: int) -> tuple[int, int] | None:
    text = word(toks, index)
    if not text.isdecimal() or len(text) > 2 or not 1 <= int(text) <= _MONTH_DAYS:  # noqa: PLR2004
        return None
    if glued_before(toks, index) and not is_range(toks, index - 2):
        return None
    end = index + 1
    if word(toks, end) == "°" or (touches(toks, end) and word(toks, end) in _ENDINGS):
        return int(text), end + 1
    coded = touches(toks, end) and (toks[end].kind == "word" and month_of(toks[end].text) is None)
    return None if coded else (int(text), end)


def day_and_month(toks: Tokens, index: int, today: Today) -> Dated | None:
    """5 de mayo, 3 de abril del 90, cinco de mayo de 2027, 5/may/27, 5 y 6 de mayo, 5 del 12 del 2026."""
    found = read_day(toks, index)
    if not found:
        return None
    day, end = found
    month = _month(toks, end)
    if month and _is_street(toks, index, month[1]):
        return Dated(None, month[1], 0)
    if month:
        return _with_year(toks, index, (day, *month), today)
    return _first_of_several(toks, (index, end), day, today)


def _is_street(toks: Tokens, index: int, end: int) -> bool:
    """Streets named after a day: vivo en 9 de julio 1200, av 11 de septiembre, 25 de mayo y Mitre."""
    before = word(toks, index - 1 - (word(toks, index - 1) == "."))
    if before in _STREETS or before == "en" or _is_corner(toks, index):
        return True
    number = word(toks, end + (word(toks, end) in ("#", "al", "n", "nro")))
    if before in _CUES or not number.isdecimal() or not 2 <= len(number) <= 5:  # noqa: PLR2004
        return False
    return not 1900 <= int(number) <= 2100 and len(number) > 2 and word(toks, end + 1) not in _NOT_A_DAY  # noqa: PLR2004


def _is_corner(toks: Tokens, index: int) -> bool:
    """Pellegrini y 9 de Julio; "el lunes y 9 de julio" are two days."""
    other = at(toks, index - 2)
    if word(toks, index - 1) not in ("y", "e", "casi") or other.kind != "word" or len(other.text) <= 3:  # noqa: PLR2004
        return False
    is_day = other.text == "manana" or weekday_of(other.text) is not None
    return not (is_day or month_of(other.text) or numeral(other.text))


def _month(toks: Tokens, index: int) -> tuple[int, int] | None:
    """The month after a day and the token after it."""
    joined = word(toks, index) in ("de", "d", "del", "of", "/", "-", "e")
    start = index + joined
    if word(toks, start) == "mes" and word(toks, start + 1) in ("de", "d"):
        start += 2
    name = word(toks, start)
    month = month_of(name)
    if month and (joined or name not in ("set", "mar", "may") or at(toks, start + 1).kind != "word"):
        return month, start + 1 + (word(toks, start + 1) == "." and len(name) < 5)  # noqa: PLR2004
    if word(toks, index) != "del" or at(toks, start).kind != "digits":
        return None
    number = word(toks, start)
    is_hour = word(toks, index - 2) in ("las", "la")  # "a las 9 del 3" is the third
    if is_hour or (word(toks, start + 1) == "de" and month_of(word(toks, start + 2))):
        return None  # "las 9 del 3 de diciembre", "el 9 del 3 de diciembre" say the day later
    return (int(number), start + 1) if number.isdecimal() and 1 <= int(number[:3]) <= 12 else None  # noqa: PLR2004


def _with_year(toks: Tokens, index: int, found: tuple[int, int, int], today: Today) -> Dated:
    day, month, end = found
    year = year_after(toks, end, today)
    if year:
        return Dated(day_of(year[0], month, day), year[1], 100)
    past = word(toks, index - 1) in PAST or word(toks, end) in PAST or word(toks, index - 2) in ("fue", "era")
    return Dated(_in_year(day, month, 0, today, past=past), end + (word(toks, end) in PAST), 95)


def year_after(toks: Tokens, index: int, today: Today) -> tuple[int, int] | None:
    """The year after a month: 2027, de 2027, del 90, del año que viene, de mil novecientos ochenta."""
    joined = word(toks, index) in ("de", "del", ",", "/", "-", "d", "'")
    start = index + joined
    shift = period(toks, start + (word(toks, start) == "el"))
    if shift and shift[0] == "ano":
        return today.day.year + shift[1], shift[2]
    if _short_year_alone(toks, index):
        return full_year(int(word(toks, index)), today.day), index + 1
    start += word(toks, start) in ("ano", "'")
    if at(toks, start).kind == "word" and not (joined and word(toks, index) in ("de", "del")):
        return None
    reading = read_number(toks, start) if word(toks, start) not in ONES and word(toks, start) != "la" else None
    if not reading or "," in word(toks, start) or reading.value != int(reading.value):
        return None
    return _plausible(toks, (index, start, reading.end), int(reading.value), today)


def _short_year_alone(toks: Tokens, index: int) -> bool:
    """12 marzo 85: no day of a month, and nothing that it counts follows."""
    text = word(toks, index)
    return text.isdecimal() and len(text) == 2 and int(text) > _MONTH_DAYS and at(toks, index + 1).kind != "word"  # noqa: PLR2004


def _plausible(toks: Tokens, place: tuple[int, int, int], said: int, today: Today) -> tuple[int, int] | None:
    index, start, end = place
    if 1900 <= said <= 2100:  # noqa: PLR2004
        return said, end
    short = 0 <= said <= 99 and start > index and word(toks, index) != ","  # noqa: PLR2004
    if word(toks, index) == "de" and word(toks, end) in ("la", "hs", ":"):
        return None
    if word(toks, end) in ("de", "del") or month_of(word(toks, end)):
        return None  # 5 de marzo - 12 de marzo
    return (full_year(said, today.day), end) if short else None


def _first_of_several(toks: Tokens, place: tuple[int, int], day: int, today: Today) -> Dated | None:
    """The 5 of "del 5 al 10 de mayo": its month comes later."""
    index, end = place
    if word(toks, end) not in ("y", "al", "a", "o", "-", "hasta", ","):
        return None
    start = end + 1 + (word(toks, end + 1) in ("el", "al"))
    other = read_day(toks, start)
    month = _month(toks, other[1]) if other else None
    if not month or word(toks, end) == "," or not month_of(word(toks, month[1] - 1)):
        return None
    full = _with_year(toks, index, (day, *month), today)
    return full._replace(end=end, confidence=min(full.confidence, 90))


def month_and_day(toks: Tokens, index: int, today: Today) -> Dated | None:
    """Mayo 5, may 5th 2027, march 3: a month alone, or as a sauce, is no date."""
    month = month_of(word(toks, index))
    if (
        not month
        or word(toks, index - 1) in ("con", "sin", "y", "de", "i", "we", "you")
        or at(toks, index).kind != "word"
    ):
        return None
    start = index + 1 + (word(toks, index + 1) in (".", "the", "el"))
    found = read_day(toks, start)
    if not found or at(toks, start).kind != "digits" or word(toks, found[1]) in (":", "%", "hs"):
        return None
    year = year_after(toks, found[1], today)
    if year:
        return Dated(day_of(year[0], month, found[0]), year[1], 95)
    counted = at(toks, found[1]).kind == "word" and word(toks, found[1]) not in _DAY_AFTER
    return Dated(_in_year(found[0], month, 0, today), found[1], 60 if counted else 90)


def month_alone(toks: Tokens, index: int, today: Today) -> Dated | None:
    """En mayo: a month, no day of which was said."""
    name = word(toks, index)
    month = month_of(name)
    if not month or len(name) < 4 or word(toks, index - 1) not in ("en", "para", "in", "desde", "hasta", "proximo"):  # noqa: PLR2004
        return None
    year = year_after(toks, index + 1, today)
    if not year and month == today.day.month:
        first = today.day.replace(day=1)
    else:
        first = _in_year(1, month, year[0] if year else 0, today) or today.day
    return Dated(first, year[1] if year else index + 1, 40, until=month_end(first))


def bare_day(toks: Tokens, index: int, today: Today) -> Dated | None:
    """El 5, el día 20, para el quince, el 15 del mes que viene; "el 10 %" and "el 2 por 1" are not days."""
    before = word(toks, index - 1)
    found = read_day(toks, index)
    opens = found and index == 0 and _is_first_of_range(toks, index, found[1])
    if not opens and before not in ("el", "dia", "the", "del", "al", "este", "proximo", "pasado"):
        return None
    if not found or word(toks, index) in ("primero", "uno", "first", "primer"):
        return _first_of_a_month(toks, index, found, today)
    day, end = found
    month = _said_month(toks, (day, end), today)
    if month:
        return month
    return _unsaid_month(toks, (index, end), day, today)


def _unsaid_month(toks: Tokens, place: tuple[int, int], day: int, today: Today) -> Dated | None:
    index, end = place
    before, earlier = word(toks, index - 1), word(toks, index - 2)
    if (
        (word(toks, end) in _NOT_A_DAY and not _goes_on(toks, end))
        or follows(toks, end, ("de", "cada"))
        or (touches(toks, end) and word(toks, end) in "-/:")
    ):
        return None
    ranged = _is_first_of_range(toks, index, end) or (before == "al" and _is_first_of_range(toks, index - 2, index - 1))
    is_of_an_hour = before == "del" and word(toks, index - 3) in ("las", "la")  # a las 9 del 3
    leads = is_of_an_hour or earlier in ("antes", "despues", "partir", "semana")
    leads = leads or (before == "al" and _is_moved(toks, index - 2))
    if before in ("del", "al") and not ranged and not leads:
        return None
    past = today.past or word(toks, end) in PAST or before == "pasado" or earlier in ("fue", "era")
    return Dated(monthly(today.day, day, past=past), end, _bare_confidence(toks, (index, end), ranged=ranged))


def _is_moved(toks: Tokens, index: int) -> bool:
    """Pasalo al 18, mové el turno al 20: what is moved to a number is moved to a day."""
    return any(_MOVES.fullmatch(word(toks, index - back)) for back in range(_MOVE_REACH) if index >= back)


def _is_first_of_range(toks: Tokens, index: int, end: int) -> bool:
    """The 21 of "del 21 al 26", and of "21 al 26" as a whole message begins."""
    if word(toks, end) not in ("al", "hasta") or (word(toks, index - 1) != "del" and index != 0):
        return False
    last = read_day(toks, end + 1 + (word(toks, end + 1) == "el"))
    return last is not None and word(toks, last[1]) not in _NOT_A_DAY - {"y", "en", "por"}


def _goes_on(toks: Tokens, index: int) -> bool:
    """Lo pedí el 25 y no llegó, el 12 por favor, el 12 en la tarde: neither "y medio" nor "por ciento"."""
    joined, following = word(toks, index), at(toks, index + 1)
    if joined == "en":
        return following.text == "la"
    counts = numeral(following.text) or following.text in ("medio", "media", "pico")
    return joined in ("y", "por") and following.kind == "word" and not counts


def _bare_confidence(toks: Tokens, place: tuple[int, int], *, ranged: bool) -> int:
    index, end = place
    earlier = word(toks, index - 2)
    if earlier in ("antes", "despues", "partir"):
        return 50  # a bound, not the day itself
    if word(toks, index - 1) in ("dia", "este", "proximo") or earlier in ("para", "hasta", "desde", "pa"):
        return 85
    if earlier in _CHOICES:
        return 40
    if ranged:
        return 50 if word(toks, index) == "1" or word(toks, index - 2) == "1" else 75  # del 1 al 10 is a mark as well
    following = at(toks, end)
    if following.kind == "word" and following.text not in _DAY_AFTER:
        return 50
    return 65 if at(toks, index).kind == "digits" else 55


def _first_of_a_month(toks: Tokens, index: int, found: tuple[int, int] | None, today: Today) -> Dated | None:
    """El primero del mes que viene; "el primero" alone is a choice."""
    if not found or word(toks, index) == "uno":
        return None
    said = _said_month(toks, found, today)
    return said or (Dated(monthly(today.day, 1), found[1], 80) if word(toks, index - 1) == "dia" else None)


def _said_month(toks: Tokens, found: tuple[int, int], today: Today) -> Dated | None:
    day, end = found
    if word(toks, end) not in ("de", "del"):
        return None
    number = word(toks, end + 1)
    if number.isdecimal() and len(number) <= 2 and 1 <= int(number) <= 12:  # noqa: PLR2004
        return Dated(yearly(today.day, int(number), day), end + 2, 80)
    shift = period(toks, end + 1)
    if not shift or shift[0] != "mes":
        return None
    first = plus_months(today.day.replace(day=1), shift[1])
    return Dated(day_of(first.year, first.month, day) if first else None, shift[2], 95)
