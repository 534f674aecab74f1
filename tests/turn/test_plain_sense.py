"""What any person would understand: thanks, a number put right, a name that sounds bad, people who are counted."""

from pathlib import Path

import pytest

from hilo.app import LoadedAgent, load_agent
from hilo.testing import Conversation

AGENTS = Path(__file__).parents[2] / "agents"


@pytest.fixture(scope="module")
def kiosk() -> LoadedAgent:
    return load_agent(AGENTS / "kiosco")


@pytest.fixture(scope="module")
def flights() -> LoadedAgent:
    return load_agent(AGENTS / "vuelos")


async def replied(talk: Conversation, *said: str) -> str:
    for each in said:
        turn = await talk.say(each)
    return turn.replies[-1].text


@pytest.mark.parametrize("thanks", ["ok gracias", "perfecto, muchas gracias", "bueno, gracias"])
async def test_a_nod_with_thanks_where_nothing_is_open_is_thanks(kiosk: LoadedAgent, thanks: str) -> None:
    talk = Conversation(kiosk)
    assert "Gracias" in await replied(talk, "hola", thanks)
    assert not talk.session.pending


async def test_a_menu_and_a_question_that_comes_again_are_not_two_questions(kiosk: LoadedAgent) -> None:
    talk = Conversation(kiosk)
    text = await replied(talk, "2 gatorade", "qwer zxcv")
    assert "?¿" not in text
    assert text.count("¿") == 1


async def test_a_question_that_is_passed_over_for_other_things_waits_for_the_summary(
    kiosk: LoadedAgent,
) -> None:
    talk = Conversation(kiosk)
    asked = await replied(talk, "2 gatorade", "¿a qué hora abren?")
    assert "Gatorade" in asked
    assert "Gatorade" not in await replied(talk, "¿hacen envíos?")
    assert "Gatorade" not in await replied(talk, "¿dónde están?")
    assert "Gatorade" in await replied(talk, "confirmar")


@pytest.mark.parametrize("mended", ["perdón, 5", "mejor 5", "no, 5"])
async def test_a_number_beside_words_that_mend_is_of_what_was_ordered_last(kiosk: LoadedAgent, mended: str) -> None:
    talk = Conversation(kiosk)
    await talk.say("2 coca de 500")
    assert "5 Coca-Cola 500 ml" in await replied(talk, mended)


async def test_a_number_put_right_in_a_burst(kiosk: LoadedAgent) -> None:
    talk = Conversation(kiosk)
    await talk.say("2 coca de 500", "perdón", "7")
    assert talk.session.slots["cart"] == "7x Coca-Cola 500 ml"


async def test_what_is_put_off_starts_no_flow(kiosk: LoadedAgent) -> None:
    talk = Conversation(kiosk)
    assert "Sin apuro" in await replied(talk, "3 quilmes lata", "después te confirmo")
    assert not talk.session.stack


async def test_to_cancel_everything_reaches_the_flow_that_does(kiosk: LoadedAgent) -> None:
    talk = Conversation(kiosk)
    told = await replied(talk, "3 quilmes lata", "listo", "no, cancelalo todo")
    assert "Llevabas 3 Cerveza Quilmes" in told
    assert "vacié el carrito" in told
    await talk.say("mandame una coca de 500")
    assert talk.session.slots["cart"] == "1x Coca-Cola 500 ml"


async def test_the_answer_that_was_asked_for_is_no_wish_besides(kiosk: LoadedAgent, flights: LoadedAgent) -> None:
    assert "No tengo" not in await replied(Conversation(kiosk), "3 quilmes lata", "listo", "Pedro Gomez")
    text = await replied(Conversation(flights), "necesito cambiar mi vuelo", "DEMO22", "para el 15 de abril")
    assert "¿De acuerdo?" in text


async def test_a_value_that_nothing_asks_for_is_not_refused_aloud(flights: LoadedAgent) -> None:
    text = await replied(Conversation(flights), "quiero cancelar mi vuelo", "a nombre de Lucía Mora")
    assert "no volamos" not in text


@pytest.mark.parametrize(
    "said", ["quiero volar a Morón", "mi jefe es un idiota, necesito vacaciones", "viaja una persona"]
)
async def test_no_reason_for_a_person(flights: LoadedAgent, said: str) -> None:
    talk = Conversation(flights)
    await talk.say(said)
    assert talk.session.handoff is None


@pytest.mark.parametrize("said", ["sos un morón", "son unos inútiles", "quiero hablar con una persona"])
async def test_a_reason_for_a_person(flights: LoadedAgent, said: str) -> None:
    talk = Conversation(flights)
    await talk.say(said)
    assert talk.session.handoff


async def test_a_question_that_the_agent_answers_is_no_anger() -> None:
    talk = Conversation(load_agent(AGENTS / "somnio"))
    assert "desconfianza" in await replied(talk, "eso es estafa?")
    assert talk.session.handoff is None


async def test_nobody_is_called_as_a_no_is_said(kiosk: LoadedAgent) -> None:
    talk = Conversation(kiosk)
    await replied(talk, "2 cocas de 500", "confirmar", "nel, siempre no")
    assert "Nel" not in talk.session.slots.values()


PETS = """
agent: huellas
language: es-AR
slots:
  mascota: {type: text, ask: "¿Cómo se llama tu mascota?"}
  dia: {type: date, ask: "¿Para qué día?"}
intents:
  horario: {like: ask_hours, answer: "De 9 a 18."}
flows:
  turno: {starts: always, steps: [{collect: [mascota, dia]}, {say: Listo.}]}
"""


@pytest.mark.parametrize(("said", "kept"), [("Toby", "Toby"), ("Oreo", "Oreo"), ("asdf", None), ("mmm", None)])
async def test_one_word_that_nobody_knows_is_the_name_that_was_asked_for(
    said: str, kept: str | None, tmp_path: Path
) -> None:
    (tmp_path / "agent.yaml").write_text(PETS, encoding="utf-8")
    talk = Conversation(load_agent(tmp_path))
    await replied(talk, "hola", said)
    assert talk.session.slots.get("mascota") == kept
