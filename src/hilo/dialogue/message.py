"""A message from its meaning to the open question after it; a model may go on in between."""

from dataclasses import replace

from hilo.dialogue.actions import on_step_result
from hilo.dialogue.apply_commands import apply_commands
from hilo.dialogue.campaigns import only_opt_out, take_up_answer
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Choose,
    CorrectSlot,
    Deny,
    Digress,
    EraseData,
    GiveArgument,
    LeaveOut,
    LeaveUnanswered,
    OfferSections,
    OptOut,
    Quote,
    Recall,
    RejectSlot,
    Reply,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
    Tell,
)
from hilo.dialogue.draft import Draft, answering, are_all, has
from hilo.dialogue.effects import Complete, Question, Say
from hilo.dialogue.escalation import Signals, band_of, check_policies, hand_off
from hilo.dialogue.events import MessageUnderstood, ModelAnswered, ToolsReturned
from hilo.dialogue.flow import ask_offered, ask_slot, ask_switch, ask_ways_out, run
from hilo.dialogue.ladder import (
    OFFERS_PERSON,
    ask_meaning,
    climb,
    climb_beside_question,
    likely_meanings,
)
from hilo.dialogue.lead_on import lead_on
from hilo.dialogue.memory import remember_message
from hilo.dialogue.modes import bridge, current_mode
from hilo.dialogue.put_off import ask_put_off, asked_once_more, is_given_up, looks_up
from hilo.dialogue.session import (
    MAX_INTENTS_SEEN,
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    IntentSeen,
    Waiting,
)
from hilo.dialogue.slot_commands import ask_which
from hilo.dialogue.stack import open_flow, push
from hilo.dialogue.states import DialogueState
from hilo.dialogue.suggestions import ask_sure, ask_which_gets, tell_noted
from hilo.dialogue.synthesis import GREETINGS, greet, resumed
from hilo.dialogue.timers import start_timers
from hilo.dialogue.tool_proposals import ask_argument, count_error, on_proposed_results
from hilo.dialogue.waiting import HEARD_WAITING, go_on_meanwhile, meet_waiting, note_values
from hilo.dialogue.wording import PERSON, remark, say, say_results

CALMS_DOWN = 0.5  # what is left of a mood after a message without one
# What leaves an open question open.
DIGRESSIONS = Digress | Recall | AskInfo | Quote | OfferSections | CallTool | Reply | Tell | LeaveUnanswered
# What somebody who wanted to be left alone goes on with; a mere no or what is not understood is nothing of the kind.
GOES_ON = DIGRESSIONS | SetSlot | CorrectSlot | StartFlow | Affirm | Choose | GiveArgument | RequestHuman | OptOut
ANSWERS = SetSlot | CorrectSlot | SkipSlot | Affirm | Deny
BY_INTENT = StartFlow | AskInfo | CallTool  # what an intent proposes by itself


def on_message(draft: Draft, event: MessageUnderstood) -> None:
    """Do what a message means."""
    session, counters = draft.session, draft.session.counters
    session.heard_at = draft.now
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
    event = only_opt_out(event)
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
    _end(draft, event)


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
    _end(draft)


def on_results(draft: Draft, event: ToolsReturned) -> None:
    """Go on with what waits for these results: proposed calls, or the step of a flow."""
    running = draft.progress.running
    if not running or draft.session.status != "active":
        return  # nobody waits for it any more
    if running[0].proposed:
        on_proposed_results(draft, event)
        waited, draft.progress.later = draft.progress.later, ()
        apply_commands(draft, waited)
        _end(draft)
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
    calls = {each.id for each in event.commands if isinstance(each, CallTool) and each.id}
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
    calls = (each for each in event.commands if isinstance(each, CallTool) and each.id)
    return any(call.tool in answers for call in calls)


def _orders(draft: Draft, event: MessageUnderstood | ModelAnswered) -> bool:
    """Whether a call among the commands, or the one that they complete, writes."""
    called = {each.tool for each in event.commands if isinstance(each, CallTool)}
    if isinstance(draft.asked, AskedArgument) and has(event.commands, GiveArgument):
        called.add(draft.asked.tool)
    toolbox = draft.agent.toolbox
    return any(toolbox[tool].writes for tool in called & toolbox.keys())


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


# --- the end of a turn ---------------------------------------------------------------------------


