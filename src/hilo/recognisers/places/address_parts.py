"""What follows the street and the number in an address: floor, flat, quarter, crossing streets."""

from itertools import islice

from hilo.recognisers.address_words import (
    ALONE_UNITS,
    AREAS,
    BESIDE,
    BETWEEN,
    COLOURS,
    NUMBER_MARKS,
    QUADRANTS,
    STOPS,
    STREETS,
    UNITS,
)
from hilo.recognisers.phrases import word_set
from hilo.recognisers.places.address_pieces import (
    LONGEST_NUMBER,
    SMALL,
    Piece,
    Pieces,
    after_dots,
    after_marks,
    closes,
    house_number,
    is_measure,
    name_end,
    numbered,
    piece_at,
)

POSTCODE = 5  # digits
MOST_AREA_WORDS = 5
LABELS = QUADRANTS | word_set("pb ph baja alta alto unico unica ii iii")
FLOORS = word_set("primer primero segundo tercer tercero cuarto quinto")
ORDINALS = word_set("o to do er ro mo vo no a b c d e f ta da ra ob oa oc od st nd rd th piso")
_AROUND = AREAS | BESIDE
_ENDING = STOPS - {"en", "a"}


def with_complements(pieces: Pieces, index: int) -> int:
    """Past the floor, the flat, the quarter and the crossing streets that follow."""
    for _ in range(10):
        end = complement(pieces, index)
        if end < 0:
            return index
        index = end
    return index


def complement(pieces: Pieces, index: int) -> int:
    """The index after one more part of an address, with the comma before it; -1 where something else follows."""
    start = index
    while piece_at(pieces, start).text in {",", "-", "(", ".", ";", "–"} and start < index + 2:
        start += 1
    start = _after_lead_in(pieces, start)
    piece = piece_at(pieces, start)
    if piece.is_number:
        return _postcode(pieces, start) if len(piece.text) == POSTCODE else _floor(pieces, start)
    if piece.text in NUMBER_MARKS and piece_at(pieces, after_marks(pieces, start)).is_number:
        return house_number(pieces, start)  # calle 7 entre 45 y 46 nro 890
    if piece.text in AREAS and not (piece.text in UNITS and piece_at(pieces, start + 1).is_number):
        return _area(pieces, start)
    if piece.text in UNITS or (piece.text == "c" and piece_at(pieces, start + 2).text == "p"):
        return _unit(pieces, start)
    if piece.text in FLOORS and piece_at(pieces, start + 1).text == "piso":
        return start + 2
    if piece.text == "via":
        return _way(pieces, start)
    if piece.text in BETWEEN:
        return _between(pieces, start)
    if piece.text in BESIDE:
        return _beside(pieces, start)
    return _flat_letter(pieces, start) if start == index else -1


def _after_lead_in(pieces: Pieces, index: int) -> int:
    """Past "en el" of "en el barrio Laureles", "casi" of "casi esquina Mitre"."""
    if piece_at(pieces, index).text == "casi" and piece_at(pieces, index + 1).text in {"esq", "esquina"}:
        return index + 1
    for size in (3, 2, 1):
        lead = [piece_at(pieces, place).text for place in range(index, index + size)]
        if (
            all(word in {"en", "el", "la", "del", "de", "al"} for word in lead)
            and piece_at(pieces, index + size).text in _AROUND
        ):
            return index + size
    return index


def _postcode(pieces: Pieces, index: int) -> int:
    """28009 after a comma."""
    after_comma = piece_at(pieces, index - 1).text == ","
    return index + 1 if after_comma and not is_measure(pieces, index + 1) else -1


def _floor(pieces: Pieces, index: int) -> int:
    """2ºB, 3º izq, 6to A, 3 C, and 4-1 after a comma: a floor after the number of the house, never a phone."""
    piece, following = piece_at(pieces, index), piece_at(pieces, index + 1)
    if len(piece.text) <= 2 and _flat_letter(pieces, index + 1) > 0:  # noqa: PLR2004
        return index + 2
    ordinal = following.text == "°" or (following.glued and following.text in ORDINALS)
    after_comma = piece_at(pieces, index - 1).text == "," and not following.is_word
    if len(piece.text) > 2 or not (ordinal or after_comma):  # noqa: PLR2004
        return -1
    if following.text in {"-", "/"} and following.glued and piece_at(pieces, index + 2).glued:
        return index + 3
    if after_comma and not ordinal:
        return index + 1 if following.text in {",", "\n"} or following.breaks else -1
    index += 2
    while piece_at(pieces, index).text in {"piso", "planta"} or _is_side(piece_at(pieces, index)):
        index += 1
    return index


def _is_side(piece: Piece) -> bool:
    return piece.text in ALONE_UNITS or (len(piece.text) == 1 and piece.text in "abcdfghi" and not piece.breaks)


