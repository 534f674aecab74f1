"""Street addresses as people write them in chats, and where they end before the next piece of information."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from hilo.recognisers.address_words import (
    AREAS,
    BESIDE,
    BETWEEN,
    COUNTRYSIDE,
    DOUBTFUL,
    ENGLISH_ROADS,
    ENGLISH_STREETS,
    GRID,
    GRID_ONLY,
    LEADS,
    LODGINGS,
    MONTHS,
    NO_STREETS,
    NUMBER_MARKS,
    PLAIN_STREETS,
    STOPS,
    STREETS,
    UNITS,
)
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import FUNCTION_WORDS, GIVEN_NAMES
from hilo.recognisers.people.transcript import with_spoken
from hilo.recognisers.places.address_parts import complement, with_complements
from hilo.recognisers.places.address_pieces import (
    LONGEST_NUMBER,
    NEVER_NAMED,
    SMALL,
    Piece,
    Pieces,
    after_dots,
    after_marks,
    closes,
    house_number,
    is_led,
    is_measure,
    name_end,
    numbered,
    opens,
    piece_at,
    pieces_of,
)
from hilo.recognisers.places.cities import TO_CITY, PlaceFound, find_cities

MOST_NAME_WORDS = 7
MOST_BARE_WORDS = 4
ROOM = 4  # digits of the number of a room
OF_A_PLACE = frozenset({"paseo", "plaza", "camino", "cuesta"})
BLOCKS = frozenset({"mz", "mza", "manzana", "lote", "lt", "lte", "km", "kilometro"})
TOWERS = frozenset(
    {"torre", "bloque", "apto", "apartamento", "interior", "casa"}
)  # these open an address before an estate

CORNER, TWO_NAMES = 65, 60  # how sure two streets are without a word for them; the latter only with capitals
BEFORE_A_STREET = frozenset({"en", "a", "es", ":", "al", "direccion", "domicilio", "dir"})
_BESIDE_STREETS = STOPS | UNITS | LEADS
_BEFORE_CORNERS = AREAS | SMALL | {"."}

_BARE_CORNER = re.compile(r"^([^\d,]+?) y ([^\d,]+)")  # to be read as a corner without the message around it

Towns = Mapping[int, PlaceFound]  # by where they start


def find_addresses(
    text: Text, *, country: str = "", towns_of: Callable[[], Sequence[PlaceFound]] | None = None
) -> tuple[Found, ...]:
    """Addresses as written; `country` tells which towns end them, unless `towns_of` has found the towns already."""

    def find(typed: Text) -> tuple[Found, ...]:
        return _find(typed, country, towns_of if typed is text else None)

    return with_spoken(text, find, numbers_apart=True)


def _find(text: Text, country: str, towns_of: Callable[[], Sequence[PlaceFound]] | None) -> tuple[Found, ...]:
    pieces = pieces_of(text)
    telling = any(piece.is_number or piece.text in AREAS or piece.text in BESIDE for piece in pieces)
    spotted = (towns_of() if towns_of else find_cities(text, country=country)) if telling else ()
    towns = {found.start: found for found in spotted}
    return tuple(_addresses(text, pieces, towns))


def _addresses(text: Text, pieces: Pieces, towns: Towns) -> Iterator[Found]:
    free = 0
    for index in range(len(pieces)):
        if index < free:
            continue
        end, confidence = _begin(pieces, index, towns)
        if not confidence or (confidence == TWO_NAMES and not _are_capital(text, pieces, index, end)):
            continue
        end = with_complements(pieces, end)
        stop = _before_city(pieces, index, end, towns)
        value = text.original(pieces[index].start, stop).strip(" ,.;:-")
        if confidence in {CORNER, TWO_NAMES}:
            value = _BARE_CORNER.sub(r"esquina \1 y \2", value)
        yield Found("address", value, pieces[index].start, stop, confidence)
        free = end


def _begin(pieces: Pieces, index: int, towns: Towns) -> tuple[int, int]:
    """The index after an address that begins here, and how sure it is; 0 where none does."""
    piece = pieces[index]
    if piece.is_number:
        return _dated(pieces, index) if piece_at(pieces, index + 2).text in MONTHS else _english(pieces, index)
    if not piece.is_word:
        return index, 0
    if piece.text in STREETS:
        for read in (_grid, _highway, _named):
            end, confidence = read(pieces, index)
            if confidence:
                return end, confidence
    if piece.text in LODGINGS:
        return _lodging(pieces, index)
    if piece.text in BLOCKS or piece.text in AREAS or (piece.text in TOWERS and opens(pieces, index)):
        return _block(pieces, index)
    return _bare(pieces, index, towns)


def _grid(pieces: Pieces, index: int) -> tuple[int, int]:
    """Numbered streets: calle 10 # 43-12, cra 7 con calle 45, calle 50 n° 1234."""
    if pieces[index].text not in GRID:
        return index, 0
    start = after_dots(pieces, index + 1)
    start = after_dots(pieces, start + 1) if piece_at(pieces, start).text in GRID else start  # avenida calle 26
    first = numbered(pieces, start, longest=3)
    if first < 0:
        return index, 0
    if piece_at(pieces, first).text in BETWEEN and complement(pieces, first) > 0:
        return first, 85
    place = after_marks(pieces, first)
    marked = place > first
    if piece_at(pieces, place).text in {"con", "y", "x"} or piece_at(pieces, place).text in GRID:
        place = after_dots(pieces, place + (2 if piece_at(pieces, place + 1).text in GRID else 1))
        corner = numbered(pieces, place, longest=3)
        return (_plate(pieces, corner), 85) if corner > 0 else (index, 0)
    second = numbered(pieces, place, longest=LONGEST_NUMBER)
    if second < 0 or (not marked and is_measure(pieces, second)):
        return (first, 55) if is_led(pieces, index) and closes(pieces, first) else (index, 0)
    third = numbered(pieces, after_marks(pieces, second), longest=4)
    if third > 0 and not is_measure(pieces, third):
        return third, 95
    house = len(piece_at(pieces, place).text) > 2  # noqa: PLR2004
    return (second, 85) if marked or house else (index, 0)


