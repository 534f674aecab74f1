"""The turn worker on a real database, in virtual time."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from hilo.app import LoadedAgent
from hilo.dialogue.events import Closed, OperatorTookOver, Paused, Released, Resumed
from hilo.messages import Address, Inbound
from hilo.store.api import list_turns
from hilo.store.handoffs import list_handoffs
from hilo.store.turns import TurnInput, take
from hilo.store.work import clear_owner, mark_running
from hilo.testing.world import CHANNEL, World, open_world
from hilo.tools.database import Script, execute
from hilo.workers.deliveries import LATE


async def session_of(shop_world: World, contact: str) -> str:
    """The id of a contact's newest session, as a message id of ours shows it."""
    return shop_world.sent_to(contact)[-1].message_id.rsplit(".", 2)[0]


async def order_up_to_the_summary(shop_world: World, contact: str = "ana") -> None:
    await shop_world.say(contact, "hola")
    await shop_world.say(contact, "soy Ana Pérez")
    summary = await shop_world.say(contact, "una pizza")
    assert summary == ["Pido una pizza a nombre de Ana Pérez. ¿Está bien?"]


async def test_a_message_is_answered_once_however_often_it_comes(shop_world: World) -> None:
    for _ in range(3):
        await shop_world.write("ana", "hola", message_id="same")
        await shop_world.settle()
    assert len(shop_world.heard_by("ana")) == 1


async def test_a_late_duplicate_changes_nothing(shop_world: World) -> None:
    await shop_world.write("ana", "hola", message_id="same")
    await shop_world.wait(timedelta(days=7))
    await shop_world.write("ana", "hola", message_id="same")
    await shop_world.settle()
    assert len(shop_world.heard_by("ana")) == 1


async def test_contacts_have_sessions_of_their_own(shop_world: World) -> None:
    await shop_world.say("ana", "soy Ana Pérez")
    assert await shop_world.say("luis", "soy Luis Gómez") != []
    assert await session_of(shop_world, "ana") != await session_of(shop_world, "luis")


async def test_messages_that_come_together_are_one_turn(shop_world: World) -> None:
    for text in ("hola", "¿a qué hora abren?", "soy Ana Pérez"):
        await shop_world.write("ana", text)
    await shop_world.settle()
    (answer,) = shop_world.heard_by("ana")
    assert "Abrimos de 9 a 18." in answer
    assert "¿Qué quieres pedir?" in answer


async def test_messages_that_overtook_one_another_are_read_as_they_were_written(shop_world: World) -> None:
    now = shop_world.clock.now()
    for text, seconds in (("soy Ana Pérez", 2), ("hola", 1)):  # the later one arrives first
        message = Inbound(text, Address(CHANNEL, "ana"), text, now - timedelta(seconds=10 - seconds))
        await shop_world.hilo.intake.messages(CHANNEL, [message])
    await shop_world.settle()
    await shop_world.wait(timedelta(seconds=5))
    session = await session_of(shop_world, "ana")
    [turn] = await shop_world.hilo.store.run(list_turns, shop_world.workspace, session, before=99, at_most=9) or []
    assert turn["heard"] == "hola\nsoy Ana Pérez"


async def test_an_order_is_placed_once_with_a_yes(shop_world: World, shop: Path) -> None:
    await order_up_to_the_summary(shop_world)
    assert await shop_world.say("ana", "sí") == ["Tu pedido es el N-1."]
    assert len((shop / "ledger").read_text().splitlines()) == 1


async def test_a_yes_that_was_written_before_the_summary_was_sent_orders_nothing(shop_world: World, shop: Path) -> None:
    await shop_world.say("ana", "hola")
    await shop_world.say("ana", "soy Ana Pérez")
    await shop_world.write("ana", "una pizza")
    address = (await shop_world.hilo.store.run(_addresses))[0]
    await shop_world.hilo.runtime.turns.work(address)  # the summary is in the outbox, not sent
    await shop_world.write("ana", "sí")
    await shop_world.settle()
    assert not (shop / "ledger").exists()
    assert await shop_world.say("ana", "sí") == ["Tu pedido es el N-1."]


async def comes_late(shop_world: World, text: str, *, written: datetime) -> None:
    message = Inbound(f"{text} {written}", Address(CHANNEL, "ana"), text, written)
    await shop_world.hilo.intake.messages(CHANNEL, [message])


@pytest.mark.parametrize("skew", [timedelta(), timedelta(minutes=-10)])
async def test_a_yes_that_comes_late_and_was_written_before_the_summary_orders_nothing(
    shop_world: World, shop: Path, skew: timedelta
) -> None:
    """Whatever the channel's clock says: it is wrong by `skew`."""
    began = shop_world.clock.now()
    for text in ("hola", "soy Ana Pérez", "una pizza"):
        shop_world.clock.advance(timedelta(seconds=30))
        await comes_late(shop_world, text, written=shop_world.clock.now() + skew)
        await shop_world.settle()
    assert shop_world.heard_by("ana")[-1] == "Pido una pizza a nombre de Ana Pérez. ¿Está bien?"
    await comes_late(shop_world, "sí", written=began + timedelta(seconds=70) + skew)
    await shop_world.wait(timedelta(seconds=20))
    assert not (shop / "ledger").exists()


