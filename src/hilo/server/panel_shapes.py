"""What the panel's part of the REST API takes and gives."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from hilo.server.people_shapes import Team
from hilo.server.shapes import CallBody, ContactDetails, HandoffDetails, Name, RequestBody, SessionBody, Text, Word

# --- the inbox ----------------------------------------------------------------------------------------


class LastWords(BaseModel):
    """What was said last, and by whom."""

    author: str
    operator: str
    text: str
    at: datetime


class InboxContact(BaseModel):
    """Who writes."""

    id: str
    name: str
    phone: str


class InboxRow(BaseModel):
    """A session in a list.

    `waits_since` is since when the contact waits for a person, `patience` how long at most, `wanted` why; a reason of
    the agent's own has its label in `wanted_label`.
    """

    session: str
    agent: str
    channel: str
    channel_kind: str
    contact: InboxContact
    address: str
    status: str
    holder: str
    operator: str
    team: str
    mode: str
    mode_label: str
    last: LastWords | None
    wanted: str
    wanted_label: str
    waits_since: datetime | None
    window_until: datetime | None
    mood: float
    unread: int
    trouble: Literal["failed", "held", "parked", ""]
    patience: float


class InboxCounts(BaseModel):
    """How many sessions stand in each view."""

    waiting: int
    mine: int
    agent: int
    paused: int
    trouble: int


class InboxPage(BaseModel):
    """A piece of a list."""

    items: list[InboxRow]
    next: str | None
    counts: InboxCounts


# --- one session --------------------------------------------------------------------------------------


class Labelled(BaseModel):
    """A name with what people call it."""

    name: str
    label: str


class SlotBody(BaseModel):
    """A value that is known; who gave it and when, as far as the last turns tell."""

    name: str
    label: str
    value: Any
    shown: str
    set_by: str
    set_at: datetime | None


class FoundBody(BaseModel):
    """What a tool found."""

    label: str
    shown: str


class FlowBody(BaseModel):
    """Where a session stands; `stack` is what waits below."""

    name: str
    label: str
    step: str
    stack: list[str]


class QuestionBody(BaseModel):
    """What the contact was asked and has not said; `yes` is a summary that waits for one."""

    kind: str
    words: str


class TimerBody(BaseModel):
    """A promise that is not yet due."""

    id: str
    name: str
    due_at: datetime
    does: str


class EarlierSession(BaseModel):
    """Another session of the contact."""

    session: str
    started_at: datetime
    status: str


class MadeBody(BaseModel):
    """Something that the business counts and that was made for the contact, such as an order."""

    label: str
    at: datetime
    session: str
    money: Decimal | None
    name: str


class ActionBody(BaseModel):
    """A tool that an operator may run, `own` if nobody else may; `parameters` is the JSON Schema of its arguments."""

    tool: str
    title: str
    description: str
    writes: bool
    own: bool
    parameters: dict[str, Any]


class WholeSession(BaseModel):
    """A session with everything beside it, in its agent's words. `may` is what who asks may do with it now."""

    session: SessionBody
    contact: ContactDetails
    mode: Labelled
    slots: list[SlotBody]
    found: list[FoundBody]
    flow: FlowBody | None
    question: QuestionBody | None
    timers: list[TimerBody]
    window_until: datetime | None
    handoff: HandoffDetails | None
    holder: str
    operator: str
    team: str
    mood: float
    unread: int
    earlier: list[EarlierSession]
    made: list[MadeBody] = Field(default_factory=list)
    actions: list[ActionBody]
    modes: list[Labelled]
    may: list[str]


class NodeBody(BaseModel):
    """A node that the turn visited."""

    name: str
    ms: float


class FoundValue(BaseModel):
    """A place in the message that was taken for a value, or was not and why."""

    text: str
    start: int
    end: int
    slot: str
    value: str
    rule: str
    against: list[str]
    taken: bool


class MeaningBody(BaseModel):
    """What the message may have meant."""

    name: str
    label: str
    confidence: int


class CommandBody(BaseModel):
    """What was proposed, about which slot, tool, flow or intent; `label` is what people call that."""

    command: str
    about: str = ""
    label: str = ""
    words: str


class RefusedBody(CommandBody):
    """What was proposed and not done, and why."""

    reason: str


class LineBody(BaseModel):
    """What was said, by which template."""

    text: str
    template: str
    variant: int


class TokensBody(BaseModel):
    """What models were asked for in the turn."""

    input: int
    output: int
    cached: int
    cost: str
    models: list[str]


class WantedBody(BaseModel):
    """Why a person was called; `label` is the agent's word for a reason of its own."""

    trigger: str
    label: str
    reason: str


class TurnWhy(BaseModel):
    """How a turn came about."""

    number: int
    at: datetime
    event: str
    heard: str
    stage: str
    nodes: list[NodeBody]
    found: list[FoundValue]
    acts: list[CommandBody]
    meanings: list[MeaningBody]
    accepted: list[CommandBody]
    refused: list[RefusedBody]
    handoff: WantedBody | None
    calls: list[CallBody]
    said: list[LineBody]
    exhausted: list[str]
    states: list[str]
    steps: list[str]
    modes: list[list[str]]
    errors: list[str]
    notes: list[str]
    tokens: TokensBody


# --- acts ---------------------------------------------------------------------------------------------


class NewNote(RequestBody):
    """What colleagues should know; the contact never sees it."""

    text: Text


class NoteBody(BaseModel):
    """A note."""

    id: str
    at: datetime
    author: str
    text: str


class NotePage(BaseModel):
    """A piece of a list."""

    items: list[NoteBody]
    next: str | None


class ReplyText(RequestBody):
    """The words of a canned reply; `{slot}` stands for a value."""

    text: Text


class ReplyBody(BaseModel):
    """A canned reply."""

    name: str
    text: str


class ReplyList(BaseModel):
    """All canned replies."""

    items: list[ReplyBody]


class Transfer(RequestBody):
    """To whom a session goes: a colleague by name, or a team."""

    operator: Name | None = None
    team: Team | None = None


class SlotCorrection(RequestBody):
    """Another value for a slot."""

    slot: Word
    value: Text


class PreviewRequest(RequestBody):
    """How a session would be given back."""

    mode: Word | None = None
    calls: Annotated[list[Word], Field(max_length=5)] = Field(default_factory=list)
    message: Text | None = None


class PreviewBody(BaseModel):
    """What the agent would say; `runs` are tools that would write, so that nobody can tell what comes after them."""

    messages: list[str]
    mode: str
    runs: list[str]


# --- live ---------------------------------------------------------------------------------------------


class LiveBody(BaseModel):
    """Something that happened; `n` is its number, the same for ever."""

    n: int
    at: datetime
    event: str
    session: str
    detail: dict[str, Any]


class StreamPage(BaseModel):
    """What happened after a number. `reset`: some of it is not kept any more, so load anew and go on from `next`."""

    items: list[LiveBody]
    next: int
    more: bool
    reset: bool
