"""A message from its meaning to the question that is open after it; a model that has the floor may go on in between."""

from dataclasses import replace

from hilo.dialogue.actions import on_step_result
from hilo.dialogue.apply_commands import apply_commands
from hilo.dialogue.bands import band_of, candidates, hangs_on_intent
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    CorrectSlot,
    Deny,
    Digress,
    GiveArgument,
    OfferValues,
    Reply,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import AskMeaning, Complete, Question, Say
from hilo.dialogue.escalation import Escalation, Signals, check_policies, hand_off
from hilo.dialogue.events import MessageUnderstood, ModelAnswered, ToolsReturned
from hilo.dialogue.flow import ask_slot, ask_switch, run
from hilo.dialogue.modes import bridge
from hilo.dialogue.selecting import are_all, has
from hilo.dialogue.session import (
    MAX_INTENTS_SEEN,
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    IntentSeen,
    Waiting,
)
from hilo.dialogue.slots import ask_which, offer_values
from hilo.dialogue.stack import push
from hilo.dialogue.states import DialogueState
from hilo.dialogue.synthesis import GREETINGS, greet, resumed
from hilo.dialogue.timers import start_timers
from hilo.dialogue.tool_proposals import ask_argument, count_refused, on_proposed_results, say_results
from hilo.dialogue.voice import next_line, remark, say

CALMS_DOWN = 0.5  # what is left of a mood after a message without one
DIGRESSIONS = Digress | AskInfo | CallTool | Reply  # what leaves an open question open
ANSWERS = SetSlot | CorrectSlot | SkipSlot | Affirm | Deny


def agent_holds(draft: Draft) -> bool:
    """Whether the agent may answer."""
    return draft.session.status == "active" and draft.session.holder == "agent"


def on_message(draft: Draft, event: MessageUnderstood) -> None:
    """Do what a message means."""
    draft.session.heard_at = draft.now
    if not agent_holds(draft):
        _refuse_all(draft, event)
        _tell_who_comes(draft)
        return
    draft.progress.model_turn_open = event.floor
    _begin(draft, event)
    if not _doubtful(draft, event):
        _apply(draft, event)
    if _is_over(draft):
        _remark_on_silence(draft, event)
        wrap_up(draft)
    else:
        _settle_question(draft)


def on_model(draft: Draft, event: ModelAnswered) -> None:
    """Do what a model goes on to propose; with its last word its turn is over."""
    if not agent_holds(draft) or not draft.progress.model_turn_open or draft.progress.running:
        _refuse_all(draft, event)
        return
    draft.spoken = event.spoken
    draft.progress.model_turn_open = event.floor
    draft.progress.digressing = _digresses_still(draft, event)
    _apply(draft, event)
    if _is_over(draft):
        wrap_up(draft)
    else:
        _settle_question(draft)


def _apply(draft: Draft, event: MessageUnderstood | ModelAnswered) -> None:
    """Apply the commands; a model that errs twice in a row gives way to a person."""
    apply_commands(draft, event.commands)
    if agent_holds(draft) and not draft.progress.asked and (escalation := count_refused(draft, event.commands)):
        say_results(draft)
        hand_off(draft, escalation)


def on_results(draft: Draft, event: ToolsReturned) -> None:
    """Go on with what waits for these results: the calls that were proposed, or the step of a flow."""
    running = draft.progress.running
    if not running or draft.session.status != "active":
        return  # nobody waits for it any more
    if not running[0].proposed:
        on_step_result(draft, running[0], event)
        return
    on_proposed_results(draft, event)
    if _is_over(draft):
        wrap_up(draft)


def _refuse_all(draft: Draft, event: MessageUnderstood | ModelAnswered) -> None:
    for command in event.commands:
        draft.log.refuse(command, _why_not(draft))


def _why_not(draft: Draft) -> str:
    if draft.session.holder == "operator":
        return "an operator holds the session"
    if draft.session.status != "active":
        return "the session is not active"
    return "calls are under way: their results come first" if draft.progress.running else "it is not the model's turn"


def _tell_who_comes(draft: Draft) -> None:
    """A contact who writes on after a handoff is told once that a person comes, where the agent has words for it."""
    handoff = draft.session.handoff
    if handoff is None or handoff.told or handoff.policy == "operator":
        return
    mode = draft.agent.modes.get(draft.session.mode)
    if mode and mode.operator and mode.bridge:
        say(draft, mode.bridge)
        draft.session.handoff = replace(handoff, told=True)


