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

from hilo import AskContact, ToolFailed, tool

HERE = Path(__file__).parent
DATABASE = Path(os.environ.get("VUELOS_DB") or Path(tempfile.mkdtemp(prefix="vuelos-")) / "vuelos.sqlite")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
DAYS_AHEAD = 400
FLOWN = (
    "SELECT flights.*, o.city AS from_city, d.city AS to_city"
    " FROM flights JOIN airports o ON origin = o.code JOIN airports d ON destination = d.code"
)
NEAR_MINUTES, HALF_A_DAY = 60, 12 * 60
OUT, BACK, BOTH = "la ida", "la vuelta", "los dos"  # the choices of the slot `leg`
MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio",
    "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
)  # fmt: skip

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


@tool
def flown_hour(hour: str, origin: str = "", destination: str = "", held_from: str = "", held_to: str = "") -> bool:
    """Whether a flight of the route that is spoken of leaves about an hour; tells at which hours they do."""
    routes = {each for each in ((origin, destination), (held_from, held_to)) if all(each)}
    if len(routes) != 1:
        return True  # which one is meant is seen when the flights are looked for
    start, end = routes.pop()
    with database() as connection:
        flown = free_flights(connection, start, end, "", 1)
    if flown and not at_hour(flown, hour):
        raise ToolFailed("no such hour", tell=f"A las {hour} no sale ninguno. {hours_of(flown, start, end)}")
    return True


def hours_of(rows: list[sqlite3.Row], origin: str, destination: str) -> str:
    """At what hours flights leave, in a sentence."""
    by_hour = sorted(rows, key=lambda row: str(row["departs"]))
    named = [f"el {row['flight']} de las {row['departs']}" for row in by_hour]
    if len(named) == 1:
        return f"De {origin} a {destination} hay un vuelo por día, {named[0]}."
    return f"De {origin} a {destination} salen {listing(named)}."


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
    told = wanted or at_hour(free, hour)
    inside = [] if told else in_window(free, window)  # who names a flight or its hour wants that one
    best, said = chosen(inside or free, told)
    if inside and len(inside) == 1:
        said = "Es el único en ese horario."
    elif window and not inside and not told:
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
def tell_times(  # noqa: PLR0913, PLR0917 -- a route, or that of the booking that is spoken of
    origin: str = "", destination: str = "", window: str = "", hour: str = "", held_from: str = "", held_to: str = ""
) -> dict[str, object]:
    """At what hours we fly between two cities, every day; those of a `window` or of an `hour`, where one is named."""
    if not (origin or destination):
        origin, destination = held_from, held_to
    with database() as connection:
        rows = free_flights(connection, origin, destination, "", 1)
    if not rows:
        tell = "Dime de dónde sales, a dónde vas y qué día, y te muestro los vuelos con su hora."
        raise ToolFailed("no route", tell=tell)
    if len(rows) == 1 and (not window or in_window(rows, window)):
        # also who finds its hour too early, or asks for another one, is told that there is none
        return {"text": f"De {origin} a {destination} hay un solo vuelo por día: {shown(rows[0])} por persona."}
    if window or hour:
        at = at_hour(rows, hour)
        fitting = in_window(rows, window) or [row for row in rows if row["flight"] == at]
        found = f"Sí: {'; '.join(map(shown, fitting))} por persona." if fitting else "A esa hora no hay."
        return {"text": found if fitting else f"{found} {hours_of(rows, origin, destination)}"}
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
        return {"text": f"En total son {plainly(total)} dólares, con impuestos: {ways}, {people(passengers)}."}
    with database() as connection:
        rows = free_flights(connection, origin, destination, "", 1)
    if not rows:
        tell = "Dime de dónde sales y a dónde vas, y te digo el precio."
        raise ToolFailed("no route", tell=tell)
    least = Decimal(rows[0]["price"])
    text = f"De {origin} a {destination}, desde {plainly(least)} dólares por persona y trayecto, con impuestos"
    together = f"; para {passengers}, {plainly(least * passengers)}" if passengers > 1 else ""
    return {"text": f"{text}{together}."}


@tool(timeout=5)
def tell_cheapest(origin: str = "", destination: str = "") -> dict[str, object]:
    """Which flight between two cities costs least; the prices are those of every day."""
    with database() as connection:
        rows = free_flights(connection, origin, destination, "", 1)
    if not rows:
        raise ToolFailed("no route", tell="De los vuelos de tu ruta te ofrezco siempre el más económico primero.")
    first, price = rows[0], plainly(Decimal(rows[0]["price"]))
    best = f"el {first['flight']} de las {first['departs']}, a {price} dólares por persona"
    if len(rows) == 1:
        return {"text": f"De {origin} a {destination} hay un solo vuelo por día, {best}."}
    return {"text": f"De {origin} a {destination} el más económico es {best}."}


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


