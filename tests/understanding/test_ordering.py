"""What a message orders, as calls, beside everything else that it may be."""

import asyncio
import re
from functools import cache
from pathlib import Path

import pytest

from hilo.app import LoadedAgent, load_agent
from hilo.testing.conversation import Conversation
from hilo.turn.trace import describe

KIOSCO = Path(__file__).parents[2] / "agents" / "kiosco"


@cache
def shop() -> LoadedAgent:
    return load_agent(KIOSCO)


def heard(*messages: str) -> tuple[str, ...]:
    """The commands of the last message."""

    async def talk() -> tuple[str, ...]:
        contact = Conversation(shop())
        for message in messages:
            result = await contact.say(message)
        return tuple(map(describe, result.trace.accepted))

    return asyncio.run(talk())


@pytest.mark.parametrize(
    ("message", "product", "quantity"),
    [
        ("medio kilo de yerba", "yerba 500 g", 1),
        ("me das un kilo de yerba", "yerba 1 kg", 1),
        ("2 litros de leche", "leche 1 l", 2),
        ("200 gramos de jamón", "jamon 200 g", 1),
        ("3 alfajores jorgito de chocolate", "alfajores jorgito de chocolate", 3),
    ],
)
def test_a_measure_is_the_size_of_what_is_sold_in_pieces(message: str, product: str, quantity: int) -> None:
    assert heard(message) == (f"CallTool(add_to_cart, {{'product': '{product}', 'quantity': {quantity}}})",)


@pytest.mark.parametrize("message", ["ah y una sprite de 500 más", "eh otra sprite de 500", "uy y otra sprite de 500"])
def test_a_sigh_before_an_order_changes_nothing_else(message: str) -> None:
    added = "CallTool(add_to_cart, {'product': 'sprite 500 ml', 'quantity': 1, 'more': True})"
    assert heard("2 alfajores havanna de chocolate", message) == (added,)


def test_what_empties_the_order_is_no_product_to_take_out() -> None:
    assert heard("2 cocas de 500", "sacá todo") == ("CallTool(clear_cart, {})",)


def test_a_list_that_is_asked_for_is_not_ordered() -> None:
    assert heard("pasame la lista de limpieza")[0].startswith("CallTool(get_catalog")


def test_another_number_is_for_what_is_being_asked_about() -> None:
    assert heard("2 cocas de 500", "dame 5 guaymallen", "que sean 3") == ("GiveArgument(3, quantity)",)


def test_an_answer_that_fits_several_narrows_the_question() -> None:
    assert heard("un fernet", "el de 750")[0] == "GiveArgument(fernet 750, product)"
    assert heard("una sprite", "la última")[0] == "GiveArgument(Sprite 2,25 l, product)"


@pytest.mark.parametrize(
    ("before", "answer", "expected"),
    [
        ("2 sprite", "la de 500 ya te dije", ["False"]),
        ("2 sprite", "la de 500", []),  # a number that is wanted is not lowered to
        ("2 sprite", "la de 500 también", []),
        ("agregame 2 sprite", "la de 500", ["True"]),
    ],
)
def test_an_answer_orders_more_only_where_more_is_said(before: str, answer: str, expected: list[str]) -> None:
    call = heard("un alfajor jorgito blanco", before, answer)[-1]
    assert call.startswith("CallTool(add_to_cart")
    assert "500" in call
    assert re.findall(r"'more': (\w+)", call) == expected


def test_a_bare_yes_or_no_goes_on_to_what_the_mode_names() -> None:
    assert heard("2 cocas de 500", "listo") == heard("2 cocas de 500", "no") == ("StartFlow(checkout)",)


def test_a_list_of_values_fills_the_slots_that_were_not_asked_for() -> None:
    told = heard("2 cocas de 500", "confirmar", "Ana Pérez\n30123456\nSan Martín 1234")
    assert told == ("SetSlot(name, Ana Pérez)", "SetSlot(dni, 30123456)", "SetSlot(address, San Martín 1234)")
