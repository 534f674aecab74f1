"""The diary: one booking for an hour, in a table of the agent's own."""

from datetime import date, datetime, time
from typing import TypedDict

from hilo import Database, ToolFailed, tables, tool

OPENS, CLOSES = time(10), time(19)


class Booked(TypedDict):
    booked: bool


class NextBooking(TypedDict):
    proximo: str


@tool(writes=True)
async def book(servicio: str, dia: date, hora: time, nombre: str, database: Database, call_id: str) -> Booked:
    """Book an hour, if it is free."""
    if not OPENS <= hora < CLOSES:
        raise ToolFailed("the hour is outside of the opening hours", tell="A esa hora no atendemos: es de 10 a 19.")
    begins = datetime.combine(dia, hora).isoformat()
    if not await database.run(booked, begins, call_id, servicio=servicio, nombre=nombre):
        raise ToolFailed("the hour is taken", tell="Esa hora ya está ocupada.")
    return {"booked": True}


@tool
async def my_booking(database: Database, now: datetime) -> NextBooking:
    """When the contact comes next."""
    begins = await database.run(next_booking, now.date().isoformat())
    if not begins:
        raise ToolFailed("there is no booking", tell="No tenés ningún turno.")
    return {"proximo": f"{datetime.fromisoformat(begins):%d/%m a las %H:%M}"}


def booked(begins: str, call: str, *, servicio: str, nombre: str) -> tables.Script[bool]:
    """Whether the hour is this call's now; a call that is repeated finds its own booking."""
    yield from tables.execute("add_booking", begins=begins, call=call, service=servicio, name=nombre)
    row = yield from tables.one("booking_at", begins=begins)
    return row is not None and row["call"] == call


def next_booking(since: str) -> tables.Script[str]:
    row = yield from tables.one("next_booking", since=since)
    return str(row["begins"]) if row and row["begins"] else ""
