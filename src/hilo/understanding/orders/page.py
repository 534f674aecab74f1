"""A message as orders are read in it: its tokens, what they count, and the verbs of ordering."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from hilo.recognisers.amounts.lexicon import ONES
from hilo.recognisers.amounts.numbers import numbers_of, plain
from hilo.recognisers.amounts.numerals import THINGS_TOO
from hilo.recognisers.amounts.quantities import find_quantities
from hilo.recognisers.amounts.tokens import Token, Tokens, at, tokens, touches, word
from hilo.recognisers.normalise import ABBREVIATIONS, Text
from hilo.recognisers.phrases import Phrases, PhraseToken, compile_phrases, endings_at, label
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.orders import words

if TYPE_CHECKING:
    from hilo.understanding.orders.spots import Shelf

IsWord = Callable[[str], bool]

_KEPT = frozenset(("x", "k", "d", "q"))  # marks of a quantity or a size before they are abbreviations
_RANK = {"keep": 6, "none": 5, "set": 4, "remove": 3, "add": 2, "change": 1}
_ENDS = frozenset(".;!?¿¡")
_SHORTEST_VERB = 3
_THINGS = THINGS_TOO | {"six", "twelve"}
_SYMBOLS = "\u2190"  # arrows, and all pictures after them


@dataclass(frozen=True, slots=True)
class Count:
    """So many, of a unit if one was said, and the tokens that say it (the last one not included)."""

    value: int | Decimal
    unit: str
    first: int
    last: int
    said: bool = True  # a number, and not an article


@dataclass(frozen=True, slots=True)
class Verb:
    """What a verb does to the order, and the tokens it spans; `refers` when a pronoun says what it is about."""

    kind: str
    first: int
    last: int
    refers: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """What is known of each token."""

    toks: Tokens
    counts: dict[int, Count]
    verbs: dict[int, Verb]
    openings: frozenset[int]
    listed: frozenset[int]
    asked: frozenset[int] = frozenset()

    def word(self, index: int) -> str:
        """The word or mark at a token, nothing beyond the ends."""
        return word(self.toks, index)

    def says(self, index: int, phrase: str) -> bool:
        """Whether a phrase stands at a token."""
        return all(self.word(index + place) == part for place, part in enumerate(phrase.split()))

    def past(self, index: int, skipped: frozenset[str]) -> int:
        """The first token from one on that is none of some words, or counts."""
        while self.word(index) in skipped and index not in self.counts:
            index += 1
        return index

    def ends(self, index: int) -> bool:
        """Whether nothing that matters stands at a token: the end, a mark, a joiner or courtesy."""
        ends = at(self.toks, index).kind in {"end", "mark"} or index in self.openings
        return ends or self.word(index) in words.FILLERS | words.JOINERS | words.ONLY

    def instead(self, index: int) -> int:
        """Where "en vez de" ends that stands at a token, 0 where none does."""
        return next((index + len(each.split()) for each in words.INSTEAD if self.says(index, each)), 0)

    def is_code(self, index: int) -> bool:
        """Whether digits here belong to a code or a float such as 1e9."""
        glued = touches(self.toks, index + 1) and touches(self.toks, index + 2) and self.word(index + 1) == "e"
        return glued and at(self.toks, index).kind == at(self.toks, index + 2).kind == "digits"


def read_page(text: Text, country: str, shelf: "Shelf | None" = None) -> Page:
    """The page of a message; a word that names something sold is no misspelled verb, and no unit."""
    is_sold, is_named = (shelf.is_sold, shelf.is_head) if shelf else (_is_nothing, _is_nothing)
    toks = _without_ordinals(text, _plain_tokens(text))
    openings = frozenset(_openings(text, toks))
    verbs = _verbs(toks, openings, is_sold)
    counts = _counts(text, toks, verbs, (country, is_sold, is_named))
    bullets = {index + 1 for index in openings if word(toks, index) in words.BULLETS}
    lined = len(toks) < len(tokens(text.folded)) or "\n" in text.raw.strip()
    page = Page(toks, counts, verbs, openings, frozenset(openings | bullets if lined else ()))
    return replace(page, asked=frozenset(_asked(text, page)))


def _is_nothing(_: str) -> bool:
    return False


def _plain_tokens(text: Text) -> Tokens:
    """Abbreviations spelled out, pictures as marks of a list."""
    found = tokens(text.folded)
    if text.folded.isascii() and not any(token.text in ABBREVIATIONS for token in found):
        return found
    return tuple(_spelled(token) for token in found)


def _spelled(token: Token) -> Token:
    if token.text == "×":
        return token._replace(text="x")
    if token.kind == "mark" and token.text >= _SYMBOLS:
        return token._replace(text="•")
    full = ABBREVIATIONS.get(token.text, "")
    return token._replace(text=full) if full and " " not in full and token.text not in _KEPT else token


def _openings(text: Text, toks: Tokens) -> Iterator[int]:
    """Tokens that open a line or a sentence."""
    lines = "\n" in text.raw or "\r" in text.raw
    for index, token in enumerate(toks):
        gap = text.raw[text.origins[toks[index - 1].end - 1] : text.origins[token.start]] if lines and index else ""
        if index == 0 or word(toks, index - 1) in _ENDS or "\n" in gap or "\r" in gap:
            yield index


def _without_ordinals(text: Text, toks: Tokens) -> Tokens:
    """A numbered list without its numbers: 1) coca, 2) fanta."""
    heads = [index for index in _openings(text, toks) if _is_ordinal(toks, index)] if "\n" in text.raw else []
    if len(heads) < 2 or [word(toks, index) for index in heads] != [str(n + 1) for n in range(len(heads))]:  # noqa: PLR2004
        return toks
    dropped = {*heads, *(index + 1 for index in heads)}
    return tuple(token for index, token in enumerate(toks) if index not in dropped)


def _is_ordinal(toks: Tokens, index: int) -> bool:
    touching = touches(toks, index + 1) and word(toks, index + 1) in (".", ")", "-")
    return at(toks, index).kind == "digits" and touching and not touches(toks, index + 2)


@cache
def _phrases() -> Phrases:
    return compile_phrases(words.TABLE, words.CLASSES)


def _verbs(toks: Tokens, openings: frozenset[int], is_sold: IsWord) -> dict[int, Verb]:
    """The longest phrase of ordering at each token; what stands inside another one is none."""
    labels = label(_phrases(), [PhraseToken(token.text, token.start, token.end) for token in toks])
    for index, token in enumerate(toks):
        named = word(toks, index - 1) in words.ARTICLES | words.ONE  # un pack
        if labels[index] and (named or token.text not in _phrases().labels) and is_sold(token.text):
            labels[index] = ()
    found: dict[int, Verb] = {}
    index = 0
    while index < len(toks):
        opens = index in openings or word(toks, index - 1) in words.BREAKS
        fits = [
            (end, _RANK[ending.kind], ending.kind)
            for ending, end in (endings_at(_phrases(), labels, index) if labels[index] else ())
            if (opens or not ending.opens) and ending.kind in _RANK
        ]
        if fits:
            end, _, kind = max(fits)
            found[index] = Verb(kind, index, end, _refers([word(toks, place) for place in range(index, end)]))
        index = max(fits)[0] if fits else index + 1
    return found


def _refers(said: list[str]) -> bool:
    """Whether a verb carries what it is about: sacala, no lo mandes; cancela does not."""
    *before, verb = said
    if not before[-1:] or before[-1] not in words.PRONOUNS:
        bare = [verb.removesuffix(end) for end in words.PRONOUNS if verb.endswith(end)]
        return any(len(each) >= _SHORTEST_VERB and each in _phrases().labels for each in bare)  # solo, ella
    return True


def _counts(text: Text, toks: Tokens, verbs: dict[int, Verb], shop: tuple[str, IsWord, IsWord]) -> dict[int, Count]:
    """Numbers, measures and packages by their first token; "otra" and "unas" are one."""
    country, is_sold, is_named = shop
    # What is sold is no number: cinco palitos are not five millions, un six de cerveza is one.
    written = tuple(
        token._replace(text="•") if token.text in _THINGS and is_sold(token.text) else token for token in toks
    )
    firsts = {token.start: index for index, token in enumerate(toks)}
    lasts = {token.end: index + 1 for index, token in enumerate(toks)}
    governed = {verb.last for verb in verbs.values()}
    found: dict[int, Count] = {}
    for index, token in enumerate(toks):
        if token.text in words.ONE:
            found[index] = Count(1, "", index, index + 1, said=False)
        elif token.text in words.SHARES:
            found[index] = Count(words.SHARES[token.text], "", index, index + 1)
        elif token.text == words.HALF:
            found[index] = Count(words.SHARES["medio"], words.HALF, index, index + 1)
        elif token.text in words.BARE_UNITS and not is_named(token.text):
            found[index] = Count(1, words.BARE_UNITS[token.text], index, index + 1, said=False)
    for number in numbers_of(written, country=country):
        glued = touches(toks, number.last + 1) and word(toks, number.last + 1) in words.ORDINAL_ENDINGS
        if word(toks, number.first) not in words.NOT_NUMBERS and not glued:
            minus = word(toks, number.first - 1) == "-" and number.first - 1 in governed and touches(toks, number.first)
            value = plain(-number.value if minus else number.value)
            said = word(toks, number.first) not in ONES
            found[number.first] = Count(value, "", number.first, number.last + 1, said=said)
    for each in find_quantities(text, country=country):
        if each.start in firsts and each.end in lasts and isinstance(each.value, int | Decimal):
            first, last = firsts[each.start], lasts[each.end]
            if each.unit and is_named(word(toks, last - 1)):
                continue  # dos packs familiares, where a Pack Familiar is sold
            unit = "" if word(toks, last - 1) in words.PAIRS else each.unit
            found[first] = Count(each.value, unit, first, last)
    found = {index: _in_pieces(toks, each, is_sold) for index, each in found.items()}
    inner = {index for each in found.values() for index in range(each.first + 1, each.last)}
    return {index: each for index, each in found.items() if index not in inner and not _is_other(toks, each)}


def _in_pieces(toks: Tokens, count: Count, is_sold: IsWord) -> Count:
    """2 six packs, 1/2 docena: as many as the packages hold; un cuarto is a share."""
    after = word(toks, count.last)
    share = words.SHARES.get(after) if not count.said and not count.unit and after.startswith("cuart") else None
    if share:
        return replace(count, value=share, last=count.last + 1, said=True)
    if count.unit in words.PIECES and not is_sold(word(toks, count.last - 1)):
        return replace(count, value=plain(Decimal(count.value) * words.PIECES[count.unit]), unit="")
    pieces = words.PIECES.get(after, 0) if not count.unit and not is_sold(after) else 0
    if not pieces:
        return count
    last = count.last + 1 + (word(toks, count.last + 1) in ("pack", "packs"))
    return replace(count, value=plain(Decimal(count.value) * pieces), unit="", last=last, said=True)


def _is_other(toks: Tokens, count: Count) -> bool:
    """Money, time or people."""
    money = word(toks, count.first - 1) == "$" or word(toks, count.last - 1) in words.MONEY
    return money or word(toks, count.last) in words.NOT_COUNTED


def _asked(text: Text, page: Page) -> Iterator[int]:
    """The tokens of questions, without the request that a polite question makes (¿me das 2 cocas?)."""
    if "?" not in text.folded and not any(token.text in words.INTERROGATIVES for token in page.toks):
        return
    for act in find_acts(text):
        inside = [i for i, token in enumerate(page.toks) if act.start <= token.start < act.end]
        if act.kind == "question":
            yield from _only_asked(page, inside)


def _only_asked(page: Page, inside: list[int]) -> Iterator[int]:
    asks = next((i for i in inside if page.word(i) in words.INTERROGATIVES), None)
    verbs = [page.verbs[i] for i in inside if i in page.verbs and page.word(i) not in words.TELLING]
    orders = next((verb.first for verb in verbs if verb.kind != "none"), None)
    if orders is not None and asks is not None and asks < orders and page.word(orders - 1) == "si":
        orders = None  # cuánto sale si pido dos
    if orders is not None and (asks is None or orders < asks):
        return
    joined = asks is not None and not words.BREAKS.isdisjoint((page.word(asks - 1), page.word(asks - 2)))
    counted = bool(inside) and inside[0] in page.counts and joined
    for index in inside:
        if counted and asks is not None and index < asks:
            continue  # dos cocas y cuánto sale el envío: the question starts after the y
        if orders is not None and index >= orders:
            return
        yield index
