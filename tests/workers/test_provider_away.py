"""A provider that is away, or refuses our credentials: nothing that was said is lost, and nobody storms it."""

from collections import Counter
from datetime import datetime, timedelta

import pytest
import structlog

from hilo.channels.channel import CredentialsRefused, Outcome, Rejected, Sent, TryLater
from hilo.dialogue.events import Released
from hilo.store.audit import news_since
from hilo.store.channel_health import troubled_channels
from hilo.store.handoffs import list_handoffs
from hilo.store.undelivered import NotMoved, discard, list_undelivered, resend
from hilo.testing.world import Delivered, World

NAMES = ("ana", "beto", "carla", "dora", "emil")


class Away:
    """Refuses everything until a moment, and counts what it was asked."""

    def __init__(self, world: World, until: datetime, refusal: Outcome) -> None:
        self.world, self.until, self.refusal = world, until, refusal
        self.asked: list[datetime] = []

    def __call__(self, _delivered: Delivered) -> Outcome:
        now = self.world.clock.now()
        if now >= self.until:
            return Sent()
        self.asked.append(now)
        return self.refusal


def leave(world: World, seconds: float, refusal: Outcome | None = None) -> Away:
    away = Away(world, world.clock.now() + timedelta(seconds=seconds), refusal or TryLater("503", away=True))
    world.channel.outcome = away
    return away


async def test_all_are_answered_once_after_forty_seconds_of_503(shop_world: World) -> None:
    leave(shop_world, 40)
    for name in NAMES:
        await shop_world.write(name, "hola")
    await shop_world.wait(timedelta(seconds=80))
    assert Counter(each.to for each in shop_world.channel.delivered) == dict.fromkeys(NAMES, 1)
    assert await shop_world.hilo.store.run(troubled_channels) == ()


async def test_a_provider_that_is_away_is_asked_by_one_message_at_a_time(shop_world: World) -> None:
    away = leave(shop_world, 600)
    for number in range(30):
        await shop_world.write(f"contact{number}", "hola")
    await shop_world.wait(timedelta(minutes=8))
    asked = Counter(away.asked)
    first = min(asked)
    assert all(times == 1 for at, times in asked.items() if at - first > timedelta(seconds=5))
    assert len(away.asked) < 30 + 30
    await shop_world.wait(timedelta(minutes=4))
    assert len(shop_world.channel.delivered) == 30


async def test_replies_go_out_in_order_when_the_provider_is_back(shop_world: World) -> None:
    leave(shop_world, 60)
    await shop_world.write("ana", "hola")
    await shop_world.wait(timedelta(seconds=10))
    await shop_world.write("ana", "soy Ana Pérez")
    await shop_world.wait(timedelta(minutes=2))
    heard = shop_world.heard_by("ana")
    assert len(heard) == 2
    assert "¿Qué quieres pedir?" in heard[1]


async def test_an_outage_of_hours_loses_nothing(shop_world: World) -> None:
    leave(shop_world, 5 * 3600)
    await shop_world.write("ana", "hola")
    await shop_world.wait(timedelta(hours=5, minutes=2))
    assert len(shop_world.heard_by("ana")) == 1


async def test_refused_credentials_are_said_and_cost_no_message(shop_world: World) -> None:
    with structlog.testing.capture_logs() as logs:
        leave(shop_world, 300, CredentialsRefused("the token has expired"))
        for name in NAMES:
            await shop_world.write(name, "hola")
        await shop_world.wait(timedelta(minutes=2))
        [trouble] = await shop_world.hilo.store.run(troubled_channels)
        assert (trouble.trouble, trouble.reason) == ("credentials", "the token has expired")
        await shop_world.wait(timedelta(minutes=8))
    assert len(shop_world.channel.delivered) == len(NAMES)
    said = [each for each in logs if each["event"] == "a channel cannot send"]
    assert [(each["log_level"], each["reason"]) for each in said] == [("error", "the token has expired")]
    page = await shop_world.hilo.store.run(news_since, shop_world.workspace, 0)
    [news] = [each.detail for each in page.items if each.kind == "channel_trouble"]
    assert (news["trouble"], news["reason"]) == ("credentials", "the token has expired")


