"""Days relative to today and feasts: mañana, en 3 días, hace una semana, fin de mes, navidad."""

from datetime import date

from hilo.recognisers.amounts.lexicon import one_of
from hilo.recognisers.amounts.numerals import read_number
from hilo.recognisers.amounts.tokens import Tokens, at, follows, word
from hilo.recognisers.calendar.feasts import days_of, feast_at, feast_openers
from hilo.recognisers.calendar.month_days import Dated, Today, read_day, year_after
from hilo.recognisers.calendar.periods import period
from hilo.recognisers.calendar.words import (
    day_of,
    in_week,
    month_end,
    month_of,
    monthly,
    next_weekday,
    plus_days,
    plus_months,
    weekday_of,
    yearly,
)

_TOMORROW = one_of("manana maniana manna mnn mna manan mannana manhana amanha tomorrow tmrw tmr tomorow")
_DAYS = {
    "hoy": 0,
    "oy": 0,
    "hoi": 0,
    "hoje": 0,
    "today": 0,
    "tonight": 0,
    "ayer": -1,
    "ayr": -1,
    "anoche": -1,
    "ontem": -1,
    "yesterday": -1,
    "anteayer": -2,
    "antier": -2,
    "antesdeayer": -2,
    "anteanoche": -2,
    "antenoche": -2,
    "antiayer": -2,
}
_PHRASES = (
    (("pasado", "el", "dia", "de", "manana"), 2),
    (("the", "day", "after", "tomorrow"), 2),
    (("day", "after", "tomorrow"), 2),
    (("depois", "de", "amanha"), 2),
    (("despues", "de", "manana"), 2),
    (("the", "day", "before", "yesterday"), -2),
    (("day", "before", "yesterday"), -2),
    (("antes", "de", "ayer"), -2),
    (("antes", "de", "anoche"), -2),
    (("esta", "noche"), 0),
    (("esta", "tarde"), 0),
    (("esta", "manana"), 0),
    (("this", "afternoon"), 0),
    (("this", "evening"), 0),
    (("this", "morning"), 0),
)
_PART_OF_DAY_BEFORE = one_of("la esta toda cada media buena buen ala maniana")
_UNITS = (
    dict.fromkeys(one_of("dia dias day days diita diitas"), "day")
    | dict.fromkeys(one_of("semana semanas sem week weeks semanita semanitas"), "week")
    | dict.fromkeys(one_of("mes meses month months"), "month")
    | dict.fromkeys(one_of("ano anos year years anio anios"), "year")
    | dict.fromkeys(one_of("hora horas hs hrs hours h"), "hour")
    | dict.fromkeys(one_of("quincena quincenas fortnight"), "fortnight")
)
_VAGUE = 60
_MONTH_SHARES = dict.fromkeys(one_of("principio principios comienzo comienzos"), 1) | dict.fromkeys(
    one_of("mediados mitad mediado"), 11
)
_MONTH_END = 21
_BEFORE_A_FEAST = one_of("dia noche vispera antes despues partir finde semana fin lunes domingo alrededor cerca")
_GREETINGS = one_of("feliz felices merry happy linda hermosa buena bonita")


def relative_day(toks: Tokens, index: int, today: Today) -> Dated | None:
    """Hoy, mañana, pasado mañana, anteayer, de hoy en ocho."""
    text = word(toks, index)
    if text in _TOMORROW:
        return _tomorrow(toks, index, today)
    if text in ("pasado", "pasao", "pasada") and (match := _after_tomorrow(toks, index, today)):
        return match
    for phrase, days in _PHRASES:
        if text == phrase[0] and follows(toks, index, phrase):
            return Dated(plus_days(today.day, days), index + len(phrase), 80 if days == 0 else 100)
    days_off = _DAYS.get(text)
    if days_off is None:
        return None
    return _in_eight(toks, index, days_off, today) or Dated(plus_days(today.day, days_off), index + 1, 100)


