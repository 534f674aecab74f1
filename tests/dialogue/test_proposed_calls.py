"""Calls that messages and models propose: the gate, several at once, what their results lead to."""

import json
from dataclasses import fields, replace
from decimal import Decimal

import pytest

from hilo.agent.policies import FailuresPolicy
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.commands import (
    Affirm,
    CallTool,
    CancelFlow,
    Deny,
    Digress,
    GiveArgument,
    LeaveOut,
    Reply,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import AskArgument
from hilo.dialogue.events import Asks, OperatorTookOver, ToolResult, ToolsReturned
from hilo.dialogue.session import AskedArgument, TurnProgress, from_json, to_json
from hilo.dialogue.tool_proposals import MAX_ARGUMENTS, MAX_CALLS, MAX_OFFERED, MAX_REPLY, MAX_TOGETHER
from kiosk import AGENT, NOW, TOOLBOX, give, go_on, happen, policies, reasons, runs, said, start, tell

PAN, LECHE = CallTool("search", {"text": "pan"}), CallTool("search", {"text": "leche"})
ADD = CallTool("add", {"product": "coca", "count": 2})
BROKEN = {"ok": False, "error": "no answer"}
WHICH = {"ok": False, "asks": Asks("product", ("Coca 500 ml", "Coca 1,5 l"), "¿Cuál coca?")}
OTHER = Asks("product", ("Fanta 500 ml", "Fanta 1,5 l"), "¿Qué fanta?")


def found(what: str) -> dict[str, object]:
    return {"outputs": {"found": what}}


# --- several at once ------------------------------------------------------------------------------------


def test_the_calls_of_one_message_run_together_and_the_same_tool_twice() -> None:
    asked = tell(start(), PAN, LECHE, PAN)
    assert [run.arguments["text"] for run in runs(asked)] == ["pan", "leche", "pan"]
    assert len({run.call_id for run in runs(asked)}) == 3
    assert asked.states[-2:] == ("ready_for_action", "executing_action")
    done = give(asked, found("pan"), found("leche"), found("más pan"))
    assert said(done) == ["Hay pan.", "Hay leche.", "Hay más pan."]
    assert (done.session.state, done.progress.running, done.progress.unsaid) == ("idle", (), ())


def test_results_are_known_by_their_ids_whatever_their_order() -> None:
    asked = tell(start(), PAN, LECHE)
    results = [
        ToolResult(run.call_id, run.tool, ok=True, outputs={"found": run.arguments["text"]}) for run in runs(asked)
    ]
    done = decide(AGENT, asked.session, ToolsReturned(NOW, tuple(reversed(results))), asked.progress)
    assert said(done) == ["Hay pan.", "Hay leche."]


def test_one_that_failed_does_not_lose_the_others() -> None:
    done = give(tell(start(), PAN, ADD), BROKEN, {"outputs": {"cart": "dos cocas"}})
    assert "Agregué coca: dos cocas." in said(done)
    assert done.session.slots["cart"] == "dos cocas"
    assert done.session.mode == "ORDER"
    assert done.errors == ("search: no answer",)
    assert done.session.status == "active"


def test_two_errors_in_a_row_call_a_person_who_finds_what_went_well_done() -> None:
    done = give(tell(start(), PAN, LECHE, ADD), BROKEN, BROKEN, {"outputs": {"cart": "dos cocas"}})
    assert policies(done) == ["errors"]
    assert said(done)[0] == "Agregué coca: dos cocas."
    assert done.session.slots["cart"] == "dos cocas"
    assert (done.session.holder, done.progress.running, done.progress.unsaid) == ("operator", (), ())


def test_errors_of_two_messages_in_a_row_call_a_person() -> None:
    once = give(tell(start(), PAN), BROKEN)
    assert policies(once) == []
    assert policies(give(tell(once.session, PAN), BROKEN)) == ["errors"]


def test_an_error_after_a_result_is_the_first_one_again() -> None:
    once = give(tell(start(), PAN), BROKEN)
    well = give(tell(once.session, PAN), found("pan"))
    assert policies(give(tell(well.session, PAN), BROKEN)) == []


def test_an_outcome_that_has_words_is_told_and_is_no_error() -> None:
    session = start()
    for _ in range(4):
        done = give(tell(session, PAN), {"ok": False, "error": "unknown product", "tell": "No vendemos eso."})
        assert said(done)[-1] == "No vendemos eso."
        assert policies(done) == []
        session = done.session
    assert session.counters.errors == 0
    assert session.mode == "IDLE"


def test_a_result_that_did_not_come_is_an_error() -> None:
    asked = tell(start(), PAN)
    lost = decide(AGENT, asked.session, ToolsReturned(NOW, ()), asked.progress)
    assert lost.errors == ("search: it gave no result",)
    assert lost.progress.running == ()


def test_an_outcome_that_nobody_knows_calls_a_person() -> None:
    parked = give(tell(start(), ADD, PAN), {"ok": False, "unknown": True, "error": "timeout"}, found("pan"))
    assert policies(parked) == ["unknown_outcome"]
    assert said(parked)[0] == "Hay pan."
    assert parked.session.mode == "PERSON"
    assert runs(parked) == []


# --- the gate -------------------------------------------------------------------------------------------


def test_a_tool_that_needs_a_yes_is_never_run_by_a_proposal() -> None:
    ready = give(tell(start(), ADD), {"outputs": {"cart": "dos cocas"}})
    asking = tell(ready.session, StartFlow("checkout"))
    shown = tell(asking.session, SetSlot("name", "Ana"))
    assert runs(tell(shown.session, CallTool("pay", {"name": "Ana"}))) == []
    both = tell(shown.session, Affirm(), CallTool("pay", {"name": "Eva"}))
    assert [run.arguments for run in runs(both)] == [{"name": "Ana"}]
    assert len(both.refused) == 1


def test_a_yes_that_a_flow_has_does_not_open_the_gate_for_other_arguments() -> None:
    ready = give(tell(start(), ADD), {"outputs": {"cart": "dos cocas"}})
    shown = tell(tell(ready.session, StartFlow("checkout")).session, SetSlot("name", "Ana"))
    paying = tell(shown.session, Affirm())
    assert paying.session.stack[-1].yes is not None
    idle = replace(paying, progress=TurnProgress(model_turn_open=True))
    proposed = go_on(idle, CallTool("pay", {"name": "Eva"}), floor=True)
    assert runs(proposed) == []
    assert reasons(proposed) == ["pay needs a yes, which only a flow asks for"]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (CallTool("nope"), "there is no tool nope"),
        (CallTool("search", {"text": "x", "txt": "y"}), "search has no parameter txt"),
        (CallTool("search", {"text": "x" * (MAX_ARGUMENTS + 1)}), "the arguments are too long"),
        (CallTool("search", {"text": Decimal("NaN")}), "an argument is no number"),
        (CallTool("search", {}), "search needs text"),
        (CallTool("search", {"text": None}), "search needs text"),
        (CallTool("add", {}, "c1"), "add needs product"),
    ],
)
def test_a_call_that_cannot_be_made_is_refused_with_a_reason(command: CallTool, reason: str) -> None:
    refused = tell(start(), command)
    assert reasons(refused) == [reason]
    assert runs(refused) == []
    assert refused.session.state == "idle"


