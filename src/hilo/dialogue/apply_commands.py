"""Applying commands, each by its own rule: accepted, or refused with a reason."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from hilo.agent.declaration import LOOKED_UP, MESSAGE, Agent
from hilo.dialogue.answers import digress, inform, leave_unanswered, menu, offer_sections, quote, recall
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Choose,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    DropNote,
    EraseData,
    GiveArgument,
    LeaveOut,
    LeaveUnanswered,
    NarrowDays,
    OfferSections,
    OfferValues,
    OptOut,
    Quote,
    Recall,
    RejectSlot,
    Reply,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
    SuggestSlot,
    TakeNote,
    Tell,
    WantAlso,
)
from hilo.dialogue.draft import Draft, but, has
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.flow import ask_slot, ask_switch
from hilo.dialogue.leaving import cancel, denied, erase, opt_out
from hilo.dialogue.session import AskedMeaning, AskedSure, AskedSwitch, AskedWhich, AskedYes
from hilo.dialogue.slot_commands import (
    about,
    ask_which_gets,
    correct_slot,
    drop_note,
    narrow_days,
    offer_values,
    reject_slot,
    set_slot,
    skip_slot,
    suggest,
    take_note,
    tell_what_stands,
)
from hilo.dialogue.stack import drop, push, want_also
from hilo.dialogue.tool_proposals import give_argument, propose_call, reply
from hilo.dialogue.tool_questions import leave_out
from hilo.dialogue.wording import PERSON, remark, section_meant

SURE_OF_A_FLOW = 85

_OF_A_SLOT = SetSlot | CorrectSlot | TakeNote | DropNote | RejectSlot | SkipSlot | OfferValues
_MAY_ASK = (StartFlow, CorrectSlot, Affirm, Deny, OfferSections, OfferValues, SuggestSlot)


def apply_commands(draft: Draft, commands: Iterable[Command]) -> None:
    """Each command in its order, until one has led to a question or to a person.

    What may lead to a question waits while calls run; what answers one is said before the question.
    """
    commands = _without_a_mere_no(draft, tuple(commands))
    for command in sorted(commands, key=lambda command: _ORDER[type(command)]):
        asked = draft.progress.asked and not isinstance(command, AskInfo | Quote | LeaveUnanswered)
        if draft.session.status != "active" or asked:
            draft.log.refuse(command, "the message has already led to a question or to a person")
        elif isinstance(command, _OF_A_SLOT) and not _may_be_of_a_slot(draft.agent, command):
            draft.log.refuse(command, f"there is no slot {command.slot}")
        elif draft.progress.running and isinstance(command, _MAY_ASK):
            draft.progress.later = (*draft.progress.later, command)  # one thing at a time
        else:
            _RULES[type(command)](draft, command)


def _without_a_mere_no(draft: Draft, commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """The commands without a no that only leads up to a call: "no, pago con tarjeta", "no, ¿hay uno más barato?"."""
    flow = draft.agent.flows.get(draft.session.flow)
    if not has(commands, CallTool) or not isinstance(draft.session.pending, AskedYes) or flow is None or flow.undoes:
        return commands
    return but(commands, Deny)


def _may_be_of_a_slot(agent: Agent, command: _OF_A_SLOT) -> bool:
    """Whether the slot is one of the agent's; which one is corrected may be asked."""
    return command.slot in agent.slots or (isinstance(command, CorrectSlot) and not command.slot)


def _request_person(draft: Draft, command: RequestHuman) -> None:
    draft.log.accepted.append(command)
    hand_off(draft, Escalation(command.policy, command.reason or "the contact asks for a person"))


def _tell(draft: Draft, command: Tell) -> None:
    draft.log.accepted.append(command)
    remark(draft, command.template)


# --- flows ---------------------------------------------------------------------------------------


