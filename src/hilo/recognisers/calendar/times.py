"""Find times of the day as HH:MM: a las 5, 17hs, 5 y media, seis menos cuarto, half past six.

An hour from 1 to 7 without a hint (de la mañana, pm, a leading zero) is taken for the afternoon, as businesses and
dinners have it, with a lower confidence; 8 to 12 are taken as said.
"""

from datetime import datetime
from typing import NamedTuple

from hilo.recognisers.amounts.lexicon import ONES, TENS, numeral, one_of
from hilo.recognisers.amounts.tokens import Token, Tokens, at, follows, glued_before, tokens, touches, word
from hilo.recognisers.calendar.day_parts import hint_elsewhere, hinted, meridiem, part_of_day
from hilo.recognisers.calendar.moments import find_moments
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text

_HOURS_A_DAY, _MINUTES, _NOON = 24, 60, 12
_NIGHT = 6  # from here on "de la noche" is the evening
_DAYTIME, _HARDLY = 7, 2  # when a day begins; hours that hardly move something
_COUNTED, _GUESSED, _SAID, _SURE = 50, 70, 85, 95
_AT = (Token("a", -9, -9, "word"), Token("las", -6, -6, "word"))
_LEAD_IN = one_of(
    "a de desde entre tipo como para si dale ok bueno mejor puede podria ser seria eso hola y pa sobre no uy ay ah "
    "perdon digo , . : - ¿ ¡"
)
_RATHER = frozenset({"mejor", "sino"})
_PREFIXES = one_of(
    "a de para desde hasta tipo sobre entre como antes despues pasadas eso son pa x por y o at by around until after"
)
_DIRECT = frozenset(("tipo", "at", "around", "until", "since", "after"))
_DURATION_BEFORE = one_of(
    "en cada dentro hace por durante unas como tarda demora faltan son dura las in for every about abierto"
)
_NOT_COUNTED = one_of(
    "de del a al en por para o y hs me te nos si no que el la hoy manana pasado estoy puedo podria esta va voy llego "
    "puede pueden vamos paso gracias aprox mas mejor se le lo es dale porfa salgo tengo hasta quiero tipo i on "
    "tomorrow u pero con estaria seria esta bien perfecto genial joya pico algo nomas mas"
)
_OPENING = one_of(
    "horario horarios hora abren abre atienden atiende abierto turno open lunes viernes sabado sabados domingo"
)
_POINTS = str.maketrans(",'’", "...")
_SUFFIXES = frozenset(("h", "hs", "hrs", "hr", "horas", "hora"))
_QUARTERS = {"media": 30, "medio": 30, "cuarto": 15, "quarter": 15}


class ClockTime(NamedTuple):
    """An hour and minute as said, the tokens they span and what part of the day was said with them."""

    hour: int
    minute: int
    first: int
    end: int
    confidence: int
    hint: str = ""
    nominal: int = 0  # the hour that was named when the time is some minutes before it


def find_times(text: Text, *, now: datetime | None = None, asked: bool = False, near: str = "") -> tuple[Found, ...]:
    """Times of a message in 24 hours; in an answer to the question for one, a bare number may be an hour.

    What is said without a part of the day is the hour that is less far from the time `near`, which it puts right.
    """
    toks = tokens(text.folded)
    clocks = _clocks(toks)
    if asked:
        toks = _as_an_answer(toks, after=_RATHER if clocks else None)
        clocks = [clock for clock in _clocks(toks) if clocks or clock.confidence > _COUNTED]
    if not clocks:
        return tuple(find_moments(toks, now, asked=asked))
    hint = hint_elsewhere(toks)
    found: list[Found] = []
    for position, clock in enumerate(clocks):
        told = clock.hint or _later_hint(clocks, position)
        if not any(later.hint for later in clocks[position + 1 :]):
            told = told or hint  # "a las 8 y a las 4 de la tarde": the part of the day is only that of the 4
        before = clocks[position - 1] if position else None
        if not told and before and _range_end(toks, clock, before) and str(found[-1].value) >= f"{_NOON}":
            told = "pm"  # de 7 a 9: both in the evening
        found.append(_found(toks, clock, told, near))
    return tuple(found)


def _clocks(toks: Tokens) -> list[ClockTime]:
    clocks: list[ClockTime] = []
    index = 0
    while index < len(toks):
        clock = _clock_at(toks, index, clocks[-1] if clocks else None)
        if clock:
            clocks.append(clock)
        index = clock.end if clock else index + 1
    return clocks


