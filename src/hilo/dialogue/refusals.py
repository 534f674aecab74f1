"""Whoever will not say something: it is left empty, put last, or a person is offered; nobody is asked on and on."""

from hilo.dialogue.commands import SkipSlot
from hilo.dialogue.draft import Draft, less
from hilo.dialogue.escalation import Signals, check_policies
from hilo.dialogue.flow import TRIED_TWICE, ask_ways_out, still_asked
from hilo.dialogue.leaving import leave
from hilo.dialogue.wording import is_authors, label, remark


def skip_slot(draft: Draft, command: SkipSlot) -> None:
    """Leave an optional slot empty; a required one waits until the end, and is needed then all the same."""
    if command.slot not in draft.agent.slots:
        draft.log.refuse(command, f"there is no slot {command.slot}")
    elif command.everything:
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
