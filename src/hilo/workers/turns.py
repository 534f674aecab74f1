"""The turn worker: claims a session's events, runs the turn, commits once. Nothing is lost and nothing is silent."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Protocol

import structlog

from hilo.agent.declaration import Agent
from hilo.agent.texts import phrases
from hilo.clock import Clock
from hilo.dialogue.events import Closed, EscalationTriggered, Event, MessageReceived, OperatorTookOver, Paused
from hilo.dialogue.session import Session
from hilo.dialogue.synthesis import opened, synthesise
from hilo.llm.turn_budget import TurnBudget
from hilo.messages import Outbound
from hilo.queue.queue import Queue
from hilo.spans import span
from hilo.store.commits import commit, commit_at_once, is_plain, park
from hilo.store.files import Files
from hilo.store.history import said_since
from hilo.store.outbox import OutboxEntry
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import OwnDatabase
from hilo.store.registry import language_on
from hilo.store.store import Refuted, Store, StoreUnavailable
from hilo.store.turns import Committed, NotOurs, Outcome, SessionScope, ThrownAway, TurnInput, Unreadable, take
from hilo.store.work import LEASE, Claim, NotNow, channel_of, give_back, let_go, mark_running, put_off
from hilo.store.wrappers import retry_until_stored
from hilo.tools.given import Contact, Given
from hilo.turn.model_requests.talk import Exchange
from hilo.turn.run import Turn
from hilo.turn.state import Asking
from hilo.workers.arrivals import Arrivals, no_arrivals
from hilo.workers.deliveries import DeliveryWorker
from hilo.workers.journal import LeaseLost, TurnJournal
from hilo.workers.media import ToolFiles
from hilo.workers.outcomes import as_turn, briefing, outcome_of

ATTEMPTS = 3
DEATHS = 2  # of processes that ran a turn which had been broken off once before
FIRST_PAUSE = timedelta(seconds=1)
TYPING_AFTER = 0.4  # seconds

log = structlog.get_logger()

ShowTyping = Callable[[SessionScope, str], Coroutine[None, None, None]]
# Shows an answer while it is written: that is no message, and gone unless one takes its place.
Show = Callable[[str], None]
Drafts = Callable[[SessionScope], Show | None]  # none where a channel cannot show them
BudgetFor = Callable[[str, Session], TurnBudget]  # for the next turn of a workspace's session


class Agents(Protocol):
    """Where a turn's agent comes from."""

    def serves(self, name: str) -> bool:
        """Whether this process has an agent."""
        ...

    async def current(self, workspace: str, name: str) -> Turn:
        """The version that new sessions get."""
        ...

    async def of(self, workspace: str, session: Session) -> tuple[Turn, Session]:
        """The version that a session began with, and the session; where that follows edits, as the newest goes on."""
        ...


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """The turns of a session before this one, read from the store when a model is asked."""

    store: Store
    session: str

    async def since(self, turn: int, *, most: int) -> tuple[Exchange, ...]:
        """The newest exchanges after that turn, the oldest of them first."""
        turns = await self.store.run(said_since, self.session, turn, most=most)
        return tuple(Exchange(each.number, each.heard, each.said) for each in turns)


# --- fairness between channels: a flood on one must not slow down the contacts of another ----------------

SHARE = 16  # turns that one channel has under way in a process while others are in use
IN_USE = timedelta(minutes=10)  # so long after its last turn a channel still counts
FIRST_STAND_BACK = timedelta(milliseconds=50)
LONGEST_STAND_BACK = timedelta(seconds=5)
REMEMBERED = 20_000  # addresses of which we know the channel