def test_a_call_that_writes_is_made_once_in_a_turn() -> None:
    asked = tell(start(), ADD, ADD, floor=True)
    assert len(runs(asked)) == 1
    assert reasons(asked) == ["add was called with these arguments already"]
    again = go_on(give(asked), ADD, CallTool("add", {"product": "coca", "count": 3}), floor=True)
    assert [run.arguments["count"] for run in runs(again)] == [3]
    assert len(runs(tell(go_on(give(again)).session, ADD))) == 1


def test_only_so_many_calls_run_together_and_in_one_turn() -> None:
    many = [CallTool("search", {"text": str(number)}) for number in range(MAX_TOGETHER + 2)]
    decision = tell(start(), *many, floor=True)
    assert len(runs(decision)) == MAX_TOGETHER
    assert len(decision.refused) == 2
    made = MAX_TOGETHER
    for _ in range(4):
        decision = go_on(give(decision), *many, floor=True)
        made += len(runs(decision))
    assert made == MAX_CALLS


def test_while_an_operator_holds_the_session_nothing_runs() -> None:
    held = happen(start(), OperatorTookOver(NOW))
    assert runs(tell(held, PAN, ADD)) == []
    assert reasons(tell(held, PAN)) == ["an operator holds the session"]


def test_values_in_arguments_may_be_anything_that_a_model_writes() -> None:
    box = {**TOOLBOX, "stock": ToolSpec("stock", {"product": False})}
    agent = replace(AGENT, toolbox=box)
    odd = CallTool("stock", {"product": [{"a": "\ud800"}, 1.5, None]}, "c1")
    asked = tell(start(), odd, agent=agent)
    assert [run.proposal for run in runs(asked)] == ["c1"]
    assert give(asked, {"outputs": {"result": Decimal("2.5")}}, agent=agent).progress.unsaid == ()


