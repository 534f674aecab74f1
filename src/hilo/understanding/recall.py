"""What we have noted of a contact, asked back ("¿qué mail te di?") or told once more ("ya te dije, Ana Ruiz").

Every agent answers it.
"""

import re

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Recall
from hilo.dialogue.session import Session
from hilo.recognisers.normalise import fold
from hilo.understanding.plain_phrases import told_before
from hilo.understanding.put_right import says_nothing_else
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import FILLERS

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
_WORD = re.compile(r"\w+")
_EVERYTHING = re.compile(r"\b(?:datos?|info|informacion|cosas|details)\b")


def asked_back(agent: Agent, session: Session, reading: Reading) -> Recall | None:
    """The slots that a message asks back, those that are named or all; what tools found is not for contacts."""
    text = reading.text.folded
    if len(text) > LONGEST or not _WHAT.match(text) or not _ASKED_BACK.search(text):
        return None
    own = [name for name in session.slots if name not in agent.found_only()]
    named = {mention.slot for mention in reading.mentions}
    if named:
        return Recall(tuple(name for name in own if name in named))
    is_all = _EVERYTHING.search(text) or len(text.split()) <= FEW_WORDS
    return Recall(tuple(own)) if is_all else None


def told_again(agent: Agent, session: Session, reading: Reading) -> Recall | None:
    """The slots whose value is told once more, and nothing else: who says so hears that it is known."""
    text, told = told_before().subn(" ", reading.text.folded)
    if not told or "?" in text:
        return None
    said = set(_WORD.findall(text)) - FILLERS
    known = {name: set(_WORD.findall(fold(str(value)))) for name, value in session.slots.items()}
    again = [name for name, words in known.items() if words and words <= said and name not in agent.found_only()]
    rest = said.difference(*(known[name] for name in again))
    return Recall(tuple(again)) if again and says_nothing_else(" ".join(rest)) else None
