"""The verb of what waits is a yes; whatever else begins with that verb is none."""

import pytest

from hilo.recognisers.normalise import normalise
from hilo.recognisers.phrases import tokens_of
from hilo.understanding.acts.consent import is_yes
from hilo.understanding.acts.deeds import NO_DEED, deed_of


def says_yes(question: str, said: str, chance: float = 0.0) -> bool:
    text = normalise(said)
    assert list(tokens_of(text))
    return is_yes(text, 0, len(text.folded), chance, deed=deed_of(question))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Son dos pasajes. ¿Los emito?", "emitilos nomás"),
        ("¿Emito los pasajes?", "emitime el pasaje"),
        ("¿Lo cierro?", "ciérrelo pues"),
        ("¿Agendamos la visita?", "quiero agendar la visita"),
        ("¿La publico?", "publicámela ya, porfa"),
    ],
)
def test_what_waits_told_to_be_done_is_a_yes(question: str, said: str) -> None:
    assert says_yes(question, said)
    assert not says_yes("¿Está todo bien?", said)


@pytest.mark.parametrize(
    "said",
    [
        "no los emitas",
        "emitilos mañana",
        "emitilos a nombre de Juan",
        "emitilos si hay lugar",
        "¿ya los emitiste?",
        "emití otros pasajes",
        "emitió el pasaje",
        "pasajes",
        "emitime la factura",
        "emitilos con otra fecha",
    ],
)
def test_a_condition_a_change_or_another_thing_is_no_yes(said: str) -> None:
    assert not says_yes("¿Emito los pasajes?", said)


def test_a_question_for_one_of_two_things_has_no_deed() -> None:
    assert deed_of("¿Seguimos comprando o lo cierro?") == NO_DEED


def test_another_thing_than_what_was_asked_about_needs_a_surer_ear() -> None:
    assert not says_yes("¿Lo mando?", "mandame los precios", chance=0.8)
    assert not says_yes("¿Lo mando?", "quién lo lleva", chance=0.99)


@pytest.mark.parametrize("said", ["ahora mismo te aviso", "ya le digo", "enseguida te lo confirmo", "ya te respondo"])
def test_a_promise_to_answer_is_no_yes(said: str) -> None:
    assert not says_yes("¿Está todo bien?", said, chance=0.99)
    assert says_yes("¿Está todo bien?", "te lo confirmo", chance=0.99)
