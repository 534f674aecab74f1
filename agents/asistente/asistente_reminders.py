"""Reminders: when a contact wants to be told something, and what. The agent's timer hangs on the next one."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from asistente_notes import KEPT, MAX_CHARACTERS
from asistente_words import day_in_words

from hilo import AskContact, ToolFailed, language, tables

MAX_REMINDERS = 50
MOST_HOURS = 4  # what a larger number counts, after which something shall be told, are minutes
MORNING = time(9)  # when a day is said and no hour
DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
WHEN = "¿Cuándo te aviso? Dime el día y la hora, por ejemplo «mañana a las 9»."

_LEAD_IN = re.compile(
    r"^(?:(?:y|e|ok|bueno|dale|listo|entonces|por favor|porfa|che|después|despues|luego|también|tambien)[\s,]+)*"
    r"(?:(?:me\s+)?(?:pod[eé]s|puedes|podr[ií]as|quiero que|necesito que)\s+)?"
    r"(?:me\s+)?(?:recu[eé]rd[ae](?:me)?|record[aá](?:r?me)?|av[ií]s[ae](?:me)?|avis[aá](?:r?me)?"
    r"|(?:hac[eé]|haz|h[aá]z)me acordar|agend[aá](?:me)?|remind me)\b"
    r"(?:\s*(?:de|que|lo de|to|también|tambien)\b)*[\s,:]*",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"(?:(?:^|\s+)(?:para|el|la|las|los|a|al|del|d[ií]a|este|esta))+\s*$", re.IGNORECASE
)  # a las 9, para el lunes
_DAILY = re.compile(
    r"\b(?:todos los d[ií]as|cada d[ií]a|a diario|diariamente|todas las (?:mañanas|tardes|noches)|every day)\b",
    re.IGNORECASE,
)
_WEEKLY = re.compile(
    r"\b(?:todos los|todas las|cada|los|every)\s+"
    r"(?=(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bados?|domingos?)\b)",
    re.IGNORECASE,
)
_NEXT_ONE = re.compile(
    r",?\s+y\s+(?=(?:hoy|mañana|pasado|a las?\s+\d|en\s+\d|"
    r"el\s+(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)))",
    re.IGNORECASE,
)  # … y mañana a las 9 ir al banco
_LONG = re.compile(r"\w{4,}")
_PLACES = {"primer": 0, "segund": 1, "tercer": 2, "ultim": -1}
_IN_MINUTES = re.compile(r"\ben (\d{1,3})(?=[\s.!]*$)", re.IGNORECASE)  # mejor en 20
_EDGES = re.compile(r"^(?:que|de|to|a|tengo que)\s+|^[\s,.:;]+|[\s,.:;]+$|\s+(?:a|el|para|y)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wish:
    """What to tell, and when; without a moment where none was said."""

    body: str
    due: datetime | None
    every: timedelta = timedelta(0)  # from one time to the next, where it is told again and again


def read_wishes(text: str, when: str, now: datetime) -> list[Wish]:
    """All that a text asks to be told: "a las 20 llamar a Juan y mañana a las 9 ir al banco" are two."""
    parts = _NEXT_ONE.split(text) if not when.strip() else [text]
    moments = [_due(language.normalise(part), now) for part in parts]
    wishes = [read_wish(part, "", now) for part in parts] if all(moments) and len(parts) > 1 else []
    return wishes or [read_wish(text, when, now)]


def read_wish(text: str, when: str, now: datetime) -> Wish:
    """A reminder in the contact's words: "recuérdame mañana a las 9 llamar al contador"."""
    every, text = _every(" ".join(text.split()))
    often, when = _every(when)
    said = language.normalise(text)
    spans = [said.span(each.start, each.end) for each in _moments(said, now)]
    body = said.raw
    for start, end in sorted(spans, reverse=True):
        body = f"{_LEADS.sub(' ', body[:start])} {body[end:]}"
    body = _trimmed(_LEAD_IN.sub("", " ".join(body.split())))
    due = _due(said, now) or (_due(language.normalise(when), now) if when.strip() else None)
    if not body:
        raise AskContact("text", question="¿Qué quieres que te recuerde?")
    if len(body) > MAX_CHARACTERS:
        raise ToolFailed("a long reminder", tell=f"Es demasiado largo: caben {MAX_CHARACTERS} caracteres.")
    return Wish(body, due, every or often)


def _every(text: str) -> tuple[timedelta, str]:
    """How often a text says, and the text with the first day of it instead: "todos los lunes" is Monday, each week."""
    if _DAILY.search(text):
        return DAY, " ".join(_DAILY.sub(" ", text).split())
    if _WEEKLY.search(text):
        return WEEK, re.sub(r"(?i)\b(s[aá]bado|domingo)s\b", r"\1", _WEEKLY.sub("el ", text))
    return timedelta(0), text


def _moments(said: language.Text, now: datetime) -> list[language.Found]:
    dates, times = language.find_dates(said, now=now), language.find_times(said, now=now)
    return [*dates[:1], *times[:1]]


def _due(said: language.Text, now: datetime) -> datetime | None:
    """The moment that is said; a day alone is its morning, an hour alone the next time that the clock shows it."""
    dates, times = language.find_dates(said, now=now), language.find_times(said, now=now)
    if not dates and not times:
        return None
    hour = time.fromisoformat(str(times[0].value)) if times else MORNING
    day = date.fromisoformat(str(dates[0].value)) if dates else now.date()
    due = datetime.combine(day, hour, tzinfo=now.tzinfo)
    if due <= now and not dates:
        due = datetime.combine(day + timedelta(days=1), hour, tzinfo=now.tzinfo)
    return due


