"""The time zone of a place, by any of its names."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from asistente_words import plain, quoted, rows

from hilo import AskContact, ToolFailed

# Countries where only the contact can tell; elsewhere the time of the capital is what people expect.
MAIN_CITIES = {
    "Estados Unidos": ("Nueva York", "Chicago", "Denver", "Los Ángeles", "Honolulú"),
    "Canadá": ("Toronto", "Vancouver", "Calgary", "Winnipeg", "Halifax"),
    "Australia": ("Sídney", "Melbourne", "Brisbane", "Adelaida", "Perth"),
    "Rusia": ("Moscú", "Ekaterimburgo", "Novosibirsk", "Vladivostok"),
}
WITH_CAPITAL = {  # they have more than one time: the answer names whose it is
    "Brasil": "Brasilia",
    "Chile": "Santiago",
    "Ecuador": "Quito",
    "España": "Madrid",
    "Indonesia": "Yakarta",
    "México": "Ciudad de México",
    "Portugal": "Lisboa",
    "República Democrática del Congo": "Kinsasa",
}
MOST_WORDS = 40
HALF = 30  # minutes
LONGEST_NAME = 5  # words
SHORTEST_NAME = 4  # letters of a name that is looked for inside a sentence
MAX_OFFSET = timedelta(hours=14)

_OFFSET = re.compile(r"(?:utc|gmt) ?([+-]) ?(\d{1,2})(?::?(\d{2}))?")
_SMALL = frozenset(("de", "del", "en", "el", "la"))


@dataclass(frozen=True, slots=True)
class Place:
    """A city or a country as people write it, and its time zone; "" where only a city has one."""

    name: str
    zone: str
    country: str = ""

    @property
    def full_name(self) -> str:
        """With the country of a city: it tells two cities of one name apart."""
        return f"{self.name} ({self.country})" if self.country else self.name


def find_place(wanted: str) -> tuple[str, tzinfo]:
    """The name and the zone of a place; asks when it may be several, and tells when it is none."""
    name = plain(wanted)
    found = _named(name) or _inside(name)
    if not found:
        return _offset(name) or _unknown(wanted, name)
    if len({place.zone for place in found}) > 1:
        raise AskContact("place", [place.full_name for place in found], f"¿Cuál {found[0].name}?")
    place = found[0]
    if not place.zone:
        raise AskContact("place", MAIN_CITIES[place.name], f"{place.name} tiene varias horas. ¿De qué ciudad?")
    return _worded(place), ZoneInfo(place.zone)


def _worded(place: Place) -> str:
    """The name, with what tells it apart from others of that name or from other times of the country."""
    if capital := WITH_CAPITAL.get(place.name):
        return f"{place.name} ({capital})"
    return place.full_name if len(_names().get(plain(place.name), ())) > 1 else place.name


def place_of(zone: tzinfo | None) -> Place | None:
    """The place that a time zone is best known by: the city in its name, or the first in the list."""
    key = getattr(zone, "key", "")
    alike = [place for place in _places() if place.zone == key and place.country]
    city = plain(key.rpartition("/")[2].replace("_", " "))
    named = [place for place in alike if place in _names().get(city, ())]
    return next(iter(named or alike), None)


def _named(name: str) -> tuple[Place, ...]:
    """The places of a name, of a name with its country, or the time zone itself."""
    without = " ".join(word for word in re.split(r"[\s,()-]+", name) if word and word not in _SMALL)
    found = _names().get(name) or _names().get(without) or _with_countries().get(without)
    if found:
        return tuple(found)
    zone = _zones().get(name.replace(" ", "_")) or _zones().get(name)
    return (_city_of(zone),) if zone else ()


def _city_of(zone: str) -> Place:
    """The city that a zone is named after, in Spanish where we know it."""
    city = zone.rpartition("/")[2].replace("_", " ")
    return next((place for place in _names().get(plain(city), ()) if place.zone == zone), Place(city, zone))


def _inside(sentence: str) -> tuple[Place, ...]:
    """The longest name inside a sentence: qué hora es en Nueva York ahora."""
    words = re.findall(r"[^\s,;.?!()]+", sentence)[:MOST_WORDS]
    for size in range(min(LONGEST_NAME, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            name = " ".join(words[start : start + size])
            if len(name) >= SHORTEST_NAME and (found := _names().get(name) or _with_countries().get(name)):
                return tuple(found)
    return ()


def places_in(text: str) -> Iterator[tuple[str, int, int]]:
    """The names of places inside a folded text, the longest at each word, and where they stand."""
    words = list(re.finditer(r"[^\s,;.?!()]+", text))[:MOST_WORDS]
    index = 0
    while index < len(words):
        for size in range(min(LONGEST_NAME, len(words) - index), 0, -1):
            start, end = words[index].start(), words[index + size - 1].end()
            name = text[start:end]
            if len(name) >= SHORTEST_NAME and (_names().get(name) or _with_countries().get(name)):
                yield name, start, end
                index += size - 1
                break
        index += 1


def _offset(name: str) -> tuple[str, tzinfo] | None:
    """UTC-3, GMT+5:30."""
    match = _OFFSET.fullmatch(name)
    if not match:
        return None
    size = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    if size > MAX_OFFSET:
        return None
    zone = timezone(size if match[1] == "+" else -size)
    return str(zone), zone


def _unknown(wanted: str, name: str) -> tuple[str, tzinfo]:
    close = get_close_matches(name, _names(), n=3, cutoff=0.8) if len(name) >= SHORTEST_NAME else []
    if close:
        raise AskContact(
            "place",
            dict.fromkeys(place.full_name for each in close for place in _names()[each]),
            f"No conozco {quoted(wanted)}. ¿Quisiste decir…?",
        )
    raise ToolFailed(
        f"unknown place {wanted[:80]}",
        tell=f"No conozco {quoted(wanted)}. Prueba con una ciudad grande, por ejemplo Tokio o Lima.",
    )


@lru_cache(maxsize=1)
def _places() -> tuple[Place, ...]:
    return tuple(Place(row["name"], row["zone"], row["country"]) for row in rows("places.csv"))


@lru_cache(maxsize=1)
def _names() -> dict[str, list[Place]]:
    names: dict[str, list[Place]] = defaultdict(list)
    for place, row in zip(_places(), rows("places.csv"), strict=True):
        for name in dict.fromkeys(plain(each) for each in (place.name, *row["also"].split("|")) if each):
            names[name].append(place)
    return dict(names)


@lru_cache(maxsize=1)
def _with_countries() -> dict[str, list[Place]]:
    """Córdoba Argentina, and Córdoba without its "de": the small words left out on both sides."""
    named: dict[str, list[Place]] = defaultdict(list)
    for name, places in _names().items():
        for place in places:
            for spelling in dict.fromkeys(_spellings(name, place)):
                named[spelling].append(place)
    return dict(named)


def _spellings(name: str, place: Place) -> Iterator[str]:
    short = " ".join(word for word in re.split(r"[\s,()-]+", name) if word not in _SMALL)
    yield short
    if place.country:
        country = " ".join(word for word in plain(place.country).split() if word not in _SMALL)
        yield f"{short} {country}"


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    """The zones of the world by name, and by the city at the end of the name."""
    zones = {zone.rpartition("/")[2].lower(): zone for zone in sorted(available_timezones()) if "/" in zone}
    return zones | {zone.lower(): zone for zone in available_timezones()}


def difference(there: datetime, here: datetime) -> timedelta:
    """How much later the clocks are there than here."""
    return (there.utcoffset() or timedelta()) - (here.utcoffset() or timedelta())


def apart(size: timedelta, home: str) -> str:
    """How far two clocks are apart, in words."""
    where = f"que en {home}" if home else "que aquí"
    if not size:
        return f"la misma hora {where}"
    hours, minutes = divmod(abs(int(size.total_seconds())) // 60, 60)
    whole = [f"{hours} hora{'s' * (hours != 1)}"] if hours else []
    rest = ["media" if hours and minutes == HALF else f"{minutes} minutos"] if minutes else []
    return f"{' y '.join(whole + rest)} {'más' if size > timedelta() else 'menos'} {where}"
