"""Is the contact correcting something, and what? "No, mi email es…", "en realidad…", "eso está mal"."""

import re
from dataclasses import dataclass, field

from hilo.agent.declaration import Agent, Slot
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes, Session
from hilo.recognisers.normalise import words
from hilo.recognisers.people.spelling import spells
from hilo.slots.utterance import SURE
from hilo.understanding.confirmations import opens_with_yes
from hilo.understanding.extraction import gives_a_value, tells_what_we_know
from hilo.understanding.notes import tells_to_note
from hilo.understanding.plain_phrases import told_before
from hilo.understanding.put_right import PutRight, is_written_as_name, mends, names_another, put_right
from hilo.understanding.reading import Reading
from hilo.understanding.reasons import spelt_by_choices
from hilo.understanding.recall import asks_what_stands

SURE_OF_A_WISH = 85
NAME_OF_A_THING = 6  # words of a message that may be another text for the one given last: "no, es San José"
_IF = re.compile(r"\bsi (?:no|ella|el|nadie)\b")
_ANOTHER = re.compile(r"\botr[oa]s? $")
_IS_ANOTHER = re.compile(r" (?:(?:es|seria|sera) otr[oa]|distint[oa]|diferente)\b")


@dataclass(frozen=True, slots=True)
class Correction:
    """The slot that is being corrected; empty when the contact has not said which.

    `right` has the values, where the message is nothing but a value that puts another right.
    """

    slot: str = ""
    right: PutRight | None = field(default=None, compare=False)


def find_correction(agent: Agent, session: Session, reading: Reading) -> Correction | None:
    """The correction that a message makes, if it makes one."""
    if not session.slots:
        return None
    if isinstance(session.pending, AskedWhich):
        chosen = _chosen(agent, session, reading)
        if chosen:
            return chosen
        if session.pending.value is None and not mends(reading):
            return None
    if asks_what_stands(agent, session, reading):
        return None
    if right := _right(agent, session, reading):
        return Correction(right.slots[0] if right.sure and not right.which else "", right)
    if _denies_what_was_shown(agent, session, reading):
        return Correction()
    announced, heard = reading.has("correct"), _changes_something(agent, session, reading)
    named = _named(session, reading)
    if named in spelt_by_choices(agent, reading) and not announced:
        return None
    if named:
        told = announced or heard or reading.has("deny") or _gives(agent, reading, named) or spells(reading.text)
        told = told or _wants_another(reading, named)
        return Correction(named) if told else None
    if spells(reading.text) and (announced or _opens_with_no(session, reading)) and session.last_slot in session.slots:
        return Correction(session.last_slot)
    if not announced and not _opens_with_no(session, reading):
        return Correction() if heard else None
    wish = isinstance(session.pending, AskedYes) and reading.confidence >= SURE_OF_A_WISH  # "yo no pedí eso"
    clear = bool(reading.meant) and (bool(reading.mentions) or wish)
    vague = heard or (announced and _says_nothing_else(reading) and not clear)
    return _by_value(agent, session, reading) or (Correction() if vague else None)


