"""The agents of an installation, in the versions that its sessions began with."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hilo.agent.declaration import Agent
from hilo.app.loading import LoadedAgent, connected, load_agent, prepare
from hilo.clock import Clock
from hilo.dialogue.session import Session
from hilo.errors import HiloError
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import make_tables
from hilo.store.places import Version, publish, published
from hilo.store.store import Store
from hilo.tools.database import EPOCH
from hilo.turn.run import Turn
from hilo.understanding.reading import read


@dataclass
class InstalledAgents:
    """Agents by name; older versions come from the store when a session needs them."""

    store: Store
    loaded: dict[str, LoadedAgent]
    _older: dict[tuple[str, str, str], Turn] = field(default_factory=dict)
    _connections: AsyncExitStack = field(default_factory=AsyncExitStack)

    def load(self, paths: Sequence[Path]) -> None:
        """Read the agent files."""
        agents = [load_agent(path) for path in paths]
        for each in agents:
            read(each.turn.understander, "hola", at=EPOCH)  # what is loaded with the first message is loaded now
        self.loaded |= {each.agent.agent: each for each in agents}

    async def connect(self) -> None:
        """Connect the MCP servers that agents declare; `aclose` lets them go."""
        for name, each in self.loaded.items():
            self.loaded[name] = await connected(each, self._connections)

    async def aclose(self) -> None:
        """Let go of what was connected."""
        await self._connections.aclose()

    async def publish(self, workspace: str, clock: Clock) -> None:
        """Keep the text of each version, so that sessions can stay on it when the file changes."""
        for each in self.loaded.values():
            version = Version(each.agent.agent, each.agent.version, each.source, _offers(each.agent))
            await self.store.run(publish, workspace, version, now=clock.now())

    @property
    def own(self) -> dict[str, OwnSql]:
        """What agents have of their own in the database."""
        return {name: each.own for name, each in self.loaded.items() if each.own}

    async def make_tables(self, clock: Clock) -> None:
        """Bring the agents' own tables up to date."""
        for own in self.own.values():
            await make_tables(self.store, own, now=clock.now())

    async def current(self, workspace: str, name: str) -> Turn:
        """The version that the file has."""
        del workspace  # one set of files for all of them, until there is a registry
        if name not in self.loaded:
            raise HiloError(f"there is no agent {name} here: start with the folder that has it")
        return self.loaded[name].turn

    async def of(self, workspace: str, session: Session) -> Turn:
        """The version that a session began with, with the tools that are there now."""
        turn = await self.current(workspace, session.agent)
        if turn.agent.version == session.agent_version:
            return turn
        key = (workspace, session.agent, session.agent_version)
        if key not in self._older:
            self._older[key] = await self._prepare(key)
        return self._older[key]

    async def _prepare(self, key: tuple[str, str, str]) -> Turn:
        source = await self.store.run(published, *key)
        if source is None:
            raise HiloError(f"the version {key[2]} of the agent {key[1]} is not kept here")
        older = prepare(source, self.loaded[key[1]].file)
        return (await connected(older, self._connections)).turn


def _offers(agent: Agent) -> dict[str, Any]:
    """What operators may choose: modes to go on in, and tools with whether each parameter is required."""
    return {
        "modes": [name for name in agent.modes if name != agent.operator_mode],
        "tools": {
            name: {"writes": spec.writes, "description": spec.description, "parameters": dict(spec.parameters)}
            for name, spec in agent.toolbox.items()
        },
    }
