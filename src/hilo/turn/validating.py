"""Values in the form that is kept: by their types, and by the tools that know them."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import Command, CorrectSlot, OfferValues, RejectSlot, SetSlot
from hilo.tools.call import answer_of
from hilo.tools.tool import ToolFailed
from hilo.turn.state import TurnContext


async def validated(context: TurnContext, commands: Sequence[Command], *, at: datetime) -> tuple[Command, ...]:
    """The commands with their values checked; what a slot does not take stays as it is, for the dialogue to refuse."""
    now = here(context, at)
    return tuple([await _validated(command, context, now) for command in commands])


def here(context: TurnContext, at: datetime) -> datetime:
    """The time where the agent is: what "today" is to a tool."""
    return at.astimezone(context.understander.zone)


async def _validated(command: Command, context: TurnContext, now: datetime) -> Command:
    if not isinstance(command, SetSlot | CorrectSlot) or command.value is None:
        return command
    slot = context.agent.slots.get(command.slot)
    result = accept(slot, command.value, country=context.agent.country) if slot else None
    if slot is None or not isinstance(result, Accepted):
        return command
    if not slot.valid_if:
        return type(command)(command.slot, result.value)
    return await _asked_a_tool(type(command)(command.slot, result.value), context, now)


async def _asked_a_tool(command: SetSlot | CorrectSlot, context: TurnContext, now: datetime) -> Command:
    """A tool may know the value, by another name too, know several, or none; its own failure lets the value pass."""
    tool = context.agent.slots[command.slot].valid_if
    try:
        answer = await answer_of(context.tools[tool], command.value, now=now, given=context.given)
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
    context.record.errors.append(f"{tool} gave {type(answer).__name__}, not a value, a list or a yes or no")
    return command
