"""Is the message about something else? A bare greeting, a question that is not ours, a change of subject."""

import re
from collections.abc import Callable
from typing import Literal

from hilo.dialogue.commands import Digress
from hilo.dialogue.session import AskedSlot, AskedSure, AskedSwitch, AskedWhich, AskedYes, Session
from hilo.understanding.acts.hearing import ANGER, DISPLEASED
from hilo.understanding.confirmations import is_yes_beside_a_question, says_no_more
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading

Kind = Literal[
    "greeting", "aside", "thanks", "off_topic", "repeat", "no_text", "too_long", "chitchat", "told", "displeased"
]


def find_digression(session: Session, reading: Reading, *, relevant: Callable[[], bool]) -> Digress | None:
    """What takes the message off the subject; `relevant` tells whether it has a value that we can use."""
    if not reading.acts and not any(letter.isalnum() for letter in reading.text.folded):
        return Digress(_without_words(reading))
    if _asks_beside_a_yes(session, reading):
        return Digress("off_topic")
    kind = _kind(session, reading)
    return Digress(kind) if kind and not reading.intent and not relevant() else None


def _without_words(reading: Reading) -> Kind:
    """What signs alone say: a heart is met with a word, "???" and a shrug want to know what we asked."""
    if not reading.text.raw.strip():
        return "no_text"
    return "aside" if reading.sentiment.score > 0 else "repeat"


def _kind(session: Session, reading: Reading) -> Kind | None:
    if _was_told(session, reading):
        return "told"
    if reading.is_only("greet"):
        return "greeting"
    if reading.is_only("thanks", "bye") or _thanks_with_a_nod(reading):
        return "thanks"
    if reading.is_only("repeat"):
        return "repeat"
    if reading.is_only("chitchat"):
        return "chitchat"
    if is_displeased(reading):
        return "displeased"
    return "off_topic" if reading.has("topic_change") or _is_question(session, reading) else None


def _was_told(session: Session, reading: Reading) -> bool:
    """Whether what was asked is said to be known, and we do not know it: "el mismo de siempre", "ya te lo di"."""
    if not isinstance(session.pending, AskedSlot) or session.pending.slot in session.slots or reading.asks:
        return False
    said = " ".join(re.findall(r"\w+", reading.text.folded))
    return pattern_of("known already").search(said) is not None


def is_displeased(reading: Reading) -> bool:
    """Whether somebody complains, and does no more: that is no bad answer, no refusal and no riddle."""
    complains = reading.hearing is not None and reading.hearing.does(ANGER)
    return complains and reading.sentiment.score <= DISPLEASED.score and not reading.has("human", "cancel", "skip")


def _thanks_with_a_nod(reading: Reading) -> bool:
    """Whether "ok gracias" or "genial, muchas gracias" ends what was said; a yes that was asked for is taken before."""
    nods = {act.kind for act in reading.acts} <= {"affirm", "thanks", "bye"}
    return nods and reading.has("thanks", "bye") and says_no_more(reading)


def _asks_beside_a_yes(session: Session, reading: Reading) -> bool:
    """Whether a question that we cannot answer came with a yes: the yes is taken, and this is said."""
    asked_yes_no = isinstance(session.pending, AskedYes | AskedWhich | AskedSure | AskedSwitch)
    return asked_yes_no and not reading.meant and is_yes_beside_a_question(reading)


def _is_question(session: Session, reading: Reading) -> bool:
    if reading.has("human", "cancel", "correct", "skip"):
        return False
    asked_yes_no = session.pending is not None and not isinstance(session.pending, AskedSlot)
    return reading.has("question") and not (asked_yes_no and reading.has("affirm", "deny"))
