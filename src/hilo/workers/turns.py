"""The turn worker: claims a session's events, runs the turn, commits once. Nothing is lost and nothing is silent."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from hilo.clock import Clock
from hilo.dialogue.events import Event, MessageReceived
from hilo.dialogue.session import Session
from hilo.dialogue.synthesis import opened, synthesise
from hilo.llm.turn_budget import TurnBudget
from hilo.messages import Outbound
from hilo.queue.queue import Queue
from hilo.spans import agent_span
from hilo.store.commit import Committed, Outcome, ThrownAway, commit, park
from hilo.store.outbox import OutboxEntry
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import OwnDatabase
from hilo.store.store import Store, StoreUnavailable
from hilo.store.turns import SessionScope, TurnInput, Unreadable, take
from hilo.store.work import LEASE, NotNow, give_back, let_go, put_off
from hilo.tools.given import Contact, Given
from hilo.turn.run import Turn
from hilo.turn.state import Asking
from hilo.workers.briefing import briefing
from hilo.workers.drafting import Drafts, no_drafts, shown_at, vanishing
from hilo.workers.fallback_agent import fallback_agent, last_resort
from hilo.workers.history import StoredHistory
from hilo.workers.journal import LeaseLost, TurnJournal
from hilo.workers.outcomes import joined, outcome_of
from hilo.workers.retry_until_stored import retry_until_stored

ATTEMPTS = 3
FIRST_PAUSE = timedelta(seconds=1)
LONGEST_JOIN = timedelta(seconds=10)  # after this a contact who goes on writing is answered all the same
TYPING_AFTER = 0.4  # seconds
LAST_WORDS = "Tuvimos un problema con tu mensaje. En un momento te atiende una persona."

log = structlog.get_logger()


ShowTyping = Callable[[SessionScope, str], Coroutine[None, None, None]]
BudgetFor = Callable[[str, Session], TurnBudget | None]  # for the next turn of a workspace's session


def no_budget(_workspace: str, _session: Session) -> None:
    """There is no model to ask."""


class Agents(Protocol):
    """Where a turn's agent comes from."""

    async def current(self, workspace: str, name: str) -> Turn:
        """The version that new sessions get."""
        ...

    async def of(self, workspace: str, session: Session) -> Turn:
        """The version that a session began with."""
        ...


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
    budget_for: BudgetFor = no_budget
    drafts: Drafts = no_drafts

    async def work(self, address: str) -> datetime | None:
        """All turns that are due at an address; when there will be more to do."""
        try:
            return await self._turns(address)
        except Exception:  # our heartbeat would keep a claim that nobody works on
            await retry_until_stored(lambda: self.store.run(let_go, "turn", address, owner=self.owner))
            raise

    async def _turns(self, address: str) -> datetime | None:
        while True:
            taken = await self.store.run(take, address, owner=self.owner, now=self.clock.now(), lease=self.lease)
            if isinstance(taken, NotNow):
                return taken.at
            again = await self._turn(taken)
            if again is None or again > self.clock.now():
                return again

    async def _turn(self, taken: TurnInput | Unreadable) -> datetime | None:
        """One turn, finished, put off or given up; one that is broken off is given back."""
        try:
            if isinstance(taken, Unreadable):
                return await self._park(taken)
            return await self._try(taken)
        except asyncio.CancelledError:
            await self.store.run(give_back, taken.claim, now=self.clock.now())
            raise
        except LeaseLost:
            return None

    async def _try(self, taken: TurnInput) -> datetime | None:
        if taken.claim.attempts > ATTEMPTS:  # whoever tried before did not live to say what was wrong
            return await self._give_up(taken, taken.claim.error or "the process died in this turn")
        try:
            return await self._finish(await self._run(taken))
        except (LeaseLost, StoreUnavailable):
            raise
        except Exception as error:
            log.warning("turn failed", session=taken.session_id, attempt=taken.claim.attempts, exc_info=True)
            reason = f"{type(error).__name__}: {error}"[:500]
        if taken.claim.attempts >= ATTEMPTS:
            return await self._give_up(taken, reason)
        until: datetime = self.clock.now() + FIRST_PAUSE * 2 ** (taken.claim.attempts - 1)
        await self.store.run(put_off, taken.claim, until=until, error=reason)
        return until

    # --- one attempt ----------------------------------------------------------------------------------

    async def _run(self, taken: TurnInput) -> Outcome:
        """Run the turn; if the contact writes meanwhile, and nothing lasting was done, it is to be run again."""
        event = joined(taken, now=self.clock.now())
        outcome = await self._outcome(taken, event)
        patient = self.clock.now() - taken.events[0].received_at < LONGEST_JOIN
        wait = outcome.wait_for_newer and patient and isinstance(event, MessageReceived)
        return replace(outcome, wait_for_newer=wait)

    async def _outcome(self, taken: TurnInput, event: Event) -> Outcome:
        turn, session = await self._session(taken, event)
        return await self._outcome_by(turn, taken, event, session=session)

    async def _outcome_by(self, turn: Turn, taken: TurnInput, event: Event, *, session: Session) -> Outcome:
        journal = TurnJournal(self.store, self.clock, taken, turn.agent.toolbox, session.version + 1)
        strict = turn.agent.grounded == "strict"  # no word of a model is meant to be seen
        show = None if strict else shown_at(self.drafts, taken.place)
        with agent_span(turn.agent.agent, session.id), self._typing(taken.place, event), vanishing(show):
            given = self._given(taken.place, session)
            budget = self.budget_for(taken.place.workspace, session)
            asking = Asking(budget, StoredHistory(self.store, session.id), show) if budget else None
            result = await turn.run(session, event, journal=journal, given=given, asking=asking)
        opening = session if taken.session is None else None
        outcome = outcome_of(taken, event, result, opening=opening, journal=journal)
        if outcome.person is None or outcome.person.status == "resolved":
            return outcome
        return replace(outcome, person=replace(outcome.person, known=briefing(turn.agent, session, result)))

    def _given(self, place: SessionScope, session: Session) -> Given:
        """What the turn's tools may know and use."""
        contact = Contact(place.workspace, place.contact, place.channel, place.value, session.id)
        own = self.own.get(session.agent)
        return Given(contact, OwnDatabase(self.store, own, contact) if own else None)

    @contextmanager
    def _typing(self, place: SessionScope, event: Event) -> Iterator[None]:
        """Show the contact that an answer is being written, when it takes a moment."""
        if self.typing is None or not isinstance(event, MessageReceived):
            yield
            return
        show, shown = self.typing(place, event.id), set[asyncio.Task[None]]()
        later = asyncio.get_running_loop().call_later(TYPING_AFTER, lambda: shown.add(asyncio.create_task(show)))
        try:
            yield
        finally:
            later.cancel()
            if not shown:
                show.close()

    async def _session(self, taken: TurnInput, event: Event) -> tuple[Turn, Session]:
        """The session with the agent that it began with, or a new one that knows what came before it."""
        if taken.session is not None:
            return await self.agents.of(taken.place.workspace, taken.session), taken.session
        turn = await self.agents.current(taken.place.workspace, taken.place.agent)
        before = synthesise(turn.agent, taken.before) if taken.before else None
        return turn, opened(turn.agent, session_id=taken.session_id, at=event.at, before=before)

    async def _finish(self, outcome: Outcome) -> datetime | None:
        """Commit; what was thrown away is to be done again at once."""
        show = shown_at(self.drafts, outcome.taken.place)
        with vanishing(show):
            result = await self._commit(outcome)
        if show and not (isinstance(result, Committed) and outcome.messages):
            show("")
        match result:
            case ThrownAway(why="lease"):
                return None
            case ThrownAway():
                return self.clock.now()
            case Committed(next_at=next_at):
                if outcome.messages:
                    await self.queue.wake("send", outcome.taken.place.address)
                for due in filter(None, outcome.timers.values()):
                    self.promised(due)
                return next_at

    async def _commit(self, outcome: Outcome) -> Committed | ThrownAway:
        """Commit, and again while the database is away: the lease and the version keep a second commit harmless."""
        return await retry_until_stored(lambda: self.store.run(commit, outcome, now=self.clock.now()))

    # --- when it does not work ------------------------------------------------------------------------

    async def _give_up(self, taken: TurnInput, reason: str) -> datetime | None:
        """Hand the session over with the error; when even that fails, park the event."""
        outcome = await self._save(taken, last_resort(taken, reason, now=self.clock.now()))
        if outcome is None:
            return await self._park(Unreadable(taken.claim, taken.place, taken.last, reason))
        heard = "\n".join(each.event.text for each in taken.events if isinstance(each.event, MessageReceived))
        turn = replace(outcome.turn, heard=heard)
        return await self._finish(replace(outcome, failed=True, turn=turn, wait_for_newer=False))

    async def _save(self, taken: TurnInput, event: Event) -> Outcome | None:
        """By the session's own agent; by another that can do this, where its own cannot be made."""
        try:
            return await self._outcome(taken, event)
        except (LeaseLost, StoreUnavailable):
            raise
        except Exception:
            log.error("handoff failed", session=taken.session_id, exc_info=True)  # noqa: G201 -- structlog
        if taken.session is None:
            return None
        try:
            return await self._outcome_by(fallback_agent(taken.session), taken, event, session=taken.session)
        except Exception:
            log.error("handoff failed again", session=taken.session_id, exc_info=True)  # noqa: G201 -- structlog
            return None

    async def _park(self, case: Unreadable) -> datetime | None:
        place = case.place
        log.error("event parked", address=place.address, reason=case.reason)
        ids = (f"parked.{place.address}.{case.last}", place.workspace, place.channel, place.address)
        notice = OutboxEntry(*ids, None, None, "notice", Outbound(LAST_WORDS))
        result = await self.store.run(park, case, notice, now=self.clock.now())
        await self.queue.wake("send", place.address)
        return result.next_at if isinstance(result, Committed) else None
