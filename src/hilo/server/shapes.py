"""What the REST API takes and gives; its OpenAPI is made of these."""

import json
import re
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

MAX_ARGUMENTS = 8_000  # characters
MAX_DEPTH = 6
_UNKEPT = re.compile(r"\\u0000|[\ud800-\udfff]")

Status = Literal["active", "handed_off", "paused", "closed"]


def _without_nul(given: Any) -> Any:
    """No database keeps NUL and no channel sends it, so a text of nothing else says nothing."""
    return given.replace("\0", "") if isinstance(given, str) else given


_Clean = BeforeValidator(_without_nul)
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4096), _Clean]
Word = Annotated[str, StringConstraints(pattern=r"^[\w.-]+$", max_length=100)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100), _Clean]


def _small(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a size that is read at once, in characters that every database can keep."""
    if _is_deep(given, MAX_DEPTH):
        raise ValueError(f"at most {MAX_DEPTH} levels deep")
    written = json.dumps(given, ensure_ascii=False, allow_nan=False)
    if len(written) > MAX_ARGUMENTS:
        raise ValueError(f"at most {MAX_ARGUMENTS} characters")
    if _UNKEPT.search(written):
        raise ValueError("a character that cannot be kept")
    return given


def _is_deep(value: Any, left: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left < 0 or any(_is_deep(each, left - 1) for each in inner)


class RequestBody(BaseModel):
    """What a caller sends: a key that we do not know is a mistake."""

    model_config = ConfigDict(extra="forbid")


class SessionBody(BaseModel):
    """One contact with one agent on one channel."""

    id: str
    channel: str
    contact: str
    address: str
    agent: str
    agent_version: str
    status: str
    holder: str
    mode: str
    turns: int
    started_at: datetime
    heard_at: datetime
    last_at: datetime


class TurnBody(BaseModel):
    """What happened in a turn."""

    number: int
    at: datetime
    event: str
    heard: str
    said: list[dict[str, Any]]
    intent: str
    confidence: int
    stage: str
    refused: list[str]
    errors: list[str]


class CallBody(BaseModel):
    """A call of a tool; `operator` is who ordered it, if it was not the agent.

    Where it failed, `error` is the reason, for programs, and `tell` says in words what could be done instead.
    """

    id: str
    turn: int
    tool: str
    operator: str
    arguments: dict[str, Any]
    status: str
    outputs: dict[str, Any]
    error: str
    tell: str
    started_at: datetime
    ended_at: datetime | None


class NewCall(RequestBody):
    """What an operator wants done; the contact is told what it came to, unless `tell` is false."""

    tool: Word
    arguments: Annotated[dict[str, Any], AfterValidator(_small)] = Field(default_factory=dict)
    tell: bool = True
    operator: Name | None = None


class NewButton(RequestBody):
    """A choice; `payload` comes back when it is pressed."""

    payload: Annotated[str, StringConstraints(min_length=1, max_length=200), _Clean]
    title: Name


class AttachmentBody(BaseModel):
    """What came or went besides text: a picture, a voice note, a document, a place, a card, a form.

    A file has a `status`: waiting (it is being fetched), kept, refused (too large, of a type that is not taken) or
    lost, and a `reason` where it is not here. `url` is where it can be looked at, with the same key or login.
    """

    kind: str
    url: str = ""
    caption: str = ""
    name: str = ""
    latitude: float | None = None
    longitude: float | None = None
    phone: str = ""
    values: list[tuple[str, str]] = Field(default_factory=list)
    media: str = ""
    status: Literal["", "waiting", "kept", "refused", "lost"] = ""
    type: str = ""
    size: int = 0
    reason: str = ""


class MessageBody(BaseModel):
    """Something that was said. `author` is contact, agent, notice or operator; with `timer` a time had come."""

    id: str
    at: datetime
    author: str
    text: str
    status: str
    operator: str = ""
    reason: str = ""
    turn: int | None = None
    buttons: list[dict[str, Any]] = Field(default_factory=list)
    attachments: list[AttachmentBody] = Field(default_factory=list)
    timer: bool = False


class NewAttachment(RequestBody):
    """A file that was kept with `POST /media`, or a place."""

    media: Annotated[str, StringConstraints(max_length=100)] = ""
    latitude: Annotated[float, Field(ge=-90, le=90)] | None = None
    longitude: Annotated[float, Field(ge=-180, le=180)] | None = None
    name: Annotated[str, StringConstraints(max_length=200), _Clean] = ""
    address: Annotated[str, StringConstraints(max_length=500), _Clean] = ""

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        place = self.latitude is not None and self.longitude is not None
        if bool(self.media) == place:
            raise ValueError("name a file (`media`) or a place (`latitude` and `longitude`)")
        return self


class NewTemplate(RequestBody):
    """An approved template, as `GET /sessions/{session}/templates` offers it, with its values in order."""

    name: Name
    language: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]{2,10}$")]
    values: Annotated[list[Name], Field(max_length=20)] = Field(default_factory=list)


class NewMessage(RequestBody):
    """What an operator says: words, a file or a place with or without words, or an approved template."""

    text: Text | None = None
    buttons: Annotated[list[NewButton], Field(max_length=10)] = Field(default_factory=list)
    attachment: NewAttachment | None = None
    template: NewTemplate | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.template and (self.text or self.buttons or self.attachment):
            raise ValueError("a template goes alone")
        if not (self.text or self.attachment or self.template):
            raise ValueError("a text, an attachment or a template is missing")
        return self


class OfferedTemplate(BaseModel):
    """A template that the provider has approved; `values` are those that are known, in the order of `fields`."""

    name: str
    language: str
    text: str
    fields: list[str]
    values: list[str]


class TemplateList(BaseModel):
    """What may be said when the window is closed. `window_until` is empty where a channel has no window."""

    window_until: datetime | None
    open: bool
    items: list[OfferedTemplate]


class AcceptedRequest(BaseModel):
    """It is written down and will happen; `id` names it."""

    id: str


class Operator(RequestBody):
    """Who takes it; the key's name if nobody is named."""

    operator: Name | None = None


class Taking(Operator):
    """Who takes it, and from whom: without `instead_of`, a session that another operator has is not taken."""

    instead_of: Name | None = None


class Release(RequestBody):
    """How a handoff ends: the mode in which the agent goes on, tools that run first, words for the contact.

    `resolution` is for your own records. All of it may be left out.
    """

    operator: Name | None = None
    mode: Word | None = None
    calls: Annotated[list[Word], Field(max_length=5)] = Field(default_factory=list)
    message: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=3000), _Clean] | None = (
        None
    )
    resolution: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000), _Clean] = ""


