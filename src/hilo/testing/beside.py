"""A fake provider beside a gateway: the whole way of a WhatsApp message, tried in a browser without an account."""

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from typing import Any

from hilo.app.installation import WORKSPACE, Installation
from hilo.app.kinds import KINDS
from hilo.errors import HiloError
from hilo.store.workspaces import ChannelRow

CONTACT = "5491155550001"


def fake_beside(kind: str) -> Callable[[Installation, str], AbstractAsyncContextManager[Sequence[str]]]:
    """Start the provider next to the gateway, with a channel for it."""

    @asynccontextmanager
    async def beside(hilo: Installation, url: str) -> AsyncIterator[Sequence[str]]:
        channel = f"fake-{kind}"
        port = (int(url.rpartition(":")[2]) + 1) % 65536  # after the last port, any free one
        fake = _fake(kind, f"{url}/webhooks/{kind}/{channel}", port, ids_after=int(hilo.clock.now().timestamp()))
        async with _started(fake, port):
            known, agent = KINDS[kind], next(iter(hilo.agents.loaded))
            row = ChannelRow(
                *(channel, WORKSPACE, kind, agent),
                echo_seconds=known.echo_seconds,
                window_hours=known.window_hours,
            )
            async with aclosing(_channel(kind, fake, hilo)) as given:
                await hilo.add_channel(row, given)
                yield (f"Write to {agent} as a contact of {kind}: {fake.url}/", f"  or: {_curl(fake.url)}")

    return beside


@asynccontextmanager
async def _started(fake: Any, port: int) -> AsyncIterator[None]:
    try:
        await fake.__aenter__()
    except OSError as error:
        raise HiloError(
            f"the fake provider needs the port {port} beside the gateway's: {os.strerror(error.errno or 0)}; "
            "choose another place with --port"
        ) from None
    try:
        yield
    finally:
        await fake.__aexit__(None, None, None)


def _curl(url: str) -> str:
    return f"curl {url}/chats/{CONTACT} -H 'content-type: application/json' -d '{{\"text\": \"hola\"}}'"


def _fake(kind: str, webhook_url: str, port: int, *, ids_after: int) -> Any:
    match kind:
        case "infobip":
            from hilo.testing.providers.infobip import FakeInfobip  # noqa: PLC0415 -- one of three

            return FakeInfobip(webhook_url, port=port)
        case "whatsapp":
            from hilo.testing.providers.whatsapp_cloud import FakeWhatsAppCloud  # noqa: PLC0415

            return FakeWhatsAppCloud(webhook_url, port=port, ids_after=ids_after)
        case "telegram":
            from hilo.testing.providers.telegram import FakeTelegram  # noqa: PLC0415

            return FakeTelegram(webhook_url, port=port, ids_after=ids_after)
    raise HiloError(f"there is no fake provider {kind}")


def _channel(kind: str, fake: Any, hilo: Installation) -> Any:
    match kind:
        case "infobip":
            from hilo.channels.infobip import Infobip  # noqa: PLC0415

            return Infobip(fake.settings)
        case "whatsapp":
            from hilo.channels.whatsapp_cloud import WhatsAppCloud  # noqa: PLC0415

            return WhatsAppCloud(fake.settings)
    from hilo.channels.telegram import Telegram  # noqa: PLC0415

    return Telegram(fake.settings, hilo.clock)
