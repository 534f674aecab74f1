"""What happens next. Pure: same agent, session and event, same decision, for ever."""

from typing import assert_never

from hilo.agent.declaration import Agent
from hilo.dialogue.actions import on_results
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    OfferValues,
    RejectSlot,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.draft import Decision, Draft
from hilo.dialogue.effects import Ask, AskSwitch, AskWhich, AskYes, Complete, Say
from hilo.dialogue.escalation import (
    TIMEOUT_TIMER,
    Escalation,
    Signals,
    check_policies,
    hand_off,
    late,
    start_timeout,
)
from hilo.dialogue.events import (
    Closed,
    EscalationTriggered,
    Event,
    MessageReceived,
    MessageUnderstood,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    TimerFired,
    ToolsReturned,
)
from hilo.dialogue.flow import ask_slot, ask_switch, drop, forget, go_on, jump, pass_wait, push, run, standing_at
from hilo.dialogue.session import (
    MAX_INTENTS_SEEN,
    AskedSlot,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    IntentSeen,
    Session,
    Waiting,
)
from hilo.dialogue.slots import ask_which, correct_slot, offer_values, reject_slot, set_slot, skip_slot
from hilo.dialogue.states import DialogueState
from hilo.dialogue.synthesis import greet
from hilo.dialogue.timers import PREFIX, awaits_contact, fire, settle_silence, start_timers

# What a message means is carried out in this order: values before a yes, so that it is a yes to the new summary.
_ORDER = (
    *(RequestHuman, CancelFlow, StartFlow, SetSlot, CorrectSlot, RejectSlot, SkipSlot),
    *(Affirm, Deny, CallTool, AskInfo, Digress, OfferValues),
)

_REMARKS = {
    "greeting": "greeting",
    "thanks": "thanks_back",
    "off_topic": "off_topic",
    "repeat": "explain",
    "no_text": "no_text",
    "too_long": "too_long",
}


def decide(agent: Agent, session: Session, event: Event) -> Decision:
    """The new session, and what is to be carried out."""
    turn = session.version if isinstance(event, ToolsReturned) else session.version + 1
    draft = Draft(agent, session, event.at, turn=turn)
    match event:
        case MessageUnderstood():
            _on_message(draft, event)
        case ToolsReturned():
            on_results(draft, event)
        case EscalationTriggered(policy=policy, reason=reason):
            if _agent_holds(draft):
                hand_off(draft, Escalation(policy, reason))
        case TimerFired():
            _on_timer(draft, event)
        case OperatorTookOver(operator=operator):
            if _agent_holds(draft) or draft.session.status == "paused":
                hand_off(draft, Escalation("operator", f"{operator or 'an operator'} took over"), quietly=True)
        case Released():
            _on_release(draft)
        case Paused() | Resumed() | Closed():
            _on_status(draft, event)
        case MessageReceived():
            raise TypeError("a message is read by the turn graph first; decide takes MessageUnderstood")
        case _:
            assert_never(event)
    settle_silence(draft, anew=isinstance(event, MessageUnderstood) or not awaits_contact(session))
    return draft.decision()


def _agent_holds(draft: Draft) -> bool:
    return draft.session.status == "active" and draft.session.holder == "agent"


def _on_status(draft: Draft, event: Paused | Resumed | Closed) -> None:
    match event:
        case Paused() if draft.session.status == "active":
            draft.cancel_timers()
            draft.update(status="paused")
        case Resumed() if draft.session.status == "paused":
            _on_resume(draft)
        case Closed():
            draft.cancel_timers()
            draft.update(status="closed")


def _on_resume(draft: Draft) -> None:
    """The question that was open is still open; what hung on time starts afresh, a wait too."""
    draft.update(status="active")
    _start_clocks(draft)
    if isinstance(draft.session.pending, Waiting):
        draft.move(DialogueState.UNDERSTANDING)
        run(draft)


def _start_clocks(draft: Draft) -> None:
    start_timers(draft)
    if draft.session.stack:
        start_timeout(draft)


def _on_timer(draft: Draft, event: TimerFired) -> None:
    name, promised = event.name, draft.session.timers.get(event.name)
    if promised is None or event.due not in (None, promised) or not _agent_holds(draft):
        return  # it was cancelled meanwhile, or another promise was made under its name
    draft.update(timers={timer: at for timer, at in draft.session.timers.items() if timer != name})
    if draft.is_quiet():
        draft.set_timer(name, draft.now)  # the alarm came late: not in the night
    elif name == TIMEOUT_TIMER:
        limit = draft.now - draft.session.started_at
        hand_off(draft, Escalation("timeout", late(limit)))
    elif name.startswith(PREFIX):
        if fire(draft, name) and draft.asked and not isinstance(draft.asked, Waiting):
            draft.move(DialogueState.UNDERSTANDING)  # else a yes to "are you there?" would be one to the summary
            _ask_open(draft)
    elif draft.session.pending == Waiting(name):
        draft.move(DialogueState.UNDERSTANDING)
        go_on(draft)
        run(draft)
    else:
        pass_wait(draft, name)


