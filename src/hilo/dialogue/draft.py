"""One turn in the making: the copy of the session that `decide` edits, and what becomes of it, the Decision."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Command
from hilo.dialogue.effects import AskYes, Effect, RunTool
from hilo.dialogue.session import AskedYes, Pending, Session, TurnProgress
from hilo.dialogue.states import DialogueState, route


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was not carried out, and why."""

    command: Command
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens next: the new session, what is to be carried out, and how it came about."""

    session: Session
    progress: TurnProgress = field(default_factory=TurnProgress)
    effects: tuple[Effect, ...] = ()
    accepted: tuple[Command, ...] = ()
    refused: tuple[Refusal, ...] = ()
    states: tuple[DialogueState, ...] = ()
    steps: tuple[str, ...] = ()
    guards: tuple[tuple[str, str, bool], ...] = ()  # step, guard, whether it held
    errors: tuple[str, ...] = ()
    modes: tuple[tuple[str, str], ...] = ()  # the changes: from, to
    unmet: tuple[tuple[str, str], ...] = ()  # a mode that was not entered, and what it needs
    exhausted: tuple[str, ...] = ()  # templates that had nothing new to say


def continued(before: Decision, after: Decision) -> Decision:
    """One decision of two in the same turn: what was decided before a tool ran, and after it."""
    return Decision(
        session=after.session,
        progress=after.progress,
        effects=before.effects + after.effects,
        accepted=before.accepted + after.accepted,
        refused=before.refused + after.refused,
        states=before.states[:-1] + after.states,  # the one where the first ends is where the second begins
        steps=before.steps + after.steps,
        guards=before.guards + after.guards,
        errors=before.errors + after.errors,
        modes=before.modes + after.modes,
        unmet=before.unmet + after.unmet,
        exhausted=before.exhausted + after.exhausted,
    )


@dataclass(slots=True)
class TurnLog:
    """How a decision comes about, in the order in which it happened."""

    accepted: list[Command] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    states: list[DialogueState] = field(default_factory=list)  # those passed through on the way
    steps: list[str] = field(default_factory=list)
    guards: list[tuple[str, str, bool]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # what tools said went wrong
    modes: list[tuple[str, str]] = field(default_factory=list)
    unmet: list[tuple[str, str]] = field(default_factory=list)
    exhausted: list[str] = field(default_factory=list)  # templates that had nothing new to say
    replaced: list[str] = field(default_factory=list)  # templates whose fallback was said instead

    def accept(self, command: Command) -> None:
        """A command that is carried out."""
        self.accepted.append(command)

    def refuse(self, command: Command, reason: str) -> None:
        """A command that is not carried out."""
        self.refused.append(Refusal(command, reason))

    def passes(self, state: DialogueState) -> None:
        """A state that the turn passes through; where it ends follows from what is pending and running."""
        self.states.append(state)


class Draft:
    """Collects one turn's changes; lives for one call of `decide`. What speaks and what sets timers only uses it."""

    def __init__(self, agent: Agent, session: Session, progress: TurnProgress, now: datetime) -> None:
        self.agent = agent
        # Copies of our own: the caller's session and progress stay as they were, so they may be decided on again.
        self.session = replace(session)
        self.progress = replace(progress)
        self.now = now.astimezone(UTC)  # sums of times in a zone of its own would be off by its changes
        self.zone = ZoneInfo(agent.timezone)
        self.turn = session.version  # the version that the session has after it
        self.effects: list[Effect] = []
        self.log = TurnLog()
        self.changed: set[str] = set()  # the slots that this message gave a value
        self.retry = ""  # the filled slot whose correction could not be used
        self.asked = session.pending  # the question that was open when the event came
        self.spoken = False  # whether something was said in this turn before
        self.early = False  # whether the message was written before our last question was sent
        self.took_up = False  # whether this message goes on with what the session before was left in
        self.force_repeat = False  # rather the same words again than none: a person told us to, or is to come
        self._began_in = state_in(session, progress)

    def count(self, **changes: Any) -> None:
        """Change counters of the session."""
        self.session.counters = replace(self.session.counters, **changes)

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
        return Decision(
            session=self.session,
            progress=self.progress,
            effects=tuple(self.effects),
            accepted=tuple(log.accepted),
            refused=tuple(log.refused),
            states=self._states(),
            steps=tuple(log.steps),
            guards=tuple(log.guards),
            errors=tuple(log.errors),
            modes=tuple(log.modes),
            unmet=tuple(log.unmet),
            exhausted=tuple(dict.fromkeys((*log.exhausted, *log.replaced))),
        )

    def _states(self) -> tuple[DialogueState, ...]:
        """From where the turn began, by what it passed through, to where what is pending and running leaves it."""
        end = state_in(self.session, self.progress)
        passed = self.log.states
        if end is DialogueState.EXECUTING_ACTION and _has(self.effects, RunTool):
            passed = [*passed, DialogueState.READY_FOR_ACTION]
        elif end is DialogueState.CONFIRMING and _has(self.effects, AskYes):
            passed = [*passed, DialogueState.READY_FOR_CONFIRMATION]
        return route(self._began_in, passed, end)


def _has(effects: list[Effect], kind: type[Effect]) -> bool:
    return any(isinstance(each, kind) for each in effects)


def state_in(session: Session, progress: TurnProgress) -> DialogueState:
    """Where the conversation stands, also in the middle of a turn: while calls run, or a model goes on to speak."""
    if progress.running and not progress.running[0].operator:
        return DialogueState.EXECUTING_ACTION
    if progress.model_turn_open and not progress.asked:
        return DialogueState.UNDERSTANDING
    return session.state
