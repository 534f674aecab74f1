"""A session's size hangs on its agent, not on how long the talk was."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.values import Value
from hilo.app import load_tools
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    OfferValues,
    RejectSlot,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.decide import decide
from hilo.dialogue.events import Event, MessageUnderstood, Paused, Released, Resumed, ToolResult, ToolsReturned
from hilo.dialogue.session import Session, from_json, to_json
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
    ]
    return dice.choice(meant)


def turns(agent: Agent, count: int) -> list[Session]:
    """The sessions after each turn of a talk that leads nowhere."""
    dice, session, seen = random.Random(7), opened(agent, session_id="s", at=NOW), []  # noqa: S311
    for turn in range(count):
        at = NOW + turn * timedelta(minutes=3)
        commands = tuple(ramble(agent, dice) for _ in range(dice.randint(0, 3)))
        events: list[Event] = [MessageUnderstood(at, commands, intent="hours", confidence=90)]
        while events:
            session = decide(agent, session, events.pop()).session
            if session.running:
                result = ToolResult(session.running.call_id, session.running.tool, ok=dice.random() < 0.7, error="no")
                events = [ToolsReturned(at, (result,))]
            elif session.status == "handed_off":
                events = [Released(at)]
        for event in (Paused(at), Resumed(at)) if turn % 50 == 0 else ():
            session = decide(agent, session, event).session
        seen.append(session)
    return seen


@pytest.mark.parametrize("agent", [SMALL, VUELOS], ids=["small", "vuelos"])
def test_a_session_of_a_thousand_turns_is_as_small_as_one_of_fifty(agent: Agent) -> None:
    seen = turns(agent, 1000)
    sizes = [len(to_json(session)) for session in seen]
    assert max(sizes[-50:]) <= 1.25 * max(sizes[:50])
    assert max(sizes) <= 1.5 * max(sizes[:50])
    assert from_json(to_json(seen[-1])) == seen[-1]
