"""How something known is spelt."""

import pytest

from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.spelling import only_spells, respelt

SPELT = {
    # a word that sounds like one of the value, with its letter
    ("Delia Mesa", "es Meza con z"): "Delia Meza",
    ("Delia Mesa", "meza va con zeta"): "Delia Meza",
    ("Ivo Pena", "Peña con eñe"): "Ivo Peña",
    ("Jose Luna", "es José con acento"): "José Luna",
    ("Elena Ortis", "es Helena con h y Ortiz con z"): "Helena Ortiz",
    ("Yesica Gil", "Yessica con dos eses"): "Yessica Gil",
    ("Ester Gil", "Esther lleva h"): "Esther Gil",
    # a letter of what is meant
    ("Nora Ivarra", "mi apellido es con b larga"): "Nora Ibarra",
    ("Nora Ibarra", "mi apellido es con b de burro"): "Nora Ibarra",
    ("Elsa Munoz", "mi apellido lleva ñ"): "Elsa Muñoz",
    ("elbaruis@correo.co", "el mail termina con z"): "elbaruiz@correo.co",
    ("sulma@correo.co", "el correo es con z"): "zulma@correo.co",
    ("Delia Mesa", "no es con s, es con z"): "Delia Meza",
    ("Elena Paz", "mi nombre va con hache"): "Helena Paz",
}


@pytest.mark.parametrize(("known", "said"), SPELT)
def test_a_known_value_is_spelt_as_told(known: str, said: str) -> None:
    told = respelt(known, normalise(said), is_meant=True)
    assert told is not None
    assert told[2] == SPELT[known, said]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("sosa@correo.co", "el mail es con z"),  # which of the two?
        ("Delia Mesa", "voy con Zoe"),
        ("Ana Paz", "el correo es con punto"),
        ("Ana Paz", "va con mi marido"),
    ],
)
def test_nothing_is_guessed(known: str, said: str) -> None:
    assert respelt(known, normalise(said), is_meant=True) is None


def test_a_letter_alone_is_of_what_is_meant() -> None:
    assert respelt("Delia Mesa", normalise("es con z"), is_meant=False) is None


@pytest.mark.parametrize(("said", "is_all"), [("con z", True), ("sin h", True), ("Constanza con z", False)])
def test_words_that_only_spell_are_no_text(said: str, *, is_all: bool) -> None:
    assert only_spells(said.lower()) is is_all
