"""The words, numbers and signs of an address, and the street names and house numbers they make."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hilo.recognisers.address_words import (
    AREAS,
    BETWEEN,
    GRID,
    LEADS,
    MARKS,
    MONTHS,
    QUADRANTS,
    SENDS,
    STOPS,
    UNITS,
    UNITS_OF_MEASURE,
)
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import FUNCTION_WORDS
from hilo.recognisers.phrases import word_set

LONGEST_NUMBER = 5
PLATE = 3  # digits of either half of "numero 45 30"
SMALL = word_set("de del la las los el san santa santo don dona y")
NEVER_NAMED = FUNCTION_WORDS - SMALL  # function words that no street and no place is called by

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_NOT_LAST = SMALL - {"san", "santa"}
_BEHIND_STREETS = UNITS | AREAS | BETWEEN


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a number or a sign; `breaks` at the beginning of a line, `glued` with no space before it."""

    text: str
    start: int
    end: int
    glued: bool
    breaks: bool

    @property
    def is_number(self) -> bool:
        return self.text[0].isdecimal()

    @property
    def is_word(self) -> bool:
        return self.text[0].isalpha()


END = Piece("\n", -1, -1, glued=False, breaks=True)
Pieces = Sequence[Piece]


def pieces_of(text: Text) -> list[Piece]:
    pieces: list[Piece] = []
    end = 0
    for match in _TOKEN.finditer(text.folded):
        start = match.start()
        breaks = "\n" in text.raw and end > 0 and "\n" in text.raw[text.origins[end - 1] : text.origins[start]]
        pieces.append(Piece(match.group(), start, match.end(), start == end, breaks))
        end = match.end()
    return pieces


def piece_at(pieces: Pieces, index: int) -> Piece:
    """The piece, or a line's end where there is none."""
    return pieces[index] if 0 <= index < len(pieces) else END


def numbered(pieces: Pieces, index: int, *, longest: int) -> int:
    """The index after a number with its letters: 43, 5a, 12 bis, 45 sur; -1 where there is none."""
    piece = piece_at(pieces, index)
    if not piece.is_number or len(piece.text) > longest or piece.breaks:
        return -1
    index += 1
    for _ in range(3):
        following = piece_at(pieces, index)
        letter = following.is_word and len(following.text) <= 2 and following.glued  # noqa: PLR2004
        single = len(following.text) == 1 and following.text in "abcdf" and not piece_at(pieces, index + 1).glued
        single = single and piece_at(pieces, index + 1).text != "nombre"  # a nombre de Rosa
        if not letter and not single and following.text not in {"bis", "sur", "norte", "este", "oeste"}:
            break
        index += 1
    return index


def after_dots(pieces: Pieces, index: int) -> int:
    while piece_at(pieces, index).text in {".", "/"}:
        index += 1
    return index


def after_marks(pieces: Pieces, index: int) -> int:
    """Past "#", "n°", "No.", "-", ","."""
    place = index
    while (
        piece_at(pieces, place).text in MARKS or piece_at(pieces, place).text in {"-", "–", ".", ":"}
    ) and place < index + 4:
        place += 1
    if piece_at(pieces, place).text == "," and piece_at(pieces, place + 1).is_number and place == index:
        return place + 1
    return place if piece_at(pieces, place).is_number or piece_at(pieces, place).text in GRID else index


def name_end(pieces: Pieces, start: int, *, most: int) -> int:
    """Past the words of a street's name; a date may be one: 9 de julio."""
    index, count = start, 0
    while count < most:
        piece = piece_at(pieces, index)
        if piece.is_number and piece_at(pieces, index + 1).text == "de" and piece_at(pieces, index + 2).text in MONTHS:
            index, count = index + 3, count + 3
        elif piece.is_word and not _ends_name(pieces, index, index > start):
            index, count = index + 1, count + 1
        elif (
            piece.text in {".", "'", "’"}
            and index > start
            and piece_at(pieces, index + 1).is_word
            and not _long(pieces, index - 1)
        ):
            index += 1
        else:
            break
    while index > start and piece_at(pieces, index - 1).text in _NOT_LAST:
        index -= 1
    return index


def _long(pieces: Pieces, index: int) -> bool:
    return len(piece_at(pieces, index).text) > 4  # noqa: PLR2004


def _ends_name(pieces: Pieces, index: int, inside: bool) -> bool:  # noqa: FBT001
    piece = piece_at(pieces, index)
    if inside and piece.breaks:
        return True
    if inside and piece.text in QUADRANTS and piece_at(pieces, index + 1).is_number:
        return False
    if _without_number(pieces, index) > 0 or (
        piece.text in MARKS and piece_at(pieces, after_marks(pieces, index)).is_number
    ):
        return True
    return piece.text in STOPS or piece.text in BETWEEN or (inside and (piece.text in UNITS or piece.text in AREAS))


def house_number(pieces: Pieces, index: int) -> int:
    """The index after a number of up to five digits, with or without a sign before it, or after "s/n"; else -1."""
    without = _without_number(pieces, index)
    if without > 0:
        return without
    place = after_marks(pieces, index)
    if piece_at(pieces, place).text in {"km", "kilometro"}:
        place += 1
    end = numbered(pieces, place, longest=LONGEST_NUMBER)
    if end < 0 or (place == index and is_measure(pieces, end)) or _is_clock(pieces, end):
        return -1
    if end > place + 1 and len(pieces[place + 1].text) > 1 and is_measure(pieces, place + 1):
        return -1
    second = numbered(pieces, end, longest=PLATE) if place > index and len(pieces[place].text) <= PLATE else -1
    if second > 0 and closes(pieces, second):
        return second  # avenida norte numero 45 30
    suffix = piece_at(pieces, end + 1)
    joined = (suffix.is_number and len(suffix.text) <= LONGEST_NUMBER) or (suffix.glued and len(suffix.text) == 1)
    return end + 2 if piece_at(pieces, end).text == "-" and joined else end


def _without_number(pieces: Pieces, index: int) -> int:
    """Past "s/n" and "sin número"."""
    three = [piece_at(pieces, place).text for place in range(index, index + 3)]
    if three == ["s", "/", "n"]:
        return index + 3
    return index + 2 if three[0] in {"sin", "s"} and three[1] in {"numero", "nro", "num", "n"} else -1


def is_measure(pieces: Pieces, index: int) -> bool:
    """Whether what follows a number makes a quantity of it."""
    following = piece_at(pieces, index)
    return following.text in UNITS_OF_MEASURE or following.text in {"%", "$", "€"}


def _is_clock(pieces: Pieces, index: int) -> bool:
    return (
        piece_at(pieces, index).text in {":", "/", "."}
        and piece_at(pieces, index).glued
        and piece_at(pieces, index + 1).is_number
    )


def closes(pieces: Pieces, index: int) -> bool:
    """Whether a clause ends here, or something that belongs to an address goes on."""
    following = piece_at(pieces, index)
    return following.breaks or not following.is_word or following.text in _BEHIND_STREETS or following.text in STOPS


def opens(pieces: Pieces, index: int) -> bool:
    """Whether a clause begins here."""
    before = piece_at(pieces, index - 1)
    if index == 0 or pieces[index].breaks:
        return True
    return before.text in {",", ".", ":", ";"} or (before.text == "-" and not pieces[index].glued)


def is_led(pieces: Pieces, index: int) -> bool:
    """Whether one of the words before leads to an address: "vivo en", "mi dirección es", "a"."""
    before = [piece.text for piece in pieces[max(0, index - 4) : index]]
    return bool(LEADS.intersection(before)) or any(map(SENDS.fullmatch, before))