@dataclass(slots=True)
class Lanes:
    """Counts the turns of each channel that are under way. A channel that is alone has no limit.

    All turns of a process share a processor, so what matters to a contact is how many are under way besides their own.
    """

    share: int = SHARE
    channels: OrderedDict[str, str] = field(default_factory=OrderedDict)  # by address
    running: Counter[str] = field(default_factory=Counter)
    used: dict[str, datetime] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)  # since a turn of the channel ended last

    def know(self, address: str, channel: str) -> None:
        """Remember where an address is."""
        self.channels[address] = channel
        if len(self.channels) > REMEMBERED:
            self.channels.popitem(last=False)

    def wait_for(self, channel: str, *, now: datetime) -> timedelta | None:
        """How long a turn of this channel should stand back; none where it may begin.

        The more of them stand back, the longer each does, so that asking costs the same however long the queue is.
        """
        shared = any(each != channel and now - at < IN_USE for each, at in self.used.items())
        self.used[channel] = now
        if not shared or self.running[channel] < self.share:
            return None
        self.refused[channel] += 1
        return min(FIRST_STAND_BACK * (1 + self.refused[channel] / self.share), LONGEST_STAND_BACK)

    @contextmanager
    def turn(self, channel: str) -> Iterator[None]:
        """A turn of this channel is under way."""
        self.running[channel] += 1
        try:
            yield
        finally:
            self.running[channel] -= 1
            self.refused[channel] = max(0, self.refused[channel] - self.share)


