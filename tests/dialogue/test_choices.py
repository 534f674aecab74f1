"""Slots whose choices a tool knows: offered as buttons, checked, and asked for anew when what they hang on changes."""

from pathlib import Path

import pytest

from hilo import Chat, load_agent
from hilo.errors import HiloError

AGENT = """
agent: turnos
language: es-AR
slots:
  color: {type: choice, choices: [rojo, verde, gris], ask: "¿Qué color?"}
  talle: {type: choice, choices: [s, m, l], choices_from: sizes, ask: ["¿Qué talle?", "¿Cuál de estos talles?"]}
flows:
  pedido:
    starts: always
    steps:
      - collect: color
      - collect: talle
      - confirm: "{color} en {talle}. ¿Va?"
      - say: "Listo."
intents:
  envio: {examples: [hacen envíos, mandan a domicilio, tienen delivery], answer: "Hacemos envíos."}
"""
TOOLS = '''
from hilo import AskContact, ToolFailed, tool

CALLS = []
SIZES = {"rojo": ["s", "m"], "verde": ["m", "l"], "gris": []}


@tool
def sizes(color: str) -> list[str]:
    """The sizes of a colour."""
    CALLS.append(color)
    return SIZES[color]
'''


def chat(folder: Path, *, agent: str = AGENT, tools: str = TOOLS) -> Chat:
    (folder / "agent.yaml").write_text(agent)
    (folder / "tools.py").write_text(tools)
    return Chat(str(folder))


def test_what_the_tool_gives_is_offered_as_buttons(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    talk.say("rojo")
    assert talk.buttons == ("s", "m")
    assert talk.press("m") == "rojo en m. ¿Va?"


def test_a_value_that_is_not_offered_is_asked_for_anew(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    talk.say("rojo")
    assert talk.say("l") == "l no está disponible. ¿Cuál de estos talles?"
    assert "talle" not in talk.slots
    assert talk.buttons == ("s", "m")


def test_a_change_of_what_it_hangs_on_keeps_a_value_that_is_still_offered(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    talk.say("rojo")
    talk.say("m")
    assert talk.say("mejor verde").endswith("verde en m. ¿Va?")


def test_a_change_of_what_it_hangs_on_asks_anew_for_one_that_is_not(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    talk.say("rojo")
    talk.say("s")
    assert talk.say("mejor verde").endswith("s no está disponible. ¿Cuál de estos talles?")
    assert talk.buttons == ("m", "l")


def test_a_correction_of_the_value_itself_is_checked_too(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    talk.say("rojo")
    talk.say("s")
    assert "l no está disponible" in talk.say("mejor l")
    assert talk.press("m") == "rojo en m. ¿Va?"


def test_asked_what_to_change_it_offers_the_choices_again(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    talk.say("rojo")
    talk.say("s")
    talk.say("no")
    assert talk.press("Talle") == "¿Cuál de estos talles?"
    assert talk.buttons == ("s", "m")


def test_a_question_in_between_is_answered_and_the_choices_come_again(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    talk.say("rojo")
    assert talk.say("¿hacen envíos?") == "Hacemos envíos.\n\n¿Cuál de estos talles?"
    assert talk.buttons == ("s", "m")


def test_where_nothing_is_offered_what_it_hangs_on_is_asked_for_anew(tmp_path: Path) -> None:
    talk = chat(tmp_path)
    assert talk.say("gris").endswith("Para eso no queda nada disponible. ¿Qué color?")
    assert "color" not in talk.slots
    talk.say("rojo")
    assert talk.buttons == ("s", "m")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('raise ToolFailed("none", tell="De gris no queda.")', "De gris no queda.\n\n¿Qué color?"),
        ('raise AskContact("color", ["rojo", "verde"], "De gris no queda. ¿Cuál?")', "De gris no queda. ¿Cuál?"),
    ],
)
def test_the_tool_may_say_why_or_ask_for_what_it_was_given(tmp_path: Path, body: str, words: str) -> None:
    tools = TOOLS.replace("    return SIZES", f"    if color == 'gris':\n        {body}\n    return SIZES")
    talk = chat(tmp_path, tools=tools)
    assert talk.say("gris").endswith(words)
    talk.say("rojo")
    assert talk.buttons == ("s", "m")


def test_what_the_slot_does_not_take_is_not_offered(tmp_path: Path) -> None:
    talk = chat(tmp_path, tools=TOOLS.replace('["s", "m"]', '["s", "xxl"]'))
    talk.say("rojo")
    assert talk.buttons == ("s",)


def test_a_tool_that_breaks_leaves_the_flow_with_a_word(tmp_path: Path) -> None:
    tools = TOOLS.replace("    return SIZES", "    raise RuntimeError\n    return SIZES")
    talk = chat(tmp_path, tools=tools)
    assert "Algo falló de nuestro lado" in talk.say("rojo")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("choices_from: sizes", "choices_from: size", "tool `size` is not declared"),
        ("color\n      - collect: talle", "[color, talle]", "choices of `talle` come from a tool"),
        ("color: {type: choice,", "colour: {type: choice,", "sizes needs `color`"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, old: str, new: str, problem: str) -> None:
    (tmp_path / "agent.yaml").write_text(AGENT.replace(old, new))
    (tmp_path / "tools.py").write_text(TOOLS)
    with pytest.raises(HiloError) as caught:
        load_agent(tmp_path)
    assert problem in str(caught.value)


def test_a_tool_that_writes_cannot_tell_choices(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(AGENT)
    (tmp_path / "tools.py").write_text(TOOLS.replace("@tool\n", "@tool(writes=True)\n"))
    with pytest.raises(HiloError, match="sizes cannot tell choices"):
        load_agent(tmp_path)
