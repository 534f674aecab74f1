"""What a provider sent, which may be anything: read within bounds, to a reply that holds together."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from hilo.llm.model import (
    NOTHING,
    ModelError,
    ModelReply,
    Opaque,
    Part,
    Request,
    Spent,
    Stop,
    TextPart,
    ToolUse,
)
from hilo.llm.prices import estimated_spending

LONGEST_BODY = 2_000_000  # bytes of one JSON answer or one event of a stream
LONGEST_TEXT = 500_000  # characters of everything that one reply says
MOST_PARTS = 200  # of one reply
MOST_TOKENS = 10**9
LONGEST_NAME = 200
DEEPEST = 100  # levels of nested JSON; json itself fails at about a thousand
LONGEST_REASON = 300

Json = dict[str, Any]


def broken(reason: str) -> NoReturn:
    """The answer cannot be used."""
    raise ModelError("broken_reply", reason[:LONGEST_REASON])


def parsed(content: str | bytes) -> Any:
    """JSON as values; what is no JSON, or nested absurdly deep, is a broken reply."""
    try:
        text = content if isinstance(content, str) else content.decode()
        value = json.loads(text, parse_constant=_no_constant)
        if text.count("[") + text.count("{") > DEEPEST:
            _check_depth(value)
        return _cleaned(value) if "\\ud" in text or "\\uD" in text else value
    except (ValueError, RecursionError) as error:
        raise ModelError("broken_reply", f"no JSON ({type(error).__name__})") from None


def an_object(value: Any, what: str) -> Json:
    """A JSON object, or a broken reply."""
    return value if isinstance(value, dict) else broken(f"{what} is no object")


def objects(value: Any) -> list[Json]:
    """The objects of a list that may be missing; its length is bounded."""
    listed = a_list(value)
    if len(listed) > MOST_PARTS:
        broken(f"{len(listed)} parts in one reply")
    return [each for each in listed if isinstance(each, dict)]


def a_text(value: Any) -> str:
    """A string; anything else is none."""
    return value if isinstance(value, str) else ""


def a_list(value: Any) -> list[Any]:
    """A list; anything else is an empty one."""
    return value if isinstance(value, list) else []


def value_in(answer: Any, name: str) -> Any:
    """What an answer has under a name; one that is no object has nothing."""
    return answer.get(name) if isinstance(answer, dict) else None


def a_count(value: Any) -> int:
    """A number of tokens, within what a database can add up; anything else is none."""
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return max(0, min(value, MOST_TOKENS))


def clean(text: str) -> str:
    """The text without halves of characters, which cannot be sent or stored."""
    return text if text.isascii() else text.encode(errors="replace").decode()


async def whole(chunks: AsyncIterator[bytes]) -> bytes:
    """All bytes of an answer, unless there are far too many."""
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > LONGEST_BODY:
            broken("the answer is too long")
    return bytes(body)


class Events:
    """Server-sent events out of bytes that come in any portions."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[str]:
        """The payloads of the events that are complete now."""
        *blocks, self._rest = (self._rest + chunk).replace(b"\r\n", b"\n").split(b"\n\n")
        if len(self._rest) > LONGEST_BODY:
            broken("an event is too long")
        return [payload for payload in map(_payload, blocks) if payload]


def _payload(block: bytes) -> str:
    lines = block.decode(errors="replace").split("\n")
    return "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _check_depth(value: Any, left: int = DEEPEST) -> None:
    if not left:
        raise RecursionError
    inner = value.values() if isinstance(value, dict) else value
    for each in inner if isinstance(value, dict | list) else ():
        _check_depth(each, left - 1)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, Mapping):
        return {clean(key): _cleaned(each) for key, each in value.items()}
    return value


# --- a whole reply --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Proposed:
    """A tool use as it came: arguments are an object, or a text that should be one."""

    id: str
    name: str
    arguments: Any


Said = list[TextPart | Proposed | Opaque]


def finished(said: Said, stop: Stop, *, spent: Spent | None, request: Request) -> ModelReply:
    """The reply; raises a broken reply, with what it cost, when it makes no sense."""
    words = tuple(each for each in said if not isinstance(each, Proposed))
    paid = spent or estimated_spending(request, words)
    try:
        if sum(len(each.text) for each in words if isinstance(each, TextPart)) > LONGEST_TEXT:
            broken("the reply is too long")
        if stop not in {"end", "tool_use"}:
            return ModelReply(words, stop, paid)  # a call that was cut off is no call
        # What was said counts, not what a server calls its end.
        parts = tuple(_parts(said))
        if len(words) < len(parts):
            return ModelReply(parts, "tool_use", paid)
        reply = ModelReply(parts, "end", paid)
        return reply if request.output is None else replace(reply, value=parsed(reply.text))
    except ModelError as error:
        raise error.costing_also(paid) from None


def _parts(said: Said) -> Iterator[Part]:
    """Some servers leave out ids or repeat them; then each call gets one by its place."""
    ids = [each.id for each in said if isinstance(each, Proposed)]
    sound = all(ids) and len(set(ids)) == len(ids)
    for place, each in enumerate(said):
        if not isinstance(each, Proposed):
            yield each
            continue
        if not 0 < len(each.name) <= LONGEST_NAME:
            broken("a tool use without a usable name")
        arguments = each.arguments
        if isinstance(arguments, str):
            if len(arguments) > LONGEST_TEXT:
                broken(f"the arguments of {each.name} are too long")
            arguments = parsed(arguments) if arguments.strip() else {}
        given = an_object(arguments, f"what {each.name} is given")
        yield ToolUse(each.id if sound else f"call_{place}", clean(each.name), given)


def cut_off(spent: Spent | None) -> ModelError:
    """A stream that ended before its end."""
    return ModelError("unreachable", "the stream ended early", spent=spent or NOTHING)
