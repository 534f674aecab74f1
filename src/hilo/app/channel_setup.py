"""What an owner may do to channels without the server's shell: connect one to its provider, other secrets, an end.

Where secrets are sent cannot be chosen here: who has an owner's cookie must not make this server call anything else.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from hilo.app.channels import Closing, make_channel, new_row
from hilo.app.kinds import KINDS, Field, filled
from hilo.app.secrets import Secrets
from hilo.channels.channel import Channel, Sent
from hilo.clock import Clock
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.messages import Address, Outbound
from hilo.server.edge import ChannelField, ChannelKind, NewConnection
from hilo.store.store import Store
from hilo.store.workspaces import CHANNEL_NAME, ChannelRow, connect_channel, end_channel, renew_channel

TRIAL_WORDS = "Hilo: ✓"


@dataclass(frozen=True, slots=True)
class StoredChannelSetup:
    """Opens and seals what the store has of channels."""

    store: Store
    secrets: Secrets
    clock: Clock

    def fields(self, channel: ChannelRow) -> tuple[ChannelField, ...]:
        """Secrets by their names, and the rest as it is."""
        try:
            known = self.secrets.open(channel.settings)
        except HiloError:  # sealed with another key, which a trial tells
            known = {}
        fields = []
        for each in _entered(channel):
            shown = "" if each.secret else str(known.get(each.name, ""))
            fields.append(ChannelField(each.name, each.secret, shown))
        return tuple(fields)

    def kinds(self) -> tuple[ChannelKind, ...]:
        """Those with an account somewhere; a chat page needs none."""
        return tuple(
            ChannelKind(
                name, kind.where, tuple(ChannelField(each.name, each.secret, each.default or "") for each in asked)
            )
            for name, kind in KINDS.items()
            if (asked := [each for each in kind.fields if not each.ours])
        )

    async def connect(self, wanted: NewConnection, *, actor: str) -> tuple[str, Mapping[str, str]]:
        """With what was given, what is usual, and new secrets for the way back."""
        if wanted.kind not in {each.kind for each in self.kinds()}:
            raise HiloError(f"there is no kind {wanted.kind} to connect")
        settings, missing = filled(wanted.kind, wanted.settings)
        if missing:
            raise HiloError(f"{missing[0].name} is missing")
        _check_host(wanted.kind, settings.get("base_url", ""))
        place = {
            "id": wanted.channel or f"{wanted.kind}-{wanted.agent}".lower(),
            "workspace": wanted.workspace,
            "agent": wanted.agent,
        }
        if not CHANNEL_NAME.fullmatch(place["id"]):
            raise HiloError("a channel's id has small letters, digits and hyphens, at most 40")
        row = new_row(wanted.kind, place, settings, self.secrets)
        await self.store.run(connect_channel, row, actor=actor, now=self.clock.now())
        return row.id, {each.name: settings[each.name] for each in KINDS[wanted.kind].fields if each.ours}

    async def remove(self, channel: ChannelRow, *, actor: str) -> None:
        """What was said over it stays."""
        await self.store.run(end_channel, channel, actor=actor, now=self.clock.now())

    async def renew(self, channel: ChannelRow, settings: Mapping[str, str], *, actor: str) -> None:
        """The new settings go over the old ones, if a channel can be made of both."""
        unknown = sorted(settings.keys() - {each.name for each in _entered(channel) if each.secret})
        if unknown:
            raise HiloError(f"{unknown[0]} cannot be changed here")
        renewed = {**self.secrets.open(channel.settings), **settings}
        row = replace(channel, settings=self.secrets.seal(renewed))
        async with self._made(row):
            pass  # it can be made of them
        await self.store.run(renew_channel, row, names=sorted(settings), actor=actor, now=self.clock.now())

    async def try_out(self, channel: ChannelRow, to: str) -> str:
        """The credentials can be opened, and a word goes out with them."""
        if channel.kind not in KINDS or not channel.settings:
            return ""  # a chat page has none
        async with self._made(channel) as made:
            if not to:
                return ""
            outcome = await made.send(Address(channel.id, to), Outbound(TRIAL_WORDS), message_id=new_id("test"))
            return "" if isinstance(outcome, Sent) else outcome.reason

    @asynccontextmanager
    async def _made(self, row: ChannelRow) -> AsyncIterator[Channel]:
        made = make_channel(row, self.secrets, self.clock)
        try:
            yield made
        finally:
            if isinstance(made, Closing):
                await made.aclose()


def _check_host(kind: str, base_url: str) -> None:
    ours, url = KINDS[kind].host, urlsplit(base_url)
    host = url.hostname or ""
    if url.scheme != "https" or not (host == ours or host.endswith(f".{ours}")):
        raise HiloError(f"base_url must be https:// and end with {ours}: `hilo channel add` takes others")


def _entered(channel: ChannelRow) -> list[Field]:
    """What the provider gave; what we made up is entered there, so that changing it here would break it."""
    kind = KINDS.get(channel.kind)
    return [each for each in kind.fields if not each.ours] if kind else []
