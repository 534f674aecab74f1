"""What the HTTP edge is given: channels to read webhooks with, and the intake."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hilo.channels.channel import Channel
from hilo.clock import Clock
from hilo.dialogue.events import Event, Released
from hilo.messages import Inbound, Receipt
from hilo.store.api import NotSpoken, Spoken, Words
from hilo.store.handoffs import HandoffEnding
from hilo.store.store import Store
from hilo.store.undelivered import NotMoved


class EdgeIntake(Protocol):
    """When a call returns, what it was given is safe."""

    async def messages(self, channel: str, messages: Sequence[Inbound]) -> Any:
        """Messages of contacts."""
        ...

    async def receipts(self, channel: str, receipts: Sequence[Receipt]) -> None:
        """What became of messages of ours."""
        ...

    async def event(self, workspace: str, session: str, event: Event, *, external_id: str) -> bool:
        """Something that happens to a session; false when there is none."""
        ...

    async def ending(self, workspace: str, ending: HandoffEnding, event: Released, *, external_id: str) -> bool:
        """A handoff ends and its session is given back; false when there is none."""
        ...

    async def words(self, words: Words) -> Spoken | NotSpoken:
        """What an operator says."""
        ...

    async def resend(self, workspace: str, message: str, *, actor: str) -> str | NotMoved:
        """Try a message again that was held or given up."""
        ...


class Channels(Protocol):
    """The channels of this installation."""

    async def find(self, channel: str) -> Channel | None:
        """A channel by its id."""
        ...

    async def is_kind(self, channel: str, kind: str) -> bool:
        """Whether a channel is of this kind."""
        ...


async def _always() -> None:
    """Nothing else must be there."""


@dataclass(frozen=True, slots=True)
class HttpEdge:
    """All that the HTTP edge works with; `queue_answers` raises when what wakes the workers is away."""

    store: Store
    intake: EdgeIntake
    channels: Channels
    clock: Clock
    queue_answers: Callable[[], Awaitable[None]] = _always
