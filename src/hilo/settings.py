"""What the environment says, read in one place."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Where this installation keeps what it can make again."""

    cache: Path


def read_settings() -> Settings:
    """From `HILO_CACHE`, or the user's cache folder."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Settings(cache=Path(os.environ.get("HILO_CACHE") or home / "hilo"))
