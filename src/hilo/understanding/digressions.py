"""Is the message about something else? A bare greeting, a question that is not ours, a change of subject."""

from collections.abc import Callable
from typing import Literal

from hilo.dialogue.commands import Digress
from hilo.dialogue.session import AskedSlot, Session
from hilo.understanding.reading import Reading

Kind = Literal["greeting", "thanks", "off_topic", "repeat", "no_text", "too_long"]


def find_digression(session: Session, reading: Reading, *, relevant: Callable[[], bool]) -> Digress | None:
    """What takes the message off the subject; `relevant` tells whether it has a value that we can use."""
    if reading.values.is_bare and not reading.acts:
        return Digress("no_text")
    kind = _kind(session, reading)
    return Digress(kind) if kind and not reading.intent and not relevant() else None


def _kind(session: Session, reading: Reading) -> Kind | None:
    if reading.is_only("greet"):
        return "greeting"
    if reading.is_only("thanks", "bye"):
        return "thanks"
    if reading.is_only("repeat"):
        return "repeat"
    return "off_topic" if reading.has("topic_change") or _is_question(session, reading) else None


def _is_question(session: Session, reading: Reading) -> bool:
    if reading.has("human", "cancel", "correct", "skip"):
        return False
    asked_yes_no = session.pending is not None and not isinstance(session.pending, AskedSlot)
    return reading.has("question") and not (asked_yes_no and reading.has("affirm", "deny"))
