"""Telling the yes "sí" from the conditional "si" when the accent was left out."""

from collections.abc import Sequence

from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import Text
from hilo.recognisers.phrases import PhraseToken, word_set

CONDITION = word_set_of("condition")
ARTICLES = word_set("el la los las un una mi tu su")
PRONOUNS = word_set("me te se le les lo la los las nos")
YES_VERBS = word_set_of("yes verbs")


def is_conditional(tokens: Sequence[PhraseToken], first: int, last: int, text: Text) -> bool:
    """Whether the "si" at `first`, whose phrase ends at `last`, opens a condition and not a yes."""
    if tokens[first].text != "si" or last - first > 1 or last == len(tokens) or tokens[last].breaks:
        return False
    if "í" in text.original(tokens[first].start, tokens[first].end).lower():
        return False
    following = tokens[last].text
    if following in PRONOUNS and following not in ARTICLES and last + 1 < len(tokens):
        return tokens[last + 1].text not in YES_VERBS
    if following in ARTICLES:
        return any(token.text in CONDITION for token in tokens[last + 1 : last + 5])
    return following in CONDITION or _plural_verb(following)


def _plural_verb(word: str) -> bool:
    return len(word) > 4 and word.endswith(("an", "en", "iera", "iese")) and word not in {"tambien", "quien"}  # noqa: PLR2004
