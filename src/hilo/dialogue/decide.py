"""What happens next. Pure: the same agent, session and event always give the same decision."""

from typing import assert_never

from hilo.agent.declaration import Agent
from hilo.dialogue.draft import Decision, Draft
from hilo.dialogue.effects import Effect, Question, RunTool
from hilo.dialogue.escalation import Escalation, hand_off, late
from hilo.dialogue.events import (
    Closed,
    EscalationTriggered,
    Event,
    MessageReceived,
    MessageUnderstood,
    ModelAnswered,
    OperatorCalled,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    Reworded,
    Summarised,
    TimerFired,
    ToolsReturned,
)
from hilo.dialogue.flow import go_on, run
from hilo.dialogue.message import agent_holds, ask_again, on_message, on_model, on_results
from hilo.dialogue.operators import on_operator, on_operator_result, start_clocks
from hilo.dialogue.promises import TIMEOUT_TIMER, cancel_timers, is_quiet, set_timer
from hilo.dialogue.session import Session, Summary, TurnProgress, Waiting
from hilo.dialogue.stack import end_silence, pass_wait
from hilo.dialogue.timers import PREFIX, fire, settle_silence, start_mode_timers
from hilo.dialogue.voice import WORDLESS, take_back

MAX_SUMMARY = 4000  # characters
MAX_REWORDED = 20  # templates, and wordings of one
MID_TURN = ModelAnswered | Reworded | Summarised | ToolsReturned  # what goes on with a turn that has begun


def decide(agent: Agent, session: Session, event: Event, progress: TurnProgress | None = None) -> Decision:
    """The new session, and what is to be carried out; `progress` is that of a turn which has begun."""
    begun = isinstance(event, MID_TURN)
    draft = Draft(agent, session, progress if begun and progress else TurnProgress(), event.at)
    if not begun:
        _begin(draft)
    if not isinstance(event, MID_TURN | TimerFired):
        end_silence(draft)
    _take(draft, event)
    if draft.log.exhausted and agent_holds(draft):
        _leave_unsaid(draft)
    if draft.log.modes:
        start_mode_timers(draft)
    if any(_asks(effect) for effect in draft.effects):
        draft.session.invites = True
    settle_silence(draft, session, heard=isinstance(event, MessageUnderstood))
    return draft.decision()


def _take(draft: Draft, event: Event) -> None:
    running = draft.progress.running
    match event:
        case MessageUnderstood():
            on_message(draft, event)
        case ToolsReturned() if running and running[0].operator:
            draft.force_repeat = True
            on_operator_result(draft, running[0], event)
        case ToolsReturned():
            on_results(draft, event)
        case ModelAnswered():
            on_model(draft, event)
        case Summarised(text=text, upto=upto):
            draft.session.summary = Summary(text[:MAX_SUMMARY], upto)
        case Reworded(template=template, texts=texts):
            _take_wordings(draft, template, texts)
        case EscalationTriggered(policy=policy, reason=reason, sentiment=sentiment):
            if agent_holds(draft):
                draft.session.mood = sentiment or draft.session.mood
                hand_off(draft, Escalation(policy, reason))
        case TimerFired():
            _on_timer(draft, event)
        case OperatorTookOver() | OperatorCalled() | Released():
            on_operator(draft, event)
        case Paused() | Resumed() | Closed():
            _on_status(draft, event)
        case MessageReceived():
            raise TypeError("a message is read by the turn graph first; decide takes MessageUnderstood")
        case _:
            assert_never(event)


def _asks(effect: Effect) -> bool:
    line = getattr(effect, "line", None)
    return line is not None and line.text.rstrip().endswith("?")


def _begin(draft: Draft) -> None:
    """A new turn; a session of another version may be in a mode that is no more."""
    draft.turn += 1
    draft.session.invites = False
    modes = draft.agent.modes
    if modes and draft.session.mode not in modes:
        held = draft.session.holder == "operator"
        draft.session.mode = (draft.agent.operator_mode if held else "") or draft.agent.first_mode


def _take_wordings(draft: Draft, template: str, texts: tuple[str, ...]) -> None:
    known = draft.session.reworded
    kept = (*known.get(template, ()), *texts)[:MAX_REWORDED]
    if template in draft.agent.templates and (template in known or len(known) < MAX_REWORDED):
        draft.session.reworded = {**known, template: kept}


def _leave_unsaid(draft: Draft) -> None:
    """Rather a person than the same words again; what was ordered or asked in the same breath is not."""
    lines = ((each, getattr(each, "line", None)) for each in draft.effects if not isinstance(each, RunTool | Question))
    take_back(draft, [each for each, line in lines if line is None or line.variant != WORDLESS])
    hand_off(draft, Escalation("repeats", f"{draft.log.exhausted[0]} has been said in all its wordings"))


def _on_status(draft: Draft, event: Paused | Resumed | Closed) -> None:
    match event:
        case Paused() if draft.session.status == "active":
            cancel_timers(draft)
            draft.session.status = "paused"
        case Resumed() if draft.session.status == "paused":
            _on_resume(draft)
        case Closed():
            cancel_timers(draft)
            draft.session.status = "closed"


def _on_resume(draft: Draft) -> None:
    """The question that was open is still open; timers and waits start again."""
    draft.session.status = "active"
    start_clocks(draft)
    if isinstance(draft.session.pending, Waiting):
        run(draft)


def _on_timer(draft: Draft, event: TimerFired) -> None:
    name, promised = event.name, draft.session.timers.get(event.name)
    if promised is None or event.due not in (None, promised) or not agent_holds(draft):
        return  # it was cancelled meanwhile, or another promise was made under its name
    draft.session.timers = {timer: at for timer, at in draft.session.timers.items() if timer != name}
    if is_quiet(draft):
        set_timer(draft, name, draft.now)  # the alarm came late: not in the night
    elif name == TIMEOUT_TIMER:
        limit = draft.now - draft.session.started_at
        hand_off(draft, Escalation("timeout", late(limit)))
    elif name.startswith(PREFIX):
        spoke = fire(draft, name)
        # What was open is asked again, else a yes to "are you there?" would be one to the summary.
        if spoke and draft.asked and not isinstance(draft.asked, Waiting) and not ask_again(draft):
            run(draft)
    elif draft.session.pending == Waiting(name):
        go_on(draft)
        run(draft)
    else:
        pass_wait(draft, name)
