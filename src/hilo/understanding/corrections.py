"""Is the contact correcting something, and what? "No, mi email es…", "en realidad…", "eso está mal"."""

from dataclasses import dataclass

from hilo.agent.declaration import Agent
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes, Session
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import SURE

# Types that are told by their shape, whatever was asked.
DISTINCTIVE = frozenset({"email", "url", "phone", "date", "person_name"})


@dataclass(frozen=True, slots=True)
class Correction:
    """The slot that is being corrected; empty when the contact has not said which."""

    slot: str = ""


def find_correction(agent: Agent, session: Session, reading: Reading) -> Correction | None:
    """The correction that a message makes, if it makes one."""
    if not session.slots:
        return None
    if isinstance(session.pending, AskedWhich):
        return _chosen(agent, session, reading)
    announced = reading.has("correct")
    named = _named(session, reading)
    if named:
        return Correction(named) if announced or reading.has("deny") or _gives(agent, reading, named) else None
    if not announced and not _opens_with_no(session, reading):
        return None
    return _by_value(agent, session, reading) or (Correction() if announced and _says_nothing_else(reading) else None)


def _named(session: Session, reading: Reading, among: tuple[str, ...] = ()) -> str:
    """The filled slot that is named; a name that fits an empty slot too means the empty one."""
    by_place: dict[int, list[str]] = {}
    for mention in reading.mentions:
        if not among or mention.slot in among:
            by_place.setdefault(mention.start, []).append(mention.slot)
    filled = [slots[0] for slots in by_place.values() if all(slot in session.slots for slot in slots)]
    return filled[-1] if filled else ""


def _chosen(agent: Agent, session: Session, reading: Reading) -> Correction | None:
    """The answer to "which one?"."""
    among = session.pending.slots if isinstance(session.pending, AskedWhich) else ()
    named = _named(session, reading, among)
    return Correction(named) if named else _by_value(agent, session, reading)


def _opens_with_no(session: Session, reading: Reading) -> bool:
    """A no with something after it, when no yes or no was asked for."""
    if isinstance(session.pending, AskedYes):
        return False
    opening = (act for act in reading.acts if not reading.text.folded[: act.start].strip())
    return any(act.kind == "deny" and not act.whole for act in opening)


def _by_value(agent: Agent, session: Session, reading: Reading) -> Correction | None:
    """A value tells which slot is meant: what was asked is an answer, the last given slot comes before older ones."""
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    if asked and asked not in session.slots and _gives(agent, reading, asked):
        return None
    candidates = [name for name in (session.last_slot, *reversed(list(session.slots))) if name in session.slots]
    candidates = [name for name in candidates if name not in agent.found_only()]
    return next((Correction(slot) for slot in candidates if _gives(agent, reading, slot, last=session.last_slot)), None)


def _gives(agent: Agent, reading: Reading, slot: str, *, last: str = "") -> bool:
    declared = agent.slots[slot]
    surely = [found for found in reading.values.of(declared) if found.confidence >= SURE]
    if declared.type == "text":
        return slot == last and not _says_nothing_else(reading)
    return bool(surely) and (declared.type in DISTINCTIVE or slot == last or bool(reading.mentions))


def _says_nothing_else(reading: Reading) -> bool:
    """Whether the message has no words beyond its acts and courtesies."""
    if reading.is_only("correct"):
        return True
    rest = reading.text.folded
    for act in sorted(reading.acts, key=lambda act: -act.start):
        rest = rest[: act.start] + " " + rest[act.end :]
    return not any(letter.isalnum() for letter in rest)
