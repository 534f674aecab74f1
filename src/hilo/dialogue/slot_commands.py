"""What commands do to slots: a value is kept, corrected, refused with a word, offered, asked about or passed over."""

from hilo.agent.texts import word
from hilo.agent.values import Accepted, Invalid, Value, accept
from hilo.dialogue.calls import digest
from hilo.dialogue.commands import (
    CorrectSlot,
    DropNote,
    NarrowDays,
    OfferValues,
    RejectSlot,
    SetSlot,
    SkipSlot,
    StartFlow,
    SuggestSlot,
    TakeNote,
)
from hilo.dialogue.draft import Draft, less, of_kind, without
from hilo.dialogue.effects import AskSure, AskWhich, Say
from hilo.dialogue.escalation import Signals, check_policies
from hilo.dialogue.flow import TRIED_TWICE, ask_offered, ask_slot, ask_ways_out, changeable, still_asked
from hilo.dialogue.leaving import leave
from hilo.dialogue.session import AskedSlot, AskedSure, AskedSwitch, AskedWhich, AskedYes, Pending
from hilo.dialogue.stack import mark, push, rewind
from hilo.dialogue.states import DialogueState
from hilo.dialogue.tool_proposals import MAX_OFFERED
from hilo.dialogue.wording import fill, is_authors, label, next_line, remark, say_words, spoken
from hilo.slots.note import JOINED

MAX_ATTEMPTS_OPTIONAL = 2


# --- values ---------------------------------------------------------------------------------------


def set_slot(draft: Draft, command: SetSlot | CorrectSlot) -> None:
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
    if name in session.refused:
        session.refused = ()  # whoever gives something after all may give the rest
    session.last_slot = name
    if slot.type == "date" and session.stack:
        mark(draft, day=str(value))
    if before != value:
        rewind(draft, name)
    word_for_it = "corrected" if before not in (None, value) else "noted"
    # What a flow asked for is noted by its next question; a region came with its city.
    if word_for_it == "noted" and session.stack and not slot.region_of:
        draft.noted.append(name)
    elif not slot.region_of:
        tell_noted(draft, name, word_for_it)


def take_note(draft: Draft, command: TakeNote) -> None:
    """Keep what is wished besides; with what was noted before, unless something was done with that."""
    agent, session, name = draft.agent, draft.session, command.slot
    if not agent.slots[name].kind.is_note:
        draft.log.refuse(command, f"{name} is no slot for notes")
        return
    before = "" if name in session.written else str(session.slots.get(name, ""))
    noted = before if command.text in before else JOINED.join(filter(None, (before, command.text)))
    result = accept(agent.slots[name], noted, country=agent.country)
    if isinstance(result, Invalid):
        draft.log.refuse(command, "there is no room for more notes")
        remark(draft, "not_noted")
        return
    draft.log.accepted.append(command)
    draft.count(without_progress=0)
    session.slots = {**session.slots, name: result.value}
    session.written = less(session.written, name)
    rewind(draft, name)
    remark(draft, "note_kept", {"value": command.text})


def drop_note(draft: Draft, command: DropNote) -> None:
    """Take back what was noted, or a piece of it, unless something was done with that."""
    agent, session, name = draft.agent, draft.session, command.slot
    pieces = str(session.slots.get(name, "")).split(JOINED) if agent.slots[name].kind.is_note else []
    gone = [each for each in pieces if each and command.text in ("", each)]
    if not gone or name in session.written:
        draft.log.refuse(command, "nothing of the kind is noted")
        return
    draft.log.accepted.append(command)
    draft.count(without_progress=0)
    left = JOINED.join(less(pieces, *gone))
    session.slots = {**session.slots, name: left} if left else without(session.slots, name)
    rewind(draft, name)
    remark(draft, "note_dropped", {"value": JOINED.join(gone)})


def _explain(draft: Draft, name: str, invalid: Invalid, *, tell: str = "") -> None:
    """Say why a value was not taken, by its type or in the words of the tool that knows it."""
    agent, session = draft.agent, draft.session
    attempts = count_attempt(draft, name)
    filled = name in session.slots
    if not agent.slots[name].required and attempts >= MAX_ATTEMPTS_OPTIONAL and not filled:
        skip(draft, name)
        return
    draft.retry = name if filled else ""
    asked = draft.asked
    if tell:
        say_words(draft, tell, by=agent.slots[name].valid_if)
        return
    if isinstance(asked, AskedSlot) and asked.slot == name and asked.offered:
        remark(draft, "invalid.choice", {"choices": ", ".join(asked.offered)})
        return
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


