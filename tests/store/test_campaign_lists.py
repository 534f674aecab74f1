"""Campaigns in the store: each contact is begun with once, within the limit, unless something speaks against it."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest
from scenes import NOW, Scene, later

from hilo.dialogue.events import CampaignReached
from hilo.messages import Address, MarketingChoice
from hilo.store.campaign_reports import ReportedChoice, choose, list_recipients, list_rounds, set_standing
from hilo.store.campaigns import (
    Begun,
    CampaignPace,
    CampaignPlace,
    Enlisted,
    ReachedRecipient,
    Recipient,
    begin_contacts,
    due_campaigns,
    enlist,
    foresee,
    next_campaign,
)
from hilo.store.contacts import change_contact

pytest_plugins = ("databases",)

PLACE = CampaignPlace("w", "wa", "aviso")
PACE = CampaignPace(per_hour=100)
HOUR = 3600


def people(number: int, *, first: int = 0, **more: Any) -> list[Recipient]:
    given = {"opted_in": True, "slots": {"nombre": "Ana"}, **more}
    return [Recipient(f"54911{each:08}", row=each + 2, **given) for each in range(first, first + number)]


async def begin(scene: Scene, *, at: datetime = NOW, pace: CampaignPace = PACE) -> Begun:
    """The campaign that was given a list last."""
    *_, due = await scene.store.run(due_campaigns, now=at)
    return await scene.store.run(begin_contacts, due.id, pace, now=at)


async def reasons(scene: Scene) -> dict[str, str]:
    [found] = await scene.store.run(list_rounds, "w", at_most=10)
    rows = await scene.store.run(list_recipients, "w", found.id, after=0, at_most=100)
    return {each.number: each.reason or each.status for each in rows}


async def test_a_list_that_is_given_again_adds_nobody(scene: Scene) -> None:
    assert await scene.store.run(enlist, PLACE, people(3), now=NOW) == Enlisted(new=3)
    assert await scene.store.run(enlist, PLACE, people(5), now=later(1)) == Enlisted(new=2, known=3)
    other = CampaignPlace("w", "wa", "aviso", "2027")
    assert await scene.store.run(enlist, other, people(3), now=later(2)) == Enlisted(new=3)


async def test_lists_that_are_given_at_once_add_each_contact_once(scene: Scene) -> None:
    given = [scene.store.run(enlist, PLACE, people(20), now=later(each)) for each in range(5)]
    found = await asyncio.gather(*given)
    assert sum(each.new for each in found) == 20
    assert scene.column("SELECT COUNT(*) FROM recipients") == [20]


async def test_each_contact_is_begun_with_once_however_many_look(scene: Scene) -> None:
    await scene.store.run(enlist, PLACE, people(30), now=NOW)
    [due] = await scene.store.run(due_campaigns, now=NOW)
    found = await asyncio.gather(*(scene.store.run(begin_contacts, due.id, PACE, now=NOW) for _ in range(6)))
    addresses = [address for each in found for address in each.addresses]
    assert len(addresses) == len(set(addresses)) == 30
    assert scene.column("SELECT COUNT(*) FROM inbox") == [30]
    assert await scene.store.run(next_campaign) is None


async def test_the_limit_of_an_hour_holds_for_all_processes_and_campaigns_of_a_channel(scene: Scene) -> None:
    pace = CampaignPace(per_hour=10)
    await scene.store.run(enlist, PLACE, people(8), now=NOW)
    await scene.store.run(enlist, CampaignPlace("w", "wa", "otro"), people(20, first=50), now=NOW)
    due = await scene.store.run(due_campaigns, now=NOW)
    for _ in range(3):
        looked = [scene.store.run(begin_contacts, each.id, pace, now=NOW) for each in due]
        await asyncio.gather(*looked)
    assert scene.column("SELECT COUNT(*) FROM recipients WHERE begun_at IS NOT NULL") == [10]
    again = await scene.store.run(next_campaign)
    assert again == later(HOUR)
    assert await scene.store.run(due_campaigns, now=later(HOUR - 1)) == ()
    for each in await scene.store.run(due_campaigns, now=later(HOUR)):
        await scene.store.run(begin_contacts, each.id, pace, now=later(HOUR))
    assert scene.column("SELECT COUNT(*) FROM recipients WHERE begun_at IS NOT NULL") == [20]


async def test_the_event_carries_what_the_list_gives_and_opens_a_session(scene: Scene) -> None:
    await scene.store.run(enlist, PLACE, people(1), now=NOW)
    [address] = (await begin(scene)).addresses
    taken = await scene.take(address)
    [pending] = taken.events
    assert isinstance(pending.event, CampaignReached)
    assert (pending.event.campaign, pending.event.values) == ("aviso", {"nombre": "Ana"})
    assert taken.session is None
    reached = ReachedRecipient(pending.event.recipient)
    await scene.commit(taken, say=("hola",), reached=reached)
    [found] = await scene.store.run(list_rounds, "w", at_most=10)
    assert found.counts == {"sending": 1}
    assert scene.column("SELECT slots FROM recipients") == ["{}"]  # it is in the session now


async def test_what_a_turn_refuses_is_in_the_report(scene: Scene) -> None:
    await scene.store.run(enlist, PLACE, people(1), now=NOW)
    [address] = (await begin(scene)).addresses
    taken = await scene.take(address)
    event = taken.events[0].event
    assert isinstance(event, CampaignReached)
    await scene.commit(taken, reached=ReachedRecipient(event.recipient, "busy after all"))
    assert list((await reasons(scene)).values()) == ["busy after all"]


async def test_nobody_is_written_to_who_has_not_agreed(scene: Scene) -> None:
    listed = [*people(1), *people(1, first=1, opted_in=False), *people(1, first=2)]
    out = ReportedChoice("wa", (listed[2].value, ""), wanted=False, actor="olga")
    assert await scene.store.run(choose, "w", out, now=NOW)
    await scene.store.run(enlist, PLACE, listed, now=later(1))
    assert len((await begin(scene, at=later(1))).addresses) == 1
    assert list((await reasons(scene)).values()) == ["sending", "has not opted in", "opted out"]
    assert await scene.store.run(foresee, CampaignPlace("w", "wa", "otro"), listed, PACE, now=later(2)) == (
        "a campaign wrote to them less than a day ago",
        "has not opted in",
        "opted out",
    )


async def test_who_agrees_later_is_written_to_when_the_list_is_given_again(scene: Scene) -> None:
    listed = people(1, opted_in=False)
    await scene.store.run(enlist, PLACE, listed, now=NOW)
    assert (await begin(scene)).addresses == ()
    agreed = ReportedChoice("wa", (listed[0].value, ""), wanted=True, actor="olga")
    await scene.store.run(choose, "w", agreed, now=later(1))
    assert await scene.store.run(enlist, PLACE, listed, now=later(2)) == Enlisted(again=1)
    assert len((await begin(scene, at=later(2))).addresses) == 1


async def test_a_list_cannot_undo_what_a_contact_has_chosen(scene: Scene) -> None:
    [ana] = people(1)
    await scene.turn("hola", sender=ana.value)
    stop = MarketingChoice(Address("wa", ana.value), wanted=False, at=later(1))
    await scene.store.run(change_contact, "wa", stop, now=later(1))
    await scene.store.run(enlist, PLACE, [ana], now=later(2))
    assert (await begin(scene, at=later(2))).addresses == ()
    assert await reasons(scene) == {ana.value: "opted out"}


async def test_a_contact_is_known_by_either_way_of_writing_the_number(scene: Scene) -> None:
    await scene.turn("hola", sender="541155551234")
    listed = [Recipient("5491155551234", "541155551234", opted_in=True)]
    await scene.store.run(enlist, PLACE, listed, now=later(1))
    await begin(scene, at=later(1))
    assert scene.column("SELECT COUNT(*) FROM addresses") == [1]


async def test_an_open_conversation_is_not_broken_into(scene: Scene) -> None:
    [ana, beto] = people(2)
    taken = await scene.turn("hola", sender=ana.value)
    held = await scene.take((await scene.hear("quiero hablar", sender=ana.value)).address)
    assert held.session is not None
    held.session.holder = "operator"
    held.session.status = "handed_off"
    await scene.commit(held)
    await scene.store.run(enlist, PLACE, [ana, beto], now=later(1))
    assert len((await begin(scene, at=later(1))).addresses) == 1
    assert (await reasons(scene))[ana.value] == "an operator has the conversation"
    assert taken.place.value == ana.value


async def test_a_stopped_round_writes_to_nobody_until_it_goes_on(scene: Scene) -> None:
    await scene.store.run(enlist, PLACE, people(2), now=NOW)
    [found] = await scene.store.run(list_rounds, "w", at_most=10)
    assert await scene.store.run(set_standing, "w", found.id, "stopped", actor="olga", now=NOW)
    assert await scene.store.run(due_campaigns, now=NOW) == ()
    assert await scene.store.run(begin_contacts, found.id, PACE, now=NOW) == Begun()
    await scene.store.run(enlist, PLACE, people(3), now=later(1))
    assert await scene.store.run(due_campaigns, now=later(1)) == ()
    await scene.store.run(set_standing, "w", found.id, "running", actor="olga", now=later(2))
    assert len((await begin(scene, at=later(2))).addresses) == 3


async def test_a_channel_that_cannot_send_is_waited_for(scene: Scene) -> None:
    await scene.store.run(enlist, PLACE, people(1), now=NOW)
    scene.rows("UPDATE channels SET paused_until = 1 + (SELECT MAX(created_at) FROM campaigns) WHERE id = 'wa'")
    begun = await begin(scene)
    assert begun.addresses == ()
    assert begun.next_at is not None
    assert begun.next_at > NOW


async def test_other_workspaces_see_and_stop_nothing(scene: Scene) -> None:
    await scene.store.run(enlist, PLACE, people(1), now=NOW)
    [found] = await scene.store.run(list_rounds, "w", at_most=10)
    assert await scene.store.run(list_rounds, "v", at_most=10) == ()
    assert await scene.store.run(list_rounds, "v", at_most=10, campaign=found.id) == ()
    assert await scene.store.run(list_recipients, "v", found.id, after=0, at_most=10) == ()
    assert not await scene.store.run(set_standing, "v", found.id, "stopped", actor="eve", now=NOW)
    stranger = ReportedChoice("wa", ("5491100000000", ""), wanted=False, actor="eve")
    assert not await scene.store.run(choose, "v", stranger, now=NOW)


@pytest.mark.parametrize("hours", [1, 23])
async def test_who_was_written_to_today_is_left_out_of_another_campaign(scene: Scene, hours: int) -> None:
    await scene.store.run(enlist, PLACE, people(1), now=NOW)
    [address] = (await begin(scene)).addresses
    await scene.next_turn(address)
    at = NOW + timedelta(hours=hours)
    await scene.store.run(enlist, CampaignPlace("w", "wa", "otro"), people(1), now=at)
    assert (await begin(scene, at=at)).addresses == ()