def _on_release(draft: Draft) -> None:
    if draft.session.status != "handed_off":
        return
    draft.update(status="active", holder="agent", handoff=None)
    draft.count(invalid={}, without_progress=0)
    _open(draft)
    _start_clocks(draft)
    draft.move(DialogueState.UNDERSTANDING)
    draft.remark("released")
    run(draft)


# --- messages -----------------------------------------------------------------------------------------


def _on_message(draft: Draft, event: MessageUnderstood) -> None:
    draft.update(heard_at=draft.now)
    if not _agent_holds(draft):
        reason = "an operator holds the session" if draft.session.holder == "operator" else "the session is not active"
        for command in event.commands:
            draft.refuse(command, reason)
        return
    _begin(draft, event)
    for command in sorted(event.commands, key=lambda command: _ORDER.index(type(command))):
        if draft.session.status != "active" or draft.session.state is DialogueState.WAITING_FOR_SLOT:
            draft.refuse(command, "the message has already led to a question or to a person")
        else:
            _apply(draft, command)
    if draft.session.status == "active":
        _go_on(draft, event)


def _begin(draft: Draft, event: MessageUnderstood) -> None:
    draft.early = event.early
    draft.move(DialogueState.UNDERSTANDING)
    counters = draft.session.counters
    draft.count(turns=counters.turns + 1, without_progress=counters.without_progress + 1)
    if event.intent:
        seen = (*draft.session.intents_seen, IntentSeen(event.intent, event.confidence, draft.now))
        draft.update(intents_seen=seen[-MAX_INTENTS_SEEN:])
    if counters.turns == 0:
        greet(draft)
        start_timers(draft)
    courtesies = event.commands and all(isinstance(each, Digress) for each in event.commands)
    _open(draft, again=not courtesies)


def _open(draft: Draft, *, again: bool = False) -> None:
    """Start the flow that sessions begin with, unless it is done, was left, or something else is under way."""
    over = {*draft.session.finished, *draft.session.unsure, *(() if again else draft.session.abandoned)}
    for name, flow in draft.agent.flows.items():
        if flow.starts_by_itself and name not in over and not draft.session.stack:
            draft.update(abandoned=tuple(each for each in draft.session.abandoned if each != name))
            push(draft, name)


def _apply(draft: Draft, command: Command) -> None:
    match command:
        case SetSlot():
            set_slot(draft, command)
        case CorrectSlot():
            correct_slot(draft, command)
        case SkipSlot():
            skip_slot(draft, command)
        case RejectSlot():
            reject_slot(draft, command)
        case OfferValues():
            offer_values(draft, command)
        case Affirm() | Deny():
            _answer(draft, command)
        case StartFlow():
            _start(draft, command)
        case CancelFlow():
            _cancel(draft, command)
        case AskInfo():
            _inform(draft, command)
        case RequestHuman(reason=reason):
            draft.accepted.append(command)
            hand_off(draft, Escalation("request", reason or "the contact asks for a person"))
        case CallTool():
            draft.refuse(command, f"there is no tool {command.tool}")
        case Digress():
            _digress(draft, command)
        case _:
            assert_never(command)


def _start(draft: Draft, command: StartFlow) -> None:
    if command.flow not in draft.agent.flows:
        draft.refuse(command, f"there is no flow {command.flow}")
    elif not draft.agent.flows[command.flow].starts:
        draft.refuse(command, f"{command.flow} is started only by other flows")
    elif any(frame.flow == command.flow for frame in draft.session.stack):
        draft.refuse(command, f"{command.flow} is already under way")
    elif draft.session.stack and draft.agent.flows[draft.session.stack[-1].flow].interrupts == "ask":
        draft.accepted.append(command)
        ask_switch(draft, command.flow)
    elif push(draft, command.flow):
        draft.accepted.append(command)
    else:
        draft.refuse(command, "too many flows are under way")


def _cancel(draft: Draft, command: CancelFlow) -> None:
    if not draft.session.stack:
        draft.refuse(command, "nothing is under way")
        return
    draft.accepted.append(command)
    _leave(draft)