# --- the turns of addresses -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnWorker:
    """Does the turns of addresses, one at a time for each."""

    store: Store
    queue: Queue
    agents: Agents
    clock: Clock
    owner: str
    lease: timedelta = LEASE
    promised: Callable[[datetime], None] = lambda _due: None  # told when a timer was set
    typing: ShowTyping | None = None
    own: Mapping[str, OwnSql] = field(default_factory=dict)  # by agent
    budget_for: BudgetFor | None = None  # none where there is no model to ask
    files: Files | None = None  # where tools keep what they make for contacts
    drafts: Drafts | None = None
    deliveries: DeliveryWorker | None = None  # who sends what a commit has marked as being sent
    suspects: asyncio.Lock = field(default_factory=asyncio.Lock)
    left: set[str] = field(default_factory=set)  # agents of other processes
    others: dict[str, datetime] = field(default_factory=dict)  # addresses with turns of theirs, until when
    lanes: Lanes = field(default_factory=Lanes)
    arrivals: Arrivals = field(
        default_factory=no_arrivals
    )  # shared with what takes messages in, where that is here too

    async def work(self, address: str) -> datetime | None:
        """All turns that are due at an address; when there will be more to do."""
        left_until = self.others.get(address)
        if left_until and self.clock.now() < left_until:
            return left_until  # not claimed again and again: the process that has the agent must get at it
        channel = self.lanes.channels.get(address)
        if channel is None:
            channel = await self.store.run(channel_of, address)
            self.lanes.know(address, channel)
        if wait := self.lanes.wait_for(channel, now=self.clock.now()):
            return self.clock.now() + wait
        with self.lanes.turn(channel):
            await self.arrivals[channel].stand_back()
            return await self._work(address)

    async def _work(self, address: str) -> datetime | None:
        ours: Claim | None = None
        try:
            while True:
                ours = None  # while we claim nobody knows: it may be ours although the answer was lost
                taken = await self.store.run(
                    take,
                    address,
                    owner=self.owner,
                    now=self.clock.now(),
                    lease=self.lease,
                    serves=self.agents.serves,
                )
                if isinstance(taken, NotOurs):
                    return self._leave(address, taken)
                if isinstance(taken, NotNow):
                    return taken.at
                ours = taken.claim
                again = await self._turn(taken)
                if again is None or again > self.clock.now():
                    return again
        except Exception:  # our heartbeat would keep a claim that nobody works on
            free = partial(self.store.run, let_go, "turn", address, owner=self.owner, known=ours)
            await retry_until_stored(free)
            raise

    def _leave(self, address: str, turn: NotOurs) -> datetime:
        """Another process has the agent, or should have: said once, for a contact waits."""
        if turn.agent not in self.left:
            self.left.add(turn.agent)
            log.warning("turns wait for a process that has their agent", agent=turn.agent)
        now = self.clock.now()
        for over in [where for where, until in self.others.items() if until <= now]:
            del self.others[over]
        self.others[address] = turn.until
        return turn.until

    async def _turn(self, taken: TurnInput | Unreadable) -> datetime | None:
        """One turn, finished, put off or given up; one that is broken off is given back."""
        try:
            if isinstance(taken, Unreadable):
                return await self._park(taken)
            attempts = taken.claim.attempts
            if taken.claim.deaths >= DEATHS:
                return await self._give_up(taken, "the process died in this turn")
            if attempts > ATTEMPTS and taken.claim.error:
                return await self._give_up(taken, taken.claim.error)
            try:
                if attempts > 1 and not taken.claim.error:
                    return await self._run_suspect(taken)
                return await self._finish(await self._answer(taken))
            except (LeaseLost, StoreUnavailable):
                raise
            except Exception as error:
                session = taken.session_id
                log.warning("turn failed", session=session, attempt=attempts, exc_info=True)
                reason = f"{type(error).__name__}: {error}"[:500]
            if attempts >= ATTEMPTS:
                return await self._give_up(taken, reason)
            until: datetime = self.clock.now() + FIRST_PAUSE * 2 ** (attempts - 1)
            await self.store.run(put_off, taken.claim, until=until, error=reason)
        except asyncio.CancelledError:
            await self.store.run(give_back, taken.claim, now=self.clock.now())
            raise
        except LeaseLost:
            return None
        return until

    # --- one attempt ----------------------------------------------------------------------------------

    async def _run_suspect(self, taken: TurnInput) -> datetime | None:
        """A turn that was broken off before: a process died that had claimed it, perhaps with a hundred others.

        Such turns run one after the other, each marked first, so that a death is counted for the one that was
        running and not for those that waited.
        """
        async with self.suspects:
            if not await self.store.run(mark_running, taken.claim):
                raise LeaseLost
            return await self._finish(await self._answer(taken))

    async def _answer(
        self,
        taken: TurnInput,
        instead: Event | None = None,
        *,
        fallback: Turn | None = None,
    ) -> Outcome:
        """The turn of what was taken, or of an event instead.

        It is run by the agent that the session began with, or a fallback; a new session knows what came before it.
        """
        event, then = (instead, ()) if instead else as_turn(taken, now=self.clock.now())
        place, session = taken.place, taken.session
        if session is None:
            turn = await self.agents.current(place.workspace, place.agent)
            before = synthesise(turn.agent, taken.before) if taken.before else None
            session = opened(turn.agent, session_id=taken.session_id, at=event.at, before=before)
        elif fallback:
            turn = fallback
        else:
            turn, session = await self.agents.of(place.workspace, session)
        agent = turn.agent
        journal = TurnJournal(self.store, self.clock, taken, agent.toolbox, session.version + 1)
        phone = f"+{place.phone.lstrip('+')}" if place.phone else ""
        contact = Contact(place.workspace, place.contact, place.channel, place.value, session.id, phone)
        own = self.own.get(session.agent)
        files = ToolFiles(self.store, self.files, self.clock, place.workspace) if self.files else None
        given = Given(contact, OwnDatabase(self.store, own, contact) if own else None, files=files)
        # Of a strictly grounded agent no word of a model is meant to be seen before it was checked.
        draft = self.drafts(place) if self.drafts and agent.grounded != "strict" else None
        typing = None
        if self.typing and isinstance(event, MessageReceived):
            typing = partial(self.typing, place, (event, *then)[-1].id)
        with span("invoke_agent", agent.agent, session.id), showing(draft, typing):
            asking = None
            if self.budget_for:
                budget = self.budget_for(place.workspace, session)
                asking = Asking(budget, StoredHistory(self.store, session.id), draft)
            result = await turn.run(session, event, then=then, journal=journal, given=given, asking=asking)
        opening = session if taken.session is None else None
        outcome = outcome_of(journal, event, result, opening=opening)
        if outcome.person is None or outcome.person.status == "resolved":
            return outcome
        known = briefing(agent, session, result)
        return replace(outcome, person=replace(outcome.person, known=known))

    async def _finish(self, outcome: Outcome) -> datetime | None:
        """Commit; what was thrown away is to be done again at once."""
        draft = self.drafts(outcome.taken.place) if self.drafts else None
        replaced = False  # the draft, by a message
        sends_for, tries = self.lease if self.deliveries else None, 0

        async def write() -> Committed | ThrownAway:
            nonlocal tries
            tries += 1
            now = self.clock.now()
            if is_plain(outcome) and tries == 1:
                with suppress(Refuted):
                    return await self.store.run(commit_at_once, outcome, now=now, sends_for=sends_for)
            return await self.store.run(commit, outcome, now=now, sends_for=sends_for)

        try:
            # Again while the database is away: the lease and the version keep a second commit harmless.
            result = await retry_until_stored(write)
            replaced = isinstance(result, Committed) and bool(outcome.messages)
        finally:
            if draft and not replaced:
                draft("")
        sending = result.sending if isinstance(result, Committed) else None
        if self.deliveries and (sending or tries > 1):
            self.deliveries.send_marked(outcome.taken.place.address, sending)
            await self.queue.wake_here("send", outcome.taken.place.address)
        match result:
            case ThrownAway(why="lease"):
                return None
            case ThrownAway():
                return self.clock.now()
            case Committed(next_at=next_at):
                if outcome.messages and not sending:
                    await self.queue.wake("send", outcome.taken.place.address)
                for due in filter(None, outcome.timers.values()):
                    self.promised(due)
                return next_at

    # --- when it does not work ------------------------------------------------------------------------

    async def _give_up(self, taken: TurnInput, reason: str) -> datetime | None:
        """Hand the session over with the error; when even that fails, park the event."""
        event: Event
        match taken.events[0].event:
            case OperatorTookOver() | Paused() | Closed() as word:  # an operator's word holds
                event = word
            case _:
                event = EscalationTriggered(self.clock.now(), "error", reason)
        outcome = await self._save(taken, event)
        if outcome is None:
            return await self._park(Unreadable(taken.claim, taken.place, taken.last, reason))
        events = [each.event for each in taken.events]
        heard = [event.described for event in events if isinstance(event, MessageReceived)]
        turn = replace(outcome.turn, heard="\n".join(heard))
        return await self._finish(replace(outcome, failed=True, turn=turn, wait_for_newer=False))

    async def _save(self, taken: TurnInput, event: Event) -> Outcome | None:
        """By the session's own agent; where that cannot be made, its file or a tool being gone, by another."""
        try:
            return await self._answer(taken, event)
        except (LeaseLost, StoreUnavailable):
            raise
        except Exception:
            log.exception("handoff failed", session=taken.session_id)
        session = taken.session
        if session is None:
            return None
        # It knows nothing but how to call a person, and to be quiet.
        version = session.agent_version
        language = await self.store.run(language_on, taken.place.workspace, taken.place.channel)
        agent = Agent(agent=session.agent, language=language, templates=phrases(language), version=version)
        try:
            return await self._answer(taken, event, fallback=Turn(agent))
        except Exception:
            log.exception("handoff failed again", session=taken.session_id)
            return None

    async def _park(self, case: Unreadable) -> datetime | None:
        place = case.place
        log.error("event parked", address=place.address, reason=case.reason)
        ids = (f"parked.{place.address}.{case.last}", place.workspace, place.channel, place.address)
        language = await self.store.run(language_on, place.workspace, place.channel)
        notice = OutboxEntry(*ids, None, None, "notice", Outbound(phrases(language)["trouble"].text))
        result = await self.store.run(park, case, notice, now=self.clock.now())
        await self.queue.wake("send", place.address)
        return result.next_at if isinstance(result, Committed) else None


@contextmanager
def showing(
    draft: Show | None,
    typing: Callable[[], Coroutine[Any, Any, None]] | None,
) -> Iterator[None]:
    """Show that an answer is being written, when it takes a moment; when it breaks, no message follows its draft."""
    tasks = set[asyncio.Task[None]]()
    later = None
    if typing:
        loop = asyncio.get_running_loop()
        later = loop.call_later(TYPING_AFTER, lambda: tasks.add(loop.create_task(typing())))
    try:
        yield
    except BaseException:
        if draft:
            draft("")
        raise
    finally:
        if later:
            later.cancel()
