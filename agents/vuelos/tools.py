"""The tools of the flight desk: a small flight database, made from the CSV files beside this one when it is loaded."""

import csv
import hashlib
import os
import re
import sqlite3
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from hilo import ToolFailed, tool

HERE = Path(__file__).parent
DATABASE = Path(os.environ.get("VUELOS_DB") or Path(tempfile.mkdtemp(prefix="vuelos-")) / "vuelos.sqlite")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
DAYS_AHEAD = 360
FLOWN = (
    "SELECT flights.*, o.city AS from_city, d.city AS to_city"
    " FROM flights JOIN airports o ON origin = o.code JOIN airports d ON destination = d.code"
)
NEAR_MINUTES, HALF_A_DAY = 60, 12 * 60

SCHEMA = """
CREATE TABLE IF NOT EXISTS airports (code TEXT PRIMARY KEY, city TEXT, country TEXT, names TEXT);
CREATE TABLE IF NOT EXISTS flights (
  flight TEXT PRIMARY KEY, origin TEXT, destination TEXT, departs TEXT, arrives TEXT, price TEXT, seats INTEGER);
CREATE TABLE IF NOT EXISTS bookings (
  locator TEXT PRIMARY KEY, flight TEXT, day TEXT, passengers INTEGER, name TEXT, cancelled INTEGER DEFAULT 0);
CREATE TABLE IF NOT EXISTS booking_notes (locator TEXT PRIMARY KEY, notes TEXT);
"""


@contextmanager
def database() -> Iterator[sqlite3.Connection]:
    """A connection whose changes are kept together or not at all."""
    connection = sqlite3.connect(DATABASE, isolation_level=None, timeout=5)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    finally:
        connection.close()


def fill(table: str, file: str) -> None:
    """Load a CSV file into its table; rows that are there stay as they are."""
    with (HERE / file).open(encoding="utf-8", newline="") as lines, database() as connection:
        for row in csv.reader(list(lines)[1:]):
            connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({','.join('?' * len(row))})", row)  # noqa: S608


def make_database() -> None:
    """Make the database anew from the CSV files; bookings that are there stay."""
    DATABASE.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(DATABASE) as connection:
        connection.executescript(SCHEMA)
    fill("airports", "airports.csv")
    fill("flights", "flights.csv")
    fill("bookings", "bookings.csv")


make_database()


def plain(text: str) -> str:
    """Lower case, no accents."""
    folded = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in folded if not unicodedata.combining(letter)).strip(" .,")


# --- values -------------------------------------------------------------------------------------------


@tool
def known_airport(place: str, origin: str = "", destination: str = "") -> str | list[str] | bool:
    """The city of a name or a code; several when only the contact can tell, False when we do not fly there.

    Of several in one city it is the one between which and the other end of the journey we fly.
    """
    with database() as connection:
        rows = connection.execute("SELECT code, city, country, names FROM airports").fetchall()
        routes = connection.execute("SELECT DISTINCT origin, destination FROM flights").fetchall()
    named = airports_named(rows, place)
    if len({row["country"] for row in named}) == 1 < len(named):
        starts, ends = ({row["code"] for row in airports_named(rows, other)} for other in (origin, destination))
        flown = {row["origin"] for row in routes if row["destination"] in ends}
        flown |= {row["destination"] for row in routes if row["origin"] in starts}
        named = [row for row in named if row["code"] in flown] or named
    if len(named) == 1:
        return str(named[0]["city"])
    return [str(row["city"]) for row in named] or False


def airports_named(rows: list[sqlite3.Row], place: str) -> list[sqlite3.Row]:
    """The airports of a name or a code; all of a city that has several."""
    wanted = re.sub(r"^(?:(?:el|la|en|de|del|al|a) )+", "", plain(place))  # el de Ezeiza
    for row in rows:
        if wanted in {row["code"].lower(), plain(row["city"])} or wanted.startswith(f"{row['code'].lower()} "):
            return [row]
    return [row for row in rows if wanted in row["names"].split("|")]


@tool
def bookable_day(day: str, now: datetime) -> bool:
    """Whether flights can be booked for a day."""
    ahead = date.fromisoformat(day) - now.date()
    return timedelta(0) <= ahead <= timedelta(days=DAYS_AHEAD)


