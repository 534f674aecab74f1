"""The session as one turn changes it: what `decide` writes on before it becomes a Decision."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from hilo.agent.declaration import Agent
from hilo.dialogue import wording
from hilo.dialogue.commands import Command
from hilo.dialogue.effects import CancelTimer, Effect, Line, Say, SetTimer
from hilo.dialogue.session import AskedYes, Pending, Session
from hilo.dialogue.states import TRANSITIONS, DialogueState, change


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was not carried out, and why."""

    command: Command
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens next: the new session, what is to be carried out, and how it came about."""

    session: Session
    effects: tuple[Effect, ...] = ()
    accepted: tuple[Command, ...] = ()
    refused: tuple[Refusal, ...] = ()
    states: tuple[DialogueState, ...] = ()
    steps: tuple[str, ...] = ()
    guards: tuple[tuple[str, str, bool], ...] = ()  # step, guard, whether it held
    errors: tuple[str, ...] = ()


def continued(before: Decision, after: Decision) -> Decision:
    """One decision of two in the same turn: what was decided before a tool ran, and after it."""
    return Decision(
        session=after.session,
        effects=before.effects + after.effects,
        accepted=before.accepted + after.accepted,
        refused=before.refused + after.refused,
        states=before.states + after.states[1:],
        steps=before.steps + after.steps,
        guards=before.guards + after.guards,
        errors=before.errors + after.errors,
    )


class Draft:
    """Collects one turn's changes; lives for one call of `decide`."""

    def __init__(self, agent: Agent, session: Session, now: datetime) -> None:
        self.agent = agent
        self.session = replace(session)  # a copy of our own: nobody else sees it before the decision
        self.now = now
        self.effects: list[Effect] = []
        self.accepted: list[Command] = []
        self.refused: list[Refusal] = []
        self.states: list[DialogueState] = [session.state]
        self.steps: list[str] = []
        self.guards: list[tuple[str, str, bool]] = []
        self.changed: set[str] = set()  # the slots that this message gave a value
        self.errors: list[str] = []  # what tools said went wrong
        self.retry = ""  # the filled slot whose correction could not be used
        self.asked = session.pending  # the question that was open when the event came
        self.confirmed: AskedYes | None = None  # what this message said yes to

    def update(self, **changes: Any) -> None:
        """Change fields of our copy; a fresh copy for each change cost a third of the turn."""
        for name, value in changes.items():
            object.__setattr__(self.session, name, value)

    def count(self, **changes: Any) -> None:
        """Change counters of the session."""
        self.update(counters=replace(self.session.counters, **changes))

    def move(self, state: DialogueState) -> None:
        """Go to a dialogue state; an invalid change is a bug and raises."""
        if state is not self.session.state:
            self.update(state=change(self.session.state, state))
            self.states.append(state)

    def rest(self) -> None:
        """Become idle, by way of understanding where the state does not lead there."""
        if self.session.state is not DialogueState.IDLE:
            if DialogueState.IDLE not in TRANSITIONS[self.session.state]:
                self.move(DialogueState.UNDERSTANDING)
            self.move(DialogueState.IDLE)

    def refuse(self, command: Command, reason: str) -> None:
        """A command that is not carried out."""
        self.refused.append(Refusal(command, reason))

    def line(self, template: str, values: Mapping[str, Any] | None = None) -> Line:
        """The next wording of a template, noted as sent."""
        declared = self.agent.templates[template]
        sent = self.session.templates_sent.get(template, 0)
        place = wording.variant(declared, sent)
        text = declared.variants[place]
        known = {**wording.line_values(self.agent, self.session.slots, text), **(values or {})}
        self.update(templates_sent={**self.session.templates_sent, template: sent + 1})
        return Line(template, place, wording.fill(text, known))

    def remark(self, template: str, values: Mapping[str, Any] | None = None) -> None:
        """Say something in front of what comes next."""
        self.effects.append(Say(self.line(template, values), remark=True))

    def say(self, template: str) -> None:
        """Say a paragraph of its own."""
        self.effects.append(Say(self.line(template)))

    def ask(self, effect: Effect, pending: Pending) -> None:
        """Ask a question and remember that we wait for its answer."""
        self.effects.append(effect)
        self.update(pending=pending)

    def set_timer(self, name: str, at: datetime) -> None:
        """Promise an event."""
        self.update(timers={**self.session.timers, name: at})
        self.effects.append(SetTimer(name, at))

    def cancel_timers(self, beginning: str = "") -> None:
        """Promises whose name begins like this are not needed any more."""
        ended = [name for name in self.session.timers if name.startswith(beginning)]
        self.effects += [CancelTimer(name) for name in ended]
        self.update(timers={name: at for name, at in self.session.timers.items() if name not in ended})

    def decision(self, *, same_turn: bool = False) -> Decision:
        """What `decide` returns; the version rises with every turn, not with the results that come in it."""
        self.update(version=self.session.version + (not same_turn), last_at=self.now)
        return Decision(
            session=self.session,
            effects=tuple(self.effects),
            accepted=tuple(self.accepted),
            refused=tuple(self.refused),
            states=tuple(self.states),
            steps=tuple(self.steps),
            guards=tuple(self.guards),
            errors=tuple(self.errors),
        )
