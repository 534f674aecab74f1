"""A channel that cannot send is left alone, tried with one message at a time, and drained when it is back."""

from datetime import timedelta

import pytest
from scenes import NOW, Scene, draft, later

from hilo.messages import Receipt
from hilo.store.channel_health import (
    LOOKS_AGAIN,
    channel_activity,
    note_failure,
    note_success,
    pause_channel,
    resume_channel,
    troubled_channels,
)
from hilo.store.outbox import WINDOW_CLOSED, Went, end, note_receipts
from hilo.store.undelivered import list_undelivered, resend
from hilo.store.work import NotNow
from hilo.store.workspaces import KNOWN_AFTER, channels, renew_channel

pytest_plugins = ("databases",)

AWAY = Went("later", "no connection", trouble="away")


async def fail(scene: Scene, times: int = 3) -> None:
    for _ in range(times):
        await scene.store.run(note_failure, "wa", "away", "no connection", now=NOW)


async def two(scene: Scene) -> tuple[str, str]:
    """The addresses of two contacts who wait for an answer."""
    turns = [await scene.turn(f"hola {name}", sender=name, say=(name,)) for name in ("ana", "beto")]
    return turns[0].place.address, turns[1].place.address


async def test_a_channel_is_left_alone_after_three_failures_in_a_row(scene: Scene) -> None:
    ana, beto = await two(scene)
    await fail(scene, 2)
    assert await scene.store.run(troubled_channels) == ()
    await fail(scene, 1)
    [found] = await scene.store.run(troubled_channels)
    assert (found.trouble, found.reason, found.since) == ("away", "no connection", NOW)
    assert await scene.sends_nothing(ana) == await scene.sends_nothing(beto) == found.until


async def test_a_success_in_between_begins_the_count_anew(scene: Scene) -> None:
    ana, _ = await two(scene)
    await fail(scene, 2)
    await scene.store.run(note_success, "wa", now=NOW)
    await fail(scene, 2)
    assert await scene.send(ana) == "ana"


async def test_only_one_message_is_tried_after_the_pause(scene: Scene) -> None:
    ana, beto = await two(scene)
    await fail(scene)
    [found] = await scene.store.run(troubled_channels)
    trial = await scene.begin(ana, at=found.until)
    assert trial.channel_fails
    waits = await scene.sends_nothing(beto, at=found.until)
    assert waits is not None
    assert waits > found.until


async def test_pauses_grow_up_to_half_a_minute(scene: Scene) -> None:
    await two(scene)
    pauses = []
    for _ in range(10):
        found = await scene.store.run(note_failure, "wa", "away", "no connection", now=NOW)
        if found:
            pauses.append((found.until - NOW).total_seconds())
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30]


async def test_all_who_waited_may_go_when_the_channel_is_back(scene: Scene) -> None:
    ana, beto = await two(scene)
    sending = await scene.begin(beto)
    await scene.store.run(end, sending, AWAY, now=NOW)
    await fail(scene, 6)
    for address in (ana, beto):
        await scene.sends_nothing(address)
    freed = await scene.store.run(note_success, "wa", now=NOW)
    assert beto in freed
    assert [await scene.send(each) for each in (ana, beto)] == ["ana", "beto"]
    assert await scene.store.run(troubled_channels) == ()


async def test_refused_credentials_pause_a_channel_at_once_and_lose_no_message(scene: Scene) -> None:
    ana, _ = await two(scene)
    sending = await scene.begin(ana)
    await scene.store.run(end, sending, Went("later", "401", trouble="credentials"), now=NOW)
    found = await scene.store.run(note_failure, "wa", "credentials", "401", now=NOW)
    assert found is not None
    assert (found.is_news, found.until) == (True, NOW + timedelta(minutes=1))
    again = await scene.store.run(note_failure, "wa", "credentials", "401", now=later(60))
    assert again is not None
    assert (again.is_news, again.since) == (False, NOW)
    assert await scene.send(ana, at=later(120)) == "ana"


async def test_new_settings_let_a_channel_be_tried_at_once(scene: Scene) -> None:
    ana, _ = await two(scene)
    await scene.store.run(note_failure, "wa", "credentials", "401", now=NOW)
    await scene.channel("wa")
    assert await scene.send(ana) == "ana"


async def test_what_waits_is_tried_with_renewed_credentials_as_soon_as_every_process_has_them(scene: Scene) -> None:
    ana, _ = await two(scene)
    refused = Went("later", "401", trouble="credentials")
    await scene.store.run(end, await scene.begin(ana), refused, now=NOW)
    await scene.store.run(note_failure, "wa", "credentials", "401", now=NOW)
    row = next(each for each in await scene.store.run(channels) if each.id == "wa")
    await scene.store.run(renew_channel, row, names=["token"], actor="eva", now=later(1))
    [found] = await scene.store.run(troubled_channels)
    assert found.until == later(1) + KNOWN_AFTER, "who still has the old ones must not spend the trial on them"
    assert await scene.sends_nothing(ana, at=later(2)) == found.until
    assert await scene.send(ana, at=found.until) == "ana"


