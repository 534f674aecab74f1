"""How many tokens a text has when nobody counts them: rather too many than too few."""

import json
from typing import assert_never

from hilo.llm.model import Message, Opaque, Part, Request, Spent, TextPart, ToolUse, ToolUseResult

BYTES_PER_TOKEN = 2  # prose has three to five; digits and JSON come near two
PER_PART = 12  # roles, marks and ids around each part
PER_REQUEST = 400  # what providers add themselves when tools are offered


def estimated_input(request: Request) -> int:
    """Input tokens of a request, on the safe side for ordinary text."""
    tools = sum(PER_PART + _tokens(each.name + each.description + json.dumps(each.schema)) for each in request.tools)
    output = _tokens(json.dumps(request.output)) if request.output is not None else 0
    return PER_REQUEST + _tokens(request.system) + tools + output + sum(map(_of_message, request.messages))


def estimated_spending(request: Request, parts: tuple[Part, ...]) -> Spent:
    """For a reply whose provider did not say what it cost."""
    return Spent(estimated_input(request), _of_message(Message("assistant", parts)), estimated=True)


def _of_message(message: Message) -> int:
    return PER_PART + sum(PER_PART + _tokens(_words(part)) for part in message.parts)


def _words(part: Part) -> str:
    match part:
        case TextPart(text):
            return text
        case ToolUse(_, name, arguments):
            return name + json.dumps(arguments, default=str)
        case ToolUseResult(_, content):
            return content
        case Opaque(_, block):
            return json.dumps(block, default=str)
    assert_never(part)


def _tokens(text: str) -> int:
    return -(-len(text.encode(errors="replace")) // BYTES_PER_TOKEN)
