"""Values of a message that are not sure enough to be kept without a question."""

from hilo.dialogue.session import AskedSlot, AskedSure, AskedYes
from hilo.recognisers.people.contact import COMPLETED
from hilo.recognisers.people.names import PERHAPS
from hilo.recognisers.people.recipients import is_received
from hilo.understanding.assignment import SlotCandidate, ValueCase
from hilo.understanding.doubts import is_asked_about, is_hedged
from hilo.understanding.put_right import mends
from hilo.understanding.unasked_reasons import EXCUSE


def is_uncertain(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a value is only perhaps meant, or would overwrite a good one that nobody spoke of."""
    least = {"email": COMPLETED, "person_name": PERHAPS}.get(candidate.found.kind, 0)
    unsure = candidate.found.confidence <= least
    return unsure or is_hedged(case, candidate) or is_asked_about(case, candidate) or _overwrites(case, candidate)


def _overwrites(case: ValueCase, candidate: SlotCandidate) -> bool:
    """Whether a slot has another value, and the message neither names it nor says that something is otherwise.

    Before a summary is confirmed a new value needs no question: the new summary is one.
    """
    pending, reading, name = case.session.pending, case.reading, candidate.slot
    if not candidate.is_unasked or name not in case.session.slots or isinstance(pending, AskedYes | AskedSure):
        return False
    asked_else = isinstance(pending, AskedSlot) and pending.slot != name
    told = reading.has("correct", "deny") or any(mention.slot == name for mention in reading.mentions)
    text = reading.text.folded
    told = told or mends(reading) or EXCUSE.match(text) is not None or is_received(text)
    return asked_else and not told
