"""Modes, intents, tools and bands of confidence in agent files."""

import json

import pytest

from hilo.agent.drawing import draw_flow, draw_modes
from hilo.agent.parse import json_schema, parse
from hilo.agent.toolbox import ToolSpec
from hilo.errors import FileProblems

TOOLBOX = {
    "search": ToolSpec("search", {"text": True}),
    "add": ToolSpec("add", {"product": True, "count": False}, writes=True, outputs=("added", "cart")),
    "clear": ToolSpec("clear", writes=True, outputs=("result",)),
    "pay": ToolSpec("pay", {"name": True}, writes=True, needs_yes=True),
}
AGENT = """\
agent: shop
confidence: {proceed: 85, reanalyse: 60, clarify: 40}
slots:
  name: {type: person_name, ask: "¿Nombre?"}
  product: {type: text, ask: "¿Qué producto?"}
  cart: {type: text, found: true}
modes:
  IDLE:
    tools: [browse, add]
    to: [ORDER]
    after: {add: ORDER}
    bridge: "¿Algo más?"
  ORDER:
    tools: [browse, cart_tools]
    to: [PAYING, IDLE]
    after: {clear: IDLE}
    bridge: "Tienes {cart}."
    timers:
      nudge: {after: 10m of silence, say: "¿Seguimos con {cart}?"}
      give_up: {after: 2h of silence, mode: IDLE}
  PAYING:
    tools: [pay]
    to: [DONE, ORDER]
    requires: [name, promos, "cart is not empty"]
    enter: {say: "Vamos a pagar."}
  DONE:
    to: [IDLE]
    enter: {start: survey}
  PERSON: {operator: true}
flows:
  checkout:
    starts: [quiero pagar]
    steps:
      - say: promos
      - collect: name
        mode: PAYING
      - confirm: "¿Pagas {cart}, {name}?"
        mode: PAYING
        no: ORDER
      - do: pay
        mode: PAYING
        fails: handoff
      - say: "Listo."
        mode: DONE
  survey:
    steps: [{say: "¿Qué tal todo?"}]
intents:
  find: {examples: [tienen leche, busco pan], label: Buscar, do: search, arguments: {text: message}}
  buy: {examples: [agregá dos cocas], topic: order, do: add}
  hours: {examples: [a qué hora abren], answer: "Abrimos a las 9."}
tools:
  groups: {browse: [search], cart_tools: [add, clear]}
  says: {search: "Hay {found}.", add: added, clear: "Tu carrito quedó vacío."}
templates:
  promos: Hoy 2x1.
  added: ["Agregué {product}: {cart}.", "Sumé {added}."]
"""


def problems(text: str) -> list[str]:
    with pytest.raises(FileProblems) as caught:
        parse(text, file="a.yaml", toolbox=TOOLBOX)
    return [str(problem) for problem in caught.value.problems]


def test_modes_intents_tools_and_bands_are_read() -> None:
    agent = parse(AGENT, toolbox=TOOLBOX)
    assert agent.first_mode == "IDLE"
    assert agent.operator_mode == "PERSON"
    assert agent.tools_in("ORDER") == {"search", "add", "clear"}
    assert agent.tools_in("DONE") == frozenset()
    assert agent.asks_by == "loop"
    assert agent.found_only() == {"cart"}


def test_texts_of_modes_intents_and_tools_become_templates_of_their_names() -> None:
    agent = parse(AGENT, toolbox=TOOLBOX)
    enter = agent.modes["PAYING"].enter
    assert agent.modes["ORDER"].bridge == "mode.ORDER.bridge"
    assert agent.modes["ORDER"].timers["nudge"].say == "timer.ORDER.nudge"
    assert agent.modes["ORDER"].timers["give_up"].say == ""
    assert enter is not None
    assert enter.say == "mode.PAYING.enter"
    assert agent.tools.says == {"search": "tool.search", "add": "added", "clear": "tool.clear"}
    assert agent.intents["hours"].answer == "intent.hours"
    assert agent.intents["find"].answer == ""
    assert [
        agent.templates[name].text
        for name in (
            "mode.ORDER.bridge",
            "timer.ORDER.nudge",
            "mode.PAYING.enter",
            "tool.search",
            "intent.hours",
        )
    ] == ["Tienes {cart}.", "¿Seguimos con {cart}?", "Vamos a pagar.", "Hay {found}.", "Abrimos a las 9."]
    assert agent.modes["DONE"].bridge == ""
    assert "mode.DONE.bridge" not in agent.templates


