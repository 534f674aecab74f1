"""The end of a message's turn: what came to nothing is met, and what is still open is asked; never silence."""

from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
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
    SetSlot,
    TakeNote,
    Tell,
)
from hilo.dialogue.draft import Draft, answering, are_all, has
from hilo.dialogue.effects import Complete, Question, Say
from hilo.dialogue.escalation import Signals, check_policies, hand_off
from hilo.dialogue.events import MessageUnderstood
from hilo.dialogue.flow import ask_offered, ask_slot, ask_switch, ask_ways_out, run
from hilo.dialogue.ladder import (
    OFFERS_PERSON,
    ask_meaning,
    climb,
    climb_beside_question,
    likely_meanings,
)
from hilo.dialogue.lead_on import lead_on
from hilo.dialogue.modes import bridge
from hilo.dialogue.put_off import ask_put_off, asked_once_more, is_given_up, looks_up
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Waiting,
)
from hilo.dialogue.slot_commands import ask_which
from hilo.dialogue.suggestions import ask_sure, ask_which_gets, tell_noted
from hilo.dialogue.synthesis import GREETINGS
from hilo.dialogue.tool_proposals import ask_argument
from hilo.dialogue.wording import PERSON, remark, say_results

# What leaves an open question open.
DIGRESSIONS = Digress | Recall | AskInfo | Quote | OfferSections | CallTool | Reply | Tell | LeaveUnanswered | TakeNote


def end_turn(draft: Draft, message: MessageUnderstood | None = None) -> None:
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
    return Digress("thanks") not in meant and all(isinstance(each, Digress | TakeNote) for each in meant)


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
    open_question = draft.asked and not isinstance(draft.asked, Waiting)
    if open_question and not ask_again(draft):
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
