"""The bundled gazetteer, read when a place is first looked for: names of cities and of airports, typos allowed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from hilo.recognisers.amounts.lexicon import sound
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import FUNCTION_WORDS, GIVEN_NAMES
from hilo.recognisers.phrases import one_typo_apart
from hilo.recognisers.places.words import NO_TYPO, SPELLED_OUT

SHORTEST_WITH_TYPO = 6
LARGE = 100_000  # names of smaller towns must be spelled right
VERY_LARGE = 1_000_000
MOST_WORDS = 7
MOST_WORDS_WITH_TYPO = 4
SPANISH_SPEAKING = frozenset("AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE".split())  # noqa: SIM905

OFTEN_VISITED = frozenset("BR US FR GB IT DE PT NL BE CH CA".split())  # noqa: SIM905

_FOLD = str.maketrans("áéíóúüñàèìòùâêîôûãõäëïöçåÿýÁ'’-./()", "aeiouunaeiouaeiouaoaeiocayya       ")
_WORD = re.compile(r"[^\W_]+")
_CONSONANTS = re.compile(r"[b-df-hj-np-tv-z]{3,6}[aeiou]?")
_INSIDE = re.compile(r"[ .'’´`-]{1,3}")


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """The rows of a file by the folded names they go by; `longest` tells how many words follow a first word."""

    rows: Sequence[str]
    by_name: Mapping[str, tuple[int, ...]]
    longest: Mapping[str, int]
    shortened: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class PlaceWord:
    """A word of the folded text; `near` when nothing but a space, a dot or a hyphen stands before it."""

    text: str
    start: int
    end: int
    near: bool


@dataclass(frozen=True, slots=True)
class Spotted:
    """A name of the gazetteer at words first to last (exclusive); not `exact` with a typo, `likely` if a common one."""

    name: str
    first: int
    last: int
    exact: bool = True
    likely: bool = True


@cache
def city_names() -> Names:
    """Rows: name, region, country, population, other names."""
    return _load("cities.tsv", country=2, population=3, also=4)


@cache
def american_names() -> Names:
    """The same for the United States, read only where an agent is at home there."""
    return _load("towns_us.tsv", country=2, population=3, also=4)


@cache
def airport_names() -> Names:
    """Rows: name, country, population, codes, other names."""
    return _load("airports.tsv", country=1, population=2, also=4)


@cache
def airport_codes() -> Mapping[str, int]:
    """The population of the largest city that each code serves."""
    codes: dict[str, int] = {}
    for row in airport_names().rows:
        _, _, population, served, *_ = row.split("\t")
        for code in served.split():
            codes[code] = max(codes.get(code, 0), int(population))
    return codes


def place_words(text: Text) -> list[PlaceWord]:
    """The words of a message with the abbreviations of place names spelled out."""
    words: list[PlaceWord] = []
    end = -1
    for match in _WORD.finditer(text.folded):
        near = end >= 0 and _INSIDE.fullmatch(text.folded, end, match.start()) is not None
        if near and "\n" in text.raw and "\n" in text.raw[text.origins[end - 1] : text.origins[match.start()]]:
            near = False
        words.append(PlaceWord(SPELLED_OUT.get(match.group(), match.group()), match.start(), match.end(), near))
        end = match.end()
    return words


def spot(names: Names, words: Sequence[PlaceWord]) -> Iterator[Spotted]:
    """The longest name at each place, exact ones first."""
    index = 0
    while index < len(words):
        spotted = _exact(names, words, index) or _with_typo(names, words, index)
        if spotted:
            yield spotted
        index = spotted.last if spotted else index + 1


def fold_name(name: str) -> str:
    """A name in the letters of the index."""
    return " ".join(name.lower().translate(_FOLD).split())


def _load(file: str, *, country: int, population: int, also: int) -> Names:
    from importlib.resources import files  # noqa: PLC0415 — a slow import, only for those who look for places

    text = (files("hilo.recognisers.places") / "gazetteer" / file).read_text("utf-8")
    rows = text.splitlines()
    index: dict[str, list[int]] = {}
    large: set[str] = set()
    for number, row in enumerate(text.lower().translate(_FOLD).splitlines()):
        fields = row.split("\t")
        names = [fields[0], *fields[also].split("|")] if len(fields) > also else fields[:1]
        is_large = _is_large(fields[country].upper(), int(fields[population]))
        for name in names:
            clean = " ".join(name.split())
            index.setdefault(clean, []).append(number)
            if is_large and len(clean) >= SHORTEST_WITH_TYPO:
                large.add(clean)
    by_name = {name: tuple(dict.fromkeys(numbers)) for name, numbers in index.items()}
    return Names(rows, by_name, _longest(by_name), _shortened_names(large))


def _is_large(country: str, population: int) -> bool:
    """Whether so many people may write of a city that some misspell it."""
    if country in SPANISH_SPEAKING:
        return population >= LARGE
    return population >= VERY_LARGE and country in OFTEN_VISITED


def _longest(names: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for name in names:
        first, _, rest = name.partition(" ")
        size = rest.count(" ") + 2 if rest else 1
        if size > longest.get(first, 0):
            longest[first] = size
    return longest


def _shortened_names(names: set[str]) -> dict[str, tuple[str, ...]]:
    """The names by themselves and by what is left when one letter is lost, the first excepted."""
    shortened: dict[str, tuple[str, ...]] = {}
    for name in sorted(names):
        for key in _shortened(name):
            shortened[key] = (*shortened.get(key, ()), name)
    return shortened


def _shortened(name: str) -> set[str]:
    return {name, *(name[:place] + name[place + 1 :] for place in range(1, len(name)))}


def _exact(names: Names, words: Sequence[PlaceWord], first: int) -> Spotted | None:
    size = min(names.longest.get(words[first].text, 0), len(words) - first, MOST_WORDS)
    while size > 0:
        last = first + size
        if all(word.near for word in words[first + 1 : last]):
            name = " ".join(word.text for word in words[first:last])
            if name in names.by_name:
                return Spotted(name, first, last)
        size -= 1
    return None


def _with_typo(names: Names, words: Sequence[PlaceWord], first: int) -> Spotted | None:
    opening = words[first].text
    if len(opening) < 3 or (opening in FUNCTION_WORDS and opening != "buenos"):  # noqa: PLR2004
        return None
    written = opening
    best: Spotted | None = None
    for last in range(first + 1, min(first + MOST_WORDS_WITH_TYPO, len(words)) + 1):
        if last > first + 1:
            if not words[last - 1].near:
                break
            written = f"{written} {words[last - 1].text}"
        if last == first + 1 and (written in NO_TYPO or written in GIVEN_NAMES):
            continue
        meant = _meant(names, written)
        if meant:
            best = Spotted(meant, first, last, exact=False, likely=one_typo_apart(written, meant))
    return best


@lru_cache(maxsize=8192)  # most words of messages are the same few thousand
def _meant(names: Names, written: str) -> str:
    """The one large city that a name is a letter away from."""
    if _CONSONANTS.fullmatch(written):
        return _abbreviated(names, written)
    if not SHORTEST_WITH_TYPO - 1 <= len(written) <= 30 or not written.replace(" ", "").isalpha():  # noqa: PLR2004
        return ""
    near = {name for key in _shortened(written) for name in names.shortened.get(key, ()) if _one_edit(written, name)}
    if len(near) == 1:
        return near.pop()
    return _by_sound(names).get(sound(written), "")  # guayakil


def _abbreviated(names: Names, written: str) -> str:
    """The largest city that is written without its vowels, its ends apart: bgta, mdza, stgo."""
    if names is not city_names():
        return ""
    letters = re.compile(".*".join(written))
    large = {name for several in names.shortened.values() for name in several if name[0] == written[0]}
    meant = [name for name in large if name[-1] == written[-1] and " " not in name and letters.fullmatch(name)]
    sizes = {name: max(int(names.rows[row].split("\t")[3]) for row in names.by_name[name]) for name in meant}
    return max(sizes, key=lambda name: sizes[name], default="")


@cache
def _by_sound(names: Names) -> Mapping[str, str]:
    """The names of large cities by how they sound; none where two sound alike."""
    large = {name for several in names.shortened.values() for name in several}
    heard: dict[str, str] = {}
    for name in large:
        key = sound(name)
        heard[key] = "" if key in heard else name
    return heard


def _one_edit(written: str, meant: str) -> bool:
    """One letter lost, added, changed, or two neighbours swapped."""
    if written[0] != meant[0] or abs(len(written) - len(meant)) > 1:
        return False
    head = next((i for i, (a, b) in enumerate(zip(written, meant, strict=False)) if a != b), None)
    if head is None:
        return len(written) != len(meant)
    if len(written) == len(meant):
        changed = written[head + 1 :] == meant[head + 1 :]
        return changed or (
            written[head : head + 2] == meant[head : head + 2][::-1] and written[head + 2 :] == meant[head + 2 :]
        )
    longer, shorter = (written, meant) if len(written) > len(meant) else (meant, written)
    return longer[head + 1 :] == shorter[head:]
