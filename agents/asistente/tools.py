"""The tools of the assistant: the time anywhere, sums, units, holidays, money, the contact's notes and reminders."""

import datetime as dt
import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import asistente_additions as additions
import asistente_lists as lists
import asistente_notes as notes
import asistente_reminders as reminders
from asistente_asking import plainly
from asistente_clocks import supposes, told_of_two
from asistente_holidays import (
    COUNTRIES,
    Holiday,
    days_until,
    find_country,
    holiday_on,
    holidays_of,
    month_number,
    next_holiday,
    period,
)
from asistente_places import apart, difference, find_place, place_of
from asistente_rates import AS_OF, HOME, MONEY_OF, find_currency, money, other_than, rate
from asistente_stories import in_signs
from asistente_sums import NOT_READ, Answer, solve
from asistente_undo import means_the_other, takes_back, undo
from asistente_units import PLACES, converted, find_pair, worded
from asistente_what_if import with_other_number
from asistente_wishes import (
    ONCE,
    WHEN,
    Wish,
    denies_change,
    hour_besides,
    in_place,
    is_note,
    is_one_more,
    is_rather,
    is_wish,
    moves,
    one_of_two,
    only_asks,
    other_words,
    points_back,
    read_ahead,
    read_another,
    read_wishes,
    says_also,
    says_only_sooner_or_later,
    takes_away,
    told_again,
    told_instead,
    too_often,
    with_moment,
    without_words,
)
from asistente_words import MONTHS, day_in_words, exact, is_shown_whole, joined, kind_named, spanish

from hilo import AskContact, Contact, Database, ToolFailed, language, tool

THOUSANDS = 3  # digits behind a sign that may be one of thousands
WEIGHTS = ("kilogramos", "gramos", "onzas", "toneladas")  # pounds of these are no money
TAX = 19  # per cent: the IVA of Colombia, where this agent is
_WITH_TAX = re.compile(r"\s*(?:\b(?:con|m[aá]s)|\+)\s*(?:el\s+)?iva\b", re.IGNORECASE)
# 15% de 2000 y súmale el IVA
_AND_THEN = re.compile(
    r"(?P<before>.*\d.*?)[\s,]+y (?:despu[eé]s |luego |a eso )?(?:s[uú]m|agr[eé]g|a[ñn][aá]d)\w+ (?:el |un )?"
    r"(?:iva|(?P<share>\d+ ?%))\W*$",
    re.IGNORECASE,
)
_ADDED_TO = re.compile(r"^.*?\biva\s+a\s+(\d[\d.,]*).*$", re.IGNORECASE)  # súmale el IVA a 200

NOWHERE = (
    "Si no sé desde dónde escribes, cuento con la hora y los feriados de Colombia; lo que ya te prometí sigue igual."
    " Dime tu país («estoy en México») y cuento con la de allí."
)
RATHER = re.compile(r"\b(?:mejor|que sea|p[aá]sal[oa]|c[aá]mbial[oa])\b.*\b(?:a|para) las? ", re.IGNORECASE)


@tool
def datetime(now: dt.datetime, place: str = "", day: str = "") -> dict[str, object]:
    """Tell the current time and date, here or somewhere else.

    Use it for "¿qué hora es en Tokio?", "¿qué día es hoy?", "hora en México". Call it once for each place.
    place: a city, a country or a time zone, as the contact wrote it ("Londres", "NYC", "Asia/Tokyo"); empty for here.
    day: only where another day than today is asked about, as 2026-12-25.
    """
    if day and day != now.date().isoformat():
        return _day_told(now, day)
    home = place_of(now.tzinfo)
    if supposes(place):
        return {"text": told_of_two(f"hora en {place}", now, home.name if home else "aquí")}
    name, zone = find_place(place) if place.strip() else (home.name if home else str(now.tzinfo), now.tzinfo)
    there = now.astimezone(zone)
    clock, day = there.strftime("%H:%M"), day_in_words(there.date())
    verb = "es la" if there.hour == 1 else "son las"
    said = f"En {name} {verb} {clock} del {day}."
    return {
        "place": name,
        "time": clock,
        "date": day,
        "year": there.year,
        "zone": str(zone),
        "difference": apart(difference(there, now), home.name if home else ""),
        "text": said,
    }


@tool
def clocks(words: str, now: dt.datetime, before: str = "") -> dict[str, object]:
    """Tell the hour in a place when it is another hour elsewhere, and how many hours two places are apart.

    Use it for "si acá son las 3, ¿qué hora es en Madrid?", "¿cuántas horas de diferencia hay con Londres?".
    words: the question as the contact wrote it. before: what was asked before, where this goes on with it.
    """
    home = place_of(now.tzinfo)
    return {"text": told_of_two(words, now, home.name if home else "aquí", before)}


