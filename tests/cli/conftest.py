"""A real database with real sessions: an installation runs the shipped agents, and a channel records what they say."""

import asyncio
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.channel import Outcome, Rejected, Sent
from hilo.cli import hilo
from hilo.dialogue.events import Event, OperatorTookOver, Released
from hilo.messages import Address, Inbound, Receipt
from hilo.settings import Settings
from hilo.store.views import SessionView, sessions
from hilo.store.workspaces import ChannelRow
from hilo.testing.world import Delivered, RecordingChannel
from patience import PATIENCE

ROOT = Path(__file__).parents[2]

LEADS = {
    "ana-34600111222": ["hola", "soy Ana Pérez", "ana@x.com", "no, es ana.perez@x.com", "3001234567", "Acme", "5000"],
    "beto-34600333444": ["hola", "soy Beto", "quiero hablar con un asesor", "taken", "¿hola?", "released"],
    "carla-34600555666": ["unsendable", "hola"],
    "gil-34600444555": ["hola", "quiero hablar con una persona"],
}
VUELOS = {
    "dora-34600777888": [
        *("Quiero reservar un vuelo", "Madrid", "Barcelona", "mañana", "yes:", "solo ida", "2"),
        *("Ana Gómez", "mejor 3 pasajeros", "yes:", "cuánto equipaje puedo llevar"),
    ],
    "emil-34600999000": ["quiero cancelar mi vuelo", "DEMO22", "sí", "gracias"],
    "fina-34600123123": ["quiero cambiar mi vuelo", "NOPE99", "hola"],
}


@dataclass
class Talks:
    """Contacts who write, one after another, and wait for their answers."""

    here: Installation
    channel: str
    recording: RecordingChannel
    turns: int = 0
    _refused: set[str] = field(default_factory=set)

    async def talk(self, contact: str, lines: list[str]) -> None:
        for number, line in enumerate(lines):
            if line == "unsendable":
                self._refused.add(contact)
            elif line in {"taken", "released"}:
                at = self.here.clock.now()
                await self._event(contact, OperatorTookOver(at, "Olga") if line == "taken" else Released(at))
            else:
                await self._message(contact, line, f"{contact}.{number}")

    async def _message(self, contact: str, line: str, message_id: str) -> None:
        now, address = self.here.clock.now(), Address(self.channel, contact)
        payload = self._button(contact, line) if line.endswith(":") else ""
        text = "Sí" if payload else line
        await self.here.intake.messages(self.channel, [Inbound(message_id, address, text, now, payload=payload)])
        await self._answered()

    def _button(self, contact: str, beginning: str) -> str:
        last = [each.message for each in self.recording.delivered if each.to == contact][-1]
        return next(each.payload for each in last.buttons if each.payload.startswith(beginning))

    async def _event(self, contact: str, event: Event) -> None:
        mine = next(each for each in await self._sessions() if each.address == contact)
        assert await self.here.intake.event(WORKSPACE, mine.id, event, external_id=f"{type(event).__name__} {mine.id}")
        await self._answered()

    async def _answered(self) -> None:
        """Wait until the turn is there and what it says is on its way."""
        self.turns += 1
        async with asyncio.timeout(PATIENCE):
            while True:
                found = await self._sessions()
                if sum(each.turns for each in found) == self.turns and not any(each.unsent for each in found):
                    return
                await asyncio.sleep(0.005)

    async def _sessions(self) -> tuple[SessionView, ...]:
        found = await self.here.store.run(sessions, WORKSPACE, "all", at_most=100)
        return tuple(each for each in found if each.channel == self.channel)

    def outcome(self, delivered: Delivered) -> Outcome:
        return Rejected("the number is not on WhatsApp") if delivered.to in self._refused else Sent()


Lines = dict[str, list[str]]


async def record(url: str, folder: Path, *, leads: Lines = LEADS, vuelos: Lines = VUELOS) -> None:
    """Run both agents and let everybody talk."""
    settings = Settings(folder / "cache", url)
    agents = [ROOT / "agents" / name for name in ("leads", "vuelos")]
    async with installation(settings, agents, options=Options(burst=timedelta())) as here:
        await here.runtime.start()
        for name, lines in (("leads", leads), ("vuelos", vuelos)):
            channel = RecordingChannel()
            talks = Talks(here, name, channel)
            channel.outcome = talks.outcome
            await here.add_channel(ChannelRow(name, WORKSPACE, "web", name), channel)
            for contact, said in lines.items():
                await talks.talk(contact, said)
            first = channel.delivered[0].message_id
            receipts = [Receipt(first, status, here.clock.now()) for status in ("delivered", "read")]
            await here.intake.receipts(name, receipts)
        await here.runtime.stop()


@pytest.fixture(scope="session")
def recorded_sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a database in which all of them have talked."""
    folder = tmp_path_factory.mktemp("recorded")
    # only while they talk: whoever loads vuelos later must not find the bookings that were cancelled here
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VUELOS_DB", str(folder / "vuelos.sqlite"))
        patch.setenv("HILO_CACHE", str(folder / "cache"))
        asyncio.run(record(f"sqlite:///{folder / 'hilo.db'}", folder))
    return folder / "hilo.db"


@pytest.fixture
def database(recorded_sessions: Path, tmp_path: Path) -> Path:
    """A copy of it, to be looked at or broken."""
    return Path(shutil.copy(recorded_sessions, tmp_path / "hilo.db"))


@pytest.fixture
def postgres_sessions(recorded_sessions: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A PostgreSQL in which two of them have talked."""
    monkeypatch.setenv("VUELOS_DB", str(recorded_sessions.parent / "vuelos.sqlite"))
    leads, vuelos = "ana-34600111222", "dora-34600777888"
    lines = {"leads": {leads: LEADS[leads]}, "vuelos": {vuelos: VUELOS[vuelos]}}
    asyncio.run(record(postgres_url, recorded_sessions.parent, **lines))
    return postgres_url


Run = Callable[..., Result]


@pytest.fixture
def run(database: Path) -> Run:
    """The command line on that database, in a terminal of 100 columns."""

    def command(*arguments: object, columns: int = 100, url: str = "") -> Result:
        names = {"HILO_DATABASE_URL": url or f"sqlite:///{database}", "COLUMNS": str(columns)}
        names["VUELOS_DB"] = str(database.parent / "vuelos.sqlite")
        return CliRunner(env={**os.environ, **names}).invoke(hilo, [str(each) for each in arguments])

    return command