def _end(draft: Draft, message: MessageUnderstood | None = None) -> None:
    """After what was meant and done: policies, what is unsaid, the question that is still open."""
    session, progress = draft.session, draft.progress
    if session.status != "active" or progress.running or progress.model_turn_open:
        # More is to come before we answer. A question that was answered is not asked again then;
        # that for a yes stays.
        if message and has(draft.log.accepted, CallTool | GiveArgument):
            draft.count(unclear=0)
        stays = isinstance(draft.asked, AskedYes | Waiting) or (
            _is_digression(draft) and not isinstance(draft.asked, AskedMeaning)
        )
        if session.pending is draft.asked and not stays:
            session.pending = None
        return
    if message and not progress.asked:
        _meet(draft, message)
    if escalation := check_policies(draft.agent, session, Signals(at=draft.now)):
        say_results(draft)
        hand_off(draft, escalation)
        return
    if _waits_for_contact(draft):
        _break_silence(draft)
        return
    if progress.asked:
        # A command has asked its own question; what calls came to before it is told before it.
        asked, draft.effects = draft.effects, []
        say_results(draft)
        draft.effects += asked
        return
    say_results(draft)
    _go_on(draft, message)


def _waits_for_contact(draft: Draft) -> bool:
    """Whether nothing is asked now: the contact is about to ask, says goodbye, or only thanks once more."""
    meant, session = draft.log.accepted, draft.session
    if meant == [Digress("opens")]:
        return True
    if meant == [Digress("later")] and isinstance(draft.asked, AskedSlot):
        session.left = session.left or "bye"  # whoever answers later is not asked, nor called slow
        return True
    if not are_all(meant, Digress | CancelFlow | OptOut | EraseData):
        return False
    if Digress("bye") in meant or session.left == "opted_out":
        session.left = session.left or "bye"
        if not isinstance(session.pending, AskedSlot | Waiting):
            session.pending = None  # a yes that comes later is none to what stands far above
        return True
    return Digress("thanks") in meant and _is_thanked_enough(draft)


def _is_thanked_enough(draft: Draft) -> bool:
    """Whether a question that was only to be looked up is left, or the contact has thanked before."""
    asked = draft.asked
    if isinstance(asked, AskedArgument) and looks_up(draft, asked):
        draft.session.pending = None
        return True
    # A summary comes again with its buttons, whatever is said beside it.
    return not isinstance(asked, AskedYes) and draft.session.templates_sent.get("thanks_back", 0) > 1


def _go_on(draft: Draft, message: MessageUnderstood | None) -> None:
    """The question that is still open, or the next one; never silence."""
    session, progress = draft.session, draft.progress
    if progress.digressing and isinstance(draft.asked, AskedSlot | AskedYes):
        bridge(draft, as_remark=True)
        progress.digressing = False
    _tell_what_was_noted(draft)
    if draft.retry:
        ask_slot(draft, draft.retry, correcting=True)
    elif not ask_again(draft):
        run(draft)
    if progress.running:
        return
    if session.agent_holds and session.pending is None and not session.stack:
        ask_put_off(draft)
    leaves = has(draft.log.accepted, LeaveOut) and not session.stack
    if session.agent_holds and session.pending is None and (progress.digressing or _strays(draft) or leaves):
        led = bridge(draft)
        if leaves and not led:
            remark(draft, "cancelled")  # of the order nothing is left
    if message:
        lead_on(draft, message)
    _break_silence(draft)


def _break_silence(draft: Draft) -> None:
    """Never silence: rather a person."""
    if draft.spoken or has(draft.effects, Say | Question):
        return
    word = "understood" if draft.log.accepted or draft.progress.made else "not_understood"
    if not remark(draft, word):
        draft.log.exhausted.append(word)


def _tell_what_was_noted(draft: Draft) -> None:
    """A value that the flow did not ask for is told, where its question comes again: nobody would know otherwise."""
    asked = draft.asked
    unanswered = isinstance(asked, AskedSlot) and asked.slot not in draft.session.slots
    for name in draft.noted if unanswered or isinstance(asked, AskedYes) else ():
        if name in draft.session.slots:
            tell_noted(draft, name)


def _meet(draft: Draft, event: MessageUnderstood) -> None:
    """Never go on without a word when a message came to nothing, or came after the end."""
    session, log = draft.session, draft.log
    lines = [each.line.template for each in draft.effects if isinstance(each, Say | Question)]
    answered = any(template not in GREETINGS for template in lines)
    if event.commands and (log.accepted or answered):
        # What is not ours to answer was understood: it leads up to the offer of a person, not to one.
        strays = are_all(log.accepted, Digress) and Digress("off_topic") in log.accepted
        rung = min(session.counters.unclear + 1, OFFERS_PERSON - 1) if strays else 0
        if any(Digress(kind) in log.accepted for kind in ("beside", "unnoted", "told")):
            rung = session.counters.unclear + 1  # it was heard, and still does not answer
        draft.count(unclear=rung)
    elif has((each.command for each in log.refused), CallTool) and not _was_doubtful(draft, event):
        remark(draft, "not_now")
    elif has((each.command for each in log.refused), Affirm | Deny):
        remark(draft, "not_understood")  # an old button pressed again is no riddle
    else:
        draft.count(unclear=session.counters.unclear + 1)
        asks_meaning = _was_doubtful(draft, event) and likely_meanings(draft.agent, event)
        if _waits_for_answer(draft) and not asks_meaning:
            climb_beside_question(draft)
        elif not (session.counters.turns == 1 and session.stack):  # the first question answers it
            climb(draft, event)
    if session.stack or not session.finished:
        return
    opened = any(draft.agent.flows[name].starts_by_itself for name in session.finished)
    if draft.changed:
        draft.effects.append(Complete(session.finished[-1]))
    elif opened and not has(log.accepted, CancelFlow | AskInfo | Quote | Digress | EraseData):
        remark(draft, "already_done")


