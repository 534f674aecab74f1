"""What a message does where the tables of words are not sure: the trained classifier's word, with a bar for each act.

The tables go first: where one of them covers the whole message, or hears an answer, it is believed. A yes does what
was asked, so the classifier alone never makes one: it says whether a yes that the tables heard in a part of the
message is one of the whole, and may take a doubtful one away.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hilo.recognisers.normalise import Text
from hilo.understanding.acts.recognise import Act
from hilo.understanding.acts.sentiment import Sentiment
from hilo.understanding.acts.trained import ACTS, CONFIRMATION, MIXED, NOTHING, SLOT, contexts_of, vector_in
from hilo.understanding.trained.classifier import load_classifier
from hilo.understanding.trained.features import Numbers

# the acts of the corpus in the words of the tables; the others leave a message to values, orders and intents
KINDS: Mapping[str, str] = {
    "affirm": "affirm",
    "deny": "deny",
    "cancel": "cancel",
    "ask_human": "human",
    "info_question": "question",
    "greet": "greet",
    "thanks": "thanks",
}
# how probable an act must be, by what is waited for; what is not named is not taken from the classifier
BARS: Mapping[str, Mapping[str, float]] = {
    CONFIRMATION: {
        "affirm": 0.93,
        "deny": 0.6,
        "cancel": 0.7,
        "ask_human": 0.9,
        "info_question": 0.7,
        "thanks": 0.6,
    },
    SLOT: {"deny": 0.85, "cancel": 0.85, "ask_human": 0.9, "info_question": 0.8, "thanks": 0.8},
    NOTHING: {"ask_human": 0.8, "info_question": 0.7, "greet": 0.7, "thanks": 0.7},
}
SETTLED = frozenset({"affirm", "deny", "cancel", "correct", "human", "skip"})  # heard by the tables: believed
FOR_A_YES = frozenset({"affirm", MIXED})
SURE_AGAINST_A_YES = 0.8
BAD_TEMPER = 0.6  # how probable anger must be
DISPLEASED = Sentiment(-0.5, ("tone",))  # bad, and short of what calls a person by itself
NOTICED = -0.2  # a sentiment that the tables have noticed themselves


@dataclass(frozen=True, slots=True)
class HeardAct:
    """What the classifier makes of a message: the likeliest act of the corpus, and how probable it is."""

    act: str
    chance: float


def hear(text: Text, waiting: str, vector: Numbers | None) -> HeardAct:
    """Ask the classifier; without a sentence vector it goes by the words alone."""
    placed = vector_in(waiting, vector) if vector is not None else None
    classifier = load_classifier(ACTS)
    chances = classifier.probabilities(text.raw, contexts_of(waiting), placed)
    best = int(chances.argmax())
    return HeardAct(classifier.labels[best], float(chances[best]))


def settle(text: Text, acts: Sequence[Act], heard: HeardAct, waiting: str) -> tuple[Act, ...]:
    """The acts of the tables with what the classifier adds, or without a yes that it is sure was none."""
    kind = waiting.partition(":")[0]
    if kind == CONFIRMATION and heard.act not in FOR_A_YES and heard.chance >= SURE_AGAINST_A_YES:
        acts = [act for act in acts if act.kind != "affirm"]  # "listo?", "bueno…", "puede ser"
    bar = BARS[kind].get(heard.act)
    if bar is None or heard.chance < bar or (kind == SLOT and _may_be_a_value(text, heard)):
        return tuple(acts)
    added = Act(KINDS[heard.act], 0, len(text.folded), whole=True, confidence=round(100 * heard.chance))
    same = [act for act in acts if act.kind == added.kind]
    others = [act for act in acts if act.kind != added.kind]
    if any(act.whole or act.kind in SETTLED for act in others):
        return tuple(acts)
    return (added, *others) if bool(same) == (added.kind == "affirm") else tuple(acts)


def _may_be_a_value(text: Text, heard: HeardAct) -> bool:
    """Whether a message looks like the value that was asked for, whatever else it sounds like."""
    return heard.act == "deny" and any(letter.isdigit() or letter == "@" for letter in text.folded)


def feeling(found: Sentiment, heard: HeardAct) -> Sentiment:
    """The sentiment, also where anger is told without one of the words of anger."""
    if heard.act == "negative" and heard.chance >= BAD_TEMPER and found.score > NOTICED:
        return DISPLEASED
    return found
