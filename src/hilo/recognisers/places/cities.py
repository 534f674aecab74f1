"""Cities in messages: which ones may be meant, the likeliest first, and how surely."""

import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hilo.recognisers.address_words import ENGLISH_STREETS
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import FUNCTION_WORDS, GIVEN_NAMES, PARTICLES
from hilo.recognisers.places.gazetteer_names import (
    LARGE,
    OFTEN_VISITED,
    SPANISH_SPEAKING,
    PlaceWord,
    Spotted,
    airport_codes,
    airport_names,
    american_names,
    city_names,
    fold_name,
    place_words,
    spot,
)
from hilo.recognisers.places.regions import find_regions, state_named
from hilo.recognisers.places.signs import code_confidence, place_confidence, region_first
from hilo.recognisers.places.words import (
    AFTER_A_CITY,
    BEFORE_A_PLACE,
    BEFORE_A_REGION,
    BEFORE_MUCH,
    CODE_WORDS,
    COUNTRY_NAMES,
    KNOWN_CODES,
    NO_CITIES,
    REGION_NAMES,
)

DOMINATED = 30  # a town so many times smaller than its namesake is not meant
HOME_WEIGHT, SPANISH_WEIGHT = 50, 10
MOST_CANDIDATES = 12
LEAST_CONFIDENCE = 30
TO_CITY = 75  # how sure a town is where an address ends
CODE_LETTERS = 3
ZIP_DIGITS = 5
FAR_AWAY = 500_000  # people of a city that is known so far away
FEW_PEOPLE = 5_000  # of an island that people fly to
AMERICA = "US"  # has a gazetteer of its own
KNOWN = 35  # how sure a large American city is among other words: enough where a city was asked for
_BEFORE_A_STATE = re.compile(r"(?:^|[,.\n] *)([A-Z][\w'-]+(?: (?:(?:of|or|the) )?[A-Z][\w'-]+){0,2}),? +$")
_OF_A_THING = (FUNCTION_WORDS | PARTICLES) - BEFORE_A_PLACE - BEFORE_MUCH
_IN_SHORT = frozenset({"ny", "la"})  # states as well, after a town
_LEADING = frozenset({"in", "is", "to", "from"})
_SURE_CODES = KNOWN_CODES - CODE_WORDS


@dataclass(frozen=True, slots=True)
class Town:
    """A town with its department, province or state, and the ISO code of its country."""

    name: str
    region: str
    country: str
    population: int


@dataclass(frozen=True, slots=True)
class PlaceFound:
    """The towns that may be meant, the likeliest first; the span is one of the folded text."""

    places: tuple[Town, ...]
    start: int
    end: int
    confidence: int


@dataclass(frozen=True, slots=True)
class _Named:
    """Rows of the gazetteer for some words, those after the name that tell the region taken along."""

    rows: tuple[tuple[str, ...], ...]
    last: int
    told: bool


def find_cities(text: Text, *, country: str = "") -> tuple[PlaceFound, ...]:
    """Towns of Latin America and Spain, large cities elsewhere; several places where only the contact can tell."""
    words = place_words(text)
    if not words:
        return ()
    at_home = (
        ()
        if is_covered(country)
        else _american(text, words)
        if country == AMERICA
        else tuple(_with_airports(text, words, {country}))
    )
    found = [*at_home]
    for others in (_cities(text, words, country), _abroad(text, words, country), _coded(text, words)):
        found.extend([each for each in others if _is_apart(each.start, each.end, found)])
    return tuple(sorted(found, key=lambda each: each.start))


def is_covered(country: str) -> bool:
    """Whether the towns of a country are known; without a country they are."""
    return not country or country in _countries()


@cache
def _countries() -> frozenset[str]:
    return frozenset(row.split("\t")[2] for row in city_names().rows)


