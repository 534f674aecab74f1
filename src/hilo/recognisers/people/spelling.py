"""How something known is spelt: "es Meza con z", "mi apellido va con b larga", "el mail termina con z"."""

import re

from hilo.recognisers.amounts.lexicon import sound
from hilo.recognisers.normalise import Span, Text, fold
from hilo.recognisers.people.transcript import NAMES_OF_LETTERS

_MARKS = ("acento", "tilde", "punto", "guion")
_NAMES = "|".join(sorted((*NAMES_OF_LETTERS, "ene", *_MARKS), key=len, reverse=True))
_SPELT = re.compile(
    r"(?:\b(?P<said>[^\W\d_]{2,})\W+)?\b(?:(?:va|es|seria|se escribe|termina|empieza) )?"
    rf"(?P<how>con|sin|lleva|with) (?:una |la |el )?(?P<two>dos |doble )?(?P<letter>{_NAMES}|[a-z])(?:(?<=e)s)?\b"
    r"(?: (?:larga|alta|grande|corta|baja|chica|griega|latina|de \w+))?(?! (?!(?:y|e|al|tambien|por|no)\b)\w)"
)
_ALIKE = ("bv", "scz", "ckq", "gj", "iy")  # letters that are written for one another
_BETWEEN_VOWELS = re.compile(r"(?<=[aeiouáéíóú])n(?=[aeiouáéíóú])", re.IGNORECASE)
_DENIED = re.compile(r"\bno (?:va |es |lleva |termina )?$")
_LETTERS = re.compile(r"[^\W\d_]+")


def respelt(known: str, text: Text, *, is_meant: bool) -> tuple[int, int, str] | None:
    """Where a text tells how a known value is spelt, and the value so; None where it does not, or one cannot tell.

    A word that sounds like one of the value tells which it is; a letter alone must be of what `is_meant`.
    """
    spans, spelt = list[Span](), known
    for told in _SPELT.finditer(text.folded):
        if _DENIED.search(text.folded[: told.start("how")]):
            continue  # "no es con s, es con z"
        new = _spelt_so(spelt, text, told, is_meant=is_meant)
        if new is None:
            return None
        spelt = new
        spans.append(told.span())
    return (spans[0][0], spans[-1][1], spelt) if spans else None


def _spelt_so(known: str, text: Text, told: re.Match[str], *, is_meant: bool) -> str | None:
    """The value with what one letter tells of it."""
    letter = _letter(text, told) * (2 if told["two"] else 1)
    said = text.original(*told.span("said")) if told["said"] else ""
    alike = [each for each in _LETTERS.finditer(known.partition("@")[0]) if _heard(each[0]) == _heard(said)]
    if not alike and not is_meant:
        return None
    start, end = alike[0].span() if alike else _part_meant(known, text)
    part = known[start:end]
    if alike and (letter in _MARKS or (letter in said.lower() and told["how"] != "sin")):
        return known[:start] + (said.title() if part.istitle() else said) + known[end:]
    new = None if letter in _MARKS else _with_letter(part, letter, told)
    return None if new is None else known[:start] + new + known[end:]


def spells(text: Text) -> bool:
    """Whether a message tells how something is spelt."""
    return _SPELT.search(text.folded) is not None


def _heard(word: str) -> str:
    return re.sub(r"(.)\1", r"\1", sound(fold(word)))


def only_spells(text: str) -> bool:
    """Whether folded words are nothing but how something is spelt: "con z", "sin h"."""
    told = _SPELT.fullmatch(text.strip(" ,."))
    return told is not None and told["said"] in (None, "es", "va", "era", "seria", "termina")


def _letter(text: Text, told: re.Match[str]) -> str:
    if "ñ" in text.original(*told.span("letter")).lower():
        return "ñ"
    return NAMES_OF_LETTERS.get(told["letter"], told["letter"])


def _part_meant(known: str, text: Text) -> Span:
    """Of an address what stands before the @, of a name what follows the first, where the family name is meant."""
    if "@" in known:
        return 0, known.index("@")
    is_family = " " in known and "apellido" in text.folded
    return known.index(" ") + 1 if is_family else 0, len(known)


def _with_letter(part: str, letter: str, told: re.Match[str]) -> str | None:
    """The part with the letter, or without it; None where one cannot tell which of its letters is meant."""
    if told["how"] == "sin":
        return re.sub(letter, "", part, flags=re.IGNORECASE) if part.lower().count(letter) == 1 else None
    if letter in part.lower() and not told["two"]:
        return part if not _rivals(part, letter) else None
    if letter == "h" and fold(part[:1]) in "aeiou":
        return ("H" if part.istitle() else "h") + part[0].lower() + part[1:]
    places = _rivals(part, letter)
    places = places[-1:] if "termina" in told[0] or told.string[told.end() :].startswith(" al final") else places
    if len(places) != 1:
        return None
    place = places[0]
    return part[:place] + (letter.title() if part[place].isupper() else letter) + part[place + 1 :]


def _rivals(part: str, letter: str) -> list[int]:
    """Where letters stand that are written for this one; a single one where it is to be doubled."""
    if letter == "ñ":
        return [each.start() for each in _BETWEEN_VOWELS.finditer(part)]
    others = "".join(group for group in _ALIKE if letter in group).replace(letter, "") or letter[1:]
    return [place for place, each in enumerate(part.lower()) if each in others]
