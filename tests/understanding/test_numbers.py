"""Numbers of chat messages: what counts, how much it is, and what only looks like a number."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.recognisers.amounts.numbers import find_numbers
from hilo.recognisers.normalise import normalise

SURE = 50


def values(message: str, country: str = "", least: int = SURE) -> list[float | int | Decimal]:
    found = find_numbers(normalise(message), country=country)
    return [number.value for number in found if number.confidence >= least and not isinstance(number.value, str)]


DIGITS = [
    ("2", 2),
    ("quiero 2", 2),
    ("2.", 2),
    ("2!", 2),
    ("(3)", 3),
    ("#4", 4),
    ("son 15 en total", 15),
    ("1.500", 1500),
    ("1,500.00", 1500),
    ("2.350,50", Decimal("2350.5")),
    ("1.500.000", 1_500_000),
    ("1,000,000.50", Decimal("1000000.5")),
    ("12.345.678", 12_345_678),
    ("0,5", Decimal("0.5")),
    ("0.750", Decimal("0.75")),
    ("1,5", Decimal("1.5")),
    ("2.5", Decimal("2.5")),
    ("10,25", Decimal("10.25")),
    ("1500.00", 1500),
    ("1500,75", Decimal("1500.75")),
    ("1'500.000", 1_500_000),
    ("1’200.000", 1_200_000),
    ("1´500.000", 1_500_000),
    ("25 000", 25_000),
    ("1 500 000", 1_500_000),
    ("30111222", 30_111_222),
    ("007", 7),
    ("2 mil", 2000),
    ("2mil", 2000),
    ("2 mil 500", 2500),
    ("3k", 3000),
    ("3K", 3000),
    ("1,5k", 1500),
    ("1.5 k", 1500),
    ("50 lucas", 50_000),
    ("50lucas", 50_000),
    ("1 millon 200 mil", 1_200_000),
    ("1.5 millones", 1_500_000),
    ("3,2 millones", 3_200_000),
    ("2 palos", 2_000_000),
    ("2 docenas", 24),
    ("1 docena y media", 18),
    ("½", Decimal("0.5")),
    ("1½", Decimal("1.5")),
    ("2 ½", Decimal("2.5")),
    ("1/2", Decimal("0.5")),
    ("3/4", Decimal("0.75")),
    ("1 1/2", Decimal("1.5")),
    ("2 y 1/2", Decimal("2.5")),
    ("2 y medio", Decimal("2.5")),
    ("-3", -3),
    ("hace -5 grados", -5),
    ("x2", 2),
    ("coca x 6", 6),
    ("2x", 2),
    ("3pizzas", 3),
    ("500cc", 500),
    ("2u", 2),
    ("$500", 500),
    ("u$s500", 500),
    ("la opcion 3", 3),
    ("2️⃣", 2),
    ("por lo menos 3", 3),
    ("mas o menos 20", 20),
    ("unos 20", 20),
    ("unas 300 personas", 300),
    ("quiero 3.gracias", 3),
    ("total:30", 30),
    ("１２", 12),
    ("2do", 2),
    ("1er", 1),
    ("- 3 cocas", 3),
    (".5", Decimal("0.5")),
    ("1.500.-", 1500),
    ("somos 4", 4),
    ("talle 42", 42),
]


@pytest.mark.parametrize(("message", "expected"), DIGITS)
def test_digits_are_read_as_people_write_them(message: str, expected: int | Decimal) -> None:
    assert values(message) == [expected]


WORDS = [
    ("cero", 0),
    ("uno", 1),
    ("dos", 2),
    ("quiero tres", 3),
    ("diez", 10),
    ("once", 11),
    ("quince", 15),
    ("dieciséis", 16),
    ("diez y seis", 16),
    ("veinte", 20),
    ("veintiuno", 21),
    ("veintiún", 21),
    ("veintitrés", 23),
    ("ventitres", 23),
    ("veinte y cinco", 25),
    ("treinta", 30),
    ("treinta y cinco", 35),
    ("treintaicinco", 35),
    ("treinticinco", 35),
    ("treintaycinco", 35),
    ("treinta y un", 31),
    ("cuarenta i dos", 42),
    ("noventa y nueve", 99),
    ("cien", 100),
    ("ciento uno", 101),
    ("ciento veinte", 120),
    ("doscientos", 200),
    ("doscientas cincuenta", 250),
    ("dos cientos", 200),
    ("quinientos", 500),
    ("setecientos cuarenta y ocho", 748),
    ("novecientos noventa y nueve", 999),
    ("mil", 1000),
    ("mil quinientos", 1500),
    ("mil doscientos cincuenta", 1250),
    ("dos mil quinientos", 2500),
    ("dos mil", 2000),
    ("diez mil", 10_000),
    ("veintiun mil", 21_000),
    ("treinta y cinco mil cuatrocientos", 35_400),
    ("cien mil", 100_000),
    ("ciento cincuenta mil", 150_000),
    ("quinientos mil", 500_000),
    ("un millón", 1_000_000),
    ("un millón y medio", 1_500_000),
    ("millon y medio", 1_500_000),
    ("medio millon", 500_000),
    ("dos millones y medio", 2_500_000),
    ("dos y medio millones", 2_500_000),
    ("un millon doscientos mil", 1_200_000),
    ("tres millones quinientos mil", 3_500_000),
    ("mil millones", 10**9),
    ("mil novecientos ochenta y cinco", 1985),
    ("una luca", 1000),
    ("luca y media", 1500),
    ("dos lucas y media", 2500),
    ("cien lucas", 100_000),
    ("medio palo", 500_000),
    ("un palo y medio", 1_500_000),
    ("una docena", 12),
    ("docena", 12),
    ("docena y media", 18),
    ("media docena", 6),
    ("dos docenas", 24),
    ("tres docenas y media", 42),
    ("una decena", 10),
    ("un centenar", 100),
    ("un par", 2),
    ("un par de cocas", 2),
    ("dos y medio", Decimal("2.5")),
    ("tres y media", Decimal("3.5")),
    ("uno y medio", Decimal("1.5")),
    ("tres coma cinco", Decimal("3.5")),
    ("dos punto cinco millones", 2_500_000),
    ("menos tres", -3),
    ("una sola", 1),
    ("solo una", 1),
    ("una nomas", 1),
    ("los dos", 2),
    ("sinko", 5),
    ("kinientos", 500),
    ("dosientos", 200),
    ("docientos", 200),
    ("cincueta", 50),
    ("trienta", 30),
    ("quatro", 4),
    ("nuebe", 9),
    ("osho", 8),
    ("TREEEES", 3),
    ("twenty-five", 25),
    ("twenty five", 25),
    ("dosmil", 2000),
    ("tresmil quinientos", 3500),
    ("un millón quinientos", 1_500_000),
    ("un palo doscientos", 1_200_000),
    ("5 mill", 5_000_000),
    ("uno más", 1),
    ("diez con cincuenta", Decimal("10.5")),
    ("dos kilos y medio", Decimal("2.5")),
    ("kilo y medio", Decimal("1.5")),
    ("una hora y media", Decimal("1.5")),
    ("tengo treinta y pico", 30),
    ("un poco más de 20", 20),
    ("sien", 100),
    ("catorse", 14),
    ("beintisinco", 25),
    ("a hundred", 100),
    ("two hundred and ten", 210),
    ("fifteen hundred", 1500),
    ("one thousand and five", 1005),
    ("half a dozen", 6),
    ("a dozen", 12),
    ("a couple of beers", 2),
    ("two and a half", Decimal("2.5")),
    ("half a million", 500_000),
    ("two and a half million", 2_500_000),
    ("vinte e cinco", 25),
    ("cento e vinte", 120),
    ("dois mil", 2000),
    ("uma duzia", 12),
]


@pytest.mark.parametrize(("message", "expected"), WORDS)
def test_words_count_what_they_say(message: str, expected: int | Decimal) -> None:
    assert values(message) == [expected]


SEVERAL = [
    ("entre 2 y 3", [2, 3]),
    ("2 o 3", [2, 3]),
    ("dos o tres", [2, 3]),
    ("2-3", [2, 3]),
    ("100-200", [100, 200]),
    ("de 10 a 15", [10, 15]),
    ("del 1 al 10", [1, 10]),
    ("entre veinte y treinta", [20, 30]),
    ("entre treinta y cinco y cuarenta", [35, 40]),
    ("entre 2 y 3 millones", [2_000_000, 3_000_000]),
    ("2 o 3 mil", [2000, 3000]),
    ("de 50 a 100 lucas", [50_000, 100_000]),
    ("1,2,3", [1, 2, 3]),
    ("2, 3 y 4", [2, 3, 4]),
    ("dos cocas y tres fantas", [2, 3]),
    ("2 cocas 3 fantas 1 sprite", [2, 3, 1]),
    ("dos tres", [2, 3]),
    ("entre mil y dos mil", [1000, 2000]),
    ("10 menos 3", [10, 3]),
    ("-2 cocas -1 fanta", [2, 1]),
    ("3 x 100", [3, 100]),
    ("dos kilos y media docena de huevos", [2, 6]),
    ("somos cuatro adultos y dos niños", [4, 2]),
    ("mi dni 30111222 y vivo en san martin 1450", [30_111_222, 1450]),
]


@pytest.mark.parametrize(("message", "expected"), SEVERAL)
def test_ranges_and_lists_are_several_numbers(message: str, expected: list[int]) -> None:
    assert values(message) == expected


NOTHING = [
    "",
    "hola",
    "una pregunta",
    "un momento",
    "un segundo",
    "dame un minuto",
    "cada uno",
    "uno nunca sabe",
    "uno mismo",
    "mil gracias",
    "mil disculpas",
    "lo siento mucho",
    "medio caro",
    "en medio de todo",
    "por medio de la web",
    "tengo un cuarto libre",
    "la segunda vez que escribo",
    "segundo piso",
    "primero quiero saber el precio",
    "ten cuidado",
    "at once",
    "once you get it let me know",
    "no one answers",
    "this one",
    "juan12@gmail.com",
    "https://tienda.com/p/12",
    "www.tienda12.com",
    "A12B",
    "sku-123",
    "mp3",
    "2x1",
    "17:30",
    "12/03/1985",
    "2027-05-05",
    "20-12345678-9",
    "12.345.678-9",
    "+54 9 11 5555-1234",
    "+573001234567",
    "192.168.0.1",
    "1e400",
    "NaN",
    "infinity",
    "9" * 500,
    "un favor",
    "docenas de veces",
    "cientos de personas",
    "miles de gracias",
    "24/7",
    "un millón de gracias",
    "dame otra",
    "marzo",
    "con mayo",
]


@pytest.mark.parametrize("message", NOTHING)
def test_what_is_no_number_is_not_found(message: str) -> None:
    assert values(message) == []


@pytest.mark.parametrize("message", ["quiero una pizza", "un kiosco", "hay una sucursal", "pasame un menu"])
def test_articles_are_a_doubtful_one(message: str) -> None:
    assert [(found.value, found.confidence < SURE) for found in find_numbers(normalise(message))] == [(1, True)]


@pytest.mark.parametrize("message", ["20%", "20 %", "20 por ciento", "veinte por ciento", "un 20%", "el 20 porciento"])
def test_percentages_have_the_unit_percent(message: str) -> None:
    assert [(found.value, found.unit) for found in find_numbers(normalise(message))] == [(20, "%")]


@pytest.mark.parametrize(
    ("message", "country", "expected"),
    [
        ("1.500", "MX", Decimal("1.5")),
        ("1,500", "MX", 1500),
        ("1,500", "AR", 1500),
        ("1,5", "MX", Decimal("1.5")),
        ("50 lucas", "PE", 50),
        ("50 lucas", "CL", 50_000),
    ],
)
def test_the_country_settles_what_is_ambiguous(message: str, country: str, expected: int | Decimal) -> None:
    assert values(message, country) == [expected]


@pytest.mark.parametrize("message", ["la segunda", "el tercero", "opcion primera", "la segunda por favor"])
def test_an_ordinal_as_the_whole_answer_is_a_choice(message: str) -> None:
    assert len(find_numbers(normalise(message))) == 1


def test_integral_values_are_ints_and_spans_are_of_the_folded_text() -> None:
    text = normalise("Son VEINTITRÉS pesos")
    (found,) = find_numbers(text)
    assert type(found.value) is int
    assert text.original(found.start, found.end) == "VEINTITRÉS"


NASTY = [
    "1" * 100_000,
    "mil " * 2000,
    "\u200b1\u200b",
    "\u202e12",
    "\ud800",
    "\x00 5 \x07",
    "1/" * 999,
    "½½½",
    "24 ½ ½",
    "19 000 ½",
    "-" * 999,
    "٣",
]


@pytest.mark.parametrize("message", NASTY)
def test_nasty_text_never_raises(message: str) -> None:
    find_numbers(normalise(message))


@given(st.text() | st.text("0123456789.,/-'½$% mildosyk"))
def test_no_text_raises_and_spans_stay_inside(message: str) -> None:
    text = normalise(message)
    assert all(0 <= found.start < found.end <= len(text.folded) for found in find_numbers(text))


@pytest.mark.parametrize("message", ["dos cocas y una fanta", "tres empanadas, dos gaseosas y un flan"])
def test_one_counts_after_another_count(message: str) -> None:
    found = find_numbers(normalise(message))
    assert found[-1].value == 1
    assert found[-1].confidence >= 60


def test_one_alone_stays_an_article() -> None:
    assert all(found.confidence < 50 for found in find_numbers(normalise("quiero una fanta")))
