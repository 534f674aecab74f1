"""Which numbers are ages: "mi sobrina de 12", "4 años", "8 son los años de la nena". They count nobody."""

import re

from hilo.recognisers.people.name_words import GIVEN_NAMES

FAR = 60  # characters before a number that may say whose age it is
_YEARS = r"(?:anos?|anitos?|mes|meses|years? old)\b"
_AFTER = re.compile(
    rf"(?<=\d)(?: ?(?:,|y|o) ?\d{{1,2}})* ?{_YEARS}| {_YEARS}"
    r"| (?:es|son|eran?) (?:el|la|los|las|sus) (?:anos|edad|edades|meses)\b"
)
_BEFORE = re.compile(
    r"\b(?:hij[oa]s?|nen[ea]s?|nin[oa]s?|bebes?|beb[ao]|chic[oa]s?|chiquit[oa]s?|sobrin[oa]s?|niet[oa]s?|menor(?:es)?"
    r"|herman[oa]s?|peque\w*|pib[ea]s?|chamac[oa]s?|chav[oa]s?|guaguas?|wawas?|abuel[oa]s?|mama|papa"
    r"|otr[oa])(?: [a-z]+)? (?:de|tienen?|con) (?:\d{1,2}(?:,| y) ?)*$"
)
_OF_EDAD = re.compile(r"\b(?:edad(?:es)?|cumpl\w+)(?:,? (?:de|es|son|del nino|de la nina))?:? $")
_NAMED = re.compile(r"\b([a-z]+),? (?:de|tiene) $")
_MEASURES_YEARS = re.compile(r"\b(?:edad|anos|meses|age)\b")


def is_age(text: str, start: int, end: int) -> bool:
    """Whether the number that stands there in a folded text tells how old somebody is."""
    if _AFTER.match(text, end) or _BEFORE.search(text, max(0, start - FAR), start):
        return True
    before = text[max(0, start - FAR) : start]
    named = _NAMED.search(before)
    return _OF_EDAD.search(before) is not None or (named is not None and named[1] in GIVEN_NAMES)


def measures_years(*names: str) -> bool:
    """Whether what is called so, folded, is an age itself."""
    return any(_MEASURES_YEARS.search(name) for name in names)
