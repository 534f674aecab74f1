"""Modes: they gate the tools, and whoever asks, only declared changes whose needs are met are made."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from hilo.agent.flow import Flow
from hilo.agent.modes import Entrance
from hilo.agent.steps.say import SayStep
from hilo.dialogue.commands import Affirm, AskInfo, CallTool, Deny, Reply, RequestHuman, SetSlot, StartFlow
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import CancelTimer, SetTimer
from hilo.dialogue.events import OperatorTookOver, Paused, Released, Resumed, TimerFired
from hilo.dialogue.session import AskedSlot, Session
from hilo.dialogue.timers import UNANSWERED
from kiosk import AGENT, MINUTE, NOW, give, go_on, happen, policies, reasons, runs, said, start, tell

ADD = CallTool("add", {"product": "coca"})
NUDGE, GIVE_UP, EVENING = "timer.ORDER.nudge", "timer.ORDER.give_up", "timer.ORDER.evening"


def ordered() -> Decision:
    """A session with something in its cart."""
    return give(tell(start(), ADD), {"outputs": {"cart": "una coca"}})


def at(session: Session, name: str, when: datetime) -> Decision:
    return decide(AGENT, session, TimerFired(when, name))


# --- the gate -------------------------------------------------------------------------------------------


def test_a_session_begins_in_the_first_mode() -> None:
    assert start().mode == "IDLE"
    assert tell(start()).session.mode == "IDLE"


def test_a_tool_that_the_mode_does_not_allow_is_refused() -> None:
    refused = tell(start(), CallTool("clear"))
    assert runs(refused) == []
    assert reasons(refused) == ["clear is not allowed in the mode IDLE"]
    assert [run.tool for run in runs(tell(ordered().session, CallTool("clear")))] == ["clear"]


def test_an_agent_without_modes_allows_all_its_tools() -> None:
    free = replace(AGENT, modes={}, flows={})
    assert [run.tool for run in runs(tell(start(free), CallTool("clear"), agent=free))] == ["clear"]


def test_a_mode_that_this_version_does_not_have_is_left_for_the_first_one() -> None:
    old = replace(start(), mode="GONE")
    assert tell(old, ADD).session.mode == "IDLE"
    assert give(tell(old, ADD)).session.mode == "ORDER"


# --- changes --------------------------------------------------------------------------------------------


def test_a_tool_leads_to_another_mode_by_having_run() -> None:
    asked = tell(start(), ADD)
    assert asked.session.mode == "IDLE"
    done = give(asked, {"outputs": {"cart": "una coca"}})
    assert done.session.mode == "ORDER"
    assert done.modes == (("IDLE", "ORDER"),)
    assert done.session.slots["cart"] == "una coca"


def test_a_tool_that_failed_leads_nowhere() -> None:
    failed = give(tell(start(), ADD), {"ok": False, "error": "out of order"})
    assert failed.session.mode == "IDLE"
    assert failed.modes == ()


def test_a_step_that_has_nothing_to_ask_does_not_enter_its_mode() -> None:
    known = replace(ordered().session, slots={"name": "Ana", "cart": "una coca"})
    stuck = tell(known, StartFlow("checkout"), SetSlot("name", "Ana"))
    assert policies(stuck) == ["mode"]
    assert stuck.errors == ("ORDER does not lead to PAYING",)


def test_asking_enters_the_mode_of_the_step() -> None:
    asking = tell(ordered().session, StartFlow("checkout"))
    assert asking.session.mode == "DETAILS"
    assert asking.session.pending == AskedSlot("name")
    shown = tell(asking.session, SetSlot("name", "Ana"))
    assert shown.session.mode == "PAYING"
    assert said(shown)[-1] == "¿Pagas una coca, Ana?"


def test_a_flow_goes_to_its_end_through_all_its_modes() -> None:
    shown = tell(tell(ordered().session, StartFlow("checkout")).session, SetSlot("name", "Ana"))
    paying = tell(shown.session, Affirm())
    assert [run.tool for run in runs(paying)] == ["pay"]
    done = give(paying)
    assert done.session.mode == "DONE"
    assert done.modes == (("PAYING", "DONE"),)


def test_a_mode_that_begins_with_a_flow_lets_it_go_first() -> None:
    shown = tell(tell(ordered().session, StartFlow("checkout")).session, SetSlot("name", "Ana"))
    done = give(tell(shown.session, Affirm()))
    assert said(done) == ["Gracias.", "¿Ciudad?"]
    assert [frame.flow for frame in done.session.stack] == ["checkout", "survey"]
    after = tell(done.session, SetSlot("city", "Lima"))
    assert said(after)[0] == "Gracias por opinar."
    assert said(after)[-1] == "Listo."
    assert after.session.stack == ()


def test_a_tool_that_leads_to_a_mode_with_a_flow_goes_on_after_its_step() -> None:
    modes = {**AGENT.modes, "ORDER": replace(AGENT.modes["ORDER"], enter=Entrance(start="survey"))}
    agent = replace(AGENT, modes=modes)
    asking = give(tell(start(agent), ADD, agent=agent), agent=agent)
    assert said(asking)[-1] == "¿Ciudad?"
    assert asking.session.mode == "ORDER"


def test_a_no_leads_to_the_mode_that_it_names_and_leaves_the_flow() -> None:
    shown = tell(tell(ordered().session, StartFlow("checkout")).session, SetSlot("name", "Ana"))
    back = tell(shown.session, Deny())
    assert back.session.mode == "ORDER"
    assert back.session.stack == ()
    assert back.session.pending is None
    assert runs(tell(back.session, Affirm())) == []


# --- needs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slots", "sent", "lacks"),
    [
        ({"cart": "una coca"}, {"promos": 1}, "name"),
        ({"cart": "una coca", "name": "Ana"}, {}, "promos"),
        ({"cart": "nada", "name": "Ana"}, {"promos": 1}, "cart != 'nada'"),
        ({"cart": "nada"}, {}, "name, promos, cart != 'nada'"),
    ],
)
def test_a_mode_is_not_entered_without_what_it_needs(slots: dict[str, str], sent: dict[str, int], lacks: str) -> None:
    session = replace(start(), mode="DETAILS", slots=slots, templates_sent=sent)
    stopped = tell(session, StartFlow("quick"))
    assert policies(stopped) == ["mode"]
    assert stopped.errors == (f"PAYING needs {lacks}",)
    assert "Voy." not in said(stopped)


def test_a_mode_is_entered_with_all_that_it_needs() -> None:
    slots, sent = {"cart": "una coca", "name": "Ana"}, {"promos": 1}
    session = replace(start(), mode="DETAILS", slots=slots, templates_sent=sent)
    entered = tell(session, StartFlow("quick"))
    assert entered.session.mode == "PAYING"
    assert ("mode DETAILS", "cart != 'nada'", True) in entered.guards


@pytest.mark.parametrize("mode", ["IDLE", "ORDER", "DONE", "OFFERS"])
def test_no_mode_is_skipped_even_with_all_that_is_needed(mode: str) -> None:
    slots, sent = {"cart": "una coca", "name": "Ana"}, {"promos": 1}
    session = replace(start(), mode=mode, slots=slots, templates_sent=sent)
    stopped = tell(session, StartFlow("quick"))
    assert stopped.errors == (f"{mode} does not lead to PAYING",)
    assert policies(stopped) == ["mode"]
    assert stopped.session.stack == ()


def test_a_flow_that_could_not_enter_its_mode_does_not_begin_again_by_a_release() -> None:
    stopped = tell(start(), StartFlow("quick"))
    released = decide(AGENT, stopped.session, Released(NOW))
    assert released.session.status == "active"
    assert released.session.stack == ()


def test_only_a_handoff_leads_to_the_mode_of_the_operator() -> None:
    sneaky = Flow(starts=("x",), steps=(SayStep(name="a", say="promos", mode="PERSON"),))
    modes = {**AGENT.modes, "IDLE": replace(AGENT.modes["IDLE"], to=("PERSON",))}
    agent = replace(AGENT, flows={**AGENT.flows, "sneaky": sneaky}, modes=modes)
    assert tell(start(agent), StartFlow("sneaky"), agent=agent).errors == ("only a handoff leads to PERSON",)


# --- timers of a mode -----------------------------------------------------------------------------------


def test_entering_a_mode_makes_its_promises_and_leaving_it_takes_them_back() -> None:
    order = ordered()
    assert {NUDGE, GIVE_UP, EVENING} <= set(order.session.timers)
    assert order.session.timers[NUDGE] == NOW + 10 * MINUTE
    cleared = give(tell(order.session, CallTool("clear")))
    assert cleared.session.mode == "IDLE"
    assert {CancelTimer(NUDGE), CancelTimer(GIVE_UP), CancelTimer(EVENING)} <= set(cleared.effects)
    assert not any(name.startswith("timer.ORDER.") for name in cleared.session.timers)


def test_a_message_moves_the_silence_of_a_mode_and_not_its_time_of_day() -> None:
    order = ordered().session
    later = tell(order, AskInfo("hours"), at=NOW + 5 * MINUTE).session
    assert later.timers[NUDGE] == NOW + 15 * MINUTE
    assert later.timers[EVENING] == order.timers[EVENING]


def test_silence_counts_in_a_mode_even_when_nothing_is_asked() -> None:
    order = ordered().session
    assert order.pending is None
    nudged = at(order, NUDGE, NOW + 10 * MINUTE)
    assert said(nudged) == ["¿Seguimos?"]


def test_one_timer_does_not_move_another_of_the_same_mode() -> None:
    done = replace(ordered().session, counters=replace(ordered().session.counters, flows=1))
    nudged = at(done, NUDGE, NOW + 10 * MINUTE).session
    assert nudged.timers[GIVE_UP] == NOW + timedelta(hours=2)


def test_a_timer_of_a_mode_speaks_as_often_as_it_may_and_afresh_when_the_mode_is_entered_again() -> None:
    session = ordered().session
    for times in (1, 2):
        session = at(session, NUDGE, NOW + times * 10 * MINUTE).session
    assert NUDGE not in session.timers
    assert session.fired == {"ORDER.nudge": 2}
    cleared = give(tell(session, CallTool("clear"))).session
    again = give(tell(cleared, ADD)).session
    assert again.fired == {}
    assert again.timers[NUDGE] == NOW + 10 * MINUTE
    assert said(at(again, NUDGE, NOW + 20 * MINUTE)) != []


def test_a_timer_may_lead_to_another_mode() -> None:
    gone = at(ordered().session, GIVE_UP, NOW + timedelta(hours=2))
    assert gone.session.mode == "IDLE"
    assert gone.modes == (("ORDER", "IDLE"),)
    assert NUDGE not in gone.session.timers


def test_a_timer_leads_only_where_the_mode_leads() -> None:
    session = tell(start()).session
    assert at(session, "timer.offers", NOW + 30 * MINUTE).session.mode == "OFFERS"
    order = ordered().session
    stuck = at(order, "timer.offers", NOW + 30 * MINUTE)
    assert stuck.session.mode == "ORDER"
    assert stuck.errors == ("ORDER does not lead to OFFERS",)


def test_a_timer_of_a_mode_that_was_left_says_nothing() -> None:
    session = replace(start(), timers={NUDGE: NOW})
    assert said(at(session, NUDGE, NOW)) == []


def test_a_pause_takes_the_promises_of_a_mode_back_and_a_resume_makes_them_again() -> None:
    paused = happen(ordered().session, Paused(NOW))
    assert paused.timers == {}
    resumed = happen(paused, Resumed(NOW + MINUTE))
    assert resumed.timers[NUDGE] == NOW + 11 * MINUTE
    assert EVENING in resumed.timers


# --- people ---------------------------------------------------------------------------------------------


def test_a_handoff_enters_the_mode_of_the_operator_and_a_release_leaves_it() -> None:
    handed = tell(ordered().session, RequestHuman("x"))
    assert handed.session.mode == "PERSON"
    assert handed.modes[-1] == ("ORDER", "PERSON")
    assert handed.session.timers.keys() == {UNANSWERED}
    due = handed.session.timers[UNANSWERED]
    assert decide(AGENT, handed.session, TimerFired(due, UNANSWERED, due)).session.mode == "ORDER"
    released = decide(AGENT, handed.session, Released(NOW))
    assert released.session.mode == "IDLE"
    assert decide(AGENT, handed.session, Released(NOW, mode="ORDER")).session.mode == "ORDER"
    assert SetTimer(NUDGE, NOW + 10 * MINUTE) in decide(AGENT, handed.session, Released(NOW, mode="ORDER")).effects


@pytest.mark.parametrize("mode", ["PERSON", "GONE"])
def test_a_release_into_a_mode_that_is_not_the_agents_is_one_into_the_first(mode: str) -> None:
    handed = happen(ordered().session, OperatorTookOver(NOW))
    assert happen(handed, Released(NOW, mode=mode)).mode == "IDLE"


def test_a_flow_that_leads_through_modes_is_over_when_a_release_changes_the_mode() -> None:
    asking = tell(ordered().session, StartFlow("checkout")).session
    released = happen(asking, OperatorTookOver(NOW), Released(NOW))
    assert released.status == "active"
    assert released.mode == "IDLE"
    assert released.stack == ()


def test_a_flow_without_modes_goes_on_after_a_release() -> None:
    asking = tell(ordered().session, StartFlow("survey")).session
    released = happen(asking, OperatorTookOver(NOW), Released(NOW))
    assert released.pending == AskedSlot("city")


# --- the bridge -----------------------------------------------------------------------------------------


def test_after_an_answer_beside_the_point_the_mode_leads_back() -> None:
    told = tell(ordered().session, AskInfo("hours"), intent="hours", confidence=90)
    assert said(told) == ["Abrimos a las 9.", "Tienes una coca."]


def test_after_what_a_model_looked_up_the_mode_leads_back() -> None:
    looking = tell(ordered().session, CallTool("search", {"text": "pan"}, "c1"), floor=True)
    found = give(looking, {"outputs": {"found": "pan"}})
    assert said(go_on(found, Reply("Sí, hay pan."))) == ["Sí, hay pan.", "Tienes una coca."]
    adding = give(go_on(found, CallTool("add", {"product": "pan"}, "c2"), floor=True), {"outputs": {"cart": "pan"}})
    assert said(go_on(adding, Reply("Agregué pan."))) == ["Agregué pan."]


def test_after_a_search_the_mode_leads_back_and_after_an_order_it_does_not() -> None:
    looking = tell(ordered().session, CallTool("search", {"text": "pan"}), intent="find", confidence=90)
    assert said(give(looking, {"outputs": {"found": "pan"}})) == ["Hay pan.", "Tienes una coca."]
    adding = tell(ordered().session, ADD, intent="empty", confidence=90)
    assert said(give(adding, {"outputs": {"cart": "dos cocas"}})) == ["Agregué coca: dos cocas."]


def test_the_way_back_stands_before_an_open_question() -> None:
    asking = tell(ordered().session, StartFlow("survey")).session
    told = tell(asking, AskInfo("hours"), intent="hours", confidence=90)
    assert said(told) == ["Abrimos a las 9.", "Tienes una coca.", "¿Ciudad?"]


def test_a_step_keeps_what_its_tool_found() -> None:
    shown = tell(tell(ordered().session, StartFlow("checkout")).session, SetSlot("name", "Ana"))
    paid = give(tell(shown.session, Affirm()), {"outputs": {"cart": "pagado"}})
    assert paid.session.slots["cart"] == "pagado"
