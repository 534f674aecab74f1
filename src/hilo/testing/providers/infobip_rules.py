"""What Infobip accepts in a request: its documented limits, and the shapes of its refusals."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hilo.channels.bodies import at

Problems = Iterator[tuple[str, str]]

# the most characters of each text; one with a question mark may be left out
_ENVELOPE = {"from": 24, "to": 150, "messageId?": 200, "callbackData?": 4000, "notifyUrl?": 2048}
_MEDIA = {"mediaUrl": 2048, "caption?": 3000, "filename?": 240}
_TEXTS: Mapping[str, Mapping[str, int]] = {
    "text": {"text": 4096},
    **dict.fromkeys(("image", "document", "audio", "video", "sticker"), _MEDIA),
    "location": {"name?": 1000, "address?": 1000},
    "interactive/buttons": {"body.text": 1024},
    "interactive/list": {"body.text": 1024, "action.title": 20},
    "template": {"templateName": 512, "language": 20},
}


def refusal(code: str, text: str, *, fields: Mapping[str, list[str]] | None = None) -> dict[str, Any]:
    """The older envelope, which the sending endpoints use."""
    exception = {"messageId": code, "text": text, **({"validationErrors": fields} if fields else {})}
    return {"requestError": {"serviceException": exception}}


def newer_refusal(code: str, description: str, *violations: tuple[str, str]) -> dict[str, Any]:
    """The newer envelope of the platform."""
    listed = [{"property": name, "violation": problem} for name, problem in violations]
    action = "Check the request and the documentation."
    return {"errorCode": code, "description": description, "action": action, "violations": listed, "resources": []}


def event_problems(body: Any) -> Problems:
    """What is wrong with the body of a typing event."""
    events = _list(body, "events")
    if not events:
        yield "events", "must not be empty"
    for number, event in enumerate(events):
        yield from _texts(event, {"sender": 24}, f"events[{number}]")
        for to in _list(event, "destinations"):
            yield from _texts(to, {"to": 150}, f"events[{number}].destinations")
        if at(event, "content", "type") != "TYPING_INDICATOR":
            yield f"events[{number}].content.type", "must be TYPING_INDICATOR"


def problems_of(kind: str, body: Any) -> dict[str, list[str]]:
    """What is wrong with the body of a send, by field, as its 400 answers list it."""
    if kind not in _TEXTS:
        return {"path": ["no such kind of message"]}
    content = at(body, "content")
    found: dict[str, list[str]] = {}
    for field, problem in (
        *_texts(body, _ENVELOPE),
        *_texts(content, _TEXTS[kind], "content"),
        *_MORE.get(kind, _nothing)(content),
    ):
        found.setdefault(field, []).append(problem)
    return found


def _nothing(_: Any) -> Problems:
    yield from ()


def _media(content: Any) -> Problems:
    if not str(at(content, "mediaUrl")).startswith(("http://", "https://")):
        yield "content.mediaUrl", "must be a valid URL"


def _location(content: Any) -> Problems:
    for name, most in (("latitude", 90), ("longitude", 180)):
        value = at(content, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > most:
            yield f"content.{name}", f"must be between -{most} and {most}"


def _buttons(content: Any) -> Problems:
    where = "content.action.buttons"
    buttons = _list(content, "action", "buttons")
    yield from _size(buttons, 3, where)
    for each in buttons:
        yield from _texts(each, {"id": 256, "title": 20}, where)
        if at(each, "type") != "REPLY":
            yield where, "type must be REPLY"
    yield from _unique(buttons, "id", where)
    yield from _unique(buttons, "title", where)


def _choices(content: Any) -> Problems:
    where = "content.action.sections"
    sections = _list(content, "action", "sections")
    rows = [row for section in sections for row in _list(section, "rows")]
    yield from _size(sections, 10, where)
    yield from _size(rows, 10, f"{where}.rows")
    title = "title" if len(sections) > 1 else "title?"  # one alone needs none
    for section in sections:
        yield from _texts(section, {title: 24}, where)
    for row in rows:
        yield from _texts(row, {"id": 200, "title": 24, "description?": 72}, f"{where}.rows")
    yield from _unique(rows, "id", f"{where}.rows")


def _template(content: Any) -> Problems:
    for value in _list(content, "templateData", "body", "placeholders"):
        if not isinstance(value, str) or not value.strip():
            yield "content.templateData.body.placeholders", "must not be blank"


# what else than the length of texts can be wrong
_MORE: Mapping[str, Callable[[Any], Problems]] = {
    **dict.fromkeys(("image", "document", "audio", "video", "sticker"), _media),
    "location": _location,
    "interactive/buttons": _buttons,
    "interactive/list": _choices,
    "template": _template,
}


def _texts(value: Any, most: Mapping[str, int], under: str = "") -> Problems:
    for written, limit in most.items():
        name = written.removesuffix("?")
        where = f"{under}.{name}".lstrip(".")
        found = at(value, *name.split("."))
        if found is None and name != written:
            continue
        if not isinstance(found, str) or not found.strip():
            yield where, "must not be blank"
        elif len(found.encode("utf-16-le", "surrogatepass")) // 2 > limit:  # as Java counts
            yield where, f"size must be between 1 and {limit}"


def _size(found: list[Any], most: int, where: str) -> Problems:
    if not 1 <= len(found) <= most:
        yield where, f"size must be between 1 and {most}"


def _unique(found: list[Any], name: str, where: str) -> Problems:
    values = [str(at(each, name)) for each in found]
    if len(set(values)) < len(values):
        yield where, f"{name} must be unique"


def _list(value: Any, *path: str) -> list[Any]:
    found = at(value, *path)
    return found if isinstance(found, list) else []
