"""Departments, provinces and states by name: "departamento de Antioquia", "Austin, TX"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import GIVEN_NAMES
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.gazetteer_names import PlaceWord, city_names, fold_name, place_words
from hilo.recognisers.places.words import REGION_NAMES

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
# states by the first three digits of their ZIP codes, without islands and military mail
_ZIPS = """
    NY:005 MA:010-027,055 RI:028-029 NH:030-038 ME:039-049 VT:050-054,056-059 CT:060-069 NJ:070-089 NY:100-149
    PA:150-196 DE:197-199 DC:200,202-205 VA:201,220-246 MD:206-219 WV:247-268 NC:270-289 SC:290-299 GA:300-319,398-399
    FL:320-339,341-342,344,346-347,349 AL:350-369 TN:370-385 MS:386-397 KY:400-427 OH:430-459 IN:460-479 MI:480-499
    IA:500-528 WI:530-549 MN:550-567 SD:570-577 ND:580-588 MT:590-599 IL:600-629 MO:630-658 KS:660-679 NE:680-693
    LA:700-714 AR:716-729 OK:730-732,734-749 TX:733,750-799,885 CO:800-816 WY:820-831 ID:832-838 UT:840-847 AZ:850-865
    NM:870-884 NV:889-898 CA:900-961 HI:967-968 OR:970-979 WA:980-994 AK:995-999
"""
_CODE = "|".join(part.partition(":")[0] for part in _STATES.split())
_ZIP = re.compile(
    r"(?i:\bzip(?: ?code)?|\bpostal code)(?i: is| it's)?[ :#]*(\d{5})(?![\d])"
    rf"|\b(?:{_CODE})[ ,]+(\d{{5}})(?!\d)"
    r"|, *[A-Z][a-z]+(?: [A-Z][a-z]+){0,2},? +(\d{5})(?!\d)|^\s*(\d{5})(?:-\d{4})?\s*$"
)


def find_regions(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """Regions of a country in the form that the gazetteer has; surest after "departamento de" or the like."""
    regions, words = _regions(country), place_words(text)
    if country == "US":  # "ma" is a state there, and no María
        words = [replace(word, text=text.folded[word.start : word.end]) for word in words]
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


def state_named(name: str) -> str:
    """The American state of this folded name or these two letters, else ""."""
    return _regions("US").get(name, "")


def find_zip_states(text: Text) -> tuple[Found, ...]:
    """The states of the United States that ZIP codes tell: after "zip", after a state, or at the end of an address."""
    states = _regions("US")
    found = []
    for match in _ZIP.finditer(text.raw):
        start, end = match.span(match.lastindex or 0)
        code = text.raw[start:end]
        state = next((state for first, last, state in _zip_states() if first <= int(code[:3]) <= last), "")
        if state and len(text.raw) == len(text.folded):
            found.append(Found("region", states[state.lower()], start, end, 85))
    return tuple(found)


@cache
def _zip_states() -> tuple[tuple[int, int, str], ...]:
    """The first three digits from and to, and the state they lie in."""
    parts = [part.split(":") for part in _ZIPS.split()]
    spans = [(state, *each.split("-")) for state, codes in parts for each in codes.split(",")]
    return tuple((int(span[1]), int(span[-1]), span[0]) for span in spans)


def _follows(text: Text, words: Sequence[PlaceWord], span: tuple[int, int]) -> bool:
    """Whether letters stand where a state does: after a town, at the end or before its postal code."""
    first, last = span
    if not first:
        return False
    ends = last == len(words) or words[last].text.isdigit() or _closes(text, words, last)
    in_it = words[first - 1].text in _LEADING and text.folded[words[first].start : words[first].end] == "la"
    return ends and words[first - 1].text.isalpha() and not in_it  # LA is a city, too


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