def _tomorrow(toks: Tokens, index: int, today: Today) -> Dated | None:
    """Tomorrow, unless "mañana" is the morning: after "la", or "de mañana" after a weekday."""
    before = word(toks, index - 1)
    if before in _PART_OF_DAY_BEFORE:
        return None
    if before == "de" and (
        weekday_of(word(toks, index - 2)) is not None or word(toks, index - 2) in ("hoy", "muy", "manana")
    ):
        return None
    if before == "de" and at(toks, index - 2).kind == "digits":
        return None
    farewell = before == "hasta" and len(toks) <= 4  # noqa: PLR2004
    confidence = 40 if farewell else 60 if before == "de" else 100
    return _in_eight(toks, index, 1, today) or Dated(plus_days(today.day, 1), index + 1, confidence)


def _in_eight(toks: Tokens, index: int, start: int, today: Today) -> Dated | None:
    """Counting today, "de hoy en ocho" is the same weekday of next week and "en quince" the one after."""
    if word(toks, index + 1) not in ("en", "a") or word(toks, index - 1) not in ("de", "d"):
        return None
    reading = read_number(toks, index + 2)
    if not reading or reading.value > 366:  # noqa: PLR2004
        return None
    days = {8: 7, 15: 14}.get(int(reading.value), int(reading.value))
    unit = _UNITS.get(word(toks, reading.end))
    if unit not in (None, "day") or (unit is None and days not in (7, 14)):
        return None
    return Dated(plus_days(today.day, start + days), reading.end + (unit is not None), 85)


def _after_tomorrow(toks: Tokens, index: int, today: Today) -> Dated | None:
    """Pasado mañana; "mañana o pasado" says it shorter."""
    if word(toks, index + 1) in _TOMORROW:
        return Dated(plus_days(today.day, 2), index + 2, 100)
    if word(toks, index - 2) in _TOMORROW and word(toks, index - 1) in ("o", "y", ",", "u"):
        return Dated(plus_days(today.day, 2), index + 1, 90)
    return Dated(plus_days(today.day, 2), index + 1, 60) if len(toks) == 1 and word(toks, index) == "pasado" else None


def counted_days(toks: Tokens, index: int, today: Today) -> Dated | None:
    """En 3 días, dentro de dos semanas, hace un mes, 3 days ago, dos semanas atrás."""
    text = word(toks, index)
    if text in ("en", "in", "within"):
        return _ahead(toks, index + 1, 1, today)
    if text == "dentro" and word(toks, index + 1) == "de":
        return _ahead(toks, index + 2, 1, today)
    if text == "de" and word(toks, index + 1) in ("aqui", "aca") and word(toks, index + 2) in ("a", "en"):
        return _ahead(toks, index + 3, 1, today)
    if text in ("hace", "ase", "hase", "ace"):
        return _ahead(toks, index + 1 + (word(toks, index + 1) in ("como", "unos", "unas")), -1, today)
    return _said_after(toks, index, today)


def _said_after(toks: Tokens, index: int, today: Today) -> Dated | None:
    """3 days ago, dos semanas atrás, a week from now."""
    amount = _amount(toks, index)
    if not amount:
        return None
    end = amount[2]
    if word(toks, end) in ("ago", "atras"):
        return Dated(_moved(today.day, amount, -1), end + 1, 95)
    if word(toks, end) == "from" and word(toks, end + 1) in ("now", "today"):
        return Dated(_moved(today.day, amount, 1), end + 2, 95)
    return None


def _ahead(toks: Tokens, index: int, sign: int, today: Today) -> Dated | None:
    vague = word(toks, index) in ("unos", "unas", "como", "about")
    amount = _amount(toks, index + vague)
    if not amount or (amount[1] == "hour" and amount[0] % 24):
        return None
    if word(toks, amount[2]) == "y" and word(toks, amount[2] + 1) in ("medio", "media"):
        return _and_a_half(amount, sign, today)
    unsure = vague or word(toks, amount[2]) == "habiles" or amount[1] == "hour" or word(toks, index + 1) == "par"
    return Dated(_moved(today.day, amount, sign), amount[2], 70 if unsure else 95)


