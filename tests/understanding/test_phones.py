"""Phone numbers that are dictated, and those with other numbers beside them: the right one or none."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nasty import NASTY, seconds

from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.dictation import dictated
from hilo.recognisers.people.phones import find_phones


def _values(message: str, country: str = "CO") -> list[object]:
    return [found.value for found in find_phones(normalise(message), country=country)]


@pytest.mark.parametrize(
    ("message", "phone"),
    [
        ("tres quince ocho cuarenta y uno sesenta y seis cero dos", "3158416602"),
        ("tres veinte cinco treinta y tres noventa y nueve catorce", "3205339914"),
        ("cinco cinco, treinta y dos, diez, cuarenta y cuatro, cero nueve", "5532104409"),
    ],
)
def test_a_number_of_a_neighbour_may_be_dictated(message: str, phone: str) -> None:
    assert _values(message, country="AR") == [phone]


@pytest.mark.parametrize(
    ("message", "phone"),
    [
        ("tres cero cero uno dos tres cuarenta y cinco sesenta y siete", "3001234567"),
        ("trescientos uno, cuatrocientos cincuenta y seis, setenta y ocho noventa", "3014567890"),
        ("trescientos uno cuatrocientos cincuenta y seis setenta y ocho noventa", "3014567890"),
        ("trescientos, uno dos tres cuatro cinco seis siete", "3001234567"),
        ("mi cel es tres diez, cinco cinco cinco, sesenta y seis, setenta y siete", "3105556677"),
        ("tres diez doble cinco cinco sesenta y seis setenta y siete", "3105556677"),
        ("tres uno cero triple 5 66 77", "3105556677"),
        ("tres uno cero triple cinco sesenta y seis setenta y siete", "3105556677"),
        ("tres cero cero, doble cero, doce treinta y cuatro cinco", "3000012345"),
        ("300 uno veintitrés 45 67", "3001234567"),
        ("tres cien dos noventa y nueve sesenta y tres cinco", "3100299635"),
        ("tres veinte cinco cinco cinco doce treinta y cuatro", "3205551234"),
        ("Tres Cero Cero Uno Dos Tres Cuatro Sinco Seis Siete", "3001234567"),
        ("tres, cero, cero, uno, dos, tres, cuatro, cinco, seis, siete", "3001234567"),
        (
            "mas cincuenta y siete trescientos uno cuatrocientos cincuenta y seis setenta y ocho noventa",
            "+573014567890",
        ),
        ("cincuenta y siete trescientos uno cuatrocientos cincuenta y seis setenta y ocho noventa", "573014567890"),
        ("quiero una, mi numero es tres cero cero uno dos tres cuarenta y cinco sesenta y siete gracias", "3001234567"),
        ("no, tres cero cero no: tres uno cero uno dos tres cuarenta y cinco sesenta y siete", "3101234567"),
    ],
)
def test_a_dictated_number_is_written_down(message: str, phone: str) -> None:
    assert _values(message) == [phone]


@pytest.mark.parametrize(
    ("message", "country", "phone"),
    [
        ("five one two five five five zero one nine nine", "US", "5125550199"),
        ("five one two, triple five, oh one double nine", "US", "5125550199"),
        ("five twelve five fifty five zero one ninety nine", "US", "5125550199"),
        ("once cincuenta y cinco sesenta y seis setenta y siete ochenta y ocho", "AR", "1155667788"),
        ("cinco cinco doce treinta y cuatro cincuenta y seis setenta y ocho", "MX", "5512345678"),
    ],
)
def test_a_number_is_dictated_as_a_country_does(message: str, country: str, phone: str) -> None:
    assert _values(message, country) == [phone]


@pytest.mark.parametrize(
    "message",
    [
        # a digit too few or too many
        "trescientos uno, cuatrocientos cincuenta y seis, setenta y ocho nueve",
        "tres cero cero uno dos tres cuarenta y cinco sesenta y siete ocho",
        "tres cero cero uno dos tres cuarenta y cinco seis",
        # 301 2… or 300 1 2…
        "trescientos uno dos tres cuatro cinco seis siete",
        "trescientos uno cuatrocientos uno dos tres cuatro",
        "tres cero cero uno dos tres cuarenta cinco sesenta siete",
        # something else that is counted or numbered
        "mi cedula es tres cero cero uno dos tres cuarenta y cinco sesenta y siete",
        "pedido número tres cero cero uno dos tres cuarenta y cinco sesenta y siete",
        "tres mil uno dos tres cuarenta y cinco sesenta y siete ocho",
        "quiero dos frascos y tres brumas y uno mas",
        "uno dos tres cuatro cinco seis siete ocho nueve diez",
        "triple cinco",
        "doble cero siete",
        "tres ceros",
        "los precios son trescientos, doscientos, quince, veinte",
        "trescientos diez, doscientos, cuatrocientos, cinco",
        "mi cuenta de ahorros tres cero uno cinco cinco cinco seis seis siete siete",
        "no es tres cero uno cinco cinco cinco seis seis siete siete",
        "no me llamen al tres cero uno cinco cinco cinco seis seis siete siete",
        "llámenme a las tres, diez, cuatro cinco seis siete ocho nueve cero",
        "tres cientos uno 555 6677",
        "el de dos o el de tres",
        "de una",
        # nobody has such a number
        "nueve nueve nueve nueve nueve nueve nueve nueve nueve nueve",
    ],
)
def test_what_is_not_surely_a_number_is_none(message: str) -> None:
    assert _values(message) == []


def test_counting_in_english_is_no_number() -> None:
    assert _values("one two three four five six seven eight nine ten", "US") == []


def test_without_a_country_only_words_that_can_be_heard_one_way_count() -> None:
    assert _values("tres cero cero uno dos tres cuatro cinco seis siete", "") == ["3001234567"]
    assert _values("trescientos uno cuatrocientos cincuenta", "") == []
    assert _values("300 123 4567 dos", "") == ["3001234567"]


@pytest.mark.parametrize(
    ("message", "phone"),
    [
        ("mi cel es 300 123 45 67", "3001234567"),
        ("3 0 0 1 2 3 4 5 6 7", "3001234567"),
        ("+57 (300) 123-4567", "+573001234567"),
        ("cel 3105556677 2 frascos", "3105556677"),
        ("310 555 6677 2 frascos", "3105556677"),
        ("quiero 2 300 123 4567", "3001234567"),
        ("3105556677 dos frascos", "3105556677"),
        ("3105556677 2", "3105556677"),
    ],
)
def test_what_is_counted_beside_a_number_is_no_part_of_it(message: str, phone: str) -> None:
    assert _values(message) == [phone]


def test_a_group_too_many_makes_a_number_doubtful() -> None:
    assert _values("300 123 45 67 8") == []


@pytest.mark.parametrize("raw", [*NASTY, "uno " * 25_000, "trescientos uno " * 6000, "doble " * 9000, "oh one " * 9000])
def test_nasty_texts_are_read_in_time(raw: str) -> None:
    assert seconds(lambda: find_phones(normalise(raw), country="CO")) < 0.5


WORDS = "tres cero uno trescientos veinte treinta y cinco doble triple oh one mil 300 7 , . mas una".split()  # noqa: SIM905


@example(["veinte", "y", ",", "tres"])
@example(["veinte", "y", "tres"])
@given(st.lists(st.sampled_from(WORDS), max_size=16))
def test_the_plainest_reading_is_one_of_them(words: list[str]) -> None:
    text = " ".join(words)
    for run in dictated(text):
        assert run.readings[0] == run.plainest
        assert 0 <= run.start < run.end <= len(text)
        assert all(each.lstrip("+").isdecimal() for each in run.readings)


UNITS = [
    *"cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce".split(),  # noqa: SIM905
    *"quince dieciseis diecisiete dieciocho diecinueve".split(),  # noqa: SIM905
]
TENS = "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()  # noqa: SIM905
HUNDREDS = (
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split()  # noqa: SIM905
)


def _said(digits: str) -> str:
    """A group of up to three digits as it is read out; what begins with a zero goes one by one."""
    number = int(digits)
    if digits[0] == "0":
        return " ".join(UNITS[int(digit)] for digit in digits)
    if number < 20:
        return UNITS[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f" y {UNITS[number % 10]}" if number % 10 else "")
    if number == 100:
        return "cien"
    return HUNDREDS[number // 100 - 1] + (f" {_said(str(number % 100))}" if number % 100 else "")


def _dictated(number: str, sizes: list[int], gap: str) -> str:
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    groups = [number[end - size : end] for size, end in zip(sizes, ends, strict=True)]
    return "mi celular es " + gap.join(_said(group) for group in groups if group)


SIZES = st.lists(st.integers(1, 3), min_size=10, max_size=10)
GAPS = st.sampled_from([" ", ", ", ". ", " - "])


@given(st.integers(3_100_000_000, 3_219_999_999), SIZES, GAPS)
def test_a_number_in_any_grouping_is_read_rightly_or_not_at_all(number: int, sizes: list[int], gap: str) -> None:
    said = _values(_dictated(str(number), sizes, gap))
    assert said in ([], [str(number)])
    assert said or gap == " "  # with pauses there is no doubt


@given(st.integers(300_000_000, 324_999_999), SIZES, GAPS)
def test_a_number_that_lacks_a_digit_is_never_made_up(number: int, sizes: list[int], gap: str) -> None:
    assert _values(_dictated(str(number), sizes, gap)) == []


@given(st.integers(30_000_000_000, 32_499_999_999), SIZES)
def test_a_number_with_a_digit_too_many_is_none(number: int, sizes: list[int]) -> None:
    assert _values(_dictated(str(number), [*sizes, 1], ", ")) == []
