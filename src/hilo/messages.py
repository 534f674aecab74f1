"""What comes in from a channel and what goes out through it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, get_args


@dataclass(frozen=True, slots=True)
class Address:
    """Where a contact is reachable on a channel; a contact may have several, and no phone at all."""

    channel: str
    value: str


MAX_DESCRIBED = 500  # characters of what is told of one attachment
FileKind = Literal["image", "audio", "video", "document", "sticker"]
FILE_KINDS: frozenset[str] = frozenset(get_args(FileKind))
SentKind = FileKind | Literal["location", "contact"]  # what a message of ours may carry too
AttachmentKind = SentKind | Literal["form", "payment", "unknown"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A picture, a voice note, a document, a place or a contact card; `name` is the file's, place's or person's.

    A form that was filled in has its fields in `values`, and so has a payment that was made. What the channel itself
    cannot pass on is `unknown`: the contact sent something, and must not be met with silence. A file that we keep has
    an id of ours in `media`; its `url` is then where the channel had it, or our own link when we are the ones who send.
    """

    kind: AttachmentKind
    url: str = ""
    caption: str = ""
    name: str = ""
    latitude: float | None = None
    longitude: float | None = None
    phone: str = ""
    values: tuple[tuple[str, str], ...] = ()
    media: str = ""

    def described(self) -> str:
        """In one line, for whoever reads the conversation: `[location Obelisco, -34.6037, -58.3816]`."""
        place = "" if self.latitude is None else f"{self.latitude:g}, {self.longitude:g}"
        fields = ", ".join(f"{name}: {value}" for name, value in self.values)
        caption = self.caption if self.kind == "location" else ""  # elsewhere it is the text of the message
        told = ", ".join(filter(None, (self.name, caption, place, self.phone, fields)))
        return f"[{self.kind} {told[:MAX_DESCRIBED]}]" if told else f"[{self.kind}]"


def place_of(written: str) -> tuple[float, float] | None:
    """The latitude and longitude of a place that is written as `-34.6037, -58.3816`."""
    first, _, second = written.partition(",")
    try:
        latitude, longitude = float(first), float(second)
    except ValueError:
        return None
    fitting = abs(latitude) <= 90 and abs(longitude) <= 180  # noqa: PLR2004 -- of the globe
    return (latitude, longitude) if fitting else None


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
class NumberChanged:
    """A contact has moved to another number, and is reached there from now on."""

    id: str
    contact: Address
    new: str
    at: datetime


@dataclass(frozen=True, slots=True)
class MarketingChoice:
    """A contact wants no messages that they have not asked for, or wants them again."""

    contact: Address
    wanted: bool
    at: datetime


ContactChange = NumberChanged | MarketingChoice


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
