"""The router: a model classifies a message and proposes; its structured answer becomes commands."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.values import Accepted, accept
from hilo.dialogue.apply_commands import commands_of
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Reply,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.session import AskedSlot, Session
from hilo.llm.model import ModelError
from hilo.llm.untrusted import parsed
from hilo.recognisers.normalise import normalise
from hilo.turn.model_requests.prompts import open_slots
from hilo.understanding.arguments import calls_of
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import Values

OTHER = "other"
ACTS = ("yes", "no", "cancel", "human", "skip")
TOPICS = ("order", "info", "mixed", OTHER)
MOST_LISTED = 50  # things of one kind that are looked at; the gate lets far fewer pass
LONGEST_NAME, LONGEST_VALUE, LONGEST_ARGUMENTS, LONGEST_WORDS = 100, 2000, 8000, 4000  # characters

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Routed:
    """What the model takes a message for."""

    intent: str
    confidence: int
    alternatives: tuple[tuple[str, int], ...] = ()
    topic: str = ""
    commands: tuple[Command, ...] = ()

    @property
    def needs_words(self) -> bool:
        """Whether somebody has to put the answer in words: results to come, or nothing proposed that speaks."""
        speaking = (AskInfo, StartFlow, Reply, RequestHuman, CancelFlow, SetSlot, CorrectSlot, SkipSlot, Affirm, Deny)
        return any(isinstance(each, CallTool) for each in self.commands) or not any(
            isinstance(each, speaking) for each in self.commands
        )


def known_intents(agent: Agent) -> tuple[str, ...]:
    """What a message may be classified as."""
    flows = (name for name, flow in agent.flows.items() if flow.starts and not flow.starts_by_itself)
    return (*agent.intents, *flows)


def schema(agent: Agent, mode: str) -> Json:
    """The shape of the answer; what the agent does not have is left out of it."""
    sure = {"type": "integer", "description": "0 to 100"}
    intent = {"type": "string", "enum": [*known_intents(agent), OTHER]}
    properties: Json = {
        "intent": intent,
        "confidence": sure,
        "alternatives": _list_of({"intent": intent, "confidence": sure}),
        "topic": {"type": "string", "enum": list(TOPICS)},
        "acts": {"type": "array", "items": {"type": "string", "enum": list(ACTS)}},
    }
    if slots := open_slots(agent):
        properties["slots"] = _list_of({"slot": {"type": "string", "enum": list(slots)}, "value": {"type": "string"}})
    if tools := sorted(agent.proposable(mode) & agent.toolbox.keys()):
        properties["calls"] = _list_of({"tool": {"type": "string", "enum": tools}, "arguments": {"type": "string"}})
    properties["answer"] = {"type": "string"}
    return closed(properties)


def closed(properties: Json) -> Json:
    """An object with exactly these properties."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list_of(properties: Json) -> Json:
    return {"type": "array", "items": closed(properties)}


# --- reading the answer ------------------------------------------------------------------------------------


def read_answer(agent: Agent, session: Session, reading: Reading, answer: Any) -> Routed:
    """What the model answered, whatever it is; an answer that is no object is a broken reply."""
    if not isinstance(answer, Mapping):
        raise ModelError("broken_reply", "the classification is no object")
    intent, confidence = _text(answer.get("intent")), _sureness(answer.get("confidence"))
    proposed = tuple(_commands(agent, session, reading, answer, intent))
    topic, words = _text(answer.get("topic")), _text(answer.get("answer"))[:LONGEST_WORDS]
    speaks = words and not any(isinstance(each, CallTool | AskInfo) for each in proposed)
    return Routed(
        intent=intent if intent in known_intents(agent) else "",
        confidence=confidence,
        alternatives=tuple(_alternatives(agent, answer)),
        topic=topic if topic in TOPICS else "",
        commands=(*proposed, *((Reply(words),) if speaks else ())),
    )


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _sureness(value: Any) -> int:
    """From 0 to 100; what is no number is no sureness at all."""
    return int(max(0, min(100, value))) if isinstance(value, int | float) and value == value else 0  # noqa: PLR0124


