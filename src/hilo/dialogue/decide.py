"""What happens next. Pure: the same agent, session and event always give the same decision.

What a message leads to is in `message`, what operators do in `operators`; here is what
timers and pauses do to a session.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.guards import holds
from hilo.agent.timers import Timer
from hilo.dialogue.calls import taken_for_granted
from hilo.dialogue.campaigns import on_campaign, was_never_heard
from hilo.dialogue.draft import Decision, Draft, but, has, of_kind, without
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
from hilo.dialogue.flow import go_on, run
from hilo.dialogue.message import go_on_in_burst, on_message, on_model, on_results
from hilo.dialogue.modes import change_mode
from hilo.dialogue.opening import known_to_guards
from hilo.dialogue.operators import (
    call_for_operator,
    correct_for_operator,
    go_on_unanswered,
    note_values,
    on_operator_result,
    release,
    take_over,
)
from hilo.dialogue.session import AskedArgument, Session, Summary, TurnProgress, Waiting
from hilo.dialogue.stack import (
    end_silence,
    leave_stale,
    mark,
    pass_wait,
    push,
    waits_for_moment,
)
from hilo.dialogue.timers import (
    PREFIX,
    TIMEOUT_TIMER,
    UNANSWERED,
    awake,
    cancel_timers,
    is_over,
    running_timers,
    set_timer,
    settle_moments,
    settle_silence,
    start_mode_timers,
    start_timeout,
    start_timer,
    start_timers,
)
from hilo.dialogue.tool_questions import keep_passed_over
from hilo.dialogue.turn_end import ask_what_is_open
from hilo.dialogue.wording import say, take_back

MAX_SUMMARY = 4000  # characters
MAX_REWORDED = 20  # templates, and wordings of one
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
    if isinstance(draft.asked, AskedArgument):
        keep_passed_over(draft, draft.asked)
    if draft.log.exhausted and draft.session.agent_holds:
        _leave_unsaid(draft)
    said = of_kind(draft.effects, Say | Question)
    draft.session.invites |= any(each.line.text.rstrip().endswith("?") for each in said)
    draft.progress.spoken |= bool(said)
    if not (isinstance(event, TimerFired) and event.name == UNANSWERED):  # who waits for a person is not hurried
        if draft.log.modes:
            start_mode_timers(draft)
        settle_silence(draft, session, heard=isinstance(event, MessageUnderstood))
    if draft.session.agent_holds:  # else all timers are off; a release starts them with the values of then
        settle_moments(draft, session)
        if not has(draft.effects, Question):
            leave_stale(draft)
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


def _leave_unsaid(draft: Draft) -> None:
    """Rather a person than the same words again; nothing ordered or asked with them counts."""
    take_back(draft, list(but(draft.effects, RunTool | Question)))
    reason = f"{draft.log.exhausted[0]} has been said in all its wordings"
    hand_off(draft, Escalation("repeats", reason))


def _on_results(draft: Draft, event: ToolsReturned) -> None:
    running = draft.progress.running
    if running and running[0].operator:
        on_operator_result(draft, running[0], event)
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


# --- timers --------------------------------------------------------------------------------------


def _on_timer(draft: Draft, event: TimerFired) -> None:
    name, session = event.name, draft.session
    promised = session.timers.get(name)
    is_ours = session.agent_holds or name == UNANSWERED
    if promised is None or event.due not in (None, promised) or not is_ours:
        return  # it was cancelled meanwhile, or another promise was made under its name
    session.timers = without(session.timers, name)
    if session.left and _is_left_in_peace(draft, name):
        return
    if awake(draft.now, draft.agent.quiet_hours, draft.zone) != draft.now:
        set_timer(draft, name, draft.now)  # the alarm came late: not in the night
    elif name == UNANSWERED:
        go_on_unanswered(draft)
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
    if name == UNANSWERED:
        return False
    if name == TIMEOUT_TIMER or draft.session.left == "opted_out":
        return True
    timer = running_timers(draft).get(name.removeprefix(PREFIX))
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
    OperatorTookOver: take_over,
    OperatorCalled: call_for_operator,
    OperatorCorrected: correct_for_operator,
    Released: release,
    Paused: _pause,
    Resumed: _resume,
    Closed: _close,
}
