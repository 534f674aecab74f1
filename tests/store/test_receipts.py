"""Receipts: in whatever order and however often they come, the end is the same."""

import asyncio
import itertools
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from scenes import NOW, Scene, draft, later

from hilo.messages import ApprovedTemplate, Outbound, Receipt
from hilo.store.outbox import Went, end, note_receipts
from hilo.tools.database import micros

pytest_plugins = ("databases",)

STATUSES: tuple[Any, ...] = ("sent", "failed", "delivered", "read")  # each outranks those before it
NUMBERS = itertools.count()
SLOW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def receipt(message: str, status: Any) -> Receipt:
    return Receipt(message, status, later(STATUSES.index(status)), reason="blocked" if status == "failed" else "")


async def note(scene: Scene, message: str, *statuses: str) -> None:
    for status in statuses:
        await scene.store.run(note_receipts, "wa", [receipt(message, status)], now=NOW)


async def message_of(scene: Scene, message: str) -> tuple[str, str]:
    [row] = scene.rows(f"SELECT status, reason FROM outbox WHERE message_id = '{message}'")  # noqa: S608
    return row["status"], row["reason"]


def expected(statuses: list[Any]) -> tuple[str, str]:
    last = max(statuses, key=STATUSES.index, default="sent")
    return last, "blocked" if last == "failed" else ""


@given(st.lists(st.sampled_from(STATUSES), max_size=8), st.integers(0, 8))
@example(["delivered", "failed"], 0)
@example(["failed", "delivered", "sent"], 1)
@SLOW
async def test_receipts_in_any_order_and_twice_come_to_the_same_end(
    scene: Scene, statuses: list[str], before: int
) -> None:
    """Some come before the channel's answer, some after it."""
    number = next(NUMBERS)
    name, channel_id = f"message{number}", f"channel{number}"
    taken = await scene.turn(f"hola{number}", sender=name, say=(name,))
    sending = await scene.begin(taken.place.address)
    await note(scene, channel_id, *statuses[:before])
    await scene.store.run(end, sending, Went("sent", channel_message_id=channel_id), now=NOW)
    await note(scene, channel_id, *statuses[before:])
    assert await message_of(scene, name) == expected(statuses)


@given(st.lists(st.sampled_from(STATUSES), min_size=1, max_size=8), st.integers(0, 8))
@SLOW
async def test_receipts_by_our_own_id_come_to_the_same_end(scene: Scene, statuses: list[str], before: int) -> None:
    number = next(NUMBERS)
    name = f"message{number}"
    taken = await scene.turn(f"hola{number}", sender=name, say=(name,))
    sending = await scene.begin(taken.place.address)
    await note(scene, name, *statuses[:before])
    await scene.store.run(end, sending, Went("sent"), now=NOW)
    await note(scene, name, *statuses[before:])
    assert await message_of(scene, name) == expected(statuses)


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_receipt_before_the_answer_tells_by_our_clock_when_a_message_went(scene: Scene, hours: int) -> None:
    """Whether a yes was written before its question is told by this time: the clock of a channel may be wrong."""
    taken = await scene.turn("hola", say=("uno",))
    sending = await scene.begin(taken.place.address)
    ahead = replace(receipt("uno", "delivered"), at=NOW + timedelta(hours=hours))
    await scene.store.run(note_receipts, "wa", [ahead], now=later(1))
    await scene.store.run(end, sending, Went("sent"), now=later(2))
    assert scene.column("SELECT sent_at FROM outbox") == [micros(later(1))]


@pytest.mark.parametrize("statuses", [*itertools.permutations(STATUSES[:3]), ("sent", "failed"), ("failed", "sent")])
async def test_a_message_that_came_too_late_is_held_unless_it_was_delivered_all_the_same(
    scene: Scene, statuses: tuple[Any, ...]
) -> None:
    taken = await scene.turn("hola", say=("uno",))
    await scene.send(taken.place.address)
    for status in statuses:
        each = replace(receipt("uno", status), window_closed=status == "failed")
        await scene.store.run(note_receipts, "wa", [each], now=NOW)
    last, _ = await message_of(scene, "uno")
    assert last == ("delivered" if "delivered" in statuses else "held")


@pytest.fixture
async def with_template(scene: Scene) -> str:
    """The address that was sent a message with a template for when the window is closed."""
    taken = await scene.take((await scene.hear("hola")).address)
    message = Outbound("hola", approved=ApprovedTemplate("saludo", "es"))
    await scene.commit(taken, messages=(replace(draft(taken, "uno"), message=message),))
    await scene.send(taken.place.address)
    return taken.place.address


TOO_LATE = replace(receipt("uno", "failed"), window_closed=True)


async def test_a_template_goes_instead_of_what_came_too_late_once(scene: Scene, with_template: str) -> None:
    for _ in range(2):
        await scene.store.run(note_receipts, "wa", [TOO_LATE], now=NOW)
    sending = await scene.begin(with_template)
    assert sending.message == Outbound("", approved=ApprovedTemplate("saludo", "es"))
    assert len(scene.column("SELECT id FROM outbox")) == 2


async def test_no_template_goes_instead_of_what_was_delivered(scene: Scene, with_template: str) -> None:
    await note(scene, "uno", "delivered")
    await scene.store.run(note_receipts, "wa", [TOO_LATE], now=NOW)
    assert scene.column("SELECT status FROM outbox") == ["delivered"]
    assert await scene.sends_nothing(with_template) is None


async def test_a_failure_after_the_delivery_does_not_undo_it(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("uno",))
    await scene.send(taken.place.address)
    await note(scene, "uno", "delivered", "failed", "sent")
    assert await message_of(scene, "uno") == ("delivered", "")


async def test_a_failed_answer_does_not_undo_a_receipt(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("uno",))
    sending = await scene.begin(taken.place.address)
    await note(scene, "uno", "delivered")
    await scene.store.run(end, sending, Went("later", "no answer"), now=NOW)
    assert await message_of(scene, "uno") == ("delivered", "")
    assert await scene.sends_nothing(taken.place.address) is None


async def test_receipts_that_come_at_once_come_to_the_same_end(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("uno",))
    await scene.send(taken.place.address)
    await asyncio.gather(*(note(scene, "uno", status) for status in STATUSES * 4))
    assert await message_of(scene, "uno") == ("read", "")


async def test_a_receipt_and_the_answer_that_names_its_message_do_not_pass_each_other(scene: Scene) -> None:
    for number in range(10):
        name, channel_id = f"uno{number}", f"wamid{number}"
        taken = await scene.turn(f"hola{number}", say=(name,))
        sending = await scene.begin(taken.place.address)
        answer = Went("sent", channel_message_id=channel_id)
        await asyncio.gather(note(scene, channel_id, "read"), scene.store.run(end, sending, answer, now=NOW))
        assert await message_of(scene, name) == ("read", "")


async def test_a_receipt_of_another_channel_is_not_ours(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("uno",))
    await scene.send(taken.place.address, Went("sent", channel_message_id="wamid"))
    for message in ("uno", "wamid", ""):
        await scene.store.run(note_receipts, "far", [receipt(message, "failed")], now=NOW)
    assert await message_of(scene, "uno") == ("sent", "")


async def test_an_unknown_receipt_is_kept_and_harms_nothing(scene: Scene) -> None:
    assert await scene.store.run(note_receipts, "wa", [receipt("nobody", "read")], now=NOW) == ()
    assert scene.column("SELECT message_id FROM receipts") == ["nobody"]
