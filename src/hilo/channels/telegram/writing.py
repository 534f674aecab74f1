"""What the Bot API takes: our messages as method calls, its answers as outcomes."""

from dataclasses import dataclass, replace
from typing import Any, assert_never

from hilo.channels.bodies import id_at, number_at, text_at
from hilo.channels.channel import CredentialsRefused, Outcome, Rejected, Sent, TryLater, Unknown
from hilo.channels.limits import ChoiceList, Limits, Part, PlainText, ReplyButtons, clean_text, fit_buttons, length
from hilo.channels.posting import Answer, wait_of
from hilo.channels.telegram.keyboard import MOST_BYTES, carried, keyboard
from hilo.messages import Attachment, Outbound

Body = dict[str, Any]

MOST_CAPTION = 1024
LIMITS = Limits(buttons=100, button_title=256, buttons_body=4096, rows=0, payload=MOST_BYTES)
_BLOCKED, _THROTTLED, _FAILING = 403, 429, 500
_BAD_TOKEN = frozenset({401, 404})
_CAPTIONED = frozenset({"image", "video", "document", "audio"})


@dataclass(frozen=True, slots=True)
class BotCall:
    """One call of a method of the bot."""

    method: str
    body: Body


def calls(chat: int, message: Outbound) -> tuple[BotCall, ...]:
    """The calls that send one message, in order: the attachment first, the buttons last."""
    attached = message.attachment
    if attached and attached.kind in _CAPTIONED and _is_caption(message):
        return (_attachment(chat, attached, message.text),)
    buttons = tuple(replace(each, payload=carried(clean_text(each.payload))) for each in message.buttons)
    parts = fit_buttons(message.text, buttons, LIMITS)
    before = (_attachment(chat, attached, attached.caption),) if attached else ()
    return (*before, *(_part(chat, each) for each in parts))


def outcome_of(answer: Answer) -> Outcome:
    """By the error code, which is the HTTP status again."""
    if answer.status in range(200, 300) and answer.json.get("ok") is True:
        return Sent(id_at(answer.json, "result", "message_id"))
    if answer.status in range(200, 300):
        return Unknown("the answer was no answer of Telegram")
    reason = f"{answer.status}: {text_at(answer.json, 'description') or 'no words'}"
    if answer.status == _THROTTLED:
        seconds = number_at(answer.json, "parameters", "retry_after")
        return TryLater(reason, after=answer.retry_after if seconds is None else wait_of(float(seconds)))
    if answer.status >= _FAILING:
        return TryLater(reason, after=answer.retry_after, away=True)
    if answer.status == _BLOCKED:
        return Rejected(f"the contact has blocked the bot or never wrote to it ({reason})")
    if answer.status in _BAD_TOKEN:
        return CredentialsRefused(f"Telegram does not accept the bot's token ({answer.status})")
    return Rejected(reason)


def _is_caption(message: Outbound) -> bool:
    """Whether the text can stand under the picture instead of after it."""
    apart = message.buttons or (message.attachment and message.attachment.caption)
    return not apart and length(message.text) <= MOST_CAPTION


def _part(chat: int, part: Part) -> BotCall:
    match part:
        case PlainText(text):
            return BotCall("sendMessage", {"chat_id": chat, "text": text})
        case ReplyButtons(text, buttons):
            return BotCall("sendMessage", {"chat_id": chat, "text": text, "reply_markup": keyboard(buttons)})
        case ChoiceList():
            raise AssertionError("the limits allow no list")
    assert_never(part)


def _attachment(chat: int, attached: Attachment, caption: str) -> BotCall:
    under = {"caption": clean_text(caption)} if caption else {}
    match attached.kind:
        case "image":
            return BotCall("sendPhoto", {"chat_id": chat, "photo": attached.url, **under})
        case "video" | "audio" | "document":
            return BotCall(f"send{attached.kind.title()}", {"chat_id": chat, attached.kind: attached.url, **under})
        case "sticker":
            return BotCall("sendSticker", {"chat_id": chat, "sticker": attached.url})
        case "location":
            place = {"latitude": attached.latitude, "longitude": attached.longitude}
            return BotCall("sendLocation", {"chat_id": chat, **place})
        case "contact":
            named = {"phone_number": attached.phone, "first_name": attached.name or attached.phone}
            return BotCall("sendContact", {"chat_id": chat, **named})
        case "form" | "payment" | "unknown":
            raise AssertionError(f"no message of ours carries a {attached.kind}")
    assert_never(attached.kind)
