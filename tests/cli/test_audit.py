import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]


def spoil(database: Path, sql: str) -> None:
    """What only somebody with the file can do."""
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(f"DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete; {sql}")


def test_a_whole_chain_is_verified_with_its_head(run: Run) -> None:
    result = run("audit", "verify")
    assert result.exit_code == 0
    assert re.fullmatch(r"✓ 6 entries, the last of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\nhead [0-9a-f]{64}\n", result.output)


def test_a_changed_entry_is_found(run: Run, database: Path) -> None:
    spoil(database, "UPDATE audit SET actor = 'nobody' WHERE number = 2")
    result = run("audit", "verify")
    assert result.exit_code == 1
    assert result.output == "✗ broken: entry 2 was changed; the last that holds is 1\n"


def test_a_missing_entry_is_found(run: Run, database: Path) -> None:
    spoil(database, "DELETE FROM audit WHERE number = 3")
    result = run("audit", "verify", "--json")
    assert result.exit_code == 1
    assert json.loads(result.output)["broken"] == {"number": 3, "why": "is missing"}


def test_an_empty_audit_is_whole(run: Run) -> None:
    result = run("audit", "verify", "--workspace", "other")
    assert result.exit_code == 0
    assert "empty" in result.output


def test_entries_say_who_did_what_to_whom(run: Run) -> None:
    lines = run("audit", "list", columns=160).output.splitlines()[1:]
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5", "6"]
    assert re.search(r"Olga +took over +0{7}8", lines[1])
    assert re.search(r"agent +called +[0-9a-f]{8} book_flight  call: \w+, outputs: {\"locator\"", lines[4])


def test_the_newest_entries_are_listed(run: Run) -> None:
    found = json.loads(run("audit", "list", "--limit", 2, "--json").output)
    assert [each["number"] for each in found] == [5, 6]
    assert found[1]["detail"]["outputs"] == {"dropped": "DEMO22", "dropped_also": ""}


def test_an_empty_audit_says_so(run: Run) -> None:
    assert run("audit", "list", "--workspace", "other").output == "The audit is empty.\n"
