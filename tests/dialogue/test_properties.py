"""Random histories: the dialogue never raises, repeats itself exactly, and keeps only valid values."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.agent.declaration import Agent
from hilo.agent.flow import Flow
from hilo.agent.parse import parse
from hilo.agent.steps.go import GoStep
from hilo.agent.steps.set import SetStep
from hilo.agent.toolbox import ToolSpec
from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Choose,
    CorrectSlot,
    Deny,
    Digress,
    DropNote,
    GiveArgument,
    Reply,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
    SuggestSlot,
    TakeNote,
)
from hilo.dialogue.decide import MID_TURN, decide
from hilo.dialogue.draft import Decision, continued
from hilo.dialogue.effects import CancelTimer, Question, Say, SetTimer
from hilo.dialogue.events import (
    Asks,
    Closed,
    EscalationTriggered,
    Event,
    MessageUnderstood,
    ModelAnswered,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    Summarised,
    TimerFired,
    ToolResult,
    ToolsReturned,
)
from hilo.dialogue.session import Session, from_json, to_json
from hilo.dialogue.stack import MAX_STACK
from hilo.dialogue.states import RESTING
from hilo.dialogue.synthesis import opened
from hilo.dialogue.timers import UNANSWERED

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)

AGENT = parse(
    """\
agent: everything
country: AR
timezone: America/Santiago
quiet_hours: 21:00 to 08:00
slots:
  name: {type: person_name, ask: ¿Nombre?}
  email: {type: email, ask: ¿Correo?}
  amount: {type: number, min: 1, max: 99.5, required: false, ask: ¿Cuánto?}
  color: {type: choice, choices: [rojo, azul], ask: ¿Color?}
  sure: {type: boolean, ask: ¿Seguro?}
  day: {type: date, required: false, ask: ¿Qué día?}
flows:
  main:
    starts: always
    steps:
      - collect: [name, email]
      - call: paint
        when: amount is empty
      - name: ask
        collect: amount
      - confirm: "¿{amount} para {name}?"
        no: ask
      - branch: {amount > 50: big, else: small}
      - name: big
        handoff: too much
      - name: small
        set: {sure: true}
      - say: "Listo {name}"
  paint:
    starts: [quiero pintar]
    steps:
      - collect: color
      - confirm: "¿{color}?"
  days:
    starts: [cambiar el día]
    steps:
      - collect: [day, sure]
      - branch: {sure: end}
      - go: handoff
  later:
    starts: [más tarde]
    steps: [{wait: until 19:30}, {collect: amount}]
escalation:
  - timeout: 30m
  - completion: {invalid_attempts: 4}
timers:
  reminder: {after: 6m of silence, when: email is empty, say: reminder, at_most: 2}
  nag: {after: 8h of silence, start: paint, at_most: 3}
  evening: {at: "19:00", start: days, at_most: 2}
  last: {after: 20h, when: not sure, handoff: nobody}
templates:
  reminder: ["Seguimos con {missing}", "¿Seguimos?"]
  hours: [A las 9., Desde las 9.]
intents:
  hours: {examples: [a qué hora], answer: hours}
  look_up: {examples: [buscar], do: look, arguments: {text: message}}
tools:
  groups: {all_tools: [look, put]}
  says: {look: "Encontré {found}."}
modes:
  OPEN:
    tools: all_tools
    to: [BUSY]
    after: {put: BUSY}
    bridge: ¿Seguimos?
  BUSY:
    tools: look
    to: [OPEN]
    requires: [name, "not sure"]
    enter: {say: Un momento., start: paint}
    timers:
      hush: {after: 7m of silence, say: reminder, at_most: 2}
      back: {after: 3h of silence, mode: OPEN}
  PERSON: {operator: true}
