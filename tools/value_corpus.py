"""The values of the corpus: messages with their values marked, and what is wrong with a mark."""

import re
from dataclasses import dataclass

from hilo.slots import TYPES

MARK = re.compile(r"\{([^{}|]+)\|([a-z_]+)\|([a-z]+)\}")
ROLES = frozenset({"give", "not", "old", "ask", "maybe", "other"})


@dataclass(frozen=True, slots=True)
class ValueMark:
    """A value in a message, and what the message does with it; the span is one of what was written."""

    start: int
    end: int
    kind: str
    role: str


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
