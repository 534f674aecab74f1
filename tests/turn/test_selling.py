"""What a sale by chat needs: a release skips nothing, what is left stays left, a wish said twice is a yes."""

from pathlib import Path

import pytest

from hilo.app import load_agent
from hilo.testing import Conversation
from hilo.testing.conversation import Stub

SHOP = """\
agent: tienda
language: es-CO
country: CO
repeats: never
tones: {molesto: {below: -0.2}}
slots:
  nombre: {type: person_name, keep: true, ask: ["¿Su nombre?", "¿Nombre?", "¿A nombre de quién?"]}
  ciudad: {type: city, keep: true, ask: ["¿Su ciudad?", "¿Ciudad?", "¿En qué ciudad?"]}
  pack: {type: choice, label: pack de Bruma, choices: [1x, 2x], ask: ["¿Cuál?", "¿Cuál prefiere?", "¿1x o 2x?"]}
  pedido: {type: text, found: true}
modes:
  charla: {to: [datos], tools: [anular]}
  datos: {to: [oferta, charla]}
  oferta:
    to: [resumen, datos, charla]
    requires: [nombre, ciudad]
    enter: {say: oferta, start: elegir}
    timers: {olvido: {after: 10m of silence, say: "¿Sigue ahí?"}}
  resumen: {to: [charla, datos, oferta], tools: [crear, anular], requires: [oferta, pack]}
  persona: {operator: true}
flows:
  comprar:
    description: comprar la Bruma
    starts: [quiero comprar, "vivo en {ciudad}", me interesa, "{nombre}, {ciudad}"]
    steps: [{collect: [nombre, ciudad], mode: datos}, {go: oferta, mode: datos}]
  elegir:
    steps:
      - collect: [nombre, ciudad, pack]
      - {confirm: resumen, mode: resumen}
      - {do: crear, into: {pedido: pedido}}
      - say: hecho
  anular:
    starts: [quiero cancelar el pedido, anule mi pedido]
    steps:
      - {confirm: "¿Lo cancelo?", no: queda}
      - do: anular
      - say: "Cancelado."
      - end: cancelado
      - {name: queda, say: "Queda."}
templates:
  oferta: {text: "Hay 1x y 2x.", again: ["Siguen 1x y 2x.", "1x o 2x."], fallback: handoff}
  resumen: {text: "{pack} para {nombre} en {ciudad}. ¿Va?", again: ["{pack} a {ciudad}. ¿Sí?"], fallback: handoff}
  hecho: {text: "Pedido {pedido} para {ciudad}.", fallback: handoff}
  handoff: {text: "Le paso con alguien.", tones: {molesto: "Lo siento mucho."}}
  released: {text: "De vuelta.", fallback: handoff}
confidence: {proceed: 85, reanalyse: 60, clarify: 40}
escalation:
  - sentiment: {below: -0.6}
"""
TOOLS = """\
from hilo.tools.tool import tool


@tool(writes=True)
def crear(nombre: str, ciudad: str, pack: str) -> dict[str, str]:
    return {"pedido": "P-1"}


@tool(writes=True)
def anular() -> bool:
    return True
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Conversation:
    monkeypatch.setenv("HILO_CACHE", str(tmp_path / "cache"))
    (tmp_path / "agent.yaml").write_text(SHOP, encoding="utf-8")
    (tmp_path / "tools.py").write_text(TOOLS, encoding="utf-8")
    return Conversation(load_agent(tmp_path))


async def said(shop: Conversation, *texts: str) -> str:
    """The answer to the last of these messages."""
    result = [await shop.say(text) for text in texts][-1]
    return "\n".join(reply.text for reply in result.replies)


async def test_nobody_gives_a_session_back_in_a_mode_that_lacks_something(shop: Conversation) -> None:
    await said(shop, "quiero comprar", "Ana Ruiz")
    await shop.operator_takes_over()
    result = await shop.release(mode="oferta")
    assert (shop.session.mode, result.trace.errors) == ("charla", ("release: oferta needs ciudad",))


async def test_a_session_given_back_in_a_mode_begins_as_the_mode_does(shop: Conversation) -> None:
    await said(shop, "quiero comprar", "Ana Ruiz, Cali")
    await shop.operator_takes_over()
    result = await shop.release(mode="oferta")
    assert result.replies[0].text == "De vuelta. Siguen 1x y 2x.\n\n¿Cuál prefiere?"
    assert shop.session.mode == "oferta"


@pytest.mark.parametrize("chosen", [(), ("2x",)])
async def test_what_a_mode_begins_with_stays_left_when_it_is_left(shop: Conversation, chosen: tuple[str, ...]) -> None:
    answer = await said(shop, "quiero comprar", "Ana Ruiz, Cali", *chosen, "olvídelo")
    assert "x" not in answer
    assert (shop.session.mode, shop.session.stack, dict(shop.session.timers)) == ("charla", (), {})


async def test_a_value_of_the_flow_under_way_is_no_wish_for_another(shop: Conversation) -> None:
    answer = await said(shop, "quiero comprar", "Ana Ruiz, Cali", "2x", "vivo en Medellín")
    assert answer.endswith("2x para Ana Ruiz en Medellín. ¿Va?")
    assert shop.session.mode == "resumen"


async def test_what_was_done_with_may_change_for_something_new(shop: Conversation) -> None:
    bought = await said(shop, "quiero comprar", "Ana Ruiz, Cali", "2x", "sí")
    assert "P-1 para Cali" in bought
    await said(shop, "la ciudad es Pasto")
    assert shop.session.slots["ciudad"] == "Cali"  # that order is made
    await said(shop, "quiero comprar", "la ciudad es Pasto")
    assert shop.session.slots["ciudad"] == "Pasto"


@pytest.mark.parametrize("text", ["sí, cancélelo", "cancélelo", "sí, cancele el pedido"])
async def test_a_wish_said_again_is_a_yes_to_it(shop: Conversation, text: str) -> None:
    assert await said(shop, "quiero cancelar el pedido", text) == "Cancelado."


@pytest.mark.parametrize("text", ["no lo cancele", "olvídelo", "ya no, déjelo así", "no"])
async def test_whatever_denies_a_wish_is_no_yes(shop: Conversation, text: str) -> None:
    assert "Cancelado" not in await said(shop, "quiero cancelar el pedido", text)


async def test_an_upset_contact_is_handed_off_in_words_for_it(shop: Conversation) -> None:
    assert await said(shop, "esto es una porquería, son unos ladrones") == "Lo siento mucho."


async def test_nothing_is_asked_of_a_contact_who_is_handed_off_for_want_of_words(shop: Conversation) -> None:
    await said(shop, "quiero comprar", "Ana Ruiz, Cali")
    for _ in range(3):
        await shop.operator_takes_over()
        result = await shop.release(mode="oferta", text="Ya.")
    assert [reply.text for reply in result.replies] == ["Ya.\n\nLe paso con alguien."]
    assert shop.session.holder == "operator"


async def test_names_in_labels_keep_their_capitals(shop: Conversation) -> None:
    await said(shop, "quiero comprar", "Ana Ruiz, Cali", "2x")
    result = await shop.say("no")
    assert "Pack de Bruma" in [button.title for button in result.replies[0].buttons]


async def test_a_tool_may_be_made_to_give_something_else(shop: Conversation) -> None:
    await said(shop, "quiero comprar", "Ana Ruiz, Cali", "2x")
    shop.stubs = {"crear": Stub(gives={"pedido": "P-77"})}
    assert "P-77" in await said(shop, "sí")


@pytest.mark.parametrize(
    "text", ["Ana Ruiz, Cali", "de Cali, Ana Ruiz", "buenas, soy Ana Ruiz, Cali", "ciudad: Cali, nombre: Ana Ruiz"]
)
async def test_the_values_that_an_example_names_start_its_flow(shop: Conversation, text: str) -> None:
    assert (await said(shop, text)).endswith("Hay 1x y 2x.\n\n¿Cuál?")
    assert shop.session.mode == "oferta"


@pytest.mark.parametrize("text", ["Medellín", "Cali", "quiero cancelar el pedido, soy Ana Ruiz de Cali"])
async def test_some_of_the_values_or_another_wish_do_not_start_it(shop: Conversation, text: str) -> None:
    await said(shop, text)
    assert shop.session.mode == "charla"


async def test_values_start_nothing_while_something_is_asked(shop: Conversation) -> None:
    assert await said(shop, "quiero cancelar el pedido", "Ana Ruiz, Cali") != "Hay 1x y 2x."
    assert [frame.flow for frame in shop.session.stack] == ["anular"]


AMENDING = SHOP.replace("repeats: never\n", "repeats: never\namends: cambiar\n").replace(
    "  anular:\n    starts",
    """  cambiar:
    starts: [quiero cambiar mi pedido]
    steps: [{collect: [nombre, ciudad, pack]}, {confirm: "¿Cambio a {pack} en {ciudad}?"}, {say: "Cambiado."}]
  anular:
    starts""",
)


@pytest.fixture
def amending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Conversation:
    monkeypatch.setenv("HILO_CACHE", str(tmp_path / "cache"))
    (tmp_path / "agent.yaml").write_text(AMENDING, encoding="utf-8")
    (tmp_path / "tools.py").write_text(TOOLS, encoding="utf-8")
    return Conversation(load_agent(tmp_path))


BOUGHT = ("quiero comprar", "Ana Ruiz, Cali", "2x", "sí")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("la ciudad es Pasto", "¿Cambio a 2x en Pasto?"),
        ("mejor la 1x", "¿Cambio a 1x en Cali?"),
        ("quiero cambiar mi pedido, la ciudad es Pasto", "¿Cambio a 2x en Pasto?"),
        ("quiero cambiar la ciudad", "dígame cuál es su ciudad."),
    ],
)
async def test_a_correction_of_what_was_done_starts_the_flow_that_changes_it(
    amending: Conversation, text: str, asked: str
) -> None:
    assert (await said(amending, *BOUGHT, text)).endswith(asked)
    assert [frame.flow for frame in amending.session.stack] == ["cambiar"]


async def test_who_cancels_while_changing_what_was_done_means_that(amending: Conversation) -> None:
    assert (await said(amending, *BOUGHT, "mejor la 1x", "anule mi pedido")).endswith("¿Lo cancelo?")


async def test_another_matter_forgets_what_the_last_one_was_done_with(amending: Conversation) -> None:
    assert (await said(amending, *BOUGHT, "quiero comprar")).endswith("¿Cuál prefiere?")
    assert "pedido" not in amending.session.slots
    assert (await said(amending, "1x")).endswith("1x para Ana Ruiz en Cali. ¿Va?")


NEXT = SHOP.replace("  charla: {to: [datos]", "  charla: {next: {yes: comprar, no: anular}, to: [datos]")


@pytest.mark.parametrize(
    ("last", "text", "flows"),
    [
        ("Es una bruma.", "ok gracias", []),
        ("Es una bruma.", "ok", []),
        ("Es una bruma.", "sí", ["comprar"]),
        ("Es una bruma. ¿La quiere?", "ok", ["comprar"]),
        ("Es una bruma. ¿La quiere?", "ok gracias", []),
        ("Es una bruma. ¿La quiere?", "no gracias", ["anular"]),
    ],
)
async def test_a_courtesy_is_no_wish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str, text: str, flows: list[str]
) -> None:
    monkeypatch.setenv("HILO_CACHE", str(tmp_path / "cache"))
    asks = f'intents: {{que_es: {{examples: [qué es eso, qué venden], answer: "{last}"}}}}\n'
    (tmp_path / "agent.yaml").write_text(NEXT + asks, encoding="utf-8")
    (tmp_path / "tools.py").write_text(TOOLS, encoding="utf-8")
    talk = Conversation(load_agent(tmp_path))
    await said(talk, "qué venden", text)
    assert [frame.flow for frame in talk.session.stack] == flows
