"""Why a person is wanted: every code in every language that operators read."""

import pytest

from hilo.agent.phrases.handoffs import TITLES, title
from hilo.agent.policies import POLICIES

ENGINES_OWN = {"errors", "gate", "mode", "flow", "unknown_outcome", "repeats", "send_failed", "operator", "error"}


def test_every_code_has_words() -> None:
    assert {*POLICIES, *ENGINES_OWN, "request", "timer"} <= TITLES.keys()
    assert all(words.keys() == {"es", "en", "pt"} for words in TITLES.values())


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("es-AR", "Pide hablar con una persona"),
        ("en-GB", "Asks for a person"),
        ("pt-BR", "Pede para falar com uma pessoa"),
        ("de", "Asks for a person"),
        ("", "Asks for a person"),
    ],
)
def test_the_words_are_those_of_the_operators_language(language: str, words: str) -> None:
    assert title("request", language) == words


def test_a_policy_of_an_agents_own_has_its_own_reason() -> None:
    assert title("allergy", "es") == ""
