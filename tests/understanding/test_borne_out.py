"""What a sentence means by itself, beside what the whole message may mean."""

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from hilo.agent.parse import parse
from hilo.recognisers.normalise import normalise
from hilo.understanding.reading import Understander, rank, understander
from hilo.understanding.slot_values import Values

NOW = datetime(2026, 3, 10, 15, tzinfo=UTC)
SHOP = """
agent: tienda
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
intents:
  precio: {examples: [cuánto sale], answer: Mil.}
  horario: {examples: [a qué hora abren], answer: A las nueve.}
"""


@dataclass(frozen=True)
class Said:
    """What a model says of words."""

    intent: str | None
    confidence: int
    alternatives: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Known:
    """Knows what these texts mean, and nothing of any other."""

    meant: dict[str, Said]

    def rank(self, text: str) -> Said:
        return self.meant.get(text, Said(None, 0))


def _ranked(whole: Said, *, does_one_thing: bool = True, second: Said | None = None) -> list[str]:
    first, other = "cuánto sale", "me lo dijo mi tía"
    message = f"{first}. {other}"
    model = Known({first: Said("precio", 95), other: second or Said(None, 0), message: whole})
    reads: Understander = understander(parse(SHOP), intents=model)
    values = Values(normalise(message), (), NOW.astimezone(ZoneInfo("America/Argentina/Buenos_Aires")), "AR", "es-AR")
    return [part.text for part in rank(reads, values, does_one_thing=does_one_thing)]


@pytest.mark.parametrize(
    ("whole", "is_believed"),
    [
        (Said("precio", 50), True),
        (Said("horario", 40, (("precio", 30),)), True),
        (Said("horario", 40, (("precio", 5),)), False),
        (Said(None, 0), False),
    ],
)
def test_a_sentence_is_believed_where_the_whole_may_mean_the_same(whole: Said, is_believed: bool) -> None:  # noqa: FBT001
    parts = ["cuánto sale", "me lo dijo mi tía"] if is_believed else ["cuánto sale. me lo dijo mi tía"]
    assert _ranked(whole) == parts


def test_two_sentences_that_surely_mean_different_things_need_no_whole() -> None:
    assert _ranked(Said(None, 0), second=Said("horario", 80)) == ["cuánto sale", "me lo dijo mi tía"]


def test_a_message_of_several_acts_is_read_part_by_part() -> None:
    assert _ranked(Said(None, 0), does_one_thing=False) == ["cuánto sale", "me lo dijo mi tía"]
