"""A yes that something may be done on, and one that it may not."""

from datetime import UTC, datetime

import pytest

from hilo.agent.parse import parse
from hilo.understanding.confirmations import is_plain_yes, is_yes_beside_a_question, opens_with_yes
from hilo.understanding.reading import Reading, read, understander

AGENT = understander(parse("agent: x\nflows: {a: {starts: always, steps: [{say: Hola a todos}]}}\n"))


def reading(text: str) -> Reading:
    return read(AGENT, text, at=datetime(2026, 3, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "sí",
        "dale",
        "ok gracias",
        "sí por favor",
        "go for it",
        "métale",
        "de una",
        "confirmo",
        "sí, resérvalo",
        "¡sí, qué maravilla, me encanta!",
        "sí, envíemelo por favor",
        "si reservalo ya",
        "👍",
        "sí quiero",
        "yes please",
        "listo, hacelo",
        "perfecto, sí",
        "claro que sí",
    ],
)
def test_a_plain_yes_is_a_yes(text: str) -> None:
    assert is_plain_yes(reading(text))


@pytest.mark.parametrize(
    "text",
    [
        "sí pero no",
        "si pero mejor el 21",
        "sí, el 21",
        "ok pero más barato",
        "está bien pero es muy caro",
        "sí espera",
        "sí, ¿es directo?",
        "¿sí?",
        "sí si es reembolsable",
        "si puedo pagar en cuotas sí",
        "no",
        "hola",
        "sí aunque me parece caro",
        "ok, cuánto es?",
    ],
)
def test_a_yes_with_a_rest_is_not_plain(text: str) -> None:
    assert not is_plain_yes(reading(text))


def test_only_a_yes_that_is_set_apart_opens_a_message() -> None:
    assert opens_with_yes(reading("sí, somos 2"))
    assert opens_with_yes(reading("sí pero mañana"))
    assert not opens_with_yes(reading("si puedo pagar en cuotas sí"))


@pytest.mark.parametrize(
    "text", ["sí, confirmo, ¿cuándo llega?", "si, acepto, cuánto tarda?", "sí mandalo, ¿cuánto tarda?"]
)
def test_a_firm_yes_may_stand_beside_a_question(text: str) -> None:
    assert is_yes_beside_a_question(reading(text))


@pytest.mark.parametrize(
    "text",
    ["si confirmo ahora cuánto tarda?", "si lo acepto hoy, ¿cuándo llega?", "si confirmo y pago ya ¿cuándo lo mandan?"],
)
def test_what_is_only_supposed_is_no_yes(text: str) -> None:
    assert not is_yes_beside_a_question(reading(text))
