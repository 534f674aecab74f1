"""Reminders: when a contact wants to be told something, and what. The agent's timer hangs on the next one."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from asistente_moments import hours_of
from asistente_notes import KEPT
from asistente_undo import WANTED_BACK, forget_texts, next_stamp
from asistente_wishes import DAY, EVENING, MORNING, WEEK, Wish, is_ahead, moved, read_every, read_one, told_instead
from asistente_words import WEEKDAYS, day_in_words

from hilo import AskContact, ToolFailed, language, tables

MAX_REMINDERS = 50
_LONG = re.compile(r"\w{3,}")
_SMALL = frozenset(
    ("los", "las", "del", "que", "una", "uno", "con", "por", "mis", "para", "este", "esta", "ese", "esa", "aviso")
)
_ABOUT = re.compile(
    r"\b(?:lo|el|la|aviso|recordatorio|alarma) de(?:l| la| los| las)? "
    r"(?!l[ao]s\b|aviso|recordatorio|alarma)([^\W\d_]{3,})"
)  # lo del dentista
NOON, NIGHT = 12, 20
BOTH = 2
_BEFORE_WHAT = re.compile(r"\bantes del? ((?:(?!avis|record|recuerd|acord|acuerd)\w+ ?)+)")
_ALL_BUT = re.compile(r"\b(?:menos|excepto|salvo|pero no)\b")
TWELVE_HOURS = 12 * 3600 * 1_000_000  # in microseconds
_BESIDE = frozenset(("el", "la", "lo", "los", "las", "de", "del", "a", "al", "y", "no", "si", "porfa"))
_PLACES = {"primer": 0, "segund": 1, "tercer": 2, "ultim": -1}
# "el de la noche", and which hours that are
_PART = re.compile(r"(?<!\d )\b(?:de|por|a) la (manana|tarde|noche)\b(?! a las?\b)")
_PARTS = {"manana": (4, 12), "tarde": (12, 20), "noche": (19, 24)}
_ELSE = re.compile(
    r"\b(?:pon|pone|ponle|escribe|que diga|nota|notas)\b"
)  # what is wanted besides, or of something else
_ARTICLE = r"(?:(?:con|a|de|por) )?(?:el|la|los|las|un|una|mi|al|del)"
_THING = re.compile(rf"{_ARTICLE} \S+(?: de \S+)?", re.IGNORECASE)
_LAST_THING = re.compile(rf"\b{_ARTICLE} \S+(?: de \S+)?$", re.IGNORECASE)
_DENIED = re.compile(r"[\s,]+(?:y )?no (?:que diga |diga )?(?P<old>\S.*?)\W*$", re.IGNORECASE)
_POINTS_AT = re.compile(r"\b(?:es[eo]|este|\w{3,}[ae]lo)\b")


def moment(due: datetime, every: timedelta = timedelta(0)) -> str:
    """El viernes 20 de marzo a las 9:00; todos los días a las 9:00."""
    day = f"el {day_in_words(due.date())}"
    if every == DAY:
        day = "todos los días"
    elif every == WEEK:
        day = f"cada semana desde {day}"
    return f"{day} a las {due.hour}:{due.minute:02d}"


def listed(promised: list["Next"]) -> str:
    """What is promised, one a line, the next one first."""
    return "\n".join(f"- {moment(each.due, each.every)}: {each.body}" for each in promised)


# --- transactions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Next:
    """What is to be told next, and when."""

    body: str
    due: datetime
    every: timedelta = timedelta(0)
    ahead: timedelta = timedelta(0)  # how long before the moment that was said

    @property
    def as_wish(self) -> Wish:
        """What it would be wished for with."""
        return Wish(self.body, self.due, self.every, self.ahead)


def add(wish: Wish, call: str, *, now: datetime) -> tables.Script[list[Next]]:
    """Promise to tell something, once per call; all that is promised then."""
    assert wish.due is not None  # noqa: S101 -- whoever promises knows when
    yield from tables.execute("forget_reminders", before=tables.micros(now - KEPT))
    yield from forget_texts(now)
    if len((yield from coming(now))) >= MAX_REMINDERS:
        raise ToolFailed("too many reminders", tell=f"Ya tienes {MAX_REMINDERS} recordatorios.")
    made = yield from _made_at(call, now)
    yield from tables.execute(
        "add_reminder",
        call=call,
        body=wish.body,
        due=tables.micros(wish.due),
        every=wish.every.days,
        ahead=_minutes(wish.ahead),
        made=made,
    )
    return (yield from coming(now))


def _made_at(call: str, now: datetime) -> tables.Script[int]:
    """When something is promised: together with what the same message promised, and after all else."""
    last: list[tables.Row] = yield from tables.execute("last_reminder")
    if not last or last[0]["made_at"] < tables.micros(now):
        return tables.micros(now)
    is_same_message = last[0]["call_id"].partition(".")[0] == call.partition(".")[0]
    return int(last[0]["made_at"]) + (0 if is_same_message else 1)


def coming(now: datetime) -> tables.Script[list[Next]]:
    """What is still to be told, the next one first."""
    rows = yield from tables.execute("reminders")
    return [_next(row, now) for row in rows]


def _next(row: tables.Row, now: datetime) -> Next:
    due, ahead = _at(row["due_at"], now), timedelta(minutes=row["ahead_minutes"])
    return Next(row["body"], due, timedelta(days=row["every_days"]), ahead)


def _minutes(length: timedelta) -> int:
    return int(length.total_seconds() // 60)


def move(when: str, *, now: datetime) -> tables.Script[tuple[Next | None, list[Next]]]:
    """Another moment for what was promised last; what is not said of it, the day or the hour, stays."""
    when, given_up = told_instead(when, now)
    row = yield from _meant_to_move(when, given_up, now)
    promised = _put_off(_next(row, now), when, now) if row else None
    if row and promised:
        yield from _put(row["call_id"], promised, now)
    return promised, (yield from coming(now))


def _put_off(last: Next, when: str, now: datetime) -> Next | None:
    """A reminder at the moment that is said; what is not said of it, the day or the hour, stays."""
    often, rest = read_every(when)
    due = moved(rest, last.due, last.ahead, now) or ((last.due, last.ahead) if often else None)
    if due is None:
        return None
    if due[0] <= now:
        raise ToolFailed("it has passed", tell=f"Para {moment(due[0])} ya es tarde. Dime otro momento.")
    if last.every == DAY and not often:
        _check_daily(last, due[0], now)
    promised = Next(last.body, due[0], often or last.every, due[1])
    if (promised.due, promised.every) == (last.due, last.every):
        said = f"Así lo tengo ya: te aviso {moment(last.due, last.every)}, «{last.body}». Si es otra hora, dime cuál."
        raise ToolFailed("nothing to change", tell=said)
    return promised


def _check_daily(last: Next, due: datetime, now: datetime) -> None:
    """What is told every day is put off to no other day: the days between would be lost."""
    if due.date() <= max(now.date(), last.due.date()) + DAY:
        return
    if due.time() == last.due.time():
        raise ToolFailed("every day", tell=f"Ese ya es de {moment(last.due, DAY)}: «{last.body}».")
    each, one = f"todos los días a las {due.hour}:{due.minute:02d}", f"el {day_in_words(due.date())}"
    now_told = f"«{last.body}» te lo aviso {moment(last.due, DAY)}."
    raise ToolFailed("every day", tell=f"{now_told} Dime «{each}» si los cambio todos, o pídeme otro para {one}.")


def rename(said: str, body: str, *, now: datetime) -> tables.Script[Next | None]:
    """Other words for a reminder: the one that is named by what it says now, else the last."""
    rows: list[tables.Row] = yield from tables.execute("reminders")
    last: list[tables.Row] = yield from tables.execute("last_reminder")
    before = said.replace(body, "")
    named = [row for row in rows if _is_named(before, row["body"])]
    row = named[0] if len(named) == 1 else next(iter(last), None)
    if row is None:
        return None
    renamed = replace(_next(row, now), body=_reworded(row["body"], body))
    yield from _put(row["call_id"], renamed, now)
    return renamed


def _reworded(before: str, words: str) -> str:
    """A reminder with other words: a thing alone goes in the place of the last one, "el gas" of "pagar la luz"."""
    denied = _DENIED.search(words)
    if denied and language.fold(denied["old"]) in language.fold(before):
        words = words[: denied.start()]
    is_thing, thing = _THING.fullmatch(words), _LAST_THING.search(before)
    return f"{before[: thing.start()]}{words}" if is_thing and thing and thing.start() else words


def _meant_to_move(when: str, given_up: str, now: datetime) -> tables.Script[tables.Row | None]:
    """The reminder that is named; of those that were promised together that of the day that is said; else the last."""
    rows: list[tables.Row] = yield from tables.execute("reminders")
    last: list[tables.Row] = yield from tables.execute("last_reminder")
    named = [row for row in rows if _is_named(when, row["body"])]
    if len(named) == 1 or not last:
        return named[0] if named else None
    # "el de las 8 a las 9", "a las 9 en vez de a las 8": the hour that is not the new one tells which
    hours = [str(each.value) for each in language.find_times(language.normalise(when), now=now)][:-1]
    hours += [str(each.value) for each in language.find_times(language.normalise(given_up), now=now, asked=True)]
    hours += [f"{int(each[:2]) % 12:02d}{each[2:]}" for each in hours]
    of_that_hour = [row for row in rows if _at(row["due_at"], now).strftime("%H:%M") in hours]
    if len(of_that_hour) == 1:
        return of_that_hour[0]
    days = {str(each.value) for each in language.find_dates(language.normalise(when), now=now)}
    together = [row for row in rows if row["made_at"] == last[0]["made_at"]]
    of_that_day = [row for row in together if _at(row["due_at"], now).date().isoformat() in days]
    return (of_that_day or last)[0]


def last_promised(now: datetime) -> tables.Script[Next | None]:
    """What was promised last, of what is still to be told."""
    rows = yield from tables.execute("last_reminder")
    return _next(rows[0], now) if rows else None


def told_ahead_of(said: str, now: datetime) -> tables.Script[Next | None]:
    """What is to be told some time ahead: the one that is named, the one of the day that is said, else the last."""
    wish, promised = read_one(said, now), (yield from coming(now))
    if not promised or not is_ahead(said, now):
        return None
    about = _BEFORE_WHAT.search(language.fold(said))
    if not wish.body and wish.due is None and not about:
        return (yield from last_promised(now))
    words = set(_LONG.findall(language.fold(wish.body) or (about[1] if about else ""))) - _SMALL
    fitting = [each for each in promised if words <= set(_LONG.findall(language.fold(each.body)))]
    if wish.due:
        day = (wish.due + wish.ahead).date()
        fitting = [each for each in fitting if (each.due + each.ahead).date() == day]
    moments = {each.due + each.ahead for each in fitting}
    return fitting[-1] if len(moments) == 1 else None


def last_told(now: datetime) -> tables.Script[str]:
    """What was told last, if that was not long ago."""
    row = yield from tables.one("last_told", since=tables.micros(now - WANTED_BACK))
    return str(row["body"]) if row else ""


def _put(call: str, promised: Next, now: datetime) -> tables.Script[None]:
    stamp = yield from next_stamp(now)
    yield from tables.execute(
        "move_reminder",
        call=call,
        body=promised.body,
        due=tables.micros(promised.due),
        every=promised.every.days,
        ahead=_minutes(promised.ahead),
        stamp=stamp,
    )


def tell(*, now: datetime) -> tables.Script[tuple[list[str], list[Next]]]:
    """What is due, from now on told; and what comes after it."""
    yield from forget_texts(now)
    rows: list[tables.Row] = yield from tables.execute("told_reminders", at=tables.micros(now))
    for row in rows:
        if row["every_days"]:
            told = _next(row, now)
            while told.due <= now:
                told = replace(told, due=told.due + told.every)
            yield from tables.execute("move_reminder_on", call=row["call_id"], due=tables.micros(told.due))
        else:
            yield from tables.execute("end_reminder", call=row["call_id"], at=tables.micros(now))
    return [str(row["body"]) for row in rows], (yield from coming(now))


def drop(which: str, *, now: datetime) -> tables.Script[tuple[list[Next], list[Next]]]:
    """Take back reminders: all, the one whose words are said, or the only one; those that went, and the rest."""
    rows: list[tables.Row] = yield from tables.execute("reminders")
    last: list[tables.Row] = yield from tables.execute("last_reminder")
    meant = _meant(which, rows, last, now)
    stamp = yield from next_stamp(now)
    for row in meant:
        yield from tables.execute("drop_reminder", call=row["call_id"], at=tables.micros(now), stamp=stamp)
    gone = [_next(row, now) for row in meant]
    return gone, (yield from coming(now))


def put_in_place(gone: str, wanted: str, *, now: datetime) -> tables.Script[tuple[Next, Next]]:
    """Another reminder, or another moment, in the place of the one that is meant; that and what comes instead."""
    rows: list[tables.Row] = yield from tables.execute("reminders")
    last: list[tables.Row] = yield from tables.execute("last_reminder")
    meant = _meant(gone, rows, last, now)
    if len(meant) != 1:
        told = listed([_next(row, now) for row in rows])
        raise ToolFailed("which one", tell=f"No borré nada, porque no sé cuál de ellos:\n{told}")
    before = _next(meant[0], now)
    wish = read_one(wanted, now)
    after = Next(wish.body, wish.due, wish.every, wish.ahead) if wish.due and wish.body else None
    after = after or (_put_off(before, wanted, now) if not wish.body else None)
    if after is None:
        raise ToolFailed("when", tell=f"Dime también cuándo te aviso; mientras tanto sigue «{before.body}».")
    if after.due <= now:
        raise ToolFailed("it has passed", tell=f"Para {moment(after.due)} ya es tarde. Dime otro momento.")
    yield from _put(meant[0]["call_id"], after, now)
    return before, after


def drop_other(calls: tuple[str, ...], *, now: datetime) -> tables.Script[Next | None]:
    """Take back the one that is not among these calls, if there is only one such."""
    rows: list[tables.Row] = yield from tables.execute("reminders")
    others = [row for row in rows if row["call_id"] not in calls]
    if len(others) != 1:
        return None
    stamp = yield from next_stamp(now)
    yield from tables.execute("drop_reminder", call=others[0]["call_id"], at=tables.micros(now), stamp=stamp)
    return _next(others[0], now)


def names_one(which: str, *, now: datetime) -> tables.Script[bool]:
    """Whether what somebody wants to delete is a reminder by its words."""
    return any(_is_named(which, each.body) for each in (yield from coming(now)))


def is_title(which: str, *, now: datetime) -> tables.Script[bool]:
    """Whether it is what we offered to choose a reminder by, and nothing else: "llevar la lista"."""
    rows: list[tables.Row] = yield from tables.execute("reminders")
    return language.fold(which) in map(language.fold, _titles(rows, now))


def points_at_one(which: str) -> bool:
    """Whether it only points at the last thing that was spoken of: "borralo", "quita ese"."""
    return _POINTS_AT.search(language.fold(which)) is not None


def named_in(which: str, promised: list[Next]) -> list[Next]:
    """Those of which a text has a word: "¿a qué hora era lo del consorcio?"."""
    return [each for each in promised if _is_named(which, each.body)]


def _is_named(which: str, body: str) -> bool:
    return not _SMALL.issuperset(set(_LONG.findall(language.fold(which))) & set(_LONG.findall(language.fold(body))))


def _meant(which: str, rows: list[tables.Row], last: list[tables.Row], now: datetime) -> list[tables.Row]:
    said = language.fold(which)
    chosen = [row for row, title in zip(rows, _titles(rows, now), strict=True) if language.fold(title) == said]
    if len(chosen) == 1:
        return chosen
    told = set(re.findall(r"[\w:]+", said)) - _BESIDE
    titled = [row for row, title in zip(rows, _titles(rows, now), strict=True) if told <= _title_words(title)]
    if told and len(titled) == 1:
        return titled
    says_all, says_both = re.search(r"\btod[oa]s?\b", said), re.search(r"\b(?:amb[oa]s|l[oa]s dos)\b", said)
    wanted = _all_of(which, rows, now) if says_all or says_both else []
    if says_all or len(wanted) == BOTH:
        return wanted
    about = _ABOUT.search(said)
    is_unknown = about is not None and not any(_is_named(which, row["body"]) for row in rows)
    is_unknown = is_unknown and not _PART.search(said)
    if rows and about and is_unknown and not language.find_dates(language.normalise(about[1]), now=now):
        raise ToolFailed("no such reminder", tell=f"No tengo ningún recordatorio de «{about[1]}».")
    of_moment = _of_moment(which, rows, now)
    if rows and of_moment == []:
        told = listed([_next(row, now) for row in rows])
        raise ToolFailed("no such moment", tell=f"A esa hora no tengo nada. Te voy a avisar:\n{told}")
    if len(rows) == 1 and not _ELSE.search(said):
        return rows
    place = next((place for word, place in _PLACES.items() if re.search(rf"\b{word}", said)), None)
    if place is not None and place < len(rows):
        return [rows[place]]
    named = [row for row in of_moment or rows if _is_named(which, row["body"])] or (of_moment or [])
    if len(named) == 1 or not rows:
        return named
    if not named and points_at_one(which):
        return last
    alike = of_moment or named or rows
    options = [title for row, title in zip(rows, _titles(rows, now), strict=True) if row in alike]
    raise AskContact("which", options[:10], "¿Cuál de tus recordatorios?")


def _all_of(which: str, rows: list[tables.Row], now: datetime) -> list[tables.Row]:
    """All reminders, or those of the words or else of the moment that are said: "todos los de la pastilla"."""
    named = [row for row in rows if _is_named(which, row["body"])] or _of_moment(which, rows, now)
    if named and _ALL_BUT.search(language.fold(which)):
        return [row for row in rows if row not in named]
    return rows if named is None else named


def _of_moment(which: str, rows: list[tables.Row], now: datetime) -> list[tables.Row] | None:
    """Those of the day and the hour that are said, "el del domingo", "la de las 9"; None where no moment is."""
    said = language.normalise(told_instead(which, now)[0])
    days = {str(each.value) for each in language.find_dates(said, now=now)}
    hours = {f"{hour:%H:%M}" for near in (MORNING, EVENING) for hour in hours_of(said, now, near)[:1]}
    if part := _PART.search(said.folded):
        first, last = _PARTS[part[1]]
        return [row for row in rows if first <= _at(row["due_at"], now).hour < last]
    if not days and not hours:
        return None
    fitting = [row for row in rows if not hours or _at(row["due_at"], now).strftime("%H:%M") in hours]
    of_day = [row for row in fitting if _at(row["due_at"], now).date().isoformat() in days]
    of_weekday = [row for row in fitting if WEEKDAYS[_at(row["due_at"], now).weekday()] in said.raw.lower()]
    return of_day or of_weekday or [row for row in fitting if not days or row["every_days"] == DAY.days]


def at_moment(which: str, *, now: datetime) -> tables.Script[Next | None]:
    """The one reminder of the moment that is said."""
    rows: list[tables.Row] = yield from tables.execute("reminders")
    fitting = _of_moment(which, rows, now) or []
    return _next(fitting[0], now) if len(fitting) == 1 else None


def _titles(rows: list[tables.Row], now: datetime) -> list[str]:
    """By what reminders can be told apart: their words, with the moment where several have the same or begin so."""
    bodies = [str(row["body"]) for row in rows]
    titles: list[str] = []
    for row, body in zip(rows, bodies, strict=True):
        due = _at(row["due_at"], now)
        others = [each for each in bodies if each != body and _is_named(body, each)]
        is_alone = bodies.count(body) == 1 and not others
        part = _part_of_day(due.hour) if _has_twin(row, rows) else ""
        titles.append(
            body[:60] if is_alone else f"{body[:45]} ({due.day}/{due.month} {due.hour}:{due.minute:02d}{part})"
        )
    return titles


def _has_twin(row: tables.Row, rows: list[tables.Row]) -> bool:
    """Whether another reminder is twelve hours before or after one."""
    return any(abs(each["due_at"] - row["due_at"]) == TWELVE_HOURS for each in rows)


def _part_of_day(hour: int) -> str:
    part = "mañana" if hour < NOON else "tarde" if hour < NIGHT else "noche"
    return f" de la {part}"


def _title_words(title: str) -> set[str]:
    return set(re.findall(r"[\w:]+", language.fold(title)))


def _at(microseconds: int, now: datetime) -> datetime:
    return datetime.fromtimestamp(microseconds / 1_000_000, tz=UTC).astimezone(now.tzinfo)