def test_the_text_of_a_recap_becomes_a_template_too() -> None:
    agent = parse(AGENT.replace("  says:", '  recap: {cart_tools: "Van {cart}."}\n  says:'), toolbox=TOOLBOX)
    assert agent.tools.recap == {"cart_tools": "recap.cart_tools"}
    assert agent.templates["recap.cart_tools"].text == "Van {cart}."


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("to: [ORDER]", "to: [ODER]", "a.yaml:10:9: mode `ODER` is not declared (did you mean `ORDER`?)"),
        ("after: {add: ORDER}", "after: {add: ODER}", "a.yaml:11:18: mode `ODER` is not declared"),
        ("after: {add: ORDER}", "after: {ad: ORDER}", "a.yaml:11:17: tool `ad` is not declared (did you mean `add`?)"),
        ("after: {add: ORDER}", "after: {clear: ORDER}", "clear does not run in IDLE (name it among its `tools`)"),
        ("after: {add: ORDER}", "after: {add: PERSON}", "PERSON is the operator's: only a handoff leads there"),
        ("mode: DONE", "mode: DON", "a.yaml:44:15: mode `DON` is not declared (did you mean `DONE`?)"),
        ("mode: IDLE}", "mode: IDEL}", "a.yaml:20:45: mode `IDEL` is not declared (did you mean `IDLE`?)"),
        ("mode: IDLE}", "mode: DONE}", "ORDER does not lead to DONE (write `to: [DONE]` in ORDER)"),
        ("mode: IDLE}", "mode: ORDER}", "the session is in ORDER already"),
        ("mode: IDLE}", "mode: PERSON}", "PERSON is the operator's: only a handoff leads there (write `handoff`"),
        ("no: ORDER", "no: ODER", "step, flow or mode `ODER` is not declared (did you mean `ORDER`?)"),
        ("no: ORDER", "no: PERSON", "PERSON is the operator's"),
        ("mode: DONE", "mode: PERSON", "PERSON is the operator's"),
        ("[browse, add]", "[brwse, add]", "a.yaml:9:12: tool or group `brwse` is not declared (did you mean `browse`"),
        ("  DONE:", "  end:", "`end` is a word of the language"),
        ("  DONE:", "  survey:", "a flow is called `survey`, too (choose another name)"),
        ("  DONE:", "  ALL DONE:", "`ALL DONE` is not a name (use letters, digits and _)"),
        ("  DONE:", "  DONE.OK:", "`DONE.OK` is not a name"),
        ("    to: [IDLE]\n", "    operator: true\n", "a.yaml:29:22: only one mode is the operator's, and `DONE` is"),
        (
            "modes:\n",
            "modes:\n  FIRST: {operator: true}\n",
            "a.yaml:8:3: sessions begin in the first mode, and FIRST is the operator's",
        ),
        ("{operator: true}", "{operator: true, enter: {say: added}}", "`enter` has no effect where an operator holds"),
        ("to: [DONE, ORDER]", "to: [ORDER]", "a.yaml:26:3: nothing leads to the mode `DONE` (write `to: [DONE]`"),
        (
            "[name, promos,",
            "[nme, promos,",
            "a.yaml:24:15: slot or template `nme` is not declared (did you mean `name`",
        ),
        ("cart is not empty", "crt is not empty", "slot `crt` is not declared (did you mean `cart`?)"),
        ("cart is not empty", "cart is not", "`cart is not` is not a condition"),
        ("Vamos a pagar.", "Vamos, {nme}.", "a.yaml:25:18: slot `nme` is not declared (did you mean `name`?)"),
        ("{start: survey}", "{start: survy}", "flow `survy` is not declared (did you mean `survey`?)"),
        ("Tienes {cart}", "Tienes {crt}", "a.yaml:17:13: slot `crt` is not declared (did you mean `cart`?)"),
        ("¿Seguimos con {cart}?", "¿Seguimos con {crt}?", "slot `crt` is not declared"),
        ("10m of silence", "soon", "a.yaml:19:22: `after` must be a duration such as 90s"),
        ("      nudge:", "      Nudge me:", "`Nudge me` is not a name"),
        ("10m of silence,", "10m of silence, at_most: 2,", "it may speak 2 times, and has 1 wording"),
        ("10m of silence,", "10m of silence, consent: silence,", "silence can only be a yes to a flow"),
        ("tools: [pay]", "tools: [search]", "pay is not allowed in PAYING (name it in the `tools` of PAYING)"),
        ("mode: DONE", "mode: IDLE", "`IDLE` can never be entered here (the session is in PAYING, which does not"),
        ("do: search", "do: serch", "a.yaml:48:66: tool `serch` is not declared (did you mean `search`?)"),
        (
            "do: search",
            "do: pay",
            "pay needs a yes, so an intent cannot run it (put it into a flow, after a `confirm`)",
        ),
        ("{text: message}", "{txt: message}", "parameter of search `txt` is not declared (did you mean `text`?)"),
        (", arguments: {text: message}", "", "search needs `text` (a slot of that name, or `arguments: {text: message"),
        ("do: add}", "answer: promos, arguments: {a: b}}", "`arguments` are for the tool of `do`"),
        ("label: Buscar", "label: Buscar productos en la tienda", "a button has 20 characters, this has 29"),
        ("Abrimos a las 9.", "Abrimos {hour}.", "slot `hour` is not declared"),
        (', answer: "Abrimos a las 9."', "", "`hours` may be offered, and leads to nothing (give it an `answer`"),
        ("  hours:", "  survey:", "a flow is called `survey`, too"),
        ("browse: [search]", "browse: [serch]", "a.yaml:52:20: tool `serch` is not declared (did you mean `search`?)"),
        ("browse: [search]", "browse: []", "a group needs tools"),
        ("{browse: [search]", "{clear: [add], browse: [search]", "a tool is called `clear`, too"),
        ("{browse: [search]", "{Be: [add], browse: [search]", "`Be` is not a name"),
        ("add: added", "ad: added", "tool `ad` is not declared (did you mean `add`?)"),
        ("add: added", "add: aded", "template `aded` is not declared (did you mean `added`?)"),
        ("Sumé {added}", "Sumé {aded}", "a.yaml:53:39: slot `aded` is not declared (did you mean `added`?)"),
        ("  says:", "  recap: {cart_tols: added}\n  says:", "tool or group `cart_tols` is not declared (did you mean"),
        ("  says:", "  recap: {add: aded}\n  says:", "template `aded` is not declared (did you mean `added`?)"),
        ("  says:", '  recap: {add: "Van {crt}."}\n  says:', "slot `crt` is not declared (did you mean `cart`?)"),
        ("templates:", "escalation: [{failures: 0}]\ntemplates:", "`failures` is at least 1"),
        ("proceed: 85", "proceed: 50", "a.yaml:2:13: the bands are not in order (0 ≤ clarify ≤ reanalyse"),
        ("clarify: 40", "clarify: -1", "the bands are not in order"),
        ("proceed: 85", "proceed: 101", "the bands are not in order"),
        (
            "collect: name",
            "collect: [name, cart]",
            "`cart` is found by tools (do not collect it, or leave out `found`)",
        ),
    ],
)
def test_a_mistake_about_modes_is_named_with_its_place_and_a_hint(old: str, new: str, expected: str) -> None:
    assert old in AGENT
    found = problems(AGENT.replace(old, new, 1))
    assert any(expected in line for line in found), found


