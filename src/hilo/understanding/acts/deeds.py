"""The verb of what waits: "¿Emito los pasajes?" is answered by "emitilos", "¿Lo cierro?" by "cerrame eso".

The verbs and the things come from the question itself, so that no list of them is needed. Told to be
done, with nothing beside it but small words and the thing that was asked about, it is a yes.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import Text, fold
from hilo.recognisers.phrases import PhraseToken, word_set

_QUESTION = re.compile(r"¿([^¿?]*)\?")
_WORD = re.compile(r"[a-z]+")
_EITHER = frozenset({"o", "u", "or"})
# before a thing, not before what is to be done
_ARTICLES = word_set("el la los las un una unos unas mi mis tu tus su sus este esta ese esa estos estas del al de")
_BEFORE_THINGS = _ARTICLES - {"de", "del", "al"}
_PRONOUNS = word_set("lo la los las te me se nos le les os")
_NO_DEED = word_set_of("no deed")
_VERB = re.compile(r"(\w{3,}?)(?:amos|emos|imos|ar|er|ir|as|es|is|an|en|o|a|e)$")
_FORM = re.compile(r"(?:amos|emos|imos|ar|er|ir|an|en|ad|ed|id|a|e|o|i)?(?:me|te|se|nos|le|les|os)?(?:lo|la|los|las)?")
# what may stand beside it without changing it; whatever speaks against a yes is looked for elsewhere
_SMALL = _PRONOUNS | word_set_of("beside a deed")
_TOLD_BEFORE = ("ó", "é", "í")  # cerró, mandé: what was done, by somebody; an order has no such ending but in "emití"


@dataclass(frozen=True, slots=True)
class Deed:
    """What was asked about: the stems of its verbs, and the things that it named."""

    verbs: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()


NO_DEED = Deed()


@lru_cache(maxsize=512)
def deed_of(question: str) -> Deed:
    """What a summary asks to be done; nothing where it asks for one of two things."""
    verbs: set[str] = set()
    things: set[str] = set()
    asked = _QUESTION.findall(fold(question))
    for words in map(_WORD.findall, asked[-1:]):
        if _EITHER & set(words):
            return NO_DEED
        for before, word in zip(["", *words], words, strict=False):
            if word in _NO_DEED | _PRONOUNS:
                continue
            # "¿La reservo?", "¿Agendo la visita?": after a verb an article is one, before it a pronoun
            if before in _ARTICLES and (verbs or before not in _PRONOUNS):
                things.add(_singular(word))
            elif stem := _stem(word):
                verbs.add(stem)
    return Deed(frozenset(verbs), frozenset(things))


def _stem(word: str) -> str:
    found = _VERB.fullmatch(word)
    return _plain(found.group(1)) if found else ""


def _plain(word: str) -> str:
    """Cierro and cerrar, muevo and mover begin alike."""
    return word.replace("ie", "e").replace("ue", "o")


def _singular(word: str) -> str:
    return re.sub(r"e?s?$", "", word)


def tells_to_do(tokens: list[PhraseToken], text: Text, deed: Deed) -> bool:
    """Whether nothing is said but that what waits be done."""
    told = False
    for token in tokens:
        word = token.text
        if _is_form(word, deed) and not text.original(token.start, token.end).strip().endswith(_TOLD_BEFORE):
            told = True
        elif word not in _SMALL and _singular(word) not in deed.things:
            return False
    return told


def _is_form(word: str, deed: Deed) -> bool:
    plain = _plain(word)
    return any(plain.startswith(stem) and _FORM.fullmatch(plain, len(stem)) for stem in deed.verbs)


def names_another_thing(tokens: list[PhraseToken], deed: Deed, known: frozenset[str]) -> bool:
    """Whether a thing is named that was not asked about: "cerrá la sesión", "mandame los precios"."""
    for before, token in pairwise(tokens):
        if before.text not in _BEFORE_THINGS or token.text in known | _SMALL | _ARTICLES:
            continue
        if _singular(token.text) not in deed.things and not _is_form(token.text, deed):
            return True
    return False