def _was_doubtful(draft: Draft, event: MessageUnderstood) -> bool:
    return any(each.reason.startswith("confidence") for each in draft.log.refused if each.command in event.commands)


def _waits_for_answer(draft: Draft) -> bool:
    """Whether a question is open, or comes again, that is not about what was meant."""
    open_question = draft.asked is not None and not isinstance(draft.asked, AskedMeaning | Waiting)
    if isinstance(draft.asked, AskedArgument) and is_given_up(draft, draft.asked):
        open_question = False
    return open_question or bool(draft.session.stack and draft.session.counters.turns > 1)


def _strays(draft: Draft) -> bool:
    """Whether a message came to nothing, or to a word beside the point: what is open comes again."""
    busy = draft.session.stack or draft.progress.made
    if not answering(draft) or busy or has(draft.effects, Question):
        return False
    meant = draft.log.accepted
    return Digress("thanks") not in meant and all(isinstance(each, Digress) for each in meant)


def _is_digression(draft: Draft) -> bool:
    """Whether what was meant leaves the question alone that was open."""
    meant = [*draft.log.accepted, *(refusal.command for refusal in draft.log.refused)]
    return not draft.changed and all(isinstance(each, DIGRESSIONS) for each in meant)


def _gives_beside(draft: Draft) -> bool:
    """Whether a message only gave values while a tool's question was open, which those do not answer."""
    if not isinstance(draft.asked, AskedArgument) or is_given_up(draft, draft.asked):
        return False
    return are_all(draft.log.accepted, SetSlot | CorrectSlot | Digress)


def _only_digressed(draft: Draft) -> bool:
    """Whether a word beside the point was understood, and nothing else."""
    return are_all(draft.log.accepted, Digress)


def ask_what_is_open(draft: Draft) -> None:
    """After words that nobody asked for: else a yes to "are you there?" would be one to the summary."""
    if draft.asked and not isinstance(draft.asked, Waiting) and not ask_again(draft):
        run(draft)


def _is_still_offered(draft: Draft) -> bool:
    """Offer the values again of which none was named: what a message gives or says beside them takes none of them."""
    asked = draft.asked
    if not isinstance(asked, AskedSlot) or not asked.offered or draft.agent.slots[asked.slot].choices_from:
        return False
    meant = [*draft.log.accepted, *(refusal.command for refusal in draft.log.refused)]
    is_beside = all(isinstance(each, DIGRESSIONS | SetSlot | CorrectSlot | RejectSlot) for each in meant)
    if asked.slot in draft.changed or not is_beside:
        return False
    ask_offered(draft, asked.slot, asked.offered)
    return True


def ask_again(draft: Draft) -> bool:
    """Ask what a tool lacks; after a digression also a question about a question again."""
    pending = draft.session.pending
    if isinstance(pending, AskedArgument) and pending.turn == draft.turn:
        ask_argument(draft, pending)
        return True
    if _is_still_offered(draft):
        return True
    if not _is_digression(draft) and not _gives_beside(draft):
        return False
    match draft.asked:
        case AskedSlot(slot=slot, ways_out=True):
            ask_ways_out(draft, slot)
        case AskedSlot(slot=slot, correcting=True):
            ask_slot(draft, slot, correcting=True)
        case AskedWhich(slots=slots, value=value) if value is not None:
            ask_which_gets(draft, slots, value)
        case AskedWhich(slots=slots):
            ask_which(draft, slots)
        case AskedSure(slot=slot, value=value):
            ask_sure(draft, slot, value)
        case AskedSwitch(flow=flow):
            ask_switch(draft, flow)
        case AskedArgument() as asked if not is_given_up(draft, asked):
            ask_argument(draft, asked_once_more(draft, asked))
        case AskedMeaning(intents=intents) if PERSON not in intents and _only_digressed(draft):
            ask_meaning(draft, intents)
        case _:
            return False
    return True
