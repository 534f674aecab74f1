"""What the fake model servers share: reading requests, playing answers, breaking off."""

import asyncio
import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, ClassVar, assert_never

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hilo.testing.loopback import CutOff, LoopbackServer
from hilo.testing.models.answers import OVERLOADED, Answer, Breaks, Fails, Raw, ReceivedRequest, Says, Script
from hilo.testing.models.table import NoCase, Table

Json = dict[str, Any]
KEY = "una-clave-de-prueba"


class FakeModelServer(LoopbackServer):
    """Answers by a script and keeps what it was asked; each says how its provider writes things down."""

    paths: ClassVar[tuple[str, ...]]  # where it listens

    def __init__(self, script: Iterable[Script] = ()) -> None:
        super().__init__()
        self.asked: list[ReceivedRequest] = []
        self.script: Table[ReceivedRequest, Answer] = Table(script)

    @abstractmethod
    def _last(self, body: Json) -> str:
        """The text of the last message."""

    @abstractmethod
    def _problem(self, asked: ReceivedRequest) -> Fails | None:
        """Why the real server would refuse the request."""

    def _unscripted(self, asked: ReceivedRequest) -> Json | None:  # noqa: ARG002 -- most go by the script
        """The answer, if the request is none for the script."""
        return None

    @abstractmethod
    def _whole(self, asked: ReceivedRequest, says: Says) -> Json:
        """A reply as one JSON document."""

    @abstractmethod
    def _events(self, asked: ReceivedRequest, says: Says) -> list[bytes]:
        """A reply as a stream."""

    @abstractmethod
    def _error(self, fails: Fails) -> Json:
        """An error's document."""

    @abstractmethod
    def _error_event(self, fails: Fails) -> bytes:
        """An error in the middle of a stream."""

    def _routes(self) -> list[Route]:
        return [Route(path, self._reply, methods=["POST"]) for path in self.paths]

    async def _reply(self, request: Request) -> Response:
        try:
            read = json.loads(await request.body())
        except ValueError:
            return self._failed(Fails(400, "invalid_request_error", "The body is not JSON"))
        body = read if isinstance(read, dict) else {}
        asked = ReceivedRequest(request.url.path, dict(request.headers), body, self._last(body))
        self.asked.append(asked)
        if problem := self._problem(asked):
            return self._failed(problem)
        if (known := self._unscripted(asked)) is not None:
            return _document(known)
        try:
            answer = self.script.answer(asked)
        except NoCase as error:
            answer = Fails(500, "api_error", f"{error}: {asked.last[:100]!r}")
        return await self._play(answer, asked, request.scope["cut"])

    async def _play(self, answer: Answer, asked: ReceivedRequest, cut: Callable[[], None]) -> Response:
        match answer:
            case Says():
                await asyncio.sleep(answer.after)
                if not asked.streamed:
                    return _document(self._whole(asked, answer))
                return _streamed(_paced(self._events(asked, answer), answer.between))
            case Fails():
                return self._failed(answer)
            case Breaks(says, count, how):
                if not asked.streamed:
                    return self._failed(OVERLOADED) if how == "overloaded" else CutOff()
                events = self._events(asked, says)[:count]
                if how == "overloaded":
                    events.append(self._error_event(OVERLOADED))
                return _streamed(_paced(events, says.between, then=cut if how == "cut" else None))
            case Raw(body, content_type, status):
                return Response(body, status, media_type=content_type)
        assert_never(answer)

    def _failed(self, fails: Fails) -> Response:
        return _document(self._error(fails), fails)


def _document(body: Json, fails: Fails | None = None) -> Response:
    """All in ASCII, so that half characters, which only escapes can carry, can be sent too."""
    status, headers = (fails.status, dict(fails.headers)) if fails else (200, {})
    return Response(json.dumps(body), status, headers=headers, media_type="application/json")


def _streamed(events: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(events, media_type="text/event-stream")


async def _paced(
    events: list[bytes], between: float, *, then: Callable[[], None] | None = None
) -> AsyncIterator[bytes]:
    for event in events:
        yield event
        if between:
            await asyncio.sleep(between)
    if then:
        await asyncio.sleep(0.02)  # what was written shall arrive first
        then()
