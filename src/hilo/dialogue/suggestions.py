"""Values that a contact may have meant: asked about in one short question before they are kept.

What only may be meant ("a lo mejor el lunes", "¿y a las 9?") and what would overwrite a good value unasked is not
written. It is asked about with two buttons, after all that was sure in the same message.
"""

from hilo.agent.values import Accepted, Value, accept
from hilo.dialogue.calls import digest
from hilo.dialogue.commands import SuggestSlot
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import AskSure, AskWhich
from hilo.dialogue.session import AskedSure, AskedSwitch, AskedWhich, AskedYes, Pending
from hilo.dialogue.wording import label, next_line, remark, spoken


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


def keep_as_is(draft: Draft, slot: str) -> None:
    """A no to a suggestion: say what stays."""
    tell_what_stands(draft, slot, "kept")


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
