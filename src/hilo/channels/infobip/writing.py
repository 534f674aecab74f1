"""A message of ours as the requests that Infobip documents, in sending order."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, assert_never

from hilo.channels.infobip.settings import InfobipSettings
from hilo.channels.limits import (
    ChoiceList,
    Limits,
    Part,
    PlainText,
    ReplyButtons,
    clean_text,
    cut_title,
    fit_buttons,
    length,
)
from hilo.messages import Address, ApprovedTemplate, Attachment, Outbound

LIMITS = Limits(list_body=1024)  # Infobip takes no more in any interactive message
MAX_CAPTION = 1024
MAX_FILENAME = 240
MAX_MEDIA_URL = 2048
MAX_PLACE = 1000
CAPTIONED = ("image", "video", "document")


@dataclass(frozen=True, slots=True)
class InfobipRequest:
    """Where to post, and the `content` to post there."""

    path: str
    content: dict[str, Any]


class CannotSend(Exception):  # noqa: N818 -- it names what happened
    """Infobip has no form for this message."""


def requests_of(message: Outbound, settings: InfobipSettings) -> tuple[InfobipRequest, ...]:
    """Attachment first, then the words with the choices; raises CannotSend."""
    requests = tuple(_requests(message, settings))
    if not requests and message.approved:
        return (template_request(message.approved),)
    if not requests:
        raise CannotSend("there is nothing to send")
    return requests


def template_request(template: ApprovedTemplate) -> InfobipRequest:
    """An approved template with its values in order."""
    content = {
        "templateName": template.name,
        "templateData": {"body": {"placeholders": list(template.values)}},
        "language": template.language,
    }
    return InfobipRequest("/whatsapp/1/message/template", content)


def body_of(
    request: InfobipRequest, to: Address, settings: InfobipSettings, *, part_id: str, whole_id: str
) -> dict[str, Any]:
    """The body to post; reports come back with the part's id and with the whole message's in callbackData."""
    body = {
        "from": settings.sender,
        "to": receiver(to),
        "messageId": part_id,
        "content": request.content,
        "callbackData": whole_id,
        **({"notifyUrl": settings.notify_url} if settings.notify_url else {}),
    }
    return {"messages": [body]} if request.path.endswith("/template") else body


def typing_body(to: Address, settings: InfobipSettings) -> dict[str, Any]:
    """The event that shows that we are writing."""
    destinations = [{"to": receiver(to)}]
    event = {"sender": settings.sender, "destinations": destinations, "content": {"type": "TYPING_INDICATOR"}}
    return {"events": [event]}


def receiver(to: Address) -> str:
    """A phone without its plus sign, or a business-scoped id."""
    return to.value.removeprefix("+")


def _requests(message: Outbound, settings: InfobipSettings) -> Iterator[InfobipRequest]:
    attachment = message.attachment
    if attachment and _fits_as_caption(attachment, message):
        yield _media(attachment, clean_text(message.text))
        return
    if attachment:
        yield _media(attachment, clean_text(attachment.caption))
    for part in fit_buttons(message.text, message.buttons, LIMITS):
        yield _request(part, settings)


def _fits_as_caption(attachment: Attachment, message: Outbound) -> bool:
    free = attachment.kind in CAPTIONED and not attachment.caption and not message.buttons
    return free and length(message.text) <= MAX_CAPTION


def _request(part: Part, settings: InfobipSettings) -> InfobipRequest:
    match part:
        case PlainText(text=text):
            return _words(text)
        case ReplyButtons(text=text, buttons=buttons):
            shown = [{"type": "REPLY", "id": each.payload, "title": each.title} for each in buttons]
            content: dict[str, Any] = {"body": {"text": text}, "action": {"buttons": shown}}
            return InfobipRequest("/whatsapp/1/message/interactive/buttons", content)
        case ChoiceList(text=text, rows=rows):
            shown = [_without_blanks(id=row.payload, title=row.title, description=row.description) for row in rows]
            action = {"title": cut_title(settings.list_button, LIMITS.button_title), "sections": [{"rows": shown}]}
            return InfobipRequest("/whatsapp/1/message/interactive/list", {"body": {"text": text}, "action": action})
        case never:
            assert_never(never)


def _words(text: str) -> InfobipRequest:
    return InfobipRequest("/whatsapp/1/message/text", {"text": text, "previewUrl": False})


def _media(attachment: Attachment, caption: str) -> InfobipRequest:
    if attachment.kind == "location":
        return InfobipRequest("/whatsapp/1/message/location", _place(attachment, caption))
    if attachment.kind == "contact":
        return _words(clean_text(f"{attachment.name}\n{attachment.phone}").strip())
    url = attachment.url
    if not url.startswith(("https://", "http://")) or len(url) > MAX_MEDIA_URL:
        raise CannotSend(f"Infobip fetches media itself: it needs a public URL of up to {MAX_MEDIA_URL} characters")
    content = {"mediaUrl": clean_text(url)}
    if attachment.kind in CAPTIONED:
        content |= _without_blanks(caption=cut_title(caption, MAX_CAPTION))
    if attachment.kind == "document":
        content |= _without_blanks(filename=clean_text(attachment.name)[:MAX_FILENAME])
    return InfobipRequest(f"/whatsapp/1/message/{attachment.kind}", content)


def _place(attachment: Attachment, caption: str) -> dict[str, Any]:
    latitude, longitude = attachment.latitude, attachment.longitude
    if latitude is None or longitude is None or not (isfinite(latitude) and isfinite(longitude)):
        raise CannotSend("a location needs a latitude and a longitude")
    named = _without_blanks(name=clean_text(attachment.name)[:MAX_PLACE], address=caption[:MAX_PLACE])
    return {"latitude": latitude, "longitude": longitude, **named}


def _without_blanks(**fields: str) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}
