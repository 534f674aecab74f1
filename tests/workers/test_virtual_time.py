"""Durable timers on a real database: a month of them in seconds."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from hilo.dialogue.events import Closed, Event, OperatorTookOver
from hilo.store.inbox import fire
from hilo.testing.clock import FakeClock
from hilo.testing.world import World, open_world

AGENT = """
agent: colchones
language: es-CO
timezone: America/Bogota
quiet_hours: 21:00 to 08:00
slots:
  nombre: {type: person_name, keep: true, ask: "¿Cómo te llamas?"}
  ciudad: {type: city, ask: "¿A qué ciudad lo enviamos?"}
flows:
  pedido:
    starts: always
    steps:
      - collect: [nombre, ciudad]
      - say: "Un momento, reviso el envío."
      - wait: 2m
      - say: "¡Listo! Sale hoy para {ciudad}."
timers:
  recordatorio: {after: 6m of silence, when: ciudad is empty, say: pendiente, at_most: 2}
  rescate: {after: 20h, when: ciudad is empty, handoff: no terminó su pedido en un día}
templates:
  pendiente: ["Quedamos pendientes.", "¿Seguimos con tu pedido?"]
"""
BOGOTA = ZoneInfo("America/Bogota")
MONDAY_TEN = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)  # ten in Bogotá


@pytest.fixture
def seller(tmp_path: Path) -> Path:
    folder = tmp_path / "colchones"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT, encoding="utf-8")
    return folder


def reminders(opened: World, contact: str) -> int:
    return sum("pendientes" in text or "Seguimos" in text for text in opened.heard_by(contact))


async def test_a_timer_fires_once_after_a_silence_and_is_moved_by_a_message(database_url: str, seller: Path) -> None:
    async with open_world(database_url, seller, clock=FakeClock(MONDAY_TEN)) as opened:
        await opened.say("ana", "hola")
        await opened.wait(timedelta(minutes=4))
        await opened.say("ana", "soy Ana Ruiz")
        await opened.wait(timedelta(minutes=5))
        assert reminders(opened, "ana") == 0
        await opened.wait(timedelta(minutes=2))
        assert reminders(opened, "ana") == 1


async def test_a_wait_goes_on_by_itself(database_url: str, seller: Path) -> None:
    async with open_world(database_url, seller, clock=FakeClock(MONDAY_TEN)) as opened:
        await opened.say("ana", "soy Ana Ruiz")
        assert (await opened.say("ana", "Medellín"))[-1].endswith("reviso el envío.")
        await opened.wait(timedelta(minutes=3))
        assert opened.heard_by("ana")[-1] == "¡Listo! Sale hoy para Medellín."


async def test_a_timer_that_fell_due_while_nothing_ran_fires_at_the_restart_once(
    database_url: str, seller: Path
) -> None:
    async with open_world(database_url, seller, clock=FakeClock(MONDAY_TEN)) as before:
        await before.say("ana", "hola")
    async with open_world(database_url, seller, clock=FakeClock(MONDAY_TEN + timedelta(hours=1))) as after:
        await after.settle()
        assert reminders(after, "ana") == 1
        await after.settle()
        assert reminders(after, "ana") == 1


async def test_a_message_that_waited_longer_than_the_timer_is_answered_and_the_timer_is_moved(
    database_url: str, seller: Path
) -> None:
    """The process was away for ten minutes; what the contact wrote before the timer was due comes first."""
    async with open_world(database_url, seller, clock=FakeClock(MONDAY_TEN)) as opened:
        await opened.say("ana", "hola")
        opened.clock.advance(timedelta(minutes=3))
        await opened.write("ana", "soy Ana Ruiz")
        opened.clock.advance(timedelta(minutes=10))
        await opened.settle()
        assert opened.heard_by("ana")[1:] == ["¿A qué ciudad lo enviamos?"]


async def test_a_clock_that_is_set_back_neither_loses_nor_repeats_a_timer(database_url: str, seller: Path) -> None:
    async with open_world(database_url, seller, clock=FakeClock(MONDAY_TEN)) as opened:
        await opened.say("ana", "hola")
        opened.clock.advance(timedelta(minutes=7))
        await opened.settle()
        opened.clock.time = MONDAY_TEN
        await opened.wait(timedelta(minutes=8))
        assert reminders(opened, "ana") == 1


async def test_nobody_is_reminded_at_night(database_url: str, seller: Path) -> None:
    nine_pm = datetime(2026, 3, 2, 20, 58, tzinfo=BOGOTA)
    async with open_world(database_url, seller, clock=FakeClock(nine_pm)) as opened:
        await opened.say("ana", "hola")
        await opened.wait(timedelta(hours=10))
        assert reminders(opened, "ana") == 0
        await opened.wait(timedelta(hours=1, minutes=5))
        assert reminders(opened, "ana") == 1


async def test_an_alarm_whose_turn_comes_in_the_night_waits_for_the_morning(tmp_path: Path, seller: Path) -> None:
    """The timer falls due before the night, and the process dies with the alarm in the inbox."""
    url, clock = f"sqlite:///{tmp_path}/hilo.db", FakeClock(datetime(2026, 3, 2, 20, 50, tzinfo=BOGOTA))
    async with open_world(url, seller, clock=clock) as opened:
        await opened.say("ana", "hola")
        clock.advance(timedelta(minutes=7))
        assert await opened.hilo.store.run(fire, now=clock.now())
    clock.advance(timedelta(hours=1))
    async with open_world(url, seller, clock=clock) as opened:
        await opened.settle()
        assert reminders(opened, "ana") == 0
        await opened.wait(timedelta(hours=10, minutes=5))
        assert reminders(opened, "ana") == 1


async def test_timers_end_with_the_session_and_with_the_agent(database_url: str, seller: Path) -> None:
    async with open_world(database_url, seller, clock=FakeClock(MONDAY_TEN)) as opened:
        ends: tuple[Event, ...] = (Closed(MONDAY_TEN), OperatorTookOver(MONDAY_TEN))
        for number, end in enumerate(ends):
            contact = f"contact {number}"
            await opened.say(contact, "hola")
            session = opened.sent_to(contact)[-1].message_id.rsplit(".", 2)[0]
            await opened.happen(session, end, external_id="end")
            await opened.wait(timedelta(hours=1))
            assert reminders(opened, contact) == 0


async def test_a_month_of_contacts_who_come_and_go_has_no_timer_lost_or_doubled(tmp_path: Path, seller: Path) -> None:
    """40 contacts over 30 days with restarts: each silence has its reminder, none by night, none twice."""
    dice, clock, url = random.Random(7), FakeClock(MONDAY_TEN), f"sqlite:///{tmp_path}/hilo.db"  # noqa: S311
    contacts = [f"c{number}" for number in range(40)]
    silent_days = dict.fromkeys(contacts, 0)
    heard: dict[str, list[tuple[datetime, str]]] = {contact: [] for contact in contacts}
    for _round in range(15):
        async with open_world(url, seller, clock=clock) as opened:  # a restart every other day
            for contact in dice.sample(contacts, 10):
                await opened.say(contact, "hola")
                silent_days[contact] += 1
                await opened.wait(timedelta(minutes=dice.randrange(3)))
            before = len(opened.channel.delivered)
            await opened.wait(timedelta(hours=48))
            assert before < len(opened.channel.delivered)
            for each in opened.channel.delivered:
                heard[each.to].append((clock.now(), each.message.text))
    for contact in contacts:
        texts = [text for _at, text in heard[contact]]
        assert sum("pendientes" in text or "Seguimos" in text for text in texts) == 2 * silent_days[contact]
        assert sum("Te paso" in text or "persona" in text for text in texts) == silent_days[contact]
