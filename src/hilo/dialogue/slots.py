"""Commands that give, correct or skip slots."""

from hilo.agent.texts import phrases
from hilo.agent.values import Invalid, Value, accept
from hilo.dialogue import wording
from hilo.dialogue.commands import CorrectSlot, OfferValues, RejectSlot, SetSlot, SkipSlot, StartFlow
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import Ask, AskWhich, Say
from hilo.dialogue.flow import ask_slot, changeable
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes
from hilo.dialogue.stack import push, rewind
from hilo.dialogue.states import DialogueState
from hilo.dialogue.voice import next_line, remark

MAX_ATTEMPTS_OPTIONAL = 2
MAX_OFFERED = 10  # as many rows as a WhatsApp list has


def set_slot(draft: Draft, command: SetSlot) -> None:
    """Keep a value that the slot takes; explain what is expected otherwise."""
    if _may_change(draft, command):
        _put(draft, command, command.value)


def _may_change(draft: Draft, command: SetSlot | CorrectSlot) -> bool:
    if command.slot not in draft.agent.slots:
        draft.log.refuse(command, f"there is no slot {command.slot}")
    elif command.slot in draft.agent.found_only():
        draft.log.refuse(command, f"{command.slot} is filled by tools")
    elif command.slot in draft.session.written and not _is_asked_anew(draft, command.slot) and not _amends(draft):
        draft.log.refuse(command, f"what was done with {command.slot} does not change by talking")
        _remark_once(draft, "done_already")
    else:
        return True
    return False


def _remark_once(draft: Draft, template: str) -> None:
    said = [each.line.template for each in draft.effects if isinstance(each, Say)]
    if template not in said:
        remark(draft, template)


def _is_asked_anew(draft: Draft, slot: str) -> bool:
    """Whether a summary awaits confirmation, and the message leads to a mode that begins by asking for the slot."""
    agent, started = draft.agent, [each.flow for each in draft.log.accepted if isinstance(each, StartFlow)]
    edges = [edge for flow in started for step in agent.compiled[flow].steps for edge in step.edges]
    entrances = [agent.modes[edge.to].enter for edge in edges if edge.leads == "mode" and not edge.guard]
    begun = [agent.flows[each.start] for each in entrances if each and each.start]
    return isinstance(draft.asked, AskedYes) and any(slot in flow.collects for flow in begun)


def _amends(draft: Draft) -> bool:
    """Begin the flow that changes what was done, if there is one, in place of what the same message has begun."""
    started = {each.flow for each in draft.log.accepted if isinstance(each, StartFlow)}
    stack = draft.session.stack
    if draft.agent.amends and stack and stack[-1].flow in started:
        draft.session.stack = stack[:-1]
    begun = bool(draft.agent.amends) and push(draft, draft.agent.amends, anew=False)
    if begun:
        draft.session.written = ()
        draft.session.pending = None
    return begun


def _put(draft: Draft, command: SetSlot | CorrectSlot, value: Value) -> None:
    draft.log.passes(DialogueState.VALIDATING_SLOT)
    slot = draft.agent.slots[command.slot]
    result = accept(slot, value, country=draft.agent.country)
    if isinstance(result, Invalid):
        draft.log.refuse(command, f"{slot.type} does not take this value")
        _explain(draft, command.slot, result)
    else:
        draft.log.accept(command)
        _keep(draft, command.slot, result.value)


def _keep(draft: Draft, name: str, value: Value) -> None:
    before = draft.session.slots.get(name)
    invalid = {slot: times for slot, times in draft.session.counters.invalid.items() if slot != name}
    skipped = tuple(slot for slot in draft.session.skipped if slot != name)
    draft.count(invalid=invalid, without_progress=0)
    draft.session.slots = {**draft.session.slots, name: value}
    draft.session.skipped = skipped
    draft.session.last_slot = name
    draft.changed.add(name)
    values = {"label": wording.label(draft.agent, name), "value": wording.spoken(draft.agent, name, value)}
    if before != value:
        rewind(draft, name)
    if draft.agent.slots[name].region_of:
        return  # it came with its city
    if before not in (None, value):
        remark(draft, "corrected", values)
    elif not draft.session.stack:
        remark(draft, "noted", values)


