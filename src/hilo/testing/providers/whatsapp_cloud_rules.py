"""What Meta accepts in the body of a send: its documented limits, and the shape of its refusals."""

from starlette.responses import JSONResponse, Response

from hilo.channels.bodies import Json, object_at, objects_at, text_at

WINDOW_CLOSED, THROTTLED, FAILING, BAD_TOKEN, BAD_REQUEST, BAD_PARAMETER = 131047, 130429, 131016, 190, 100, 131009
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
    content = object_at(body, kind)
    if body.get("messaging_product") != "whatsapp" or ("to" in body) == ("recipient" in body):
        return "messaging_product, or one of to and recipient, is missing"
    match kind:
        case "text":
            return "" if 0 < len(text_at(content, "body")) <= TEXT else "the text is empty or too long"
        case "interactive":
            return _interactive_problem(content)
        case "template":
            return "" if text_at(content, "name") and text_at(content, "language", "code") else "no such template"
        case "image" | "video" | "document" | "audio" | "sticker":
            fits = text_at(content, "link").startswith("http") and len(text_at(content, "caption")) <= CAPTION
            return "" if fits else "the link is missing or the caption too long"
        case "location":
            return "" if {"latitude", "longitude"} <= set(content) else "the place is missing"
        case "contacts":
            return "" if objects_at(body, "contacts") else "the cards are missing"
    return "an unknown type"


def _interactive_problem(content: Json) -> str:
    words = len(text_at(content, "body", "text"))
    if text_at(content, "type") == "button":
        keys = [object_at(each, "reply") for each in objects_at(content, "action", "buttons")]
        return "" if 0 < words <= CAPTION and _keys_fit(keys, most=3, title=BUTTON) else "the buttons do not fit"
    rows = [row for each in objects_at(content, "action", "sections") for row in objects_at(each, "rows")]
    short = all(len(text_at(row, "description")) <= DESCRIPTION for row in rows)
    labelled = 0 < len(text_at(content, "action", "button")) <= BUTTON
    fits = 0 < words <= TEXT and labelled and short and _keys_fit(rows, most=10, title=24)
    return "" if fits else "the list does not fit"


def _keys_fit(keys: list[Json], *, most: int, title: int) -> bool:
    titles = [text_at(key, "title") for key in keys]
    ids = [text_at(key, "id") for key in keys]
    fit = all(0 < len(each) <= title for each in titles) and all(0 < len(each) <= ID for each in ids)
    return fit and 0 < len(keys) <= most and len(set(titles)) == len(set(ids)) == len(keys)
