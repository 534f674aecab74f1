"""A message as the grammar of orders reads it: tokens with their numbers, quantities and verbs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from hilo.recognisers.amounts.numbers import Number, numbers_of
from hilo.recognisers.amounts.quantities import find_quantities
from hilo.recognisers.amounts.tokens import Token, Tokens, at, tokens, touches, word
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import ABBREVIATIONS, Text
from hilo.recognisers.phrases import Ending, Phrases, PhraseToken, compile_phrases, endings_at, label
from hilo.understanding.acts.recognise import find_acts
from hilo.understanding.orders import words

_KEPT = frozenset(("x", "k", "d", "q"))  # marks of a quantity or a size before they are abbreviations
_SYMBOLS = "\u2190"  # arrows, and all pictures after them
_RANK = {"word": 0, "none": 5, "set": 4, "remove": 3, "add": 2, "change": 1}
BULLETS = frozenset("-*•·–—")
_ORDINAL_ENDINGS = frozenset(
    ("ro", "do", "er", "to", "vo", "mo", "no", "ra", "da", "ta", "ero", "th", "st", "nd", "rd")
)
_COUNTING = words.OTHER | {"unos", "unas", "medio", "media", "a"} | frozenset(words.BARE_UNITS)
_ENDS = frozenset(".;!?¿¡\n")
_PRONOUNS = ("alo", "ala", "alos", "alas", "amelo", "amela", "amelos", "amelas")


@dataclass(frozen=True, slots=True)
class Packed:
    """A quantity with the tokens it spans (the last one not included)."""

    found: Found
    first: int
    last: int


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """What the grammar needs to know of each token."""

    toks: Tokens
    numbers: dict[int, Number]
    packed: dict[int, Packed]
    endings: Sequence[Sequence[tuple[Ending, int]]]
    openings: frozenset[int]
    asked: frozenset[int]
    english: bool
    listed: frozenset[int]

    def verb(self, index: int, *, opens: bool, only: str = "") -> tuple[str, int] | None:
        """The longest phrase of a verb at a token, as its kind and the token after it."""
        if not 0 <= index < len(self.toks) or not self.endings[index]:
            return None
        fits = [
            (end, _RANK[ending.kind], ending.kind)
            for ending, end in self.endings[index]
            if (opens or not ending.opens) and only in ("", ending.kind) and ending.kind != "word"
        ]
        if not fits:
            return None
        end, _, kind = max(fits)
        return kind, end

    def is_pronominal(self, index: int) -> bool:
        """Whether a verb carries what it speaks of: sacala, quítalos."""
        return word(self.toks, index).endswith(_PRONOUNS)

    def is_code(self, index: int) -> bool:
        """Whether digits here belong to a code or a float such as 1e9."""
        glued = touches(self.toks, index + 1) and touches(self.toks, index + 2) and index not in self.numbers
        return glued and at(self.toks, index).kind == at(self.toks, index + 2).kind == "digits"

    def starts_item(self, index: int) -> bool:
        """Whether a quantity stands at a token."""
        return index in self.numbers or index in self.packed


def read_page(text: Text, country: str) -> Page | None:
    """The page of a message, or nothing where neither a verb nor a number is found."""
    toks = _without_ordinals(text, _without_symbols(text, _spelled(tokens(text.folded))))
    if not toks:
        return None
    numbers = {number.first: number for number in numbers_of(toks, country=country) if not _is_label(toks, number)}
    endings = _endings(toks)
    lined = "\n" in text.raw
    if not numbers and not any(endings) and not lined and not any(token.text in _COUNTING for token in toks):
        return None
    numbers = _with_negatives(toks, numbers, endings)
    openings = frozenset(_openings(text, toks))
    english = any(token.text in words.ENGLISH for token in toks)
    packed = _packed(text, toks, country)
    listed = _listed(text, toks, openings)
    page = Page(toks, numbers, packed, endings, openings, frozenset(), english, listed)
    return replace(page, asked=frozenset(_asked(text, page)))


def _is_label(toks: Tokens, number: Number) -> bool:
    """Coca zero names a product and 3ro a floor: neither counts."""
    if word(toks, number.first) in ("zero", "cero"):
        return True
    return touches(toks, number.last + 1) and word(toks, number.last + 1) in _ORDINAL_ENDINGS


def _with_negatives(
    toks: Tokens, numbers: dict[int, Number], endings: Sequence[Sequence[tuple[Ending, int]]]
) -> dict[int, Number]:
    """Right after a verb a hyphen is a minus, not a bullet: quiero -3 cocas."""
    if not any(token.text == "-" for token in toks):
        return numbers
    governed = {end for found in endings for _, end in found}
    for index in range(1, len(toks) - 1):
        number = numbers.get(index + 1)
        if toks[index].text == "-" and number and index in governed and touches(toks, index + 1):
            numbers = {**numbers, index: number._replace(value=-number.value, first=index)}
    return numbers


@cache
def _phrases() -> Phrases:
    return compile_phrases(words.TABLE, words.CLASSES)


def _spelled(toks: Tokens) -> Tokens:
    """Abbreviations of one word spelled out in place."""
    if not any(token.text in ABBREVIATIONS for token in toks):
        return toks
    return tuple(_spell(token) for token in toks)


def _without_symbols(text: Text, toks: Tokens) -> Tokens:
    """Emoji say nothing here, except that they open the lines of a list."""
    if text.folded.isascii():
        return toks
    openings = set(_openings(text, toks))
    kept = [
        token._replace(text="•") if token.text >= _SYMBOLS and token.kind == "mark" else token
        for index, token in enumerate(toks)
        if token.kind != "mark" or token.text < _SYMBOLS or index in openings
    ]
    return tuple(kept)


def _spell(token: Token) -> Token:
    full = ABBREVIATIONS.get(token.text, "")
    return token._replace(text=full) if full and " " not in full and token.text not in _KEPT else token


def _endings(toks: Tokens) -> list[list[tuple[Ending, int]]]:
    marked = [PhraseToken(token.text, token.start, token.end) for token in toks]
    labels = label(_phrases(), marked)
    return [endings_at(_phrases(), labels, index) if labels[index] else [] for index in range(len(toks))]


def _openings(text: Text, toks: Tokens) -> Iterator[int]:
    """Tokens that open a line or a sentence."""
    lines = "\n" in text.raw or "\r" in text.raw
    for index, token in enumerate(toks):
        before = word(toks, index - 1)
        if (
            index == 0
            or (before in _ENDS and before)
            or (lines and _breaks_line(text, toks[index - 1].end, token.start))
        ):
            yield index


def _breaks_line(text: Text, end: int, start: int) -> bool:
    gap = text.raw[text.origins[end - 1] : text.origins[start]]
    return "\n" in gap or "\r" in gap


def _without_ordinals(text: Text, toks: Tokens) -> Tokens:
    """A numbered list without its numbers: 1) coca, 2) fanta."""
    if "\n" not in text.raw:
        return toks
    heads = [index for index in _openings(text, toks) if _is_ordinal(toks, index)]
    if [word(toks, index) for index in heads] != [str(count) for count in range(1, len(heads) + 1)] or len(heads) == 1:
        return toks
    dropped = {*heads, *(index + 1 for index in heads)}
    return tuple(token for index, token in enumerate(toks) if index not in dropped)


def _is_ordinal(toks: Tokens, index: int) -> bool:
    touching = touches(toks, index + 1) and word(toks, index + 1) in (".", ")", "-")
    return at(toks, index).kind == "digits" and touching and not touches(toks, index + 2)


def _listed(text: Text, toks: Tokens, openings: frozenset[int]) -> frozenset[int]:
    """What stands after the bullets or numbers of a list of two lines or more."""
    bullets = {index + 1 for index in openings if word(toks, index) in BULLETS}
    numbered = len(toks) < len(tokens(text.folded))
    found = openings if numbered else bullets
    return frozenset(found) if len(found) > 1 else frozenset()


def _packed(text: Text, toks: Tokens, country: str) -> dict[int, Packed]:
    firsts = {token.start: index for index, token in enumerate(toks)}
    lasts = {token.end: index + 1 for index, token in enumerate(toks)}
    return {
        firsts[found.start]: Packed(found, firsts[found.start], lasts[found.end])
        for found in find_quantities(text, country=country)
        if found.start in firsts and found.end in lasts
    }


def _asked(text: Text, page: Page) -> Iterator[int]:
    """The tokens of questions, without the request that a polite question makes (¿me das 2 cocas?)."""
    if "?" not in text.folded and not any(token.text in words.INTERROGATIVES for token in page.toks):
        return
    for act in find_acts(text):
        if act.kind == "question":
            inside = [i for i, token in enumerate(page.toks) if act.start <= token.start < act.end]
            yield from _only_asked(page, inside)


def _only_asked(page: Page, inside: Sequence[int]) -> Iterator[int]:
    asking, ordered = False, bool(inside) and page.starts_item(inside[0])
    joined = [i for i in inside if word(page.toks, i) in words.INTERROGATIVES and _follows_joiner(page, i)]
    for index in inside if not (ordered and joined) else range(joined[0], inside[-1] + 1):
        verb = page.verb(index, opens=True)
        stated = word(page.toks, index) in ("son", "era", "eran")
        if not asking and not stated and verb and verb[0] in ("add", "remove", "change", "set"):
            return
        asking = (asking and word(page.toks, index) != ",") or word(page.toks, index) in words.INTERROGATIVES
        yield index


def _follows_joiner(page: Page, index: int) -> bool:
    """Dos cocas y cuánto sale el envío: the question starts after the y."""
    before = {word(page.toks, index - 1), word(page.toks, index - 2)}
    return bool(before & {"y", ",", "and", "e"})