def _and_a_half(amount: tuple[int, str, int], sign: int, today: Today) -> Dated:
    """Un mes y medio: a day so vague that it is asked for."""
    whole = _moved(today.day, amount, sign)
    half = {"week": 3, "month": 15, "year": 182, "fortnight": 7}.get(amount[1], 0)
    return Dated(plus_days(whole, sign * half) if whole else None, amount[2] + 2, 40)


def _amount(toks: Tokens, index: int) -> tuple[int, str, int] | None:
    """How many of what, and the token after: 3 días, una semana, un par de meses."""
    start = index
    if word(toks, index) in ("un", "a") and word(toks, index + 1) in ("par", "couple"):
        start, many = index + 2, 2
        start += word(toks, start) in ("de", "of")
    elif word(toks, index) in ("a", "an"):
        start, many = index + 1, 1
    else:
        reading = read_number(toks, index)
        if not reading or reading.value != int(reading.value) or not 0 <= reading.value <= 100_000:  # noqa: PLR2004
            return None
        start, many = reading.end, int(reading.value)
    unit = _UNITS.get(word(toks, start))
    return (many, unit, start + 1) if unit else None


def _moved(today: date, amount: tuple[int, str, int], sign: int) -> date | None:
    many, unit = sign * amount[0], amount[1]
    if unit in ("month", "year"):
        return plus_months(today, many * (12 if unit == "year" else 1))
    if unit == "hour":
        return plus_days(today, many // 24 if many > 0 else -(-many // 24))
    return plus_days(today, many * {"day": 1, "week": 7, "fortnight": 15}[unit])


def holiday(toks: Tokens, index: int, today: Today) -> Dated | None:
    """Navidad, el viernes santo, semana santa: the next one; a wish or a Christmas tree names no day."""
    feast = feast_at(toks, index)
    if not feast:
        return None
    before, end = word(toks, index - 1), index + len(feast.words)
    of_something = before in ("de", "del") and word(toks, index - 2) not in _BEFORE_A_FEAST
    if before in _GREETINGS or of_something:
        return Dated(None, end, 0)
    year = year_after(toks, end, today)
    start = date(year[0], 1, 1) if year else today.day
    days = days_of(feast, today.country, start, past=today.past and not year)
    if not days:
        return Dated(None, end, 0)
    first, last = days
    return Dated(first, year[1] if year else end, 90, until=last if last > first else None)


def month_ends(toks: Tokens, index: int, today: Today) -> Dated | None:
    """Fin de mes, a fin de año, el fin de semana, principios de mes, mediados de mayo."""
    if word(toks, index) in ("finde", "weekend", "findesemana") or follows(toks, index, ("fin", "de", "semana")):
        return _weekend(toks, index, today)
    share = _MONTH_SHARES.get(word(toks, index))
    if share:
        return _part_of_month(toks, index, share, today)
    if word(toks, index) not in ("fin", "fines", "final", "finales", "end", "ultimo") or _no_end(toks, index):
        return None
    start = index + 1 + (word(toks, index) == "ultimo")
    start += word(toks, start) in ("de", "del", "of")
    start += word(toks, start) in ("the", "el")
    if month := month_of(word(toks, start)):
        first = yearly(today.day, month, 1) if month != today.day.month else today.day.replace(day=1)
        last = month_end(first) if first else None
        if word(toks, index).endswith("es") and first and last:  # a fines de abril: ten days, none of them said
            return Dated(first.replace(day=_MONTH_END), start + 1, _VAGUE, until=last)
        return Dated(last, start + 1, 70)
    found = period(toks, start) or (("ano", 0, start + 1) if word(toks, start) in ("ano", "year") else None)
    if not found or found[0] == "semana":
        return None
    if found[0] == "mes":
        return Dated(month_end(today.day, found[1]), found[2], 90)
    return Dated(plus_months(today.day.replace(month=12, day=31), 12 * found[1]), found[2], 90)


def _part_of_month(toks: Tokens, index: int, day: int, today: Today) -> Dated | None:
    """A principios de mes, a mediados de enero: ten days, none of them said."""
    if word(toks, index + 1) not in ("de", "del"):
        return None
    if month := month_of(word(toks, index + 2)):
        first, end = yearly(today.day, month, day), index + 3
    else:
        found = period(toks, index + 2 + (word(toks, index + 2) == "el"))
        if not found or found[0] != "mes":
            return None
        later = plus_months(today.day.replace(day=day), found[1])
        first, end = later if found[1] else monthly(today.day, day), found[2]
    return Dated(first, end, _VAGUE, until=plus_days(first, 9) if first else None)


def _no_end(toks: Tokens, index: int) -> bool:
    """The last only of a day: "último día del mes", not "último mes"."""
    if word(toks, index) == "ultimo":
        return word(toks, index + 1) != "dia"
    return word(toks, index + 1) not in ("de", "del", "of")


def _weekend(toks: Tokens, index: int, today: Today) -> Dated | None:
    if word(toks, index - 1) in ("buen", "lindo", "feliz", "cada", "bonito", "un"):
        return None
    end = index + (3 if word(toks, index) == "fin" else 1)
    if word(toks, end) == "pasado" or word(toks, index - 1) in ("pasado", "last"):
        saturday = next_weekday(today.day, 5, today_counts=True)
        return Dated(plus_days(saturday, -7) if saturday else None, end + (word(toks, end) == "pasado"), 70)
    number = read_day(toks, end + 1) if word(toks, end) == "del" else None
    if number:
        return Dated(monthly(today.day, number[0], past=today.past), number[1], 70)
    end += 2 * (word(toks, end) in ("que", "q") and word(toks, end + 1) == "viene")
    end += word(toks, end) in ("largo", "proximo", "entrante")
    return Dated(next_weekday(today.day, 5, today_counts=True), end, 70)


def whole_period(toks: Tokens, index: int, today: Today) -> Dated | None:
    """La semana que viene, el mes que viene: a period; with a weekday, its day. This week or month tells nothing."""
    found = period(toks, index)
    if not found or not found[1]:
        return None
    name, shift, end = found
    if name == "semana":
        after = _weekday_after(toks, end)
        weekday = weekday_of(word(toks, after))
        if weekday is not None:
            return Dated(in_week(today.day, weekday, shift), after + 1, 90)
        return Dated(in_week(today.day, 0, shift), end, _VAGUE, until=in_week(today.day, 6, shift))
    if name == "mes":
        first = plus_months(today.day.replace(day=1), shift)
        return Dated(first, end, _VAGUE, until=month_end(first) if first else None)
    year = today.day.year + shift
    return Dated(day_of(year, 1, 1), end, _VAGUE, until=day_of(year, 12, 31))


def _weekday_after(toks: Tokens, end: int) -> int:
    """Where the weekday of a week stands: la semana pasada el martes, la semana pasada compré el martes."""
    start = end + (word(toks, end) == ",")
    for index in range(start, start + 4):
        if at(toks, index).kind != "word":
            break
        if word(toks, index) == "el" and weekday_of(word(toks, index + 1)) is not None:
            return index + 1
    return start


OPENERS = (
    _TOMORROW
    | _UNITS.keys()
    | _DAYS.keys()
    | {phrase[0] for phrase, _ in _PHRASES}
    | feast_openers()
    | one_of("pasado pasao pasada en in within dentro de hace ase hase ace a an un una finde weekend findesemana")
    | one_of("fin fines final finales end ultimo")
    | _MONTH_SHARES.keys()
)
