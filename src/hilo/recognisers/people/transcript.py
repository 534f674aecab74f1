"""A message as it would have been typed: spoken signs, spelt letters and dictated digits are written down.

The recognisers of codes and addresses read it besides the message itself, so that whatever they take when it is typed
they take when it is spoken: "triple w punto tienda punto com", "be larga e te o arroba", "carrera cuarta número diez".
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from hilo.recognisers.amounts.lexicon import number_words
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, normalise, with_line_ends
from hilo.recognisers.people.dictation import DictatedToken, dictated_tokens, digit_parts, size_of_digits
from hilo.recognisers.phrases import word_set

SURE_WHEN_SPOKEN = 85  # no value that was written down is surer than that
FEWEST_LETTERS = 3  # of a word that is spelt, unless digits are among them
GROUP = 3  # digits between the points of a large number
LONG_CODE = 10  # digits beside which even letters that are words are spelt: "e ese 91 2100 0418"

_ASIDE = re.compile(
    r"[,(]? ?\b(?:(?:todo|va|es) )*(?:todo (?:junto|pegado|seguido)|(?:todo )?(?:en|con) minusculas?|sin espacios?"
    r"|(?:con )?(?:los|el) numeros? (?:en|con) (?:numeros?|cifras?)|en numeros?)\b[,)]?"
)
_SPOKEN_SIGNS = (
    (_ASIDE, " "),
    (re.compile(r"\b(?:triple|tres) (?:ws?|uves? dobles?|dobles? ?(?:v|u|ve|uve)s?)\b(?: ?punto\b)? ?"), "www."),
    (re.compile(r"\bw w w\b(?: ?punto\b)?[. ]*"), "www."),
    (re.compile(r"\b(?:(?:doble ?(?:v|u|ve|uve)|uve doble)\b ?){3}(?:punto\b)? ?"), "www."),
    (
        re.compile(r"\bhttps? (?:dos puntos|:) (?:(?:doble (?:barra|slash)|(?:barra|slash) (?:barra|slash))|//) "),
        "https://",
    ),
    (re.compile(r" ?arroba(?!s\b) ?| ?[(\[{<] ?(?:at|arroba|@) ?[)\]}>] ?| at (?=[\w-]+ dot )"), "@"),
    (re.compile(r" ?\b(?:guion|raya)(?: (?:bajo|abajo|de abajo|al piso)) ?| ?\bunderscore\b ?"), "_"),
    (re.compile(r" ?\bguion(?: (?:medio|del medio|alto|normal))?\b ?"), "-"),
    (re.compile(r" (?:barra|slash)(?: (?:inclinada|diagonal))? "), "/"),
    (re.compile(r" ?[(\[] ?(?:punto|dot) ?[)\]] ?| (?:punto|dot) (?=\w)"), "."),
)
_SITE = re.compile(r"[a-z]+(?: [a-z]+){1,3}(?=\|)")  # triple w punto flores de lis punto com
_GAP = re.compile(" ")
_WRITTEN = """
    b: be, be larga, be alta, be grande; v: ve, uve, ve corta, ve baja, ve chica
    w: uve doble, doble ve, doble v, doble u, doble uve; c: ce; d: de; f: efe; g: ge; h: hache; j: jota; k: ka
    l: ele; ll: elle; m: eme; n: ene; p: pe; q: cu; r: erre, ere; s: ese; t: te; x: equis; y: ye, i griega; i: i latina
    z: zeta, ceta, zeda; ch: ce hache
