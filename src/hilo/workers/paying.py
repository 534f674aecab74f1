"""Paying for a turn's models: what an attempt spent is booked when it ends, whatever becomes of the turn."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from hilo.dialogue.session import Session
from hilo.llm.purse import Purse


class Purses(Protocol):
    """Where the purse of a turn comes from, and where it is given back."""

    def purse(self, workspace: str, agent: str, session: str) -> Purse | None:
        """For one attempt at a turn; none where there is no model."""
        ...

    async def settle(self, purse: Purse, *, turn: int) -> None:
        """Book what was spent; raises nothing that would undo the turn."""
        ...


@asynccontextmanager
async def paying(purses: Purses | None, workspace: str, session: Session) -> AsyncIterator[Purse | None]:
    """A purse for an attempt at the next turn of a session."""
    purse = purses.purse(workspace, session.agent, session.id) if purses else None
    try:
        yield purse
    finally:
        if purses and purse:
            await purses.settle(purse, turn=session.version + 1)
