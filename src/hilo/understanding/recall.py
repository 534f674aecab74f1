"""What we have noted of a contact, asked back: "¿qué mail te di?". Every agent answers it."""

import re

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Digress, Recall
from hilo.dialogue.session import Session
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
_EVERYTHING = re.compile(r"\b(?:datos?|info|informacion|cosas|details)\b")


def asked_back(agent: Agent, session: Session, reading: Reading) -> Recall | Digress | None:
    """The slots that a message asks back, those that are named or all; what tools found is not for contacts."""
    text = reading.text.folded
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