def _with_airports(
    text: Text, words: Sequence[PlaceWord], countries: Collection[str], most: int = sys.maxsize
) -> Iterator[PlaceFound]:
    """Cities of countries that the gazetteer has only airports of; none counts for larger than `most`."""
    names = airport_names()
    for spotted in spot(names, words):
        rows = [names.rows[number].split("\t") for number in names.by_name[spotted.name]]
        towns = [Town(_as_said(row, spotted.name), "", row[1], int(row[2])) for row in rows if row[1] in countries]
        places = tuple(sorted(towns, key=lambda town: -town.population))
        size = min(most, places[0].population) if places else 0
        confidence = place_confidence(text, words, spotted, size=size, told=False) if places else 0
        if confidence >= LEAST_CONFIDENCE:
            yield PlaceFound(places, words[spotted.first].start, words[spotted.last - 1].end, confidence)


def _as_said(row: Sequence[str], said: str) -> str:
    """The name of a city that was said, London or Londres; for one in short the Spanish one."""
    others = row[4].split("|") if len(row) > 4 else []  # noqa: PLR2004
    same = [name for name in (*others, row[0]) if fold_name(name) == said and len(said) > CODE_LETTERS]
    return (same or others or row)[0]


def _abroad(text: Text, words: Sequence[PlaceWord], country: str) -> Iterator[PlaceFound]:
    """Large cities of the rest of the world, and what only has an airport, where a place is surely meant."""
    for found in _with_airports(text, words, _all_but(country), most=LARGE - 1):
        place = found.places[0]
        if place.country in _countries():
            if fold_name(place.name) in _only_flown_to():
                yield found
            continue
        fewest = LARGE if place.country in OFTEN_VISITED else FAR_AWAY
        if place.population >= fewest:
            yield found


@cache
def _all_but(country: str) -> frozenset[str]:
    """The countries whose towns are named from another one."""
    return _flown_to() - {country} | _countries()


@cache
def _only_flown_to() -> frozenset[str]:
    """Islands and airports that are no towns of the countries we know: Mallorca, Aeroparque."""
    rows = [row.split("\t") for row in airport_names().rows]
    known = [row for row in rows if row[1] in SPANISH_SPEAKING and int(row[2]) >= FEW_PEOPLE]
    names = {fold_name(row[0]) for row in known}
    return frozenset(names - city_names().by_name.keys() - COUNTRY_NAMES.keys())


def _coded(text: Text, words: Sequence[PlaceWord]) -> Iterator[PlaceFound]:
    """Cities by the code of their airport: "scl", "mde"."""
    for index, word in enumerate(words):
        is_thing = index > 0 and words[index - 1].text in _OF_A_THING
        is_known = word.text in _SURE_CODES
        if is_known and not is_thing and (confidence := _code_confidence(text, words, index)):
            row = _city_of_code(word.text.upper())
            town = Town(row[0], "", row[1], int(row[2]))
            at_home = [place for place in _namesakes(row[0], row[1]) if place.population >= LARGE]
            yield PlaceFound(tuple(at_home[:1]) or (town,), word.start, word.end, confidence)


@cache
def _city_of_code(code: str) -> Sequence[str]:
    """The row of the city that an airport serves first of all."""
    rows = [row.split("\t") for row in airport_names().rows]
    return max((row for row in rows if code in row[3].split()), key=lambda row: int(row[2]))


@cache
def _flown_to() -> frozenset[str]:
    return frozenset(row.split("\t")[1] for row in airport_names().rows) - _countries()


def _american(text: Text, words: Sequence[PlaceWord]) -> tuple[PlaceFound, ...]:
    states = find_regions(text, country=AMERICA)
    known = tuple(_american_towns(text, words, states))
    flown_to = [each for each in _with_airports(text, words, {AMERICA}) if _is_unlisted(text, each, known)]
    known = (*known, *flown_to)
    return (*known, *_small_towns(text, states, known)) if states else known


def _is_unlisted(text: Text, town: PlaceFound, known: Sequence[PlaceFound]) -> bool:
    """Whether only the list of airports has a town, by a name that is no word of every day."""
    written = fold_name(text.folded[town.start : town.end])
    named = " " in written and written == fold_name(town.places[0].name)
    return named and written not in american_names().by_name and _is_apart(town.start, town.end, known)