@tool
def calculator(expression: str, before: str = "") -> dict[str, object]:
    """Work out a sum exactly. Use it for every calculation, however simple; never reckon yourself.

    Use it for "¿cuánto es 15% de 80?", "120 entre 7", "raíz de 144", "80 con 20% de descuento".
    expression: the sum as the contact wrote it, in words or signs, with Spanish numbers (1.500,50 is 1500.5, and 1.500
    is fifteen hundred). The result is text in the same format; `text` has the whole sum with = or ≈.
    before: what was reckoned before, where the expression only puts another number into it: "¿y si son 5?".
    """
    if rounded := rounding(expression):
        return rounded
    answer = _solved(with_tax(with_other_number(expression, before)))
    equals = "=" if answer.exact else "≈"
    return {
        "expression": answer.expression,
        "result": answer.result,
        "remembered": _unmistakable(answer.result),
        "exact": answer.exact,
        "text": f"{answer.expression} {equals} {answer.result}",
    }


def _unmistakable(shown: str) -> str:
    """A number that is never read as thousands when the contact goes on with it: 808,605 is 808,6050."""
    return f"{shown}0" if len(shown.partition(",")[2]) == THOUSANDS else shown


def _solved(expression: str) -> Answer:
    """The sum in a text; one that is told without signs, where there is none."""
    try:
        return solve(expression)
    except ToolFailed as failure:
        told = in_signs(expression) if failure.tell == NOT_READ else ""
        if not told:
            raise
        return solve(told)


def rounding(expression: str) -> dict[str, object]:
    """A number to the whole: "redondea 8,8"; nothing where that is not asked."""
    found = language.find_numbers(language.normalise(expression)) if "redond" in expression.lower() else ()
    if len(found) != 1:
        return {}
    value = Decimal(found[0].value)
    whole = spanish(exact(value.quantize(Decimal(1), rounding=ROUND_HALF_UP)))
    shown = spanish(exact(value))
    return {
        "expression": shown,
        "result": whole,
        "remembered": whole,
        "exact": False,
        "text": f"{shown} redondeado es {whole}.",
    }


def with_tax(expression: str) -> str:
    """A sum with the tax of the country of this agent, where no other is said: "200 con IVA"."""
    if then := _AND_THEN.match(expression):
        return f"({then['before']}) + {then['share'] or f'{TAX}%'}"
    if "%" in expression:
        return expression
    added = _ADDED_TO.sub(rf"\1 + {TAX}%", expression)
    return _WITH_TAX.sub(f" + {TAX}%", added)


@tool
def convert(amount: Decimal, unit: str, to_unit: str) -> dict[str, object]:
    """Convert an amount from one unit of measure to another. For money use `exchange`.

    Use it for length, weight, volume, temperature, area, speed, time and data: "¿cuántas millas son 10 km?".
    amount: how many of the unit. unit: the one that is known ("km", "libras", "°F"). to_unit: the one that is wanted.
    """
    return _converted(amount, unit, to_unit)


def _converted(amount: Decimal, unit: str, to_unit: str) -> dict[str, object]:
    value = exact(amount)
    source, target = find_pair(unit, to_unit)
    result = converted(value, source, target)
    about = "" if is_shown_whole(result, PLACES) else "aproximadamente "
    given, shown = spanish(value, places=PLACES), spanish(result, places=PLACES)
    return {
        "amount": given,
        "unit": source.named(given),
        "result": shown,
        "remembered": f"{_unmistakable(shown)} {target.named(shown)}",
        "to": target.named(shown),
        "exact": not about,
        "text": f"{worded(value, source)} son {about}{worded(result, target)}.",
    }


@tool
def holidays(
    now: dt.datetime, country: str = "", year: int | None = None, month: str = "", day: str = ""
) -> dict[str, object]:
    """Tell the next public holiday of a country, and all those of a year or a month.

    Use it for "¿cuándo es el próximo feriado?", "festivos de mayo en España", "feriados de Colombia 2027".
    country: Argentina, Chile, Colombia, España, Estados Unidos, México, Perú or Uruguay; empty for the agent's own.
    year: from 2025 to 2028; empty for this one. month: its name or 1 to 12; empty for the whole year.
    day: where it is asked whether one day is a holiday, as 2026-12-25.
    """
    today, code, number = now.date(), find_country(country, now.tzinfo), month_number(month)
    asked_day = dt.date.fromisoformat(day) if day else today
    if asked_day != today:
        return {"country": COUNTRIES[code], "text": _on_day(code, asked_day)}
    asked = bool(year or number)
    year = year or today.year + (number is not None and number < today.month)
    days = holidays_of(code, year, number)
    coming = next_holiday(code, today)
    celebrated = holiday_on(code, today)
    return {
        "country": COUNTRIES[code],
        "period": period(year, number),
        "count": len(days),
        "listed": "; ".join(each.worded for each in days) or "ninguno",
        "today": celebrated.name if celebrated else "",
        "next_name": coming.name if coming else "",
        "next_date": day_in_words(coming.day) if coming else "",
        "days_until": (coming.day - today).days if coming else 0,
        "text": _all(code, days, period(year, number)) if asked else _next(code, today),
    }


