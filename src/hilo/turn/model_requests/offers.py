"""What a model in a tool loop may propose: the tools of the mode, and what a contact may want of the dialogue."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    RequestHuman,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.events import ToolResult
from hilo.dialogue.session import Session
from hilo.llm.model import Offer, ToolUse
from hilo.tools.tool import Tool
from hilo.turn.model_requests.prompts import open_slots
from hilo.turn.model_requests.router import LONGEST_NAME, LONGEST_VALUE, call_of
from hilo.turn.model_requests.untrusted_text import bounded, quoted

PREFIX = "dialogue_"
LONGEST_RESULT = 6000  # characters of a result that a model reads
LONGEST_DESCRIPTION = 1000


def offers(agent: Agent, session: Session, tools: Mapping[str, Tool]) -> tuple[Offer, ...]:
    """What the gate could let pass in this mode: the same in all its turns, in a fixed order, so that it is cached."""
    return (*_business(agent, session, tools), *_dialogue(agent))


def _business(agent: Agent, session: Session, tools: Mapping[str, Tool]) -> Iterator[Offer]:
    for name in sorted(agent.proposable(session.mode) & tools.keys()):
        spec = tools[name].spec
        if not spec.needs_yes:  # such a tool runs only in a flow that has asked for the yes
            yield Offer(name, bounded(spec.description, LONGEST_DESCRIPTION), tools[name].schema())


def _dialogue(agent: Agent) -> Iterator[Offer]:
    flows = [name for name, flow in agent.flows.items() if flow.starts and not flow.starts_by_itself]
    slots, answers = open_slots(agent), [name for name, intent in agent.intents.items() if intent.answer]
    if flows:
        yield _offer("start_flow", "The contact wants what this procedure does.", flow=_one_of(flows))
    if slots:
        told = "The contact gave this value, in their words; a value that is known already is corrected."
        yield _offer("set_slot", told, slot=_one_of(slots), value={"type": "string"})
    if answers:
        yield _offer("answer", "The program says its ready answer to this question.", intent=_one_of(answers))
    yield _offer("affirm", "The contact said yes to the open question, in so many words.")
    yield _offer("deny", "The contact said no to the open question.")
    yield _offer("cancel", "The contact does not want to go on with the procedure under way.")
    yield _offer("ask_human", "A person should take over.", reason={"type": "string"})


def _offer(name: str, description: str, **properties: Mapping[str, Any]) -> Offer:
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return Offer(PREFIX + name, description, schema)


def _one_of(names: tuple[str, ...] | list[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}


def command_of(use: ToolUse, session: Session) -> Command:
    """The command that a proposed call stands for; what makes no sense becomes a call that the gate refuses."""
    given = {name: str(value) for name, value in use.arguments.items() if isinstance(value, str | int | float | bool)}
    match use.name.removeprefix(PREFIX) if use.name.startswith(PREFIX) else "":
        case "start_flow":
            return StartFlow(given.get("flow", "")[:LONGEST_NAME])
        case "set_slot":
            kind = CorrectSlot if given.get("slot") in session.slots else SetSlot
            return kind(given.get("slot", "")[:LONGEST_NAME], given.get("value", "")[:LONGEST_VALUE])
        case "answer":
            return AskInfo(given.get("intent", "")[:LONGEST_NAME])
        case "affirm":
            return Affirm()
        case "deny":
            return Deny()
        case "cancel":
            return CancelFlow()
        case "ask_human":
            return RequestHuman(given.get("reason", "")[:200])
    return call_of(use.name, use.arguments, use.id)


def told_result(result: ToolResult) -> str:
    """What a model is told of a call."""
    if result.asks:
        asked = {"needs": result.asks.parameter, "options": list(result.asks.options)}
        return quoted(f"The program asks the contact: {json.dumps(asked, ensure_ascii=False)}")
    if not result.ok:
        return quoted(bounded(f"Failed: {result.tell or result.error}", LONGEST_RESULT))
    written = json.dumps(dict(result.outputs), ensure_ascii=False, default=str)
    return quoted(bounded(written, LONGEST_RESULT))