def _start(draft: Draft, command: StartFlow) -> None:
    agent, stack = draft.agent, draft.session.stack
    if command.flow not in agent.flows:
        draft.log.refuse(command, f"there is no flow {command.flow}")
    elif not agent.flows[command.flow].starts:
        draft.log.refuse(command, f"{command.flow} is started only by other flows")
    elif command.flow in draft.session.flows:
        draft.log.refuse(command, f"{command.flow} is already under way")
    elif stack and (agent.flows[stack[-1].flow].interrupts == "ask" or _would_leave_summary(draft)):
        draft.log.accepted.append(command)
        ask_switch(draft, command.flow)
    elif _begin(draft, command.flow):
        draft.log.accepted.append(command)
    else:
        draft.log.refuse(command, "too many flows are under way")


def _begin(draft: Draft, flow: str) -> bool:
    """Begin a flow; whoever was about to cancel something does not want to any more, and is not asked again."""
    _leave_undoing(draft)
    return push(draft, flow)


def _leave_undoing(draft: Draft) -> None:
    flow = draft.agent.flows.get(draft.session.flow)
    if flow and flow.undoes:
        drop(draft)


def _would_leave_summary(draft: Draft) -> bool:
    """Whether a summary waits for its yes, and it is not sure that something else is meant."""
    if draft.session.flow == draft.agent.amends:
        return False  # only a change would be left: what was done stays done
    return isinstance(draft.asked, AskedYes) and draft.confidence < SURE_OF_A_FLOW


def _call(draft: Draft, command: CallTool) -> None:
    """Order a call; who orders goods while asked whether to cancel does not want to cancel."""
    asked_to_undo = isinstance(draft.asked, AskedYes) and draft.session.stack
    if asked_to_undo and command.tool in draft.agent.ordering.values():
        _leave_undoing(draft)
    propose_call(draft, _as_first_order(draft, command))


def _as_first_order(draft: Draft, command: CallTool) -> CallTool:
    """What is changed to where nothing is ordered yet is ordered: "mejor una sprite", after a mere question."""
    agent, mode = draft.agent, draft.session.mode
    is_change = command.tool == agent.ordering.get("set") and "product" in command.arguments
    may_change = command.tool in agent.tools_in(mode) or agent.mode_for(mode, command.tool)
    if not is_change or may_change or draft.session.written:
        return command
    return replace(command, tool=agent.ordering["add"])


# --- questions and answers -----------------------------------------------------------------------


def _choose(draft: Draft, command: Choose) -> None:
    """Do what the contact meant by the message that was not clear."""
    pending = draft.session.pending
    offered = pending.intents if isinstance(pending, AskedMeaning) else menu(draft)
    if command.intent not in (*offered, PERSON, ""):
        draft.log.refuse(command, "this was not offered")
        return
    draft.log.accepted.append(command)
    if isinstance(pending, AskedMeaning):
        draft.session.pending = None
    if command.intent:
        _mean(draft, command.intent)
    else:
        remark(draft, "rephrase")  # something else than what was offered, also in a menu


def _mean(draft: Draft, intent: str) -> None:
    for command in commands_of(draft.agent, intent):
        _RULES[type(command)](draft, command)


def commands_of(agent: Agent, intent: str) -> tuple[Command, ...]:
    """What an intent or a flow's name proposes by itself."""
    if intent == PERSON and intent not in agent.intents:
        return (RequestHuman(),)
    if intent in agent.flows:
        return (StartFlow(intent),)
    if source := section_meant(intent):
        return tuple(Quote(each.source, each.text) for each in agent.documents if each.source == source)[:1]
    declared = agent.intents.get(intent)
    if declared is None or not declared.do:
        return (AskInfo(intent),)
    said = {name: each for name, each in declared.arguments.items() if each not in (MESSAGE, LOOKED_UP)}
    given = {name: each for name, each in said.items() if not declared.slot_of(name, agent.slots)}
    return (CallTool(declared.do, given),)


