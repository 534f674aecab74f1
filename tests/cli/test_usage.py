import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]


def test_usage_is_summed_by_agent_and_stage(run: Run) -> None:
    lines = [line.split() for line in run("usage").output.splitlines()]
    assert [line[:3] for line in lines[1:-1]] == [
        ["leads", "embedded", "13"],
        ["leads", "none", "3"],
        ["vuelos", "embedded", "16"],
        ["vuelos", "exact", "2"],
    ]
    assert lines[-1] == ["all", "34", "100%", "0", "0.0000", "6"]


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
    assert "1,050  0.0125" in " ".join(run("usage").output.split("   "))


def test_a_turn_that_asked_two_models_is_one_turn(run: Run, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "INSERT INTO usage (session_id, turn, workspace_id, agent, at, stage, model, input_tokens, milliseconds)"
            " SELECT session_id, turn, workspace_id, agent, at, stage, 'large', 7, 1 FROM usage WHERE stage = 'exact'"
        )
        connection.commit()
    found = json.loads(run("usage", "--json").output)[-1]
    assert (found["turns"], found["free_turns"], found["input_tokens"], found["tools"]) == (2, 0, 14, 1)


def test_only_so_many_days_count(run: Run, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE usage SET at = at - 86400 * 1000000 * 2")
        connection.commit()
    assert run("usage", "--days", 1).output == "No turns in the last 1 days.\n"
    assert run("usage", "--days", 3).output.splitlines()[-1].split()[1] == "34"


def test_the_page_fits_80_columns(run: Run) -> None:
    assert max(map(len, run("usage", columns=80).output.splitlines())) <= 80