def test_a_misspelt_mode_is_named_once() -> None:
    assert len(problems(AGENT.replace("to: [PAYING, IDLE]", "to: [PAYNG, IDLE]"))) == 1


def test_half_a_timer_of_a_mode_is_named_once() -> None:
    assert len(problems(AGENT.replace("10m of silence", "soon"))) == 1


def test_a_mode_needs_no_way_out() -> None:
    assert parse(AGENT.replace("    to: [IDLE]\n", ""), toolbox=TOOLBOX).modes["DONE"].to == ()


def test_a_handoff_may_be_named_among_the_ways_of_a_mode() -> None:
    assert parse(AGENT.replace("to: [ORDER]", "to: [ORDER, PERSON]"), toolbox=TOOLBOX)


def test_a_mode_in_an_agent_without_modes_is_unknown() -> None:
    text = "agent: x\nflows: {a: {starts: always, steps: [{say: greeting, mode: IDLE}]}}\n"
    assert problems(text) == ["a.yaml:2:59: mode `IDLE` is not declared (declared are: none)"]


def test_where_no_tool_has_such_a_name_it_is_said_how_one_is_declared() -> None:
    [told] = problems(AGENT.replace("do: search", "do: send_invoice"))
    assert "tool `send_invoice` is not declared (declared are: " in told
    assert "one is declared by a function marked @tool in tools.py" in told


def test_a_repeated_block_has_no_mode_of_its_own() -> None:
    block = "      - {repeat: [{collect: product}], at_most: 2, mode: ORDER}\n"
    found = problems(AGENT.replace("      - say: promos\n", f"      - say: promos\n{block}"))
    assert any("a repeated block has no mode (write it at the steps in the block)" in line for line in found), found


def test_timers_that_lead_around_in_a_circle_are_named() -> None:
    timers = "    bridge: ¿Algo más?\n    timers: {back: {after: 1h of silence, mode: ORDER}}\n"
    around = AGENT.replace('    bridge: "¿Algo más?"\n', timers)
    assert problems(around) == [
        (
            "a.yaml:13:5: timers lead from IDLE back to it for ever "
            "(give one of the timers a `when`; the circle: IDLE → ORDER → IDLE)"
        )
    ]
    assert parse(around.replace("silence, mode: ORDER", "silence, when: cart is empty, mode: ORDER"), toolbox=TOOLBOX)


