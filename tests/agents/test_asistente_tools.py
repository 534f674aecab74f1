"""The assistant's tools: what people write, and what they are answered."""

import csv
from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.app.loading import load_tools
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.store.own_tables import OwnDatabase, memory_store, read_own_sql
from hilo.tools.call import call, call_all
from hilo.tools.database import Row, execute, micros
from hilo.tools.given import Contact, Given
from hilo.tools.tool import AskContact, ToolFailed

AGENT = Path(__file__).parents[2] / "agents" / "asistente"
TOOLS = load_tools(AGENT / "tools.py")
NOW = datetime(2026, 11, 13, 9, 5, tzinfo=ZoneInfo("America/Bogota"))  # a Friday

SOMEBODY = Contact("main", "ana", "test", "ana", "talk")

NOT_READ = "No entendí la cuenta. Prueba con algo como «15% de 80» o «120 entre 7»."
KNOWN = "Argentina, Chile, Colombia, España, Estados Unidos, México, Perú y Uruguay"
COUNTRIES = {"AR", "CL", "CO", "ES", "MX", "PE", "US", "UY"}


def use(tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool without tables gives for arguments that are checked as the engine does."""
    found = TOOLS[tool]
    around = {"now": arguments.pop("now", NOW), "contact": arguments.pop("contact", SOMEBODY)}
    given = {name: value for name, value in around.items() if name in found.given}
    outputs: dict[str, Any] = found.function(**found.checked(arguments), **given)
    return outputs


def told(tool: str, **arguments: Any) -> str:
    """What the contact is told when it cannot be done."""
    with pytest.raises(ToolFailed) as failure:
        use(tool, **arguments)
    assert not isinstance(failure.value, AskContact)
    return failure.value.tell


def asked(tool: str, **arguments: Any) -> AskContact:
    with pytest.raises(AskContact) as question:
        use(tool, **arguments)
    return question.value


def table(file: str) -> list[dict[str, str]]:
    with (AGENT / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


# --- time -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "name", "time"),
    [
        ("Tokio", "Tokio", "23:05"),
        ("tokyo", "Tokio", "23:05"),
        ("Asia/Tokyo", "Tokio", "23:05"),
        ("asia/tokyo", "Tokio", "23:05"),
        ("LONDRES", "Londres", "14:05"),
        ("london", "Londres", "14:05"),
        ("NYC", "Nueva York", "09:05"),
        ("nueva york", "Nueva York", "09:05"),
        ("New York City", "Nueva York", "09:05"),
        ("México", "México (Ciudad de México)", "08:05"),
        ("mexico", "México (Ciudad de México)", "08:05"),
        ("CDMX", "Ciudad de México", "08:05"),
        ("España", "España (Madrid)", "15:05"),
        ("Canarias", "Islas Canarias", "14:05"),
        ("Brasil", "Brasil (Brasilia)", "11:05"),
        ("manaus", "Manaos", "10:05"),
        ("Santiago", "Santiago de Chile", "11:05"),
        ("isla de pascua", "Isla de Pascua", "09:05"),
        ("La Paz", "La Paz", "10:05"),
        ("La India", "India", "19:35"),
        ("Katmandú", "Katmandú", "19:50"),
        ("habana", "La Habana", "09:05"),
        ("Corea", "Corea del Sur", "23:05"),
        ("Córdoba (Argentina)", "Córdoba (Argentina)", "11:05"),
        ("Córdoba, España", "Córdoba (España)", "15:05"),
        ("cordoba argentina", "Córdoba (Argentina)", "11:05"),
        ("cordoba de españa", "Córdoba (España)", "15:05"),
        ("Lima, Perú", "Lima", "09:05"),
        ("¿qué hora es en Nueva York ahora?", "Nueva York", "09:05"),
        ("hora de Madrid por favor", "Madrid", "15:05"),
        ("UTC", "UTC", "14:05"),
        ("GMT+5:30", "UTC+05:30", "19:35"),
        ("utc-3", "UTC-03:00", "11:05"),
        ("Kiritimati", "Kiritimati", "04:05"),
    ],
)
def test_a_place_is_known_by_any_of_its_names(place: str, name: str, time: str) -> None:
    outputs = use("datetime", place=place)
    assert (outputs["place"], outputs["time"]) == (name, time)


def test_the_answer_has_the_day_there_and_the_difference_to_here() -> None:
    there = use("datetime", place="Auckland")
    assert there["text"] == "En Auckland son las 03:05 del sábado 14 de noviembre."
    assert there["difference"] == "18 horas más que en Bogotá"
    assert (there["zone"], there["year"]) == ("Pacific/Auckland", 2026)


@pytest.mark.parametrize(
    ("place", "difference"),
    [
        ("Lima", "la misma hora que en Bogotá"),
        ("Caracas", "1 hora más que en Bogotá"),
        ("Chicago", "1 hora menos que en Bogotá"),
        ("Calcuta", "10 horas y media más que en Bogotá"),
        ("Katmandú", "10 horas y 45 minutos más que en Bogotá"),
    ],
)
def test_the_difference_is_said_in_words(place: str, difference: str) -> None:
    assert use("datetime", place=place)["difference"] == difference


def test_without_a_place_it_is_the_time_of_the_agent() -> None:
    here = use("datetime")
    assert (here["place"], here["text"]) == ("Bogotá", "En Bogotá son las 09:05 del viernes 13 de noviembre.")
    one = use("datetime", now=NOW.replace(hour=1))
    assert one["text"] == "En Bogotá es la 01:05 del viernes 13 de noviembre."


@pytest.mark.parametrize("country", ["Estados Unidos", "EE.UU.", "usa", "Canadá", "Australia", "Rusia"])
def test_a_country_of_many_times_asks_for_one_of_its_cities(country: str) -> None:
    question = asked("datetime", place=country)
    assert question.parameter == "place"
    assert len({use("datetime", place=city)["time"] for city in question.options}) > 2


@pytest.mark.parametrize("place", ["Córdoba", "Mérida", "valencia", "San Juan", "Tokkio", "barselona", "Londrs"])
def test_a_doubtful_name_asks_and_each_option_is_understood(place: str) -> None:
    question = asked("datetime", place=place)
    assert all(use("datetime", place=option)["time"] for option in question.options)


@pytest.mark.parametrize("place", ["Xyz", "UTC+99", "¿?", "a" * 5000, "\0", "🙂"])
def test_an_unknown_place_is_told_with_a_way_on(place: str) -> None:
    said = told("datetime", place=place)
    assert said.startswith("No conozco «")
    assert said.endswith("Prueba con una ciudad grande, por ejemplo Tokio o Lima.")
    assert len(said) < 140


def test_the_places_are_many_and_their_zones_exist() -> None:
    places = table("places.csv")
    assert len(places) >= 400
    assert {place["zone"] for place in places if place["zone"]} <= available_timezones()
    several = {place["name"] for place in places if not place["zone"]}
    assert several == {"Estados Unidos", "Canadá", "Australia", "Rusia"}


def test_every_place_is_found_by_its_own_name_and_country() -> None:
    for place in table("places.csv"):
        if place["zone"]:
            name = f"{place['name']} ({place['country']})" if place["country"] else place["name"]
            assert use("datetime", place=name)["zone"] == place["zone"], name


# --- sums -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("2 + 3 * 4", "14"),
        ("¿cuánto es 2 + 3 por 4?", "14"),
        ("(2 + 3) por 4", "20"),
        ("cuánto me da 120 entre 8", "15"),
        ("ciento veinte dividido entre ocho", "15"),
        ("10 dividido 4", "2,5"),
        ("10 dividido por 4", "2,5"),
        ("divide 10 por 4", "2,5"),
        ("divide 10 en 4", "2,5"),
        ("12:4", "3"),
        ("7 x 8 x 2", "112"),
        ("3x4", "12"),
        ("45 × 12 − 7", "533"),
        ("2(3+4)", "14"),
        ("cuánto es 3 veces 15", "45"),
        ("dos mil quinientos más 1.500,50", "4.000,5"),
        ("1,500.50 + 0,5", "1.501"),
        ("$1.500 + $ 2.300", "3.800"),
        ("treinta y dos menos siete", "25"),
        ("tres coma cinco por dos", "7"),
        ("2 y medio por 4", "10"),
        ("medio millón entre 4", "125.000"),
        ("uno más uno", "2"),
        ("menos 5 por 3", "-15"),
        ("120 dólares entre 8 personas", "15"),
        ("por favor, ¿cuánto es 7 por 8? gracias", "56"),
        ("hola! 7*8=", "56"),
        ("quiero saber cuánto es 25 por 4, por favor", "100"),
        ("¿Y 30 por 12?", "360"),
        ("una cuenta: 8 por 9", "72"),
        ("15% de 80", "12"),
        ("el 15 por ciento de 80", "12"),
        ("¿Cuánto sería el 8% de 2.350?", "188"),
        ("15% sobre 80", "12"),
        ("50% de 20% de 1000", "100"),
        ("80 + 15%", "92"),
        ("80 más el 15%", "92"),
        ("80 menos un 20 por ciento", "64"),
        ("15% más que 80", "92"),
        ("un 15% más de 80", "92"),
        ("20% menos que 50", "40"),
        ("80 15% más", "92"),
        ("80 y un 15% más", "92"),
        ("80 con un 15% de descuento", "68"),
        ("20% de descuento sobre 500", "400"),
        ("1500 con 21% de IVA", "1.815"),
        ("el 21% de IVA de 1500", "315"),
        ("10% de propina sobre 250", "25"),
        ("súmale 15% a 80", "92"),
        ("réstale 20% a 50", "40"),
        ("aumenta 80 en 15%", "92"),
        ("el 20% de 350 más 15", "85"),
        ("cuánto es 2+2 x favor", "4"),
        ("10 más 5 es igual a", "15"),
        ("1.500 por 12 meses", "18.000"),
        ("100 menos el 10% de 50", "95"),
        ("cien mil por 0,5%", "500"),
        ("suma 3 y 4", "7"),
        ("suma 3, 4 y 5", "12"),
        ("la suma de 3 y 4 y 5", "12"),
        ("resta 5 a 20", "15"),
        ("resta 5 de 20", "15"),
        ("la diferencia entre 10 y 3", "7"),
        ("multiplica 2 y 3", "6"),
        ("multiplica 12 por 12", "144"),
        ("reparte 100 entre 8", "12,5"),
        ("raíz cuadrada de 144", "12"),
        ("la raíz de 81 más 1", "10"),
        ("√16 + 9", "13"),
        ("raíz cúbica de 27", "3"),
        ("5 al cuadrado", "25"),
        ("5²", "25"),
        ("2 al cubo", "8"),
        ("2 elevado a la 10", "1.024"),
        ("2 elevado a 10", "1.024"),
        ("2 ^ 3 ^ 2", "512"),
        ("2**3", "8"),
        ("-2^2", "-4"),
        ("2^-2", "0,25"),
        ("4^0,5", "2"),
        ("la mitad de 30", "15"),
        ("el doble de 7 más 1", "15"),
        ("un tercio de 90", "30"),
        ("dos tercios de 90", "60"),
        ("la cuarta parte de 100", "25"),
        ("3/4 de 100", "75"),
        ("1/3 + 1/3 + 1/3", "1"),
        ("0.1 + 0.2", "0,3"),
        ("7*(8-(3+1))/2", "14"),
    ],
)
def test_a_sum_is_read_as_people_write_it(written: str, result: str) -> None:
    outputs = use("calculator", expression=written)
    assert outputs["result"] == result
    assert outputs["exact"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("cuánto me da 120 entre 7", "120 ÷ 7 ≈ 17,142857"),
        ("la raíz de 2", "√2 ≈ 1,414214"),
        ("1 entre 3000", "1 ÷ 3.000 ≈ 0,000333333"),
        ("15% de 80", "15% de 80 = 12"),
        ("80 con 15% de descuento", "80 - 15% = 68"),
        ("un tercio de 90", "1/3 de 90 = 30"),
        ("menos 5 por (2 menos 4)", "-5 × (2 - 4) = 10"),
        ("1.500,50 por 2", "1.500,5 × 2 = 3.001"),
    ],
)
def test_the_contact_sees_how_a_sum_was_read(written: str, text: str) -> None:
    assert use("calculator", expression=written)["text"] == text


@pytest.mark.parametrize(
    "written",
    [
        "",
        "hola",
        "5",
        "2 3",
        "2 + + 3",
        "2 +",
        "(2 + 3",
        "2 + 3)",
        "10 % 3",
        "2+2 y 3+3",
        "2+2, 3+3",
        "1.2.3 + 1",
        "5!",
    ],
)
def test_what_is_no_sum_is_told(written: str) -> None:
    said = "No entendí la cuenta. Prueba con algo como «15% de 80» o «120 entre 7»."
    assert told("calculator", expression=written) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("10 / 0", "No se puede dividir entre cero."),
        ("5 entre (3 menos 3)", "No se puede dividir entre cero."),
        ("0 ^ -1", "No se puede dividir entre cero."),
        ("raíz de -4", "Esa cuenta no tiene un resultado real: no hay raíz de un número negativo."),
        ("2^100000", "El resultado es demasiado grande para mí."),
        ("9^9^9^9", "El resultado es demasiado grande para mí."),
        ("99999^99,5", "El resultado es demasiado grande para mí."),
        ("10^29 * 10", "El resultado es demasiado grande para mí."),
        ("9" * 100 + " + 1", "Ese número es demasiado largo para mí."),
        ("1+" * 60 + "1", "Esa cuenta es demasiado larga para mí. Prueba por partes."),
        ("(" * 60 + "1+1" + ")" * 60, "Esa cuenta es demasiado larga para mí. Prueba por partes."),
        ("-" * 90 + "1", "Esa cuenta es demasiado larga para mí. Prueba por partes."),
        ("1+1" * 200, "Esa cuenta es demasiado larga para mí. Prueba por partes."),
    ],
)
def test_what_cannot_be_reckoned_is_told(written: str, said: str) -> None:
    assert told("calculator", expression=written) == said


Sum = tuple[str, Fraction | None]  # None: it divides by zero


def as_written(number: Decimal) -> str:
    """A number in Spanish format, with its thousands grouped."""
    whole, _, rest = f"{number:,f}".partition(".")
    return whole.replace(",", ".") + ("," + rest if rest else "")


NUMBERS = st.decimals(0, 99999, places=2).map(lambda number: (as_written(number), Fraction(number)))
SIGNS = {
    "+": ("+", " más ", " + "),
    "-": ("-", " menos ", " − "),
    "*": ("*", " por ", " x ", " × ", " multiplicado por "),
    "/": ("/", " entre ", " ÷ ", " dividido por ", " dividido "),
}


def combined(inner: st.SearchStrategy[Sum]) -> st.SearchStrategy[Sum]:
    signs = st.sampled_from([(sign, word) for sign, words in SIGNS.items() for word in words])
    pairs = st.builds(joined_sum, inner, signs, inner)
    negative = inner.map(lambda each: (f"(-({each[0]}))", None if each[1] is None else -each[1]))
    share = st.builds(
        lambda percent, each: (f"({percent}% de ({each[0]}))", None if each[1] is None else each[1] * percent / 100),
        st.integers(0, 200),
        inner,
    )
    return pairs | negative | share


def joined_sum(left: Sum, sign: tuple[str, str], right: Sum) -> Sum:
    text = f"({left[0]}){sign[1]}({right[0]})"
    if left[1] is None or right[1] is None or (sign[0] == "/" and not right[1]):
        return text, None
    match sign[0]:
        case "+":
            return text, left[1] + right[1]
        case "-":
            return text, left[1] - right[1]
        case "*":
            return text, left[1] * right[1]
        case _:
            return text, left[1] / right[1]


def read_back(text: str) -> Fraction:
    return Fraction(text.replace(".", "").replace(",", "."))


@settings(max_examples=depth(100, 300), deadline=None)
@given(st.recursive(NUMBERS, combined, max_leaves=6).filter(lambda each: "(" in each[0] and len(each[0]) < 290))
def test_a_sum_has_the_result_of_exact_arithmetic(each: Sum) -> None:
    text, expected = each
    if expected is None:
        assert told("calculator", expression=text) == "No se puede dividir entre cero."
        return
    outputs = use("calculator", expression=f"¿cuánto es {text}?")
    shown = read_back(outputs["result"])
    if outputs["exact"]:
        assert shown == expected
    else:
        assert shown != expected
        assert abs(shown - expected) <= max(abs(expected), Fraction(1)) / 10**6


@settings(max_examples=depth(100, 300), deadline=None)
@given(st.lists(st.integers(1, 99), min_size=2, max_size=6), st.data())
def test_signs_bind_as_they_do_in_python(numbers: list[int], data: st.DataObject) -> None:
    signs = data.draw(st.lists(st.sampled_from("+-*/"), min_size=len(numbers) - 1, max_size=len(numbers) - 1))
    text = str(numbers[0]) + "".join(f" {sign} {number}" for sign, number in zip(signs, numbers[1:], strict=True))
    fractions = "".join(f"Fraction({part})" if part.isdigit() else part for part in text.split())
    expected = eval(fractions, {"Fraction": Fraction})  # noqa: S307 -- digits and four signs
    assert abs(read_back(use("calculator", expression=text)["result"]) - expected) <= max(abs(expected), 1) / 10**6


@settings(max_examples=depth(100, 300), deadline=None)
@given(st.text(alphabet="0123456789+-*/^%().,:;¿?! xyreaíz$√²½mdestoplu", max_size=80) | st.text(max_size=80))
def test_whatever_is_written_is_answered_or_told(text: str) -> None:
    assert 0 < len(answered(text)) < 1000


def answered(text: str) -> str:
    """The result of a sum, or what is told instead."""
    try:
        return str(use("calculator", expression=text)["text"])
    except ToolFailed as failure:
        return failure.tell


# --- units ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "unit", "to", "text"),
    [
        ("10", "km", "millas", "10 kilómetros son aproximadamente 6,2137 millas."),
        ("1", "kilómetro", "m", "1 kilómetro son 1.000 metros."),
        ("1", "pulgada", "cm", "1 pulgada son 2,54 centímetros."),
        ("5", "feet", "metros", "5 pies son 1,524 metros."),
        ("1", "milla náutica", "km", "1 milla náutica son 1,852 kilómetros."),
        ("100", "°F", "°C", "100 grados Fahrenheit son aproximadamente 37,7778 grados Celsius."),
        ("36.6", "celsius", "fahrenheit", "36,6 grados Celsius son 97,88 grados Fahrenheit."),
        ("-40", "ºC", "ºF", "-40 grados Celsius son -40 grados Fahrenheit."),
        ("0", "C", "K", "0 grados Celsius son 273,15 kelvins."),
        ("100", "grados", "Fahrenheit", "100 grados Celsius son 212 grados Fahrenheit."),
        ("212", "grados", "centígrados", "212 grados Fahrenheit son 100 grados Celsius."),
        ("8", "onzas", "gramos", "8 onzas son aproximadamente 226,7962 gramos."),
        ("8", "onzas", "ml", "8 onzas líquidas son aproximadamente 236,5882 mililitros."),
        ("2", "libras", "kilos", "2 libras son aproximadamente 0,9072 kilogramos."),
        ("2500", "gr", "kg", "2.500 gramos son 2,5 kilogramos."),
        ("1", "galón", "litros", "1 galón son aproximadamente 3,7854 litros."),
        ("2", "tazas", "ml", "2 tazas son 480 mililitros."),
        ("3", "m³", "L", "3 metros cúbicos son 3.000 litros."),
        ("1", "hectárea", "m²", "1 hectárea son 10.000 metros cuadrados."),
        ("1", "metros cuadrados", "cm2", "1 metro cuadrado son 10.000 centímetros cuadrados."),
        ("90", "km/h", "m/s", "90 kilómetros por hora son 25 metros por segundo."),
        ("60", "mph", "kilómetros por hora", "60 millas por hora son aproximadamente 96,5606 kilómetros por hora."),
        ("90", "min", "horas", "90 minutos son 1,5 horas."),
        ("1", "año", "meses", "1 año son 12 meses."),
        ("2", "semanas", "días", "2 semanas son 14 días."),
        ("1", "ms", "segundos", "1 milisegundo son 0,001 segundos."),
        ("1.5", "GB", "megas", "1,5 gigabytes son 1.500 megabytes."),
        ("1", "GiB", "MiB", "1 gibibyte son 1.024 mebibytes."),
        ("100", "megabits", "MB", "100 megabits son 12,5 megabytes."),
        ("1", "oz", "oz", "1 onza son 1 onza."),
    ],
)
def test_an_amount_is_converted(amount: str, unit: str, to: str, text: str) -> None:
    assert use("convert", amount=amount, unit=unit, to_unit=to)["text"] == text


@pytest.mark.parametrize(
    ("story", "result"),
    [
        ("si gasto 45 mil en luz, 30 mil en gas y 12 mil quinientos en agua cuánto es todo", "87.500"),
        ("pagué 2300 de luz y 1500 de agua, ¿cuánto gasté en total?", "3.800"),
        ("compré 3 remeras a 4500 cada una, cuánto pago", "13.500"),
        ("cuánto me sale 4 kilos a 1800 el kilo", "7.200"),
        ("tengo 20000 y gasto 7500, ¿cuánto me queda?", "12.500"),
        ("cuánto es 1200 en 12 cuotas", "100"),
        ("el promedio de 7, 8 y 9", "8"),
    ],
)
def test_a_sum_is_told_without_signs(story: str, result: str) -> None:
    assert use("calculator", expression=story)["result"] == result


@pytest.mark.parametrize("story", ["25 más 30 y dividido 2", "cuánto es 5 y 6", "la calle 45 con 30", "el 3 de 8"])
def test_what_tells_no_sum_is_not_reckoned(story: str) -> None:
    assert told("calculator", expression=story) == NOT_READ


def test_a_conversion_gives_its_parts() -> None:
    outputs = use("convert", amount=Decimal(1), unit="kg", to_unit="lb")
    del outputs["text"]
    assert outputs == {"amount": "1", "unit": "kilogramo", "result": "2,2046", "to": "libras", "exact": False} | {
        "remembered": "2,2046 libras"
    }


@pytest.mark.parametrize(
    ("amount", "unit", "to", "said"),
    [
        ("2", "kg", "metros", "No se puede convertir: son cosas distintas, peso (kilogramos) y longitud (metros)."),
        ("2", "brazadas", "metros", "No conozco la unidad «brazadas»."),
        ("-300", "°C", "°F", "Esa temperatura no existe: está por debajo del cero absoluto."),
        ("1e400", "m", "km", "Ese número es demasiado grande o demasiado largo para mí."),
        ("1e-400", "m", "km", "Ese número es demasiado grande o demasiado largo para mí."),
    ],
)
def test_what_cannot_be_converted_is_told(amount: str, unit: str, to: str, said: str) -> None:
    assert told("convert", amount=amount, unit=unit, to_unit=to) == said


def test_a_unit_of_several_meanings_asks_and_the_answer_is_understood() -> None:
    question = asked("convert", amount=5, unit="grados", to_unit="kelvin")
    assert (question.parameter, question.options) == ("unit", ("Grados Celsius", "Grados Fahrenheit"))
    assert use("convert", amount=5, unit=question.options[0], to_unit="kelvin")["result"] == "278,15"


def test_every_unit_converts_there_and_back() -> None:
    units = table("units.csv")
    for unit in units:
        first = next(each for each in units if each["kind"] == unit["kind"])
        names = (unit["plural"], first["plural"])
        assert use("convert", amount=7, unit=names[0], to_unit=names[1])["result"]
        assert use("convert", amount=7, unit=names[0], to_unit=names[0])["result"] == "7"


# --- holidays -------------------------------------------------------------------------------------------


def test_the_next_holiday_is_that_of_the_agents_country() -> None:
    outputs = use("holidays")
    assert outputs["text"] == (
        "El próximo feriado en Colombia es el lunes 16 de noviembre (en 3 días): Independencia de Cartagena."
    )
    assert (outputs["country"], outputs["next_date"], outputs["days_until"]) == ("Colombia", "lunes 16 de noviembre", 3)


def test_a_holiday_today_is_said_first() -> None:
    outputs = use("holidays", country="México", now=NOW + timedelta(days=3))
    assert outputs["today"] == "Día de la Revolución Mexicana"
    assert outputs["text"] == (
        "Hoy es feriado en México: Día de la Revolución Mexicana."
        " El próximo feriado en México es el viernes 25 de diciembre (en 39 días): Navidad."
    )
    eve = use("holidays", country="MX", now=NOW.replace(month=12, day=24))
    assert "(mañana): Navidad." in eve["text"]


def test_a_month_lists_its_holidays_and_a_past_one_is_of_next_year() -> None:
    outputs = use("holidays", country="España", month="12")
    assert outputs["text"] == (
        "Festivos en España, diciembre de 2026:\n"
        "- domingo 6 de diciembre: Día de la Constitución\n"
        "- martes 8 de diciembre: Inmaculada Concepción\n"
        "- viernes 25 de diciembre: Navidad"
    )
    assert use("holidays", country="españa", month="5")["period"] == "mayo de 2027"
    assert use("holidays", country="MX", month="8")["text"] == "En agosto de 2027 no hay feriados en México."


def test_two_feasts_of_one_day_are_one_holiday() -> None:
    listed = use("holidays", country="CO", year=2025, month="6")["listed"]
    assert listed.endswith("lunes 30 de junio: Sagrado Corazón y San Pedro y San Pablo")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"country": "Francia"}, f"No tengo los feriados de «Francia». Conozco los de {KNOWN}."),
        ({"year": 2031}, "Solo tengo los feriados de 2025 a 2028."),
        ({"month": "13"}, "Ese mes no existe: dime un número del 1 al 12."),
    ],
)
def test_holidays_that_are_not_known_are_told(arguments: dict[str, Any], said: str) -> None:
    assert told("holidays", **arguments) == said


def test_without_a_country_in_a_far_zone_it_is_asked() -> None:
    question = asked("holidays", now=NOW.astimezone(ZoneInfo("Asia/Tokyo")))
    assert (question.parameter, len(question.options)) == ("country", 8)
    assert {use("holidays", country=each)["country"] for each in question.options} == set(question.options)


def easter(year: int) -> date:
    """The Gregorian computus."""
    golden, century = year % 19, year // 100
    epact = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    moon = epact - epact // 28 * (1 - epact // 28 * (29 // (epact + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    offset = moon - weekday
    month = 3 + (offset + 40) // 44
    return date(year, month, offset + 28 - 31 * (month // 4))


def holiday_days(country: str, year: int) -> set[date]:
    days = {date.fromisoformat(row["date"]) for row in table("holidays.csv") if row["country"] == country}
    return {day for day in days if day.year == year}


@pytest.mark.parametrize("year", range(2025, 2029))
def test_moveable_feasts_follow_easter(year: int) -> None:
    friday = easter(year) - timedelta(days=2)
    for country in COUNTRIES - {"US", "MX"}:
        assert friday in holiday_days(country, year), country
    for country in ("AR", "UY"):
        assert {easter(year) - timedelta(days=48), easter(year) - timedelta(days=47)} <= holiday_days(country, year)


@pytest.mark.parametrize("year", range(2025, 2029))
def test_colombia_moves_its_holidays_to_mondays(year: int) -> None:
    fixed = [(1, 6), (3, 19), (6, 29), (8, 15), (10, 12), (11, 1), (11, 11)]
    for month, day in fixed:
        feast = date(year, month, day)
        assert feast + timedelta(days=-feast.weekday() % 7) in holiday_days("CO", year)
    for after in (43, 64, 71):
        assert easter(year) + timedelta(days=after) in holiday_days("CO", year)


def nth_monday(year: int, month: int, which: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=-first.weekday() % 7 + 7 * (which - 1))


@pytest.mark.parametrize("year", range(2025, 2029))
def test_mexico_has_just_the_days_of_its_labour_law(year: int) -> None:
    mondays = {nth_monday(year, 2, 1), nth_monday(year, 3, 3), nth_monday(year, 11, 3)}
    fixed = {date(year, 1, 1), date(year, 5, 1), date(year, 9, 16), date(year, 12, 25)}
    assert holiday_days("MX", year) == mondays | fixed


@pytest.mark.parametrize(
    ("country", "day"),
    [
        ("AR", "2025-10-10"),  # moved from a Sunday by resolution
        ("AR", "2026-07-10"),  # a bridge by decree
        ("AR", "2026-11-23"),
        ("CL", "2026-06-21"),  # the solstice
        ("CL", "2027-09-17"),  # the Friday before a Saturday the 18th
        ("CL", "2028-10-27"),  # a Tuesday's feast goes to the Friday before
        ("PE", "2026-12-09"),
        ("ES", "2026-10-12"),
        ("UY", "2027-05-17"),
        ("US", "2026-07-03"),  # a Saturday's feast is kept the day before
        ("US", "2026-11-26"),
    ],
)
def test_days_that_laws_and_decrees_have_moved_are_right(country: str, day: str) -> None:
    moved = date.fromisoformat(day)
    assert moved in holiday_days(country, moved.year)


@pytest.mark.parametrize("year", range(2025, 2029))
def test_every_country_rests_at_new_year_and_christmas(year: int) -> None:
    for country in COUNTRIES:
        assert {date(year, 1, 1), date(year, 12, 25)} <= holiday_days(country, year)
        assert 7 <= len(holiday_days(country, year)) <= 21


# --- money ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "currency", "to", "result", "rate"),
    [
        ("100", "dólares", "euros", "85", "0,85"),
        ("100", "USD", "€", "85", "0,85"),
        ("1", "euro", "pesos argentinos", "1.400", "1.400"),
        ("1000", "pesos de México", "dólar", "53,19", "0,05319"),
        ("50", "euros", "soles", "208,82", "4,1765"),
        ("2.5", "S/", "R$", "3,84", "1,5352"),
        ("10", "libras", "dólares", "13,70", "1,3699"),
        ("1", "COP", "US$", "0,00025", "0,0002451"),
        ("3", "dólares canadienses", "yenes", "317,65", "105,8824"),
        ("20", "pesos en Chile", "colones", "10,86", "0,543"),
    ],
)
def test_money_is_changed_at_the_cross_rate(amount: str, currency: str, to: str, result: str, rate: str) -> None:
    outputs = use("exchange", amount=amount, currency=currency, to_currency=to)
    assert (outputs["result"], outputs["rate"]) == (result, rate)


def test_every_change_says_that_its_rate_is_an_example_and_of_which_day() -> None:
    outputs = use("exchange", amount=1, currency="usd", to_currency="clp")
    assert outputs["as_of"] == "30 de junio de 2025"
    assert outputs["text"] == (
        "1 dólar estadounidense son 930 pesos chilenos, con un cambio de ejemplo del 30 de junio de 2025."
    )


@pytest.mark.parametrize(
    ("currency", "to", "parameter"), [("pesos", "euros", "currency"), ("usd", "pesos", "to_currency")]
)
def test_pesos_ask_for_their_country_and_the_answer_is_understood(currency: str, to: str, parameter: str) -> None:
    question = asked("exchange", amount=10, currency=currency, to_currency=to)
    assert (question.parameter, question.question) == (parameter, "¿Pesos de qué país?")
    for option in question.options:
        assert use("exchange", **{"amount": 10, "currency": currency, "to_currency": to, parameter: option})["result"]


def test_a_bare_sign_may_be_dollars_too() -> None:
    assert "Dólares estadounidenses" in asked("exchange", amount=10, currency="$", to_currency="euros").options


def test_money_that_cannot_be_changed_is_told() -> None:
    said = told("exchange", amount=5, currency="doblones", to_currency="euros")
    assert said == "No conozco la moneda «doblones». Prueba con dólares, euros o pesos mexicanos, por ejemplo."
    assert told("exchange", amount=0, currency="usd", to_currency="eur") == "Dime un importe mayor que cero."


def test_there_are_twenty_currencies_and_changing_back_gives_the_same() -> None:
    codes = [row["code"] for row in table("rates.csv")]
    assert len(set(codes)) == len(codes) >= 20
    for row in table("rates.csv"):
        for name in (row["code"], row["singular"], row["plural"], *filter(None, row["also"].split("|"))):
            assert use("exchange", amount=100, currency=name, to_currency=row["code"])["result"] == "100"


# --- notes ----------------------------------------------------------------------------------------------


class Notebook:
    """Calls about notes, each contact with a database of the same tables."""

    def __init__(self) -> None:
        own = read_own_sql("asistente", AGENT)
        assert own is not None
        self.own, self.store, self.moment, self.calls = own, memory_store(own), NOW, 0

    async def run(self, *calls: tuple[str, dict[str, Any]], who: str = "ana", ids: str = "") -> list[ToolResult]:
        """Calls of one message, each message a minute after the one before."""
        contact = Contact("w", who, "wa", who, "s")
        self.calls += 1
        self.moment += timedelta(minutes=1)
        runs = [RunTool(f"{ids or self.calls}-{index}", name, values) for index, (name, values) in enumerate(calls)]
        surroundings = Given(contact, OwnDatabase(self.store, self.own, contact))
        return list(await call_all(TOOLS, runs, now=self.moment, given=surroundings))

    async def add(self, *texts: str, who: str = "ana", ids: str = "") -> list[ToolResult]:
        return await self.run(*(("add_note", {"text": text}) for text in texts), who=who, ids=ids)

    async def delete(self, *numbers: int, who: str = "ana", ids: str = "") -> list[ToolResult]:
        return await self.run(*(("delete_note", {"number": number}) for number in numbers), who=who, ids=ids)

    async def rows(self, query: str, **values: Any) -> list[Row]:
        """What a statement of the agent finds for Ana."""
        contact = Contact("w", "ana", "wa", "ana", "s")
        return await OwnDatabase(self.store, self.own, contact).run(execute, query, **values)

    async def listed(self, who: str = "ana") -> str:
        (result,) = await self.run(("list_notes", {}), who=who)
        return str(result.outputs["listed"])


@pytest.fixture
async def notebook() -> AsyncIterator[Notebook]:
    opened = Notebook()
    yield opened
    await opened.store.close()


async def test_notes_are_kept_and_listed_with_their_numbers(notebook: Notebook) -> None:
    (first,) = await notebook.add("  comprar \n pan ")
    assert first.outputs["text"] == "Anotado con el número 1: «comprar pan»."
    (second,) = await notebook.add("llamar a Ana")
    assert (second.outputs["number"], second.outputs["count"]) == (2, 2)
    (shown,) = await notebook.run(("list_notes", {}))
    assert shown.outputs["text"] == "Tienes 2 notas:\n1. comprar pan\n2. llamar a Ana"


async def test_a_contact_sees_only_their_own_notes(notebook: Notebook) -> None:
    await notebook.add("de ana")
    (eva,) = await notebook.add("de eva", who="eva")
    assert eva.outputs["number"] == 1
    (other,) = await notebook.delete(2)
    assert other.tell == "No tienes una nota 2: tienes una nota."
    assert (await notebook.listed(), await notebook.listed("eva")) == ("1. de ana", "1. de eva")


async def test_the_same_call_writes_and_deletes_once(notebook: Notebook) -> None:
    once, again = await notebook.add("pan", ids="a"), await notebook.add("pan", ids="a")
    assert once[0].outputs == again[0].outputs
    await notebook.add("leche", "huevos")
    await notebook.delete(1, ids="d")
    (repeated,) = await notebook.delete(1, ids="d")
    assert repeated.outputs["text"] == "Borré la nota 1."
    assert await notebook.listed() == "1. leche\n2. huevos"


async def test_deleting_moves_the_later_ones_up(notebook: Notebook) -> None:
    await notebook.add("pan", "leche", "huevos")
    (gone,) = await notebook.delete(2)
    assert gone.outputs["text"] == "Borré la nota 2: «leche»."
    assert await notebook.listed() == "1. pan\n2. huevos"


async def test_several_deleted_in_one_message_are_those_that_were_listed(notebook: Notebook) -> None:
    await notebook.add("pan", "leche", "huevos")
    await notebook.delete(1, 2)
    assert await notebook.listed() == "1. huevos"


async def test_there_is_nothing_to_list_or_delete_at_first(notebook: Notebook) -> None:
    (shown,) = await notebook.run(("list_notes", {}))
    assert shown.outputs == {"count": 0, "listed": "", "text": "No tienes notas guardadas."}
    (gone,) = await notebook.delete(1)
    assert (gone.ok, gone.tell) == (False, "No tienes notas guardadas.")


async def test_a_note_without_text_is_asked_for_and_a_long_one_told(notebook: Notebook) -> None:
    empty, long, whole = await notebook.add("  ", "x" * 501, "x" * 500)
    assert empty.asks is not None
    assert (empty.asks.parameter, empty.asks.question) == ("text", "¿Qué quieres que anote?")
    assert long.tell == "Esa nota es demasiado larga: caben 500 caracteres."
    assert whole.ok


async def test_a_hundred_notes_are_enough(notebook: Notebook) -> None:
    for _ in range(4):
        await notebook.add(*("una nota larga " * 20 for _ in range(25)))
    (full,) = await notebook.add("una más")
    assert full.tell == "Ya tienes 100 notas. Borra alguna y vuelve a intentarlo."
    listed = await notebook.listed()
    assert listed.startswith("(Las últimas 22 de 100)\n79. una nota")
    assert len(listed) < 2000


async def test_a_deleted_note_keeps_its_text_for_an_hour_and_is_forgotten_after_a_month(notebook: Notebook) -> None:
    await notebook.add("secreto")
    await notebook.delete(1, ids="gone")
    kept = {"at": micros(notebook.moment), "said": ""}
    assert [row["body"] for row in await notebook.rows("notes", **kept)] == ["secreto"]
    notebook.moment += timedelta(hours=2)
    await notebook.add("otra")
    assert [row["body"] for row in await notebook.rows("notes", **kept)] == ["", "otra"]
    assert await notebook.rows("deleted_by", call="gone-0")
    notebook.moment += timedelta(days=31)
    await notebook.add("y otra")
    assert not await notebook.rows("deleted_by", call="gone-0")


async def test_what_was_deleted_or_changed_last_comes_back(notebook: Notebook) -> None:
    await notebook.add("pan", "leche")
    await notebook.delete(2)
    (undone,) = await notebook.run(("undo_last", {"said": "la segunda no, la otra"}))
    assert undone.outputs["text"] == "Recuperé la nota «leche». Borré la nota 1: «pan»."
    await notebook.run(("change_note", {"text": "cambia la nota 1 por queso"}))
    await notebook.run(("undo_last", {"said": "déjala como estaba"}))
    assert await notebook.listed() == "1. leche"
    notebook.moment += timedelta(hours=2)
    (late,) = await notebook.run(("undo_last", {"said": "deshacer"}))
    assert late.outputs["text"] == "No hay nada que deshacer."


async def test_a_reminder_that_was_moved_or_dropped_comes_back(notebook: Notebook) -> None:
    await notebook.run(("add_reminder", {"text": "recuérdame el lunes a las 9 pagar la luz"}))
    await notebook.run(("move_reminder", {"when": "mejor a las 11"}))
    (moved,) = await notebook.run(("move_reminder", {"when": "no, déjalo como estaba"}))
    assert (moved.outputs["reminder_day"], moved.outputs["reminder_hour"]) == ("2026-11-16", "09:00")
    await notebook.run(("drop_reminder", {"which": "bórralo"}))
    (back,) = await notebook.run(("undo_last", {"said": "no, no lo borres"}))
    assert (back.outputs["reminder_day"], back.outputs["reminder_hour"]) == ("2026-11-16", "09:00")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("era a las 4 no a las 5", "el lunes 16 de noviembre a las 16:00"),
        ("no a las 5, a las 6", "el lunes 16 de noviembre a las 18:00"),
        ("quita ese y ponme uno para el jueves a la misma hora", "el jueves 19 de noviembre a las 17:00"),
        ("cambia el nombre, es con el oculista", "«cita con el oculista»"),
        ("que diga llevar los estudios", "«llevar los estudios»"),
    ],
)
async def test_a_reminder_is_changed_as_people_say_it(notebook: Notebook, said: str, told: str) -> None:
    await notebook.run(("add_reminder", {"text": "recuérdame el lunes a las 5 cita con el dentista"}))
    (changed,) = await notebook.run(("move_reminder", {"when": said}))
    assert told in changed.outputs["text"]
    (listed,) = await notebook.run(("list_reminders", {}))
    assert listed.outputs["count"] == 1


@pytest.mark.parametrize("said", ["también una a las 7", "y otra a las 7", "a las 7 también"])
async def test_one_more_leaves_the_first_as_it_is(notebook: Notebook, said: str) -> None:
    await notebook.run(("add_reminder", {"text": "pon una alarma mañana a las 6 de la mañana"}))
    await notebook.run(("move_reminder", {"when": said}))
    (listed,) = await notebook.run(("list_reminders", {}))
    assert "a las 6:00" in listed.outputs["text"]
    assert "a las 7:00" in listed.outputs["text"]


async def test_a_thing_is_taken_from_a_list_and_added_to_it(notebook: Notebook) -> None:
    await notebook.add("lista del súper: leche, pan, huevos")
    (less,) = await notebook.run(("delete_note", {"which": "saca el pan de la lista"}))
    assert less.outputs["text"] == "Saqué «pan». Lista del súper:\n- leche\n- huevos"
    await notebook.add("agrega arroz a la lista")
    assert await notebook.listed() == "1. lista del súper: leche, huevos, arroz"
    await notebook.run(("delete_note", {"which": "borra la lista del súper"}))
    assert await notebook.listed() == ""


@pytest.mark.parametrize(
    ("text", "body", "day", "hour"),
    [
        ("recordame pasado mañana a las 10 pagar el gas", "pagar el gas", "2026-11-15", "10:00"),
        ("avísame a las 18:30 que tengo clase", "clase", "2026-11-13", "18:30"),
        ("recuérdame que el lunes vence la tarjeta", "vence la tarjeta", "2026-11-16", "09:00"),
        ("recuérdame a las 8 sacar al perro", "sacar al perro", "2026-11-13", "20:00"),
        ("despiértame a las 6", "hora de despertar", "2026-11-14", "06:00"),
        ("el lunes a las 16 tengo dentista, avísame una hora antes", "dentista", "2026-11-16", "15:00"),
    ],
)
async def test_a_reminder_is_promised_for_when_it_is_wanted(
    notebook: Notebook, text: str, body: str, day: str, hour: str
) -> None:
    [made] = await notebook.run(("add_reminder", {"text": text}))
    assert f"«{body}»" in made.outputs["text"]
    assert (made.outputs["reminder_day"], made.outputs["reminder_hour"]) == (day, hour)


async def test_a_reminder_is_told_once_and_the_next_one_is_then_due(notebook: Notebook) -> None:
    await notebook.run(("add_reminder", {"text": "recuérdame hoy a las 20 regar"}))
    await notebook.run(("add_reminder", {"text": "recuérdame hoy a las 21 cerrar"}))
    notebook.moment = notebook.moment.replace(hour=20, minute=0)
    [told_now] = await notebook.run(("tell_reminders", {}))
    assert told_now.outputs == {"reminder_text": "regar", "reminder_day": "2026-11-13", "reminder_hour": "21:00"}
    [again] = await notebook.run(("tell_reminders", {}))
    assert again.outputs["reminder_text"] == ""


async def test_a_contact_is_reminded_only_of_their_own(notebook: Notebook) -> None:
    await notebook.run(("add_reminder", {"text": "recuérdame mañana a las 9 llamar"}), who="eva")
    [listed] = await notebook.run(("list_reminders", {}))
    assert listed.outputs["count"] == 0


async def test_what_has_passed_is_not_promised(notebook: Notebook) -> None:
    [late] = await notebook.run(("add_reminder", {"text": "recuérdame hoy a las 7:00 de la mañana correr"}))
    assert "ya es tarde" in late.tell


async def test_only_what_writes_is_marked_so_and_needs_no_yes() -> None:
    writing = {name for name, each in TOOLS.items() if each.spec.writes}
    notes = {"add_note", "change_note", "delete_note", "undo_last"}
    assert writing == notes | {"add_reminder", "drop_reminder", "move_reminder", "tell_reminders"}
    assert not any(each.spec.needs_yes for each in TOOLS.values())


async def test_the_engine_gets_texts_questions_and_failures_from_a_call() -> None:
    good = await call(TOOLS, RunTool("1", "datetime", {"place": "Tokio"}), now=NOW)
    assert good.outputs["time"] == "23:05"
    asks = await call(TOOLS, RunTool("2", "datetime", {"place": "Canadá"}), now=NOW)
    assert asks.asks is not None
    assert asks.asks.options[0] == "Toronto"
    unknown = await call(TOOLS, RunTool("3", "datetime", {"place": "Xyz"}), now=NOW)
    assert unknown.tell
