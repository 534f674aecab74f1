"""Random well-formed flows, random talks, random tools: what must hold whatever an author writes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from hilo.agent.declaration import Agent
from hilo.agent.texts import complete
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.calls import shown_digest
from hilo.dialogue.commands import (
    Affirm,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    OfferValues,
    RejectSlot,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.decide import decide
from hilo.dialogue.effects import Complete, RunTool
from hilo.dialogue.events import (
    Event,
    MessageUnderstood,
    Paused,
    Released,
    Resumed,
    TimerFired,
    ToolResult,
    ToolsReturned,
)
from hilo.dialogue.flow import MAX_STACK
from hilo.dialogue.session import AskedYes, Session, from_json, to_json
from hilo.dialogue.states import RESTING

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
TOOLBOX = {
    "look": ToolSpec("look", {"a": False, "n": False}),
    "write": ToolSpec("write", {"a": False}, writes=True, needs_yes=True),
    "once": ToolSpec("once", {"a": False}, writes=True, needs_yes=True, idempotent=False),
}
SLOTS = {
    "a": {"type": "text", "ask": "¿A?"},
    "n": {"type": "number", "min": 0, "max": 9, "required": False, "ask": "¿N?"},
    "b": {"type": "boolean", "ask": "¿B?"},
}
TIMERS: dict[str, Any] = {
    "silent": {"after": "6m of silence", "when": "a is empty", "say": "¿Sigues ahí? {missing}", "at_most": 2},
    "giving_up": {"at": "19:00", "handoff": "nobody"},
}
FLOWS = ("main", "side", "inner")
GUARDS = ("n > 3", "b", "a is empty", "not b and n < 5", "a == 'x' or n == 1")

targets = st.sampled_from(["end", "handoff", "change", "s0", "s1", *FLOWS])
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
    st.just({"do": "once", "into": {"out": "n"}, "attempts": 3, "fails": "end"}),
    st.sampled_from([{"wait": "2m"}, {"wait": "until 18:00"}]),
    st.builds(lambda guard: {"repeat": [{"collect": ["b"]}], "until": guard, "at_most": 3}, st.sampled_from(GUARDS)),
)


@st.composite
def agents(draw: st.DrawFn) -> Agent:
    """An agent of three flows with sound references."""
    flows = {}
    for name in FLOWS:
        drawn = draw(st.lists(steps, min_size=2, max_size=6))
        named = [{"name": f"s{place}", **step} if place < 2 else dict(step) for place, step in enumerate(drawn)]
        for step in named:
            if draw(st.integers(0, 5)) == 0:
                step["when"] = draw(st.sampled_from(GUARDS))
        starts = "always" if name == "main" else [f"quiero {name}"]
        flows[name] = {"starts": starts, "steps": named, "interrupts": draw(st.sampled_from(["push", "ask"]))}
    start, quiet = draw(st.sampled_from(FLOWS)), draw(st.sampled_from(["21:00 to 08:00", "10:00 to 16:00"]))
    timers = {**TIMERS, "starting": {"after": "10m", "start": start, "at_most": 3}}
    return _parsed({"agent": "random", "slots": SLOTS, "flows": flows, "timers": timers, "quiet_hours": quiet})


def _parsed(file: dict[str, Any]) -> Agent:
    """Read without the checks: the core must survive what they refuse, too."""
    agent = TypeAdapter(Agent).validate_python(file)
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
)
talks = st.lists(
    st.one_of(
        st.builds(
            MessageUnderstood,
            st.just(NOW),
            st.lists(commands, max_size=4).map(tuple),
            early=st.sampled_from([False, False, True]),
        ),
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
                ]
            ),
        ),
        st.sampled_from([Paused(NOW), Resumed(NOW), Resumed(NOW)]),
        st.just(Released(NOW)),
    ),
    max_size=10,
)
outcomes = st.lists(  # whether a call went well, whether nobody knows, and what it found
    st.tuples(st.booleans(), st.sampled_from([False, False, False, True]), st.integers(0, 12)), min_size=1, max_size=8
)


def begin(agent: Agent) -> Session:
    return Session(id="s", agent="random", agent_version=agent.version, started_at=NOW, last_at=NOW)


def play(agent: Agent, talk: list[Event], luck: list[tuple[bool, bool, int]]) -> tuple[Session, list[Event]]:
    """Play a talk to its end, tools answering as luck has it; the invariants are checked on the way."""
    session, happened, calls = begin(agent), [], 0
    for event in talk:
        queue: list[Event] = [event]
        while queue:
            now = queue.pop()
            before, decision = session, decide(agent, session, now)
            session = decision.session
            happened.append(now)
            _check(agent, before, now, decision.effects, session)
            if session.running is not None:
                ok, lost, out = luck[calls % len(luck)]
                calls += 1
                assert calls < 200
                tool = session.running.tool
                unknown = lost and not ok and not agent.toolbox[tool].idempotent
                result = ToolResult(
                    session.running.call_id, tool, ok=ok, outputs={"out": out}, error="no", unknown=unknown
                )
                queue.append(ToolsReturned(NOW, (result,)))
    return session, happened


def _check(agent: Agent, before: Session, event: Event, effects: tuple[object, ...], session: Session) -> None:
    assert session.state in RESTING or (session.running is not None and session.state == "executing_action")
    assert len(session.stack) <= MAX_STACK
    assert len({frame.flow for frame in session.stack}) == len(session.stack)
    written = [effect for effect in effects if isinstance(effect, RunTool) and agent.toolbox[effect.tool].needs_yes]
    for _ in written:
        said = [frame.yes for frame in session.stack if frame.yes is not None]
        assert any(yes.digest == shown_digest(session, yes.template, yes.bound) for yes in said)
    if isinstance(event, ToolsReturned) and event.results[0].unknown:
        assert session.status == "handed_off"
        assert not any(isinstance(effect, RunTool | Complete) for effect in effects)
    if isinstance(before.pending, AskedYes) and isinstance(event, MessageUnderstood) and event.early:
        assert not written, "a tool ran on a yes to what had not been shown"
    if isinstance(before.pending, AskedYes) and isinstance(event, MessageUnderstood) and Affirm() not in event.commands:
        assert not written, "a tool ran without a yes to the open question"


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(agents(), talks, outcomes)
def test_any_flow_survives_any_talk_and_replays_identically(
    agent: Agent, talk: list[Event], luck: list[tuple[bool, bool, int]]
) -> None:
    session, happened = play(agent, talk, luck)
    assert from_json(to_json(session)) == session
    again = begin(agent)
    for event in happened:
        again = decide(agent, again, event).session
    assert again == session
