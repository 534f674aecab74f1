"""Values in the form that is kept: by their types, and by tools that know them."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import (
    Command,
    CorrectSlot,
    OfferValues,
    RejectSlot,
    SetSlot,
    StartFlow,
    SuggestSlot,
)
from hilo.dialogue.draft import of_kind
from hilo.dialogue.session import Session
from hilo.tools.call import answer_of
from hilo.tools.tool import ToolFailed
from hilo.turn.state import TurnContext, TurnState
from hilo.understanding.regions import with_regions

VALUE = SetSlot | CorrectSlot
Commands = tuple[Command, ...]


def is_good(context: TurnContext, command: VALUE) -> bool:
    """Whether the slot takes the value."""
    if command.value is None:
        return isinstance(command, CorrectSlot)  # the value comes next
    taken = accept(context.agent.slots[command.slot], command.value, country=context.agent.country)
    return isinstance(taken, Accepted)


async def validate(state: TurnState, context: TurnContext) -> TurnState:
    """Values in the form that is kept ("Juan@X.com" → "juan@x.com"): by their types, and by tools that know them."""
    commands = with_regions(context.agent, state["session"], state["commands"])
    checked = await validated(context, commands, at=state["event"].at, known=state["session"].slots)
    return {"commands": _without_strays(context.agent, state["session"], checked)}


def _without_strays(agent: Agent, session: Session, commands: Commands) -> Commands:
    """A value that no tool knows, for a slot that nothing under way asks for, was never meant for it."""
    # What would begin counts only where nothing is under way.
    flows = session.flows or [each.flow for each in of_kind(commands, StartFlow)]
    if not flows:
        return commands
    collected = set(chain.from_iterable(map(agent.collected_by, flows)))
    return tuple(each for each in commands if not isinstance(each, RejectSlot) or each.slot in collected)


async def validated(
    context: TurnContext, commands: Commands, *, at: datetime, known: Mapping[str, Any] | None = None
) -> Commands:
    """The commands with their values checked, beside what is `known` and what else the message gives."""
    checked, slots = list(commands), context.agent.slots
    given = {each.slot: each.value for each in of_kind(commands, VALUE) if each.value not in (None, "")}
    beside = {**(known or {}), **given}
    for place, command in enumerate(commands):
        if isinstance(command, SuggestSlot):
            checked[place] = await _suggested(command, context, at, beside)
        if not isinstance(command, VALUE) or command.value is None or command.slot not in slots:
            continue
        slot = slots[command.slot]
        result = accept(slot, command.value, country=context.agent.country)
        # What the slot does not take stays as it is, for the dialogue to refuse.
        if isinstance(result, Accepted):
            kept = type(command)(command.slot, result.value)
            checked[place] = await _asked_a_tool(kept, context, at, beside) if slot.valid_if else kept
    return tuple(checked)


async def _suggested(command: SuggestSlot, context: TurnContext, at: datetime, beside: Mapping[str, Any]) -> Command:
    """A value that may be meant, by the name under which a tool knows it: a yes to it must keep nothing else."""
    slot = context.agent.slots.get(command.slots[0])
    if slot is None or not slot.valid_if:
        return command
    known = await _asked_a_tool(CorrectSlot(command.slots[0], command.value), context, at, beside)
    if isinstance(known, CorrectSlot) and known.value is not None:
        return SuggestSlot(command.slots, known.value)
    return known


async def _asked_a_tool(command: VALUE, context: TurnContext, at: datetime, beside: Mapping[str, Any]) -> Command:
    """A tool may know the value, by another name too, know several, or none; its own failure lets the value pass."""
    tool, now = context.agent.slots[command.slot].valid_if, at.astimezone(context.understander.zone)
    try:
        others = {name: value for name, value in beside.items() if name != command.slot}
        answer = await answer_of(context.tools[tool], command.value, now=now, given=context.given, beside=others)
    except ToolFailed as error:
        context.record.errors.append(f"{tool}: {error}")
        return command
    match answer:
        case False | None:
            return RejectSlot(command.slot, command.value or "")
        case True:
            return command
        case list() | tuple():
            return OfferValues(command.slot, tuple(map(str, answer)))
        case str() | int() | Decimal():
            return type(command)(command.slot, answer)
    given = type(answer).__name__
    context.record.errors.append(f"{tool} gave {given}, not a value, a list or a yes or no")
    return command
