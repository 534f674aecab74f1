"""What we have noted of a contact, asked back: "¿qué mail te di?". Every agent answers it."""

import re

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Digress, Recall
from hilo.dialogue.session import Session
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_words import FUNCTION_WORDS
from hilo.understanding.reading import Reading

LONGEST = 80  # characters: what is longer says something else, too
FEW_WORDS = 4  # "¿qué anotaste?" asks for all of it
_GAVE = r"(?:te|le|les) (?:di|pase|deje|mande|dije|puse|escribi|habia dado|habia dicho)"
_NOTED = r"(?:anotad|guardad|registrad|apuntad|cargad)[oa]s?"
_HAVE = r"(?:tenes|tienes|tiene|tienen|quedo|quedaron|figura|figuran)"
_NOTE = r"(?:anotaste|anoto|anotaron|guardaste|guardaron|registraste|registraron|apuntaste|pusiste|pusieron)"
_OURS = rf"{_HAVE} {_NOTED}|{_NOTED} (?:{_HAVE})?|me {_HAVE}|{_HAVE} (?:mi[oa]s?|de mi)|(?:mi[oa]s?|de mi) {_HAVE}"
_ASKED_BACK = re.compile(rf"\b(?:{_GAVE}|{_NOTE}|{_OURS}|i (?:gave|told) you)\b")
_WHAT = re.compile(
    r"\W*(?:y |ok |che |oye |oiga |perdon |disculpa |a ver |decime |dime |digame )*"
    r"(?:a |con |en |de )?(?:que|q|cual|cuales|what|which)\b"
)
_IS_NOTED = re.compile(
    rf"\b(?:{_NOTE}|(?:quedo|esta|tiene|tienes|tenes) {_NOTED}) (?:lo|eso)\b|\blo de.* (?:lo )?{_NOTE}\b"
)
_STANDS = re.compile(
    r"\b(?:quedo|quedaron|queda|sigue|siguen|anotaron|anoto|anotaste|pusieron|puso|pusiste|guardaron|guardo|"
    r"guardaste)\b"
)
_ASKS_IF = re.compile(r"\b(?:pregunto|preguntaba|saber|digame|dime|decime|confirmeme|confirmame) si\b")
_CONTENT = re.compile(r"\d+|\w{3,}")
SHARED = 2  # words of a note that tell that it is meant
_EVERYTHING = re.compile(r"\b(?:datos?|info|informacion|cosas|details)\b")


def asks_what_stands(agent: Agent, session: Session, reading: Reading) -> tuple[str, ...]:
    """The slots of which a message asks whether they are noted: "¿quedó el barrio?", "¿sigue lo de las 5?"."""
    text = reading.text.folded
    asks = reading.asks or "?" in reading.text.raw or _ASKS_IF.search(text)
    if not asks or len(text) > LONGEST or not _STANDS.search(text):
        return ()
    own = [name for name in session.slots if name not in agent.found_only()]
    named = {mention.slot for mention in reading.mentions}
    said = set(_CONTENT.findall(text)) - FUNCTION_WORDS
    notes = [name for name in own if agent.slots[name].kind.is_note]
    told = [name for name in notes if len(said & set(_CONTENT.findall(fold(str(session.slots[name]))))) >= SHARED]
    return tuple(name for name in own if name in named or name in told)


def asked_back(agent: Agent, session: Session, reading: Reading) -> Recall | Digress | None:
    """The slots that a message asks back, those that are named or all; what tools found is not for contacts."""
    text = reading.text.folded
    if standing := asks_what_stands(agent, session, reading):
        return Recall(standing)
    notes = tuple(name for name, slot in agent.slots.items() if slot.kind.is_note)
    if notes and len(text) <= LONGEST and reading.asks and _IS_NOTED.search(text):
        return Recall(notes) if session.slots.keys() & set(notes) else Digress("told")
    if len(text) > LONGEST or not _WHAT.match(text) or not _ASKED_BACK.search(text):
        return None
    own = [name for name in session.slots if name not in agent.found_only()]
    named = {mention.slot for mention in reading.mentions}
    if named:
        return Recall(tuple(name for name in own if name in named))
    is_all = _EVERYTHING.search(text) or len(text.split()) <= FEW_WORDS
    return Recall(tuple(own)) if is_all else None
