"""What was named last is remembered, and a few words refer to it."""

from pathlib import Path

import pytest

from hilo.app import load_agent
from hilo.dialogue.memory import MOST_LISTED, MOST_SINGLE
from hilo.dialogue.session import from_json, to_json
from hilo.testing import Conversation

AGENTS = Path(__file__).parents[2] / "agents"


async def cart_after(*messages: str) -> str:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    for message in messages:
        await talk.say(message)
    return str(talk.session.slots.get("cart", ""))


@pytest.mark.parametrize(
    ("messages", "cart"),
    [
        (("¿cuánto sale la coca de 2,25?", "mandame una de ésas"), "1x Coca-Cola 2,25 l"),
        (("¿cuánto sale la coca de 2,25?", "dame 2"), "2x Coca-Cola 2,25 l"),
        (("2 cocas de 500", "otra igual"), "3x Coca-Cola 500 ml"),
        (("¿qué cervezas tenés?", "dame 2 de la más barata"), "2x Cerveza Brahma lata 473 ml"),
        (("¿tenés gatorade?", "dame la segunda"), "1x Gatorade naranja 500 ml"),
        (("¿tenés gatorade?", "el de manzana"), "1x Gatorade manzana 500 ml"),
        (("¿tenés gatorade?", "una coca de 500", "esas galletitas no"), "1x Coca-Cola 500 ml"),
    ],
)
async def test_what_was_named_is_ordered(messages: tuple[str, ...], cart: str) -> None:
    assert await cart_after(*messages) == cart


async def test_the_trace_says_what_words_were_taken_for() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    await talk.say("¿tenés gatorade?")
    turn = await talk.say("dame la segunda")
    assert turn.trace.understanding.references == (("la segunda", "Gatorade naranja 500 ml"),)


async def test_nothing_is_referred_to_after_a_few_turns() -> None:
    forgotten = ("¿tenés gatorade?", "¿a qué hora abren?", "¿dónde están?", "¿hacen envíos?", "¿aceptan tarjeta?")
    assert not await cart_after(*forgotten, "dame la segunda")


@pytest.mark.parametrize(
    ("messages", "answer"),
    [
        (("¿qué hora es en Tokio?", "¿y en Lima?"), "En Lima son"),
        (("¿qué hora es en Tokio?", "uy, tarde. ¿Y en Lima?"), "En Lima son"),
        (("¿qué hora es en Tokio?", "¿y acá?"), "En Bogotá son"),
        (("¿cuánto es 80 por 3?", "eso entre cuatro"), "240 ÷ 4 = 60"),
        (("¿cuánto son 20 dólares en pesos colombianos?", "¿y en euros?"), "20 dólares estadounidenses son 17 euros"),
        (("10 km a millas", "¿y 20?"), "20 kilómetros son"),
        (("¿cuánto es 80 por 3?", "dividilo entre cuatro"), "240 ÷ 4 = 60"),
        (("¿cuánto es 80 por 3?", "ahora réstale cuarenta"), "240 - 40 = 200"),
        (("¿cuánto es 80 por 3?", "y si le hago un 10% de descuento?"), "240 - 10% = 216"),
        (("¿cuánto es 80 por 3?", "y entre 4 personas cuánto le toca a cada una"), "240 ÷ 4 = 60"),
        (("¿cuánto es 80 por 3?", "pásalo a euros"), "240 pesos colombianos son"),
        (("¿cuánto es 2426,76 entre 2?", "y entre 2"), "1.213,38 ÷ 2 = 606,69"),
        (("¿cuánto es 2425,815 entre 3?", "y el doble"), "2 × 808,605 = 1.617,21"),  # no eight hundred thousand
        (("¿cuánto es 80 por 3?", "recuérdame mañana a las 8 correr", "pásalo a las 9"), "Listo, lo cambié"),
        (("¿cuánto es 80 por 3?", "anota leche", "agrégale pan"), "Listo, la nota 1 ahora dice"),
    ],
)
async def test_a_question_goes_on_with_the_one_before(messages: tuple[str, ...], answer: str) -> None:
    talk = Conversation(load_agent(AGENTS / "asistente"))
    for message in messages:
        turn = await talk.say(message)
    assert turn.replies[-1].text.startswith(answer)


async def test_what_is_remembered_is_bounded_and_stored() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    for message in ("¿qué cervezas tenés?", "2 cocas de 500", "2 fantas de 500", "2 sprite de 500", "2 pepsi de 500"):
        await talk.say(message)
    assert len(talk.session.remembered) <= MOST_LISTED + MOST_SINGLE
    assert from_json(to_json(talk.session)).remembered == talk.session.remembered


async def test_what_only_resembles_a_product_is_asked_beside_what_is_sure() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    turn = await talk.say("una gaceta y 2 cocas de 500")
    assert str(talk.session.slots["cart"]) == "2x Coca-Cola 500 ml"
    assert "¿Querés decir Galletas" in turn.replies[-1].text
    assert turn.replies[-1].buttons
