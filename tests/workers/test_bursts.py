"""A burst is a sequence: one message is understood and decided on after the other, in one turn with one reply."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

from hilo.agent.parse import parse
from hilo.app import load_agent
from hilo.app.replay import compare, play_again, unfaithful
from hilo.dialogue.effects import RunTool
from hilo.messages import Address, Inbound
from hilo.store.commits import commit
from hilo.store.inbox import accept_one
from hilo.store.views import record, sessions
from hilo.testing.clock import START
from hilo.testing.conversation import Conversation
from hilo.testing.world import CHANNEL, World, open_world
from hilo.turn.run import Turn
from hilo.workers.arrivals import LONGEST, NEXT, ChannelArrivals, no_arrivals

KIOSCO = Path(__file__).parents[2] / "agents" / "kiosco"


async def _burst(world: World, *texts: str) -> list[str]:
    before = len(world.heard_by("ana"))
    for text in texts:
        await world.write("ana", text)
    await world.settle()
    return world.heard_by("ana")[before:]


async def test_a_later_message_changes_what_an_earlier_one_ordered(database_url: str) -> None:
    async with open_world(database_url, KIOSCO) as world:
        [answer] = await _burst(world, "quiero 2 coca 500", "no, mejor 5")
        [cart] = await world.say("ana", "qué llevo en el carrito?")
    assert "5x Coca-Cola 500 ml" in answer
    assert "2x Coca-Cola" not in answer, "a sum that was overtaken is not said"
    assert "5x Coca-Cola 500 ml" in cart


async def test_the_order_is_that_in_which_it_was_written_whatever_the_order_of_arrival(database_url: str) -> None:
    async with open_world(database_url, KIOSCO) as world:
        now = world.clock.now()
        for text, seconds in (("no, mejor 5", 3), ("quiero 2 coca 500", 1)):  # the later one arrives first
            message = Inbound(text, Address(CHANNEL, "ana"), text, now.replace(second=seconds))
            await world.hilo.intake.messages(CHANNEL, [message])
        await world.settle()
        [answer] = world.heard_by("ana")
    assert "5x Coca-Cola 500 ml" in answer


async def test_the_same_order_twice_is_two_calls(database_url: str) -> None:
    async with open_world(database_url, KIOSCO) as world:
        [answer] = await _burst(world, "una coca 500", "una coca 500")
    assert "2x Coca-Cola 500 ml" in answer


async def test_a_thought_in_pieces_is_read_together(database_url: str) -> None:
    async with open_world(database_url, KIOSCO) as world:
        [answer] = await _burst(world, "quiero 2", "coca 500")
    assert "2x Coca-Cola 500 ml" in answer


async def test_a_question_that_the_next_message_answers_is_not_sent(shop_world: World) -> None:
    [answer] = await _burst(shop_world, "hola", "soy Ana Pérez", "una pizza")
    assert answer.endswith("Pido una pizza a nombre de Ana Pérez. ¿Está bien?")
    assert "¿Cómo te llamas?" not in answer
    assert "¿Qué quieres pedir?" not in answer


async def test_a_yes_to_a_summary_of_the_same_burst_is_none(shop_world: World, shop: Path) -> None:
    [answer] = await _burst(shop_world, "soy Ana Pérez", "una pizza", "sí")
    assert "Pido una pizza a nombre de Ana Pérez. ¿Está bien?" in answer
    assert not (shop / "ledger").exists()
    assert await shop_world.say("ana", "sí") == ["Tu pedido es el N-1."]


async def test_a_yes_to_what_was_shown_before_is_taken_in_a_burst_and_once(shop_world: World, shop: Path) -> None:
    await _burst(shop_world, "soy Ana Pérez", "una pizza")
    shop_world.clock.advance(timedelta(seconds=1))
    answer = await _burst(shop_world, "sí", "sí")
    assert answer == ["Tu pedido es el N-1."]
    assert len((shop / "ledger").read_text().splitlines()) == 1


async def test_a_yes_before_a_change_does_not_confirm_the_change(shop_world: World, shop: Path) -> None:
    await _burst(shop_world, "soy Ana Pérez", "una pizza")
    shop_world.clock.advance(timedelta(seconds=1))
    await _burst(shop_world, "no, mejor dos empanadas", "sí")
    assert not (shop / "ledger").exists()


async def test_a_boolean_question_that_was_not_shown_takes_no_yes() -> None:
    agent = parse(
        "agent: terms\nslots:\n  name: {type: person_name, ask: '¿Nombre?'}\n"
        "  agrees: {type: boolean, ask: '¿Aceptás los términos?'}\n"
        "flows:\n  join:\n    starts: always\n    steps: [{collect: [name, agrees]}]\n"
    )
    talk = Conversation(Turn(agent))
    await talk.say("soy Ana Pérez", "sí")
    assert "agrees" not in talk.session.slots
    assert talk.replies[-1].text.endswith("¿Aceptás los términos?")
    await talk.say("sí")
    assert talk.session.slots["agrees"] is True


async def test_a_burst_is_one_turn_that_replays_as_the_same_and_tells_of_each_message(database_url: str) -> None:
    async with open_world(database_url, KIOSCO) as world:
        await _burst(world, "hola", "quiero 2 coca 500", "no, mejor 5")
        await world.say("ana", "eso es todo")
        store, agent = world.hilo.store, world.hilo.agents.loaded["kiosco"].agent
        [view] = await store.run(sessions, world.workspace, "all", at_most=9)
        kept = await store.run(record, world.workspace, view.id)
    assert kept is not None
    assert [turn.number for turn in kept.turns] == [1, 2]
    first = kept.turns[0]
    assert first.heard == "hola\nquiero 2 coca 500\nno, mejor 5"
    played = play_again(agent, kept)
    assert unfaithful(kept, played) == ()
    compared = compare(kept, played, before=agent, after=agent)
    assert (compared.stopped, compared.kinds) == ("", {"same": 2})


async def test_a_burst_whose_process_dies_before_its_commit_makes_no_call_twice(database_url: str) -> None:
    async with open_world(database_url, KIOSCO) as world:
        store = world.hilo.store
        run, failures = store.run, iter([True])

        async def die_once(script: Any, *args: Any, **values: Any) -> Any:
            if script is commit and next(failures, False):
                raise RuntimeError("the process dies")
            return await run(script, *args, **values)

        store.run = die_once  # type: ignore[method-assign]
        await _burst(world, "una coca 500", "una coca 500", "y otra coca 500")
        await world.wait(timedelta(seconds=5))
        [answer] = world.heard_by("ana")
    assert "3x Coca-Cola 500 ml" in answer


async def test_the_trace_has_each_message() -> None:
    talk = Conversation(load_agent(KIOSCO))
    result = await talk.say("quiero 2 coca 500", "no, mejor 5")
    assert [each.text for each in result.trace.heard] == ["quiero 2 coca 500", "no, mejor 5"]
    assert result.session.version == 1
    calls = [each.call_id for each in result.decision.effects if isinstance(each, RunTool)]
    assert len(calls) == len(set(calls)) == 2
    walked = await Conversation(load_agent(KIOSCO), engine="langgraph").say("quiero 2 coca 500", "no, mejor 5")
    assert walked.replies == result.replies


async def _settled(world: World) -> None:
    """As `World.settle`, while something may keep the turn from beginning."""
    await asyncio.wait_for(world.settle(), 20)


async def test_a_turn_waits_for_a_message_that_is_being_written_down(database_url: str) -> None:
    """However long that takes beside much other work: the burst is not over while a part of it is on its way in."""
    async with open_world(database_url, KIOSCO) as world:
        store, written = world.hilo.store, asyncio.Event()
        run = store.run

        async def slow_at_first(script: Any, *args: Any, **values: Any) -> Any:
            if script is accept_one and not written.is_set():
                await written.wait()
            return await run(script, *args, **values)

        await world.write("ana", "no, mejor 5")
        store.run = slow_at_first  # type: ignore[method-assign]
        before = world.clock.now() - timedelta(seconds=1)
        message = Inbound("first", Address(CHANNEL, "ana"), "quiero 2 coca 500", before)
        arriving = asyncio.create_task(world.hilo.intake.messages(CHANNEL, [message]))
        await asyncio.sleep(0)
        settling = asyncio.create_task(_settled(world))
        await asyncio.sleep(0.2)
        assert world.heard_by("ana") == []
        written.set()
        await arriving
        await settling
        [answer] = world.heard_by("ana")
    assert "5x Coca-Cola 500 ml" in answer


async def test_a_flood_keeps_no_turn_from_beginning() -> None:
    arrivals = ChannelArrivals(longest=0.05)
    with arrivals.writing([], now=START):
        await asyncio.wait_for(arrivals.stand_back(), 5)


async def test_where_messages_come_late_turns_wait_a_moment_for_the_next() -> None:
    """It is told by the channel's own clock, which may be wrong: only what is later than usual is late."""
    arrivals, loop = ChannelArrivals(), asyncio.get_running_loop()

    async def waits(*lags: float) -> float:
        for lag in lags:
            with arrivals.writing([START - timedelta(seconds=lag)], now=START):
                pass
        began = loop.time()
        await arrivals.stand_back()
        return loop.time() - began

    assert await waits(600.0, 600.5) < NEXT
    assert await waits(602.0) > NEXT / 2
    assert await waits(600.2) < NEXT


async def test_turns_of_one_channel_do_not_wait_for_what_comes_in_on_another() -> None:
    arrivals, loop = no_arrivals(), asyncio.get_running_loop()
    with arrivals["web"].writing([], now=START):
        held = asyncio.create_task(arrivals["web"].stand_back())
        began = loop.time()
        await asyncio.sleep(0)
        await arrivals["whatsapp"].stand_back()
        assert loop.time() - began < LONGEST / 2
        assert not held.done()
    await held
