"""The tools of a clinic's secretary. Services, people, prices and hours stand in the agent file."""

import re
from datetime import date, datetime, timedelta
from typing import TypedDict, cast

import turnos_agenda as agenda
from turnos_agenda import ANYBODY, Appointment, Clinic, Wish

from hilo import AskContact, Database, Facts, OpeningHours, ToolFailed, tool

SEARCHED = 45  # days in which another day with room is looked for
KEPT = timedelta(hours=2)  # a place that came free is kept for whoever was offered it
LOOK_EVERY = timedelta(hours=1)
REMINDED = timedelta(hours=24)  # the timer `recordar` of the agent file


class Only(TypedDict):
    """The one professional of a service, if there is one."""

    profesional: str


class Room(TypedDict):
    """How many hours are free, and what else there is where none is."""

    libres: int
    cercano: str


class Quote(TypedDict):
    """What an appointment costs, and what to do before it."""

    precio: int
    antes: str


class Next(TypedDict):
    """The contact's next appointment, on which the timers hang; all is empty where there is none."""

    turno: str
    turno_detalle: str
    turno_dia: str
    turno_hora: str
    turno_confirmado: bool


class Done(Next):
    """What was booked, moved or confirmed, and whether a reminder will come; and the next one."""

    hecho: str
    aviso: str


class Chosen(TypedDict):
    """The appointment that is spoken of; all is empty where there is none."""

    elegido: str
    elegido_detalle: str
    elegido_servicio: str
    elegido_profesional: str
    elegido_dia: str


class Day(TypedDict):
    """A day."""

    dia: str


class Cancelled(Next):
    """The next appointment after one was cancelled, and the number of that one."""

    soltado: str


class Detail(TypedDict):
    """An appointment in words."""

    elegido_detalle: str


class Waiting(TypedDict):
    """What the contact waits for, the hour that is free now, and when to look again."""

    espera: str
    espera_hora: str
    espera_profesional: str
    mirar_dia: str
    mirar_hora: str


class Told(TypedDict):
    """A text."""

    text: str


class First(Told):
    """The first day with room, in words and by its name."""

    primero: list[str]


# --- choosing -------------------------------------------------------------------------------------------

SHOWN = 3  # hours that are told of a day
FEW = 2  # hours that are the first, or the last, of a day
NOON = "12:30"
NO_APPOINTMENT = (
    "No tenés turnos reservados con este número. Si querés uno, decime «quiero un turno»; si lo sacaste de otra forma,"
    " lo busca la secretaria: decime «secretaria»."
)


@tool
def what_we_do(facts: Facts, opening: OpeningHours) -> list[str]:
    """The services that somebody attends to."""
    return list(Clinic(facts, opening).table("precios"))


@tool
def who_attends(servicio: str, facts: Facts, opening: OpeningHours) -> list[str]:
    """The professionals for a service; who said before that anybody will do is not asked again."""
    return [*Clinic(facts, opening).professionals(servicio), ANYBODY]


@tool
def only_professional(servicio: str, facts: Facts, opening: OpeningHours) -> Only:
    """The professional for a service, where nobody needs to choose."""
    found = Clinic(facts, opening).professionals(servicio)
    return {"profesional": found[0] if len(found) == 1 else ""}


@tool
async def look_at_day(  # noqa: PLR0913, PLR0917 -- what the engine gives counts, too
    servicio: str, profesional: str, dia: date, facts: Facts, opening: OpeningHours, database: Database, now: datetime
) -> Room:
    """Whether there is room on a day. A day on which nobody works is told."""
    clinic, wish = Clinic(facts, opening), Wish(servicio, profesional, dia)
    _check_day(clinic, wish, now)
    room = await database.run(agenda.free, clinic, wish, now)
    near = None if room else await database.run(agenda.next_day, clinic, wish, now, days=SEARCHED)
    return {"libres": len(room), "cercano": agenda.said_day(near) if near else "más adelante"}


