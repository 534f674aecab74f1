import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from hilo.app.installation import WORKSPACE
from hilo.cli.database import masked
from hilo.cli.database import workspace_option as option

Run = Callable[..., Result]


def test_sessions_are_listed_the_newest_first(run: Run) -> None:
    result = run("sessions")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0].split() == ["session", "contact", "agent", "status", "turns", "last", "look", "at"]
    assert [line.split()[1] for line in lines[1:]] == ["…3123", "…9000", "…7888", "…4555", "…5666", "…3444", "…1222"]
    assert lines[3].split()[2:5] == ["vuelos", "active", "11"]


def test_what_somebody_should_look_at_stands_beside_the_session(run: Run) -> None:
    lines = {line.split()[1]: line for line in run("sessions").output.splitlines()}
    assert lines["…5666"].rstrip().endswith("1 failed")
    assert lines["…4555"].rstrip().endswith("handoff: llm_intent")
    assert "handed off" in lines["…4555"]


def test_only_handed_off_sessions_on_request(run: Run) -> None:
    assert [line.split()[1] for line in run("sessions", "--handed-off").output.splitlines()[1:]] == ["…4555"]


def test_a_limit_is_kept_and_said(run: Run) -> None:
    output = run("sessions", "--limit", 2).output
    assert len(output.splitlines()) == 4
    assert "--limit shows more" in output


def test_json_has_masked_addresses_and_times_with_a_zone(run: Run) -> None:
    found = json.loads(run("sessions", "--all", "--json").output)
    assert len(found) == 7
    assert found[0]["address"] == "…3123"
    assert found[0]["last_at"].endswith("+00:00")
    assert found[0]["holder"] == "agent"


@pytest.mark.parametrize("columns", [80, 120])
def test_the_page_fits_the_terminal(run: Run, columns: int) -> None:
    assert max(map(len, run("sessions", columns=columns).output.splitlines())) <= columns


def test_another_workspace_sees_nothing(run: Run) -> None:
    assert run("sessions", "--all", "--workspace", "other").output == "There are no sessions here.\n"


def test_a_database_that_is_not_there_is_an_error_and_is_not_made(run: Run, tmp_path: Path) -> None:
    for command in (["sessions"], ["show", "1"], ["audit", "verify"], ["usage"]):
        result = run(*command, url=f"sqlite:///{tmp_path / 'none.db'}")
        assert result.exit_code == 1
        assert "set HILO_DATABASE_URL" in str(result.exception)
    assert not (tmp_path / "none.db").exists()


def test_the_workspace_is_that_of_an_installation_that_has_only_one() -> None:
    def command() -> None: ...

    assert option(command).__click_params__[0].default == WORKSPACE  # type: ignore[attr-defined]


@pytest.mark.parametrize(("address", "shown"), [("34600111222", "…1222"), ("ana", "…a"), ("x", "…x"), ("12345", "…45")])
def test_an_address_is_never_shown_by_more_than_half(address: str, shown: str) -> None:
    assert masked(address) == shown
