import re

import pytest

from hilo.drawing import first_words, node_id
from hilo.turn.graph import END, START, Route, draw_turn
from hilo.turn.run import TURN
from hilo.turn.state import TurnContext, TurnState

BOX = re.compile(r'^    (\w+)[\[({]+"(.*?)"[\])}]+$', re.MULTILINE)
ARROW = re.compile(r'^    (\w+) -->(?:\|"(.*?)"\|)? (\w+)$', re.MULTILINE)


async def _node(_state: TurnState, _context: TurnContext) -> TurnState:
    return {}


def _edges() -> list[tuple[str, str]]:
    inside = [(name, target) for name in TURN.nodes for target in TURN.targets(name)]
    return sorted([(START, TURN.entry), *inside])


def test_each_node_appears_exactly_once() -> None:
    ids = [box_id for box_id, _ in BOX.findall(draw_turn(TURN))]
    assert sorted(ids) == sorted([START, END, *TURN.nodes])


def test_each_edge_appears_exactly_once() -> None:
    arrows = [(source, target) for source, _, target in ARROW.findall(draw_turn(TURN))]
    assert sorted(arrows) == _edges()


def test_every_choice_of_the_turn_says_when_it_is_taken() -> None:
    routes = {name: edge for name, edge in TURN.edges.items() if isinstance(edge, Route)}
    assert {(name, way) for name, route in routes.items() for way, words in route.ways.items() if not words} == set()
    labels = {(source, target): words for source, words, target in ARROW.findall(draw_turn(TURN))}
    for name, route in routes.items():
        assert {way: labels[name, way] for way in route.ways} == dict(route.ways)


def test_a_node_of_the_agent_stands_in_its_place_in_another_colour() -> None:
    text = draw_turn(TURN.insert("score", _node, after="understand"), own=["score"])
    arrows = ARROW.findall(text)
    assert ("understand", "", "score") in arrows
    assert ("score", "a pressed button", "validate") in arrows
    assert "class score own_box" in text
    assert "classDef own_box" in text


@pytest.mark.parametrize("name", ["end", "class", "graph", "style", "click", "_x", "Café", "two words", 'a"]'])
def test_a_name_that_mermaid_does_not_take_is_only_a_label(name: str) -> None:
    assert node_id(name, 7) == "N7"


@pytest.mark.parametrize("name", ["end_1", "endpoint", "understand", "x"])
def test_other_names_are_ids(name: str) -> None:
    assert node_id(name, 7) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hola", "hola"),
        ("uno dos tres cuatro cinco", "uno dos …"),
        ("a\nb", "a b"),
        ("x" * 30, "x" * 11 + "…"),
        ("", ""),
    ],
)
def test_a_long_text_is_cut_between_words(text: str, expected: str) -> None:
    assert first_words(text, width=12) == expected