def correct_slot(draft: Draft, command: CorrectSlot) -> None:
    """Change a filled slot, ask for its new value, or ask which one is meant."""
    slot, asked = command.slot, draft.asked
    if command == CorrectSlot(slot) and isinstance(asked, AskedWhich) and slot in asked.slots:
        command = CorrectSlot(slot, asked.value)  # which one a value was meant for, if there is one
    if slot and command.value is not None:
        set_slot(draft, command)
        return
    if slot in draft.session.written and not may_change(draft, command):
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


def narrow_days(draft: Draft, command: NarrowDays) -> None:
    """Remember the month or week of which the flow under way still lacks the day."""
    if not draft.session.stack:
        draft.log.refuse(command, "nothing is under way that could need a day")
        return
    draft.log.accepted.append(command)
    mark(draft, day=command.day)


def reject_slot(draft: Draft, command: RejectSlot) -> None:
    """A value that a tool does not know is explained like one of the wrong type."""
    draft.log.states.append(DialogueState.VALIDATING_SLOT)
    slot = draft.agent.slots[command.slot]
    draft.log.refuse(command, f"{slot.valid_if or 'a tool'} does not know this value")
    choices = ", ".join(slot.choices)
    _explain(draft, command.slot, Invalid(f"invalid.{slot.type}", {"choices": choices}), tell=command.tell)
    tell_what_stands(draft, command.slot)


def offer_values(draft: Draft, command: OfferValues) -> None:
    """Ask which of several values is meant."""
    values = tuple(dict.fromkeys(command.values))[:MAX_OFFERED]
    if not values:
        draft.log.refuse(command, f"there is no slot {command.slot}, or nothing to offer")
        return
    draft.log.accepted.append(command)
    ask_offered(draft, command.slot, values)


# --- whether what went into something that was done may still change ------------------------------


def may_change(draft: Draft, command: SetSlot | CorrectSlot) -> bool:
    """Whether a slot may be given a value by talking; if not, the command is refused, and the contact told."""
    slot, agent = command.slot, draft.agent
    if slot in agent.found_only():
        draft.log.refuse(command, f"{slot} is filled by tools")
    elif slot not in draft.session.written or _is_asked_anew(draft, slot) or _amends(draft, slot):
        return True
    else:
        draft.log.refuse(command, f"what was done with {slot} does not change by talking")
        if not any(each.line.template == "done_already" for each in of_kind(draft.effects, Say)):
            remark(draft, "done_already")
    return False


def _is_asked_anew(draft: Draft, slot: str) -> bool:
    """Whether the message leads from a summary to a mode that begins by asking for the slot."""
    if not isinstance(draft.asked, AskedYes):
        return False
    agent = draft.agent
    for started in of_kind(draft.log.accepted, StartFlow):
        for mode in agent.compiled[started.flow].leads_to_modes:
            begun = agent.flows.get(agent.modes[mode].entrance.start)
            if begun and slot in begun.collects:
                return True
    return False


def _amends(draft: Draft, slot: str) -> bool:
    """Begin the flow that changes what was done, in place of what the same message has begun."""
    session, amends = draft.session, _flow_that_amends(draft, slot)
    if not amends:
        return False
    if StartFlow(session.flow) in draft.log.accepted:
        session.stack = session.stack[:-1]
    if not push(draft, amends, anew=False):
        return False
    session.written = ()
    session.pending = None
    return True


def _flow_that_amends(draft: Draft, slot: str) -> str:
    """The flow that changes a value: the agent's own for that, or the one that asked for it and was done last.

    "Mejor el 14", said of the day that a booking was just moved to, moves it again.
    """
    agent, last = draft.agent, draft.session.finished[-1:]
    if agent.amends and slot not in agent.collected_by(agent.amends):
        again = [name for name in last if slot in agent.flows[name].collects and agent.flows[name].starts_by_words]
        return next(iter(again), agent.amends)
    return agent.amends


# --- values that may be meant: asked about with two buttons before they are kept ------------------


def suggest(draft: Draft, command: SuggestSlot) -> None:
    """Ask whether the value is meant, or for which of several slots."""
    fitting = [name for name in command.slots if _would_change(draft, name, command.value)]
    if not fitting:
        draft.log.refuse(command, "no slot would be another with this value")
        return
    draft.log.accepted.append(command)
    if len(fitting) > 1:
        ask_which_gets(draft, tuple(fitting), command.value)
    else:
        ask_sure(draft, fitting[0], command.value)


def _would_change(draft: Draft, name: str, value: Value) -> bool:
    """Whether a slot takes the value, may be given one by talking, and has another."""
    agent, session = draft.agent, draft.session
    if name not in agent.slots or name in agent.found_only() or name in session.written:
        return False
    taken = accept(agent.slots[name], value, country=agent.country)
    return isinstance(taken, Accepted) and session.slots.get(name) != taken.value


def ask_sure(draft: Draft, slot: str, value: Value) -> None:
    """Ask whether a slot shall have a value."""
    words = "ask_sure" if slot in draft.session.slots else "ask_sure_new"
    asked = AskedSure(slot, value)
    draft.ask(AskSure(slot, next_line(draft, words, _told(draft, slot, value)), about(asked)), asked)