def _american_towns(text: Text, words: Sequence[PlaceWord], states: Sequence[Found]) -> Iterator[PlaceFound]:
    """Towns of the United States; a state after the name tells which: "Cambridge MA"."""
    names = american_names()
    by_start = {each.start: each for each in states}
    free = 0
    for spotted in spot(names, words):
        rows = [names.rows[number].split("\t") for number in names.by_name[spotted.name]]
        state = _state_after(words, spotted, by_start, {row[1] for row in rows})
        if words[spotted.first].start < free or (state is None and _is_no_town(words, spotted)):
            continue
        places = _ranked([_place(row) for row in rows if not state or row[1] == state.value], AMERICA)
        places = places or (Town(rows[0][0], str(state.value) if state else "", AMERICA, 0),)
        confidence = _american_confidence(text, words, spotted, places[0], told=state is not None)
        if confidence >= LEAST_CONFIDENCE:
            free = state.end if state else words[spotted.last - 1].end
            yield PlaceFound(places, words[spotted.first].start, free, confidence)


def _american_confidence(text: Text, words: Sequence[PlaceWord], spotted: Spotted, place: Town, *, told: bool) -> int:
    """Most towns are names of persons as well; a large one may be meant wherever it stands."""
    size = min(place.population, LARGE - 1)
    confidence = place_confidence(text, words, spotted, size=size, told=told)
    if confidence or not is_well_known(place):
        return confidence
    return min(KNOWN, place_confidence(text, words, spotted, size=place.population, told=told))


def is_well_known(place: Town) -> bool:
    """Whether a name is sooner that of a city than of a person; in the United States not without an airport."""
    has_airport = place.country != AMERICA or fold_name(place.name) in airport_names().by_name
    return place.population >= LARGE and has_airport


def _small_towns(text: Text, states: Sequence[Found], known: Sequence[PlaceFound]) -> Iterator[PlaceFound]:
    """A town that no list has, by its state: "Smallville, KS"; no surer than that, for a person may stand there."""
    for state in states if len(text.raw) == len(text.folded) else ():
        town = _BEFORE_A_STATE.search(text.raw[: state.start])
        if (
            town
            and fold_name(town.group(1)).split()[0] not in GIVEN_NAMES
            and _is_apart(town.start(1), state.end, known)
        ):
            place = Town(town.group(1), str(state.value), AMERICA, 0)
            yield PlaceFound((place,), town.start(1), state.end, 60)


def _is_apart(start: int, end: int, places: Sequence[PlaceFound]) -> bool:
    return all(end <= each.start or start >= each.end for each in places)


def _state_after(
    words: Sequence[PlaceWord], spotted: Spotted, states: Mapping[int, Found], possible: Collection[str]
) -> Found | None:
    """The state that follows a town; in small letters one with such a town, and only at the end: "cambridge, ma"."""
    if spotted.last == len(words):
        return None
    if told := states.get(words[spotted.last].start):
        return told
    for last in range(min(len(words), spotted.last + 3), spotted.last, -1):
        after = words[spotted.last : last]
        name = " ".join(word.text for word in after)
        short = after[-1].end - after[0].start < CODE_LETTERS  # "ma" has become María
        meant = state_named("ma" if short and name == "maria" else name)
        if meant in possible and (last == len(words) or words[last].text.isdigit()):
            return Found("region", meant, after[0].start, after[-1].end, 75)
    return None


