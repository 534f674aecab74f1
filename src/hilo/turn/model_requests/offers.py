"""What a model in a tool loop may propose: the tools of the mode, and what a contact may want of the dialogue."""

import json
from collections.abc import Iterable, Iterator, Mapping
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
from hilo.turn.model_requests.prompts import bounded, open_slots, quoted, wanted_flows
from hilo.turn.model_requests.router import LONGEST_NAME, LONGEST_VALUE, call_of, closed

PREFIX = "dialogue_"
LONGEST_RESULT = 6000  # characters of a result that a model reads
LONGEST_DESCRIPTION, LONGEST_HUMAN_REASON = 1000, 200
_TEXT = {"type": "string"}


def offers(agent: Agent, session: Session, tools: Mapping[str, Tool]) -> tuple[Offer, ...]:
    """What the gate could let pass in this mode: the same in all its turns, in a fixed order, so that it is cached."""
    offered: list[Offer] = []
    for name in sorted(agent.proposable(session.mode) & tools.keys()):
        spec = tools[name].spec
        if not spec.needs_yes:  # such a tool runs only in a flow that has asked for the yes
            description = bounded(spec.description, LONGEST_DESCRIPTION)
            offered.append(Offer(name, description, tools[name].schema()))
    return (*offered, *_dialogue(agent))


def _dialogue(agent: Agent) -> Iterator[Offer]:
    if flows := wanted_flows(agent):
        told = "The contact wants what this procedure does."
        yield _offer("start_flow", told, flow=_one_of(flows))
    if slots := open_slots(agent):
        told = "The contact gave this value, in their words; a value that is known already is corrected."
        yield _offer("set_slot", told, slot=_one_of(slots), value=_TEXT)
    if answers := [name for name, intent in agent.intents.items() if intent.answer]:
        told = "The program says its ready answer to this question."
        yield _offer("answer", told, intent=_one_of(answers))
    yield _offer("affirm", "The contact said yes to the open question, in so many words.")
    yield _offer("deny", "The contact said no to the open question.")
    yield _offer("cancel", "The contact does not want to go on with the procedure under way.")
    yield _offer("ask_human", "A person should take over.", reason=_TEXT)


def _offer(name: str, description: str, **properties: Mapping[str, Any]) -> Offer:
    return Offer(PREFIX + name, description, closed(properties))


def _one_of(names: Iterable[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}


def command_of(use: ToolUse, session: Session) -> Command:
    """The command that a proposed call stands for; what makes no sense becomes a call that the gate refuses."""
    if not use.name.startswith(PREFIX):
        return call_of(use.name, use.arguments, use.id)
    given = use.arguments.items()
    plain = {name: str(value) for name, value in given if isinstance(value, str | int | float)}
    # Names and values of any length would be kept with the turn.
    named = {name: plain.get(name, "")[:LONGEST_NAME] for name in ("flow", "slot", "intent")}
    kind = CorrectSlot if plain.get("slot") in session.slots else SetSlot
    meant: dict[str, Command] = {
        "start_flow": StartFlow(named["flow"]),
        "set_slot": kind(named["slot"], plain.get("value", "")[:LONGEST_VALUE]),
        "answer": AskInfo(named["intent"]),
        "affirm": Affirm(),
        "deny": Deny(),
        "cancel": CancelFlow(),
        "ask_human": RequestHuman(plain.get("reason", "")[:LONGEST_HUMAN_REASON]),
    }
    name = use.name.removeprefix(PREFIX)
    return meant[name] if name in meant else call_of(use.name, use.arguments, use.id)


def told_result(result: ToolResult) -> str:
    """What a model is told of a call."""
    if result.asks:
        asked = {"needs": result.asks.parameter, "options": list(result.asks.options)}
        return quoted(f"The program asks the contact: {json.dumps(asked, ensure_ascii=False)}")
    if not result.ok:
        return quoted(bounded(f"Failed: {result.tell or result.error}", LONGEST_RESULT))
    written = json.dumps(dict(result.outputs), ensure_ascii=False, default=str)
    return quoted(bounded(written, LONGEST_RESULT))
