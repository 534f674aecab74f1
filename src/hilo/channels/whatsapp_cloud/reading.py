"""What a webhook of Meta says: entries × changes × messages and statuses."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from hilo.channels.bodies import (
    Json,
    at,
    degrees_at,
    form_values,
    id_at,
    number_at,
    object_at,
    objects_at,
    text_at,
    time_at,
    word_of,
)
from hilo.channels.channel import NotReadable, Received
from hilo.channels.whatsapp_cloud.settings import WhatsAppCloudSettings
from hilo.messages import (
    Address,
    Attachment,
    ContactChange,
    Inbound,
    MarketingChoice,
    NumberChanged,
    OrderedItem,
    Receipt,
)

NAME = "whatsapp_cloud"
WINDOW_CLOSED = 131047
MOST_ITEMS = 100  # of one order
MOST_UNITS = 1_000_000
_PART = re.compile(r"-(?:[2-9]|[1-9]\d)$")  # the further parts of a long message
_FIELDS = frozenset({"messages", "user_preferences"})
_NO_MESSAGES = frozenset({"system", "request_welcome", "edit", "reaction"})  # that anybody waits for an answer to
_MOVED = frozenset({"user_changed_number", "customer_changed_number"})
_STATUSES: dict[str, Literal["sent", "delivered", "read", "failed"]] = {
    "sent": "sent",
    "delivered": "delivered",
    "read": "read",
    "played": "read",  # a voice note that was listened to
    "failed": "failed",
}
_MEDIA: dict[str, Literal["image", "audio", "video", "document", "sticker"]] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
    "document": "document",
    "sticker": "sticker",
}


def read_event(event: Json, settings: WhatsAppCloudSettings) -> Received:
    """All messages and receipts of one webhook, in its order; what is not for us is said in a word."""
    if event.get("object") != "whatsapp_business_account" or not isinstance(event.get("entry"), list):
        raise NotReadable("not an event of a WhatsApp business account")
    found = [each for entry in objects_at(event, "entry") for each in _entry(entry, settings)]
    return Received(
        messages=tuple(each for each in found if isinstance(each, Inbound)),
        receipts=tuple(each for each in found if isinstance(each, Receipt)),
        changes=tuple(each for each in found if isinstance(each, ContactChange)),
        ignored=tuple(each for each in found if isinstance(each, str)) or (() if found else ("nothing in it",)),
    )


def _entry(entry: Json, settings: WhatsAppCloudSettings) -> Iterator[Inbound | Receipt | ContactChange | str]:
    for change in objects_at(entry, "changes"):
        value = object_at(change, "value")
        if text_at(change, "field") not in _FIELDS:
            yield f"a change of {word_of(change.get('field'))}"
        elif id_at(value, "metadata", "phone_number_id") != settings.phone_number_id:
            yield "something for another number"
        else:
            yield from map(_marketing, objects_at(value, "user_preferences"))
            yield from (_message(each, value, settings) for each in objects_at(value, "messages"))
            yield from (_payment(each) or _receipt(each) for each in objects_at(value, "statuses"))
            yield from (f"an error of the account: {_error(each)}" for each in objects_at(value, "errors"))


def _payment(status: Json) -> Inbound | str | None:
    """What a contact has paid within the chat comes as a status of the message that asked for it."""
    if text_at(status, "type") != "payment":
        return None
    sender, when, asked = id_at(status, "recipient_id"), time_at(status, "timestamp"), id_at(status, "id")
    if text_at(status, "status") != "captured" or not sender or when is None or not asked:
        return f"a payment that is not made: {word_of(status.get('status'))}"
    told = {
        "currency": text_at(status, "payment", "currency"),
        "amount": id_at(status, "payment", "amount", "value"),
        "reference": text_at(status, "payment", "reference_id"),
        "payment": id_at(status, "payment", "transaction", "id"),
    }
    values = tuple((name, value) for name, value in told.items() if value)
    once = f"{asked}:{told['payment'] or told['reference']}:paid"
    phone = sender if sender.isdigit() else ""
    paid = Attachment("payment", values=values)
    return Inbound(once, Address(NAME, sender), "", when, phone=phone, answers=asked, attachments=(paid,))


def _receipt(status: Json) -> Receipt | str:
    """Ours by the id that we sent along, or Meta's where the status does not echo it."""
    ours = _PART.sub("", id_at(status, "biz_opaque_callback_data")) or id_at(status, "id")
    word, when = _STATUSES.get(text_at(status, "status")), time_at(status, "timestamp")
    if not ours or word is None or when is None:
        return f"a status of another kind: {word_of(status.get('status'))}"
    errors = objects_at(status, "errors")
    return Receipt(
        ours,
        word,
        when,
        reason="; ".join(map(_error, errors))[:500],
        window_closed=any(number_at(each, "code") == WINDOW_CLOSED for each in errors),
    )


def _marketing(preference: Json) -> MarketingChoice | str:
    """What a contact chose in the menu of the chat."""
    contact, when = id_at(preference, "wa_id") or id_at(preference, "user_id"), time_at(preference, "timestamp")
    chosen = {"stop": False, "resume": True}.get(text_at(preference, "value"))
    if text_at(preference, "category") != "marketing_messages" or not contact or when is None or chosen is None:
        return "a preference of another kind"
    return MarketingChoice(Address(NAME, contact), chosen, when)