@tool
async def free_hours(  # noqa: PLR0913, PLR0917
    servicio: str,
    profesional: str,
    dia: date,
    facts: Facts,
    opening: OpeningHours,
    database: Database,
    now: datetime,
    elegido: str = "",
    franja: str = "",
    rango: str = "",
) -> list[str]:
    """The free hours of a day, of a part of it or within hours such as 17:00-23:59.

    That of an appointment that is moved counts as free.
    """
    clinic, wish = Clinic(facts, opening), Wish(servicio, profesional, dia)
    _check_day(clinic, wish, now)
    room = await database.run(agenda.free, clinic, wish, now, but=_number(elegido))
    hours = [agenda.clock(each) for each in room]
    return _in_range(hours, rango) if rango else _in_part(hours, franja)


def _in_range(hours: list[str], span: str) -> list[str]:
    """The hours within a span such as 17:00-23:59; where there is none, those that come nearest to it."""
    first, _, last = span.partition("-")
    inside = [hour for hour in hours if first <= hour <= last]
    return inside or [hour for hour in hours if hour < first][-FEW:] or hours[:FEW]


def _in_part(hours: list[str], part: str) -> list[str]:
    """The hours of a part of the day; all of them where it has none."""
    parts = {
        "a primera hora": hours[:FEW],
        "a última hora": hours[-FEW:],
        "a la mañana": [hour for hour in hours if hour < NOON],
        "a la tarde": [hour for hour in hours if hour >= NOON],
    }
    return parts.get(part) or hours


def _check_day(clinic: Clinic, wish: Wish, now: datetime) -> None:
    """Tell why a day is none: it has passed, the clinic is closed, or the professional does not come."""
    said = agenda.said_day(wish.day)
    if wish.day < now.date():
        raise ToolFailed("a day that has passed", tell=f"El {said} ya pasó.")
    if not clinic.opening.on(wish.day):
        raise ToolFailed("closed", tell=f"El {said} el centro está cerrado.")
    named = clinic.professionals(wish.service) if wish.professional == ANYBODY else [wish.professional]
    if not any(list(clinic.starts(wish.service, each, wish.day)) for each in named):
        days = ", ".join(str(clinic.table("dias")[named[0]]).split())
        raise ToolFailed("not their day", tell=f"El {said} no atiende {named[0]}: atiende {days}.")


@tool
def quote(servicio: str, facts: Facts, opening: OpeningHours) -> Quote:
    """What a service costs, and how to prepare for it."""
    clinic = Clinic(facts, opening)
    price, before = clinic.table("precios")[servicio], clinic.table("preparacion")[servicio]
    return {"precio": int(str(price)), "antes": str(before)}


# --- booking, moving, cancelling ------------------------------------------------------------------------


@tool(writes=True)
async def book(  # noqa: PLR0913, PLR0917
    servicio: str,
    profesional: str,
    dia: date,
    hora: str,
    nombre: str,
    facts: Facts,
    opening: OpeningHours,
    database: Database,
    now: datetime,
    call_id: str,
    nota: str = "",
) -> Done:
    """Book what was shown; `nota` is what the patient wishes besides."""
    clinic, wish = Clinic(facts, opening), Wish(servicio, profesional, dia)
    begins = agenda.minutes_of(hora)
    number = await database.run(agenda.book, clinic, wish, begins, nombre, call=call_id, now=now, note=nota)
    if number is None:
        raise ToolFailed("taken meanwhile", tell=f"Las {hora} se acaban de ocupar.")
    return await _made(database, number, now)


@tool(writes=True)
async def move(  # noqa: PLR0913, PLR0917
    elegido: str,
    servicio: str,
    profesional: str,
    dia: date,
    hora: str,
    nombre: str,
    facts: Facts,
    opening: OpeningHours,
    database: Database,
    now: datetime,
) -> Done:
    """Move an appointment to another day and hour."""
    clinic, wish, number = Clinic(facts, opening), Wish(servicio, profesional, dia), _number(elegido)
    if not await database.run(agenda.move, clinic, wish, agenda.minutes_of(hora), number, nombre, now=now):
        raise ToolFailed("taken meanwhile", tell=f"Las {hora} se acaban de ocupar.")
    return await _made(database, number, now)


@tool(writes=True)
async def cancel(elegido: str, database: Database, now: datetime) -> Cancelled:
    """Cancel an appointment."""
    await database.run(agenda.mark, _number(elegido), "cancelled")
    return {**await _next(database, now), "soltado": elegido}


