"""A message from its meaning to the open question after it; a model may go on in between."""

from dataclasses import replace
from zoneinfo import ZoneInfo

from hilo.agent.declaration import Agent
from hilo.dialogue.apply_commands import apply_commands
from hilo.dialogue.campaigns import take_up_answer
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    Choose,
    CorrectSlot,
    Deny,
    Digress,
    EraseData,
    GiveArgument,
    OptOut,
    Quote,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.draft import Draft, are_all, has, of_kind
from hilo.dialogue.effects import NextMessage
from hilo.dialogue.escalation import band_of, hand_off
from hilo.dialogue.events import MessageUnderstood, ModelAnswered, ToolsReturned
from hilo.dialogue.memory import remember_message
from hilo.dialogue.modes import current_mode
from hilo.dialogue.operators import HEARD_WAITING, go_on_meanwhile, meet_waiting, note_values
from hilo.dialogue.session import (
    MAX_INTENTS_SEEN,
    AskedArgument,
    AskedSlot,
    IntentSeen,
    Session,
)
from hilo.dialogue.stack import open_flow, push
from hilo.dialogue.states import DialogueState
from hilo.dialogue.step_results import on_step_result
from hilo.dialogue.synthesis import greet, resumed
from hilo.dialogue.timers import start_timers
from hilo.dialogue.tool_proposals import count_error, on_proposed_results
from hilo.dialogue.turn_end import DIGRESSIONS, ask_what_is_open, end_turn
from hilo.dialogue.wording import say, say_results

CALMS_DOWN = 0.5  # what is left of a mood after a message without one
# What somebody who wanted to be left alone goes on with; a mere no or what is not understood is nothing of the kind.
GOES_ON = (
    DIGRESSIONS | SetSlot | CorrectSlot | StartFlow | Affirm | Choose | GiveArgument | RequestHuman | OptOut | EraseData
)
ANSWERS = SetSlot | CorrectSlot | SkipSlot | Affirm | Deny
BY_INTENT = StartFlow | AskInfo | CallTool  # what an intent proposes by itself


def on_message(draft: Draft, event: MessageUnderstood) -> None:
    """Do what a message means."""
    session, counters = draft.session, draft.session.counters
    session.heard_at = draft.now
    if event.zone and event.zone != session.zone:
        session.zone, draft.zone = event.zone, ZoneInfo(event.zone)
    goes_on = not session.agent_holds and go_on_meanwhile(draft, event.commands)
    if not session.agent_holds:
        _refuse_all(draft, event)
        if session.handoff:
            meet_waiting(draft, event.commands)
        return
    if event.late:
        say(draft, "late")
        ask_what_is_open(draft)
        return
    if session.left == "opted_out" and not has(event.commands, GOES_ON):
        event = replace(event, commands=(OptOut(),))  # "¡que no!" is the same wish again
    if out := of_kind(event.commands, OptOut | EraseData):
        event = replace(event, commands=out)  # who wants out says nothing else: its words are no value of a slot
    draft.early = event.early
    draft.confidence = event.confidence
    draft.progress.model_turn_open = event.floor
    draft.progress.digressing = _is_info(draft, event)
    draft.log.states.append(DialogueState.UNDERSTANDING)
    draft.count(turns=counters.turns + 1, without_progress=counters.without_progress + 1)
    session.mood = event.sentiment or session.mood * CALMS_DOWN
    if event.intent:
        seen = (*session.intents_seen, IntentSeen(event.intent, event.confidence, draft.now))
        session.intents_seen = seen[-MAX_INTENTS_SEEN:]
    first = counters.turns == 0
    if first:
        if session.called_at is None and not goes_on:  # else a message of ours has greeted already
            greet(draft)
        start_timers(draft)
    if are_all(event.commands, Digress | OptOut | EraseData | AskInfo | Quote):
        open_flow(draft)  # a question takes up nothing that was left
    else:
        session.left = ""  # whoever goes on may be reminded again
        open_flow(draft, again=True)
    if first and not session.stack and are_all(event.commands, Digress | Affirm):
        # Where the session before was left, the flow that takes it up goes on with it.
        flow = resumed(draft.agent, session)
        draft.took_up = bool(flow) and push(draft, flow)
    answered = first and take_up_answer(draft, event)
    if not answered and not _doubtful(draft, event):
        _apply(draft, event)
    if event.remembers:
        remember_message(draft)
    end_turn(draft, event)


def on_model(draft: Draft, event: ModelAnswered) -> None:
    """Do what a model goes on to propose; with its last word its turn is over."""
    progress = draft.progress
    if not draft.session.agent_holds or not progress.model_turn_open or progress.running:
        _refuse_all(draft, event)
        return
    draft.spoken = event.spoken
    progress.model_turn_open = event.floor
    # What it goes on to propose may order after all; what it ordered before stays ordered.
    digresses = progress.digressing or (not progress.made and _looks_up(draft, event))
    progress.digressing = digresses and not _orders(draft, event)
    _apply(draft, event)
    end_turn(draft)


