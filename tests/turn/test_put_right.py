"""Corrections by value, and values that are asked about before they are kept."""

from pathlib import Path

import pytest

from hilo.app import load_agent
from hilo.dialogue.session import AskedSure, AskedWhich
from hilo.testing import Conversation

TABLES = """\
agent: mesas
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: ¿A nombre de quién?}
  dia: {type: date, label: día, ask: ¿Para qué día?}
  hora: {type: time, ask: ¿A qué hora?}
  personas: {type: number, label: cantidad de personas, min: 1, max: 12, ask: ¿Cuántos son?}
  origen: {type: city, before: [de, desde], ask: ¿Desde dónde?}
  destino: {type: city, before: [a, hasta], ask: ¿Hasta dónde?}
flows:
  mesa:
    starts: [quiero una mesa, necesito una mesa, quiero reservar una mesa]
    steps:
      - collect: [nombre, dia, hora, personas]
      - confirm: "Mesa para {personas} a nombre de {nombre}, {dia} a las {hora}. ¿Confirmo?"
      - say: "Reservado a las {hora} para {personas}."
  viaje:
    starts: [quiero un remis, necesito un remis, quiero pedir un remis]
    steps:
      - collect: [origen, destino]
      - confirm: "De {origen} a {destino}. ¿Confirmo?"
      - say: "Listo."
"""
BOOKED = ("quiero una mesa", "Ana", "el viernes", "a las 10", "4")


async def talk_of(tmp_path: Path, *messages: str) -> Conversation:
    (tmp_path / "agent.yaml").write_text(TABLES, encoding="utf-8")
    talk = Conversation(load_agent(tmp_path))
    for message in messages:
        await talk.say(message)
    return talk


@pytest.mark.parametrize(
    ("message", "slot", "value"),
    [
        ("mejor a las 11", "hora", "11:00"),
        ("no, a las 11", "hora", "11:00"),
        ("que sean dos", "personas", 2),
        ("al final somos 6", "personas", 6),
        ("mejor 5", "personas", 5),
        ("no, es Eva", "nombre", "Eva"),
        ("En realidad, debería ser Pedro", "nombre", "Pedro"),
        ("perdón, me equivoqué de hora, 11", "hora", "11:00"),
    ],
)
async def test_a_value_tells_which_slot_it_puts_right(tmp_path: Path, message: str, slot: str, value: object) -> None:
    talk = await talk_of(tmp_path, *BOOKED)
    before = dict(talk.session.slots)
    turn = await talk.say(message)
    assert talk.session.slots == {**before, slot: value}
    assert turn.replies[-1].text.endswith("¿Confirmo?")


async def test_a_correction_goes_first_where_something_else_is_asked(tmp_path: Path) -> None:
    talk = await talk_of(tmp_path, *BOOKED[:-1])
    await talk.say("mejor a las 11")
    assert talk.session.slots["hora"] == "11:00"
    assert "personas" not in talk.session.slots
    await talk.say("3")
    assert (await talk.say("dale")).replies[-1].text == "Reservado a las 11:00 para 3."


async def test_what_a_contact_only_asks_changes_nothing_before_a_yes(tmp_path: Path) -> None:
    talk = await talk_of(tmp_path, *BOOKED)
    turn = await talk.say("sí, ¿y a las 9?")
    assert talk.session.slots["hora"] == "10:00"
    assert talk.session.pending == AskedSure("hora", "09:00")
    assert [button.title for button in turn.replies[-1].buttons] == ["Sí", "No"]
    kept = await talk.say("no")
    assert "sigue igual: 10:00" in kept.replies[-1].text
    assert kept.replies[-1].text.endswith("¿Confirmo?")
    await talk.say("¿y a las 9?")
    await talk.say("sí")
    assert talk.session.slots["hora"] == "09:00"
    assert talk.session.finished == ()


async def test_two_values_may_change_places(tmp_path: Path) -> None:
    talk = await talk_of(tmp_path, "quiero un remis", "de Lima a Cusco")
    await talk.say("es al revés")
    assert talk.session.slots == {"origen": "Cusco", "destino": "Lima"}


async def test_which_slot_is_asked_where_two_fit(tmp_path: Path) -> None:
    talk = await talk_of(tmp_path, "quiero un remis", "de Lima a Cusco", "mejor Trujillo")
    assert talk.session.pending == AskedWhich(("origen", "destino"), "Trujillo")
    assert talk.session.slots == {"origen": "Lima", "destino": "Cusco"}
    await talk.say("el destino")
    assert talk.session.slots == {"origen": "Lima", "destino": "Trujillo"}


@pytest.mark.parametrize("message", ["a lo mejor el lunes", "¿el jueves hay paro?"])
async def test_hedges_and_questions_fill_nothing(tmp_path: Path, message: str) -> None:
    talk = await talk_of(tmp_path, "quiero una mesa", "Ana", message)
    assert talk.session.slots == {"nombre": "Ana"}


async def test_a_good_value_is_not_overwritten_unasked(tmp_path: Path) -> None:
    talk = await talk_of(tmp_path, "quiero una mesa", "Ana", "soy independiente")
    assert talk.session.slots == {"nombre": "Ana"}
    await talk.say("no")
    assert talk.session.slots == {"nombre": "Ana"}


async def test_a_question_that_says_whose_its_values_are_gives_them(tmp_path: Path) -> None:
    talk = await talk_of(tmp_path, "quiero un remis", "¿cuánto sale de Lima a Cusco?")
    assert talk.session.slots == {"origen": "Lima", "destino": "Cusco"}


@pytest.mark.parametrize("message", ["casi, va con doble ene", "el apellido va con hache"])
async def test_a_change_of_which_no_value_is_told_is_asked_about(tmp_path: Path, message: str) -> None:
    talk = await talk_of(tmp_path, *BOOKED, message)
    assert isinstance(talk.session.pending, AskedWhich)
    assert talk.session.finished == ()
