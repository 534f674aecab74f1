"""Files: what contacts sent, for people and keys of their workspace; what we send, behind a secret link."""

import re
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel

from hilo.server.access import Edge, Reading, Writing
from hilo.server.api_router import api_router
from hilo.server.bodies import read_body
from hilo.server.edge import HttpEdge
from hilo.server.parameters import NOT_THERE, Id, or_404
from hilo.store.file_types import FILE_TYPES, MAX_SENT
from hilo.store.files import Files
from hilo.store.media import LINKS, FileNotTaken, Media, add_upload, find_media, linked_media, new_upload

UPLOADS = "/api/v1/media"
MAX_UPLOAD = max(MAX_SENT.values())
UPLOAD_SECONDS = 60.0
_RANGE = re.compile(r"bytes=(\d{1,15})?-(\d{1,15})?")
# A file of a stranger may say anything: it runs nothing, loads nothing, and no page of another site may show it.
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Accept-Ranges": "bytes",
}


class MediaBody(BaseModel):
    """A file; `url` is where it can be looked at, with the key or the login that this was asked with."""

    id: str
    kind: str
    type: str
    size: int
    name: str
    url: str


# Whoever may read a workspace sees its files, whoever may write adds some to send.
router = api_router("", "media")
_FILE = {"content": {"application/octet-stream": {}}, "description": "The file"}


@router.get("/media/{media}", response_class=Response, responses={200: _FILE, 206: _FILE})
async def look(
    edge: Edge,
    media: Id,
    request: Request,
    key: Reading,
    download: bool = False,  # noqa: FBT001, FBT002 -- of the query
) -> Response:
    """A file that a contact sent, or that was sent to one."""
    found = or_404((await edge.store.run(find_media, key.workspace, [media])).get(media))
    if found.status != "kept":
        raise HTTPException(404, f"the file is not here: {found.reason or found.status}")
    private = {"Cache-Control": "private, max-age=86400, immutable"}
    return await _answer(_files(edge), found, request, private, download=download)


@router.post("/media", status_code=201)
async def keep(
    edge: Edge, request: Request, key: Writing, name: Annotated[str, Query(max_length=200)] = ""
) -> MediaBody:
    """Keep a file, to be sent with a message; the body is the file itself, and its Content-Type says what it is."""
    content = await read_body(request, at_most=MAX_UPLOAD)
    try:
        upload = new_upload(key.workspace, content, request.headers.get("content-type", ""), name)
    except FileNotTaken as problem:
        raise HTTPException(413 if problem.too_large else 415, str(problem)) from None
    await _files(edge).put(upload.id, content)
    await edge.store.run(add_upload, upload, now=edge.clock.now())
    return MediaBody(
        id=upload.id,
        kind=upload.kind,
        type=upload.type,
        size=upload.size,
        name=upload.name,
        url=f"{UPLOADS}/{upload.id}",
    )


# For providers and web chats: a file that we sent, to whoever was given its link.
links = APIRouter()


@links.get(LINKS + "{link}", include_in_schema=False)
async def sent(edge: Edge, link: Id, request: Request) -> Response:
    found = or_404(await edge.store.run(linked_media, link))
    shared = {"Cache-Control": "public, max-age=86400, immutable", "Cross-Origin-Resource-Policy": "cross-origin"}
    return await _answer(_files(edge), found, request, shared)


def _files(edge: HttpEdge) -> Files:
    if edge.files is None:
        raise HTTPException(404, NOT_THERE)
    return edge.files


async def _answer(
    files: Files, found: Media, request: Request, caching: dict[str, str], *, download: bool = False
) -> Response:
    """The bytes, or the part of them that a player asks for."""
    try:
        content = await files.get(found.id)
    except OSError:
        raise HTTPException(503, "the files cannot be reached now") from None
    if content is None:
        raise HTTPException(404, "the file is not here any more")
    shown = found.type in FILE_TYPES and FILE_TYPES[found.type].inline and not download
    named = f"; filename*=UTF-8''{quote(found.name)}" if found.name else ""
    headers = {**_SAFE, **caching, "Content-Disposition": ("inline" if shown else "attachment") + named}
    part = _part(request.headers.get("range", ""), len(content))
    if part is None:
        return Response(content, media_type=found.type, headers=headers)
    first, last = part
    if first > last:
        raise HTTPException(416, "there is no such part", headers={"Content-Range": f"bytes */{len(content)}"})
    headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
    return Response(content[first : last + 1], 206, media_type=found.type, headers=headers)


def _part(asked: str, size: int) -> tuple[int, int] | None:
    """The first and the last byte of the one part that is asked for; none where all of it is."""
    match = _RANGE.fullmatch(asked.strip())
    if match is None or match.groups() == (None, None):
        return None
    first, last = match.groups()
    if first is None:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last), size - 1) if last else size - 1
