"""Messages that cannot be answered: tried a few times, then a person, and never silence."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from crashes import KILLED, zygote
from scenario import Job
from seen import look, rows
from shops import Shop, shop
from stage import STAGE, nothing

from hilo.agent.texts import phrases
from hilo.app.agents import InstalledAgents
from hilo.app.installation import WORKSPACE
from hilo.channels.channel import Sent, TryLater
from hilo.dialogue.session import Session
from hilo.queue.embedded import EmbeddedQueue
from hilo.store.registry import Version, publish
from hilo.testing.clock import FakeClock
from hilo.testing.world import open_world
from hilo.turn.run import Turn
from hilo.workers.turns import ATTEMPTS

LAST_WORDS = phrases("es")["trouble"].text
LEADS = Path(__file__).parents[2] / "agents" / "leads"


@dataclass
class Broken:
    """Agents that cannot be had so many times."""

    agents: InstalledAgents
    times: int
    clock: FakeClock
    meanwhile: Callable[[], Awaitable[None]] = nothing
    tried: list[float] = field(default_factory=list)

    def serves(self, name: str) -> bool:
        return self.agents.serves(name)

    async def current(self, workspace: str, name: str) -> Turn:
        await self._try()
        return await self.agents.current(workspace, name)

    async def of(self, workspace: str, session: Session) -> tuple[Turn, Session]:
        await self._try()
        return await self.agents.of(workspace, session)

    async def _try(self) -> None:
        await self.meanwhile()
        self.tried.append(self.clock.now().timestamp())
        if len(self.tried) <= self.times:
            raise RuntimeError("no agent")


async def settle(here: Shop, clock: FakeClock) -> None:
    """Let pass the time that somebody waits for, until nobody does."""
    queue = here.here.queue
    assert isinstance(queue, EmbeddedQueue)
    for _ in range(20):
        await queue.settled()
        due = queue.next_due()
        if due is None:
            return
        clock.time = max(clock.time, due)
        queue.poke()
        await asyncio.sleep(0)
    raise AssertionError("it never comes to rest")


def handoffs(url: str) -> list[str]:
    return [row["policy"] for row in rows(url, "SELECT policy FROM handoffs ORDER BY created_at, id")]


def statuses(url: str) -> list[str]:
    return [row["status"] for row in rows(url, "SELECT status FROM inbox ORDER BY id")]


async def test_a_turn_that_breaks_is_tried_three_times_and_handed_off_with_a_message(url: str) -> None:
    clock = FakeClock()
    async with shop(url, clock=clock) as here:
        broken = Broken(here.here.agents, ATTEMPTS, clock)
        here.here.runtime.turns = replace(here.here.runtime.turns, agents=broken)
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await settle(here, clock)
        await here.here.runtime.stop()
    assert [round(each - broken.tried[0]) for each in broken.tried] == [0, 1, 3, 3]
    assert (handoffs(url), statuses(url)) == (["error"], ["failed"])
    assert len(here.told("ana")) == 1


async def test_a_turn_that_breaks_is_given_up_though_the_contact_goes_on_writing(url: str) -> None:
    clock = FakeClock()
    async with shop(url, clock=clock) as here:
        numbers = count()

        async def write_on() -> None:
            if (number := next(numbers)) <= ATTEMPTS:  # in the last attempt too, and while it is given up
                await here.hear("ana", f"¿hola? {number}")

        broken = Broken(here.here.agents, ATTEMPTS, clock, write_on)
        here.here.runtime.turns = replace(here.here.runtime.turns, agents=broken)
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await settle(here, clock)
        await here.here.runtime.stop()
    assert (handoffs(url), set(statuses(url))) == (["error"], {"failed", "done"})
    handed, awaited = here.told("ana")  # who writes on is told once that a person comes
    assert handed != awaited


async def test_a_turn_that_breaks_twice_is_answered_as_if_nothing_had_been(url: str) -> None:
    clock = FakeClock()
    async with shop(url, clock=clock) as here:
        here.here.runtime.turns = replace(here.here.runtime.turns, agents=Broken(here.here.agents, 2, clock))
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await settle(here, clock)
        await here.here.runtime.stop()
    assert (handoffs(url), statuses(url)) == ([], ["done"])
    assert len(here.told("ana")) == 1


async def test_when_even_the_handoff_breaks_the_contact_is_told_and_a_person_is_called(url: str) -> None:
    clock = FakeClock()
    async with shop(url, clock=clock) as here:
        here.here.runtime.turns = replace(here.here.runtime.turns, agents=Broken(here.here.agents, 99, clock))
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await settle(here, clock)
        await here.here.runtime.stop()
    assert (handoffs(url), statuses(url)) == (["error"], ["failed"])
    assert here.told("ana") == [LAST_WORDS]


async def test_the_last_words_are_in_the_language_of_the_agent(url: str) -> None:
    clock = FakeClock()
    async with shop(url, clock=clock) as here:
        english = Version("lenta", "other", "agent: lenta\nlanguage: en\n")
        await here.here.store.run(publish, WORKSPACE, english, now=clock.now())
        here.here.runtime.turns = replace(here.here.runtime.turns, agents=Broken(here.here.agents, 99, clock))
        await here.here.runtime.start()
        await here.hear("ana", "hello")
        await settle(here, clock)
        await here.here.runtime.stop()
    assert here.told("ana") == [phrases("en")["trouble"].text]


async def test_a_tool_that_raises_each_time_leads_to_a_person(url: str) -> None:
    async def fail() -> None:
        raise OSError

    STAGE.during = fail
    clock = FakeClock()
    async with shop(url, clock=clock) as here:
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await settle(here, clock)
        await here.here.runtime.stop()
    assert (len(handoffs(url)), statuses(url)) == (1, ["done"])
    assert len(here.told("ana")) == 1


def test_a_message_that_kills_the_process_does_so_three_times_at_most(folder: Path, sqlite_url: str) -> None:
    job = Job(sqlite_url, str(folder / "life"), "brief sale", die_in="before tool")
    Path(job.folder).mkdir()
    job.ledger.make()
    with zygote() as processes:
        assert [processes.run(job) for _ in range(ATTEMPTS + 1)] == [KILLED] * ATTEMPTS + [0]
    seen = look(job)
    assert not list(seen.wrong())
    assert (seen.handoffs, seen.orders, seen.doubled) == (("error",), (), 0)
    assert ("MessageReceived", "failed", 1) in seen.inbox
    assert len(seen.told["ana"]) == 3


UNREADABLE = ("{}", '{"decimal": "x"}', "[]", "null", '"x"', "3", '{"id": 1}', '{"session": []}', '[["a"], 2]')


def spoil(url: str, table: str, column: str, text: str) -> None:
    cast = " AS JSON)" if url.startswith("postgresql") else " AS TEXT)"
    rows(url, f"UPDATE {table} SET {column} = CAST(?{cast}", text)  # noqa: S608 -- our own words


@pytest.mark.parametrize("state", UNREADABLE)
async def test_a_session_that_cannot_be_read_is_left_to_a_person_and_the_contact_is_told(
    sqlite_url: str, state: str
) -> None:
    clock = FakeClock()
    async with shop(sqlite_url, clock=clock) as here:
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await settle(here, clock)
        spoil(sqlite_url, "sessions", "state", state)
        await here.hear("ana", "¿sigue ahí?")
        await settle(here, clock)
        await here.here.runtime.stop()
    assert here.told("ana")[1:] == [LAST_WORDS]
    assert (handoffs(sqlite_url), statuses(sqlite_url)) == (["error"], ["done", "failed"])


@pytest.mark.parametrize("event", UNREADABLE)
async def test_an_event_that_cannot_be_read_is_left_to_a_person_and_the_next_one_is_answered(
    sqlite_url: str, event: str
) -> None:
    clock = FakeClock()
    async with shop(sqlite_url, clock=clock) as here:
        await here.hear("ana", "hola")
        spoil(sqlite_url, "inbox", "event", event)
        await here.hear("ana", "¿sigue ahí?")
        await here.here.runtime.start()
        await here.here.runtime.sweep.once()
        await settle(here, clock)
        await here.here.runtime.stop()
    assert (here.told("ana")[0], len(here.told("ana"))) == (LAST_WORDS, 2)
    assert (handoffs(sqlite_url), statuses(sqlite_url)) == (["error"], ["failed", "done"])


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
@pytest.mark.parametrize("message", ["[]", "null", '"x"', '{"text": []}'])
async def test_an_answer_that_cannot_be_read_is_told_to_a_person_and_holds_up_nothing(
    request: pytest.FixtureRequest, database: str, message: str
) -> None:
    url: str = request.getfixturevalue(f"{database}_url")
    async with open_world(url, LEADS) as world:
        world.channel.outcome = lambda _: TryLater("503")
        await world.write("ana", "hola")
        await world.settle()
        spoil(url, "outbox", "message", message)
        world.channel.outcome = lambda _: Sent()
        await world.wait(timedelta(minutes=1))
        assert handoffs(url) == ["send_failed"]
        first = rows(url, "SELECT reason FROM outbox ORDER BY id")[0]
        assert first["reason"].startswith("unreadable: ")
        world.clock.advance(timedelta(minutes=30))
        assert await world.say("ana", "¿sigue ahí?")


async def test_what_cannot_be_read_is_left_to_a_person_on_postgres_too(postgres_url: str) -> None:
    clock = FakeClock()
    async with shop(postgres_url, clock=clock) as here:
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await settle(here, clock)
        spoil(postgres_url, "sessions", "state", "[]")
        await here.hear("ana", "¿sigue ahí?")
        await settle(here, clock)
        await here.here.runtime.stop()
    assert here.told("ana")[1:] == [LAST_WORDS]