# --- what a tool asks -----------------------------------------------------------------------------------


def asking() -> Decision:
    return give(tell(start(), ADD), WHICH)


def test_what_a_tool_must_know_is_asked_with_its_options() -> None:
    asked = asking()
    assert asked.effects[-1] == AskArgument("add", "product", asked.effects[-1].line, ("Coca 500 ml", "Coca 1,5 l"))  # type: ignore[union-attr]
    assert said(asked)[-1] == "¿Cuál coca?"
    assert isinstance(asked.session.pending, AskedArgument)
    assert asked.session.state == "waiting_for_slot"
    assert asked.session.mode == "IDLE"
    assert from_json(to_json(asked.session)) == asked.session


def test_the_answer_makes_the_call_again_with_the_rest_of_its_arguments() -> None:
    again = tell(asking().session, GiveArgument("Coca 1,5 l", "product"))
    assert [run.arguments for run in runs(again)] == [{"product": "Coca 1,5 l", "count": 2}]
    assert again.session.pending is None
    assert give(again, {"outputs": {"cart": "x"}}).session.mode == "ORDER"


def test_another_argument_of_the_call_may_change_while_one_is_asked_for() -> None:
    changed = tell(asking().session, GiveArgument(7, "count"))
    assert (runs(changed), said(changed)[-1]) == ([], "¿Cuál coca?")
    again = tell(changed.session, GiveArgument("Coca 1,5 l", "product"))
    assert [run.arguments for run in runs(again)] == [{"product": "Coca 1,5 l", "count": 7}]


def test_of_several_questions_each_is_put_after_the_answer_to_the_one_before() -> None:
    fanta = {"ok": False, "asks": Asks("product", ("Fanta 500 ml", "Fanta 1,5 l"), "¿Cuál fanta?")}
    asked = give(tell(start(), ADD, CallTool("add", {"product": "fanta", "count": 1})), WHICH, fanta)
    assert said(asked)[-1] == "¿Cuál coca?"
    assert from_json(to_json(asked.session)) == asked.session
    again = give(tell(asked.session, GiveArgument("Coca", "product")), WHICH)
    assert said(again)[-1] == "¿Cuál coca?"
    next_one = give(tell(again.session, GiveArgument("Coca 1,5 l", "product")), {"outputs": {"cart": "x"}})
    assert said(next_one)[-1] == "¿Cuál fanta?"
    last = tell(next_one.session, GiveArgument("Fanta 500 ml", "product"))
    assert [run.arguments for run in runs(last)] == [{"product": "Fanta 500 ml", "count": 1}]


def test_what_no_tool_waits_for_is_refused() -> None:
    assert reasons(tell(asking().session, GiveArgument("7", "colour"))) == ["no tool waits for this"]
    assert reasons(tell(start(), GiveArgument("7"))) == ["no tool waits for this"]


@pytest.mark.parametrize("parameter", ["product", "count"])
def test_what_is_no_number_is_no_answer_and_is_not_kept(parameter: str) -> None:
    refused = tell(asking().session, GiveArgument(Decimal("NaN"), parameter))
    assert (reasons(refused), runs(refused)) == (["the value is no number"], [])
    assert from_json(to_json(refused.session)) == refused.session


def test_a_word_beside_it_leaves_the_question_of_a_tool_open() -> None:
    thanked = tell(asking().session, Digress("thanks"))
    assert said(thanked)[-1] == "¿Cuál coca?"
    assert runs(tell(thanked.session, GiveArgument("Coca 500 ml")))


def test_looking_something_up_leaves_what_an_order_asked_open() -> None:
    looked = give(tell(asking().session, PAN), found("pan"))
    assert said(looked) == ["Hay pan.", "¿Cuál coca?"]
    assert runs(tell(looked.session, GiveArgument("Coca 500 ml")))


def test_another_order_instead_of_an_answer_leaves_the_question_open() -> None:
    other = give(tell(asking().session, CallTool("add", {"product": "pan"})), {"outputs": {"cart": "x"}})
    assert said(other) == ["Agregué pan: x.", "¿Cuál coca?"]
    assert isinstance(other.session.pending, AskedArgument)
    assert other.session.put_off == ()


def test_a_question_that_is_passed_over_again_and_again_waits_for_the_summary() -> None:
    session = asking().session
    for _ in range(3):
        passed = give(tell(session, CallTool("add", {"product": "pan"})), {"outputs": {"cart": "x"}})
        session = passed.session
    assert said(passed) == ["Agregué pan: x."]
    assert session.pending is None
    assert [each.question for each in session.put_off] == ["¿Cuál coca?"]


