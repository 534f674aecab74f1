"""Is a proposal well-formed? Authors' nodes and models may propose anything; only commands of the right shape go on."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, get_args

from hilo.dialogue.commands import (
    AskInfo,
    CallTool,
    Command,
    CorrectSlot,
    Digress,
    GiveArgument,
    OfferValues,
    RejectSlot,
    SetSlot,
)

COMMANDS: tuple[type, ...] = get_args(Command)
DIGRESSIONS = frozenset({"greeting", "thanks", "off_topic", "repeat", "no_text", "too_long"})


def is_sound(proposal: Any) -> bool:
    """Whether this is a command whose fields have their types."""
    match proposal:
        case SetSlot(slot=slot, value=value) | RejectSlot(slot=slot, value=value):
            return isinstance(slot, str) and _is_value(value)
        case CorrectSlot(slot=slot, value=value):
            return isinstance(slot, str) and (value is None or _is_value(value))
        case OfferValues(slot=slot, values=values):
            return isinstance(slot, str) and isinstance(values, tuple) and all(isinstance(each, str) for each in values)
        case Digress(kind=kind):
            return kind in DIGRESSIONS
        case CallTool(tool=tool, arguments=arguments, id=proposal):
            named = isinstance(arguments, Mapping) and all(isinstance(name, str) for name in arguments)
            return isinstance(tool, str) and isinstance(proposal, str) and named
        case GiveArgument(value=value, parameter=parameter):
            return isinstance(parameter, str) and _is_value(value)
        case AskInfo(intent=intent):
            return isinstance(intent, str)
    if not isinstance(proposal, COMMANDS):
        return False
    return all(isinstance(getattr(proposal, name), str) for name in getattr(proposal, "__dataclass_fields__", ()))


def _is_value(value: Any) -> bool:
    return isinstance(value, str | int | Decimal | bool)
