"""What another version of an agent changes."""

from dataclasses import replace

import pytest

from hilo.agent.declaration import Agent
from hilo.agent.difference import Change, difference
from hilo.agent.folder_texts import FolderTexts, with_folder_texts
from hilo.agent.modes import Entrance
from hilo.agent.parse import parse
from hilo.agent.reach import reachable
from hilo.agent.toolbox import ToolSpec

TOOLS = {
    "search": ToolSpec("search", {"message": True}),
    "buy": ToolSpec("buy", writes=True),
    "wipe": ToolSpec("wipe", operator=True),
}

SHOP = """
agent: tienda
language: es
model: "off"
slots:
  nombre: {type: person_name, ask: ["¿Cómo te llamas?", "¿Tu nombre?"]}
  ciudad: {type: city, ask: "¿En qué ciudad vives?"}
modes:
  CHARLA: {tools: [search], to: [RESUMEN]}
  RESUMEN:
    tools: [search, buy]
    to: [CHARLA]
    requires: [nombre]
    timers:
      silencio: {after: 6m of silence, say: "¿Sigues ahí?"}
intents:
  catalogo: {examples: [qué venden, muéstrame el catálogo], do: search, arguments: {message: message}}
templates:
  gracias: ["Gracias, {nombre}.", "Mil gracias, {nombre}."]
escalation:
  - keyword: [humano]
flows:
  pedido:
    starts: [quiero pedir]
    steps:
      - collect: nombre
      - confirm: "¿Confirmo a nombre de {nombre}?"
        mode: RESUMEN
      - say: "Un momento."
      - say: gracias
"""


def agent(*edits: tuple[str, str], tools: dict[str, ToolSpec] | None = None) -> Agent:
    text = SHOP
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return parse(text, toolbox=tools or TOOLS)


def changes(*edits: tuple[str, str]) -> tuple[Change, ...]:
    """What some edits change; the other way round, all that was added is removed."""
    before, after = agent(), agent(*edits)
    found, back = difference(before, after), difference(after, before)
    other = {"added": "removed", "removed": "added", "changed": "changed"}
    assert sorted((other[each.kind], each.part) for each in found) == sorted((each.kind, each.part) for each in back)
    return found


def test_nothing_changes_between_the_same() -> None:
    assert difference(agent(), agent()) == ()
    assert changes(("agent: tienda", "# a comment\nagent: tienda")) == ()


def test_a_tool_that_comes_within_reach_is_told_with_the_mode_and_the_flow() -> None:
    found = changes(('      - say: "Un momento."\n', '      - say: "Un momento."\n      - {do: buy, mode: RESUMEN}\n'))
    assert Change("tools", "added", "buy", after="newly reachable in RESUMEN by the flow pedido") in found
    assert Change("flows", "added", "pedido, step 4 (do)", after="do buy, mode RESUMEN") in found
    assert len(found) == 2, "the text after it has another name now, and is the same text"


def test_a_tool_may_be_reached_from_more_places_than_before() -> None:
    intent = "precio: {examples: [cuánto cuesta, qué precio tiene], do: search, arguments: {message: message}}"
    found = changes(("  catalogo:", f"  {intent}\n  catalogo:"))
    [tool] = [each for each in found if each.part == "tools"]
    assert tool == Change(
        "tools", "added", "search", after="now also reachable in CHARLA and RESUMEN by the intent precio"
    )


def test_a_model_brings_the_tools_of_the_modes_within_reach() -> None:
    said = {(each.what, each.after) for each in changes(('model: "off"', "model: loop")) if each.part == "tools"}
    assert said == {
        ("search", "now also reachable in CHARLA and RESUMEN by a model"),
        ("buy", "newly reachable in RESUMEN by a model"),
    }


def test_tools_for_operators_are_in_nobodys_reach() -> None:
    assert "wipe" not in reachable(agent(("tools: [search]", "tools: [search, wipe]"), ('"off"', "loop")))


def test_a_tool_that_writes_now_is_told() -> None:
    writing = agent(tools={**TOOLS, "search": replace(TOOLS["search"], writes=True)})
    assert difference(agent(), writing) == (Change("tools", "changed", "search · writes", "false", "true"),)


def test_texts_are_told_with_their_old_and_new_words() -> None:
    found = changes(
        ("¿Tu nombre?", "¿Y tu nombre?"),
        ("Un momento.", "Un momentito."),
        (
            '["Gracias, {nombre}.", "Mil gracias, {nombre}."]',
            '["Gracias, {nombre}.", "Mil gracias, {nombre}.", "¡Va!"]',
        ),
        ("¿Sigues ahí?", "¿Estás ahí?"),
    )
    assert set(found) == {
        Change("texts", "changed", "ask.nombre", "¿Tu nombre?", "¿Y tu nombre?"),
        Change("texts", "changed", "pedido, step 3 (say)", "Un momento.", "Un momentito."),
        Change("texts", "added", "gracias", after="¡Va!"),
        Change("texts", "changed", "timer.RESUMEN.silencio", "¿Sigues ahí?", "¿Estás ahí?"),
    }


