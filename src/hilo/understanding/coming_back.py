"""Whoever cannot answer now and says so, and whoever is there again: neither answers what was asked."""

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Digress
from hilo.dialogue.session import AskedSlot, Session
from hilo.understanding.extraction import gives_a_value
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading

LONGEST = 12  # words; more than that tells something else


def leaves_for_now(agent: Agent, session: Session, reading: Reading) -> tuple[Digress, ...]:
    """What is said to who answers later ("voy entrando a una reunión, después sigo") or is back ("ya volví")."""
    if not isinstance(session.pending, AskedSlot) or len(reading.text.folded.split()) > LONGEST:
        return ()
    if reading.asks:
        return ()
    for section, kind in (("answers later", Digress("later")), ("is back", Digress("aside"))):
        said = pattern_of(section).search(reading.text.folded)
        if said and not gives_a_value(agent, session, reading, session.pending.slot):
            return (kind,)
    return ()
