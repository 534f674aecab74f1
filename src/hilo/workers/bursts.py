"""People write one thought in three messages: how long to wait for the next one before answering."""

from datetime import timedelta

from hilo.messages import Inbound

CAP = timedelta(seconds=2)  # nobody waits longer for a turn to begin

_UNFINISHED = (",", ":", "…", "...", " y", " o", " e", " de", " con", " para", " and")
_FINISHED = ("?", "!", ".", "gracias", "thanks")
_SHORT = 2  # words; a greeting seldom comes alone
_LONG = 12


def quiet_window(message: Inbound, *, cap: timedelta = CAP) -> timedelta:
    """Nothing for a pressed button; little for what looks finished; most for "hola" and for what ends in the middle."""
    text = message.text.strip().lower()
    words = len(text.split())
    if message.payload or (message.attachments and not text):
        return timedelta()
    if text.endswith(_UNFINISHED):
        return cap
    if text.endswith(_FINISHED) or words >= _LONG:
        return cap / 5
    return cap * 3 / 5 if words <= _SHORT else cap * 2 / 5
