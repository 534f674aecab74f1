"""What commands do to slots: a value is kept, corrected, refused with a word, offered or passed over."""

from hilo.agent.texts import word
from hilo.agent.values import Invalid, accept
from hilo.dialogue.commands import CorrectSlot, NarrowDays, OfferValues, RejectSlot, SetSlot, TakeNote
from hilo.dialogue.draft import Draft, less, without
from hilo.dialogue.effects import AskWhich
from hilo.dialogue.flow import ask_offered, ask_slot, changeable
from hilo.dialogue.refusals import count_attempt, skip
from hilo.dialogue.session import AskedSlot, AskedWhich
from hilo.dialogue.settled import may_change
from hilo.dialogue.stack import mark, rewind
from hilo.dialogue.states import DialogueState
from hilo.dialogue.suggestions import tell_noted, tell_what_stands
from hilo.dialogue.tool_proposals import MAX_OFFERED
from hilo.dialogue.wording import fill, is_authors, label, next_line, remark, spoken
from hilo.slots.note import JOINED

MAX_ATTEMPTS_OPTIONAL = 2


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
    if name not in agent.slots or not agent.slots[name].kind.is_note:
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


def _explain(draft: Draft, name: str, invalid: Invalid) -> None:
    agent, session = draft.agent, draft.session
    attempts = count_attempt(draft, name)
    filled = name in session.slots
    if not agent.slots[name].required and attempts >= MAX_ATTEMPTS_OPTIONAL and not filled:
        skip(draft, name)
        return
    draft.retry = name if filled else ""
    asked = draft.asked
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


def narrow_days(draft: Draft, command: NarrowDays) -> None:
    """Remember the month or week of which the flow under way still lacks the day."""
    if not draft.session.stack:
        draft.log.refuse(command, "nothing is under way that could need a day")
        return
    draft.log.accepted.append(command)
    mark(draft, day=command.day)


def reject_slot(draft: Draft, command: RejectSlot) -> None:
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
    ask_offered(draft, command.slot, values)
