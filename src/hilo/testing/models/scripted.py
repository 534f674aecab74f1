"""A model in memory that answers by a script: for tests of whatever asks models."""

import re
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import Any, assert_never

from hilo.llm.model import ModelError, ModelReply, Opaque, Part, Piece, Request, Spent, TextPart, ToolUse, ToolUseResult
from hilo.llm.prices import estimated_input
from hilo.testing.models.table import Case, NoCase, Table, always

SPENT = Spent(20, 10)
Answered = ModelReply | ModelError
ModelCase = Case[Request, Answered]


class ScriptedModel:
    """Implements the port; `requests` is all that it was asked. A request without a case is the test's mistake."""

    def __init__(self, script: Iterable[ModelCase | ModelReply] = ()) -> None:
        self.requests: list[Request] = []
        self.closed = False
        self._table: Table[Request, Answered] = Table(map(_case, script))

    async def complete(self, request: Request) -> ModelReply:
        """What the script says; raises its ModelError."""
        self.requests.append(request)
        try:
            answer = self._table.answer(request)
        except NoCase as error:
            raise NoCase(f"{error}: {last_words(request)!r}") from None
        if isinstance(answer, ModelError):
            raise ModelError(answer.kind, answer.reason, retry_after=answer.retry_after, spent=answer.spent)
        return answer

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """The same, word by word."""
        reply = await self.complete(request)
        for piece in re.findall(r"\S+\s*|\s+", reply.text):
            yield piece
        yield reply

    async def count(self, request: Request) -> int:
        """Estimated."""
        return estimated_input(request)

    async def aclose(self) -> None:
        """There is nothing to give back."""
        self.closed = True


def says(text: str, *, spent: Spent = SPENT) -> ModelReply:
    """A reply in words."""
    return ModelReply((TextPart(text),), "end", spent)


def gives(value: Any, *, spent: Spent = SPENT) -> ModelReply:
    """A structured reply."""
    return ModelReply((), "end", spent, value)


def calls(*uses: tuple[str, dict[str, Any]], spent: Spent = SPENT) -> ModelReply:
    """A reply that proposes calls: names and arguments."""
    parts: tuple[Part, ...] = tuple(
        ToolUse(f"use_{place}", name, arguments) for place, (name, arguments) in enumerate(uses, 1)
    )
    return ModelReply(parts, "tool_use", spent)


def mentions(words: str) -> Callable[[Request], bool]:
    """Fits requests whose last message has these words, results included."""
    return lambda request: words.casefold() in last_words(request).casefold()


def last_words(request: Request) -> str:
    """The texts and results of the last message."""
    parts = request.messages[-1].parts if request.messages else ()
    return "\n".join(filter(None, map(_said, parts)))


def _said(part: Part) -> str:
    match part:
        case TextPart(words) | ToolUseResult(_, words):
            return words
        case ToolUse() | Opaque():
            return ""
    assert_never(part)


def _case(given: ModelCase | ModelReply) -> ModelCase:
    """A plain reply is said once, in its turn."""
    return Case(always, given, times=1) if isinstance(given, ModelReply) else given
