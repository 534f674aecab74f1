"""What is kept of agents and sessions, looked at again: two versions beside each other, a session once more."""

import asyncio
from dataclasses import asdict, dataclass
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.difference import difference
from hilo.app.replay import compare, play_again, unfaithful
from hilo.errors import FileProblems, HiloError
from hilo.store.registry import in_force, published
from hilo.store.store import Store
from hilo.store.views import Recorded, record
from hilo.workers.kept_agents import kept_agent


@dataclass(frozen=True, slots=True)
class StoredArchive:
    """Reads the versions and the sessions of a store; nothing is called, said or changed."""

    store: Store

    async def difference(self, workspace: str, agent: str, before: str, after: str) -> list[dict[str, Any]] | None:
        """What one version of an agent changes against another; none where one of them is not kept."""
        both = [await self._agent(workspace, agent, version) for version in (before, after)]
        if both[0] is None or both[1] is None:
            return None
        changes = await asyncio.to_thread(difference, both[0], both[1])
        return [asdict(each) for each in changes]

    async def replay(self, workspace: str, session: str) -> dict[str, Any] | None:
        """A session run again with its own version, and what the version in force would change in it."""
        recorded = await self.store.run(record, workspace, session)
        if recorded is None:
            return None
        made_with = await self._agent(workspace, recorded.agent, recorded.agent_version)
        if made_with is None:
            raise HiloError(f"the version {recorded.agent_version} of the agent is not kept any more")
        current = await self.store.run(in_force, workspace, recorded.agent)
        edited = await self._agent(workspace, recorded.agent, current) if current != recorded.agent_version else None
        return await asyncio.to_thread(_played, recorded, made_with, edited)

    async def _agent(self, workspace: str, name: str, version: str) -> Agent | None:
        kept = await self.store.run(published, workspace, name, version)
        if kept is None:
            return None
        try:
            return await asyncio.to_thread(kept_agent, kept)
        except FileProblems as problems:
            raise HiloError(f"{name}@{version} cannot be read by this program: {problems}") from problems


def _played(recorded: Recorded, made_with: Agent, edited: Agent | None) -> dict[str, Any]:
    try:
        played = play_again(made_with, recorded)
        compared = compare(recorded, played, before=made_with, after=edited) if edited else None
    except (ValueError, LookupError, TypeError) as error:
        raise HiloError(f"the session cannot be played: {type(error).__name__}: {error}") from error
    turns = compared.turns if compared else ()
    return {
        "version": recorded.agent_version,
        "edited": edited.version if edited else "",
        "turns": len(recorded.turns),
        "broken": list(unfaithful(recorded, played)),
        "changes": [{**asdict(turn), "kind": turn.kind} for turn in turns if turn.changes],
        "stopped": compared.stopped if compared else "",
    }