def free_flights(  # noqa: PLR0913
    connection: sqlite3.Connection, origin: str, destination: str, day: str, passengers: int, *, but: str = ""
) -> list[sqlite3.Row]:
    """The flights of a day with so many seats, the cheapest first."""
    rows = connection.execute(
        f"{FLOWN} WHERE o.city = ? AND d.city = ? ORDER BY CAST(price AS REAL)", (origin, destination)
    ).fetchall()
    return [row for row in rows if seats_left(connection, row, day, but=but) >= passengers]


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
    half = {flight: abs(minutes - HALF_A_DAY) for flight, minutes in apart.items()}  # "las 8" may be early or late
    for distances in (apart, half):
        nearest = min(distances, key=distances.__getitem__)
        if distances[nearest] < NEAR_MINUTES:
            return nearest
    return ""


def minutes_apart(departs: str, minutes: int) -> int:
    """How far a departure is from a time of the day, in minutes."""
    return abs(int(departs[:2]) * 60 + int(departs[3:5]) - minutes)


def chosen(free: list[sqlite3.Row], wanted: str) -> tuple[sqlite3.Row, str]:
    """The flight to offer, and a sentence that says why it is this one."""
    cheapest = free[0]
    for row in free:
        if row["flight"] == wanted:
            return row, f"Te ofrezco el {wanted}, que sale a las {row['departs']}."
    if wanted:
        return cheapest, f"El {wanted} no está entre ellos; el más económico es el {cheapest['flight']}."
    if len(free) == 1:
        return cheapest, "Es el único de ese día."
    return cheapest, f"El más económico es el {cheapest['flight']}; si prefieres otro, dime su número."


def seats_left(connection: sqlite3.Connection, flight: sqlite3.Row, day: str, *, but: str = "") -> int:
    """Seats of a flight that nobody has booked, `but` whoever has this locator."""
    taken = connection.execute(
        "SELECT COALESCE(SUM(passengers), 0) FROM bookings"
        " WHERE flight = ? AND day = ? AND locator <> ? AND NOT cancelled",
        (flight["flight"], day, but),
    ).fetchone()[0]
    return int(flight["seats"]) - int(taken)


