"""Applying commands, each by its own rule: accepted, or refused with a reason."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from hilo.agent.declaration import MESSAGE, Agent
from hilo.agent.flow import Edge
from hilo.agent.instructions import UseTool
from hilo.agent.texts import word
from hilo.agent.values import Invalid, accept
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
    EraseData,
    GiveArgument,
    LeaveOut,
    LeaveUnanswered,
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
    Tell,
)
from hilo.dialogue.draft import Draft, less, without
from hilo.dialogue.effects import Ask, AskWhich
from hilo.dialogue.escalation import Escalation, Signals, check_policies, hand_off, tell_operators
from hilo.dialogue.flow import TRIED_TWICE, ask_change, ask_slot, ask_switch, ask_ways_out, changeable, follow
from hilo.dialogue.ladder import menu, show_menu
from hilo.dialogue.modes import NO_ENTRANCE, NO_MODE, change_mode, current_mode
from hilo.dialogue.put_off import leave_out
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
)
from hilo.dialogue.settled import may_change
from hilo.dialogue.stack import drop, drop_bound_to_modes, forget, push, rewind, standing_at
from hilo.dialogue.states import DialogueState
from hilo.dialogue.suggestions import about, ask_which_gets, keep_as_is, suggest, tell_noted, tell_what_stands
from hilo.dialogue.tool_proposals import MAX_OFFERED, give_argument, propose_call, reply
from hilo.dialogue.wording import PERSON, fill, is_authors, label, next_line, remark, say, spoken

MAX_ATTEMPTS_OPTIONAL = 2
SURE_OF_A_FLOW = 85

_MAY_ASK = (StartFlow, CorrectSlot, Affirm, Deny, OfferValues, SuggestSlot)

_REMARKS = {
    "greeting": "greeting",
    "thanks": "thanks_back",
    "aside": "understood",
    "chitchat": "understood",
    "beside": "heard_beside",
    "off_topic": "off_topic",
    "repeat": "explain",
    "no_text": "no_text",
    "too_long": "too_long",
    "bot": "bot",
    "later": "not_yet",
    "opens": "go_ahead",
    "urgent": "urgent",
    "unnoted": "not_noted",
}


def apply_commands(draft: Draft, commands: Iterable[Command]) -> None:
    """Each command in its order, until one has led to a question or to a person.

    What may lead to a question waits while calls run; what answers one is said before the question.
    """
    for command in sorted(commands, key=lambda command: _ORDER[type(command)]):
        asked = draft.progress.asked and not isinstance(command, AskInfo | Quote | LeaveUnanswered)
        if draft.session.status != "active" or asked:
            draft.log.refuse(command, "the message has already led to a question or to a person")
        elif draft.progress.running and isinstance(command, _MAY_ASK):
            draft.progress.later = (*draft.progress.later, command)  # one thing at a time
        else:
            _RULES[type(command)](draft, command)


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
    elif any(frame.flow == command.flow for frame in stack):
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
    stack = draft.session.stack
    if stack and draft.agent.flows[stack[-1].flow].undoes:
        drop(draft)


def _would_leave_summary(draft: Draft) -> bool:
    """Whether a summary waits for its yes, and it is not sure that something else is meant."""
    session = draft.session
    if session.stack[-1].flow == draft.agent.amends:
        return False  # only a change would be left: what was done stays done
    return isinstance(draft.asked, AskedYes) and draft.confidence < SURE_OF_A_FLOW


def _opt_out(draft: Draft, command: OptOut) -> None:
    """Leave all that is under way; whom the business writes to is kept with the contact's address."""
    draft.log.accepted.append(command)
    if command.back:
        draft.session.left = ""
        remark(draft, "opted_in")
        return
    _leave_all(draft)
    remark(draft, "opted_out" if draft.agent.campaigns else "left_alone")


def _erase(draft: Draft, command: EraseData) -> None:
    """Empty what this session has noted, and say so; what is stored elsewhere a person sees to."""
    draft.log.accepted.append(command)
    session = draft.session
    had_data = any(name not in draft.agent.found_only() for name in session.slots)
    _leave_all(draft)
    session.slots, session.skipped, session.written = {}, (), ()
    session.last_slot, session.last_given, session.last_call = "", (), None
    session.remembered, session.summary = (), None
    if session.before:
        session.before = replace(session.before, kept={}, open=None)
    remark(draft, "erased" if had_data else "nothing_to_erase")
    remark(draft, "erasure_passed_on")
    tell_operators(draft, Escalation("erase", "the contact wants their data deleted and no more messages"))


