"""What time it is somewhere at another moment than now: "si acá son las 3, ¿qué hora es en Madrid?"."""

import re
from dataclasses import dataclass
from datetime import datetime, time, tzinfo

from asistente_places import apart, difference, find_place, places_in
from asistente_words import day_in_words

from hilo import ToolFailed, language

_HERE = re.compile(r"\b(?:aca|aqui|mi hora|mi pais|hora local)\b")
_CLAUSE = re.compile(r"[,;?]|\b(?:cuando|si|y|que hora|a que hora)\b")
_SUPPOSES = re.compile(r"\b(?:cuando|si)\b.*\d")
_WILL_BE = re.compile(r"\b(?:sean|sea|ser[aá]n|fueran|den) (?=las? \d)", re.IGNORECASE)
_ROUND = re.compile(r"\b(?:al reves|a la inversa|viceversa)\b")
_APART = re.compile(r"\bdiferencia\b|\bcuantas horas\b")
_THERE = re.compile(r"\b(?:alla|alli|ahi)\b")
NO_PLACE = "¿De qué ciudad? Prueba con algo como «si aquí son las 3, qué hora es en Madrid»."


@dataclass(frozen=True, slots=True)
class _Named:
    """A place that a text names, and where: "" is where the contact is."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a text asks: the hour in `source` that is compared, if any, and the other places that it names."""

    hour: str
    source: _Named | None
    others: tuple[str, ...]


def told_of_two(words: str, now: datetime, home: str, before: str = "") -> str:
    """The hour of one place when it is another in the other, or how far they are apart; asks for a place it lacks.

    What the words do not say is as it was `before`: "¿y en Lima?", "¿y si acá son las 9?", "al revés".
    """
    asked, is_turned = _asked(words, now), _ROUND.search(language.fold(words)) is not None
    if not (asked.hour or asked.others or is_turned):
        raise ToolFailed("nothing new", tell=NO_PLACE)
    for line in reversed(before.splitlines()) if not _APART.search(language.fold(words)) else ():
        asked = _with(asked, _asked(line, now))
    source = asked.source.name if asked.source else ""
    others = [name for name in asked.others if name != source] or ([""] if source else [])
    if not source and not any(others):
        raise ToolFailed("no other place", tell=NO_PLACE)
    if is_turned or (_THERE.search(language.fold(words)) and not source):
        source, others = others[0], [source]
    if not asked.hour:
        return _difference(others, now, home)
    return _told(asked.hour, source, others[0], now, home)


def _asked(words: str, now: datetime) -> _Asked:
    said = language.normalise(_WILL_BE.sub("a ", words))
    times = [each for each in language.find_times(said, now=now) if "/" not in str(each.value)]
    named = [_Named("", *found.span()) for found in _HERE.finditer(said.folded)]
    places = [_Named(name, start, end) for name, start, end in places_in(said.folded)]
    told = [said.folded[: each.start] for each in places]
    # "aquí en Lima" is Lima
    named = [each for each in named if f"{said.folded[: each.end]} en " not in told] + places
    hour = times[0] if len(times) == 1 else None
    source = _place_of_hour(said.folded, hour.start, hour.end, named) if hour else None
    others = tuple(each.name for each in named if each is not source)
    return _Asked(str(hour.value) if hour else "", source, others)


def _with(asked: _Asked, earlier: _Asked) -> _Asked:
    """What is asked now, with what was said earlier where it says nothing."""
    if not asked.hour:
        return _Asked(earlier.hour, earlier.source, asked.others or earlier.others)
    sources = (earlier.source.name if earlier.source else "",)
    return asked if asked.others else _Asked(asked.hour, asked.source, (*earlier.others, *sources))


def supposes(text: str) -> bool:
    """Whether words about a place suppose an hour: "París cuando acá sean las 18"."""
    return _SUPPOSES.search(language.fold(text)) is not None


def _difference(named: list[str], now: datetime, home: str) -> str:
    """The hour of each place now, and how many hours lie between the last two; ours is one of them."""
    first, second = ("", *named)[-2:]
    (name, zone), (other, other_zone) = _zone(first, now, home), _zone(second, now, home)
    here, there = now.astimezone(zone), now.astimezone(other_zone)
    ours = f"En {name} {_clock(here)} y en" if first else "En"
    return f"{ours} {other} {_clock(there)}: {apart(difference(there, here), name)}."


def _place_of_hour(text: str, start: int, end: int, named: list[_Named]) -> _Named | None:
    """The place in whose words the hour stands: the nearest in the same clause; none is where the contact is."""
    ends = [found.start() for found in _CLAUSE.finditer(text, end)]
    begins = [found.start() for found in _CLAUSE.finditer(text, 0, start)]
    first, last = max(begins, default=0), min(ends, default=len(text))
    beside = [each for each in named if first <= each.start and each.end <= last]
    return min(beside, key=lambda each: min(abs(each.start - end), abs(start - each.end)), default=None)


def _told(hour: str, source: str, there: str, now: datetime, home: str) -> str:
    name, zone = _zone(source, now, home)
    other, other_zone = _zone(there, now, home)
    if zone == other_zone:
        return f"En {name} y en {other} es la misma hora." if name != other else ""
    moment = datetime.combine(now.astimezone(zone).date(), time.fromisoformat(hour), tzinfo=zone)
    then = moment.astimezone(other_zone)
    day = "" if then.date() == moment.date() else f" del {day_in_words(then.date())}"
    return f"Cuando en {name} {_clock(moment)}, en {other} {_clock(then)}{day}."


def _clock(moment: datetime) -> str:
    return f"{'es la' if moment.hour == 1 else 'son las'} {moment:%H:%M}"


def _zone(name: str, now: datetime, home: str) -> tuple[str, tzinfo | None]:
    return find_place(name) if name else (home, now.tzinfo)
