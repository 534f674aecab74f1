"""Free texts by the name of their slot: "barrio: Laureles", "mi barrio es Laureles", "en el barrio Laureles"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hilo.agent.declaration import Slot
from hilo.recognisers.address_words import BESIDE, STOPS, STREETS, UNITS
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold
from hilo.recognisers.people.name_words import FUNCTION_WORDS, PARTICLES
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.address_pieces import NEVER_NAMED, SMALL, Pieces, piece_at, pieces_of
from hilo.recognisers.places.cities import find_cities
from hilo.understanding.mentions import Mention
from hilo.understanding.plain_phrases import told_before

MOST_WORDS, MOST_WRITTEN_WORDS = 5, 12  # of a text in a sentence, and of one after a colon
TO_CITY = 75

_LINK = re.compile(r"[ *_]*(?P<colon>[:=])[ *_]*|[ ]+(?:es|se llama|seria|is|queda en)\b[ :]*(?P<verb>)|[ ]+")
_IS_CALLED = re.compile(r" (?:es|seria|se llama) (?:el|la|mi|su|nuestro) $")
_SENTENCE_OR_COMMA = re.compile(r"[.,;!?\n]")
_COMMA = re.compile(r"(?P<colon>,)[ ]+(?P<verb>)")
_ARTICLE = re.compile(r" (?:(?:el|la|mi|su|tu|the|my) )?")
_LEAD = re.compile(r"(?:^|[,.;:\n(*/-])[ ]*(?:y )?$|\b(?:en (?:el|la)|del|al|in (?:the|my))[ ]$")
_OF = re.compile(r"(?: de)?[ ,-]*$")
_SENTENCE = re.compile(r"[.!\n]")
_MARKS = frozenset(".'’-&/")
_JOINING = frozenset(("de", "del", "y"))
# said of a thing, and no name of one
_ADJECTIVES = word_set("""
    grande pequeno pequena nuevo nueva propio propia mio mia familiar bueno buena bonito bonita mal peligroso seguro
    tranquilo cerca lejos popular residencial comercial actual anterior correcto incorrecto equivocado wrong new small
    big own mismo misma otro otra
""")
_UNTELLING = FUNCTION_WORDS | SMALL | STOPS
_OF_ADDRESSES = STREETS | UNITS
_ENDING = _OF_ADDRESSES | STOPS


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """The value of a slot, and where it stands together with the slot's name."""

    slot: str
    found: Found
    start: int


def labelled_values(
    slots: Mapping[str, Slot], text: Text, mentions: Sequence[Mention], *, country: str
) -> list[LabelledValue]:
    """The texts of the slots that are named; what follows the name must look like what it says."""
    named: list[LabelledValue] = []
    cued = [*mentions, *_cues(slots, text)]
    places = sorted({(each.start, each.end, each.slot) for each in cued if each.slot in slots})
    pieces = pieces_of(text) if places else []
    starts = [each.start for each in mentions]
    for start, end, slot in places:
        found = _after(text, pieces, (start, end), stops=[each for each in starts if each >= end], slot=slots[slot])
        found = found or _ahead(text, start, end)
        if found and slot not in {each.slot for each in named}:
            named.append(LabelledValue(slot, _before_a_city(text, found, country), start))
    return named


def _cues(slots: Mapping[str, Slot], text: Text) -> Iterator[Mention]:
    """The words that the author says a slot's value comes after; articles and the like only tell among values."""
    for name, slot in slots.items():
        for cue in (cue for cue in slot.before if fold(cue) not in FUNCTION_WORDS | PARTICLES):
            for match in re.finditer(rf"(?<!\w){re.escape(fold(cue))}(?!\w)", text.folded):
                yield Mention(name, match.start(), match.end())


def _after(text: Text, pieces: Pieces, name: tuple[int, int], *, stops: Sequence[int], slot: Slot) -> Found | None:
    link = _LINK.match(text.folded, name[1]) or _told_before(text, name)
    if not link or _asks(text, name[1]):
        return None
    written = link.group("colon") is not None
    first = next((place for place, piece in enumerate(pieces) if piece.start >= link.end()), len(pieces))
    last = _end(pieces, first, stops=stops, written=written)
    if last == first or piece_at(pieces, first).breaks:
        return None
    start, end = pieces[first].start, pieces[last - 1].end
    value = text.original(start, end)
    cued = text.folded[name[0] : name[1]] in {fold(cue) for cue in slot.before}
    sure = written or cued or link.group("verb") is not None or _is_told(text, name[0], value, pieces, last)
    opening = pieces[first].text
    plain = opening in _JOINING or opening in NEVER_NAMED or opening in _ADJECTIVES
    return Found("text", value, start, end, 90) if sure and (written or not plain) else None


