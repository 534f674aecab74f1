"""Questions about the assistant itself, which every agent answers: what it can do, what it is, why it asks.

The plainest are known by their words, the others by what the corpus has taught of the standard intents.
"""

import re
from functools import cache, lru_cache
from typing import Literal

from hilo.agent.declaration import Agent
from hilo.packs.pack import shared_words
from hilo.understanding.intents.encoder import Encoder, load_encoder
from hilo.understanding.intents.standard import STANDARD_INTENTS, probabilities_of
from hilo.understanding.plain_phrases import alternatives_of
from hilo.understanding.reading import Reading, speaks_spanish
from hilo.understanding.trained.classifier import load_classifier

AboutUs = Literal["help", "bot", "why", "opens"]

KINDS: tuple[AboutUs, ...] = ("help", "bot", "why", "opens")

SURE_ENOUGH = 0.5  # of a standard intent

_STANDARD: dict[str, AboutUs] = {
    "ask_help": "help",
    "general_info": "help",
    "ask_if_bot": "bot",
    "ask_why_data": "why",
}
LONGEST = 80  # characters: what is longer is about something else, too


def asked_about_us(agent: Agent, reading: Reading) -> AboutUs | None:
    """What a message asks about the assistant, if it is nothing but that."""
    if len(reading.text.folded) > LONGEST:
        return None
    known = known_by_words(reading.text.folded)
    if known or not speaks_spanish(agent) or not reading.text.raw.strip():
        return known
    # An agent without intents does not load the encoder for this alone.
    encoder = load_encoder() if agent.intents else None
    learnt = reading.values.said.once("about us", lambda: _learnt(reading.text.raw, encoder))
    if learnt == "general_info" and reading.meant:
        return None  # the agent has something to tell
    return _STANDARD.get(learnt)


@lru_cache(maxsize=64)
def known_by_words(folded: str) -> AboutUs | None:
    """The same by the words of the message alone."""
    text = " ".join(folded.split())
    if len(text) > LONGEST:
        return None
    return next((kind for kind in KINDS if _asked(kind).fullmatch(text)), None)


@cache
def _asked(kind: AboutUs) -> re.Pattern[str]:
    """A question of this kind with nothing but courtesies around it."""
    before, asked, after = (alternatives_of(f"about us: {each}") for each in ("before", kind, "after"))
    return re.compile(rf"\W*(?:(?:{before})[\s,.:!¿¡]+)*(?:{asked})(?:[\s,]+(?:{after}))*\W*")


@cache
def machines() -> re.Pattern[str]:
    """Finds what a contact may take us for."""
    return re.compile("|".join(each.replace("_", " ") for each in shared_words("about us: @machine")))


def _learnt(text: str, encoder: Encoder | None) -> str:
    """The standard intent that the corpus takes a message for."""
    chances = probabilities_of(text, encoder.encode([text])[0] if encoder else None)
    best = int(chances.argmax())
    return load_classifier(STANDARD_INTENTS).labels[best] if float(chances[best]) >= SURE_ENOUGH else ""