def _leave_all(draft: Draft) -> None:
    """Nothing is under way any more, and nothing of ours comes by itself until the contact writes."""
    while draft.session.stack:
        _leave_top(draft)
    draft.session.pending, draft.session.put_off = None, ()
    draft.session.left = "opted_out"


def _cancel(draft: Draft, command: CancelFlow) -> None:
    session = draft.session
    if command in draft.log.accepted:
        draft.log.refuse(command, "one thing was left already")
        return
    asked_for_call = isinstance(session.pending, AskedArgument | AskedMeaning)
    if not asked_for_call and not session.stack:
        _undo(draft, command)
        return
    draft.log.accepted.append(command)
    if asked_for_call:
        session.pending = None
        remark(draft, "left" if session.stack else "cancelled")
    elif _no_undoes(draft):
        session.pending = None
        _denied(draft)
    else:
        _leave(draft)


def _undo(draft: Draft, command: CancelFlow) -> None:
    """Where nothing is under way, what was done is meant: the only flow that undoes something begins."""
    flows = draft.agent.undoing
    if len(flows) == 1 and push(draft, flows[0]):
        draft.log.accepted.append(command)
    else:
        draft.log.refuse(command, "nothing is under way")


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


def _no_undoes(draft: Draft) -> bool:
    """Whether a no to the open question takes back what was done; leaving would not."""
    edge = _edge_of_no(draft)
    if not isinstance(draft.session.pending, AskedYes) or edge is None or edge.leads != "step":
        return False
    does = draft.agent.compiled[draft.session.stack[-1].flow][edge.to].does
    return isinstance(does, UseTool) and draft.agent.toolbox[does.tool].writes


def _edge_of_no(draft: Draft) -> Edge | None:
    step = standing_at(draft)
    return step.edge("no") if step else None


def _leave(draft: Draft) -> None:
    """Leave what is under way, with a word; an opening flow may begin again."""
    _leave_top(draft)
    remark(draft, "left" if draft.session.stack else "cancelled")


def _leave_top(draft: Draft) -> None:
    left = drop(draft)
    if draft.agent.modes:
        _go_back(draft, left[0].mode)
    for frame in left:
        forget(draft, frame.flow)
    opening = [frame.flow for frame in left if draft.agent.flows[frame.flow].starts_by_itself]
    draft.session.abandoned = tuple(dict.fromkeys((*draft.session.abandoned, *opening)))


def _go_back(draft: Draft, mode: str) -> None:
    """Leaving leads back to the mode that a flow began in, if we may go there.

    Not to one that begins with a flow of its own: that would go on with what is left, so it is the
    first mode instead.
    """
    stays = mode == draft.session.mode and draft.session.stack
    entrance = draft.agent.modes.get(mode, NO_MODE).enter or NO_ENTRANCE
    if entrance.start and not stays:
        mode = draft.agent.first_mode
        drop_bound_to_modes(draft)
    change_mode(draft, mode)


# --- questions and answers -----------------------------------------------------------------------


def _inform(draft: Draft, command: AskInfo) -> None:
    intent = draft.agent.intents.get(command.intent)
    if intent is None or not intent.answer:
        draft.log.refuse(command, f"no template answers {command.intent}")
        remark(draft, "off_topic")
        return
    draft.log.accepted.append(command)
    say(draft, intent.answer)


def _quote(draft: Draft, command: Quote) -> None:
    """Say what stands in the agent's pages, and where."""
    draft.log.accepted.append(command)
    say(draft, "quoted", {"value": command.text, "label": command.source})


def _leave_unanswered(draft: Draft, command: LeaveUnanswered) -> None:
    draft.log.accepted.append(command)
    remark(draft, "part_unknown", {"value": command.question})


def answer_question(draft: Draft, command: AskInfo | Quote) -> None:
    """Answer what the agent knows by itself while a person is awaited; where it has no words left, that one will."""
    _RULES[type(command)](draft, command)
    draft.log.exhausted.clear()


