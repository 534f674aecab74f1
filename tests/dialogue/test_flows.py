"""Steps that act: tools behind the gate, retries, ways out, rounds, waits, interruptions."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hilo.agent.flow import Flow
from hilo.agent.parse import parse
from hilo.agent.steps.collect import Collected, CollectStep
from hilo.agent.steps.do import DoStep
from hilo.agent.steps.go import GoStep
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.commands import (
    Affirm,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    OfferValues,
    RejectSlot,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Ask, AskSwitch, AskYes, Complete, HandOff, RunTool, Say
from hilo.dialogue.events import Event, MessageUnderstood, Released, TimerFired, ToolResult, ToolsReturned
from hilo.dialogue.flow import MAX_CALLS
from hilo.dialogue.session import AskedSlot, AskedSwitch, AskedYes, Session, Waiting

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
TOOLBOX = {
    "search": ToolSpec("search", {"city": True, "people": False}),
    "book": ToolSpec("book", {"city": True}, writes=True, needs_yes=True),
    "known": ToolSpec("known", {"value": True}),
}
AGENT = parse(
    """\
agent: trips
slots:
  city: {type: city, ask: ¿Ciudad?, valid_if: known}
  people: {type: number, min: 1, ask: ¿Cuántos?}
  options: {type: number}
  code: {type: text}
  guest: {type: person_name, ask: ¿Quién?}
  more: {type: boolean, ask: ¿Otro?}
flows:
  trip:
    starts: [quiero viajar]
    interrupts: ask
    steps:
      - collect: [city, people]
      - do: search
        into: {found: options}
        attempts: 2
        fails: broken
      - branch: {options == 0: none}
      - confirm: "{options} a {city} para {people}. ¿Va?"
      - do: book
        into: {code: code}
      - say: "Código {code}."
      - end: booked
      - name: none
        say: "No hay."
      - end: none
      - name: broken
        say: "No puedo buscar."
  guests:
    starts: [anotar invitados]
    steps:
      - repeat:
          - collect: guest
          - collect: more
        until: not more
        at_most: 3
      - say: "Anotados."
  tour:
    starts: [hacer un tour]
    steps:
      - repeat: [{collect: [city, people]}, {do: search}, {collect: more}]
        until: not more
  pause:
    starts: [espera]
    steps: [{say: Un momento}, {wait: 2m}, {say: "Sigo."}]
  person:
    starts: [con alguien]
    steps: [{handoff: lo pidió}]
