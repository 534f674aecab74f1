"""Which words may be the name of a town that is in no list: "El Salado" may, "uy no, qué pena" may not."""

import re

from hilo.packs.pack import word_set_of
from hilo.recognisers.amounts.lexicon import number_words
from hilo.recognisers.normalise import Text, words
from hilo.recognisers.people.name_words import FUNCTION_WORDS, KIN
from hilo.recognisers.phrases import word_set

LONGEST_TOWN = 5  # words

# of the words that belong to no name of a person, those that towns have
_IN_TOWNS = word_set("buenos buenas buen buena bajo entre paso punto of the")
_CHAT = word_set_of("towns: small talk")
_NO_TOWN = (FUNCTION_WORDS - _IN_TOWNS) | KIN | _CHAT
_LAUGHS = re.compile(r"[jh]([aeiou])(?:[jh]\1)+[jh]?|a?(?:ja)+j?|k{2,}|(?:xd)+")


def may_be_town(text: Text) -> bool:
    """Whether a few words may be a town; no denial, number, laughter, verb or function word is part of one."""
    said = [word.text for word in words(text)]
    digits = any(map(str.isdigit, text.folded))
    return 0 < len(said) <= LONGEST_TOWN and not digits and "?" not in text.raw and not any(map(_is_no_town, said))


def _is_no_town(word: str) -> bool:
    return word in _NO_TOWN or word in number_words() or _LAUGHS.fullmatch(word) is not None