def _is_no_town(words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    """12 Austin Ave, 5 Boston Post Rd; the LA of "Monroe, LA"."""
    if spotted.name in _IN_SHORT:
        return spotted.last < len(words) or (spotted.first > 0 and words[spotted.first - 1].text not in _LEADING)
    numbered = spotted.first > 0 and words[spotted.first - 1].text.isdigit() and words[spotted.first].near
    house = numbered and len(words[spotted.first - 1].text) < ZIP_DIGITS
    following = {word.text for word in words[spotted.last : spotted.last + 2] if word.near}
    return house or not following.isdisjoint(ENGLISH_STREETS - {"st"})


def region_of(city: str, country: str = "") -> str:
    """The department, province or state of a city where no other town of that name comes into question, else ""."""
    return only_region(_ranked(_namesakes(city, country), country), country)


def regions_of(city: str, country: str = "") -> tuple[str, ...]:
    """All regions that have a town of this name, that of the largest first."""
    towns = sorted(_namesakes(city, country), key=lambda place: -place.population)
    return tuple(dict.fromkeys(place.region for place in towns))


def only_region(places: Sequence[Town], country: str = "") -> str:
    """The region that all of these towns of a country lie in, else ""."""
    regions = {place.region for place in places if not country or place.country == country}
    return regions.pop() if len(regions) == 1 else ""


def _namesakes(city: str, country: str) -> list[Town]:
    names = american_names() if country == AMERICA else city_names()
    rows = [names.rows[number].split("\t") for number in names.by_name.get(fold_name(city[:80]), ())]
    return [_place(row) for row in rows if not country or row[2] == country]


def as_city(found: PlaceFound) -> Found:
    """The likeliest town as a plain value."""
    return Found("city", found.places[0].name, found.start, found.end, found.confidence)


def _cities(text: Text, words: Sequence[PlaceWord], country: str) -> Iterator[PlaceFound]:
    names = city_names()
    free = 0
    for spotted in spot(names, words):
        if spotted.first < free or spotted.name in NO_CITIES or region_first(words, spotted):
            continue
        rows = tuple(tuple(names.rows[number].split("\t")) for number in names.by_name[spotted.name])
        named = _told(words, spotted, rows, of_country=2)
        places = _ranked([_place(row) for row in named.rows], country)
        size = max(place.population * (3 if place.country == country else 1) for place in places)
        confidence = place_confidence(text, words, spotted, size=size, told=named.told)
        if confidence >= LEAST_CONFIDENCE:
            free = named.last
            yield PlaceFound(places, words[spotted.first].start, words[named.last - 1].end, confidence)


def _code_confidence(text: Text, words: Sequence[PlaceWord], index: int) -> int:
    word = words[index]
    if word.end - word.start != CODE_LETTERS or word.text.upper() not in airport_codes():
        return 0
    return code_confidence(text, words, index)


def _place(row: Sequence[str]) -> Town:
    return Town(row[0], row[1], row[2], int(row[3]))


def _ranked(places: Sequence[Town], country: str) -> tuple[Town, ...]:
    """The agent's country first, then by size; without those that are dwarfed by a namesake."""
    weights = {place: _weight(place, country) for place in places}
    most = max(weights.values(), default=0)
    kept = [place for place, weight in weights.items() if weight * DOMINATED >= most]
    kept.sort(key=lambda place: (place.country != country, -weights[place]))
    return tuple(kept[:MOST_CANDIDATES])


def _weight(place: Town, country: str) -> int:
    factor = HOME_WEIGHT if place.country == country else SPANISH_WEIGHT if place.country in SPANISH_SPEAKING else 1
    return max(place.population, 1) * factor


@cache
def _regions() -> Mapping[str, frozenset[str]]:
    """Folded names of regions and countries, with what a row must hold to lie in them."""
    regions = {name: {code} for name, code in COUNTRY_NAMES.items()}
    for row in city_names().rows:
        region = row.split("\t")[1]
        regions.setdefault(fold_name(region), set()).add(region)
    for name, region in REGION_NAMES.items():
        regions.setdefault(name, set()).add(region)
    return {name: frozenset(held) for name, held in regions.items() if name}


def _told(
    words: Sequence[PlaceWord], spotted: Spotted, rows: tuple[tuple[str, ...], ...], *, of_country: int
) -> _Named:
    """The rows left when a region or country follows the name: "Córdoba, Argentina", "cordoba capital"."""
    last = spotted.last
    if last < len(words) and words[last].text in AFTER_A_CITY and words[last].near:
        last += 1
    start = last
    while start < min(len(words), last + 2) and words[start].text in BEFORE_A_REGION:
        start += 1
    for end in range(min(len(words), start + 5), start, -1):
        held = _regions().get(" ".join(word.text for word in words[start:end]), frozenset())
        inside = tuple(row for row in rows if row[of_country] in held or row[1] in held)
        if inside and words[end - 1].end - words[spotted.last - 1].end < 60:  # noqa: PLR2004
            return _Named(inside, end, told=True)
    return _Named(rows, last, told=last > spotted.last)