@tool
async def cancelled_appointment(
    soltado: str, facts: Facts, opening: OpeningHours, database: Database, now: datetime
) -> Detail:
    """The appointment that the contact has cancelled, if its place is still free."""
    found = await database.run(agenda.cancelled, Clinic(facts, opening), _number(soltado), now)
    if found is None:
        raise ToolFailed("it is taken", tell="Ese lugar ya se ocupó. Decime otro día y te busco uno.")
    return {"elegido_detalle": _detail(found)}


@tool(writes=True)
async def restore(soltado: str, facts: Facts, opening: OpeningHours, database: Database, now: datetime) -> Done:
    """Give back an appointment that was cancelled."""
    number = _number(soltado)
    if not await database.run(agenda.restore, Clinic(facts, opening), number, now):
        raise ToolFailed("it is taken", tell="Ese lugar se acaba de ocupar. Decime otro día y te busco uno.")
    return await _made(database, number, now)


@tool(writes=True)
async def confirm_appointment(turno: str, database: Database, now: datetime) -> Done:
    """Note that the contact comes."""
    await database.run(agenda.mark, _number(turno), "confirmed")
    return await _made(database, _number(turno), now)


@tool(writes=True, needs_yes=False)
async def mark_unanswered(turno: str, database: Database) -> bool:
    """Note for the secretary that the contact has not answered the reminder."""
    return await database.run(agenda.mark, _number(turno), "unanswered")


@tool
async def my_appointment(database: Database, now: datetime, cual: str = "") -> Chosen:
    """The contact's appointment, or the one that they choose of several."""
    return _chosen(await database.run(agenda.to_come, now), cual)


@tool
async def appointment_to_cancel(
    database: Database, now: datetime, cual: str = "", servicio: str = "", dia: date | None = None
) -> Chosen:
    """The same, by the service or the day that the contact names: "cancelá el de clínica", "el del jueves"."""
    found = await database.run(agenda.to_come, now)
    named = [each for each in found if servicio in {"", each.service} and dia in {None, each.day}]
    return _chosen(named or found, cual)


def _chosen(found: list[Appointment], which: str) -> Chosen:
    chosen = [each for each in found if which.startswith(each.code)] or _told_of(found, which)
    if len(found) > 1 and len(chosen) != 1:
        options = [f"{each.code} {agenda.said_day(each.day)} {agenda.clock(each.begins)}" for each in found]
        raise AskContact("cual", options, "Tenés más de un turno. ¿Cuál de estos?")
    if not found:
        nothing = ("elegido", "elegido_detalle", "elegido_servicio", "elegido_profesional", "elegido_dia")
        return cast(Chosen, dict.fromkeys(nothing, ""))
    one = (chosen or found)[0]
    return {
        "elegido": one.code,
        "elegido_detalle": _detail(one),
        "elegido_servicio": one.service,
        "elegido_profesional": one.professional,
        "elegido_dia": one.day.isoformat(),
    }


def _told_of(found: list[Appointment], which: str) -> list[Appointment]:
    """Those of which the words of an answer speak: "el de nutrición", "el de las 10", "el de mi hijo Tomás"."""
    said = set(re.findall(r"\w{3,}|\d+", which.casefold()))
    told = {each: set(re.findall(r"\w{3,}|\d+", f"{_detail(each)} {each.patient}".casefold())) for each in found}
    shared = set.intersection(*told.values()) if told else set()
    return [each for each, words in told.items() if said & (words - shared)]


@tool
def same_day(elegido_dia: date) -> Day:
    """The day of the appointment that is moved to another hour."""
    return {"dia": elegido_dia.isoformat()}


@tool
async def next_appointment(database: Database, now: datetime) -> Next:
    """The contact's next appointment."""
    return await _next(database, now)


@tool
async def my_appointments(database: Database, now: datetime) -> Told:
    """All appointments of the contact, in words."""
    found = await database.run(agenda.to_come, now)
    if not found:
        raise ToolFailed("none", tell=NO_APPOINTMENT)
    several = len({each.patient for each in found}) > 1
    lines = [f"• {each.code}: {_detail(each)}{f', a nombre de {each.patient}' if several else ''}" for each in found]
    return {"text": "\n".join(lines)}


