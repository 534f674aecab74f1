"""The kiosk through a real installation in virtual time: contacts write on the chat page, or on a fake Infobip."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

import httpx
from fastapi import FastAPI

from hilo.app.gateway import edge_of
from hilo.app.installation import Installation, Options, installation
from hilo.channels.infobip import Infobip
from hilo.channels.webchat import WebChat
from hilo.dialogue.events import Closed, Event, OperatorCalled, OperatorTookOver, Paused, Released, Resumed
from hilo.recognisers.normalise import fold
from hilo.server.app import make_app
from hilo.settings import Settings
from hilo.store.views import sessions
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Entry, Stub, stubbed
from hilo.testing.loopback import serving
from hilo.testing.providers.infobip import FakeInfobip
from hilo.testing.providers.provider import Faults
from hilo.testing.script import Operated, ScriptFile, ScriptStep
from hilo.testing.world import READING, RecordingChannel, World

Kind = Literal["web", "infobip"]
_LISTED = re.compile(r"\d+\. (?P<title>.+)")


@dataclass(frozen=True, slots=True)
class Seen:
    """A message as the contact sees it, with the whole words of its choices."""

    text: str
    choices: tuple[str, ...] = ()


def seen_in(transcript: tuple[Entry, ...]) -> list[Seen]:
    """What the contact of a conversation in memory has seen."""
    return [Seen(each.text, tuple(b.title for b in each.buttons)) for each in transcript if each.who == "agent"]


def _with_listed(seen: Seen) -> Seen:
    """Choices that fit into no button are lines with numbers below the text."""
    text, _, below = seen.text.rpartition("\n\n")
    lines = [_LISTED.fullmatch(line) for line in below.split("\n")]
    if not text or not all(lines):
        return seen
    return Seen(text, tuple(line["title"] for line in lines if line))


class Line(Protocol):
    """What a contact has in hand."""

    async def write(self, text: str) -> None: ...

    async def press(self, button: str) -> None: ...

    async def settle(self) -> None: ...

    async def seen(self) -> list[Seen]: ...


def _pressed(wanted: str, offered: list[tuple[str, str]]) -> tuple[str, str]:
    """The payload and title of a button that is named as scripts name it, the last offered first."""
    for payload, title in reversed(offered):
        if wanted in (payload, payload.partition(":")[0]) or fold(wanted) == fold(title):
            return payload, title
    raise LookupError(f"there is no button {wanted}; offered were {offered}")


@dataclass
class Page:
    """A visitor of the chat page, in a browser."""

    client: httpx.AsyncClient
    channel: str
    visitor: str
    written: int = 0

    @property
    def _url(self) -> str:
        return f"/chat/{self.channel}/messages"

    async def write(self, text: str, payload: str = "") -> None:
        self.written += 1
        body = {"id": f"message-{self.written:04}", "text": text, "payload": payload}
        answer = await self.client.post(self._url, json=body, headers={"x-visitor": self.visitor})
        assert answer.status_code == 202, answer.text

    async def press(self, button: str) -> None:
        offered = [(each["payload"], each["title"]) for line in await self._lines() for each in line.get("buttons", ())]
        payload, title = _pressed(button, offered)
        await self.write(title, payload)

    async def settle(self) -> None:
        """What is sent is there."""

    async def seen(self) -> list[Seen]:
        lines = [each for each in await self._lines() if each["by"] != "contact"]
        return [Seen(each["text"], tuple(b["title"] for b in each.get("buttons", ()))) for each in lines]

    async def _lines(self) -> list[dict[str, Any]]:
        lines, after, more = [], "0.0", True
        while more:
            answer = await self.client.get(self._url, params={"after": after}, headers={"x-visitor": self.visitor})
            page = answer.json()
            lines += page["messages"]
            after, more = page["after"], page["more"]
        return lines


@dataclass
class Phone:
    """A contact of the fake Infobip."""

    fake: FakeInfobip
    number: str

    async def write(self, text: str) -> None:
        await self.fake.write(self.number, text)

    async def press(self, button: str) -> None:
        bubbles = self.fake.chats.of(self.number)
        offered = [(each.payload, each.description or each.title) for bubble in bubbles for each in bubble.choices]
        await self.fake.press(self.number, _pressed(button, offered)[0])

    async def settle(self) -> None:
        await self.fake.settle()

    async def seen(self) -> list[Seen]:
        shown = [each for each in self.fake.chats.of(self.number) if each.side == "business"]
        return [_with_listed(Seen(each.text, tuple(c.description or c.title for c in each.choices))) for each in shown]


@dataclass
class Shop:
    """An installation that serves an agent; every conversation has a workspace, a channel and a contact of its own."""

    agent: str
    hilo: Installation
    clock: FakeClock
    app: FastAPI
    url: str
    fake: FakeInfobip
    played: int = 0

    @property
    def world(self) -> World:
        return World(self.hilo, self.clock, RecordingChannel())

    async def play(self, script: ScriptFile, kind: Kind) -> list[Seen]:
        """What the contact has seen at the end."""
        self.played += 1
        start, number = script.script.starts, self.played
        zone = start.tzinfo or ZoneInfo(self.hilo.agents.loaded[self.agent].agent.timezone)
        self.clock.time = start.replace(tzinfo=zone)
        workspace, line = f"w{number}", await self._line(kind, number)
        for place, step in enumerate(script.script.steps):
            whole = self.hilo.agents.loaded[self.agent]
            self._break_tools(step.tools)
            await self._happen(step, line, workspace, once=f"{workspace}.{place}")
            await self._settle(line)
            self.hilo.agents.loaded[self.agent] = whole
        return await line.seen()

    async def _line(self, kind: Kind, number: int) -> Line:
        workspace, channel = f"w{number}", f"{kind}-{number}"
        row = ChannelRow(channel, workspace, kind, self.agent, window_hours=24 if kind == "infobip" else 0)
        made = WebChat() if kind == "web" else Infobip(self.fake.settings)
        await self.hilo.add_channel(row, made)
        await self.hilo.agents.publish(workspace, self.clock)
        if kind == "web":
            return Page(self._browser(number), channel, f"visitor-{number:020}")
        self.fake.webhook_url = f"{self.url}/webhooks/infobip/{channel}"
        return Phone(self.fake, f"54911{number:08}")

    def _browser(self, number: int) -> httpx.AsyncClient:
        """A visitor's own, at an address of its own: one address may not write without end."""
        transport = httpx.ASGITransport(self.app, client=(f"127.1.{number // 250}.{number % 250}", 1))
        return httpx.AsyncClient(transport=transport, base_url="http://hilo")

    async def _settle(self, line: Line) -> None:
        await line.settle()
        await self.world.settle()
        await line.settle()

    def _break_tools(self, stubs: Mapping[str, Stub]) -> None:
        loaded = self.hilo.agents.loaded[self.agent]
        broken = {name: stubbed(loaded.turn.tools[name], stub) for name, stub in stubs.items()}
        turn = replace(loaded.turn, tools={**loaded.turn.tools, **broken})
        self.hilo.agents.loaded[self.agent] = replace(loaded, turn=turn) if broken else loaded

    async def _happen(self, step: ScriptStep, line: Line, workspace: str, *, once: str) -> None:
        if not step.early:
            self.clock.advance(READING)
        if step.contact is not None:
            await line.write(step.contact)
        elif step.press is not None:
            await line.press(step.press)
        elif step.after is not None:
            await self.world.wait(step.after - READING)
        elif step.comes_back is not None:
            await self.world.wait(step.comes_back)
            await self._put(Closed(self.clock.now()), workspace, once=once)
        elif step.operator is not None:
            await self._put(self._operated(step.operator), workspace, once=once)

    def _operated(self, operated: Operated) -> Event:
        now = self.clock.now()
        match operated.does:
            case "takes over":
                return OperatorTookOver(now)
            case "calls":
                return OperatorCalled(now, operated.calls, operated.arguments, tell=operated.tell)
            case "releases":
                how = operated.releases
                return Released(now, how.mode, how.calls, how.message)
            case "pauses":
                return Paused(now)
            case "resumes":
                return Resumed(now)

    async def _put(self, event: Event, workspace: str, *, once: str) -> None:
        newest = (await self.hilo.store.run(sessions, workspace, "all", at_most=1))[0]
        assert await self.hilo.intake.event(workspace, newest.id, event, external_id=once)


@asynccontextmanager
async def shop(database_url: str, agent: Path) -> AsyncIterator[Shop]:
    """An agent on a database, with its gateway on loopback."""
    clock, settings = FakeClock(), Settings(Path(), database_url=database_url)
    async with installation(settings, [agent], options=Options(burst=timedelta()), clock=clock) as hilo:
        app = make_app(edge_of(hilo, settings))
        fake = FakeInfobip("", faults=Faults(reports_first=0.3))
        async with serving(app, 0) as url, fake:
            try:
                yield Shop(agent.name, hilo, clock, app, url, fake)
            finally:
                for _, channel in hilo.channels.given.values():
                    if isinstance(channel, Infobip):
                        await channel.aclose()
