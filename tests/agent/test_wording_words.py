"""What an agent file may say about its words: tones, facts, and what comes when wordings run out."""

import pytest

from hilo.agent.parse import parse, warnings_of
from hilo.agent.toolbox import ToolSpec
from hilo.errors import FileProblems

AGENT = """\
agent: shop
repeats: never
facts:
  currency: COP
  packs: {1x: 89900, 2x: 149900}
tones:
  upset: {below: -0.2}
  glad: {above: 0.4}
slots:
  city: {type: city, ask: ["¿Ciudad?", "¿De qué ciudad?"]}
intents:
  price: {examples: [cuánto cuesta], answer: price}
  thanks: {examples: [mil gracias], answer: welcome}
templates:
  price:
    text: "Cuesta {packs.1x} {currency}."
    again: ["Son {packs.1x}."]
    tones: {upset: "Disculpa. Son {packs.1x}."}
    fallback: price_short
  price_short: {text: "Ya te dije el precio.", fallback: handoff}
  welcome: "De nada."
flows:
  buy: {starts: [quiero comprar], steps: [{collect: city}]}
"""
TOOLS = {"order": ToolSpec("order", {"city": True, "consent": True}, writes=True, needs_yes=True)}


def problems(text: str) -> list[str]:
    with pytest.raises(FileProblems) as caught:
        parse(text, file="a.yaml", toolbox=TOOLS)
    return [str(problem) for problem in caught.value.problems]


def warned(text: str) -> list[str]:
    parse(text, file="a.yaml", toolbox=TOOLS)
    return [str(each) for each in warnings_of(text, file="a.yaml", toolbox=TOOLS)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("below: -0.2", "below: 0.2", "a.yaml:7:10: a tone is `below` some number"),
        ("{below: -0.2}", "{}", "a tone needs a limit"),
        ("tones: {upset:", "tones: {upst:", "did you mean `upset`?"),
        ("fallback: price_short", "fallback: price_shrt", "did you mean `price_short`?"),
        ("fallback: handoff", "fallback: price", "`price` falls back on itself"),
        ("{packs.1x} {currency}", "{packs.9x} {currency}", "slot `packs.9x` is not declared"),
        ("currency: COP", "city: COP", "`city` is a slot already"),
        ("currency: COP", "summary: COP", "`summary` is a word of the language already"),
        ("repeats: never", "repeats: allowed", "wordings are used again, so nothing falls back"),
        ("repeats: never", "repeats: nevr", "`never`"),
        ("currency: COP", "currency: [COP]", "must be a text, a number, true or false"),
        ("slots:", "slots:\n  consent: {ask: x}", "`consent` is a word of the language"),
    ],
)
def test_a_mistake_about_words_is_named_with_its_place_and_a_hint(old: str, new: str, expected: str) -> None:
    assert old in AGENT
    found = problems(AGENT.replace(old, new, 1))
    assert any(expected in line for line in found), found


def test_where_words_can_run_out_is_a_warning() -> None:
    found = warned(AGENT)
    assert any(line.startswith("a.yaml:21:12: `welcome` can be said once") for line in found), found
    assert any("this question can be said 2 times" in line for line in found), found
    assert any("the engine has one wording of" in line and "handoff" in line for line in found), found
    assert not any("`price` can" in line or "price_short" in line for line in found)


def test_a_text_inside_a_step_runs_out_after_once() -> None:
    found = warned(AGENT.replace("steps: [{collect: city}]", "steps: [{collect: city}, {say: Hecho.}]"))
    assert any("this text can be said once" in line for line in found), found


def test_a_question_that_a_policy_ends_does_not_run_out() -> None:
    policy = "escalation: [{completion: {invalid_attempts: 2}}]\n"
    assert any("this question" in line for line in warned(AGENT))
    assert not any("this question" in line for line in warned(AGENT + policy))


def test_an_agent_that_may_repeat_itself_runs_out_of_nothing() -> None:
    plain = AGENT.replace("repeats: never", "repeats: allowed")
    plain = plain.replace("steps: [{collect: city}]", "steps: [{collect: city}, {say: Hecho.}]")
    plain = plain.replace("    fallback: price_short\n", "").replace(", fallback: handoff", "")
    assert warned(plain) == []


TIMED = """\
agent: shop
slots:
  city: {type: city, ask: "¿Ciudad?"}
timers:
  late: {after: 10m of silence, start: keep, consent: silence}
flows:
  buy: {starts: [quiero comprar], steps: [{collect: city}, {confirm: "¿Va a {city}?"}, {do: order}, {say: Va.}]}
  keep: {steps: [{do: order}]}
"""


def test_silence_taken_for_a_yes_is_reported_and_allowed() -> None:
    (line,) = warned(TIMED)
    assert "silence is taken for a yes to `keep`" in line
    assert line.startswith("a.yaml:5:55: ")


def test_without_it_the_order_needs_a_yes() -> None:
    found = problems(TIMED.replace(", consent: silence", ""))
    assert any("order needs a yes, and can be reached without one" in line for line in found), found


def test_a_flow_that_words_start_too_needs_a_yes() -> None:
    found = problems(TIMED.replace("keep: {", "keep: {starts: [reserva ya], "))
    assert any("order needs a yes" in line for line in found), found


def test_a_summary_that_hides_what_its_tool_takes_is_reported() -> None:
    found = [line for line in warned(TIMED.replace(" a {city}?", "?")) if "summary" in line]
    problem = "the yes is for `order`, which takes `city`, and the summary does not show that"
    assert found == [f"a.yaml:7:70: {problem} (say {{city}} in it, or {{summary}})"]


QUOTED = """\
agent: shop
slots:
  city: {type: city, ask: "¿Ciudad?"}
  total: {type: money, found: true}
intents:
  mine: {examples: [cómo va mi pedido], do: status}
flows:
  buy:
    starts: [quiero comprar]
    steps: [{collect: city}, {do: quote, into: {total: total}}, {confirm: sum}, {do: order}, {say: Va.}]
templates:
  sum: "Son {total} a {city}. ¿Va?"
"""
ASKED = {**TOOLS, "quote": ToolSpec("quote", {"city": True}, outputs=("total",))}


@pytest.mark.parametrize(("gives", "warnings"), [("total", 1), ("amount", 0)])
def test_a_question_that_would_change_a_summary_is_reported(gives: str, warnings: int) -> None:
    tools = {**ASKED, "status": ToolSpec("status", {}, outputs=(gives,))}
    parse(QUOTED, file="a.yaml", toolbox=tools)
    found = [str(each) for each in warnings_of(QUOTED, file="a.yaml", toolbox=tools)]
    assert len(found) == warnings
    assert all("`status` gives a `total`, and `quote` finds the `total` that `sum` shows" in each for each in found)
