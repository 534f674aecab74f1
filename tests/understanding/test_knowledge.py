"""Finding what an agent's pages say, and what they do not: with the encoder and with words alone."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import pytest

from hilo.agent.documents import Section, read_page
from hilo.agent.parse import parse
from hilo.dialogue.commands import Affirm, CallTool, Command, Digress, OfferSections, Quote, SetSlot, StartFlow
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import AskedSlot, AskedYes, Frame, Session
from hilo.dialogue.synthesis import opened
from hilo.tools.tool import tool
from hilo.turn.run import Turn
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.knowledge.index import KnowledgeIndex, from_bytes, index_digest, make_index, to_bytes
from hilo.understanding.knowledge.words import rarity_for, stems_of
from hilo.understanding.lookups import SURE, Lookup
from hilo.understanding.reading import intent_examples

PAGES = Path(__file__).parents[2] / "agents/turnos/docs"
NOW = datetime(2026, 3, 17, 13, tzinfo=UTC)
AGENT = """\
agent: centro
language: es-AR
country: AR
slots:
  dia: {type: date, ask: "¿Qué día?"}
  motivo: {type: text, ask: "¿Qué te pasa?"}
flows:
  turno:
    starts: [quiero un turno, necesito un turno, dame un turno, me das turno, sacar un turno]
    steps: [{collect: [dia, motivo]}, {confirm: "El {dia}. ¿Va?"}, {say: "Listo."}]
