"""What conversations have gone through of an agent, and what there is to go through."""

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_agents import HELLO, TICKETS, load, played, write_agent

from depth import depth
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.app import load_agent, new_session
from hilo.dialogue.commands import Affirm, CancelFlow, Command, Deny, SetSlot, SkipSlot, StartFlow
from hilo.dialogue.decide import decide
from hilo.dialogue.events import EscalationTriggered, Event, MessageUnderstood, OperatorTookOver, Released
from hilo.dialogue.states import DialogueState
from hilo.testing import Covered, coverage
from hilo.testing.transitions import ENGINE_TRANSITIONS, possible_transitions

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)

# Flows that call, jump to and interrupt one another.
NESTED = """
agent: nested
slots:
  name: {ask: "¿Nombre?"}
  number: {type: number, ask: "¿Número?", required: false}
  wanted: {type: boolean, ask: "¿Lo quieres?"}
flows:
  main:
    starts: always
    steps:
      - say: "Bienvenido."
      - collect: name
      - call: count
      - branch: {number > 3: last, wanted: aside}
      - confirm: "¿Seguro?"
        no: aside
      - {name: last, say: "Adiós."}
  count:
    steps:
      - collect: number
      - {say: "Son muchos.", when: number > 1}
  aside:
    starts: [quiero otra cosa, otra cosa por favor, algo distinto]
    steps: [{collect: wanted}, {end: done}]
  back:
    starts: [volver al principio, de nuevo, desde cero]
    steps: [{say: "Otra vez."}, {call: main}, {handoff: lost}]
"""

# Nothing is collected: no slot is ever validated or waited for.
QUIET = """
agent: quiet
flows:
  main:
    starts: always
    steps: [{say: "Hola."}, {confirm: "¿Está bien?"}]
"""


async def covered(folder: Path, steps: str, agent: str = TICKETS) -> dict[str, Covered]:
    loaded = load(folder, agent)
    result = await played(loaded, steps)
    return {each.kind: each for each in coverage(loaded.agent, result.traces)}


async def test_nothing_is_reached_by_no_conversation(tmp_path: Path) -> None:
    found = {each.kind: each for each in coverage(load(tmp_path).agent, ())}
    assert {kind: each.percent for kind, each in found.items()} == {**dict.fromkeys(found, 0), "timers": None}


TIMED = (
    TICKETS
    + """
timers:
  reminder: {after: 5m of silence, when: name is empty, say: "¿Sigues ahí?"}
  evening: {at: "18:00", start: survey}
"""
).replace("escalation:", '  survey: {steps: [{say: "¿Qué tal?"}]}\nescalation:', 1)


async def test_timers_and_their_guards_are_counted(tmp_path: Path) -> None:
    found = await covered(tmp_path, "- contact: hola\n- after: 6m\n", TIMED)
    assert found["timers"] == Covered("timers", ("reminder", "evening"), frozenset({"reminder"}))
    assert "timer.reminder: name is empty is true" in found["guards"].reached
    assert "timer.reminder: name is empty is false" in found["guards"].missing


async def test_a_timer_whose_guard_did_not_hold_was_not_reached(tmp_path: Path) -> None:
    found = await covered(tmp_path, "- contact: Soy Ana Ruiz\n- after: 6m\n", TIMED)
    assert found["timers"].reached == frozenset()
    assert "timer.reminder: name is empty is false" in found["guards"].reached


async def test_a_flow_that_a_timer_starts_goes_through_states_of_its_own(tmp_path: Path) -> None:
    found = await covered(
        tmp_path, "- contact: hola\n- after: 10m\n- after: 23h\n", TIMED.replace("timeout: 30m", "timeout: 90h")
    )
    assert "survey.say_1" in found["steps"].reached
    assert found["states"].reached <= set(found["states"].known)


async def test_steps_guards_states_and_policies_are_counted(tmp_path: Path) -> None:
    found = await covered(tmp_path, "- contact: Soy Ana Ruiz\n- contact: 1\n- press: yes\n")
    assert found["steps"].missing == ("book.collect_3", "book.group")
    assert found["steps"].percent == 100 * 5 // 7
    assert found["guards"].missing == ("book.branch_2: seats > 8 is true", "book.collect_3: seats > 1 is true")
    assert found["guards"].percent == 50
    assert found["policies"].missing == ("keyword", "timeout", "completion")
    assert "confirming → understanding" in found["states"].reached
    assert "validating_slot → idle" in found["states"].missing


