"""What programs read: JSON of checks and conversations, and JUnit XML."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from hilo.cli import hilo

AGENT = """
agent: saludos
language: es
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamas?"}
flows:
  saludo:
    starts: always
    steps: [{collect: [nombre]}, {say: "Hola, {nombre}."}]
"""
RIGHT = """
conversation: somebody says who they are
steps:
  - contact: "soy Ana"
    expect: {mentions: "Hola, Ana"}
"""
WRONG = RIGHT.replace("Hola, Ana", "Hola, Eva \\u0007").replace("somebody says", "nobody says")


def run(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(hilo, list(arguments))


@pytest.fixture
def shops(tmp_path: Path) -> Path:
    """Two agents, one of which may not run."""
    for name, text in (("buena", AGENT), ("mala", AGENT.replace("person_name", "name"))):
        (tmp_path / name / "conversations").mkdir(parents=True)
        (tmp_path / name / "agent.yaml").write_text(text, encoding="utf-8")
    talks = tmp_path / "buena" / "conversations" / "talks.yaml"
    talks.write_text(f"{RIGHT}\n---\n{WRONG}", encoding="utf-8")
    return tmp_path


def test_a_folder_of_agents_is_checked_at_once(shops: Path) -> None:
    result = run("check", str(shops))
    assert result.exit_code == 1
    assert "✓" in result.output
    assert "1 problem" in result.output


def test_a_folder_without_agents_is_said(tmp_path: Path) -> None:
    result = run("check", str(tmp_path))
    assert "there is no agent at" in str(result.exception)


def test_problems_are_told_to_programs(shops: Path) -> None:
    result = run("check", "--json", str(shops))
    assert result.exit_code == 1
    good, bad = json.loads(result.output)
    assert (good["agent"], good["problems"]) == ("saludos", [])
    [problem] = bad["problems"]
    assert problem["line"] == 5
    assert "person_name" in problem["hint"]


def test_conversations_are_told_to_programs(shops: Path) -> None:
    result = run("test", "--json", str(shops / "buena"))
    assert result.exit_code == 1
    [report] = json.loads(result.output)
    assert (report["agent"], report["passed"], report["failed"]) == ("saludos", 1, 1)
    right, wrong = report["conversations"]
    assert (right["passed"], right["differences"]) == (True, [])
    assert "talks.yaml" in wrong["place"]
    assert wrong["transcript"][0] == {"who": "contact", "text": "soy Ana"}


def test_a_ci_server_can_read_what_failed(shops: Path, tmp_path: Path) -> None:
    file = tmp_path / "results.xml"
    run("test", "--junit", str(file), str(shops))
    good, bad = ET.parse(file).getroot()  # noqa: S314 -- our own file
    assert (good.get("tests"), good.get("failures")) == ("2", "1")
    assert [case.find("failure") is None for case in good] == [True, False]
    failure = bad[0].find("failure")
    assert failure is not None
    assert "person_name" in str(failure.text)


def test_what_is_understood_of_a_text_is_json_row_by_row(shops: Path) -> None:
    result = run("understand", "--json", str(shops / "buena"), "hola")
    assert result.exit_code == 0
    rows = json.loads(result.output)
    assert {tuple(row) for row in rows} == {("what", "value", "where", "why")}
    assert rows[0]["what"] == "act greet"
