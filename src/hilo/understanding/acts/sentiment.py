"""How a contact feels, from −1 (furious) to 1 (delighted); an ordinary request is 0."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from hilo.recognisers.normalise import Text
from hilo.recognisers.phrases import Phrases, PhraseToken, endings_at, label, phrases_of_packs, tokens_of, word_set

# What follows a kind's underscore is its strength; the cause that is reported is the part before.
WEIGHTS: dict[str, float] = {
    "insult_strong": -0.9,
    "insult": -0.7,
    "insult_friendly": -0.2,
    "threat": -0.8,
    "anger_strong": -0.8,
    "anger": -0.65,
    "frustration": -0.65,
    "frustration_once": -0.45,
    "frustration_mild": -0.4,
    "complaint_formal": -0.4,
    "complaint_words": -0.3,
    "complaint": -0.3,
    "praise_strong": 0.8,
    "praise": 0.5,
    "thanks": 0.4,
    "neutral": 0.0,
}

# one of each kind of sign counts, however often it is repeated
EMOJI_WEIGHTS: dict[str, float] = (
    dict.fromkeys("😍🥰🤩💖💯", 0.7)
    | dict.fromkeys("😘❤💕💗💙💚💛🧡💜♥👏🎉🙌🥳", 0.5)
    | dict.fromkeys("😊😃😄😁🤗☺🙂👌", 0.1)
    | dict.fromkeys("👍", 0.2)
    | dict.fromkeys("🤬🖕", -0.8)
    | dict.fromkeys("😡👿", -0.7)
    | dict.fromkeys("😠😤💩🤮", -0.5)
    | dict.fromkeys("🙄😒👎😾", -0.35)
    | dict.fromkeys("😞😔😢☹🙁😕😩😫", -0.25)
)

NEGATORS = word_set("no ni nunca jamas tampoco not never isn aren don")
DISBELIEF = word_set("creer believe creerlo")  # "no puedo creer" denies nothing of what follows
SHOUTED_LETTERS = 8
SHOUTED_SHARE = 0.8
FEWEST_MARKS = 2
ANGRY_SIGN = -0.5
_SUPERLATIVE = re.compile(r"([a-z]{2,20})isim([oa])s?")


@dataclass(frozen=True, slots=True)
class Sentiment:
    """The score and the causes that made it: insult, threat, anger, frustration, complaint, praise, thanks."""

    score: float
    causes: tuple[str, ...]


def read_sentiment(text: Text) -> Sentiment:
    """Phrases weighed by kind, turned by a negation before them, sharpened by capitals and exclamation marks."""
    tokens = tokens_of(text)
    weighed = [*_weighed(tokens), *_signs(text)]
    if not weighed:
        return Sentiment(0.0, ())
    bad = _together(-weight for _, weight in weighed if weight < 0)
    good = _together(weight for _, weight in weighed if weight > 0)
    emphasis = _emphasis(text) if bad else {}
    for factor in emphasis.values():
        bad = min(1.0, bad * factor)
    causes = dict.fromkeys([*(cause for cause, weight in weighed if weight), *emphasis])
    return Sentiment(round(good * (1 - bad) - bad, 2), tuple(causes))


@cache
def _phrases() -> Phrases:
    return phrases_of_packs("mood", {kind.replace("_", " "): kind for kind in WEIGHTS})


def _weighed(tokens: Sequence[PhraseToken]) -> Iterator[tuple[str, float]]:
    """The longest phrase at each word with its weight."""
    labels = [_superlative(token.text) or names for token, names in zip(tokens, label(_phrases(), tokens), strict=True)]
    index = 0
    while index < len(tokens):
        found = [fit for fit in endings_at(_phrases(), labels, index) if _fits(fit[0].closes, fit[1], tokens)]
        if not found:
            index += 1
            continue
        ending, last = max(found, key=lambda fit: fit[1])
        weight = WEIGHTS[ending.kind]
        yield ending.kind.partition("_")[0], -weight / 2 if _negated(tokens, index) else weight
        index = last


def _superlative(word: str) -> tuple[str, ...]:
    """Flojísimo weighs like pésimo, riquísima like excelente, whatever the adjective."""
    match = _SUPERLATIVE.fullmatch(word)
    if not match or word in _phrases().labels:
        return ()
    stem, ending = match.group(1), match.group(2)
    stem = stem[:-2] + "c" if stem.endswith("qu") else stem
    base = {name for letter in (ending, "e", "") for name in _phrases().labels.get(stem + letter, ())}
    return ("@bad",) if base & {"@poor", "@bad"} else ("@great",) if base & {"@fine", "@great"} else ()


def _signs(text: Text) -> Iterator[tuple[str, float]]:
    """Faces, hearts and hands, once each."""
    if text.raw.isascii():
        return
    for sign in dict.fromkeys(text.raw):
        weight = EMOJI_WEIGHTS.get(sign, 0.0)
        if weight:
            yield ("praise" if weight > 0 else "anger" if weight <= ANGRY_SIGN else "frustration"), weight


def _fits(closes: bool, last: int, tokens: Sequence[PhraseToken]) -> bool:  # noqa: FBT001
    return not closes or last == len(tokens) or tokens[last].breaks


def _negated(tokens: Sequence[PhraseToken], index: int) -> bool:
    """A negator within three words before, in the same clause; a phrase that starts with one has its own weight."""
    if tokens[index].text in NEGATORS:
        return False
    for place in range(index - 1, max(-1, index - 4), -1):
        if tokens[place + 1].breaks or tokens[place].text in DISBELIEF:
            return False
        if tokens[place].text in NEGATORS:
            return True
    return False


def _together(weights: Iterable[float]) -> float:
    """Several causes add up without passing one."""
    rest = 1.0
    for weight in weights:
        rest *= 1 - min(1.0, weight)
    return 1 - rest


def _emphasis(text: Text) -> dict[str, float]:
    letters = [letter for letter in text.raw if letter.isalpha()]
    shouted = sum(letter.isupper() for letter in letters) >= SHOUTED_SHARE * max(len(letters), SHOUTED_LETTERS)
    marks = len(re.findall(r"[!¡]", text.folded)) >= FEWEST_MARKS
    return {name: 1.25 for name, present in (("capitals", shouted), ("exclamation", marks)) if present}
