"""Words that are said once: variants, tones, fallbacks, a person; facts in texts; silence as a yes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Ask, HandOff, Question, RunTool, Say
from hilo.dialogue.events import (
    EscalationTriggered,
    Event,
    MessageUnderstood,
    Released,
    Reworded,
    TimerFired,
    ToolResult,
    ToolsReturned,
)
from hilo.dialogue.session import MAX_SAID, SOUNDS_REPEATED, Session, from_json, to_json
from hilo.dialogue.synthesis import opened, synthesise
from hilo.dialogue.wording import fill

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
DAY = timedelta(days=1)
TEXT = """\
agent: shop
repeats: never
facts:
  currency: COP
  packs: {1x: 89900, 2x: 149900}
tones:
  upset: {below: -0.2}
  glad: {above: 0.4}
slots:
  city: {type: city, keep: true, ask: ["¿Ciudad?", "¿De qué ciudad?"]}
  pack: {type: choice, choices: [1x, 2x], ask: "¿Cuál?"}
  order: {type: text, found: true}
intents:
  price: {examples: [cuánto cuesta], answer: price}
  ship: {examples: [hacen envíos], answer: ship}
modes:
  talk: {to: [sale]}
  sale:
    tools: [order]
    to: [talk, done]
    requires: ["offer or price"]
    timers: {late: {after: 10m of silence, start: keep, consent: silence}}
  done: {to: [talk], requires: [order]}
templates:
  price:
    text: "Cuesta {packs.1x} {currency}."
    again: ["Son {packs.1x}."]
    tones: {upset: ["Disculpe: {packs.1x}."], glad: "¡Son {packs.1x}!"}
    fallback: price_short
  price_short: {text: "Ya le dije el precio.", fallback: handoff}
  ship: "A todo el país."
  offer: "Hay {packs.2x}."
flows:
  buy:
    starts: [quiero comprar]
    steps: [{collect: city}, {say: offer}, {collect: pack, mode: sale}, {say: "Va {pack} a {city}."}]
  keep:
    steps: [{do: order, arguments: {place: city}, into: {number: order}}, {say: "Reservado {order}.", mode: done}]