async def test_a_yes_that_comes_late_beside_something_new_orders_nothing(shop_world: World, shop: Path) -> None:
    await order_up_to_the_summary(shop_world)
    shop_world.clock.advance(timedelta(seconds=30))
    now = shop_world.clock.now()
    await comes_late(shop_world, "sí", written=now - timedelta(seconds=45))
    await comes_late(shop_world, "¿cuánto tarda?", written=now)
    await shop_world.wait(timedelta(seconds=5))
    assert not (shop / "ledger").exists()
    assert await shop_world.say("ana", "sí") == ["Tu pedido es el N-1."]


@pytest.mark.parametrize("skew", [timedelta(), timedelta(minutes=-10), timedelta(minutes=10)])
@pytest.mark.parametrize("tick", [False, True])
async def test_a_quick_yes_is_taken_whatever_the_channels_clock_says(
    shop_world: World, skew: timedelta, *, tick: bool
) -> None:
    for text, seconds in (("hola", 30.9), ("soy Ana Pérez", 30.9), ("una pizza", 30.9), ("sí", 1.2)):
        shop_world.clock.advance(timedelta(seconds=seconds))
        told = shop_world.clock.now() + skew - timedelta(milliseconds=200)
        await comes_late(shop_world, text, written=told.replace(microsecond=0) if tick else told)
        await shop_world.settle()
    assert shop_world.heard_by("ana")[-1] == "Tu pedido es el N-1."


def _addresses() -> Script[list[str]]:
    waiting = yield from execute("waiting", until=2**60, at_most=10)
    return [row["address_id"] for row in waiting]


async def claim_and_die(shop_world: World, address: str, *, running: bool) -> None:
    """A process takes the turn of an address and is killed, before or while it runs it."""
    store = shop_world.hilo.store
    taken = await store.run(take, address, owner="dead", now=shop_world.clock.now())
    assert isinstance(taken, TurnInput)
    if running:
        await store.run(mark_running, taken.claim)
    await store.run(clear_owner, "dead")


async def test_a_turn_that_only_waited_in_processes_that_died_is_answered(shop_world: World) -> None:
    await shop_world.write("ana", "hola")
    shop_world.clock.advance(timedelta(seconds=5))
    [address] = await shop_world.hilo.store.run(_addresses)
    for _ in range(6):
        await claim_and_die(shop_world, address, running=False)
    await shop_world.settle()
    assert len(shop_world.heard_by("ana")) == 1
    assert await shop_world.hilo.store.run(list_handoffs, shop_world.workspace, "", at_most=10) == ()


async def test_a_turn_that_kills_the_processes_that_run_it_goes_to_a_person(shop_world: World) -> None:
    await shop_world.write("ana", "hola")
    shop_world.clock.advance(timedelta(seconds=5))
    [address] = await shop_world.hilo.store.run(_addresses)
    await claim_and_die(shop_world, address, running=False)
    for _ in range(2):
        await claim_and_die(shop_world, address, running=True)
    await shop_world.settle()
    [handoff] = await shop_world.hilo.store.run(list_handoffs, shop_world.workspace, "", at_most=10)
    assert handoff.reason == "the process died in this turn"


async def test_a_turn_that_fails_is_tried_three_times_and_then_given_to_a_person(shop_world: World) -> None:
    shop_world.hilo.agents.loaded["tienda"] = cast("LoadedAgent", object())  # whatever is wrong with the agent
    await shop_world.write("ana", "hola")
    await shop_world.wait(timedelta(seconds=2.9))  # the attempts are one and then two seconds apart
    assert shop_world.heard_by("ana") == []
    await shop_world.wait(timedelta(seconds=0.2))
    assert shop_world.heard_by("ana") == ["Tuvimos un problema con tu mensaje. En un momento te atiende una persona."]


async def test_a_tool_that_breaks_twice_hands_over_with_a_message(shop_world: World, shop: Path) -> None:
    (shop / "trouble").write_text("no paper")
    await order_up_to_the_summary(shop_world)
    first, again, last = [await shop_world.say("ana", text) for text in ("sí", "hola", "sí")]
    assert first == ["Algo falló de nuestro lado y no se pudo hacer. Probemos de nuevo más tarde."]
    assert again[0].endswith("Pido una pizza a nombre de Ana Pérez. ¿Está bien?")
    assert last == ["Te paso con una persona del equipo; enseguida te escribe por aquí."]
    assert not (shop / "ledger").exists()