def _all(code: str, days: list[Holiday], when: str) -> str:
    word = _word(code)
    if not days:
        return f"En {when} no hay {word}s en {COUNTRIES[code]}."
    lines = "\n".join(f"- {each.worded}" for each in days)
    return f"{word.capitalize()}s en {COUNTRIES[code]}, {when}:\n{lines}"


def _on_day(code: str, day: dt.date) -> str:
    """Whether a day is a holiday."""
    celebrated = next((each for each in holidays_of(code, day.year) if each.day == day), None)
    if celebrated:
        return f"Sí, el {day_in_words(day)} es {_word(code)} en {COUNTRIES[code]}: {celebrated.name}."
    return f"No, el {day_in_words(day)} no es {_word(code)} en {COUNTRIES[code]}."


def _next(code: str, today: dt.date) -> str:
    """The next holiday, after what is celebrated today."""
    celebrated, coming = holiday_on(code, today), next_holiday(code, today)
    said = f"Hoy es {_word(code)} en {COUNTRIES[code]}: {celebrated.name}. " if celebrated else ""
    if coming is None:
        return f"{said}No tengo todavía los {_word(code)}s que siguen en {COUNTRIES[code]}."
    when = f"{day_in_words(coming.day)} ({days_until(coming.day, today)})"
    return f"{said}El próximo {_word(code)} en {COUNTRIES[code]} es el {when}: {coming.name}."


def _word(code: str) -> str:
    return "festivo" if code == "ES" else "feriado"


@tool
def calendar(now: dt.datetime, day: str) -> dict[str, object]:
    """Tell on which day of the week a date falls, and how many days it is from today.

    Use it for "¿cuántos días faltan para el 15 de septiembre?", "¿qué día cae el 25 de diciembre?".
    day: the date, as 2026-12-25.
    """
    return _day_told(now, day)


def _day_told(now: dt.datetime, day: str) -> dict[str, object]:
    try:
        asked = dt.date.fromisoformat(day)
    except ValueError:
        raise ToolFailed(
            "no such day", tell="No entendí la fecha. Prueba con algo como «el 25 de diciembre»."
        ) from None
    days = (asked - now.date()).days
    if days > 0:
        apart = f"falta{'n' * (days > 1)} {days} día{'s' * (days > 1)}"
    elif days < 0:
        apart = f"fue hace {-days} día{'s' * (days < -1)}"
    else:
        apart = "es hoy"
    weekday = f"{day_in_words(asked)} de {asked.year}"
    return {"date": weekday, "days": days, "text": f"Es {weekday}: {apart}."}


@tool
def exchange(
    to_currency: str, now: dt.datetime, contact: Contact, currency: str = "", amount: Decimal | None = None
) -> dict[str, object]:
    """Change money from one currency to another with a table of example rates; always say its date, `as_of`.

    Use it for "¿cuánto son 100 dólares en pesos colombianos?", "50 euros a soles".
    amount: how much money. currency: the one it is in; to_currency: the one that is wanted. Both as the contact wrote
    them: a name with its country ("pesos mexicanos"), a code ("MXN") or a sign ("€").
    """
    if not currency and amount is None:
        raise AskContact("currency")
    if currency in WEIGHTS or to_currency in WEIGHTS:
        pair = (currency if currency in WEIGHTS else "libras", to_currency if to_currency in WEIGHTS else "libras")
        return _converted(Decimal(1) if amount is None else amount, *pair)
    return _exchanged(currency or _home_money(now), to_currency, amount, _told_money(contact, now))


def _home_money(now: dt.datetime) -> str:
    """The money of the country whose time it is here; what an amount is in that nobody names."""
    home = place_of(now.tzinfo)
    return MONEY_OF.get(home.country, HOME) if home else HOME


def _told_money(contact: Contact, now: dt.datetime) -> str:
    """The money of the country where the contact has said to be, or their number; nothing where we do not know."""
    return _home_money(now) if contact.zone else ""


