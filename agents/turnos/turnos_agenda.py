"""The agenda of a clinic: which hours are free, and who has which. All that writes does so one after the other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from hilo import Facts, OpeningHours, tables

ANYBODY = "cualquier profesional"  # of the professionals who attend to a service
WEEKDAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
MONTHS = ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic")


@dataclass(frozen=True, slots=True)
class Clinic:
    """What the agent file says: who attends to what, on which days, for how long, and when the doors are open."""

    facts: Facts
    opening: OpeningHours

    def table(self, name: str) -> Mapping[str, object]:
        """A table of facts."""
        found = self.facts[name]
        assert isinstance(found, Mapping)  # noqa: S101 -- the agent file is ours
        return found

    def minutes(self, service: str) -> int:
        """How long a service takes."""
        return int(str(self.table("minutos")[service]))

    def professionals(self, service: str) -> list[str]:
        """Who attends to a service."""
        return [name for name, services in self.table("atiende").items() if service in str(services).split(", ")]

    def starts(self, service: str, professional: str, day: date) -> Iterator[int]:
        """The minutes of a day at which an appointment may begin."""
        if WEEKDAYS[day.weekday()] not in str(self.table("dias")[professional]).split():
            return
        length = self.minutes(service)
        for span in self.opening.on(day):
            yield from range(span.begin, span.end - length + 1, length)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants an appointment for, with whom and on which day."""

    service: str
    professional: str
    day: date


@dataclass(frozen=True, slots=True)
class Appointment:
    """A place in the agenda."""

    number: int
    patient: str
    service: str
    professional: str
    day: date
    begins: int
    status: str

    @property
    def code(self) -> str:
        """By what people call it."""
        return f"T-{self.number:04}"


def clock(minutes: int) -> str:
    """Minutes from midnight as a time of day: 09:30."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def minutes_of(hour: str) -> int:
    """The other way round."""
    hours, _, minutes = hour.partition(":")
    return int(hours) * 60 + int(minutes)


def said_day(day: date) -> str:
    """A day in a few words: vie 20 nov."""
    return f"{WEEKDAYS[day.weekday()][:3]} {day.day} {MONTHS[day.month - 1]}"


# --- what is free ---------------------------------------------------------------------------------------


def free(clinic: Clinic, wish: Wish, now: datetime, *, but: int = 0) -> tables.Script[dict[int, str]]:
    """The minutes at which an appointment may begin, in their order, and with whom; `but` is the one that is moved."""
    rows = yield from tables.execute("taken", day=wish.day.isoformat(), now=tables.micros(now), but=but)
    named = clinic.professionals(wish.service) if wish.professional == ANYBODY else [wish.professional]
    length, found = clinic.minutes(wish.service), dict[int, str]()
    for professional in named:
        taken = [(row["begins"], row["ends"]) for row in rows if row["professional"] == professional]
        for begin in clinic.starts(wish.service, professional, wish.day):
            overlaps = any(begin < end and begin + length > start for start, end in taken)
            if not overlaps and not _has_passed(wish.day, begin, now):
                found.setdefault(begin, professional)
    return dict(sorted(found.items()))


def _has_passed(day: date, minute: int, now: datetime) -> bool:
    return (day, minute) <= (now.date(), now.hour * 60 + now.minute)


def next_day(clinic: Clinic, wish: Wish, now: datetime, *, days: int) -> tables.Script[date | None]:
    """The first day after the one that is wished for on which there is room."""
    for ahead in range(1, days):
        day = wish.day + timedelta(days=ahead)
        if (yield from free(clinic, Wish(wish.service, wish.professional, day), now)):
            return day
    return None


# --- what is taken --------------------------------------------------------------------------------------


def book(  # noqa: PLR0913 -- what is wanted, by whom, when
    clinic: Clinic, wish: Wish, begins: int, patient: str, *, call: str, now: datetime, note: str = ""
) -> tables.Script[int | None]:
    """Take a place; none where somebody was faster. A repeated call finds what it has made."""
    yield from tables.execute("lock_agenda")
    made = yield from tables.one("appointment_by_call", call=call)
    if made:
        return int(made["number"])
    room = yield from free(clinic, wish, now)
    if begins not in room:
        return None
    yield from tables.execute("end_offers")
    wanted = Wish(wish.service, room[begins], wish.day)
    number = yield from _add(clinic, wanted, begins, patient, call=call, now=now, status="booked", until=0)
    if note:
        yield from tables.execute("add_note", number=number, note=note)
    return number


def _add(  # noqa: PLR0913 -- all that a row has
    clinic: Clinic, wish: Wish, begins: int, patient: str, *, call: str, now: datetime, status: str, until: int
) -> tables.Script[int]:
    row = yield from tables.one("next_number")
    assert row is not None  # noqa: S101 -- the agenda is locked, so its row is there
    number = int(row["last_number"])
    yield from tables.execute(
        "add_appointment",
        number=number,
        call=call,
        patient=patient,
        service=wish.service,
        professional=wish.professional,
        day=wish.day.isoformat(),
        begins=begins,
        ends=begins + clinic.minutes(wish.service),
        status=status,
        until=until,
        now=tables.micros(now),
    )
    return number


def move(  # noqa: PLR0913 -- what is wanted, by whom, when
    clinic: Clinic, wish: Wish, begins: int, number: int, patient: str, *, now: datetime
) -> tables.Script[bool]:
    """Another day and hour for an appointment; whether there was room."""
    yield from tables.execute("lock_agenda")
    room = yield from free(clinic, wish, now, but=number)
    if begins not in room:
        return False
    moved = yield from tables.one(
        "move_appointment",
        number=number,
        patient=patient,
        service=wish.service,
        professional=room[begins],
        day=wish.day.isoformat(),
        begins=begins,
        ends=begins + clinic.minutes(wish.service),
        status="booked",
    )
    return moved is not None


def mark(number: int, status: str) -> tables.Script[bool]:
    """Note that an appointment was confirmed, not answered or cancelled; whether there is one."""
    return (yield from tables.one("mark_appointment", number=number, status=status)) is not None


def cancelled(clinic: Clinic, number: int, now: datetime) -> tables.Script[Appointment | None]:
    """An appointment that the contact has cancelled, where its place is still free."""
    row = yield from tables.one("cancelled_appointment", number=number)
    found = _appointment(row) if row else None
    if found is None:
        return None
    room = yield from free(clinic, Wish(found.service, found.professional, found.day), now)
    return found if found.begins in room else None


def restore(clinic: Clinic, number: int, now: datetime) -> tables.Script[bool]:
    """Take back a cancellation; whether the place was still free. A repeated call finds it taken back."""
    yield from tables.execute("lock_agenda")
    if (yield from cancelled(clinic, number, now)) is None:
        return any(each.number == number for each in (yield from to_come(now)))
    yield from tables.execute("restore_appointment", number=number)
    return True


def to_come(now: datetime) -> tables.Script[list[Appointment]]:
    """The contact's appointments, the next one first."""
    minute = now.hour * 60 + now.minute
    rows = yield from tables.execute("appointments", today=now.date().isoformat(), minute=minute)
    return [_appointment(row) for row in rows]


