"""`hilo outbox` on a database in which a message could not be sent."""

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.channels.channel import CredentialsRefused, Outcome, Rejected
from hilo.cli import hilo
from hilo.testing.world import open_world

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]


async def talk(url: str, refusal: Outcome) -> None:
    async with open_world(url, ROOT / "agents/leads") as world:
        world.channel.outcome = lambda _delivered: refusal
        await world.write("ana", "hola")
        await world.wait(timedelta(seconds=30))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("HILO_DATABASE_URL", f"sqlite:///{tmp_path / 'hilo.db'}")
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: CliRunner().invoke(hilo, words)


def fill(tmp_path: Path, refusal: Outcome) -> None:
    asyncio.run(talk(f"sqlite:///{tmp_path / 'hilo.db'}", refusal))


def test_what_was_given_up_is_listed_sent_again_and_discarded(tmp_path: Path, run: Run) -> None:
    fill(tmp_path, Rejected("no such number"))
    listed = run("outbox")
    assert "no such number" in listed.output
    [message] = json.loads(run("outbox", "list", "--json").output)
    assert message["status"] == "failed"
    assert run("outbox", "resend", str(message["number"])).exit_code == 0
    again = run("outbox", "resend", message["id"])
    assert (again.exit_code, "neither held nor given up" in str(again.exception)) == (1, True)


def test_a_message_that_is_not_there_is_named(tmp_path: Path, run: Run) -> None:
    fill(tmp_path, Rejected("no such number"))
    [message] = json.loads(run("outbox", "list", "--json").output)
    assert run("outbox", "discard", message["id"]).output == f"{message['id']} is discarded.\n"
    assert "Everything has arrived" in run("outbox").output
    absent = run("outbox", "discard", "nothing")
    assert "there is no message nothing: `hilo outbox` lists them" in str(absent.exception)


def test_a_channel_that_cannot_send_is_named(tmp_path: Path, run: Run) -> None:
    fill(tmp_path, CredentialsRefused("the token has expired"))
    listed = run("outbox").output
    assert "does not accept our credentials" in listed
    assert "waiting" in listed
