"""Old news: a message that comes a day late is shown and answered, and never carried out as if it were new."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hilo.app.replay import play_again, unfaithful
from hilo.dialogue.session import from_json
from hilo.messages import Address, Inbound
from hilo.store.inbox import FRESH, KEPT
from hilo.store.views import record, sessions
from hilo.testing.world import CHANNEL, World, open_world

DAY = timedelta(days=1)
LATE = "Este mensaje tuyo llegó con mucho retraso"


async def _arrives(world: World, text: str, *, written: datetime, message_id: str = "", payload: str = "") -> None:
    message = Inbound(message_id or text, Address(CHANNEL, "ana"), text, written, payload=payload)
    await world.hilo.intake.messages(CHANNEL, [message])


async def _answers(world: World, text: str, *, written: datetime, payload: str = "") -> list[str]:
    before = len(world.heard_by("ana"))
    await _arrives(world, text, written=written, payload=payload)
    await world.settle()
    return world.heard_by("ana")[before:]


async def _until_the_summary(world: World) -> None:
    await world.say("ana", "soy Ana Pérez")
    [summary] = await world.say("ana", "una pizza")
    assert "¿Está bien?" in summary
    world.clock.advance(timedelta(minutes=1))


async def test_a_late_yes_orders_nothing_and_the_summary_is_shown_again(shop_world: World, shop: Path) -> None:
    await _until_the_summary(shop_world)
    [answer] = await _answers(shop_world, "sí", written=shop_world.clock.now() - DAY)
    assert answer.startswith(LATE)
    assert answer.endswith("Pido una pizza a nombre de Ana Pérez. ¿Está bien?")
    assert not (shop / "ledger").exists()
    assert await shop_world.say("ana", "sí") == ["Tu pedido es el N-1."]


async def test_a_late_press_of_a_button_orders_nothing(shop_world: World, shop: Path) -> None:
    await _until_the_summary(shop_world)
    yes = shop_world.sent_to("ana")[-1].message.buttons[0]
    [answer] = await _answers(shop_world, yes.title, written=shop_world.clock.now() - DAY, payload=yes.payload)
    assert answer.startswith(LATE)
    assert not (shop / "ledger").exists()


async def test_a_late_message_changes_nothing_and_operators_see_it_with_its_time(shop_world: World) -> None:
    await _until_the_summary(shop_world)
    written = shop_world.clock.now() - DAY
    await _answers(shop_world, "mejor dos empanadas", written=written)
    store = shop_world.hilo.store
    [view] = await store.run(sessions, shop_world.workspace, "all", at_most=9)
    kept = await store.run(record, shop_world.workspace, view.id)
    assert kept is not None
    assert kept.turns[-1].heard == f"[came late, written {written:%Y-%m-%d %H:%M} UTC]\nmejor dos empanadas"
    [cart] = await shop_world.say("ana", "¿qué pedí?")
    assert "una pizza" in cart
    agent = shop_world.hilo.agents.loaded["tienda"].agent
    assert unfaithful(kept, play_again(agent, kept)) == ()


async def test_a_contact_whose_first_message_comes_late_is_answered_and_begins_anew(shop_world: World) -> None:
    [answer] = await _answers(shop_world, "hola, soy Ana Pérez", written=shop_world.clock.now() - DAY)
    assert answer.startswith(LATE)
    [greeting] = await shop_world.say("ana", "hola")
    assert greeting.endswith("¿Cómo te llamas?")


async def test_a_backlog_is_answered_by_one_line_and_what_is_new_in_it_is_done(shop_world: World, shop: Path) -> None:
    await _until_the_summary(shop_world)
    now = shop_world.clock.now()
    await _arrives(shop_world, "sí", written=now, message_id="new")
    await _arrives(shop_world, "hola?", written=now - 2 * DAY)
    await _arrives(shop_world, "no, cancela todo", written=now - DAY)
    before = len(shop_world.heard_by("ana"))
    await shop_world.settle()
    [answer] = shop_world.heard_by("ana")[before:]
    assert answer.count(LATE) == 1
    assert answer.endswith("Tu pedido es el N-1.")
    assert len((shop / "ledger").read_text().splitlines()) == 1


async def test_what_is_hours_old_is_taken_for_fresh(shop_world: World) -> None:
    await _until_the_summary(shop_world)
    written = shop_world.clock.now() + timedelta(seconds=5)
    shop_world.clock.advance(FRESH)
    assert await _answers(shop_world, "sí", written=written) == ["Tu pedido es el N-1."]


async def test_what_waited_for_a_worker_for_a_day_is_old_as_well(shop_world: World, shop: Path) -> None:
    await _until_the_summary(shop_world)
    await shop_world.write("ana", "sí")
    shop_world.clock.advance(DAY)
    before = len(shop_world.heard_by("ana"))
    await shop_world.settle()
    assert shop_world.heard_by("ana")[before].startswith(LATE)
    assert not (shop / "ledger").exists()


@pytest.mark.parametrize("later", [DAY, KEPT + DAY])
async def test_a_webhook_that_is_replayed_whenever_orders_nothing_again(
    shop_world: World, shop: Path, later: timedelta
) -> None:
    await _until_the_summary(shop_world)
    written = shop_world.clock.now()
    await _arrives(shop_world, "sí", written=written, message_id="the-yes")
    await shop_world.settle()
    shop_world.clock.advance(later)
    await shop_world.hilo.runtime.sweep.once()
    await _until_the_summary(shop_world)
    await _arrives(shop_world, "sí", written=written, message_id="the-yes")
    await shop_world.settle()
    assert len((shop / "ledger").read_text().splitlines()) == 1


def test_ids_are_remembered_as_long_as_messages_are_fresh() -> None:
    assert KEPT >= 2 * FRESH, "also those of messages that came at the end of it"


async def test_a_late_message_is_kept_for_the_person_who_has_the_session(database_url: str, shop: Path) -> None:
    async with open_world(database_url, shop) as world:
        await world.say("ana", "quiero hablar con una persona")
        await _answers(world, "una pizza", written=world.clock.now() - DAY)
        [view] = await world.hilo.store.run(sessions, world.workspace, "all", at_most=9)
        kept = await world.hilo.store.run(record, world.workspace, view.id)
    assert kept is not None
    assert kept.turns[-1].heard.startswith("[came late, written ")
    assert "item" not in from_json(kept.state).slots
