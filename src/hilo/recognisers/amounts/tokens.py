"""Words, digits and marks of a folded message, the alphabet of the number and date grammars."""

import re
from functools import lru_cache
from typing import NamedTuple

from hilo.recognisers.amounts.lexicon import numeral

# Digits keep their separators ("2.350,50"); U+2044 is what the folding leaves of "½".
_TOKEN = re.compile(r"\d+(?:[.,'’\u2044]\d+)*|[^\W\d_]+|[^\w\s]|_")
_CHUNK = re.compile(r"\S+")
_DOMAIN = re.compile(r"\.(?:com|net|org|edu|gob|gov|info|io|app|shop|store|tienda|ar|mx|cl|pe|co|es|uy)(?![a-z])")
_LABELS = frozenset(("x", "usd", "us", "ars", "mxn", "cop", "clp", "pen", "eur", "rs", "q", "bs", "n", "nro", "num"))
_GLUE = frozenset("-/:_@\\")


class Token(NamedTuple):
    """A piece of the folded text; `kind` is digits, word, mark or end."""

    text: str
    start: int
    end: int
    kind: str


Tokens = tuple[Token, ...]
_END = Token("", -2, -2, "end")


@lru_cache(maxsize=16)
def tokens(folded: str) -> Tokens:
    """The tokens of a folded text; addresses of mail and web are left out whole."""
    found: list[Token] = []
    for match in _TOKEN.finditer(_without_addresses(folded)):
        text = match.group()
        found.extend(_items(match) if "," in text else _thousands(match) if text.endswith("mil") else (_token(match),))
    return tuple(found)


def at(toks: Tokens, index: int) -> Token:
    """The token at an index, or an empty one beyond either end."""
    return toks[index] if 0 <= index < len(toks) else _END


def word(toks: Tokens, index: int) -> str:
    """The text at an index, "" beyond either end."""
    return toks[index].text if 0 <= index < len(toks) else ""


def touches(toks: Tokens, index: int) -> bool:
    """Whether the token at an index follows the one before it without a space."""
    return 0 < index < len(toks) and toks[index - 1].end == toks[index].start


def follows(toks: Tokens, index: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase stands at an index."""
    return all(word(toks, index + offset) == part for offset, part in enumerate(phrase))


def glued_before(toks: Tokens, index: int) -> bool:
    """Whether digits continue a code, a date or an hour: A12, 05-05, 17:30."""
    if not touches(toks, index):
        return False
    before = toks[index - 1]
    if before.kind != "mark":
        return not _labels_digits(toks, index - 1)
    if before.text == "_":
        return True
    if before.text not in _GLUE or not touches(toks, index - 1):
        return False
    earlier = toks[index - 2]
    return earlier.kind == "digits" if before.text == ":" else earlier.kind != "mark" and earlier.text != "s"


def _labels_digits(toks: Tokens, index: int) -> bool:
    """Letters that may touch the digits after them: x2, usd500, u$s500."""
    if touches(toks, index):
        return word(toks, index) in ("s", "d") and word(toks, index - 1) == "$"
    return word(toks, index) in _LABELS


def glued_after(toks: Tokens, index: int) -> bool:
    """Whether a mark ties the token at an index to another word or to digits."""
    mark = word(toks, index + 1)
    if mark not in _GLUE or not touches(toks, index + 1) or not touches(toks, index + 2):
        return False
    return toks[index + 2].kind == "digits" if mark == ":" else toks[index + 2].kind != "mark"


def _token(match: re.Match[str]) -> Token:
    text = match.group()
    kind = "digits" if text[0].isdigit() else "word" if text[0].isalpha() else "mark"
    return Token(text, match.start(), match.end(), kind)


def _thousands(match: re.Match[str]) -> tuple[Token, ...]:
    """Dosmil is two words written as one."""
    text, start, end = match.group(), match.start(), match.end()
    if len(text) < 6 or not numeral(text[:-3]):  # noqa: PLR2004
        return (_token(match),)
    return Token(text[:-3], start, end - 3, "word"), Token("mil", end - 3, end, "word")


def _items(match: re.Match[str]) -> tuple[Token, ...]:
    """1,2,3 is a list, 1,234,567 a number."""
    parts = match.group().split(",")
    if len(parts) < 3 or "." in match.group() or all(len(part) == 3 for part in parts[1:]):  # noqa: PLR2004
        return (_token(match),)
    found, start = [], match.start()
    for part in parts:
        found += [
            Token(part, start, start + len(part), "digits"),
            Token(",", start + len(part), start + len(part) + 1, "mark"),
        ]
        start += len(part) + 1
    return tuple(found[:-1])


def _without_addresses(folded: str) -> str:
    if "@" not in folded and "://" not in folded and "." not in folded:
        return folded
    return _CHUNK.sub(_blank, folded)


def _blank(match: re.Match[str]) -> str:
    chunk = match.group()
    address = ("@" in chunk and len(chunk) > 1) or "://" in chunk or chunk.startswith("www.") or _DOMAIN.search(chunk)
    return " " * len(chunk) if address else chunk
