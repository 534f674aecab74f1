"""Messages of one burst are decided on one after the other, in one turn: nobody has seen what was asked in between."""

from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import NextMessage
from hilo.dialogue.session import AskedArgument, AskedSlot, Session


def go_on_in_burst(draft: Draft, part: int, *, unseen: bool) -> None:
    """Go on with the turn that an earlier message began."""
    draft.progress.part = part
    draft.effects.append(NextMessage(part))
    if unseen:
        draft.session = with_question_unseen(draft.agent, draft.session)
    if isinstance(draft.session.pending, AskedArgument):
        # It was asked for an earlier message: this one may answer it or leave it.
        draft.session.pending = replace(draft.session.pending, turn=draft.turn - 1)
    draft.asked = draft.session.pending


def with_question_unseen(agent: Agent, session: Session) -> Session:
    """The session as the next message meets it, if nobody saw the question that is open.

    What it says may well be the answer that was to be asked for: a name, a size. But a yes or a no to a question
    that was not shown is none. The flow asks again; what asks for a yes to a summary refuses it, see `early`.
    """
    pending = session.pending
    if isinstance(pending, AskedSlot) and agent.slots[pending.slot].kind.sort == "boolean":
        pending = None
    return replace(session, pending=pending, invites=False)
