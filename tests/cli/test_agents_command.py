"""`hilo agents` and `hilo diff`, as a person uses them."""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from hilo.errors import HiloError

AGE = re.compile(r"\d+ \w+ ago")

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """Another version of `leads`."""
    folder = tmp_path / "edited"
    shutil.copytree(ROOT / "agents/leads", folder)
    file = folder / "agent.yaml"
    text = file.read_text(encoding="utf-8").replace("¿A qué correo te escribimos?", "¿Cuál es tu correo, por favor?")
    file.write_text(text, encoding="utf-8")
    return folder


def done(result: Result) -> str:
    assert result.exit_code == 0, result.exception
    return result.output


def refused(result: Result) -> str:
    assert isinstance(result.exception, HiloError), result.output
    return str(result.exception)


def listed(run: Run, name: str = "leads") -> dict[str, object]:
    found = json.loads(done(run("agents", "list", "--json")))
    return next(each for each in found if each["name"] == name)


def test_agents_are_listed_with_what_is_in_force_and_who_talks_to_which(run: Run) -> None:
    page = done(run("agents"))
    assert AGE.sub("", page) == AGE.sub("", done(run("agents", "list")))
    for name, sessions in (("leads", 4), ("vuelos", 3)):
        version = listed(run, name)["in_force"]
        [line] = [line for line in page.splitlines() if line.startswith(name)]
        assert line.split()[1] == version
        assert f"{sessions} on {version}" in line
        assert " engine " in line


def test_publishing_and_going_back(run: Run, edited: Path) -> None:
    first = listed(run)["in_force"]
    said = done(run("agents", "publish", edited, "--by", "Olga"))
    second = listed(run)["in_force"]
    assert f"leads {second} is in force instead of {first}" in said
    assert "is in force already; nothing was changed" in done(run("agents", "publish", edited))
    page = done(run("agents", "versions", "leads"))
    assert [line.split()[0] for line in page.splitlines()[1:]] == [second, first]
    assert "Olga" in page
    assert f"leads {first} is in force instead of {second}" in done(run("agents", "rollback", "leads", "--by", "Pía"))
    assert f"leads {second} is in force instead of {first}" in done(run("agents", "rollback", "leads"))
    assert "is in force already" in done(run("agents", "rollback", "leads", str(second)[:4]))
    acts = json.loads(done(run("audit", "list", "--json")))[-3:]
    assert [(each["actor"], each["action"]) for each in acts] == [
        ("Olga", "published"),
        ("Pía", "rolled back"),
        ("operator", "rolled back"),
    ]
    assert "✓" in done(run("audit", "verify"))


def test_open_sessions_are_counted_on_their_own_version(run: Run, edited: Path) -> None:
    first = listed(run)["in_force"]
    done(run("agents", "publish", edited))
    assert f"4 on {first}" in done(run("agents"))


def test_a_file_that_may_not_run_is_not_published(run: Run, edited: Path) -> None:
    before = listed(run)
    (edited / "agent.yaml").write_text("agent: leads\nflows: {a: {steps: [{say: nothing_such}]}}")
    assert "nothing_such" in refused(run("agents", "publish", ROOT / "agents/vuelos", edited))
    assert listed(run) == before
    assert "there is no agent at" in refused(run("agents", "publish", edited / "nowhere"))


SERVED = """
agent: agenda
tools:
  mcp:
    calendar: {command: [python, mcp_calendar.py], allow: [list_events]}
flows:
  ver: {starts: [qué tengo hoy], steps: [{do: calendar_list_events}]}
"""


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """An agent with a tool of an MCP server."""
    pytest.importorskip("mcp")
    shutil.copy(ROOT / "tests/tools/mcp_calendar.py", tmp_path)
    (tmp_path / "agent.yaml").write_text(SERVED, encoding="utf-8")
    return tmp_path


def test_what_an_mcp_server_says_of_its_tools_is_published_too(run: Run, database: Path, served: Path) -> None:
    done(run("agents", "publish", served))
    with closing(sqlite3.connect(database)) as file:
        [(offers,)] = file.execute("SELECT offers FROM agents WHERE name = 'agenda'")
    assert json.loads(offers)["tools"]["calendar_list_events"]["parameters"] == {"day": True, "limit": False}


def test_an_agent_whose_server_lacks_a_tool_is_not_published(run: Run, served: Path) -> None:
    text = SERVED.replace("list_events", "list_holidays")
    (served / "agent.yaml").write_text(text, encoding="utf-8")
    assert "calendar has no tool list_holidays; it has" in refused(run("agents", "publish", served))
    assert "agenda" not in done(run("agents"))


def test_what_is_not_there_is_told_with_what_is(run: Run) -> None:
    version = str(listed(run)["in_force"])
    wrong = version[:-1] + ("0" if version[-1] != "0" else "1")
    assert f"did you mean {version}?" in refused(run("agents", "rollback", "leads", wrong))
    assert f"it has 1 version: {version}" in refused(run("agents", "rollback", "leads", "zz"))
    assert "only had the version" in refused(run("agents", "rollback", "leads"))
    assert "did you mean leads?" in refused(run("agents", "versions", "lead"))
    assert "none was ever published" in refused(run("agents", "versions", "leads", "--workspace", "other"))
    assert "hilo workspace add other" in refused(
        run("agents", "publish", ROOT / "agents/leads", "--workspace", "other")
    )
    assert "No agent was ever published" in done(run("agents", "list", "--workspace", "other"))


def test_versions_and_files_are_compared(run: Run, edited: Path) -> None:
    version = listed(run)["in_force"]
    page = done(run("diff", "leads", edited))
    assert "− “¿A qué correo te escribimos?”" in page
    assert "+ “¿Cuál es tu correo, por favor?”" in page
    assert page.splitlines()[-1] == "1 change"
    assert run("diff", "leads", edited, "--exit-code").exit_code == 1
    assert run("diff", "leads", f"leads@{str(version)[:5]}", "--exit-code").exit_code == 0
    [change] = json.loads(done(run("diff", f"leads@{version}", edited, "--json")))
    assert (change["part"], change["kind"]) == ("texts", "changed")
    done(run("agents", "publish", edited))
    assert "it is the same text" in done(run("diff", "leads", edited))


def test_a_stored_version_is_read_without_its_folder(run: Run) -> None:
    """`vuelos` has tools in Python; what was kept of them is enough."""
    assert "Nothing changed" in done(run("diff", "vuelos", ROOT / "agents/vuelos"))


def test_a_comment_changes_nothing(run: Run, edited: Path) -> None:
    text = (ROOT / "agents/leads/agent.yaml").read_text(encoding="utf-8")
    (edited / "agent.yaml").write_text(f"# of our own\n{text}", encoding="utf-8")
    assert "only comments" in done(run("diff", "leads", edited))


def test_what_cannot_be_compared_says_why(run: Run, edited: Path) -> None:
    assert "no file or folder here" in refused(run("diff", "nobody", edited))
    assert "has no version zz" in refused(run("diff", "leads@zz", edited))
