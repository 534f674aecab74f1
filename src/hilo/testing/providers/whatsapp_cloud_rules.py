"""What Meta accepts in the body of a send: its documented limits, and the shape of its refusals."""

from collections.abc import Callable, Mapping

from starlette.responses import JSONResponse, Response

from hilo.channels.bodies import Json, object_at, objects_at, text_at

# the codes of its errors
WINDOW_CLOSED, THROTTLED, FAILING = 131047, 130429, 131016
BAD_TOKEN, BAD_REQUEST, BAD_PARAMETER = 190, 100, 131009
# the most characters of each
TEXT, CAPTION, BUTTON, DESCRIPTION, ID = 4096, 1024, 20, 72, 200
_HTTP = {THROTTLED: 429, BAD_TOKEN: 401, FAILING: 503}


def refusal(code: int, words: str) -> Response:
    """An error of the Graph API."""
    error = {"message": f"(#{code})", "type": "OAuthException", "code": code, "fbtrace_id": "A1"}
    details = {"messaging_product": "whatsapp", "details": words}
    return JSONResponse({"error": {**error, "error_data": details}}, _HTTP.get(code, 400))


def problem_of(body: Json) -> str:
    """What Meta would refuse in the body of a send; empty when it is right."""
    kind = text_at(body, "type")
    if body.get("messaging_product") != "whatsapp" or ("to" in body) == ("recipient" in body):
        return "messaging_product, or one of to and recipient, is missing"
    if kind not in _RULES:
        return "an unknown type"
    fits, problem = _RULES[kind]
    if kind == "interactive" and text_at(body, "interactive", "type") == "button":
        fits, problem = _buttons_fit, "the buttons do not fit"
    return "" if fits(body) else problem


def _text_fits(body: Json) -> bool:
    return 0 < len(text_at(body, "text", "body")) <= TEXT


def _template_is_named(body: Json) -> bool:
    template = object_at(body, "template")
    return bool(text_at(template, "name") and text_at(template, "language", "code"))


def _media_fits(body: Json) -> bool:
    media = object_at(body, text_at(body, "type"))
    return text_at(media, "link").startswith("http") and len(text_at(media, "caption")) <= CAPTION


def _place_is_given(body: Json) -> bool:
    return {"latitude", "longitude"} <= set(object_at(body, "location"))


def _has_cards(body: Json) -> bool:
    return bool(objects_at(body, "contacts"))


def _buttons_fit(body: Json) -> bool:
    content = object_at(body, "interactive")
    keys = [object_at(each, "reply") for each in objects_at(content, "action", "buttons")]
    words = len(text_at(content, "body", "text"))
    return 0 < words <= CAPTION and _keys_fit(keys, most=3, title=BUTTON)


def _list_fits(body: Json) -> bool:
    content = object_at(body, "interactive")
    rows: list[Json] = []
    for section in objects_at(content, "action", "sections"):
        rows += objects_at(section, "rows")
    if any(len(text_at(row, "description")) > DESCRIPTION for row in rows):
        return False
    if not 0 < len(text_at(content, "action", "button")) <= BUTTON:
        return False
    words = len(text_at(content, "body", "text"))
    return 0 < words <= TEXT and _keys_fit(rows, most=10, title=24)


def _keys_fit(keys: list[Json], *, most: int, title: int) -> bool:
    titles = {text_at(key, "title") for key in keys}
    ids = {text_at(key, "id") for key in keys}
    if len(titles) < len(keys) or len(ids) < len(keys):
        return False  # Meta takes no two of one name
    short = all(0 < len(each) <= title for each in titles) and all(0 < len(each) <= ID for each in ids)
    return short and 0 < len(keys) <= most


_MEDIA = (_media_fits, "the link is missing or the caption too long")
# by type: whether a body is right, and what is said if it is not
_RULES: Mapping[str, tuple[Callable[[Json], bool], str]] = {
    "text": (_text_fits, "the text is empty or too long"),
    "interactive": (_list_fits, "the list does not fit"),
    "template": (_template_is_named, "no such template"),
    "image": _MEDIA,
    "video": _MEDIA,
    "document": _MEDIA,
    "audio": _MEDIA,
    "sticker": _MEDIA,
    "location": (_place_is_given, "the place is missing"),
    "contacts": (_has_cards, "the cards are missing"),
}
