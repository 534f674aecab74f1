"""An amount in the money of another country, where a slot keeps its currency."""

from decimal import Decimal

import pytest

from hilo.agent.declaration import Slot
from hilo.agent.parse import parse
from hilo.agent.values import Accepted, Invalid, accept
from hilo.testing import Conversation
from hilo.turn.run import Turn

AGENCY = """
agent: agencia
language: es
country: CO
timezone: America/Bogota
slots:
  presupuesto: {type: money, any_currency: true, ask: "¿Cuánto quieres gastar?"}
  tope: {type: money, ask: "¿Y como mucho?"}
flows:
  datos: {starts: always, steps: [{collect: [presupuesto, tope]}, {say: "Hasta {presupuesto}"}]}
"""


@pytest.mark.parametrize(
    ("message", "kept", "shown"),
    [
        ("unos 1800 dólares", "1800 USD", "1.800 USD"),
        ("250 euros", "250 EUR", "250 EUR"),
        ("600 mil pesos", 600000, "600.000"),
    ],
)
async def test_the_currency_of_another_country_is_kept_and_shown(message: str, kept: str | int, shown: str) -> None:
    talk = Conversation(Turn(parse(AGENCY)))
    for each in ("hola", message, "2000 dólares"):
        await talk.say(each)
    assert talk.session.slots == {"presupuesto": kept, "tope": 2000}
    assert f"Hasta {shown}" in talk.transcript[-1].text


def test_what_is_no_amount_with_a_currency_is_refused() -> None:
    slot = Slot(type="money", any_currency=True)
    assert accept(slot, "1500 USD") == Accepted("1500 USD")
    assert isinstance(accept(slot, "USD"), Invalid)
    assert isinstance(accept(Slot(type="money"), "1500 USD"), Invalid)


@pytest.mark.parametrize(
    ("message", "kept", "shown"),
    [
        ("entre 2.000 y 3.500 euros", "2000-3500 EUR", "entre 2.000 y 3.500 EUR"),
        ("de 2 a 3 millones de pesos", "2000000-3000000", "entre 2.000.000 y 3.000.000"),
        ("2.000 euros, digo 3.000 euros", "3000 EUR", "3.000 EUR"),
    ],
)
async def test_both_ends_of_a_range_are_kept_where_the_slot_takes_ranges(message: str, kept: str, shown: str) -> None:
    talk = Conversation(Turn(parse(AGENCY.replace("any_currency: true", "any_currency: true, ranges: true"))))
    for each in ("hola", message, "5000"):
        await talk.say(each)
    assert talk.session.slots["presupuesto"] == kept
    assert f"Hasta {shown}" in talk.transcript[-1].text


def test_a_range_is_refused_where_an_end_is_out_of_bounds_or_the_slot_takes_none() -> None:
    slot = Slot(type="money", ranges=True, max=Decimal(5000))
    assert accept(slot, "2000-3500") == Accepted("2000-3500")
    assert isinstance(accept(slot, "2000-9000"), Invalid)
    assert isinstance(accept(slot, "2000-3500 EUR"), Invalid)
    assert isinstance(accept(Slot(type="money"), "2000-3500"), Invalid)