def _appointment(row: tables.Row) -> Appointment:
    day = date.fromisoformat(row["day"])
    about = (row["patient"], row["service"], row["professional"], day)
    return Appointment(row["number"], *about, row["begins"], row["status"])


def agenda(day: date) -> tables.Script[list[str]]:
    """A day as the secretary reads it."""
    rows = yield from tables.execute("agenda_of_day", day=day.isoformat())
    words = {"booked": "", "unanswered": " (sin confirmar)", "confirmed": " (confirmado)"}
    lines: list[str] = []
    for row in rows:
        who = f"{row['patient']}, {row['service']} con {row['professional']}"
        note = f" · {row['note']}" if row["note"] else ""
        lines.append(f"{clock(row['begins'])} {who}{words[row['status']]}{note}")
    return lines


# --- the waiting list -----------------------------------------------------------------------------------


def wait_for(wish: Wish, now: datetime) -> tables.Script[int]:
    """Put the contact on the list; how many wait longer for that day."""
    at, day = tables.micros(now), wish.day.isoformat()
    yield from tables.execute("join_waiting", service=wish.service, professional=wish.professional, day=day, now=at)
    return (yield from _ahead(wish, at))


def _ahead(wish: Wish, since: int) -> tables.Script[int]:
    row = yield from tables.one("waiting_before", day=wish.day.isoformat(), service=wish.service, since=since)
    return int(row["people"]) if row else 0


def offered(
    clinic: Clinic, now: datetime, *, call: str, keep: timedelta
) -> tables.Script[tuple[Wish | None, int | None]]:
    """What the contact waits for, and the hour that has come free for them and is kept for a while."""
    yield from tables.execute("lock_agenda")
    row = yield from tables.one("my_wish")
    if row is None:
        return None, None
    wish = Wish(row["service"], row["professional"], date.fromisoformat(row["day"]))
    room = yield from free(clinic, wish, now)
    ahead = yield from _ahead(wish, row["since"])
    if len(room) <= ahead:  # what is free is for those who wait longer
        return wish, None
    begins = list(room)[ahead]
    found = Wish(wish.service, room[begins], wish.day)
    until = tables.micros(now + keep)
    made = yield from tables.one("appointment_by_call", call=call)
    if made is None:
        yield from tables.execute("end_offers")
        yield from _add(clinic, found, begins, "", call=call, now=now, status="offered", until=until)
    return found, begins


def take_offer(clinic: Clinic, begins: int, patient: str, *, call: str, now: datetime) -> tables.Script[int | None]:
    """Book what was offered, and end the wait; none where the offer was not kept any longer and somebody has it."""
    yield from tables.execute("lock_agenda")
    row = yield from tables.one("my_wish")
    if row is None:
        made = yield from tables.one("appointment_by_call", call=call)
        return int(made["number"]) if made else None
    wish = Wish(row["service"], row["professional"], date.fromisoformat(row["day"]))
    number = yield from book(clinic, wish, begins, patient, call=call, now=now)
    if number is not None:
        yield from tables.execute("leave_waiting")
    return number


def stop_waiting() -> tables.Script[None]:
    """The contact is not on the list any more, and nothing is kept for them."""
    yield from tables.execute("leave_waiting")
    yield from tables.execute("end_offers")
