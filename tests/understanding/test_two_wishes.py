"""Messages that want two things, joined by a comma or an "y" alone."""

from dataclasses import dataclass

import pytest

from hilo.recognisers.normalise import Span
from hilo.understanding.parts import wishes


@dataclass(frozen=True)
class Sure:
    """What a model says of words."""

    intent: str | None
    confidence: int
    alternatives: tuple[tuple[str, int], ...] = ()


MEANT = {
    "cuanto sale": Sure("price", 99),
    "hay turno": Sure("book", 75),
    "abren": Sure("hours", 60),
    "cerralo": Sure("checkout", 95),
    "no lo canceles": Sure("cancel", 95),
}


def parted(text: str, whole: Sure, *, values: str = "") -> list[str]:
    """The parts of a text that means so much as a whole."""

    def mean(span: Span) -> Sure:
        said = text[slice(*span)]
        return whole if said == text else MEANT.get(said, Sure(None, 0))

    found = wishes(text, (0, len(text)), mean, lambda span: text[slice(*span)] == values)
    return [text[slice(*span)] for span, _ in found]


@pytest.mark.parametrize(
    ("text", "whole", "values", "parts"),
    [
        ("cuanto sale y hay turno", Sure("price", 99), "", ["cuanto sale", "hay turno"]),
        ("cerralo, mitre 1450", Sure("checkout", 22), "mitre 1450", ["cerralo", "mitre 1450"]),
        # what is sure with the values beside it stays whole
        ("cerralo, mitre 1450", Sure("checkout", 90), "mitre 1450", ["cerralo, mitre 1450"]),
        # one side says nothing, is not likely enough, or denies
        ("cuanto sale y eso", Sure("price", 99), "", ["cuanto sale y eso"]),
        ("cuanto sale y abren", Sure("price", 99), "", ["cuanto sale y abren"]),
        ("cuanto sale, no lo canceles", Sure("price", 99), "", ["cuanto sale, no lo canceles"]),
    ],
)
def test_a_joint_parts_only_what_surely_means_two_things(text: str, whole: Sure, values: str, parts: list[str]) -> None:
    assert parted(text, whole, values=values) == parts
