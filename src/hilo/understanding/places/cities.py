"""Cities and airports in messages: which ones may be meant, the likeliest first, and how surely."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hilo.understanding.found import Found
from hilo.understanding.normalise import Text
from hilo.understanding.places.gazetteer_names import (
    SPANISH_SPEAKING,
    PlaceWord,
    Spotted,
    airport_codes,
    airport_names,
    city_names,
    fold_name,
    place_words,
    spot,
)
from hilo.understanding.places.signs import code_confidence, place_confidence, region_first
from hilo.understanding.places.words import AFTER_A_CITY, BEFORE_A_REGION, COUNTRY_NAMES, NO_CITIES, REGION_NAMES

DOMINATED = 30  # a town so many times smaller than its namesake is not meant
HOME_WEIGHT, SPANISH_WEIGHT = 50, 10
MOST_CANDIDATES = 12
LEAST_CONFIDENCE = 30
CODE_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A town with its department, province or state, and the ISO code of its country."""

    name: str
    region: str
    country: str
    population: int


@dataclass(frozen=True, slots=True)
class PlaceFound:
    """The towns that may be meant, the likeliest first; the span is one of the folded text."""

    places: tuple[Place, ...]
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
    """Towns of Latin America and Spain; several places for one name when only the contact can tell which."""
    words = place_words(text)
    if not words:
        return ()
    found = tuple(_cities(text, words, country))
    return found if is_covered(country) else _with_cities_abroad(text, words, country, found)


def is_covered(country: str) -> bool:
    """Whether the towns of a country are known; without a country they are."""
    return not country or country in _countries()


@cache
def _countries() -> frozenset[str]:
    return frozenset(row.split("\t")[2] for row in city_names().rows)


def _with_cities_abroad(
    text: Text, words: Sequence[PlaceWord], country: str, found: tuple[PlaceFound, ...]
) -> tuple[PlaceFound, ...]:
    """Cities of a country that the gazetteer has only airports of; they are meant before towns of elsewhere."""
    names, at_home = airport_names(), []
    for spotted in spot(names, words):
        rows = [names.rows[number].split("\t") for number in names.by_name[spotted.name]]
        places = tuple(Place(row[0], "", country, int(row[2])) for row in rows if row[1] == country)
        size = max((place.population for place in places), default=0)
        confidence = place_confidence(text, words, spotted, size=size, told=False) if places else 0
        if confidence >= LEAST_CONFIDENCE:
            start, end = words[spotted.first].start, words[spotted.last - 1].end
            at_home.append(PlaceFound(places, start, end, confidence))
    elsewhere = [each for each in found if all(each.end <= one.start or each.start >= one.end for one in at_home)]
    return tuple(sorted((*at_home, *elsewhere), key=lambda each: each.start))


def find_airports(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """IATA codes of airports named by code or by city; for several candidates the same span, the likeliest first."""
    words = place_words(text)
    return tuple(_airports(text, words, country)) if words else ()


def region_of(city: str, country: str = "") -> str:
    """The department, province or state of a city where no other town of that name comes into question, else ""."""
    return only_region(_ranked(_namesakes(city, country), country), country)


def regions_of(city: str, country: str = "") -> tuple[str, ...]:
    """All regions that have a town of this name, that of the largest first."""
    towns = sorted(_namesakes(city, country), key=lambda place: -place.population)
    return tuple(dict.fromkeys(place.region for place in towns))


def only_region(places: Sequence[Place], country: str = "") -> str:
    """The region that all of these towns of a country lie in, else ""."""
    regions = {place.region for place in places if not country or place.country == country}
    return regions.pop() if len(regions) == 1 else ""


def _namesakes(city: str, country: str) -> list[Place]:
    names = city_names()
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


def _airports(text: Text, words: Sequence[PlaceWord], country: str) -> Iterator[Found]:
    names = airport_names()
    spots = {spotted.first: spotted for spotted in spot(names, words)}
    free = 0
    for index, word in enumerate(words):
        if index < free:
            continue
        confidence = _code_confidence(text, words, index)
        if confidence:
            yield Found("airport", word.text.upper(), word.start, word.end, confidence)
        elif index in spots:
            found, last = _city_airports(text, words, spots[index], country)
            yield from found
            free = last if found else free


def _city_airports(
    text: Text, words: Sequence[PlaceWord], spotted: Spotted, country: str
) -> tuple[tuple[Found, ...], int]:
    names = airport_names()
    rows = tuple(tuple(names.rows[number].split("\t")) for number in names.by_name[spotted.name])
    named = _told(words, spotted, rows, of_country=1)
    places = {_airport_place(row): row[3].split() for row in named.rows}
    ranked = _ranked(list(places), country)
    confidence = place_confidence(text, words, spotted, size=ranked[0].population, told=named.told)
    codes = dict.fromkeys(code for place in ranked for code in places[place])
    if confidence < LEAST_CONFIDENCE:
        return (), spotted.last
    start, end = words[spotted.first].start, words[named.last - 1].end
    return tuple(
        Found("airport", code, start, end, max(LEAST_CONFIDENCE, confidence - 10 * rank))
        for rank, code in enumerate(codes)
    ), named.last


def _code_confidence(text: Text, words: Sequence[PlaceWord], index: int) -> int:
    word = words[index]
    if word.end - word.start != CODE_LETTERS or word.text.upper() not in airport_codes():
        return 0
    return code_confidence(text, words, index)


def _place(row: Sequence[str]) -> Place:
    return Place(row[0], row[1], row[2], int(row[3]))


def _airport_place(row: Sequence[str]) -> Place:
    return Place(row[0], row[3], row[1], int(row[2]))


def _ranked(places: Sequence[Place], country: str) -> tuple[Place, ...]:
    """The agent's country first, then by size; without those that are dwarfed by a namesake."""
    weights = {place: _weight(place, country) for place in places}
    most = max(weights.values(), default=0)
    kept = [place for place, weight in weights.items() if weight * DOMINATED >= most]
    kept.sort(key=lambda place: (place.country != country, -weights[place]))
    return tuple(kept[:MOST_CANDIDATES])


def _weight(place: Place, country: str) -> int:
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