def test_two_questions_are_kept_in_their_order() -> None:
    second = give(tell(asking().session, CallTool("add", {"product": "fanta"})), {**WHICH, "asks": OTHER})
    assert said(second) == ["¿Qué fanta?"]
    answered = give(tell(second.session, GiveArgument("Fanta 500 ml")), {"outputs": {"cart": "x"}})
    assert said(answered)[-1] == "¿Cuál coca?"
    left = tell(answered.session, CancelFlow())
    assert (left.session.pending, left.session.put_off) == (None, ())


def test_the_whole_call_said_again_answers_the_question() -> None:
    done = give(tell(asking().session, CallTool("add", {"product": "Coca 500 ml"})), {"outputs": {"cart": "x"}})
    assert done.session.pending is None
    assert said(done) == ["Agregué Coca 500 ml: x."]


def test_questions_about_as_many_of_two_things_are_two() -> None:
    first, second = CallTool("add", {"product": "coca", "count": 1}), CallTool("add", {"product": "fanta", "count": 1})
    both = give(tell(start(), first, second), WHICH, {**WHICH, "asks": OTHER})
    passed = give(tell(both.session, CallTool("add", {"product": "pan"})), {"outputs": {"cart": "x"}})
    asked = (passed.session.pending, *passed.session.put_off)
    assert [each.question for each in asked if isinstance(each, AskedArgument)] == ["¿Cuál coca?", "¿Qué fanta?"]


def test_a_call_answers_the_question_it_is_about_and_leaves_the_others() -> None:
    both = give(tell(start(), ADD, CallTool("add", {"product": "fanta"})), WHICH, {**WHICH, "asks": OTHER})
    done = give(tell(both.session, CallTool("add", {"product": "Fanta 1,5 l"})), {"outputs": {"cart": "x"}})
    assert said(done) == ["Agregué Fanta 1,5 l: x.", "¿Cuál coca?"]
    assert done.session.put_off == ()


def test_what_something_is_comes_first_in_its_name() -> None:
    other = give(tell(asking().session, CallTool("add", {"product": "helado de coca"})), {"outputs": {"cart": "x"}})
    assert said(other)[-1] == "¿Cuál coca?"


def test_what_is_left_out_is_told_and_the_next_question_comes() -> None:
    both = give(tell(start(), ADD, CallTool("add", {"product": "fanta"})), WHICH, {**WHICH, "asks": OTHER})
    one = tell(both.session, LeaveOut())
    assert said(one) == ["Queda afuera: coca.", "¿Qué fanta?"]
    other = tell(both.session, LeaveOut(about="fanta"))
    assert said(other) == ["Queda afuera: fanta.", "¿Cuál coca?"]
    every = tell(both.session, LeaveOut(everything=True))
    assert said(every)[:2] == ["Queda afuera: coca.", "Sin fanta, entonces."]
    assert (every.session.pending, every.session.put_off) == (None, ())


def test_nothing_is_left_out_where_no_tool_waits() -> None:
    assert reasons(tell(start(), LeaveOut())) == ["no tool waits for this"]


def test_the_question_of_a_tool_may_be_left() -> None:
    left = tell(asking().session, CancelFlow())
    assert left.session.pending is None
    assert said(left) == [AGENT.templates["cancelled"].text]


def test_something_else_instead_of_an_answer_leaves_the_question() -> None:
    other = tell(asking().session, StartFlow("survey"))
    assert said(other)[-1] == "¿Ciudad?"
    assert reasons(tell(other.session, GiveArgument("Coca 500 ml"))) == ["no tool waits for this"]


def test_of_several_questions_the_first_is_put_and_other_results_are_told_before() -> None:
    asked = give(tell(start(), ADD, PAN, CallTool("add", {"product": "agua"})), WHICH, found("pan"), WHICH)
    assert said(asked)[-2:] == ["Hay pan.", "¿Cuál coca?"]
    assert len([effect for effect in asked.effects if isinstance(effect, AskArgument)]) == 1


def test_no_more_options_are_offered_than_a_list_has_rows() -> None:
    many = {"ok": False, "asks": Asks("product", tuple(str(number) for number in range(30)))}
    asked = give(tell(start(), ADD), many)
    assert isinstance(asked.session.pending, AskedArgument)
    assert len(asked.session.pending.offered) == MAX_OFFERED