# --- flights and bookings -----------------------------------------------------------------------------


@tool(timeout=5)
def find_route(origin: str, destination: str) -> dict[str, object]:
    """Whether we fly from one city to another, and where else flights go from there."""
    with database() as connection:
        flown = connection.execute(f"{FLOWN} WHERE o.city = ? AND d.city = ?", (origin, destination)).fetchone()
        others = cities(connection, "d", "o.city = ?", origin)
        from_where = cities(connection, "o", "d.city = ?", destination)
        told = f"Desde {origin} volamos a {listing(others)}."
        if from_where and not flown:
            told = f"A {destination} volamos desde {listing(from_where)}. {told}"
        if not others:
            told = f"Desde {origin} no salen vuelos nuestros. Salimos de {listing(cities(connection, 'o'))}."
    return {"served": "sí" if flown else "", "listed": told, "ways": len(others)}


@tool(timeout=5)
def search_flights(  # noqa: PLR0913, PLR0917 -- what may tell a flight, and the engine's
    origin: str,
    destination: str,
    date: str,
    now: datetime,
    passengers: int = 1,
    wanted: str = "",
    hour: str = "",
    window: str = "",
) -> dict[str, object]:
    """The flights of a day with seats enough, the cheapest first.

    Offered is the one that is `wanted`, that of an `hour`, or the cheapest of a `window` of hours such as 18:00-23:59.
    """
    with database() as connection:
        free = still_to_leave(free_flights(connection, origin, destination, date, passengers), date, now)
    if not free:
        return {"options": 0}
    inside = in_window(free, window)
    best, said = chosen(inside or free, wanted or at_hour(free, hour))
    if window and not inside:
        said = f"En el horario que pides no sale ninguno ese día. {said}"
    elif hour and not wanted and not at_hour(free, hour):
        said = f"A las {hour} no sale ninguno ese día. {said}"
    return {
        "options": len(free),
        "listed": "; ".join(shown(row) for row in inside or free),
        "choice": said,
        "flight": best["flight"],
        "departs": best["departs"],
        "total": Decimal(best["price"]) * passengers,
    }


@tool(timeout=5)
def search_return(  # noqa: PLR0913, PLR0917
    origin: str, destination: str, date: str, fare_out: Decimal, now: datetime, passengers: int = 1, window: str = ""
) -> dict[str, object]:
    """The cheapest flight back, and what both ways cost together."""
    with database() as connection:
        free = still_to_leave(free_flights(connection, origin, destination, date, passengers), date, now)
    if not free:
        return {"options": 0}
    inside = in_window(free, window)
    best = (inside or free)[0]
    total = Decimal(best["price"]) * passengers
    told = f"Para la vuelta, el {best['flight']} sale a las {best['departs']}."
    if window and not inside:
        told = f"{told} En el horario que pides no vuelve ninguno."
    return {
        "options": len(free),
        "flight": best["flight"],
        "departs": best["departs"],
        "total": total,
        "both": total + fare_out,
        "choice": told,
    }


@tool(timeout=5)
def tell_times(origin: str = "", destination: str = "") -> dict[str, object]:
    """At what hours we fly between two cities, every day."""
    with database() as connection:
        rows = free_flights(connection, origin, destination, "", 1)
    if not rows:
        tell = "Dime de dónde sales, a dónde vas y qué día, y te muestro los vuelos con su hora."
        raise ToolFailed("no route", tell=tell)
    return {"text": f"De {origin} a {destination} volamos todos los días: {'; '.join(map(shown, rows))} por persona."}


@tool(timeout=5)
def tell_fare(
    origin: str = "",
    destination: str = "",
    passengers: int = 1,
    fare_total: Decimal | None = None,
    fare_both: Decimal | None = None,
) -> dict[str, object]:
    """What a flight between two cities costs: all together, where one was found, else the least for each passenger."""
    if total := fare_both or fare_total:
        ways = "ida y vuelta" if fare_both else "solo ida"
        people = "una persona" if passengers == 1 else f"{passengers} personas"
        return {"text": f"En total son {plainly(total)} dólares, con impuestos: {ways}, {people}."}
    with database() as connection:
        rows = free_flights(connection, origin, destination, "", 1)
    if not rows:
        tell = "Dime de dónde sales y a dónde vas, y te digo el precio."
        raise ToolFailed("no route", tell=tell)
    least = Decimal(rows[0]["price"])
    text = f"De {origin} a {destination}, desde {plainly(least)} dólares por persona y trayecto, con impuestos"
    people = f"; para {passengers}, {plainly(least * passengers)}" if passengers > 1 else ""
    return {"text": f"{text}{people}."}