async def test_a_step_that_its_guard_skipped_was_not_taken(tmp_path: Path) -> None:
    found = await covered(tmp_path, "- contact: Soy Ana Ruiz\n- contact: 1\n")
    assert "book.collect_3: seats > 1 is false" in found["guards"].reached
    assert "book.collect_3" in found["steps"].missing


async def test_a_guard_that_held_hides_those_after_it(tmp_path: Path) -> None:
    found = await covered(tmp_path, "- contact: Soy Ana Ruiz\n- contact: 12\n")
    assert found["guards"].reached == {"book.branch_2: seats > 8 is true"}
    assert {"book.branch_2", "book.group"} <= found["steps"].reached


async def test_a_policy_is_reached_when_it_hands_over(tmp_path: Path) -> None:
    found = await covered(tmp_path, "- contact: hola\n- after: 31m\n")
    assert found["policies"].reached == {"timeout"}


async def test_what_an_agent_does_not_have_has_no_percentage(tmp_path: Path) -> None:
    found = await covered(tmp_path, "- contact: Soy Juan Pérez\n", HELLO)
    assert found["guards"].percent is None
    assert found["policies"].percent is None
    assert found["steps"].percent == 100


async def test_all_of_a_small_agent_can_be_reached(tmp_path: Path) -> None:
    steps = """
    - contact: hola
    - contact: quiero un humano
    - operator: releases
    - contact: gracias
    - contact: 12345
    - contact: Juan Pérez
    - contact: mi nombre es Ana Ruiz
    """
    found = await covered(tmp_path, steps, HELLO)
    assert found["states"].missing == ()


# --- modes ----------------------------------------------------------------------------------------------

BAR = """
agent: bar
slots:
  name: {type: person_name, ask: "¿A nombre de quién?"}
  drinks: {type: number, found: true}
tools: {says: {add: "Van {drinks}.", hours: "{result}"}}
intents:
  add: {topic: order, do: add, examples: [quiero una cerveza, agregá otra cerveza, dame una cerveza, una cerveza más]}
  hours: {do: hours, examples: ["¿hasta qué hora abren?", "¿a qué hora cierran?", qué horario tienen]}
modes:
  IDLE: {tools: [add, hours], to: [OPEN], after: {add: OPEN}}
  OPEN:
    tools: [add, hours]
    to: [PAYING, IDLE]
    timers: {idle: {after: 30m of silence, mode: IDLE}}
  PAYING: {tools: [hours], to: [CHARGING], before: {add: OPEN}, requires: [drinks > 1]}
  CHARGING: {tools: [charge]}
  PERSON: {operator: true}
flows:
  pay:
    starts: [la cuenta por favor, quiero pagar, cobrame por favor]
    steps:
      - collect: name
        mode: PAYING
      - do: charge
        mode: CHARGING
        fails: handoff
confidence: {}
escalation: [{keyword: [humano]}]
"""

BAR_TOOLS = """
from hilo.tools.tool import tool

@tool(writes=True, needs_yes=False)
def add(call_id: str) -> dict[str, int]:
    "One more."
    return {"drinks": 1}

@tool
def hours() -> str:
    "When we close."
    return "Hasta las 2."

@tool(writes=True, needs_yes=False)
def charge(name: str) -> str:
    "Take the money."
    return "ok"
"""


async def bar(folder: Path, steps: str = "") -> dict[str, Covered]:
    write_agent(folder / "bar", BAR)
    (folder / "bar" / "tools.py").write_text(BAR_TOOLS, encoding="utf-8")
    loaded = load_agent(folder / "bar")
    traces = (await played(loaded, steps)).traces if steps else ()
    return {each.kind: each for each in coverage(loaded.agent, traces)}