def test_what_the_engine_says_in_another_language_is_not_listed() -> None:
    found = changes(("language: es\n", "language: es-CO\n"))
    assert found == (Change("settings", "changed", "language", "es", "es-CO"),)


def test_ways_between_modes_come_and_go() -> None:
    found = changes(("to: [CHARLA]", "to: [FIN]"), ("intents:", "  FIN: {to: [CHARLA]}\nintents:"))
    paths = {(each.kind, each.what) for each in found if each.part == "paths"}
    assert paths == {("removed", "RESUMEN → CHARLA"), ("added", "RESUMEN → FIN"), ("added", "FIN → CHARLA")}


def test_a_mode_moves_after_a_tool() -> None:
    found = changes(("CHARLA: {tools: [search], ", "CHARLA: {tools: [search], after: {search: RESUMEN}, "))
    assert found == (Change("paths", "added", "CHARLA → RESUMEN", after="after search"),)


CASES = {
    "a requirement": (
        ("requires: [nombre]", "requires: [nombre, ciudad]"),
        Change("modes", "added", "RESUMEN · requires", after="ciudad"),
    ),
    "the time of a timer": (
        ("6m of silence", "90m of silence"),
        Change("modes", "changed", "RESUMEN · timers · silencio · after", "6m of silence", "1h 30m of silence"),
    ),
    "a word of an escalation": (
        ("[humano]", "[humano, asesor]"),
        Change("escalation", "added", "keyword · keyword", after="asesor"),
    ),
    "a policy": (
        ("  - keyword", "  - timeout: 30m\n  - keyword"),
        Change("escalation", "added", "timeout", after="timeout 30m"),
    ),
    "confidence": (
        ("intents:", "confidence: {proceed: 90}\nintents:"),
        Change("settings", "added", "confidence", after="proceed 90.0"),
    ),
    "quiet hours": (
        ("intents:", "quiet_hours: 21:00 to 08:00\nintents:"),
        Change("settings", "added", "quiet_hours", after="21:00 to 08:00"),
    ),
    "a slot": (("type: city", "type: text"), Change("slots", "changed", "ciudad · type", "city", "text")),
    "an example of an intent": (
        ("[qué venden,", "[qué tienen,"),
        Change("intents", "added", "catalogo · examples", after="qué tienen"),
    ),
    "how a flow starts": (("[quiero pedir]", "always"), Change("flows", "added", "pedido · starts", after="always")),
    "the mode of a step": (
        ("        mode: RESUMEN\n", ""),
        Change("flows", "removed", "pedido, step 2 (confirm) · mode", "RESUMEN"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_whatever_is_declared_is_told_by_its_own_words(case: str) -> None:
    edit, expected = CASES[case]
    assert expected in changes(edit)


def test_a_new_flow_is_told_by_its_steps() -> None:
    extra = '  queja:\n    starts: [tengo una queja]\n    steps:\n      - collect: ciudad\n      - say: "Lo siento."\n'
    assert set(changes(("flows:\n", f"flows:\n{extra}"))) == {
        Change("flows", "added", "queja", after="starts: tengo una queja; collect ciudad › say"),
        Change("texts", "added", "queja, step 2 (say)", after="Lo siento."),
    }


def test_a_field_that_nobody_thought_of_here_is_told_as_well() -> None:
    before = agent()
    after = replace(before, modes={**before.modes, "CHARLA": replace(before.modes["CHARLA"], enter=Entrance(say="x"))})
    assert difference(before, after) == (Change("modes", "added", "CHARLA · enter", after="say x"),)


PAGES = {"docs/ayuda.md": "# Ayuda\n## Envíos\nLos jueves.\n## Pagos\nEn efectivo.\n"}
GOODS = "product,brand\nAlfajor,Norte\nGalletas,Sur\n"
KIOSK = "agent: kiosko\nlanguage: es\nknowledge: docs/*.md\norders: {catalogue: goods.csv, add: put}\n"


def kiosk(page: str = PAGES["docs/ayuda.md"], goods: str = GOODS) -> Agent:
    texts = FolderTexts({"docs/ayuda.md": page}, goods)
    put = ToolSpec("put", {"product": True, "quantity": True}, writes=True)
    return with_folder_texts(parse(KIOSK, toolbox={"put": put}), texts, folder="kiosko")


def test_pages_and_goods_that_changed_are_told_by_their_names() -> None:
    changed = kiosk(PAGES["docs/ayuda.md"].replace("jueves", "lunes"), GOODS.replace("Alfajor,Norte\n", "Mate,Norte\n"))
    assert difference(kiosk(), changed) == (
        Change("pages", "changed", "Ayuda › Envíos", "Los jueves.", "Los lunes."),
        Change("goods", "removed", "Alfajor", "Norte"),
        Change("goods", "added", "Mate", after="Norte"),
    )


def test_goods_that_only_moved_are_no_change() -> None:
    assert difference(kiosk(), kiosk(goods="product,brand\nGalletas,Sur\nAlfajor,Norte\n")) == ()
