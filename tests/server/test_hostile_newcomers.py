"""What a newcomer types wrong, and names that look like markup: a sentence each time, never a traceback."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.cli import hilo

KEY = base64.b64encode(b"k" * 32).decode()
WRONG = 2  # how click ends when the command line is wrong


@pytest.fixture(autouse=True)
def environment(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HILO_DATABASE_URL", sqlite_url)
    monkeypatch.setenv("HILO_SECRET_KEY", KEY)


@pytest.fixture
def run() -> Callable[..., Result]:
    return lambda *words: CliRunner().invoke(hilo, words)


def test_names_that_look_like_markup_are_listed_as_they_are(run: Callable[..., Result]) -> None:
    run("workspace", "add", "otra", "--name", "La [/] otra [red]")
    assert "La [/] otra [red]" in run("workspace", "list").output
    run("key", "add", "[/]crm[b]")
    assert "[/]crm[b]" in run("key", "list").output
    run("channel", "add", "telegram", "--agent", "[/]", "--id", "bot", "--set", "bot_token=123456:un-token-muy-secreto")
    assert "[/]" in run("channel", "list").output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--log-level", "loud"), "'loud' is not one of"),
        (("--burst", "soon"), "such as 90s"),
        (("--burst", "-5s"), "such as 90s"),
        (("--concurrency", "0"), "x>=1"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_its_name(
    run: Callable[..., Result], agent: Path, words: tuple[str, str], reason: str
) -> None:
    result = run("serve", str(agent), *words)
    assert result.exit_code == WRONG
    assert words[0] in result.output
    assert reason in result.output


@pytest.mark.parametrize("words", [("--log-level", "loud"), ("--concurrency", "0")])
def test_a_worker_refuses_them_too(run: Callable[..., Result], agent: Path, words: tuple[str, str]) -> None:
    assert run("worker", str(agent), *words).exit_code == WRONG


def test_a_host_that_does_not_exist_is_named_with_its_reason(run: Callable[..., Result], agent: Path) -> None:
    error = run("serve", str(agent), "--host", "nowhere.invalid").exception
    assert "nowhere.invalid" in str(error)
    assert "Unknown error" not in str(error)


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_key_needs_a_name_that_can_stand_for_who_acts(run: Callable[..., Result], name: str) -> None:
    assert "1 to 100 characters" in str(run("key", "add", name).exception)
