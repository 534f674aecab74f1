"""A channel that keeps what it is told to send."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hilo.channels.channel import Outcome, Received, Sent, Webhook
from hilo.messages import Address, Outbound


@dataclass(frozen=True, slots=True)
class Delivered:
    """A message that reached a contact."""

    to: str
    message_id: str
    message: Outbound


@dataclass
class RecordingChannel:
    """Takes every message, unless `outcome` says otherwise."""

    outcome: Callable[[Delivered], Outcome] = lambda _delivered: Sent()
    delivered: list[Delivered] = field(default_factory=list)

    def read(self, webhook: Webhook) -> Received:
        """Nobody writes to it but tests."""
        del webhook
        return Received()

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """Keep it, if it is taken."""
        delivered = Delivered(to.value, message_id, message)
        outcome = self.outcome(delivered)
        if isinstance(outcome, Sent):
            self.delivered.append(delivered)
        return outcome

    async def typing(self, to: Address, *, answering: str) -> None:
        """Nobody looks."""
