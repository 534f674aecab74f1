"""Where a contact says that they are: "soy de México", "acá en Chile son las 5". It tells the time they live by."""

import re
from collections import defaultdict
from functools import lru_cache

from hilo.agent.zones import ZONES
from hilo.packs.pack import shared_words
from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.places.gazetteer_names import city_names, fold_name
from hilo.recognisers.places.words import COUNTRY_NAMES

LONGEST = 300  # characters of a message that is looked at
MOST_WORDS = 4  # of the name of a place
SMALLEST = 50_000  # people of a town that is known without its country
LARGER = 5  # so many times as large is the town that is meant, of several of one name

# Parts of a country that have another time than its capital.
_OTHER_ZONES = {
    ("MX", "Baja California"): "America/Tijuana",
    ("MX", "Baja California Sur"): "America/Mazatlan",
    ("MX", "Sinaloa"): "America/Mazatlan",
    ("MX", "Nayarit"): "America/Mazatlan",
    ("MX", "Sonora"): "America/Hermosillo",
    ("MX", "Quintana Roo"): "America/Cancun",
    ("ES", "Las Palmas"): "Atlantic/Canary",
    ("ES", "Santa Cruz de Tenerife"): "Atlantic/Canary",
    ("ES", "Canarias"): "Atlantic/Canary",
}
_WORD = re.compile(r"\w+")


def zone_told(text: str) -> str:
    """The time zone of the place where a message says that the contact is; nothing where it says none.

    Where somebody is counts for more than where they are from: "soy de Perú pero vivo en Chile".
    """
    said = normalise(text[:LONGEST])
    lives, is_from = _zones_after("is at", said), _zones_after("is from", said)
    return next(iter((*lives[::-1], *is_from[::-1])), "")


def _zones_after(section: str, said: Text) -> list[str]:
    """The zones of the places that follow one of the phrases of a section."""
    found = []
    for lead in _leads(section).finditer(said.folded):
        if not _taken_back().search(said.folded[: lead.start()]):
            zone = _named(said.folded[lead.end() :])
            found += [zone] if zone else []
    return found


@lru_cache(maxsize=4)
def _leads(section: str) -> re.Pattern[str]:
    longest_first = sorted(shared_words(section), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))}) (?:la |el )?")


@lru_cache(maxsize=1)
def _taken_back() -> re.Pattern[str]:
    """What says, right before it, that it does not hold now: "no vivo en Colombia", "cuando estoy en Lima"."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, shared_words('is elsewhere')))})\W+$")


def _named(rest: str) -> str:
    """The zone of the longest name that a text begins with."""
    words = _WORD.findall(rest)[:MOST_WORDS]
    for size in range(len(words), 0, -1):
        name = " ".join(words[:size])
        if zone := ZONES.get(COUNTRY_NAMES.get(name, ""), "") or _of_town(name):
            return zone
    return ""


@lru_cache(maxsize=256)
def _of_town(name: str) -> str:
    """The zone of a large town, where most people of towns of that name live."""
    people: dict[str, int] = defaultdict(int)
    for number in city_names().by_name.get(fold_name(name), ()):
        _, region, country, population, *_ = city_names().rows[number].split("\t")
        if int(population) >= SMALLEST:
            people[_OTHER_ZONES.get((country, region), ZONES.get(country, ""))] += int(population)
    ranked = sorted(people, key=people.__getitem__, reverse=True)
    is_clear = len(ranked) == 1 or (ranked and people[ranked[0]] >= LARGER * people[ranked[1]])
    return ranked[0] if is_clear else ""