def _choose(draft: Draft, command: Choose) -> None:
    """Do what the contact meant by the message that was not clear."""
    pending = draft.session.pending
    offered = pending.intents if isinstance(pending, AskedMeaning) else menu(draft)
    if command.intent not in (*offered, PERSON):
        draft.log.refuse(command, "this was not offered")
        return
    draft.log.accepted.append(command)
    if isinstance(pending, AskedMeaning):
        draft.session.pending = None
    _mean(draft, command.intent)


def _mean(draft: Draft, intent: str) -> None:
    for command in commands_of(draft.agent, intent):
        _RULES[type(command)](draft, command)


def commands_of(agent: Agent, intent: str) -> tuple[Command, ...]:
    """What an intent or a flow's name proposes by itself."""
    if intent == PERSON and intent not in agent.intents:
        return (RequestHuman(),)
    if intent in agent.flows:
        return (StartFlow(intent),)
    declared = agent.intents.get(intent)
    if declared is None or not declared.do:
        return (AskInfo(intent),)
    given = {name: each for name, each in declared.arguments.items() if each != MESSAGE}
    return (CallTool(declared.do, given),)


def _explain_why(draft: Draft) -> None:
    """Say what the value that was asked for is needed for."""
    flow = draft.agent.flows[draft.session.stack[-1].flow] if draft.session.stack else None
    if flow and flow.description:
        remark(draft, "why_for", {"label": flow.description})
    else:
        remark(draft, "why")


def _recall(draft: Draft, command: Recall) -> None:
    """Say what was noted, one line each where it is more than one thing."""
    draft.log.accepted.append(command)
    agent, slots = draft.agent, draft.session.slots
    noted = [(label(agent, name), spoken(agent, name, slots[name])) for name in command.slots if name in slots]
    if not noted:
        remark(draft, "nothing_noted")
    elif len(noted) == 1:
        remark(draft, "recalled", {"label": noted[0][0], "value": noted[0][1]})
    else:
        lines = "\n".join(f"• {name}: {value}" for name, value in noted)
        say(draft, "recalled_all", {"summary": lines})


def _digress(draft: Draft, command: Digress) -> None:
    draft.log.accepted.append(command)
    greeted = command.kind == "greeting" and draft.session.counters.turns == 1
    is_idle = not draft.session.stack and not draft.session.pending
    leads_on = bool(current_mode(draft).next.yes)
    if command.kind == "help" or (command.kind == "repeat" and is_idle and not draft.session.put_off):
        show_menu(draft)  # where nothing was asked, there is nothing to ask in other words
    elif command.kind == "why":
        _explain_why(draft)
    elif command.kind == "off_topic" and is_idle and not is_authors(draft.agent, "off_topic"):
        remark(draft, "cannot_help")  # there is nothing of ours to go back to
        show_menu(draft)
    elif command.kind in ("chitchat", "later") and is_idle and not (command.kind == "later" and leads_on):
        remark(draft, "small_talk")
    elif command.kind == "bye":
        # An author's own words for thanks are a farewell, too.
        only_thanks = is_authors(draft.agent, "thanks_back") and not is_authors(draft.agent, "goodbye")
        remark(draft, "thanks_back" if only_thanks else "goodbye")
    elif not greeted:
        remark(draft, _REMARKS[command.kind])


def _answer(draft: Draft, command: Affirm | Deny) -> None:
    """A yes or a no to the question that is open."""
    pending = draft.session.pending
    if draft.took_up and isinstance(command, Affirm):
        draft.log.accepted.append(command)  # to go on: what was asked before is asked anew
        return
    if not isinstance(pending, AskedYes | AskedWhich | AskedSure | AskedSwitch | AskedMeaning):
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
    match (pending, command):
        case (AskedYes(), Affirm()):
            draft.progress.confirmed = pending
        case (AskedYes(), Deny()):
            _denied(draft)
        case (AskedWhich(slots=slots, value=value), Affirm()) if value is not None:
            ask_which_gets(draft, slots, value)
        case (AskedWhich(slots=slots, offers_first=True), Affirm()):
            ask_slot(draft, slots[0], correcting=True)
        case (AskedSure(slot=slot, value=value), Affirm()):
            _set_slot(draft, CorrectSlot(slot, value))
        case (AskedSure(slot=slot), Deny()) if slot not in draft.changed:
            keep_as_is(draft, slot)
        case (AskedSwitch(flow=flow), Affirm()):
            _begin(draft, flow)
        case (AskedMeaning(intents=(intent,)), Affirm()):
            _mean(draft, intent)
        case (AskedMeaning(), _):
            remark(draft, "rephrase")