class AddressBody(BaseModel):
    """Where a contact is reachable."""

    channel: str
    value: str
    heard_at: datetime | None


class ContactBody(BaseModel):
    """A person who wrote."""

    id: str
    name: str
    phone: str
    created_at: datetime


class ContactDetails(ContactBody):
    """A person, with where to reach them."""

    addresses: list[AddressBody]


class HandoffBody(BaseModel):
    """A person was wanted; `session` is empty when the conversation could not even begin.

    `policy` is the agent's own word for why, `trigger` the same in a word for all agents, `title` the same in the
    language of the `Accept-Language` header; `reason` has the details. `operator` is who has it.
    """

    id: str
    session: str
    policy: str
    trigger: str
    title: str
    reason: str
    status: Literal["pending", "assigned", "resolved"]
    operator: str
    created_at: datetime
    assigned_at: datetime | None
    resolved_at: datetime | None
    resolution: str
    resolved_by: str


class HandoffDetails(HandoffBody):
    """A handoff with what a person has to know: mode, flow, question, known, contact, messages, issue."""

    context: dict[str, Any]


class EventBody(BaseModel):
    """Something that happened between agents and persons; `id` is its place, the same for ever."""

    id: int
    at: datetime
    event: Literal["new_handoff", "assigned", "released", "resolved", "call_done"]
    session: str
    handoffs: list[str]
    actor: str
    detail: dict[str, Any]


class EventPage(BaseModel):
    """What happened after a place; `next` is the place to ask from then on, and `more` says: at once."""

    items: list[EventBody]
    next: int
    more: bool


class AgentBody(BaseModel):
    """An agent in the version that new sessions get."""

    name: str
    version: str
    published_at: datetime
    modes: list[str]
    tools: dict[str, Any]


class SessionPage(BaseModel):
    """A piece of a list; `next` is the cursor of the piece after it, if there is one."""

    items: list[SessionBody]
    next: str | None


class TurnPage(BaseModel):
    """A piece of a list."""

    items: list[TurnBody]
    next: str | None


class CallPage(BaseModel):
    """A piece of a list."""

    items: list[CallBody]
    next: str | None


class MessagePage(BaseModel):
    """A piece of a list."""

    items: list[MessageBody]
    next: str | None


class ContactPage(BaseModel):
    """A piece of a list."""

    items: list[ContactBody]
    next: str | None


class HandoffPage(BaseModel):
    """A piece of a list."""

    items: list[HandoffBody]
    next: str | None


class UndeliveredBody(BaseModel):
    """A message that the contact has not got: waiting to be tried again, held back or given up, and why."""

    id: str
    session: str
    channel: str
    address: str
    author: str
    text: str
    status: str
    reason: str
    attempts: int
    created_at: datetime
    next_at: datetime | None


class UndeliveredPage(BaseModel):
    """A piece of a list."""

    items: list[UndeliveredBody]
    next: str | None


class AgentList(BaseModel):
    """All agents."""

    items: list[AgentBody]
