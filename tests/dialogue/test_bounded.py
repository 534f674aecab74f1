"""A session's size hangs on its agent, not on how long the talk was."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.agent.values import Value
from hilo.app import load_tools
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
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.decide import decide
from hilo.dialogue.events import (
    Asks,
    Event,
    MessageUnderstood,
    ModelAnswered,
    Paused,
    Released,
    Resumed,
    Summarised,
    ToolResult,
    ToolsReturned,
)
from hilo.dialogue.session import Running, Session, from_json, to_json
from hilo.dialogue.synthesis import opened

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
AGENTS = Path(__file__).parents[2] / "agents"
SMALL = parse("""\
agent: small
quiet_hours: 21:00 to 08:00
slots:
  a: {ask: "¿A?"}
  n: {type: number, required: false, ask: "¿N?"}
  b: {type: boolean, ask: "¿B?"}
flows:
  main:
    starts: always
    steps: [{repeat: [{collect: [a, b]}], until: b, at_most: 9}, {collect: n}, {confirm: "¿{a}?"}, {wait: 2m}]
  side:
    starts: [otra cosa]
    steps: [{collect: n}, {branch: {n > 3: main}}, {call: inner}]
  inner:
    steps: [{collect: b}, {set: {n: 1}}]
intents:
  hours: {examples: [a qué hora], answer: open}
templates:
  open: [A las 9., Desde las 9.]
timers:
  reminder: {after: 6m of silence, say: open}
  evening: {at: "18:00", start: side, at_most: 5}
""")
MODAL = parse(
    """\
agent: modal
slots:
  a: {ask: "¿A?"}
  n: {type: number, required: false, ask: "¿N?"}
  total: {found: true}
flows:
  main: {starts: [empezar], steps: [{collect: [a, n], mode: B}, {confirm: "¿{a}?", no: A}, {say: open, mode: A}]}
intents:
  hours: {examples: [a qué hora], answer: open}
  find: {examples: [buscar], do: look, arguments: {text: message}}
templates:
  open: [A las 9., Desde las 9.]
modes:
  A: {tools: [look, put], to: [B], after: {put: B}, timers: {hush: {after: 5m of silence, say: open, at_most: 2}}}
  B: {tools: look, to: [A], after: {look: A}, bridge: open, timers: {back: {after: 9m of silence, mode: A}}}
  PERSON: {operator: true}
confidence: {clarify: 0}
""",
    toolbox={
        "look": ToolSpec("look", {"text": True}),
        "put": ToolSpec("put", {"a": True}, writes=True, idempotent=False),
    },
)
VUELOS = parse(
    (AGENTS / "vuelos" / "agent.yaml").read_text(encoding="utf-8"),
    toolbox={name: tool.spec for name, tool in load_tools(AGENTS / "vuelos" / "tools.py").items()},
)
DIGRESSIONS = ("greeting", "thanks", "off_topic", "repeat", "no_text", "too_long")


def ramble(agent: Agent, dice: random.Random) -> Command:
    """Anything that a contact may mean."""
    values: list[Value] = ["x", "Ana", "Madrid", "Lima", 2, 7, True, "2026-05-01"]
    slot, value = dice.choice(list(agent.slots)), dice.choice(values)
    meant: list[Command] = [
        SetSlot(slot, value),
        SetSlot(slot, value),
        CorrectSlot(slot, value),
        CorrectSlot(),
        SkipSlot(slot),
        RejectSlot(slot, value),
        OfferValues(slot, ("uno", "dos")),
        Affirm(),
        Affirm(),
        Deny(),
        StartFlow(dice.choice(list(agent.flows))),
        CancelFlow(),
        AskInfo(dice.choice([*agent.intents, "nope"])),
        Digress(dice.choice(DIGRESSIONS)),  # type: ignore[arg-type]
        *([RequestHuman("por favor")] if dice.random() < 0.1 else []),
        *([CallTool(dice.choice(list(agent.toolbox)), {"text": "x" * 50, "a": "y"})] if agent.toolbox else []),
        *([CallTool("look", {"text": "x" * 500}, "c1")] if "look" in agent.toolbox else []),
        *([CallTool("put", {"a": "x"})] if "put" in agent.toolbox else []),
        GiveArgument("y"),
        Reply("palabras " * 50),
        Choose(dice.choice([*agent.intents, "nope"])),
    ]
    return dice.choice(meant)


def whole_turn(agent: Agent, session: Session, event: Event, *, dice: random.Random) -> Session:
    """A turn to its end, with tools that sometimes fail and a model that rambles, too."""
    decision = decide(agent, session, event)
    while decision.progress.running or decision.progress.model_turn_open:
        after: Event = ModelAnswered(event.at, (ramble(agent, dice),), floor=dice.random() < 0.5)
        if decision.progress.running:
            after = ToolsReturned(event.at, tuple(_result(call, dice) for call in decision.progress.running))
        decision = decide(agent, decision.session, after, decision.progress)
    return decision.session


def _result(call: Running, dice: random.Random) -> ToolResult:
    asks = Asks("a", ("uno", "dos"), "¿Cuál?") if dice.random() < 0.1 else None
    ok = asks is None and dice.random() < 0.7
    return ToolResult(call.call_id, call.tool, ok=ok, outputs={"total": "7" * 50}, error="no", asks=asks)


def turns(agent: Agent, count: int) -> list[Session]:
    """The sessions after each turn of a talk that leads nowhere."""
    dice, session, seen = random.Random(7), opened(agent, session_id="s", at=NOW), []  # noqa: S311
    for turn in range(count):
        at = NOW + turn * timedelta(minutes=3)
        commands = tuple(ramble(agent, dice) for _ in range(dice.randint(0, 3)))
        heard = MessageUnderstood(at, commands, "hours", dice.choice([90, 50]), floor=dice.random() < 0.3)
        session = whole_turn(agent, session, heard, dice=dice)
        if session.status == "handed_off":
            session = whole_turn(agent, session, Released(at), dice=dice)
        session = decide(agent, session, Summarised(at, "todo en pocas palabras " * 200, turn)).session
        for event in (Paused(at), Resumed(at)) if turn % 50 == 0 else ():
            session = decide(agent, session, event).session
        seen.append(session)
    return seen


@pytest.mark.parametrize("agent", [SMALL, VUELOS, MODAL], ids=["small", "vuelos", "modal"])
def test_a_session_of_a_thousand_turns_is_as_small_as_one_of_fifty(agent: Agent) -> None:
    seen = turns(agent, 1000)
    sizes = [len(to_json(session)) for session in seen]
    assert max(sizes[-50:]) <= 1.25 * max(sizes[:50])
    assert max(sizes) <= 1.5 * max(sizes[:50])
    assert from_json(to_json(seen[-1])) == seen[-1]
