"""What Infobip posts to our webhook, as messages and receipts; one body may mix both."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from hilo.channels.bodies import (
    MAX_ID,
    Json,
    at,
    degrees_at,
    id_at,
    number_at,
    object_at,
    objects_at,
    plain_fields,
    text_at,
    word_of,
)
from hilo.channels.channel import NotReadable, Received
from hilo.channels.limits import ELLIPSIS
from hilo.messages import Address, Attachment, Inbound, OrderedItem, Receipt

NAME = "infobip"
WINDOW_CLOSED = 7010
MAX_TEXT = 65_536  # the longest text that WhatsApp lets a contact write
MAX_NAME = 300
MAX_URL = 4096
MAX_CURRENCY = 3
MAX_QUANTITY = 1_000_000

Group = Literal["pending", "delivered", "failed"]
MediaKind = Literal["image", "audio", "video", "document", "sticker"]

_GROUPS: dict[int, Group] = {0: "pending", 1: "pending", 2: "failed", 3: "delivered", 4: "failed", 5: "failed"}
_GROUP_NAMES: dict[str, Group] = {
    "OK": "pending",
    "PENDING": "pending",
    "UNDELIVERABLE": "failed",
    "DELIVERED": "delivered",
    "EXPIRED": "failed",
    "REJECTED": "failed",
}
_MEDIA: dict[str, MediaKind] = {
    "IMAGE": "image",
    "AUDIO": "audio",
    "VOICE": "audio",
    "VIDEO": "video",
    "DOCUMENT": "document",
    "STICKER": "sticker",
}
_PHONE = re.compile(r"\+?[0-9]{5,20}")
_FILE_NAME = re.compile(r"[^/\\\n]{1,240}\.[A-Za-z0-9]{1,5}")
_PART = re.compile(r"-(?:[2-9]|[1-9]\d)$")
_PAYMENT = "INTERACTIVE_PAYMENT_CONFIRMATION"
_NOT_FOR_US = {"REACTION": "a reaction"}
_YEARS = range(2009, 2200)  # since WhatsApp exists; far ones overflow in some time zone


def read_body(body: Json) -> Received:
    """What a body carries; raises NotReadable when it is none of Infobip's."""
    if "results" not in body:
        return Received(ignored=(_event(body),))
    if not isinstance(body["results"], list):
        raise NotReadable("`results` is not a list")
    read = [_result(each) if isinstance(each, dict) else "a result that is no object" for each in body["results"]]
    return Received(
        messages=tuple(each for each in read if isinstance(each, Inbound)),
        receipts=tuple(each for each in read if isinstance(each, Receipt)),
        ignored=tuple(each for each in read if isinstance(each, str)),
    )


def group_of(status: Json) -> Group | None:
    """What a status means, by the number of its group or else by its name; None for one that we do not know."""
    number = at(status, "groupId")
    if isinstance(number, int) and not isinstance(number, bool):
        return _GROUPS.get(number)
    return _GROUP_NAMES.get(text_at(status, "groupName"))


def reason_of(result: Json) -> str:
    """Why a message failed, in Infobip's words."""
    error, status = object_at(result, "error"), object_at(result, "status")
    told = error if text_at(error, "name") not in {"", "NO_ERROR"} else status
    words = text_at(told, "description") or text_at(told, "name") or "no reason given"
    number = id_at(told, "id")
    return f"{words[:MAX_NAME]} ({number})" if number else words[:MAX_NAME]


def is_window_closed(result: Json) -> bool:
    """Whether it failed because the contact has not written for 24 hours."""
    return WINDOW_CLOSED in (at(result, "error", "id"), at(result, "status", "id"))


def _event(body: Json) -> str:
    if "messageTemplateId" in body:
        return "a change of a template"
    kind = at(body, "content", "type")
    return "a change of a contact's security code" if kind == "user_identity_changed" else "an unknown event"


def _result(result: Json) -> Inbound | Receipt | str:
    if "message" in result:
        return _message(result)
    if "seenAt" in result or "status" in result:
        return _receipt(result)
    return "a result of an unknown kind"


def _receipt(result: Json) -> Receipt | str:
    message_id = _ours(result)
    if not message_id:
        return "a report without a message id"
    if (seen := _time(result, "seenAt")) is not None:
        return Receipt(message_id, "read", seen)
    when = _time(result, "doneAt") or _time(result, "sentAt")
    group = group_of(object_at(result, "status"))
    if when is None or group is None:
        return "a report without a time" if when is None else "a report with an unknown status"
    if group == "failed":
        reason = reason_of(result)
        return Receipt(message_id, "failed", when, reason=reason, window_closed=is_window_closed(result))
    on_the_phone = group == "delivered" and at(result, "status", "name") != "DELIVERED_TO_OPERATOR"
    return Receipt(message_id, "delivered" if on_the_phone else "sent", when)


def _ours(result: Json) -> str:
    """The id of the whole message: its further parts were sent as id-2, id-3 …, with the id itself in callbackData."""
    part, whole = id_at(result, "messageId"), id_at(result, "callbackData")
    return part if part == whole else _PART.sub("", part)


def _message(result: Json) -> Inbound | str:
    sender = id_at(result, "from") or id_at(result, "contact", "userId")
    message_id, when = id_at(result, "messageId"), _time(result, "receivedAt")
    content = object_at(result, "message")
    kind = content.get("type")
    if not isinstance(kind, str):
        return "a message that does not say its kind"
    if kind in _NOT_FOR_US:
        return _NOT_FOR_US[kind]
    if kind == _PAYMENT and text_at(content, "status") != "CAPTURED":
        return f"a payment that is not made: {word_of(content.get('status'))}"
    if not (sender and message_id) or when is None:
        return f"a message of kind {word_of(kind)} without an id, a sender or a time"
    envelope = Inbound(
        id=message_id,
        sender=Address(NAME, sender),
        text="",
        at=when,
        name=text_at(result, "contact", "name")[:MAX_NAME],
        phone=_phone(result),
        answers=id_at(content, "context", "id"),
        referral=_referral(content),
    )
    # Whoever sent what cannot be read waits for an answer, and hears that.
    return _filled(envelope, content) or replace(envelope, attachments=(Attachment("unknown"),))


