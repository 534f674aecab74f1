"""One kind of things that conversations can go through."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Covered:
    """One kind of things: all that there are, in the order of the file, and those that conversations reached."""

    kind: str
    known: tuple[str, ...]
    reached: frozenset[str]

    @property
    def missing(self) -> tuple[str, ...]:
        """What no conversation reached."""
        return tuple(name for name in self.known if name not in self.reached)

    @property
    def percent(self) -> int | None:
        """Rounded down, so that 100 means all; nothing where there is nothing to reach."""
        reached = len(self.known) - len(self.missing)
        return 100 * reached // len(self.known) if self.known else None
