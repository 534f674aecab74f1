"""Where in a message another act may begin: after a mark, before a connector, a question or thanks."""

from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import Text
from hilo.recognisers.phrases import PhraseToken, tokens_of

MOST_CUTS = 6  # more is a speech, and each costs two looks at its sides
OPENS = word_set_of("opens an act")
OPENING_PAIRS = frozenset({
    *(("a", each) for each in ("que", "cuanto", "donde")),
    *(("hasta", each) for each in ("que", "cuando", "donde")),
    *(("en", "cuanto"), ("por", "que"), ("se", "puede"), ("tengo", "que"), ("eso", "si"), ("mas", "bien")),
})  # fmt: skip
_MARKS = frozenset("?!¿¡;…")


def cuts(text: Text) -> tuple[int, ...]:
    """The places of the folded text where another act may begin."""
    tokens = tokens_of(text)
    found = [_start(text, tokens[place]) for place in range(1, len(tokens)) if _may_begin(text, tokens, place)]
    return tuple(found[:MOST_CUTS])


def _may_begin(text: Text, tokens: tuple[PhraseToken, ...], place: int) -> bool:
    token = tokens[place]
    if token.breaks or token.emoji:
        gap = text.folded[tokens[place - 1].end : token.start]
        return " " in gap or not _MARKS.isdisjoint(gap)  # no comma inside a number, no dot inside an address
    following = tokens[place + 1].text if place + 1 < len(tokens) else ""
    return token.text in OPENS or (token.text, following) in OPENING_PAIRS


def _start(text: Text, token: PhraseToken) -> int:
    """Where a part begins, with the marks that open it."""
    start = token.start
    while start and text.folded[start - 1] in "¿¡":
        start -= 1
    return start