def _error(error: Json) -> str:
    words = text_at(error, "error_data", "details") or text_at(error, "message") or text_at(error, "title")
    return f"{number_at(error, 'code') or 'no code'}: {words}"


def _message(message: Json, value: Json, settings: WhatsAppCloudSettings) -> Inbound | NumberChanged | str:
    phone = id_at(message, "from")
    sender, when = phone or id_at(message, "from_user_id"), time_at(message, "timestamp")
    if not id_at(message, "id") or not sender or when is None:
        return "a message without id, sender or time"
    if "group_id" in message:
        return "a message in a group"
    if text_at(message, "system", "type") in _MOVED:
        new = id_at(message, "system", "wa_id") or id_at(message, "system", "user_id")
        moved = NumberChanged(id_at(message, "id"), Address(NAME, sender), new, when)
        return moved if new else "a change of number that does not say which"
    head = Inbound(
        id_at(message, "id"),
        Address(NAME, sender),
        "",
        when,
        name=_name(message, value),
        phone=phone if phone.isdigit() else "",
        answers=id_at(message, "context", "id"),
        referral=id_at(message, "referral", "source_id") or id_at(message, "referral", "source_url"),
    )
    if content := _with_content(head, message, settings):
        return content
    if text_at(message, "type") in {"", *_NO_MESSAGES}:
        return f"a message of another kind: {word_of(message.get('type'))}"
    # Whoever sent it waits for an answer, and hears that it could not be read.
    return replace(head, attachments=(Attachment("unknown"),))


def _name(message: Json, value: Json) -> str:
    """The profile's name; a contact is told by the phone or by the business-scoped id."""
    for contact in objects_at(value, "contacts"):
        same_phone = id_at(contact, "wa_id") and id_at(contact, "wa_id") == id_at(message, "from")
        same_id = id_at(contact, "user_id") and id_at(contact, "user_id") == id_at(message, "from_user_id")
        if same_phone or same_id:
            return text_at(contact, "profile", "name")
    return ""


def _with_content(head: Inbound, message: Json, settings: WhatsAppCloudSettings) -> Inbound | None:
    kind = text_at(message, "type")
    content = object_at(message, kind)
    match kind:
        case "text" if text_at(content, "body"):
            return replace(head, text=text_at(content, "body"))
        case "button" if text_at(content, "text") or text_at(content, "payload"):
            return replace(head, text=text_at(content, "text"), payload=text_at(content, "payload"))
        case "interactive":
            return _reply(head, content)
        case "location":
            return _place(head, content)
        case "contacts":
            return _cards(head, message)
        case "order":
            return _order(head, content)
        case _ if kind in _MEDIA:
            return _media(head, kind, content, settings)
    return None


def _reply(head: Inbound, content: Json) -> Inbound | None:
    """A pressed button, a chosen row, or a form that was filled in."""
    kind = text_at(content, "type")
    if kind == "nfm_reply":
        values = form_values(text_at(content, kind, "response_json"))
        form = Attachment("form", name=text_at(content, kind, "name"), values=values)
        return replace(head, attachments=(form,)) if values else None
    chosen = object_at(content, kind) if kind in {"button_reply", "list_reply"} else {}
    pressed = text_at(chosen, "id") or text_at(chosen, "title")
    return replace(head, text=text_at(chosen, "title"), payload=text_at(chosen, "id")) if pressed else None


def _media(head: Inbound, kind: str, content: Json, settings: WhatsAppCloudSettings) -> Inbound | None:
    """The address of the media answers, with our access token, where the bytes are for the next minutes."""
    media = id_at(content, "id")
    if not media.isalnum():
        return None
    caption = text_at(content, "caption")
    attachment = Attachment(_MEDIA[kind], f"{settings.url}/{media}", caption, name=text_at(content, "filename"))
    return replace(head, text=caption, attachments=(attachment,))


def _place(head: Inbound, content: Json) -> Inbound | None:
    latitude, longitude = degrees_at(content, "latitude"), degrees_at(content, "longitude")
    if latitude is None or longitude is None:
        return None
    place = Attachment(
        "location",
        url=text_at(content, "url"),
        caption=text_at(content, "address"),
        name=text_at(content, "name"),
        latitude=latitude,
        longitude=longitude,
    )
    return replace(head, attachments=(place,))


def _cards(head: Inbound, message: Json) -> Inbound | None:
    cards = tuple(
        Attachment(
            "contact",
            name=text_at(card, "name", "formatted_name"),
            phone=next((text_at(phone, "phone") for phone in objects_at(card, "phones")), ""),
        )
        for card in objects_at(message, "contacts")
    )
    return replace(head, attachments=cards) if cards else None


def _order(head: Inbound, content: Json) -> Inbound | None:
    """A cart from the catalogue; one with a line that cannot be read is refused as a whole."""
    listed = at(content, "product_items")
    lines = tuple(map(_item, objects_at(content, "product_items")))
    items = tuple(each for each in lines if each)
    if not isinstance(listed, list) or not 0 < len(items) == len(listed) <= MOST_ITEMS:
        return None
    return replace(head, text=text_at(content, "text"), order=items)


def _item(line: Json) -> OrderedItem | None:
    product, quantity = text_at(line, "product_retailer_id"), number_at(line, "quantity")
    if not product or quantity is None or quantity != int(quantity) or not 0 < quantity <= MOST_UNITS:
        return None
    price = number_at(line, "item_price")
    return OrderedItem(product, int(quantity), price, text_at(line, "currency"))
