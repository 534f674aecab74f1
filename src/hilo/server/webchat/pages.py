"""The HTML, CSS and JavaScript of the chat, as they lie in the `static` folder."""

import hashlib
import html
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template
from urllib.parse import quote

from fastapi.responses import HTMLResponse, PlainTextResponse, Response

LANGUAGES = ("es", "en", "pt")
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
FOR_EVER = "public, max-age=31536000, immutable"
LIST_WORDS = {
    "es": ("Chats", "¿Con quién quieres hablar?"),
    "en": ("Chats", "Who would you like to talk to?"),
    "pt": ("Chats", "Com quem você quer falar?"),
}

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors "
)
_SAFE = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


@cache
def statics() -> dict[str, bytes]:
    """All files of the folder by name."""
    folder = files("hilo.server").joinpath("static")
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


@cache
def version() -> str:
    """Changes with any of the files, so that browsers may keep them for ever."""
    digest = hashlib.sha256()
    for name, content in sorted(statics().items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:12]


def static_file(name: str, *, kept: str) -> Response:
    """A script or a style, to be kept by the browser so long."""
    kind = KINDS.get(name.rpartition(".")[2])
    if kind is None or name not in statics():
        return PlainTextResponse("there is no such file", 404)
    headers = {**_SAFE, "Cache-Control": kept, "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(statics()[name], media_type=kind, headers=headers)


def language(*wishes: str) -> str:
    """The first wish that can be granted; a wish may be a whole Accept-Language."""
    for code in re.findall(r"(?:^|[,\s])([a-z]{2})\b", ",".join(wishes).lower()):
        if code in LANGUAGES:
            return str(code)
    return LANGUAGES[0]


def chat_page_html(channel: str, title: str, *, language: str) -> Response:
    """The page of one chat; any site may frame it, for that is what the widget does."""
    values = {"channel": channel, "title": title, "initial": title[:1].upper(), "language": language}
    return _page("chat.html", values, frames="*")


def list_page_html(chats: Sequence[tuple[str, str]], *, language: str) -> Response:
    """All chats of this installation, as pairs of channel and title."""
    title, heading = LIST_WORDS[language]
    items = "\n".join(_item(channel, name) for channel, name in chats)
    page = _page("list.html", {"language": language, "title": title, "heading": heading}, frames="'none'", items=items)
    page.headers["X-Frame-Options"] = "DENY"
    return page


def _item(channel: str, title: str) -> str:
    name, initial = html.escape(title), html.escape(title[:1].upper())
    link = html.escape(f"chat/{quote(channel)}")
    return f'<li><a href="{link}"><span class="avatar" aria-hidden="true">{initial}</span>{name}</a></li>'


def _page(name: str, values: dict[str, str], *, frames: str, items: str = "") -> Response:
    escaped = {key: html.escape(value) for key, value in values.items()}
    text = Template(statics()[name].decode()).substitute(escaped, items=items, version=version())
    return HTMLResponse(text, headers={**_SAFE, "Content-Security-Policy": _POLICY + frames})