def _is_over(draft: Draft) -> bool:
    """Whether nothing more is to come in this turn before we answer."""
    return draft.session.status == "active" and not draft.progress.running and not draft.progress.model_turn_open


def _begin(draft: Draft, event: MessageUnderstood) -> None:
    draft.early = event.early
    draft.session.mood = event.sentiment or draft.session.mood * CALMS_DOWN
    draft.log.passes(DialogueState.UNDERSTANDING)
    counters = draft.session.counters
    draft.count(turns=counters.turns + 1, without_progress=counters.without_progress + 1)
    if event.intent:
        seen = (*draft.session.intents_seen, IntentSeen(event.intent, event.confidence, draft.now))
        draft.session.intents_seen = seen[-MAX_INTENTS_SEEN:]
    draft.progress.digressing = _is_info(draft, event)
    if counters.turns == 0:
        greet(draft)
        start_timers(draft)
    open_flow(draft, again=not are_all(event.commands, Digress))
    if counters.turns == 0 and are_all(event.commands, Digress | Affirm):
        _take_up(draft)


def _take_up(draft: Draft) -> None:
    """Go on where the session before was left, as the flow says that was under way."""
    flow = resumed(draft.agent, draft.session)
    if flow and not draft.session.stack:
        draft.took_up = push(draft, flow)


def _is_info(draft: Draft, event: MessageUnderstood) -> bool:
    """Whether a message only asks something: it orders nothing."""
    if has(event.commands, ANSWERS) or _orders(draft, event):
        return False
    intent = draft.agent.intents.get(event.intent)
    return (intent is not None and intent.topic == "info") or _looks_up(draft, event)


def _digresses_still(draft: Draft, event: ModelAnswered) -> bool:
    """What a model goes on to propose may order after all; what it ordered before stays ordered."""
    if _orders(draft, event):
        return False
    return draft.progress.digressing or (not draft.progress.made and _looks_up(draft, event))


def _looks_up(draft: Draft, event: MessageUnderstood | ModelAnswered) -> bool:
    """Whether there is a question among the commands, or a model's call that answers one."""
    topics: dict[str, set[str]] = {"info": set(), "order": set()}
    for intent in draft.agent.intents.values():
        topics.setdefault(intent.topic, set()).add(intent.do)
    answers = topics["info"] - topics["order"]
    for command in event.commands:
        if isinstance(command, AskInfo):
            return True
        if isinstance(command, CallTool) and command.id and command.tool in answers:
            return True
    return False


def _orders(draft: Draft, event: MessageUnderstood | ModelAnswered) -> bool:
    """Whether a call among the commands, or the one that they complete, writes."""
    called = {each.tool for each in event.commands if isinstance(each, CallTool)}
    if isinstance(draft.asked, AskedArgument) and has(event.commands, GiveArgument):
        called.add(draft.asked.tool)
    toolbox = draft.agent.toolbox
    return any(toolbox[tool].writes for tool in called & toolbox.keys())


def open_flow(draft: Draft, *, again: bool = False) -> None:
    """Start the flow that sessions begin with, unless it is done, was left, or something else is under way."""
    over = {*draft.session.finished, *draft.session.unsure, *(() if again else draft.session.abandoned)}
    for name, flow in draft.agent.flows.items():
        if flow.starts_by_itself and name not in over and not draft.session.stack:
            draft.session.abandoned = tuple(each for each in draft.session.abandoned if each != name)
            push(draft, name)


# --- doubt ----------------------------------------------------------------------------------------------


def _doubtful(draft: Draft, event: MessageUnderstood) -> bool:
    """Whether the meaning is too unsure to act on: then we ask which of two was meant, or leave it to a person."""
    band = band_of(draft.agent, event.confidence)
    if band in ("proceed", "reanalyse") or _answers_mode(draft, event):
        return False
    asked = draft.session.pending is not None or bool(draft.session.stack)
    if not hangs_on_intent(event.commands, asked=asked):
        return False
    likely = candidates(draft.agent, event.intent, event.confidence, event.alternatives)
    for command in event.commands:
        draft.log.refuse(command, f"confidence {event.confidence}: {band}")
    if event.floor:
        return True  # the model that goes on to speak sees to it
    if band == "clarify" and likely:
        _ask_meaning(draft, likely)
    else:
        hand_off(draft, Escalation("confidence", f"confidence {event.confidence} that it means {event.intent or '?'}"))
    return True