@tool(writes=True)
def book_flight(  # noqa: PLR0913, PLR0917 -- what is booked, for whom, and the engine's
    flight: str, date: str, passengers: int, name: str, call_id: str, notes: str = "", email: str = ""
) -> dict[str, object]:
    """Book seats; the same call books once. The locator is made from the call, so that a repeated call finds it.

    notes, email: what the passenger wishes besides and where they are written to, for whoever sees to it.
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
        if besides := "; ".join(filter(None, (notes, email))):
            connection.execute("INSERT INTO booking_notes VALUES (?,?)", (locator, besides))
    return {"locator": locator}


@tool
def own_trip(booked: str, return_locator: str = "") -> dict[str, object]:
    """The journey that was booked in this talk, which is spoken of from now on."""
    return {"out": booked, "back": return_locator, "last": ""}


@tool(timeout=5)
def my_booking(  # noqa: PLR0913, PLR0917 -- all that may tell which booking is meant
    locator: str = "",
    last_locator: str = "",
    own_out: str = "",
    own_back: str = "",
    leg: str = "",
    either: str = "",
) -> dict[str, object]:
    """The booking that is spoken of: by its locator, else one of this talk.

    either: where both ways may be meant at once, which of them; elsewhere they are taken one by one.
    """
    if locator:
        return {"locator": locator, "also": ""}
    with database() as connection:
        live = {each for each in (last_locator, own_out, own_back) if each and held(connection, each)}
    out, back = (each if each in live else "" for each in (own_out, own_back))
    if not (out and back):
        return {"locator": out or back or (last_locator if last_locator in live else ""), "also": ""}
    if leg == BOTH and either == BOTH:
        return {"locator": out, "also": back}
    if leg == BACK:
        return {"locator": back, "also": ""}
    if leg == OUT or last_locator in live:
        return {"locator": out if leg == OUT else last_locator, "also": ""}
    raise AskContact("leg", [OUT, BACK], "¿Cuál de los dos, la ida o la vuelta?")


@tool(timeout=5)
def find_booking(locator: str, also_locator: str = "") -> dict[str, object]:
    """What was booked under a locator; `also_locator` is the other way of the same journey."""
    with database() as connection:
        row, other = held(connection, locator), held(connection, also_locator)
    if row is None:
        tell = f"No encuentro ninguna reserva con el localizador {locator}."
        raise ToolFailed(f"no booking {locator}", tell=f"{tell} Revísalo, o dime «agente» y la busca una persona.")
    found = {key: row[key] for key in ("locator", "flight", "day", "name")}
    stands = f"{described(row)} y {described(other)}" if other else described(row)
    return {**found, "origin": row["from_city"], "destination": row["to_city"], "stands": stands}


@tool(timeout=5)
def plan_change(locator: str, new_date: str = "", hour: str = "", window: str = "") -> dict[str, object]:
    """What a booking would be changed to: another day, or another flight of the same route at another hour."""
    with database() as connection:
        row = held(connection, locator)
        if row is None:
            raise ToolFailed(f"no booking {locator}", tell=f"La reserva {locator} ya no está.")
        day = new_date or row["day"]
        to = another_flight(connection, row, day, hour, window)
    if (to["flight"], day) == (row["flight"], row["day"]):
        raise ToolFailed("nothing changes", tell=f"Así la tienes ya: {described(row)}.")
    change = f"en vez del {said_day(row['day'])}"
    if to["flight"] != row["flight"]:
        before, after = (Decimal(each["price"]) * row["passengers"] for each in (row, to))
        flights = f"en el {to['flight']} de las {to['departs']} en vez del {row['flight']} de las {row['departs']}"
        change = f"{flights}; el precio pasa de {plainly(before)} a {plainly(after)} dólares"
    return {"change": change, "to_flight": to["flight"], "day": day}


def another_flight(connection: sqlite3.Connection, row: sqlite3.Row, day: str, hour: str, window: str) -> sqlite3.Row:
    """The flight that a booking may be moved to; tells why there is none."""
    free = free_flights(connection, row["from_city"], row["to_city"], day, row["passengers"], but=row["locator"])
    if not (hour or window):
        same = [each for each in free if each["flight"] == row["flight"]]
        if not same:
            tell = f"El {said_day(day)} no quedan plazas en el {row['flight']}; tu reserva sigue como estaba."
            raise ToolFailed("no seats", tell=tell)
        return same[0]
    at = at_hour(free, hour)
    inside = [each for each in free if each["flight"] == at] or in_window(free, window)
    if not inside:
        hours = listing(sorted(each["departs"] for each in free)) or "ninguno"
        tell = f"A esa hora no sale ninguno el {said_day(day)}; salen: {hours}. Tu reserva sigue como estaba."
        raise ToolFailed("no such hour", tell=tell)
    return inside[0]


@tool(writes=True)
def change_booking(locator: str, new_date: str, to_flight: str = "") -> dict[str, object]:
    """Move a booking to another day, and to another flight if one is given, if there are seats."""
    with database() as connection:
        row = held(connection, locator)
        flight = to_flight or (row["flight"] if row else "")
        if row is None or not has_room(connection, row, flight, new_date, row["passengers"]):
            raise ToolFailed(f"{locator} cannot be moved", tell=f"El {said_day(new_date)} ya no quedan plazas.")
        connection.execute("UPDATE bookings SET day = ?, flight = ? WHERE locator = ?", (new_date, flight, locator))
    return {"day": new_date}


@tool(timeout=5)
def plan_amendment(
    booked: str, date: str, passengers: int, return_locator: str = "", return_date: str = ""
) -> dict[str, object]:
    """What the booking just made would be with the values as they are now."""
    days = {booked: date, return_locator: return_date or date}
    with database() as connection:
        rows = own_ways(connection, booked, return_locator)
        for row in rows:
            if not has_room(connection, row, row["flight"], days[row["locator"]], passengers):
                tell = f"El {said_day(days[row['locator']])} no hay sitio para {passengers} en el {row['flight']}."
                raise ToolFailed("no seats", tell=tell)
    if len(rows) > 1 and days[booked] > days[return_locator]:
        raise ToolFailed("back before out", tell="La vuelta no puede ser antes de la ida.")
    ways = [f"el {row['flight']} de {row['from_city']} a {row['to_city']}" for row in rows]
    total = sum((Decimal(row["price"]) * passengers for row in rows), Decimal(0))
    dearer = "" if passengers == rows[0]["passengers"] else f", {plainly(total)} dólares en total"
    return {"change": f"{listing(ways)}{dearer}"}


@tool(writes=True)
def amend_booking(  # noqa: PLR0913, PLR0917
    booked: str, date: str, name: str, passengers: int, return_locator: str = "", return_date: str = ""
) -> dict[str, object]:
    """Put right the days, the name or the number of passengers of the booking just made, if there are seats."""
    days = {booked: date, return_locator: return_date or date}
    with database() as connection:
        for row in own_ways(connection, booked, return_locator):
            day = days[row["locator"]]
            if not has_room(connection, row, row["flight"], day, passengers):
                raise ToolFailed("no seats", tell=f"El {said_day(day)} ya no quedan plazas en el {row['flight']}.")
            connection.execute(
                "UPDATE bookings SET day = ?, name = ?, passengers = ? WHERE locator = ?",
                (day, name, passengers, row["locator"]),
            )
        now_held = own_ways(connection, booked, return_locator)
    return {"stands": " y ".join(map(described, now_held))}


@tool(timeout=5)
def booked_values(booked: str, return_locator: str = "") -> dict[str, object]:
    """What the booking just made has, and what it is in words."""
    with database() as connection:
        rows = own_ways(connection, booked, return_locator)
    by_locator = {row["locator"]: row for row in rows}
    back = by_locator.get(return_locator)
    return {
        "date": by_locator[booked]["day"] if booked in by_locator else "",
        "return_date": back["day"] if back else "",
        "passengers": rows[0]["passengers"],
        "name": rows[0]["name"],
        "stands": " y ".join(map(described, rows)),
    }


@tool(writes=True)
def cancel_booking(locator: str, also_locator: str = "") -> dict[str, object]:
    """Cancel a booking, and the other way of the same journey; a cancelled one stays cancelled."""
    with database() as connection:
        if held(connection, locator) is None:
            raise ToolFailed(f"no booking {locator}", tell=f"No encuentro la reserva {locator}.")
        connection.execute("UPDATE bookings SET cancelled = 1 WHERE locator IN (?, ?)", (locator, also_locator))
    return {"dropped": locator, "dropped_also": also_locator}


@tool(timeout=5)
def find_cancelled(dropped: str, dropped_also: str = "") -> dict[str, object]:
    """What was cancelled in this talk, if it can still be had."""
    with database() as connection:
        rows = cancelled_with_room(connection, dropped, dropped_also)
    return {"stands": " y ".join(map(described, rows))}


@tool(writes=True)
def restore_booking(dropped: str, dropped_also: str = "") -> bool:
    """Take back a cancellation, if the seats are still free."""
    with database() as connection:
        cancelled_with_room(connection, dropped, dropped_also)
        connection.execute("UPDATE bookings SET cancelled = 0 WHERE locator IN (?, ?)", (dropped, dropped_also))
    return True


def cancelled_with_room(connection: sqlite3.Connection, *locators: str) -> list[sqlite3.Row]:
    """The cancelled bookings of these locators; tells where their seats are gone."""
    found = [row for each in locators if each and (row := held(connection, each, cancelled=True))]
    full = [row for row in found if not has_room(connection, row, row["flight"], row["day"], row["passengers"])]
    if full or not found:
        tell = "Esas plazas ya se ocuparon, así que no la puedo recuperar. Si quieres, busco otro vuelo."
        raise ToolFailed("the seats are gone", tell=tell)
    return found


def held(connection: sqlite3.Connection, locator: str, *, cancelled: bool = False) -> sqlite3.Row | None:
    """A booking with its flight and its cities."""
    row: sqlite3.Row | None = connection.execute(
        "SELECT bookings.*, departs, arrives, price, o.city AS from_city, d.city AS to_city"
        " FROM bookings JOIN flights USING (flight) JOIN airports o ON origin = o.code"
        " JOIN airports d ON destination = d.code WHERE locator = ? AND cancelled = ?",
        (locator, cancelled),
    ).fetchone()
    return row


def own_ways(connection: sqlite3.Connection, booked: str, back: str) -> list[sqlite3.Row]:
    """The ways of the booking just made that were not cancelled."""
    rows = [row for each in (booked, back) if (row := held(connection, each))]
    if not rows:
        raise ToolFailed("it was cancelled", tell="Esa reserva está cancelada.")
    return rows


def has_room(connection: sqlite3.Connection, row: sqlite3.Row, flight: str, day: str, passengers: int) -> bool:
    """Whether a booking may have so many seats of a flight on a day; its own count as free."""
    to = connection.execute("SELECT * FROM flights WHERE flight = ?", (flight,)).fetchone()
    return to is not None and seats_left(connection, to, day, but=row["locator"]) >= passengers


def described(row: sqlite3.Row) -> str:
    """A booking in words."""
    way = f"el {row['flight']} de {row['from_city']} a {row['to_city']}"
    return f"{way} del {said_day(row['day'])} a las {row['departs']}"


def said_day(day: str) -> str:
    """10 de abril de 2026."""
    found = date.fromisoformat(day)
    return f"{found.day} de {MONTHS[found.month - 1]} de {found.year}"


def people(count: int) -> str:
    """Una persona, 3 personas."""
    return "una persona" if count == 1 else f"{count} personas"
