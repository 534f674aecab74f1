"""The one record of a turn, in values; the terminal, the tests and the dashboard put them in words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from datetime import UTC, datetime
from typing import Any

from hilo.dialogue.commands import Command, Quote, Refusal
from hilo.dialogue.effects import Effect
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.states import DialogueState
from hilo.dialogue.stored import decode, encode
from hilo.llm.turn_budget import ModelUse
from hilo.messages import Attachment
from hilo.turn.state import Record, TurnState, Visit, message_in
from hilo.understanding.assignment import Weighed
from hilo.understanding.lookups import Lookup

# What older traces have as it is, by name.
_TEXTS = ("engine", "policy", "reason", "mode")
_LISTS = ("accepted", "states", "steps", "effects", "errors", "notes")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # of an older trace, whose row knows better


@dataclass(frozen=True, slots=True)
class Understanding:
    """What was read in a message, by which stage, and how surely."""

    stage: str
    intent: str = ""
    topic: str = ""
    confidence: int = 0
    alternatives: tuple[tuple[str, int], ...] = ()
    acts: tuple[tuple[str, str], ...] = ()  # the kind, and the words of the message
    mentions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    sentiment: float = 0.0
    sentiment_causes: tuple[str, ...] = ()
    references: tuple[tuple[str, str], ...] = ()  # words, and what they were taken for
    # Which slot took which, by which rule, and what spoke against others.
    values: tuple[Weighed, ...] = ()
    lookups: tuple[Lookup, ...] = ()  # what the agent's pages have of what was asked
    unheard: tuple[str, ...] = ()  # parts in which nothing was heard, in the contact's words


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """One message of a burst, or several that were read together; one without a stage was only said again."""

    text: str
    understanding: Understanding = field(default_factory=lambda: Understanding("none"))
    correction: str | None = None
    attachments: tuple[Attachment, ...] = ()


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
    accepted: tuple[Command, ...]
    refused: tuple[Refusal, ...]
    states: tuple[DialogueState, ...]
    steps: tuple[str, ...]
    guards: tuple[tuple[str, str, bool], ...]
    effects: tuple[Effect, ...]
    policy: str
    reason: str
    errors: tuple[str, ...] = ()
    modes: tuple[tuple[str, str], ...] = ()
    unmet: tuple[tuple[str, str], ...] = ()  # a mode that was not entered, and what it needs
    notes: tuple[str, ...] = ()
    mode: str = ""  # the one that the turn began in
    attachments: tuple[Attachment, ...] = ()  # what the contact sent besides text
    models: tuple[ModelUse, ...] = ()  # the requests that a model was asked, with their tokens
    # The messages of a burst; what was understood is that of the last one.
    heard: tuple[HeardMessage, ...] = ()
    exhausted: tuple[str, ...] = ()  # templates that had nothing new to say

    @property
    def milliseconds(self) -> float:
        """What the nodes took together."""
        return sum(visit.milliseconds for visit in self.nodes)

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the nodes visited."""
        return tuple(visit.node for visit in self.nodes)


def heard_message(state: TurnState, record: Record) -> HeardMessage:
    """What was read in one message of a burst."""
    message, correction = message_in(state), state.get("correction")
    corrected = correction.slot if correction else None
    if "reading" not in state:
        return HeardMessage(message.described, correction=corrected, attachments=message.attachments)
    reading = state["reading"]
    meant = state.get("routed") or reading  # a model that was asked has the word on what is meant
    understanding = Understanding(
        stage=state.get("model") or ("exact" if message.payload else "embedded"),
        intent=meant.intent,
        topic=meant.topic,
        confidence=meant.confidence,
        alternatives=meant.alternatives,
        acts=tuple((act.kind, reading.text.original(act.start, act.end)) for act in reading.acts),
        mentions=tuple(mention.slot for mention in reading.mentions),
        keywords=reading.keywords,
        sentiment=reading.sentiment.score,
        sentiment_causes=reading.sentiment.causes,
        references=tuple(record.references),
        values=record.values,
        lookups=record.lookups,
        unheard=state.get("unheard", ()),
    )
    return HeardMessage(message.described, understanding, corrected, message.attachments)


