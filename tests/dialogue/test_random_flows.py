"""Random well-formed flows, random talks, random tools: what must hold whatever an author writes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from depth import depth
from hilo.agent.declaration import Agent
from hilo.agent.mode_ways import ways
from hilo.agent.texts import complete
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.calls import shown_digest
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Choose,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    GiveArgument,
    OfferValues,
    RejectSlot,
    Reply,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.decide import MID_TURN, decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Complete, RunTool
from hilo.dialogue.events import (
    Asks,
    Event,
    MessageUnderstood,
    ModelAnswered,
    Paused,
    Released,
    Resumed,
    Summarised,
    TimerFired,
    Told,
    ToolResult,
    ToolsReturned,
)
from hilo.dialogue.session import AskedYes, Running, Session, from_json, to_json
from hilo.dialogue.stack import MAX_STACK
from hilo.dialogue.states import RESTING
from hilo.dialogue.stored import decode, encode
from hilo.dialogue.synthesis import opened

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
TOOLBOX = {
    "look": ToolSpec("look", {"a": False, "n": False}),
    "write": ToolSpec("write", {"a": False}, writes=True, needs_yes=True),
    "once": ToolSpec("once", {"a": False}, writes=True, needs_yes=True, idempotent=False),
    "put": ToolSpec("put", {"a": True, "n": False}, writes=True, idempotent=False),
}
SLOTS = {
    "a": {"type": "text", "ask": "¿A?"},
    "n": {"type": "number", "min": 0, "max": 9, "required": False, "ask": "¿N?"},
    "b": {"type": "boolean", "ask": "¿B?"},
    "out": {"type": "number", "found": True},
}
MODES = ("M0", "M1", "M2")
OPERATOR = "OP"
TIMERS: dict[str, Any] = {
    "silent": {"after": "6m of silence", "when": "a is empty", "say": "¿Sigues ahí? {missing}", "at_most": 2},
    "giving_up": {"at": "19:00", "handoff": "nobody"},
}
FLOWS = ("main", "side", "inner")
GUARDS = ("n > 3", "b", "a is empty", "not b and n < 5", "a == 'x' or n == 1")

targets = st.sampled_from(["end", "handoff", "change", "s0", "s1", *FLOWS, *MODES, OPERATOR])
steps: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.lists(st.sampled_from(["a", "n", "b"]), min_size=1, max_size=3).map(lambda names: {"collect": names}),
    st.builds(lambda to: {"confirm": "¿Va {a} {n}?", "no": to}, targets),
    st.just({"confirm": "¿Seguro?"}),
    st.just({"say": "Hola {a}"}),
    st.builds(lambda guard, to: {"branch": {guard: to}}, st.sampled_from(GUARDS), targets),
    st.just({"set": {"n": 3, "b": True}}),
    st.builds(lambda to: {"call": to}, st.sampled_from(FLOWS)),
    st.builds(lambda to: {"do": "look", "into": {"out": "n"}, "fails": to, "attempts": 2}, targets),
    st.just({"do": "write"}),
    st.just({"do": "put", "arguments": {"a": "x"}}),
    st.just({"do": "once", "into": {"out": "n"}, "attempts": 3, "fails": "end"}),
    st.sampled_from([{"wait": "2m"}, {"wait": "until 18:00"}]),
    st.builds(lambda guard: {"repeat": [{"collect": ["b"]}], "until": guard, "at_most": 3}, st.sampled_from(GUARDS)),
)


some_modes = st.lists(st.sampled_from([*MODES, OPERATOR]), max_size=4, unique=True)
mode_timers = st.fixed_dictionaries(
    {},
    optional={
        "hush": st.just({"after": "5m of silence", "say": "¿Sigues ahí?", "at_most": 2}),
        "move": st.builds(lambda to: {"after": "9m of silence", "mode": to}, st.sampled_from([*MODES, OPERATOR])),
        "begin": st.builds(lambda flow: {"at": "17:00", "start": flow}, st.sampled_from(FLOWS)),
    },
)
declared_modes = st.fixed_dictionaries(
    {
        "tools": st.lists(st.sampled_from([*TOOLBOX, "all"]), max_size=4),
        "to": some_modes,
        "after": st.dictionaries(st.sampled_from([*TOOLBOX]), st.sampled_from(MODES), max_size=2),
        "requires": st.lists(st.sampled_from(["a", "hint", "n > 3", "not b"]), max_size=2),
        "timers": mode_timers,
        "bridge": st.sampled_from(["", "Sigamos con {a}."]),
        "enter": st.sampled_from([None, {"say": "Entramos."}, *({"start": flow} for flow in FLOWS)]),
    }
)


@st.composite
def agents(draw: st.DrawFn) -> Agent:
    """An agent of three flows, and often of three modes, with sound references."""
    modes = {name: draw(declared_modes) for name in MODES} | {OPERATOR: {"operator": True}}
    modal = draw(st.sampled_from([True, True, False]))
    flows = {}
    for name in FLOWS:
        drawn = draw(st.lists(steps, min_size=2, max_size=6))
        named = [{"name": f"s{place}", **step} if place < 2 else dict(step) for place, step in enumerate(drawn)]
        for step in named:
            if draw(st.integers(0, 5)) == 0:
                step["when"] = draw(st.sampled_from(GUARDS))
            if modal and draw(st.integers(0, 3)) == 0:
                step["mode"] = draw(st.sampled_from([*MODES, OPERATOR]))
            if not modal and step.get("no", step.get("fails")) in {*MODES, OPERATOR}:
                step["no" if "no" in step else "fails"] = "end"
            if not modal and "branch" in step:
                step["branch"] = dict.fromkeys(step["branch"], "end")
        starts = "always" if name == "main" else [f"quiero {name}"]
        flows[name] = {"starts": starts, "steps": named, "interrupts": draw(st.sampled_from(["push", "ask"]))}
    start, quiet = draw(st.sampled_from(FLOWS)), draw(st.sampled_from(["21:00 to 08:00", "10:00 to 16:00"]))
    timers = {**TIMERS, "starting": {"after": "10m", "start": start, "at_most": 3}}
    file = {"agent": "random", "slots": SLOTS, "flows": flows, "timers": timers, "quiet_hours": quiet}
    said = {"look": draw(st.sampled_from(["Vi {out}.", "hint"])), "put": "Puse {a}."}
    file |= {
        "intents": {"see": {"examples": ["ver"], "do": "look"}, "hours": {"examples": ["hora"], "answer": "hint"}},
        "templates": {"hint": ["Una pista.", "Otra pista."]},
        "tools": {"groups": {"all": list(TOOLBOX)}, "says": said},
        "grounded": draw(st.sampled_from(["strict", "loose"])),
        "amends": draw(st.sampled_from(["", *FLOWS])),
        "confidence": draw(st.sampled_from([None, {"proceed": 85, "reanalyse": 60, "clarify": 40}])),
    }
    return _parsed({**file, "modes": modes} if modal else file)


_AGENT = TypeAdapter(Agent)  # making one takes longer than all the talk of an example


def _parsed(file: dict[str, Any]) -> Agent:
    """Read without the checks: the core must survive what they refuse, too."""
    agent = _AGENT.validate_python(file)
    return complete(replace(agent, toolbox=TOOLBOX))


names = st.sampled_from(["a", "n", "b", "nope"])
values = st.one_of(st.sampled_from(["x", "y", 1, 4, 7, 99, True, False]), st.text(max_size=5))
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(SetSlot, names, values),
    st.builds(SetSlot, names, values),
    st.builds(CorrectSlot, names, st.none() | values),
    st.builds(SkipSlot, names),
    st.builds(RejectSlot, names, values),
    st.builds(OfferValues, names, st.lists(st.text(max_size=4), max_size=3).map(tuple)),
    st.just(Affirm()),
    st.just(Affirm()),
    st.just(Deny()),
    st.builds(StartFlow, st.sampled_from([*FLOWS, "nope"])),
    st.just(CancelFlow()),
    st.just(Digress("off_topic")),
    st.builds(AskInfo, st.sampled_from(["see", "hours", "nope"])),
    st.builds(Choose, st.sampled_from(["see", "hours", "side", "nope"])),
    st.builds(GiveArgument, values, st.sampled_from(["", "a", "nope"])),
    st.builds(Reply, st.sampled_from(["", "Hola", "Ya está."])),
    st.builds(
        CallTool,
        st.sampled_from([*TOOLBOX, "nope"]),
        st.dictionaries(st.sampled_from(["a", "n", "nope"]), values | st.just([1.5, {"x": None}]), max_size=2),
        st.sampled_from(["", "c1"]),
    ),
    st.builds(CallTool, st.sampled_from(["look", "put"]), st.just({"a": "x"})),
)
some_commands = st.lists(commands, max_size=4).map(tuple)
talks = st.lists(
    st.one_of(
        st.builds(
            MessageUnderstood,
            st.just(NOW),
            some_commands,
            intent=st.sampled_from(["", "see", "hours", "side"]),
            confidence=st.sampled_from([100, 100, 85, 84, 60, 59, 40, 39]),
            early=st.sampled_from([False, False, True]),
            floor=st.booleans(),
        ),
        st.builds(ModelAnswered, st.just(NOW), some_commands, floor=st.booleans()),
        st.builds(Summarised, st.just(NOW), st.just("en resumen"), st.just(1)),
        st.builds(Released, st.just(NOW), st.sampled_from(["", *MODES, OPERATOR, "nope"])),
        st.builds(
            TimerFired,
            st.sampled_from([NOW + timedelta(hours=1), NOW + timedelta(hours=10)]),
            st.sampled_from(
                [
                    "wait.main.s0",
                    "wait.side.s1",
                    "wait.main.wait_3",
                    "timer.silent",
                    "timer.starting",
                    "timer.giving_up",
                    *(f"timer.{mode}.{name}" for mode in MODES for name in ("hush", "move", "begin")),
                ]
            ),
        ),
        st.sampled_from([Paused(NOW), Resumed(NOW), Resumed(NOW)]),
        st.just(Released(NOW)),
    ),
    max_size=10,
)
Luck = tuple[bool, bool, int, str]
Words = tuple[tuple[Command, ...], bool]
outcomes: st.SearchStrategy[list[Luck]] = st.lists(  # did it go well, does nobody know, what was found, what is said
    st.tuples(
        st.booleans(),
        st.sampled_from([False, False, False, True]),
        st.integers(0, 12),
        st.sampled_from(["", "", "tell", "asks", "offers"]),
    ),
    min_size=1,
    max_size=8,
)
speeches: st.SearchStrategy[list[Words]] = st.lists(st.tuples(some_commands, st.booleans()), min_size=1, max_size=5)
MAX_ROUNDS = 6
ASKS = {"asks": Asks("a", question="¿Cuál?"), "offers": Asks("a", ("x", "y"))}


def begin(agent: Agent) -> Session:
    return opened(agent, session_id="s", at=NOW)


def play(agent: Agent, talk: list[Event], luck: list[Luck], speech: list[Words]) -> tuple[Session, list[Event]]:
    """Play a talk to its end, tools and a model answering as luck has it; the invariants are checked on the way."""
    decision, happened, calls = Decision(begin(agent)), [], 0
    for event in talk:
        now: Event | None = event
        rounds = 0
        while now:
            before, decision = decision, decide(agent, decision.session, now, decision.progress)
            happened.append(now)
            _check(agent, before, now, decision)
            _check_modes(agent, before.session, now, decision)
            now = None
            if decision.progress.running:
                results = []
                for call in decision.progress.running:
                    results.append(_result(agent, call, luck[calls % len(luck)]))
                    calls += 1
                assert calls < 400
                now = ToolsReturned(NOW, tuple(results))
            elif decision.progress.model_turn_open:
                commands, floor = speech[rounds % len(speech)]
                rounds += 1
                now = ModelAnswered(NOW, commands, floor=floor and rounds < MAX_ROUNDS)
        assert decision.states[-1] in RESTING
        assert decision.progress.running == ()
        assert decision.progress.unsaid == ()
        assert not decision.progress.model_turn_open
    return decision.session, happened


def _result(agent: Agent, call: Running, luck: Luck) -> ToolResult:
    ok, lost, out, says = luck
    unknown = lost and not ok and not agent.toolbox[call.tool].idempotent
    words = "No se puede." if says == "tell" else ""
    asks = None if ok else ASKS.get(says)
    outputs = {"out": out}
    return ToolResult(
        call.call_id, call.tool, ok=ok, outputs=outputs, error="no", unknown=unknown, tell=words, asks=asks
    )


def _check_modes(agent: Agent, before: Session, event: Event, decision: Decision) -> None:
    session, by_hand = decision.session, isinstance(event, Released)
    for run in (effect for effect in decision.effects if isinstance(effect, RunTool)):
        assert run.tool in agent.tools_in(session.mode)
        assert session.holder == "agent"
    assert session.mode in (agent.modes or {""})
    if agent.modes:
        assert (session.mode == OPERATOR) == (session.holder == "operator")
    for left, entered in decision.modes:
        # who wants nobody any more, or waits in vain, is where the handoff found them, if only until the next one
        back = left == OPERATOR and before.handoff is not None and entered == before.handoff.mode
        assert by_hand or back or entered == OPERATOR or entered in ways(agent, left)
    of_modes = [name for name in session.timers if name.startswith("timer.M")]
    assert all(name.startswith(f"timer.{session.mode}.") for name in of_modes)
    assert before.version + (not isinstance(event, MID_TURN)) == session.version


def _check(agent: Agent, earlier: Decision, event: Event, decision: Decision) -> None:
    before, session, effects = earlier.session, decision.session, decision.effects
    last = decision.states[-1]
    executing = decision.progress.running and last == "executing_action"
    assert last in RESTING or decision.progress.model_turn_open or executing
    assert len(session.stack) <= MAX_STACK
    assert len({frame.flow for frame in session.stack}) == len(session.stack)
    written = [effect for effect in effects if isinstance(effect, RunTool) and agent.toolbox[effect.tool].needs_yes]
    for _ in written:
        said = [frame.yes for frame in session.stack if frame.yes is not None]
        assert any(yes.digest == shown_digest(session, yes.template, yes.bound) for yes in said)
    if isinstance(event, ToolsReturned) and earlier.progress.running and event.results[0].unknown:
        assert session.status == "handed_off"
        assert not any(isinstance(effect, RunTool | Complete) for effect in effects)
    if isinstance(before.pending, AskedYes) and isinstance(event, MessageUnderstood) and event.early:
        assert not written, "a tool ran on a yes to what had not been shown"
    if isinstance(before.pending, AskedYes) and isinstance(event, MessageUnderstood) and Affirm() not in event.commands:
        assert not written, "a tool ran without a yes to the open question"


@settings(
    max_examples=depth(100, 250),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(agents(), talks, outcomes, speeches)
def test_any_flow_survives_any_talk_and_replays_identically(
    agent: Agent, talk: list[Event], luck: list[Luck], speech: list[Words]
) -> None:
    session, happened = play(agent, talk, luck, speech)
    assert from_json(to_json(session)) == session
    again = Decision(begin(agent))
    for event in happened:
        again = decide(agent, again.session, event, again.progress)
    assert again.session == session
    recorded = decode(Told, encode(Told, tuple(happened)))
    assert recorded == tuple(happened)
