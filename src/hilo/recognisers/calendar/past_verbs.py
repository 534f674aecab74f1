"""Verbs in the past, which turn a day without a year to the latest one: compré el 3 de marzo."""

import re

from hilo.packs.pack import word_set_of
from hilo.recognisers.amounts.lexicon import one_of
from hilo.recognisers.amounts.tokens import Tokens, at, word
from hilo.recognisers.normalise import Text

_PAST = word_set_of("past verbs")
# written with an accent these are past without a list: llegó, salió, encontré; pagaré and iré are not
_ACCENTED = re.compile(r"\w{2,}(?:(?<![aeidb]r)é|(?<!qu)ó|[dtgcrlnsb]í)")
_NOT_PAST = word_set_of("past verbs: none")
_OBJECTS = one_of("me te se lo la los las le les nos ya no yo")
# after these another clause begins, or what was done was done for a day to come
_BREAKS = one_of("que para pa pal hasta pero porque y e ni si cuando q mejor quiero quisiera necesito")
_NOUNS = frozenset(("pedido",))
# present and past alike: near days past are meant rather than far days ahead
_EITHER = word_set_of("past verbs: or present")
_REACH = 8


def past_verbs(toks: Tokens, text: Text) -> frozenset[int]:
    """Where past verbs stand; "pague" after "que" is a wish."""
    return frozenset(
        index
        for index, token in enumerate(toks)
        if token.kind == "word" and _is_past(toks, index, text) and word(toks, index - 1) not in ("que", "q")
    )


def either_verbs(toks: Tokens) -> frozenset[int]:
    """Where verbs stand whose form is that of the present too."""
    return frozenset(index for index, token in enumerate(toks) if token.text in _EITHER)


def _is_past(toks: Tokens, index: int, text: Text) -> bool:
    token = toks[index]
    if token.text in _PAST:
        return token.text not in _NOUNS or word(toks, index - 1) in ("he", "habia", "hemos", "ha", "han")
    if text.folded.isascii() and text.raw.isascii():
        return False
    written = text.original(token.start, token.end).lower()
    return written[-1:] in "éíó" and token.text not in _NOT_PAST and bool(_ACCENTED.fullmatch(written))


def told_before(toks: Tokens, index: int, past: frozenset[int]) -> bool:
    """Whether a past verb stands before, in the same clause."""
    for back in range(index - 1, max(-1, index - 1 - _REACH), -1):
        if back in past:
            return True
        token = at(toks, back)
        if token.text in _BREAKS or (token.kind == "mark" and token.text in ",;.?!()"):
            return False
    return False


def told_right_after(toks: Tokens, end: int, past: frozenset[int]) -> bool:
    """Whether nothing but pronouns stands before the past verb that follows."""
    index = end
    while word(toks, index) in _OBJECTS and index < end + 3:
        index += 1
    return index in past