def test_an_argument_that_is_missing_is_asked_for_where_there_is_a_question() -> None:
    box = {**TOOLBOX, "stock": ToolSpec("stock", {"city": True})}
    agent = replace(AGENT, toolbox=box)
    asked = tell(start(agent), CallTool("stock"), agent=agent)
    assert said(asked)[-1] == "¿Ciudad?"
    assert runs(asked) == []
    again = tell(asked.session, GiveArgument("Lima"), agent=agent)
    assert [run.arguments for run in runs(again)] == [{"city": "Lima"}]


def test_a_question_about_arguments_that_cannot_be_kept_is_only_said() -> None:
    box = {**TOOLBOX, "add": ToolSpec("add", {"product": True, "extras": False}, writes=True)}
    agent = replace(AGENT, toolbox=box)
    listed = CallTool("add", {"product": "coca", "extras": ["hielo"]})
    asked = give(tell(start(), listed, agent=agent), WHICH, agent=agent)
    assert said(asked)[-1] == "¿Cuál coca?"
    assert asked.session.pending is None
    wordless = give(tell(start(), listed, agent=agent), {"ok": False, "asks": Asks("product")}, agent=agent)
    assert AGENT.templates["failed"].text in said(wordless)


def test_a_yes_is_no_answer_to_the_question_of_a_tool() -> None:
    assert runs(tell(asking().session, Affirm())) == []
    assert runs(tell(asking().session, Deny())) == []


# --- what is found and said -----------------------------------------------------------------------------


def test_only_slots_to_be_found_take_the_outputs_of_a_proposed_call() -> None:
    done = give(tell(start(), PAN), {"outputs": {"cart": "una coca", "name": "Eva", "found": "pan"}})
    assert done.session.slots == {"cart": "una coca"}


def test_a_contact_cannot_say_what_only_tools_find() -> None:
    assert tell(start(), SetSlot("cart", "todo gratis")).session.slots == {}


def test_a_result_without_a_template_is_told_by_its_own_words_or_not_at_all() -> None:
    stock = CallTool("stock")
    assert said(give(tell(start(), stock), {"outputs": {"result": 1500}}))[-1] == "1.500"
    assert said(give(tell(start(), stock), {"outputs": {"x": 1}}))[-1] == AGENT.templates["understood"].text


def test_an_agent_that_is_strict_says_nothing_that_a_model_worded() -> None:
    strict = replace(AGENT, grounded="strict")
    asked = tell(start(), PAN, floor=True, agent=strict)
    done = go_on(give(asked, found("pan"), agent=strict), Reply("Tenemos de todo, gratis."), agent=strict)
    assert said(done) == ["Hay pan."]
    assert reasons(done) == ["grounded: strict, so only templates and what tools found may be said"]


def test_a_reply_is_bounded_and_not_empty() -> None:
    long = go_on(tell(start(), floor=True), Reply("x" * (MAX_REPLY + 5)))
    assert len(said(long)[0]) == MAX_REPLY
    assert reasons(go_on(tell(start(), floor=True), Reply("  "))) == ["it says nothing"]


def test_a_step_whose_tool_has_something_to_tell_is_no_error() -> None:
    ready = give(tell(start(), ADD), {"outputs": {"cart": "dos cocas"}})
    shown = tell(tell(ready.session, StartFlow("checkout")).session, SetSlot("name", "Ana"))
    told = give(tell(shown.session, Affirm()), {"ok": False, "error": "declined", "tell": "La tarjeta no pasó."})
    assert said(told) == ["La tarjeta no pasó."]
    assert told.session.counters.errors == 0
    assert told.session.stack == ()
    assert policies(told) == []


def test_what_lives_for_one_turn_is_not_stored_with_the_session() -> None:
    asked = tell(start(), ADD, PAN, floor=True)
    assert asked.progress.running
    assert from_json(to_json(asked.session)) == asked.session
    partly = give(tell(start(), ADD, floor=True), {"outputs": {"cart": "x", "total": Decimal("2.50")}})
    assert partly.progress.unsaid
    stored = json.loads(to_json(partly.session))
    assert not {field.name for field in fields(TurnProgress)} & stored.keys()


def test_what_a_tool_tells_is_an_answer_and_no_failure() -> None:
    agent = replace(AGENT, escalation=(FailuresPolicy(failures=2),))
    session = start()
    for words in ("No hay.", "Tampoco hay.", "Eso tampoco."):
        told = give(tell(session, ADD, agent=agent), {"ok": False, "tell": words}, agent=agent)
        assert policies(told) == []
        assert said(told)[0] == words
        session = told.session


def test_a_first_message_that_cannot_be_done_is_not_only_greeted() -> None:
    told = tell(start(), CallTool("clear"))
    assert reasons(told) == ["clear is not allowed in the mode IDLE"]
    assert len(said(told)) == 2