def ask_which_gets(draft: Draft, slots: tuple[str, ...], value: Value) -> None:
    """Ask for which slot a value is meant."""
    line = next_line(draft, "ask_which_gets", _told(draft, slots[0], value))
    draft.ask(AskWhich(slots, line), AskedWhich(slots, value))


def tell_noted(draft: Draft, slot: str, words: str = "noted") -> None:
    """Say what a slot has got."""
    remark(draft, words, _told(draft, slot, draft.session.slots[slot]))


def tell_what_stands(draft: Draft, slot: str, words: str = "stands") -> None:
    """Say which value a slot still has, where a new one was not taken."""
    stored = draft.session.slots.get(slot)
    if stored is not None:
        remark(draft, words, _told(draft, slot, stored))


def about(pending: Pending) -> str:
    """By what the buttons of a question for a yes or a no know which one they answer."""
    match pending:
        case AskedYes(digest=shown):
            return shown
        case AskedSwitch(flow=flow):
            return flow
        case AskedSure(slot=slot, value=value):
            return digest(slot, str(value))
    return ""


def _told(draft: Draft, slot: str, value: Value) -> dict[str, str]:
    agent = draft.agent
    taken = accept(agent.slots[slot], value, country=agent.country)
    shown = taken.value if isinstance(taken, Accepted) else value
    return {"label": label(agent, slot), "value": spoken(agent, slot, shown)}


# --- what a contact will not say: left empty, put last, or a person is offered --------------------


def skip_slot(draft: Draft, command: SkipSlot) -> None:
    """Leave an optional slot empty; a required one waits until the end, and is needed then all the same."""
    if command.everything:
        _skip_all(draft, command)
    elif _is_needed(draft, command.slot):
        draft.log.refuse(command, f"{command.slot} is required")
        _do_without(draft, command.slot)
    else:
        draft.log.accepted.append(command)
        skip(draft, command.slot)


def skip(draft: Draft, name: str) -> None:
    """Leave a slot empty, with a word."""
    _mark(draft, name)
    other = draft.agent.slots[name].instead
    if other in draft.session.slots:
        remark(draft, "enough_with", {"label": label(draft.agent, other)})
    else:
        remark(draft, "skipped")


def count_attempt(draft: Draft, name: str) -> int:
    """Count an answer that cannot be used."""
    invalid = draft.session.counters.invalid
    attempts = invalid.get(name, 0) + 1
    draft.count(invalid={**invalid, name: attempts})
    return attempts


def _skip_all(draft: Draft, command: SkipSlot) -> None:
    """Nothing more is asked of who gives no details at all: a person is offered where some are needed."""
    lacking = [name for name in still_asked(draft) if name != command.slot]
    for name in (*lacking, command.slot):
        if not _is_needed(draft, name):
            _mark(draft, name)
    needed = still_asked(draft)
    if not needed:
        draft.log.accepted.append(command)
        remark(draft, "skipped")
        return
    draft.log.refuse(command, f"{needed[0]} is required")
    _refuse(draft, *needed)
    count_attempt(draft, needed[0])
    ask_ways_out(draft, needed[0])


def _is_needed(draft: Draft, name: str) -> bool:
    """Whether nothing goes on without a slot: it is required, and what would do in its place was refused, too."""
    slot = draft.agent.slots[name]
    return slot.required and (not slot.instead or slot.instead in draft.session.skipped)


def _do_without(draft: Draft, name: str) -> None:
    """Say why it is needed, or ask for the rest first; then what else can be done, and at last leave it.

    Whoever has refused what would do in its place knows that one of them is needed.
    """
    attempts = count_attempt(draft, name)
    session, has_other = draft.session, bool(draft.agent.slots[name].instead)
    is_first = name not in session.refused
    why = f"why.{name}"
    is_explained = is_authors(draft.agent, why)
    if is_explained and attempts < TRIED_TWICE:
        remark(draft, why)
    elif is_first and not is_explained and not has_other and less(still_asked(draft), name, *session.refused):
        _refuse(draft, name)
        remark(draft, "put_last")
    elif is_first and not has_other and attempts < TRIED_TWICE:
        remark(draft, "needed")
    elif attempts <= TRIED_TWICE or not session.stack:
        _refuse(draft, name)
        ask_ways_out(draft, name)
    elif not check_policies(draft.agent, session, Signals(at=draft.now)):
        leave(draft)


def _mark(draft: Draft, name: str) -> None:
    draft.session.skipped = tuple(dict.fromkeys((*draft.session.skipped, name)))


def _refuse(draft: Draft, *names: str) -> None:
    draft.session.refused = tuple(dict.fromkeys((*draft.session.refused, *names)))
