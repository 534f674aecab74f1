"""The same thing once more, wanted beside what is under way: kept, and begun when that is over.

"Un turno con el dentista y otro de nutrición" are two bookings. The flow asks about one of them, and
when it has ended begins anew with what was said of the other.
"""

from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import WantAlso
from hilo.dialogue.draft import Draft, without
from hilo.dialogue.stack import push
from hilo.dialogue.wording import remark

MOST_WISHES = 3


def want_also(draft: Draft, command: WantAlso) -> None:
    """Keep what is wanted after the flow under way, and say so."""
    flow = draft.agent.flows.get(command.flow)
    if flow is None or not flow.examples:
        draft.log.refuse(command, f"contacts do not begin {command.flow}")
    elif len(draft.session.wishes) >= MOST_WISHES:
        draft.log.refuse(command, "too much is wanted already")
    else:
        draft.log.accepted.append(command)
        draft.session.wishes = (*draft.session.wishes, command)
        if draft.session.stack:
            remark(draft, "one_by_one")


def begin_wish(draft: Draft) -> bool:
    """Begin what was wanted besides, where nothing is under way any more; whether something has begun."""
    session = draft.session
    if session.stack or not session.wishes or not session.agent_holds:
        return False
    wish, *others = session.wishes
    session.wishes = tuple(others)
    if wish.flow not in draft.agent.flows or not push(draft, wish.flow):
        return False
    if wish not in draft.log.accepted:
        remark(draft, "now_the_other")
    for name, value in wish.values.items():
        if name not in draft.agent.slots:
            continue
        session.slots = without(session.slots, name)
        taken = accept(draft.agent.slots[name], value, country=draft.agent.country) if value is not None else None
        if isinstance(taken, Accepted):
            session.slots = {**session.slots, name: taken.value}
    return True
