"""The audit: a chain that shows every change, and a table that takes none."""

import asyncio
import sqlite3

import psycopg
import pytest
from scenes import NOW, Scene, later

from hilo.store.audit import START, AuditEntry, BrokenLink, Verified, add_audit, verify

pytest_plugins = ("databases",)

ENTRY = AuditEntry("agent", "called", "session_1 order", {"call": "c", "precio": "12,5 €"})


async def add(scene: Scene, *entries: AuditEntry, workspace: str = "w", seconds: float = 0) -> None:
    await scene.store.run(add_audit, workspace, entries or (ENTRY,), at=later(seconds))


def tamper(scene: Scene, sql: str) -> None:
    """What somebody could do who owns the database."""
    if scene.kind == "postgres":
        scene.rows(f"SET session_replication_role = replica; {sql}")
        return
    for verb in ("update", "delete"):
        scene.rows(f"DROP TRIGGER audit_no_{verb}")
    scene.rows(sql)


async def test_an_empty_chain_holds(scene: Scene) -> None:
    assert await scene.store.run(verify, "w") == Verified(0, None, START)


async def test_a_chain_holds_and_tells_its_end(scene: Scene) -> None:
    await add(scene, ENTRY, AuditEntry("Olga", "took over", "session_1"))
    await add(scene, seconds=5)
    verified = await scene.store.run(verify, "w")
    assert (verified.entries, verified.last_at, verified.broken) == (3, later(5), None)
    assert scene.column("SELECT hash FROM audit ORDER BY number")[-1] == verified.last_hash


async def test_entries_that_come_at_once_make_one_chain_without_gaps(scene: Scene) -> None:
    await asyncio.gather(*(add(scene, ENTRY, ENTRY) for _ in range(10)))
    verified = await scene.store.run(verify, "w")
    assert (verified.entries, verified.broken) == (20, None)


async def test_workspaces_have_chains_of_their_own(scene: Scene) -> None:
    await add(scene)
    await add(scene, ENTRY, ENTRY, workspace="v")
    ours, theirs = [await scene.store.run(verify, workspace) for workspace in ("w", "v")]
    assert (ours.entries, theirs.entries) == (1, 2)
    assert ours.last_hash != theirs.last_hash


@pytest.mark.parametrize("column", ["at", "actor", "action", "subject", "detail", "previous", "hash"])
async def test_a_changed_entry_is_found(scene: Scene, column: str) -> None:
    await add(scene, ENTRY, ENTRY, ENTRY)
    new = "at + 1" if column == "at" else f"REPLACE({column}, SUBSTR({column}, 1, 1), 'z')"
    tamper(scene, f"UPDATE audit SET {column} = {new} WHERE number = 2")  # noqa: S608
    verified = await scene.store.run(verify, "w")
    assert verified.broken == BrokenLink(2, "was changed")
    assert verified.entries == 1


@pytest.mark.parametrize(("number", "broken"), [(1, 1), (2, 2)])
async def test_a_removed_entry_is_found(scene: Scene, number: int, broken: int) -> None:
    await add(scene, ENTRY, ENTRY, ENTRY)
    tamper(scene, f"DELETE FROM audit WHERE number = {number}")  # noqa: S608
    assert (await scene.store.run(verify, "w")).broken == BrokenLink(broken, "is missing")


async def test_removed_entries_at_the_end_show_in_the_number_and_the_hash(scene: Scene) -> None:
    """Nothing in the table can tell; whoever noted the end elsewhere sees that it moved."""
    await add(scene, ENTRY, ENTRY, ENTRY)
    noted = await scene.store.run(verify, "w")
    tamper(scene, "DELETE FROM audit WHERE number = 3")
    verified = await scene.store.run(verify, "w")
    assert (verified.entries, verified.broken) == (2, None)
    assert verified.last_hash != noted.last_hash


async def test_an_inserted_entry_is_found(scene: Scene) -> None:
    await add(scene, ENTRY, ENTRY, ENTRY)
    tamper(scene, "UPDATE audit SET number = 4 WHERE number = 3")
    copied = "workspace_id, 3, at, actor, action, subject, detail, previous, hash"
    scene.rows(f"INSERT INTO audit SELECT {copied} FROM audit WHERE number = 2")  # noqa: S608
    assert (await scene.store.run(verify, "w")).broken == BrokenLink(3, "was changed")


async def test_entries_that_changed_places_are_found(scene: Scene) -> None:
    await add(scene, ENTRY, AuditEntry("x", "y", "z"), ENTRY)
    tamper(scene, "UPDATE audit SET number = CASE number WHEN 1 THEN 12 ELSE 11 END WHERE number < 3")
    scene.rows(
        "INSERT INTO audit SELECT workspace_id, number - 10, at, actor, action, subject, detail, previous, hash "
        "FROM audit WHERE number > 10"
    )
    assert (await scene.store.run(verify, "w")).broken == BrokenLink(1, "was changed")


async def test_a_long_chain_is_followed_to_its_end(scene: Scene) -> None:
    await add(scene, *[ENTRY] * 1001)
    assert (await scene.store.run(verify, "w")).entries == 1001


@pytest.mark.parametrize("sql", ["UPDATE audit SET actor = 'me'", "DELETE FROM audit", "TRUNCATE audit"])
async def test_the_database_refuses_changes(scene: Scene, sql: str) -> None:
    await add(scene)
    if scene.kind == "sqlite" and sql.startswith("TRUNCATE"):
        return
    with pytest.raises((sqlite3.IntegrityError, psycopg.errors.RaiseException), match="append-only"):
        scene.rows(sql)
    assert (await scene.store.run(verify, "w")).entries == 1


async def test_nothing_to_add_adds_nothing(scene: Scene) -> None:
    await scene.store.run(add_audit, "w", (), at=NOW)
    assert (await scene.store.run(verify, "w")).entries == 0
