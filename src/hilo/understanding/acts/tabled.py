"""What the tables of acts and moods find in a message, each found once: many sides of a turn ask for the same."""

from functools import lru_cache

from hilo.understanding.acts import recognise, sentiment

MOST_TEXTS = 64  # the message, its parts, and those of sessions that are heard at the same time

find_acts = lru_cache(maxsize=MOST_TEXTS)(recognise.find_acts)
read_sentiment = lru_cache(maxsize=MOST_TEXTS)(sentiment.read_sentiment)
