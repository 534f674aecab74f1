"""What the dialogue orders; the turn carries it out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from hilo.dialogue.stored import Arguments, Named
from hilo.messages import Attachment


@dataclass(frozen=True, slots=True)
class Line:
    """A template's wording, filled in; `values` are those of an approved template, in order.

    `attached` is what goes out with it.
    """

    template: str
    variant: int
    text: str
    values: tuple[str, ...] = ()
    attached: Attachment | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Say this. A remark stands before the next line in the same paragraph."""

    line: Line
    remark: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for a slot, and offer values where only some can be meant, or a person."""

    slot: str
    line: Line
    offered: tuple[str, ...] = ()
    person: bool = False
    leave: bool = False  # whether to leave what is under way is offered, too


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
class RunTool:
    """Run a tool. The id is the same whenever the same call is repeated."""

    call_id: str
    tool: str
    arguments: Arguments
    proposal: str = ""  # by what the proposer knows it


@dataclass(frozen=True, slots=True)
class AskSwitch:
    """Ask whether to leave what is under way for another flow."""

    flow: str
    line: Line


@dataclass(frozen=True, slots=True)
class AskSure:
    """Ask whether a slot shall have this value; `about` is by what a button knows the question."""

    slot: str
    line: Line
    about: str


@dataclass(frozen=True, slots=True)
class AskArgument:
    """Ask for what a tool lacks, and offer what it knows."""

    tool: str
    parameter: str
    line: Line
    offered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskMeaning:
    """Ask which of these intents or flows is meant."""

    intents: tuple[str, ...]
    line: Line


@dataclass(frozen=True, slots=True)
class Complete:
    """A flow has all that it wanted, or a slot of it was corrected afterwards."""

    flow: str


@dataclass(frozen=True, slots=True)
class HandOff:
    """Hand the session to an operator, perhaps of a team."""

    policy: str
    reason: str
    team: str = ""


@dataclass(frozen=True, slots=True)
class SetTimer:
    """Put `TimerFired(name)` into the inbox at that time."""

    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CancelTimer:
    """The promise is no longer needed."""

    name: str


@dataclass(frozen=True, slots=True)
class NextMessage:
    """What follows comes of the next message of a burst; nobody has seen what was asked before it."""

    part: int


Question = Ask | AskWhich | AskYes | AskSure | AskSwitch | AskArgument | AskMeaning
Effect = Annotated[Say | Question | RunTool | Complete | HandOff | SetTimer | CancelTimer | NextMessage, Named()]