orders: {add: add}
"""


@tool(writes=True, needs_yes=False)
async def add(product: str, quantity: int = 1) -> dict[str, str]:
    """Put a product into the cart."""
    return {"cart": f"{quantity} {product}"}


@lru_cache
def pages() -> tuple[Section, ...]:
    read = [read_page(page.read_text("utf-8"), file=str(page), name=page.stem) for page in sorted(PAGES.glob("*.md"))]
    return tuple(section for sections in read for section in sections)


@lru_cache
def index(*, encoder: bool = True) -> KnowledgeIndex:
    return make_index(pages(), encoder=load_encoder() if encoder else None, language="es")


both = pytest.mark.parametrize("encoder", [True, False], ids=["encoder", "words"])


@both
@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("¿el ayuno para el colesterol de cuántas horas es?", "Análisis de sangre"),
        ("cómo pido una copia de mi historia clínica", "Tu historia clínica"),
        ("¿la factura llega por correo?", "Facturas"),
        ("¿hay rampa para silla de ruedas?", "Silla de ruedas"),
    ],
)
def test_what_the_pages_say_is_found(encoder: bool, question: str, heading: str) -> None:  # noqa: FBT001
    best = index(encoder=encoder).find(question)[0]
    assert best.section.heading == heading
    assert best.confidence >= SURE


@both
@pytest.mark.parametrize(
    "question",
    ["¿cuál es la capital de Francia?", "¿venden zapatillas?", "¿qué hora es?", "¿?", "", "👍?", "¿y?", "¿a cómo?"],
)
def test_what_the_pages_do_not_say_is_not_sure(encoder: bool, question: str) -> None:  # noqa: FBT001
    assert all(each.confidence < SURE for each in index(encoder=encoder).find(question))


def test_without_its_section_a_question_has_no_answer() -> None:
    question = "¿hacen factura A?"
    rest = [each for each in pages() if each.heading != "Facturas"]
    assert index().find(question)[0].section.heading == "Facturas"
    assert make_index(rest, encoder=load_encoder(), language="es").find(question)[0].confidence < SURE


@both
def test_intents_that_are_not_among_the_likely_ones_are_never_looked_at(encoder: bool) -> None:  # noqa: FBT001
    page = read_page("# Ayuda\n## Estacionamiento\nHay uno gratis detrás del local.\n", file="p", name="p")
    wish = Section("p", "anotar algo", "anotar algo", meaning="note")
    made = make_index((*page, wish), encoder=load_encoder() if encoder else None, language="es")
    assert [each.section for each in made.find("¿tienen estacionamiento?")] == [*page]
    only = make_index([wish], encoder=load_encoder() if encoder else None, language="es")
    assert only.find("¿tienen estacionamiento?") == ()


def test_other_languages_find_by_meaning_and_their_own_words() -> None:
    text = (
        "# Help\n## Parking\nThere is a free car park behind the shop.\n## Returns\nYou have 30 days to send it back."
    )
    made = make_index(read_page(text, file="p", name="p"), encoder=load_encoder(), language="en")
    assert made.find("is there a car park?")[0].section.heading == "Parking"
    assert made.made.subjects.shape[1] == 0


def test_an_index_is_the_same_after_it_was_kept() -> None:
    kept = from_bytes(to_bytes(index()), pages(), encoder=load_encoder(), language="es")
    assert kept.find("¿tienen estacionamiento?") == index().find("¿tienen estacionamiento?")


def test_the_key_of_an_index_changes_with_what_is_written() -> None:
    changed = (replace(pages()[0], text="Otra cosa."), *pages()[1:])
    assert index_digest(pages(), "e", "es") != index_digest(changed, "e", "es")
    assert index_digest(pages(), "e", "es") != index_digest(pages(), "", "es")


def test_a_rare_word_says_more_than_a_common_one() -> None:
    said = rarity_for("es", ()).saying("¿tienen cochera?")
    weights = dict(zip(said.words, said.weights, strict=True))
    assert weights["cochera"] > weights.get("tienen", 0.0)
    assert stems_of("Facturas y facturación") == ["factu", "y"]


def test_a_thousand_sections_are_searched_in_a_moment() -> None:
    many = [replace(each, page=f"{each.page} {number}") for number in range(40) for each in pages()][:1000]
    made = make_index(many, encoder=None, language="es")
    started = time.process_time()
    made.find("¿tienen estacionamiento para dejar el auto?")
    assert time.process_time() - started < 0.5


# --- in a message -----------------------------------------------------------------------------------------


@lru_cache
def turn() -> Turn:
    agent = parse(AGENT, toolbox={"add": add.spec})
    intents = train(intent_examples(agent), encoder=load_encoder())
    return Turn(replace(agent, documents=pages()), intents=intents, tools={"add": add}, knowledge=index())


async def read(text: str, session: Session | None = None) -> tuple[tuple[Command, ...], tuple[Lookup, ...]]:
    begun = session or opened(turn().agent, session_id="s", at=NOW)
    state, record = await turn().understand(begun, MessageReceived(NOW, text))
    return state.get("commands", ()), record.lookups


def asking(slot: str) -> Session:
    session = opened(turn().agent, session_id="s", at=NOW)
    step = turn().agent.compiled["turno"].steps[0].name
    return replace(session, pending=AskedSlot(slot), stack=(Frame("turno", step),))


def headings(commands: tuple[Command, ...]) -> list[str]:
    return [each.source.rpartition(" › ")[2] for each in commands if isinstance(each, Quote)]


async def test_a_question_is_quoted_and_the_lookup_says_how_sure_it_is() -> None:
    commands, lookups = await read("¿tienen estacionamiento?")
    assert headings(commands) == ["Estacionamiento"]
    assert Digress("off_topic") not in commands
    assert [(each.source, each.quoted) for each in lookups] == [("Cómo llegar › Estacionamiento", True)]
    assert "Cómo llegar › Estacionamiento" in str(lookups[0])


async def test_what_may_answer_is_offered_and_a_heading_alone_is_quoted() -> None:
    commands, lookups = await read("¿cómo hago para que la prepaga me devuelva la plata?")
    assert [each.unsure for each in lookups] == [True]
    [offer] = commands
    assert isinstance(offer, OfferSections)
    assert "Precios y pagos › Obras sociales y reintegros" in offer.sources
    assert headings((await read("Acompañantes"))[0]) == ["Acompañantes"]
    assert headings((await read("¡acompañantes!", asking("dia")))[0]) == ["Acompañantes"]


async def test_nothing_is_offered_where_any_words_may_be_the_answer() -> None:
    commands, _lookups = await read("¿puede entrar mi marido conmigo?", asking("motivo"))
    assert not any(isinstance(each, OfferSections) for each in commands)


@pytest.mark.parametrize(
    "text",
    [
        "sí",
        "no, gracias",
        "hola",
        "gracias por lo del estacionamiento",
        "agregá 2 estacionamientos",
        "quiero hablar con una persona",
        "¿sos un robot?",
        "¿qué podés hacer?",
    ],
)
async def test_what_is_no_question_is_not_looked_up(text: str) -> None:
    commands, lookups = await read(text)
    assert headings(commands) == []
    assert not any(each.quoted for each in lookups)


async def test_what_nothing_else_is_heard_in_is_looked_up() -> None:
    commands, _ = await read("voy en auto, sin estacionamiento no puedo")
    assert headings(commands) == ["Estacionamiento"]


async def test_an_order_that_sounds_like_a_question_stays_an_order() -> None:
    commands, _ = await read("¿me agregás 2 facturas?")
    assert headings(commands) == []
    assert any(isinstance(each, CallTool) for each in commands)


async def test_the_value_that_was_asked_for_is_no_question() -> None:
    commands, lookups = await read("¿el 20 de marzo puede ser?", asking("dia"))
    assert any(isinstance(each, SetSlot) and each.slot == "dia" for each in commands)
    assert (headings(commands), lookups) == ([], ())


async def test_a_question_beside_the_value_that_was_asked_for_is_answered_too() -> None:
    commands, _ = await read("el 20 de marzo. ¿Tienen estacionamiento?", asking("dia"))
    assert headings(commands) == ["Estacionamiento"]
    assert any(isinstance(each, SetSlot) and each.slot == "dia" for each in commands)


async def test_where_any_words_may_be_the_answer_only_a_sure_section_is_quoted() -> None:
    assert headings((await read("¿tienen estacionamiento?", asking("motivo")))[0]) == ["Estacionamiento"]
    commands, _ = await read("me duele la muela cuando tomo agua fría", asking("motivo"))
    assert headings(commands) == []


async def test_a_yes_beside_a_question_is_taken() -> None:
    session = replace(asking("dia"), pending=AskedYes("d", ("dia",)))
    commands, _ = await read("sí, ¿tienen estacionamiento?", session)
    assert Affirm() in commands
    assert headings(commands) == ["Estacionamiento"]


async def test_a_wish_and_a_question_are_both_heard() -> None:
    commands, _ = await read("quiero un turno, ¿tienen estacionamiento?")
    assert StartFlow("turno") in commands
    assert headings(commands) == ["Estacionamiento"]


async def test_each_of_three_questions_gets_its_answer() -> None:
    text = "¿tienen estacionamiento? ¿hay rampa para silla de ruedas? ¿puedo entrar con mi perro? "
    assert headings((await read(text))[0]) == ["Estacionamiento", "Silla de ruedas", "Mascotas"]