def _exchanged(currency: str, to_currency: str, amount: Decimal | None, home: str) -> dict[str, object]:
    value = exact(Decimal(1) if amount is None else amount)
    if value <= 0:
        raise ToolFailed("no money to change", tell="Dime un importe mayor que cero.")
    source, target = find_currency(currency, "currency", home), find_currency(to_currency, "to_currency", home)
    changes = rate(source, target)
    as_of = f"{AS_OF.day} de {MONTHS[AS_OF.month - 1]} de {AS_OF.year}"
    result: Fraction = value * changes
    return {
        "amount": money(value),
        "currency": source.code,
        "result": money(result),
        "remembered": f"{_unmistakable(money(result))} {target.plural}",
        "to": target.code,
        "rate": spanish(changes, places=4),
        "as_of": as_of,
        "text": f"{source.worded(value)} son {target.worded(result)}, con un cambio de ejemplo del {as_of}.",
    }


@tool
def quote_rate(
    currency: str, now: dt.datetime, contact: Contact, to_currency: str = "", amount: Decimal | None = None
) -> dict[str, object]:
    """What one unit of a currency costs, or `amount` of it: "¿a cómo está el dólar hoy?".

    to_currency: the money in which it is told; empty for that of the contact's country.
    """
    told = _told_money(contact, now)
    other = to_currency or other_than(find_currency(currency, "currency", told), _home_money(now))
    return _exchanged(currency, other, amount, told)


@tool
async def settle(now: dt.datetime, contact: Contact, database: Database) -> dict[str, object]:
    """Whose time counts from now on, where the contact says where they are: "estoy en México", "acá son las 5"."""
    here = place_of(now.tzinfo)
    if not contact.zone or here is None:
        return {"text": NOWHERE}
    there = here.country or here.name
    said = f"Listo: cuento con la hora de {there}, donde son las {now:%H:%M}, y con sus feriados."
    promised = await database.run(reminders.coming, now)
    kept = f"\nCon esa hora te aviso:\n{reminders.listed(promised)}" if promised else ""
    return {"text": f"{said}{kept}", **_next_reminder(promised)}


# --- notes --------------------------------------------------------------------------------------------


