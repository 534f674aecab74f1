"""Is the contact correcting something, and what? "No, mi email es…", "en realidad…", "eso está mal"."""

from dataclasses import dataclass

from hilo.agent.declaration import Agent
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes, Session
from hilo.recognisers.places.amendments import amended
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import SURE

# Types that are told by their shape, whatever was asked.
DISTINCTIVE = frozenset({"email", "url", "phone", "date", "person_name", "national_id", "address"})
SURE_OF_A_WISH = 85
CORRECTED = DISTINCTIVE | {"city"}  # told so where something is being corrected


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
    wish = isinstance(session.pending, AskedYes) and reading.confidence >= SURE_OF_A_WISH  # "yo no pedí eso"
    clear = bool(reading.meant) and (bool(reading.mentions) or wish)
    vague = announced and _says_nothing_else(reading) and not clear
    return _by_value(agent, session, reading) or (Correction() if vague else None)


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
    named = _named(session, reading, among) or _numbered(reading, among)
    return Correction(named) if named else _by_value(agent, session, reading)


def _numbered(reading: Reading, among: tuple[str, ...]) -> str:
    """The number of a button."""
    said = reading.text.folded.strip(" .)")
    return among[int(said) - 1] if said.isascii() and said.isdigit() and 1 <= int(said) <= len(among) else ""


def _opens_with_no(session: Session, reading: Reading) -> bool:
    """A no with something after it, when no yes or no was asked for."""
    if isinstance(session.pending, AskedYes):
        return False
    opening = (act for act in reading.acts if not reading.text.folded[: act.start].strip())
    return any(act.kind == "deny" and not act.whole for act in opening)


def _by_value(agent: Agent, session: Session, reading: Reading) -> Correction | None:
    """A value tells which slot is meant: what was asked is an answer; typed slots before texts, late before early."""
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    if asked and asked not in session.slots and _gives(agent, reading, asked):
        return None
    theirs = agent.found_only()
    given = [name for name in (session.last_slot, *reversed(list(session.slots))) if name in session.slots]
    given = [name for name in dict.fromkeys(given) if name not in theirs]
    typed = sorted(given, key=lambda name: agent.slots[name].type == "text")
    counts = [name for name in given if agent.slots[name].type in {"number", "money"}]
    only = counts[0] if len(counts) == 1 else ""
    return next(
        (Correction(slot) for slot in typed if _gives(agent, reading, slot, likely=(session.last_slot, only))),
        _by_part(agent, session, reading),
    )


def _by_part(agent: Agent, session: Session, reading: Reading) -> Correction | None:
    """The address whose street or flat a message mends: "no, es calle 12"."""
    addresses = [name for name in session.slots if agent.slots[name].type == "address"]
    mended = [name for name in addresses if amended(str(session.slots[name]), reading.text)]
    return Correction(mended[0]) if mended else None


def _gives(agent: Agent, reading: Reading, slot: str, *, likely: tuple[str, ...] = ()) -> bool:
    declared = agent.slots[slot]
    named = any(mention.slot == slot for mention in reading.mentions)
    if declared.type == "text" and not declared.pattern:
        return (named or slot in likely) and not reading.has("question") and not _says_nothing_else(reading)
    if declared.type == "boolean":
        return False  # a yes or a no is about the question that is open
    surely = [found for found in reading.values.of(declared) if found.confidence >= SURE]
    return bool(surely) and (declared.type in CORRECTED or bool(declared.pattern) or slot in likely or named)


def _says_nothing_else(reading: Reading) -> bool:
    """Whether the message has no words beyond its acts and courtesies."""
    if reading.is_only("correct"):
        return True
    rest = reading.text.folded
    for act in sorted(reading.acts, key=lambda act: -act.start):
        rest = rest[: act.start] + " " + rest[act.end :]
    return not any(letter.isalnum() for letter in rest)