def _as_an_answer(toks: Tokens, after: frozenset[str] | None = None) -> Tokens:
    """The tokens with "a las" before a number that a part of the answer begins with: 15.40, quince treinta, "5 no, 6".

    Where an hour is told, only `after` words that put it right: "a las 9 no llego, mejor 10".
    """
    said: Tokens = ()
    begins, is_led = True, after is None
    for index, token in enumerate(toks):
        is_number = token.kind == "digits" or bool(numeral(token.text))
        said += (*_AT, token) if begins and is_led and is_number else (token,)
        is_led = is_led or (after is not None and token.text in after)
        begins = _ends_part(toks, index) or (begins and not is_number and token.text in _LEAD_IN)
    return said


def _ends_part(toks: Tokens, index: int) -> bool:
    """Whether a comma or a full stop that is no part of a number stands here, and what follows puts the hour right."""
    token, after = toks[index], at(toks, index + 1)
    return token.kind == "mark" and token.text != ":" and after.start > token.end


def _later_hint(clocks: list[ClockTime], position: int) -> str:
    """In "de 3 a 5 de la tarde" the last hint serves the hour before it."""
    following = clocks[position + 1] if position + 1 < len(clocks) else None
    near = following and following.first - clocks[position].end <= 3  # noqa: PLR2004
    if not following or not near or following.hour < clocks[position].hour:
        return ""
    is_too_early = following.hint == "night" and clocks[position].hour < _NIGHT  # "a las 4 y a las 9 de la noche"
    return "" if is_too_early and following.hour >= _NIGHT else following.hint


def _found(toks: Tokens, clock: ClockTime, hint: str, near: str) -> Found:
    hour, sure = _in_24(toks[clock.first : clock.end], clock, hint)
    if near and not sure and hour != _NOON:
        hour = _nearest(hour % _NOON, clock.minute, near)
    confidence = clock.confidence if sure else min(clock.confidence, _GUESSED)
    value = f"{hour % _HOURS_A_DAY:02}:{clock.minute:02}"
    return Found("time", value, toks[clock.first].start, toks[clock.end - 1].end, confidence)


def _in_24(said: Tokens, clock: ClockTime, hint: str) -> tuple[int, bool]:
    """The hour of 24 and whether it is certain."""
    hour = clock.hour
    if hour > _NOON or hour == 0:
        return hour, True
    if hint:
        return hinted(hour, hint), True
    if len(said[0].text) > 1 and said[0].text[0] == "0":
        return hour, True
    afternoon = (clock.nominal or hour) <= 7 and hour != _NOON  # noqa: PLR2004
    return (hour + _NOON, False) if afternoon else (hour, hour == _NOON)


def _nearest(hour: int, minute: int, near: str) -> int:
    """The hour of 24 that is less far from a time, be it early or late; at night only what is hardly moved."""
    base = int(near[:2]) * _MINUTES + int(near[3:5])
    early, late = (abs(each * _MINUTES + minute - base) for each in (hour, hour + _NOON))
    is_night = hour < _DAYTIME and early > _HARDLY * _MINUTES
    return hour + _NOON if is_night or late < early else hour


def _clock_at(toks: Tokens, index: int, before: ClockTime | None) -> ClockTime | None:
    token = toks[index]
    if token.kind == "mark":
        return None
    named = _named(toks, index) or _before_the_hour(toks, index) or _half_past(toks, index)
    if named:
        return named
    hour = _hour(toks, index)
    return _judged(toks, hour, before) if hour else None


def _named(toks: Tokens, index: int) -> ClockTime | None:
    """Mediodía, medianoche, noon; "12 del mediodía" is read with its number."""
    text, before = word(toks, index), word(toks, index - 1)
    if before == "del" and at(toks, index - 2).kind != "mark" and _hour(toks, index - 2):
        return None
    if text in ("mediodia", "noon", "midday"):
        return ClockTime(12, 0, index, index + 1, 80)
    if text in ("medianoche", "midnight"):
        return ClockTime(0, 0, index, index + 1, 90)
    if text == "medio" and word(toks, index + 1) == "dia" and (before in ("al", "a", "del", "el") or len(toks) == 2):  # noqa: PLR2004
        return ClockTime(12, 0, index, index + 2, 80)
    if text == "media" and word(toks, index + 1) == "noche":
        return ClockTime(0, 0, index, index + 2, 90)
    return None


