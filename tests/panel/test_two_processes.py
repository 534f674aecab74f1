"""Two processes on PostgreSQL: people at both, one customer, and a process that dies in the middle of an answer."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from hilo.clock import SystemClock
from hilo.store.opening import migrate, open_store
from hilo.store.people import NewPerson, add_person
from hilo.store.workspaces import add_workspace
from panel.desk import ANA, LUIS, PASSWORD, Customer, Desk
from panel.killing import killed_in_the_middle
from panel.test_desk import WIDE, unlike_others
from quick_hash import quick_hash
from webchat.screen import visitor
from webchat.serving import AGENTS, Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def two(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Serving, Serving]]:
    """Both serve the same agent on the same database, and wake each other through it."""
    await migrate(postgres_url)
    store, now = await open_store(postgres_url), SystemClock().now()
    await store.run(add_workspace, "main", name="main", now=now)
    for who in (ANA, LUIS):
        person = NewPerson(who.login, who.name, "operator", quick_hash(PASSWORD), ())
        await store.run(add_person, "main", person, by="test", now=now)
    await store.close()
    shared = {"HILO_DATABASE_URL": postgres_url, "HILO_QUEUE_URL": postgres_url}
    both = [Serving(tmp_path_factory.mktemp("two"), (AGENTS / "leads",), shared) for _ in range(2)]
    await asyncio.gather(*(asyncio.to_thread(each.start) for each in both))
    yield both[0], both[1]
    for each in both:
        each.stop()


async def test_people_at_two_processes_see_one_truth_and_a_death_loses_nothing(
    browser: Browser, two: tuple[Serving, Serving]
) -> None:
    here, there = two
    asked, answer = unlike_others("quiero hablar con una persona"), unlike_others("Ya te ayudo")
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana, luis = await Desk.open(one, here.url, ANA), await Desk.open(other, there.url, LUIS)
        customer = Customer.new(here.url)
        await customer.ask_for_a_person(asked)
        await asyncio.gather(ana.choose(asked), luis.choose(asked))
        await asyncio.gather(*(desk.page.locator("#take").click() for desk in (ana, luis)))
        badges = [desk.page.locator(".badge[data-holder=me], .badge[data-holder=other]") for desk in (ana, luis)]
        for badge in badges:
            await expect(badge).to_be_visible()
        holds = [await badge.get_attribute("data-holder") for badge in badges]
        assert sorted(filter(None, holds)) == ["me", "other"]
        winner, loser, server = (ana, luis, here) if holds[0] == "me" else (luis, ana, there)
        server.kill()
        await winner.say(answer)
        await expect(winner.page.locator(".going.retrying")).to_be_visible()
        await asyncio.to_thread(server.start)
        await expect(loser.message(answer)).to_be_visible()  # the other process told it
        await expect(winner.page.locator(".going")).to_have_count(0)
        assert (await customer.read()).count(answer) == 1
        for desk in (ana, luis):
            desk.is_sound()


async def test_killing_either_process_again_and_again_loses_and_doubles_no_answer(
    browser: Browser, two: tuple[Serving, Serving]
) -> None:
    asked = unlike_others("quiero hablar con una persona")
    async with visitor(browser, viewport=WIDE) as context:
        ana = await Desk.open(context, two[0].url, ANA)
        customer = Customer.new(two[1].url)
        await customer.ask_for_a_person(asked)
        await ana.choose(asked)
        await ana.take()
        await killed_in_the_middle(ana, customer, two)
        ana.is_sound()