async def _next(database: Database, now: datetime) -> Next:
    found = await database.run(agenda.to_come, now)
    return _told(found)


async def _made(database: Database, number: int, now: datetime) -> Done:
    """What was done with the appointment of a number."""
    found = await database.run(agenda.to_come, now)
    one = next(each for each in found if each.number == number)
    starts = datetime.combine(one.day, datetime.min.time(), now.tzinfo) + timedelta(minutes=one.begins)
    later = "Un día antes te escribimos para que nos confirmes." if starts - now > REMINDED else ""
    return {**_told(found), "hecho": f"{one.code}, {_detail(one)}", "aviso": later}


def _told(found: list[Appointment]) -> Next:
    if not found:
        return {"turno": "", "turno_detalle": "", "turno_dia": "", "turno_hora": "", "turno_confirmado": False}
    one = found[0]
    return {
        "turno": one.code,
        "turno_detalle": _detail(one),
        "turno_dia": one.day.isoformat(),
        "turno_hora": agenda.clock(one.begins),
        "turno_confirmado": one.status == "confirmed",
    }


def _detail(found: Appointment) -> str:
    when = f"{agenda.said_day(found.day)} a las {agenda.clock(found.begins)}"
    return f"{found.service} con {found.professional}, {when}"


def _number(code: str) -> int:
    digits = code.removeprefix("T-")
    return int(digits) if digits.isdecimal() else 0


# --- the waiting list -----------------------------------------------------------------------------------


@tool(writes=True)
async def join_waitlist(  # noqa: PLR0913, PLR0917
    servicio: str, profesional: str, dia: date, opening: OpeningHours, database: Database, now: datetime
) -> Waiting:
    """Put the contact on the waiting list of a day."""
    wish = Wish(servicio, profesional, dia)
    await database.run(agenda.wait_for, wish, now)
    return _waiting(wish, None, opening, now)


@tool(writes=True, needs_yes=False)
async def look_for_room(
    facts: Facts, opening: OpeningHours, database: Database, now: datetime, call_id: str
) -> Waiting:
    """See whether a place has come free for the contact, and keep it for a while."""
    clinic = Clinic(facts, opening)
    wish, begins = await database.run(agenda.offered, clinic, now, call=call_id, keep=KEPT)
    return _waiting(wish, begins, opening, now)


@tool(writes=True)
async def take_offer(  # noqa: PLR0913, PLR0917
    espera_hora: str, nombre: str, facts: Facts, opening: OpeningHours, database: Database, now: datetime, call_id: str
) -> Done:
    """Book the place that was offered to somebody on the waiting list."""
    clinic, begins = Clinic(facts, opening), agenda.minutes_of(espera_hora)
    number = await database.run(agenda.take_offer, clinic, begins, nombre, call=call_id, now=now)
    if number is None:
        raise ToolFailed("taken meanwhile", tell="Uy, ese lugar ya se ocupó. Seguís en la lista de espera.")
    return await _made(database, number, now)


@tool(writes=True, needs_yes=False)
async def leave_waitlist(opening: OpeningHours, database: Database, now: datetime) -> Waiting:
    """Take the contact off the waiting list."""
    await database.run(agenda.stop_waiting)
    return _waiting(None, None, opening, now)


def _waiting(wish: Wish | None, begins: int | None, opening: OpeningHours, now: datetime) -> Waiting:
    """When to look again: in an hour while the clinic is open; no more when the day is over."""
    nothing: Waiting = {"espera": "", "espera_hora": "", "espera_profesional": "", "mirar_dia": "", "mirar_hora": ""}
    if wish is None:
        return nothing
    text = f"{wish.service} con {wish.professional}, {agenda.said_day(wish.day)}"
    if begins is not None:
        return {**nothing, "espera": text, "espera_hora": agenda.clock(begins), "espera_profesional": wish.professional}
    again = now + LOOK_EVERY
    spans = [span for span in opening.on(again.date()) if again.hour * 60 + again.minute < span.end]
    if not spans:
        again = datetime.combine(again.date() + timedelta(days=1), datetime.min.time()).replace(hour=9)
    if again.date() > wish.day:
        return nothing
    return {**nothing, "espera": text, "mirar_dia": again.date().isoformat(), "mirar_hora": f"{again:%H:%M}"}


