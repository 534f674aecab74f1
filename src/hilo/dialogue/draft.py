"""One turn in the making: the copy of the session that `decide` edits, and its Decision."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import UnionType
from typing import Any, TypeVar, overload
from zoneinfo import ZoneInfo

from hilo.agent.declaration import Agent
from hilo.agent.values import Accepted, Value, accept
from hilo.dialogue.commands import Command, Refusal
from hilo.dialogue.effects import AskYes, Effect, RunTool
from hilo.dialogue.session import AskedArgument, AskedYes, Pending, Session, TurnProgress
from hilo.dialogue.states import TRANSITIONS, DialogueState
from hilo.errors import InvalidTransition

V = TypeVar("V")
Kind = type | UnionType
States = tuple[DialogueState, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens next: the new session, what is to be carried out, and how it came about."""

    session: Session
    progress: TurnProgress = field(default_factory=TurnProgress)
    effects: tuple[Effect, ...] = ()
    accepted: tuple[Command, ...] = ()
    refused: tuple[Refusal, ...] = ()
    states: States = ()
    steps: tuple[str, ...] = ()
    guards: tuple[tuple[str, str, bool], ...] = ()  # step, guard, whether it held
    errors: tuple[str, ...] = ()
    modes: tuple[tuple[str, str], ...] = ()  # the changes: from, to
    unmet: tuple[tuple[str, str], ...] = ()  # a mode that was not entered, and what it needs
    exhausted: tuple[str, ...] = ()  # templates that had nothing new to say
    notes: tuple[str, ...] = ()  # what was not done and why, where nothing went wrong


def continued(before: Decision, after: Decision) -> Decision:
    """One decision of two in the same turn: what was decided before a tool ran, and after it."""
    both = {name: getattr(before, name) + getattr(after, name) for name in ("effects", *_LOGGED)}
    # The state where the first ends is where the second begins.
    return Decision(after.session, after.progress, states=before.states[:-1] + after.states, **both)


# What a decision tells of how it came about, as its log has it.
_LOGGED = ("accepted", "refused", "steps", "guards", "errors", "modes", "unmet", "exhausted", "notes")


