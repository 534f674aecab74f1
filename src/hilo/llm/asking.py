"""One question over HTTP by way of an SDK: bounded in time and size, and whatever goes wrong is a ModelError."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from hilo.llm.model import ErrorKind, ModelError
from hilo.llm.untrusted import LONGEST_REASON, Events, a_text, clean, whole

LONGEST_RETRY_AFTER = 3600.0
_CODES: Mapping[str, ErrorKind] = {
    "enforced_spend_limit_reached": "spend_limit",
    "organization_on_hold": "unauthorised",
    "insufficient_quota": "spend_limit",
    "billing_hard_limit_reached": "spend_limit",
    "billing_not_active": "spend_limit",
    "invalid_api_key": "unauthorised",
    "rate_limit_exceeded": "rate_limited",
    "server_error": "overloaded",
}
_TYPES: Mapping[str, ErrorKind] = {
    **_CODES,
    "billing_error": "spend_limit",
    "overloaded_error": "overloaded",
    "api_error": "overloaded",
    "rate_limit_error": "rate_limited",
    "timeout_error": "timeout",
    "authentication_error": "unauthorised",
    "permission_error": "unauthorised",
    "invalid_request_error": "bad_request",
    "not_found_error": "bad_request",
    "request_too_large": "bad_request",
}
_STATUSES: Mapping[int, ErrorKind] = {
    HTTPStatus.UNAUTHORIZED: "unauthorised",
    HTTPStatus.PAYMENT_REQUIRED: "spend_limit",
    HTTPStatus.FORBIDDEN: "unauthorised",
    HTTPStatus.REQUEST_TIMEOUT: "timeout",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limited",
    HTTPStatus.GATEWAY_TIMEOUT: "timeout",
}

# An SDK's `with_streaming_response`: a response whose body is not read yet.
Call = AbstractAsyncContextManager[Any]


class Sdk:
    """An SDK's module and client, loaded with the first question, and in a thread: some take seconds of CPU."""

    def __init__(self, connect: Callable[[], tuple[Any, Any]]) -> None:
        self._connect = connect
        self._loaded: tuple[Any, Any] | None = None
        self._loading = asyncio.Lock()

    async def loaded(self) -> tuple[Any, Any]:
        """The module and the client, the same for all questions."""
        async with self._loading:
            if self._loaded is None:
                self._loaded = await asyncio.to_thread(self._connect)
        return self._loaded

    async def aclose(self) -> None:
        """Give connections back, if there are any."""
        if self._loaded is not None:
            await self._loaded[1].close()


async def answer_to(call: Call, sdk: Any, *, seconds: float) -> bytes:
    """The body of the answer."""
    with _as_model_errors(sdk):
        async with asyncio.timeout(seconds), call as response:
            return await whole(response.iter_bytes())


async def events_of(call: Call, sdk: Any, *, seconds: float) -> AsyncGenerator[str, None]:
    """The payloads of the answer's events as they come; the seconds count for all of them together."""
    deadline = asyncio.get_running_loop().time() + seconds
    events = Events()
    with _as_model_errors(sdk):
        async with AsyncExitStack() as stack:
            async with asyncio.timeout_at(deadline):
                response = await stack.enter_async_context(call)
            chunks = response.iter_bytes()
            while (chunk := await next_by(chunks, deadline)) is not None:
                for payload in events.feed(chunk):
                    yield payload


@contextmanager
def _as_model_errors(sdk: Any) -> Iterator[None]:
    try:
        yield
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001 -- an SDK may raise anything
        raise failure_of(sdk, error) from None  # the cause may quote a header, and so the key


async def next_by(chunks: Any, deadline: float) -> Any:
    """The next chunk, or None at the end."""
    async with asyncio.timeout_at(deadline):
        return await anext(chunks, None)


# --- what a provider's error means: by its type and code first, since a stream fails with status 200 ---


def refused(status: int, body: Any, headers: Mapping[str, str] | None = None) -> ModelError:
    """The error that a provider answered, or sent in the middle of a stream."""
    envelope = body if isinstance(body, Mapping) else {}
    error = envelope.get("error", envelope)
    error = error if isinstance(error, Mapping) else {"message": error}
    reason = clean(a_text(error.get("message"))[:LONGEST_REASON]) or f"HTTP {status}"
    return ModelError(_kind(status, error), reason, retry_after=retry_after(headers or {}))


def failure_of(sdk: Any, error: Exception) -> ModelError:
    """What an SDK raised, as our error; the two SDKs name their exceptions alike."""
    import httpx2  # noqa: PLC0415 -- the SDKs bring it

    match error:
        case sdk.APIStatusError():
            return refused(error.status_code, error.body, error.response.headers)
        case sdk.APITimeoutError() | httpx2.TimeoutException() | TimeoutError():
            return ModelError("timeout", "no answer in time")
        case sdk.APIConnectionError(__cause__=httpx2.UnsupportedProtocol() | httpx2.LocalProtocolError()):
            return ModelError("bad_request", f"check the address and the key ({type(error.__cause__).__name__})")
        case sdk.APIConnectionError() | httpx2.HTTPError():
            return ModelError("unreachable", type(error.__cause__ or error).__name__)
        case UnicodeError() | TypeError() | ValueError():
            return ModelError("bad_request", f"the request cannot be written ({type(error).__name__})")
        case _:
            return ModelError("broken_reply", type(error).__name__)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a provider asks us to wait: as milliseconds, as seconds, or until a time on its own clock."""
    milliseconds = _number(headers.get("retry-after-ms"))
    seconds = _number(headers.get("retry-after"))
    if milliseconds is not None:
        return min(milliseconds / 1000, LONGEST_RETRY_AFTER)
    if seconds is not None:
        return min(seconds, LONGEST_RETRY_AFTER)
    return _until(headers.get("retry-after"), headers.get("date"))


def _kind(status: int, error: Mapping[str, Any]) -> ErrorKind:
    details = error.get("details")
    code = a_text(error.get("code"))
    if not code and isinstance(details, Mapping):
        code = a_text(details.get("error_code"))
    known = _CODES.get(code) or _TYPES.get(a_text(error.get("type"))) or _STATUSES.get(status)
    if known:
        return known
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "overloaded"
    return "bad_request" if status >= HTTPStatus.BAD_REQUEST else "broken_reply"


def _number(header: str | None) -> float | None:
    plain = (header or "").strip()
    return float(plain) if plain.replace(".", "", 1).isdecimal() and plain.isascii() else None


def _until(moment: str | None, now: str | None) -> float | None:
    try:
        left = (parsedate_to_datetime(moment or "") - parsedate_to_datetime(now or "")).total_seconds()
    except (ValueError, TypeError):
        return None
    return min(max(left, 0.0), LONGEST_RETRY_AFTER)