def _denied(draft: Draft) -> None:
    """A no never runs what was to be confirmed: we ask again, or what to change."""
    if draft.changed:
        return
    edge = _edge_of_no(draft)
    if edge is None:
        ask_change(draft)
    elif edge.leads == "end":
        _leave(draft)
    else:
        follow(draft, edge)


# --- slots ---------------------------------------------------------------------------------------


def _set_slot(draft: Draft, command: SetSlot | CorrectSlot) -> None:
    """Keep a value that the slot takes; explain what is expected otherwise."""
    if command.value is None or not may_change(draft, command):
        return
    agent, session, name = draft.agent, draft.session, command.slot
    slot = agent.slots[name]
    draft.log.states.append(DialogueState.VALIDATING_SLOT)
    result = accept(slot, command.value, country=agent.country)
    if isinstance(result, Invalid):
        draft.log.refuse(command, f"{slot.type} does not take this value")
        _explain(draft, name, result)
        return
    draft.log.accepted.append(command)
    draft.changed.add(name)
    draft.count(invalid=without(session.counters.invalid, name), without_progress=0)
    before, value = session.slots.get(name), result.value
    session.slots = {**session.slots, name: value}
    session.skipped = less(session.skipped, name)
    session.last_slot = name
    if before != value:
        rewind(draft, name)
    word_for_it = "corrected" if before not in (None, value) else "noted"
    # What a flow asked for is noted by its next question; a region came with its city.
    if word_for_it == "noted" and session.stack and not slot.region_of:
        draft.noted.append(name)
    elif not slot.region_of:
        tell_noted(draft, name, word_for_it)


def _explain(draft: Draft, name: str, invalid: Invalid) -> None:
    agent, session = draft.agent, draft.session
    attempts = _failed(draft, name)
    filled = name in session.slots
    if not agent.slots[name].required and attempts >= MAX_ATTEMPTS_OPTIONAL and not filled:
        _skip(draft, name)
        return
    draft.retry = name if filled else ""
    own = f"invalid.{name}"
    values = {key: str(value) for key, value in invalid.values.items() if value is not None}
    # The limits of a range in words: from 1 up to 10.
    limits = []
    for key, bound in (("min", "at_least"), ("max", "at_most")):
        if invalid.values.get(key) is not None:
            limit = spoken(agent, name, invalid.values[key])
            limits.append(fill(word(agent, bound), {"value": limit}))
    # A slot may be called like another type, whose phrase is not for it.
    remark(draft, own if is_authors(agent, own) else invalid.problem, {**values, "range": " ".join(limits)})


def _failed(draft: Draft, name: str) -> int:
    """Count an answer that cannot be used."""
    invalid = draft.session.counters.invalid
    attempts = invalid.get(name, 0) + 1
    draft.count(invalid={**invalid, name: attempts})
    return attempts


def _reject_slot(draft: Draft, command: RejectSlot) -> None:
    """A value that a tool does not know is explained like one of the wrong type."""
    if command.slot not in draft.agent.slots:
        draft.log.refuse(command, f"there is no slot {command.slot}")
        return
    draft.log.states.append(DialogueState.VALIDATING_SLOT)
    slot = draft.agent.slots[command.slot]
    draft.log.refuse(command, f"{slot.valid_if or 'a tool'} does not know this value")
    choices = ", ".join(slot.choices)
    _explain(draft, command.slot, Invalid(f"invalid.{slot.type}", {"choices": choices}))
    tell_what_stands(draft, command.slot)


