"""A contact who writes while a person is awaited: what is given is kept, what can be answered is, nobody is left mute.

Once an operator has taken the session nothing is said here.
"""

from dataclasses import replace
from datetime import timedelta

from hilo.agent.values import Accepted, accept
from hilo.dialogue.answers import answer_question
from hilo.dialogue.apply_commands import apply_commands
from hilo.dialogue.commands import (
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    Digress,
    EraseData,
    OptOut,
    Quote,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.draft import Draft, has
from hilo.dialogue.effects import Say
from hilo.dialogue.modes import current_mode, enter_mode
from hilo.dialogue.session import Session
from hilo.dialogue.stack import drop
from hilo.dialogue.suggestions import tell_noted
from hilo.dialogue.timers import UNANSWERED, cancel_timer
from hilo.dialogue.wording import remark

TOLD_AGAIN = timedelta(minutes=3)  # who only adds something is not told more often that a person comes
WITHDRAWS = CancelFlow | OptOut | EraseData
ASKED_FOR = frozenset({"request", "llm_intent", "keyword"})  # handoffs of who wants a person and nobody else
GOES_ON = StartFlow | CallTool  # what the agent can do for a contact who waits
HEARD_WAITING = SetSlot | AskInfo | Quote | Digress | WITHDRAWS  # what a message may do while a person is awaited


def meet_waiting(draft: Draft, commands: tuple[Command, ...]) -> None:
    """Keep, answer and acknowledge what a contact writes after a handoff."""
    noted = note_values(draft, commands)
    handoff = draft.session.handoff
    if handoff is None or handoff.told or handoff.policy == "operator":
        return
    if has(commands, WITHDRAWS):
        _withdraw(draft, commands)
        return
    for command in commands:
        if isinstance(command, AskInfo | Quote):
            answer_question(draft, command)  # the hours do not need a person
    is_recent = handoff.told_at is not None and draft.now - handoff.told_at < TOLD_AGAIN
    is_answered = has(draft.effects, Say)
    for slot in noted:
        tell_noted(draft, slot)
    if is_answered or (is_recent and not has(commands, Digress)):
        return
    _tell_who_comes(draft, urgent=Digress("urgent") in commands)


def go_on_meanwhile(draft: Draft, commands: tuple[Command, ...]) -> bool:
    """Whether a contact who waits for a person wants what the agent can do: it goes on with that at once.

    As after a handoff that nobody took in time: a person stays wanted.
    """
    handoff = draft.session.handoff
    if handoff is None or not may_go_on(draft.session) or not has(commands, GOES_ON):
        return False
    end_handoff(draft)
    if handoff.mode in draft.agent.modes:
        enter_mode(draft, handoff.mode)
    remark(draft, "meanwhile")
    return True


def may_go_on(session: Session) -> bool:
    """Whether nobody has taken a handoff yet that the contact did not ask for, and that the agent could go on from."""
    handoff = session.handoff
    if handoff is None or handoff.told or UNANSWERED not in session.timers:
        return False
    return handoff.policy not in ASKED_FOR


def note_values(draft: Draft, commands: tuple[Command, ...]) -> list[str]:
    """Keep what a contact gives while a person is called or awaited; which slots were filled.

    Only what is still empty: what a person talks about with a contact changes nothing that we know.
    """
    agent, session = draft.agent, draft.session
    noted: list[str] = []
    for command in commands:
        if not isinstance(command, SetSlot) or command.slot not in agent.slots:
            continue
        if command.slot in session.slots or command.slot in agent.found_only():
            continue
        taken = accept(agent.slots[command.slot], command.value, country=agent.country)
        if isinstance(taken, Accepted):
            draft.log.accepted.append(command)
            session.slots = {**session.slots, command.slot: taken.value}
            noted.append(command.slot)
    return noted


def end_handoff(draft: Draft) -> None:
    """The session is the agent's again."""
    cancel_timer(draft, UNANSWERED)
    draft.session.status = "active"
    draft.session.holder = "agent"
    draft.session.handoff = None
    # What policies count begins anew, or the session would be handed off again at once.
    draft.count(invalid={}, without_progress=0, errors=0, failures=0, unclear=0)


def _tell_who_comes(draft: Draft, *, urgent: bool) -> None:
    """Say that a person comes; first in the words of the operator's mode, if it has any."""
    handoff, mode = draft.session.handoff, current_mode(draft)
    assert handoff is not None  # noqa: S101 -- it was looked at before
    is_first = handoff.told_at is None
    if urgent:
        remark(draft, "urgent")
    else:
        remark(draft, mode.bridge if is_first and mode.operator and mode.bridge else "awaited")
    draft.session.handoff = replace(handoff, told_at=draft.now)


def _withdraw(draft: Draft, commands: tuple[Command, ...]) -> None:
    """Nobody is wanted any more: the session is the agent's, and what was under way is left."""
    handoff = draft.session.handoff
    end_handoff(draft)
    if handoff and handoff.mode in draft.agent.modes:
        enter_mode(draft, handoff.mode)
    while draft.session.stack:
        drop(draft)
    wanted = tuple(each for each in commands if isinstance(each, OptOut | EraseData))
    if wanted:
        apply_commands(draft, wanted)
        return
    draft.log.accepted.append(CancelFlow())
    draft.session.left = "bye"
    remark(draft, "cancelled")