def _explain(draft: Draft, name: str, invalid: Invalid) -> None:
    attempts = _failed(draft, name)
    if not draft.agent.slots[name].required and attempts >= MAX_ATTEMPTS_OPTIONAL and name not in draft.session.slots:
        _skip(draft, name)
        return
    draft.retry = name if name in draft.session.slots else ""
    own = f"invalid.{name}"
    # a slot may be called like another type, whose phrase is not for it
    is_authors = draft.agent.templates.get(own) != phrases(draft.agent.language).get(own)
    remark(draft, own if is_authors else invalid.problem, _bounds(draft, name, invalid))


def _bounds(draft: Draft, slot: str, invalid: Invalid) -> dict[str, str]:
    """The limits of a range in words: from 1 up to 10."""
    values = {key: str(value) for key, value in invalid.values.items() if value is not None}
    limits = []
    for key, name in (("min", "at_least"), ("max", "at_most")):
        if invalid.values.get(key) is not None:
            limit = wording.spoken(draft.agent, slot, invalid.values[key])
            limits.append(wording.fill(wording.word(draft.agent, name), {"value": limit}))
    return {**values, "range": " ".join(limits)}


def _failed(draft: Draft, name: str) -> int:
    """Count an answer that cannot be used."""
    invalid = draft.session.counters.invalid
    attempts = invalid.get(name, 0) + 1
    draft.count(invalid={**invalid, name: attempts})
    return attempts


def reject_slot(draft: Draft, command: RejectSlot) -> None:
    """A value that a tool does not know is explained like one of the wrong type."""
    if command.slot not in draft.agent.slots:
        draft.log.refuse(command, f"there is no slot {command.slot}")
        return
    draft.log.passes(DialogueState.VALIDATING_SLOT)
    slot = draft.agent.slots[command.slot]
    draft.log.refuse(command, f"{slot.valid_if or 'a tool'} does not know this value")
    _explain(draft, command.slot, Invalid(f"invalid.{slot.type}", {"choices": ", ".join(slot.choices)}))


def offer_values(draft: Draft, command: OfferValues) -> None:
    """Ask which of several values is meant."""
    values = tuple(dict.fromkeys(command.values))[:MAX_OFFERED]
    if command.slot not in draft.agent.slots or not values:
        draft.log.refuse(command, f"there is no slot {command.slot}, or nothing to offer")
        return
    draft.log.accept(command)
    line = next_line(draft, "ask_offered", {"label": wording.label(draft.agent, command.slot)})
    correcting = command.slot in draft.session.slots
    draft.ask(Ask(command.slot, line, values), AskedSlot(command.slot, correcting=correcting, offered=values))


def skip_slot(draft: Draft, command: SkipSlot) -> None:
    """Leave an optional slot empty; a required one is needed all the same."""
    if command.slot not in draft.agent.slots:
        draft.log.refuse(command, f"there is no slot {command.slot}")
    elif draft.agent.slots[command.slot].required:
        draft.log.refuse(command, f"{command.slot} is required")
        _failed(draft, command.slot)
        remark(draft, "needed")
    else:
        draft.log.accept(command)
        _skip(draft, command.slot)


def _skip(draft: Draft, name: str) -> None:
    draft.session.skipped = tuple(dict.fromkeys((*draft.session.skipped, name)))
    remark(draft, "skipped")


def correct_slot(draft: Draft, command: CorrectSlot) -> None:
    """Change a filled slot, ask for its new value, or ask which one is meant."""
    if command.slot and command.slot not in draft.agent.slots:
        draft.log.refuse(command, f"there is no slot {command.slot}")
    elif command.slot in draft.session.written and not _may_change(draft, command):
        return  # nor is its new value asked for
    elif command.slot and command.value is not None:
        if _may_change(draft, command):
            _put(draft, command, command.value)
    elif not changeable(draft):
        draft.log.refuse(command, "nothing has been collected yet")
        remark(draft, "nothing_to_correct")
    else:
        draft.log.accept(command)
        known = (command.slot,) if command.slot in draft.session.slots else changeable(draft)
        _ask_for(draft, known)


def _ask_for(draft: Draft, known: tuple[str, ...]) -> None:
    if len(known) == 1:
        ask_slot(draft, known[0], correcting=True)
    else:
        ask_which(draft, known)


def ask_which(draft: Draft, known: tuple[str, ...]) -> None:
    """Ask which slot is meant, and offer the first."""
    line = next_line(draft, "ask_which", {"label": wording.label(draft.agent, known[0])})
    draft.ask(AskWhich(known, line), AskedWhich(known))
