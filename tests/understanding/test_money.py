"""Money and measured quantities of chat messages."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.recognisers.amounts.money import find_money
from hilo.recognisers.amounts.quantities import find_quantities
from hilo.recognisers.normalise import normalise

MONEY = [
    ("$1.500", 1500, ""),
    ("$ 1.500", 1500, ""),
    ("$2.350,50", Decimal("2350.5"), ""),
    ("500$", 500, ""),
    ("1500 pesos", 1500, ""),
    ("mil pesos", 1000, ""),
    ("20 pesos argentinos", 20, "ARS"),
    ("200 pesos mexicanos", 200, "MXN"),
    ("100 mil pesos colombianos", 100_000, "COP"),
    ("5000 pesos chilenos", 5000, "CLP"),
    ("300 ars", 300, "ARS"),
    ("$1,500.00 MXN", 1500, "MXN"),
    ("MXN 300", 300, "MXN"),
    ("u$s 500", 500, "USD"),
    ("u$s500", 500, "USD"),
    ("us$ 20", 20, "USD"),
    ("USD 100", 100, "USD"),
    ("100 usd", 100, "USD"),
    ("100 dólares", 100, "USD"),
    ("cien dolares", 100, "USD"),
    ("5 dlls", 5, "USD"),
    ("20€", 20, "EUR"),
    ("€ 20", 20, "EUR"),
    ("veinte euros", 20, "EUR"),
    ("S/ 50", 50, "PEN"),
    ("s/.20.50", Decimal("20.5"), "PEN"),
    ("20 soles", 20, "PEN"),
    ("Q50", 50, "GTQ"),
    ("quince quetzales", 15, "GTQ"),
    ("R$ 30", 30, "BRL"),
    ("200 lempiras", 200, "HNL"),
    ("3000 colones", 3000, "CRC"),
    ("50 bolivianos", 50, "BOB"),
    ("10000 guaranies", 10_000, "PYG"),
    ("50 lucas", 50_000, ""),
    ("una luca", 1000, ""),
    ("luca y media", 1500, ""),
    ("100 lukas", 100_000, ""),
    ("2 palos", 2_000_000, ""),
    ("dos palos verdes", 2_000_000, "USD"),
    ("medio palo", 500_000, ""),
    ("un palo y medio", 1_500_000, ""),
    ("100 mangos", 100, ""),
    ("dos gambas", 200, ""),
    ("50 barras", 50_000, ""),
    ("20 varos", 20, "MXN"),
    ("3k", 3000, ""),
    ("2 mil", 2000, ""),
    ("2 millones de pesos", 2_000_000, ""),
    ("medio millon de dolares", 500_000, "USD"),
    ("un peso", 1, ""),
    ("dos dolares y medio", Decimal("2.5"), "USD"),
    ("50 centavos", Decimal("0.5"), ""),
    ("diez pesos con cincuenta centavos", Decimal("10.5"), ""),
    ("cuesta 500", 500, ""),
    ("mi presupuesto es de 3000", 3000, ""),
    ("te pago 800", 800, ""),
    ("50 bucks", 50, "USD"),
    ("twenty dollars", 20, "USD"),
    ("$5M", 5_000_000, ""),
    ("tengo 20 lucas nomas", 20_000, ""),
    ("me salio 15 lucas el envio", 15_000, ""),
    ("cuánto es? tengo $20.000", 20_000, ""),
    ("2 mil quinientos pesos", 2500, ""),
    ("10 mil 500 pesos", 10_500, ""),
    ("COP $50.000", 50_000, "COP"),
    ("USD$ 50", 50, "USD"),
    ("bs 50", 50, "BOB"),
    ("esta a 20 mil el metro", 20_000, ""),
    ("1 palo 200", 1_200_000, ""),
    ("$50 dolares", 50, "USD"),
]


@pytest.mark.parametrize(("message", "value", "unit"), MONEY)
def test_money_has_its_amount_and_the_currency_that_was_said(message: str, value: int | Decimal, unit: str) -> None:
    assert [(found.value, found.unit) for found in find_money(normalise(message))] == [(value, unit)]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("entre 100 y 200 dólares", [(100, "USD"), (200, "USD")]),
        ("de 2 a 3 lucas", [(2000, ""), (3000, "")]),
        ("100-200 usd", [(100, "USD"), (200, "USD")]),
        ("2 cocas de $500", [(500, "")]),
        ("$500 y $600", [(500, ""), (600, "")]),
    ],
)
def test_several_amounts_share_the_currency_of_the_last(message: str, expected: list[tuple[int, str]]) -> None:
    assert [(found.value, found.unit) for found in find_money(normalise(message))] == expected


@pytest.mark.parametrize(
    "message",
    [
        "2 cocas",
        "mil personas",
        "2 mangos de fruta",
        "dos gambas al ajillo",
        "2 barras de chocolate",
        "20%",
        "mil gracias",
        "2 palos de escoba",
        "son las 5",
        "hola",
        "12/03/1985",
        "500 ml",
        "mi dni es 30111222",
        "hace sol",
    ],
)
def test_what_is_no_money_is_not_found(message: str) -> None:
    assert find_money(normalise(message)) == ()


@pytest.mark.parametrize(("country", "unit"), [("AR", "ARS"), ("MX", "MXN"), ("CO", "COP"), ("CL", "CLP"), ("", "")])
def test_pesos_are_those_of_the_country(country: str, unit: str) -> None:
    assert [found.unit for found in find_money(normalise("200 pesos"), country=country)] == [unit]
    assert [found.unit for found in find_money(normalise("$200"), country=country)] == [unit]


QUANTITIES = [
    ("litro y medio", Decimal("1.5"), "l"),
    ("un litro y medio", Decimal("1.5"), "l"),
    ("1,5 l", Decimal("1.5"), "l"),
    ("1.5lts", Decimal("1.5"), "l"),
    ("2 litros", 2, "l"),
    ("dos litros y medio", Decimal("2.5"), "l"),
    ("medio litro", Decimal("0.5"), "l"),
    ("2L", 2, "l"),
    ("500cc", 500, "ml"),
    ("750 ml", 750, "ml"),
    ("medio kilo", Decimal("0.5"), "kg"),
    ("kilo y medio", Decimal("1.5"), "kg"),
    ("kilo y cuarto", Decimal("1.25"), "kg"),
    ("un kilo", 1, "kg"),
    ("2 kilos y medio", Decimal("2.5"), "kg"),
    ("2,5 kg", Decimal("2.5"), "kg"),
    ("2 kgs", 2, "kg"),
    ("cuarto de kilo", Decimal("0.25"), "kg"),
    ("un cuarto de kilo", Decimal("0.25"), "kg"),
    ("cuarto kilo", Decimal("0.25"), "kg"),
    ("1/4 kg", Decimal("0.25"), "kg"),
    ("1/4 de kilo", Decimal("0.25"), "kg"),
    ("3/4 kilo", Decimal("0.75"), "kg"),
    ("tres cuartos de kilo", Decimal("0.75"), "kg"),
    ("½ kilo", Decimal("0.5"), "kg"),
    ("un cuarto de helado", Decimal("0.25"), "kg"),
    ("un kilo doscientos", Decimal("1.2"), "kg"),
    ("1 kilo y 200 gramos", Decimal("1.2"), "kg"),
    ("2k de asado", 2, "kg"),
    ("300 gramos", 300, "g"),
    ("200gr de jamon", 200, "g"),
    ("media libra", Decimal("0.5"), "lb"),
    ("3 libras", 3, "lb"),
    ("una docena", 12, "unit"),
    ("dos docenas de huevos", 24, "unit"),
    ("media docena", 6, "unit"),
    ("docena y media", 18, "unit"),
    ("un par de cocas", 2, "unit"),
    ("3 unidades", 3, "unit"),
    ("5u", 5, "unit"),
    ("dos cajas", 2, "caja"),
    ("una caja de vino", 1, "caja"),
    ("3 packs", 3, "pack"),
    ("2 six pack", 2, "pack"),
    ("10 latas", 10, "lata"),
    ("dos botellas", 2, "botella"),
    ("4 paquetes", 4, "paquete"),
    ("3 bolsas de hielo", 3, "bolsa"),
    ("2 bultos", 2, "bulto"),
    ("5 mts", 5, "m"),
    ("2 metros cuadrados", 2, "m2"),
    ("una fanta de litro y medio", Decimal("1.5"), "l"),
    ("coca de 2 litros", 2, "l"),
    ("una coca de litro", 1, "l"),
    ("half a dozen eggs", 6, "unit"),
    ("two bottles", 2, "botella"),
    ("two boxes", 2, "caja"),
    ("a bottle of water", 1, "botella"),
    ("un paquete y medio", Decimal("1.5"), "paquete"),
    ("1,500 kg", Decimal("1.5"), "kg"),
    ("30 m2", 30, "m2"),
    ("six pack de cerveza", 1, "pack"),
]


@pytest.mark.parametrize(("message", "value", "unit"), QUANTITIES)
def test_quantities_have_their_value_and_canonical_unit(message: str, value: int | Decimal, unit: str) -> None:
    assert [(found.value, found.unit) for found in find_quantities(normalise(message))] == [(value, unit)]


@pytest.mark.parametrize(
    "message",
    [
        "hablamos sobre eso",
        "cuanto sale el kilo?",
        "tengo un cuarto libre",
        "2 cocas",
        "cuarto piso",
        "medio caro",
        "500 pesos",
        "juego de mesa",
        "la caja es linda",
        "a las 2 y media",
        "hola",
        "u$s 500",
        "media hora",
    ],
)
def test_what_is_no_quantity_is_not_found(message: str) -> None:
    assert find_quantities(normalise(message)) == ()


def test_several_quantities_are_all_found() -> None:
    found = find_quantities(normalise("2 kilos de papa, medio litro de aceite y 3 latas"))
    assert [(one.value, one.unit) for one in found] == [(2, "kg"), (Decimal("0.5"), "l"), (3, "lata")]


@given(st.text() | st.text("0123456789.,/-$% kgldosy pesos lucas medio"))
def test_no_text_raises(message: str) -> None:
    text = normalise(message)
    for found in (*find_money(text), *find_quantities(text)):
        assert 0 <= found.start < found.end <= len(text.folded)


@pytest.mark.parametrize("message", ["tengo 60 mil nomás", "son 60 mil", "me sale 60 mil", "60 mil por todo"])
def test_bare_thousands_are_money(message: str) -> None:
    assert [found.value for found in find_money(normalise(message))] == [60000]


def test_counted_thousands_are_no_money() -> None:
    assert find_money(normalise("tengo 60 mil seguidores")) == ()


@pytest.mark.parametrize(("country", "unit"), [("US", "USD"), ("EC", "USD"), ("MX", "MXN"), ("", "")])
def test_the_sign_means_the_currency_of_the_country(country: str, unit: str) -> None:
    assert [found.unit for found in find_money(normalise("$3,000"), country=country)] == [unit]
