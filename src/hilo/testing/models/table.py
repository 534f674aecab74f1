"""Scripts as tables: the first case that fits a request answers it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Question_contra = TypeVar("Question_contra", contravariant=True)
Answer_co = TypeVar("Answer_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Case(Generic[Question_contra, Answer_co]):
    """What to answer to which requests, and how often; None is for ever."""

    when: Callable[[Question_contra], bool]
    answer: Answer_co
    times: int | None = None


class NoCase(LookupError):  # noqa: N818 -- it names what happened
    """The script has no answer to a request."""


class Table(Generic[Question_contra, Answer_co]):
    """Cases in order; one that was used up is passed over."""

    def __init__(self, cases: Iterable[Case[Question_contra, Answer_co]]) -> None:
        self._cases = list(cases)
        self._used: dict[int, int] = {}

    def answer(self, question: Question_contra) -> Answer_co:
        """What the first fitting case says; raises NoCase."""
        for place, case in enumerate(self._cases):
            used = self._used.get(place, 0)
            if (case.times is None or used < case.times) and case.when(question):
                self._used[place] = used + 1
                return case.answer
        raise NoCase(f"none of {len(self._cases)} cases fits")


def always(_: object) -> bool:
    """Fits every request."""
    return True
