"""What Meta's API takes: our messages as bodies, its answers as outcomes."""

from datetime import timedelta
from typing import Any, assert_never

from hilo.channels.bodies import at, id_at, number_at, object_at, objects_at, text_at
from hilo.channels.channel import CredentialsRefused, Outcome, Rejected, Sent, TryLater, Unknown
from hilo.channels.limits import (
    WHATSAPP,
    ChoiceList,
    Part,
    PlainText,
    ReplyButtons,
    clean_text,
    cut_title,
    fit_buttons,
    length,
)
from hilo.channels.posting import Answer
from hilo.messages import Address, ApprovedTemplate, Attachment, Outbound

Body = dict[str, Any]

MOST_CAPTION = 1024
WINDOW_CLOSED = 131047
PAIR_THROTTLED = 131056
PAIR_PAUSE = timedelta(seconds=6)  # between two messages to one contact
THROTTLED = frozenset({4, 80007, 130429})
OUT_OF_ORDER = frozenset({1, 2, 131000, 131016, 131057, 133004})  # on Meta's side, for a while
NOT_AUTHORISED = frozenset({0, 3, 10, 190}) | frozenset(range(200, 300))
_CAPTIONED = frozenset({"image", "video", "document"})


def contents(message: Outbound, list_button: str) -> tuple[Body, ...]:
    """The bodies of one message in sending order, without the envelope: the attachment first, the choices last."""
    attached = message.attachment
    if attached and attached.kind in _CAPTIONED and _is_caption(message):
        return (_attachment(attached, message.text),)
    parts = fit_buttons(message.text, message.buttons)
    before = (_attachment(attached, attached.caption),) if attached else ()
    return (*before, *(_part(each, list_button) for each in parts))


def envelope(to: Address, content: Body, message_id: str) -> Body:
    """A body that can be posted; a contact without a phone has another key, and our id comes back with the statuses."""
    key = "to" if to.value.removeprefix("+").isdigit() else "recipient"
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        key: to.value,
        **content,
        "biz_opaque_callback_data": message_id,
    }


def template(approved: ApprovedTemplate) -> Body:
    """Values stand on one line, because Meta refuses them otherwise."""
    values = [{"type": "text", "text": " ".join(clean_text(value).split())} for value in approved.values]
    components = {"components": [{"type": "body", "parameters": values}]} if values else {}
    language = {"code": approved.language}
    return {"type": "template", "template": {"name": approved.name, "language": language, **components}}


def typing_body(answering: str) -> Body:
    """Marks the message as read and shows that somebody writes, for 25 seconds or until the reply."""
    return {
        "messaging_product": "whatsapp",
        "status": "read",
        "message_id": answering,
        "typing_indicator": {"type": "text"},
    }


def outcome_of(answer: Answer) -> Outcome:
    """By Meta's code first: one HTTP status covers very different errors."""
    if answer.status in range(200, 300):
        return _taken(answer)
    code = number_at(answer.json, "error", "code")
    reason = f"{code if code is not None else f'HTTP {answer.status}'}: {_words(answer)}"
    if code == WINDOW_CLOSED:
        return Rejected(reason, window_closed=True)
    if code == PAIR_THROTTLED:
        return TryLater(reason, after=PAIR_PAUSE)
    if code in THROTTLED:
        return TryLater(reason, after=answer.retry_after)
    if code in OUT_OF_ORDER or at(answer.json, "error", "is_transient") is True:
        return TryLater(reason, after=answer.retry_after, away=True)
    if code in NOT_AUTHORISED or answer.status == 401:  # noqa: PLR2004 -- HTTP's own
        return CredentialsRefused(f"Meta does not accept the access token, renew it or its permissions ({code})")
    if answer.status == 429 or answer.status >= 500:  # noqa: PLR2004 -- HTTP's own
        return TryLater(reason, after=answer.retry_after, away=answer.status >= 500)  # noqa: PLR2004 -- HTTP's own
    return Rejected(reason)


def _taken(answer: Answer) -> Outcome:
    wamid = next((id_at(each, "id") for each in objects_at(answer.json, "messages")), "")
    return Sent(wamid) if wamid else Unknown("Meta took it but named no message")


def _words(answer: Answer) -> str:
    error = object_at(answer.json, "error")
    return text_at(error, "error_data", "details") or text_at(error, "message") or "no words"


def _is_caption(message: Outbound) -> bool:
    """Whether the text can stand under the picture instead of after it."""
    apart = message.buttons or (message.attachment and message.attachment.caption)
    return not apart and length(message.text) <= MOST_CAPTION


def _part(part: Part, list_button: str) -> Body:
    match part:
        case PlainText(text):
            return {"type": "text", "text": {"preview_url": False, "body": text}}
        case ReplyButtons(text, buttons):
            replies = [{"type": "reply", "reply": {"id": each.payload, "title": each.title}} for each in buttons]
            return _interactive("button", text, {"buttons": replies})
        case ChoiceList(text, rows):
            listed = [{"id": row.payload, "title": row.title, **_filled(description=row.description)} for row in rows]
            return _interactive(
                "list", text, {"button": cut_title(list_button, WHATSAPP.button_title), "sections": [{"rows": listed}]}
            )
    assert_never(part)


def _interactive(kind: str, text: str, action: Body) -> Body:
    return {"type": "interactive", "interactive": {"type": kind, "body": {"text": text}, "action": action}}


def _attachment(attached: Attachment, caption: str) -> Body:
    content: Body
    match attached.kind:
        case "image" | "video":
            content = {"link": attached.url, **_filled(caption=caption)}
        case "document":
            content = {"link": attached.url, **_filled(caption=caption, filename=attached.name)}
        case "audio" | "sticker":
            content = {"link": attached.url}
        case "location":
            named = _filled(name=attached.name, address=caption)
            content = {"latitude": attached.latitude, "longitude": attached.longitude, **named}
        case "contact":
            return {"type": "contacts", "contacts": [_card(attached)]}
        case "form" | "payment" | "unknown":
            raise AssertionError(f"no message of ours carries a {attached.kind}")
        case _:
            assert_never(attached.kind)
    return {"type": attached.kind, attached.kind: content}


def _card(attached: Attachment) -> Body:
    name = attached.name or attached.phone
    return {"name": {"formatted_name": name, "first_name": name}, "phones": [{"phone": attached.phone}]}


def _filled(**fields: str) -> dict[str, str]:
    return {name: clean_text(value) for name, value in fields.items() if value}
