"""What understanding (or a model) proposes. The dialogue may refuse each of them."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from hilo.dialogue.stored import Arguments, Named, StoredValue


@dataclass(frozen=True, slots=True)
class SetSlot:
    """The contact gave a value for a slot."""

    slot: str
    value: StoredValue


@dataclass(frozen=True, slots=True)
class CorrectSlot:
    """The contact corrects a slot: the value may come next; without a slot we ask which one."""

    slot: str = ""
    value: StoredValue | None = None


@dataclass(frozen=True, slots=True)
class SuggestSlot:
    """The contact may have meant this value for one of these slots: they are asked before it is kept."""

    slots: tuple[str, ...]
    value: StoredValue


@dataclass(frozen=True, slots=True)
class TakeNote:
    """The contact wishes something besides, which this slot of notes keeps in their words."""

    slot: str
    text: str


@dataclass(frozen=True, slots=True)
class DropNote:
    """The contact takes back what was noted, or a piece of it."""

    slot: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class NarrowDays:
    """The contact told a month or a week, and no day: a day that they give next is one of it. It begins with `day`."""

    day: str


@dataclass(frozen=True, slots=True)
class RejectSlot:
    """A tool says that the value given for a slot does not exist or will not do, and perhaps in its own words why."""

    slot: str
    value: StoredValue
    tell: str = ""


@dataclass(frozen=True, slots=True)
class OfferValues:
    """A tool says that the value given for a slot may mean several things."""

    slot: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SkipSlot:
    """The contact will not give this value, or nothing at all of what is still asked for."""

    slot: str
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Affirm:
    """The contact says yes to what was asked; a button says to which question."""

    to: str = ""


@dataclass(frozen=True, slots=True)
class Deny:
    """The contact says no to what was asked; a button says to which question."""

    to: str = ""


@dataclass(frozen=True, slots=True)
class StartFlow:
    """The contact wants what this flow does."""

    flow: str


@dataclass(frozen=True, slots=True)
class WantAlso:
    """The contact wants this flow once more after what is under way, with these values; None is to be asked for."""

    flow: str
    values: Arguments = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CancelFlow:
    """The contact does not want to go on."""


@dataclass(frozen=True, slots=True)
class AskInfo:
    """The contact asks something that an intent answers, perhaps of a day that they name.

    One that is not `sure` to be asked is answered with a word of doubt.
    """

    intent: str
    day: str = field(default="", compare=False)  # the question is the same, whatever the day
    sure: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Quote:
    """The contact asks something that a section of the agent's pages answers; `text` is what to say of it.

    One that is not `sure` to answer is said with a word of doubt.
    """

    source: str
    text: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class OfferSections:
    """The contact asks something that one of these sections of the agent's pages may answer, which is not sure."""

    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallTool:
    """A tool should run with these arguments; `id` is by what the proposer will know the result."""

    tool: str
    arguments: Arguments = field(default_factory=dict)
    id: str = ""
    alike: tuple[str, ...] = ()  # where the product was only guessed: what it may be, to be asked


@dataclass(frozen=True, slots=True)
class Reply:
    """These words, by a model, should go to the contact."""

    text: str


@dataclass(frozen=True, slots=True)
class GiveArgument:
    """The contact says what a tool asked for; a button says to which parameter."""

    value: StoredValue
    parameter: str = ""


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """The contact wants none of what a tool asks about: the last thing, the one named here, or all that is open."""

    about: str = ""
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """The contact says which of the things that we offered was meant."""

    intent: str


@dataclass(frozen=True, slots=True)
class RequestHuman:
    """The contact wants a person, or has sent what the agent file leaves to one."""

    reason: str = ""
    policy: str = "request"


@dataclass(frozen=True, slots=True)
class Tell:
    """The contact sent something besides text, for which the agent has these words."""

    template: str


@dataclass(frozen=True, slots=True)
class Recall:
    """The contact asks what we have noted: the values of these slots, as far as they have any."""

    slots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeaveUnanswered:
    """The contact asks this beside something else, and nobody here knows it."""

    question: str


@dataclass(frozen=True, slots=True)
class OptOut:
    """The contact wants no messages that the business begins; `back`: wants them again."""

    back: bool = False


@dataclass(frozen=True, slots=True)
class EraseData:
    """The contact wants what was noted of them deleted, and no messages any more."""


DigressionKind = Literal[
    "greeting", "thanks", "bye", "aside", "chitchat", "beside", "told", "off_topic", "repeat", "no_text", "too_long",
    "help", "bot", "why", "later", "opens", "urgent", "unnoted", "not_served", "displeased",
    "nearly",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Digress:
    """The contact says something that is not about what was asked, perhaps about another slot."""

    kind: DigressionKind
    slot: str = ""


Command = Annotated[
    SetSlot
    | CorrectSlot
    | SuggestSlot
    | TakeNote
    | DropNote
    | NarrowDays
    | RejectSlot
    | OfferValues
    | SkipSlot
    | Affirm
    | Deny
    | StartFlow
    | WantAlso
    | CancelFlow
    | AskInfo
    | Quote
    | OfferSections
    | CallTool
    | Reply
    | GiveArgument
    | LeaveOut
    | Choose
    | RequestHuman
    | Tell
    | Recall
    | LeaveUnanswered
    | OptOut
    | EraseData
    | Digress,
    Named(),
]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was not carried out, and why."""

    command: Command
    reason: str
