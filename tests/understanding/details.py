"""Agents that ask for the details of a person, and what they take from one message."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from hilo.agent.parse import parse
from hilo.app.loading import new_session
from hilo.dialogue.commands import CorrectSlot, SetSlot
from hilo.dialogue.session import AskedSlot
from hilo.understanding.extraction import extract, extract_free
from hilo.understanding.reading import Understander, read, understander

NOW = datetime(2026, 3, 2, 15, tzinfo=UTC)

COLOMBIA = """
agent: datos
language: es-CO
country: CO
timezone: America/Bogota
slots:
  nombre: {type: person_name, part: given, ask: "¿Tu nombre?"}
  apellido: {type: person_name, part: family, required: false, ask: "¿Tu apellido?"}
  telefono: {type: phone, label: teléfono, also: [cel, celular, número], ask: "¿Tu celular?"}
  ciudad: {type: city, ask: "¿Tu ciudad?"}
  direccion: {type: address, label: dirección, also: [dir], ask: "¿Tu dirección?"}
  barrio: {type: text, required: false, before: ["b/"]}
  departamento: {type: text, region_of: ciudad, required: false}
  correo: {type: email, required: false}
flows:
  datos:
    starts: always
    steps:
      - collect: [nombre, telefono, ciudad, direccion]
      - say: Listo.
"""
STATES = """
agent: intake
language: en
country: US
timezone: America/Chicago
slots:
  first_name: {type: person_name, part: given, ask: "First name?"}
  last_name: {type: person_name, part: family, required: false}
  phone: {type: phone, ask: "Phone?"}
  city: {type: city, ask: "City?"}
  address: {type: address, ask: "Address?"}
  state: {type: text, region_of: city, required: false}
flows:
  intake:
    starts: always
    steps:
      - collect: [first_name, phone, city, address]
      - say: Thanks.
"""


@cache
def _prepared(agent: str) -> Understander:
    return understander(parse(agent))


def taken(message: str, *, agent: str = COLOMBIA, asked: str = "", must_answer: bool = False) -> dict[str, str]:
    """The values that a first message fills slots with, or one that may be, or must be, the answer to a question."""
    prepared = _prepared(agent)
    session = new_session(prepared.agent, session_id="s", at=NOW)
    session = replace(session, pending=AskedSlot(asked)) if asked else session
    read_values = extract_free if must_answer else extract
    commands = read_values(prepared.agent, session, read(prepared, message, at=NOW), asked)
    return {each.slot: str(each.value) for each in commands if isinstance(each, SetSlot | CorrectSlot)}
