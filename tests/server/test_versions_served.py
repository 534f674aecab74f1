"""An installation that runs follows what is put in force, and open sessions stay on their version."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from gateways import AGENT, rows

from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.clock import SystemClock
from hilo.messages import Address, Inbound
from hilo.settings import Settings
from hilo.store.opening import open_store
from hilo.store.registry import Version, VersionChoice, publish_by, put_in_force
from hilo.store.workspaces import ChannelRow
from hilo.testing.world import RecordingChannel
from patience import PATIENCE

EDITED = AGENT.replace("¿Qué anoto?", "¿Qué apunto?")
WITH_TOOL = AGENT.replace("      - say:", "      - do: stamp\n      - say:")
STAMP = "from hilo.tools.tool import tool\n\n\n@tool\nasync def stamp() -> dict[str, str]:\n    return {}\n"


def version_of(text: str) -> str:
    return parse(text, toolbox={"stamp": ToolSpec("stamp")}).version


@dataclass
class Talk:
    hilo: Installation
    url: str
    channel: RecordingChannel

    async def say(self, contact: str, text: str) -> str:
        """What is answered."""
        before, now = len(self.channel.delivered), self.hilo.clock.now()
        message = Inbound(f"{contact} {text} {now}", Address("chat", contact), text, now)
        await self.hilo.intake.messages("chat", [message])
        async with asyncio.timeout(PATIENCE):
            while len(self.channel.delivered) == before:  # noqa: ASYNC110 -- the workers do it
                await asyncio.sleep(0.01)
        return self.channel.delivered[-1].message.text

    async def put_in_force(self, text: str) -> None:
        """As another process does it."""
        store = await open_store(self.url)
        choice = VersionChoice("eco", version_of(text), "Olga", "rolled back")
        await store.run(put_in_force, WORKSPACE, choice, now=SystemClock().now())
        await store.close()


@asynccontextmanager
async def running(url: str, agent: Path) -> AsyncIterator[Talk]:
    async with installation(Settings(Path(), database_url=url), [agent], options=Options(burst=timedelta())) as hilo:
        channel = RecordingChannel()
        await hilo.add_channel(ChannelRow("chat", WORKSPACE, "web", "eco"), channel)
        await hilo.runtime.start()
        yield Talk(hilo, url, channel)
        await hilo.runtime.stop()


def write(agent: Path, text: str) -> None:
    (agent / "agent.yaml").write_text(text, encoding="utf-8")


def warned(logs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [each for each in logs if each["log_level"] == "warning"]


async def test_new_sessions_follow_and_open_ones_stay(database_url: str, agent: Path) -> None:
    async with running(database_url, agent) as talk:
        assert "¿Qué anoto?" in await talk.say("ana", "hola")
    write(agent, EDITED)
    async with running(database_url, agent) as talk:
        assert "¿Qué apunto?" in await talk.say("beto", "hola")
        await talk.put_in_force(AGENT)
        assert "¿Qué anoto?" in await talk.say("carla", "hola")
        assert "¿Qué apunto?" in await talk.say("beto", "hola")
        await talk.put_in_force(EDITED)
        assert "¿Qué apunto?" in await talk.say("dora", "hola")
        assert "¿Qué anoto?" in await talk.say("ana", "hola")
        await talk.put_in_force(AGENT)
    with structlog.testing.capture_logs() as logs:
        async with running(database_url, agent) as talk:  # the file is still the edited one
            assert "¿Qué anoto?" in await talk.say("emil", "hola")
            assert "¿Qué apunto?" in await talk.say("dora", "hola")
    assert [each["event"] for each in warned(logs)] == ["new sessions begin on another version than the file's"]
    by_version = "SELECT COUNT(*) AS sessions FROM sessions GROUP BY agent_version ORDER BY COUNT(*)"
    assert [each["sessions"] for each in rows(database_url, by_version)] == [2, 3]


@pytest.fixture
async def unfit(sqlite_url: str, agent: Path) -> str:
    """The text of a version that is kept; the tool that it needs is gone since."""
    (agent / "tools.py").write_text(STAMP)
    write(agent, WITH_TOOL)
    async with running(sqlite_url, agent):
        pass
    (agent / "tools.py").unlink()
    write(agent, AGENT)
    return WITH_TOOL


async def test_a_version_whose_tool_is_gone_loses_no_message(sqlite_url: str, agent: Path, unfit: str) -> None:
    with structlog.testing.capture_logs() as logs:
        async with running(sqlite_url, agent) as talk:
            await talk.put_in_force(unfit)
            said = await asyncio.gather(*(talk.say(contact, "hola") for contact in ("ana", "beto", "carla")))
            assert all("¿Qué anoto?" in each for each in said)
    [warning] = warned(logs)
    assert "does not run with the tools" in warning["event"]
    assert (warning["in_force"], warning["served"]) == (version_of(unfit), version_of(AGENT))
    assert "stamp" in warning["problem"]
    assert "hilo agents publish" in warning["hint"]


async def test_a_version_that_does_not_run_changes_nothing_for_new_sessions(
    sqlite_url: str, agent: Path, unfit: str
) -> None:
    async with running(sqlite_url, agent) as talk:
        edited = Version("eco", version_of(EDITED), EDITED)
        await talk.hilo.store.run(publish_by, WORKSPACE, edited, actor="Olga", now=SystemClock().now())
        assert "¿Qué apunto?" in await talk.say("ana", "hola")
        await talk.put_in_force(unfit)
        assert "¿Qué apunto?" in await talk.say("beto", "hola"), "as before, and not as the file has it"


async def test_new_sessions_follow_once_what_was_missing_is_back(sqlite_url: str, agent: Path, unfit: str) -> None:
    with structlog.testing.capture_logs() as logs:
        async with running(sqlite_url, agent) as talk:
            talk.hilo.agents.pause = timedelta()
            await talk.put_in_force(unfit)
            for contact in ("ana", "beto"):
                await talk.say(contact, "hola")
            (agent / "tools.py").write_text(STAMP)
            await talk.say("carla", "hola")
            await talk.say("dora", "hola")
    assert ["does not run" in each["event"] for each in warned(logs)] == [True, True]
    assert [each["in_force"] for each in logs if "runs with the tools" in each["event"]] == [version_of(unfit)]
    begun = rows(sqlite_url, "SELECT agent_version FROM sessions ORDER BY started_at")
    assert [each["agent_version"] for each in begun] == [version_of(AGENT)] * 2 + [version_of(unfit)] * 2


async def test_a_version_that_does_not_run_is_left_alone_for_a_while(sqlite_url: str, agent: Path, unfit: str) -> None:
    async with running(sqlite_url, agent) as talk:
        await talk.put_in_force(unfit)
        await talk.say("ana", "hola")
        (agent / "tools.py").write_text(STAMP)
        turn = await talk.hilo.agents.current(WORKSPACE, "eco")
        assert turn.agent.version == version_of(AGENT)


async def test_a_text_that_this_process_has_no_file_of_is_served(sqlite_url: str, agent: Path) -> None:
    async with running(sqlite_url, agent) as talk:
        version = Version("eco", version_of(EDITED), EDITED)
        await talk.hilo.store.run(publish_by, WORKSPACE, version, actor="Olga", now=SystemClock().now())
        said = await asyncio.gather(*(talk.say(contact, "hola") for contact in ("ana", "beto", "carla")))
        assert all("¿Qué apunto?" in each for each in said)


PAGE = "# Ayuda\n## Estacionamiento\nHay un estacionamiento {} detrás del local.\n"
ASKED = "¿tienen estacionamiento?"
WITH_PAGES = AGENT.replace("starts: always", "starts: [quiero anotar algo]") + "knowledge: docs/*.md\n"


def write_page(agent: Path, price: str) -> None:
    (agent / "docs").mkdir(exist_ok=True)
    (agent / "docs/ayuda.md").write_text(PAGE.format(price), encoding="utf-8")


async def test_a_session_is_answered_from_the_pages_that_its_version_was_published_with(
    database_url: str, agent: Path
) -> None:
    write(agent, WITH_PAGES)
    write_page(agent, "gratis")
    async with running(database_url, agent) as talk:
        assert "gratis" in await talk.say("ana", ASKED)
    write_page(agent, "pago")
    async with running(database_url, agent) as talk:
        assert "pago" in await talk.say("beto", ASKED)
        assert "gratis" in await talk.say("ana", ASKED)
        [before, after] = rows(database_url, "SELECT version FROM agents ORDER BY published_at")
        choice = VersionChoice("eco", before["version"], "Olga", "rolled back")
        await talk.hilo.store.run(put_in_force, WORKSPACE, choice, now=SystemClock().now())
        assert "gratis" in await talk.say("carla", ASKED)
        assert before != after


async def test_a_version_from_before_pages_were_kept_is_answered_from_those_of_now(
    sqlite_url: str, agent: Path
) -> None:
    write(agent, WITH_PAGES)
    write_page(agent, "pago")
    old = Version("eco", "before", WITH_PAGES.replace("¿Qué anoto?", "¿Qué apunto?"))
    async with running(sqlite_url, agent) as talk:
        await talk.hilo.store.run(publish_by, WORKSPACE, old, actor="Olga", now=SystemClock().now())
        assert "pago" in await talk.say("ana", ASKED)
    [session] = rows(sqlite_url, "SELECT agent_version FROM sessions")
    assert session["agent_version"] == "before"
