"""A model's other words for what was said in all its wordings, and what it may not slip into them."""

import json
from typing import Any

import pytest
from model_talks import DOWN, How, ModelTalk, made, talking

from hilo.agent.templates import Template
from hilo.app.replay import fold
from hilo.dialogue.events import MessageUnderstood, Reworded, Told, began
from hilo.dialogue.stored import decode, encode
from hilo.testing.models.answers import Answer, Says
from hilo.turn.rewording import faithful

TEXT = """\
agent: shop
repeats: never
model: router
facts: {price: 89900}
intents:
  price: {examples: [cuánto cuesta, qué precio tiene], answer: price}
templates:
  price: {text: "Cuesta {price} pesos, con IVA del 19%.", fallback: short}
  short: {text: "Ya le dije.", fallback: handoff}
"""
PRICE = Says(
    json.dumps({"intent": "price", "confidence": 99, "alternatives": [], "topic": "info", "acts": [], "answer": ""})
)
GOOD = "Son {price} pesos, IVA del 19% incluido."


def gives(*wordings: Any) -> Says:
    return Says(json.dumps({"wordings": list(wordings)}))


async def asked_twice(*answers: Answer, how: How | None = None, **changes: Any) -> ModelTalk:
    """A talk after the price was asked for twice; the second answer needs other words."""
    async with talking(made(TEXT, {}, **changes), PRICE, PRICE, *answers, how=how) as talk:
        await talk.say("cuánto cuesta")
        assert talk.said.endswith("Cuesta 89.900 pesos, con IVA del 19%.")
        await talk.say("y cuánto es que cuesta")
        return talk


async def test_a_template_that_is_worn_is_said_in_a_models_words() -> None:
    talk = await asked_twice(gives(GOOD, "Vale {price}.", "{price} pesos, IVA del 19% ya puesto."))
    assert talk.said == "Son 89.900 pesos, IVA del 19% incluido."
    assert talk.session.reworded == {"price": (GOOD, "{price} pesos, IVA del 19% ya puesto.")}
    body = json.dumps(talk.asked[-1].body, ensure_ascii=False)
    assert "Cuesta {price} pesos, con IVA del 19%." in body
    assert "89.900" not in body  # the model never sees what fills the places


@pytest.mark.parametrize(
    "answer",
    [DOWN, Says("no es JSON"), gives(), gives("Cuesta {price} pesos."), Says('{"wordings": "x"}'), gives(7, None)],
)
async def test_without_good_words_the_fallback_is_said(answer: Answer) -> None:
    talk = await asked_twice(answer)
    assert talk.said == "Ya le dije."
    assert talk.session.holder == "agent"


async def test_a_strict_agent_asks_for_no_words() -> None:
    talk = await asked_twice(gives(GOOD), grounded="strict")
    assert (talk.said, len(talk.asked)) == ("Ya le dije.", 2)


async def test_what_was_given_is_used_before_a_model_is_asked_again() -> None:
    answers = (PRICE, PRICE, gives(GOOD, "{price} pesos, IVA del 19% ya puesto."), PRICE, PRICE, DOWN)
    async with talking(made(TEXT, {}), *answers) as talk:
        for _ in range(3):
            await talk.say("cuánto cuesta la cosa esa")
        assert (talk.said, len(talk.asked)) == ("89.900 pesos, IVA del 19% ya puesto.", 4)
        await talk.say("cuánto cuesta la cosa esa")
        assert (talk.said, len(talk.asked)) == ("Ya le dije.", 6)


async def test_the_words_are_told_before_the_event_that_needs_them() -> None:
    turn = made(TEXT, {})
    async with talking(turn, PRICE, PRICE, gives(GOOD)) as talk:
        await talk.say("cuánto cuesta")
        before = talk.session
        result = await talk.say("y cuánto es que cuesta")
        first, second = result.told
        assert isinstance(first, Reworded)
        assert isinstance(second, MessageUnderstood)
        assert began(result.told) is second
        told = decode(Told, encode(Told, result.told))
        assert fold(turn.agent, before, told).session == result.session


TEMPLATE = Template(text="Pague {price} en 2 cuotas en pagos.com o al 310 555.")


@pytest.mark.parametrize(
    "text",
    [
        "Pague en 2 cuotas en pagos.com o al 310 555.",
        "Pague {price} y {price} en 2 cuotas en pagos.com o al 310 555.",
        "Pague {price} {name} en 2 cuotas en pagos.com o al 310 555.",
        "Pague {price} en 3 cuotas en pagos.com o al 310 555.",
        "Pague {price} en 2 cuotas en pagos.com, evil.com o al 310 555.",
        "Pague {price} en 2 cuotas o al 310 555.",
        "Pague {price} en 2 cuotas en pagos.com o al 310 556.",
        "Pague {price} con 50% en 2 cuotas en pagos.com o al 310 555.",
        "Pague {price} en 2 cuotas en pagos.com o al 310 555. {",
        "Pague {price} en 2 cuotas en pagos.com o al 310 555." + " Sí" * 80,
        "Pague {price} en 2 cuotas\nen pagos.com o al 310 555.",
        TEMPLATE.text,
        "",
        7,
    ],
)
def test_a_wording_that_changes_a_fact_is_not_taken(text: Any) -> None:
    assert list(faithful(TEMPLATE, {"wordings": [text]})) == []


def test_a_wording_with_the_same_facts_is_taken() -> None:
    good = "Son {price}, en 2 cuotas: por pagos.com o llamando al 310 555."
    assert list(faithful(TEMPLATE, {"wordings": [good]})) == [good]
