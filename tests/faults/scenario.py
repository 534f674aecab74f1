"""What two contacts, an operator and the clock do to a shop; every step may be done again after a crash."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import assert_never

from crash_points import POINTS
from ledger import Ledger, LedgerChannel

from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.dialogue.events import OperatorTookOver, Released
from hilo.messages import Address, Inbound, Receipt
from hilo.queue.embedded import EmbeddedQueue
from hilo.settings import Settings
from hilo.store.audit import Verified, verify
from hilo.store.campaigns import CampaignPlace, GivenContact
from hilo.store.inbox import QueuedEvent
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import START, FakeClock
from hilo.tools.database import Script, one
from hilo.workers.campaigns import CampaignLists

SHOP = Path(__file__).parent / "shop"
ECHO_SECONDS = 5
MAX_ROUNDS = 50  # of the clock, until everything rests


@dataclass(frozen=True, slots=True)
class Hear:
    """One webhook with a message of each."""

    said: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Time passes."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Click:
    """An operator takes a contact's session, or gives it back."""

    contact: str
    releases: bool = False


@dataclass(frozen=True, slots=True)
class Echo:
    """The provider tells what it has delivered."""


@dataclass(frozen=True, slots=True)
class GiveList:
    """Somebody of the business gives a list of contacts to write to first."""

    contacts: tuple[str, ...]


Step = Hear | Pass | Click | Echo | GiveList

SALE: tuple[Step, ...] = (
    Hear((("ana", "hola"), ("beto", "hola"))),
    Hear((("ana", "soy Ana Pérez"),)),
    Pass(90),
    Click("beto"),
    Hear((("beto", "¿hay alguien?"),)),
    Click("beto", releases=True),
    Hear((("ana", "3"), ("beto", "soy Beto Ruiz"))),
    Hear((("ana", "sí"),)),
    Echo(),
    Pass(150),
    Hear((("beto", "2"),)),
)
BRIEF_SALE: tuple[Step, ...] = (
    Hear((("ana", "soy Ana Pérez"), ("beto", "hola"))),
    Hear((("ana", "3"),)),
    Hear((("ana", "sí"),)),
    Pass(150),
)
CHARGE: tuple[Step, ...] = (
    Hear((("ana", "soy Ana Pérez"),)),
    Hear((("ana", "3"),)),
    Hear((("ana", "sí"),)),
)
NUMBERS = ("5491155550001", "5491155550002", "5491155550003")
FIRST_CONTACT: tuple[Step, ...] = (
    Hear(((NUMBERS[2], "hola"),)),  # in the middle of something
    GiveList(NUMBERS),
    Pass(60),
    Echo(),
    Hear(((NUMBERS[0], "el martes"),)),
)
SCENARIOS = {"sale": SALE, "brief sale": BRIEF_SALE, "charge": CHARGE, "first contact": FIRST_CONTACT}
AGENTS = {"sale": "tienda", "brief sale": "tienda", "charge": "cobros", "first contact": "avisos"}


@dataclass(frozen=True, slots=True)
class Job:
    """One life of a process: on which database, and where it ends. The folder is the same for its next life."""

    url: str
    folder: str
    scenario: str = "sale"
    channel: str = "wa"
    die_in: str = ""  # the place to die at, and at which passing of it
    nth: int = 0
    echoes: bool = True

    @property
    def agent(self) -> str:
        return AGENTS[self.scenario]

    @property
    def ledger(self) -> Ledger:
        return Ledger(f"{self.folder}/ledger.db")

    @property
    def progress(self) -> Path:
        """The step that has begun; the provider's memory of what we have acknowledged."""
        return Path(self.folder) / "step"

    @property
    def testament(self) -> Path:
        return Path(self.folder) / "testament"

    @property
    def report(self) -> Path:
        return Path(self.folder) / "report.json"