async def test_nothing_is_said_while_an_operator_holds_the_session(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    session = await session_of(shop_world, "ana")
    await shop_world.happen(session, OperatorTookOver(shop_world.clock.now(), "eva"), external_id="1")
    assert await shop_world.say("ana", "soy Ana Pérez") == []
    await shop_world.happen(session, Released(shop_world.clock.now()), external_id="2")
    assert len(shop_world.heard_by("ana")) == 2


async def test_an_unsent_reply_is_held_when_an_operator_takes_over(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    session = await session_of(shop_world, "ana")
    await shop_world.write("ana", "soy Ana Pérez")
    address = (await shop_world.hilo.store.run(_addresses))[0]
    alone = replace(shop_world.hilo.runtime.turns, deliveries=None)  # a process that leaves the sending to another
    await alone.work(address)
    now = shop_world.clock.now()
    await shop_world.hilo.intake.event(shop_world.workspace, session, OperatorTookOver(now), external_id="1")
    await alone.work(address)
    await shop_world.settle()
    assert len(shop_world.heard_by("ana")) == 1


async def test_a_reply_that_could_not_be_sent_at_once_is_held_when_an_operator_takes_over(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    session = await session_of(shop_world, "ana")
    await shop_world.write("ana", "soy Ana Pérez")
    runtime, clock = shop_world.hilo.runtime, shop_world.clock
    address = (await shop_world.hilo.store.run(_addresses))[0]
    await runtime.turns.work(address)
    assert runtime.deliveries.begun[address].message.text
    taking = OperatorTookOver(clock.now())
    await shop_world.hilo.intake.event(shop_world.workspace, session, taking, external_id="1")
    await runtime.turns.work(address)
    clock.advance(LATE)
    await shop_world.settle()
    assert len(shop_world.heard_by("ana")) == 1


async def test_a_paused_session_is_quiet_until_it_is_resumed(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    session = await session_of(shop_world, "ana")
    await shop_world.happen(session, Paused(shop_world.clock.now()), external_id="1")
    assert await shop_world.say("ana", "soy Ana Pérez") == []
    await shop_world.happen(session, Resumed(shop_world.clock.now()), external_id="2")
    assert await shop_world.say("ana", "soy Ana Pérez") != []


async def test_a_message_after_the_end_opens_a_new_session(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    first = await session_of(shop_world, "ana")
    await shop_world.happen(first, Closed(shop_world.clock.now()), external_id="1")
    assert await shop_world.say("ana", "hola") != []
    assert await session_of(shop_world, "ana") != first


async def test_the_next_day_is_a_new_session_that_knows_what_is_worth_keeping(shop_world: World) -> None:
    await shop_world.say("ana", "soy Ana Pérez")
    first = await session_of(shop_world, "ana")
    await shop_world.wait(timedelta(hours=25))
    assert await shop_world.say("ana", "hola") == ["¡Hola de nuevo! ¿Qué quieres pedir?"]
    assert await session_of(shop_world, "ana") != first
    assert await shop_world.say("ana", "una pizza") == ["Pido una pizza a nombre de Ana Pérez. ¿Está bien?"]


async def test_within_the_window_the_session_goes_on(shop_world: World) -> None:
    await shop_world.say("ana", "soy Ana Pérez")
    first = await session_of(shop_world, "ana")
    await shop_world.wait(timedelta(hours=23))
    await shop_world.say("ana", "una pizza")
    assert await session_of(shop_world, "ana") == first


async def test_an_operator_who_is_at_it_keeps_the_session_and_one_who_left_does_not(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    session = await session_of(shop_world, "ana")
    await shop_world.wait(timedelta(hours=20))
    await shop_world.happen(session, OperatorTookOver(shop_world.clock.now()), external_id="1")
    await shop_world.wait(timedelta(hours=20))
    assert await shop_world.say("ana", "¿hola?") == []
    await shop_world.wait(timedelta(hours=25))
    assert await shop_world.say("ana", "¿hola?") != []


async def test_a_restart_goes_on_where_it_was(database_url: str, shop: Path) -> None:
    async with open_world(database_url, shop) as before:
        await before.say("ana", "soy Ana Pérez")
        clock = before.clock
    async with open_world(database_url, shop, clock=clock) as after:
        assert await after.say("ana", "una pizza") == ["Pido una pizza a nombre de Ana Pérez. ¿Está bien?"]


async def test_a_session_stays_on_the_version_that_it_began_with(database_url: str, shop: Path) -> None:
    async with open_world(database_url, shop) as before:
        await before.say("ana", "soy Ana Pérez")
        clock = before.clock
    file = shop / "agent.yaml"
    file.write_text(file.read_text().replace("Pido {item}", "Encargo {item}"))
    async with open_world(database_url, shop, clock=clock) as after:
        assert (await after.say("ana", "una pizza"))[0].startswith("Pido una pizza")
        await after.say("luis", "soy Luis Gómez")
        assert (await after.say("luis", "una pizza"))[0].startswith("Encargo una pizza")


async def test_an_operator_who_comes_unasked_leaves_a_record(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    session = await session_of(shop_world, "ana")
    await shop_world.happen(session, OperatorTookOver(shop_world.clock.now(), "eva"), external_id="1")
    found = await shop_world.hilo.store.run(list_handoffs, shop_world.workspace, "assigned", at_most=10)
    assert [(each.session, each.operator) for each in found] == [(session, "eva")]
