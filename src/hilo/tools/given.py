"""What surrounds a call: who the contact is, and the agent's own tables. No model and no contact can set any of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import ParamSpec, Protocol, TypeVar

from hilo.agent.opening_hours import OpeningHours
from hilo.tools.database import Script

Plain = bool | int | Decimal | str
Facts = Mapping[str, Plain | Mapping[str, Plain]]  # what the agent file says of the business

T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Contact:
    """Whom a call is for. `id` is the same on all their addresses; `address` is where they write from.

    `phone` is the number that they write from, in international form, where the channel tells it.
    `zone` is the time zone they live by, where the agent goes by it and they or their number have told it.
    """

    workspace: str
    id: str
    channel: str
    address: str
    session: str
    phone: str = ""
    zone: str = ""


class Database(Protocol):
    """The agent's own tables, for one contact: every statement gets `:workspace` and `:contact` by itself."""

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script in one transaction: all of it or nothing. It may be begun again, so it does nothing else."""
        ...


class FileKeeper(Protocol):
    """Keeps what a tool has made for the contact: an invoice, a ticket, a picture."""

    async def keep(self, content: bytes, type: str, name: str = "") -> str:  # noqa: A002 -- as HTTP calls it
        """Where the file can be fetched, for the `attach:` of a template; raises ToolFailed for what is not taken."""
        ...


@dataclass(frozen=True, slots=True)
class Given:
    """The surroundings of a turn's calls; an agent without a `sql` folder has no database.

    `facts` and `opening` hours are those of the agent file, in the version that the session is on.
    """

    contact: Contact | None = None
    database: Database | None = None
    facts: Facts = field(default_factory=dict)
    files: FileKeeper | None = None
    opening: OpeningHours | None = None
