"""Where one wish of a message ends and the next begins, by the words that open an agent's own examples."""

from itertools import pairwise

import pytest

from hilo import load_agent
from hilo.understanding.openings import begins_anew, dictated

ASISTENTE = load_agent("agents/asistente").agent


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (
            "avísame a las 8 cerrar el gas y anota comprar velas",
            ["avísame a las 8 cerrar el gas", "anota comprar velas"],
        ),
        ("borra esa, recuérdame mañana pagar", ["borra esa", "recuérdame mañana pagar"]),
        ("recordame a las 6 el pan y que me recuerdes la luz", ["recordame a las 6 el pan", "recuerdes la luz"]),
        ("tengo dentista el lunes, avísame una hora antes", ["tengo dentista el lunes, avísame una hora antes"]),
        ("anota comprar pan y avisar a Luis", ["anota comprar pan y avisar a Luis"]),
        ("anota leche, pan y huevos", ["anota leche, pan y huevos"]),
    ],
)
def test_a_wish_begins_anew_where_a_word_opens_examples(message: str, parts: list[str]) -> None:
    breaks = [(0, 0), *begins_anew(ASISTENTE, message), (len(message), 0)]
    found = [message[before[1] : after[0]] for before, after in pairwise(breaks)]
    assert found == parts


def test_a_text_is_dictated_where_several_examples_open_like_it() -> None:
    assert dictated(ASISTENTE, "oye anota comprar pan") == "note"
    assert not dictated(ASISTENTE, "quiero saber la hora")
    assert not dictated(load_agent("agents/leads").agent, "anota comprar pan")
