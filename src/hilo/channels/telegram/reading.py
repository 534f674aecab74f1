"""What an update of Telegram says."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Literal

from hilo.channels.bodies import Json, degrees_at, id_at, object_at, objects_at, text_at, time_at, word_of
from hilo.channels.channel import NotReadable, Received
from hilo.channels.telegram.keyboard import pressed
from hilo.messages import Address, Attachment, Inbound, MarketingChoice

NAME = "telegram"
FILE = "telegram-file:"
# An animation comes with a document of the same file, for older bots; so it is looked for first.
_FILES: dict[str, Literal["image", "audio", "video", "document", "sticker"]] = {
    "animation": "video",
    "document": "document",
    "voice": "audio",
    "audio": "audio",
    "video": "video",
    "video_note": "video",
    "sticker": "sticker",
}
# What contacts send besides; all else without words is a note of Telegram's own, such as a pinned message.
_UNREAD = frozenset({"dice", "game", "poll", "story", "paid_media", "checklist", "web_app_data", "location", "contact"})
_FRAME = frozenset({"message_id", "from", "chat", "date"})


def read_update(update: Json, *, now: datetime) -> Received:
    """One update is one message, one press, or nothing for us; a press has no time of its own."""
    update_id = id_at(update, "update_id")
    if not update_id:
        raise NotReadable("not an update of a bot")
    if isinstance(update.get("message"), dict):
        return _received(_message(object_at(update, "message"), update_id))
    if isinstance(update.get("callback_query"), dict):
        query = object_at(update, "callback_query")
        return replace(_received(_press(query, update_id, now)), answer=_stop_spinning(query))
    if isinstance(update.get("my_chat_member"), dict):
        return _membership(object_at(update, "my_chat_member"))
    kind = next((key for key in update if key != "update_id"), "")
    return Received(ignored=(f"an update of another kind: {word_of(kind)}",))


def _membership(changed: Json) -> Received:
    """Who blocks the bot wants nothing of it until they let it in again."""
    contact, when = id_at(changed, "chat", "id"), time_at(changed, "date")
    wanted = {"kicked": False, "member": True}.get(text_at(changed, "new_chat_member", "status"))
    if text_at(changed, "chat", "type") != "private" or not contact or when is None or wanted is None:
        return Received(ignored=("an update of another kind: my_chat_member",))
    return Received(changes=(MarketingChoice(Address(NAME, contact), wanted, when),))


def _received(found: Inbound | str) -> Received:
    return Received(ignored=(found,)) if isinstance(found, str) else Received(messages=(found,))


def _stop_spinning(query: Json) -> str:
    """The call that Telegram takes from our answer to its webhook: the button was heard."""
    query_id = id_at(query, "id")
    return json.dumps({"method": "answerCallbackQuery", "callback_query_id": query_id}) if query_id else ""


def _press(query: Json, update_id: str, now: datetime) -> Inbound | str:
    chat = object_at(query, "message", "chat")
    sender = id_at(query, "from", "id")
    if not sender or text_at(chat, "type") != "private" or id_at(chat, "id") != sender:
        return "a press outside a private chat"
    words, payload = pressed(query)
    if not words and not payload:
        return "a press on a button that nobody can read any more"
    return Inbound(
        update_id,
        Address(NAME, sender),
        words,
        now,
        payload=payload,
        name=_name(object_at(query, "from")),
        answers=id_at(query, "message", "message_id"),
    )


def _message(message: Json, update_id: str) -> Inbound | str:
    chat, when = object_at(message, "chat"), _written_at(message)
    if text_at(chat, "type") != "private":
        return f"a message in a {word_of(chat.get('type'))}"
    if object_at(message, "from").get("is_bot") is True:
        return "a message of a bot"
    if not id_at(chat, "id") or when is None:
        return "a message without chat or time"
    head = Inbound(
        update_id,
        Address(NAME, id_at(chat, "id")),
        "",
        when,
        name=_name(object_at(message, "from")),
        answers=id_at(message, "reply_to_message", "message_id"),
    )
    return _with_content(head, message) or f"a message of another kind: {_kind(message)}"


def _written_at(message: Json) -> datetime | None:
    """Telegram tells whole seconds; within one, the numbers of a chat's messages tell which was written first."""
    when, number = time_at(message, "date"), id_at(message, "message_id")
    if when is None or not (number.isascii() and number.isdigit()):
        return when
    return when.replace(microsecond=int(number[-6:]))


def _with_content(head: Inbound, message: Json) -> Inbound | None:
    if text_at(message, "text"):
        return _written(head, text_at(message, "text"))
    if found := _place(head, message) or _card(head, message):
        return found
    if "successful_payment" in message:
        return _payment(head, object_at(message, "successful_payment"))
    file = _file(message)
    if file:
        return replace(head, text=file.caption, attachments=(file,))
    return None if _UNREAD.isdisjoint(message) else replace(head, attachments=(Attachment("unknown"),))


def _written(head: Inbound, text: str) -> Inbound:
    """A link to the bot may carry where the contact came from: it arrives as /start with a parameter."""
    command, _, parameter = text.partition(" ")
    if command == "/start" and parameter.strip():
        return replace(head, text=command, referral=parameter.strip())
    return replace(head, text=text)


def _file(message: Json) -> Attachment | None:
    """A file is named by its id: its address would hold the bot's token."""
    caption = text_at(message, "caption")
    sizes = objects_at(message, "photo")
    if sizes and id_at(sizes[-1], "file_id"):
        return Attachment("image", _file_url(sizes[-1]), caption)
    kind = next((each for each in _FILES if id_at(message, each, "file_id")), "")
    if not kind:
        return None
    file = object_at(message, kind)
    return Attachment(_FILES[kind], _file_url(file), caption, name=text_at(file, "file_name"))


def _file_url(file: Json) -> str:
    return f"{FILE}{id_at(file, 'file_id')}"


def _place(head: Inbound, message: Json) -> Inbound | None:
    latitude, longitude = degrees_at(message, "location", "latitude"), degrees_at(message, "location", "longitude")
    if latitude is None or longitude is None:
        return None
    place = Attachment(
        "location",
        caption=text_at(message, "venue", "address"),
        name=text_at(message, "venue", "title"),
        latitude=latitude,
        longitude=longitude,
    )
    return replace(head, attachments=(place,))


def _card(head: Inbound, message: Json) -> Inbound | None:
    """A contact who shares the own card shows a phone."""
    card = object_at(message, "contact")
    phone = text_at(card, "phone_number")
    if not phone:
        return None
    own = id_at(card, "user_id") == id_at(message, "from", "id") != ""
    shared = Attachment("contact", name=_name(card), phone=phone)
    return replace(head, attachments=(shared,), phone=phone if own else "")


def _payment(head: Inbound, paid: Json) -> Inbound:
    """Amounts are in the smallest unit of their currency, as Telegram tells them."""
    told = {
        "currency": text_at(paid, "currency"),
        "amount": id_at(paid, "total_amount"),
        "reference": text_at(paid, "invoice_payload"),
        "payment": id_at(paid, "provider_payment_charge_id"),
    }
    values = tuple((name, value) for name, value in told.items() if value)
    return replace(head, attachments=(Attachment("payment", values=values),))


def _name(person: Json) -> str:
    return " ".join(filter(None, (text_at(person, "first_name"), text_at(person, "last_name"))))


def _kind(message: Json) -> str:
    return word_of(next((key for key in message if key not in _FRAME), ""))