"""
TOOLS = {"order": ToolSpec("order", {"place": True, "consent": True}, writes=True, needs_yes=True)}
AGENT = parse(TEXT, toolbox=TOOLS)
LAX = parse(
    TEXT.replace("repeats: never", "repeats: allowed")
    .replace("    fallback: price_short\n", "")
    .replace(", fallback: handoff", ""),
    toolbox=TOOLS,
)
PRICE, SHIP = AskInfo("price"), AskInfo("ship")


def start(agent: Agent = AGENT) -> Session:
    return opened(agent, session_id="s", at=NOW)


def hear(session: Session, *commands: Command, mood: float = 0.0, agent: Agent = AGENT) -> Decision:
    return decide(agent, session, MessageUnderstood(NOW, commands, sentiment=mood, intent="x", confidence=100))


def said(decision: Decision) -> list[str]:
    lines = [effect.line.text for effect in decision.effects if isinstance(effect, Say | Ask)]
    return [line for line in lines if line not in {"¡Hola!", "¡Hola de nuevo!"}]


def talk(*turns: Command, agent: Agent = AGENT, session: Session | None = None) -> list[str]:
    session, texts = session or start(agent), []
    for command in turns:
        decision = hear(session, command, agent=agent)
        session = decision.session
        texts += said(decision)
    return texts


def test_each_wording_is_said_once_and_then_the_fallback() -> None:
    assert talk(PRICE, PRICE, PRICE) == ["Cuesta 89.900 COP.", "Son 89.900.", "Ya le dije el precio."]


def test_when_all_is_said_a_person_takes_over() -> None:
    session = start()
    for _ in range(3):
        session = hear(session, PRICE).session
    decision = hear(session, PRICE)
    assert [each.reason for each in decision.effects if isinstance(each, HandOff)] == [
        "price has been said in all its wordings"
    ]
    assert (decision.session.holder, decision.exhausted[:1]) == ("operator", ("price",))
    assert said(decision) == ["Te paso con una persona del equipo; enseguida te escribe por aquí."]


def test_an_agent_that_may_repeat_itself_goes_round() -> None:
    assert talk(PRICE, PRICE, PRICE, agent=LAX) == ["Cuesta 89.900 COP.", "Son 89.900.", "Son 89.900."]
    assert talk(SHIP, SHIP, agent=LAX) == ["A todo el país."] * 2


def test_a_question_that_has_no_words_left_calls_a_person() -> None:
    session = hear(start(), StartFlow("buy")).session
    session = hear(session, SHIP).session
    decision = hear(session, PRICE)
    assert decision.session.status == "handed_off"
    assert not any(isinstance(each, Ask) for each in decision.effects)
    assert said(decision)[0] == "Cuesta 89.900 COP."


def test_a_remark_that_has_no_words_left_is_left_out() -> None:
    session = start()
    for _ in range(2):
        session = hear(session, Digress("greeting"), PRICE).session
    decision = hear(session, Digress("greeting"), PRICE)
    assert said(decision) == ["Ya le dije el precio."]
    assert decision.session.holder == "agent"


def test_nothing_but_a_worn_remark_to_say_calls_a_person() -> None:
    session = start()
    for _ in range(20):
        decision = hear(session, Digress("thanks"))
        assert said(decision)
        session = decision.session
        if session.holder == "operator":
            break
    assert session.handoff is not None
    assert session.handoff.policy == "repeats"


def test_other_values_make_another_text() -> None:
    session = hear(start(), StartFlow("buy"), SetSlot("city", "Lima")).session
    first = hear(session, SetSlot("pack", "1x"))
    assert said(first) == ["Va 1x a Lima."]
    again = hear(first.session, StartFlow("buy"))
    assert "¿Cuál?" not in said(again)  # that one was asked, and has one wording
    assert again.session.holder == "operator"


def test_no_tool_runs_that_was_ordered_in_the_same_breath() -> None:
    text = TEXT.replace("steps: [{do: order", "steps: [{say: ship}, {do: order")
    agent = parse(text, toolbox=TOOLS)
    session = hear(start(agent), SHIP, agent=agent).session
    session = hear(session, StartFlow("buy"), SetSlot("city", "Lima"), agent=agent).session
    due = session.timers["timer.sale.late"]
    decision = decide(agent, session, TimerFired(due, "timer.sale.late", due))
    assert not any(isinstance(each, RunTool) for each in decision.effects)
    assert decision.progress.running == ()
    assert decision.session.status == "handed_off"


COMMANDS = st.sampled_from(
    [
        PRICE,
        SHIP,
        StartFlow("buy"),
        SetSlot("city", "Lima"),
        CorrectSlot("city", "Cali"),
        SetSlot("pack", "1x"),
        CorrectSlot("pack", "2x"),
        CorrectSlot("pack"),
        CorrectSlot(),
        Digress("greeting"),
        Digress("thanks"),
        Digress("off_topic"),
        Digress("repeat"),
        CancelFlow(),
        Affirm(),
        Deny(),
        SetSlot("city", ""),
    ]
)


@given(st.lists(st.tuples(st.lists(COMMANDS, max_size=2), st.sampled_from([0.0, -0.5, 0.7])), max_size=25))
def test_no_line_is_ever_said_twice(turns: list[tuple[list[Command], float]]) -> None:
    session, lines = start(), []
    for commands, mood in turns:
        decision = hear(session, *commands, mood=mood)
        session = decision.session
        said_now = [effect.line for effect in decision.effects if isinstance(effect, Say | Question)]
        lines += [line.text for line in said_now if line.template != "handoff"]  # that must be told whenever it is so
        assert lines or session.holder == "operator"
    assert len(lines) == len(set(lines))


# --- tones ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mood", "expected"),
    [(-0.5, "Disculpe: 89.900."), (-0.2, "Disculpe: 89.900."), (-0.1, "Cuesta 89.900 COP."), (0.6, "¡Son 89.900!")],
)
def test_a_mood_has_its_own_words(mood: float, expected: str) -> None:
    assert said(hear(start(), PRICE, mood=mood)) == [expected]
    assert said(hear(start(LAX), PRICE, mood=mood, agent=LAX)) == [expected]


def test_the_words_for_a_mood_come_before_the_others_and_run_out_too() -> None:
    session = start()
    texts: list[str] = []
    for _ in range(4):
        decision = hear(session, PRICE, mood=-0.5)
        session = decision.session
        texts += said(decision)
    assert texts == ["Disculpe: 89.900.", "Cuesta 89.900 COP.", "Son 89.900.", "Ya le dije el precio."]


def test_a_mood_calms_down_with_messages_that_have_none() -> None:
    session = hear(start(), SHIP, mood=-0.5).session
    assert session.mood == -0.5
    session = hear(session, PRICE).session
    assert session.mood == -0.25
    assert hear(session, PRICE).session.mood == -0.125


# --- the next session -------------------------------------------------------------------------------------


def next_session(session: Session, later: timedelta) -> Session:
    kept = from_json(to_json(session))
    return opened(AGENT, session_id="t", at=NOW + later, before=synthesise(AGENT, kept))


def test_the_next_day_nothing_is_repeated() -> None:
    session = hear(start(), PRICE).session
    assert talk(PRICE, SHIP, session=next_session(session, DAY)) == ["Son 89.900.", "A todo el país."]


def test_after_a_week_it_does_not_sound_repeated_any_more() -> None:
    session = hear(start(), PRICE).session
    assert talk(PRICE, session=next_session(session, SOUNDS_REPEATED)) == ["Cuesta 89.900 COP."]


def test_what_the_last_session_said_opens_no_mode_today() -> None:
    session = hear(start(), PRICE).session
    assert hear(session, StartFlow("buy"), SetSlot("city", "Lima")).session.mode == "sale"
    told = hear(next_session(session, DAY), StartFlow("buy"), SetSlot("city", "Lima"))
    assert told.session.mode == "sale"  # by the offer, said today
    silent = parse(TEXT.replace("{say: offer}, ", ""), toolbox=TOOLS)
    later = decide(
        silent, next_session(session, DAY), MessageUnderstood(NOW, (StartFlow("buy"), SetSlot("city", "Lima")))
    )
    assert later.errors == ("sale needs offer or price",)


def test_a_session_remembers_a_bounded_number_of_texts() -> None:
    session = start()
    for number in range(MAX_SAID + 5):
        event: Event = MessageUnderstood(NOW, (CorrectSlot("city", f"Villa {number}"), SHIP), confidence=100)
        session = decide(AGENT, session, event).session
    assert len(session.said) <= MAX_SAID + 4
    assert session.holder == "operator"


# --- a model's words --------------------------------------------------------------------------------------


def test_a_models_wordings_come_before_the_fallback() -> None:
    session = hear(start(), PRICE).session
    session = hear(session, PRICE).session
    before = session.version
    session = decide(AGENT, session, Reworded(NOW, "price", ("Vale {packs.1x}.",))).session
    assert session.version == before
    assert talk(PRICE, PRICE, session=session) == ["Vale 89.900.", "Ya le dije el precio."]


def test_wordings_of_what_the_agent_does_not_say_are_forgotten() -> None:
    session = decide(AGENT, start(), Reworded(NOW, "gone", ("x",))).session
    assert session.reworded == {}


# --- silence ----------------------------------------------------------------------------------------------


def silent(agent: Agent = AGENT) -> Decision:
    session = hear(start(agent), StartFlow("buy"), SetSlot("city", "Lima"), agent=agent).session
    due = session.timers["timer.sale.late"]
    return decide(agent, session, TimerFired(due, "timer.sale.late", due))


def test_a_timer_with_the_consent_of_silence_may_order_and_the_tool_is_told() -> None:
    (call,) = [each for each in silent().effects if isinstance(each, RunTool)]
    assert dict(call.arguments) == {"place": "Lima", "consent": "silence"}


def test_a_yes_of_the_contact_is_told_as_such() -> None:
    text = TEXT.replace(
        '{say: "Va {pack} a {city}."}', '{confirm: "¿{pack} a {city}?"}, {do: order, arguments: {place: city}}'
    )
    agent = parse(text, toolbox=TOOLS)
    session = hear(start(agent), StartFlow("buy"), SetSlot("city", "Lima"), agent=agent).session
    session = hear(session, SetSlot("pack", "1x"), agent=agent).session
    (call,) = [each for each in hear(session, Affirm(), agent=agent).effects if isinstance(each, RunTool)]
    assert call.arguments["consent"] == "contact"


def test_without_consent_the_gate_stays_shut() -> None:
    sale = AGENT.modes["sale"]
    timers = {"late": replace(sale.timers["late"], consent="ask")}
    decision = silent(replace(AGENT, modes={**AGENT.modes, "sale": replace(sale, timers=timers)}))
    assert not any(isinstance(each, RunTool) for each in decision.effects)
    assert "the contact has not said yes" in decision.errors[0]


def test_the_silence_is_worth_nothing_after_the_flow() -> None:
    decision = silent()
    (call,) = [each for each in decision.effects if isinstance(each, RunTool)]
    result = ToolResult(call.call_id, "order", ok=True, outputs={"number": "A1"})
    done = decide(AGENT, decision.session, ToolsReturned(NOW, (result,)), decision.progress)
    assert (done.session.mode, said(done)) == ("done", ["Reservado A1."])
    assert all(frame.yes is None for frame in done.session.stack)


# --- what is not known ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A {name} {surname}, ya.", "A Ana, ya."),
        ("Hola {nick}!", "Hola!"),
        ("Va {nick} a {name}", "Va a Ana"),
        ("{nick} hola", " hola"),
        ("Barrio: {nick}\nListo", "Barrio:\nListo"),
        ("Para {name}. {nick} {surname} ¿Va?", "Para Ana. ¿Va?"),
        ("Fin {nick}", "Fin"),
        ("${nick}", "$"),
    ],
)
def test_a_value_that_is_not_known_leaves_no_gap(text: str, expected: str) -> None:
    assert fill(text, {"name": "Ana"}) == expected


def test_that_a_person_comes_is_told_even_in_the_same_words() -> None:
    session = start()
    for _ in range(3):
        decision = decide(AGENT, session, EscalationTriggered(NOW, "keyword", "asks"))
        assert said(decision) == ["Te paso con una persona del equipo; enseguida te escribe por aquí."]
        session = decide(AGENT, decision.session, Released(NOW)).session