async def live(job: Job) -> None:
    """Begin, or go on after a crash, and come to the end of the scenario; or die."""
    steps = SCENARIOS[job.scenario]
    first = int(job.progress.read_text() or 0) if job.progress.exists() else -1
    clock = FakeClock(START if first < 0 else _end(steps, first))
    settings = Settings(Path(job.folder), job.url)
    options = Options(burst=timedelta(), probe=POINTS.reach)
    async with installation(settings, [SHOP / f"{job.agent}.yaml"], options=options, clock=clock) as here:
        row = ChannelRow(job.channel, WORKSPACE, "test", job.agent, echo_seconds=ECHO_SECONDS)
        await here.add_channel(row, LedgerChannel(job.ledger))
        await here.runtime.start()
        world = World(job, here, clock)
        if first >= 0:
            await world.come_back(steps[:first])
        for number in range(max(first, 0), len(steps)):
            job.progress.write_text(str(number))
            clock.time = max(clock.time, _end(steps, number))
            await world.do(number, steps[number])
        chain = await here.store.run(verify, WORKSPACE)
        await here.runtime.stop()
    _write_report(job, chain)


def _end(steps: Sequence[Step], number: int) -> datetime:
    seconds = accumulate(each.seconds if isinstance(each, Pass) else 10 for each in steps)
    return START + timedelta(seconds=list(seconds)[number])


def _write_report(job: Job, chain: Verified) -> None:
    report = {"passed": POINTS.passed, "audit": chain.entries, "broken": chain.broken and asdict(chain.broken)}
    job.report.write_text(json.dumps(report))


@dataclass(frozen=True, slots=True)
class World:
    """Those who are outside of the process."""

    job: Job
    here: Installation
    clock: FakeClock

    async def come_back(self, done: Sequence[Step]) -> None:
        """The provider repeats what it has sent long ago, and what it knows of our messages."""
        for number, step in enumerate(done):
            if isinstance(step, Hear):
                again = await self._hear(number, step)
                assert all(each.duplicate for each in again), "accepted, but not kept"
        if self.job.echoes:
            await self._echo()
        await self.here.runtime.sweep.once()
        await self._settle()

    async def do(self, number: int, step: Step) -> None:
        match step:
            case Hear():
                await self._hear(number, step)
            case Pass():
                await self.here.runtime.sweep.once()
            case Click():
                await self._click(number, step)
            case Echo():
                if self.job.echoes:
                    await self._echo()
            case GiveList():
                await self._give_list(step)
                await self.here.runtime.sweep.once()
            case _:
                assert_never(step)
        await self._settle()

    async def _hear(self, number: int, step: Hear) -> tuple[QueuedEvent, ...]:
        sender = self.job.channel
        messages = [Inbound(f"{number}.{who}", Address(sender, who), text, self.clock.now()) for who, text in step.said]
        return await self.here.intake.messages(sender, messages)

    async def _click(self, number: int, click: Click) -> None:
        session = await self.here.store.run(_session_of, self.job.channel, click.contact)
        event = Released(self.clock.now()) if click.releases else OperatorTookOver(self.clock.now(), "olga")
        assert await self.here.intake.event(WORKSPACE, session, event, external_id=f"{session} {number}")

    async def _give_list(self, step: GiveList) -> None:
        contacts = [GivenContact(each, {"nombre": "Ana Ruiz"}, opted_in=True) for each in step.contacts]
        lists = CampaignLists(self.here.store, self.here.agents, self.clock)
        assert await lists.take_contacts(CampaignPlace(WORKSPACE, self.job.channel, "aviso"), contacts)

    async def _echo(self) -> None:
        at = self.clock.now()
        receipts = [Receipt(each.message_id, "delivered", at) for each in self.job.ledger.sent()]
        await self.here.intake.receipts(self.job.channel, receipts)

    async def _settle(self) -> None:
        """Until nothing is due; what waits for a moment gets it."""
        queue = self.here.queue
        assert isinstance(queue, EmbeddedQueue)
        for _ in range(MAX_ROUNDS):
            await queue.settled()
            due = queue.next_due()
            if due is None:
                return
            self.clock.time = max(self.clock.time, due)
            queue.poke()
            await asyncio.sleep(0)
        raise AssertionError("it never comes to rest")


def _session_of(channel: str, contact: str) -> Script[str]:
    address = yield from one("find_address", channel=channel, value=contact, heard_at=0)
    assert address is not None
    session = yield from one("last_session", address=address["id"])
    assert session is not None
    return str(session["id"])
