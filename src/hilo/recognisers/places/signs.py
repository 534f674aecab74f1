"""How surely a word that may name a place does: what stands around it, how it is written, how large the place is."""

import re
from collections.abc import Sequence

from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import GIVEN_NAMES
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.gazetteer_names import LARGE, PlaceWord, Spotted, airport_codes
from hilo.recognisers.places.words import (
    BEFORE_A_PLACE,
    BEFORE_MUCH,
    BEFORE_NO_CITY,
    CODE_WORDS,
    EVERYDAY,
    KNOWN_CODES,
    NAMING,
    ORDINARY,
    TRAVEL,
)

SURE, LIKELY, ALONE, NONE = "sure", "likely", "alone", "none"

# confidence by sign: a large city, a small town, an ordinary word that is a large city, one that is a small town
_TABLE = {
    SURE: (95, 88, 85, 70),
    ALONE: (95, 85, 75, 55),
    LIKELY: (90, 70, 60, 0),
    NONE: (80, 0, 40, 0),
}
_REACH = 4
_STREET_NUMBER = re.compile(
    r"[ ]*(?:#|n[°ºo]?\.?|nro\.?)?[ ]*(\d{2,5})(?![\d/:.,%]|[ -]\d{3}|\s*(?:de\b|pesos|usd|hs|am|pm))"
)
_COURTESY = word_set(
    "hola buenas buenos dias tardes noches si no ok dale gracias por favor porfa claro ah eh pues bueno es"
)
_CLAUSE = re.compile(r"[,.;:!?()/|\n]|\s[-–—>]+\s|^$")
_WELL_KNOWN = word_set(
    "la rioja|la habana|la coruna|la serena|las vegas|los angeles".replace(" ", "_").replace("|", " ")
)
_ALTERNATIVES = word_set("y e o u ni")  # between streets and persons as well as between towns
_TOWARDS = word_set("a hasta hacia para")
_ARTICLES = word_set("la el los las")
_MONTHS = word_set("enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre")
_BEFORE_TOWNS = BEFORE_A_PLACE | BEFORE_MUCH


def place_confidence(text: Text, words: Sequence[PlaceWord], spotted: Spotted, *, size: int, told: bool) -> int:
    """0 where the name is something else: a street, a person, an everyday word."""
    if _is_street(text, words, spotted):
        return 0
    sign = SURE if told else _sign(text, words, spotted)
    if sign == SURE and not told and size < LARGE and _is_doubtful(text, words, spotted):
        sign = LIKELY
    if spotted.name in EVERYDAY and not _everyday_place(text, words, spotted, sign, size):
        return 45 if sign == ALONE and size >= LARGE and spotted.last - spotted.first < len(words) else 0
    if _is_person(words, spotted, sign):
        return 35 if size >= LARGE else 0
    confidence = _from_table(text, words, spotted, sign, size)
    if spotted.exact:
        return confidence
    if sign in {SURE, ALONE}:
        return confidence - 15
    return confidence - 20 if spotted.likely else 0


