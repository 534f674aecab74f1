"""Conditions that can hold and can fail, and that nothing is called impossible that happens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.agent.checks.guard_sense import possible
from hilo.agent.guards import holds
from hilo.agent.parse import parse

AGENT = parse("""\
agent: tiny
slots:
  name: {type: person_name, ask: ¿Nombre?}
  city: {type: city, ask: ¿Ciudad?}
  seats: {type: number, min: 1, max: 12, ask: ¿Cuántos?}
  total: {type: money}
  color: {type: choice, choices: [rojo, azul], ask: ¿Color?}
  vip: {type: boolean, ask: ¿Ya viajaste?}
  day: {type: date, ask: ¿Qué día?}
  code: {type: text}
  locator: {type: text, pattern: "[A-Z]{6}"}
flows:
  main: {starts: always, steps: [{collect: [name, city]}]}
""")


@pytest.mark.parametrize(
    "guard",
    [
        "color == 'rojo'",
        "color in ['rojo', 'verde']",
        "color is empty",
        "color is not empty and color != 'rojo'",
        "seats >= 12",
        "seats > 2 and seats < 3",
        "seats < 13",  # not while it is empty
        "total > 1000000",
        "total > seats",
        "-total > 5",
        "seats > 1.5 and seats < total and total < 3",
        "name == 'Ana Ruiz' or city == 'Lima'",
        "city in ['Lima', 'Cusco'] and not vip",
        "name == city",
        "day > '2026-01-01' and day < '2027-01-01'",
        "vip is true",
        "vip == true and seats != 3",
        "code == '5'",
        "code",
        "not code",
        "locator == 'abc'",  # patterns are left alone
    ],
)
def test_a_guard_that_makes_sense(guard: str) -> None:
    assert possible(AGENT, [(guard, True)])
    assert possible(AGENT, [(guard, False)])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("seats > 3", "seats < 2"),
        ("color == 'rojo'", "color == 'azul'"),
        ("vip", "not vip"),
        ("name is empty", "name == 'Ana Ruiz'"),
        ("seats == total", "seats > total"),
        ("city == 'Lima'", "city in ['Cusco', 'Quito']"),
    ],
)
def test_what_cannot_be_together(first: str, second: str) -> None:
    assert possible(AGENT, [(first, True)])
    assert possible(AGENT, [(second, True)])
    assert not possible(AGENT, [(first, True), (second, True)])


def test_what_would_take_too_long_to_tell_is_possible() -> None:
    many = " and ".join(f"seats != {number}" for number in range(25))
    assert possible(AGENT, [(f"{many} and total > seats and total < seats and code == name", True)])


atoms = st.one_of(
    st.builds("seats {} {}".format, st.sampled_from(["<", "<=", "==", "!=", ">"]), st.sampled_from([1, 3, 5.5, 12])),
    st.builds("{} {} total".format, st.sampled_from(["seats", "-seats", "5"]), st.sampled_from(["<", "==", ">="])),
    st.builds("color {} 'rojo'".format, st.sampled_from(["==", "!=", "<", ">"])),
    st.builds("{} in ['rojo', 'Lima', 3, true]".format, st.sampled_from(["color", "city", "seats", "vip"])),
    st.builds("{} is {}".format, st.sampled_from(["vip", "city"]), st.sampled_from(["empty", "not empty", "true"])),
    st.sampled_from(["vip", "city == 'Lima'", "city == color", "city > 'Lima'", "1 < seats < 4"]),
)  # fmt: skip
conditions = st.recursive(
    atoms,
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner)
        | st.builds("(not {})".format, inner)
    ),
    max_leaves=5,
)
numbers = st.none() | st.integers(1, 12) | st.decimals(1, 12, places=2)
values = st.fixed_dictionaries(
    {
        "seats": numbers,
        "total": st.none() | st.integers(-20, 20) | st.decimals(-20, 20, places=2),
        "color": st.sampled_from([None, "rojo", "azul"]),
        "city": st.sampled_from([None, "Lima", "Cusco", "rojo", "La Paz"]),
        "vip": st.sampled_from([None, True, False]),
    }
)


@settings(max_examples=depth(150, 400), deadline=None)
@given(st.lists(conditions, min_size=1, max_size=3), values)
def test_what_holds_is_possible(written: list[str], slots: dict[str, object]) -> None:
    assert possible(AGENT, [(guard, holds(guard, slots)) for guard in written])
