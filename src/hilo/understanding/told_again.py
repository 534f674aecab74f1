"""Somebody says that it was told already. "Ya te dije, Ana Ruiz" tells it once more, "ya te lo dije" tells nothing."""

import re
from dataclasses import dataclass

from hilo.agent.declaration import Agent
from hilo.dialogue.session import Session
from hilo.recognisers.normalise import fold
from hilo.understanding.plain_phrases import told_before
from hilo.understanding.put_right import says_nothing_else
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import FILLERS

MOST_WORDS_AGAIN = 5  # of a value that is told once more
_SIGNS = (",", ":", ";", ".")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ToldAgain:
    """What stands beside the words that it was told: slots whose values we have, and whether that is all of it."""

    known: tuple[str, ...]
    is_all: bool


def told_again(agent: Agent, session: Session, reading: Reading) -> ToldAgain | None:
    """What a message that says so tells once more of what we know; None where it says nothing of the kind."""
    text, told = told_before().subn(" ", reading.text.folded)
    if not told or "?" in text:
        return None
    said = set(_WORD.findall(text)) - FILLERS
    words = {name: set(_WORD.findall(fold(str(value)))) for name, value in session.slots.items()}
    theirs = [name for name in words if name not in agent.found_only()]
    by_words = [name for name in theirs if words[name] and words[name] <= said]
    by_value = [name for name in theirs if name not in by_words and _has_value(agent, session, reading, name)]
    rest = said.difference(*(words[name] for name in by_words))
    return ToldAgain((*by_words, *by_value), is_all=bool(by_words) and says_nothing_else(" ".join(rest)))


def _has_value(agent: Agent, session: Session, reading: Reading, name: str) -> bool:
    """Whether the value of a slot stands in a message, however it is written there."""
    slot = agent.slots[name]
    is_told_by_shape = slot.kind.volunteered != "no"
    return is_told_by_shape and any(each.value == session.slots[name] for each in reading.values.of(slot))


def tells_anew(reading: Reading) -> bool:
    """Whether who complains that it was told tells words that may be the answer: "ya te dije, La Espiga"."""
    told = told_before().search(reading.text.folded)
    if told is None or reading.has("deny", "skip", "cancel", "human"):
        return False
    before, after = reading.text.original(0, told.start()), reading.text.original(told.end(), len(reading.text.folded))
    rest = before.rstrip() or after.lstrip()
    apart = before.rstrip().endswith(_SIGNS) if before.strip() else after.lstrip().startswith(_SIGNS)
    words = rest.strip(" ,.;:!¡").split()
    return bool(words) and len(words) <= MOST_WORDS_AGAIN and (apart or words[0][:1].isupper())


def only_complains(reading: Reading) -> bool:
    """Whether a message that opens so tells nothing: "ya te lo dije antes"."""
    return told_before().match(reading.text.folded) is not None and not tells_anew(reading)
