"""What Infobip accepts in a request: its documented limits, and the shapes of its refusals."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Problems = Iterator[tuple[str, str]]


def problems_of(kind: str, body: Any) -> dict[str, list[str]]:
    """What is wrong with the body of a send, by field, as its 400 answers list it."""
    found: dict[str, list[str]] = {}
    for field, problem in _body(kind, body):
        found.setdefault(field, []).append(problem)
    return found


def refusal(code: str, text: str, *, fields: Mapping[str, list[str]] | None = None) -> dict[str, Any]:
    """The older envelope, which the sending endpoints use."""
    exception = {"messageId": code, "text": text, **({"validationErrors": fields} if fields else {})}
    return {"requestError": {"serviceException": exception}}


def newer_refusal(code: str, description: str, *violations: tuple[str, str]) -> dict[str, Any]:
    """The newer envelope of the platform."""
    listed = [{"property": name, "violation": problem} for name, problem in violations]
    action = "Check the request and the documentation."
    return {"errorCode": code, "description": description, "action": action, "violations": listed, "resources": []}


def event_problems(body: Any) -> tuple[tuple[str, str], ...]:
    """What is wrong with the body of a typing event."""
    return tuple(_events(body))


def _events(body: Any) -> Problems:
    events = body.get("events") if isinstance(body, dict) else None
    if not isinstance(events, list) or not events:
        yield "events", "must not be empty"
        return
    for number, event in enumerate(events):
        yield from _text(event, "sender", 24, f"events[{number}]")
        for to in _list(event, "destinations"):
            yield from _text(to, "to", 150, f"events[{number}].destinations")
        if _object(event, "content").get("type") != "TYPING_INDICATOR":
            yield f"events[{number}].content.type", "must be TYPING_INDICATOR"


def _body(kind: str, body: Any) -> Problems:
    if kind not in _CONTENT:
        yield "path", "no such kind of message"
        return
    yield from _text(body, "from", 24)
    yield from _text(body, "to", 150)
    yield from _optional(body, "messageId", 200)
    yield from _optional(body, "callbackData", 4000)
    yield from _optional(body, "notifyUrl", 2048)
    yield from _CONTENT[kind](_object(body, "content"))


def _words(content: Any) -> Problems:
    yield from _text(content, "text", 4096, "content")


def _media(content: Any) -> Problems:
    yield from _text(content, "mediaUrl", 2048, "content")
    yield from _optional(content, "caption", 3000, "content")
    yield from _optional(content, "filename", 240, "content")
    if not str(content.get("mediaUrl")).startswith(("http://", "https://")):
        yield "content.mediaUrl", "must be a valid URL"


def _location(content: Any) -> Problems:
    for name, most in (("latitude", 90), ("longitude", 180)):
        value = content.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > most:
            yield f"content.{name}", f"must be between -{most} and {most}"
    yield from _optional(content, "name", 1000, "content")
    yield from _optional(content, "address", 1000, "content")


def _buttons(content: Any) -> Problems:
    yield from _text(_object(content, "body"), "text", 1024, "content.body")
    buttons = _list(_object(content, "action"), "buttons")
    where = "content.action.buttons"
    yield from _size(buttons, 3, where)
    for each in buttons:
        yield from _text(each, "id", 256, where)
        yield from _text(each, "title", 20, where)
        if not isinstance(each, dict) or each.get("type") != "REPLY":
            yield where, "type must be REPLY"
    yield from _unique(buttons, "id", where)
    yield from _unique(buttons, "title", where)


def _choices(content: Any) -> Problems:
    action = _object(content, "action")
    sections = _list(action, "sections")
    rows = [row for section in sections for row in _list(section, "rows")]
    where = "content.action.sections"
    yield from _text(_object(content, "body"), "text", 1024, "content.body")
    yield from _text(action, "title", 20, "content.action")
    yield from _size(sections, 10, where)
    yield from _size(rows, 10, f"{where}.rows")
    for section in sections if len(sections) > 1 else ():
        yield from _text(section, "title", 24, where)
    for row in rows:
        yield from _text(row, "id", 200, f"{where}.rows")
        yield from _text(row, "title", 24, f"{where}.rows")
        yield from _optional(row, "description", 72, f"{where}.rows")
    yield from _unique(rows, "id", f"{where}.rows")


def _template(content: Any) -> Problems:
    yield from _text(content, "templateName", 512, "content")
    yield from _text(content, "language", 20, "content")
    for value in _list(_object(_object(content, "templateData"), "body"), "placeholders"):
        if not isinstance(value, str) or not value.strip():
            yield "content.templateData.body.placeholders", "must not be blank"


_CONTENT: dict[str, Callable[[Any], Problems]] = {
    "text": _words,
    **dict.fromkeys(("image", "document", "audio", "video", "sticker"), _media),
    "location": _location,
    "interactive/buttons": _buttons,
    "interactive/list": _choices,
    "template": _template,
}


def _text(value: Any, name: str, most: int, under: str = "") -> Problems:
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, str) or not found.strip():
        yield f"{under}.{name}".lstrip("."), "must not be blank"
    elif _units(found) > most:
        yield f"{under}.{name}".lstrip("."), f"size must be between 1 and {most}"


def _optional(value: Any, name: str, most: int, under: str = "") -> Problems:
    if isinstance(value, dict) and value.get(name) is not None:
        yield from _text(value, name, most, under)


def _units(text: str) -> int:
    """A length as Java counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _size(found: list[Any], most: int, where: str) -> Problems:
    if not 1 <= len(found) <= most:
        yield where, f"size must be between 1 and {most}"


def _unique(found: list[Any], name: str, where: str) -> Problems:
    values = [each.get(name) for each in found if isinstance(each, dict)]
    if len({str(value) for value in values}) < len(values):
        yield where, f"{name} must be unique"


def _object(value: Any, name: str) -> dict[str, Any]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _list(value: Any, name: str) -> list[Any]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []
