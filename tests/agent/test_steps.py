"""Kinds of steps: what they are compiled into, and that nobody else knows them."""

import re
from pathlib import Path

import pytest

import hilo
from hilo.agent.flow import CompiledStep
from hilo.agent.parse import json_schema, parse
from hilo.agent.steps import KINDS
from hilo.agent.toolbox import ToolSpec

AGENT = """
agent: steps
slots:
  name: {{ask: "¿Nombre?"}}
  more: {{type: boolean, ask: "¿Más?"}}
modes: {{SHOP: {{tools: [look]}}}}
flows:
  main:
    starts: [quiero algo]
    steps:
{steps}
      - {{name: out, collect: [name, more]}}
  other: {{starts: [otra cosa], steps: [{{say: Hola a todos}}]}}
"""
TOOLBOX = {"look": ToolSpec("look")}


def compiled(*steps: str) -> tuple[CompiledStep, ...]:
    lines = "\n".join(f"      - {{{step}}}" for step in steps)
    return parse(AGENT.format(steps=lines), toolbox=TOOLBOX).compiled["main"].steps


def ways(step: CompiledStep) -> list[tuple[str, str, str]]:
    return [(edge.on, edge.leads, edge.to) for edge in step.edges]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("collect: name", [("done", "step", "out")]),
        ("confirm: ¿Va todo bien?", [("yes", "step", "out"), ("no", "change", "change")]),
        ("confirm: ¿Va todo bien?, no: SHOP", [("yes", "step", "out"), ("no", "mode", "SHOP")]),
        ("do: look", [("done", "step", "out")]),
        (
            "do: look, fails: handoff, told: other",
            [("done", "step", "out"), ("fails", "handoff", "handoff"), ("told", "flow", "other")],
        ),
        (
            "branch: {more: end, name == 'a': out, else: other}",
            [("done", "end", "end"), ("done", "step", "out"), ("done", "flow", "other")],
        ),
        ("say: Hola a todos, when: more", [("done", "step", "out"), ("skipped", "step", "out")]),
        ("wait: 2m", [("done", "step", "out")]),
        ("call: other", [("done", "step", "out")]),
    ],
)
def test_a_step_leads_where_its_names_say(step: str, expected: list[tuple[str, str, str]]) -> None:
    assert ways(compiled(step)[0]) == expected


def test_behind_the_last_step_is_the_end() -> None:
    assert ways(compiled("say: Hola a todos")[-1]) == [("done", "end", "")]


def test_a_step_may_be_called_like_a_place_and_hides_it() -> None:
    first, end, _ = compiled("branch: {more: end, name == 'a': out}", "name: end, end: x")
    assert ways(first)[0] == ("done", "step", "end")
    assert ways(end) == [("done", "end", "end")]


def test_a_guard_is_known_not_to_hold_on_the_edges_after_it() -> None:
    first, *_ = compiled("branch: {name == 'a': out, more: end}, when: name is not empty")
    assert [edge.facts for edge in first.edges] == [
        (("name is not empty", True), ("name == 'a'", True)),
        (("name is not empty", True), ("name == 'a'", False), ("more", True)),
        (("name is not empty", True), ("name == 'a'", False), ("more", False)),
        (("name is not empty", False),),
    ]


def test_another_round_empties_what_it_asks_for() -> None:
    asked, inner, outer, _ = compiled("repeat: [{repeat: [{collect: [name, more]}], until: more}], at_most: 2")
    assert [step.name for step in (asked, inner, outer)] == ["collect_1", "repeat_2", "repeat_3"]
    assert (inner.edges[1].to, outer.edges[1].to) == ("collect_1", "collect_1")
    assert outer.edges[1].empties == {"name", "more"}
    assert inner.edges[0].empties == frozenset()


def test_every_kind_is_in_the_schema() -> None:
    shapes = json_schema()["$defs"]
    for shape in KINDS.values():
        assert shapes[shape.__name__]["description"]


def test_no_other_module_knows_a_kind_of_step() -> None:
    package = Path(hilo.__file__).parent
    known = re.compile("|".join(rf"\b{shape.__name__}\b" for shape in KINDS.values()))
    for module in package.rglob("*.py"):
        if module.parent.name != "steps":
            assert not known.search(module.read_text(encoding="utf-8")), module