""",
    toolbox=TOOLBOX,
)


UNGUARDED = Flow(
    starts=("sin preguntar",),
    steps=(CollectStep(name="ask", collect=Collected(slot=("city",))), DoStep(name="go", do="book")),
)
INTO_ITSELF = Flow(
    starts=("en círculo",), steps=(DoStep(name="go", do="search", arguments={"city": "Cali"}, told="go"),)
)
BACK = GoStep(name="back", go="go")
AROUND = Flow(starts=("y dale",), steps=(DoStep(name="go", do="search", arguments={"city": "Cali"}), BACK))
CIRCLES = {"into_itself": INTO_ITSELF, "around": AROUND}
# the check refuses them; the gate must too, and no circle may last
AGENT = replace(AGENT, flows={**AGENT.flows, "unguarded": UNGUARDED, **CIRCLES})


def start() -> Session:
    return Session(id="s", agent="trips", agent_version=AGENT.version, started_at=NOW, last_at=NOW)


def tell(session: Session, *commands: Command) -> Decision:
    return decide(AGENT, session, MessageUnderstood(NOW, commands))


def returned(decision: Decision, *, ok: bool = True, error: str = "", **outputs: str | int) -> Decision:
    running = decision.progress.running
    assert running
    result = ToolResult(running[0].call_id, running[0].tool, ok=ok, outputs=outputs, error=error)
    return decide(AGENT, decision.session, ToolsReturned(NOW, (result,)), decision.progress)


def said(decision: Decision) -> list[str]:
    return [effect.line.text for effect in decision.effects if isinstance(effect, Say | Ask | AskYes | AskSwitch)]


def calls(decision: Decision) -> list[RunTool]:
    return [effect for effect in decision.effects if isinstance(effect, RunTool)]


SEARCHING = tell(start(), StartFlow("trip"), SetSlot("city", "Lima"), SetSlot("people", 2))
SHOWN = returned(SEARCHING, found=3)


def test_a_tool_is_ordered_with_the_slots_of_its_parameters() -> None:
    (call,) = calls(SEARCHING)
    assert (call.tool, call.arguments) == ("search", {"city": "Lima", "people": 2})
    assert SEARCHING.states[-2:] == ("ready_for_action", "executing_action")


def test_the_same_call_has_the_same_id() -> None:
    again = tell(start(), StartFlow("trip"), SetSlot("city", "Lima"), SetSlot("people", 2))
    other = tell(start(), StartFlow("trip"), SetSlot("city", "Lima"), SetSlot("people", 3))
    assert calls(again)[0].call_id == calls(SEARCHING)[0].call_id != calls(other)[0].call_id


def test_outputs_land_in_slots_and_the_flow_goes_on() -> None:
    assert SHOWN.session.slots["options"] == 3
    assert said(SHOWN) == ["3 a Lima para 2. ¿Va?"]
    assert SHOWN.session.version == SEARCHING.session.version


def test_a_yes_runs_the_tool_that_needs_it() -> None:
    booking = tell(SHOWN.session, Affirm())
    assert [call.tool for call in calls(booking)] == ["book"]
    done = returned(booking, code="AB12")
    assert said(done) == ["Código AB12."]
    assert Complete("trip") in done.effects
    assert done.session.stack == ()


def test_a_no_never_runs_it() -> None:
    assert calls(tell(SHOWN.session, Deny())) == []


def test_a_change_after_the_search_searches_again_before_it_asks() -> None:
    changed = tell(SHOWN.session, Affirm(), CorrectSlot("people", 5))
    assert [call.tool for call in calls(changed)] == ["search"]
    assert calls(changed)[0].arguments["people"] == 5
    assert isinstance(returned(changed, found=1).session.pending, AskedYes)


def test_a_yes_to_another_summary_is_no_yes() -> None:
    booking = tell(SHOWN.session, Affirm()).session
    tampered = replace(booking, slots={**booking.slots, "city": "Cusco"})
    redone = decide(AGENT, tampered, MessageUnderstood(NOW))
    assert [effect for effect in redone.effects if isinstance(effect, AskYes)]  # the summary is shown again
    assert calls(redone) == []


def test_a_writing_tool_without_a_confirmation_never_runs() -> None:
    decision = tell(start(), StartFlow("unguarded"), SetSlot("city", "Lima"))
    assert calls(decision) == []
    assert decision.session.handoff is not None
    assert "has not said yes" in decision.session.handoff.reason


def test_a_failed_call_is_tried_again_with_the_same_id_and_then_takes_the_way_out() -> None:
    second = returned(SEARCHING, ok=False, error="down")
    assert calls(second)[0].call_id == calls(SEARCHING)[0].call_id
    third = returned(second, ok=False, error="down")
    assert said(third) == ["No puedo buscar."]
    assert third.session.counters.errors == 1
    assert third.errors == ("search: down",)


def test_an_error_without_a_way_out_never_says_done() -> None:
    failed = returned(tell(SHOWN.session, Affirm()), ok=False, error="no seats")
    assert "error" in failed.states
    assert not any("Código" in text for text in said(failed))
    assert failed.session.stack == ()
    assert failed.session.state == "idle"


def test_two_errors_in_a_row_call_a_person() -> None:
    once = returned(returned(SEARCHING, ok=False, error="a"), ok=False, error="b").session
    again = tell(once, StartFlow("trip"), SetSlot("city", "Lima"), SetSlot("people", 2))
    twice = returned(returned(again, ok=False, error="c"), ok=False, error="d")
    assert twice.session.handoff is not None
    assert twice.session.handoff.policy == "errors"


def test_a_good_result_clears_the_errors() -> None:
    once = returned(returned(SEARCHING, ok=False, error="a"), ok=False, error="b").session
    again = tell(once, StartFlow("trip"), SetSlot("city", "Lima"), SetSlot("people", 2))
    assert returned(again, found=0).session.counters.errors == 0


def test_an_output_that_its_slot_does_not_take_is_an_error() -> None:
    second = returned(SEARCHING, found="many")
    assert calls(second)
    assert "options" not in second.session.slots


def test_a_result_that_nobody_waits_for_changes_nothing() -> None:
    late = ToolsReturned(NOW, (ToolResult("other", "search", ok=True, outputs={"found": 9}),))
    assert decide(AGENT, SHOWN.session, late).session.slots == SHOWN.session.slots


def test_a_flow_that_starts_again_asks_anew() -> None:
    done = returned(tell(SHOWN.session, Affirm()), code="AB12").session
    again = tell(done, StartFlow("trip"))
    assert again.session.pending == AskedSlot("city")
    assert "options" not in again.session.slots


# --- rounds, waits, interruptions, offers ---------------------------------------------------------------


def test_a_block_is_repeated_until_its_guard_holds() -> None:
    session = tell(start(), StartFlow("guests")).session
    session = tell(session, SetSlot("guest", "Ana")).session
    again = tell(session, SetSlot("more", value=True))
    assert again.session.pending == AskedSlot("guest")
    session = tell(again.session, SetSlot("guest", "Luz")).session
    assert said(tell(session, SetSlot("more", value=False))) == ["Anotados."]


def test_rounds_are_bounded() -> None:
    session = tell(start(), StartFlow("guests")).session
    for _ in range(3):
        session = tell(session, SetSlot("guest", "Ana")).session
        decision = tell(session, SetSlot("more", value=True))
        session = decision.session
    assert said(decision) == ["Anotados."]


def test_another_round_asks_for_all_of_its_slots_before_it_calls_a_tool() -> None:
    first = tell(start(), StartFlow("tour"), SetSlot("city", "Lima"), SetSlot("people", 2))
    session = tell(returned(first).session, SetSlot("more", value=True)).session
    asked = tell(session, SetSlot("city", "Cali"))
    assert (calls(asked), asked.session.pending) == ([], AskedSlot("people"))
    (call,) = calls(tell(asked.session, SetSlot("people", 3)))
    assert call.arguments == {"city": "Cali", "people": 3}


def test_a_wait_goes_on_by_its_timer() -> None:
    waiting = tell(start(), StartFlow("pause"))
    assert waiting.session.pending == Waiting("wait.pause.wait_2")
    assert waiting.session.timers == {"wait.pause.wait_2": NOW + timedelta(minutes=2)}
    meanwhile = tell(waiting.session)
    assert meanwhile.session.pending == waiting.session.pending
    assert said(decide(AGENT, meanwhile.session, TimerFired(NOW, "wait.pause.wait_2"))) == ["Sigo."]


def test_a_flow_that_may_not_be_interrupted_silently_asks_first() -> None:
    session = tell(start(), StartFlow("trip"), SetSlot("city", "Lima")).session
    asked = tell(session, StartFlow("pause"))
    assert asked.session.pending == AskedSwitch("pause")
    assert [frame.flow for frame in tell(asked.session, Affirm()).session.stack] == ["trip", "pause"]
    assert tell(asked.session, Deny()).session.pending == AskedSlot("people")


def test_a_release_does_not_hand_off_again() -> None:
    handed = tell(start(), StartFlow("person")).session
    released = decide(AGENT, handed, Released(NOW))
    assert released.session.status == "active"
    assert released.session.stack == ()


def test_an_ambiguous_value_is_asked_for_with_choices() -> None:
    decision = tell(start(), StartFlow("trip"), OfferValues("city", ("San José (CR)", "San José (US)")))
    assert decision.session.pending == AskedSlot("city", offered=("San José (CR)", "San José (US)"))


def test_a_value_that_a_tool_rejects_is_explained_and_counted() -> None:
    decision = tell(tell(start(), StartFlow("trip")).session, RejectSlot("city", "Atlantis"))
    assert decision.session.counters.invalid == {"city": 1}
    assert decision.session.pending == AskedSlot("city")


# --- the scenario of seed 003 ---------------------------------------------------------------------------


FLIGHTS = parse(
    """\