@tool
def tell_return(return_choice: str = "") -> dict[str, object]:
    """Which flight back was found."""
    if not return_choice:
        raise ToolFailed("no way back yet", tell="La vuelta la busco en cuanto me digas qué día regresas.")
    return {"text": return_choice}


@tool
def tell_booked(booked: str = "", return_locator: str = "") -> dict[str, object]:
    """Whether something has been booked in this talk, and under which locators."""
    if not booked:
        raise ToolFailed(
            "nothing booked", tell="Todavía no hay nada reservado: se reserva cuando me digas que sí al resumen."
        )
    back = f" La vuelta: {return_locator}." if return_locator else ""
    return {"text": f"Sí, está reservado. Tu localizador es {booked}.{back}"}


def plainly(amount: Decimal) -> str:
    """49,9 and 65: an amount as people say it."""
    return f"{amount.normalize():f}".replace(".", ",")


def free_flights(
    connection: sqlite3.Connection, origin: str, destination: str, day: str, passengers: int
) -> list[sqlite3.Row]:
    """The flights of a day with so many seats, the cheapest first."""
    rows = connection.execute(
        f"{FLOWN} WHERE o.city = ? AND d.city = ? ORDER BY CAST(price AS REAL)", (origin, destination)
    ).fetchall()
    return [row for row in rows if seats_left(connection, row, day) >= passengers]


def still_to_leave(rows: list[sqlite3.Row], day: str, now: datetime) -> list[sqlite3.Row]:
    """The flights of a day without those that have left."""
    if day != now.date().isoformat():
        return rows
    return [row for row in rows if row["departs"] > f"{now:%H:%M}"]


def cities(connection: sqlite3.Connection, end: str, where: str = "1", city: str = "") -> list[str]:
    """The cities at one end of our flights, `o` or `d`, in order."""
    rows = connection.execute(f"{FLOWN} WHERE {where}", (city,) if city else ()).fetchall()
    return sorted({row["from_city" if end == "o" else "to_city"] for row in rows})


def listing(names: list[str]) -> str:
    """Lima, Cusco y Bogotá."""
    return f"{', '.join(names[:-1])} y {names[-1]}" if len(names) > 1 else "".join(names)


def shown(row: sqlite3.Row) -> str:
    """A flight with its hours and its price."""
    return f"{row['flight']} {row['departs']}–{row['arrives']} ${row['price']}"


def in_window(free: list[sqlite3.Row], window: str) -> list[sqlite3.Row]:
    """The flights that leave between two hours."""
    first, _, last = window.partition("-")
    return [row for row in free if window and first <= row["departs"] <= last]


def at_hour(free: list[sqlite3.Row], hour: str) -> str:
    """The flight that leaves less than an hour from another, in the morning or in the evening, and nearest to it."""
    if not hour:
        return ""
    minutes = int(hour[:2]) * 60 + int(hour[3:5])
    apart = {row["flight"]: minutes_apart(row["departs"], minutes) for row in free}
    nearest = min(apart, key=lambda flight: apart[flight])
    return nearest if apart[nearest] < NEAR_MINUTES else ""


def minutes_apart(departs: str, minutes: int) -> int:
    """How far a departure is from a time of day of twelve hours: "las 8" may be early or late."""
    apart = abs(int(departs[:2]) * 60 + int(departs[3:5]) - minutes)
    return min(apart, abs(apart - HALF_A_DAY))


