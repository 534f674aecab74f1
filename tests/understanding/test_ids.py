import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY

from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.ids import find_national_ids


def _ids(message: str, country: str = "") -> list[object]:
    return [found.value for found in find_national_ids(normalise(message), country=country)]


@pytest.mark.parametrize(
    ("message", "country", "value"),
    [
        ("mi dni es 30.123.456", "", "30123456"),
        ("dni 30123456", "", "30123456"),
        ("20-12345678-6", "", "20123456786"),
        ("cuit 20123456786", "", "20123456786"),
        ("rut 12.345.678-5", "", "123456785"),
        ("12.345.678-5", "CL", "123456785"),
        ("12345678-5", "", "123456785"),
        ("cc 1020304050", "", "1020304050"),
        ("mi cedula es 52.123.456", "", "52123456"),
        ("12345678Z", "", "12345678Z"),
        ("X1234567L", "", "X1234567L"),
        ("cpf 529.982.247-25", "", "52998224725"),
        ("ruc 20100070970", "", "20100070970"),
        ("30123456", "AR", "30123456"),
        ("nit 900373913-4", "", "9003739134"),
        ("Mi RUT es 7.654.321-6", "CL", "76543216"),
        ("documento 5123456", "AR", "5123456"),
        ("d.n.i. 30.123.456", "", "30123456"),
        ("mi cédula: 1.020.304.050", "CO", "1020304050"),
        ("mi dni es el 12345678Z", "ES", "12345678Z"),
        ("DNI 30 123 456", "AR", "30123456"),
        ("BOXW310820HNERXN09", "", "BOXW310820HNERXN09"),
        ("mi rfc GODE561231GR8", "MX", "GODE561231GR8"),
        ("dni: 45678912", "PE", "45678912"),
    ],
)
def test_an_id_is_found_without_dots_and_dashes(message: str, country: str, value: str) -> None:
    assert _ids(message, country) == [value]


@pytest.mark.parametrize(
    ("message", "country"),
    [
        ("GODE561231HDFRRN07", ""),
        ("quiero 2 cocas", ""),
        ("$1.500.000", ""),
        ("tel 45678901", ""),
        ("+5491145678901", ""),
        ("rut 12.345.678-9", ""),
        ("12/05/2024", ""),
        ("juan12345678@x.com", ""),
        ("1.500.000 pesos", ""),
        ("a las 10:30", ""),
        ("mi celular 1145678901", "AR"),
        ("30123456", "MX"),
        ("pedido 30123456", "AR"),
        ("cuit 20-12345678-9", "AR"),
        ("12345678A", "ES"),
        ("calle 1234", "AR"),
        ("el 12-05-1980", "AR"),
    ],
)
def test_other_numbers_are_no_ids(message: str, country: str) -> None:
    assert _ids(message, country) == []


def test_a_named_id_is_surer_than_a_bare_one() -> None:
    (named,) = find_national_ids(normalise("dni 30123456"), country="AR")
    (bare,) = find_national_ids(normalise("30123456"), country="AR")
    assert named.confidence > bare.confidence


@given(st.text(max_size=300))
def test_no_text_makes_it_raise(raw: str) -> None:
    find_national_ids(normalise(raw), country="AR")


@pytest.mark.parametrize("raw", NASTY)
def test_nasty_texts_are_harmless(raw: str) -> None:
    find_national_ids(normalise(raw), country="AR")
