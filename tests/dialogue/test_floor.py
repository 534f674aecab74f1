"""A model that has the floor: the dialogue says nothing of its own before the model's last word."""

from dataclasses import replace

import pytest

from hilo.app.replay import fold
from hilo.dialogue.commands import (
    Affirm,
    CallTool,
    Command,
    CorrectSlot,
    Reply,
    RequestHuman,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.decide import MAX_SUMMARY, decide
from hilo.dialogue.draft import Decision, continued
from hilo.dialogue.effects import AskYes
from hilo.dialogue.events import (
    Event,
    MessageUnderstood,
    ModelAnswered,
    Summarised,
    TimerFired,
    Told,
    ToolResult,
    ToolsReturned,
)
from hilo.dialogue.session import Session, Summary, from_json, to_json
from hilo.dialogue.states import RESTING
from hilo.dialogue.stored import decode, encode
from kiosk import AGENT, NOW, give, go_on, policies, reasons, runs, said, start, tell

PAN = CallTool("search", {"text": "pan"}, "c1")
ADD = CallTool("add", {"product": "coca"}, "c2")


def in_order() -> Session:
    """A session that was greeted, with something in its cart."""
    return give(tell(start(), ADD), {"outputs": {"cart": "una coca"}}).session


def shown() -> Session:
    """A session that was shown what it is to say yes to."""
    return tell(tell(in_order(), StartFlow("checkout")).session, SetSlot("name", "Ana")).session


def test_nothing_is_asked_or_said_until_the_last_word() -> None:
    heard = tell(in_order(), StartFlow("survey"), floor=True)
    assert said(heard) == []
    assert heard.progress.model_turn_open
    more = go_on(heard, PAN, floor=True)
    assert said(more) == []
    found = give(more, {"outputs": {"found": "pan"}})
    assert said(found) == []
    assert [each.tool for each in found.progress.unsaid] == ["search"]
    last = go_on(found, Reply("Sí, hay pan."))
    assert said(last) == ["Sí, hay pan.", "¿Ciudad?"]
    assert (last.progress.model_turn_open, last.progress.unsaid, last.progress.running) == (False, (), ())


def test_results_that_the_model_did_not_word_are_told_by_their_templates() -> None:
    found = give(tell(in_order(), PAN, floor=True), {"outputs": {"found": "pan"}})
    assert said(go_on(found)) == ["Hay pan.", "Tienes una coca."]


def test_results_are_told_before_a_question_that_the_model_has_asked_for() -> None:
    named = tell(in_order(), SetSlot("name", "Ana")).session
    found = give(tell(named, PAN, floor=True), {"outputs": {"found": "pan"}})
    asked = go_on(found, CorrectSlot("name"), Reply("Hay."))
    assert said(asked)[0] == "Hay pan."
    assert asked.session.state == "waiting_for_slot"
    assert asked.progress.unsaid == ()
    assert reasons(asked) == ["the message has already led to a question or to a person"]


def test_a_yes_said_while_the_model_has_the_floor_is_kept_to_its_last_word() -> None:
    heard = tell(shown(), Affirm(), floor=True)
    assert runs(heard) == []
    paying = go_on(heard)
    assert [run.tool for run in runs(paying)] == ["pay"]


def test_a_yes_that_a_model_takes_from_the_message_is_one_to_what_was_shown() -> None:
    heard = tell(shown(), floor=True)
    assert [run.tool for run in runs(go_on(go_on(heard, Affirm(), floor=True)))] == ["pay"]


def test_a_value_that_changes_after_the_yes_needs_another_one() -> None:
    heard = tell(shown(), Affirm(), floor=True)
    asked = go_on(heard, SetSlot("name", "Eva"))
    assert runs(asked) == []
    assert any(isinstance(effect, AskYes) for effect in asked.effects)


def test_a_yes_of_one_turn_is_none_in_the_next() -> None:
    left = tell(shown(), Affirm(), floor=True)
    assert left.progress.confirmed is not None
    assert runs(tell(left.session, SetSlot("city", "Lima"))) == []
    assert decide(AGENT, left.session, TimerFired(NOW, "nope"), left.progress).progress.confirmed is None


def test_a_question_that_was_answered_is_not_asked_again_after_the_last_word() -> None:
    named = tell(in_order(), SetSlot("name", "Ana"), SetSlot("city", "Lima")).session
    which = tell(named, CorrectSlot()).session
    heard = tell(which, SetSlot("name", "Eva"), floor=True)
    last = go_on(heard, Reply("Corregido."))
    assert said(last) == ["Corregido."]
    assert last.session.pending is None


def test_a_question_is_asked_again_when_all_was_beside_it() -> None:
    named = tell(in_order(), SetSlot("name", "Ana"), SetSlot("city", "Lima")).session
    which = tell(named, CorrectSlot()).session
    last = go_on(tell(which, floor=True), Reply("Abrimos a las 9."))
    assert said(last)[0] == "Abrimos a las 9."
    assert last.session.pending == which.pending


def test_a_model_speaks_only_when_it_has_the_floor() -> None:
    resting = in_order()
    spoken = decide(AGENT, resting, ModelAnswered(NOW, (Reply("Hola"), SetSlot("name", "Ana"))))
    assert spoken.effects == ()
    assert reasons(spoken) == ["it is not the model's turn"] * 2
    assert spoken.session.version == resting.version


def test_a_model_waits_for_the_results_of_its_calls() -> None:
    asked = tell(in_order(), PAN, floor=True)
    early = go_on(asked, Reply("Creo que hay."))
    assert reasons(early) == ["calls are under way: their results come first"]
    assert early.progress.running == asked.progress.running


def test_a_handoff_takes_the_floor() -> None:
    handed = go_on(tell(in_order(), floor=True), RequestHuman("x"), Reply("Ya viene alguien."), floor=True)
    assert policies(handed) == ["request"]
    assert not handed.progress.model_turn_open
    assert reasons(go_on(handed, Reply("¿Algo más?"))) == ["an operator holds the session"]


def test_a_model_cannot_lead_to_a_mode_but_by_its_tools() -> None:
    heard = tell(start(), floor=True)
    assert go_on(heard, StartFlow("quick"), floor=True).session.mode == "IDLE"
    assert go_on(go_on(heard, StartFlow("quick"), floor=True)).session.mode == "PERSON"
    added = give(go_on(heard, ADD, floor=True))
    assert added.session.mode == "ORDER"
    assert [run.tool for run in runs(go_on(added, CallTool("clear"), floor=True))] == ["clear"]


def test_a_summary_changes_nothing_else_and_is_bounded() -> None:
    session = in_order()
    summed = decide(AGENT, session, Summarised(NOW, "x" * 10_000, 3))
    assert summed.session == replace(session, summary=Summary("x" * MAX_SUMMARY, 3))
    assert summed.effects == ()


def test_a_turn_that_broke_off_leaves_nothing_behind() -> None:
    broken = tell(in_order(), PAN, floor=True).session
    after = tell(broken, SetSlot("name", "Ana"))
    assert (after.progress.running, after.progress.unsaid, after.progress.model_turn_open) == ((), (), False)
    assert after.session.state in RESTING


TOLD: dict[str, list[Event]] = {
    "words": [MessageUnderstood(NOW, floor=True), ModelAnswered(NOW, (Reply("Hola"),))],
    "loop": [
        MessageUnderstood(NOW, (StartFlow("survey"),), intent="survey", confidence=90, floor=True),
        ModelAnswered(NOW, (PAN, ADD), floor=True),
        Summarised(NOW, "compró", 2),
        ModelAnswered(NOW, (SetSlot("city", "Lima"), Reply("Listo."))),
    ],
    "yes": [MessageUnderstood(NOW, (Affirm(),), floor=True), ModelAnswered(NOW, ())],
}


@pytest.mark.parametrize("name", TOLD)
def test_what_was_told_is_recorded_and_folds_to_the_same_session(name: str) -> None:
    opening = shown() if name == "yes" else in_order()
    told: list[Event] = []
    whole = Decision(opening)
    for event in TOLD[name]:
        for each in _with_results(whole, event):
            told.append(each)
            whole = continued(whole, decide(AGENT, whole.session, each, whole.progress))
            assert from_json(to_json(whole.session)) == whole.session
    assert whole.session.version == opening.version + 1
    recorded = decode(Told, encode(Told, tuple(told)))
    assert recorded == tuple(told)
    assert fold(AGENT, opening, recorded) == whole


def _with_results(before: Decision, event: Event) -> list[Event]:
    """An event, and the results of the calls that it leads to."""
    running = decide(AGENT, before.session, event, before.progress).progress.running
    results = tuple(ToolResult(call.call_id, call.tool, ok=True, outputs={"cart": "x"}) for call in running)
    return [event, ToolsReturned(NOW, results)] if results else [event]


@pytest.mark.parametrize(
    "command", [Reply("Hola"), PAN, CallTool("stock", {"product": ["a", {"b": 1.5}, None, True]})], ids=str
)
def test_what_a_model_proposes_is_recorded_exactly(command: Command) -> None:
    event = ModelAnswered(NOW, (command,), floor=True)
    assert decode(Event, encode(Event, event)) == event


def test_a_call_that_was_let_through_is_no_error_beside_one_that_was_not() -> None:
    erred = tell(in_order(), CallTool("nope", {}, "c9"), floor=True)
    more = go_on(erred, CallTool("nope", {}, "c10"), CallTool("search", {"text": "pan"}), floor=True)
    assert ([run.tool for run in runs(more)], policies(more)) == (["search"], [])


def test_what_was_ordered_with_a_handoff_is_not_called() -> None:
    both = tell(in_order(), PAN, RequestHuman())
    assert (both.session.holder, runs(both), both.progress.running) == ("operator", [], ())
