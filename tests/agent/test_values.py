"""Which values slots take, in which form, and that accepting twice changes nothing."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.agent.declaration import Slot
from hilo.agent.values import Accepted, Invalid, Value, accept

TYPES = (
    "text", "person_name", "email", "phone", "url", "number", "date", "national_id", "choice", "boolean",
)  # fmt: skip


def slot(kind: str, **more: object) -> Slot:
    return Slot(type=kind, choices={"rojo": (), "azul": ("celeste",)} if kind == "choice" else {}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "country", "value", "kept"),
    [
        ("email", "", "Juan.Perez@Ejemplo.COM", "juan.perez@ejemplo.com"),
        ("email", "", "a+b@sub.dominio.com.ar", "a+b@sub.dominio.com.ar"),
        ("phone", "CO", "300 123 4567", "+573001234567"),
        ("phone", "AR", "11 5555-1234", "+541155551234"),
        ("phone", "MX", "55 1234 5678", "+525512345678"),
        ("phone", "", "+54 9 11 5555-1234", "+5491155551234"),
        ("phone", "", "555-1234", "5551234"),
        ("phone", "CO", "6015551", "6015551"),
        ("url", "", "https://acme.com/x?y=1", "https://acme.com/x?y=1"),
        ("url", "", "http://acme.com.", "http://acme.com"),
        ("url", "", "acme.com", "https://acme.com"),
        ("url", "", "www.acme.co/x", "https://www.acme.co/x"),
        ("number", "", "1500", 1500),
        ("number", "", "2.50", Decimal("2.5")),
        ("number", "", Decimal("3.0"), 3),
        ("number", "", -4, -4),
        ("date", "", "2027-02-28", "2027-02-28"),
        ("national_id", "CL", "12.345.678-5", "123456785"),
        ("national_id", "AR", "20-12345678-6", "20123456786"),
        ("national_id", "AR", "12.345.678", "12345678"),
        ("national_id", "CO", "1.020.304.050", "1020304050"),
        ("national_id", "ES", "12345678Z", "12345678Z"),
        ("national_id", "MX", "BOXW310820HNERXN09", "BOXW310820HNERXN09"),
        ("national_id", "", "AB-12345", "AB12345"),
        ("person_name", "", "  María  de la Cruz ", "María de la Cruz"),
        ("person_name", "", "O'Brien", "O'Brien"),
        ("choice", "", "ROJO", "rojo"),
        ("boolean", "", True, True),
        ("text", "", " Acme\x00 SAS\n", "Acme SAS"),
    ],
)
def test_a_value_is_kept_in_one_form(kind: str, country: str, value: Value, kept: Value) -> None:
    assert accept(slot(kind), value, country=country) == Accepted(kept)


@pytest.mark.parametrize(
    ("kind", "country", "value"),
    [
        ("email", "", "juan"), ("email", "", "juan@"), ("email", "", "juan@dominio"), ("email", "", "a b@c.com"),
        ("phone", "", "123456"), ("phone", "", "call me"), ("phone", "CO", "30012345678901"), ("phone", "", "1" * 16),
        ("url", "", "acme"), ("url", "", "ftp://acme.com"), ("url", "", "http://localhost"), ("url", "", "http://["),
        ("number", "", "1e400"), ("number", "", "NaN"), ("number", "", "Infinity"), ("number", "", True),
        ("number", "", "mil"), ("number", "", 10**15), ("number", "", "0.0000001"),
        ("date", "", "2027-02-30"), ("date", "", "mañana"), ("date", "", ""),
        ("national_id", "CL", "12.345.678-9"), ("national_id", "ES", "12345678A"), ("national_id", "", "1234"),
        ("national_id", "", "ABCDEF"),
        ("person_name", "", "x"), ("person_name", "", "juan@x.com"), ("person_name", "", "12345"),
        ("person_name", "", "a b c d e f g h"), ("person_name", "", "¿para qué?"),
        ("choice", "", "verde"), ("boolean", "", "sí"), ("boolean", "", 1),
        ("text", "", "   "), ("text", "", "\u200b\x07"), ("text", "", "…!?"),
    ],
)  # fmt: skip
def test_what_a_slot_does_not_take_is_refused(kind: str, country: str, value: Value) -> None:
    result = accept(slot(kind), value, country=country)
    assert isinstance(result, Invalid)
    assert result.problem == f"invalid.{kind}"


def test_a_pattern_must_fit_the_whole_value() -> None:
    code = Slot(type="text", pattern="[A-Z]{3}-[0-9]{4}")
    assert accept(code, "ABC-1234") == Accepted("ABC-1234")
    assert accept(code, "ABC-12345") == Invalid("invalid.pattern")


def test_a_number_keeps_within_its_bounds() -> None:
    people = Slot(type="number", min=Decimal(1), max=Decimal(9))
    assert accept(people, 9) == Accepted(9)
    assert accept(people, 10) == Invalid("invalid.range", {"min": Decimal(1), "max": Decimal(9)})


def test_the_country_of_a_slot_comes_before_the_agents() -> None:
    assert accept(slot("phone", country="AR"), "11 5555-1234", country="CO") == Accepted("+541155551234")


@given(
    st.sampled_from(TYPES),
    st.sampled_from(["", "AR", "CO", "CL", "MX", "ES", "BR", "PE"]),
    st.one_of(st.text(), st.integers(), st.booleans(), st.decimals()),
)
def test_accepting_an_accepted_value_changes_nothing(kind: str, country: str, value: Value) -> None:
    once = accept(slot(kind), value, country=country)
    if isinstance(once, Accepted):
        assert accept(slot(kind), once.value, country=country) == once


def test_an_address_may_be_one_of_the_words_that_stand_for_none() -> None:
    slot = Slot(type="address", choices={"Retiro en el local": ("lo retiro",)})
    assert accept(slot, "retiro en el local") == Accepted("Retiro en el local")
    assert accept(slot, "San Martín 1234") == Accepted("San Martín 1234")
    assert accept(slot, "Mitre esquina Belgrano") == Accepted("Mitre esquina Belgrano")
    assert accept(slot, "vereda la Mosca, finca Los Pinos") == Accepted("vereda la Mosca, finca Los Pinos")
    assert isinstance(accept(slot, "mi casa"), Invalid)
