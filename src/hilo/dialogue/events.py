"""What happened, in the past tense: all that can change a session."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from hilo.dialogue.commands import Command, Refusal
from hilo.dialogue.stored import Arguments, Named
from hilo.messages import Attachment, OrderedItem


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """A contact wrote. The turn graph reads it and tells the dialogue `MessageUnderstood`.

    `at` is when it gets its turn, by which timers are set; `written` is what "mañana" in it counts
    from, if it waited.
    """

    at: datetime
    text: str
    payload: str = ""
    id: str = ""
    early: bool = False  # written before our last question had been sent
    written: datetime | None = None
    sent: datetime | None = None  # by the channel's clock, which orders messages and tells nothing else
    attachments: tuple[Attachment, ...] = ()
    order: tuple[OrderedItem, ...] = ()  # a cart of the channel's own catalogue
    referral: str = ""  # the advertisement that the contact came from
    part: int = 0  # its place in a burst, of which an earlier message was decided on in the same turn
    late: bool = False  # old news: it is shown and answered, and nothing is done by it

    @property
    def needs_no_reading(self) -> bool:
        """Whether a button was pressed, or something came without words."""
        return bool(self.payload) or (bool(self.attachments or self.order) and not self.text.strip())

    @property
    def described(self) -> str:
        """All that came, in words: the text, and a line for each thing besides."""
        items = [f"[order {each.quantity} × {each.product}]" for each in self.order]
        sent = [each.described() for each in self.attachments]
        came = [f"[from {self.referral}]"] if self.referral else []
        late = [f"[came late, written {self.written or self.at:%Y-%m-%d %H:%M} UTC]"] if self.late else []
        return "\n".join(filter(None, (*late, self.text, *sent, *items, *came)))


@dataclass(frozen=True, slots=True)
class MessageUnderstood:
    """A message was read; `commands` is what it is taken to mean.

    With `floor` a model goes on to speak in this turn: the dialogue carries the commands out and
    says nothing of its own before `ModelAnswered`.
    """

    at: datetime
    commands: tuple[Command, ...] = ()
    intent: str = ""
    confidence: int = 0
    alternatives: tuple[tuple[str, int], ...] = ()
    sentiment: float = 0.0
    early: bool = False  # written before our last question had been sent
    floor: bool = False
    only_values: bool = False  # whether it asks and denies nothing beside what it gives
    remembers: bool = False  # whether the session keeps what was named; older versions did not
    refused: tuple[Refusal, ...] = ()  # what a model proposed and stands nowhere
    part: int = 0  # not zero: it goes on with the turn that an earlier message of its burst began
    late: bool = False  # as in `MessageReceived`: nothing was read in it
    unheard: tuple[str, ...] = ()  # parts of it in which nothing was heard, in the contact's words
    zone: str = ""  # the contact's time zone, where the agent goes by it


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """A model whose turn is open proposes more in the same turn; without `floor` it is the last."""

    at: datetime
    commands: tuple[Command, ...] = ()
    floor: bool = False
    spoken: bool = False  # whether something was said in this turn before
    refused: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Summarised:
    """A model has put the turns up to a number in a few words, in the same turn."""

    at: datetime
    text: str
    upto: int


@dataclass(frozen=True, slots=True)
class Reworded:
    """A model has put a template in other words; before the event that needs them is decided on."""

    at: datetime
    template: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asks:
    """What a tool must know before it can run: which of these, or simply what."""

    parameter: str
    options: tuple[str, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What became of a call. `unknown`: not to be repeated, and nobody knows whether it was done.

    A failure that has something to `tell` the contact, or that `asks`, is an outcome and not an
    error.
    """

    call_id: str
    tool: str
    ok: bool
    outputs: Arguments = field(default_factory=dict)
    error: str = ""
    unknown: bool = False
    tell: str = ""
    asks: Asks | None = None
    person: str = ""  # the policy under which a person must see to it


@dataclass(frozen=True, slots=True)
class ToolsReturned:
    """Calls that the dialogue ordered have ended, in the same turn."""

    at: datetime
    results: tuple[ToolResult, ...]

    def of(self, call_id: str) -> ToolResult | None:
        """What a call came to, if it is among these."""
        return next((each for each in self.results if each.call_id == call_id), None)


@dataclass(frozen=True, slots=True)
class EscalationTriggered:
    """A policy of the agent says that a person must take over."""

    at: datetime
    policy: str
    reason: str
    sentiment: float = 0.0  # how the message sounds that it was
    commands: tuple[Command, ...] = ()  # the values that it gives: they are kept all the same
    part: int = 0  # as in `MessageUnderstood`


@dataclass(frozen=True, slots=True)
class SendFailed:
    """What was said to the contact could not be sent, and never will be."""

    at: datetime
    message_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A promise made earlier is due; `due` says which of those made under the name."""

    at: datetime
    name: str
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class CampaignReached:
    """A campaign has come to a contact of its list, who has not asked for it: the business writes first.

    `values` is what the list gives for slots, `recipient` by what the list knows the contact.
    """

    at: datetime
    campaign: str
    values: Arguments = field(default_factory=dict)
    recipient: str = ""


@dataclass(frozen=True, slots=True)
class OperatorTookOver:
    """An operator answers from now on."""

    at: datetime
    operator: str = ""


@dataclass(frozen=True, slots=True)
class OperatorCalled:
    """An operator wants a tool to run, and its result told to the contact."""

    at: datetime
    tool: str
    arguments: Arguments = field(default_factory=dict)
    operator: str = ""
    tell: bool = True


@dataclass(frozen=True, slots=True)
class OperatorCorrected:
    """An operator who has the session gives a slot another value; the contact hears nothing of it."""

    at: datetime
    slot: str
    value: str
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Released:
    """An operator gave the session back: in which mode, after which tools, with which words."""

    at: datetime
    mode: str = ""
    calls: tuple[str, ...] = ()
    text: str = ""
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    """The agent must be quiet until the session is resumed."""

    at: datetime
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The pause is over."""

    at: datetime
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """The session is over."""

    at: datetime
    operator: str = ""


Event = Annotated[
    MessageReceived
    | MessageUnderstood
    | ModelAnswered
    | Reworded
    | Summarised
    | ToolsReturned
    | EscalationTriggered
    | SendFailed
    | TimerFired
    | CampaignReached
    | OperatorTookOver
    | OperatorCalled
    | OperatorCorrected
    | Released
    | Paused
    | Resumed
    | Closed,
    Named(),
]

Told = tuple[Event, ...]  # what the dialogue was told in one turn


def began(told: Sequence[Event]) -> Event | None:
    """What a turn began with; words that a model gave for it come before."""
    return next((event for event in told if not isinstance(event, Reworded)), None)
