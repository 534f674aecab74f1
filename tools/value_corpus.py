"""The values of the corpus: messages with their values marked, and what is wrong with a mark."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.people.name_words import AFTER_ARTICLE, AFTER_DE, AFTER_DEL, GIVEN_NAMES, PARTICLES
from hilo.slots import TYPES
from hilo.understanding.person_names import ANOTHERS, BEGINS, GOES_ON, GOES_ON_ANOTHERS, OUTSIDE, NameToken

MARK = re.compile(r"\{([^{}|]+)\|([a-z_]+)\|([a-z]+)\}")
GIVE = "give"
ROLES = frozenset({GIVE, "not", "old", "ask", "maybe", "other"})
NAME = "person_name"
GIVES_NONE = frozenset({"deny", "info_question", "unclear", "negative", "cancel", "chitchat", "ask_human"})
WITH_PARTICLE = 0.2  # the share of families of another name that have one: "de la Cruz"
_GIVEN = sorted(GIVEN_NAMES)
_WITH_PARTICLES = sorted(
    [f"de {word}" for word in AFTER_DE]
    + [f"de la {word}" for word in AFTER_ARTICLE]
    + [f"del {word}" for word in AFTER_DEL]
)


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


def read_values(corpus: Path) -> Iterator[MarkedMessage]:
    """The messages of all hands."""
    for file in sorted(corpus.glob("hands/*/values.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            waiting, marked = line.split("\t")
            yield MarkedMessage(file.parent.name, waiting, *read_value_marks(marked))


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


# --- names: the words of a message, and the same message otherwise -----------------------------------------


def name_labels(text: Text, marked: MarkedMessage, tokens: Sequence[NameToken]) -> list[str]:
    """The label of each word: whether it begins or goes on a name that is given, or somebody else's."""
    labels = [OUTSIDE] * len(tokens)
    for mark in marked.marks:
        if mark.kind != NAME:
            continue
        inside = [place for place, token in enumerate(tokens) if mark.start <= text.origins[token.start] < mark.end]
        first, others = (BEGINS, GOES_ON) if mark.role == GIVE else (ANOTHERS, GOES_ON_ANOTHERS)
        for place in inside:
            labels[place] = first if place == inside[0] else others
    return labels


def messages_without_names(corpus: Path) -> Iterator[MarkedMessage]:
    """Messages that answer a question for a name and give none, of the corpus of acts."""
    for file in sorted(corpus.glob("hands/*/acts.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            act, waiting, message = line.split("\t")
            if waiting == f"slot:{NAME}" and act in GIVES_NONE:
                yield MarkedMessage(file.parent.name, waiting, message, ())


def said_otherwise(messages: Sequence[MarkedMessage]) -> Iterator[MarkedMessage]:
    """Every message in small letters, and with other people in it: the words around names shall be learnt."""
    families = _families_of(messages)
    for each in messages:
        yield replace(each, message=each.message.lower())
        if any(mark.kind == NAME for mark in each.marks):
            other = _renamed(each, families.get(each.hand, ()))
            yield other
            if [mark.end - mark.start for mark in other.marks] == [len(other.message)]:
                yield from _family_first(other)


def _family_first(marked: MarkedMessage) -> Iterator[MarkedMessage]:
    """Pérez, Juan: of a message that is nothing but a name."""
    given, _, family = marked.message.partition(" ")
    if family:
        message = f"{family}, {given}"
        marks = (replace(marked.marks[0], end=len(message)),)
        yield replace(marked, message=message, marks=marks)
        yield replace(marked, message=message.lower(), marks=marks)


def _renamed(marked: MarkedMessage, families: Sequence[str]) -> MarkedMessage:
    chance = Random(marked.message)  # noqa: S311 -- the same names every time
    message, done = "", 0
    marks: list[ValueMark] = []
    for mark in marked.marks:
        message += marked.message[done : mark.start]
        said = marked.message[mark.start : mark.end]
        if mark.kind == NAME:
            said = " ".join(_other_word(word, place, families, chance) for place, word in enumerate(said.split()))
        marks.append(replace(mark, start=len(message), end=len(message) + len(said)))
        message, done = message + said, mark.end
    return replace(marked, message=message + marked.message[done:], marks=tuple(marks))


def _other_word(word: str, place: int, families: Sequence[str], chance: Random) -> str:
    if normalise(word).folded in PARTICLES or not families:
        return word
    other = chance.choice(families if place else _GIVEN)
    if place and chance.random() < WITH_PARTICLE:
        other = chance.choice(_WITH_PARTICLES)
    if word.islower():
        return other.lower()
    if word.isupper() and len(word) > 1:
        return other.upper()
    return " ".join(part if part in PARTICLES else part.title() for part in other.split())


def _families_of(messages: Sequence[MarkedMessage]) -> dict[str, list[str]]:
    """The family names that each hand has written."""
    found: dict[str, list[str]] = {}
    for each in messages:
        for mark in each.marks:
            words = each.message[mark.start : mark.end].split()[1:] if mark.kind == NAME else []
            known = PARTICLES | GIVEN_NAMES
            found.setdefault(each.hand, []).extend(word for word in words if normalise(word).folded not in known)
    return found