async def test_over_a_paused_channel_nothing_goes_until_somebody_says_so(scene: Scene) -> None:
    ana, beto = await two(scene)
    on_its_way = await scene.begin(ana)
    assert await scene.store.run(pause_channel, "w", "wa", actor="eva", now=NOW)
    assert await scene.sends_nothing(beto) == NOW + LOOKS_AGAIN
    await scene.store.run(end, on_its_way, AWAY, now=NOW)
    assert await scene.store.run(note_failure, "wa", "credentials", "401", now=NOW) is None
    assert await scene.store.run(note_success, "wa", now=NOW) == ()
    await scene.channel("wa")  # the process begins anew and tells its channels again
    [found] = await scene.store.run(troubled_channels)
    assert (found.trouble, found.reason) == ("paused", "eva")
    seen = await scene.store.run(channel_activity, "w", since=NOW)
    assert (seen["wa"].waiting, seen["wa"].failed) == (2, 0)
    assert await scene.sends_nothing(beto, at=later(3600)) == later(3600) + LOOKS_AGAIN
    freed = await scene.store.run(resume_channel, "w", "wa", actor="eva", now=later(3600))
    assert freed is not None
    assert beto in freed
    assert [await scene.send(each, at=later(3600)) for each in (ana, beto)] == ["ana", "beto"]
    assert scene.column("SELECT action FROM audit ORDER BY number")[-2:] == ["channel paused", "channel resumed"]


async def test_a_channel_of_another_workspace_is_neither_paused_nor_resumed(scene: Scene) -> None:
    ana, _ = await two(scene)
    assert not await scene.store.run(pause_channel, "other", "wa", actor="eva", now=NOW)
    assert await scene.store.run(resume_channel, "other", "wa", actor="eva", now=NOW) is None
    assert await scene.send(ana) == "ana"


async def test_one_unreadable_message_does_not_hold_up_the_next(scene: Scene) -> None:
    address = (await scene.turn("hola", say=("uno", "dos"))).place.address
    scene.rows("UPDATE outbox SET message = '[]' WHERE id = (SELECT MIN(id) FROM outbox) RETURNING id")
    assert await scene.send(address) == "dos"
    assert scene.column("SELECT status FROM outbox ORDER BY id") == ["failed", "sent"]
    assert scene.column("SELECT kind FROM inbox WHERE status = 'pending'") == ["SendFailed"]


async def test_what_can_never_be_said_is_told_to_a_person_once(scene: Scene) -> None:
    address = (await scene.turn("hola", say=("uno",))).place.address
    sending = await scene.begin(address)
    for _ in range(2):
        assert await scene.store.run(end, sending, Went("failed", "no such number"), now=NOW) == NotNow(None)
    assert scene.column("SELECT kind FROM inbox WHERE status = 'pending'") == ["SendFailed"]


async def test_what_could_not_be_said_before_the_window_closed_is_told_though_nobody_tried(scene: Scene) -> None:
    await scene.channel("wa", window_hours=24)
    address = (await scene.turn("hola", say=("uno",))).place.address
    await scene.store.run(note_failure, "wa", "credentials", "401", now=later(24 * 3600 - 30))
    assert await scene.sends_nothing(address, at=later(24 * 3600)) is None
    assert scene.column("SELECT status FROM outbox") == ["held"]
    assert scene.column("SELECT kind FROM inbox WHERE status = 'pending'") == ["SendFailed"]


@pytest.mark.parametrize("as_receipt", [False, True])
async def test_what_the_provider_refuses_for_its_window_is_told_to_a_person(scene: Scene, *, as_receipt: bool) -> None:
    sending = await scene.begin((await scene.turn("hola", say=("uno",))).place.address)
    if as_receipt:
        refusal = Receipt(sending.message_id, "failed", NOW, "re-engagement", window_closed=True)
        await scene.store.run(note_receipts, "wa", [refusal], now=NOW)
    else:
        await scene.store.run(end, sending, Went("held", WINDOW_CLOSED), now=NOW)
    assert scene.column("SELECT status FROM outbox") == ["held"]
    assert scene.column("SELECT kind FROM inbox WHERE status = 'pending'") == ["SendFailed"]


async def test_what_was_said_after_the_window_had_closed_is_held_and_calls_nobody(scene: Scene) -> None:
    await scene.channel("wa", window_hours=24)
    taken = await scene.turn("hola")
    await scene.say(draft(taken, "uno", session=taken.session_id), at=later(25 * 3600))
    assert await scene.sends_nothing(taken.place.address, at=later(25 * 3600)) is None
    assert scene.column("SELECT status FROM outbox") == ["held"]
    assert scene.column("SELECT kind FROM inbox WHERE status = 'pending'") == []


async def test_a_message_that_is_sent_again_has_a_day_again(scene: Scene) -> None:
    address = (await scene.turn("hola", say=("uno",))).place.address
    await scene.send(address, Went("failed", "no such number"))
    [message] = await scene.store.run(list_undelivered, "w", "failed", at_most=10)
    tomorrow = 30 * 3600
    await scene.store.run(resend, "w", message.id, actor="eva", now=later(tomorrow))
    await scene.send(address, AWAY, at=later(tomorrow))
    assert await scene.send(address, at=later(tomorrow + 60)) == "uno"


async def test_what_the_channel_took_and_lost_goes_out_again_under_another_id(scene: Scene) -> None:
    """Under the first the provider would take it for the same message, and it would count as sent."""
    address = (await scene.turn("hola", say=("uno",))).place.address
    first = (await scene.begin(address)).message_id
    await scene.store.run(note_receipts, "wa", [Receipt(first, "failed", NOW, "unreachable")], now=NOW)
    [message] = await scene.store.run(list_undelivered, "w", "failed", at_most=10)
    await scene.store.run(resend, "w", message.id, actor="eva", now=later(60))
    again = await scene.begin(address, at=later(60))
    assert (again.message.text, again.message_id != first) == ("uno", True)
    await scene.store.run(note_receipts, "wa", [Receipt(again.message_id, "failed", NOW, "still so")], now=later(61))
    events = scene.column("SELECT event FROM inbox WHERE kind = 'SendFailed' ORDER BY id")
    assert ["unreachable" in str(events[0]), "still so" in str(events[1])] == [True, True]