agent: flights
slots:
  origin: {type: text, ask: ¿De dónde sales?}
  destination: {type: text, ask: ¿A dónde vas?}
flows:
  book_flight:
    starts: [quiero reservar un vuelo]
    steps:
      - collect: origin
      - collect: destination
      - confirm: "Origen: {origin}, Destino: {destination}. ¿Correcto?"
      - do: search_flights
""",
    toolbox={"search_flights": ToolSpec("search_flights", {"origin": True, "destination": True})},
)


def test_the_scenario_of_the_seed_step_by_step() -> None:
    decision = Decision(Session(id="s", agent="flights", agent_version="", started_at=NOW, last_at=NOW))
    path: list[str] = []
    for event in (
        MessageUnderstood(NOW, (StartFlow("book_flight"),)),
        MessageUnderstood(NOW, (SetSlot("origin", "MAD"),)),
        MessageUnderstood(NOW, (SetSlot("destination", "BCN"),)),
        MessageUnderstood(NOW, (Affirm(),)),
        None,
    ):
        if event is None:
            assert decision.progress.running
            result = ToolResult(decision.progress.running[0].call_id, "search_flights", ok=True)
            happened: Event = ToolsReturned(NOW, (result,))
        else:
            happened = event
        decision = decide(FLIGHTS, decision.session, happened, decision.progress)
        path += map(str, decision.states[1:])
    assert path == [
        "understanding", "waiting_for_slot",
        "understanding", "validating_slot", "waiting_for_slot",
        "understanding", "validating_slot", "ready_for_confirmation", "confirming",
        "understanding", "ready_for_action", "executing_action",
        "completed", "idle",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "commands", [(Affirm(), Affirm()), (Deny(), Deny()), (CorrectSlot(), CorrectSlot("city", "Cusco"))]
)
def test_contradictory_commands_in_one_message_never_break_the_table(commands: tuple[Command, ...]) -> None:
    tell(SHOWN.session, *commands)


# --- what a yes is good for -----------------------------------------------------------------------------


SHOP = parse(
    """\