@dataclass(slots=True)
class TurnLog:
    """How a decision comes about, in the order in which it happened."""

    accepted: list[Command] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    # Those that the turn passes through; where it ends follows from what is pending and running.
    states: list[DialogueState] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    guards: list[tuple[str, str, bool]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # what tools said went wrong
    modes: list[tuple[str, str]] = field(default_factory=list)
    unmet: list[tuple[str, str]] = field(default_factory=list)
    exhausted: list[str] = field(default_factory=list)  # templates that had nothing new to say
    replaced: list[str] = field(default_factory=list)  # templates whose fallback was said instead
    notes: list[str] = field(default_factory=list)

    @property
    def meant(self) -> tuple[Command, ...]:
        """What was understood, whether or not it is done."""
        return (*self.accepted, *(refusal.command for refusal in self.refused))

    def refuse(self, command: Command, reason: str) -> None:
        """A command that is not carried out."""
        self.refused.append(Refusal(command, reason))


class Draft:
    """Collects one turn's changes; lives for one call of `decide`."""

    def __init__(
        self,
        agent: Agent,
        session: Session,
        progress: TurnProgress,
        now: datetime,
    ) -> None:
        self.agent = agent
        # Copies of our own: the caller's stay as they were, so they may be decided on again.
        self.session = replace(session)
        self.progress = replace(progress)
        self.now = now.astimezone(UTC)  # sums of times in another zone are off by its changes
        self.zone = ZoneInfo(session.zone or agent.timezone)
        self.turn = session.version  # the version that the session has after it
        self.effects: list[Effect] = []
        self.log = TurnLog()
        self.changed: set[str] = set()  # the slots that this message gave a value
        self.noted: list[str] = []  # those of them that nothing has been said of
        self.settled: list[AskedArgument] = []  # questions that calls of this message answered
        self.retry = ""  # the filled slot whose correction could not be used
        self.asked = session.pending  # the question that was open when the event came
        self.spoken = False  # whether something was said in this turn before
        self.early = False  # whether the message was written before our last question was sent
        self.confidence = 100  # how sure it is what the message means
        self.took_up = False  # whether the message goes on with what the session before left
        # Rather the same words again than none: a person told us to, or is to come.
        self.force_repeat = False
        self._began_in = state_in(session, progress)

    @property
    def ordered_in(self) -> int | str:
        """What tells calls apart: the turn, and in a burst the message too."""
        return f"{self.turn}.{self.progress.part}" if self.progress.part else self.turn

    def count(self, **changes: Any) -> None:
        """Change counters of the session."""
        self.session.counters = replace(self.session.counters, **changes)

    def fill(self, slot: str, value: Value) -> bool:
        """Keep a value if the slot takes it; whether it does."""
        taken = accept(self.agent.slots[slot], value, country=self.agent.country)
        if isinstance(taken, Accepted):
            self.session.slots = {**self.session.slots, slot: taken.value}
        return isinstance(taken, Accepted)

    def ask(self, effect: Effect, pending: Pending) -> None:
        """Ask a question and remember that we wait for its answer."""
        self.effects.append(effect)
        self.session.pending = pending
        self.progress.asked = not isinstance(pending, AskedYes)

    def decision(self) -> Decision:
        """What `decide` returns."""
        self.session.version = self.turn
        self.session.last_at = self.now
        log = self.log
        end = state_in(self.session, self.progress)
        passed = log.states
        if end in _ON_THE_WAY:
            before, kind = _ON_THE_WAY[end]
            # else the turn began there already; a summary may also stay open, unsaid: "tengo una pregunta"
            if has(self.effects, kind) or (passed and end is DialogueState.CONFIRMING):
                passed = [*passed, before]
        logged = {name: tuple(getattr(log, name)) for name in _LOGGED}
        logged["exhausted"] = tuple(dict.fromkeys((*log.exhausted, *log.replaced)))
        states = route(self._began_in, passed, end)
        return Decision(self.session, self.progress, tuple(self.effects), states=states, **logged)


# What a turn passes just before it ends in one of these, by the effect that leads there.
_ON_THE_WAY = {
    DialogueState.EXECUTING_ACTION: (DialogueState.READY_FOR_ACTION, RunTool),
    DialogueState.CONFIRMING: (DialogueState.READY_FOR_CONFIRMATION, AskYes),
}


def state_in(session: Session, progress: TurnProgress) -> DialogueState:
    """Where the conversation stands, also while calls run or a model goes on to speak."""
    if progress.running and not progress.running[0].operator:
        return DialogueState.EXECUTING_ACTION
    if progress.model_turn_open and not progress.asked:
        return DialogueState.UNDERSTANDING
    return session.state


def route(start: DialogueState, passed: Iterable[DialogueState], end: DialogueState) -> States:
    """The states of a turn from its start to its end, by way of those that it passed through.

    A turn that goes on with something new starts again from understanding: where the table has no
    direct change, that lies in between. Whatever else is not in the table is a bug of ours and
    raises.
    """
    states = [start]
    for state in (*passed, end):
        if state is states[-1]:
            continue
        allowed = TRANSITIONS[states[-1]]
        if state not in allowed and DialogueState.UNDERSTANDING in allowed:
            states.append(DialogueState.UNDERSTANDING)
        if state not in TRANSITIONS[states[-1]]:
            raise InvalidTransition(f"the dialogue may not go from {states[-1]} to {state}")
        states.append(state)
    return tuple(states)


# --- small questions that the dialogue asks in many places ---------------------------------------


def answering(draft: Draft) -> bool:
    """Whether a message began this turn: a timer's flow may do its work without a word."""
    return draft.session.heard_at == draft.now


def has(things: Iterable[object], kind: Kind) -> bool:
    """Whether there is one of that kind."""
    return any(isinstance(each, kind) for each in things)


def are_all(things: Collection[object], kind: Kind) -> bool:
    """Whether there is something, and nothing but that kind."""
    return bool(things) and all(isinstance(each, kind) for each in things)


@overload
def of_kind(things: Iterable[object], kind: type[V]) -> tuple[V, ...]: ...
@overload
def of_kind(things: Iterable[object], kind: UnionType) -> tuple[Any, ...]: ...
def of_kind(things: Iterable[object], kind: Kind) -> tuple[Any, ...]:
    """Those of that kind, in their order."""
    return tuple(each for each in things if isinstance(each, kind))


def but(things: Iterable[V], kind: Kind) -> tuple[V, ...]:
    """All that are not of that kind, in their order."""
    return tuple(each for each in things if not isinstance(each, kind))


def without(mapping: Mapping[str, V], *names: str) -> dict[str, V]:
    """The mapping less these names."""
    return {name: value for name, value in mapping.items() if name not in names}


def less(things: Iterable[V], *gone: V) -> tuple[V, ...]:
    """Those that are left, in their order, when some are gone: names, commands."""
    return tuple(each for each in things if each not in gone)


def known(mapping: Mapping[str, V | None]) -> dict[str, V]:
    """The names that have a value."""
    return {name: value for name, value in mapping.items() if value is not None}