def _answers_mode(draft: Draft, event: MessageUnderstood) -> bool:
    """Whether a flow begins by a bare yes or no to what the mode leads to, which is no intent."""
    mode = draft.agent.modes.get(draft.session.mode)
    if mode is None:
        return False
    next_flows = {mode.next.yes, mode.next.no} - {"", event.intent}
    started = {each.flow for each in event.commands if isinstance(each, StartFlow)}
    return not started.isdisjoint(next_flows)


def _ask_meaning(draft: Draft, intents: tuple[str, ...]) -> None:
    draft.ask(AskMeaning(intents, next_line(draft, "ask_meaning")), AskedMeaning(intents))


# --- the end of a turn ------------------------------------------------------------------------------------


def wrap_up(draft: Draft) -> None:
    """After what was meant and done: policies on the outcome, what is unsaid, the question that is still open."""
    if escalation := check_policies(draft.agent, draft.session, Signals(at=draft.now)):
        say_results(draft)
        hand_off(draft, escalation)
    elif draft.progress.asked:
        _say_results_first(draft)
    else:
        say_results(draft)
        if draft.progress.digressing and isinstance(draft.asked, AskedSlot | AskedYes):
            bridge(draft, as_remark=True)
            draft.progress.digressing = False
        if draft.retry:
            ask_slot(draft, draft.retry, correcting=True)
        elif not ask_again(draft):
            run(draft)
        _lead_back(draft)
        _never_silent(draft)


def _say_results_first(draft: Draft) -> None:
    """A command has asked its own question; what calls came to before it is told before it."""
    asked, draft.effects = draft.effects, []
    say_results(draft)
    draft.effects += asked


def _lead_back(draft: Draft) -> None:
    """After a digression, back to what is open."""
    if not draft.progress.digressing or not agent_holds(draft):
        return
    if draft.session.pending is None and not draft.progress.running:
        bridge(draft)


def _never_silent(draft: Draft) -> None:
    if draft.spoken or draft.progress.running or has(draft.effects, Say | Question):
        return
    word = "understood" if draft.log.accepted or draft.progress.made else "not_understood"
    if not remark(draft, word):
        draft.log.exhausted.append(word)


def _remark_on_silence(draft: Draft, event: MessageUnderstood) -> None:
    """Never go on without a word when the message changed nothing or came after everything was done."""
    if draft.progress.asked:
        return
    if not event.commands or not (draft.log.accepted or _has_answered(draft)):
        refused = any(isinstance(each.command, CallTool) for each in draft.log.refused)
        remark(draft, "not_now" if refused else "not_understood")
    if draft.session.stack or not draft.session.finished:
        return
    if draft.changed:
        draft.effects.append(Complete(draft.session.finished[-1]))
    elif _is_done(draft) and not has(draft.log.accepted, CancelFlow | AskInfo | Digress):
        remark(draft, "already_done")


def _has_answered(draft: Draft) -> bool:
    """Whether we said or asked more than a greeting."""
    for effect in draft.effects:
        if isinstance(effect, Question):
            return True
        if isinstance(effect, Say) and effect.line.template not in GREETINGS:
            return True
    return False


def _is_done(draft: Draft) -> bool:
    """Whether the flow that sessions begin with has ended."""
    return any(draft.agent.flows[name].starts_by_itself for name in draft.session.finished)


def _is_digression(draft: Draft) -> bool:
    """Whether what was meant leaves the question alone that was open."""
    meant = [*draft.log.accepted, *(refusal.command for refusal in draft.log.refused)]
    others = [each for each in meant if not isinstance(each, DIGRESSIONS)]
    return not draft.changed and not others


def _settle_question(draft: Draft) -> None:
    """The turn goes on: a question that was answered is not asked again at its end; that for a yes stays."""
    untouched = draft.session.pending is draft.asked and not isinstance(draft.asked, AskedYes | Waiting)
    if untouched and not _is_digression(draft):
        draft.session.pending = None


def ask_again(draft: Draft) -> bool:
    """Ask what a tool lacks; and a question about a question again, when the message was a digression from it."""
    pending = draft.session.pending
    if isinstance(pending, AskedArgument) and pending.turn == draft.turn:
        ask_argument(draft, pending)
        return True
    if not _is_digression(draft):
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
        case AskedArgument() as asked:
            ask_argument(draft, asked)
        case AskedMeaning(intents=intents) if not has(draft.log.accepted, AskInfo | CallTool):
            _ask_meaning(draft, intents)
        case _:
            return False
    return True
