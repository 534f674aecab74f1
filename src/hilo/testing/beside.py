"""A fake provider beside a gateway: the whole way of a WhatsApp message, tried in a browser without an account."""

import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import replace

from hilo.app.installation import WORKSPACE, Installation
from hilo.app.kinds import KINDS
from hilo.errors import HiloError
from hilo.store.workspaces import ChannelRow
from hilo.testing.providers import FakeInfobip, FakeTelegram, FakeWhatsAppCloud

CONTACT = "5491155550001"
FAKES: Mapping[str, type[FakeInfobip | FakeTelegram | FakeWhatsAppCloud]] = {
    "infobip": FakeInfobip,
    "telegram": FakeTelegram,
    "whatsapp": FakeWhatsAppCloud,
}


def fake_beside(kind: str) -> Callable[[Installation, str], AbstractAsyncContextManager[Sequence[str]]]:
    """Start the provider next to the gateway, with a channel for it."""

    @asynccontextmanager
    async def beside(hilo: Installation, url: str) -> AsyncIterator[Sequence[str]]:
        name = f"fake-{kind}"
        port = (int(url.rpartition(":")[2]) + 1) % 65536  # after the last port, any free one
        fake = FAKES[kind](f"{url}/webhooks/{kind}/{name}", port=port)
        fake.ids_given = int(hilo.clock.now().timestamp())
        async with _started(fake, port):
            known, agent = KINDS[kind], next(iter(hilo.agents.loaded))
            row = ChannelRow(
                *(name, WORKSPACE, kind, agent),
                echo_seconds=known.echo_seconds,
                window_hours=known.window_hours,
            )
            async with aclosing(fake.channel(hilo.clock)) as channel:
                await hilo.add_channel(replace(row, settings=_sealed(hilo, fake.stored)), channel)
                curl = f"curl {fake.url}/chats/{CONTACT} -H 'content-type: application/json'"
                try:
                    yield (
                        f"Write to {agent} as a contact of {kind}: {fake.url}/",
                        f'  or: {curl} -d \'{{"text": "hola"}}\'',
                    )
                finally:
                    await hilo.add_channel(row, channel)  # anybody knows the secrets of a fake: they do not stay

    return beside


def _sealed(hilo: Installation, settings: Mapping[str, str]) -> str:
    """For workers of other processes, who cannot do without a key either; without one, only this process sends."""
    try:
        return hilo.channels.secrets.seal(settings)
    except HiloError:
        return ""


@asynccontextmanager
async def _started(fake: FakeInfobip | FakeTelegram | FakeWhatsAppCloud, port: int) -> AsyncIterator[None]:
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
