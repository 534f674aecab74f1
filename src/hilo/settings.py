"""What the environment says, read in one place."""

import os
from dataclasses import dataclass, field
from pathlib import Path

SPAN_VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
DEFAULT_DATABASE = "sqlite:///hilo.db"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where this installation keeps its truth, what wakes its workers, and what it can make again.

    Without a queue's address the alarms ring within the process. `secret_key` seals the channels' credentials; there
    may be several, separated by commas, of which the first seals.
    """

    cache: Path
    database_url: str = DEFAULT_DATABASE
    queue_url: str = ""
    secret_key: str = field(default="", repr=False)
    spans: bool = False  # OpenTelemetry's own variables say where to


def read_settings() -> Settings:
    """From `HILO_DATABASE_URL`, `HILO_QUEUE_URL`, `HILO_SECRET_KEY` and `HILO_CACHE` (or the user's cache folder)."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Settings(
        cache=Path(os.environ.get("HILO_CACHE") or home / "hilo"),
        database_url=os.environ.get("HILO_DATABASE_URL") or DEFAULT_DATABASE,
        queue_url=os.environ.get("HILO_QUEUE_URL") or "",
        secret_key=os.environ.get("HILO_SECRET_KEY") or "",
        spans=any(os.environ.get(name) for name in SPAN_VARIABLES),
    )
