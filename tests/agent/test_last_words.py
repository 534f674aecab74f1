"""What `hilo check` warns of: ends without a word, tools that are called again with what they would not take."""

from pathlib import Path

import pytest

from hilo import errors
from hilo.agent.parse import warnings_of
from hilo.agent.toolbox import ToolSpec
from hilo.app import load_agent

AGENT = """
agent: turnos
slots:
  hora: {type: time, ask: "¿A qué hora?"}
  nombre: {type: person_name, ask: "¿Tu nombre?"}
flows:
  turno:
    starts: [quiero un turno, me das un turno]
    steps:
      - collect: nombre
      - {name: pedir, collect: hora}
      - {name: probar, do: book, told: WHERE}
      - LAST
"""
TOOLBOX = {"book": ToolSpec("book", parameters={"hora": True}, writes=True, needs_yes=False)}


def warned(where: str, last: str) -> list[str]:
    source = AGENT.replace("WHERE", where).replace("LAST", last)
    return [problem.message for problem in warnings_of(source, file="a.yaml", toolbox=TOOLBOX)]


def test_a_flow_that_ends_after_doing_something_should_say_so() -> None:
    assert warned("end", "say: Listo.") == []
    assert warned("end", "end: booked") == ["the flow `turno` can end here without a word of its own"]


def test_what_a_tool_tells_must_not_lead_back_to_the_same_call() -> None:
    circle = "what `book` tells leads back to it with the same values"
    assert warned("pedir", "say: Listo.") == []  # it asks anew for the hour
    assert warned("probar", "say: Listo.") == [circle]
    assert warned("otra", "{name: otra, forget: hora}\n      - go: pedir") == []
    assert circle in warned("otra", "{name: otra, say: Hmm.}\n      - go: pedir")


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        ("def score(state, tools): return ()", "is not async"),
        ("async def score(): return ()", "takes the turn's state"),
        ("async def score(state, tools, more): return ()", "takes the turn's state"),
        ("async def score(state, *more): return ()", "takes the turn's state"),
    ],
)
def test_a_node_of_the_wrong_shape_is_refused(tmp_path: Path, node: str, problem: str) -> None:
    source = AGENT.replace("- {name: probar, do: book, told: WHERE}", "- say: Bien.").replace("LAST", "say: Listo.")
    (tmp_path / "agent.yaml").write_text(source + 'nodes: [{node: "nodes.py:score", after: validate}]\n')
    (tmp_path / "nodes.py").write_text(node)
    with pytest.raises(errors.HiloError, match=problem):
        load_agent(tmp_path)
