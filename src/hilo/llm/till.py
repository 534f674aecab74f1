"""What turns of this process spend and may still spend, so that many at a time cannot overspend together."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from hilo.llm.budget import Amount, SoFar

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """Who a turn spends for; days are those of UTC."""

    workspace: str
    agent: str
    session: str
    day: date

    @property
    def keys(self) -> tuple[Key, Key, Key]:
        """The session, the agent's day and the workspace's day."""
        day = self.day.isoformat()
        return (
            (self.workspace, "session", self.session, ""),
            (self.workspace, "agent", self.agent, day),
            (self.workspace, "workspace", "", day),
        )


@dataclass(slots=True)
class _Line:
    """All that was ever taken, reservations included, and how much of it the store knows."""

    taken: Amount = field(default_factory=Amount)
    booked: Amount = field(default_factory=Amount)
    open: int = 0


class Till:
    """One per process: a line for everybody whose limits are being spent."""

    def __init__(self) -> None:
        self._lines: dict[Key, _Line] = {}

    def open(self, account: Account) -> "Drawer":
        """Before the store is asked what is spent: what is booked after this may be missing in its answer."""
        lines = [self._lines.setdefault(key, _Line()) for key in account.keys]
        for line in lines:
            line.open += 1
        return Drawer(self, account, tuple(lines))

    def forget(self, account: Account) -> None:
        """Drop the lines that nobody uses and the store knows all about."""
        for key in account.keys:
            line = self._lines.get(key)
            if line is not None and not line.open and line.taken == line.booked:
                del self._lines[key]

    def __len__(self) -> int:
        return len(self._lines)


class Drawer:
    """One turn's share of the till."""

    def __init__(self, till: Till, account: Account, lines: tuple[_Line, ...]) -> None:
        self._till = till
        self._account = account
        self._lines = lines
        self._known = tuple(line.booked for line in lines)  # what the store's answer surely has
        self._own = Amount()

    def so_far(self, stored: SoFar) -> SoFar:
        """What the store says, and what this process has taken that may not be in it: rather twice than never."""
        session, agent_day, workspace_day = self._taken_since()
        return SoFar(
            self._own, stored.session + session, stored.agent_day + agent_day, stored.workspace_day + workspace_day
        )

    def take(self, amount: Amount) -> None:
        """Reserve, or correct what was reserved to what it did cost."""
        self._own += amount
        for line in self._lines:
            line.taken += amount

    def close(self, *, booked: Amount) -> None:
        """The turn has ended, and the store knows this much of it."""
        for line in self._lines:
            line.booked += booked
            line.open -= 1
        self._till.forget(self._account)

    def _taken_since(self) -> Iterator[Amount]:
        return (line.taken - known for line, known in zip(self._lines, self._known, strict=True))
