"""The diary: one booking for an hour, in a table of the agent's own. Hours and prices stand in the agent file."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import TypedDict, cast

from hilo import AskContact, Database, Facts, OpeningHours, ToolFailed, tables, tool

DAYS = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"]
SEARCHED = 30  # days in which one with room is looked for


class NextBooking(TypedDict):
    """The contact's next appointment, on which the timers hang; all is empty where there is none."""

    turno: str
    turno_dia: date | None
    turno_hora: time | None


class Chosen(TypedDict):
    """The appointment that is moved or cancelled."""

    elegido: str
    elegido_detalle: str
    elegido_dia: date


class Day(TypedDict):
    dia: date


class Told(TypedDict):
    text: str


# --- what is free ---------------------------------------------------------------------------------------


@tool
async def free_hours(dia: date, opening: OpeningHours, database: Database, now: datetime) -> list[time]:
    """The hours of a day that are free. A day that is none is told, and another one is asked for."""
    if dia < now.date():
        raise ToolFailed("a day that has passed", tell=f"El {said_day(dia)} ya pasó.")
    if not opening.on(dia):
        raise ToolFailed("closed", tell=f"El {said_day(dia)} está cerrado.")
    found = await database.run(free, dia, opening, now)
    if not found:
        raise ToolFailed("no hour is free", tell=f"El {said_day(dia)} no queda lugar.")
    return [moment.time() for moment in found]


@tool
async def when_free(opening: OpeningHours, database: Database, now: datetime, dia: date | None = None) -> Told:
    """The hours that are free on a day, or on the first day after it that has any."""
    first = max(dia or now.date(), now.date())
    for ahead in range(SEARCHED):
        day = first + timedelta(days=ahead)
        found = await database.run(free, day, opening, now)
        if found:
            hours = ", ".join(f"{moment:%H:%M}" for moment in found)
            return {"text": f"El {said_day(day)} hay lugar a estas horas: {hours}."}
    raise ToolFailed("no day has room", tell="No queda lugar en las próximas semanas.")


def free(day: date, opening: OpeningHours, now: datetime) -> tables.Script[list[datetime]]:
    """When an appointment may begin on a day: every hour that it is open, that nobody has and that has not passed."""
    midnight = datetime.combine(day, time())
    next_day = midnight + timedelta(days=1)
    rows = yield from tables.execute("taken", since=midnight.isoformat(), until=next_day.isoformat())
    taken = {row["begins"] for row in rows}
    begins = [midnight + timedelta(minutes=at) for span in opening.on(day) for at in range(span.begin, span.end, 60)]
    return [each for each in begins if each > now.replace(tzinfo=None) and each.isoformat() not in taken]


# --- booking, moving, cancelling ------------------------------------------------------------------------


@tool(writes=True)
async def book(
    servicio: str, dia: date, hora: time, nombre: str, database: Database, call_id: str, now: datetime
) -> NextBooking:
    """Book an hour, if it is free."""
    begins = datetime.combine(dia, hora).isoformat()
    if not await database.run(booked, begins, call_id, servicio=servicio, nombre=nombre):
        raise ToolFailed("the hour is taken", tell="Esa hora se acaba de ocupar.")
    return told(await database.run(to_come, now))


@tool(writes=True)
async def move(elegido: str, dia: date, hora: time, database: Database, now: datetime) -> NextBooking:
    """Move an appointment to another day and hour."""
    if not await database.run(moved, elegido, datetime.combine(dia, hora).isoformat()):
        raise ToolFailed("the hour is taken", tell="Esa hora se acaba de ocupar.")
    return told(await database.run(to_come, now))


@tool(writes=True)
async def cancel(elegido: str, database: Database, now: datetime) -> NextBooking:
    """Cancel an appointment."""
    await database.run(cancelled, elegido)
    return told(await database.run(to_come, now))


@tool
async def my_booking(database: Database, now: datetime, cual: str = "") -> Chosen:
    """The appointment that the contact has; which one is asked, if there are several."""
    found = {said(row): row["begins"] for row in await database.run(to_come, now)}
    if not found:
        raise ToolFailed("there is none", tell="No tenés ningún turno. Si querés uno, decime «quiero un turno».")
    if len(found) > 1 and cual not in found:
        raise AskContact("cual", list(found), "Tenés más de un turno. ¿Cuál de estos?")
    which = cual if cual in found else next(iter(found))
    return {
        "elegido": found[which],
        "elegido_detalle": which,
        "elegido_dia": datetime.fromisoformat(found[which]).date(),
    }


@tool
def same_day(elegido_dia: date) -> Day:
    """The day of the appointment that is moved to another hour."""
    return {"dia": elegido_dia}


@tool
async def next_booking(database: Database, now: datetime) -> NextBooking:
    """The contact's next appointment."""
    return told(await database.run(to_come, now))


@tool
async def my_bookings(database: Database, now: datetime) -> Told:
    """All appointments of the contact, in words."""
    found = [said(row) for row in await database.run(to_come, now)]
    if not found:
        raise ToolFailed("there is none", tell="No tenés ningún turno. Si querés uno, decime «quiero un turno».")
    return {"text": "Tenés turno: " + "; ".join(found) + "."}


def booked(begins: str, call: str, *, servicio: str, nombre: str) -> tables.Script[bool]:
    """Whether the hour is this call's now; a call that is repeated finds its own booking."""
    yield from tables.execute("add_booking", begins=begins, call=call, service=servicio, name=nombre)
    row = yield from tables.one("booking_at", begins=begins)
    return row is not None and row["call"] == call


def moved(begins: str, to: str) -> tables.Script[bool]:
    if (yield from tables.one("booking_at", begins=to)) is not None:
        return False
    yield from tables.execute("move_booking", begins=begins, to=to)
    return True


def cancelled(begins: str) -> tables.Script[bool]:
    yield from tables.execute("cancel_booking", begins=begins)
    return True


def to_come(now: datetime) -> tables.Script[list[tables.Row]]:
    return (yield from tables.execute("bookings", since=now.replace(tzinfo=None).isoformat()))


def told(rows: list[tables.Row]) -> NextBooking:
    if not rows:
        return {"turno": "", "turno_dia": None, "turno_hora": None}
    begins = datetime.fromisoformat(rows[0]["begins"])
    return {"turno": said(rows[0]), "turno_dia": begins.date(), "turno_hora": begins.time()}


# --- what is told ---------------------------------------------------------------------------------------


@tool
def price(facts: Facts, servicio: str = "") -> Told:
    """What a service costs, or all of them."""
    prices = cast(Mapping[str, int], facts["precios"])
    named = {servicio: prices[servicio]} if servicio in prices else prices
    return {"text": "\n".join(f"{name}: ${amount:,}".replace(",", ".") for name, amount in named.items())}


def said_day(day: date) -> str:
    return f"{DAYS[day.weekday()]} {day:%d/%m}"


def said(row: tables.Row) -> str:
    """An appointment in words: the services of two of them may be alike, their hours are not."""
    begins = datetime.fromisoformat(row["begins"])
    return f"{row['service']} el {said_day(begins.date())} a las {begins:%H:%M}"
