"""What the HTTP edge is given: channels to read webhooks with, and the intake."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hilo.channels.channel import Channel
from hilo.clock import Clock
from hilo.dialogue.events import Event, OperatorTookOver, Released
from hilo.messages import ContactChange, Inbound, Receipt
from hilo.store.api import NotSpoken, Spoken, Words
from hilo.store.campaign_reports import ListReport
from hilo.store.campaigns import CampaignPlace, GivenContact
from hilo.store.desk_words import AgentMap, AgentWords, Preview, SessionWords, TemplateWords, TurnPicture
from hilo.store.files import Files
from hilo.store.handoffs import HandoffEnding
from hilo.store.keepers import Keeper
from hilo.store.store import Store
from hilo.store.undelivered import NotMoved
from hilo.store.workspaces import ChannelRow


class EdgeIntake(Protocol):
    """When a call returns, what it was given is safe."""

    async def messages(self, channel: str, messages: Sequence[Inbound]) -> Any:
        """Messages of contacts."""
        ...

    async def receipts(self, channel: str, receipts: Sequence[Receipt]) -> None:
        """What became of messages of ours."""
        ...

    async def changes(self, channel: str, changes: Sequence[ContactChange]) -> None:
        """Contacts who moved to another number, or chose whether they want marketing."""
        ...

    async def event(self, workspace: str, session: str, event: Event, *, external_id: str) -> bool:
        """Something that happens to a session; false when there is none."""
        ...

    async def taking(  # noqa: PLR0913 -- who takes what, and from whom
        self,
        workspace: str,
        session: str,
        event: OperatorTookOver,
        *,
        external_id: str,
        instead_of: str,
        passed_by: str = "",
    ) -> bool | Keeper:
        """An operator wants a session or is given it; who has it when another one does, false when there is none."""
        ...

    async def timer(self, workspace: str, session: str, name: str, *, by: str) -> bool:
        """A promise is kept now; false when there is none."""
        ...

    async def ending(self, workspace: str, ending: HandoffEnding, event: Released, *, external_id: str) -> bool:
        """A handoff ends and its session is given back; false when there is none."""
        ...

    async def words(self, words: Words) -> Spoken | NotSpoken:
        """What an operator says."""
        ...

    async def resend(self, workspace: str, message: str, *, actor: str) -> str | NotMoved:
        """Try a message again that was held or given up."""
        ...

    async def resume_channel(self, workspace: str, channel: str, *, actor: str) -> bool:
        """Send over a channel again; false when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class ChannelField:
    """A setting of a channel: a secret may be replaced and is never told, any other is told and stays."""

    name: str
    secret: bool
    value: str = ""


@dataclass(frozen=True, slots=True)
class ChannelKind:
    """A provider, what it must be told (a value is what is usual), and where the webhook is entered."""

    kind: str
    where: str
    fields: tuple[ChannelField, ...]


@dataclass(frozen=True, slots=True)
class NewConnection:
    """A channel to be; without an id it is called after its kind and agent."""

    workspace: str
    kind: str
    agent: str
    channel: str
    settings: Mapping[str, str]


class ChannelSetup(Protocol):
    """What an owner may do to a channel's connection. Raises HiloError where it cannot be done."""

    def kinds(self) -> Sequence[ChannelKind]:
        """The providers."""
        ...

    async def connect(self, wanted: NewConnection, *, actor: str) -> tuple[str, Mapping[str, str]]:
        """A new channel: its id, and what was made up for it and must be entered at the provider, told only now."""
        ...

    async def remove(self, channel: ChannelRow, *, actor: str) -> None:
        """End a connection and forget its credentials."""
        ...

    def fields(self, channel: ChannelRow) -> Sequence[ChannelField]:
        """What it was connected with."""
        ...

    async def renew(self, channel: ChannelRow, settings: Mapping[str, str], *, actor: str) -> None:
        """Other secrets for a channel, if it can be made of them."""
        ...

    async def try_out(self, channel: ChannelRow, to: str) -> str:
        """Open the credentials and, if somebody is named, send them a word; why that failed, or nothing."""
        ...


class Sight(Protocol):
    """Stored sessions in the words of their agents."""

    async def words(self, workspace: str, state: str) -> SessionWords:
        """What a session holds."""
        ...

    async def preview(self, workspace: str, session: str, state: str, event: Released) -> Preview:
        """What the agent would say if it got the session back now; nothing is done."""
        ...

    async def agents_of(self, workspace: str, names: Collection[str]) -> Mapping[str, AgentWords]:
        """What these agents call things."""
        ...

    async def agent_map(self, workspace: str, agent: str) -> AgentMap | None:
        """The modes of an agent, the ways between them, and its flows."""
        ...

    async def turn_picture(self, workspace: str, agent: str) -> TurnPicture | None:
        """The graph that an agent's turns walk through."""
        ...

    async def templates(self, workspace: str, state: str) -> Sequence[TemplateWords]:
        """The approved templates of a session's agent, with what the session knows."""
        ...


class Archive(Protocol):
    """What is kept of agents and sessions, looked at again. Raises HiloError where it cannot be read any more."""

    async def difference(self, workspace: str, agent: str, before: str, after: str) -> list[dict[str, Any]] | None:
        """What one version changes against another; none where one of them is not kept."""
        ...

    async def replay(self, workspace: str, session: str) -> dict[str, Any] | None:
        """A session run again; none where there is none."""
        ...


class CampaignIntake(Protocol):
    """Takes lists of contacts for campaigns; none where there is no such channel, agent or campaign."""

    async def take_csv(self, place: CampaignPlace, lines: Iterable[str], *, dry_run: bool = False) -> ListReport | None:
        """The rows of a CSV."""
        ...

    async def take_contacts(
        self, place: CampaignPlace, contacts: Sequence[GivenContact], *, dry_run: bool = False
    ) -> ListReport | None:
        """Contacts one by one."""
        ...


class Channels(Protocol):
    """The channels of this installation."""

    async def find(self, channel: str) -> Channel | None:
        """A channel by its id."""
        ...

    async def is_kind(self, channel: str, kind: str) -> bool:
        """Whether a channel is of this kind."""
        ...


async def _always() -> None:
    """Nothing else must be there."""


@dataclass(frozen=True, slots=True)
class HttpEdge:
    """All that the HTTP edge works with; `queue_answers` raises when what wakes the workers is away."""

    store: Store
    intake: EdgeIntake
    channels: Channels
    clock: Clock
    queue_answers: Callable[[], Awaitable[None]] = _always
    sight: Sight | None = None  # none where no agents are at hand
    lists_chats: bool = False  # at `/`, for whoever comes
    campaigns: CampaignIntake | None = None  # none where no agents are at hand
    files: Files | None = None  # none where media are not served
    archive: Archive | None = None  # none where no agents are at hand
    setup: ChannelSetup | None = None  # none where credentials are not at hand
