"""What the dialogue orders; the turn carries it out."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Line:
    """A template's wording with its values filled in."""

    template: str
    variant: int
    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """Say this. A remark stands before the next line in the same paragraph."""

    line: Line
    remark: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for a slot."""

    slot: str
    line: Line


@dataclass(frozen=True, slots=True)
class AskWhich:
    """Ask which of these slots is to be changed; the first is the one we offer."""

    slots: tuple[str, ...]
    line: Line


@dataclass(frozen=True, slots=True)
class AskYes:
    """Ask for a yes to a summary, which the digest binds to what was shown."""

    line: Line
    digest: str


@dataclass(frozen=True, slots=True)
class Complete:
    """A flow has all that it wanted, or a slot of it was corrected afterwards."""

    flow: str


@dataclass(frozen=True, slots=True)
class HandOff:
    """Hand the session to an operator."""

    policy: str
    reason: str


@dataclass(frozen=True, slots=True)
class SetTimer:
    """Put `TimerFired(name)` into the inbox at that time."""

    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CancelTimer:
    """The promise is no longer needed."""

    name: str


Effect = Say | Ask | AskWhich | AskYes | Complete | HandOff | SetTimer | CancelTimer
