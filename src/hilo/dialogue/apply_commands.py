"""Applying commands, each by its own rule: accepted, or refused with a reason."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hilo.agent.declaration import MESSAGE, Agent
from hilo.agent.flow import Edge
from hilo.agent.instructions import UseTool
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
    GiveArgument,
    OfferValues,
    RejectSlot,
    Reply,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.draft import Draft
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.flow import ask_change, ask_slot, ask_switch, follow
from hilo.dialogue.modes import change_mode
from hilo.dialogue.session import AskedArgument, AskedMeaning, AskedSwitch, AskedWhich, AskedYes
from hilo.dialogue.slots import correct_slot, offer_values, reject_slot, set_slot, skip_slot
from hilo.dialogue.stack import drop, drop_bound_to_modes, forget, push, standing_at
from hilo.dialogue.tool_proposals import give_argument, propose_call, reply
from hilo.dialogue.voice import remark, say

_MAY_ASK = (StartFlow, CorrectSlot, Affirm, Deny, OfferValues)

_REMARKS = {
    "greeting": "greeting",
    "thanks": "thanks_back",
    "aside": "understood",
    "off_topic": "off_topic",
    "repeat": "explain",
    "no_text": "no_text",
    "too_long": "too_long",
}


def apply_commands(draft: Draft, commands: Iterable[Command]) -> None:
    """Each command in its order, until one has led to a question or to a person."""
    for command in sorted(commands, key=lambda command: _ORDER[type(command)]):
        if draft.session.status != "active" or draft.progress.asked:
            draft.log.refuse(command, "the message has already led to a question or to a person")
        elif draft.progress.running and isinstance(command, _MAY_ASK):
            draft.log.refuse(command, "calls are under way: one thing at a time")
        else:
            _apply(draft, command)


def _apply(draft: Draft, command: Command) -> None:
    _RULES[type(command)](draft, command)


def _request_person(draft: Draft, command: RequestHuman) -> None:
    draft.log.accept(command)
    hand_off(draft, Escalation("request", command.reason or "the contact asks for a person"))


def _start(draft: Draft, command: StartFlow) -> None:
    if command.flow not in draft.agent.flows:
        draft.log.refuse(command, f"there is no flow {command.flow}")
    elif not draft.agent.flows[command.flow].starts:
        draft.log.refuse(command, f"{command.flow} is started only by other flows")
    elif any(frame.flow == command.flow for frame in draft.session.stack):
        draft.log.refuse(command, f"{command.flow} is already under way")
    elif draft.session.stack and draft.agent.flows[draft.session.stack[-1].flow].interrupts == "ask":
        draft.log.accept(command)
        ask_switch(draft, command.flow)
    elif push(draft, command.flow):
        draft.log.accept(command)
    else:
        draft.log.refuse(command, "too many flows are under way")


def _cancel(draft: Draft, command: CancelFlow) -> None:
    if isinstance(draft.session.pending, AskedArgument | AskedMeaning):
        draft.log.accept(command)
        draft.session.pending = None
        remark(draft, "left" if draft.session.stack else "cancelled")
    elif draft.session.stack:
        draft.log.accept(command)
        _say_no(draft) if _no_undoes(draft) else _leave(draft)
    else:
        draft.log.refuse(command, "nothing is under way")


def _no_undoes(draft: Draft) -> bool:
    """Whether a no to the open question takes back what was done: who leaves without it would leave that standing."""
    edge = _edge_of_no(draft)
    if not isinstance(draft.session.pending, AskedYes) or edge is None or edge.leads != "step":
        return False
    does = draft.agent.compiled[draft.session.stack[-1].flow][edge.to].does
    return isinstance(does, UseTool) and draft.agent.toolbox[does.tool].writes


def _edge_of_no(draft: Draft) -> Edge | None:
    step = standing_at(draft)
    return step.edge("no") if step else None


def _say_no(draft: Draft) -> None:
    draft.session.pending = None
    _denied(draft)


def _leave(draft: Draft) -> None:
    """Leave what is under way, with a word; an opening flow begins again when the contact comes back to it."""
    frames = draft.session.stack
    before = [frame.flow for frame in frames]
    drop(draft)
    left = before[len(draft.session.stack) :]
    if draft.agent.modes:
        _go_back(draft, frames[len(draft.session.stack)].mode)
    for flow in left:
        forget(draft, flow)
    opening = [flow for flow in left if draft.agent.flows[flow].starts_by_itself]
    draft.session.abandoned = tuple(dict.fromkeys((*draft.session.abandoned, *opening)))
    remark(draft, "left" if draft.session.stack else "cancelled")


def _go_back(draft: Draft, mode: str) -> None:
    """Leaving leads back to the mode that a flow began in, if we may go there.

    Not to one that begins with a flow of its own: that would go on with what is left, so it is the first mode instead.
    """
    stays = mode == draft.session.mode and draft.session.stack
    entrance = draft.agent.modes[mode].enter if mode in draft.agent.modes else None
    if entrance and entrance.start and not stays:
        mode = draft.agent.first_mode
        drop_bound_to_modes(draft)
    change_mode(draft, mode)


def _inform(draft: Draft, command: AskInfo) -> None:
    intent = draft.agent.intents.get(command.intent)
    if intent is None or not intent.answer:
        draft.log.refuse(command, f"no template answers {command.intent}")
        remark(draft, "off_topic")
        return
    draft.log.accept(command)
    say(draft, intent.answer)


def _choose(draft: Draft, command: Choose) -> None:
    """Do what the contact meant by the message that was not clear."""
    pending = draft.session.pending
    if not isinstance(pending, AskedMeaning) or command.intent not in pending.intents:
        draft.log.refuse(command, "this was not offered")
        return
    draft.log.accept(command)
    draft.session.pending = None
    _mean(draft, command.intent)


def _mean(draft: Draft, intent: str) -> None:
    for command in commands_of(draft.agent, intent):
        _apply(draft, command)


def commands_of(agent: Agent, intent: str) -> tuple[Command, ...]:
    """What an intent or a flow's name proposes by itself."""
    if intent in agent.flows:
        return (StartFlow(intent),)
    declared = agent.intents.get(intent)
    if declared is None or not declared.do:
        return (AskInfo(intent),)
    return (CallTool(declared.do, {name: each for name, each in declared.arguments.items() if each != MESSAGE}),)