def _before_the_hour(toks: Tokens, index: int) -> ClockTime | None:
    """Cuarto para las 6, diez pa las cinco, un cuarto para la una."""
    start = index + (word(toks, index) == "un" and word(toks, index + 1) == "cuarto")
    minutes, end = _count(toks, start)
    if (
        not 0 < minutes < _MINUTES // 2 + 1
        or word(toks, end) not in ("para", "pa")
        or word(toks, end + 1) not in ("la", "las")
    ):
        return None
    if minutes % 5 and word(toks, index - 1) not in ("faltan", "son"):
        return None
    hour = _hour(toks, end + 2)
    if not hour or hour.minute or not hour.hour:
        return None
    return _minutes_before(hour, minutes)._replace(first=index)


def _minutes_before(clock: ClockTime, minutes: int) -> ClockTime:
    hour = clock.hour - 1 or _NOON
    return clock._replace(hour=hour, minute=_MINUTES - minutes, confidence=_SURE, nominal=clock.hour)


def _count(toks: Tokens, index: int) -> tuple[int, int]:
    """Minutes said as a number or a quarter, and the token after; -1 when none."""
    if word(toks, index) in _QUARTERS:
        return _QUARTERS[word(toks, index)], index + 1
    if at(toks, index).kind == "digits":
        text = word(toks, index)
        return (int(text), index + 1) if text.isdecimal() and len(text) <= 2 else (-1, index)  # noqa: PLR2004
    reading = _plain_number(toks, index)
    return reading or (-1, index)


def _half_past(toks: Tokens, index: int) -> ClockTime | None:
    """Half past six, quarter to five, ten past two."""
    start = index + (word(toks, index) == "a" and word(toks, index + 1) == "quarter")
    minutes, end = (30, start + 1) if word(toks, start) == "half" else _count(toks, start)
    if minutes < 1 or word(toks, end) not in ("past", "to", "till"):
        return None
    hour = _hour(toks, end + 1)
    if not hour or not 1 <= hour.hour <= _NOON or (word(toks, end) == "to" and minutes % 5):
        return None
    if word(toks, end) == "past":
        return ClockTime(hour.hour, minutes, index, hour.end, _SURE, hour.hint)
    if word(toks, start) not in ("quarter", "half") and not hour.hint and at(toks, start).kind == "digits":
        return None
    return _minutes_before(hour, minutes)._replace(first=index)


def _hour(toks: Tokens, index: int) -> ClockTime | None:
    """An hour with its minutes and hint, whatever stands before; confidence 0 when nothing but the number says so."""
    bare = _digit_hour(toks, index) if at(toks, index).kind == "digits" else _word_hour(toks, index)
    if not bare:
        return None
    clock = _with_minutes(toks, bare)
    return _with_suffix(toks, clock)


def _digit_hour(toks: Tokens, index: int) -> ClockTime | None:
    text = word(toks, index)
    if glued_before(toks, index) or len(text) > 5:  # noqa: PLR2004
        return None
    if text.isdecimal() and len(text) <= 2:  # noqa: PLR2004
        return ClockTime(int(text), 0, index, index + 1, 0) if int(text) <= _HOURS_A_DAY else None
    return _compact(toks, index, text)


def _compact(toks: Tokens, index: int, text: str) -> ClockTime | None:
    """17.30 and 1730 are hours only before "hs" or after "a las"."""
    cued = word(toks, index - 1) in ("las", "la") or word(toks, index + 1) in _SUFFIXES or meridiem(toks, index + 1)[0]
    hour, _, minute = (text[:-2], "", text[-2:]) if text.isdecimal() else text.translate(_POINTS).partition(".")
    if not cued or not (hour.isdecimal() and minute.isdecimal()) or len(hour) > 2 or len(minute) != 2:  # noqa: PLR2004
        return None
    if int(hour) >= _HOURS_A_DAY or int(minute) >= _MINUTES:
        return None
    return ClockTime(int(hour), int(minute), index, index + 1, _SAID)


def _word_hour(toks: Tokens, index: int) -> ClockTime | None:
    text = word(toks, index)
    if text in ("un", "um", "uma") or not numeral(text):
        return None
    plain = _plain_number(toks, index)
    if not plain or plain[0] > _HOURS_A_DAY:
        return None
    return ClockTime(plain[0], 0, index, plain[1], 0)


