"""Every command of docs/operating.md is run on a real database, and prints what the page shows."""

import re
import shlex
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(r"^```console\n\$ hilo ([^\n]+)\n```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = EXAMPLE.findall((ROOT / "docs/operating.md").read_text(encoding="utf-8"))

CHANGING = (  # what is another each time that people talk
    (r"[0-9a-f]{64}", "HASH"),
    (r"handoff_[0-9a-f]{20}", "HANDOFF"),
    (r"\b[0-9a-f]{8}(?=  0000)", "HANDOFF"),
    (r"session_([0-9a-f]{8})[0-9a-f]{8}", r"session_\1…"),
    (r"\b[0-9a-f]{12}\b", "VERSION"),
    (r"\b[0-9a-f]{16}\b", "DIGEST"),
    (r"\d{4}-\d\d-\d\d", "DATE"),
    (r"\b\d\d-\d\d (?=\d\d:)", ""),
    (r"\d\d:\d\d:\d\d", "TIME"),
    (r"\w+, \d\d \w+ \d{4}", "DAY"),
    (r"el \d+ de \w+ de \d{4}", "el DÍA"),
    (r"\d+ (?:s|min) ago", "AGO"),
    (r"\b[A-Z2-9]{6}\b", "LOCATOR"),
    (r"\(\d+ ms\)|\b[\d,]*\d\.\d\b|\b\d+\.\d\d\b(?= ms| →|$)", "MS"),
    (r"─+", "─"),
    (r"\s+", " "),
)


def shape(page: str) -> str:
    for pattern, instead in CHANGING:
        page = re.sub(pattern, instead, page)
    return page.strip()


@pytest.fixture(autouse=True)
def _a_folder_with_an_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents").symlink_to(ROOT / "agents")
    shutil.copytree(ROOT / "agents/vuelos", tmp_path / "edited")
    file = tmp_path / "edited" / "agent.yaml"
    text = file.read_text(encoding="utf-8").replace("¿De dónde sales?", "¿Desde dónde vuelas?")
    text = text.replace("En total, {fare_total} dólares.", "En total, {fare_total} dólares y 15 de tasas.")
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("command", "page"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_the_page_shows_what_is_printed(run: Run, database: Path, command: str, page: str) -> None:
    with closing(sqlite3.connect(database)) as file:
        [(waiting,)] = file.execute("SELECT id FROM handoffs WHERE status = 'pending'")
    command = re.sub("(?<=handoffs show )[0-9a-f]{8}", waiting, command)  # its id is another each time
    result = run(*shlex.split(command), columns=80)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    # The words of a table wrap elsewhere when "9 s ago" has become "10 s ago".
    assert sorted(shape(result.output).split()) == sorted(shape(page).split())


def test_every_command_that_looks_into_the_database_has_an_example() -> None:
    shown = {command.split()[0] for command, _ in EXAMPLES}
    assert shown == {"sessions", "show", "handoffs", "outbox", "agents", "diff", "replay", "audit", "usage"}
