"""What a fake server can be told to answer, whatever protocol it speaks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hilo.llm.model import Spent, Stop
from hilo.testing.models.table import Case

SPENT = Spent(21, 12, cache_read=1840)


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as it came; header names in lower case. `last` is the text of its last message, results included."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    last: str = ""

    @property
    def streamed(self) -> bool:
        """Whether the answer shall come in pieces."""
        return self.body.get("stream") is True


@dataclass(frozen=True, slots=True)
class Calls:
    """A proposed tool call; arguments given as a text go out as they are, be they JSON or not."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Says:
    """A reply of the model.

    `thinking` puts an opaque block first; `spent` None leaves the usage out; `after` is how many seconds it takes, and
    `between` how many pass between the pieces of a stream.
    """

    text: str = ""
    calls: tuple[Calls, ...] = ()
    stop: Stop | None = None
    spent: Spent | None = SPENT
    thinking: bool = False
    after: float = 0
    between: float = 0

    @property
    def stopped(self) -> Stop:
        """Why it ends, if the script does not say."""
        return self.stop or ("tool_use" if self.calls else "end")


@dataclass(frozen=True, slots=True)
class Fails:
    """An error answer; `code` is the finer cause that some errors name."""

    status: int
    type: str
    message: str = "Something is wrong"
    code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Breaks:
    """A stream that goes wrong after some events: an overload reported with status 200, a cut line, or a mere end."""

    says: Says
    events: int
    how: Literal["overloaded", "cut", "ends"]


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes as they are."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200


Answer = Says | Fails | Breaks | Raw
Script = Case[ReceivedRequest, Answer]

OVERLOADED = Fails(529, "overloaded_error", "Overloaded")
UNAUTHORISED = Fails(401, "authentication_error", "invalid x-api-key")
SPEND_LIMIT = Fails(429, "rate_limit_error", "The monthly limit is reached", code="enforced_spend_limit_reached")


def rate_limited(seconds: float) -> Fails:
    """Too many requests; come again after so many seconds."""
    return Fails(429, "rate_limit_error", "Too many tokens a minute", headers={"retry-after": f"{seconds:g}"})


def about(words: str) -> Callable[[ReceivedRequest], bool]:
    """Fits requests whose last message has these words."""
    return lambda asked: words.casefold() in asked.last.casefold()


def chunks_of(text: str, length: int = 8) -> list[str]:
    """A text as it comes in a stream."""
    return [text[start : start + length] for start in range(0, len(text), length)]
