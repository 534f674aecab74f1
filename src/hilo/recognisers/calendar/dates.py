"""Find dates, said or written, relative to the contact's today.

A day without a year is the next one to come, unless the wording is past. Weeks and months said as a whole ("la semana
que viene") give their first day with a low confidence.
"""

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import lru_cache
from itertools import pairwise

from hilo.recognisers.amounts.lexicon import numeral, one_of
from hilo.recognisers.amounts.tokens import Tokens, at, follows, tokens, touches, word
from hilo.recognisers.calendar.day_parts import part_of_day
from hilo.recognisers.calendar.month_days import (
    Dated,
    Today,
    bare_day,
    day_and_month,
    month_alone,
    month_and_day,
    numeric_date,
    read_day,
    spaced_date,
)
from hilo.recognisers.calendar.past_verbs import either_verbs, past_verbs, told_before, told_right_after
from hilo.recognisers.calendar.periods import period
from hilo.recognisers.calendar.relative_days import (
    OPENERS,
    counted_days,
    holiday,
    month_ends,
    relative_day,
    whole_period,
)
from hilo.recognisers.calendar.words import (
    day_of,
    in_week,
    last_weekday,
    month_of,
    monthly,
    next_weekday,
    nth_weekday,
    plus_days,
    plus_months,
    short_weekday,
    weekday_of,
    yearly,
)
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text