def _answer(draft: Draft, command: Affirm | Deny) -> None:
    """A yes or a no to the question that is open."""
    pending = draft.session.pending
    if draft.took_up and isinstance(command, Affirm):
        draft.log.accepted.append(command)  # to go on: what was asked before is asked anew
        return
    if pending is None or (type(pending), Affirm) not in ANSWERED:
        draft.log.refuse(command, "no question is open that takes a yes or a no")
        return
    if command.to not in ("", about(pending)):
        draft.log.refuse(command, "this answers an older question")
        return
    if isinstance(pending, AskedMeaning) and draft.changed and not command.to:
        draft.log.refuse(command, "the message goes on by itself: it is no answer to what we offered")
        return
    # Of other questions only those count as unseen that were put for an earlier message of the same burst.
    may_be_unseen = isinstance(pending, AskedYes) or draft.progress.part
    if isinstance(command, Affirm) and may_be_unseen and draft.early and not command.to:
        draft.log.refuse(command, "the question had not been sent yet")
        remark(draft, "not_shown")
        return
    draft.log.accepted.append(command)
    draft.session.pending = None
    if (answered := ANSWERED.get((type(pending), type(command)))) is not None:
        answered(draft, pending)


def _confirmed(draft: Draft, asked: AskedYes) -> None:
    draft.progress.confirmed = asked


def _that_one(draft: Draft, asked: AskedWhich) -> None:
    if asked.value is not None:
        ask_which_gets(draft, asked.slots, asked.value)
    elif asked.offers_first:
        ask_slot(draft, asked.slots[0], correcting=True)


def _not_sure(draft: Draft, asked: AskedSure) -> None:
    if asked.slot not in draft.changed:
        tell_what_stands(draft, asked.slot, "kept")


def _sure(draft: Draft, asked: AskedSure) -> None:
    if asked.slot not in draft.changed:  # "no, Valentina. sí, reservalo" says yes to something else
        set_slot(draft, CorrectSlot(asked.slot, asked.value))


def _meant(draft: Draft, asked: AskedMeaning) -> None:
    if len(asked.intents) == 1:
        _mean(draft, asked.intents[0])
    else:
        remark(draft, "rephrase")


# What a yes or a no does, by the question that was open; where there is nothing, the question is only closed.
ANSWERED: Mapping[tuple[type, type], Callable[[Draft, Any], object]] = {
    (AskedYes, Affirm): _confirmed,
    (AskedYes, Deny): lambda draft, _asked: denied(draft),
    (AskedWhich, Affirm): _that_one,
    (AskedSure, Affirm): _sure,
    (AskedSure, Deny): _not_sure,
    (AskedSwitch, Affirm): lambda draft, asked: _begin(draft, asked.flow),
    (AskedMeaning, Affirm): _meant,
    (AskedMeaning, Deny): lambda draft, _asked: remark(draft, "rephrase"),
}


# The rule of each command, in the order in which those of a message are applied: values come before
# a yes, so that it is a yes to the new summary.
_RULES: Mapping[type[Command], Callable[[Draft, Any], None]] = {
    RequestHuman: _request_person,
    OptOut: opt_out,
    EraseData: erase,
    CancelFlow: cancel,
    Choose: _choose,
    StartFlow: _start,
    SetSlot: set_slot,
    CorrectSlot: correct_slot,
    DropNote: drop_note,
    TakeNote: take_note,
    NarrowDays: narrow_days,
    RejectSlot: reject_slot,
    SkipSlot: skip_slot,
    Affirm: _answer,
    Deny: _answer,
    GiveArgument: give_argument,
    LeaveOut: leave_out,
    WantAlso: want_also,
    CallTool: _call,
    Reply: reply,
    Tell: _tell,
    AskInfo: inform,
    Quote: quote,
    OfferSections: offer_sections,
    LeaveUnanswered: leave_unanswered,
    Recall: recall,
    Digress: digress,
    OfferValues: offer_values,
    SuggestSlot: suggest,
}
_ORDER = {kind: place for place, kind in enumerate(_RULES)}
