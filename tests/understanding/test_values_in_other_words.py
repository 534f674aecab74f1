"""Values as contacts say them in other words: towns side by side or without vowels, this number, sites, amounts."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import pytest

from hilo.agent.parse import parse
from hilo.app.loading import new_session
from hilo.dialogue.commands import SetSlot, SuggestSlot
from hilo.dialogue.session import AskedSlot
from hilo.recognisers.amounts.money import find_money
from hilo.recognisers.found import Value
from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.contact import find_urls
from hilo.recognisers.people.own_number import own_number_in
from hilo.understanding.extraction import extract
from hilo.understanding.open_question import waiting_in
from hilo.understanding.reading import Understander, read, understander

NOW = datetime(2026, 3, 10, 15, tzinfo=UTC)
TRIPS = """
agent: viajes
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
slots:
  desde: {type: city, before: [de, desde], ask: "¿Desde dónde?"}
  hasta: {type: city, before: [a, hasta], ask: "¿Hasta dónde?"}
  ida: {type: date, ask: "¿Qué día?"}
  vuelta: {type: date, required: false, ask: "¿Y la vuelta?"}
  hora: {type: time, required: false, ask: "¿A qué hora?"}
  viajeros: {type: number, also: [personas, persona], min: 1, ask: "¿Cuántos viajan?"}
  mail: {type: email, required: false, ask: "¿Tu correo?"}
flows:
  datos: {starts: always, steps: [{collect: [desde, hasta, ida, vuelta, hora, viajeros, mail]}, {say: Listo.}]}
"""


@cache
def _trips() -> Understander:
    return understander(parse(TRIPS))


def heard(message: str, asked: str = "") -> tuple[dict[str, Value], dict[str, Value]]:
    """The values that a message gives, and those that are only suggested."""
    agent = _trips().agent
    session = new_session(agent, session_id="s", at=NOW)
    if asked:
        session = replace(session, pending=AskedSlot(asked))
    waiting = waiting_in(agent, session)
    commands = extract(agent, session, read(_trips(), message, at=NOW, waiting=waiting), asked)
    given = {each.slot: each.value for each in commands if isinstance(each, SetSlot)}
    return given, {each.slots[0]: each.value for each in commands if isinstance(each, SuggestSlot)}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("busco pasajes Salta Ushuaia", ("Salta", "Ushuaia")),
        ("quito - bogota", ("Quito", "Bogotá")),
        ("cotizame montevideo/madrid", ("Montevideo", "Madrid")),
        ("Rosario a Mendoza", ("Rosario", "Mendoza")),
    ],
)
def test_two_towns_side_by_side_are_the_way(message: str, expected: tuple[str, str]) -> None:
    given, _ = heard(message)
    assert (given["desde"], given["hasta"]) == expected


def test_an_aunt_called_like_a_town_is_not_where_a_trip_begins() -> None:
    assert heard("voy a ver a mi tía Florencia a Mendoza", "hasta")[0] == {"hasta": "Mendoza"}


@pytest.mark.parametrize(
    ("message", "town"),
    [("bgta", "Bogotá"), ("stgo", "Santiago"), ("aeroparque", "Aeroparque"), ("fuerteventura", "Fuerteventura")],
)
def test_a_town_is_heard_without_its_vowels_or_by_its_airport(message: str, town: str) -> None:
    given, _ = heard(message, "hasta")
    assert str(given["hasta"]).startswith(town)


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("a Sevilla o a Málaga", "hasta"),
        ("el 14 o el 15 de abril", "ida"),
        ("lauti arroba gmail", "mail"),
    ],
)
def test_what_is_not_decided_or_not_whole_is_suggested(message: str, asked: str) -> None:
    given, suggested = heard(message, asked)
    assert asked not in given
    assert asked in suggested


def test_the_ends_of_a_trip_are_days_even_beside_an_hour() -> None:
    given, _ = heard("salimos el jueves 19 y volvemos el domingo 22", "ida")
    assert (given["ida"], given["vuelta"]) == ("2026-03-19", "2026-03-22")


def test_a_vague_end_of_a_month_lends_the_month_to_a_day() -> None:
    assert heard("a fines de abril, tipo el 28", "ida")[0] == {"ida": "2026-04-28"}
    assert heard("a fines de abril", "ida")[0] == {}


def test_a_fraction_is_a_day_where_one_was_asked_for() -> None:
    assert heard("1/4", "ida")[0] == {"ida": "2026-04-01"}


def test_one_person_is_counted_by_the_name_of_the_slot() -> None:
    assert heard("de Mendoza a Salta, una persona")[0]["viajeros"] == 1
    assert heard("un par de primas y yo", "viajeros")[0] == {"viajeros": 3}


@pytest.mark.parametrize(
    "message",
    ["podés llamarme acá", "el que ves en pantalla", "usen el número del chat", "al q te escribo", "este mismo"],
)
def test_what_points_at_the_chat_is_its_number(message: str) -> None:
    assert own_number_in(normalise(message), asked=True)[2] > 0


@pytest.mark.parametrize(
    "message", ["acá no hay señal", "este no, otro", "¿a este?", "mi perro está acá", "aquí llueve"]
)
def test_what_speaks_of_something_else_is_no_number(message: str) -> None:
    assert own_number_in(normalise(message), asked=True)[2] == 0


@pytest.mark.parametrize(
    ("message", "site"),
    [
        ("triple w punto pan de campo punto com punto ar", "www.pandecampo.com.ar"),
        ("doblevé doblevé doblevé punto casaluz punto com", "www.casaluz.com"),
    ],
)
def test_a_site_of_several_words_is_one_name(message: str, site: str) -> None:
    assert [each.value for each in find_urls(normalise(message), asked=True)] == [site]


@pytest.mark.parametrize(
    ("message", "amounts"),
    [("de 700 a 900 u$s", [(700, "USD"), (900, "USD")]), ("80 lucas y ni un peso más", [(80000, "")])],
)
def test_money_is_counted_with_its_sign_and_not_with_a_saying(message: str, amounts: list[tuple[int, str]]) -> None:
    assert [(each.value, each.unit) for each in find_money(normalise(message))] == amounts