async def test_what_can_never_be_sent_goes_to_a_person(shop_world: World) -> None:
    leave(shop_world, 60, Rejected("no such number"))
    await shop_world.say("ana", "hola")
    store = shop_world.hilo.store
    [handoff] = await store.run(list_handoffs, shop_world.workspace, "open", at_most=10)
    assert (handoff.policy, handoff.reason) == ("send_failed", "no such number")
    [message] = await store.run(list_undelivered, shop_world.workspace, "", at_most=10)
    assert (message.status, message.reason) == ("failed", "no such number")


@pytest.mark.parametrize("moved", ["resend", "discard"])
async def test_a_person_may_send_again_or_discard(shop_world: World, moved: str) -> None:
    leave(shop_world, 60, Rejected("no such number"))
    await shop_world.say("ana", "hola")
    store, workspace, now = shop_world.hilo.store, shop_world.workspace, shop_world.clock.now()
    [message] = await store.run(list_undelivered, workspace, "failed", at_most=10)
    shop_world.channel.outcome = lambda _delivered: Sent()
    act = resend if moved == "resend" else discard
    assert await store.run(act, "another", message.id, actor="eva", now=now) == NotMoved("absent")
    assert isinstance(await store.run(act, workspace, message.id, actor="eva", now=now), str)
    assert await store.run(act, workspace, message.id, actor="eva", now=now) == NotMoved("not stuck")
    await shop_world.settle()
    assert len(shop_world.heard_by("ana")) == (1 if moved == "resend" else 0)
    assert await store.run(list_undelivered, workspace, "", at_most=10) == ()


async def test_what_a_person_sends_again_and_fails_again_is_told_again_and_holds_up_nothing(shop_world: World) -> None:
    leave(shop_world, 600, Rejected("no such number"))
    await shop_world.say("ana", "hola")
    store, workspace = shop_world.hilo.store, shop_world.workspace
    [message] = await store.run(list_undelivered, workspace, "failed", at_most=10)
    [first] = await store.run(list_handoffs, workspace, "open", at_most=10)
    shop_world.channel.outcome = lambda _delivered: Sent()
    await shop_world.happen(message.session, Released(shop_world.clock.now()), external_id="back")
    await shop_world.wait(timedelta(minutes=1))
    leave(shop_world, 600, Rejected("another reason"))
    await shop_world.hilo.intake.resend(workspace, message.id, actor="eva")
    await shop_world.settle()
    [message] = await store.run(list_undelivered, workspace, "failed", at_most=10)
    assert message.reason == "another reason"
    [second] = await store.run(list_handoffs, workspace, "open", at_most=10)
    assert (second.policy, second.reason) == ("send_failed", "another reason")
    assert second.id != first.id


async def test_what_was_never_tried_goes_to_a_person_too(shop_world: World) -> None:
    """The channel was paused all the time, so that nobody tried: that is no reason to say nothing."""
    leave(shop_world, 40 * 3600, CredentialsRefused("the token has expired"))
    for name in NAMES:
        await shop_world.write(name, "hola")
    await shop_world.wait(timedelta(minutes=20))
    shop_world.clock.time += timedelta(hours=23)  # every minute of which would be like those before and after it
    await shop_world.wait(timedelta(hours=1, minutes=40))
    found = await shop_world.hilo.store.run(list_undelivered, shop_world.workspace, "", at_most=10)
    assert Counter((each.address, each.status) for each in found) == {(name, "failed"): 1 for name in NAMES}
    handoffs = await shop_world.hilo.store.run(list_handoffs, shop_world.workspace, "open", at_most=10)
    assert [each.policy for each in handoffs] == ["send_failed"] * len(NAMES)


async def test_a_refusal_of_one_message_shows_that_the_provider_is_back(shop_world: World) -> None:
    away = leave(shop_world, 20)
    for name in NAMES:
        await shop_world.write(name, "hola")
    await shop_world.wait(timedelta(seconds=19))
    refused: list[str] = []

    def back(delivered: Delivered) -> Outcome:
        if shop_world.clock.now() < away.until:
            return away(delivered)
        if refused:
            return Sent()
        refused.append(delivered.to)
        return Rejected("no such number")

    shop_world.channel.outcome = back
    await shop_world.wait(timedelta(seconds=20))
    assert sorted([*refused, *(each.to for each in shop_world.channel.delivered)]) == sorted(NAMES)
