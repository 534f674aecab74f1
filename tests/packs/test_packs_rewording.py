"""Words that are read as others: the recognisers see the other word, and spans lead to what was written."""

import time

from hypothesis import given
from hypothesis import strategies as st

from hilo.recognisers.normalise import normalise
from hilo.recognisers.rewording import book_of, reworded

BOOK = book_of(
    {
        "finde": ("fin de semana",),
        "depois de amanha": ("pasado manana",),
        "amanha": ("manana",),
        "sexta feira": ("viernes",),
        "ou": ("o",),
    }
)


def test_a_word_is_read_as_another_and_keeps_its_place() -> None:
    text = reworded(normalise("¿El FINDE abren?"), BOOK)
    assert text.folded == "¿el fin de semana abren?"
    start = text.folded.index("fin")
    assert text.original(start, start + len("fin de semana")) == "FINDE"
    assert text.original(text.folded.index("abren"), len(text.folded)) == "abren?"


def test_the_longest_phrase_goes_first() -> None:
    assert reworded(normalise("depois de amanhã ou amanhã"), BOOK).folded == "pasado manana o manana"


def test_a_hyphen_or_spaces_may_stand_inside_a_phrase_and_nothing_else() -> None:
    assert reworded(normalise("sexta-feira"), BOOK).folded == "viernes"
    assert reworded(normalise("sexta  feira"), BOOK).folded == "viernes"
    assert reworded(normalise("sexta, feira"), BOOK).folded == "sexta, feira"


def test_a_part_of_a_word_is_no_word() -> None:
    assert reworded(normalise("findes outro"), BOOK).folded == "findes outro"


@given(st.text(alphabet="findeou -,.ÑñáA1\n", max_size=40))
def test_every_letter_has_a_place_in_what_was_written(raw: str) -> None:
    text = normalise(raw)
    read = reworded(text, BOOK)
    assert len(read.folded) == len(read.origins)
    assert list(read.origins) == sorted(read.origins)
    assert all(0 <= origin < len(text.raw) for origin in read.origins)


def test_a_long_message_is_read_in_time() -> None:
    text = normalise("depois de " * 10_000)
    start = time.process_time()
    reworded(text, BOOK)
    assert time.process_time() - start < 0.1
