"""Nothing that a contact gives is lost: beside a handoff, while a person is awaited, by the next order."""

from pathlib import Path

from hilo.app import load_agent
from hilo.testing import Conversation

AGENTS = Path(__file__).parents[2] / "agents"

CLINIC = """\
agent: clinica
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: ¿Cómo te llamás?}
  telefono: {type: phone, label: teléfono, ask: ¿A qué número te avisamos?}
  motivo: {type: text, ask: ¿Por qué venís?}
flows:
  turno:
    starts: always
    steps: [{collect: [nombre, telefono, motivo]}]
  recordar:
    starts: [guardá mis datos]
    steps: [{set: {motivo: control}}]
escalation:
  - keyword: [humano, secretaria]
  - timeout: 30m
"""


def clinic(tmp_path: Path) -> Conversation:
    (tmp_path / "agent.yaml").write_text(CLINIC, encoding="utf-8")
    return Conversation(load_agent(tmp_path))


async def test_values_beside_a_wish_for_a_person_are_kept(tmp_path: Path) -> None:
    talk = clinic(tmp_path)
    await talk.say("hola")
    await talk.say("soy Ana Ruiz, quiero hablar con la secretaria, mi teléfono es 11 5555 1234")
    assert talk.session.handoff
    assert talk.session.slots == {"nombre": "Ana Ruiz", "telefono": "+541155551234"}


async def test_the_answer_to_what_was_asked_counts_also_while_a_person_is_awaited(tmp_path: Path) -> None:
    talk = clinic(tmp_path)
    await talk.say("hola")
    await talk.say("prefiero un humano")
    assert talk.session.slots == {}
    await talk.say("Ana Ruiz")
    noted = await talk.say("11 5555 1234, llámenme")
    assert [each.text for each in noted.replies] == ["Bien, anoté tu teléfono: +541155551234."]
    assert talk.session.slots == {"nombre": "Ana Ruiz", "telefono": "+541155551234"}
    back = await talk.release()
    assert back.replies[-1].text.endswith("¿Por qué venís?")


async def test_words_for_a_person_are_no_free_text(tmp_path: Path) -> None:
    talk = clinic(tmp_path)
    await talk.say("soy Ana Ruiz, 11 5555 1234")
    await talk.say("pasame con un humano por favor")
    assert talk.session.handoff
    assert "motivo" not in talk.session.slots


async def test_a_question_about_an_order_comes_again_and_before_the_checkout_at_the_latest() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    await talk.say("2 gatorade")
    assert "de Gatorade?" in (await talk.say("una pizza")).replies[-1].text
    for order in ("3 quilmes lata", "un alfajor jorgito de chocolate"):
        assert "Gatorade" not in (await talk.say(order)).replies[-1].text
    assert "de Gatorade?" in (await talk.say("listo")).replies[-1].text
    for said in ("el de naranja", "Ana Ruiz", "30111222"):
        await talk.say(said)
    summary = await talk.say("lo retiro")
    assert "2x Gatorade naranja" in summary.replies[-1].text
    assert "¿Confirmamos?" in summary.replies[-1].text


async def test_a_question_about_an_order_may_be_given_up_before_the_checkout() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    for said in ("2 gatorade", "una pizza", "listo", "no, dejá el gatorade", "Ana Ruiz", "30111222"):
        await talk.say(said)
    summary = await talk.say("lo retiro")
    assert "¿Confirmamos?" in summary.replies[-1].text
    assert "Gatorade" not in summary.replies[-1].text
