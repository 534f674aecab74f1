"""No to a question that takes none, and choices that nobody asked for yet."""

from datetime import timedelta
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


async def test_a_yes_that_comes_after_the_session_takes_up_what_it_answers() -> None:
    agent = parse(TEXT.replace("  choose:\n", "  choose:\n    resumes: buy\n"), toolbox={"quote": quote.spec})
    turn = Turn(agent, intents=train(intent_examples(agent), encoder=load_encoder()), tools={"quote": quote})
    talk = Conversation(turn)
    for line in ("quiero comprar", "Ana", "dos"):
        await talk.say(line)
    await talk.wait(timedelta(hours=25))
    await talk.say("sí")
    assert talk.session.mode == "offer"
    assert talk.replies[-1].text.endswith("¿Cuál?")


RESERVED = """\
agent: shop
slots:
  name: {type: person_name, keep: true, ask: "¿Nombre?"}
  pack: {type: choice, choices: {1x: [una, la de una], 2x: [dos, la de dos]}, ask: "¿Cuál?"}
  order: {type: text, found: true}
modes:
  talk: {to: [offer], tools: [reserve, release]}
  offer: {to: [talk], tools: [reserve, release], enter: {say: "Hay 1x y 2x.", start: choose}}
flows:
  promos:
    starts: [qué promos hay, mejor la de dos, quiero cambiar de promo]
    steps: [{go: offer}]
  hold:
    starts: [resérvemela, quiero reservar]
    steps:
      - collect: name
      - set: {pack: 1x}
      - confirm: "¿Reservo {pack}?"
      - {do: reserve, into: {order: order}}
      - {confirm: "Reservé {order}. ¿Lo confirmamos?", no: undo}
      - {say: "Confirmado."}
      - {end: done}
      - {name: undo, do: release}
      - {say: "Cancelé la reserva."}
  choose:
    steps: [{collect: [pack]}, {confirm: "¿Va la {pack}?"}, {say: "Va la {pack}."}]
"""


@tool(needs_yes=True)
def reserve(name: str, pack: str) -> dict[str, Any]:
    """Set one aside."""
    return {"order": f"{pack} de {name}"}


@tool(writes=True, needs_yes=False)
def release(order: str) -> dict[str, Any]:
    """Take it back."""
    return {"released": order}


@pytest.fixture(scope="module")
def reserving() -> Turn:
    agent = parse(RESERVED, toolbox={"reserve": reserve.spec, "release": release.spec})
    model = train(intent_examples(agent), encoder=load_encoder())
    return Turn(agent, intents=model, tools={"reserve": reserve, "release": release})


HELD = ("quiero reservar", "Ana", "sí")


@pytest.mark.parametrize(
    "leave", ["no", "quiero cancelar la reserva", "cancelar", "quiero cancelar el pedido", "ya no lo quiero"]
)
async def test_leaving_where_a_no_takes_something_back_is_that_no(reserving: Turn, leave: str) -> None:
    assert (await said(reserving, *HELD, leave))[0] == "Cancelé la reserva."


async def test_what_waits_for_a_yes_takes_another_choice_from_the_wish_to_choose_again(reserving: Turn) -> None:
    assert (await said(reserving, *HELD, "mejor la de dos"))[0].endswith("¿Va la 2x?")


async def test_at_once_is_a_yes_and_no_choice(reserving: Turn) -> None:
    assert (await said(reserving, *HELD, "mejor la de dos", "de una"))[0].startswith("Va la 2x.")


async def test_a_choice_said_again_is_heard_and_the_question_asked_again(reserving: Turn) -> None:
    reply, _ = await said(reserving, *HELD, "mejor la de dos", "la de dos")
    assert reply.startswith("Entendido")
    assert reply.endswith("¿Va la 2x?")


async def test_what_was_done_is_not_asked_for_again_to_be_refused(reserving: Turn) -> None:
    reply, _ = await said(reserving, *HELD, "sí", "quiero cambiar el nombre")
    assert "nombre?" not in reply.casefold()


PLACES = """\
agent: shop
country: CO
confidence: {proceed: 85, reanalyse: 60, clarify: 40}
slots:
  name: {type: person_name, part: given, keep: true, ask: "¿Nombre?"}
  family: {type: person_name, part: family, required: false, keep: true}
  town: {type: city, keep: true, ask: "¿Ciudad?"}
intents:
  wait: {examples: [un momento, un momentico, espere un momento, deme un minuto], answer: "Con calma."}
  safe: {examples: [sirve para niños, lo usan los niños, es seguro para niños], answer: "Lejos de niños."}
flows:
  buy:
    starts: [quiero comprar, lo quiero]
    steps: [{collect: [name, town]}, {say: "Gracias."}]
"""


@pytest.fixture(scope="module")
def shipping() -> Turn:
    agent = parse(PLACES)
    return Turn(agent, intents=train(intent_examples(agent), encoder=load_encoder()))


async def kept(turn: Turn, *lines: str) -> dict[str, object]:
    talk = Conversation(turn)
    for line in lines:
        await talk.say(line)
    return {name: talk.session.slots.get(name) for name in ("name", "town")}


@pytest.mark.parametrize(
    ("line", "name", "town"),
    [
        ("Popayan", None, "Popayán"),
        ("Florencia", "Florencia", None),
        ("un momentico", None, None),
        ("nah I'm good", None, None),
    ],
)
async def test_not_all_that_is_said_where_a_name_is_asked_is_one(
    shipping: Turn, line: str, name: str | None, town: str | None
) -> None:
    assert await kept(shipping, "quiero comprar", line) == {"name": name, "town": town}


async def test_a_city_alone_where_nothing_is_asked_is_the_new_one(shipping: Turn) -> None:
    assert (await kept(shipping, "quiero comprar", "Ana", "Cali", "Pereira"))["town"] == "Pereira"


async def test_a_city_said_twice_brings_no_person(shipping: Turn) -> None:
    assert await said(shipping, "quiero comprar", "Ana", "Cali", "Cali") == ("Entendido.", "")


async def test_a_doubt_beside_a_wish_is_answered_and_the_wish_goes_on(shipping: Turn) -> None:
    reply, _ = await said(shipping, "quiero comprar pero tengo una duda, sirve para niños?")
    assert "Lejos de niños." in reply
    assert reply.endswith("¿Nombre?")