def _plain_number(toks: Tokens, index: int) -> tuple[int, int] | None:
    """A number in words below 60 without the fraction that "y media" would make of it."""
    first = numeral(word(toks, index))
    if not first or first.value >= _MINUTES:
        return None
    if first.rank != TENS:
        return first.value, index + 1
    unit = (
        numeral(word(toks, index + 2)) if word(toks, index + 1) in ("y", "i", "-") else numeral(word(toks, index + 1))
    )
    skipped = 2 if word(toks, index + 1) in ("y", "i", "-") else 1
    if unit and unit.rank == 1 and unit.value:
        return first.value + unit.value, index + skipped + 1
    return first.value, index + 1


def _with_minutes(toks: Tokens, clock: ClockTime) -> ClockTime:
    """5:30, 17h30, 5 y media, 6 menos cuarto, cinco treinta, a las 17 30."""
    following, end = word(toks, clock.end), clock.end
    if following in (":", "h") and touches(toks, end) and touches(toks, end + 1) and _two_digits(toks, end + 1):
        clock = clock._replace(minute=int(word(toks, end + 1)), end=end + 2, confidence=_SURE)
        seconds = word(toks, clock.end) == ":" and _two_digits(toks, clock.end + 1)
        return clock._replace(end=clock.end + 2) if seconds else clock
    if following in ("y", "i", "con", "e") and clock.hour:
        return _and_minutes(toks, clock)
    if following == "menos" and clock.hour:
        minutes, after = _count(toks, end + 1)
        good = 0 < minutes <= _MINUTES // 2
        return _minutes_before(clock, minutes)._replace(end=after) if good else clock
    return _spoken_minutes(toks, clock)


def _and_minutes(toks: Tokens, clock: ClockTime) -> ClockTime:
    """Y media, y cuarto, y veinte; "las 5 y 6" is two hours."""
    start = clock.end + 1
    minutes, after = _count(toks, start)
    ranged = word(toks, clock.first - 2) == "entre"
    if word(toks, start) in ("media", "cuarto"):
        counted = (
            follows(toks, after, ("docena",)) or follows(toks, after, ("hora",)) or follows(toks, after, ("de", "kilo"))
        )
        return clock if counted else clock._replace(minute=minutes, end=after, confidence=_GUESSED - 10)
    prefixed = word(toks, clock.first - 1) in ("las", "la") or part_of_day(toks, after)[0] or meridiem(toks, after)[0]
    if ranged or not prefixed or not 0 < minutes < _MINUTES or minutes % 5:
        return clock
    return clock._replace(minute=minutes, end=after)


def _spoken_minutes(toks: Tokens, clock: ClockTime) -> ClockTime:
    """A las cinco treinta, a las 17 30."""
    if word(toks, clock.first - 1) not in ("las", "la", "at"):
        return clock
    if at(toks, clock.end).kind == "digits" and _two_digits(toks, clock.end) and not touches(toks, clock.end + 1):
        return clock._replace(minute=int(word(toks, clock.end)), end=clock.end + 1)
    found = _plain_number(toks, clock.end)
    if found and 10 <= found[0] < _MINUTES and word(toks, clock.end) not in ONES:  # noqa: PLR2004
        return clock._replace(minute=found[0], end=found[1])
    return clock


def _two_digits(toks: Tokens, index: int) -> bool:
    text = word(toks, index)
    return text.isdecimal() and len(text) == 2 and int(text) < _MINUTES  # noqa: PLR2004


def _with_suffix(toks: Tokens, clock: ClockTime) -> ClockTime | None:
    """Hs, am, pm, en punto, o'clock, de la tarde, del mediodía, a la noche."""
    end, confidence = clock.end, clock.confidence
    if word(toks, end) in _SUFFIXES:
        duration = word(toks, end) in ("horas", "hora") and clock.hour <= _NOON
        confidence, end = max(confidence, 0 if duration else 80), end + 1
        end += word(toks, end) == "."
    if follows(toks, end, ("en", "punto")):
        confidence, end = _SURE, end + 2
    elif follows(toks, end, ("o", "'", "clock")) or follows(toks, end, ("o", "’", "clock")):
        confidence, end = _SURE, end + 3
    elif word(toks, end) == "oclock" or follows(toks, end, ("o", "clock")):
        confidence, end = _SURE, end + 1 + (word(toks, end) == "o")
    hint, after = meridiem(toks, end)
    if not hint:
        hint, after = part_of_day(toks, end)
    if hint and clock.hour <= _NOON:
        return clock._replace(end=after, confidence=_SURE, hint=hint)
    return clock._replace(end=after if hint else end, confidence=confidence)


