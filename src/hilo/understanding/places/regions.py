"""Departments, provinces and states by name: "departamento de Antioquia", "Austin, TX"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from hilo.understanding.acts.phrases import word_set
from hilo.understanding.found import Found
from hilo.understanding.normalise import Text
from hilo.understanding.people.name_words import GIVEN_NAMES
from hilo.understanding.places.gazetteer_names import PlaceWord, city_names, fold_name, place_words
from hilo.understanding.places.words import REGION_NAMES

MOST_WORDS = 4
CODE_LETTERS = 2

_NAMING = word_set("departamento dpto depto dep provincia prov estado edo state region province")
_LINKS = word_set("de del es la el is of")
_LEADING = word_set("en in desde from")
_FROM = word_set("soy somos vengo venimos")
_BREAK = re.compile(r"[,.;:!?()\n]")
# these are other words just as often
_ORDINARY = word_set("valle meta sucre cesar magdalena sol paz lima central sur norte este oeste colon")
_STATES = """
    AL:Alabama AK:Alaska AZ:Arizona AR:Arkansas CA:California CO:Colorado CT:Connecticut DE:Delaware FL:Florida
    GA:Georgia HI:Hawaii ID:Idaho IL:Illinois IN:Indiana IA:Iowa KS:Kansas KY:Kentucky LA:Louisiana ME:Maine MD:Maryland
    MA:Massachusetts MI:Michigan MN:Minnesota MS:Mississippi MO:Missouri MT:Montana NE:Nebraska NV:Nevada
    NH:New_Hampshire NJ:New_Jersey NM:New_Mexico NY:New_York NC:North_Carolina ND:North_Dakota OH:Ohio OK:Oklahoma
    OR:Oregon PA:Pennsylvania RI:Rhode_Island SC:South_Carolina SD:South_Dakota TN:Tennessee TX:Texas UT:Utah VT:Vermont
    VA:Virginia WA:Washington WV:West_Virginia WI:Wisconsin WY:Wyoming DC:District_of_Columbia
"""


def find_regions(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """Regions of a country in the form that the gazetteer has; surest after "departamento de" or the like."""
    regions, words = _regions(country), place_words(text)
    return tuple(_found(text, words, regions)) if regions else ()


def _found(text: Text, words: Sequence[PlaceWord], regions: Mapping[str, str]) -> Iterator[Found]:
    free = 0
    for first in range(len(words)):
        for last in range(min(len(words), first + MOST_WORDS), max(first, free - 1), -1):
            name = " ".join(word.text for word in words[first:last])
            joined = all(word.near for word in words[first + 1 : last])
            confidence = _confidence(text, words, (first, last)) if first >= free and joined and name in regions else 0
            if confidence:
                yield Found("region", regions[name], words[first].start, words[last - 1].end, confidence)
                free = last
                break


def _confidence(text: Text, words: Sequence[PlaceWord], span: tuple[int, int]) -> int:
    first, last = span
    name, before = " ".join(word.text for word in words[first:last]), [word.text for word in words[:first]]
    while before and before[-1] in _LINKS:
        before.pop()
    if before and before[-1] in _NAMING:
        return 95
    if len(name) == CODE_LETTERS:
        written = text.original(words[first].start, words[first].end)
        return 85 if written.isupper() and _follows(text, words, span) else 0
    if name in _ORDINARY or name in GIVEN_NAMES:
        return 0
    linked = bool(first and words[first - 1].text in {"de", "del"} and before and before[-1] in _FROM)
    if linked or (before and before[-1] in _LEADING):
        return 75
    alone = _opens(text, words, first) and _closes(text, words, last)
    return 72 if alone or _goes_on(text, words, first) else 0


def _follows(text: Text, words: Sequence[PlaceWord], span: tuple[int, int]) -> bool:
    """Whether letters stand where a state does: after a town, at the end or before its postal code."""
    first, last = span
    if not first:
        return False
    ends = last == len(words) or words[last].text.isdigit() or _closes(text, words, last)
    return ends and words[first - 1].text.isalpha()


def _goes_on(text: Text, words: Sequence[PlaceWord], first: int) -> bool:
    """Dallas Texas: both with a capital."""
    two = [text.original(word.start, word.end) for word in words[max(0, first - 1) : first + 1]]
    return len(two) > 1 and words[first].near and all(word.istitle() for word in two)


def _opens(text: Text, words: Sequence[PlaceWord], first: int) -> bool:
    return first == 0 or _breaks(text, words[first - 1].end, words[first].start)


def _closes(text: Text, words: Sequence[PlaceWord], last: int) -> bool:
    return last == len(words) or _breaks(text, words[last - 1].end, words[last].start)


def _breaks(text: Text, end: int, start: int) -> bool:
    return bool(_BREAK.search(text.raw[text.origins[end - 1] : text.origins[start]]))


@cache
def _regions(country: str) -> Mapping[str, str]:
    """The folded names that the regions of a country go by."""
    if country == "US":
        pairs = [state.replace("_", " ").split(":") for state in _STATES.split()]
        return {fold_name(name): state for code, state in pairs for name in (code, state)}
    rows = [row.split("\t") for row in city_names().rows]
    regions = {row[1] for row in rows if row[2] == country and row[1]}
    also = {name: region for name, region in REGION_NAMES.items() if region in regions}
    return {**also, **{fold_name(region): region for region in regions}}