confidence: {}
""",
    toolbox={
        "look": ToolSpec("look", {"text": True}),
        "put": ToolSpec("put", {"color": True, "amount": False}, writes=True),
    },
)

CIRCLE = Flow(
    starts=("dar vueltas",),
    steps=(SetStep(name="top", set={"sure": False}), GoStep(name="back", go="top")),
)
AGENT = replace(AGENT, flows={**AGENT.flows, "circle": CIRCLE})  # the check refuses it; the core must survive it

names = st.sampled_from([*AGENT.slots, *AGENT.flows, "nope", ""])
values = st.one_of(
    st.sampled_from(["Ana", "ana@x.com", "rojo", "azul", "2026-05-01", "60", 5, 60, Decimal("3.5"), True, False]),
    st.text(max_size=20),
    st.integers(),
    st.booleans(),
    st.decimals(allow_nan=True),
)
commands = st.one_of(
    st.builds(SetSlot, names, values),
    st.builds(CorrectSlot, names, st.none() | values),
    st.builds(SuggestSlot, st.lists(names, min_size=1, max_size=2).map(tuple), values),
    st.builds(SkipSlot, names),
    st.builds(TakeNote, names, st.text(max_size=20)),
    st.builds(DropNote, names, st.text(max_size=20)),
    st.just(Affirm()),
    st.just(Deny()),
    st.builds(StartFlow, names),
    st.just(CancelFlow()),
    st.builds(AskInfo, names),
    st.builds(CallTool, names),
    st.builds(CallTool, st.sampled_from(["look", "put"]), st.dictionaries(names, values, max_size=2)),
    st.builds(lambda value: CallTool("look", {"text": value}, "c1"), values | st.just(Decimal("NaN"))),
    st.builds(lambda value: CallTool("put", {"color": value}), values),
    st.builds(Reply, st.text(max_size=20)),
    st.builds(GiveArgument, values, names),
    st.builds(Choose, st.sampled_from(["hours", "look_up", "paint", "nope"])),
    st.builds(Digress, st.sampled_from(["greeting", "thanks", "off_topic", "repeat", "no_text", "too_long"])),
)
moments = st.integers(0, 3000).map(lambda minutes: NOW + timedelta(minutes=minutes))
TIMERS = [*(f"timer.{name}" for name in AGENT.timers), "timer.BUSY.hush", "timer.BUSY.back"]
PROMISES = ["escalation.timeout", "wait.later.wait_1", "nope", "timer.nope", *TIMERS, *TIMERS]
some_commands = st.lists(commands, max_size=5).map(tuple)
messages = st.builds(
    MessageUnderstood,
    moments,
    some_commands,
    intent=st.sampled_from(["", "hours", "look_up", "paint"]),
    confidence=st.sampled_from([100, 100, 100, 70, 50, 10]),
    early=st.booleans(),
    floor=st.booleans(),
    remembers=st.booleans(),
)
results = st.builds(
    ToolResult,
    st.just("x"),
    st.just("y"),
    ok=st.booleans(),
    outputs=st.dictionaries(names, st.text(max_size=20) | st.integers() | st.booleans(), max_size=2),
    tell=st.sampled_from(["", "", "No hay."]),
    asks=st.none() | st.sampled_from([Asks("text", ("uno", "dos")), Asks("color"), Asks("nope", (), "¿Qué?")]),
)
events: st.SearchStrategy[Event] = st.one_of(
    messages,
    messages,
    messages,
    st.builds(MessageUnderstood, st.just(NOW), st.just((RequestHuman("x"),))),
    st.builds(EscalationTriggered, st.just(NOW), st.just("keyword"), st.just("humano")),
    st.builds(TimerFired, moments, st.sampled_from(PROMISES)),
    st.builds(TimerFired, moments, st.sampled_from(PROMISES), st.none() | moments),
    st.builds(ToolsReturned, moments, st.just((ToolResult("x", "y", ok=False, unknown=True),))),
    st.builds(ToolsReturned, moments, st.lists(results, max_size=3).map(tuple)),
    st.builds(ModelAnswered, moments, some_commands, floor=st.booleans()),
    st.builds(Summarised, moments, st.text(max_size=30), st.integers(0, 9)),
    st.builds(Released, moments, st.sampled_from(["OPEN", "BUSY", "PERSON", "nope"])),
    st.sampled_from([OperatorTookOver(NOW), Released(NOW), Released(NOW), Paused(NOW), Resumed(NOW), Closed(NOW)]),
)
histories = st.lists(events, max_size=12)  # time may go back between two events: clocks of machines differ


def start() -> Session:
    return opened(AGENT, session_id="s", at=NOW)


def turn(agent: Agent, session: Session, event: Event) -> Decision:
    """A whole turn: calls are answered, and a model that has the floor says nothing more."""
    decision = decide(agent, session, event)
    while decision.progress.running or decision.progress.model_turn_open:
        after: Event = ModelAnswered(event.at)
        if decision.progress.running:
            calls = decision.progress.running
            done = (ToolResult(call.call_id, call.tool, ok=True, outputs={"found": 1}) for call in calls)
            after = ToolsReturned(event.at, tuple(done))
        decision = continued(decision, decide(agent, decision.session, after, decision.progress))
    return decision


def is_over(decision: Decision) -> bool:
    """Whether the turn has nothing left to wait for, nor to say."""
    progress = decision.progress
    return not (progress.running or progress.unsaid or progress.model_turn_open)


def play(agent: Agent, history: list[Event]) -> Session:
    session = start()
    for event in history:
        session = turn(agent, session, event).session
    return session


@settings(max_examples=depth(100, 200), deadline=None)
@given(histories)
def test_events_in_any_order_are_survived_even_in_the_middle_of_turns(history: list[Event]) -> None:
    decision = Decision(start())
    for event in history:
        decision = decide(AGENT, decision.session, event, decision.progress)
    closed = turn(AGENT, decision.session, MessageUnderstood(NOW))
    assert closed.session.state in RESTING
    assert is_over(closed)


@settings(max_examples=depth(150, 300), deadline=None)
@given(histories)
def test_any_history_ends_in_a_session_that_holds_together(history: list[Event]) -> None:
    session = start()
    for event in history:
        before, decision = session, turn(AGENT, session, event)
        session = decision.session
        assert session.version == before.version + (not isinstance(event, MID_TURN))
        assert session.state in RESTING
        assert is_over(decision)
        assert (session.mode == "PERSON") == (session.holder == "operator")
        assert len(session.stack) <= MAX_STACK
        assert len({frame.flow for frame in session.stack}) == len(session.stack)
        assert (session.holder == "operator") == (session.handoff is not None)
        for name, value in session.slots.items():
            assert accept(AGENT.slots[name], value, country="AR") == Accepted(value)
    assert from_json(to_json(session)) == session


@settings(max_examples=depth(60, 100), deadline=None)
@given(histories)
def test_the_same_history_gives_the_same_session(history: list[Event]) -> None:
    assert play(AGENT, history) == play(AGENT, history)


@settings(max_examples=depth(60, 100), deadline=None)
@given(histories, events)
def test_a_decision_leaves_the_session_it_was_given_alone(history: list[Event], event: Event) -> None:
    session = play(AGENT, history)
    stored = to_json(session)
    turn(AGENT, session, event)
    assert to_json(session) == stored


@settings(max_examples=depth(60, 100), deadline=None)
@given(histories)
def test_every_timer_that_is_set_ends_fired_or_cancelled(history: list[Event]) -> None:
    session, running = start(), set()
    for event in [*history, Closed(NOW)]:
        if isinstance(event, TimerFired) and event.due in (None, session.timers.get(event.name)):
            running.discard(event.name)
        decision = turn(AGENT, session, event)
        session = decision.session
        for effect in decision.effects:
            if isinstance(effect, SetTimer):
                running.add(effect.name)
            elif isinstance(effect, CancelTimer):
                running.discard(effect.name)
        assert running == set(session.timers)
    assert not running


@settings(max_examples=depth(60, 100), deadline=None)
@given(histories)
def test_a_message_is_never_met_with_silence_while_the_agent_holds_the_session(history: list[Event]) -> None:
    session = start()
    for event in history:
        answers = isinstance(event, MessageUnderstood) and session.status == "active" and session.holder == "agent"
        decision = turn(AGENT, session, event)
        session = decision.session
        assert not answers or any(isinstance(each, Say | Question) for each in decision.effects)


@settings(max_examples=depth(60, 100), deadline=None)
@given(histories)
def test_no_promise_falls_due_in_the_quiet_hours_or_is_kept_by_who_may_not_speak(history: list[Event]) -> None:
    session, quiet = start(), AGENT.quiet_hours
    assert quiet
    for event in history:
        decision = turn(AGENT, session, event)
        session = decision.session
        for due in session.timers.values():
            assert not quiet.has(due.astimezone(ZoneInfo(AGENT.timezone)).time())
        assert session.status == "active" or session.timers.keys() <= {UNANSWERED}
        assert all(session.fired.get(name, 0) <= timer.at_most for name, timer in AGENT.timers.items())


@settings(max_examples=depth(60, 100), deadline=None)
@given(histories)
def test_a_timer_never_speaks_in_the_quiet_hours(history: list[Event]) -> None:
    session, quiet = start(), AGENT.quiet_hours
    assert quiet
    for event in history:
        decision = turn(AGENT, session, event)
        session = decision.session
        if isinstance(event, TimerFired) and quiet.has(event.at.astimezone(ZoneInfo(AGENT.timezone)).time()):
            assert all(isinstance(effect, SetTimer) for effect in decision.effects)
            assert not decision.modes


@settings(max_examples=depth(60, 100), deadline=None)
@given(histories)
def test_a_session_survives_its_own_alarms_in_their_order(history: list[Event]) -> None:
    """After any history, time passes: every promise is kept once, in order, and in the end none is left."""
    session = play(AGENT, history)
    for _ in range(60):
        if not session.timers:
            return
        due, name = min((due, name) for name, due in session.timers.items())
        session = turn(AGENT, session, TimerFired(due, name, due)).session
        assert session.timers.get(name) != due
    raise AssertionError(f"timers without an end: {session.timers}")
