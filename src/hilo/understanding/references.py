"""Words that refer to what was named before, written out before a message is read.

"Dos de ésas" is read as two of what a tool told of last, "la más barata" as the cheapest of its list, "eso entre
cuatro" as the last result by four. Everything else then reads the message as if it had been said in full.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache

from hilo.agent.declaration import Agent
from hilo.dialogue.memory import things
from hilo.dialogue.session import AskedArgument, AskedSlot, Remembered, Session
from hilo.recognisers.amounts.going_on import goes_on
from hilo.recognisers.amounts.lexicon import numeral
from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.phrases import word_set
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.orders.described import described
from hilo.understanding.orders.words import ADJECTIVES, ARTICLES, BARE_UNITS, CLASSES, FILLERS, MEASURES, ONE, PACKAGES
from hilo.understanding.parts import joints
from hilo.understanding.plain_phrases import pattern_of

LONGEST = 200  # characters of a message that is looked at
MOST_DESCRIBING = 4  # words that tell a kind

_PLACES = {"prime": 1, "segun": 2, "terce": 3, "cuart": 4, "quint": 5, "ultim": -1}
_ORDINAL = re.compile(r"\b(?:el|la|las|los) (prime|segun|terce|cuart|quint|ultim)\w*\b")
_KIND = re.compile(r"\b(?:el|la|los|las) de ([\w.,]+(?: [\w.,]+)?)(?=\W*$)")
# so many of a size or kind: "dos de 2,25 y una fanta", "2 de las de litro y medio y unas papas"
_COUNTED = re.compile(
    r"\b(?:un[oa]?|dos|tres|cuatro|cinco|seis|ocho|diez|doce|\d{1,2}) de (?:las? |los |el )?(?:de )?(?=\w)"
)
# a message that only says which one: "las clásicas", "bueno, el tinto"
_ALONE = re.compile(
    r"\W*(?:(?:y|bueno|dale|ok|si|entonces|mejor)\W+)*(?:el|la|los|las) (?:de )?([^\W\d]+(?: [^\W\d]+)?)\W*"
)
_PACKAGE = re.compile(r"\b(?=(\w+) ([^\W\d]+)(?: ([^\W\d]+))?)")
_OF_A_THING = re.compile(r" (?:de|d|con|para)\b(?! \d)")
_NUMBER = re.compile(r"-?\d[\d.,]*(?: [^\W\d_ ]+){0,3}")  # with what it counts: 12,50 euros
_WORD = re.compile(r"\w+")
_COUNTS = word_set("quiero llevo una uno un par dos tres cuatro cinco seis ocho diez doce docena media two three")
_AFTER = word_set("y por para mas tambien nomas entonces mejor cual cuanto que")


@dataclass(frozen=True, slots=True)
class Reference:
    """Words of a message, and what they were taken for."""

    start: int
    end: int
    meant: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """A text with its references written out, and what each was taken for."""

    text: str
    references: tuple[tuple[str, str], ...] = ()


def resolved(agent: Agent, session: Session, text: str) -> Resolved:
    """Write out what a message refers to."""
    named = things(session)
    if not named or len(text) > LONGEST or _answers_in_words(agent, session):
        return Resolved(text)
    said = normalise(text)
    found = next(_references(said.folded, named, session), None) or _the_moment(agent, session, said)
    if found is None:
        return Resolved(text)
    start, end = said.span(found.start, found.end)
    whole = f"{text[:start]}{found.meant}{text[end:]}"
    return Resolved(whole, ((text[start:end] or "…", found.meant.strip()),))


def _answers_in_words(agent: Agent, session: Session) -> bool:
    """Whether we wait for words of the contact's own, in which nothing is to be replaced."""
    pending = session.pending
    if not isinstance(pending, AskedSlot):
        return False
    kind = agent.slots[pending.slot].kind
    return kind.is_free or kind.names_person or bool(kind.place)


