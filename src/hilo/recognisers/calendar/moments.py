"""Times of the day that are told without a clock: en media hora, ahora mismo, a la tardecita, a primera hora."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from hilo.recognisers.amounts.lexicon import one_of
from hilo.recognisers.amounts.numerals import read_number
from hilo.recognisers.amounts.tokens import Tokens, follows, word
from hilo.recognisers.found import Found

_UNITS = dict.fromkeys(one_of("hora horas horita horitas h hs hr hrs hour hours"), 60) | dict.fromkeys(
    one_of("minuto minutos minutito minutitos min mins minutes ' ’"), 1
)
_HOUR = 60
_SHARES = {"media": 30, "medio": 30, "cuarto": 15, "half": 30}
_NOW = (("ahora",), ("ahora", "mismo"), ("ahorita",), ("ya",), ("ya", "mismo"), ("right", "now"), ("now",))
_LONGEST = 24 * _HOUR
# What a part of the day spans; the hour in it was not said.
_WINDOWS = (
    (("primera", "hora"), "08:00/10:00"),
    (("ultima", "hora"), "18:00/20:00"),
    (("madrugada",), "00:00/06:00"),
    (("mananita",), "08:00/10:00"),
    (("manana",), "08:00/12:00"),
    (("morning",), "08:00/12:00"),
    (("siesta",), "13:00/16:00"),
    (("tarde",), "13:00/19:00"),
    (("afternoon",), "13:00/19:00"),
    (("tardecita",), "17:00/20:00"),
    (("atardecer",), "18:00/20:00"),
    (("noche",), "20:00/23:00"),
    (("nochecita",), "20:00/22:00"),
    (("evening",), "18:00/22:00"),
)
_BEFORE_A_PART = one_of("la esta a al por de en the this")


def find_moments(toks: Tokens, now: datetime | None, *, asked: bool) -> Iterator[Found]:
    """Times counted from now, and parts of the day as a period "HH:MM/HH:MM"."""
    for index in range(len(toks)):
        ahead = _ahead(toks, index) if now else None
        if now and ahead:
            clock = (now + timedelta(minutes=ahead[0])).strftime("%H:%M")
            yield Found("time", clock, toks[index].start, toks[ahead[1] - 1].end, 80)
        elif window := _window(toks, index):
            yield Found("period", window[0], toks[index].start, toks[window[1] - 1].end, 60)
    if now and asked and tuple(token.text for token in toks if token.kind == "word") in _NOW:
        yield Found("time", now.strftime("%H:%M"), toks[0].start, toks[-1].end, 60)


def _ahead(toks: Tokens, index: int) -> tuple[int, int] | None:
    """Minutes from now and the token after: en una hora, dentro de 20 min, en hora y media, in half an hour."""
    if follows(toks, index, ("dentro", "de")):
        start = index + 2
    elif word(toks, index) in ("en", "in"):
        start = index + 1
    else:
        return None
    minutes, end = _duration(toks, start + (word(toks, start) in ("unos", "unas", "como", "about")))
    return (minutes, end) if 0 < minutes < _LONGEST else None


def _duration(toks: Tokens, index: int) -> tuple[int, int]:
    text = word(toks, index)
    if text in _SHARES:  # media hora, half an hour
        start = index + 1 + (word(toks, index + 1) in ("an", "de"))
        return (_SHARES[text], start + 1) if _UNITS.get(word(toks, start)) == _HOUR else (0, index)
    if follows(toks, index, ("tres", "cuartos", "de", "hora")):
        return 45, index + 4
    if follows(toks, index, ("un", "par", "de")):
        many, end = 2.0, index + 3
    elif text in ("an", "a", *_UNITS):  # an hour; hora y media
        many, end = 1.0, index + (text in ("an", "a"))
    else:
        reading = read_number(toks, index)
        if not reading:
            return 0, index
        many, end = float(reading.value), reading.end
    unit = _UNITS.get(word(toks, end))
    if not unit:
        return 0, index
    share = _SHARES.get(word(toks, end + 2), 0) if unit == _HOUR and word(toks, end + 1) == "y" else 0
    return round(many * unit) + share, end + (3 if share else 1)


def _window(toks: Tokens, index: int) -> tuple[str, int] | None:
    """A la tardecita, por la mañana, a primera hora."""
    if word(toks, index - 1) not in _BEFORE_A_PART:
        return None
    found = next((each for each in _WINDOWS if follows(toks, index, each[0])), None)
    greets = word(toks, index - 1) == "de" and word(toks, index) == "manana"  # el vuelo de mañana
    return (found[1], index + len(found[0])) if found and not greets else None
