"""What the REST API takes and gives; its OpenAPI is made of these."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

Status = Literal["active", "handed_off", "paused", "closed"]


def _without_nul(given: Any) -> Any:
    """No database keeps NUL and no channel sends it, so a text of nothing else says nothing."""
    return given.replace("\0", "") if isinstance(given, str) else given


_Clean = BeforeValidator(_without_nul)
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4096), _Clean]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100), _Clean]


class _Taken(BaseModel):
    """What a caller sends: a key that we do not know is a mistake."""

    model_config = ConfigDict(extra="forbid")


class Session(BaseModel):
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


class Turn(BaseModel):
    """What happened in a turn."""

    number: int
    at: datetime
    event: str
    heard: str
    said: list[dict[str, Any]]
    intent: str
    confidence: int
    stage: str


class Button(_Taken):
    """A choice; `payload` comes back when it is pressed."""

    payload: Annotated[str, StringConstraints(min_length=1, max_length=200), _Clean]
    title: Name


class Message(BaseModel):
    """Something that was said. `author` is contact, agent, notice or operator."""

    id: str
    at: datetime
    author: str
    text: str
    status: str
    buttons: list[dict[str, Any]] = Field(default_factory=list)


class NewMessage(_Taken):
    """What an operator says."""

    text: Text
    buttons: Annotated[list[Button], Field(max_length=10)] = Field(default_factory=list)


class Accepted(BaseModel):
    """It is written down and will happen; `id` names it."""

    id: str


class Operator(_Taken):
    """Who takes it; the key's name if nobody is named."""

    operator: Name | None = None


class Address(BaseModel):
    """Where a contact is reachable."""

    channel: str
    value: str
    heard_at: datetime | None


class Contact(BaseModel):
    """A person who wrote."""

    id: str
    name: str
    phone: str
    created_at: datetime


class ContactWithAddresses(Contact):
    """A person, with where to reach them."""

    addresses: list[Address]


class HandoffShape(BaseModel):
    """A person was wanted; `session` is empty when the conversation could not even begin."""

    id: str
    session: str
    policy: str
    reason: str
    status: Literal["pending", "assigned", "resolved"]
    operator: str
    created_at: datetime
    assigned_at: datetime | None
    resolved_at: datetime | None


class Agent(BaseModel):
    """An agent in the version that new sessions get."""

    name: str
    version: str
    published_at: datetime


class Sessions(BaseModel):
    """A piece of a list; `next` is the cursor of the piece after it, if there is one."""

    items: list[Session]
    next: str | None


class Turns(BaseModel):
    """A piece of a list."""

    items: list[Turn]
    next: str | None


class Messages(BaseModel):
    """A piece of a list."""

    items: list[Message]
    next: str | None


class Contacts(BaseModel):
    """A piece of a list."""

    items: list[Contact]
    next: str | None


class Handoffs(BaseModel):
    """A piece of a list."""

    items: list[HandoffShape]
    next: str | None


class Agents(BaseModel):
    """All agents."""

    items: list[Agent]