def _flat_letter(pieces: Pieces, index: int) -> int:
    """The letter of a flat after the number: "1234 b" at the end of a clause."""
    piece = piece_at(pieces, index)
    following = piece_at(pieces, index + 1)
    if len(piece.text) == 1 and piece.text in "abcdfg" and not following.is_word and following.text != "/":
        return index + 1
    return -1


def _unit(pieces: Pieces, index: int) -> int:
    """Piso 3 b, apto 301, torre 2, CP 03940, c.p. 1425."""
    word = piece_at(pieces, index).text
    place = index + 1
    if piece_at(pieces, place).text in COLOURS and piece_at(pieces, index - 1).text != "(":
        more = piece_at(pieces, place + 2).is_number + 1  # de 2 pisos
        end = _beside(pieces, place + more) if piece_at(pieces, place + 1).text in {"con", "de"} else place + 1
        if closes(pieces, end):
            return end  # casa verde con rejas
    while piece_at(pieces, place).text in {".", "p", "#", "°", "º", "no", "n", "nro", ":", "-"} and place < index + 5:
        place += 1
    value = piece_at(pieces, place)
    if value.breaks or not ((value.is_number and len(value.text) <= LONGEST_NUMBER) or _is_label(value)):
        ordinal = piece_at(pieces, index - 1)
        alone = word in ALONE_UNITS or ordinal.is_number or ordinal.text in {"o", "er", "do", "to"}
        return index + 1 if alone and word not in {"p", "of", "casa", "esc"} else -1
    place += 1
    for _ in range(2):
        following = piece_at(pieces, place)
        if piece_at(pieces, place + 1).text == "nombre":
            break  # depto 3 a nombre de Rosa
        glued = following.glued and (following.is_word or following.is_number)
        if following.text in {"-", "/", "°"} and (
            piece_at(pieces, place + 1).is_number or _is_label(piece_at(pieces, place + 1))
        ):
            place += 2
        elif glued or (
            _is_label(following) and value.is_number and not following.breaks and following.text not in {"y", "e", "o"}
        ):
            place += 1
    return place


def _is_label(piece: Piece) -> bool:
    """A letter, or two, that names a flat or a block."""
    return piece.is_word and (len(piece.text) == 1 or piece.text in LABELS)


def _area(pieces: Pieces, index: int) -> int:
    """Barrio Laureles, Col. Crédito Constructor, urb. Los Olivos."""
    start = after_dots(pieces, index + 1)
    end = start
    while end < start + MOST_AREA_WORDS:
        piece = piece_at(pieces, end)
        short_number = piece.is_number and len(piece.text) <= 3  # noqa: PLR2004
        ends = (piece.text in STOPS and not (end == start and piece.text == "ciudad")) or (
            end > start and (_opens_a_unit(pieces, end) or piece.text in BETWEEN or piece.breaks)
        )
        if not (piece.is_word or short_number) or ends:
            break
        end += 1
    while end > start and piece_at(pieces, end - 1).text in SMALL:
        end -= 1
    return end if end > start else -1


def _opens_a_unit(pieces: Pieces, index: int) -> bool:
    """Whether something more is told after an area: torre 3; the "Portal" that ends "conjunto El Portal" is a name."""
    following = piece_at(pieces, index + 1)
    return piece_at(pieces, index).text in UNITS and (following.is_word or following.is_number) and not following.breaks


def _way(pieces: Pieces, index: int) -> int:
    """The road of a kilometre: km 3 vía al mar."""
    end = name_end(pieces, index + 1, most=4) if piece_at(pieces, index - 2).text in {"km", "kilometro"} else index
    return end if end > index + 1 else -1


def _between(pieces: Pieces, index: int) -> int:
    """Entre Callao y Riobamba, e/ 10 y 11, esq. San Martín."""
    word = piece_at(pieces, index).text
    if word == "e" and piece_at(pieces, index + 1).text != "/":
        return -1
    if word == "x" and not piece_at(pieces, index + 1).is_number:
        return -1
    start = after_dots(pieces, index + 1)
    first = _crossing(pieces, start)
    if first == start:
        return index + 1 if word in {"esq", "esquina"} and closes(pieces, start) else -1
    if piece_at(pieces, first).text == "y" and word not in {"esq", "esquina"}:
        second = _crossing(pieces, first + 1)
        return second if second > first + 1 else first
    return first


def _crossing(pieces: Pieces, start: int) -> int:
    if piece_at(pieces, start).text in STREETS | {"con"}:
        start = after_dots(pieces, start + 1)
    number = numbered(pieces, start, longest=3)
    return number if number > 0 else name_end(pieces, start, most=3)


def _beside(pieces: Pieces, index: int) -> int:
    """Frente al parque, al lado de la farmacia: up to the end of the clause."""
    end = index + 1
    for piece in islice(pieces, index + 1, index + 8):
        if not piece.is_word or piece.breaks or piece.text in _ENDING:
            break
        end += 1
    return end if end > index + 1 else -1
