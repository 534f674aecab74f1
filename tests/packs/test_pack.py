"""Packs: files of words that anybody can edit, read with a line in every message about what is wrong."""

from collections.abc import Mapping, Sequence

import pytest

from hilo.errors import FileProblems
from hilo.packs.pack import (
    LARGEST,
    MEANINGS,
    OWN,
    PHRASES,
    SECTIONS,
    WORDS,
    Pack,
    load_pack,
    meanings_of,
    pack_names,
    packs_of,
    read_pack,
    shared_classes,
    shared_words,
)
from hilo.understanding.orders import words

WRITE = "write `chela, chelita = cerveza`"
TOGETHER = "put what belongs together below one"


def problems(text: str, sections: frozenset[str] = OWN) -> list[str]:
    with pytest.raises(FileProblems) as raised:
        read_pack(text, file="words.txt", sections=sections)
    return [str(problem) for problem in raised.value.problems]


# --- what a file says -------------------------------------------------------------------------------------


def test_what_people_say_means_what_stands_behind_the_sign() -> None:
    pack = read_pack("[goods]\nChela, cheve = Cerveza, birra  # cold\n\n[reads as]\nfinde = fin de semana\n", file="w")
    assert pack.meanings["goods"] == {"chela": ("cerveza", "birra"), "cheve": ("cerveza", "birra")}
    assert pack.meanings["reads as"] == {"finde": ("fin de semana",)}


def test_accents_capitals_and_spaces_do_not_matter() -> None:
    pack = read_pack("\ufeff[ goods ]\n  Café   con Leche\t=   CAPUCHINO  \r\n", file="w")
    assert pack.meanings["goods"] == {"cafe con leche": ("capuchino",)}


def test_a_phrase_may_go_on_in_the_next_line() -> None:
    pack = read_pack("[order: add]\nme|nos|\n    te @asked\nquiero\n", file="w")
    assert pack.words["order: add"] == ("me|nos|te @asked", "quiero")


def test_an_empty_file_is_an_empty_pack() -> None:
    assert read_pack("", file="w") == read_pack("# nothing yet\n\n", file="w") == Pack()


# --- what is wrong with it, and where ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("chela = cerveza", "words.txt:1:1: this line stands below no heading (write one above it: [goods])"),
        ("[good]\nx = y", "words.txt:1:1: [good] is no heading of this file (did you mean [goods]?)"),
        ("[zzz]", "words.txt:1:1: [zzz] is no heading of this file (one of: [goods], [reads as])"),
        ("[talk]\nx", "words.txt:1:1: [talk] is no heading of this file (one of: [goods], [reads as])"),
        ("[goods]\nchela", f"words.txt:2:1: this line does not say what something means ({WRITE})"),
        ("[goods]\na = b = c", f"words.txt:2:1: this line does not say what something means ({WRITE})"),
        ("[goods]\nchela, = cerveza", f"words.txt:2:1: there is nothing between two signs ({WRITE})"),
        ("[goods]\nchela = ", f"words.txt:2:1: there is nothing between two signs ({WRITE})"),
        ("[goods]\nchela = cerveza\nx = y\nChéla = birra", "words.txt:4:1: `chela` has a meaning in line 2 already"),
        ("[goods]\nmani = maní", "words.txt:2:1: `mani` is said to mean itself"),
        ("[goods]\n<b> = pan", "words.txt:2:1: `<b>` is no word (letters and digits, with spaces)"),
        ("[goods]\na b c d e = pan", "words.txt:2:1: `a b c d e` has more than 4 words"),
        ("[goods]\na = b\n[goods]\n", f"words.txt:3:1: the heading [goods] stands here again ({TOGETHER})"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(text: str, expected: str) -> None:
    assert problems(text) == [expected]


def test_all_mistakes_are_told_at_once() -> None:
    assert [each.split(":")[1] for each in problems("x\n[goods]\nchela\n[goodz]\nignored = here\n")] == ["1", "3", "4"]


def test_a_word_of_a_list_stands_there_once() -> None:
    assert problems("[courtesy]\nhola che\ngracias hola\n", SECTIONS) == [
        "words.txt:3:1: `hola` stands in line 2 already"
    ]


def test_a_file_has_a_largest_size_and_a_word_a_longest() -> None:
    assert "at most" in problems("#" * (LARGEST + 1))[0]
    assert "is no word" in problems(f"[goods]\n{'x' * 61} = y")[0]


# --- the packs that come with Hilo ------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(pack_names()))
def test_a_pack_of_our_own_is_right(name: str) -> None:
    pack = load_pack(name)
    assert {name for name in (*pack.words, *pack.meanings) if "@" not in name} <= SECTIONS
    if "-" in name:
        assert {*pack.words, *pack.meanings} <= OWN, "grammar is the same in all countries of a language"
        base = load_pack(name.partition("-")[0]).meanings["goods"]
        same = [word for word, meant in pack.meanings["goods"].items() if base.get(word) == meant]
        assert not same, f"stands in the pack of the language already: {same}"


def test_every_section_is_in_use() -> None:
    packs = [load_pack(name) for name in pack_names()]
    assert {name for pack in packs for name in (*pack.words, *pack.meanings) if "@" not in name} == SECTIONS
    assert len(SECTIONS) == len(MEANINGS) + len(WORDS) + len(PHRASES)


def named_classes(family: str) -> set[str]:
    """The classes that the phrases of a family name."""
    lines = [line for name in PHRASES if name.partition(":")[0] == family for line in shared_words(name)]
    options = [option.strip("^$?") for line in lines for slot in line.split() for option in slot.split("|")]
    return {option[1:] for option in options if option.startswith("@")}


@pytest.mark.parametrize(
    ("family", "classes"),
    [
        ("order", words.CLASSES),
        *((family, shared_classes(family)) for family in ("act", "question", "mood", "yes", "later", "ends")),
    ],
)
def test_every_class_that_a_phrase_names_exists(family: str, classes: Mapping[str, Sequence[str]]) -> None:
    assert named_classes(family) | {"fine"} == {*classes, "fine"}  # which superlatives are made of
    assert all(classes.values())


def test_a_class_stands_below_a_heading_of_its_family() -> None:
    pack = read_pack("[act: @want]\nquiero quisiera\n\n[act: cancel]\n@want? cancelar\n", file="w")
    assert pack.words["act: @want"] == ("quiero", "quisiera")
    assert "[goods: @want] is no heading of this file" in problems("[goods: @want]\nquiero", SECTIONS)[0]


@pytest.mark.parametrize(
    ("language", "country", "expected"),
    [
        ("es", "", ("es",)), ("es-MX", "", ("es", "es-MX")), ("es", "MX", ("es", "es-MX")),
        ("es-AR", "AR", ("es", "es-AR")), ("es-AR", "CL", ("es", "es-AR", "es-CL")),
        ("pt-BR", "BR", ("pt",)), ("en", "US", ("en",)), ("fr", "FR", ()),
    ],
)  # fmt: skip
def test_the_packs_of_a_language_and_a_country(language: str, country: str, expected: tuple[str, ...]) -> None:
    assert packs_of(language, country) == expected


def test_the_particular_goes_before_the_general_and_an_agents_own_before_all() -> None:
    own = Pack(meanings={"goods": {"chela": ("limonada",)}})
    found = meanings_of("goods", language="es-MX", country="MX", own=own)
    assert found["chela"] == ("limonada",)
    assert found["torta"] == ("sandwich",)
    assert "torta" not in meanings_of("goods", language="es-AR", country="AR", own=Pack())
