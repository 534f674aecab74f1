"""What the workers and the gateway ask of a channel."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol, runtime_checkable

from hilo.messages import Address, ContactChange, Inbound, Outbound, Receipt


@dataclass(frozen=True, slots=True)
class Sent:
    """The channel took the message; `channel_id` is the id it gave, if its receipts carry that instead of ours."""

    channel_id: str = ""


@dataclass(frozen=True, slots=True)
class TryLater:
    """The channel did not take it now, and certainly did not send it."""

    reason: str
    after: timedelta | None = None
    away: bool = False  # the provider is not there or not well: other messages would fare no better


@dataclass(frozen=True, slots=True)
class CredentialsRefused:
    """The channel does not accept our key or token, so it takes no message until a person has mended that."""

    reason: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """The channel will never take it; `window_closed` means that only an approved template would do."""

    reason: str
    window_closed: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody can tell whether it was sent: the answer was lost. Its receipt will tell, or nobody will."""

    reason: str


Outcome = Sent | TryLater | CredentialsRefused | Rejected | Unknown


@dataclass(frozen=True, slots=True)
class Webhook:
    """A request to our webhook as it came: the bytes before anybody parsed them; header names in lower case."""

    method: str
    headers: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Received:
    """What a webhook carried; `ignored` says in a few words what was not for us. `answer` is the body to reply with."""

    messages: tuple[Inbound, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    changes: tuple[ContactChange, ...] = ()
    ignored: tuple[str, ...] = ()
    answer: str = ""


class NotGenuine(Exception):  # noqa: N818 -- it names what happened
    """The request does not come from the provider: a wrong signature, secret or token."""


class NotReadable(Exception):  # noqa: N818 -- it names what happened
    """The request is genuine but its body is not what the provider documents."""


class Channel(Protocol):
    """One connection to one provider: one number, one bot, one chat page."""

    def read(self, webhook: Webhook) -> Received:
        """Check that a webhook is genuine and read it; raises NotGenuine or NotReadable, never anything else."""
        ...

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """Send one message under our id; never raises."""
        ...

    async def typing(self, to: Address, *, answering: str) -> None:
        """Show that an answer to that message is being written; does nothing where it cannot, never raises."""
        ...


@runtime_checkable
class ShowsDrafts(Protocol):
    """A channel that can show an answer while it is written. What it shows is no message: it is kept nowhere."""

    def show_draft(self, to: Address, text: str) -> None:
        """Show the words so far, or none any more; does not wait. The next message takes their place."""
        ...