def _lodging(pieces: Pieces, index: int) -> tuple[int, int]:
    """Hotel San Remo hab 204; without a room only where one is said to be there."""
    name = name_end(pieces, index + 1, most=4)
    if name == index + 1:
        return index, 0
    room = complement(pieces, name)
    if room < 0 and piece_at(pieces, name).text == "," and closes(pieces, name + 2):
        room = numbered(pieces, name + 1, longest=ROOM)
    if room > 0 and any(piece.is_number for piece in pieces[name:room]):
        return room, 85
    return (name, 60) if is_led(pieces, index) and closes(pieces, name) else (index, 0)


def _plate(pieces: Pieces, index: int) -> int:
    """Past the house number after a corner: "transversal 15-20", or both its halves: "número 25 - 30"."""
    if piece_at(pieces, index).text == "-" and (half := numbered(pieces, index + 1, longest=3)) > 0:
        return half
    place = after_marks(pieces, index)
    first = numbered(pieces, place, longest=3) if piece_at(pieces, index).text in NUMBER_MARKS and place > index else -1
    joined = first > 0 and piece_at(pieces, first).text == "-"
    last = numbered(pieces, first + 1, longest=3) if joined else -1
    return last if last > 0 else index


def _highway(pieces: Pieces, index: int) -> tuple[int, int]:
    """Ruta 8 km 50, carretera a Chapala km 12.5."""
    if pieces[index].text not in {"ruta", "carretera", "ctra", "autopista", "autovia", "camino"}:
        return index, 0
    for place in range(index + 2, min(index + 7, len(pieces) - 1)):
        if pieces[place].text in {"km", "kilometro"} and pieces[place + 1].is_number:
            decimals = piece_at(pieces, place + 2).text in {".", ","} and piece_at(pieces, place + 3).glued
            return place + (4 if decimals and piece_at(pieces, place + 3).is_number else 2), 90
        if not (pieces[place].is_word or pieces[place].is_number):
            break
    return index, 0


def _dated(pieces: Pieces, index: int) -> tuple[int, int]:
    """A street named by a date, with a number that is no year: 9 de julio 1200."""
    number = piece_at(pieces, index + 3)
    if piece_at(pieces, index + 1).text != "de" or not number.is_number or number.text[:2] in {"19", "20"}:
        return index, 0
    end = house_number(pieces, index + 3)
    free = opens(pieces, index) or is_led(pieces, index)
    return (end, 70) if end > 0 and free and len(number.text) > 2 and closes(pieces, end) else (index, 0)  # noqa: PLR2004


