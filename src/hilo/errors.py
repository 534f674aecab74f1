"""What can go wrong, said so that the reader can fix it."""

from dataclasses import dataclass

DISTRIBUTION = "hilo-chat"  # what pip calls us: the name `hilo` on the package index is somebody else's


def install(extra: str) -> str:
    """The command that brings what an extra needs."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"


class HiloError(Exception):
    """An error whose text is meant for the person at the terminal."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong in a file: where, what, and how to fix it."""

    file: str
    line: int
    column: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.file}:{self.line}:{self.column}: {self.message}{hint}"


class FileProblems(HiloError):  # noqa: N818 -- it names what it holds
    """A file that may not run, with all its problems in reading order."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(map(str, self.problems)))


class InvalidTransition(HiloError):  # noqa: N818 -- it names what happened
    """The dialogue tried a change of state that its table does not allow: a bug of the engine."""
