"""What depends on an agent alone, found once for each agent and not once for each message."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from hilo.agent.declaration import Agent

T = TypeVar("T")

MOST_AGENTS = 64  # when there are more, all are forgotten: versions of agents come and go


def once_per_agent(find: Callable[[Agent], T]) -> Callable[[Agent], T]:
    """Remember what a function finds for an agent."""
    found: dict[int, tuple[Agent, T]] = {}

    @wraps(find)
    def remembered(agent: Agent) -> T:
        # The agent is kept with what was found, so that no other one gets its id.
        known = found.get(id(agent))
        if known is None:
            if len(found) >= MOST_AGENTS:
                found.clear()
            known = found[id(agent)] = (agent, find(agent))
        return known[1]

    return remembered
