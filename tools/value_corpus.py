"""The values of the corpus: marked messages, and what was meant with each value that a recogniser finds in them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from hilo.agent.declaration import Slot
from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.people.name_words import GIVEN_NAMES, PARTICLES
from hilo.slots import TYPES
from hilo.understanding.open_values import KINDS, OUTSIDE, Token
from hilo.understanding.slot_values import Values
from hilo.understanding.value_roles import GIVE, NONE, ROLES, Span

MARK = re.compile(r"\{([^{}|]+)\|([a-z_]+)\|([a-z]+)\}")
NOW = datetime(2026, 3, 10, 10, 0, tzinfo=ZoneInfo("America/Bogota"))
COUNTRIES = {
    "mendoza": "AR",
    "bucaramanga": "CO",
    "oaxaca": "MX",
    "bilbao": "ES",
    "huancayo": "PE",
    "cordobesa": "AR",
    "guayaquil": "EC",
}
SHORT = 7  # words of an answer that others are said with
JOINTS = (", ", " y ", " ", ", y ", ". ", "\n")
OPEN = frozenset({"text", "choice", "boolean"})  # no recogniser finds them without an agent
_GIVEN = sorted(GIVEN_NAMES)


@dataclass(frozen=True, slots=True)
class ValueMark:
    """A value in a message, and what the message does with it; the span is one of what was written."""

    start: int
    end: int
    kind: str
    role: str


@dataclass(frozen=True, slots=True)
class MarkedMessage:
    """A message, what the assistant had asked for, and its values."""

    hand: str
    waiting: str
    message: str
    marks: tuple[ValueMark, ...]

    @property
    def asked(self) -> str:
        """The type of the value that was asked for."""
        return self.waiting.partition(":")[2]

    def in_small_letters(self) -> "MarkedMessage":
        """As many people would have typed it."""
        return replace(self, message=self.message.lower())


@dataclass(frozen=True, slots=True)
class SeenValue:
    """What may be a value, as the understander sees it, with its role; `others` stand elsewhere in the message."""

    span: Span
    kind: str
    role: str
    others: tuple[Span, ...]


def read_value_marks(marked: str) -> tuple[str, tuple[ValueMark, ...]]:
    """The message that the customer wrote, and its marks."""
    message, done = "", 0
    marks: list[ValueMark] = []
    for found in MARK.finditer(marked):
        message += marked[done : found.start()]
        said, kind, role = found.groups()
        marks.append(ValueMark(len(message), len(message) + len(said), kind, role))
        message += said
        done = found.end()
    return message + marked[done:], tuple(marks)


def read_values(corpus: Path) -> Iterator[MarkedMessage]:
    """The messages of all hands."""
    for file in sorted(corpus.glob("hands/*/values.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            waiting, marked = line.split("\t")
            yield MarkedMessage(file.parent.name, waiting, *read_value_marks(marked))


def said_together(messages: Sequence[MarkedMessage]) -> Iterator[MarkedMessage]:
    """Answers of a hand with another one behind them: the hands wrote few messages that give more than was asked."""
    by_hand: dict[str, list[MarkedMessage]] = {}
    for each in messages:
        marks = [(mark.kind, mark.role) for mark in each.marks]
        if each.asked and marks == [(each.asked, GIVE)] and len(each.message.split()) <= SHORT:
            by_hand.setdefault(each.hand, []).append(each)
    for some in by_hand.values():
        for place, first in enumerate(some):
            second = some[(place * 7 + len(some) // 2) % len(some)]
            if second.asked == first.asked:
                continue
            opening = first.message.rstrip(" .") + JOINTS[place % len(JOINTS)]
            moved = [
                replace(mark, start=mark.start + len(opening), end=mark.end + len(opening)) for mark in second.marks
            ]
            yield replace(first, message=opening + second.message, marks=(*first.marks, *moved))


def mismarked(marked: str) -> str:
    """What is wrong with the marks of a message."""
    message, marks = read_value_marks(marked)
    if not {"{", "}", "|"}.isdisjoint(message):
        return "a mark that is not {words|type|role}"
    for mark in marks:
        if mark.kind not in TYPES:
            return f"no type is called {mark.kind}"
        if mark.role not in ROLES:
            return f"no role is called {mark.role}"
    return ""


@cache
def _slots() -> dict[str, Slot]:
    return {name: Slot(type=name) for name in TYPES if name not in OPEN}


def see_values(marked: MarkedMessage) -> tuple[Text, list[SeenValue]]:
    """All that recognisers take for values in a message, and marked ones that they do not find."""
    text = normalise(marked.message)
    values = Values(text, (), NOW, COUNTRIES.get(marked.hand, ""))
    found = {name: values.of(slot, asked=name == marked.asked) for name, slot in _slots().items()}
    seen: list[SeenValue] = []
    for kind, some in found.items():
        spans = list(dict.fromkeys((each.start, each.end) for each in some if each.start < each.end))
        missed = [span for span in _marked(text, marked, kind) if not any(_overlap(span, one) for one in spans)]
        everywhere = [*spans, *missed]
        for span in everywhere:
            others = tuple(each for each in everywhere if not _overlap(each, span))
            seen.append(SeenValue(span, kind, _role(text, marked, span, kind), others))
    for kind in OPEN:
        spans = _marked(text, marked, kind)
        seen += [
            SeenValue(span, kind, _role(text, marked, span, kind), tuple(each for each in spans if each != span))
            for span in spans
        ]
    return text, seen


def _marked(text: Text, marked: MarkedMessage, kind: str) -> list[Span]:
    """Where values of a type are marked, in the folded text."""
    return [folded_span(text, mark.start, mark.end) for mark in marked.marks if mark.kind == kind]


def folded_span(text: Text, start: int, end: int) -> Span:
    """The span of the folded text that came from a span of what was written."""
    inside = [place for place, origin in enumerate(text.origins) if start <= origin < end]
    return inside[0], inside[-1] + 1


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _role(text: Text, marked: MarkedMessage, span: Span, kind: str) -> str:
    """What the marks say of a place; NONE where none of them is there, or one of another type."""
    over = [mark for mark in marked.marks if _overlap(folded_span(text, mark.start, mark.end), span)]
    same = [mark for mark in over if mark.kind == kind]
    return same[0].role if same else NONE


def label_tokens(text: Text, marked: MarkedMessage, tokens: Sequence[Token]) -> list[str]:
    """The label of each word: whether it begins or goes on a name or a free text, or neither."""
    labels = [OUTSIDE] * len(tokens)
    for mark in marked.marks:
        if mark.kind not in KINDS:
            continue
        start, end = folded_span(text, mark.start, mark.end)
        inside = [place for place, token in enumerate(tokens) if start <= token.start < end]
        for place in inside:
            labels[place] = ("b" if place == inside[0] else "i") + KINDS[mark.kind]
    return labels


def renamed(marked: MarkedMessage, families: Sequence[str]) -> MarkedMessage | None:
    """The same message with other people in it, so that the words around names are learnt rather than the names."""
    if not any(mark.kind == "person_name" for mark in marked.marks):
        return None
    chance = Random(marked.message)  # noqa: S311 -- the same names every time
    message, done = "", 0
    marks: list[ValueMark] = []
    for mark in marked.marks:
        message += marked.message[done : mark.start]
        said = marked.message[mark.start : mark.end]
        if mark.kind == "person_name":
            said = " ".join(_other_word(word, place, families, chance) for place, word in enumerate(said.split()))
        marks.append(ValueMark(len(message), len(message) + len(said), mark.kind, mark.role))
        message, done = message + said, mark.end
    return MarkedMessage(marked.hand, marked.waiting, message + marked.message[done:], tuple(marks))


def _other_word(word: str, place: int, families: Sequence[str], chance: Random) -> str:
    if normalise(word).folded in PARTICLES or not families:
        return word
    other = chance.choice(families if place else _GIVEN)
    if word.islower():
        return other.lower()
    return other.upper() if word.isupper() and len(word) > 1 else other.title()


def families_of(messages: Sequence[MarkedMessage]) -> dict[str, list[str]]:
    """The family names that each hand has written."""
    found: dict[str, list[str]] = {}
    for each in messages:
        for mark in each.marks:
            if mark.kind == "person_name":
                words = each.message[mark.start : mark.end].split()[1:]
                found.setdefault(each.hand, []).extend(
                    word for word in words if normalise(word).folded not in PARTICLES | GIVEN_NAMES
                )
    return found
