"""What the engine says, in every language."""

import pytest

from hilo.agent.phrases import en, es, es_ar, es_co
from hilo.agent.texts import BUILT_IN, phrases, placeholders

LANGUAGES = ("es", "es-AR", "es-CO", "en")
VOSEO = ("querés", "decime", "escribí", "podés", "elegí")
TUTEO = ("quieres", "dime", "puedes", "elige", "contigo", " tu ", "ayudarte")


def test_every_language_says_the_same_things() -> None:
    assert en.PHRASES.keys() == es.PHRASES.keys()
    assert es_ar.PHRASES.keys() <= es.PHRASES.keys()
    assert es_co.PHRASES.keys() <= es.PHRASES.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phrase_speaks_of_the_same_values_in_every_language(language: str) -> None:
    for name, template in phrases(language).items():
        assert placeholders(template) == placeholders(phrases("es")[name]), name
        assert placeholders(template) <= BUILT_IN | {"day", "month", "year"}


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
