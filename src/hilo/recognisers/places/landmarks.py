"""Addresses told by a landmark and nothing else: "al frente del parque principal", "por la tienda de don Pepe"."""

import re
from collections.abc import Iterator, Sequence

from hilo.packs.pack import word_set_of
from hilo.recognisers.address_words import AREAS, BESIDE, COLOURS, COUNTRYSIDE, UNITS
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import FUNCTION_WORDS
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.address_pieces import (
    LONGEST_NUMBER,
    NEVER_NAMED,
    SMALL,
    Piece,
    Pieces,
    piece_at,
    pieces_of,
)
from hilo.recognisers.places.cities import TO_CITY, find_cities

MOST_PIECES = 30
TOLD, ASKED = 75, 60  # how sure a landmark is after "mi dirección es", and only where the address was asked for
FEWEST_TELLING = 2  # words besides "al frente de la"
NAME_WORDS, SMALL_NAME_WORDS = 4, 2  # of a place; in small letters a name is soon followed by something else

_SIDES = BESIDE | word_set(
    "enfrente contiguo contigua arriba abajo subiendo bajando entrando llegando esquina cuadra cuadras lados"
)
_LINKS = word_set("a al de del por con antes")
_ARTICLES = word_set("el la los las al del")
_TOWARDS = word_set("por donde entre")
_PLACES = word_set_of("landmarks")
_ONE_IN_TOWN = word_set("alcaldia municipalidad cementerio hospital terminal estadio coliseo catedral aeropuerto")
_DESCRIBING = COLOURS | word_set_of("landmarks: described")
_NAMED = _PLACES | AREAS | COUNTRYSIDE  # a name may follow these
_VOCABULARY = _SIDES | _LINKS | _ARTICLES | _TOWARDS | _NAMED | _DESCRIBING | UNITS | SMALL | {"en"}
_VERB = re.compile(r".+(?:ando|iendo|aron|ieron|amos|emos|imos|ame|eme|enme|anme|alo|elo)$")
_CUE = re.compile(
    rf"\b(?:{'|'.join(sorted(_SIDES))}) (?:{'|'.join(sorted(_LINKS))}) |\b(?:{'|'.join(sorted(COUNTRYSIDE))}) "
    rf"|\b(?:{'|'.join(sorted(_TOWARDS | {'en'}))}) (?:{'|'.join(sorted(_ARTICLES))}) "
)
_LEAD = re.compile(
    r"[ ,.!¡]*(?:(?:si|pues|bueno|hola|buenas|buenos|dias|tardes|noches|ok|listo|dale|mira|mire|claro|yo)\b[ ,.!]*)*"
    r"(?:no (?:tengo|hay|se)(?: la| el)? (?:direccion|numero|nomenclatura)(?: exacta| exacto)?[ ,.]*(?:pero )?)?"
    r"(?:(?:mi casa|la casa|vivo|vivimos|es|esta|queda|quedamos|seria|ubicada|en (?=una? ))\b[ :,]*)*"
    rf"(?:en (?:la |el )?(?={'|'.join(sorted(COUNTRYSIDE))}))?"
)
_TOLD = re.compile(r"\b(?:direccion|domicilio|dir)(?: (?:es|queda|seria)(?: en(?! la| el))?|:)[ :,]+")
_END = re.compile(
    r"[ ,.;]*(?:\by )?\b(?:mi|el|su) (?:cel|celu|celular|tel|telefono|numero|whatsapp|correo|nombre)\b"
    r"|[ ,.;]*(?:\b(?:cel|celular|tel|telefono)[ :.]*)?\+?\d{7}|[ ,.;]*\b(?:por favor|porfa|gracias|muchas gracias)\b"
)
_LEADING = _SIDES | _LINKS | _ARTICLES | SMALL | _TOWARDS | {"en"}
_LINKING = SMALL | _LINKS | _ARTICLES


def find_landmarks(text: Text, *, country: str = "") -> tuple[Found, ...]:
    """At most one address that only a landmark tells, where nothing else is said."""
    if not speaks_of_landmarks(text) or "?" in text.folded:
        return ()
    told = _TOLD.search(text.folded)
    lead = _LEAD.match(text.folded)
    start = told.end() if told else lead.end() if lead else 0
    closing = _END.search(text.folded, start)
    end = closing.start() if closing else len(text.folded)
    pieces = [piece for piece in pieces_of(text) if start <= piece.start < end and piece.text != "."]
    if not pieces or len(pieces) > MOST_PIECES:
        return ()
    whole = tuple(_found(text, _without_city(text, pieces, country), TOLD if told else ASKED))
    rural = () if whole else _in_the_country(text, pieces_of(text))
    return whole or (tuple(_found(text, rural, TOLD)) if rural else ())


