"""Paths through flows: what is found in them, with the path that shows it, and what is left in peace."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.errors import FileProblems

TOOLBOX = {
    "book": ToolSpec("book", {"name": True}, writes=True, needs_yes=True),
    "find": ToolSpec("find", {"name": True, "city": False}),
    "look": ToolSpec("look"),
}
SLOTS = """\
agent: tiny
slots:
  name: {type: person_name, ask: ¿Nombre?}
  city: {type: city, ask: ¿Ciudad?}
  seats: {type: number, min: 1, max: 12, ask: ¿Cuántos?}
  total: {type: money}
  color: {type: choice, choices: [rojo, azul], ask: ¿Color?}
  vip: {type: boolean, ask: ¿Ya viajaste?}
  day: {type: date, ask: ¿Qué día?}
  code: {type: text}
  note: {type: text, required: false, ask: ¿Nota?}
flows:
"""


def findings(text: str) -> list[str]:
    """What `hilo check` says, line and column first."""
    try:
        parse(text, file="a", toolbox=TOOLBOX)
    except FileProblems as caught:
        return [str(problem).removeprefix("a:") for problem in caught.problems]
    return []


def opening(*steps: str) -> str:
    """An agent whose flow starts by itself; its first step stands in line 16."""
    return SLOTS + "  main:\n    starts: always\n    steps:\n" + "".join(f"      - {step}\n" for step in steps)


def later(*steps: str) -> str:
    """An agent whose flow a contact starts, when other flows may have filled slots."""
    return opening(*steps).replace("always", "[algo así]")


def flow(name: str, *steps: str, starts: str = "") -> str:
    begins = f"    starts: [{starts}]\n" if starts else ""
    return f"  {name}:\n{begins}    steps:\n" + "".join(f"      - {step}\n" for step in steps)


COLLECT_ALL = flow("rest", "collect: [name, city, seats, color, vip, day]", "set: {total: 1, code: x}", starts="resto")


# --- steps that are never reached -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where", "path"),
    [
        (
            opening("collect: name", "end: done", "say: Nunca se dice"),
            "18:9",
            "collect name → end",
        ),
        (
            opening("repeat: [{collect: name}, {go: out}, {say: Nunca}]", "{name: out, end: x}"),
            "16:46",
            "collect name → go out",
        ),
        (
            opening(
                "branch: {vip is empty: out, else: out}", "say: Nunca se dice", "say: Tampoco", "{name: out, end: x}"
            ),
            "17:9",
            "branch",
        ),
    ],
)
def test_a_step_that_no_path_leads_to(text: str, where: str, path: str) -> None:
    assert findings(text) == [f"{where}: no path leads to this step (the step before it never goes on; path: {path})"]


@pytest.mark.parametrize(
    "text",
    [
        opening("collect: vip", "{end: done, when: vip}", "say: Hola a todos"),
        opening("{do: look, fails: out}", "end: x", "{name: out, say: No se pudo}"),
        opening("{confirm: ¿Va así?, no: out}", "end: x", "{name: out, say: Otra vez será}"),
        opening("repeat: [{collect: name}, {collect: vip}, {branch: {vip: out}}]", "end: x", "{name: out, say: Hola}"),
    ],
)
def test_a_step_that_some_path_leads_to(text: str) -> None:
    assert findings(text) == []


# --- flows that never end -----------------------------------------------------------------------------------


def never_ends(where: str, name: str, path: str) -> str:
    return f"{where}: the flow `{name}` can never end (a way to `end` is missing; path: {path})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            opening("say: Hola a todos", "{name: top, collect: name}", "go: top"),
            [never_ends("18:9", "main", "say → collect name → go top → collect name")],
        ),
        (
            opening(
                "collect: vip",
                "branch: {vip: one, else: two}",
                "{name: one, do: look}",
                "go: one",
                "{name: two, do: look}",
                "go: two",
            ),
            [never_ends("19:9", "main", "collect vip → branch → do look → go one → do look")],
        ),
        (
            opening("collect: name", "go: other") + flow("other", "do: look", "go: main"),
            [
                never_ends("17:9", "main", "collect name → go other"),
                never_ends("21:9", "other", "do look → go main"),
            ],
        ),
        (
            opening("collect: name", "go: change"),
            [never_ends("17:9", "main", "collect name → go change → go change")],
        ),
    ],
)
def test_a_flow_that_can_never_end(text: str, expected: list[str]) -> None:
    assert findings(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        opening("{name: top, collect: vip}", "branch: {vip: end}", "do: look", "go: top"),
        opening("{name: top, do: look, fails: handoff}", "go: top"),
        opening("{name: top, collect: vip}", "{handoff: a person, when: vip}", "do: look", "go: top"),
        opening("{name: top, confirm: ¿Va así?, no: top}"),
        opening("collect: name", "go: other") + flow("other", "say: Hola a todos"),
        opening("repeat: [{collect: name}]"),
    ],
)
def test_a_flow_that_can_end(text: str) -> None:
    assert findings(text) == []


# --- tools that need a yes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where", "path"),
    [
        (
            opening("collect: name", "do: book"),
            "17:13",
            "collect name → do book",
        ),
        (
            opening("collect: [name, vip]", "branch: {vip: now}", "confirm: ¿Va así?", "{name: now, do: book}"),
            "19:25",
            "collect name, vip → branch → do book",
        ),
        (
            opening("collect: [name, vip]", "{confirm: ¿Va así?, when: vip}", "do: book"),
            "18:13",
            "collect name, vip → confirm (skipped) → do book",
        ),
        (
            opening("collect: name", "{confirm: ¿Va así?, no: now}", "end: x", "{name: now, do: book}"),
            "19:25",
            "collect name → confirm (no) → do book",
        ),
        (
            opening("collect: name", "{do: look, fails: now}", "confirm: ¿Va así?", "{name: now, do: book}"),
            "19:25",
            "collect name → do look (fails) → do book",
        ),
        (
            opening("collect: name", "call: pay", "confirm: ¿Va así?", "call: pay") + flow("pay", "do: book"),
            "22:13",
            "collect name → call pay → do book",
        ),
        (
            opening("collect: name", "confirm: ¿Va así?", "call: pay") + flow("pay", "do: book", starts="pagar"),
            "22:13",
            "do book",
        ),
        (
            opening("call: query", "go: pay")
            + flow("query", "collect: name", "confirm: ¿Va?")
            + flow("pay", "do: book"),
            "24:13",
            "call query → go pay → do book",
        ),
    ],
)
def test_a_tool_that_can_be_reached_without_its_yes(text: str, where: str, path: str) -> None:
    assert findings(text) == [
        f"{where}: book needs a yes, and can be reached without one (put a `confirm` before it; path: {path})"
    ]


@pytest.mark.parametrize(
    "text",
    [
        opening("collect: name", "confirm: ¿Va así?", "do: book"),
        opening("collect: name", "{do: find}"),
        opening("collect: name", "confirm: ¿Va así?", "call: pay") + flow("pay", "do: book"),
        opening("collect: name", "confirm: ¿Va así?", "go: mid") + flow("mid", "call: pay") + flow("pay", "do: book"),
        # the same guard: the tool runs only where the contact was asked
        opening("collect: [name, vip]", "{confirm: ¿Va así?, when: vip}", "{do: book, when: vip}"),
        opening("collect: [name, seats]", "{confirm: ¿Va así?, when: seats > 3}", "{do: book, when: seats > 6}"),
        opening("collect: [name, vip]", "branch: {vip: ask}", "end: x", "{name: ask, confirm: ¿Va?}", "do: book"),
        # every color is asked about
        opening(
            "collect: [name, color]",
            "branch: {color == 'rojo': ask, color == 'azul': ask}",
            "{do: book}",
            "end: x",
            "{name: ask, confirm: ¿Va?}",
            "do: book",
        ),
    ],
)
def test_a_tool_behind_its_yes(text: str) -> None:
    assert findings(text) == []


# --- circles that ask nothing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where", "path"),
    [
        (
            opening("collect: name", "{name: top, say: Hola a todos}", "go: top"),
            "18:9",
            "collect name → say top → go top → say top",
        ),
        (
            opening("collect: seats", "{name: top, say: Hola a todos}", "branch: {seats > 5: end}", "go: top"),
            "19:9",
            "collect seats → say top → branch → go top → say top",
        ),
        (
            opening("{do: look, fails: bad}", "end: x", "{name: bad, say: Qué pena}", "set: {code: x}", "go: bad"),
            "20:9",
            "do look (fails) → say bad → set code → go bad → say bad",
        ),
        (
            opening("{name: top, go: top}"),
            "16:9",
            "go top → go top",
        ),
    ],
)
def test_a_circle_that_asks_nothing(text: str, where: str, path: str) -> None:
    assert findings(text) == [
        f"{where}: this circle asks nothing and runs for ever (ask or end on the way; path: {path})"
    ]


@pytest.mark.parametrize(
    "text",
    [
        opening("{name: top, wait: 5m}", "{collect: vip}", "branch: {vip: end}", "go: top"),
        opening("{name: top, do: look, fails: top}"),
        opening("{name: top, call: rest}", "branch: {vip: end}", "go: top") + COLLECT_ALL,
        # the second time it leaves
        opening("set: {vip: false}", "{name: top, say: Hola}", "branch: {vip: end}", "{set: {vip: true}}", "go: top"),
        opening("repeat: [{say: Hola a todos}]", "say: Chau a todos"),
        # no one can be both
        opening("collect: vip", "{name: top, branch: {vip: end}}", "{go: top, when: vip}"),
    ],
)
def test_a_circle_that_comes_to_rest(text: str) -> None:
    assert findings(text) == []


# --- guards that say nothing --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guard", "message"),
    [
        ("color == 'verde'", "`color == 'verde'` can never hold (`color` is one of rojo, azul; path: branch)"),
        ("color == 'Rojo'", "can never hold (`color` is one of rojo, azul"),
        ("color in ['verde', 'gris']", "can never hold"),
        ("color == 'rojo' and color == 'azul'", "can never hold"),
        ("seats > 12", "can never hold (`seats` is a number from 1 up to 12"),
        ("seats < 1", "can never hold"),
        ("seats == 0", "can never hold"),
        ("seats == 1 and seats == 2", "can never hold"),
        ("seats > 5 and seats < 3", "can never hold"),
        ("seats == '5'", "can never hold"),
        ("total == 1 and total == 2", "can never hold (`total` is a number;"),
        ("name == 5", "can never hold (`name` is a text"),
        ("city > 5", "can never hold"),
        ("day == 'mañana'", "can never hold"),
        ("vip == 'sí'", "can never hold (`vip` is true or false"),
        ("vip and not vip", "can never hold"),
        ("seats > total and seats < total", "can never hold"),
        ("seats is empty and seats > 2", "can never hold"),
        ("vip or not vip", "always holds"),
        ("name != 5", "always holds"),
        ("color != 'verde'", "always holds (`color` is one of rojo, azul"),
        ("seats is empty or seats < 13", "always holds"),
    ],
)
def test_a_guard_that_can_never_hold_or_always_does(guard: str, message: str) -> None:
    (found,) = findings(later(f'branch: {{"{guard}": end}}') + COLLECT_ALL)
    assert found.startswith(f"16:18: `{guard}` ")
    assert message in found


@pytest.mark.parametrize(
    ("text", "where", "message", "path"),
    [
        (
            later("collect: seats", "branch: {seats > 3: end, seats  >  3: handoff}"),
            "17:34",
            "`seats  >  3` can never hold here (a guard before it takes all that it could",
            "collect seats → branch",
        ),
        (
            later("collect: seats", "branch: {seats > 3: end, seats > 5: handoff}"),
            "17:34",
            "`seats > 5` can never hold here (a guard before it takes all that it could",
            "collect seats → branch",
        ),
        (
            later("collect: seats", "{branch: {seats < 3: end}, when: seats > 5}"),
            "17:19",
            "`seats < 3` can never hold here (a guard before it takes all that it could",
            "collect seats → branch",
        ),
        (
            later("collect: seats", "{say: Hola a todos, when: seats >= 1}"),
            "17:35",
            "`seats >= 1` always holds (`seats` is a number from 1 up to 12",
            "collect seats → say",
        ),
        (
            later("{repeat: [{collect: color}], until: color == 'verde'}"),
            "16:45",
            "`color == 'verde'` can never hold (`color` is one of rojo, azul",
            "collect color → repeat",
        ),
    ],
)
def test_a_guard_that_says_nothing_where_it_stands(text: str, where: str, message: str, path: str) -> None:
    assert findings(text) == [f"{where}: {message}; path: {path})"]


@pytest.mark.parametrize(
    "text",
    [
        later("collect: seats", "branch: {seats > 5: end, seats > 3: handoff}"),
        later("collect: color", "branch: {color == 'rojo': end, color == 'azul': handoff}"),
        later("collect: seats", "branch: {seats is empty: end}"),  # to be safe is no mistake
        later("{collect: seats, when: vip is empty}", "{say: Hola a todos, when: seats >= 1}"),
        later("collect: note", "{say: Hola a todos, when: note != 'x'}"),
        # a correction at the confirmation may change what the first branch saw
        later("collect: seats", "branch: {seats > 5: end}", "confirm: ¿Va así?", "branch: {seats > 5: end}"),
        later('{say: Hola a todos, when: "true"}'),
    ],
)
def test_a_guard_that_says_something_where_it_stands(text: str) -> None:
    assert findings(text) == []


# --- slots that are used too early ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where", "message", "path"),
    [
        (
            later("collect: name", 'say: "{name}: {code}"'),
            "17:9",
            "no step fills `code`",
            "collect name → say",
        ),
        (
            later("collect: name", "say: bye") + "templates: {bye: 'Chau, {city}'}\n",
            "17:9",
            "no step fills `city`",
            "collect name → say",
        ),
        (
            later("collect: name", "branch: {total > 5: end}"),
            "17:9",
            "no step fills `total`",
            "collect name → branch",
        ),
        (
            later("collect: city", "do: find"),
            "17:9",
            "no step fills `name`",
            "collect city → do find",
        ),
        (
            later("collect: city", "{do: find, arguments: {name: code}}"),
            "17:9",
            "no step fills `code`",
            "collect city → do find",
        ),
        (
            opening("say: Hola a todos", 'say: "Hola, {name}"', "collect: name"),
            "17:9",
            "`name` is used before it is collected",
            "say → say",
        ),
        (
            opening("collect: vip", "branch: {vip: out}", "collect: name", '{name: out, say: "Hola, {name}"}'),
            "19:9",
            "`name` is used before it is collected",
            "collect vip → branch → say out",
        ),
        (
            opening("collect: vip", "{collect: name, when: vip}", 'confirm: "¿{name}?"'),
            "18:9",
            "`name` is used before it is collected",
            "collect vip → collect name (skipped) → confirm",
        ),
        (
            opening("collect: name", "{do: look, into: {x: code}, fails: out}", "end: x", '{name: out, say: "{code}"}'),
            "19:9",
            "`code` is used before it is collected",
            "collect name → do look (fails) → say out",
        ),
        (
            opening("branch: {seats > 5: end}", "collect: seats"),
            "16:9",
            "`seats` is used before it is collected",
            "branch",
        ),
        (
            opening("do: find", "collect: name"),
            "16:9",
            "`name` is used before it is collected",
            "do find",
        ),
    ],
)
def test_a_slot_that_is_used_before_it_can_be_filled(text: str, where: str, message: str, path: str) -> None:
    assert findings(text) == [f"{where}: {message} (collect or set it before; path: {path})"]


@pytest.mark.parametrize(
    "text",
    [
        opening("collect: name", 'say: "Hola, {name}. {summary}"'),
        opening('say: "Hola, {note}"', "collect: note"),  # an optional slot may be empty
        later('say: "Hola, {note}"', "branch: {note == 'x': end}"),
        later('say: "Hola, {name}"') + COLLECT_ALL,  # which may come before
        opening('say: "Hola, {name}"') + COLLECT_ALL,
        opening("call: rest", 'say: "Hola, {name}"') + COLLECT_ALL,
        opening("do: look", "say: Hola") + flow("trip", 'say: "A {city}"', starts='"un pasaje a {city}"'),
        opening("set: {code: x}", 'say: "{code}"'),
        opening("{do: look, into: {x: code}}", 'say: "{code}"'),
        # a contact may give it unasked, and the author looks
        opening("branch: {name is not empty: known}", "collect: name", '{name: known, say: "Hola, {name}"}'),
        opening('{say: "Hola, {name}", when: name is not empty}', "collect: name"),
        later("{say: Hola a todos, when: total is not empty}"),
        later("{say: Hola a todos, when: not vip}"),
        # the same guard collects and uses
        opening("collect: vip", "{collect: name, when: vip}", '{say: "Hola, {name}", when: vip}'),
        opening("collect: vip", "{collect: name, when: vip}", "branch: {vip: b}", "end: x", '{name: b, say: "{name}"}'),
        opening("collect: color", "{collect: name, when: color == 'rojo'}", "{say: \"{name}\", when: color != 'azul'}"),
        opening("collect: [name, seats]", "{name: top, branch: {seats > 3: end}}", "{collect: city}"),
        opening("{name: top, branch: {seats > 3: end}}", "collect: seats", "do: look", "go: top"),
        opening("{do: find, arguments: {name: Ana}}"),
        opening('say: "Hola, {name}"') + "nodes: [{node: 'nodes.py:score', after: validate}]\n",  # it may fill any slot
    ],
)
def test_a_slot_that_may_be_filled(text: str) -> None:
    assert findings(text) == []


# --- what cannot be followed ------------------------------------------------------------------------------------


def test_a_flow_with_unknown_names_is_not_followed() -> None:
    text = opening("{name: top, say: Hola}", "branch: {vip: nowhere}", "go: top", 'say: "{code}"')
    assert [line.split(" (")[0] for line in findings(text)] == ["17:9: step or flow `nowhere` is not declared"]


def test_slots_that_are_not_declared_are_reported_once() -> None:
    steps = [
        "set: {foo-bar: 1}",
        "{collect: nope, when: vip is empty}",
        "{confirm: ¿Va?, when: vip is empty}",
        "do: book",
    ]
    found = findings(opening("collect: name", *steps))
    assert [line.split(" ", 1)[1].split(" (")[0] for line in found] == [
        "slot `foo-bar` is not declared",
        "slot `nope` is not declared",
        "book needs a yes, and can be reached without one",
    ]


def test_a_guard_that_cannot_be_read_is_reported_once() -> None:
    assert len(findings(opening("branch: {'vip ==': end}", 'say: "{code}"'))) == 1


def test_a_long_flow_with_many_guards_is_checked_in_good_time() -> None:
    steps = [f"{{say: Hola {place}, when: s{place} > {place % 7}}}" for place in range(60)]
    slots = "".join(f"  s{place}: {{type: number, ask: '?'}}\n" for place in range(60))
    names = ", ".join(f"s{place}" for place in range(60))
    more = ["{collect: name, when: s0 is empty}", 'say: "{name}"', "do: look"]
    text = opening(f"collect: [{names}]", *steps, *more).replace("flows:\n", slots + "flows:\n")
    begun = time.process_time()
    findings(text)
    assert time.process_time() - begun < 2


GUARDS = [
    "vip",
    "seats > 3",
    "seats < 3",
    "color == 'rojo'",
    "name is empty",
    "total > seats",
    "not vip and seats == 2",
]
TARGETS = ["s0", "s1", "s2", "end", "handoff", "change", "main"]
targets, guards = st.sampled_from(TARGETS), st.sampled_from(GUARDS)
kinds = st.one_of(
    st.just("collect: [name, vip]"),
    st.just("collect: seats"),
    st.just("set: {vip: true}"),
    st.just('say: "{name} {code}"'),
    st.just("wait: 5m"),
    st.just("end: x"),
    st.builds("go: {}".format, targets),
    st.builds("confirm: ¿Va?, no: {}".format, targets),
    st.builds("do: book, fails: {}".format, targets),
    st.builds("branch: {{{}: {}, {}: {}}}".format, guards, targets, guards, targets),
    st.builds("repeat: [{{collect: color}}, {{go: {}}}], until: {}".format, targets, guards),
)
some_steps = st.lists(st.tuples(kinds, st.none() | guards), min_size=3, max_size=8)


@settings(max_examples=depth(80, 150), deadline=None)
@given(some_steps)
def test_any_flow_can_be_checked(steps: list[tuple[str, str | None]]) -> None:
    written = [
        f"{{name: s{place}, {kind}{f', when: {guard}' if guard else ''}}}" for place, (kind, guard) in enumerate(steps)
    ]
    for line in findings(opening(*written)):
        assert "path: " in line or "is here twice" in line