def _the_moment(agent: Agent, session: Session, said: Text) -> Reference | None:
    """Ese, dale, ese está bien: the day or hour that was named last, where one is asked for."""
    pending, named = session.pending, last_named(session)
    if not named or not isinstance(pending, AskedSlot) or not agent.slots[pending.slot].kind.is_when:
        return None
    acts = find_acts(said)
    if any(act.kind == "deny" for act in acts) or "no" in said.folded.split():
        return None
    if any(act.kind == "affirm" and act.whole for act in acts):
        return Reference(0, len(said.folded), named)
    that = pattern_of("that one").search(said.folded)
    return Reference(*that.span(), named) if that else None


def last_named(session: Session) -> str:
    """What was named last: one thing, or what all of a list are called."""
    return _what(tuple(each for each in things(session) if not _is_number(each)))


def _references(text: str, named: tuple[Remembered, ...], session: Session) -> Iterator[Reference]:
    if _is_number(named[-1]):
        yield from _to_a_number(text, str(named[-1].value))
    goods = tuple(each for each in named if not _is_number(each))
    offered = session.pending.offered if isinstance(session.pending, AskedArgument) else ()
    if goods:
        yield from _to_a_price(text, goods, offered)
        if not offered:  # what was offered is chosen from elsewhere
            yield from _to_a_place(text, goods)
            yield from _to_the_last(text, goods)
            yield from _to_a_package(text, goods)
            yield from _to_a_kind(text, goods)


# --- numbers ------------------------------------------------------------------------------------------------


def _is_number(thing: Remembered) -> bool:
    is_named = bool(thing.place) or thing.price is not None
    return isinstance(thing.value, int | Decimal) or (not is_named and _NUMBER.fullmatch(str(thing.value)) is not None)


def _to_a_number(text: str, number: str) -> Iterator[Reference]:
    """Eso entre cuatro, el resultado por 2, y más 10."""
    for said in pattern_of("that number").finditer(text):
        if any(letter.isalnum() for letter in text.replace(said[0], "")):
            yield Reference(*said.span(), number)
    for start, end, meant in goes_on(text, number):
        yield Reference(start, end, meant)


# --- things -------------------------------------------------------------------------------------------------


def _to_a_price(text: str, named: tuple[Remembered, ...], offered: tuple[str, ...]) -> Iterator[Reference]:
    """La más barata, lo más caro: of what was listed with prices, and of what is offered where that is known."""
    priced = [(each, price) for each in named if each.place and (price := _price(each)) is not None]
    if offered:
        priced = [pair for pair in priced if pair[0].value in offered]
    for section, sign in (("cheapest", 1), ("dearest", -1)):
        for said in pattern_of(section).finditer(text):
            if priced:
                best = min(priced, key=lambda pair: sign * pair[1])
                yield Reference(*said.span(), str(best[0].value))


def _price(thing: Remembered) -> Decimal | None:
    try:
        return None if thing.price is None else Decimal(str(thing.price))
    except InvalidOperation:
        return None


def _to_a_place(text: str, named: tuple[Remembered, ...]) -> Iterator[Reference]:
    """La segunda, el último."""
    listed = [each for each in named if each.place]
    for said in _ORDINAL.finditer(text):
        place = _PLACES[said[1]]
        if listed and place <= len(listed) and _stands_alone(text, said.end()):
            yield Reference(*said.span(), str(listed[place - 1 if place > 0 else -1].value))


def _to_the_last(text: str, named: tuple[Remembered, ...]) -> Iterator[Reference]:
    """Dos de ésas, quiero esa, otra igual."""
    what = _what(named)
    for said in pattern_of("that one").finditer(text):
        is_all = said[0] == text.strip(" .!")
        if is_all or (_is_led(text[: said.start()]) and _stands_alone(text, said.end())):
            yield Reference(*said.span(), f"1 {what}" if is_all or not what else what)
    if not what:
        return
    for said in pattern_of("same again").finditer(text):
        first = said[0].split()[0]
        yield Reference(*said.span(), what if first == "iguales" else f"{first} {what}")


