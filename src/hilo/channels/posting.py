"""Posting JSON to a provider, where whatever goes wrong becomes an outcome."""

import json
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, TypeVar

import httpx

from hilo.channels.bodies import Json, read_object
from hilo.channels.channel import CredentialsRefused, NotReadable, Outcome, Rejected, Sent, TryLater, Unknown

LONGEST_WAIT = timedelta(hours=1)
REMEMBERED = 1000
LONGEST_REASON = 500
_JSON = {"content-type": "application/json"}
_NEVER_LEFT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpx.InvalidURL,
)

Part = TypeVar("Part")

logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs every URL, and Telegram's carry the bot's token


@dataclass(frozen=True, slots=True)
class Answer:
    """What the provider answered; `json` is empty when that was no JSON object."""

    status: int
    json: Json
    retry_after: timedelta | None = None


def new_client(seconds: float) -> httpx.AsyncClient:
    """A client that waits so long for an answer and follows nobody elsewhere with our credentials."""
    return httpx.AsyncClient(timeout=httpx.Timeout(seconds, connect=min(seconds, 5.0)), follow_redirects=False)


async def post(
    client: httpx.AsyncClient, url: str, body: Mapping[str, Any], headers: Mapping[str, str]
) -> Answer | TryLater | Unknown:
    """The provider's answer, or why there is none; the words never carry the URL, which may hold a secret."""
    try:
        response = await client.post(url, content=_written(body), headers={**_JSON, **headers})
    except _NEVER_LEFT as error:
        return TryLater(f"no connection ({type(error).__name__})", away=True)
    except httpx.HTTPError as error:
        return Unknown(f"the answer was lost ({type(error).__name__})")
    return Answer(response.status_code, _object(response.content), _seconds(response.headers.get("retry-after", "")))


def wait_of(seconds: float) -> timedelta:
    """How long a provider asks us to wait, within reason."""
    return min(timedelta(seconds=min(max(seconds, 0), 1e6)), LONGEST_WAIT)


def without_secret(outcome: Outcome, secret: str) -> Outcome:
    """The same outcome, with a reason that can be logged."""
    if isinstance(outcome, Sent):
        return outcome
    return replace(outcome, reason=outcome.reason.replace(secret, "…")[:LONGEST_REASON])


class Progress:
    """How many parts of a message the provider has taken, so that another attempt goes on from there.

    It lives in memory: after a restart a message in several parts begins again with its first.
    """

    def __init__(self, *, named_by: int = 0) -> None:
        self._named_by = named_by  # the place of the part whose id stands for the whole message
        self._ids: OrderedDict[str, list[str]] = OrderedDict()

    async def send(
        self, message_id: str, parts: Sequence[Part], send: Callable[[Part, str], Awaitable[Outcome]]
    ) -> Outcome:
        """Send what was not taken yet, under id, id-2, id-3 …, up to the first part that is not taken."""
        outcome: Outcome = Rejected("there is nothing to send")
        for number in range(len(self._ids.get(message_id, [])), len(parts)):
            outcome = await send(parts[number], f"{message_id}-{number + 1}" if number else message_id)
            if not isinstance(outcome, Sent):
                break
            self._ids.setdefault(message_id, []).append(outcome.channel_id)
            if len(self._ids) > REMEMBERED:
                self._ids.popitem(last=False)
        if isinstance(outcome, TryLater | CredentialsRefused | Unknown):
            return outcome
        taken = self._ids.pop(message_id, [""])
        return Sent(taken[self._named_by]) if isinstance(outcome, Sent) else outcome


def _written(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode(errors="replace")  # a lone surrogate is sent as "?"


def _object(content: bytes) -> Json:
    try:
        return read_object(content)
    except NotReadable:
        return {}


def _seconds(header: str) -> timedelta | None:
    return wait_of(int(header)) if header.isascii() and header.isdigit() and len(header) < len("1000000") else None