async def test_what_there_is_of_modes_is_told_beside_what_was_reached(tmp_path: Path) -> None:
    found = await bar(tmp_path)
    assert found["modes"].missing == ("IDLE", "OPEN", "PAYING", "CHARGING", "PERSON")
    assert set(found["moves"].missing) == {
        *("IDLE → OPEN", "IDLE → OPEN after add", "OPEN → PAYING", "OPEN → IDLE", "OPEN → IDLE by idle"),
        *("PAYING → CHARGING", "PAYING → OPEN before add", "PERSON → IDLE"),
        *(f"{mode} → PERSON" for mode in ("IDLE", "OPEN", "PAYING", "CHARGING")),
    }
    assert found["tools"].missing == ("add", "hours", "charge")
    assert found["triggers"].missing == ("flow", "errors")
    assert found["bands"].missing == ("proceed", "reanalyse", "clarify", "unclear")
    assert found["needs"].missing == ("PAYING: drinks > 1 is met", "PAYING: drinks > 1 is missing")
    assert found["timers"].missing == ("OPEN.idle",)


async def test_no_message_is_waited_for_in_a_mode_that_only_a_call_is_made_in(tmp_path: Path) -> None:
    topics = (await bar(tmp_path))["topics"].missing
    assert "PERSON × *" in topics
    assert {each.partition(" ")[0] for each in topics} == {"IDLE", "OPEN", "PAYING", "PERSON"}


async def test_a_move_is_told_with_what_it_came_from(tmp_path: Path) -> None:
    found = await bar(tmp_path, "- contact: quiero una cerveza\n- after: 31m\n")
    assert found["modes"].reached == {"IDLE", "OPEN"}
    assert found["moves"].reached == {"IDLE → OPEN", "IDLE → OPEN after add", "OPEN → IDLE", "OPEN → IDLE by idle"}
    assert found["timers"].percent == 100
    assert found["tools"].reached == {"add"}


async def test_topics_are_counted_in_the_mode_that_the_message_came_in(tmp_path: Path) -> None:
    steps = """
    - contact: ¿a qué hora cierran?
    - contact: quiero una cerveza
    - contact: ¿a qué hora cierran?
    - contact: quiero un humano
    - contact: ¿hola?
    """
    found = await bar(tmp_path, steps)
    assert {"IDLE × order", "IDLE × info", "OPEN × info", "PERSON × *"} <= found["topics"].reached
    assert "OPEN × order" in found["topics"].missing
    assert found["policies"].percent == 100
    assert "OPEN → PERSON" in found["moves"].reached


async def test_a_need_that_kept_a_session_out_of_a_mode_is_counted(tmp_path: Path) -> None:
    found = await bar(tmp_path, "- contact: quiero una cerveza\n- contact: quiero pagar\n")
    assert found["needs"].missing == ("PAYING: drinks > 1 is met",)
    assert "proceed" in found["bands"].reached


async def test_an_agent_without_modes_has_no_more_kinds(tmp_path: Path) -> None:
    assert [*await covered(tmp_path, "- contact: hola")] == ["steps", "states", "guards", "policies", "timers"]


# --- which transitions are possible ---------------------------------------------------------------------


def names(agent: str, *tools: ToolSpec) -> set[str]:
    declared = parse(agent, toolbox={each.name: each for each in tools})
    return {f"{before} → {after}" for before, after in possible_transitions(declared)}


def test_an_agent_that_only_collects_and_says_is_never_confirming() -> None:
    assert names(HELLO) == {
        "idle → understanding",
        "understanding → validating_slot",
        "understanding → waiting_for_slot",
        "understanding → idle",
        "validating_slot → waiting_for_slot",
        "validating_slot → generating_response",
        "validating_slot → idle",
        "waiting_for_slot → understanding",
        "generating_response → completed",
        "completed → idle",
    }


def test_an_optional_slot_at_the_end_can_be_skipped_to_the_end() -> None:
    assert "understanding → generating_response" in names(HELLO.replace("ask:", "required: false, ask:"))


def test_an_agent_without_slots_never_waits_for_one() -> None:
    assert not any("slot" in name for name in names(QUIET))


INTENTS = """
agent: intents
slots: {place: {ask: "¿De qué ciudad?"}}
tools: {says: {hour: "{result}"}}
intents:
  hour: {do: hour, examples: [qué hora es, dime la hora, la hora por favor]}
"""


