"""From which modes a tool of a flow can be called, followed step by step."""

import pytest

from hilo.agent.parse import parse
from hilo.agent.reach import reachable
from hilo.agent.toolbox import ToolSpec

TOOLS = {
    "look": ToolSpec("look", {"word": False}),
    "move": ToolSpec("move"),
    "buy": ToolSpec("buy", {"word": False}, writes=True, needs_yes=True),
}

# Each of A, B and C allows everything; A and B lead to one another, and C is where it ends.
AGENT = """
agent: reach
model: "off"
slots: {{word: {{type: text, ask: "¿Qué?"}}}}
modes:
  A: {{tools: [look, move, buy], to: [B, C]{a}}}
  B: {{tools: [look, move, buy], to: [A, C]{b}}}
  C: {{tools: [look, move, buy]{c}}}
  PERSON: {{operator: true, tools: [look]}}
flows:
  open: {{starts: [abre], steps: [{{say: "Hola.", mode: A}}]}}
  shut: {{starts: [cierra], steps: [{{say: "Adiós.", mode: C}}]}}
{flows}
"""


def modes_of(tool: str, flows: str, **modes: str) -> str:
    """The modes in which the flow `f` calls the tool."""
    found = reachable(parse(AGENT.format(**{"a": "", "b": "", "c": "", **modes}, flows=flows), toolbox=TOOLS))
    return "".join(sorted(mode for mode, by in found.get(tool, ()) if by == "the flow f"))


CASES = {
    "what contacts may ask for anywhere is called anywhere": (
        "ABC",
        {"flows": "  f: {starts: [mira], steps: [{do: look}]}"},
    ),
    "what is like a standard intent may be asked for anywhere, too": (
        "ABC",
        {"flows": "  f: {like: order_status, steps: [{do: look}]}"},
    ),
    "what begins with a mode is called in that mode": (
        "B",
        {"b": ", enter: {start: f}", "flows": "  f: {steps: [{do: look}]}"},
    ),
    "what a mode's timer starts is called in that mode": (
        "C",
        {"c": ", timers: {t: {after: 5m, start: f}}", "flows": "  f: {steps: [{do: look}]}"},
    ),
    "what only another flow calls is called where that one is": (
        "C",
        {"flows": "  g: {starts: [ve], steps: [{say: Voy., mode: C}, {call: f}]}\n  f: {steps: [{do: look}]}"},
    ),
    "what another flow leads to is called where that one was": (
        "C",
        {
            "flows": "  g: {starts: [ve], steps: [{say: Voy., mode: C}, {branch: {word is empty: f}}]}\n"
            "  f: {steps: [{do: look}]}"
        },
    ),
    "a step with a mode leads there": (
        "B",
        {"flows": "  f: {starts: [mira], steps: [{say: Voy., mode: B}, {do: look}]}"},
    ),
    "one that may be left out does not": (
        "ABC",
        {"flows": "  f: {starts: [mira], steps: [{say: Voy., mode: B, when: word is empty}, {do: look}]}"},
    ),
    "while a flow waits, the session may go on to other modes": (
        "ABC",
        {"b": ", enter: {start: f}", "flows": "  f: {steps: [{collect: word}, {do: look}]}"},
    ),
    "but not back from where nothing leads": (
        "C",
        {"c": ", enter: {start: f}", "flows": "  f: {steps: [{collect: word}, {do: look}]}"},
    ),
    "what was looked up is looked up again after a correction": (
        "ABC",
        {"b": ", enter: {start: f}", "flows": "  f: {steps: [{do: look}, {collect: word}]}"},
    ),
    "a tool may lead to another mode, or find that it lacks something": (
        "BC",
        {"b": ", enter: {start: f}, after: {move: C}", "flows": "  f: {steps: [{do: move}, {do: look}]}"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_flow_is_followed_from_where_it_may_begin(case: str) -> None:
    expected, written = CASES[case]
    assert modes_of("look", **written) == expected


def test_what_a_yes_was_given_for_is_done_in_the_mode_of_the_question() -> None:
    flows = "  f: {starts: [compra], steps: [{collect: word}, {confirm: '¿{word}?', mode: B}, {do: buy}]}"
    assert modes_of("buy", flows) == "B"


def test_while_a_yes_is_waited_for_the_session_may_go_on_to_other_modes() -> None:
    steps = "[{collect: word}, {say: Bien., mode: B}, {confirm: '¿{word}?'}, {do: buy}]"
    assert modes_of("buy", f"  f: {{starts: [compra], steps: {steps}}}") == "ABC"


def test_a_call_that_is_not_for_a_mode_is_made_in_the_one_that_it_leads_to() -> None:
    text = AGENT.format(a=", enter: {start: f}", b="", c="", flows="  f: {steps: [{do: look}]}")
    text = text.replace("A: {tools: [look, move, buy], to: [B, C]", "A: {tools: [move], to: [B, C], before: {look: B}")
    assert reachable(parse(text, toolbox=TOOLS))["look"] == {("B", "the flow f")}


def test_without_modes_a_flow_is_reached_as_a_whole() -> None:
    agent = parse("agent: plain\nflows: {f: {starts: always, steps: [{do: look}]}}", toolbox=TOOLS)
    assert reachable(agent) == {"look": {("", "the flow f")}}
