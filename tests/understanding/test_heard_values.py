"""What the classifier of acts hears keeps words that give no value out of slots: chat, complaints, hesitation."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import pytest

from hilo.agent.parse import parse
from hilo.app.loading import new_session
from hilo.dialogue.commands import SetSlot
from hilo.dialogue.session import AskedSlot
from hilo.understanding.extraction import extract_free
from hilo.understanding.open_question import waiting_in
from hilo.understanding.reading import Understander, read, understander

NOW = datetime(2026, 3, 10, 15, tzinfo=UTC)
OFFICE = """
agent: oficina
language: es
country: CO
timezone: America/Bogota
slots:
  nombre: {type: person_name, ask: "¿Nombre?"}
  empresa: {type: text, ask: "¿Empresa?"}
  ciudad: {type: city, ask: "¿Ciudad?"}
  fecha: {type: date, ask: "¿Qué día?"}
  correo: {type: email, ask: "¿Correo?"}
flows:
  datos: {starts: always, steps: [{collect: [nombre, empresa, ciudad, fecha, correo]}, {say: Listo.}]}
"""


@cache
def _prepared() -> Understander:
    return understander(parse(OFFICE))


def given(message: str, *, asked: str = "") -> dict[str, str]:
    """What a message gives, also in free words, where this was asked."""
    prepared = _prepared()
    session = new_session(prepared.agent, session_id="s", at=NOW)
    if asked:
        session = replace(session, pending=AskedSlot(asked))
    reading = read(prepared, message, at=NOW, waiting=waiting_in(prepared.agent, session))
    commands = extract_free(prepared.agent, session, reading, asked)
    return {each.slot: str(each.value) for each in commands if isinstance(each, SetSlot) and each.value}


@pytest.mark.parametrize(
    "message",
    [
        "ustedes son un desastre, nunca contestan",
        "no sé cómo decirle, déjeme pensar",
        "espere que busco a mi socio y le cuento",
        "cancele todo, ya no me interesa nada",
        "¿y para qué quieren saber eso?",
    ],
)
def test_a_question_for_any_words_takes_no_complaint_doubt_farewell_or_question(message: str) -> None:
    assert given(message, asked="empresa") == {}


@pytest.mark.parametrize(
    ("message", "company"),
    [
        ("Ferretería El Tornillo", "Ferretería El Tornillo"),
        ("trabajo en Muebles Roble", "Muebles Roble"),
        ("distribuidora de lácteos Don Beto", "distribuidora de lácteos Don Beto"),
    ],
)
def test_a_question_for_any_words_takes_an_answer(message: str, company: str) -> None:
    assert given(message, asked="empresa") == {"empresa": company}


@pytest.mark.parametrize(
    "message",
    ["hoy amanecí con un dolor de cabeza terrible jaja", "llevo esperando desde el lunes, qué falta de respeto"],
)
def test_a_day_in_chat_or_in_a_complaint_is_nobodys_date(message: str) -> None:
    assert "fecha" not in given(message)


def test_a_day_that_is_all_of_the_answer_stays_one_whatever_it_sounds_like() -> None:
    assert given("mañana jaja", asked="fecha") == {"fecha": "2026-03-11"}


def test_a_mail_address_in_a_complaint_is_one() -> None:
    assert given("ya van tres veces que les doy mi correo, ana@luz.co, pónganse serios") == {"correo": "ana@luz.co"}


def test_a_city_is_no_word_of_hesitation() -> None:
    assert given("mmm no sé, depende", asked="ciudad") == {}


@pytest.mark.parametrize(
    "message",
    [
        "Muebles Roble, ya se lo había dicho",
        "Muebles Roble, ¿para qué lo preguntan?",
    ],
)
def test_what_is_said_of_a_text_is_no_part_of_it(message: str) -> None:
    assert given(message, asked="empresa") == {"empresa": "Muebles Roble"}


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("mande dos. Yesenia Cuero", "Yesenia Cuero"),
        ("Segundo Lasso, de la tienda", "Segundo Lasso"),
        ("la cita es para mi abuelito, se llama Eustaquio Rúa", "Eustaquio Rúa"),
        ("mi sobrina Aleja, la de siempre", "Aleja"),
        ("tarjeta te dije", ""),
        ("vale pues", ""),
    ],
)
def test_a_name_is_told_by_its_capitals_or_by_whose_it_is(message: str, name: str) -> None:
    assert given(message, asked="nombre").get("nombre", "") == name
