"""Sessions that a person has or is awaited in: what operators do to them, and what a contact hears meanwhile."""

from dataclasses import replace
from datetime import timedelta

from hilo.agent.instructions import AskSlots
from hilo.dialogue.answers import answer_question
from hilo.dialogue.apply_commands import apply_commands
from hilo.dialogue.calls import digest
from hilo.dialogue.commands import (
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    CorrectSlot,
    Digress,
    EraseData,
    OptOut,
    Quote,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.draft import Draft, has, of_kind
from hilo.dialogue.effects import RunTool, Say
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.events import OperatorCalled, OperatorCorrected, OperatorTookOver, Released, ToolsReturned
from hilo.dialogue.flow import TRIED_TWICE, run
from hilo.dialogue.modes import current_mode, enter_mode, give_back
from hilo.dialogue.session import Handoff, Running, Session, Unsaid
from hilo.dialogue.slot_commands import tell_noted
from hilo.dialogue.stack import drop, drop_bound_to_modes, open_flow, pop, rewind, standing_at
from hilo.dialogue.timers import UNANSWERED, cancel_timer, start_timeout, start_timers
from hilo.dialogue.tool_proposals import LOST, keep_found
from hilo.dialogue.wording import remark, say_results, say_words

TOLD_AGAIN = timedelta(minutes=3)  # who only nods or thanks is not told more often that a person comes
WITHDRAWS = CancelFlow | OptOut | EraseData
ASKED_FOR = frozenset({"request", "llm_intent", "keyword"})  # handoffs of who wants a person and nobody else
GOES_ON = StartFlow | CallTool  # what the agent can do for a contact who waits
HEARD_WAITING = SetSlot | AskInfo | Quote | Digress | WITHDRAWS  # what a message may do while a person is awaited
MAX_WORDS = 3000  # characters of what an operator has said on giving back


# --- a contact who writes while a person is awaited -----------------------------------------------


def meet_waiting(draft: Draft, commands: tuple[Command, ...]) -> None:
    """Keep, answer and acknowledge what a contact writes after a handoff."""
    noted = note_values(draft, commands)
    handoff = draft.session.handoff
    if handoff is None or handoff.told or handoff.policy == "operator":
        return
    if has(commands, WITHDRAWS):
        _withdraw(draft, handoff, commands)
        return
    for command in commands:
        if isinstance(command, AskInfo) or (isinstance(command, Quote) and command.sure):
            answer_question(draft, command)  # the hours do not need a person
    is_recent = handoff.told_at is not None and draft.now - handoff.told_at < TOLD_AGAIN
    is_answered = has(draft.effects, Say)
    for slot in noted:
        tell_noted(draft, slot)
    if is_answered or (noted and is_recent):
        return
    if Digress("thanks") not in commands or not is_recent:
        _tell_who_comes(draft, handoff, urgent=Digress("urgent") in commands)
    elif not draft.session.templates_sent.get("patience"):
        remark(draft, "patience")  # who nods or thanks once more expects no word


def go_on_meanwhile(draft: Draft, commands: tuple[Command, ...]) -> bool:
    """Whether a contact who waits for a person wants what the agent can do: it goes on with that at once.

    As after a handoff that nobody took in time: a person stays wanted.
    """
    handoff = draft.session.handoff
    if handoff is None or not may_go_on(draft.session) or not has(commands, GOES_ON):
        return False
    _end_untaken(draft, handoff)
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
        if draft.fill(command.slot, command.value):
            draft.log.accepted.append(command)
            noted.append(command.slot)
    return noted


# --- the session is the agent's again -------------------------------------------------------------


def end_handoff(draft: Draft) -> None:
    """The session is the agent's again."""
    cancel_timer(draft, UNANSWERED)
    draft.session.status = "active"
    draft.session.holder = "agent"
    draft.session.handoff = None
    # What policies count begins anew, or the session would be handed off again at once.
    draft.count(invalid={}, without_progress=0, errors=0, failures=0, unclear=0)


def _end_untaken(draft: Draft, handoff: Handoff) -> None:
    """The same, in the mode that it was handed off in: no person has taken it."""
    end_handoff(draft)
    if handoff.mode in draft.agent.modes:
        enter_mode(draft, handoff.mode)


def _tell_who_comes(draft: Draft, handoff: Handoff, *, urgent: bool) -> None:
    """Say that a person comes; first in the words of the operator's mode, if it has any."""
    mode, is_first = current_mode(draft), handoff.told_at is None
    if urgent:
        remark(draft, "urgent")
    else:
        remark(draft, mode.bridge if is_first and mode.operator and mode.bridge else "awaited")
    draft.session.handoff = replace(handoff, told_at=draft.now)


def _withdraw(draft: Draft, handoff: Handoff, commands: tuple[Command, ...]) -> None:
    """Nobody is wanted any more: the session is the agent's, and what was under way is left."""
    _end_untaken(draft, handoff)
    while draft.session.stack:
        drop(draft)
    if wanted := of_kind(commands, OptOut | EraseData):
        apply_commands(draft, wanted)
        return
    draft.log.accepted.append(CancelFlow())
    draft.session.left = "bye"
    remark(draft, "cancelled")


# --- what operators do ----------------------------------------------------------------------------


def take_over(draft: Draft, event: OperatorTookOver) -> None:
    if draft.session.handoff:
        # The person is there: nobody needs to be told any more that one comes.
        draft.session.handoff = replace(draft.session.handoff, told=True)
        cancel_timer(draft, UNANSWERED)
    elif draft.session.status in ("active", "paused"):
        who = event.operator or "an operator"
        hand_off(draft, Escalation("operator", f"{who} took over"), quietly=True)


def call_for_operator(draft: Draft, event: OperatorCalled) -> None:
    """Run the tool: an operator may do so whoever holds the session and whatever its mode."""
    command = CallTool(event.tool, event.arguments)
    if draft.session.status == "closed":
        draft.log.refuse(command, "the session is closed")
    else:
        said = {name: str(value) for name, value in event.arguments.items()}
        call_id = digest(draft.session.id, draft.turn, "operator", event.tool, said)
        _order(draft, command, Running(call_id, event.tool, operator=True, tell=event.tell))


def correct_for_operator(draft: Draft, event: OperatorCorrected) -> None:
    """Keep a value that the slot takes, without a word; what was done with the one before does not change by it."""
    agent, session, name = draft.agent, draft.session, event.slot
    command, before = CorrectSlot(name, event.value), session.slots.get(name)
    if session.holder != "operator" or session.status == "closed":
        draft.log.refuse(command, "no operator holds the session")
    elif name not in agent.slots:
        draft.log.refuse(command, f"there is no slot {name}")
    elif name in agent.found_only() or name in session.written:
        draft.log.refuse(command, f"{name} is filled by tools, or something was done with it")
    elif not draft.fill(name, event.value):
        draft.log.refuse(command, f"{agent.slots[name].type} does not take this value")
    else:
        draft.log.accepted.append(command)
        if session.slots[name] != before:
            rewind(draft, name)


def _order(draft: Draft, command: CallTool, running: Running) -> None:
    if command.tool not in draft.agent.toolbox:
        draft.log.refuse(command, f"there is no tool {command.tool}")
        return
    draft.log.accepted.append(command)
    draft.effects.append(RunTool(running.call_id, command.tool, command.arguments))
    draft.progress.running = (*draft.progress.running, running)


def on_operator_result(draft: Draft, running: Running, event: ToolsReturned) -> None:
    """Keep what it found, and tell the contact if wanted; the conversation stays where it is."""
    draft.force_repeat = True
    draft.progress.running = ()
    result = event.of(running.call_id)
    if result is None or not result.ok:
        error = result.error if result else LOST
        draft.log.errors.append(f"{running.tool}: {error}")
        return
    keep_found(draft, result)
    if running.tell:
        draft.progress.unsaid = (Unsaid(running.tool, dict(result.outputs)),)
        say_results(draft)


def release(draft: Draft, event: Released) -> None:
    """The agent goes on, in the mode that was chosen, after the tools that were named."""
    session = draft.session
    if session.status != "handed_off":
        return
    end_handoff(draft)
    if words := event.text.strip():
        say_words(draft, words[:MAX_WORDS], by="operator")
    else:
        remark(draft, "released")
    if draft.agent.modes and (event.mode or session.mode == draft.agent.operator_mode):
        _choose_mode(draft, event.mode)
    open_flow(draft)
    start_timers(draft)
    if draft.session.stack:
        start_timeout(draft)
    for tool in event.calls:
        call_id = digest(session.id, draft.turn, "release", tool, {})
        _order(draft, CallTool(tool), Running(call_id, tool, proposed=True))
    if not draft.progress.running:
        run(draft)


def go_on_unanswered(draft: Draft) -> None:
    """Nobody has taken the session: the contact hears so, and may go on where it was left.

    A person is still wanted. Who was only slow is asked again; who wanted a person decides. A step
    that would call a tool waits for the contact, so that it cannot lead to the same handoff again.
    """
    handoff = draft.session.handoff
    if handoff is None:
        return
    could_not_be_had = draft.session.counters.invalid.get(handoff.slot, 0) >= TRIED_TWICE
    _end_untaken(draft, handoff)
    remark(draft, "unanswered")
    if could_not_be_had:
        # The person has what is known; what could not be had is not demanded again.
        while draft.session.stack:
            pop(draft)
    step = standing_at(draft)
    if handoff.policy == "timeout" and step and isinstance(step.does, AskSlots):
        run(draft)


def _choose_mode(draft: Draft, mode: str) -> None:
    """The mode that was chosen, if it lacks nothing: nobody skips that. Else the first one."""
    agent = draft.agent
    if mode in agent.modes and mode != agent.operator_mode:
        reason = give_back(draft, mode)
        if not reason:
            return
        draft.log.errors.append(f"release: {reason}")
    enter_mode(draft, agent.first_mode)
    drop_bound_to_modes(draft)