def test_an_agent_of_intents_only_calls_and_fills_no_slot() -> None:
    assert names(INTENTS, ToolSpec("hour")) == {
        "idle → understanding",
        "understanding → idle",
        "understanding → ready_for_action",
        "ready_for_action → executing_action",
        "executing_action → understanding",
    }


def test_what_a_call_lacks_may_be_asked() -> None:
    found = names(INTENTS, ToolSpec("hour", {"place": True}))
    assert {"understanding → waiting_for_slot", "waiting_for_slot → understanding"} <= found


def test_a_step_that_does_something_is_executed() -> None:
    flow = "agent: doing\nflows: {main: {starts: always, steps: [{do: act, fails: sorry}, {end: done}, "
    found = names(flow + '{name: sorry, say: "No se pudo."}]}}\n', ToolSpec("act"))
    assert {"ready_for_action → executing_action", "executing_action → completed"} <= found
    assert "executing_action → understanding" in found
    assert "understanding → generating_response" in found


def test_a_called_flow_leads_back_to_its_caller() -> None:
    assert "completed → understanding" in names(NESTED)
    assert "completed → understanding" not in names(TICKETS)


def test_no_agent_is_asked_to_run_into_an_error() -> None:
    assert not any("error" in name for agent in (HELLO, TICKETS, NESTED, QUIET) for name in names(agent))


def message(agent: str) -> st.SearchStrategy[Event]:
    """A message that means one thing, or gives two values."""
    declared = parse(agent)
    slots = st.sampled_from([*declared.slots, "unknown"])
    flows = [name for name, flow in declared.flows.items() if not flow.starts_by_itself]
    value: st.SearchStrategy[Command] = st.builds(SetSlot, slots, st.sampled_from(["Juan Pérez", 0, 1, 2, 5, 12, True]))
    acts: st.SearchStrategy[Command] = st.sampled_from([Affirm(), Deny(), CancelFlow()])
    starts: st.SearchStrategy[Command] = st.builds(StartFlow, st.sampled_from([*flows, "unknown"]))
    skips: st.SearchStrategy[Command] = st.builds(SkipSlot, slots)
    meant = st.tuples(value | acts | starts | skips) | st.tuples(value, value)
    return st.builds(MessageUnderstood, st.just(NOW), meant)


def history(agent: str) -> st.SearchStrategy[tuple[str, list[Event]]]:
    others = st.sampled_from([OperatorTookOver(NOW), Released(NOW), EscalationTriggered(NOW, "keyword", "humano")])
    events = st.lists(message(agent) | message(agent) | others, max_size=15)
    return st.tuples(st.just(agent), events)


@settings(max_examples=depth(100, 300), deadline=None)
@given(st.one_of([history(agent) for agent in (TICKETS, NESTED, QUIET)]))
def test_what_happens_is_among_what_is_possible(given: tuple[str, list[Event]]) -> None:
    agent = parse(given[0])
    session = new_session(agent, session_id="s", at=NOW)
    possible = possible_transitions(agent) | ENGINE_TRANSITIONS
    for event in given[1]:
        decision = decide(agent, session, event)
        assert set(pairwise(decision.states)) <= possible
        session = decision.session


def test_an_agent_that_asks_nothing_may_still_offer_a_person() -> None:
    agent = parse(QUIET)
    session = new_session(agent, session_id="s", at=NOW)
    met: set[tuple[DialogueState, DialogueState]] = set()
    commands: list[Command] = [Affirm(), Affirm(), *[SetSlot("unknown", "?")] * 4]
    for command in commands:
        decision = decide(agent, session, MessageUnderstood(NOW, (command,)))
        met |= set(pairwise(decision.states))
        session = decision.session
    assert met & ENGINE_TRANSITIONS
    assert not possible_transitions(agent) & ENGINE_TRANSITIONS


@pytest.mark.parametrize(("reached", "percent"), [(0, 0), (1, 33), (2, 66), (3, 100)])
def test_percentages_are_rounded_down(reached: int, percent: int) -> None:
    known = ("a", "b", "c")
    assert Covered("steps", known, frozenset(known[:reached])).percent == percent
