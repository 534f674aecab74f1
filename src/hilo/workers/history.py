"""The turns of a session before this one, read from the store when a model is asked."""

from dataclasses import dataclass

from hilo.store.history import said_since
from hilo.store.store import Store
from hilo.turn.model_requests.talk import Exchange


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """The history of one session."""

    store: Store
    session: str

    async def since(self, turn: int, *, most: int) -> tuple[Exchange, ...]:
        """The newest exchanges after that turn, the oldest of them first."""
        turns = await self.store.run(said_since, self.session, turn, most=most)
        return tuple(Exchange(each.number, each.heard, each.said) for each in turns)
