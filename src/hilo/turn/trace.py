"""The one record of a turn, which the terminal, the tests and the dashboard all show."""

from dataclasses import asdict, dataclass, is_dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from hilo.dialogue.events import MessageReceived
from hilo.turn.state import Record, TurnState, Visit
from hilo.understanding.reading import Reading


@dataclass(frozen=True, slots=True)
class Understanding:
    """What was read in a message, by which stage, and how surely."""

    stage: str
    intent: str = ""
    topic: str = ""
    confidence: int = 0
    alternatives: tuple[tuple[str, int], ...] = ()
    acts: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    sentiment: float = 0.0
    sentiment_causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """How a turn came about: nodes with their times, understanding, commands, states and effects."""

    turn: int
    at: datetime
    event: str
    text: str
    engine: str
    nodes: tuple[Visit, ...]
    understanding: Understanding
    correction: str | None
    accepted: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]
    states: tuple[str, ...]
    steps: tuple[str, ...]
    guards: tuple[tuple[str, str, bool], ...]
    effects: tuple[str, ...]
    policy: str
    reason: str
    errors: tuple[str, ...] = ()
    modes: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    mode: str = ""  # the one that the turn began in

    @property
    def milliseconds(self) -> float:
        """What the nodes took together."""
        return sum(visit.milliseconds for visit in self.nodes)

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the nodes visited."""
        return tuple(visit.node for visit in self.nodes)

    def as_json(self) -> dict[str, Any]:
        """Plain values, for a log or a page."""
        return {**asdict(self), "at": self.at.isoformat()}


def trace_of(state: TurnState, record: Record, *, engine: str) -> Trace:
    """The record of a finished turn."""
    decision, event = state["decision"], state["event"]
    correction, handoff = state.get("correction"), decision.session.handoff
    handed = handoff is not None and state["session"].handoff is None
    return Trace(
        turn=decision.session.counters.turns,
        at=event.at,
        event=type(event).__name__,
        text=event.text if isinstance(event, MessageReceived) else "",
        engine=engine,
        nodes=tuple(record.visits),
        understanding=_understanding(state, record),
        correction=correction.slot if correction else None,
        accepted=tuple(describe(command) for command in decision.accepted),
        refused=tuple((describe(refusal.command), refusal.reason) for refusal in decision.refused),
        states=tuple(map(str, decision.states)),
        steps=decision.steps,
        guards=decision.guards,
        effects=tuple(describe(effect) for effect in decision.effects),
        policy=handoff.policy if handoff and handed else "",
        reason=handoff.reason if handoff and handed else "",
        errors=(*record.errors, *decision.errors),
        modes=decision.modes,
        notes=tuple(record.notes),
        mode=state["session"].mode,
    )


def _understanding(state: TurnState, record: Record) -> Understanding:
    event, reading = state["event"], state.get("reading")
    if reading is None:
        return Understanding(stage="none")
    exact = isinstance(event, MessageReceived) and event.payload
    stage = "exact" if exact else "embedded"
    if any(visit.node == "ask_model" for visit in record.visits) and state.get("model"):
        stage = state["model"]
    embedded, routed = _embedded(reading, stage), state.get("routed")
    if routed is None:
        return embedded
    return replace(
        embedded,
        intent=routed.intent,
        topic=routed.topic,
        confidence=routed.confidence,
        alternatives=routed.alternatives,
    )


def _embedded(reading: Reading, stage: str) -> Understanding:
    return Understanding(
        stage=stage,
        intent=reading.intent,
        topic=reading.topic,
        confidence=reading.confidence,
        alternatives=reading.alternatives,
        acts=tuple(f"{act.kind} “{reading.text.original(act.start, act.end)}”" for act in reading.acts),
        mentions=tuple(mention.slot for mention in reading.mentions),
        keywords=reading.keywords,
        sentiment=reading.sentiment.score,
        sentiment_causes=reading.sentiment.causes,
    )


def describe(thing: Any) -> str:
    """A command or an effect in one line: SetSlot(email, j@x.com)."""
    if not is_dataclass(thing):
        return str(thing)
    parts = [_part(getattr(thing, name)) for name in thing.__dataclass_fields__]
    return f"{type(thing).__name__}({', '.join(part for part in parts if part)})"


def _part(value: Any) -> str:
    if value is None or value is False or value in ("", ()):
        return ""
    if hasattr(value, "template"):
        return str(value.template)
    if isinstance(value, Decimal | datetime):
        return str(value)
    return str(value) if not isinstance(value, tuple) else " ".join(map(str, value))
