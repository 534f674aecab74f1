"""Whether words at a summary are a yes: a short exact table, and what no yes may have beside it.

A yes does what was asked. The classifier's word alone is not enough for one: a question, a condition, a no, a doubt, a
delay, a change or a new value anywhere in the words takes it away.
"""

import re
from collections.abc import Sequence

from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import GIVEN_NAMES
from hilo.recognisers.phrases import PhraseToken, tokens_of, word_set
from hilo.understanding.acts.conditionals import is_conditional
from hilo.understanding.acts.deeds import NO_DEED, Deed, names_another_thing, tells_to_do
from hilo.understanding.plain_phrases import pattern_of

PLAIN = word_set_of("act: plain yes")
PLAIN_PHRASES = word_set_of("act: plain phrase")
YES_BAR = 0.8  # how probable a yes must be that the exact table does not have
YES_BAR_BY_WORDS = 0.9  # the same where no encoder tells what they mean

# So probable it is one in spite of words that mostly speak against it: "no esperaba menos, mándalo así". Of three
# hands that were left out, the most probable message that such a word took a yes from rightly had 0.989.
IN_SPITE_OF_WORDS = 0.993
FEW = 2  # words that nobody knows for a yes, "Homero", "pelota": where one is waited for, the classifier hears one
SURE_OF_FEW = 0.965  # of such words: those of the corpus have more, names and things less
SURE_OF_ANOTHER_THING = 0.995  # and one that names a thing which the summary did not ask about
# that an order, a purchase or the truth is named says nothing about another thing
THINGS = word_set("""
    pedido compra orden reserva turno cita encargo trato verdad misma mismo todo todos todas tiro toque carajo
    onda neta plena vida
""")

FIRM = frozenset({"si", "sii", "sip", "confirmo", "acepto"})  # "ok", "listo", "dale" also just end a talk
BESIDE = word_set("""
    hola por favor porfa porfis che amigo amiga senor senora senorita jefe pues po pana parce bro jaja
    jajaja ah ay uy mi amor reina corazon hijo hija mijo mija
""")

# harmless beside a yes: before "está todo bien", in "m'hijo", and behind what is to be done: "mandalo igual"
_HARMLESS = re.compile(
    r"^igual (?=\w{3,}l[oa]s?\b)|(?<=l[oa]) igual$|(?<=l[oa]s) igual$|"
    r"\bm['’](?=hij[oa]\b)|^no+(?:,? no)*, (?=(?:si |asi )?(?:esta|ta) (?:todo )?(?:bien|perfecto))"
)
# what waits, told to be done
_DO_IT = re.compile(
    r"(?:si |ya |dale |ok |listo )?(?:cerra|cierra|cierre|cerre|cerremos|finaliza|finalice|"
    r"termina|termine|confirma|confirme|"
    r"manda|mande|envia|envie|despacha|despache|hace|haz|haga|reserva|reserve|agenda|agende|"
    r"anota|anote|tramita|tramite|"
    r"procesa|procese|genera|genere|carga|cargue|arma|prepara|prepare)(?:n|me|nos|lo|la|melo|"
    r"mela)? "
    r"(?:ya |nomas )?(?:el|la|mi|ese|esa|este|esta|mis|los|las) (?:pedido|compra|orden|reserva|"
    r"turno|cita|encargo|trato)"
    r"(?: ya| nomas| asi| tal cual| como esta)?"
)
# no yes has one of these, nor a phrase of [yes: against]
_AGAINST = re.compile(
    r"[?*\d]|\.\.|…|\b(?:na+h?|m+|hm+|llevo (?!es[aeo]s?\b|est[aeo]s?\b|tod[oa]s?\b|l[ao]s?\b|ya\b)\w+)\b"
    r"|\b\w{3,}l[oa]s? (?:luego|despues|dsps?|mas tarde|otro dia|manana)$"  # "resérvalo luego"
)
_ONE = re.compile(r"(?<!\bde )\buna\b")  # but "de una" means at once
_NO_CONDITION = word_set(
    "uy uh mmm jaja jajaja que pues claro obvio si sii ok dale bueno eso ahora ahi asi y ah ay listo perfecto porque"
)

_AT_LAST = re.compile(r"\b(?:ahora|ahorita|ahi|asi|ya) (?=si\b)")  # "ahora sí": a yes to what was put right
_ALL_WELL = re.compile(r"si (?:esta|ta) (?:todo )?(?:bien|perfecto|correcto|ok)\b")
_OBJECTS = ("lo", "la", "los", "las")  # with which what is to be done ends: mandalo, resérvalas