def _filled(envelope: Inbound, content: Json) -> Inbound | None:
    """The message with what it says; None when its kind is unknown or its content is not there."""
    match content.get("type"):
        case "TEXT" if text := _text(content, "text"):
            return replace(envelope, text=text)
        case "BUTTON" if payload := _payload(content, "payload"):
            return replace(envelope, text=_text(content, "text"), payload=payload)
        case "INTERACTIVE_BUTTON_REPLY" | "INTERACTIVE_LIST_REPLY" if payload := _payload(content, "id"):
            return replace(envelope, text=_title(content), payload=payload)
        case "ORDER" if items := _items(content):
            return replace(envelope, text=_text(content, "text"), order=items)
        case "INTERACTIVE_FLOW_REPLY" if values := plain_fields(object_at(content, "response")):
            return replace(envelope, attachments=(Attachment("form", values=values),))
        case kind if kind == _PAYMENT:
            return replace(envelope, attachments=(_payment(content),))
        case "CONTACT" if cards := tuple(_cards(content)):
            return replace(envelope, attachments=cards)
        case "LOCATION" if place := _place(content):
            return replace(envelope, attachments=(place,))
        case str(kind) if kind in _MEDIA:
            return _with_media(envelope, _MEDIA[kind], content)
    return None


def _with_media(envelope: Inbound, kind: MediaKind, content: Json) -> Inbound:
    """A caption is what the contact wrote, unless it is the file's name: Infobip puts that there for documents."""
    url, caption = text_at(content, "url")[:MAX_URL], _text(content, "caption")
    if kind == "document" and _FILE_NAME.fullmatch(caption):
        return replace(envelope, attachments=(Attachment(kind, url, name=caption),))
    return replace(envelope, text=caption, attachments=(Attachment(kind, url, caption=caption),))


def _title(content: Json) -> str:
    """The words of a choice; where its title had to be cut, the description has them in full."""
    title, description = _text(content, "title"), _text(content, "description")
    return description if description and title.endswith(ELLIPSIS) else title


def _items(content: Json) -> tuple[OrderedItem, ...]:
    """The lines of an order; none when one of them is not clear, because half an order is a wrong order."""
    lines = at(content, "productItems")
    items = tuple(map(_item, lines)) if isinstance(lines, list) else ()
    clear = tuple(each for each in items if each)
    return clear if len(clear) == len(items) else ()


def _item(line: object) -> OrderedItem | None:
    product, quantity = id_at(line, "productRetailerId"), number_at(line, "quantity")
    if not product or quantity is None or quantity != int(quantity) or not 0 < quantity <= MAX_QUANTITY:
        return None
    price = number_at(line, "itemPrice")
    return OrderedItem(product, int(quantity), price=price, currency=text_at(line, "currency")[:MAX_CURRENCY])


def _payment(content: Json) -> Attachment:
    """The amount is in the smallest unit of its currency, as Meta tells it."""
    told = {
        "currency": text_at(content, "currency")[:MAX_CURRENCY],
        "amount": id_at(content, "totalAmount", "value"),
        "reference": id_at(content, "referenceId"),
        "payment": id_at(content, "transactionId") or id_at(content, "paymentId"),
    }
    return Attachment("payment", values=tuple((name, value) for name, value in told.items() if value))


def _cards(content: Json) -> Iterator[Attachment]:
    for card in objects_at(content, "contacts"):
        # As its owner wrote it, with spaces.
        phones = (text_at(each, "phone")[:MAX_NAME] or id_at(each, "waId") for each in objects_at(card, "phones"))
        name = text_at(card, "name", "formattedName") or text_at(card, "name", "firstName")
        yield Attachment("contact", name=name[:MAX_NAME], phone=next(filter(None, phones), ""))


def _place(content: Json) -> Attachment | None:
    latitude, longitude = degrees_at(content, "latitude"), degrees_at(content, "longitude")
    if latitude is None or longitude is None:
        return None
    return Attachment(
        "location",
        text_at(content, "url")[:MAX_URL],
        caption=_text(content, "address")[:MAX_NAME],
        name=_text(content, "name")[:MAX_NAME],
        latitude=latitude,
        longitude=longitude,
    )


def _text(content: Json, key: str) -> str:
    return text_at(content, key)[:MAX_TEXT]


def _payload(content: Json, key: str) -> str:
    payload = text_at(content, key)
    return payload if len(payload) <= MAX_ID else ""


def _phone(result: Json) -> str:
    """Empty for contacts who are known by a business-scoped id only."""
    numbers = (id_at(result, "contact", "phoneNumber"), id_at(result, "from"))
    return next((number for number in numbers if _PHONE.fullmatch(number)), "")


def _referral(content: Json) -> str:
    """The advertisement's own id, or else where it stands."""
    return id_at(content, "referral", "sourceId") or text_at(content, "referral", "sourceUrl")[:MAX_URL]


def _time(result: Json, key: str) -> datetime | None:
    try:
        written = datetime.fromisoformat(text_at(result, key))
    except ValueError:
        return None
    if written.year not in _YEARS:
        return None
    return written if written.tzinfo else written.replace(tzinfo=UTC)
