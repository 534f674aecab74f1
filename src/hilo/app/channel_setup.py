"""What an owner may change of a channel without the server's shell: its secrets, never where they are sent."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from hilo.app.channels import Closing, make_channel
from hilo.app.kinds import KINDS, Field
from hilo.app.secrets import Secrets
from hilo.channels.channel import Channel, Sent
from hilo.clock import Clock
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.messages import Address, Outbound
from hilo.server.edge import ChannelField
from hilo.store.store import Store
from hilo.store.workspaces import ChannelRow, renew_channel

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


def _entered(channel: ChannelRow) -> list[Field]:
    """What the provider gave; what we made up is entered there, so that changing it here would break it."""
    kind = KINDS.get(channel.kind)
    return [each for each in kind.fields if not each.ours] if kind else []
