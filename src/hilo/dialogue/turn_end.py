"""The end of a message's turn: what came to nothing is met, and what is still open is asked; never silence.

The bands of confidence and the rungs are one mechanism. What is sure enough is done; what is likely is asked about;
what is neither climbs a rung with every message in a row, and the policy `stuck` says how many rungs there are before
a person goes on. Whatever is understood begins anew.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hilo.agent.declaration import Agent, Bands
from hilo.agent.instructions import AskSlots
from hilo.dialogue.answers import ask_meaning, is_ours, show_menu
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    CorrectSlot,
    Deny,
    Digress,
    DropNote,
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
    SkipSlot,
    StartFlow,
    TakeNote,
    Tell,
)
from hilo.dialogue.draft import Draft, answering, are_all, but, has, of_kind
from hilo.dialogue.effects import Complete, Question, Say
from hilo.dialogue.escalation import Signals, check_policies, hand_off
from hilo.dialogue.events import MessageUnderstood
from hilo.dialogue.flow import OFFERS_PERSON, ask_offered, ask_slot, ask_switch, ask_ways_out, run
from hilo.dialogue.modes import bridge, current_mode
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
from hilo.dialogue.slot_commands import (
    MAX_ATTEMPTS_OPTIONAL,
    ask_sure,
    ask_which,
    ask_which_gets,
    skip,
    tell_noted,
)
from hilo.dialogue.stack import push, standing_at
from hilo.dialogue.synthesis import GREETINGS
from hilo.dialogue.tool_questions import ask_argument, ask_put_off, asked_once_more, is_given_up, looks_up
from hilo.dialogue.wording import PERSON, remark, say_results

# What leaves an open question open.
_LOOKS_UP = AskInfo | Quote | OfferSections | CallTool | Reply | Tell | LeaveUnanswered
DIGRESSIONS = Digress | Recall | _LOOKS_UP | TakeNote | DropNote
MOST_LIKELY = 2  # meanings of a message that is not clear
RIVALS = 0.15  # of the best one's confidence: a meaning below it is no choice to be offered


def end_turn(draft: Draft, message: MessageUnderstood | None = None) -> None:
    """After what was meant and done: policies, what is unsaid, the question that is still open."""
    session, progress = draft.session, draft.progress
    if session.status != "active" or progress.running or progress.model_turn_open:
        _leave_for_later(draft, message)
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


def _leave_for_later(draft: Draft, message: MessageUnderstood | None) -> None:
    """More is to come before we answer; a question that was answered is not asked again then, that for a yes stays."""
    if message and has(draft.log.accepted, CallTool | GiveArgument):
        draft.count(unclear=0)
    if draft.session.pending is not draft.asked or isinstance(draft.asked, AskedYes | Waiting):
        return
    if isinstance(draft.asked, AskedMeaning) or not _is_digression(draft):
        draft.session.pending = None


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
    if session.agent_holds and session.is_idle:
        ask_put_off(draft)
    if session.agent_holds and session.pending is None:
        _lead_back(draft)
    if message:
        _lead_on(draft, message)
    _break_silence(draft)


def _lead_back(draft: Draft) -> None:
    """Back to what is open here, after a digression, a word beside the point, or an order that was left."""
    leaves = has(draft.log.accepted, LeaveOut) and not draft.session.stack
    if not (draft.progress.digressing or leaves or _strays(draft)):
        return
    if not bridge(draft) and leaves:
        remark(draft, "cancelled")  # of the order nothing is left


def _break_silence(draft: Draft) -> None:
    """Never silence: rather a person."""
    if draft.spoken or has(draft.effects, Say | Question):
        return
    word = "understood" if draft.log.accepted or draft.progress.made else "not_understood"
    if not remark(draft, word):
        draft.log.exhausted.append(word)


def _tell_what_was_noted(draft: Draft) -> None:
    """A value that the flow did not ask for is told, where its question comes again: nobody would know otherwise."""
    asked, slots = draft.asked, draft.session.slots
    for name in draft.changed if asked is None else ():
        if draft.agent.slots[name].wish:
            tell_noted(draft, name, "note_kept")
    is_answered = isinstance(asked, AskedSlot) and asked.slot in slots
    if is_answered or not isinstance(asked, AskedSlot | AskedYes | AskedArgument | AskedWhich):
        return
    for name in draft.noted:
        if name in slots:
            tell_noted(draft, name)


def _meet(draft: Draft, event: MessageUnderstood) -> None:
    """Never go on without a word when a message came to nothing, or came after the end."""
    session, log = draft.session, draft.log
    answered = any(each.line.template not in GREETINGS for each in of_kind(draft.effects, Say | Question))
    if event.commands and (log.accepted or answered):
        # What is not ours to answer was understood: it leads up to the offer of a person, not to one.
        strays = are_all(log.accepted, Digress) and Digress("off_topic") in log.accepted
        rung = min(session.counters.unclear + 1, OFFERS_PERSON - 1) if strays else 0
        if any(Digress(kind) in log.accepted for kind in ("beside", "nearly", "unnoted", "told")):
            rung = session.counters.unclear + 1  # it was heard, and still does not answer
        draft.count(unclear=rung)
    elif has((each.command for each in log.refused), CallTool) and not _was_doubtful(draft, event):
        remark(draft, "not_now")
    elif _is_left_blank(draft):
        log.accepted.append(SkipSlot(_optional_asked(draft)))
        skip(draft, _optional_asked(draft))
    elif has((each.command for each in log.refused), Affirm | Deny):
        draft.count(unclear=session.counters.unclear + bool(_optional_asked(draft)))
        remark(draft, "not_understood")  # an old button pressed again is no riddle
    else:
        draft.count(unclear=session.counters.unclear + 1)
        asks_meaning = _was_doubtful(draft, event) and _likely_meanings(draft.agent, event)
        if _waits_for_answer(draft) and not asks_meaning:
            # The answer is asked for again; a person is offered beside it.
            offers_person = session.counters.unclear >= OFFERS_PERSON
            remark(draft, "person_if_wanted" if offers_person else "not_understood")
        elif not (session.counters.turns == 1 and session.stack):  # the first question answers it
            _climb(draft, event)
    if session.stack or not session.finished:
        return
    opened = any(draft.agent.flows[name].starts_by_itself for name in session.finished)
    if draft.changed:
        draft.effects.append(Complete(session.finished[-1]))
    elif opened and not has(log.accepted, CancelFlow | AskInfo | Quote | Digress | EraseData):
        remark(draft, "already_done")


def _optional_asked(draft: Draft) -> str:
    """The slot that is asked for and may stay empty; "" where the question is another."""
    asked = draft.asked
    if not isinstance(asked, AskedSlot) or draft.agent.slots[asked.slot].required or asked.slot in draft.session.slots:
        return ""
    return asked.slot


def _is_left_blank(draft: Draft) -> bool:
    """Whether what can do without an answer was asked for twice, and neither answer was one: "depende", "está bien"."""
    name, counters = _optional_asked(draft), draft.session.counters
    tries = 1 + counters.unclear + counters.invalid.get(name, 0)
    return bool(name) and tries >= MAX_ATTEMPTS_OPTIONAL


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
    return Digress("thanks") not in meant and not but(meant, Digress | TakeNote | DropNote)


def _is_digression(draft: Draft) -> bool:
    """Whether what was meant leaves the question alone that was open."""
    return not draft.changed and not but(draft.log.meant, DIGRESSIONS)


# --- asking again ---------------------------------------------------------------------------------


def ask_what_is_open(draft: Draft) -> None:
    """After words that nobody asked for: else a yes to "are you there?" would be one to the summary."""
    open_question = draft.asked and not isinstance(draft.asked, Waiting)
    if open_question and not ask_again(draft):
        run(draft)


def ask_again(draft: Draft) -> bool:
    """Put the open question again if the message leaves it open; whether it was put. A flow puts its own."""
    pending, asked = draft.session.pending, draft.asked
    if isinstance(pending, AskedArgument) and pending.turn == draft.turn:
        ask_argument(draft, pending)  # what a tool of this very message lacks
        return True
    if isinstance(asked, AskedSlot) and asked.offered and _names_none(draft, asked):
        ask_offered(draft, asked.slot, asked.offered)
        return True
    # Values that a message only gives do not answer what a tool asks.
    gives = isinstance(asked, AskedArgument) and are_all(draft.log.accepted, SetSlot | CorrectSlot | Digress)
    if not gives and not _is_digression(draft):
        return False
    again = AGAIN.get(type(asked))
    return again is not None and again(draft, asked)


def _slot_again(draft: Draft, asked: AskedSlot) -> bool:
    if asked.ways_out:
        ask_ways_out(draft, asked.slot)
    elif asked.correcting:
        ask_slot(draft, asked.slot, correcting=True)
    return asked.ways_out or asked.correcting


def _which_again(draft: Draft, asked: AskedWhich) -> bool:
    if asked.value is None:
        ask_which(draft, asked.slots)
    else:
        ask_which_gets(draft, asked.slots, asked.value)
    return True


def _sure_again(draft: Draft, asked: AskedSure) -> bool:
    ask_sure(draft, asked.slot, asked.value)
    return True


def _switch_again(draft: Draft, asked: AskedSwitch) -> bool:
    ask_switch(draft, asked.flow)
    return True


def _argument_again(draft: Draft, asked: AskedArgument) -> bool:
    if is_given_up(draft, asked):
        return False
    ask_argument(draft, asked_once_more(asked))
    return True


def _meaning_again(draft: Draft, asked: AskedMeaning) -> bool:
    if PERSON in asked.intents or not are_all(draft.log.accepted, Digress):
        return False
    ask_meaning(draft, asked.intents)
    return True


# How a question is put again that the message leaves open, and whether it is; the flow puts those that are not here.
AGAIN: Mapping[type, Callable[[Draft, Any], bool]] = {
    AskedSlot: _slot_again,
    AskedWhich: _which_again,
    AskedSure: _sure_again,
    AskedSwitch: _switch_again,
    AskedArgument: _argument_again,
    AskedMeaning: _meaning_again,
}


def _names_none(draft: Draft, asked: AskedSlot) -> bool:
    """Whether what a message says beside the values that were offered takes none of them; a tool offers its own."""
    if asked.slot in draft.changed or draft.agent.slots[asked.slot].choices_from:
        return False
    step = standing_at(draft)
    if step and isinstance(step.does, AskSlots) and draft.changed & set(step.does.slots):
        return False  # "el del jueves", asked which appointment: the flow goes on with the day
    return not but(draft.log.meant, DIGRESSIONS | SetSlot | CorrectSlot | RejectSlot)


# --- how a reply ends that leaves nothing open: with what comes next ------------------------------


def _lead_on(draft: Draft, event: MessageUnderstood) -> None:
    """Ask whether to go on with what comes next, if something does and nothing else is asked.

    Where values came with a question that was not understood, nobody knows what is next: all is offered.
    """
    session, log = draft.session, draft.log
    if session.stack or not session.agent_holds or has(draft.effects, Question):
        return
    offered = isinstance(session.pending, AskedMeaning) and session.pending is draft.asked
    if session.pending and not (offered and draft.changed):
        return  # something is asked that is no offer of ours, or got no values
    if log.steps or draft.progress.made or has(log.accepted, CancelFlow | AskInfo | Quote | StartFlow):
        return  # what was done or answered has words of its own
    flow = _next_flow(draft)
    if draft.changed and not event.only_values and not has(draft.log.accepted, CorrectSlot):
        show_menu(draft)
    elif flow and draft.asked == AskedMeaning((flow,)):
        # Who gives what it asks for, when asked whether to begin it, has said yes.
        push(draft, flow)
        run(draft)
    elif flow:
        ask_meaning(draft, (flow,), "lead_on")


def _next_flow(draft: Draft) -> str:
    """The flow that what was given is for; else the one that a yes begins in this mode."""
    ahead = current_mode(draft).next.yes
    rejected = {each.command.slot for each in draft.log.refused if isinstance(each.command, RejectSlot)}
    if rejected and not draft.changed:
        return _flow_for(draft, rejected)
    if draft.changed:
        return _flow_for(draft, draft.changed) or ahead
    return ahead if draft.log.accepted == [Digress("chitchat")] else ""


def _flow_for(draft: Draft, given: set[str]) -> str:
    """The flow that contacts begin and that opens by asking, which takes the most of the values.

    None that takes back what was done: nobody is offered to cancel who did not say so.
    """
    best, most = "", 0
    for name, flow in draft.agent.flows.items():
        opens_by_asking = draft.agent.compiled[name].opens_by_asking and not flow.undoes
        takes = len(given & set(flow.collects))
        if flow.examples and opens_by_asking and takes > most and name not in draft.session.finished:
            best, most = name, takes
    return best


# --- what came to nothing, rung by rung: a likely meaning, a menu, a person -----------------------


def candidates(agent: Agent, event: MessageUnderstood) -> tuple[str, ...]:
    """The likeliest meanings that the agent has, the best first."""
    found = [(event.intent, event.confidence), *event.alternatives]
    ranked = sorted(found, key=lambda pair: -pair[1])
    least = RIVALS * ranked[0][1]
    known = [name for name, sure in ranked if sure >= least and (is_ours(agent, name) or name in agent.flows)]
    return tuple(dict.fromkeys(known))[:MOST_LIKELY]


def _climb(draft: Draft, event: MessageUnderstood) -> None:
    """Meet a message that came to nothing, where no question is open."""
    rung = draft.session.counters.unclear
    offered = draft.asked.intents if isinstance(draft.asked, AskedMeaning) else ()
    likely = _likely_meanings(draft.agent, event)
    if offered:
        draft.session.pending = None
    if rung >= OFFERS_PERSON:
        ask_meaning(draft, (PERSON,), "offer_person")
    elif rung == 1 and likely and likely != offered:
        ask_meaning(draft, likely, "ask_likely" if len(likely) == 1 else "ask_meaning")
    else:
        remark(draft, "not_understood")
        if rung > 1 or not current_mode(draft).bridge:  # which leads back to what is open here
            show_menu(draft)


def _likely_meanings(agent: Agent, event: MessageUnderstood) -> tuple[str, ...]:
    """What the message may mean, if that is likely enough to be asked about."""
    chances = [event.confidence, *(sure for _, sure in event.alternatives)]
    return candidates(agent, event) if max(chances) >= (agent.confidence or Bands()).clarify else ()
