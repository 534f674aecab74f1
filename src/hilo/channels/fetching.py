"""Fetching a file that a contact sent from where its provider keeps it, within limits."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import httpx

from hilo.channels.bodies import Json, read_object
from hilo.channels.channel import CredentialsRefused, NotReadable, Rejected, TryLater

LONGEST_FETCH = 120.0  # seconds for one file, however slowly it drips
_FORBIDDEN, _GONE, _THROTTLED, _FAILING = frozenset({401, 403}), frozenset({404, 410}), 429, 500


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file with the type that its provider declares."""

    content: bytes
    type: str = ""


NotFetched = TryLater | CredentialsRefused | Rejected


@runtime_checkable
class FetchesFiles(Protocol):
    """A channel whose contacts send files."""

    async def fetch(self, source: str, *, at_most: int) -> Fetched | NotFetched:
        """The file that an attachment's `url` names; never raises."""
        ...


async def download(
    client: httpx.AsyncClient, url: str, headers: Mapping[str, str], *, at_most: int
) -> Fetched | NotFetched:
    """The bytes at an address, or why there are none; the words never carry the address, which may hold a secret."""
    try:
        async with asyncio.timeout(LONGEST_FETCH), client.stream("GET", url, headers=dict(headers)) as response:
            if problem := _problem(response, at_most):
                return problem
            pieces, size = [], 0
            async for piece in response.aiter_bytes():
                size += len(piece)
                if size > at_most:
                    return too_large(at_most)
                pieces.append(piece)
            return Fetched(b"".join(pieces), response.headers.get("content-type", ""))
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
        return TryLater(f"not fetched ({type(error).__name__})", away=True)


async def ask(client: httpx.AsyncClient, url: str, headers: Mapping[str, str]) -> Json | NotFetched:
    """What a provider says of a file before it gives it out."""
    answer = await download(client, url, headers, at_most=64 * 1024)
    if not isinstance(answer, Fetched):
        return answer
    try:
        return read_object(answer.content)
    except NotReadable as error:
        return Rejected(f"the provider's word on the file: {error}")


def too_large(at_most: int) -> Rejected:
    """It is kept by nobody."""
    return Rejected(f"it is larger than {at_most // (1024 * 1024)} MB")


def _problem(response: httpx.Response, at_most: int) -> NotFetched | None:
    status = response.status_code
    if status in _FORBIDDEN:
        return CredentialsRefused(f"the provider does not give out the file (HTTP {status})")
    if status in _GONE:
        return Rejected(f"the provider does not have it any more (HTTP {status})")
    if status == _THROTTLED or status >= _FAILING:
        return TryLater(f"HTTP {status}", away=status >= _FAILING)
    if not response.is_success:
        return Rejected(f"HTTP {status}")
    told = response.headers.get("content-length", "")
    return too_large(at_most) if told.isdigit() and int(told) > at_most else None
