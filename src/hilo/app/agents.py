"""The agents of an installation: the version in force for new sessions, and those that open sessions began with."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from hilo.agent.declaration import Agent
from hilo.agent.folder_texts import to_json
from hilo.agent.toolbox import ToolSpec
from hilo.app.loading import LoadedAgent, connected, load_agent, prepare_kept
from hilo.clock import Clock
from hilo.dialogue.carry_over import carried_over
from hilo.dialogue.session import Session
from hilo.errors import HiloError
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import make_tables
from hilo.store.registry import Version, in_force, publish, published
from hilo.store.store import Store, StoreUnavailable
from hilo.store.wrappers import PatientStore
from hilo.tools.database import EPOCH
from hilo.turn.run import Turn
from hilo.understanding.reading import read

log = structlog.get_logger()

PAUSE = timedelta(minutes=1)

_Key = tuple[str, str, str]  # a workspace, an agent, a version


@dataclass
class InstalledAgents:
    """Agents by name, as their files have them; other versions come from the store when a session needs them.

    A version in force that does not run here is tried again after a `pause`, when the next session begins.
    """

    store: Store
    loaded: dict[str, LoadedAgent]
    pause: timedelta = PAUSE
    follows_edits: bool = False  # whether open sessions go on with the file's version, as in `hilo dev`
    own: dict[str, OwnSql] = field(default_factory=dict)  # what agents have of their own in the database
    _others: dict[_Key, Turn] = field(default_factory=dict)
    _served: dict[tuple[str, str], Turn] = field(default_factory=dict)  # what the last new session began on
    _unfit: dict[_Key, float] = field(default_factory=dict)  # until when each is left alone
    _preparing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _connections: AsyncExitStack = field(default_factory=AsyncExitStack)
    _patient: PatientStore = field(init=False)

    def __post_init__(self) -> None:
        self._patient = PatientStore(self.store)

    def load(self, paths: Sequence[Path]) -> None:
        """Read the agent files."""
        agents = [load_agent(path) for path in paths]
        for each in agents:
            read(each.turn.understander, "hola", at=EPOCH)  # what is loaded with the first message is loaded now
            self._know(each)

    def _know(self, agent: LoadedAgent) -> None:
        name = agent.agent.agent
        self.loaded[name] = agent
        if agent.own:
            self.own[name] = agent.own
        else:
            self.own.pop(name, None)

    async def connect(self) -> None:
        """Connect the MCP servers that agents declare; `aclose` lets them go."""
        for name, each in self.loaded.items():
            self.loaded[name] = await connected(each, self._connections)

    async def aclose(self) -> None:
        """Let go of what was connected."""
        await self._connections.aclose()

    async def publish(self, workspace: str, clock: Clock) -> None:
        """Keep each file's text, in force if it is new; a version that is in force instead is made ready now."""
        for name, each in self.loaded.items():
            await self.store.run(publish, workspace, to_publish(each), now=clock.now())
            if (workspace, name) not in self._served:
                turn = await self.current(workspace, name)
                if turn is not each.turn:
                    self._tell_other(workspace, turn.agent)

    async def make_tables(self, clock: Clock) -> None:
        """Bring the agents' own tables up to date."""
        for own in self.own.values():
            await make_tables(self.store, own, now=clock.now())

    async def replace(self, edited: LoadedAgent, workspace: str, clock: Clock) -> None:
        """Serve an edited agent from the next turn on; raises HiloError when something that it needs is missing."""
        edited = await connected(edited, self._connections)
        if edited.own:
            await make_tables(self.store, edited.own, now=clock.now())
        await self.store.run(publish, workspace, to_publish(edited), now=clock.now())
        self._know(edited)

    def serves(self, name: str) -> bool:
        """Whether this process has an agent."""
        return name in self.loaded

    async def current(self, workspace: str, name: str) -> Turn:
        """The version in force, which another process may have changed a moment ago: for a session that begins.

        If it does not run with the tools that are here, the session begins on what the one before it began on (the
        first one on the file's version): whoever writes gets an answer from an agent that works.
        """
        loaded = self._loaded(name)
        if self.follows_edits:
            return loaded.turn
        version = await self._patient.run(in_force, workspace, name)
        files = version in {"", loaded.agent.version}
        turn = loaded.turn if files else await self._if_fit((workspace, name, version))
        self._served[workspace, name] = turn or self._served.get((workspace, name), loaded.turn)
        return self._served[workspace, name]

    async def of(self, workspace: str, session: Session) -> tuple[Turn, Session]:
        """The version that a session began with, with the tools that are there now, and the session.

        Where it follows edits, the file's version, and the session as that can go on with it.
        """
        loaded = self._loaded(session.agent)
        if loaded.agent.version == session.agent_version:
            return loaded.turn, session
        if self.follows_edits:
            return loaded.turn, carried_over(session, loaded.agent)
        return await self._version((workspace, session.agent, session.agent_version)), session

    def _loaded(self, name: str) -> LoadedAgent:
        if name not in self.loaded:
            raise HiloError(f"there is no agent {name} here: start with the folder that has it")
        return self.loaded[name]

    async def _if_fit(self, key: _Key) -> Turn | None:
        """A version that runs here. Who comes while one is tried for the first time waits for what comes of it."""
        if self._may_try(key):
            async with self._preparing:
                if self._may_try(key):
                    await self._try(key)
        return self._others.get(key)

    def _may_try(self, key: _Key) -> bool:
        return key not in self._others and self._unfit.get(key, 0.0) <= asyncio.get_running_loop().time()

    async def _try(self, key: _Key) -> None:
        again = key in self._unfit
        if again:
            self._leave_alone(key)  # now already: who comes meanwhile goes on with what was served before
        try:
            self._others[key] = await self._prepare(key)
        except StoreUnavailable:
            raise
        except HiloError as error:
            self._leave_alone(key)
            self._tell_unfit(key, error)
        else:
            self._unfit.pop(key, None)
            if again:
                self._tell_fit(key)

    def _leave_alone(self, key: _Key) -> None:
        self._unfit[key] = asyncio.get_running_loop().time() + self.pause.total_seconds()

    async def _version(self, key: _Key) -> Turn:
        """Sessions that need the same one wait together; it is made beside the others' turns."""
        if key in self._others:
            return self._others[key]
        async with self._preparing:
            if key not in self._others:
                self._others[key] = await self._prepare(key)
        return self._others[key]

    async def _prepare(self, key: _Key) -> Turn:
        kept = await self._patient.run(published, *key)
        if kept is None:
            raise HiloError(f"the version {key[2]} of the agent {key[1]} is not kept here")
        other = await asyncio.to_thread(prepare_kept, kept, self.loaded[key[1]].file)
        return (await connected(other, self._connections)).turn

    def _tell_other(self, workspace: str, agent: Agent) -> None:
        log.warning(
            "new sessions begin on another version than the file's",
            workspace=workspace,
            agent=agent.agent,
            in_force=agent.version,
            file=self.loaded[agent.agent].agent.version,
            hint="`hilo agents publish PATH` puts the file in force",
        )

    def _tell_unfit(self, key: _Key, error: HiloError) -> None:
        workspace, name, version = key
        loaded = self.loaded[name]
        log.warning(
            "the version in force does not run with the tools that are here; new sessions begin on another one",
            workspace=workspace,
            agent=name,
            in_force=version,
            served=self._served.get((workspace, name), loaded.turn).agent.version,
            problem=str(error),
            hint=f"bring back what is missing in {loaded.file.parent}: it is tried again after "
            f"{self.pause.total_seconds():.0f} s. Or put one in force that runs: `hilo agents publish PATH`, "
            "`hilo agents rollback NAME VERSION`",
        )

    def _tell_fit(self, key: _Key) -> None:
        workspace, name, version = key
        said = "the version in force runs with the tools that are here now; new sessions begin on it"
        log.info(said, workspace=workspace, agent=name, in_force=version)


def to_publish(loaded: LoadedAgent) -> Version:
    """An agent as the registry keeps it."""
    agent = loaded.agent
    return Version(agent.agent, agent.version, loaded.source, _offers(agent), to_json(loaded.folder_texts))


def _offers(agent: Agent) -> dict[str, Any]:
    """What operators may choose: modes to go on in, and tools with whether each parameter is required.

    `specs` is all that is known of the tools: with it a version can be read where its folder is not.
    """
    return {
        "modes": [name for name in agent.modes if name != agent.operator_mode],
        "handoff": agent.operator_mode,
        "tools": {
            name: {"writes": spec.writes, "description": spec.description, "parameters": dict(spec.parameters)}
            for name, spec in agent.toolbox.items()
        },
        "specs": {name: _plain(spec) for name, spec in agent.toolbox.items()},
    }


def _plain(spec: ToolSpec) -> dict[str, Any]:
    return {**{each.name: getattr(spec, each.name) for each in fields(spec)}, "parameters": dict(spec.parameters)}