def _named(pieces: Pieces, index: int) -> tuple[int, int]:
    """A street with a name: Av. Rivadavia 1234, calle Mayor 5, Jr. de la Unión 300, Corrientes y Callao."""
    street = pieces[index].text
    start = after_dots(pieces, index + 1)
    if street in GRID_ONLY and start == index + 1:
        return index, 0
    if street == "c" and not (piece_at(pieces, index + 1).text == "/" and piece_at(pieces, index + 1).glued):
        return index, 0
    name = name_end(pieces, start, most=MOST_NAME_WORDS)
    doubtful = street in DOUBTFUL and street != "c"
    opening = piece_at(pieces, start).text
    if name == start or (doubtful and (opening in FUNCTION_WORDS or (opening == "de" and street not in OF_A_PLACE))):
        return index, 0
    number = house_number(pieces, name)
    if number > 0 and (corner := _corner(pieces, number)) > 0 and _has_plate(pieces, name, number):
        return corner, 95  # Av. Amazonas N34-120 y Atahualpa
    if number > 0 and doubtful:
        short = number == name + 1 and len(pieces[name].text) == 1
        return (index, 0) if short and not opens(pieces, index) else (number, 75)
    if number > 0:
        return number, 95
    corner = _corner(pieces, name)
    if corner > 0 and not doubtful:
        return corner, 80
    plain = street in PLAIN_STREETS and (is_led(pieces, index) or opens(pieces, index))
    return (name, 60) if plain else (index, 0)


def _has_plate(pieces: Pieces, first: int, last: int) -> bool:
    """Whether a house number is one of Ecuador, which is told with the crossing street: N34-120, 4-56."""
    return any(piece.text == "-" for piece in pieces[first:last])


def _corner(pieces: Pieces, index: int) -> int:
    """The index after a crossing street, else -1: "y Callao", "esq. San Martín"."""
    if piece_at(pieces, index).text not in {"y", "esq", "esquina", "con", "e"}:
        return -1
    start = after_dots(pieces, index + 1)
    if piece_at(pieces, start).text in STREETS | {"con"}:
        start = after_dots(pieces, start + 1)
    end = name_end(pieces, start, most=3)
    return end if end > start and closes(pieces, end) else -1


def _block(pieces: Pieces, index: int) -> tuple[int, int]:
    """Blocks and estates: mz C lote 4, conjunto Los Pinos torre 3 apto 502, km 12 vía Las Palmas."""
    if pieces[index].text in {"km", "kilometro"}:
        return _kilometre(pieces, index)
    end, units, areas, place = index, 0, 0, index
    while place < index + 30 and (part := complement(pieces, place)) > 0:
        units += any(piece.text in UNITS for piece in pieces[place:part])
        areas += sum(piece.text in AREAS for piece in pieces[place:part])
        end, place = part, part
    numbers = sum(len(piece.text) <= LONGEST_NUMBER and piece.is_number for piece in pieces[index:end])
    opening = pieces[index].text
    if opening in TOWERS:
        return (end, 80) if areas and numbers else (index, 0)
    if opening not in AREAS:
        return (end, 90) if units >= 2 else (index, 0)  # noqa: PLR2004
    country = opening in COUNTRYSIDE and areas >= 2  # noqa: PLR2004 -- vereda X, finca Y
    return (end, 75) if (units and numbers) or country else (index, 0)


def _kilometre(pieces: Pieces, index: int) -> tuple[int, int]:
    if not piece_at(pieces, index + 1).is_number or piece_at(pieces, index + 2).text not in {
        "via",
        "carretera",
        "ruta",
        "autopista",
        "camino",
    }:
        return index, 0
    end = name_end(pieces, index + 3, most=4)
    if end > index + 3 and piece_at(pieces, end).text == "-" and piece_at(pieces, end + 1).is_word:
        end = name_end(pieces, end + 1, most=3)  # vía Armenia-Pereira
    return (end, 80) if end > index + 3 else (index, 0)


def _english(pieces: Pieces, index: int) -> tuple[int, int]:
    """A number before the name of the street: 123 Main St."""
    if len(pieces[index].text) > LONGEST_NUMBER or (pieces[index].glued and index):
        return index, 0
    for place in range(index + 2, min(index + 6, len(pieces))):
        if _is_ordinal(pieces, place - 1):
            continue  # 350 5th Ave
        if pieces[place - 1].text in STOPS or not pieces[place - 1].is_word or pieces[place].breaks:
            return index, 0
        if pieces[place].text in ENGLISH_STREETS:
            number = piece_at(pieces, place + 1)
            numbered_road = number.is_number and len(number.text) < LONGEST_NUMBER and not number.breaks
            return place + 1 + (pieces[place].text in ENGLISH_ROADS and numbered_road), 90
    return index, 0


def _is_ordinal(pieces: Pieces, index: int) -> bool:
    following = piece_at(pieces, index + 1)
    return piece_at(pieces, index).is_number and following.glued and following.text in {"st", "nd", "rd", "th"}


