"""What a model gives must come from somewhere: values of slots, arguments, and the figures in its words."""

import re
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_talks import How, Ledger, clock, kiosk, reasons, talking, wants

from hilo.agent.declaration import Agent
from hilo.testing.models.answers import Says
from hilo.turn.sources import REFERENCE, Sources, reference_spans

NOW = datetime(2026, 11, 17, 15, 30, tzinfo=UTC)
WROTE = (
    "soy maria gonzales, dni 30.111.222, vivo en sarmieto 450 y quiero dos cocas para mañana a las cinco de la tarde"
)
SOURCES = Sources(
    Agent(agent="tienda", country="AR", language="es"),
    NOW,
    (WROTE,),
    ("2026-11-17 15:30", "Total: 1500.50", "Pague en https://www.tienda.example/pago/1", "pedido PED-0042"),
)
NOWHERE = "stands neither in what the contact wrote, nor in a result, nor in the agent file"


@pytest.mark.parametrize(
    "value",
    [
        "María González",
        "30111222",
        "Sarmiento 450",
        "PED-0042",
        "2026-11-18",
        "17:00",
        2,
        1,
        True,
        None,
        {"lines": [{"product": "coca", "quantity": 2}]},
        "tienda.example/pago/1",
    ],
)
def test_what_was_written_or_found_may_be_given_in_another_form(value: Any) -> None:
    assert SOURCES.invented(value) == ""


@pytest.mark.parametrize(
    ("value", "piece"),
    [
        ("Pedro Gómez", "pedro"),
        ("30111223", "30111223"),
        ("Rivadavia 450", "rivadavia"),
        ("2026-11-19", "2026-11-19"),
        (7, "7"),
        ("ana@otra.example", "ana@otra.example"),
        ("mitienda.example/pago/1", "mitienda.example/pago/1"),
        ({"lines": [{"product": "coca", "quantity": 12}]}, "12"),
    ],
)
def test_what_stands_nowhere_is_invented(value: Any, piece: str) -> None:
    assert SOURCES.invented(value) == piece


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("El total es $1.500,50, María.", ""),
        ("Son las 3:30 pm.", ""),
        ("1. Coca\n2. Fanta", ""),
        ("Te espero un momento.", ""),
        ("El total es $1.600.", "1.600"),
        ("Tu pedido es el PED-0043.", "0043"),
        ("Paga en pagos.example/x.", "pagos.example/x"),
        ("Cuesta cinco mil pesos.", "5000"),
        ("x " * 3000 + "son 777 pesos", "777"),
    ],
)
def test_figures_and_links_in_words_are_known_or_not_said(text: str, piece: str) -> None:
    assert SOURCES.claimed(text) == piece


async def test_an_invented_argument_is_refused_and_the_model_hears_why() -> None:
    add = wants(("add", {"product": "whisky", "count": 40}))
    async with talking(kiosk(ledger := Ledger()), add, Says("¿Qué te sirvo?")) as talk:
        result = await talk.say("qué tal todo por ahí vecino")
        assert (ledger.calls, talk.said) == ([], "¿Qué te sirvo?")
        assert reasons(result.trace.refused) == [f'"whisky" {NOWHERE}']
        assert f'Refused: "whisky" {NOWHERE}' in str(talk.asked[1].body)


async def test_what_the_contact_wrote_is_written() -> None:
    add = wants(("add", {"product": "coca", "count": 2}))
    async with talking(kiosk(ledger := Ledger()), add, Says("Van 2 de coca.")) as talk:
        await talk.say("mirá, vecino, si podés poneme dos cocas por ahí o algo así")
        assert talk.said == "Van 2 de coca."
        assert ("add", {"product": "coca", "count": 2}) in ledger.calls


async def test_an_invented_value_does_not_fill_a_slot() -> None:
    named = wants(("dialogue_set_slot", {"slot": "name", "value": "Pedro Gómez"}))
    async with talking(kiosk(), named, Says("Gracias.")) as talk:
        result = await talk.say("qué tal todo por ahí vecino")
        assert result.session.slots == {}


async def test_an_invented_figure_is_neither_shown_nor_said() -> None:
    shown: list[str] = []
    script = Says("Claro: tu pedido 991234 sale hoy, pagá en pagos.example/x ahora mismo.")
    async with talking(kiosk(), script, how=How(show=shown.append)) as talk:
        result = await talk.say("qué tal todo por ahí vecino")
        assert reasons(result.trace.refused) == [f'"pagos.example/x" {NOWHERE}']
        assert not any("991234" in each or "pagos" in each for each in (talk.said, *shown))
        assert talk.said


async def test_a_loose_agent_says_what_it_likes() -> None:
    async with talking(clock(grounded="loose"), Says('{"intent": "other", "answer": "Son 500."}')) as talk:
        await talk.say("mmm necesito algo de ustedes vecino")
        assert talk.said


@given(st.text("a1-_.@#:/ (ñ\n", max_size=40))
def test_references_stand_where_their_pattern_matches(text: str) -> None:
    assert list(reference_spans(text)) == [found.span() for found in re.finditer(REFERENCE, text)]


@pytest.mark.parametrize("word", ["x", "a-", "1.", "a.1-", "@"])
def test_a_long_word_of_a_model_is_read_once(word: str) -> None:
    began = time.process_time()
    SOURCES.invented_id(word * 20_000)
    assert time.process_time() - began < 10  # 0.1 s; the pattern by itself takes minutes
