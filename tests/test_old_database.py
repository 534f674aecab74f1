"""A database of an older version: migrated, it replays as the same throughout, and its pages can be read."""

import json
import lzma
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hilo.cli import hilo

ROOT = Path(__file__).parents[1]
DUMP = ROOT / "tests" / "fixtures" / "sessions-2026-11.sql.xz"
BRIGHTLEAF = ("--workspace", "brightleaf", "--agent", ROOT / "agents" / "somnio" / "brightleaf.yaml")
# What another version of the dialogue does otherwise, by session: the reasons stand in the fixtures' README.
CHANGED: dict[str, list[str]] = json.loads((ROOT / "tests" / "fixtures" / "changed-since-2026-11.json").read_text())
# How many turns are the same with the agent file of today, where that was edited on purpose.
EDITED: dict[str, int] = json.loads((ROOT / "tests" / "fixtures" / "edited-since-2026-11.json").read_text())
ONE_IN = 12  # sessions are shown


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("old") / "hilo.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(lzma.decompress(DUMP.read_bytes()).decode())
    return file


@pytest.fixture
def database(unpacked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(unpacked, tmp_path / "hilo.db"))


Run = Callable[..., Result]


@pytest.fixture
def run(database: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line on that database, where the agents are."""
    monkeypatch.chdir(ROOT)

    def command(*arguments: object) -> Result:
        names = {"HILO_DATABASE_URL": f"sqlite:///{database}", "VUELOS_DB": str(database.parent / "vuelos.sqlite")}
        return CliRunner(env={**os.environ, **names}).invoke(hilo, [*map(str, arguments)])

    return command


def replayed(run: Run, *arguments: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("replay", *arguments, "--json").stdout)
    return found


def recorded_turns(database: Path, workspace: str) -> dict[str, int]:
    counted = "SELECT t.session_id, COUNT(*) FROM turns t JOIN sessions s ON s.id = t.session_id"
    with closing(sqlite3.connect(database)) as connection:
        return dict(connection.execute(f"{counted} WHERE s.workspace_id = ? GROUP BY 1", (workspace,)))


@pytest.mark.parametrize(("workspace", "options", "turns"), [("main", (), 1963), ("brightleaf", BRIGHTLEAF, 231)])
def test_every_session_of_an_older_version_replays_as_the_same_but_for_what_changed_on_purpose(
    run: Run, database: Path, workspace: str, options: tuple[object, ...], turns: int
) -> None:
    replays = replayed(run, "--all", "--limit", 1000, *options)
    assert [each["problem"] for each in replays if each["problem"]] == []
    compared = {each["session"]: each["kinds"]["same"] for each in replays}
    recorded_all = recorded_turns(database, workspace)
    assert compared == {session: EDITED.get(session, number) for session, number in recorded_all.items()}
    assert sum(recorded_all.values()) == turns
    # Where the dialogue does something else today, on purpose, is written down session by session.
    changed = {each["session"]: each["broken"] for each in replays if each["broken"]}
    recorded = compared.keys()
    assert changed == {session: what for session, what in CHANGED.items() if session in recorded}


def test_every_row_is_there_after_an_upgrade(run: Run, database: Path) -> None:
    before = rows(database)
    assert before["alembic_version"] == 1
    assert run("sessions").exit_code == 0  # the first command of a newer version brings the tables up to date
    after = rows(database)
    assert {table: after[table] for table in before} == before
    assert len(after) > len(before)


def rows(database: Path) -> dict[str, int]:
    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in tables}  # noqa: S608


def test_another_value_in_an_old_session_is_noticed(run: Run, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        [session] = connection.execute("SELECT id FROM sessions WHERE state LIKE '%Ana Gómez%' LIMIT 1").fetchone()
        connection.execute("UPDATE sessions SET state = replace(state, 'Ana', 'Eva') WHERE id = ?", (session,))
        connection.commit()
    [replay] = replayed(run, session)
    assert replay["broken"] == ["the session is another in: slots"]


def test_sessions_of_an_older_version_can_be_shown(run: Run, database: Path) -> None:
    recorded = recorded_turns(database, "main")
    for session in sorted(recorded)[::ONE_IN]:
        shown = run("show", session, "--traces", "--all")
        assert shown.exit_code == 0, shown.output
        assert shown.stdout.count("states") >= recorded[session]
