"""Statements that go to the database together: each has its own rows, and all belong to the transaction."""

import json
from typing import Any

import pytest
from scenes import NOW, Scene

from hilo.store.postgres import PostgresStore
from hilo.store.store import StatementFailed, stepwise
from hilo.store.turns import TurnInput, take
from hilo.tools.database import Script, execute, micros, one, statement, together

pytest_plugins = ("databases",)


def _heard(address: str, text: str) -> Any:
    values = {"workspace": "w", "channel": "wa", "address": address, "session": None, "received_at": micros(NOW)}
    return statement("add_event", **values, external_id=text, kind="MessageReceived", event=json.dumps({"text": text}))


async def test_each_has_its_rows_in_the_order_in_which_they_were_asked(scene: Scene) -> None:
    address = (await scene.hear("hola")).address

    def script() -> Script[Any]:
        return (
            yield from together(
                statement("events_done", status="done", turn=1, address=address, last=0),  # it has no rows
                _heard(address, "otra"),
                statement("channel", channel="wa"),
                statement("channel", channel="none"),
            )
        )

    done, added, channel, none = await scene.store.run(script)
    assert channel[0]["workspace_id"] == "w"
    assert isinstance(added[0]["id"], int)
    assert none == []
    assert [dict(row) for row in done] in ([], [{"done": 1}])


async def test_stored_json_is_read_as_it_is_read_alone(scene: Scene) -> None:
    address = (await scene.hear("ñandú 'quoted' \U0001f600")).address

    def script() -> Script[Any]:
        pending = statement("pending_events", address=address, at_most=5)
        alone = yield from execute("pending_events", address=address, at_most=5)
        among, _ = yield from together(pending, statement("address", address=address))
        return alone, among

    alone, among = await scene.store.run(script)
    assert [dict(row) for row in alone] == [dict(row) for row in among]


async def test_nothing_of_them_stays_when_the_transaction_breaks(scene: Scene) -> None:
    address = (await scene.hear("hola")).address

    def breaks() -> Script[None]:
        yield from together(_heard(address, "uno"), statement("channel", channel="wa"))
        raise StatementFailed("it broke")

    def waiting() -> Script[int]:
        return len((yield from execute("pending_events", address=address, at_most=9)))

    with pytest.raises(StatementFailed):
        await scene.store.run(breaks)
    assert await scene.store.run(waiting) == 1


async def test_a_stepwise_script_keeps_what_it_has_done(postgres_scene: Scene) -> None:
    address = (await postgres_scene.hear("hola")).address

    @stepwise
    def breaks() -> Script[None]:
        yield _heard(address, "uno")
        raise StatementFailed("it broke")

    def last() -> Script[Any]:
        rows = yield from execute("pending_events", address=address, at_most=9)
        channel = yield from one("channel", channel="wa")
        return len(rows), channel is not None

    with pytest.raises(StatementFailed):
        await postgres_scene.store.run(breaks)
    assert await postgres_scene.store.run(last) == (2, True)


async def test_a_process_may_die_in_every_step_of_a_taking(postgres_scene: Scene) -> None:
    """The claim stands then, as after a whole taking, and goes with the process."""
    passed: list[str] = []
    address = (await postgres_scene.hear("hola")).address
    store = await PostgresStore.open(postgres_scene.url, probe=lambda when, what: passed.append(f"{when} {what}"))
    try:
        taken = await store.run(take, address, owner="A", now=NOW)
    finally:
        await store.close()
    assert isinstance(taken, TurnInput)
    assert passed[0] == "before take"
    assert "at take" in passed
    assert passed[-1] == "after take"