"""
NAMES_OF_LETTERS = {
    name.strip(): letter.strip()
    for letter, _, names in (each.partition(":") for each in re.split(r"[;\n]", _WRITTEN.strip()))
    for name in names.split(",")
}
_MAY_BE_SPOKEN = re.compile(
    r"arroba|\b(?:punto|dot|guion|barra|slash|raya|underscore|triple|doble\w*|at|mil|millon|millones)\b"
    r"|\be ese\b|[(\[{<] ?(?:at|@|dot)|\b[b-df-hj-np-tv-xz] [a-z0-9]\b|\d [b-df-hj-np-tv-xz]\b"
)
_JOINING = frozenset("aeouy")  # letters that are words
_MORE_THAN_WORDS = word_set("a e o u y de te ve ese")  # spelt letters only among others
_SPELT = frozenset(NAMES_OF_LETTERS) - _MORE_THAN_WORDS
_THOUSANDS: Mapping[str, str] = {"mil": "K", "millon": "M", "millones": "M"}
_NUMBERED_STREETS = word_set("calle cll carrera cra kra diagonal diag transversal avenida av")
_MULTIPLIERS = frozenset(_THOUSANDS.values())
_ORDINALS = {
    word: str(place)
    for place, words in enumerate(
        ["primera", "segunda", "tercera", "cuarta", "quinta", "sexta", "septima", "octava", "novena", "decima"], start=1
    )
    for word in (words, words[:-1] + "o")
}


@dataclass(frozen=True, slots=True)
class TypedText:
    """The text as typed; `spans` tell what each of its letters stands for in the folded text of the message."""

    text: Text
    spans: Sequence[tuple[int, int]]

    def said(self, found: Found) -> Found:
        """What was found in the transcript, with where it stands in the message."""
        first, last = self.text.span(found.start, found.end)
        start, end = self.spans[first][0], self.spans[last - 1][1]
        return replace(found, start=start, end=end, confidence=min(found.confidence, SURE_WHEN_SPOKEN))


@dataclass(frozen=True, slots=True)
class _Written:
    """What stands for a span of the folded text."""

    start: int
    end: int
    text: str


Find = Callable[[Text], tuple[Found, ...]]


def with_spoken(text: Text, find: Find, *, numbers_apart: bool = False) -> tuple[Found, ...]:
    """What is found in a message, and in its transcript wherever nothing as sure stands in the message itself."""
    typed = find(text)
    transcript = transcribed(text, numbers_apart=numbers_apart)
    if transcript is None:
        return typed
    spoken = [transcript.said(each) for each in find(transcript.text)]
    better = [each for each in spoken if all(_is_apart(each, other) or _is_more(each, other) for other in typed)]
    kept = [each for each in typed if all(_is_apart(each, other) for other in better)]
    return tuple(sorted((*kept, *better), key=lambda each: each.start))


def _is_apart(one: Found, other: Found) -> bool:
    return one.end <= other.start or one.start >= other.end


def _is_more(one: Found, other: Found) -> bool:
    """Whether a value holds another and goes on, as fercho2010@… holds 2010@… within."""
    return one.start <= other.start and one.end >= other.end and one.end - one.start > other.end - other.start


@lru_cache(maxsize=8)  # several types read the same message
def transcribed(text: Text, *, numbers_apart: bool = False) -> TypedText | None:
    """The transcript of a message, None where nothing is spoken; numbers of an address stay apart: "quince veinte"."""
    words = re.split(r"\W+", text.folded)
    if not _MAY_BE_SPOKEN.search(text.folded) and number_words().isdisjoint(words) and _SPELT.isdisjoint(words):
        return None
    written = sorted(_written(text, numbers_apart=numbers_apart), key=lambda each: (each.start, -each.end))
    return _transcript(text, written) if written else None


def _written(text: Text, *, numbers_apart: bool) -> Iterator[_Written]:
    masked = with_line_ends(text).replace("\n", "|")  # a line's end ends a number, too
    sites: list[int] = []  # where the name of a site begins
    for pattern, sign in _SPOKEN_SIGNS:
        for match in pattern.finditer(masked):
            yield _Written(match.start(), match.end(), sign)
            sites += [match.end()] if sign == "www." else []
        masked = pattern.sub(lambda match: "|" * len(match.group()), masked)
    for name in (name for site in sites if (name := _SITE.match(masked, site))):
        yield from (_Written(gap.start(), gap.end(), "") for gap in _GAP.finditer(masked, name.start(), name.end()))
    tokens = dictated_tokens(masked)
    place = 0
    while place < len(tokens):
        end = _run_end(tokens, place, spelt=not numbers_apart)
        beside_sign = "|" in {tokens[each].text for each in (place - 1, end) if 0 <= each < len(tokens)}
        fewest = 1 if beside_sign else FEWEST_LETTERS
        value = _value(tokens[place:end], fewest, numbers_apart=numbers_apart) if end > place else ""
        if value:
            yield _Written(tokens[place].start, tokens[end - 1].end, value)
        elif (
            numbers_apart and place and tokens[place].text in _ORDINALS and tokens[place - 1].text in _NUMBERED_STREETS
        ):
            yield _Written(tokens[place].start, tokens[place].end, _ORDINALS[tokens[place].text])
        place = max(end, place + 1)


def _transcript(text: Text, written: Sequence[_Written]) -> TypedText:
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    place = 0  # in the folded text
    for each in written:
        if each.start < place:
            continue
        _keep(text, place, each.start, pieces, spans)
        pieces.append(each.text)
        spans.extend([(each.start, each.end)] * len(each.text))
        place = each.end
    _keep(text, place, len(text.folded), pieces, spans)
    return TypedText(normalise("".join(pieces)), spans)


def _keep(text: Text, start: int, end: int, pieces: list[str], spans: list[tuple[int, int]]) -> None:
    """The raw text of a span, with letters that the folded text has lost."""
    for place in range(start, end):
        first = text.origins[place]
        last = text.origins[place + 1] if place + 1 < len(text.origins) else len(text.raw)
        letters = text.raw[first : max(first + 1, last)] if place == start or text.origins[place - 1] != first else ""
        pieces.append(letters)
        spans.extend([(place, place + 1)] * len(letters))


# --- runs of letters and digits ---------------------------------------------------------------------------


def _run_end(tokens: Sequence[DictatedToken], first: int, *, spelt: bool) -> int:
    """The index after the letters and digits that begin here."""
    place = first
    while place < len(tokens) and (size := _size(tokens, place, inside=place > first, spelt=spelt)):
        place += size
    while place > first and tokens[place - 1].text in _JOINING and _is_number(tokens[place - 2]):
        place -= 1  # the "a" of "30 a": no letter of a code
    return place


def _is_number(token: DictatedToken) -> bool:
    return token.number is not None or token.text.isdecimal()


def _size(tokens: Sequence[DictatedToken], place: int, *, inside: bool, spelt: bool) -> int:
    digits = size_of_digits(tokens, place, inside=inside)
    if digits or tokens[place].text in _THOUSANDS:
        return digits or int(inside or tokens[place].text == "mil")
    return _letter(tokens, place)[1] if spelt else 0


def _letter(tokens: Sequence[DictatedToken], place: int) -> tuple[str, int]:
    """The letter that is spelt here and how many words that takes: "be larga", "doble ele", "b de burro"."""
    words = [token.text for token in tokens[place : place + 3]]
    pair = " ".join(words[:2])
    if len(words) > 1 and pair in NAMES_OF_LETTERS:
        return NAMES_OF_LETTERS[pair], 2
    if words[0] == "doble" and len(words) > 1:
        twice = NAMES_OF_LETTERS.get(words[1], words[1])
        return (twice * 2, 2) if len(twice) == 1 and twice.isalpha() else ("", 0)
    letter = words[0] if len(words[0]) == 1 and words[0].isalpha() else NAMES_OF_LETTERS.get(words[0], "")
    named = len(words) > 2 and words[1] == "de" and words[2].startswith(letter) and len(words[2]) > 2  # noqa: PLR2004
    return letter, (3 if named and letter else 1 if letter else 0)


def _value(run: Sequence[DictatedToken], fewest: int, *, numbers_apart: bool) -> str:
    """The run as one would type it, empty where it was typed already or is no run of digits and letters."""
    parts: list[str] = []
    letters = words = place = 0
    while place < len(run):
        if run[place].text in _THOUSANDS:
            parts.append(_THOUSANDS[run[place].text])
            place += 1
        elif size_of_digits(run, place, inside=place > 0):
            words += run[place].number is not None or not run[place].text.isdecimal()
            digits, place = next(digit_parts(run, place))
            parts.append(digits)
        else:
            letter, size = _letter(run, place)
            letters += run[place].text not in _MORE_THAN_WORDS
            parts.append(letter)
            place += size
    has_digits = any(map(str.isdecimal, parts))
    counts = all(part.isdecimal() or part in _MULTIPLIERS for part in parts)
    if has_digits and counts and not _MULTIPLIERS.isdisjoint(parts):
        return _with_thousands(parts)
    spelt = letters and (has_digits or len(parts) >= fewest)
    spelt = spelt or (parts[0].isalpha() and sum(map(len, parts)) > LONG_CODE)
    if not words and not spelt:
        return ""
    joined = re.sub(r"(?<!\d)(\d) (?=\d(?!\d))", r"\1", " ".join(parts))
    return joined if numbers_apart else "".join(parts)


def _with_thousands(parts: Sequence[str]) -> str:
    """Veinticinco millones seiscientos mil trescientos; "mil" may be left out between groups of three.

    What follows a number without either is another group: "mil veinte, treinta cuarenta" is 1020 30 40.
    """
    groups: list[str] = []
    millions, number, adds = 0, "", False  # `adds`: what follows is a part of this number
    for part in parts:
        if part == _THOUSANDS["millones"]:
            millions, number, adds = int(number or 1) * 1_000_000, "", True
        elif part == _THOUSANDS["mil"]:
            number, adds = str(int(number or 1) * 1000), True
        elif not number or adds:
            number, adds = str(int(number) + int(part)) if number else part, False
        elif millions and len(part) == GROUP:
            number += part
        else:
            groups.append(str(millions + int(number)) if millions else number)
            millions, number = 0, part
    groups.append(str(millions + int(number or 0)) if millions else number)
    return "".join(groups)