def chosen(free: list[sqlite3.Row], wanted: str) -> tuple[sqlite3.Row, str]:
    """The flight to offer, and a sentence that says why it is this one."""
    cheapest = free[0]
    for row in free:
        if row["flight"] == wanted:
            return row, f"Te ofrezco el {wanted}, que sale a las {row['departs']}."
    if wanted:
        return cheapest, f"El {wanted} no está entre ellos; el más económico es el {cheapest['flight']}."
    if len(free) == 1:
        return cheapest, f"Es el {cheapest['flight']}."
    return cheapest, f"El más económico es el {cheapest['flight']}; si prefieres otro, dime su número."


def seats_left(connection: sqlite3.Connection, flight: sqlite3.Row, day: str) -> int:
    """Seats of a flight that nobody has booked."""
    taken = connection.execute(
        "SELECT COALESCE(SUM(passengers), 0) FROM bookings WHERE flight = ? AND day = ? AND NOT cancelled",
        (flight["flight"], day),
    ).fetchone()[0]
    return int(flight["seats"]) - int(taken)


@tool(writes=True)
def book_flight(  # noqa: PLR0913, PLR0917 -- what is booked, for whom, and the engine's
    flight: str, date: str, passengers: int, name: str, call_id: str, notes: str = ""
) -> dict[str, object]:
    """Book seats; the same call books once. The locator is made from the call, so that a repeated call finds it.

    notes: what the passenger wishes besides, for whoever sees to it.
    """
    digest = hashlib.sha256(call_id.encode()).digest()
    locator = "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:6])
    with database() as connection:
        if connection.execute("SELECT 1 FROM bookings WHERE locator = ?", (locator,)).fetchone():
            return {"locator": locator}
        row = connection.execute("SELECT * FROM flights WHERE flight = ?", (flight,)).fetchone()
        if row is None or seats_left(connection, row, date) < passengers:
            raise ToolFailed(f"no {passengers} seats on {flight} on {date}")
        connection.execute("INSERT INTO bookings VALUES (?,?,?,?,?,0)", (locator, flight, date, passengers, name))
        if notes:
            connection.execute("INSERT INTO booking_notes VALUES (?,?)", (locator, notes))
    return {"locator": locator}


@tool
def find_booking(locator: str) -> dict[str, object]:
    """What was booked under a locator."""
    with database() as connection:
        row = connection.execute(
            "SELECT bookings.*, o.city AS from_city, d.city AS to_city FROM bookings JOIN flights USING (flight)"
            " JOIN airports o ON origin = o.code JOIN airports d ON destination = d.code"
            " WHERE locator = ? AND NOT cancelled",
            (locator,),
        ).fetchone()
    if row is None:
        raise ToolFailed(f"no booking {locator}")
    found = {key: row[key] for key in ("flight", "day", "name")}
    return {**found, "origin": row["from_city"], "destination": row["to_city"]}


@tool(writes=True)
def change_booking(locator: str, new_date: str) -> dict[str, object]:
    """Move a booking to another day, if there are seats."""
    change_booking_day(locator, new_date)
    return {"day": new_date}


def change_booking_day(locator: str, new_date: str) -> None:
    """Another day for a booking; raises ToolFailed where there is none such, or no seat."""
    with database() as connection:
        row = connection.execute(
            "SELECT * FROM bookings JOIN flights USING (flight) WHERE locator = ? AND NOT cancelled", (locator,)
        ).fetchone()
        if row is None or (row["day"] != new_date and seats_left(connection, row, new_date) < row["passengers"]):
            raise ToolFailed(f"{locator} cannot be moved to {new_date}")
        connection.execute("UPDATE bookings SET day = ? WHERE locator = ?", (new_date, locator))


@tool(writes=True)
def amend_booking(locator: str, date: str, name: str, back: str = "") -> dict[str, object]:
    """Put right the day or the name of a booking, if there are seats; the name also of the way `back`."""
    change_booking_day(locator, date)
    with database() as connection:
        connection.execute("UPDATE bookings SET name = ? WHERE locator IN (?, ?)", (name, locator, back))
    return {"day": date}


@tool(writes=True)
def cancel_booking(locator: str) -> bool:
    """Cancel a booking; a cancelled one stays cancelled."""
    with database() as connection:
        done = connection.execute("UPDATE bookings SET cancelled = 1 WHERE locator = ?", (locator,))
        if not done.rowcount:
            raise ToolFailed(f"no booking {locator}")
    return True
