"""`hilo funnel` on a database in which contacts of an agent with modes have talked, with real turns in virtual time."""

import asyncio
import json
import os
import re
import shutil
import sqlite3
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.cli import hilo
from hilo.cli.funnel_drawing import Picture, Stage, draw_funnel
from hilo.clock import SystemClock
from hilo.store.opening import migrate
from hilo.testing.clock import FakeClock
from hilo.testing.world import open_world

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"

AGENT = """
agent: tienda
language: es
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamas?"}
  color: {type: text, ask: "¿De qué color?"}
flows:
  pedido:
    starts: [quiero comprar]
    steps:
      - {collect: [nombre], mode: datos}
      - {collect: [color], mode: resumen}
      - {say: gracias, mode: comprado}
modes:
  charla: {to: [datos]}
  datos: {to: [resumen]}
  resumen: {to: [comprado]}
  comprado: {to: [charla]}
  persona: {operator: true}
escalation:
  - keyword: [asesor]
templates: {gracias: "¡Gracias!"}
"""
LINES = ("hola", "quiero comprar", "soy Ana Ruiz", "rojo")
TALKS = {"ana": 4, "beto": 4, "carla": 3, "dora": 3, "emil": 2, "fina": 2, "gil": 2, "hugo": 1}  # how many of the lines


# At noon, so that a talk of some minutes is of one day at whatever hour the tests run; and once, or midnight comes
# between the talk and what is asked about its day.
THREE_DAYS_AGO = (SystemClock().now() - timedelta(days=3)).astimezone().replace(hour=12, minute=0)