def _judged(toks: Tokens, clock: ClockTime, before: ClockTime | None) -> ClockTime | None:
    """Whether an hour is one, by what stands around it."""
    if clock.hour > _HOURS_A_DAY - 1 and clock.hint == "" and clock.hour != 0:
        return None
    confidence = max(
        clock.confidence, _prefixed(toks, clock), _range_end(toks, clock, before), _range_start(toks, clock)
    )
    suffix = word(toks, clock.end - 1) in _SUFFIXES or word(toks, clock.end - 2) in _SUFFIXES
    if suffix and _prefixed(toks, clock) == 0 and _lasts(toks, clock.first):
        return None
    if clock.minute == 30 and clock.confidence == _GUESSED - 10 and word(toks, clock.first - 1) in ("kilo", "litro"):  # noqa: PLR2004
        return None
    return clock._replace(confidence=confidence) if confidence else None


def _lasts(toks: Tokens, index: int) -> bool:
    """Cada 8 hs, dentro de 5 hs: how long, not when."""
    return word(toks, index - 1) in _DURATION_BEFORE or follows(toks, index - 2, ("dentro", "de"))


def _prefixed(toks: Tokens, clock: ClockTime) -> int:
    """A las 5, tipo 5, at 5; "las 5 cajas" are boxes."""
    before = word(toks, clock.first - 1)
    if before in ("hoy", "manana", "tomorrow"):
        return _GUESSED if _is_after_a_day(toks, clock) else 0
    if before in _DIRECT and at(toks, clock.end).kind != "word":
        return _SAID
    if before in ("tipo", "alas"):
        return _SAID
    if before not in ("las", "la", "ls") or (before == "la" and clock.hour != 1):
        return 0
    earlier = word(toks, clock.first - 2)
    if before == "la" and (
        earlier not in ("a", "para", "tipo", "hasta", "desde", "es") or _counts(at(toks, clock.end))
    ):
        return 0
    if earlier in _PREFIXES:
        return _SAID if not _counts(at(toks, clock.end)) else _COUNTED
    return 75 if clock.first == 1 and not _counts(at(toks, clock.end)) else 0


def _is_after_a_day(toks: Tokens, clock: ClockTime) -> bool:
    """Mañana 10 llamar a Ana, hoy 15: an hour; "mañana 10 cajas" and "a la mañana 10" count something."""
    following = at(toks, clock.end)
    is_deed = following.kind == "word" and len(following.text) > 3 and following.text.endswith(("ar", "er", "ir"))  # noqa: PLR2004
    return (clock.end >= len(toks) or is_deed) and word(toks, clock.first - 2) not in ("la", "de", "las")


def _counts(token: Token) -> bool:
    """Whether a noun follows, which the number then counts."""
    return token.kind == "word" and token.text not in _NOT_COUNTED


def _range_end(toks: Tokens, clock: ClockTime, before: ClockTime | None) -> int:
    """The 6 of "entre las 5 y 6" and the 18 of "de 9 a 18"."""
    joiner = clock.first - 1 - (word(toks, clock.first - 1) in ("las", "la"))
    joined = word(toks, joiner) in ("y", "a", "o", "u", "-", "hasta", "to", "and", "or")
    if not before or not joined or before.end != joiner or _counts(at(toks, clock.end)):
        return 0
    return _GUESSED


def _range_start(toks: Tokens, clock: ClockTime) -> int:
    """The 9 of "de 9 a 18 hs": an hour because the other one is."""
    if (
        word(toks, clock.end) not in ("a", "-", "o", "y", "to", "and")
        or clock.confidence
        or word(toks, clock.first - 1) in ("las", "la")
    ):
        return 0
    other = _hour(toks, clock.end + 1)
    if not other or other.hour > _HOURS_A_DAY or not (other.confidence or _opening_hours(toks, clock, other)):
        return 0
    if word(toks, clock.end) in ("y", "and") and word(toks, clock.first - 1) not in ("entre", "between"):
        return 0
    return _GUESSED


def _opening_hours(toks: Tokens, first: ClockTime, last: ClockTime) -> bool:
    """De 9 a 18, where the message speaks of opening or of weekdays."""
    if word(toks, first.first - 1) not in ("de", "from") or _counts(at(toks, last.end)) or first.hour >= last.hour:
        return False
    return any(token.text in _OPENING for token in toks)
