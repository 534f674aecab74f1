"""A running installation: the store, the alarm clock, the agents and the workers, put together."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import structlog

from hilo.app.agents import InstalledAgents
from hilo.app.channels import ChannelBook
from hilo.app.models import Models, open_model
from hilo.app.secrets import Secrets
from hilo.channels.channel import Channel
from hilo.clock import Clock, SystemClock
from hilo.queue.embedded import EmbeddedQueue, SilentQueue
from hilo.queue.queue import Queue
from hilo.settings import Settings
from hilo.spans import set_up_spans
from hilo.store.file_types import MEGABYTE
from hilo.store.files import Files, open_files
from hilo.store.opening import open_store
from hilo.store.store import Probe, Store
from hilo.store.work import LEASE
from hilo.store.workspaces import ChannelRow, add_channel, add_workspace
from hilo.store.wrappers import CountingStore, PatientStore
from hilo.workers.campaigns import CampaignPacer
from hilo.workers.deliveries import DeliveryWorker
from hilo.workers.intake import CAP, Intake
from hilo.workers.media import MediaWorker
from hilo.workers.runtime import Runtime, Sweep, this_process
from hilo.workers.turns import TurnWorker

log = structlog.get_logger()

WORKSPACE = "main"  # the business of an installation that has only one
ALONE = timedelta(seconds=15)  # how often the sweep looks when all alarms ring within this process
TOGETHER = timedelta(seconds=1)  # and when others put work into the tables


@dataclass(frozen=True, slots=True)
class Options:
    """What a process may choose for itself."""

    concurrency: int = 200
    burst: timedelta = CAP
    lease: timedelta = LEASE
    sweep: timedelta | None = None  # how often the sweep looks; unset: as the queue and the database need
    probe: Probe | None = None
    follows_edits: bool = False  # whether open sessions go on with the newest version, as in `hilo dev`
    works: bool = True  # whether workers run in this process, or only what takes messages in


@dataclass
class Installation:
    """What a process has to work with."""

    store: Store
    queue: Queue
    agents: InstalledAgents
    intake: Intake
    runtime: Runtime
    channels: ChannelBook
    clock: Clock
    files: Files

    async def add_channel(self, row: ChannelRow, channel: Channel) -> None:
        """Connect a channel, in the store and in this process."""
        await self.store.run(add_workspace, row.workspace_id, name=row.workspace_id, now=self.clock.now())
        await self.store.run(add_channel, row, now=self.clock.now())
        self.channels.add(row, channel)


@asynccontextmanager
async def installation(
    settings: Settings, agents: Sequence[Path], *, options: Options | None = None, clock: Clock | None = None
) -> AsyncIterator[Installation]:
    """Open everything, and close it at the end; nothing works before `runtime.start`."""
    options, clock = options or Options(), clock or SystemClock()
    if settings.spans:
        set_up_spans()
    store: Store = CountingStore(await open_store(settings.database_url, probe=options.probe))
    installed = InstalledAgents(store, {}, follows_edits=options.follows_edits)
    try:
        installed.load(agents)
        await installed.connect()
        await installed.make_tables(clock)
        await store.run(add_workspace, WORKSPACE, name=WORKSPACE, now=clock.now())
        await installed.publish(WORKSPACE, clock)
        configured = open_model(settings)
        models = Models(configured, PatientStore(store), clock) if configured else None
        queue = await open_queue(settings, clock, works=options.works)
        book = ChannelBook(store, clock, Secrets(settings.secret_key), lambda each: installed.publish(each, clock))
        try:
            yield _assemble(installed, queue, book, settings, models=models, options=_sweeping(options, settings))
        finally:
            await queue.close()
            if models:
                await models.close()
            await book.aclose()
    finally:
        await installed.aclose()
        await store.close()


def _sweeping(options: Options, settings: Settings) -> Options:
    alone = settings.database_url.startswith("sqlite") and not settings.queue_url
    return replace(options, sweep=options.sweep or (ALONE if alone else TOGETHER))


async def open_queue(settings: Settings, clock: Clock, *, works: bool = True) -> Queue:
    """What wakes the workers: of this process, or of all."""
    if not settings.queue_url:
        if not works:
            return SilentQueue()
        return EmbeddedQueue(clock, on_error=_on_error)
    from hilo.queue.bullmq import BullQueue  # noqa: PLC0415 -- an extra

    return await BullQueue.open(settings.queue_url, clock=clock, on_error=_on_error)


def _on_error(address: str, error: Exception) -> None:
    log.warning("work failed and will be tried again", address=address, reason=f"{type(error).__name__}: {error}")


def _assemble(  # noqa: PLR0913 -- all that was opened
    agents: InstalledAgents,
    queue: Queue,
    channels: ChannelBook,
    settings: Settings,
    *,
    models: Models | None,
    options: Options,
) -> Installation:
    store, owner, clock = agents.store, this_process(), channels.clock
    files = open_files(settings)
    patient = PatientStore(store)
    runtime = Runtime(
        queue=queue,
        turns=TurnWorker(
            *(patient, queue, agents, clock, owner, options.lease),
            typing=channels.show_typing,
            drafts=channels.drafts,
            own=agents.own,
            files=files,
            budget_for=models.budget_for if models else None,
        ),
        deliveries=DeliveryWorker(
            *(patient, channels.find_to_send, clock, owner, options.lease), public_url=settings.public_url
        ),
        media=MediaWorker(
            *(patient, files, channels.find, clock, owner, options.lease), at_most=settings.media_mb * MEGABYTE
        ),
        sweep=Sweep(
            *(store, queue, clock, owner, options.sweep or TOGETHER, options.lease),
            campaigns=CampaignPacer(patient, queue, agents, clock),
        ),
        concurrency=options.concurrency,
        media_days=settings.media_days,
    )
    intake = Intake(store, queue, clock, options.burst, runtime.turns.arrivals)
    return Installation(store, queue, agents, intake, runtime, channels, clock, files)
