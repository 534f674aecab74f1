"""What the tables of acts and moods find in a message, each found once: many sides of a turn ask for the same."""

import re
from functools import lru_cache

from hilo.recognisers.normalise import Text, normalise
from hilo.understanding.acts import recognise, sentiment
from hilo.understanding.acts.sentiment import Sentiment

MOST_TEXTS = 64  # the message, its parts, and those of sessions that are heard at the same time

find_acts = lru_cache(maxsize=MOST_TEXTS)(recognise.find_acts)
read_sentiment = lru_cache(maxsize=MOST_TEXTS)(sentiment.read_sentiment)

_CAPITALISED = r"[A-ZÁÉÍÓÚÑ][a-záéíóúñü]+"
# an address of mail, a name of several words, a place: "a Morón"
_PROPER = re.compile(
    rf"\S+@\S+|{_CAPITALISED}(?:\s+(?:(?:de|del|la|y)\s+)*{_CAPITALISED})+|\b(?:a|en|de|desde|hasta)\s+{_CAPITALISED}"
)


def mood_of(text: Text) -> Sentiment:
    """The sentiment; what sounds bad is read again without names and addresses (Ana Gil is no insult)."""
    mood = read_sentiment(text)
    return read_sentiment(normalise(_PROPER.sub(" ", text.raw))) if mood.score < 0 else mood