def _is_led(before: str) -> bool:
    """Whether what follows is ordered or counted: "dame dos de", and not "una fanta de"."""
    said = _WORD.findall(before)
    if said[-1:] == ["de"]:
        said = said[:-1]
    return bool(said) and (said[-1] in _leading() or said[-1].isdigit())


def _to_a_package(text: str, named: tuple[Remembered, ...]) -> Iterator[Reference]:
    """Cuánto sale la bolsa, dos botellas grandes: a package of what was shown, which its name may not tell."""
    what = _what(named)
    names = [str(each.value) for each in named if each.place] or [what]
    for said in _PACKAGE.finditer(text) if what else ():
        package, looks = said[2], said[3] or ""
        is_named = bool(described(package, names))
        is_counted = said[1] in ONE or said[1].isdecimal() or numeral(said[1]) is not None
        if package.removesuffix("s") not in _packages() or not (said[1] in ARTICLES or (is_named and is_counted)):
            continue
        if looks.split() and not ADJECTIVES.issuperset(looks.split()):
            looks = ""
        end = said.end(3) if looks else said.end(2)
        if not _OF_A_THING.match(text, end):
            yield Reference(said.start(2), end, f"{what} {package if is_named else ''} {looks}".strip())


@cache
def _packages() -> frozenset[str]:
    """What goods come in, without measures: bolsa, lata, paquete."""
    return PACKAGES.union(said for said, unit in BARE_UNITS.items() if unit not in MEASURES)


def _to_a_kind(text: str, named: tuple[Remembered, ...]) -> Iterator[Reference]:
    """El de manzana, la de 2.25: one of the list, or what those are called that fit."""
    listed = [each for each in named if each.place]
    whole = _ALONE.fullmatch(text)
    alone = [(said.span(), said[1]) for said in _KIND.finditer(text)]
    bare = [(whole.span(), whole[1])] if whole else []
    for (start, end), kind in (*bare, *alone, *_counted_kinds(text)):
        names = described(kind, [str(each.value) for each in listed])
        fitting = tuple(each for each in listed if each.value in names)
        wish = "1 " if whole and start == whole.start() else ""  # who says but which one wants one
        if len(fitting) == 1:
            yield Reference(start, end, f"{wish}{fitting[0].value}")
        elif what := _shared(fitting or (named if wish and ADJECTIVES.issuperset(kind.split()) else ())):
            yield Reference(start, end, f"{wish}{what} {kind}")


def _counted_kinds(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """What stands between a number and the next thing of the message, or its end: "2 de las chicas, y una fanta"."""
    for said in _COUNTED.finditer(text):
        start = said.end()
        ends = [each.start for each in joints(text) if each.start > start]
        end = min((*ends, len(text.rstrip(" .!?"))))
        kind = text[start:end]
        if len(kind.split()) <= MOST_DESCRIBING:
            yield (start, end), kind


def _what(named: tuple[Remembered, ...]) -> str:
    """The thing that was named last; of a list, what all in it are called."""
    if not named:
        return ""
    return str(named[-1].value) if not named[-1].place else _shared(named)


def _shared(named: tuple[Remembered, ...]) -> str:
    """The words with which all names begin: Coca-Cola 500 ml, Coca-Cola 1,5 l."""
    names = [str(each.value).split() for each in named if each.place]
    if len(names) == 1:
        return " ".join(names[0])
    shared: list[str] = []
    for words in zip(*names, strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return " ".join(shared)


# --- the words ----------------------------------------------------------------------------------------------


@cache
def _leading() -> frozenset[str]:
    """Words after which "esa" stands for a thing: verbs of ordering, numbers."""
    return _COUNTS.union(CLASSES["add_verb"], CLASSES["wish"], CLASSES["buy"])


def _stands_alone(text: str, end: int) -> bool:
    """Whether no noun follows: "esas dos", "la segunda, porfa", and not "esas galletitas"."""
    rest = text[end:].lstrip()
    word = _WORD.match(rest)
    return word is None or word[0] in _AFTER or word[0] in FILLERS
