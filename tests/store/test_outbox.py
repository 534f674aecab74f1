"""The outbox: in order, one at a time for each address, tried again, held back, within the channel's rate."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from scenes import NOW, SECOND, Scene, draft, later, next_session

from hilo.messages import ApprovedTemplate, Attachment, Button, Outbound, Receipt
from hilo.store.outbox import GIVES_UP, OutboxEntry, Sending, Went, add_messages, begin, end, note_receipts
from hilo.store.turns import TurnInput
from hilo.store.work import LEASE, NotNow, clear_owner, waiting

pytest_plugins = ("databases",)

LATER = Went("later", "busy")


def status(scene: Scene) -> list[str]:
    return scene.column("SELECT status FROM outbox ORDER BY id")


def reasons(scene: Scene) -> list[str]:
    return scene.column("SELECT reason FROM outbox ORDER BY id")


@pytest.fixture
async def said(scene: Scene) -> TurnInput:
    """A turn that said three things."""
    return await scene.turn("hola", say=("uno", "dos", "tres"))


@pytest.fixture
def address(said: TurnInput) -> str:
    return said.place.address


async def test_messages_go_out_in_order(scene: Scene, address: str) -> None:
    assert [await scene.send(address) for _ in range(3)] == ["uno", "dos", "tres"]
    assert await scene.sends_nothing(address) is None
    assert status(scene) == ["sent"] * 3


async def test_one_message_is_in_flight_for_an_address(scene: Scene, address: str) -> None:
    tries = (scene.store.run(begin, address, owner=str(each), now=NOW) for each in range(5))
    answers = await asyncio.gather(*tries)
    assert sum(isinstance(each, Sending) for each in answers) == 1
    assert {each.at for each in answers if isinstance(each, NotNow)} == {NOW + LEASE}


async def test_addresses_do_not_wait_for_each_other(scene: Scene, address: str) -> None:
    other = await scene.turn("buenas", sender="beto", say=("cuatro",))
    await scene.begin(address)
    assert await scene.send(other.place.address) == "cuatro"


async def test_a_message_is_put_into_the_outbox_once(scene: Scene, said: TurnInput) -> None:
    await scene.say(draft(said, "uno"))
    assert len(status(scene)) == 3


async def test_all_parts_of_a_message_are_kept(scene: Scene, said: TurnInput) -> None:
    whole = Outbound(
        "¿Cuál?",
        (Button("a", "Una"), Button("b", "Otra")),
        Attachment("location", name="Aquí", latitude=4.6, longitude=-74.1),
        ApprovedTemplate("saludo", "es", ("Ana", "2")),
    )
    address = said.place.address
    for _ in range(3):
        await scene.send(address)
    await scene.say(replace(draft(said, "x"), message=whole), replace(draft(said, "y"), message=Outbound("")))
    assert (await scene.begin(address)).message == whole


async def test_a_message_is_tried_again_for_a_day_with_growing_pauses(scene: Scene, address: str) -> None:
    pauses, at = [], NOW
    while status(scene)[0] == "pending":
        await scene.send(address, LATER, at=at)
        due = await scene.sends_nothing(address, at=at)
        assert due is not None
        pauses.append((due - at).total_seconds())
        at = due if len(pauses) < 10 else due + timedelta(hours=2)
        if at - NOW >= GIVES_UP:
            await scene.sends_nothing(address, at=at)
    assert all(base <= pause <= base * 1.25 for base, pause in zip((1, 2, 4, 8, 16, 32, 60, 60), pauses, strict=False))
    assert max(pauses) <= 75
    assert reasons(scene)[0] == f"{len(pauses)} attempts in 24 hours, the last: busy"
    assert await scene.send(address, at=at) == "dos"


async def test_messages_that_failed_together_are_not_tried_together(scene: Scene) -> None:
    due = set()
    for address in await crowd(scene, 20):
        await scene.send(address, LATER)
        due.add(await scene.sends_nothing(address))
    assert len(due) > 10


async def test_what_was_refused_often_may_still_end_unknown(scene: Scene, address: str) -> None:
    at = NOW
    for _ in range(6):
        await scene.send(address, LATER, at=at)
        at += timedelta(minutes=2)
    await scene.send(address, Went("unknown", "no answer"), at=at)
    assert status(scene)[0] == "sending"


async def test_the_channel_may_ask_for_a_longer_pause_but_not_for_a_shorter(scene: Scene, address: str) -> None:
    await scene.send(address, Went("later", after=timedelta(seconds=30)))
    assert await scene.sends_nothing(address, at=later(1)) == later(30)
    await scene.send(address, Went("later", after=SECOND), at=later(30))
    due = await scene.sends_nothing(address, at=later(30))
    assert due is not None
    assert due >= later(32)


async def test_a_message_that_waits_keeps_those_behind_it_waiting(scene: Scene, said: TurnInput) -> None:
    await scene.send(said.place.address, LATER)
    await scene.say(draft(said, "urgente", author="operator"))
    due = await scene.sends_nothing(said.place.address)
    assert due is not None
    assert await scene.send(said.place.address, at=due) == "uno"


async def test_a_message_that_cannot_be_sent_lets_the_next_go(scene: Scene, address: str) -> None:
    await scene.send(address, Went("failed", "no such number"))
    assert await scene.send(address) == "dos"
    assert reasons(scene)[0] == "no such number"


async def test_the_end_of_a_sending_tells_when_the_next_may_go(scene: Scene) -> None:
    address = (await scene.turn("hola", say=("uno", "dos"))).place.address
    for went, at, due in (
        (Went("later", after=SECOND * 5), 0, later(5)),
        (Went("sent"), 5, NOW),
        (Went("sent"), 6, None),
    ):
        sending = await scene.begin(address, at=later(at))
        assert await scene.store.run(end, sending, went, now=later(at)) == NotNow(due)


# --- who may speak ------------------------------------------------------------------------------------


async def hand_off(scene: Scene, taken: TurnInput) -> None:
    """An operator has the session from now on."""
    await scene.hear("humano")
    again = await scene.take(taken.place.address)
    held = replace(next_session(again), holder="operator", status="handed_off")
    await scene.commit(again, session=held)


async def test_what_the_agent_said_is_held_while_an_operator_has_the_session(scene: Scene, said: TurnInput) -> None:
    await hand_off(scene, said)
    assert await scene.sends_nothing(said.place.address) is None
    assert status(scene) == ["held"] * 3


async def test_notices_and_the_operators_words_go_out_while_an_operator_has_the_session(
    scene: Scene, said: TurnInput
) -> None:
    session = said.session_id
    await scene.say(
        draft(said, "aviso", session=session, author="notice"),
        draft(said, "soy Olga", session=session, author="operator"),
    )
    await hand_off(scene, said)
    assert [await scene.send(said.place.address) for _ in range(2)] == ["aviso", "soy Olga"]
    assert status(scene) == ["held", "held", "held", "sent", "sent"]


async def test_more_held_messages_than_are_looked_at_together_hold_nothing_up(scene: Scene, said: TurnInput) -> None:
    session = said.session_id
    many = [draft(said, f"m{each}", session=session) for each in range(45)]
    await scene.say(*many, draft(said, "soy Olga", session=session, author="operator"))
    await hand_off(scene, said)
    assert await scene.send(said.place.address) == "soy Olga"


async def test_the_operators_words_are_urgent_until_they_are_sent(scene: Scene, said: TurnInput) -> None:
    async def urgent() -> list[bool]:
        return [each.urgent for each in await scene.store.run(waiting, until=NOW) if each.kind == "send"]

    address = said.place.address
    assert await urgent() == [False]
    await scene.say(draft(said, "soy Olga", author="operator"))
    assert await urgent() == [True]
    for _ in range(4):
        await scene.send(address)
    await scene.say(draft(said, "agente"))
    assert await urgent() == [False]


# --- the rate of a channel ----------------------------------------------------------------------------


async def crowd(scene: Scene, size: int) -> list[str]:
    """Addresses that have one message each."""
    names = [f"contact{each}" for each in range(size)]
    heard = [await scene.hear(f"hola {name}", sender=name) for name in names]
    for name, each in zip(names, heard, strict=True):
        once = OutboxEntry(f"m-{name}", "w", "wa", each.address, None, None, "agent", Outbound(name))
        await scene.store.run(add_messages, (once,), now=NOW)
    return [each.address for each in heard]


async def test_senders_together_never_pass_the_rate_of_a_channel(scene: Scene) -> None:
    await scene.channel("wa", per_second=4)
    addresses = await crowd(scene, 15)
    sent: list[datetime] = []

    async def sender(name: str, at: datetime) -> None:
        for address in addresses:
            answer = await scene.store.run(begin, address, owner=name, now=at)
            if isinstance(answer, Sending):
                sent.append(at)
                await scene.store.run(end, answer, Went("sent"), now=at)

    for tick in range(12):
        moments = [later(tick * 0.25 + each * 0.01) for each in (4, 0, 3, 1, 2)]  # their clocks differ a little
        await asyncio.gather(*(sender(str(each), at) for each, at in enumerate(moments)))
        assert len(sent) <= 4 + 4 * (tick * 0.25 + 0.04)
    assert len(sent) == 15


async def test_a_channel_without_a_rate_is_not_limited(scene: Scene) -> None:
    for address in await crowd(scene, 8):
        await scene.send(address)


async def test_who_must_wait_for_the_rate_is_told_how_long(scene: Scene) -> None:
    await scene.channel("wa", per_second=0.5)
    first, second = await crowd(scene, 2)
    await scene.send(first)
    assert await scene.sends_nothing(second) == later(2)
    await scene.send(second, at=later(2))


async def test_new_settings_do_not_refill_a_channel(scene: Scene) -> None:
    await scene.channel("wa", per_second=1)
    first, second = await crowd(scene, 2)
    await scene.send(first)
    await scene.channel("wa", per_second=1)
    assert await scene.sends_nothing(second) == later(1)


# --- when it is not known whether a message was sent --------------------------------------------------


async def test_what_a_dead_process_was_sending_waits_for_its_receipt_and_is_sent_again_without_one(
    scene: Scene, address: str
) -> None:
    await scene.channel("wa", echo=30)
    await scene.begin(address, owner="dead")
    await scene.store.run(clear_owner, "dead")
    assert await scene.sends_nothing(address, at=later(1)) == later(30)
    again = await scene.begin(address, at=later(30))
    assert (again.message.text, again.attempts) == ("uno", 2)


async def test_what_a_dead_process_was_sending_is_not_sent_again_when_its_receipt_came(
    scene: Scene, address: str
) -> None:
    await scene.channel("wa", echo=30)
    await scene.begin(address, owner="dead")
    await scene.store.run(clear_owner, "dead")
    await scene.sends_nothing(address, at=later(1))
    freed = await scene.store.run(note_receipts, "wa", [Receipt("uno", "delivered", later(2))], now=later(3))
    assert freed == (address,)
    assert await scene.send(address, at=later(3)) == "dos"
    assert status(scene) == ["delivered", "sent", "pending"]


async def test_an_unknown_end_waits_for_the_receipt_too(scene: Scene, address: str) -> None:
    await scene.channel("wa", echo=30)
    await scene.send(address, Went("unknown", "no answer"))
    assert await scene.sends_nothing(address) == later(30)
    assert await scene.send(address, at=later(30)) == "uno"


async def test_a_message_that_kills_its_senders_is_given_up(scene: Scene, address: str) -> None:
    for attempt in range(5):
        sending = await scene.begin(address, at=later(attempt), owner="dead")
        assert sending.message.text == "uno"
        await scene.store.run(clear_owner, "dead")
    await scene.sends_nothing(address, at=later(5))
    assert status(scene)[0] == "failed"
    assert await scene.send(address, at=later(5)) == "dos"


async def test_an_unknown_end_is_given_up_at_the_fifth(scene: Scene, address: str) -> None:
    for seconds in (0, 1, 3, 7, 15):
        assert await scene.send(address, Went("unknown", "no answer"), at=later(seconds)) == "uno"
    assert reasons(scene)[0] == "perhaps sent: no answer"
    assert status(scene)[0] == "failed"


# --- quiet hours ------------------------------------------------------------------------------------------

NIGHT = "21:00 08:00 America/Bogota"


async def test_what_nobody_asked_for_is_not_sent_by_night(scene: Scene) -> None:
    taken = await scene.turn("hola")
    await scene.say(replace(draft(taken, "¿Seguimos?"), message_id="by timer", quiet=NIGHT))
    ten_pm = datetime(2026, 3, 9, 22, 0, tzinfo=ZoneInfo("America/Bogota"))
    morning = datetime(2026, 3, 10, 8, 0, tzinfo=ZoneInfo("America/Bogota"))
    assert await scene.sends_nothing(taken.place.address, at=ten_pm) == morning
    assert await scene.sends_nothing(taken.place.address, at=morning - SECOND) == morning
    assert await scene.send(taken.place.address, at=morning) == "¿Seguimos?"


async def test_an_answer_is_sent_at_any_hour(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("uno",))
    assert await scene.send(taken.place.address, at=datetime(2026, 3, 9, 3, 0, tzinfo=ZoneInfo("UTC"))) == "uno"
