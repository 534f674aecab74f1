"""Campaigns in virtual time on real databases: limits, hours, answers, and numbers that cannot be reached."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hilo.channels.channel import Rejected, Sent
from hilo.dialogue.events import OperatorTookOver, Released
from hilo.messages import Address, MarketingChoice
from hilo.store.campaign_reports import list_recipients, list_rounds
from hilo.store.campaigns import CampaignPlace, GivenContact
from hilo.store.workspaces import ChannelRow, add_channel
from hilo.testing.clock import FakeClock
from hilo.testing.world import CHANNEL, World, open_world
from hilo.workers.campaigns import CampaignLists

AGENT = """
agent: clinica
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
open: mon-fri 9-18
quiet_hours: 13:00 to 14:00
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
  dia: {type: date, ask: "¿Para qué día?"}
templates:
  control: {text: "Hola {nombre}, ¿qué día te queda bien?", wa_template: control}
campaigns:
  control: {template: control, flow: turno, asks: dia, per_hour: 5}
  siempre: {template: control, flow: turno, asks: dia, hours: any, needs_opt_in: false}
flows:
  turno:
    starts: [quiero un turno]
    steps:
      - collect: [nombre, dia]
      - say: "Te esperamos el {dia}."
escalation:
  - keyword: [humano]
