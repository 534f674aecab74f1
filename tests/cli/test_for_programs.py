"""What programs read: JSON of checks and conversations, and JUnit XML."""

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import pytest
from click.testing import CliRunner, Result

from hilo.cli import COMMANDS, hilo

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


def commands() -> Iterator[tuple[str, click.Command]]:
    """All commands, those of groups too, with what is typed for them."""
    context = click.Context(hilo)
    for name in COMMANDS:
        command = hilo.get_command(context, name)
        assert command is not None
        if not isinstance(command, click.Group):
            yield name, command
            continue
        for below, each in command.commands.items():
            yield f"{name} {below}", each


# What acts, talks, serves, draws or prints a document: there is nothing to list.
OTHERS = {
    "agents publish", "agents rollback", "campaign opt-in", "campaign opt-out", "campaign resume", "campaign stop",
    "channel add", "channel remove", "channel reseal", "channel test", "chat", "demo", "dev", "graph",
    "handoffs release", "handoffs take", "key add", "key revoke", "mcp", "new", "outbox discard", "outbox resend",
    "schema", "serve", "user add", "user password", "user remove", "worker", "workspace add",
}  # fmt: skip


def test_whatever_lists_or_reports_does_so_in_json_too() -> None:
    without = {name for name, each in commands() if not any("--json" in option.opts for option in each.params)}
    assert without == OTHERS


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database with one of everything."""
    monkeypatch.setenv("HILO_DATABASE_URL", f"sqlite:///{tmp_path / 'hilo.db'}")
    monkeypatch.setenv("HILO_SECRET_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
    for line in (
        "workspace add main --name Café",
        "channel add telegram --agent saludos --set bot_token=123:abc --id bot",
        "key add panel --scope read",
        "user add ana --role owner --team ventas",
    ):
        result = run(*line.split())
        assert result.exit_code == 0, f"{line}: {result.output} {result.exception}"


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("workspace", {"id": "main", "name": "Café"}),
        ("channel", {"id": "bot", "kind": "telegram", "agent": "saludos", "webhook": "/webhooks/telegram/bot"}),
        ("key", {"name": "panel", "scopes": ["read"], "revoked_at": None}),
        ("user", {"login": "ana", "role": "owner", "teams": ["ventas"], "seen_at": None}),
    ],
)
def test_what_an_installation_has_is_json_without_a_secret(what: str, told: dict[str, object]) -> None:
    result = run(what, "list", "--json")
    assert result.exit_code == 0, result.output
    [row] = json.loads(result.output)
    assert told.items() <= row.items()
    assert not {"settings", "password", "secret"} & row.keys()
    assert "123:abc" not in result.output