def is_yes(  # noqa: PLR0913 -- the words, how they are heard, and what was asked
    text: Text, start: int, end: int, chance: float, *, bar: float = YES_BAR, deed: Deed = NO_DEED
) -> bool:
    """Whether the words from `start` to `end` say yes to a summary, given how probable the classifier finds it.

    To tell that what waits be done is a yes, however the classifier takes it; to name another thing hardly ever is.
    """
    tokens = [token for token in tokens_of(text) if start <= token.start < end]
    said = text.folded[start:end].strip()
    if is_plain(tokens, said):
        return True
    if _is_no_yes(tokens, text, start, end):
        return False
    if _is_mostly_no_yes(_without_agreeing(text, start, end)):
        return chance >= IN_SPITE_OF_WORDS
    if tells_to_do(tokens, text, deed):
        return True
    said_words = {token.text for token in tokens}
    if len(tokens) <= FEW and not said_words & PLAIN:
        if said_words & GIVEN_NAMES:
            return False
        bar = max(bar, SURE_OF_FEW)
    if names_another_thing(tokens, deed, THINGS):
        bar = max(bar, SURE_OF_ANOTHER_THING)
    return chance >= bar


def is_plain(tokens: list[PhraseToken], said: str) -> bool:
    """Whether nothing but a yes of the exact table is said, with courtesies."""
    words = [token.text for token in tokens if token.text not in BESIDE]
    if not words or "?" in said or said.endswith(("…", "..")):
        return False
    phrase = " ".join(words)
    if phrase in PLAIN_PHRASES or _DO_IT.fullmatch(phrase):
        return True
    return all(word in PLAIN for word in _AT_LAST.sub("", pattern_of("yes: agrees").sub(" ", phrase)).split())


def is_firm_yes(text: Text, start: int, end: int) -> bool:
    """Whether these words are a yes of the exact table that does not merely end a talk."""
    tokens = [token for token in tokens_of(text) if start <= token.start < end]
    return is_plain(tokens, text.folded[start:end]) and any(token.text in FIRM for token in tokens)


def hangs_on_something(text: Text, start: int, end: int) -> bool:
    """Whether what stands behind a yes is an exception or a condition to it."""
    return pattern_of("yes: hangs").search(text.folded[start:end]) is not None


def speaks_against(text: Text, start: int, end: int) -> bool:
    """Whether something in these words takes a yes away, or mostly does, whatever else they say."""
    tokens = [token for token in tokens_of(text) if start <= token.start < end]
    if _is_no_yes(tokens, text, start, end):
        return True
    return _is_mostly_no_yes(_without_agreeing(text, start, end))


def is_taken_back(text: Text) -> bool:
    """Whether a yes that a message opens with is none after all: "sí, jaja mentira", "sí, si llega antes de las 9"."""
    return pattern_of("yes: joke").search(text.folded) is not None or _sets_a_condition(tokens_of(text), text)


def _is_no_yes(tokens: Sequence[PhraseToken], text: Text, start: int, end: int) -> bool:
    said = _without_agreeing(text, start, end)
    found = _AGAINST.search(said) or pattern_of("yes: against").search(said) or pattern_of("yes: joke").search(said)
    return found is not None or _sets_a_condition(tokens, text)


def _is_mostly_no_yes(said: str) -> bool:
    return pattern_of("yes: mostly against").search(said) is not None or _ONE.search(said) is not None


def _without_agreeing(text: Text, start: int, end: int) -> str:
    """The words without the noes that agree, and without what is harmless beside a yes."""
    said = pattern_of("yes: agrees").sub(" ", text.folded[start:end].strip(" .!¡,"))
    return _HARMLESS.sub(" ", pattern_of("yes: harmless").sub(" ", said))


def _sets_a_condition(tokens: Sequence[PhraseToken], text: Text) -> bool:
    for place, token in enumerate(tokens):
        if token.text != "si":
            continue
        if place and place + 1 < len(tokens) and tokens[place + 1].breaks:
            continue  # "Mitre 1450 si, dale"
        following = tokens[place + 1].text if place + 1 < len(tokens) else "" if tokens[0].text == "si" else "lo"
        led = not place or token.breaks or tokens[place - 1].text in _NO_CONDITION
        if not led and not following.endswith(_OBJECTS):
            return True  # "confirmo si llega hoy", but "hola, ya volví si mandalo"
        said_twice = place and tokens[place - 1].text == "si" and not token.breaks  # but "sí, si llega hoy"
        if said_twice or _ALL_WELL.match(text.folded, token.start):
            continue
        if is_conditional(tokens, place, place + 1, text):
            return True
    return False
