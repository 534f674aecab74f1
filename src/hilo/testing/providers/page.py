"""A page on which a person writes as a contact and sees, as on a phone, what our side sent."""

from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from hilo.testing.providers.provider import Chats

OBELISCO = (-34.603738, -58.38157)  # a place to share in a trial


class Provider(Protocol):
    """What a fake provider lets a person do as a contact; each returns the id of the message that was written."""

    chats: Chats

    async def write(self, contact: str, text: str) -> str:
        """Write a text."""
        ...

    async def press(self, contact: str, payload: str) -> str:
        """Press a button or choose a row; raises LookupError when it was not offered."""
        ...

    async def share_place(self, contact: str, latitude: float, longitude: float) -> str:
        """Share a location."""
        ...

    async def see(self, contact: str) -> None:
        """Look at what has come."""
        ...


def page_routes(provider: Provider, title: str) -> list[Route]:
    """The page at `/` and what it calls."""

    async def page(_: Request) -> Response:
        return HTMLResponse(_page().replace("{title}", title))

    async def chat(request: Request) -> Response:
        contact = _contact(request)
        await provider.see(contact)
        bubbles = [asdict(each) for each in provider.chats.of(contact)]
        return JSONResponse({"bubbles": bubbles, "typing": contact in provider.chats.typing})

    async def act(request: Request) -> Response:
        try:
            return JSONResponse({"id": await _act(provider, _contact(request), await request.json())})
        except (LookupError, ValueError) as problem:
            return JSONResponse({"error": str(problem)}, status_code=400)

    return [Route("/", page), Route("/chats/{contact}", chat), Route("/chats/{contact}", act, methods=["POST"])]


def _contact(request: Request) -> str:
    """A phone may be typed as people write it."""
    return str(request.path_params["contact"]).removeprefix("+").replace(" ", "")


async def _act(provider: Provider, contact: str, wish: Any) -> str:
    match wish:
        case {"text": str(text)} if text.strip():
            return await provider.write(contact, text)
        case {"press": str(payload)}:
            return await provider.press(contact, payload)
        case {"place": True}:
            return await provider.share_place(contact, *OBELISCO)
    raise ValueError("nothing to write")


@cache
def _page() -> str:
    return files("hilo.testing.providers").joinpath("page.html").read_text(encoding="utf-8")