"""
MONDAY_TEN = datetime(2026, 3, 2, 13, 0, tzinfo=UTC)  # ten in Buenos Aires
HOUR = timedelta(hours=1)


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    file = tmp_path / "clinica.yaml"
    file.write_text(AGENT, encoding="utf-8")
    return file


def number(place: int) -> str:
    return f"54911555{place:05}"


async def give(world: World, people: int | Sequence[int], campaign: str = "control", *, agreed: bool = True) -> None:
    places = range(people) if isinstance(people, int) else people
    contacts = [GivenContact(f"+{number(each)}", {"nombre": "Ana Ruiz"}, opted_in=agreed) for each in places]
    lists = CampaignLists(world.hilo.store, world.hilo.agents, world.clock)
    report = await lists.take_contacts(CampaignPlace(world.workspace, CHANNEL, campaign), contacts)
    assert report is not None
    assert report.problems == []
    await world.settle()


async def fates(world: World) -> dict[str, str]:
    """What became of each in the newest round, and why."""
    found: dict[str, str] = {}
    for each in reversed(await world.hilo.store.run(list_rounds, world.workspace, at_most=10)):
        rows = await world.hilo.store.run(list_recipients, world.workspace, each.id, after=0, at_most=100)
        found |= {row.number: row.reason or row.status for row in rows}
    return found


async def test_a_list_goes_out_within_the_limit_of_an_hour(database_url: str, clinic: Path) -> None:
    async with open_world(database_url, clinic, clock=FakeClock(MONDAY_TEN)) as world:
        await give(world, 12)
        sent = [len(world.channel.delivered)]
        for _ in range(2):
            await world.wait(HOUR)
            sent.append(len(world.channel.delivered))
        assert sent == [5, 10, 12]
        await give(world, 12)
        await world.wait(3 * HOUR)
        assert len({each.to for each in world.channel.delivered}) == len(world.channel.delivered) == 12


async def test_nobody_is_written_to_at_night_nor_at_rest_nor_while_it_is_closed(
    database_url: str, clinic: Path
) -> None:
    friday_evening = datetime(2026, 3, 6, 20, 58, tzinfo=UTC)
    async with open_world(database_url, clinic, clock=FakeClock(friday_evening + timedelta(minutes=3))) as world:
        await give(world, 1)
        await world.wait(timedelta(days=2))
        assert world.channel.delivered == []
        await world.wait(timedelta(hours=15))  # Monday at nine
        assert len(world.channel.delivered) == 1
        await world.wait(timedelta(hours=1, minutes=4))  # five past one: the quiet hours
        await give(world, [7], "siempre", agreed=False)
        before = len(world.channel.delivered)
        await world.wait(HOUR)
        assert (before, len(world.channel.delivered)) in {(1, 2), (2, 2)}


async def test_an_answer_goes_on_in_the_flow_and_a_stop_is_kept(database_url: str, clinic: Path) -> None:
    async with open_world(database_url, clinic, clock=FakeClock(MONDAY_TEN)) as world:
        await give(world, 3)
        await world.wait(timedelta(days=2))
        assert await world.say(number(0), "el 20 de marzo") == ["Te esperamos el 20 de marzo de 2026."]
        assert "no te escribimos más" in (await world.say(number(1), "BAJA"))[0]
        await world.wait(timedelta(days=2))
        await give(world, 3, "siempre")
        await world.wait(HOUR)
        found = await fates(world)
        assert found[number(1)] == "opted out"
        assert len(world.sent_to(number(2))) == 2
        assert "volvemos" in (await world.say(number(1), "alta"))[0]


async def test_who_is_with_an_operator_or_busy_or_wants_nothing_is_left_in_peace(
    database_url: str, clinic: Path
) -> None:
    async with open_world(database_url, clinic, clock=FakeClock(MONDAY_TEN)) as world:
        await world.say(number(0), "quiero un turno")
        await world.say(number(1), "hola")
        [session] = [row for row in await sessions(world) if row.startswith("session")][-1:]
        await world.happen(session, OperatorTookOver(world.clock.now(), "olga"), external_id="take")
        await world.write(number(2), "hola")
        stop = MarketingChoice(Address(CHANNEL, number(2)), wanted=False, at=world.clock.now())
        await world.hilo.intake.changes(CHANNEL, [stop])
        await give(world, 3)
        assert await fates(world) == {
            number(0): "the contact is in the middle of something",
            number(1): "an operator has the conversation",
            number(2): "opted out",
        }
        await world.happen(session, Released(world.clock.now()), external_id="back")


async def sessions(world: World) -> list[str]:
    from hilo.store.api import NEWEST, Which, list_sessions  # noqa: PLC0415 -- only here

    rows = await world.hilo.store.run(list_sessions, world.workspace, Which(), before=NEWEST, at_most=10)
    return [row["id"] for row in reversed(rows)]


async def test_who_writes_just_before_the_campaign_comes_is_answered_and_not_written_to(
    database_url: str, clinic: Path
) -> None:
    async with open_world(database_url, clinic, clock=FakeClock(MONDAY_TEN)) as world:
        await world.write(number(0), "quiero un turno")  # no turn yet
        await give(world, 1)
        assert await fates(world) == {number(0): "the contact is in the middle of something"}
        assert [text for text in world.heard_by(number(0)) if "qué día te queda bien" in text] == []


async def test_a_number_that_cannot_be_reached_stands_in_the_report_and_calls_nobody(
    database_url: str, clinic: Path
) -> None:
    async with open_world(database_url, clinic, clock=FakeClock(MONDAY_TEN)) as world:
        refuse = Rejected("no such number")
        world.channel.outcome = lambda each: refuse if each.to == number(1) else Sent()
        await give(world, 2)
        await world.wait(timedelta(minutes=1))
        assert await fates(world) == {number(0): "sent", number(1): "no such number"}
        [found] = await world.hilo.store.run(list_rounds, world.workspace, at_most=10)
        assert (found.counts, found.answered) == ({"sent": 1, "failed": 1}, 0)
        rows = await sessions(world)
        assert len(rows) == 2


async def test_outside_of_the_window_only_the_template_goes_out(database_url: str, clinic: Path) -> None:
    async with open_world(database_url, clinic, clock=FakeClock(MONDAY_TEN)) as world:
        row = ChannelRow(CHANNEL, world.workspace, "test", "clinica", window_hours=24)
        await world.hilo.store.run(add_channel, row, now=world.clock.now())
        await give(world, 1)
        [sent] = world.channel.delivered
        assert sent.message.text == ""
        assert sent.message.approved is not None
        assert (sent.message.approved.name, sent.message.approved.values) == ("control", ("Ana Ruiz",))
        assert await world.say(number(0), "mañana") == ["Te esperamos el 3 de marzo de 2026."]


async def test_two_processes_write_to_each_contact_once(database_url: str, clinic: Path) -> None:
    clock = FakeClock(MONDAY_TEN)
    async with (
        open_world(database_url, clinic, clock=clock) as one,
        open_world(database_url, clinic, clock=clock) as two,
    ):
        await give(one, 4)
        await give(two, 5)
        await one.settle()
        sent = [each.to for each in (*one.channel.delivered, *two.channel.delivered)]
        assert sorted(sent) == [number(each) for each in range(5)]
