"""The session as one turn changes it: what `decide` writes on before it becomes a Decision."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from hilo.agent.declaration import Agent, Template
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue import wording
from hilo.dialogue.commands import Command
from hilo.dialogue.due import awake
from hilo.dialogue.effects import CancelTimer, Effect, Line, Question, Say, SetTimer
from hilo.dialogue.session import MAX_SAID, Pending, Session
from hilo.dialogue.states import TRANSITIONS, DialogueState, change

HANDOFF = "handoff"  # the template that tells of a person; as a fallback, the person
WORDLESS = -1  # instead of a wording's number


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
    modes: tuple[tuple[str, str], ...] = ()  # the changes: from, to
    worn: tuple[str, ...] = ()  # templates that had nothing new to say


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
        modes=before.modes + after.modes,
        worn=before.worn + after.worn,
    )


class Draft:
    """Collects one turn's changes; lives for one call of `decide`."""

    def __init__(self, agent: Agent, session: Session, now: datetime, *, turn: int) -> None:
        self.agent = agent
        self.turn = turn  # the version that the session has after it; results of tools come in the same turn
        self.session = replace(session)  # a copy of our own: nobody else sees it before the decision
        self.now = now.astimezone(UTC)  # sums of times in a zone of its own would be off by its changes
        self.zone = ZoneInfo(agent.timezone)
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
        self.modes: list[tuple[str, str]] = []  # the changes of mode: from, to
        self.spoken = False  # whether something was said in this turn before
        self.early = False  # whether the message was written before our last question was sent
        self.worn: list[str] = []  # templates that should have been said and had nothing new to say
        self.took_up = False  # whether this message goes on with what the session before was left in
        self.insists = False  # rather the same words again than none: a person told us to, or is to come
        self.stood_in: list[str] = []  # templates that another one was said for

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
        """The next wording of a template, noted as sent; a question that has none left calls a person."""
        line = self._next_line(template, values or {})
        self.worn += [template] if line is None else []
        return line or Line(template, WORDLESS, "")

    def _next_line(self, template: str, values: Mapping[str, Any]) -> Line | None:
        tone = self.agent.tone_of(self.session.mood)
        if self.agent.repeats == "never":
            line = self._fresh_line(template, values, tone)
            if line or not self.insists:
                return self._sent(line, template) if line else None
        sent = self.session.templates_sent.get(template, 0)
        place, text = wording.next_wording(self.agent.templates[template], tone, sent)
        return self._sent(self._filled(template, place, text, values), template)

    def _fresh_line(self, template: str, values: Mapping[str, Any], tone: str) -> Line | None:
        """The first wording that was not said: the agent's, a model's, or one of the template that stands in for it."""
        declared = self.agent.templates[template]
        texts = wording.wordings(declared, tone)
        made = enumerate(self.session.reworded.get(template, ()), len(declared.texts))
        lines = (self._filled(template, place, text, values) for place, text in (*texts, *made))
        line = next((each for each in lines if self._is_new(each.text)), None)
        if line is None and declared.fallback in self.agent.templates and declared.fallback != HANDOFF:
            self.stood_in.append(template)
            line = self._fresh_line(declared.fallback, values, tone)
        return line

    def _is_new(self, text: str) -> bool:
        return len(self.session.said) < MAX_SAID and wording.mark(text) not in self.session.said

    def _filled(self, template: str, place: int, text: str, values: Mapping[str, Any]) -> Line:
        known = {**self._values(text), **values}
        return Line(template, place, wording.fill(text, known), self._approved(self.agent.templates[template], values))

    def _approved(self, declared: Template, values: Mapping[str, Any]) -> tuple[str, ...]:
        """What fills the places of the approved template: the values of the first wording, in order."""
        if not declared.wa_template:
            return ()
        known = {**self._values(declared.text), **values}
        return tuple(str(known.get(name, "")) for name in PLACEHOLDER.findall(declared.text))

    def fitting_line(self, template: str, values: Mapping[str, str]) -> Line | None:
        """The first wording of a template that speaks only of what is known, if there is one."""
        for place, text in enumerate(self.agent.templates[template].variants):
            known = {name: value for name, value in {**self._values(text), **values}.items() if value}
            line = Line(template, place, wording.fill(text, known))
            may_be_said = self.agent.repeats != "never" or self._is_new(line.text)
            if known.keys() >= set(PLACEHOLDER.findall(text)) and may_be_said:
                return self._sent(line, template)
        return None

    def values_of(self, text: str) -> dict[str, str]:
        """What fills the places of a text."""
        return self._values(text)

    def _values(self, text: str) -> dict[str, str]:
        known = wording.line_values(self.agent, self.session.slots, text)
        return {**known, "missing": self._missing()} if "{missing}" in text else known

    def _missing(self) -> str:
        """What the flow under way still needs, as contacts call it."""
        asked = self.agent.flows[self.session.stack[-1].flow].collects if self.session.stack else ()
        needed = [name for name in asked if self.agent.slots[name].required and name not in self.session.slots]
        return ", ".join(wording.label(self.agent, name) for name in dict.fromkeys(needed))

    def _sent(self, line: Line, meant: str) -> Line:
        """Note a line as said, also for the template that it stands in for."""
        sent = self.session.templates_sent
        counted = {name: sent.get(name, 0) + 1 for name in (line.template, meant)}
        self.update(templates_sent={**sent, **counted})
        if self.agent.repeats == "never":
            self.update(said=(*self.session.said, wording.mark(line.text)))
        return line

    def take_back(self, kept: list[Effect]) -> None:
        """Only these effects are left; lines that the contact will not read may still be said later."""
        if self.agent.repeats == "never":
            lines = [each.line for each in self.effects if each not in kept and isinstance(each, Say | Question)]
            unread = Counter(line.template for line in lines if line.variant != WORDLESS)
            sent = {name: times - unread[name] for name, times in self.session.templates_sent.items()}
            marks = {wording.mark(line.text) for line in lines}
            self.update(
                said=tuple(mark for mark in self.session.said if mark not in marks),
                templates_sent={name: times for name, times in sent.items() if times > 0},
            )
        self.effects = kept

    def remark(self, template: str, values: Mapping[str, Any] | None = None) -> bool:
        """Say something in front of what comes next; whether there was something new to say."""
        line = self._next_line(template, values or {})
        self.effects += [Say(line, remark=True)] if line else []
        return line is not None

    def say(self, template: str, values: Mapping[str, Any] | None = None) -> None:
        """Say a paragraph of its own; where it has no new words left, a person must."""
        line = self.line(template, values)
        self.effects += [Say(line)] if line.variant != WORDLESS else []

    def say_words(self, text: str, *, by: str) -> None:
        """Say words that are no template's: a tool's or a model's."""
        self.effects.append(Say(Line(by, 0, text)))

    def enter(self, mode: str) -> None:
        """Be in a mode; the promises of the one that is left are off."""
        before = self.session.mode
        self.cancel_timers(f"timer.{before}.")
        self.modes.append((before, mode))
        left = {name: times for name, times in self.session.fired.items() if not name.startswith(f"{mode}.")}
        self.update(mode=mode, fired=left)

    def ask(self, effect: Effect, pending: Pending) -> None:
        """Ask a question and remember that we wait for its answer."""
        self.effects.append(effect)
        self.update(pending=pending)

    def set_timer(self, name: str, at: datetime) -> None:
        """Promise an event; one that would come in the quiet hours comes at their end."""
        due = awake(at, self.agent.quiet_hours, self.zone)
        self.update(timers={**self.session.timers, name: due})
        self.effects.append(SetTimer(name, due))

    def is_quiet(self) -> bool:
        """Whether these are hours in which no timer may fall due."""
        return awake(self.now, self.agent.quiet_hours, self.zone) != self.now

    def cancel_timer(self, name: str) -> None:
        """A promise that is not needed any more, if it was made."""
        if name in self.session.timers:
            self.effects.append(CancelTimer(name))
            self.update(timers={timer: at for timer, at in self.session.timers.items() if timer != name})

    def cancel_timers(self, beginning: str = "") -> None:
        """Promises whose name begins like this are not needed any more."""
        for name in [name for name in self.session.timers if name.startswith(beginning)]:
            self.cancel_timer(name)

    def decision(self) -> Decision:
        """What `decide` returns."""
        self.update(version=self.turn, last_at=self.now)
        return Decision(
            session=self.session,
            effects=tuple(self.effects),
            accepted=tuple(self.accepted),
            refused=tuple(self.refused),
            states=tuple(self.states),
            steps=tuple(self.steps),
            guards=tuple(self.guards),
            errors=tuple(self.errors),
            modes=tuple(self.modes),
            worn=tuple(dict.fromkeys((*self.worn, *self.stood_in))),
        )
