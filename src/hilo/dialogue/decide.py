"""What happens next. Pure: the same agent, session and event always give the same decision.

What a message leads to is in `message`; here is what operators, timers and pauses do to a session.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.guards import holds
from hilo.agent.instructions import AskSlots
from hilo.agent.timers import Timer
from hilo.agent.values import Accepted, accept
from hilo.dialogue.burst import go_on_in_burst
from hilo.dialogue.calls import digest, taken_for_granted
from hilo.dialogue.campaigns import on_campaign, was_never_heard
from hilo.dialogue.commands import CallTool, CorrectSlot
from hilo.dialogue.draft import Decision, Draft, but, of_kind, without
from hilo.dialogue.effects import Question, RunTool, Say
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.events import (
    CampaignReached,
    Closed,
    EscalationTriggered,
    Event,
    MessageReceived,
    MessageUnderstood,
    ModelAnswered,
    OperatorCalled,
    OperatorCorrected,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    Reworded,
    SendFailed,
    Summarised,
    TimerFired,
    ToolsReturned,
)
from hilo.dialogue.flow import TRIED_TWICE, go_on, run
from hilo.dialogue.message import on_message, on_model, on_results
from hilo.dialogue.modes import change_mode, enter_mode, give_back
from hilo.dialogue.moments import is_over, settle_moments, waits_for_moment
from hilo.dialogue.opening import known_to_guards
from hilo.dialogue.put_off import keep_passed_over
from hilo.dialogue.session import Running, Session, Summary, TurnProgress, Unsaid, Waiting
from hilo.dialogue.stack import (
    drop_bound_to_modes,
    end_silence,
    mark,
    open_flow,
    pass_wait,
    pop,
    push,
    rewind,
    standing_at,
)
from hilo.dialogue.timers import (
    PREFIX,
    TIMEOUT_TIMER,
    UNANSWERED,
    awake,
    cancel_timer,
    cancel_timers,
    running_timers,
    set_timer,
    settle_silence,
    start_mode_timers,
    start_timeout,
    start_timer,
    start_timers,
)
from hilo.dialogue.tool_proposals import LOST, keep_found
from hilo.dialogue.turn_end import ask_what_is_open
from hilo.dialogue.waiting import end_handoff, note_values
from hilo.dialogue.wording import remark, say, say_results, say_words, take_back

MAX_SUMMARY = 4000  # characters
MAX_REWORDED = 20  # templates, and wordings of one
MAX_WORDS = 3000  # characters of what an operator has said on giving back
# What goes on with a turn that has begun.
MID_TURN = ModelAnswered | Reworded | Summarised | ToolsReturned


def decide(
    agent: Agent,
    session: Session,
    event: Event,
    progress: TurnProgress | None = None,
) -> Decision:
    """The new session, and what is to be carried out; `progress` is that of a turn under way."""
    if isinstance(event, MessageReceived):
        raise TypeError("a message is read by the turn graph first; decide takes MessageUnderstood")
    if isinstance(event, MID_TURN):
        draft = Draft(agent, session, progress or TurnProgress(), event.at)
    else:
        draft = Draft(agent, session, TurnProgress(), event.at)
        _begin(draft, event)
    _RULES[type(event)](draft, event)
    keep_passed_over(draft)
    if draft.log.exhausted and draft.session.agent_holds:
        _leave_unsaid(draft)
    said = of_kind(draft.effects, Say | Question)
    draft.session.invites |= any(each.line.text.rstrip().endswith("?") for each in said)
    draft.progress.spoken |= bool(said)
    if not _is_unanswered(event):  # a contact who waits for a person is not hurried
        if draft.log.modes:
            start_mode_timers(draft)
        settle_silence(draft, session, heard=isinstance(event, MessageUnderstood))
    settle_moments(draft, session)
    return draft.decision()


def _begin(draft: Draft, event: Event) -> None:
    """A turn begins, or goes on with the next message of a burst."""
    if part := getattr(event, "part", 0):
        go_on_in_burst(draft, part, unseen=getattr(event, "early", False))
    else:
        draft.turn += 1
    agent, session = draft.agent, draft.session
    session.invites = False
    if agent.modes and session.mode not in agent.modes:
        # A session of another version may be in a mode that is no more.
        held = agent.operator_mode if session.holder == "operator" else ""
        session.mode = held or agent.first_mode
    if not isinstance(event, TimerFired | SendFailed | CampaignReached):
        end_silence(draft)


def _is_unanswered(event: Event) -> bool:
    """Whether a handoff was left waiting for too long."""
    return isinstance(event, TimerFired) and event.name == UNANSWERED


def _leave_unsaid(draft: Draft) -> None:
    """Rather a person than the same words again; nothing ordered or asked with them counts."""
    take_back(draft, list(but(draft.effects, RunTool | Question)))
    reason = f"{draft.log.exhausted[0]} has been said in all its wordings"
    hand_off(draft, Escalation("repeats", reason))


def _on_results(draft: Draft, event: ToolsReturned) -> None:
    running = draft.progress.running
    if running and running[0].operator:
        _on_operator_result(draft, running[0], event)
    else:
        on_results(draft, event)


def _on_summary(draft: Draft, event: Summarised) -> None:
    draft.session.summary = Summary(event.text[:MAX_SUMMARY], event.upto)


def _on_wordings(draft: Draft, event: Reworded) -> None:
    known, template = draft.session.reworded, event.template
    if template in draft.agent.templates and (template in known or len(known) < MAX_REWORDED):
        kept = (*known.get(template, ()), *event.texts)[:MAX_REWORDED]
        draft.session.reworded = {**known, template: kept}


def _on_escalation(draft: Draft, event: EscalationTriggered) -> None:
    if draft.session.agent_holds:
        draft.session.heard_at = draft.now
        draft.session.mood = event.sentiment or draft.session.mood
        note_values(draft, event.commands)
        hand_off(draft, Escalation(event.policy, event.reason))


def _on_send_failure(draft: Draft, event: SendFailed) -> None:
    """A person finds another way to the contact, who is told nothing: that would fail like the message.

    One whom only a campaign has written to waits for nothing; its report says that they were not reached.
    """
    if draft.session.agent_holds and not was_never_heard(draft.session):
        hand_off(draft, Escalation("send_failed", event.reason), quietly=True)


# --- pauses --------------------------------------------------------------------------------------


def _pause(draft: Draft, _event: Paused) -> None:
    if draft.session.status == "active":
        cancel_timers(draft)
        draft.session.status = "paused"


def _resume(draft: Draft, _event: Resumed) -> None:
    """The question that was open is still open; timers and waits start again."""
    if draft.session.status != "paused":
        return
    draft.session.status = "active"
    start_timers(draft)
    if draft.session.stack:
        start_timeout(draft)
    if isinstance(draft.session.pending, Waiting):
        run(draft)


def _close(draft: Draft, _event: Closed) -> None:
    cancel_timers(draft)
    draft.session.status = "closed"


# --- operators -----------------------------------------------------------------------------------


def _take_over(draft: Draft, event: OperatorTookOver) -> None:
    if draft.session.handoff:
        # The person is there: nobody needs to be told any more that one comes.
        draft.session.handoff = replace(draft.session.handoff, told=True)
        cancel_timer(draft, UNANSWERED)
    elif draft.session.status in ("active", "paused"):
        who = event.operator or "an operator"
        hand_off(draft, Escalation("operator", f"{who} took over"), quietly=True)


def _call(draft: Draft, event: OperatorCalled) -> None:
    """Run the tool: an operator may do so whoever holds the session and whatever its mode."""
    command = CallTool(event.tool, event.arguments)
    if draft.session.status == "closed":
        draft.log.refuse(command, "the session is closed")
    else:
        said = {name: str(value) for name, value in event.arguments.items()}
        call_id = digest(draft.session.id, draft.turn, "operator", event.tool, said)
        _order(draft, command, Running(call_id, event.tool, operator=True, tell=event.tell))


def _correct(draft: Draft, event: OperatorCorrected) -> None:
    """Keep a value that the slot takes, without a word; what was done with the one before does not change by it."""
    agent, session, name = draft.agent, draft.session, event.slot
    command = CorrectSlot(name, event.value)
    if session.holder != "operator" or session.status == "closed":
        draft.log.refuse(command, "no operator holds the session")
    elif name not in agent.slots:
        draft.log.refuse(command, f"there is no slot {name}")
    elif name in agent.found_only() or name in session.written:
        draft.log.refuse(command, f"{name} is filled by tools, or something was done with it")
    elif isinstance(taken := accept(agent.slots[name], event.value, country=agent.country), Accepted):
        draft.log.accepted.append(command)
        before, session.slots = session.slots.get(name), {**session.slots, name: taken.value}
        if before != taken.value:
            rewind(draft, name)
    else:
        draft.log.refuse(command, f"{agent.slots[name].type} does not take this value")


def _order(draft: Draft, command: CallTool, running: Running) -> None:
    if command.tool not in draft.agent.toolbox:
        draft.log.refuse(command, f"there is no tool {command.tool}")
        return
    draft.log.accepted.append(command)
    draft.effects.append(RunTool(running.call_id, command.tool, command.arguments))
    draft.progress.running = (*draft.progress.running, running)


def _on_operator_result(draft: Draft, running: Running, event: ToolsReturned) -> None:
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


def _release(draft: Draft, event: Released) -> None:
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


def _go_on_meanwhile(draft: Draft) -> None:
    """Nobody has taken the session: the contact hears so, and may go on where it was left.

    A person is still wanted. Who was only slow is asked again; who wanted a person decides. A step
    that would call a tool waits for the contact, so that it cannot lead to the same handoff again.
    """
    handoff = draft.session.handoff
    if handoff is None:
        return
    could_not_be_had = draft.session.counters.invalid.get(handoff.slot, 0) >= TRIED_TWICE
    end_handoff(draft)
    if handoff.mode in draft.agent.modes:
        enter_mode(draft, handoff.mode)
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


# --- timers --------------------------------------------------------------------------------------


def _on_timer(draft: Draft, event: TimerFired) -> None:
    name, session = event.name, draft.session
    promised = session.timers.get(name)
    is_ours = session.agent_holds or name == UNANSWERED
    if promised is None or event.due not in (None, promised) or not is_ours:
        return  # it was cancelled meanwhile, or another promise was made under its name
    session.timers = without(session.timers, name)
    if _is_left_in_peace(draft, name):
        return
    if awake(draft.now, draft.agent.quiet_hours, draft.zone) != draft.now:
        set_timer(draft, name, draft.now)  # the alarm came late: not in the night
    elif name == UNANSWERED:
        _go_on_meanwhile(draft)
    elif name == TIMEOUT_TIMER:
        limit = draft.now - session.started_at
        hand_off(draft, Escalation("timeout", f"not done after {limit}"))
    elif name.startswith(PREFIX):
        _fire(draft, name)
    elif session.pending == Waiting(name):
        session.called_at = draft.now if waits_for_moment(draft) else session.called_at
        go_on(draft)
        run(draft)
    else:
        pass_wait(draft, name)


def _is_left_in_peace(draft: Draft, name: str) -> bool:
    """Whether a promise is not kept, for the contact has taken leave: nobody is reminded or called then.

    Who said goodbye is still told of a booking, and a cart still times out; who wants no messages gets none.
    """
    left, timer = draft.session.left, running_timers(draft).get(name.removeprefix(PREFIX))
    if not left or name == UNANSWERED:
        return False
    if name == TIMEOUT_TIMER or left == "opted_out":
        return True
    return timer is not None and timer.of_silence and not timer.mode


def _fire(draft: Draft, key: str) -> None:
    """Do what a timer says if its guard holds. One of silence uses a chance only by acting."""
    session, name = draft.session, key.removeprefix(PREFIX)
    timer = running_timers(draft).get(name)
    if timer is None:
        return  # of another version of the agent
    if timer.moment and is_over(draft, timer.moment):
        draft.log.notes.append(f"{key} came too late: what it is for has begun")
        return
    held = holds(timer.when, known_to_guards(draft))
    if timer.when:
        draft.log.guards.append((key, timer.when, held))
    if not held and timer.of_silence:
        return
    session.fired = {**session.fired, name: session.fired.get(name, 0) + 1}
    if held:
        draft.log.steps.append(key)
        if timer.moment:
            session.called_at = draft.now
        _act(draft, timer)
    if session.status == "active" and name in running_timers(draft):
        start_timer(draft, name, timer)
    if held and timer.say:
        ask_what_is_open(draft)


def _act(draft: Draft, timer: Timer) -> None:
    if timer.say:
        say(draft, timer.say)
    elif timer.handoff:
        hand_off(draft, Escalation("timer", timer.handoff))
    elif timer.mode:
        if reason := change_mode(draft, timer.mode):
            draft.log.errors.append(reason)
        elif draft.session.stack:
            run(draft)
    elif push(draft, timer.start):
        if timer.moment:
            mark(draft, due=timer.moment.due(draft.session.slots, draft.zone))
        if timer.consent == "silence":
            mark(draft, yes=taken_for_granted(draft))
        run(draft)


_RULES: Mapping[type[Event], Callable[[Draft, Any], None]] = {
    MessageUnderstood: on_message,
    ModelAnswered: on_model,
    Reworded: _on_wordings,
    Summarised: _on_summary,
    ToolsReturned: _on_results,
    EscalationTriggered: _on_escalation,
    SendFailed: _on_send_failure,
    TimerFired: _on_timer,
    CampaignReached: on_campaign,
    OperatorTookOver: _take_over,
    OperatorCalled: _call,
    OperatorCorrected: _correct,
    Released: _release,
    Paused: _pause,
    Resumed: _resume,
    Closed: _close,
}
