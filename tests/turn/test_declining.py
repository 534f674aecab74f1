"""No to a question that takes none, and choices that nobody asked for yet."""

from typing import Any

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.tools.tool import tool
from hilo.turn.run import Turn
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.reading import intent_examples

TEXT = """\
agent: shop
confidence: {proceed: 85, reanalyse: 60, clarify: 40}
slots:
  name: {type: person_name, keep: true, ask: "¿Nombre?"}
  pack: {type: choice, label: promo, choices: {1x: [una, la de una], 2x: [dos, la de dos]}, ask: "¿Cuál?"}
  total: {type: money, found: true}
modes:
  talk: {to: [offer], next: {yes: buy}}
  offer: {tools: [quote], to: [talk], requires: [name], enter: {say: "Hay 1x y 2x.", start: choose}}
flows:
  buy:
    starts: [quiero comprar, lo quiero, quiero pedir]
    steps: [{collect: name}, {go: offer}]
  later:
    starts: [ahora no, no gracias, no me interesa, ninguna, más tarde]
    steps: [{say: "Sin afán.", mode: talk}]
  choose:
    steps: [{collect: pack}, {do: quote, into: {total: total}}, {confirm: "¿{pack} por {total}?"}, {say: "Hecho."}]
"""


@tool
def quote(pack: str) -> dict[str, Any]:
    """What a pack costs."""
    return {"total": {"1x": 10, "2x": 18}[pack]}


@pytest.fixture(scope="module")
def shop() -> Turn:
    agent = parse(TEXT, toolbox={"quote": quote.spec})
    return Turn(agent, intents=train(intent_examples(agent), encoder=load_encoder()), tools={"quote": quote})


async def said(turn: Turn, *lines: str) -> tuple[str, str]:
    """The last reply, and the mode after it."""
    talk = Conversation(turn)
    for line in lines:
        await talk.say(line)
    return talk.replies[-1].text, talk.session.mode


@pytest.mark.parametrize("no", ["no gracias", "no me interesa", "ninguna"])
async def test_no_thanks_to_a_choice_is_what_the_flow_for_it_says(shop: Turn, no: str) -> None:
    assert await said(shop, "quiero comprar", "Ana", no) == ("Sin afán.", "talk")


async def test_a_bare_no_to_a_choice_leaves_it() -> None:
    agent = parse(TEXT.replace("no gracias, no me interesa, ninguna, ", ""), toolbox={"quote": quote.spec})
    turn = Turn(agent, intents=train(intent_examples(agent), encoder=load_encoder()), tools={"quote": quote})
    reply, mode = await said(turn, "quiero comprar", "Ana", "no")
    assert (reply, mode) == ("Listo, lo dejamos aquí. Cuando quieras retomarlo, escríbeme.", "talk")


async def test_a_choice_that_is_said_with_the_wish_is_not_asked_again(shop: Turn) -> None:
    reply, _ = await said(shop, "quiero comprar dos", "Ana")
    assert reply == "Hay 1x y 2x.\n\n¿2x por 18?"


@pytest.mark.parametrize("words", ["mejor la de una", "quiero la de una", "cambie a 1x", "una por favor"])
async def test_another_choice_at_the_summary_is_a_correction_and_no_new_wish(shop: Turn, words: str) -> None:
    reply, mode = await said(shop, "quiero comprar", "Ana", "dos", words)
    assert reply.endswith("¿1x por 10?")
    assert mode == "offer"


async def test_an_ordinary_word_is_no_choice(shop: Turn) -> None:
    talk = Conversation(shop)
    await talk.say("quiero comprar")
    await talk.say("tengo una pregunta en dos partes")
    assert "pack" not in talk.session.slots


async def test_a_bare_yes_or_no_beside_everything_is_taken_note_of(shop: Turn) -> None:
    assert await said(shop, "hola", "no") == ("Entendido.", "talk")
    reply, _ = await said(shop, "hola", "sí")
    assert reply == "¿Nombre?"
