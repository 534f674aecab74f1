"""What the nodes of a turn read and write, and what they are given besides."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Command, Refusal
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import RunTool
from hilo.dialogue.escalation import Escalation
from hilo.dialogue.events import Event, MessageReceived, ToolResult
from hilo.dialogue.session import Session
from hilo.llm.turn_budget import ModelUse, TurnBudget
from hilo.messages import Outbound
from hilo.tools.call import Journal
from hilo.tools.given import Contact, Given
from hilo.tools.tool import Tool
from hilo.turn.model_requests.requests import Asked
from hilo.turn.model_requests.router import Routed
from hilo.turn.model_requests.talk import History
from hilo.understanding.assignment import Weighed
from hilo.understanding.corrections import Correction
from hilo.understanding.lookups import Lookup
from hilo.understanding.reading import Reading, Understander


class TurnState(TypedDict, total=False):
    """One turn's state. It lives for the turn; the session row is the only thing that is kept.

    `event` is what the dialogue is told next: what began the turn, and then what the tools returned.
    """

    session: Session
    event: Event
    reading: Reading
    escalation: Escalation | None
    correction: Correction | None
    commands: tuple[Command, ...]
    embedded: tuple[Command, ...]  # what was understood before a model was asked
    unheard: tuple[str, ...]  # parts of the message in which nothing was heard
    decision: Decision
    results: tuple[ToolResult, ...]
    needs_model: bool  # whether there is a model, and the embedded understander needs its help
    model: str  # how a model was asked, if it answered: by the router or in a loop
    asked: Asked
    routed: Routed
    round: Any
    refused: tuple[Refusal, ...]  # what a model proposed and stands nowhere
    model_turn_open: bool  # whether a model goes on to speak in this turn
    summary: tuple[str, int] | None
    replies: tuple[Outbound, ...]


def message_in(state: TurnState) -> MessageReceived:
    """What the contact wrote: nothing, where something else began the turn."""
    event = state["event"]
    return event if isinstance(event, MessageReceived) else MessageReceived(event.at, "")


@dataclass(slots=True)
class Visit:
    """A node that was run, and how long it took."""

    node: str
    milliseconds: float


@dataclass(slots=True)
class Record:
    """What a turn writes down while it runs."""

    visits: list[Visit] = field(default_factory=list)
    # What the dialogue decided on, in order: enough to decide again.
    told: list[Event] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    # What a model was asked, and why it did not answer.
    notes: list[str] = field(default_factory=list)
    # The requests that a model was asked in the turn, with their tokens.
    models: tuple[ModelUse, ...] = ()
    # By which rules values went to slots, and which spoke against others.
    values: tuple[Weighed, ...] = ()
    # Words that refer to what was named before, and what they were taken for.
    references: list[tuple[str, str]] = field(default_factory=list)
    # What was found in the agent's pages for what the message asks.
    lookups: tuple[Lookup, ...] = ()


# Of the state, and perhaps NodeTools; it returns commands, or will.
CustomFunction = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Asking:
    """What a turn may ask a model with: its budget, what was said before, and who sees words while they are written."""

    budget: TurnBudget
    history: History | None = None
    show: Callable[[str], None] | None = None
    always: bool = False  # also about what needs no model


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What every node is given: the agent, its understander, and where to write down what happens."""

    agent: Agent
    understander: Understander
    record: Record
    custom: Mapping[str, CustomFunction] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    journal: Journal | None = None
    given: Given | None = None
    asking: Asking | None = None
    zone: str = ""  # the contact's, if the agent goes by it and their number tells it

    @property
    def contact(self) -> Contact | None:
        """Who writes, where that is known."""
        return self.given.contact if self.given else None

    def earlier_calls(self) -> Sequence[RunTool]:
        """What earlier attempts at this turn have begun."""
        return self.journal.earlier() if self.journal else ()


Node = Callable[[TurnState, TurnContext], Awaitable[TurnState]]