def _is_doubtful(text: Text, words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    """An ordinary word in small letters after "a" or "de": "ir a la consulta", "soy Juan de la Cruz"."""
    led = words[spotted.first - 1].text in BEFORE_A_PLACE
    return not led and _is_ordinary(spotted.name) and not _is_capital(text, words, spotted)


def code_confidence(text: Text, words: Sequence[PlaceWord], index: int) -> int:
    """How surely three letters are an airport's code: in capitals, else only where a place is expected."""
    word = words[index]
    written = text.original(word.start, word.end)
    sign = _sign(text, words, Spotted(word.text, index, index + 1))
    shouting = sum(letter.isupper() for letter in text.raw) > len(text.raw) // 2 and len(words) > 3  # noqa: PLR2004
    if word.text in CODE_WORDS:
        told = (written.isupper() and not shouting) or _is_paired(words, index)
        return 60 if told and sign in {SURE, LIKELY} else 0
    if re.match(r"[-#]?\d", text.folded[word.end : word.end + 2]):
        return 0
    if written.isupper() and not shouting:
        return 95 if sign != NONE or word.text in KNOWN_CODES else 60
    return 80 if sign != NONE and word.text in KNOWN_CODES else 0


def _is_paired(words: Sequence[PlaceWord], index: int) -> bool:
    """Whether a code that is no word stands on the other side of "a": "de eze a mia"."""
    others = [words[place].text for place in (index - 2, index + 2) if 0 <= place < len(words)]
    return any(other.upper() in airport_codes() and other not in CODE_WORDS for other in others)


def region_first(words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    """Whether "provincia de" or the like makes a region of the name."""
    before = [word.text for word in words[max(0, spotted.first - 2) : spotted.first]]
    regions = {"provincia", "departamento", "dpto", "estado", "region", "gobierno"}
    if _heads_both(words, spotted):
        return False
    return bool(before) and (before[-1] in regions or (before[-1] in {"de", "del"} and before[0] in regions))


def _heads_both(words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    """Ciudad y departamento: Pasto, Nariño."""
    before = [word.text for word in words[max(0, spotted.first - 3) : spotted.first]]
    return len(before) > 1 and bool({"ciudad", "municipio", "city"}.intersection(before[:-1]))


def _from_table(text: Text, words: Sequence[PlaceWord], spotted: Spotted, sign: str, size: int) -> int:
    large = size >= LARGE
    ordinary = _is_ordinary(spotted.name)
    if sign == NONE and _is_thing(spotted.name) and not _is_capital(text, words, spotted):
        return 0
    confidence = _TABLE[sign][(2 if ordinary else 0) + (0 if large else 1)]
    if sign == ALONE and ordinary and spotted.last - spotted.first < len(words) - 1:
        return confidence - 15
    if confidence:
        return confidence
    capital = _is_capital(text, words, spotted)
    if sign == LIKELY and capital:
        return 50 if words[spotted.first - 1].text not in _ALTERNATIVES else 0
    several = spotted.last - spotted.first > 1
    if sign == NONE and not ordinary and several and len(spotted.name) >= 10:  # noqa: PLR2004
        return 75
    return 50 if sign == NONE and not ordinary and capital and spotted.first > 0 else 0


def _is_ordinary(name: str) -> bool:
    """Persons, things, "la plata" and "9 de julio"."""
    first, _, rest = name.partition(" ")
    if not rest:
        return name in ORDINARY or name in GIVEN_NAMES
    if first in _ARTICLES:
        return name.replace(" ", "_") not in _WELL_KNOWN
    return first.isdigit() or bool(_MONTHS.intersection(rest.split()))


def _is_thing(name: str) -> bool:
    """Whether a name is an everyday word with its article: "me devuelven la plata"."""
    article, _, rest = name.partition(" ")
    return article in _ARTICLES and rest in EVERYDAY


def _sign(text: Text, words: Sequence[PlaceWord], spotted: Spotted) -> str:
    before = [word.text for word in words[max(0, spotted.first - _REACH) : spotted.first]]
    if before and before[-1] in {"la", "el", "los", "las"} and len(before) > 1 and spotted.name not in ORDINARY:
        before.pop()
    if before and before[-1] in BEFORE_A_PLACE and _adjoins(text, words, spotted):
        return SURE
    if before and before[-1] in BEFORE_MUCH and _adjoins(text, words, spotted):
        after = words[spotted.last].text if spotted.last < len(words) else ""
        begun = before[-1] == "de" and after in _TOWARDS
        ended = before[-1] in _TOWARDS and not {"de", "desde"}.isdisjoint(before[:-1])
        led = begun or ended or TRAVEL.intersection(before[:-1]) or _is_whole_clause(text, words, spotted)
        return SURE if led else LIKELY
    return ALONE if _stands_alone(text, words, spotted) else NONE


def _is_whole_clause(text: Text, words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    """Whether "de" and the name are a clause of their own: "soy Ana, de Pereira"."""
    after_another = spotted.first > 1 and _breaks(text, words, spotted.first - 1)
    closes = spotted.last == len(words) or _breaks(text, words, spotted.last)
    return words[spotted.first - 1].text == "de" and after_another and closes


def _adjoins(text: Text, words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    gap = text.folded[words[spotted.first - 1].end : words[spotted.first].start]
    return not gap.strip(" :*_\"'")


def _stands_alone(text: Text, words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    """Whether the name fills a clause, apart from courtesy."""
    first, last = spotted.first, spotted.last
    while first > 0 and words[first - 1].text in _COURTESY:
        first -= 1
    opens = first == 0 or _breaks(text, words, spotted.first)
    closes = last == len(words) or words[last].text in _COURTESY or _breaks(text, words, last)
    return opens and closes


def _breaks(text: Text, words: Sequence[PlaceWord], index: int) -> bool:
    """Whether a clause ends before the word."""
    end, start = words[index - 1].end, words[index].start
    if _CLAUSE.search(text.folded[end:start]):
        return True
    return "\n" in text.raw and "\n" in text.raw[text.origins[end - 1] : text.origins[start]]


def _is_street(text: Text, words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    """After "calle" or before a house number: "av Córdoba", "mendoza 1250"."""
    previous = words[spotted.first - 1].text if spotted.first else ""
    before = words[spotted.first - 2].text if spotted.first > 1 and previous in {"de", "del", "la"} else previous
    led = before in BEFORE_NO_CITY or previous in BEFORE_NO_CITY
    if led and not _heads_both(words, spotted) and not _after_comma(text, words, spotted):
        return True
    number = _STREET_NUMBER.match(text.folded, words[spotted.last - 1].end)
    digits = len(number.group(1)) if number else 0
    return digits > 2 or (digits == 2 and previous not in _BEFORE_TOWNS)  # noqa: PLR2004


def _after_comma(text: Text, words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    return "," in text.folded[words[spotted.first - 1].end : words[spotted.first].start]


def _is_person(words: Sequence[PlaceWord], spotted: Spotted, sign: str) -> bool:
    """A name after "soy" or after a first name: "soy Santiago", "Ana Mendoza"."""
    if sign == SURE or not spotted.first:
        return False
    previous = words[spotted.first - 1]
    told = words[spotted.first - 2].text if spotted.first > 1 and previous.text in {"es", "completo"} else previous.text
    named = told in NAMING and (_is_ordinary(spotted.name) or told not in {"soy", "con"})
    return named or (words[spotted.first].near and previous.text in GIVEN_NAMES and previous.text not in BEFORE_MUCH)


def _everyday_place(text: Text, words: Sequence[PlaceWord], spotted: Spotted, sign: str, size: int) -> bool:
    """An everyday word is a place with a capital letter after "en", or as a large city after it."""
    return sign == SURE and (_is_capital(text, words, spotted) or size >= LARGE)


def _is_capital(text: Text, words: Sequence[PlaceWord], spotted: Spotted) -> bool:
    """Written with a capital in a message that is not all capitals."""
    written = text.original(words[spotted.first].start, words[spotted.last - 1].end)
    return written[:1].isupper() and not text.raw.isupper()
