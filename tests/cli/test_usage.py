import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


def lines_of(result: Result) -> list[list[str]]:
    return [line.split() for line in result.output.splitlines()]


def test_usage_is_summed_by_agent_and_stage(run: Run) -> None:
    lines = [line.split() for line in run("usage").output.splitlines()]
    assert [line[:3] for line in lines[1:-2]] == [
        ["leads", "embedded", "13"],
        ["leads", "none", "3"],
        ["vuelos", "embedded", "16"],
        ["vuelos", "exact", "2"],
    ]
    assert lines[-2] == ["all", "34", "100%", "0", "0", "0.0000", "10"]


def test_tokens_cost_and_times_are_those_of_the_turns(run: Run, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE usage SET milliseconds = turn WHERE agent = 'vuelos'")
        connection.execute(
            "UPDATE usage SET input_tokens = 1000, output_tokens = 50, cost = '0.0125'"
            " WHERE stage = 'exact' AND turn = 5"
        )
        connection.commit()
    found = {(each["agent"], each["stage"]): each for each in json.loads(run("usage", "--json").output)}
    exact = found["vuelos", "exact"]
    assert (exact["turns"], exact["free_turns"], exact["input_tokens"], exact["cost"]) == (2, 1, 1000, "0.0125")
    assert (exact["half"], exact["most"]) == (5, 10)
    assert lines_of(run("usage"))[4][:7] == ["vuelos", "exact", "2", "50%", "1,050", "0", "0.0125"]


BILLS = [  # of the first session of vuelos: turn, attempt, model, input, output, cached, cost
    (5, "one", "claude-haiku-5-5", 7, 3, 0, "0.000022"),
    (5, "one", "claude-sonnet-5-5", 100, 50, 40, "0.001062"),
    (5, "two", "claude-sonnet-5-5", 100, 50, 0, "0.00105"),
    (99, "gone", "claude-haiku-5-5", 10, 0, 0, "0.00001"),
]


@pytest.fixture
def paid(database: Path) -> None:
    """Models were asked: two in one turn, one of them twice, and one for a turn that came to nothing."""
    with closing(sqlite3.connect(database)) as connection:
        connection.executemany(
            "INSERT INTO usage (turn, attempt, model, input_tokens, output_tokens, cached_tokens, cost,"
            " session_id, workspace_id, agent, at)"
            " SELECT ?, ?, ?, ?, ?, ?, ?, session_id, workspace_id, agent, at FROM usage WHERE rowid ="
            " (SELECT MIN(rowid) FROM usage WHERE agent = 'vuelos')",
            BILLS,
        )
        connection.commit()


@pytest.mark.usefixtures("paid")
def test_all_attempts_and_models_of_a_turn_are_that_turn(run: Run) -> None:
    found = {(each["agent"], each["stage"]): each for each in json.loads(run("usage", "--json").output)}
    paid = [each for each in found.values() if each["input_tokens"]]
    assert [(each["turns"], each["input_tokens"], each["cost"]) for each in paid] == [
        (2, 207, "0.002134"),
        (0, 10, "0.00001"),
    ]
    assert found["vuelos", "no turn"]["free_turns"] == 0
    assert sum(each["turns"] for each in found.values()) == 34


@pytest.mark.usefixtures("paid")
def test_the_share_of_turns_without_a_model_is_shown_in_total_and_by_agent(run: Run) -> None:
    assert "Turns without a model: 97% (leads 100%, vuelos 94%)." in run("usage").output


@pytest.mark.usefixtures("paid")
def test_models_have_a_table_of_their_own(run: Run) -> None:
    assert lines_of(run("usage", "--by", "model"))[1:4] == [
        ["claude-haiku-5-5", "2", "17", "0", "0", "3", "0.0000"],
        ["claude-sonnet-5-5", "1", "200", "40", "0", "100", "0.0021"],
        ["all", "217", "40", "0", "103", "0.0021"],
    ]
    shown = json.loads(run("usage", "--by", "model", "--json").output)
    assert [(each["model"], each["cost"], each["currency"]) for each in shown] == [
        ("claude-haiku-5-5", "0.000032", "USD"),
        ("claude-sonnet-5-5", "0.002112", "USD"),
    ]


def test_no_model_was_asked_is_said(run: Run) -> None:
    assert run("usage", "--by", "model").output == "No model was asked in the last 7 days.\n"
    assert "Cost in" not in run("usage").output


@pytest.mark.usefixtures("paid")
def test_example_prices_are_called_so_until_somebody_gives_others(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Cost in USD, by example prices as of 2026-11-15" in run("usage").output.replace("\n", " ")
    (tmp_path / "models.toml").write_text('example = false\ncurrency = "EUR"\n')
    monkeypatch.setenv("HILO_MODELS", str(tmp_path / "models.toml"))
    assert "Cost in EUR.\n" in run("usage").output


def test_only_so_many_days_count(run: Run, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE usage SET at = at - 86400 * 1000000 * 2")
        connection.commit()
    assert run("usage", "--days", 1).output == "No turns in the last 1 days.\n"
    assert lines_of(run("usage", "--days", 3))[-2][:2] == ["all", "34"]


@pytest.mark.usefixtures("paid")
def test_the_page_fits_80_columns(run: Run) -> None:
    assert max(map(len, run("usage", "--by", "model", columns=80).output.splitlines())) <= 80
    assert max(map(len, run("usage", columns=80).output.splitlines())) <= 80
