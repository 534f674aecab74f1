"""A contact who moves to another number, and one who wants no marketing."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hilo.messages import Address, MarketingChoice, NumberChanged
from hilo.testing.world import CHANNEL, World, open_world
from hilo.tools.database import Script, execute

AGENT = """
agent: avisos
language: es
slots:
  item: {type: text, ask: "¿Qué buscas?"}
flows:
  search:
    starts: always
    steps:
      - collect: item
      - say: "Anoto {item}."
timers:
  nudge: {after: 30m of silence, when: item is empty, say: "¿Sigues ahí?"}
"""


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    (tmp_path / "avisos.yaml").write_text(AGENT)
    async with open_world(database_url, tmp_path / "avisos.yaml") as opened:
        yield opened


NEW = "5491155550009"


async def chooses(world: World, who: str = "ana", *, wanted: bool, ago: timedelta = timedelta()) -> None:
    change = MarketingChoice(Address(CHANNEL, who), wanted, world.clock.now() - ago)
    await world.hilo.intake.changes(CHANNEL, [change])


async def moves(world: World, old: str, new: str) -> None:
    await world.hilo.intake.changes(CHANNEL, [NumberChanged("m1", Address(CHANNEL, old), new, world.clock.now())])


async def is_reminded(world: World, who: str) -> bool:
    before = len(world.heard_by(who))
    await world.wait(timedelta(minutes=31))
    return any("¿Sigues ahí?" in each for each in world.heard_by(who)[before:])


def _table(name: str, **values: Any) -> Script[list[Any]]:
    return (yield from execute(name, **values))


async def sessions(world: World) -> list[tuple[str, str]]:
    found = await world.hilo.store.run(
        _table, "api_sessions", workspace="main", session="", status="", agent="", channel="", contact="",
        before=1 << 62, before_id="", at_most=10,
    )  # fmt: skip
    return sorted((row["address"], row["contact_id"]) for row in found)


async def test_a_timer_speaks_to_whoever_has_not_stopped_marketing(world: World) -> None:
    await world.say("ana", "hola")
    await world.wait(timedelta(minutes=31))
    assert "¿Sigues ahí?" in world.heard_by("ana")[-1]


async def test_a_stop_of_marketing_silences_timers_and_no_answers(world: World) -> None:
    await world.say("ana", "hola")
    await chooses(world, wanted=False)
    before = world.heard_by("ana")
    await world.wait(timedelta(minutes=31))
    assert world.heard_by("ana") == before
    assert await world.say("ana", "una lámpara") == ["Anoto una lámpara."]


async def test_whoever_wants_marketing_again_hears_timers_again(world: World) -> None:
    await chooses_after_talk(world)
    await world.wait(timedelta(minutes=31))
    assert "¿Sigues ahí?" in world.heard_by("ana")[-1]


async def chooses_after_talk(world: World) -> None:
    await world.say("ana", "hola")
    await chooses(world, wanted=False)
    await chooses(world, wanted=True, ago=-timedelta(seconds=1))


async def test_an_older_choice_that_arrives_late_changes_nothing(world: World) -> None:
    await world.say("ana", "hola")
    await chooses(world, wanted=False)
    await chooses(world, wanted=True, ago=timedelta(minutes=5))
    before = world.heard_by("ana")
    await world.wait(timedelta(minutes=31))
    assert world.heard_by("ana") == before


async def test_a_changed_number_takes_the_conversation_along(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "ana", NEW)
    assert await world.say(NEW, "una lámpara") == ["Anoto una lámpara."]
    assert [address for address, _ in await sessions(world)] == [NEW]


async def test_what_waits_to_be_said_goes_to_the_new_number(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "ana", NEW)
    await world.wait(timedelta(minutes=31))
    assert "¿Sigues ahí?" in world.heard_by(NEW)[0]


async def test_a_new_number_that_wrote_first_is_the_same_person(world: World) -> None:
    await world.say("ana", "hola")
    await world.say(NEW, "hola")
    await moves(world, "ana", NEW)
    await moves(world, "ana", NEW)
    [one, other] = await sessions(world)
    assert one[1] == other[1]


async def test_a_change_of_somebody_unknown_changes_nothing(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "luis", NEW)
    change = MarketingChoice(Address(CHANNEL, "luis"), wanted=False, at=world.clock.now())
    await world.hilo.intake.changes(CHANNEL, [change])
    assert [address for address, _ in await sessions(world)] == ["ana"]


# --- a stop of marketing and a number change, in either order ------------------------------------------


async def test_a_stop_goes_along_to_the_new_number(world: World) -> None:
    await world.say("ana", "hola")
    await chooses(world, wanted=False)
    await moves(world, "ana", NEW)
    assert not await is_reminded(world, NEW)


async def test_a_stop_goes_along_to_a_new_number_that_wrote_first(world: World) -> None:
    await world.say("ana", "hola")
    await chooses(world, wanted=False)
    await world.say(NEW, "hola")
    await moves(world, "ana", NEW)
    assert not await is_reminded(world, NEW)


@pytest.mark.parametrize("wrote_first", [False, True])
async def test_a_stop_that_is_told_of_the_old_number_after_the_change_is_kept(
    world: World, *, wrote_first: bool
) -> None:
    await world.say("ana", "hola")
    if wrote_first:
        await world.say(NEW, "hola")
    await moves(world, "ana", NEW)
    await chooses(world, wanted=False, ago=timedelta(seconds=5))
    assert not await is_reminded(world, NEW)


async def test_a_stop_is_kept_over_two_changes(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "ana", "5491155550001")
    await world.say(NEW, "hola")
    await moves(world, "5491155550001", NEW)
    await chooses(world, wanted=False)
    assert not await is_reminded(world, NEW)


async def test_a_later_wish_at_the_new_number_goes_before_a_stop_at_the_old_one(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "ana", NEW)
    await chooses(world, NEW, wanted=True)
    await chooses(world, wanted=False, ago=timedelta(minutes=1))
    assert await is_reminded(world, NEW)


async def test_whoever_has_the_old_number_now_chooses_for_nobody_else(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "ana", NEW)
    await world.wait(timedelta(minutes=1))
    await world.say("ana", "hola")  # somebody else, who was given the number
    assert len({contact for _, contact in await sessions(world)}) == 2
    await chooses(world, wanted=False)
    assert not await is_reminded(world, "ana")
    assert any("¿Sigues ahí?" in each for each in world.heard_by(NEW))


async def test_an_old_stop_is_not_that_of_whoever_has_the_old_number_now(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "ana", NEW)
    await world.wait(timedelta(minutes=1))
    await world.say("ana", "hola")
    await chooses(world, wanted=False, ago=timedelta(minutes=2))
    assert await is_reminded(world, "ana")
    assert not any("¿Sigues ahí?" in each for each in world.heard_by(NEW))