Rule = Callable[[Tokens, int, Today], Dated | None]
_HABIT = frozenset(("los", "todos", "cada", "every"))
_NEXT = one_of("proximo prox proxima procsimo siguiente entrante next coming")
_PAST = one_of("pasado pasada anterior ultimo last")
_DEMONSTRATIVES = one_of("este esta this otro otra primero primer first semana week mes month ano year sem")
_ORDINALS = {"primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "ultimo": 0, "first": 1, "last": 0}
_AFTER_DAY = one_of(
    "a de del por en si o para al at to until antes despues es fue era hay que no me te se nos le les lo la las los el "
    "e como con sin ya voy viajo llega llego salgo vamos tengo tenemos puedo puede podes pueden cumple sobre hasta "
    "desde tipo temprano tarde noche manana porfa porfavor gracias ok dale cuando mi mis tu su estoy estamos seria "
    "is at in for from before after or"
)
_PARTS_OF_ONE = one_of("medio media cuarto cuartos pico tres")
_UNABLE = one_of(
    "puedo podemos podria podriamos me nos va sirve llego estoy estamos pueden puede se queda quedan da alcanzo hay"
)
_BACK = re.compile(r"(?:vuelv|volv|vuelt|regres|retorn|devuelv|devolv)\w*|back|return\w*")
_IN_OTHER_WORDS = one_of(", el ( dia o sea osea es decir que mismo para ser cae digamos justo or that is")
_MOST_BETWEEN = 5  # words between a day and the same day in other words
_REFUSED = 30
IMPOSSIBLE = 10  # how sure a day is that somebody cannot do
_FAR = 240  # days
_MONTH_REACH = 12  # words
_CERTAIN, _SAID, _LIKELY, _VAGUE = 100, 90, 80, 60


def find_dates(text: Text, *, now: datetime, language: str = "es", country: str = "") -> tuple[Found, ...]:
    """Dates of a message; 5/6 is the 5th of June except in English."""
    toks, today = (
        tokens(text.folded),
        Today(now.date(), month_first=language == "en", folded=text.folded, country=country),
    )
    past, either = past_verbs(toks, text), either_verbs(toks)
    dated: list[tuple[int, Dated]] = []
    index = 0
    while index < len(toks):
        match = _told(toks, index, today, past) if past else _date_at(toks, index, today)
        match = _nearer(toks, index, today, match) if match and told_before(toks, index, either) else match
        if match:
            match = _the_other(toks, _week_of(toks, index, match))
            dated.append((index, match))
        index = max(match.end, index + 1) if match else index + 1
    return tuple(_found(toks, first, match) for first, match in _merged(toks, _lent(toks, dated)) if match.day)


def _lent(toks: Tokens, dated: list[tuple[int, Dated]]) -> list[tuple[int, Dated]]:
    """Llegamos el 3 y nos vamos el 9 de mayo; en julio, como el 15; ida el 5 de mayo y vuelta el 9: a month for two."""
    lent = list(dated)
    for position, ((first, match), (second, later)) in enumerate(pairwise(dated)):
        if not match.day or not later.day or later.end - first > _MONTH_REACH:
            continue
        if _is_bare(toks, first, match) and month_of(word(toks, later.end - 1)) and not later.until:
            day = day_of(later.day.year, later.day.month, int(word(toks, first)))
            if day and day < later.day:
                lent[position] = (first, match._replace(day=day, confidence=later.confidence))
        elif match.until and match.day.month == match.until.month and _is_bare(toks, second, later):
            day = day_of(match.day.year, match.day.month, int(word(toks, second)))
            lent[position + 1] = (second, later._replace(day=day, confidence=_LIKELY))
        elif later.day < match.day and _is_bare(toks, second, later) and not match.until:
            day = monthly(match.day, later.day.day)
            lent[position + 1] = (second, later._replace(day=day, confidence=min(match.confidence, _LIKELY)))
    return lent


def _is_bare(toks: Tokens, first: int, match: Dated) -> bool:
    """Whether a day of the month was said in digits, and nothing else."""
    return match.end == first + 1 and at(toks, first).kind == "digits"


def _nearer(toks: Tokens, index: int, today: Today, match: Dated) -> Dated:
    """Compramos el 10 de enero, said in March: the last one, for the next is far away."""
    if not match.day or (match.day - today.day).days < _FAR:
        return match
    return _date_at(toks, index, today._replace(past=True)) or match


def _told(toks: Tokens, index: int, today: Today, past: frozenset[int]) -> Dated | None:
    """A date in a message with past verbs: compré el 3 de marzo, el 3 de marzo compré."""
    if told_before(toks, index, past):
        return _date_at(toks, index, today._replace(past=True))
    match = _date_at(toks, index, today)
    if match and match.day and told_right_after(toks, match.end, past):
        return _date_at(toks, index, today._replace(past=True))
    return match


def _found(toks: Tokens, first: int, match: Dated) -> Found:
    day = match.day.isoformat() if match.day else ""
    confidence = min(match.confidence, _left_of_it(toks, first, match.end))
    span = toks[first].start, toks[match.end - 1].end
    if match.until:
        return Found("period", f"{day}/{match.until.isoformat()}", *span, confidence)
    return Found("date", day, *span, confidence)


def _left_of_it(toks: Tokens, first: int, end: int) -> int:
    """How sure a day can be at most, by what is said of it."""
    if _is_impossible(toks, end):
        return IMPOSSIBLE
    return _REFUSED if _is_refused(toks, first) else _CERTAIN


def _is_impossible(toks: Tokens, end: int) -> bool:
    """El jueves no (puedo), el lunes imposible."""
    if word(toks, end) in ("imposible", "impossible"):
        return True
    return word(toks, end) == "no" and (at(toks, end + 1).kind != "word" or word(toks, end + 1) in _UNABLE)


def _is_refused(toks: Tokens, first: int) -> bool:
    """En vez del lunes, no el lunes."""
    start = first - (word(toks, first - 1) in ("el", "al", "para"))
    before = word(toks, start - 1)
    if before in ("de", "del") and word(toks, start - 2) in ("vez", "lugar"):
        return True
    return (before == "no" and start < first) or (before in _UNABLE and word(toks, start - 2) == "no")


def _date_at(toks: Tokens, index: int, today: Today) -> Dated | None:
    """The first rule that reads something here; a match without a day is something that is no date."""
    kind, text = toks[index].kind, toks[index].text
    if kind == "digits":
        return _first_of(_DIGIT_RULES, toks, index, today)
    return _first_of(_WORD_RULES, toks, index, today) if kind == "word" and _opens_date(text) else None


@lru_cache(maxsize=4096)
def _opens_date(text: str) -> bool:
    """Whether a word can be the first of a date at all: most are not."""
    if text in OPENERS or text in _NEXT or text in _PAST or text in _DEMONSTRATIVES or short_weekday(text) is not None:
        return True
    return any(reads(text) is not None for reads in (numeral, month_of, weekday_of))


def _merged(toks: Tokens, dated: list[tuple[int, Dated]]) -> list[tuple[int, Dated]]:
    """Join "mañana viernes", "hoy lunes 5": one date said twice."""
    merged: list[tuple[int, Dated]] = []
    for first, match in dated:
        before = merged[-1][1] if merged else None
        gap = first - before.end if before else 9
        between = [word(toks, place) for place in range(before.end, first)] if before and gap <= _MOST_BETWEEN else [""]
        near = all(each in _IN_OTHER_WORDS for each in between)
        if before and before.until and match.day and _falls_in(before, match.day) and not match.until:
            merged.pop()  # la semana que viene, puede ser el martes 24: the day was said after all
            merged.append((first, match))
        elif before and before.day and match.day and near and _agree(toks, first, before.day, match):
            merged[-1] = (
                merged[-1][0],
                before._replace(end=match.end, confidence=max(before.confidence, match.confidence)),
            )
        else:
            ranged = (gap == 1 and word(toks, first - 1) == "al") or _is_way_back(toks, between, match.end)
            by_weekday = not any(at(toks, place).kind == "digits" for place in range(first, match.end))
            merged.append((first, _after(before, match) if ranged and by_weekday else match))
    return merged


def _is_way_back(toks: Tokens, between: list[str], end: int) -> bool:
    """Voy el jueves y vuelvo el martes; el jueves, y el martes me regreso."""
    after = [word(toks, end), word(toks, end + 1)]
    return any(_BACK.fullmatch(each) for each in (*between, *after))


def _falls_in(period_: Dated, day: date) -> bool:
    return period_.day is not None and period_.until is not None and period_.day <= day <= period_.until


def _after(before: Dated | None, match: Dated) -> Dated:
    """Del lunes al viernes: the Friday after that Monday."""
    if not before or not before.day or not match.day or not 0 < (before.day - match.day).days < 7:  # noqa: PLR2004
        return match
    return match._replace(day=plus_days(match.day, 7))


def _the_other(toks: Tokens, match: Dated) -> Dated:
    """Este jueves no, el otro: a week later."""
    start = match.end + 1 + (word(toks, match.end + 1) == ",")
    if not match.day or word(toks, match.end) != "no" or not follows(toks, start, ("el", "otro")):
        return match
    return match._replace(day=plus_days(match.day, 7), end=start + 2)


def _week_of(toks: Tokens, first: int, match: Dated) -> Dated:
    """La semana del 15 is a week, no day."""
    if not match.day or match.until or word(toks, first - 1) != "del" or word(toks, first - 2) != "semana":
        return match
    return match._replace(day=in_week(match.day, 0, 0), until=in_week(match.day, 6, 0))


def _agree(toks: Tokens, first: int, day: date, match: Dated) -> bool:
    bare = match.end == first + 1 and weekday_of(word(toks, first)) == day.weekday()
    return match.day == day or bare


def _weekday(toks: Tokens, index: int, today: Today) -> Dated | None:
    """El viernes, este lunes, el próximo martes, viernes 5, el jueves de la semana que viene."""
    start = index
    if (
        word(toks, index) in _NEXT
        or word(toks, index) in _PAST
        or word(toks, index) in ("este", "esta", "this", "otro")
    ):
        start = index + 1
    weekday = weekday_of(word(toks, start))
    if weekday is None:
        return _short(toks, index, today)
    end = start + 1
    if word(toks, end) == "-" and word(toks, end + 1) == "feira":
        end += 2
    if _habitual(toks, index):
        return Dated(None, end, 0)
    if nth := _nth(toks, (start - 1, end), weekday, today):
        return nth
    dated = _with_day_number(toks, end, weekday, today)
    return dated or _modified(toks, (index, start, end), weekday, today)


def _nth(toks: Tokens, place: tuple[int, int], weekday: int, today: Today) -> Dated | None:
    """El primer lunes de diciembre, el último viernes del mes."""
    before, end = place
    nth = _ORDINALS.get(word(toks, before))
    if word(toks, before) in ("er", "ro", "do", "to") and touches(toks, before) and word(toks, before - 1) in "12345":
        nth = int(word(toks, before - 1) or 0) or None
    if nth is None or word(toks, end) not in ("de", "del", "of"):
        return None
    month, shift = month_of(word(toks, end + 1)), period(toks, end + 1)
    if not month and not (shift and shift[0] == "mes"):
        return None
    if month:
        first, last = today.day.replace(day=1), end + 2
        first = first if month == today.day.month else yearly(today.day, month, 1) or first
    else:
        first, last = (
            plus_months(today.day.replace(day=1), shift[1] if shift else 0) or today.day,
            shift[2] if shift else end,
        )
    return Dated(nth_weekday(first, weekday, nth), last, 90)


def _short(toks: Tokens, index: int, today: Today) -> Dated | None:
    weekday = short_weekday(word(toks, index))
    after = index + 1 + (word(toks, index + 1) == ".")
    return _with_day_number(toks, after, weekday, today) if weekday is not None else None


def _habitual(toks: Tokens, index: int) -> bool:
    """Opening hours, not dates: "los sábados", "de lunes a viernes"; Santo Domingo is a place."""
    joined = ("a", "y", "o", ",", "e")
    if word(toks, index + 1) in ("a", "hasta") and weekday_of(word(toks, index + 2)) is not None:
        return True
    if word(toks, index - 1) == "a" and weekday_of(word(toks, index - 2)) is not None:
        return True
    back = index - 1
    while back > 0 and (word(toks, back) in joined or weekday_of(word(toks, back)) is not None) and index - back < 12:  # noqa: PLR2004
        back -= 1
    return word(toks, back) in _HABIT or word(toks, index - 1) in ("santo", "don")


def _with_day_number(toks: Tokens, index: int, weekday: int, today: Today) -> Dated | None:
    """Viernes 5, viernes 5 de mayo, viernes, 20/11: the number decides, another weekday makes it doubtful."""
    index += word(toks, index) == ","
    index += word(toks, index) in ("el", "dia", "proximo", "the")
    match = _first_of((numeric_date, day_and_month, month_and_day), toks, index, today)
    if match:
        agrees = match.day is not None and match.day.weekday() == weekday
        return match._replace(confidence=_CERTAIN if agrees else min(match.confidence, 70))
    number = read_day(toks, index)
    if not number or _counts_something(toks, number[1]):
        return None
    return _that_weekday(toks, weekday, number, today)


def _counts_something(toks: Tokens, index: int) -> bool:
    following = word(toks, index)
    if following in ("y", "e", "o"):
        return word(toks, index + 1) in _PARTS_OF_ONE  # viernes 5 y volvemos el martes
    if following in ("de", "del") and part_of_day(toks, index)[0]:
        return True  # lunes 8 de la mañana
    if following in (":", "hs", "h", "hrs", "am", "pm", "%", "/", "p"):
        return True
    return at(toks, index).kind == "word" and following not in _AFTER_DAY


def _that_weekday(toks: Tokens, weekday: int, number: tuple[int, int], today: Today) -> Dated:
    """The next month in which that day falls on that weekday, looking a quarter ahead."""
    day, end = number
    shift = period(toks, end + (word(toks, end) in ("de", "del")))
    if shift and shift[0] == "mes":
        match = bare_day(toks, end - 1, today)
        return match or Dated(None, end, 0)
    if today.past and (past := monthly(today.day, day, past=True)):
        return Dated(past, end, 95 if past.weekday() == weekday else _VAGUE)
    first = candidate = monthly(today.day, day)
    for confidence in (95, 70, 70):
        if candidate and candidate.weekday() == weekday:
            return Dated(candidate, end, confidence)
        following = plus_days(candidate, 1) if candidate else None
        candidate = monthly(following, day) if following else None
    return Dated(first, end, _VAGUE)


def _modified(toks: Tokens, place: tuple[int, int, int], weekday: int, today: Today) -> Dated:
    """A weekday with the words around it that say which one."""
    index, start, end = place
    before = word(toks, index) if index < start else word(toks, index - 1)
    after = end + (word(toks, end) in ("de", "of", ","))
    week = period(toks, after + (word(toks, after) == "la")) if after > end or word(toks, end) == "la" else None
    if week and week[0] == "semana":
        return Dated(in_week(today.day, weekday, week[1]), week[2], 95)
    if before in _PAST or word(toks, end) in _PAST:
        return Dated(last_weekday(today.day, weekday), end + (word(toks, end) in _PAST), 95)
    if word(toks, end) in ("que", "q", "k", "ke") and word(toks, end + 1) in ("viene", "biene", "vienen", "paso"):
        past = word(toks, end + 1) == "paso"
        day = last_weekday(today.day, weekday) if past else next_weekday(today.day, weekday)
        return Dated(day, end + 2, 95)
    if word(toks, end) == "en" and word(toks, end + 1) in ("ocho", "8", "quince", "15"):
        base = next_weekday(today.day, weekday)
        weeks = 1 if word(toks, end + 1) in ("ocho", "8") else 2
        return Dated(plus_days(base, 7 * weeks) if base else None, end + 2, _LIKELY)
    return _plain_weekday(toks, (before, start, end), weekday, today)


def _plain_weekday(toks: Tokens, place: tuple[str, int, int], weekday: int, today: Today) -> Dated:
    before, start, end = place
    if before == "otro":
        base = next_weekday(today.day, weekday)
        return Dated(plus_days(base, 7) if base else None, end, 50)
    if before in _NEXT or word(toks, end) in _NEXT:
        return Dated(next_weekday(today.day, weekday), end + (word(toks, end) in _NEXT), 95)
    if today.past:
        return Dated(last_weekday(today.day, weekday), end, _LIKELY)
    if before in ("este", "this", "esta"):
        return Dated(next_weekday(today.day, weekday, today_counts=True), end, 95)
    said = word(toks, start - 1) in ("el", "para", "del", "on", "al", "proximo") or len(toks) == 1
    same = today.day.weekday() == weekday
    return Dated(next_weekday(today.day, weekday), end, 70 if same else _SAID if said else _LIKELY)


def _first_of(rules: tuple[Rule, ...], toks: Tokens, index: int, today: Today) -> Dated | None:
    return next((match for rule in rules if (match := rule(toks, index, today))), None)


_DIGIT_RULES: tuple[Rule, ...] = (numeric_date, spaced_date, day_and_month, counted_days, bare_day)
_WORD_RULES: tuple[Rule, ...] = (
    day_and_month,
    relative_day,
    counted_days,
    holiday,
    _weekday,
    month_ends,
    whole_period,
    month_and_day,
    month_alone,
    bare_day,
)