agent: shop
slots:
  n: {type: number, ask: ¿Cuántos?}
  m: {type: email, required: false, ask: ¿Correo?}
  z: {type: text, ask: ¿Zona?}
  price: {type: number}
flows:
  buy:
    starts: [quiero comprar]
    steps:
      - collect: [n, m]
      - do: quote
        into: {price: price}
      - confirm: "{n} por {price}. ¿Va?"
        no: end
      - do: pay
      - collect: z
      - say: "Hecho."
  zone:
    starts: [cambiar la zona]
    steps: [{collect: z}]
  outer:
    starts: [con zona]
    steps:
      - call: zone
      - confirm: "Zona {z}. ¿Va?"
      - do: pay
""",
    toolbox={
        "quote": ToolSpec("quote", {"n": True, "m": False}),
        "pay": ToolSpec("pay", {"n": False}, writes=True, needs_yes=True),
    },
)


def shop(session: Session, *commands: Command) -> Decision:
    return decide(SHOP, session, MessageUnderstood(NOW, commands))


def answered(decision: Decision, **outputs: int) -> Decision:
    running = decision.progress.running
    assert running
    return decide(
        SHOP,
        decision.session,
        ToolsReturned(NOW, (ToolResult(running[0].call_id, running[0].tool, ok=True, outputs=outputs),)),
        decision.progress,
    )


def quoted() -> Session:
    asking = shop(start(), StartFlow("buy"), SetSlot("n", 2), SkipSlot("m"))
    return answered(asking, price=10).session


def test_a_button_of_an_older_question_answers_nothing() -> None:
    decision = shop(quoted(), Affirm("another digest"))
    assert calls(decision) == []
    assert decision.refused[0].reason == "this answers an older question"
    pending = quoted().pending
    assert isinstance(pending, AskedYes)
    assert [call.tool for call in calls(shop(quoted(), Affirm(pending.digest)))] == ["pay"]


def test_an_optional_slot_given_late_asks_the_tool_again() -> None:
    assert [call.tool for call in calls(shop(quoted(), SetSlot("m", "a@b.co")))] == ["quote"]


def test_a_change_inside_another_flow_makes_the_results_below_stale() -> None:
    inside = shop(quoted(), StartFlow("zone")).session
    changed = shop(inside, CorrectSlot("n", 5)).session
    back = shop(changed, SetSlot("z", "sur"))
    assert [call.tool for call in calls(back)] == ["quote"]


def test_a_no_at_the_end_leaves_the_flow_without_thanks() -> None:
    decision = shop(quoted(), Deny())
    assert said(decision) == ["Listo, lo dejamos aquí. Cuando quieras retomarlo, escríbeme."]
    assert Complete("buy") not in decision.effects


def test_what_went_into_something_done_does_not_change_by_talking() -> None:
    paid = answered(shop(quoted(), Affirm()))
    assert paid.session.pending == AskedSlot("z")
    decision = shop(paid.session, CorrectSlot("n", 6))
    assert decision.session.slots["n"] == 2
    assert "does not change by talking" in decision.refused[0].reason


def test_a_slot_that_tools_fill_is_not_for_contacts() -> None:
    decision = shop(quoted(), SetSlot("price", 0))
    assert decision.session.slots["price"] == 10
    assert decision.refused[0].reason == "price is filled by tools"


def test_cancelling_a_called_flow_leaves_its_caller_too() -> None:
    inside = shop(start(), StartFlow("outer")).session
    assert [frame.flow for frame in inside.stack] == ["outer", "zone"]
    assert shop(inside, CancelFlow()).session.stack == ()


def test_a_yes_survives_a_flow_that_interrupts() -> None:
    paid = answered(shop(quoted(), Affirm())).session
    assert paid.stack[0].yes is not None
    through = shop(shop(paid, StartFlow("zone")).session, SetSlot("z", "sur"))
    assert Complete("zone") in through.effects


def test_a_wait_that_was_interrupted_is_over_when_its_timer_fires() -> None:
    waiting = tell(start(), StartFlow("pause")).session
    inside = tell(waiting, StartFlow("guests")).session
    fired = decide(AGENT, inside, TimerFired(NOW, "wait.pause.wait_2")).session
    assert fired.stack[0].step == "say_3"


def test_a_cancelled_wait_takes_its_timer_with_it() -> None:
    waiting = tell(start(), StartFlow("pause")).session
    assert tell(waiting, CancelFlow()).session.timers == {}


def test_a_message_during_a_wait_gets_a_word() -> None:
    waiting = tell(start(), StartFlow("pause")).session
    assert said(tell(waiting, SetSlot("guest", "Ana")))


# --- outcomes that nobody knows, answers to what was not shown ------------------------------------------

ONCE = replace(
    AGENT,
    toolbox={**TOOLBOX, "book": ToolSpec("book", {"city": True}, writes=True, needs_yes=True, idempotent=False)},
)
BOOKING = tell(SHOWN.session, Affirm())


def outcome(decision: Decision, *, ok: bool = False, unknown: bool = False, **outputs: str | int) -> Decision:
    running = decision.progress.running
    assert running
    result = ToolResult(running[0].call_id, running[0].tool, ok=ok, outputs=outputs, error="no answer", unknown=unknown)
    return decide(ONCE, decision.session, ToolsReturned(NOW, (result,)), decision.progress)


def test_an_unknown_outcome_calls_a_person_at_once() -> None:
    parked = outcome(BOOKING, unknown=True)
    assert HandOff("unknown_outcome", "nobody knows whether book was done: no answer") in parked.effects
    assert parked.session.status == "handed_off"
    assert parked.errors == ("book: outcome unknown: no answer",)
    assert not any(isinstance(effect, Complete) for effect in parked.effects)
    assert parked.session.finished == ()


def test_an_unknown_outcome_is_neither_tried_again_nor_taken_for_a_failure() -> None:
    parked = outcome(SEARCHING, unknown=True)  # this step has two attempts and a way out
    assert calls(parked) == []
    assert "No puedo buscar." not in said(parked)
    assert parked.session.unsure == ("trip",)


def test_a_release_does_not_repeat_what_may_have_been_done() -> None:
    released = decide(ONCE, outcome(BOOKING, unknown=True).session, Released(NOW))
    assert calls(released) == []
    assert released.session.stack == ()
    assert calls(decide(ONCE, released.session, MessageUnderstood(NOW, (SetSlot("people", 2),)))) == []


def test_an_opening_flow_of_unknown_outcome_does_not_begin_again_by_itself() -> None:
    opening = replace(ONCE.flows["trip"], starts=("always",))
    agent = replace(ONCE, flows={**ONCE.flows, "trip": opening})
    session = decide(agent, outcome(BOOKING, unknown=True).session, Released(NOW)).session
    session = decide(agent, session, MessageUnderstood(NOW, (SetSlot("people", 3),))).session
    assert session.stack == ()
    asked = decide(agent, session, MessageUnderstood(NOW, (StartFlow("trip"),))).session
    assert [frame.flow for frame in asked.stack] == ["trip"]  # who asks for it again gets it
    assert asked.unsure == ()


def test_a_call_that_was_made_but_gave_nonsense_is_not_made_again() -> None:
    searching = replace(
        ONCE, toolbox={**TOOLBOX, "search": replace(TOOLBOX["search"], idempotent=False)}
    )  # what it found does not fit its slot, yet it was done
    running = SEARCHING.progress.running
    assert running
    result = ToolResult(running[0].call_id, "search", ok=True, outputs={"found": "many"})
    parked = decide(searching, SEARCHING.session, ToolsReturned(NOW, (result,)), SEARCHING.progress)
    assert calls(parked) == []
    assert parked.session.handoff is not None
    assert parked.session.handoff.policy == "unknown_outcome"


def test_a_yes_written_before_the_question_was_sent_is_no_yes() -> None:
    early = decide(AGENT, SHOWN.session, MessageUnderstood(NOW, (Affirm(),), early=True))
    assert calls(early) == []
    assert [refusal.reason for refusal in early.refused] == ["the question had not been sent yet"]
    assert said(early) == ["Antes de confirmar, mira esto, por favor.", "3 a Lima para 2. ¿Va?"]
    assert isinstance(early.session.pending, AskedYes)
    assert [call.tool for call in calls(tell(early.session, Affirm()))] == ["book"]


def test_a_button_says_what_it_answers_however_early() -> None:
    pending = SHOWN.session.pending
    assert isinstance(pending, AskedYes)
    pressed = decide(AGENT, SHOWN.session, MessageUnderstood(NOW, (Affirm(pending.digest),), early=True))
    assert [call.tool for call in calls(pressed)] == ["book"]


def test_an_early_value_is_a_value() -> None:
    early = decide(AGENT, SHOWN.session, MessageUnderstood(NOW, (SetSlot("people", 4),), early=True))
    assert early.session.slots["people"] == 4


@pytest.mark.parametrize("flow", CIRCLES)
def test_steps_that_call_tools_in_a_circle_end_with_a_person(flow: str) -> None:
    decision, calls, fine = tell(start(), StartFlow(flow)), 0, flow == "around"
    while decision.progress.running:
        calls += 1
        (call,) = decision.progress.running
        result = ToolResult(call.call_id, call.tool, ok=fine, tell="" if fine else "No hay.")
        decision = decide(AGENT, decision.session, ToolsReturned(NOW, (result,)), decision.progress)
    assert calls == (MAX_CALLS if fine else 1)  # what a tool told is not asked of it again with the same values
    assert decision.session.handoff is not None
    assert decision.session.handoff.reason == f"the flow {flow} runs in a circle"
    released = decide(AGENT, decision.session, Released(NOW))
    assert not [each for each in released.effects if isinstance(each, RunTool)]  # it is not begun again
    assert not released.progress.steps_called  # another turn counts anew
