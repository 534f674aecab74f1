"""What a check of a file finds."""

from dataclasses import dataclass

from hilo.agent.source import Path


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem at a path of the file."""

    path: Path
    message: str
    hint: str = ""
    at_key: bool = False