def _each(answer: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    listed = answer.get(name)
    return [each for each in (listed if isinstance(listed, list) else [])[:MOST_LISTED] if isinstance(each, Mapping)]


def _alternatives(agent: Agent, answer: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for each in _each(answer, "alternatives"):
        if _text(each.get("intent")) in known_intents(agent):
            yield _text(each.get("intent")), _sureness(each.get("confidence"))


def _commands(
    agent: Agent, session: Session, reading: Reading, answer: Mapping[str, Any], intent: str
) -> Iterator[Command]:
    acts = answer.get("acts")
    yield from _acts(session, acts if isinstance(acts, list) else [])
    calls = tuple(_calls(agent, answer))
    yield from calls
    if intent in known_intents(agent):
        fit = any(_fits(agent, session, call) for call in calls)
        yield from () if fit and _runs(agent, intent) else _meant(agent, session, reading, intent)
    yield from _values(agent, session, reading, answer)


def _fits(agent: Agent, session: Session, call: CallTool) -> bool:
    """Whether a call may pass the gate at all."""
    spec = agent.toolbox.get(call.tool)
    offered = spec is not None and call.tool in agent.proposable(session.mode)
    return offered and spec is not None and (not spec.parameters or call.arguments.keys() <= spec.parameters.keys())


def _runs(agent: Agent, intent: str) -> bool:
    return intent in agent.intents and bool(agent.intents[intent].do)


def _meant(agent: Agent, session: Session, reading: Reading, intent: str) -> tuple[Command, ...]:
    """What the intent itself proposes: with what the message gives, where it runs a tool."""
    if any(frame.flow == intent for frame in session.stack):
        return ()
    declared = agent.intents.get(intent)
    if declared and not declared.do and not declared.answer:
        return ()
    if declared and declared.do:
        return calls_of(agent, declared, reading.text.raw, now=reading.values.now)
    return commands_of(agent, intent)


def _acts(session: Session, acts: list[Any]) -> Iterator[Command]:
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    ways: dict[str, Command] = {"yes": Affirm(), "no": Deny(), "cancel": CancelFlow(), "human": RequestHuman()}
    for act in dict.fromkeys(each for each in acts if isinstance(each, str)):
        if act in ways:
            yield ways[act]
        elif act == "skip" and asked:
            yield SkipSlot(asked)


def _calls(agent: Agent, answer: Mapping[str, Any]) -> Iterator[CallTool]:
    """A call that lacks something has no id: its proposer will not hear of it, so that the contact is asked."""
    for number, each in enumerate(_each(answer, "calls"), 1):
        call = call_of(_text(each.get("tool")), _arguments(each.get("arguments")), f"call_{number}")
        yield replace(call, id="") if _lacks(agent, call) else call


def _lacks(agent: Agent, call: CallTool) -> bool:
    spec = agent.toolbox.get(call.tool)
    needed = [name for name, required in spec.parameters.items() if required] if spec else []
    return any(call.arguments.get(name) is None for name in needed)


def call_of(tool: str, arguments: Mapping[str, Any], proposal: str) -> CallTool:
    """A proposed call of a size that can be kept: of one that is longer, the gate only needs to know that."""
    length = len(json.dumps(arguments, default=str))
    fits = length <= LONGEST_ARGUMENTS
    return CallTool(tool[:LONGEST_NAME], dict(arguments) if fits else {"too long": length}, proposal)


def _arguments(written: Any) -> Mapping[str, Any]:
    """A JSON object as text; what is none becomes an argument that no tool has, so that the gate says so."""
    try:
        read = parsed(written) if isinstance(written, str) else written
    except ModelError:
        read = None
    return read if isinstance(read, Mapping) else {"not an object": str(written)[:LONGEST_NAME]}


def _values(agent: Agent, session: Session, reading: Reading, answer: Mapping[str, Any]) -> Iterator[Command]:
    for each in _each(answer, "slots"):
        name, written = _text(each.get("slot")), _text(each.get("value"))[:LONGEST_VALUE]
        if name in open_slots(agent) and written:
            kind = CorrectSlot if name in session.slots else SetSlot
            yield kind(name, as_value(agent, name, written, reading))


def as_value(agent: Agent, slot: str, written: str, reading: Reading) -> Any:
    """A value in the form that the slot keeps, read as if the contact had written just this ("mañana", "dos mil")."""
    declared = agent.slots[slot]
    if isinstance(accept(declared, written, country=agent.country), Accepted):
        return written
    found = Values(normalise(written), (), reading.values.now, agent.country).of(declared, asked=True)
    return found[0].value if found else written