async def talk(url: str, folder: Path) -> None:
    """Everybody writes, a minute apart; one wants a person."""
    clock = FakeClock(THREE_DAYS_AGO)
    async with open_world(url, folder, clock=clock) as opened:
        for contact, lines in TALKS.items():
            for line in LINES[:lines]:
                await opened.say(contact, line)
                clock.advance(timedelta(seconds=59))
        await opened.say("hugo", "un asesor")


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tienda")
    (folder / "agent.yaml").write_text(AGENT, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HILO_CACHE", str(folder / "cache"))
        asyncio.run(talk(f"sqlite:///{folder / 'hilo.db'}", folder))
    return folder / "hilo.db"


@pytest.fixture
def database(talked: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(talked, tmp_path / "hilo.db"))


def modes_of(result: Result) -> list[list[str]]:
    """Each line without its bar."""
    return [re.sub("[█-▏]+", "", line).split() for line in result.output.splitlines()[2:]]


def test_each_mode_has_its_number_and_its_shares(run: Run) -> None:
    assert modes_of(run("funnel"))[:5] == [
        ["charla", "8", "100%", "88%", "0", "s"],
        ["datos", "7", "88%", "57%", "1", "min"],
        ["resumen", "4", "50%", "50%", "2", "min"],
        ["comprado", "2", "25%", "3", "min"],
        ["·", "persona", "1", "12%", "1", "min"],
    ]


def test_no_share_is_of_others_than_those_who_were_there(run: Run, database: Path) -> None:
    """Nobody of the mode before came into this one, and more are in it: each share is of those it is told for."""
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("DELETE FROM mode_visits WHERE mode = 'datos' AND session_id NOT IN "
                     "(SELECT session_id FROM mode_visits WHERE mode = 'comprado')")  # fmt: skip
    shares = [int(each) for each in re.findall(r"(\d+)%", run("funnel").output)]
    assert [line[:2] for line in modes_of(run("funnel"))[1:3]] == [["datos", "2"], ["resumen", "4"]]
    assert max(shares) == 100


def test_the_page_of_the_manual_is_what_is_printed(run: Run) -> None:
    page = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    shown = page.partition("$ hilo funnel tienda\n")[2].partition("```text\n")[2].partition("```")[0]
    printed = run("funnel", "tienda", columns=80).output
    pages = [re.sub(r"\d{4}-\d\d-\d\d", "DAY", text).splitlines() for text in (shown, printed)]
    assert pages[0] == [line.rstrip() for line in pages[1]]


def test_contacts_who_come_back_count_once(run: Run, database: Path) -> None:
    asyncio.run(_come_back(database))
    assert modes_of(run("funnel"))[0][:2] == ["charla", "8"]
    assert modes_of(run("funnel", "--by", "sessions"))[0][:2] == ["charla", "9"]


async def _come_back(database: Path) -> None:
    clock = FakeClock(SystemClock().now() - timedelta(hours=1))
    (database.parent / "agent.yaml").write_text(AGENT, encoding="utf-8")
    async with open_world(f"sqlite:///{database}", database.parent, clock=clock) as opened:
        await opened.say("gil", "hola")


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_the_bars_take_the_room_that_the_terminal_has(run: Run, columns: int) -> None:
    lines = run("funnel", columns=columns).output.splitlines()
    assert max(map(len, lines)) <= columns
    first = next(number for number, line in enumerate(lines) if line.startswith("charla"))
    bars = [line.count("█") for line in lines[first : first + 4]]
    assert bars == sorted(bars, reverse=True)
    assert bars[0] >= columns - 44


def test_a_pipe_gets_no_colours(run: Run) -> None:
    assert "\x1b" not in run("funnel").output


def test_programs_get_json(run: Run) -> None:
    found = json.loads(run("funnel", "--json").output)
    assert (found["agent"], found["sessions"], found["contacts"]) == ("tienda", 8, 8)
    assert [each["half"] for each in found["modes"]] == [0, 60, 120, 180, 60]
    assert found["modes"][2] == {
        "mode": "resumen",
        "in_order": True,
        "sessions": 4,
        "contacts": 4,
        "sessions_went_on": 2,
        "contacts_went_on": 2,
        "half": 120.0,
    }


# --- when there is nothing ----------------------------------------------------------------------------


def test_no_session_in_the_period_is_said_kindly(run: Run, tmp_path: Path) -> None:
    result = run("funnel", "--since", "1m", "--svg", tmp_path / "none.svg")
    assert result.exit_code == 0
    assert re.fullmatch(r"No session of tienda that began \S+ – \S+ has come into a mode yet\.\n", result.output)
    assert not (tmp_path / "none.svg").exists()


def test_a_day_is_taken_as_a_beginning(run: Run) -> None:
    assert modes_of(run("funnel", "--since", "2026-01-01"))[0][:2] == ["charla", "8"]


def test_sessions_count_until_a_time_or_the_end_of_a_day(run: Run) -> None:
    began, day_before = f"{THREE_DAYS_AGO:%Y-%m-%d}", f"{THREE_DAYS_AGO - timedelta(days=1):%Y-%m-%d}"
    of_that_day = run("funnel", "--until", began)
    assert modes_of(of_that_day)[0][:2] == ["charla", "8"]
    assert of_that_day.output.splitlines()[0].endswith(f" – {began}")
    assert "has come into a mode yet" in run("funnel", "--until", day_before).output
    assert "has come into a mode yet" in run("funnel", "--until", "4d").output


@pytest.mark.parametrize("period", [("--since", "2199-01-01"), ("--since", "2d", "--until", "3d")])
def test_a_period_that_ends_before_it_begins_is_refused(run: Run, period: tuple[str, ...]) -> None:
    result = run("funnel", *period)
    assert (result.exit_code, "--since must be before --until" in result.output) == (2, True)


WRONG = [
    "--since=soon",
    "--since=2026-13-01",
    "--until=367d",
    "--until=-5d",
    "--since=0001-01-01",
    "--until=9999-12-31",
]


@pytest.mark.parametrize("written", WRONG)
def test_another_word_for_a_time_is_refused_with_the_right_form(run: Run, written: str) -> None:
    result = run("funnel", written)
    assert result.exit_code == 2
    assert "a day such as 2026-11-01" in re.sub(r"\s+", " ", result.output)


def test_an_unknown_agent_is_refused_with_those_that_there_are(run: Run) -> None:
    result = run("funnel", "nobody")
    assert (result.exit_code, str(result.exception)) == (1, "there is no agent nobody: choose one of tienda")


def test_of_several_agents_one_must_be_named(run: Run, recorded_sessions: Path) -> None:
    url = f"sqlite:///{recorded_sessions}"
    assert str(run("funnel", url=url).exception) == "which agent? choose one of leads, vuelos"
    result = run("funnel", "leads", url=url)
    assert (result.exit_code, result.output) == (0, "leads has no modes, so there is no way through them to show.\n")


def test_a_business_without_agents_is_told_so(run: Run) -> None:
    result = run("funnel", "--workspace", "other")
    assert (result.exit_code, result.output) == (0, "No agent was published here yet.\n")
    assert str(run("funnel", "tienda", "--workspace", "other").exception).endswith("none was published here")


@pytest.mark.usefixtures("recorded_sessions")
def test_postgres_tells_the_same(run: Run, postgres_url: str) -> None:
    asyncio.run(migrate(postgres_url))
    assert run("funnel", url=postgres_url).output == "No agent was published here yet.\n"


# --- pictures -----------------------------------------------------------------------------------------


def test_the_picture_has_every_number(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "funnel.svg"
    assert run("funnel", "--svg", file).output == f"{file}\n"
    texts = [each.text or "" for each in ET.parse(file).iter(f"{SVG}text")]  # noqa: S314
    assert texts[0] == "tienda: contacts that reached each mode"
    began = r"8 contacts, 8 sessions that began \d{4}-\d\d-\d\d – \d{4}-\d\d-\d\d"
    assert re.fullmatch(f"{began}; went on: into any later mode", texts[1])
    assert [text for text in texts if text.startswith("▼")] == ["▼ 88% went on", "▼ 57% went on", "▼ 50% went on"]
    assert texts[-4:] == ["persona", "median 1 min", "1", "12% of all"]


def stage(name: str, count: int, **changes: object) -> Stage:
    return Stage(name, count, "50%", "", "1 min", **changes)  # type: ignore[arg-type]


def test_a_bar_is_as_wide_as_its_number_and_no_bar_is_drawn_for_nobody() -> None:
    drawn = ET.fromstring(draw_funnel(Picture("t", "n", (stage("a", 200), stage("b", 100), stage("c", 0)))))  # noqa: S314
    wide = [float(each.attrib["width"]) for each in drawn.iter(f"{SVG}rect")][1:]
    assert wide == [300, 150, 0]


def test_odd_names_stay_text_and_long_ones_stay_whole_for_who_points_at_them() -> None:
    odd, long = "<b>&\"'\x07\x00", "un_modo_con_un_nombre_muy_largo"
    picture = Picture(f"{odd}: contacts", "n", (stage(odd, 2), stage(long, 1, beside=True)))
    drawn = ET.fromstring(draw_funnel(picture))  # noqa: S314
    texts = [each.text for each in drawn.iter(f"{SVG}text")]
    assert "<b>&\"'" in texts
    assert "un_modo_con_un_nombre…" in texts
    assert any((each.text or "").startswith(f"{long}: 1") for each in drawn.iter(f"{SVG}title"))


def test_the_picture_stands_on_its_own_paper_and_fetches_nothing() -> None:
    drawn = draw_funnel(Picture("t", "n", (stage("a", 1),)))
    paper = next(ET.fromstring(drawn).iter(f"{SVG}rect"))  # noqa: S314
    assert (paper.attrib["fill"], paper.attrib["width"]) == ("#ffffff", "759")
    assert not re.search("href|url\\(|<style|<script|@import", drawn)


def test_pixels_come_from_the_same_picture(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("mermaidx")
    assert run("funnel", "--png", tmp_path / "f.png").exit_code == 0
    head = (tmp_path / "f.png").read_bytes()[:24]
    assert (head[:8], int.from_bytes(head[16:20], "big")) == (b"\x89PNG\r\n\x1a\n", 1520)


def test_pixels_need_a_package_and_that_is_said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mermaidx", None)
    assert "pip install 'hilo-chat[graph]'" in str(run("funnel", "--png", tmp_path / "f.png").exception)


def test_a_file_in_a_folder_that_is_not_there_is_refused_before_the_database_is_asked(tmp_path: Path) -> None:
    env = {**os.environ, "HILO_DATABASE_URL": f"sqlite:///{tmp_path}/none.db"}
    result = CliRunner(env=env).invoke(hilo, ["funnel", "--svg", str(tmp_path / "no" / "f.svg")])
    assert (result.exit_code, "there is no folder" in result.output) == (2, True)
