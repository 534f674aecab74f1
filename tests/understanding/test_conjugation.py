"""The forms of a verb, from its infinitive."""

import pytest

from hilo.understanding.orders.conjugation import infinitives, presents, requests, subjunctives


@pytest.mark.parametrize("form", ["agrega", "agregame", "agregue", "agreguenle", "agregalas", "agregamelo"])
def test_requests_of_a_regular_verb(form: str) -> None:
    assert form in requests(["agregar"])


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("sacar", "saques"),
        ("poner:pong", "pongas"),
        ("incluir:incluy:incluy", "incluya"),
        ("descontar:descuent:descuent", "descuente"),
    ],
)
def test_subjunctives_are_spelled_as_they_sound(verb: str, form: str) -> None:
    assert form in subjunctives([verb])


def test_presents_and_infinitives() -> None:
    assert {"mandas", "manda", "mandan", "mandarias"} <= presents(["mandar"])
    assert {"meter", "meterle", "meterlo"} <= infinitives(["meter"])
