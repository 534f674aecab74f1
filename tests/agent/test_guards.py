"""Conditions: precedence, emptiness, and nothing that could run as code."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.agent.guards import GuardError, holds, names_in, parse_guard

SLOTS = {"total": 150, "city": "Lima", "vip": False, "price": Decimal("9.90")}


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("", True),
        ("total > 100", True),
        ("total >= 150 and total < 151", True),
        ("100 < total <= 150", True),
        ("price == 9.90", True),
        ("price < 9.91", True),
        ("total == -150", False),
        ("city == 'Lima'", True),
        ('city != "Cusco"', True),
        ("city in ['Lima', 'Cusco']", True),
        ("city not in ['Lima']", False),
        ("vip", False),
        ("not vip", True),
        ("vip == false", True),
        ("missing is empty", True),
        ("city is empty", False),
        ("city is not empty", True),
        ("missing > 3", False),
        ("not missing > 3", True),
        ("city > 3", False),
        ("missing", False),
        ("vip and missing or total == 150", True),
        ("vip and (missing or total == 150)", False),
        ("not vip and not missing", True),
    ],
)
def test_a_condition_holds(guard: str, *, expected: bool) -> None:
    assert holds(guard, SLOTS) is expected


@pytest.mark.parametrize(
    "guard",
    [
        "total >",
        "total = 3",
        "__import__('os')",
        "city.upper()",
        "total + 1 > 2",
        "[x for x in y]",
        "lambda: 1",
        "f'{city}'",
        "a" * 501,
        "(" * 200,
        "x; y",
        "x if y else z",
        "~total",
        "city[0]",
    ],
)
def test_what_is_no_condition_is_refused(guard: str) -> None:
    with pytest.raises(GuardError):
        parse_guard(guard)


def test_names_are_the_slots_spoken_of() -> None:
    assert names_in("total > 3 and (city is empty or not vip)") == {"total", "city", "vip"}


@given(st.text(max_size=60))
def test_any_text_is_a_condition_or_refused(text: str) -> None:
    try:
        parse_guard(text)
    except GuardError:
        return
    holds(text, SLOTS)
