"""What the engine says, in every language."""

from decimal import Decimal

import pytest

from hilo.agent.declaration import Agent, Slot
from hilo.agent.opening_hours import OPEN_WORDS
from hilo.agent.phrases import en, es, es_ar, es_co, es_es, es_mx, pt_br
from hilo.agent.texts import BUILT_IN, complete, phrases, placeholders
from hilo.dialogue.wording import spoken
from hilo.recognisers.found import Value
from hilo.slots.slot_type import LANGUAGES, SPANISH
from hilo.turn.model_requests.prompts import LANGUAGES as MODELS_WORDS

TIMES = {"day", "month", "year", "clock", "hour", "minute", "from", "to"}  # parts of words for days and hours
VOSEO = ("querés", "decime", "escribí", "podés", "elegí")
TUTEO = ("quieres", "dime", "puedes", "elige", "contigo", " tu ", "ayudarte")


def test_every_language_says_the_same_things() -> None:
    assert en.PHRASES.keys() == es.PHRASES.keys() == pt_br.PHRASES.keys()
    for country in (es_ar, es_co, es_es, es_mx):
        assert country.PHRASES.keys() <= es.PHRASES.keys()


@pytest.mark.parametrize("language", SPANISH)
def test_every_kind_of_spanish_can_be_described_to_a_model(language: str) -> None:
    assert "Spanish" in MODELS_WORDS[language]


def test_a_country_says_only_what_it_says_otherwise() -> None:
    for country in (es_ar, es_co, es_es, es_mx):
        same = [name for name, wordings in country.PHRASES.items() if wordings == es.PHRASES[name]]
        assert not same, country.__name__


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phrase_speaks_of_the_same_values_in_every_language(language: str) -> None:
    for name, template in phrases(language).items():
        assert placeholders(template) == placeholders(phrases("es")[name]), name
        assert placeholders(template) <= BUILT_IN | OPEN_WORDS | TIMES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_wordings_of_a_phrase_differ(language: str) -> None:
    for name, template in phrases(language).items():
        assert len(set(template.variants)) == len(template.variants), name


def whole(language: str) -> str:
    return " ".join(text for template in phrases(language).values() for text in template.variants).casefold()


def test_each_country_is_addressed_in_its_own_way() -> None:
    assert not [word for word in VOSEO if word in whole("es")]
    assert not [word for word in TUTEO if word in whole("es-CO")]
    assert not [word for word in ("quieres", "dime", "puedes", "elige ", "contigo") if word in whole("es-AR")]
    assert [word for word in VOSEO if word in whole("es-AR")]
    for language in ("es-ES", "es-MX"):
        assert not [word for word in (*VOSEO, "usted", "dígame") if word in whole(language)]
    assert "móvil" in whole("es-ES")
    assert "vale" in whole("es-ES")
    assert "celular" not in whole("es-ES")
    assert "celular" in whole("es-MX")
    assert "¿me compartes" in whole("es-MX")
    assert "vale" not in whole("es-MX")


def test_portuguese_is_no_spanish() -> None:
    said = whole("pt-BR")
    assert not [sign for sign in "ñ¿¡«»" if sign in said]
    assert not [word for word in ("usted", " el ", " los ", " una ", " es ", " y ") if word in said]
    assert "você" in said


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("es-AR", ["31 de marzo de 2027", "17:30", "00:05", "1.234.567,5"]),
        ("es-ES", ["31 de marzo de 2027", "17:30", "00:05", "1.234.567,5"]),
        ("es-MX", ["31 de marzo de 2027", "5:30 p. m.", "12:05 a. m.", "1,234,567.5"]),
        ("es-CO", ["31 de marzo de 2027", "5:30 p. m.", "12:05 a. m.", "1.234.567,5"]),
        ("pt-BR", ["31 de março de 2027", "17:30", "00:05", "1.234.567,5"]),
        ("en", ["March 31, 2027", "17:30", "00:05", "1,234,567.5"]),
    ],
)
def test_days_hours_and_numbers_are_shown_as_people_of_the_country_write_them(language: str, shown: list[str]) -> None:
    slots = {name: Slot(type=name) for name in ("date", "time", "number")}
    agent = complete(Agent(agent="a", language=language, slots=slots))
    values: list[tuple[str, Value]] = [
        ("date", "2027-03-31"),
        ("time", "17:30"),
        ("time", "00:05"),
        ("number", Decimal("1234567.5")),
    ]
    assert [spoken(agent, slot, value) for slot, value in values] == shown
