"""The port to language models: what we ask, what they answer, and how they fail. Data in, data out."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, Self

from hilo.errors import HiloError

Tier = Literal["small", "large"]
Stop = Literal["end", "tool_use", "max_tokens", "refusal"]
ErrorKind = Literal[
    "overloaded",
    "rate_limited",
    "timeout",
    "unreachable",
    "unauthorised",
    "spend_limit",
    "bad_request",
    "broken_reply",
    "circuit_open",
    "out_of_budget",
]
WORTH_ANOTHER_TRY: frozenset[ErrorKind] = frozenset({"overloaded", "rate_limited", "timeout", "unreachable"})


@dataclass(frozen=True, slots=True)
class TextPart:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The model proposes a call; nothing says that the tool exists or that the arguments fit."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolUseResult:
    """What came of the call with this id, or why it was refused."""

    id: str
    content: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Opaque:
    """A block that only its provider understands; within one tool loop it must go back unchanged."""

    provider: str
    block: Mapping[str, Any]


Part = TextPart | ToolUse | ToolUseResult | Opaque


@dataclass(frozen=True, slots=True)
class Message:
    """One side's words; tool results come from the user's side."""

    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool that the model may propose, with the JSON Schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    `system` and `tools` are cached by providers that can, so keep what changes from turn to turn in the messages.
    With `output` the reply is JSON of that schema, whose objects are closed and whose properties are all required.
    """

    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[Offer, ...] = ()
    output: Mapping[str, Any] | None = None
    tier: Tier = "small"
    max_tokens: int = 1024
    seconds: float = 25.0


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens by how they are paid; `input` is without what was read from or written to the cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0
    estimated: bool = False  # the provider did not say

    @property
    def total(self) -> int:
        """All tokens."""
        return self.input + self.output + self.cache_read + self.cache_written

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_written + other.cache_written,
            self.estimated or other.estimated,
        )


NOTHING = Spent()


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model answered; `spent` includes attempts that failed on the way.

    `value` is the structured answer, there when one was asked for and `stop` is `end`.
    """

    parts: tuple[Part, ...]
    stop: Stop
    spent: Spent
    value: Any = None

    @property
    def text(self) -> str:
        """All words, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def tool_uses(self) -> tuple[ToolUse, ...]:
        """All proposed calls, in order."""
        return tuple(part for part in self.parts if isinstance(part, ToolUse))

    @property
    def message(self) -> Message:
        """The reply as a message of the next request."""
        return Message("assistant", self.parts)

    def costing_also(self, spent: Spent) -> "ModelReply":
        """The same reply after attempts that were paid too."""
        return replace(self, spent=self.spent + spent) if spent.total else self


@dataclass(frozen=True, slots=True)
class StreamRestart:
    """The pieces streamed so far are void: the reply begins anew."""


Piece = str | StreamRestart | ModelReply


class ModelError(HiloError):
    """No usable reply; `spent` is what the provider counted all the same."""

    def __init__(
        self, kind: ErrorKind, reason: str, *, retry_after: float | None = None, spent: Spent = NOTHING
    ) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason
        self.retry_after = retry_after
        self.spent = spent

    @property
    def worth_another_try(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self.kind in WORTH_ANOTHER_TRY

    def costing_also(self, spent: Spent) -> Self:
        """The same error, after more was spent."""
        self.spent = self.spent + spent
        return self


class Model(Protocol):
    """What can be asked; whatever goes wrong is a ModelError."""

    async def complete(self, request: Request) -> ModelReply:
        """The whole reply at once; structured when the request asks for it."""
        ...

    def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces of text as they come, and the reply as the last item."""
        ...


class ModelAdapter(Model, Protocol):
    """A provider's models by tier."""

    async def count(self, request: Request) -> int:
        """How many input tokens the request has; estimated where the provider cannot count."""
        ...

    async def aclose(self) -> None:
        """Give connections back."""
        ...