def _ahead(text: Text, start: int, end: int) -> Found | None:
    """The words before "es el barrio", which nothing follows: "Maridíaz es el barrio"."""
    said = _IS_CALLED.search(text.folded, 0, start)
    after = text.folded[end:].lstrip()
    if said is None or (after and after[0].isalnum()):
        return None
    first = max((sign.end() for sign in _SENTENCE_OR_COMMA.finditer(text.folded, 0, said.start())), default=0)
    value = text.original(first, said.start()).strip()
    words = fold(value).split()
    is_name = 0 < len(words) <= MOST_WORDS and FUNCTION_WORDS.isdisjoint(words[:1])
    return Found("text", value, first, end, 90) if is_name else None


def _told_before(text: Text, name: tuple[int, int]) -> re.Match[str] | None:
    """The comma behind a name that was told already, as its speaker says: "ya le dije el barrio, San Fernando"."""
    said = any(_ARTICLE.fullmatch(text.folded, told.end(), name[0]) for told in told_before().finditer(text.folded))
    return _COMMA.match(text.folded, name[1]) if said else None


def _asks(text: Text, end: int) -> bool:
    """Whether the sentence that names the slot is a question."""
    mark = text.folded.find("?", end)
    return mark >= 0 and not _SENTENCE.search(text.raw[text.origins[end - 1] : text.origins[mark]])


def _is_told(text: Text, start: int, value: str, pieces: Pieces, last: int) -> bool:
    """Whether a name with nothing but a space after it leads to its value: it has a capital, or ends the clause.

    What it may follow is the beginning of a clause, "en el", a number or a name: "apto 302 barrio laureles".
    """
    if value[:1].isupper() and not text.raw.isupper():
        return True
    before = text.raw[: text.origins[start]].casefold()
    word = text.folded[:start].split()[-1:]
    led = bool(_LEAD.search(before)) or not word or word[0] not in _UNTELLING
    following = piece_at(pieces, last)
    ends = following.breaks or not following.is_word or following.text in _ENDING
    return led and (ends or _is_beside(pieces, last))


def _end(pieces: Pieces, first: int, *, stops: Sequence[int], written: bool) -> int:
    """Past the words of the text: up to a sign, a line's end, another slot's name, a street or a unit of an address."""
    opening = piece_at(pieces, first).start
    place, stop = first, min((each for each in stops if each > opening), default=10**9)
    most = MOST_WRITTEN_WORDS if written else MOST_WORDS
    while place < min(first + most, len(pieces)) and not _stops(pieces, place, first, stop):
        named = place == first and pieces[place].text == "ciudad"  # Ciudad Bolívar
        if not written and pieces[place].text in STOPS - SMALL and not named:
            break
        place += 1
    while place > first and (pieces[place - 1].text in SMALL or not pieces[place - 1].text.isalnum()):
        place -= 1
    return place


def _stops(pieces: Pieces, place: int, first: int, stop: int) -> bool:
    piece = pieces[place]
    if piece.start >= stop or (place > first and piece.breaks):
        return True
    if piece.is_word:
        return place > first and (_is_of_an_address(pieces, place) or _is_beside(pieces, place))
    if piece.is_number:
        return len(piece.text) > 3  # noqa: PLR2004 -- a phone, or the number of a house
    return piece.text != "&" and _ends_clause(pieces, place, first)


def _ends_clause(pieces: Pieces, place: int, first: int) -> bool:
    """Whether a sign does; those of "S.A.S" and "O'Higgins" do not."""
    piece = pieces[place]
    return piece.text not in _MARKS or not piece.glued or place == first or not piece_at(pieces, place + 1).glued


def _is_of_an_address(pieces: Pieces, place: int) -> bool:
    """Apto 302, calle 10, cra. 43."""
    following = [piece_at(pieces, place + 1), piece_at(pieces, place + 2)]
    numbered = following[0].is_number or (following[0].text in {".", "#", "no"} and following[1].is_number)
    return numbered and pieces[place].text in _OF_ADDRESSES


def _is_beside(pieces: Pieces, place: int) -> bool:
    """Frente a la cancha, al lado de la iglesia."""
    words = [piece_at(pieces, place + each).text for each in range(3)]
    here = words[1:] if words[0] == "al" else words
    return here[0] in BESIDE and here[1] in {"a", "al", "de", "del"}


def _before_a_city(text: Text, found: Found, country: str) -> Found:
    """Without the city that ends the text: "Laureles Medellín"; a text that is nothing but a city stays."""
    for town in find_cities(text, country=country):
        inside = found.start < town.start and abs(town.end - found.end) <= 1 and town.confidence >= TO_CITY
        before = _OF.sub("", text.folded[found.start : town.start])
        if inside and before.split() and before.split()[-1] not in SMALL:
            end = found.start + len(before)
            return Found("text", text.original(found.start, end), found.start, end, found.confidence)
    return found
