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
from hilo.dialogue.draft import known, less, of_kind
from hilo.dialogue.session import Session
from hilo.llm.model import ModelError
from hilo.llm.untrusted import a_list, a_text, parsed
from hilo.turn.model_requests.prompts import offered_tools, open_slots, wanted_flows
from hilo.understanding.arguments import calls_of
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import Values

OTHER = "other"
ACTS = ("yes", "no", "cancel", "human", "skip")
TOPICS = ("order", "info", "mixed", OTHER)
MOST_LISTED = 50  # things of one kind that are looked at; the gate lets far fewer pass
LONGEST_NAME, LONGEST_VALUE, LONGEST_ARGUMENTS, LONGEST_WORDS = 100, 2000, 8000, 4000  # characters

Json = dict[str, Any]


# What the dialogue answers by itself, in words of its own.
SPEAKING = {Affirm, AskInfo, CancelFlow, CorrectSlot, Deny, Reply, RequestHuman, SetSlot, SkipSlot, StartFlow}


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
        kinds = set(map(type, self.commands))
        return CallTool in kinds or not kinds & SPEAKING


def known_intents(agent: Agent) -> tuple[str, ...]:
    """What a message may be classified as."""
    return (*agent.intents, *wanted_flows(agent))


def schema(agent: Agent, mode: str) -> Json:
    """The shape of the answer; what the agent does not have is left out of it."""
    text, sure = {"type": "string"}, {"type": "integer", "description": "0 to 100"}
    intent = {**text, "enum": [*known_intents(agent), OTHER]}
    properties: Json = {
        "intent": intent,
        "confidence": sure,
        "alternatives": _list_of({"intent": intent, "confidence": sure}),
        "topic": {**text, "enum": list(TOPICS)},
        "acts": {"type": "array", "items": {**text, "enum": list(ACTS)}},
    }
    if slots := open_slots(agent):
        properties["slots"] = _list_of({"slot": {**text, "enum": list(slots)}, "value": text})
    if tools := offered_tools(agent, mode):
        properties["calls"] = _list_of({"tool": {**text, "enum": tools}, "arguments": text})
    properties["answer"] = text
    return closed(properties)


def closed(properties: Json) -> Json:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list_of(properties: Json) -> Json:
    return {"type": "array", "items": closed(properties)}


# --- reading the answer ------------------------------------------------------------------------------------


def read_answer(agent: Agent, session: Session, reading: Reading, answer: Any) -> Routed:
    """What the model answered, whatever it is; an answer that is no object is a broken reply."""
    if not isinstance(answer, Mapping):
        raise ModelError("broken_reply", "the classification is no object")
    intent, topic = _text(answer.get("intent")), _text(answer.get("topic"))
    intents = known_intents(agent)
    calls = tuple(_calls(agent, answer))
    proposed: list[Command] = [*_acts(session, answer), *calls]
    if intent in intents:
        proposed += _meant(agent, session, reading, intent, calls)
    proposed += _values(agent, session, reading, answer)
    words = _text(answer.get("answer"))[:LONGEST_WORDS]
    # Where results or a ready answer are to come, words written before them would only be guesses.
    if words and {CallTool, AskInfo}.isdisjoint(map(type, proposed)):
        proposed.append(Reply(words))
    others = [(_text(each.get("intent")), each) for each in _each(answer, "alternatives")]
    return Routed(
        intent=intent if intent in intents else "",
        confidence=_sureness(answer.get("confidence")),
        alternatives=tuple((name, _sureness(each.get("confidence"))) for name, each in others if name in intents),
        topic=topic if topic in TOPICS else "",
        commands=tuple(proposed),
    )


def _text(value: Any) -> str:
    return a_text(value).strip()


def _sureness(value: Any) -> int:
    """From 0 to 100; what is no number is no sureness at all."""
    if not isinstance(value, int | float) or value != value:  # noqa: PLR0124 -- NaN is not itself
        return 0
    return int(max(0, min(100, value)))


def _each(answer: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return list(of_kind(a_list(answer.get(name))[:MOST_LISTED], dict))


def _acts(session: Session, answer: Mapping[str, Any]) -> Iterator[Command]:
    ways: dict[str, Command] = {"yes": Affirm(), "no": Deny()}
    ways |= {"cancel": CancelFlow(), "human": RequestHuman()}
    if session.asked_slot:
        ways["skip"] = SkipSlot(session.asked_slot)
    for act in dict.fromkeys(map(a_text, a_list(answer.get("acts")))):
        if act in ways:
            yield ways[act]


def _meant(
    agent: Agent, session: Session, reading: Reading, intent: str, calls: tuple[CallTool, ...]
) -> tuple[Command, ...]:
    """What the intent itself proposes: with what the message gives, where it runs a tool."""
    if intent in session.flows:
        return ()
    declared = agent.intents.get(intent)
    if declared is None or not declared.do:
        return commands_of(agent, intent) if declared is None or declared.answer else ()
    # A call of the model's own that may pass the gate says more exactly what the intent runs a tool for.
    if any(_fits(agent, session, call) for call in calls):
        return ()
    return calls_of(agent, declared, reading.text.raw, now=reading.values.now)


def _fits(agent: Agent, session: Session, call: CallTool) -> bool:
    """Whether a call may pass the gate at all."""
    if call.tool not in offered_tools(agent, session.mode):
        return False
    parameters = agent.toolbox[call.tool].parameters
    return not parameters or call.arguments.keys() <= parameters.keys()


def _calls(agent: Agent, answer: Mapping[str, Any]) -> Iterator[CallTool]:
    """A call that lacks something has no id: its proposer will not hear of it, so that the contact is asked."""
    for number, each in enumerate(_each(answer, "calls"), 1):
        call = call_of(_text(each.get("tool")), _arguments(each.get("arguments")), f"call_{number}")
        spec = agent.toolbox.get(call.tool)
        lacks = spec is not None and less(spec.needed, *known(call.arguments))
        yield replace(call, id="") if lacks else call


def call_of(tool: str, arguments: Mapping[str, Any], proposal: str) -> CallTool:
    """A proposed call of a size that can be kept: of one that is longer, the gate only needs to know that."""
    length = len(json.dumps(arguments, default=str))
    kept = dict(arguments) if length <= LONGEST_ARGUMENTS else {"too long": length}
    return CallTool(tool[:LONGEST_NAME], kept, proposal)


def _arguments(written: Any) -> Mapping[str, Any]:
    """A JSON object as text; what is none becomes an argument that no tool has, so that the gate says so."""
    try:
        read = parsed(written) if isinstance(written, str) else written
    except ModelError:
        read = None
    return read if isinstance(read, Mapping) else {"not an object": str(written)[:LONGEST_NAME]}


def _values(
    agent: Agent,
    session: Session,
    reading: Reading,
    answer: Mapping[str, Any],
) -> Iterator[Command]:
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
    values = Values(agent.fold(written), (), reading.values.now, agent.country)
    found = values.of(declared, asked=True)
    return found[0].value if found else written
