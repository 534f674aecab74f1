"""What a tool tells or asks in the midst of a flow: no circle, no call without a yes to what is in force."""

from pathlib import Path

import pytest

from hilo import Chat

AGENT = """
agent: turnos
language: es-AR
slots:
  nombre: {type: person_name, ask: "¿A nombre de quién?"}
  hora: {type: time, ask: "¿A qué hora?"}
  detalle: {type: text}
flows:
  turno:
    starts: always
    steps:
      - collect: nombre
      - {name: pedir, collect: {slot: hora, ask: ["¿A qué hora venís?", "¿Qué otra hora te queda bien?"]}}
      - confirm: "Turno a las {hora} para {nombre}. ¿Reservo?"
      - {name: reservar, do: book, into: {detalle: detalle}, told: WHERE}
      - say: "Listo. {detalle}"
"""
TOOLS = '''
from typing import TypedDict

from hilo import AskContact, ToolFailed, tool

CALLS = []


class Booked(TypedDict):
    detalle: str


@tool(writes=True)
def book(hora: str, nombre: str) -> Booked:
    """Book an hour."""
    CALLS.append(hora)
    if hora == "10:00":
        raise ToolFailed("taken", tell="A las 10 ya no hay lugar.")
    if hora == "11:00":
        raise AskContact("hora", ["11:30", "12:00"], "A las 11 está tomado. ¿Cuál de estas?")
    return {"detalle": f"Traé:\\n- toalla\\n- {len(CALLS)} gorro"}
'''


def chat(folder: Path, where: str = "pedir") -> Chat:
    (folder / "agent.yaml").write_text(AGENT.replace("WHERE", where))
    (folder / "tools.py").write_text(TOOLS)
    talk = Chat(str(folder))
    talk.say("soy Ana Ruiz")
    return talk


def test_a_value_that_a_tool_would_not_take_is_asked_for_anew(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    assert talk.say("a las 10") == "Turno a las 10:00 para Ana Ruiz. ¿Reservo?"
    assert talk.say("sí") == "A las 10 ya no hay lugar.\n\n¿Qué otra hora te queda bien?"
    assert "hora" not in talk.slots
    assert talk.say("a las 9") == "Turno a las 09:00 para Ana Ruiz. ¿Reservo?"
    assert talk.say("sí") == "Listo. Traé:\n- toalla\n- 2 gorro"  # a tool's text keeps its lines


@pytest.mark.parametrize("answer", ["la segunda", "12:00"])
def test_a_tool_of_a_flow_asks_with_buttons_and_is_called_after_a_new_yes(tmp_path: Path, answer: str) -> None:
    talk = chat(tmp_path)
    talk.say("a las 11")
    assert talk.say("sí") == "A las 11 está tomado. ¿Cuál de estas?"
    assert talk.buttons == ("11:30", "12:00")
    assert talk.say(answer).endswith("Turno a las 12:00 para Ana Ruiz. ¿Reservo?")
    assert "2 gorro" in talk.say("sí")  # the second call, and none without the yes


def test_the_same_call_is_not_made_twice_in_a_turn(tmp_path: Path) -> None:
    talk = chat(tmp_path, where="reservar")
    talk.say("a las 10")
    said = talk.say("sí")
    assert said.count("A las 10 ya no hay lugar.") == 1
    assert "persona" in said
