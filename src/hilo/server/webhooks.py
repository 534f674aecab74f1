"""Where providers deliver: verify the bytes, write to the inbox, answer; nothing else."""

import structlog
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import PlainTextResponse, Response

from hilo.channels.channel import Channel, NotGenuine, NotReadable, Received, Webhook
from hilo.server.edge import HttpEdge
from hilo.store.inbox import note_ignored

log = structlog.get_logger()

KEPT = 10_000  # bytes of a body that was not for us


def webhook_routes(edge: HttpEdge) -> APIRouter:
    """`/webhooks/{kind}/{channel}`, for all providers."""
    router = APIRouter()

    @router.api_route("/webhooks/{kind}/{channel}", methods=["GET", "POST"], include_in_schema=False)
    async def receive(kind: str, channel: str, request: Request) -> Response:
        found = await _channel(edge, kind, channel)
        webhook = Webhook(request.method, dict(request.headers), dict(request.query_params), await request.body())
        received = _read(found, webhook, channel)
        await _write(edge, channel, received, webhook.body)
        return _answer(received.answer)

    return router


async def _channel(edge: HttpEdge, kind: str, channel: str) -> Channel:
    """The same answer for a channel that is not there and one of another kind: nothing to learn by guessing."""
    found = await edge.channels.find(channel) if await edge.channels.is_kind(channel, kind) else None
    if found is None:
        raise HTTPException(404, "there is no such channel")
    return found


def _read(found: Channel, webhook: Webhook, channel: str) -> Received:
    try:
        return found.read(webhook)
    except NotGenuine as error:
        log.warning("webhook refused", channel=channel, reason=str(error))
        raise HTTPException(401, "the request is not signed by the provider") from None
    except NotReadable as error:
        log.warning("webhook not readable", channel=channel, reason=str(error))
        raise HTTPException(400, "the body is not what the provider documents") from None
    except Exception as error:  # a bug of ours: the provider comes again, perhaps when it is fixed
        log.error("webhook broke its reader", channel=channel, exc_info=True)  # noqa: G201 -- structlog
        raise HTTPException(400, "the body cannot be read") from error


async def _write(edge: HttpEdge, channel: str, received: Received, body: bytes) -> None:
    """Messages first: if anything fails, the provider repeats it all, and what is safe already changes nothing."""
    try:
        if received.messages:
            await edge.intake.messages(channel, received.messages)
        if received.changes:
            await edge.intake.changes(channel, received.changes)
        if received.receipts:
            await edge.intake.receipts(channel, received.receipts)
    except LookupError:  # it was removed a moment ago
        raise HTTPException(404, "there is no such channel") from None
    if received.ignored:
        log.info("ignored", channel=channel, what="; ".join(received.ignored))
        kept = body[:KEPT].decode(errors="replace")
        await edge.store.run(note_ignored, channel, received.ignored, kept, now=edge.clock.now())


def _answer(words: str) -> Response:
    """Telegram is answered with a method call in JSON, Meta with the challenge that it sent."""
    if words.startswith("{"):
        return Response(words, media_type="application/json")
    return PlainTextResponse(words)