@tool(writes=True, needs_yes=False)
async def add_note(text: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """Save a note for the contact.

    Use it for "anota: comprar pan", "guarda esto". It keeps notes; what shall be told at a time is for `add_reminder`.
    text: only what is to be noted, without "anota que"; at most 500 characters.
    """
    return await _noted(text, call_id, now, database)


async def _noted(text: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    bodies = await database.run(notes.read, now)
    wish = _list_wish(text, bodies)
    if wish and lists.place_of_list(wish.name, bodies):
        return await _put_on_list(wish, bodies, call_id, now, database)
    number, more = additions.listed_more(text, bodies)
    if number:
        await database.run(notes.change, number, more, now=now)
        return {"number": number, "note": more, "count": 0, "text": f"Listo, la nota {number} ahora dice «{more}»."}
    if wish:
        return await _put_on_list(wish, bodies, call_id, now, database)
    body = additions.own_text(text)
    written = await database.run(notes.write, body, call_id, now=now)
    said = f"Anotado con el número {written.number}: «{body}»."
    return {"number": written.number, "note": body, "count": written.count, "text": said}


def _list_wish(text: str, bodies: list[str]) -> lists.ListWish | None:
    """What is wanted on a list, which is named, or was begun or gone on with last: "y huevos"."""
    if wish := lists.read_list_wish(text):
        return wish
    last = bodies[-1] if bodies else ""
    if not lists.is_list(last):
        return None
    things = lists.only_things(text) if lists.is_empty(last) else lists.more_things(text)
    return lists.ListWish("", things) if things else None


async def _put_on_list(
    wish: lists.ListWish, bodies: list[str], call_id: str, now: dt.datetime, database: Database
) -> dict[str, object]:
    number = lists.place_of_list(wish.name, bodies)
    body = bodies[number - 1] if number else lists.title(wish.name)
    body = lists.with_things(body, wish.things) if wish.things else body
    if number:
        await database.run(notes.change, number, body, now=now)
    else:
        number = (await database.run(notes.write, body, call_id, now=now)).number
    if not wish.things:
        raise AskContact("text", question=f"¿Qué pongo en la {body.rstrip(':')}?")
    return {"number": number, "note": body, "count": len(bodies), "text": f"Listo. {lists.listed(body)}"}


@tool
async def list_notes(now: dt.datetime, database: Database, which: str = "") -> dict[str, object]:
    """List the notes that the contact has saved, with their numbers.

    Use it for "¿qué notas tengo?", "muéstrame mis notas", and before deleting one whose number is not known.
    which: the contact's words, where they name a list.
    """
    bodies = await database.run(notes.read, now)
    number = lists.place_of_list(which.partition("lista")[2], bodies) if "lista" in which.lower() else 0
    if number:
        return {"count": 1, "listed": bodies[number - 1], "text": lists.listed(bodies[number - 1])}
    shown = notes.listed(bodies)
    said = f"Tienes {notes.counted(len(bodies))}:\n{shown}" if bodies else "No tienes notas guardadas."
    return {"count": len(bodies), "listed": shown, "text": said}


@tool
async def look_up(words: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """What the contact has noted of something: "¿cuál era la clave del wifi?". words: the question as they wrote it."""
    found = notes.about(words, await database.run(notes.read, now))
    promised = reminders.named_in(words, await database.run(reminders.coming, now))
    told = [f"Tienes anotado: «{body}»." for body in found]
    if promised:
        told.append(f"Te voy a avisar:\n{reminders.listed(promised)}")
    return {"count": len(told), "text": "\n".join(told) or "De eso no tengo nada anotado. Si me lo dices, lo anoto."}


@tool(writes=True, needs_yes=False)
async def delete_note(
    call_id: str, now: dt.datetime, database: Database, number: int | None = None, which: str = ""
) -> dict[str, object]:
    """Delete one of the contact's notes by its number.

    Use it for "borra la nota 2". Numbers are those of `list_notes`; after a deletion the later ones move up by one.
    number: the number of the note. To delete several, call it once for each, with the numbers as they were listed.
    which: without a number, the contact's words: "borra todas", "quita la última"; the only note needs none.
    """
    if takes_back(which):
        return {"number": 0, "note": "", **await _undone(which, call_id, now, database)}
    if additions.adds(which):
        return await _noted(which, call_id, now, database)
    bodies = await database.run(notes.read, now)
    kind = kind_named(which)
    if kind == "reminder" or (not bodies and not kind and await database.run(reminders.coming, now)):
        number = None  # "el aviso de las 8" has none, and "elimina las dos" are no notes
    if number is None and await _means_reminder(which, bodies, now, database):
        return {"number": 0, "note": "", **await _dropped(which, now, database)}
    return await _deleted(number, which, call_id, now, database)


async def _deleted(
    number: int | None, which: str, call_id: str, now: dt.datetime, database: Database
) -> dict[str, object]:
    bodies = await database.run(notes.read, now)
    if number is None and notes.says_all(which, bodies):
        bodies = await database.run(notes.clear, call_id, which, now=now)
        said = f"Borré {notes.counted(len(bodies))}:\n{notes.listed(bodies)}" if bodies else notes.NONE
        return {"number": len(bodies), "note": "", "text": said}
    if number is None:
        number = notes.number_meant(which, bodies)
        left, taken = lists.without_item(which, bodies[number - 1])
        if left:
            await database.run(notes.change, number, left, now=now)
            said = f"Saqué {notes.quoted(taken)} de la nota {number}, que ahora dice «{left}»."
            if lists.is_list(left):
                said = f"Saqué {notes.quoted(taken)}. {lists.listed(left)}"
            return {"number": number, "note": left, "text": said}
    body = await database.run(notes.delete, number, call_id, which, now=now)
    return {"number": number, "note": body, "text": notes.deleted_text(number, body)}


async def _means_reminder(which: str, bodies: list[str], now: dt.datetime, database: Database) -> bool:
    """Whether "borrá ese" is about a reminder: it is named, or there are no notes to delete; asks where it may be."""
    if await database.run(reminders.is_title, which, now=now):
        return True
    if kind := kind_named(which):
        return kind == "reminder"
    last = await database.run(reminders.last_promised, now)
    if last is None or not bodies:
        return last is not None
    if notes.is_named(which, bodies) or await database.run(reminders.names_one, which, now=now):
        return not notes.is_named(which, bodies)
    if notes.says_all(which, bodies):
        raise AskContact("which", ["Todas las notas", "Todos los avisos"], "¿Borro las notas o los avisos?")
    if notes.says_which(which):
        return False
    options = [f"La nota {notes.quoted(bodies[-1])}", f"El aviso {notes.quoted(last.body)}"]
    raise AskContact("which", options, "¿Cuál borro?")


@tool(writes=True, needs_yes=False)
async def change_note(text: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """Write another text in place of a note. text: the contact's words: "cambia la nota 1 por comprar queso"."""
    bodies = await database.run(notes.read, now)
    words = other_words(text)
    if words and kind_named(text) != "note" and (not bodies or kind_named(text) == "reminder"):
        return {"number": 0, "note": "", **await _renamed(text, words, now, database)}
    return await _rewritten(text, bodies, call_id, now, database)


async def _rewritten(
    text: str, bodies: list[str], call_id: str, now: dt.datetime, database: Database
) -> dict[str, object]:
    if _list_wish(text, bodies) or additions.adds(text):
        return await _noted(text, call_id, now, database)
    if "nota" not in text.lower() and lists.is_list(bodies[-1] if bodies else "") and not notes.reads_change(text):
        return await _put_on_list(lists.ListWish("", lists.only_things(text)), bodies, call_id, now, database)
    try:
        number, body = notes.read_change(text, bodies)
    except AskContact as which:
        raise ToolFailed("which note", tell=which.question) from None  # it is asked for together with its new words
    await database.run(notes.change, number, body, now=now)
    said = f"Cambié la nota {number}: ahora dice «{body}»."
    return {"number": number, "note": body, "text": said if not lists.is_list(body) else f"Listo. {lists.listed(body)}"}


@tool(writes=True, needs_yes=False)
async def undo_last(said: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """Put back the note or the reminder that was deleted or changed last. said: the contact's words: "esa no era"."""
    return await _undone(said, call_id, now, database)


async def _undone(said: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    undone = await database.run(undo, now=now)
    promised = await database.run(reminders.coming, now)
    if undone is None:
        said_nothing = "Todavía no borré ni cambié nada." if promised else "No hay nada que deshacer."
        return {"text": said_nothing, **_next_reminder(promised)}
    told = undone.text
    if undone.what == "reminder" and undone.was_deleted and means_the_other(said):
        gone = await database.run(reminders.drop_other, undone.calls, now=now)
        promised = await database.run(reminders.coming, now)
        told = f"{told} Ya no te aviso de «{gone.body}», {reminders.moment(gone.due)}." if gone else told
    if undone.what == "reminder" and promised:
        told = f"{told}\nTe voy a avisar:\n{reminders.listed(promised)}"
    bodies = await database.run(notes.read, now)
    others = [number for number, body in enumerate(bodies, 1) if body not in undone.bodies]
    if undone.what == "note" and undone.was_deleted and means_the_other(said):
        if len(others) > 1:
            raise AskContact("said", [notes.quoted(bodies[each - 1]) for each in others], f"{told} ¿Cuál borro?")
        for each in others:
            gone = await database.run(notes.delete, each, call_id, said, now=now)
            told = f"{told} {notes.deleted_text(each, gone)}"
    return {"text": told, **_next_reminder(await database.run(reminders.coming, now))}


# --- reminders ----------------------------------------------------------------------------------------


@tool(writes=True, needs_yes=False)
async def add_reminder(
    text: str, call_id: str, now: dt.datetime, database: Database, when: str = ""
) -> dict[str, object]:
    """Promise to write to the contact at a time.

    Use it for "recuérdame mañana a las 9 llamar al contador", "avísame en una hora que saque el pan".
    text: what to tell, in the contact's words, with the day and the hour if they stand there; when: these, otherwise.
    """
    is_any = not when and await database.run(reminders.coming, now)
    if is_any and (gone := await _gone(text, call_id, now, database)):
        return gone
    if not when and (is_note(text, now) or (lists.read_list_wish(text) and not is_wish(text, now))):
        return await _noted(text, call_id, now, database)
    return await _added(text, when, call_id, now, database)


async def _added(text: str, when: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    text = one_of_two(plainly(text, now), when, now)
    last = await database.run(reminders.last_promised, now)
    if last and (words := other_words(text)):
        return await _renamed(text, words, now, database)
    if (moves(text) or is_rather(text)) and await database.run(reminders.names_one, text, now=now):
        return await _moved(text, call_id, now, database)
    if again := await _told_again(text, now, database):
        return await _promised([again], call_id, now, database)
    text = with_moment(text, last.due) if last else text
    if last and told_instead(text, now)[1]:
        return await _moved(text, call_id, now, database)  # "avísame a las 9 en vez de a las 8"
    text = points_back(text, (["", *await database.run(notes.read, now)])[-1])
    if event := await database.run(reminders.told_ahead_of, text, now):
        if event == last and not says_also(text):
            return await _moved(text, call_id, now, database)
        return await _told_ahead(text, event, call_id, now, database)
    another = read_another(text, last.as_wish, now) if last else None
    wishes = [another] if another else read_wishes(text, when, now)
    if wishes[0].due is None and not when:
        raise AskContact("when", question=WHEN)
    if wishes[0].due is None:
        body = wishes[0].body
        written = await database.run(notes.write, body, call_id, now=now)
        said = f"No entendí cuándo, así que no te voy a avisar: lo dejé como nota {written.number}, «{body}»."
        return {"text": said, **_next_reminder(await database.run(reminders.coming, now))}
    return await _promised(wishes, call_id, now, database)


async def _told_again(text: str, now: dt.datetime, database: Database) -> Wish | None:
    """What was just told, where it is wanted once more."""
    told = await database.run(reminders.last_told, now)
    return told_again(text, told, now) if told else None


async def _promised(wishes: list[Wish], call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    lines: list[str] = []
    promised = coming = await database.run(reminders.coming, now)
    for place, wish in enumerate(wishes):
        assert wish.due is not None  # noqa: S101 -- several are read only where each says when
        if wish.due <= now:
            raise ToolFailed("it has passed", tell=f"Para {reminders.moment(wish.due)} ya es tarde. Dime otro momento.")
        if any((each.body, each.due, each.every) == (wish.body, wish.due, wish.every) for each in coming):
            lines.append(f"Eso ya lo tengo: te aviso {reminders.moment(wish.due, wish.every)}, «{wish.body}».")
            continue
        promised = await database.run(reminders.add, wish, f"{call_id}.{place}" if place else call_id, now=now)
        lines.append(f"Te aviso {reminders.moment(wish.due, wish.every)}: «{wish.body}».")
    return {"text": "\n".join(lines), **_next_reminder(promised)}


async def _told_ahead(
    text: str, event: reminders.Next, call_id: str, now: dt.datetime, database: Database
) -> dict[str, object]:
    """What is promised, told once more before: "avísame también una hora antes"."""
    ahead = read_ahead(text)
    wish = Wish(event.body, event.due + event.ahead - ahead, ahead=ahead)
    assert wish.due is not None  # noqa: S101 -- it is reckoned from a moment
    if wish.due <= now:
        raise ToolFailed("it has passed", tell=f"Para {reminders.moment(wish.due)} ya es tarde. Dime otro momento.")
    promised = await database.run(reminders.add, wish, call_id, now=now)
    return {"text": f"También te aviso {reminders.moment(wish.due)}: «{wish.body}».", **_next_reminder(promised)}


@tool(writes=True, needs_yes=False)
async def move_reminder(when: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """Tell what was promised last at another moment. when: the contact's words: "mejor a las 11", "pásalo al lunes"."""
    if takes_back(when):
        return await _undone(when, call_id, now, database)
    if gone := await _gone(when, call_id, now, database):
        return gone
    if denies_change(when) or only_asks(when):
        promised = await database.run(reminders.coming, now)
        kept = f"Te voy a avisar:\n{reminders.listed(promised)}" if promised else "No tienes recordatorios pendientes."
        return {"text": f"No cambié nada. {kept}", **_next_reminder(promised)}
    last = await database.run(reminders.last_promised, now)
    when = with_moment(when, last.due) if last else when
    event = await database.run(reminders.told_ahead_of, when, now)
    is_more = (event and (says_also(when) or event != last)) or (last and read_another(when, last.as_wish, now))
    if (last and (is_more or is_one_more(when, now))) or (not last and is_wish(when, now)):
        return await _added(when, "", call_id, now, database)
    return await _moved(when, call_id, now, database)


async def _moved(when: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    bodies = await database.run(notes.read, now)
    coming = await database.run(reminders.coming, now)
    if not coming and (again := await _told_again(when, now, database)):
        return await _promised([again], call_id, now, database)
    if bodies and not coming and kind_named(when) != "reminder":
        return await _rewritten(when, bodies, call_id, now, database)
    _check_often(when, coming)
    last = await database.run(reminders.last_promised, now)
    if words := other_words(when) or (without_words(when, last.body) if last else ""):
        return await _renamed(when, words, now, database)
    moved, promised = await database.run(reminders.move, when, now=now)
    if moved is None and last and says_only_sooner_or_later(when):
        at = reminders.moment(last.due, last.every)
        raise AskContact("when", question=f"Ahora te aviso {at}: «{last.body}». ¿A qué hora lo paso?")
    if moved is None:
        said = "No tienes recordatorios pendientes." if not promised else WHEN
        return {"text": said, **_next_reminder(promised)}
    said = f"Listo, lo cambié: te aviso {reminders.moment(moved.due, moved.every)}, «{moved.body}»."
    return {"text": said, **_next_reminder(promised)}


async def _renamed(said: str, words: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """The reminder that is meant, with other words."""
    renamed = await database.run(reminders.rename, said, words, now=now)
    promised = await database.run(reminders.coming, now)
    if renamed is None:
        return {"text": "No tienes recordatorios pendientes.", **_next_reminder(promised)}
    at = reminders.moment(renamed.due, renamed.every)
    return {"text": f"Listo, lo cambié: te aviso {at}, «{renamed.body}».", **_next_reminder(promised)}


@tool(writes=True, needs_yes=False)
async def tell_reminders(now: dt.datetime, database: Database) -> dict[str, object]:
    """What is due now; the agent's timer is set for the next one."""
    due, promised = await database.run(reminders.tell, now=now)
    return {"reminder_text": "; ".join(due), **_next_reminder(promised)}


@tool
async def list_reminders(now: dt.datetime, database: Database, day: str = "", which: str = "") -> dict[str, object]:
    """List what the contact is to be reminded of, and when: "¿qué tengo para mañana?", "mis recordatorios".

    day: only those of a day, as 2026-12-25. which: the contact's words, for those that they name.
    """
    promised = await database.run(reminders.coming, now)
    of_day = [each for each in promised if not day or each.due.date().isoformat() == day or each.every]
    named = reminders.named_in(which, of_day) or of_day
    if promised and not named:
        said = f"Para el {day_in_words(dt.date.fromisoformat(day))} no tienes nada. Te voy a avisar:"
        return {"count": 0, "text": f"{said}\n{reminders.listed(promised)}"}
    said = f"Te voy a avisar:\n{reminders.listed(named)}" if named else "No tienes recordatorios pendientes."
    return {"count": len(named), "text": said}


@tool(writes=True, needs_yes=False)
async def drop_reminder(which: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """Take back a reminder. which: the contact's words: "ya no me avises", "borra los recordatorios"."""
    if takes_back(which):
        return await _undone(which, call_id, now, database)
    if additions.adds(which):
        return await _noted(which, call_id, now, database)
    return await _taken_away(which, call_id, now, database)


async def _gone(said: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """What is taken away, or gives place to another, by who was to add or move one; nothing where nothing is."""
    try:
        if replaced := await _put_in_place(said, now, database):
            return replaced
        return await _taken_away(said, call_id, now, database) if takes_away(said) else {}
    except AskContact as which:  # no argument of theirs waits for the answer
        options = "".join(f"\n- {each}" for each in which.options)
        raise ToolFailed("which one", tell=f"{which.question} No borré nada; dímelo así: «borra…»{options}") from None


async def _put_in_place(said: str, now: dt.datetime, database: Database) -> dict[str, object]:
    """One reminder in the place of another, "borra ese y pon…"; nothing where no such is said of one that there is."""
    gone, wanted = in_place(said)
    promised = await database.run(reminders.coming, now)
    if not gone or not promised or kind_named(said) == "note":
        return {}
    _check_often(wanted, promised)
    before, after = await database.run(reminders.put_in_place, gone, wanted, now=now)
    told = f"te aviso {reminders.moment(after.due, after.every)}"
    text = f"Ya no te aviso de «{before.body}». Ahora {told}: «{after.body}»."
    if before.body == after.body:
        text = f"Listo, lo cambié: {told}, «{after.body}»."
    return {"text": text, **_next_reminder(await database.run(reminders.coming, now))}


def _check_often(when: str, promised: list[reminders.Next]) -> None:
    """What we cannot repeat as often as is wanted is said, and all that is promised stays."""
    if promised and too_often(when):
        raise ToolFailed("too often", tell=f"{ONCE} Por ahora sigue como estaba:\n{reminders.listed(promised)}")


async def _taken_away(which: str, call_id: str, now: dt.datetime, database: Database) -> dict[str, object]:
    if await _means_note(which, now, database):
        return await _deleted(None, which, call_id, now, database)
    meant = await database.run(reminders.at_moment, which, now=now)
    if meant and (hour := hour_besides(which, meant.due, now)):
        before, after = f"{meant.due:%-H:%M}", f"{hour:%-H:%M}"
        asked = f"«{meant.body}», de las {before}: ¿lo paso a las {after} o lo borro?"
        raise AskContact("which", [f"Pásalo de las {before} a las {after}", f"Borra el de las {before}"], asked)
    if RATHER.search(which):  # "cancela lo de las 7, mejor a las 8" takes nothing back
        return await _moved(which, call_id, now, database)
    return await _dropped(which, now, database)


async def _means_note(which: str, now: dt.datetime, database: Database) -> bool:
    """Whether "borrá lo del wifi" is about a note: by its kind or its words, or since there are no reminders."""
    if await database.run(reminders.is_title, which, now=now):
        return False
    if kind := kind_named(which):
        return kind == "note"
    bodies = await database.run(notes.read, now)
    if bodies and not await database.run(reminders.coming, now):
        return True
    return notes.is_named(which, bodies) and not await database.run(reminders.names_one, which, now=now)


async def _dropped(which: str, now: dt.datetime, database: Database) -> dict[str, object]:
    if replaced := await _put_in_place(which, now, database):
        return replaced
    gone, left = await database.run(reminders.drop, which, now=now)
    named = [f"«{each.body}»{_which(each, left)}" for each in gone]
    said = f"Ya no te aviso de {joined(named)}." if gone else "No tenías recordatorios."
    return {"text": said, **_next_reminder(left)}


def _which(gone: reminders.Next, left: list[reminders.Next]) -> str:
    """The moment of a reminder, where another one has the same words."""
    return f" ({reminders.moment(gone.due, gone.every)})" if any(each.body == gone.body for each in left) else ""


def _next_reminder(promised: list[reminders.Next]) -> dict[str, object]:
    """The day and the hour on which the timer hangs; empty where nothing is promised."""
    if not promised:
        return {"reminder_day": "", "reminder_hour": ""}
    due = promised[0].due
    return {"reminder_day": due.date().isoformat(), "reminder_hour": due.strftime("%H:%M")}
