"""A name that completes the one that is known."""

import pytest

from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.fuller_names import fuller_name


@pytest.mark.parametrize(
    ("known", "said", "whole"),
    [
        ("Ana", "Ana María", "Ana María"),
        ("Juan", "juan pérez", "Juan Pérez"),
        ("Lucía", "el apellido Fernández", "Lucía Fernández"),
        ("Ana Gil", "mi apellido es Paz", "Ana Paz"),
        ("Ana María Gil", "el apellido es Paz", "Ana María Paz"),
        ("Sofía", "¿pueden cambiar mi nombre a Sofía Lara?", "Sofía Lara"),
    ],
)
def test_more_of_a_name_completes_it(known: str, said: str, whole: str) -> None:
    told = fuller_name(known, normalise(said))
    assert told is not None
    assert told[2] == whole


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Ana", "Ana"),
        ("Ana", "María Gil"),
        ("Ana", "el apellido de mi esposo es Gil"),
        ("Ana", "mi hermana se llama Ana Lucía"),
        ("Ana", "ana@gil.com"),
        ("Ana", "no te lo digo"),
    ],
)
def test_other_names_complete_nobody(known: str, said: str) -> None:
    assert fuller_name(known, normalise(said)) is None