def _leave(draft: Draft) -> None:
    """Leave what is under way, with a word; an opening flow begins again when the contact comes back to it."""
    before = [frame.flow for frame in draft.session.stack]
    drop(draft)
    left = before[len(draft.session.stack) :]
    for flow in left:
        forget(draft, flow)
    opening = [flow for flow in left if draft.agent.flows[flow].starts_by_itself]
    draft.update(abandoned=tuple(dict.fromkeys((*draft.session.abandoned, *opening))))
    draft.remark("left" if draft.session.stack else "cancelled")


def _inform(draft: Draft, command: AskInfo) -> None:
    intent = draft.agent.intents.get(command.intent)
    if intent is None or not intent.answer:
        draft.refuse(command, f"no template answers {command.intent}")
        draft.remark("off_topic")
        return
    draft.accepted.append(command)
    draft.say(intent.answer)


def _digress(draft: Draft, command: Digress) -> None:
    draft.accepted.append(command)
    greeted = command.kind == "greeting" and draft.session.counters.turns == 1
    if not greeted:
        draft.remark(_REMARKS[command.kind])


def _answer(draft: Draft, command: Affirm | Deny) -> None:
    """A yes or a no to the question that is open."""
    pending = draft.session.pending
    if not isinstance(pending, AskedYes | AskedWhich | AskedSwitch):
        draft.refuse(command, "no question is open that takes a yes or a no")
        return
    if command.to and command.to not in (getattr(pending, "digest", ""), getattr(pending, "flow", "")):
        draft.refuse(command, "this answers an older question")
        return
    if draft.early and isinstance(command, Affirm) and not command.to and isinstance(pending, AskedYes):
        draft.refuse(command, "the question had not been sent yet")
        draft.remark("not_shown")
        return
    draft.accepted.append(command)
    draft.update(pending=None)
    match (pending, command):
        case (AskedYes(), Affirm()):
            draft.confirmed = pending
        case (AskedYes(), Deny()):
            _denied(draft)
        case (AskedWhich(slots=slots), Affirm()):
            ask_slot(draft, slots[0], correcting=True)
        case (AskedSwitch(flow=flow), Affirm()):
            push(draft, flow)


def _denied(draft: Draft) -> None:
    """A no never runs what was to be confirmed: with new values we ask again, without them we ask what to change."""
    if draft.changed:
        return
    target = getattr(standing_at(draft), "no", "") or "change"
    if target == "end":
        _leave(draft)
    else:
        jump(draft, target)


def _go_on(draft: Draft, event: MessageUnderstood) -> None:
    """After what the message meant: policies on the outcome, then the question that is still open, then the flow."""
    if escalation := check_policies(draft.agent, draft.session, Signals(at=draft.now)):
        hand_off(draft, escalation)
    elif draft.session.state is DialogueState.WAITING_FOR_SLOT:
        return  # a command has asked its own question
    else:
        _remark_on_silence(draft, event)
        if draft.retry:
            ask_slot(draft, draft.retry, correcting=True)
        else:
            _ask_open(draft)
        spoken = any(isinstance(effect, Say | Ask | AskWhich | AskYes | AskSwitch) for effect in draft.effects)
        if not spoken and not draft.session.running:
            draft.remark("understood")  # never silence


def _remark_on_silence(draft: Draft, event: MessageUnderstood) -> None:
    """Never go on without a word when the message changed nothing or came after everything was done."""
    if not event.commands or not (draft.accepted or draft.effects):
        draft.remark("not_understood")
    if draft.session.stack or not draft.session.finished:
        return
    if draft.changed:
        draft.effects.append(Complete(draft.session.finished[-1]))
    elif _is_done(draft) and not any(isinstance(each, CancelFlow | AskInfo | Digress) for each in draft.accepted):
        draft.remark("already_done")


def _is_done(draft: Draft) -> bool:
    """Whether the flow that sessions begin with has ended."""
    return any(draft.agent.flows[name].starts_by_itself for name in draft.session.finished)


def _ask_open(draft: Draft) -> None:
    """Ask the question that is open, or go on with the flow."""
    if not _ask_again(draft):
        run(draft)


def _ask_again(draft: Draft) -> bool:
    """Ask an open question about a question again (which one? to leave this?) when the message was beside it."""
    meant = [*draft.accepted, *(refusal.command for refusal in draft.refused)]
    if draft.changed or not all(isinstance(each, Digress | AskInfo) for each in meant):
        return False
    match draft.asked:
        case AskedSlot(slot=slot, offered=offered) if offered:
            offer_values(draft, OfferValues(slot, offered))
        case AskedSlot(slot=slot, correcting=True):
            ask_slot(draft, slot, correcting=True)
        case AskedWhich(slots=slots):
            ask_which(draft, slots)
        case AskedSwitch(flow=flow):
            ask_switch(draft, flow)
        case _:
            return False
    return True
