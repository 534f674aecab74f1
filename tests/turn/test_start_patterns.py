"""Examples with slots in them are patterns: what stands in their places is taken."""

from pathlib import Path

import pytest

from hilo.app import LoadedAgent, load_agent
from hilo.testing import Conversation

BANK = """\
agent: banco
language: es
country: ES
slots:
  nombre: {type: person_name, ask: ¿A nombre de quién?}
  hora: {type: time, ask: ¿A qué hora?}
  monto: {type: money, ask: ¿Cuánto?}
  destinatario: {type: person_name, label: destinatario, ask: ¿A quién?}
  producto: {type: text, label: producto, ask: ¿Qué buscas?}
flows:
  turno:
    starts: [quiero un turno, necesito un turno, me das un turno]
    steps: [{collect: [nombre, hora]}, {confirm: "Turno para {nombre} a las {hora}. ¿Lo pido?"}, {say: Hecho.}]
  enviar:
    starts: ["envía {monto} a {destinatario}", quiero enviar dinero, transfiere dinero]
    steps: [{collect: [monto, destinatario]}, {confirm: "¿Envío {monto} a {destinatario}?"}, {say: Enviado.}]
  buscar:
    starts: ["busco {producto}", "estoy buscando {producto}"]
    steps: [{collect: producto}, {say: "Busco {producto}."}]
"""


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> LoadedAgent:
    folder: Path = tmp_path_factory.mktemp("banco")
    (folder / "agent.yaml").write_text(BANK, encoding="utf-8")
    return load_agent(folder)


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("envía 50 euros a María López", {"monto": 50, "destinatario": "María López"}),
        ("hola, envía 20 € a Juan Pérez por favor", {"monto": 20, "destinatario": "Juan Pérez"}),
        ("busco zapatos", {"producto": "zapatos"}),
        ("Estoy buscando Zapatos rojos de cuero", {"producto": "Zapatos rojos de cuero"}),
        ("quiero un turno, soy Ana Ruiz, a las 10", {"nombre": "Ana Ruiz", "hora": "10:00"}),
    ],
)
async def test_slots_of_every_type_are_filled(bank: LoadedAgent, said: str, given: dict[str, object]) -> None:
    talk = Conversation(bank)
    await talk.say(said)
    assert {name: value for name, value in talk.session.slots.items() if value is not None} == given


async def test_nothing_is_done_without_a_yes(bank: LoadedAgent) -> None:
    talk = Conversation(bank)
    turn = await talk.say("envía 50 euros a María López")
    assert "Enviado" not in turn.replies[-1].text
    assert "Enviado" in (await talk.say("sí")).replies[-1].text


async def test_words_that_are_no_value_do_not_fit(bank: LoadedAgent) -> None:
    talk = Conversation(bank)
    await talk.say("envía saludos a todos")
    assert "monto" not in talk.session.slots
    assert "destinatario" not in talk.session.slots


async def test_an_open_question_is_answered_and_no_pattern_is_looked_for(bank: LoadedAgent) -> None:
    talk = Conversation(bank)
    await talk.say("quiero un turno")
    await talk.say("busco zapatos")
    assert "producto" not in talk.session.slots