def _denies_what_was_shown(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a bare no answers the question that ends a flow, which no mode has a way on from: "¿está todo bien?"."""
    mode = agent.modes.get(session.mode)
    is_over = session.invites and bool(session.finished) and not session.pending and not session.stack
    return is_over and reading.is_only("deny") and not reading.meant and not (mode and mode.next.no)


def _changes_something(agent: Agent, session: Session, reading: Reading) -> bool:
    """Whether a change of the summary was heard by its sound alone: which is asked, rather than nothing understood."""
    otherwise = reading.meant or reading.lines or reading.has("deny") or tells_what_we_know(agent, session, reading)
    otherwise = (
        otherwise or tells_to_note(reading) or opens_with_yes(reading)
    )  # "sí. paso mañana" changes nothing by its sound
    return isinstance(session.pending, AskedYes) and reading.has("change") and not otherwise


def _right(agent: Agent, session: Session, reading: Reading) -> PutRight | None:
    """What the message puts right by a value alone; a question that means something of ours is none."""
    right = put_right(agent, session, reading)
    if right is None or right.sure:
        return right
    is_ours = bool(reading.meant) and reading.confidence >= SURE_OF_A_WISH
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    return None if is_ours or gives_a_value(agent, session, reading, asked) else right


def _named(session: Session, reading: Reading, among: tuple[str, ...] = ()) -> str:
    """The filled slot that is named; a name that fits an empty slot too means the empty one."""
    by_place: dict[int, list[str]] = {}
    for mention in reading.mentions:
        if not among or mention.slot in among:
            by_place.setdefault(mention.start, []).append(mention.slot)
    filled = [slots[0] for slots in by_place.values() if all(slot in session.slots for slot in slots)]
    return filled[-1] if filled else ""


def _wants_another(reading: Reading, slot: str) -> bool:
    """Whether another value is wished for and not yet told: "mandalo a otra dirección", "la dirección es otra"."""
    text = reading.text.folded
    if reading.meant or _IF.search(text):
        return False  # "si no contesto, llamen a otro número"
    places = [(each.start, each.end) for each in reading.mentions if each.slot == slot]
    return any(_ANOTHER.search(text, 0, start) or _IS_ANOTHER.match(text, end) for start, end in places)


def _chosen(agent: Agent, session: Session, reading: Reading) -> Correction | None:
    """The answer to "which one?"."""
    among = session.pending.slots if isinstance(session.pending, AskedWhich) else ()
    among = tuple(name for name in among if name not in spelt_by_choices(agent, reading))
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
    typed = sorted(given, key=lambda name: agent.slots[name].kind.is_free)
    counts = [name for name in given if _is_bare_number(agent.slots[name])]
    only = counts[0] if len(counts) == 1 else ""
    # "mejor una sola" is no other street where a number of things was chosen
    chosen = any(agent.slots[name].kind.sort == "choice" and reading.values.of(agent.slots[name]) for name in given)
    is_text = session.last_slot in agent.slots and agent.slots[session.last_slot].kind.is_free
    says_more = len(words(reading.text)) > NAME_OF_A_THING or bool(told_before().search(reading.text.folded))
    last = "" if is_text and (chosen or says_more) else session.last_slot
    return next(
        (Correction(slot) for slot in typed if _gives(agent, reading, slot, likely=(last, only))),
        _by_part(agent, session, reading),
    )


def _is_bare_number(slot: Slot) -> bool:
    """Whether nothing but being the only number tells a new value of the slot: a duration is told by its unit."""
    return slot.kind.sort == "number" and slot.kind.volunteered == "no"


def _by_part(agent: Agent, session: Session, reading: Reading) -> Correction | None:
    """The slot of whose value a message mends a part: "no, es calle 12"."""
    for name, stored in session.slots.items():
        amend = agent.slots[name].kind.amend
        if amend and amend(str(stored), reading.text):
            return Correction(name)
    return None


def _gives(agent: Agent, reading: Reading, slot: str, *, likely: tuple[str, ...] = ()) -> bool:
    declared = agent.slots[slot]
    named = any(mention.slot == slot for mention in reading.mentions)
    if declared.kind.is_free and not declared.pattern:
        return (named or slot in likely) and not reading.has("question") and not _says_nothing_else(reading)
    if declared.kind.sort == "boolean":
        return False  # a yes or a no is about the question that is open
    surely = [found for found in reading.values.of(declared) if found.confidence >= SURE]
    if declared.kind.names_person and not named:
        surely = [found for found in surely if is_written_as_name(reading, found)]
    if declared.kind.names_person:
        surely = [found for found in surely if not names_another(reading, found)]
    told_by_shape = declared.kind.volunteered in {"always", "in_a_correction"} or bool(declared.pattern)
    return bool(surely) and (told_by_shape or slot in likely or named)


def _says_nothing_else(reading: Reading) -> bool:
    """Whether the message has no words beyond its acts and courtesies."""
    if reading.is_only("correct"):
        return True
    rest = reading.text.folded
    # what asks may be the whole message, and says more than its acts
    acts = [act for act in reading.acts if act.kind != "question"]
    for act in sorted(acts, key=lambda act: -act.start):
        rest = rest[: act.start] + " " + rest[act.end :]
    return not any(letter.isalnum() for letter in rest)
