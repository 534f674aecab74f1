"""Two wishes that only a comma or an "y" joins: "¿cuánto sale un corte y tenés turno mañana?".

Most joints of a message join no wishes ("una coca y un alfajor"), so no pattern can tell. A joint parts a message where
each side surely means something else, or where one side surely means something and the other gives nothing but values:
"cerralo, Mitre 1450".
"""

import re
from collections.abc import Callable
from typing import Protocol, TypeVar

SURE_OF_A_SIDE, LIKELY_SIDE = 85, 70
UNSURE = 60  # what is meant less surely as a whole may be surer without the values beside it
MOST_JOINTS = 3
SHORTEST_SIDE = 3  # letters
# "litro y medio" and "treinta y dos" are one number
_JOINT = re.compile(
    r",\s+(?:(?:y|e|and)\s+)?|\s+(?:y|e|and)\s+(?!(?:medi[oa]|cuarto|pico|half|un[oa]?|dos|tres|cuatro|cinco|\d)\b)",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\W*(?:no|ni|sin|not|don'?t)\b", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")

Span = tuple[int, int]


class Meaning(Protocol):
    """What an intent model says of words."""

    @property
    def intent(self) -> str | None: ...
    @property
    def confidence(self) -> int: ...


M = TypeVar("M", bound=Meaning)


def wishes(
    text: str, span: Span, mean: Callable[[Span], M], gives_values: Callable[[Span], bool]
) -> list[tuple[Span, M]]:
    """A part of a message as it is, or the two wishes that it joins, each with its meaning."""
    start, end = span
    whole = mean(span)
    for joint in list(_JOINT.finditer(text, start, end))[:MOST_JOINTS]:
        sides = ((start, joint.start()), (joint.end(), end))
        if any(len(_LETTER.findall(text, *side)) < SHORTEST_SIDE or _DENIES.match(text, *side) for side in sides):
            continue
        # the second side costs as much as a whole message: it is ranked only where the two may still be parted
        before = mean(sides[0])
        may_give_values = whole.confidence < UNSURE and any(map(gives_values, sides))
        if not may_give_values and (not before.intent or before.confidence < LIKELY_SIDE):
            continue
        after = mean(sides[1])
        told = [one for one, other in ((before, sides[1]), (after, sides[0])) if _is_sure(one) and gives_values(other)]
        likely = min(before.confidence, after.confidence) >= LIKELY_SIDE and bool(before.intent and after.intent)
        are_two = likely and (_is_sure(before) or _is_sure(after)) and before.intent != after.intent
        if are_two or (told and whole.confidence < UNSURE):
            return [(sides[0], before), (sides[1], after)]
    return [(span, whole)]


def _is_sure(meaning: Meaning) -> bool:
    return bool(meaning.intent) and meaning.confidence >= SURE_OF_A_SIDE
