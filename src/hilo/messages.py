"""What comes in from a channel and what goes out through it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class Address:
    """Where a contact is reachable on a channel; a contact may have several, and no phone at all."""

    channel: str
    value: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A picture, a voice note, a document or a place."""

    kind: Literal["image", "audio", "video", "document", "sticker", "location", "contact"]
    url: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """A choice offered to the contact; `payload` comes back when it is pressed."""

    payload: str
    title: str


@dataclass(frozen=True, slots=True)
class Inbound:
    """A message from a contact. `id` is the channel's own, and is what duplicates are found by."""

    id: str
    sender: Address
    text: str
    at: datetime
    payload: str = ""
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Outbound:
    """A message for a contact, in the words that will be sent."""

    text: str
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the channel says became of a message of ours."""

    message_id: str
    status: Literal["sent", "delivered", "read", "failed"]
    at: datetime
    reason: str = ""
