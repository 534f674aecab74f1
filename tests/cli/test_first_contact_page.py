"""docs/first-contact.md as a new user follows it: its agent, its list, its commands and what they print."""

import asyncio
import csv
import json
import re
import shlex
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.app.installation import WORKSPACE
from hilo.cli import hilo
from hilo.clock import SystemClock
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import FakeClock
from hilo.testing.world import RecordingChannel, open_world

PAGE = (Path(__file__).parents[2] / "docs/first-contact.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS: list[tuple[str, str]] = FENCE.findall(PAGE)
CHANNEL = "wa-clinica"

Run = Callable[..., Result]


def block(kind: str) -> str:
    return next(text for found, text in BLOCKS if found == kind)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The page's folder with its list, and a database in which its agent was served."""
    (tmp_path / "clinica.yaml").write_text(block("yaml"), encoding="utf-8")
    (tmp_path / "pacientes.csv").write_text(block("csv"), encoding="utf-8-sig")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HILO_DATABASE_URL", f"sqlite:///{tmp_path / 'hilo.db'}")
    monkeypatch.setenv("COLUMNS", "200")
    asyncio.run(work(tmp_path))
    return lambda *words: CliRunner().invoke(hilo, words)


async def work(folder: Path) -> None:
    """What the workers do, at the next opening."""
    clock = FakeClock(next_monday_noon())
    async with open_world(f"sqlite:///{folder / 'hilo.db'}", folder / "clinica.yaml", clock=clock) as world:
        await world.hilo.add_channel(ChannelRow(CHANNEL, WORKSPACE, "test", "clinica"), RecordingChannel())
        await world.settle()


def next_monday_noon() -> datetime:
    now = SystemClock().now().astimezone(UTC)
    monday = now + timedelta(days=7 - now.weekday())
    return monday.replace(hour=15, minute=0, second=0, microsecond=0)


def commands() -> Iterator[tuple[list[str], str]]:
    """Those of the page that can be run here, each with what the page says that it prints."""
    for place, (kind, text) in enumerate(BLOCKS):
        if kind != "console" or "fake" in text:
            continue
        *first, last = text.replace("$ ", "").splitlines()
        following = BLOCKS[place + 1] if place + 1 < len(BLOCKS) else ("", "")
        for line in first:
            yield shlex.split(line)[1:], ""
        yield shlex.split(last)[1:], following[1] if following[0] == "text" else ""


def plain(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def test_the_page_goes_as_it_is_written(tmp_path: Path, run: Run) -> None:
    ran = 0
    for words, printed in commands():
        if words[1] == "report":
            asyncio.run(work(tmp_path))
        result = run(*words)
        assert result.exit_code == 0, (words, result.output, result.exception)
        if printed:
            assert plain(result.output) == plain(printed)
        ran += 1
    assert ran >= 7


def send(run: Run, *more: str) -> Result:
    return run("campaign", "send", "control_anual", "--channel", CHANNEL, *more)


def test_the_report_is_for_spreadsheets_and_programs_too(tmp_path: Path, run: Run) -> None:
    assert send(run, "--csv", "pacientes.csv").exit_code == 0
    asyncio.run(work(tmp_path))
    assert run("campaign", "report", "control_anual", "--csv", "report.csv").exit_code == 0
    with Path("report.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["row"], row["number"], row["status"]) for row in rows] == [
        ("2", "5491155551001", "sent"),
        ("3", "5491155551002", "sent"),
        ("6", "5491155551004", "skipped"),
    ]
    [found] = json.loads(run("campaign", "list", "--json").output)
    assert (found["counts"], found["answered"]) == ({"sent": 2, "skipped": 1}, 0)
    shown = json.loads(run("campaign", "report", found["id"], "--json").output)
    assert shown[0]["number"] == "…1001"  # what a terminal shows says not whom


def test_a_round_can_be_held_and_let_go_on(tmp_path: Path, run: Run) -> None:
    send(run, "--csv", "pacientes.csv", "--round", "2027")
    assert "is stopped" in run("campaign", "stop", "control_anual").output
    asyncio.run(work(tmp_path))
    assert "stopped" in run("campaign", "list").output
    assert "goes on" in run("campaign", "resume", "control_anual").output
    asyncio.run(work(tmp_path))
    assert "2 sent" in run("campaign", "list").output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--csv", "nada.csv"), "nada.csv cannot be read"),
        ((), "give a list with --csv FILE, or one contact with --to NUMBER"),
        (("--to", "1155551234", "--csv", "pacientes.csv"), "give a list with --csv FILE, or one contact"),
        (("--to", "1155551234", "--set", "nombre"), "--set takes COLUMN=VALUE"),
        (("--to", "1155551234"), "the list has no column nombre, estudio"),
        (("--csv", "latin.csv"), "it is not UTF-8"),
        (("--csv", "short.csv"), "the list has no column estudio"),
    ],
)
def test_what_cannot_be_sent_is_said(run: Run, words: tuple[str, ...], problem: str) -> None:
    Path("latin.csv").write_bytes("telefono,nombre,estudio\n1155551234,Pérez,x\n".encode("latin-1"))
    Path("short.csv").write_text("telefono,nombre\n", encoding="utf-8")
    result = send(run, *words)
    assert result.exit_code == 1
    assert problem in str(result.exception)


def test_a_channel_or_a_campaign_that_is_not_there_is_named(run: Run) -> None:
    wrong = run("campaign", "send", "control_anul", "--channel", CHANNEL, "--csv", "pacientes.csv")
    assert "did you mean `control_anual`?" in str(wrong.exception)
    assert "there is no channel tg" in str(run("campaign", "send", "x", "--channel", "tg", "--csv", "a").exception)
    assert "no phone number" in str(run("campaign", "opt-in", "123", "--channel", CHANNEL).exception)


def test_a_list_of_bad_rows_alone_fails_and_changes_nothing(run: Run) -> None:
    Path("bad.csv").write_text("telefono,nombre,estudio\nx,Ana Ruiz,chequeo\n", encoding="utf-8")
    result = send(run, "--csv", "bad.csv")
    assert result.exit_code == 1
    assert "row 2: telefono: `x` is no phone number" in result.output
    assert json.loads(run("campaign", "list", "--json").output) == []