def _in_the_country(text: Text, pieces: Pieces) -> Pieces:
    """Clauses in the midst of others that tell a place in the country: "Ana Paz, vereda El Salado, finca La Ceiba"."""
    commas = [place for place, piece in enumerate(pieces) if piece.text == ","]
    opening = [start for start in (0, *(comma + 1 for comma in commas)) if piece_at(pieces, start).text in COUNTRYSIDE]
    found: Pieces = ()
    for end in (*commas, len(pieces)) if opening else ():
        part = pieces[opening[0] : end]
        if part and not _is_all_description(text, part):
            break
        found = part or found
    return found


def speaks_of_landmarks(text: Text) -> bool:
    """Whether there are words that lead to one, be it an address or not."""
    return _CUE.search(text.folded) is not None


def _found(text: Text, pieces: Pieces, confidence: int) -> Iterator[Found]:
    anchored = any(_is_anchor(pieces, place) for place in range(len(pieces)))
    named = any(piece.text in _NAMED or (place and _is_capital(text, piece)) for place, piece in enumerate(pieces))
    if anchored and named and _is_all_description(text, pieces) and not _is_vague(pieces):
        start, end = pieces[0].start, pieces[-1].end
        yield Found("address", text.original(start, end).strip(" ,.;:-"), start, end, confidence)


def _is_anchor(pieces: Pieces, place: int) -> bool:
    """Whether what stands here leads to a landmark: "frente al", "a dos cuadras de la", "por la tienda", "finca"."""
    word, following, third = (piece_at(pieces, each).text for each in range(place, place + 3))
    if word in COUNTRYSIDE:
        return bool(following) and following not in NEVER_NAMED
    if word in _SIDES:
        return following in _LINKS
    return word in _TOWARDS and following in _ARTICLES and third in _PLACES


def _is_all_description(text: Text, pieces: Pieces) -> bool:
    """Whether every word is of the vocabulary of places, or of the name of one: a verb tells a story of the place."""
    left = 0  # words that the name which goes on here may still have
    capital = False
    for place, piece in enumerate(pieces):
        if not piece.is_word or piece.text in _VOCABULARY:
            if not _is_in_place(pieces, place):
                return False
            left, capital = _name_words(text, pieces, place, left), capital and piece.text in SMALL
            continue
        is_capital = _is_capital(text, piece)
        left = min(left, NAME_WORDS if is_capital else SMALL_NAME_WORDS)
        if not left or (capital and not is_capital) or piece.text in FUNCTION_WORDS or _VERB.match(piece.text):
            return False
        left, capital = left - 1, is_capital
    return True


def _is_in_place(pieces: Pieces, place: int) -> bool:
    """Numbers are short, "en" leads to one more landmark, and only commas set the parts apart."""
    piece, following = pieces[place], piece_at(pieces, place + 1).text
    if piece.is_number:
        return len(piece.text) <= LONGEST_NUMBER
    if piece.text == "en":
        return not _SIDES.isdisjoint((following, piece_at(pieces, place + 2).text))
    return piece.is_word or piece.text in {",", "#", "-", "/", "'", "°", "º"}


def _name_words(text: Text, pieces: Pieces, place: int, left: int) -> int:
    """How many words of a name may follow: after a place, or a capital after "al lado del"."""
    word, following = pieces[place], piece_at(pieces, place + 1)
    if word.text in _NAMED:
        return NAME_WORDS
    if word.text in _ARTICLES and piece_at(pieces, place - 1).text in _SIDES | _LINKS:
        return NAME_WORDS if following.is_word and _is_capital(text, following) else left
    return left if word.text in _LINKING else 0


def _is_capital(text: Text, piece: Piece) -> bool:
    return text.original(piece.start, piece.end)[:1].isupper() and not text.raw.isupper()


def _is_vague(pieces: Sequence[Piece]) -> bool:
    """Whether no courier would find it: "al frente del colegio", with no name and nothing else beside it."""
    words = [piece.text for piece in pieces if piece.is_word]
    telling = [word for word in words if word not in _LEADING]
    counted = any(piece.is_number for piece in pieces)
    return not counted and len(telling) < FEWEST_TELLING and _ONE_IN_TOWN.isdisjoint(telling)


def _without_city(text: Text, pieces: list[Piece], country: str) -> list[Piece]:
    """The landmark without ", Bosa" or "en Bosa", if that is a town and the last thing said."""
    for town in find_cities(text, country=country):
        place = next((each for each, piece in enumerate(pieces) if piece.start == town.start), -1)
        led = place > 1 and pieces[place - 1].text in {"en", ","} and pieces[place].text not in _VOCABULARY
        if led and town.confidence >= TO_CITY and town.end >= pieces[-1].end:
            kept = pieces[: place - 1]
            return kept[:-1] if kept[-1].text == "," else kept
    return pieces
