"""What comes in from a channel and what goes out through it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal


@dataclass(frozen=True, slots=True)
class Address:
    """Where a contact is reachable on a channel; a contact may have several, and no phone at all."""

    channel: str
    value: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A picture, a voice note, a document, a place or a contact card; `name` is the file's, place's or person's."""

    kind: Literal["image", "audio", "video", "document", "sticker", "location", "contact"]
    url: str = ""
    caption: str = ""
    name: str = ""
    latitude: float | None = None
    longitude: float | None = None
    phone: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """A choice offered to the contact; `payload` comes back when it is pressed."""

    payload: str
    title: str


@dataclass(frozen=True, slots=True)
class OrderedItem:
    """A line of an order that was put together in the channel's own catalogue."""

    product: str
    quantity: int
    price: Decimal | None = None
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Inbound:
    """A message from a contact. `id` is the channel's own, and is what duplicates are found by.

    `phone` is empty for contacts who show none; `referral` is the advertisement that they came from.
    """

    id: str
    sender: Address
    text: str
    at: datetime
    payload: str = ""
    attachments: tuple[Attachment, ...] = ()
    name: str = ""
    phone: str = ""
    answers: str = ""  # the id of the message that this one replies to
    order: tuple[OrderedItem, ...] = ()
    referral: str = ""


@dataclass(frozen=True, slots=True)
class ApprovedTemplate:
    """A message that WhatsApp has approved beforehand: the only kind that may open a closed window."""

    name: str
    language: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outbound:
    """A message for a contact, in the words that will be sent; `approved` is what may go when the window is closed."""

    text: str = ""
    buttons: tuple[Button, ...] = ()
    attachment: Attachment | None = None
    approved: ApprovedTemplate | None = None


Replies = tuple[Outbound, ...]  # of one turn


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the channel says became of a message of ours, by the id that we gave it or the one that it did.

    A failure because of a closed window often comes only here, after the channel had taken the message.
    """

    message_id: str
    status: Literal["sent", "delivered", "read", "failed"]
    at: datetime
    reason: str = ""
    window_closed: bool = False
