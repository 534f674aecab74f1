"""Notes that the contact takes back: "borrá esa nota", "no, lo del timbre no va", "eso no lo anotes"."""

import re
from collections.abc import Iterator

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Command, Digress, DropNote, TakeNote
from hilo.dialogue.session import Session
from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_words import FUNCTION_WORDS
from hilo.slots.note import JOINED
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading

LONGEST = 90  # characters: what is longer says something else, too
STEM = 5  # letters of a word that its forms share: toquen, tocar
_CONTENT = re.compile(r"[^\W\d_]{4,}|\d+")
_THINGS = word_set_of("notes")
# that something is not to be, which is named by what it is about: "sacá lo de la factura"
_ABOUT = re.compile(
    r"\b(?:lo|eso) del? [^,.;]+? (?:ya )?no(?: (?:va|van|corre|hace falta|quiero|es|hagas|pongas))?\W*$"
    r"|\b(?:sac\w+|borr\w+|quit\w+|elimin\w+|olvid\w+(?: de)?|sin|no va|no quiero) (?:lo|eso) del? "
)
_TAKES_OUT = re.compile(r"\W*(?:(?:no|y|che|bueno|ah) )*(?:sac|borr|quit|elimin)\w+ (?:lo|eso) del? ")
_CHANGED = re.compile(
    r"\b(?:cambi|correg|corrij|modific|edit)\w* (?:la|esa|mi) (?:nota|aclaracion|observacion)\W+"
    r"(?:(?:por|a|que diga|y pone|pone|pon|es)\W+)?(?P<text>\w.+)$"
)


def dropped_notes(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """What of the notes is taken back, and what is noted instead; nothing where nothing was noted."""
    noted = [name for name in session.slots if agent.slots[name].kind.is_note and name not in session.written]
    text = reading.text.folded
    keeps_notes = any(slot.kind.is_note for slot in agent.slots.values())
    if not keeps_notes or len(text) > LONGEST or any(line.known for line in reading.lines):
        return ()
    name = noted[-1] if noted else ""
    pieces = str(session.slots[name]).split(JOINED) if noted else []
    if not any(_stems(piece) & _stems(text) for piece in pieces) and _ABOUT.search(text) and _TAKES_OUT.match(text):
        return (Digress("told"),)  # "borrá lo del vuelto", of which nothing was noted, empties no cart
    if not noted:
        return (Digress("told"),) if pattern_of("drops notes").search(text) and "?" not in text else ()
    if changed := _CHANGED.search(text):
        return (DropNote(name), TakeNote(name, reading.text.original(*changed.span("text")).strip(" ,.;")))
    return tuple(DropNote(name, piece) for piece in _taken_back(reading, pieces))


def _taken_back(reading: Reading, pieces: list[str]) -> Iterator[str]:
    text = reading.text.folded
    meant = [piece for piece in pieces if _stems(piece) & (_stems(text) - _THINGS)]
    if pattern_of("drops that").search(text):
        yield from meant or pieces[-1:]
    elif "?" in reading.text.raw:
        return
    elif pattern_of("drops notes").search(text):
        is_last = re.search(r"\b(?:esa|eso|ultima|ultimo)\b", text) is not None
        yield from meant or (pieces[-1:] if is_last else pieces)
    elif _ABOUT.search(text):
        yield from meant


def _stems(text: str) -> set[str]:
    """The words of a text that tell what it is about, without their endings."""
    return {word[:STEM] for word in _CONTENT.findall(fold(text)) if word not in FUNCTION_WORDS}
