"""Acts and feelings as a message of an agent with intents is heard: by the tables and the classifier together."""

from hilo.recognisers.normalise import normalise
from hilo.understanding.acts.hearing import feeling, hear, settle
from hilo.understanding.acts.recognise import Act, find_acts
from hilo.understanding.acts.sentiment import Sentiment, read_sentiment
from hilo.understanding.acts.trained import NOTHING
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.trained.features import Numbers


def heard(message: str, waiting: str = NOTHING) -> tuple[Act, ...]:
    """The acts of a message, given what is waited for."""
    text = normalise(message)
    return settle(text, find_acts(text), hear(text, waiting, encoded), waiting)


def felt(message: str) -> Sentiment:
    """The sentiment of a message."""
    text = normalise(message)
    return feeling(read_sentiment(text), hear(text, NOTHING, encoded))


def encoded(message: str) -> Numbers:
    """The sentence vector."""
    encoder = load_encoder()
    assert encoder is not None
    vector: Numbers = encoder.encode([message])[0]
    return vector
