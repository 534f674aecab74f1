"""From what a provider said to a reply that holds together."""

from dataclasses import dataclass
from typing import Any

from hilo.llm.estimate import estimated_spending
from hilo.llm.model import NOTHING, ModelError, ModelReply, Opaque, Part, Request, Spent, Stop, TextPart, ToolUse
from hilo.llm.untrusted import LONGEST_NAME, LONGEST_TEXT, an_object, broken, clean, parsed


@dataclass(frozen=True, slots=True)
class Proposed:
    """A tool use as it came: arguments are an object, or a text that should be one."""

    id: str
    name: str
    arguments: Any


def finished(
    said: list[TextPart | Proposed | Opaque], stop: Stop, *, spent: Spent | None, request: Request
) -> ModelReply:
    """The reply; raises a broken reply, with what it cost, when it makes no sense."""
    whole = stop in {"end", "tool_use"}
    words = tuple(each for each in said if not isinstance(each, Proposed))
    paid = spent or estimated_spending(request, words)
    try:
        _check_length(words)
        parts = _numbered(said) if whole else words  # a call that was cut off is no call
        calls = any(isinstance(part, ToolUse) for part in parts)
        reply = ModelReply(parts, _agreed(stop, calls=calls), paid)
        return _structured(reply) if request.output is not None and reply.stop == "end" else reply
    except ModelError as error:
        raise error.costing_also(paid) from None


def cut_off(spent: Spent | None) -> ModelError:
    """A stream that ended before its end."""
    return ModelError("unreachable", "the stream ended early", spent=spent or NOTHING)


def _agreed(stop: Stop, *, calls: bool) -> Stop:
    if stop in {"end", "tool_use"}:
        return "tool_use" if calls else "end"
    return stop


def _check_length(words: tuple[TextPart | Opaque, ...]) -> None:
    if sum(len(each.text) for each in words if isinstance(each, TextPart)) > LONGEST_TEXT:
        broken("the reply is too long")


def _numbered(said: list[TextPart | Proposed | Opaque]) -> tuple[Part, ...]:
    """Some servers leave out ids or repeat them; then each call gets one by its place."""
    ids = [each.id for each in said if isinstance(each, Proposed)]
    sound = all(ids) and len(set(ids)) == len(ids)
    return tuple(
        _tool_use(each, each.id if sound else f"call_{place}") if isinstance(each, Proposed) else each
        for place, each in enumerate(said)
    )


def _tool_use(proposed: Proposed, id_: str) -> ToolUse:
    if not 0 < len(proposed.name) <= LONGEST_NAME:
        broken("a tool use without a usable name")
    arguments = proposed.arguments
    if isinstance(arguments, str):
        if len(arguments) > LONGEST_TEXT:
            broken(f"the arguments of {proposed.name} are too long")
        arguments = parsed(arguments) if arguments.strip() else {}
    return ToolUse(id_, clean(proposed.name), an_object(arguments, f"what {proposed.name} is given"))


def _structured(reply: ModelReply) -> ModelReply:
    return ModelReply(reply.parts, reply.stop, reply.spent, parsed(reply.text))