def test_an_agent_that_says_only_what_is_found_can_tell_every_result() -> None:
    strict = AGENT.replace("agent: shop\n", "agent: shop\ngrounded: strict\n")
    assert parse(strict, toolbox=TOOLBOX)
    assert parse(strict.replace(', clear: "Tu carrito quedó vacío."', ""), toolbox=TOOLBOX)  # it gives a `result`
    assert problems(strict.replace('search: "Hay {found}.", ', "")) == [
        (
            "a.yaml:2:11: nothing tells what search found, and `grounded: strict` lets no model say it "
            "(tools: {says: {search: TEMPLATE}})"
        )
    ]


def test_what_is_not_known_of_a_tool_is_not_held_against_a_text() -> None:
    unknown = {**TOOLBOX, "add": ToolSpec("add", {"product": True}, writes=True)}
    assert parse(AGENT.replace("Sumé {added}", "Sumé {whatever}"), toolbox=unknown)


def test_a_tool_for_operators_is_offered_to_nobody_else() -> None:
    toolbox = {**TOOLBOX, "search": ToolSpec("search", {"text": True}, operator=True)}
    plain = (
        "agent: x\nflows: {a: {starts: always, steps: [{say: greeting}]}}\ntools: {says: {add: Va., search: Hay.}}\n"
    )
    assert parse(plain, toolbox=toolbox).proposable("") == {"add"}
    assert parse(AGENT, toolbox=toolbox).proposable("IDLE") == {"add"}


def test_a_flow_that_only_a_mode_starts_is_started_and_drawn() -> None:
    assert "starts with the mode DONE" in draw_flow(parse(AGENT, toolbox=TOOLBOX), "survey")


def test_a_flow_is_drawn_with_the_modes_that_it_enters_and_leads_to() -> None:
    picture = draw_flow(parse(AGENT, toolbox=TOOLBOX), "checkout")
    assert '-->|"no"| MODE_ORDER' in picture
    assert "do pay<br/>mode PAYING" in picture


def test_modes_are_drawn_with_their_tools_and_ways() -> None:
    picture = draw_modes(parse(AGENT, toolbox=TOOLBOX))
    assert 'MODE_IDLE("IDLE<br/>browse<br/>add")' in picture
    assert 'MODE_IDLE -->|"add"| MODE_ORDER' in picture
    assert 'MODE_ORDER -->|"clear, timer give_up"| MODE_IDLE' in picture
    assert "MODE_PAYING -.-> MODE_DONE" in picture
    assert "needs cart is not empty" in picture
    assert "an operator holds the session" in picture
    assert "START --> MODE_IDLE" in picture


def test_a_way_that_is_taken_to_run_a_tool_is_drawn_with_it() -> None:
    text = AGENT.replace(
        "    tools: [pay]\n    to: [DONE, ORDER]\n",
        "    tools: [pay]\n    to: [DONE]\n    before: {cart_tools: ORDER}\n",
    )
    assert 'MODE_PAYING -->|"for cart_tools"| MODE_ORDER' in draw_modes(parse(text, toolbox=TOOLBOX))


@pytest.mark.parametrize("before", ["", "    before: {clear: ORDER}\n"])
def test_a_step_may_call_what_its_mode_leads_to_another_one_for(before: str) -> None:
    """A step in PAYING, where `clear` is not allowed."""
    text = AGENT.replace("    requires: [name, promos", f"{before}    requires: [name, promos").replace(
        "flows:\n", "flows:\n  again: {starts: [de nuevo], steps: [{do: clear, mode: PAYING}]}\n", 1
    )
    if before:
        assert parse(text, toolbox=TOOLBOX).flows["again"]
    else:
        with pytest.raises(FileProblems, match="clear is not allowed in PAYING"):
            parse(text, toolbox=TOOLBOX)


def test_editors_know_the_words_of_modes() -> None:
    schema = json_schema()
    words = {"tools", "to", "after", "before", "next", "requires", "enter", "timers", "bridge", "changes", "operator"}
    assert set(schema["$defs"]["Mode"]["properties"]) == words
    assert {"confidence", "grounded", "model", "tools", "modes"} <= set(schema["properties"])
    json.dumps(schema)


def test_what_changes_an_order_asks_for_what_and_how_many() -> None:
    text = AGENT.replace("  PAYING:\n", "  PAYING:\n    changes: again\n").replace(
        "flows:\n", "flows:\n  again: {starts: [de nuevo], steps: [{collect: [name]}]}\n", 1
    )
    assert any("again collects no text and number" in each for each in problems(text))