def _bare(pieces: Pieces, index: int, towns: Towns) -> tuple[int, int]:
    """A street with no word for it: "rivadavia 1234", "vivo en san martín 450 piso 2"."""
    cornered = [piece.text for piece in pieces[max(0, index - 2) : index]] == ["esquina", "de"]
    here = piece_at(pieces, index - 1).text == "en" and (index == 1 or piece_at(pieces, index - 2).text == "es")
    led = cornered or here or (is_led(pieces, index) and piece_at(pieces, index - 1).text in BEFORE_A_STREET)
    towards = piece_at(pieces, index - 1).text in {"a", "en", "para"}
    if not led and not towards and not opens(pieces, index):
        return index, 0
    if pieces[index].text in NEVER_NAMED or pieces[index].text in _BESIDE_STREETS:
        return index, 0
    if pieces[index].text in SMALL and piece_at(pieces, index + 1).text in GRID:
        return index, 0  # la carrera octava
    name = name_end(pieces, index, most=MOST_BARE_WORDS)
    named = {piece.text for piece in pieces[index:name]}
    if name == index or named & NO_STREETS or named <= SMALL or named & NEVER_NAMED:
        return index, 0
    if any(_grid(pieces, place)[1] for place in range(index + 1, name)):
        return index, 0  # cali carrera 105 # 15-09
    end = house_number(pieces, name)
    if end < 0:
        return _bare_corner(pieces, index, name, led=led)
    # "a Medrano 455" is told to whom it goes where a clause begins with it; "voy a Lima 2" is no address
    leads = piece_at(pieces, index - 1).text in {"a", "para"} and (
        opens(pieces, index - 1) or piece_at(pieces, index - 2).text in {"es", "son", "va", "van"}
    )
    sent = leads and _is_of_a_house(pieces[name]) and not named & MONTHS
    if towards and not led and not sent and complement(pieces, end) < 0:
        return index, 0
    return end, _bare_confidence(pieces, (name, end), towns, led=led or sent)


def _is_of_a_house(piece: Piece) -> bool:
    """Whether a number is neither a quantity nor a year."""
    return piece.is_number and len(piece.text) > 2 and piece.text[:2] not in {"19", "20"}  # noqa: PLR2004


def _bare_corner(pieces: Pieces, index: int, name: int, *, led: bool) -> tuple[int, int]:
    """Belgrano y 25 de mayo, en la esquina; two names alone are persons or things, unless something tells a street."""
    end = _corner(pieces, name)
    if end < 0 or pieces[index].text in GIVEN_NAMES:
        return index, 0
    told = any(piece.text in {"esquina", "esq"} for piece in pieces[max(0, index - 3) : end + 4])
    dated = any(piece.text in MONTHS for piece in pieces[name:end])
    if led or told or dated:
        return end, CORNER
    return (end, TWO_NAMES) if index == 0 and piece_at(pieces, end).start < 0 else (index, 0)


def _are_capital(text: Text, pieces: Pieces, first: int, last: int) -> bool:
    written = text.original(pieces[first].start, pieces[last - 1].end)
    return not written.isupper() and all(word[:1].isupper() for word in written.split() if word not in SMALL)


def _bare_confidence(pieces: Pieces, number: tuple[int, int], towns: Towns, *, led: bool) -> int:
    first, end = number
    digits = max((len(piece.text) for piece in pieces[first:end] if piece.is_number), default=3)
    complemented = complement(pieces, end) > 0
    if digits < 3 and not led and not complemented:  # noqa: PLR2004
        return 0
    if not complemented and not closes(pieces, end) and piece_at(pieces, end).start not in towns:
        return 0
    if led or complemented:
        return 80
    return 55 if digits > 3 else 45  # noqa: PLR2004


def _before_city(pieces: Pieces, first: int, last: int, towns: Towns) -> int:
    """Where the address ends: before a town that its last words name, as in "barrio Laureles Medellín"."""
    end = pieces[last - 1].end
    if not any(piece.text in AREAS or piece.text in BESIDE for piece in pieces[first:last]):
        return end
    for place in range(first + 1, last):
        town = towns.get(pieces[place].start)
        if town and end <= town.end + 1 and town.confidence >= TO_CITY and _follows_a_name(pieces, place):
            return pieces[place - 1].end
    return end


def _follows_a_name(pieces: Pieces, index: int) -> bool:
    return piece_at(pieces, index - 1).text not in _BEFORE_CORNERS
