"""Pages, scripts and styles as they lie in the `static` folder: no build step, strict headers."""

import hashlib
import html
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template

from fastapi.responses import HTMLResponse, PlainTextResponse, Response

KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
FOR_EVER = "public, max-age=31536000, immutable"
SAFE = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


@cache
def statics() -> dict[str, bytes]:
    """All files of the folder and the folders in it, by their path."""
    return dict(_walk(files("hilo.server").joinpath("static"), ""))


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _walk(each, f"{path}{each.name}/")
        else:
            yield path + each.name, each.read_bytes()


@cache
def version() -> str:
    """Changes with any of the files, so that browsers may keep them for ever."""
    digest = hashlib.sha256()
    for name, content in sorted(statics().items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:12]


def static_file(name: str, *, kept: str) -> Response:
    """A script, a style or a picture, to be kept by the browser so long."""
    kind = KINDS.get(name.rpartition(".")[2])
    if kind is None or name not in statics():
        return PlainTextResponse("there is no such file", 404)
    headers = {**SAFE, "Cache-Control": kept, "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(statics()[name], media_type=kind, headers=headers)


def page(name: str, values: dict[str, str], *, policy: str, items: str = "", status: int = 200) -> Response:
    """An HTML file with its values, escaped; `items` is HTML that was made of escaped texts."""
    escaped = {key: html.escape(value) for key, value in values.items()}
    text = Template(statics()[name].decode()).substitute(escaped, items=items, version=version())
    headers = {**SAFE, "Content-Security-Policy": policy}
    if policy.endswith("frame-ancestors 'none'"):
        headers["X-Frame-Options"] = "DENY"
    return HTMLResponse(text, status, headers=headers)