def on_results(draft: Draft, event: ToolsReturned) -> None:
    """Go on with what waits for these results: proposed calls, or the step of a flow."""
    running = draft.progress.running
    if not running or draft.session.status != "active":
        return  # nobody waits for it any more
    if running[0].proposed:
        on_proposed_results(draft, event)
        waited, draft.progress.later = draft.progress.later, ()
        apply_commands(draft, waited)
        end_turn(draft)
    else:
        on_step_result(draft, running[0], event)


def _apply(draft: Draft, event: MessageUnderstood | ModelAnswered) -> None:
    """Apply the commands; a model that errs twice in a row gives way to a person.

    One of whose calls none was let through has made an error; a contact's own words have not.
    """
    if has(event.commands, RequestHuman):
        note_values(draft, event.commands)
    draft.log.refused += event.refused
    apply_commands(draft, event.commands)
    calls = {each.id for each in of_kind(event.commands, CallTool)} - {""}
    if not calls or not draft.session.agent_holds or draft.progress.asked:
        return
    # told by their ids: an argument may be a number that cannot be compared
    reasons = [
        each.reason for each in draft.log.refused if isinstance(each.command, CallTool) and each.command.id in calls
    ]
    if reasons and not has(draft.log.accepted, CallTool):
        escalation = count_error(draft, f"all calls of a model were refused: {reasons[0]}")
        if escalation:
            say_results(draft)
            hand_off(draft, escalation)


def _refuse_all(draft: Draft, event: MessageUnderstood | ModelAnswered) -> None:
    reason = "it is not the model's turn"
    if draft.session.holder == "operator":
        reason = "an operator holds the session"
    elif draft.session.status != "active":
        reason = "the session is not active"
    elif draft.progress.running:
        reason = "calls are under way: their results come first"
    for command in event.commands:
        if not (draft.session.handoff and isinstance(command, HEARD_WAITING)):
            draft.log.refuse(command, reason)


# --- what a message is about ---------------------------------------------------------------------


def _is_info(draft: Draft, event: MessageUnderstood) -> bool:
    """Whether a message only asks something: it orders nothing."""
    if has(event.commands, ANSWERS) or _orders(draft, event):
        return False
    intent = draft.agent.intents.get(event.intent)
    return (intent is not None and intent.topic == "info") or _looks_up(draft, event)


def _looks_up(draft: Draft, event: MessageUnderstood | ModelAnswered) -> bool:
    """Whether there is a question among the commands, or a model's call that answers one."""
    if has(event.commands, AskInfo | Quote):
        return True
    intents = draft.agent.intents.values()
    answers = {each.do for each in intents if each.topic == "info"}
    answers -= {each.do for each in intents if each.topic == "order"}
    return any(call.id and call.tool in answers for call in of_kind(event.commands, CallTool))


def _orders(draft: Draft, event: MessageUnderstood | ModelAnswered) -> bool:
    """Whether a call among the commands, or the one that they complete, writes."""
    called = {each.tool for each in of_kind(event.commands, CallTool)}
    if isinstance(draft.asked, AskedArgument) and has(event.commands, GiveArgument):
        called.add(draft.asked.tool)
    return any(map(draft.agent.writes, called))


def _doubtful(draft: Draft, event: MessageUnderstood) -> bool:
    """Whether the meaning is too unsure to act on: nothing of it is done, and the ladder is climbed."""
    band = band_of(draft.agent, event.confidence)
    if band in ("proceed", "reanalyse") or not _hangs_on_intent(draft, event):
        return False
    for command in event.commands:
        draft.log.refuse(command, f"confidence {event.confidence}: {band}")
    return True


def _hangs_on_intent(draft: Draft, event: MessageUnderstood) -> bool:
    """Whether a message is worth no more than its intent: it gives and answers nothing."""
    mode = current_mode(draft)
    next_flows = {mode.next.yes, mode.next.no} - {"", event.intent}
    meant = False
    for command in event.commands:
        if isinstance(command, StartFlow) and command.flow in next_flows:
            return False  # a bare yes or no to what the mode leads to is no intent
        if isinstance(command, BY_INTENT):
            meant = True
        elif command != Digress("off_topic"):
            return False
    # Where a question is open, a message in which nothing was found is a bad answer to it, not a
    # doubtful intent.
    return meant or (draft.session.pending is None and not draft.session.stack)


# --- messages of one burst: nobody has seen what was asked in between -----------------------------


def go_on_in_burst(draft: Draft, part: int, *, unseen: bool) -> None:
    """Go on with the turn that an earlier message began."""
    draft.progress.part = part
    draft.effects.append(NextMessage(part))
    if unseen:
        draft.session = with_question_unseen(draft.agent, draft.session)
    if isinstance(draft.session.pending, AskedArgument):
        # It was asked for an earlier message: this one may answer it or leave it.
        draft.session.pending = replace(draft.session.pending, turn=draft.turn - 1)
    draft.asked = draft.session.pending


def with_question_unseen(agent: Agent, session: Session) -> Session:
    """The session as the next message meets it, if nobody saw the question that is open.

    What it says may well be the answer that was to be asked for: a name, a size. But a yes or a no to a question
    that was not shown is none. The flow asks again; what asks for a yes to a summary refuses it, see `early`.
    """
    pending = session.pending
    if isinstance(pending, AskedSlot) and agent.slots[pending.slot].kind.sort == "boolean":
        pending = None
    return replace(session, pending=pending, invites=False)
