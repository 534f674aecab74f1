"""The agents of an installation, in the versions that its sessions began with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hilo.app.loading import LoadedAgent, load_agent, prepare
from hilo.clock import Clock
from hilo.dialogue.session import Session
from hilo.errors import HiloError
from hilo.store.places import publish, published
from hilo.store.store import Store
from hilo.turn.run import Turn


@dataclass
class InstalledAgents:
    """Agents by name; older versions come from the store when a session needs them."""

    store: Store
    loaded: dict[str, LoadedAgent]
    _older: dict[tuple[str, str, str], Turn] = field(default_factory=dict)

    @classmethod
    def load(cls, store: Store, paths: Sequence[Path]) -> "InstalledAgents":
        """Read the agent files."""
        agents = [load_agent(path) for path in paths]
        return cls(store, {each.agent.agent: each for each in agents})

    async def publish(self, workspace: str, clock: Clock) -> None:
        """Keep the text of each version, so that sessions can stay on it when the file changes."""
        for each in self.loaded.values():
            name, version = each.agent.agent, each.agent.version
            await self.store.run(publish, workspace, name, version, source=each.source, now=clock.now())

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
        return prepare(source, self.loaded[key[1]].file).turn