def offer_values(draft: Draft, command: OfferValues) -> None:
    """Ask which of several values is meant."""
    values = tuple(dict.fromkeys(command.values))[:MAX_OFFERED]
    if command.slot not in draft.agent.slots or not values:
        draft.log.refuse(command, f"there is no slot {command.slot}, or nothing to offer")
        return
    draft.log.accepted.append(command)
    line = next_line(draft, "ask_offered", {"label": label(draft.agent, command.slot)})
    correcting = command.slot in draft.session.slots
    asked = AskedSlot(command.slot, correcting=correcting, offered=values)
    draft.ask(Ask(command.slot, line, values), asked)


def _skip_slot(draft: Draft, command: SkipSlot) -> None:
    """Leave an optional slot empty; a required one is needed all the same."""
    if command.slot not in draft.agent.slots:
        draft.log.refuse(command, f"there is no slot {command.slot}")
    elif _is_needed(draft, command.slot):
        draft.log.refuse(command, f"{command.slot} is required")
        _insist(draft, command.slot)
    else:
        draft.log.accepted.append(command)
        _skip(draft, command.slot)


def _is_needed(draft: Draft, name: str) -> bool:
    """Whether nothing goes on without a slot: it is required, and what would do in its place was refused, too."""
    slot = draft.agent.slots[name]
    return slot.required and (not slot.instead or slot.instead in draft.session.skipped)


def _insist(draft: Draft, name: str) -> None:
    """Say once that a value is needed; then what else can be done, and at last leave it, unless a person is called."""
    attempts = _failed(draft, name)
    if attempts < TRIED_TWICE:
        remark(draft, "needed")
    elif attempts == TRIED_TWICE or not draft.session.stack:
        ask_ways_out(draft, name)
    elif not check_policies(draft.agent, draft.session, Signals(at=draft.now)):
        _leave(draft)


def _skip(draft: Draft, name: str) -> None:
    draft.session.skipped = tuple(dict.fromkeys((*draft.session.skipped, name)))
    other = draft.agent.slots[name].instead
    if other in draft.session.slots:
        remark(draft, "enough_with", {"label": label(draft.agent, other)})
    else:
        remark(draft, "skipped")


def _correct_slot(draft: Draft, command: CorrectSlot) -> None:
    """Change a filled slot, ask for its new value, or ask which one is meant."""
    slot = command.slot
    asked = draft.asked if isinstance(draft.asked, AskedWhich) else None
    if asked and asked.value is not None and command == CorrectSlot(slot) and slot in asked.slots:
        command = CorrectSlot(slot, asked.value)  # which one a value was meant for
    if slot and command.value is not None:
        _set_slot(draft, command)
        return
    settled = slot in draft.session.written or slot not in draft.agent.slots
    if slot and settled and not may_change(draft, command):
        return  # nor is its new value asked for
    known = changeable(draft)
    if not known:
        draft.log.refuse(command, "nothing has been collected yet")
        remark(draft, "nothing_to_correct")
        return
    draft.log.accepted.append(command)
    if slot in draft.session.slots:
        known = (slot,)
    if len(known) == 1:
        ask_slot(draft, known[0], correcting=True)
    else:
        ask_which(draft, known)


def ask_which(draft: Draft, known: tuple[str, ...]) -> None:
    """Ask which slot is meant, and offer the first."""
    line = next_line(draft, "ask_which", {"label": label(draft.agent, known[0])})
    draft.ask(AskWhich(known, line), AskedWhich(known))


# The rule of each command, in the order in which those of a message are applied: values come before
# a yes, so that it is a yes to the new summary.
_RULES: Mapping[type[Command], Callable[[Draft, Any], None]] = {
    RequestHuman: _request_person,
    OptOut: _opt_out,
    EraseData: _erase,
    CancelFlow: _cancel,
    Choose: _choose,
    StartFlow: _start,
    SetSlot: _set_slot,
    CorrectSlot: _correct_slot,
    RejectSlot: _reject_slot,
    SkipSlot: _skip_slot,
    Affirm: _answer,
    Deny: _answer,
    GiveArgument: give_argument,
    LeaveOut: leave_out,
    CallTool: _call,
    Reply: reply,
    AskInfo: _inform,
    Quote: _quote,
    LeaveUnanswered: _leave_unanswered,
    Tell: _tell,
    Recall: _recall,
    Digress: _digress,
    OfferValues: offer_values,
    SuggestSlot: suggest,
}
_ORDER = {kind: place for place, kind in enumerate(_RULES)}