# --- questions ------------------------------------------------------------------------------------------


@tool
def price(facts: Facts, opening: OpeningHours, servicio: str = "") -> Told:
    """What a service costs, or all of them."""
    prices = Clinic(facts, opening).table("precios")
    if servicio and servicio not in prices:
        raise ToolFailed("no such service", tell=f"{servicio} no tenemos. Atendemos {', '.join(prices)}.")
    named = {servicio: prices[servicio]} if servicio in prices else prices
    lines = [f"{name}: ${int(str(amount)):,}".replace(",", ".") for name, amount in named.items()]
    return {"text": "\n".join(lines)}


@tool
def preparation(servicio: str, facts: Facts, opening: OpeningHours) -> Told:
    """How to prepare for a service."""
    known = Clinic(facts, opening).table("preparacion")
    if servicio not in known:
        raise ToolFailed("no such service", tell=f"{servicio} no tenemos. Atendemos {', '.join(known)}.")
    return {"text": f"{servicio}: {known[servicio]}"}


@tool
async def when_free(  # noqa: PLR0913, PLR0917
    facts: Facts,
    opening: OpeningHours,
    database: Database,
    now: datetime,
    servicio: str = "",
    profesional: str = "",
) -> First:
    """The first day with room for a service, and its first hours."""
    clinic = Clinic(facts, opening)
    if servicio not in clinic.table("precios"):
        known = ", ".join(clinic.table("precios"))
        raise ToolFailed("no service", tell=f"Decime para qué es y te digo el primer lugar que hay: {known}.")
    wish = Wish(servicio, profesional or ANYBODY, now.date())
    day = await database.run(agenda.next_day, clinic, wish, now, days=SEARCHED)
    if day is None:
        raise ToolFailed("no room", tell=f"Para {servicio} no queda lugar en las próximas semanas.")
    room = await database.run(agenda.free, clinic, Wish(servicio, wish.professional, day), now)
    hours = ", ".join(agenda.clock(each) for each in list(room)[:SHOWN])
    first = f"Para {servicio} lo primero que hay es el {agenda.said_day(day)}, a las {hours}."
    return {"text": f"{first} Si te sirve otro día, decime.", "primero": [f"{day.day}/{day.month}/{day.year}"]}


@tool
async def free_on_day(  # noqa: PLR0913, PLR0917
    facts: Facts,
    opening: OpeningHours,
    database: Database,
    now: datetime,
    servicio: str = "",
    profesional: str = "",
    dia: date | None = None,
) -> Told:
    """All free hours of the day that is spoken of."""
    clinic = Clinic(facts, opening)
    if dia is None or servicio not in clinic.table("precios"):
        raise ToolFailed("no day", tell="Decime para qué es y para qué día, y te digo qué horas hay.")
    wish = Wish(servicio, profesional or ANYBODY, dia)
    _check_day(clinic, wish, now)
    room = await database.run(agenda.free, clinic, wish, now)
    hours = ", ".join(map(agenda.clock, room))
    said = agenda.said_day(dia)
    return {"text": f"El {said} están libres: {hours}." if hours else f"El {said} no queda lugar."}


@tool
def team(facts: Facts, opening: OpeningHours) -> Told:
    """Who attends to what, and on which days."""
    clinic = Clinic(facts, opening)
    days = clinic.table("dias")
    lines = [
        f"• {name}: {what} ({', '.join(str(days[name]).split())})" for name, what in clinic.table("atiende").items()
    ]
    return {"text": "\n".join(lines)}


# --- for the secretary ----------------------------------------------------------------------------------


@tool(operator=True)
async def agenda_of_day(dia: date, database: Database) -> Told:
    """The appointments of a day, with those that were not confirmed."""
    lines = await database.run(agenda.agenda, dia)
    return {"text": "\n".join(lines) or "No hay turnos."}


@tool(writes=True, operator=True)
async def cancel_for_contact(turno: str, database: Database, now: datetime) -> Next:
    """Cancel an appointment of the contact, who is told."""
    if not await database.run(agenda.mark, _number(turno), "cancelled"):
        raise ToolFailed(f"there is no appointment {turno}")
    return await _next(database, now)