def _digress(draft: Draft, command: Digress) -> None:
    draft.log.accept(command)
    greeted = command.kind == "greeting" and draft.session.counters.turns == 1
    if not greeted:
        remark(draft, _REMARKS[command.kind])


def _answer(draft: Draft, command: Affirm | Deny) -> None:
    """A yes or a no to the question that is open."""
    pending = draft.session.pending
    if draft.took_up and isinstance(command, Affirm):
        draft.log.accept(command)  # to go on: what was asked before is asked anew
        return
    if not isinstance(pending, AskedYes | AskedWhich | AskedSwitch | AskedMeaning):
        draft.log.refuse(command, "no question is open that takes a yes or a no")
        return
    if command.to and command.to not in (getattr(pending, "digest", ""), getattr(pending, "flow", "")):
        draft.log.refuse(command, "this answers an older question")
        return
    if draft.early and isinstance(command, Affirm) and not command.to and isinstance(pending, AskedYes):
        draft.log.refuse(command, "the question had not been sent yet")
        remark(draft, "not_shown")
        return
    draft.log.accept(command)
    draft.session.pending = None
    match (pending, command):
        case (AskedYes(), Affirm()):
            draft.progress.confirmed = pending
        case (AskedYes(), Deny()):
            _denied(draft)
        case (AskedWhich(slots=slots), Affirm()):
            ask_slot(draft, slots[0], correcting=True)
        case (AskedSwitch(flow=flow), Affirm()):
            push(draft, flow)
        case (AskedMeaning(intents=(intent,)), Affirm()):
            _mean(draft, intent)
        case (AskedMeaning(), _):
            remark(draft, "rephrase")


def _denied(draft: Draft) -> None:
    """A no never runs what was to be confirmed: with new values we ask again, without them we ask what to change."""
    if draft.changed:
        return
    edge = _edge_of_no(draft)
    if edge is None:
        ask_change(draft)
    elif edge.leads == "end":
        _leave(draft)
    else:
        follow(draft, edge)


# The rule of each command, in the order in which those of a message are applied: values come before a yes, so that it
# is a yes to the new summary.
_RULES: Mapping[type[Command], Callable[[Draft, Any], None]] = {
    RequestHuman: _request_person,
    CancelFlow: _cancel,
    Choose: _choose,
    StartFlow: _start,
    SetSlot: set_slot,
    CorrectSlot: correct_slot,
    RejectSlot: reject_slot,
    SkipSlot: skip_slot,
    Affirm: _answer,
    Deny: _answer,
    GiveArgument: give_argument,
    CallTool: propose_call,
    Reply: reply,
    AskInfo: _inform,
    Digress: _digress,
    OfferValues: offer_values,
}
_ORDER = {kind: place for place, kind in enumerate(_RULES)}