def trace_of(
    state: TurnState,
    record: Record,
    *,
    engine: str,
    heard: tuple[HeardMessage, ...] = (),
) -> Trace:
    """The record of a finished turn."""
    decision, event = state["decision"], state["event"]
    last = heard_message(state, record) if isinstance(event, MessageReceived) else HeardMessage("")
    burst = heard if len(heard) > 1 else ()
    # Where a person held the session already, the handoff was told in an earlier trace.
    handoff = decision.session.handoff if state["session"].handoff is None else None
    return Trace(
        turn=decision.session.counters.turns,
        at=event.at,
        event=type(event).__name__,
        text="\n".join(each.text for each in burst) or last.text,
        attachments=tuple(sent for each in burst or (last,) for sent in each.attachments),
        engine=engine,
        nodes=tuple(record.visits),
        understanding=last.understanding,
        correction=last.correction,
        accepted=decision.accepted,
        refused=decision.refused,
        states=decision.states,
        steps=decision.steps,
        guards=decision.guards,
        effects=decision.effects,
        policy=handoff.policy if handoff else "",
        reason=handoff.reason if handoff else "",
        errors=(*record.errors, *decision.errors),
        modes=decision.modes,
        unmet=decision.unmet,
        notes=(*record.notes, *decision.notes),
        models=record.models,
        mode=state["session"].mode,
        heard=burst,
        exhausted=decision.exhausted,
    )


# --- stored with its turn -------------------------------------------------------------------------------


def trace_to_json(trace: Trace) -> str:
    """What is not at its default, with times that can be read."""
    nodes = tuple(Visit(visit.node, round(visit.milliseconds, 2)) for visit in trace.nodes)
    return encode(Trace, replace(trace, nodes=nodes))


def trace_from_json(stored: str) -> Trace:
    """The trace that was stored, by this version or an older one."""
    plain = json.loads(stored)
    if "turn" not in plain:
        return _older(plain)
    trace: Trace = decode(Trace, stored)
    return trace


def _older(plain: Mapping[str, Any]) -> Trace:
    """Older versions stored commands, effects and acts in words, which stay what they are."""
    known = {"stage": "none", **plain.get("understanding", {})}
    known["acts"] = tuple((words, "") for words in known.get("acts", ()))
    known["alternatives"] = tuple(map(tuple, known.get("alternatives", ())))
    facts: dict[str, Any] = {name: plain.get(name, "") for name in _TEXTS}
    facts |= {name: tuple(plain.get(name, ())) for name in _LISTS}
    facts |= {name: tuple(map(tuple, plain.get(name, ()))) for name in ("guards", "modes")}
    return Trace(
        turn=0,
        at=EPOCH,
        event="",
        text="",
        nodes=tuple(Visit(*each) for each in plain.get("nodes", ())),
        understanding=Understanding(**known),
        correction=plain.get("correction"),
        refused=tuple(Refusal(*each) for each in plain.get("refused", ())),
        **facts,
    )


# --- in words ---------------------------------------------------------------------------------------------


def describe_act(act: tuple[str, str]) -> str:
    """What the contact did, and with which words."""
    kind, words = act
    return f"{kind} “{words}”" if words else kind


def describe(thing: Any) -> str:
    """A command or an effect in one line: SetSlot(email, j@x.com)."""
    if not is_dataclass(thing):
        return str(thing)
    if isinstance(thing, Quote):
        return f"Quote({thing.source})"  # the reply shows the text
    parts = [_part(getattr(thing, name)) for name in thing.__dataclass_fields__]
    return f"{type(thing).__name__}({', '.join(part for part in parts if part)})"


def _part(value: Any) -> str:
    # A zero is worth telling; what is merely not given is not.
    if value is None or value is False or value in ("", ()):
        return ""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(getattr(value, "template", value))