def _trimmed(text: str) -> str:
    while (shorter := _EDGES.sub("", text)) != text:
        text = shorter
    return text


def moment(due: datetime, every: timedelta = timedelta(0)) -> str:
    """El viernes 20 de marzo a las 9:00; todos los días a las 9:00."""
    day = f"el {day_in_words(due.date())}"
    if every == DAY:
        day = "todos los días"
    elif every == WEEK:
        day = f"cada semana desde {day}"
    return f"{day} a las {due.hour}:{due.minute:02d}"


# --- transactions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Next:
    """What is to be told next, and when."""

    body: str
    due: datetime
    every: timedelta = timedelta(0)


def add(wish: Wish, call: str, *, now: datetime) -> tables.Script[list[Next]]:
    """Promise to tell something, once per call; all that is promised then."""
    assert wish.due is not None  # noqa: S101 -- whoever promises knows when
    yield from tables.execute("forget_reminders", before=tables.micros(now - KEPT))
    if len((yield from coming(now))) >= MAX_REMINDERS:
        raise ToolFailed("too many reminders", tell=f"Ya tienes {MAX_REMINDERS} recordatorios.")
    yield from tables.execute(
        "add_reminder",
        call=call,
        body=wish.body,
        due=tables.micros(wish.due),
        every=wish.every.days,
        made=tables.micros(now),
    )
    return (yield from coming(now))


def coming(now: datetime) -> tables.Script[list[Next]]:
    """What is still to be told, the next one first."""
    rows = yield from tables.execute("reminders")
    return [_next(row, now) for row in rows]


def _next(row: tables.Row, now: datetime) -> Next:
    return Next(row["body"], _at(row["due_at"], now), timedelta(days=row["every_days"]))


def move(when: str, *, now: datetime) -> tables.Script[tuple[Next | None, list[Next]]]:
    """Another moment for what was promised last; what is not said of it, the day or the hour, stays."""
    rows: list[tables.Row] = yield from tables.execute("last_reminder")
    said = language.normalise(_IN_MINUTES.sub(_with_unit, when))
    dates, times = language.find_dates(said, now=now), language.find_times(said, now=now, asked=True)
    if not rows or not (dates or times):
        return None, (yield from coming(now))
    before = _at(rows[0]["due_at"], now)
    day = date.fromisoformat(str(dates[0].value)) if dates else before.date()
    hour = time.fromisoformat(str(times[0].value)) if times else before.time()
    due = datetime.combine(day, hour, tzinfo=now.tzinfo)
    if due <= now:
        raise ToolFailed("it has passed", tell=f"Para {moment(due)} ya es tarde. Dime otro momento.")
    yield from tables.execute("move_reminder", call=rows[0]["call_id"], due=tables.micros(due))
    moved = Next(rows[0]["body"], due, timedelta(days=rows[0]["every_days"]))
    return moved, (yield from coming(now))


def _with_unit(said: re.Match[str]) -> str:
    """En 20 are minutes, en 3 hours."""
    return f"{said[0]} {'horas' if int(said[1]) <= MOST_HOURS else 'minutos'}"


def tell(*, now: datetime) -> tables.Script[tuple[list[str], list[Next]]]:
    """What is due, from now on told; and what comes after it."""
    rows: list[tables.Row] = yield from tables.execute("told_reminders", at=tables.micros(now))
    for row in rows:
        if row["every_days"]:
            due = _at(row["due_at"], now)
            while due <= now:
                due += timedelta(days=row["every_days"])
            yield from tables.execute("move_reminder", call=row["call_id"], due=tables.micros(due))
        else:
            yield from tables.execute("end_reminder", call=row["call_id"], at=tables.micros(now))
    return [str(row["body"]) for row in rows], (yield from coming(now))


def drop(which: str, *, now: datetime) -> tables.Script[tuple[list[Next], list[Next]]]:
    """Take back reminders: all, the one whose words are said, or the only one; those that went, and the rest."""
    rows: list[tables.Row] = yield from tables.execute("reminders")
    meant = _meant(which, rows)
    for row in meant:
        yield from tables.execute("end_reminder", call=row["call_id"], at=tables.micros(now))
    gone = [_next(row, now) for row in meant]
    return gone, (yield from coming(now))


def names_one(which: str, *, now: datetime) -> tables.Script[bool]:
    """Whether what somebody wants to delete is a reminder by its words."""
    return any(_is_named(which, each.body) for each in (yield from coming(now)))


def _is_named(which: str, body: str) -> bool:
    return bool(set(_LONG.findall(language.fold(which))) & set(_LONG.findall(language.fold(body))))


def _meant(which: str, rows: list[tables.Row]) -> list[tables.Row]:
    said = language.fold(which)
    if re.search(r"\btod[oa]s?\b", said) or len(rows) == 1:
        return rows
    place = next((place for word, place in _PLACES.items() if re.search(rf"\b{word}", said)), None)
    if place is not None and place < len(rows):
        return [rows[place]]
    named = [row for row in rows if _is_named(which, row["body"])]
    if len(named) == 1 or not rows:
        return named
    options = [str(row["body"])[:60] for row in rows[:10]]
    raise AskContact("which", options, "¿Cuál de tus recordatorios?")


def _at(microseconds: int, now: datetime) -> datetime:
    return datetime.fromtimestamp(microseconds / 1_000_000, tz=UTC).astimezone(now.tzinfo)
