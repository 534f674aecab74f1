"""What the environment says, read in one place."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from hilo.errors import HiloError

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
    public_url: str = ""  # where providers reach the gateway: they fetch the files there that we send
    media: str = ""  # a folder for files, or s3://bucket/prefix?endpoint=…; else a folder beside the database
    media_mb: int = 25  # the largest file that is taken
    media_days: int = 0  # how long files are kept; 0 is for ever
    private_hosts: tuple[str, ...] = ()  # that tools may reach although they are not public: erp.local:8080
    models_file: Path | None = None
    model_url: str = ""
    model_key: str = field(default="", repr=False)
    anthropic_key: str = field(default="", repr=False)  # of Anthropic's own variable: no other provider may see it
    spans: bool = False  # OpenTelemetry's own variables say where to


def read_settings() -> Settings:
    """From the variables that begin with `HILO_`, and from those that others have made a custom of."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Settings(
        cache=Path(os.environ.get("HILO_CACHE") or home / "hilo"),
        database_url=os.environ.get("HILO_DATABASE_URL") or DEFAULT_DATABASE,
        queue_url=os.environ.get("HILO_QUEUE_URL") or "",
        secret_key=os.environ.get("HILO_SECRET_KEY") or "",
        public_url=(os.environ.get("HILO_PUBLIC_URL") or "").rstrip("/"),
        media=os.environ.get("HILO_MEDIA") or "",
        media_mb=_whole("HILO_MEDIA_MB", 25),
        media_days=_whole("HILO_MEDIA_DAYS", 0),
        private_hosts=tuple(os.environ.get("HILO_PRIVATE_HOSTS", "").replace(",", " ").split()),
        models_file=Path(models) if (models := os.environ.get("HILO_MODELS")) else None,
        model_url=os.environ.get("HILO_MODEL_URL") or "",
        model_key=os.environ.get("HILO_MODEL_KEY") or "",
        anthropic_key=os.environ.get("ANTHROPIC_API_KEY") or "",
        spans=any(os.environ.get(name) for name in SPAN_VARIABLES),
    )


def _whole(name: str, otherwise: int) -> int:
    """A number that a person wrote; a mistake is told at the start and not in the night."""
    written = os.environ.get(name) or str(otherwise)
    if not (written.isascii() and written.isdigit()):
        raise HiloError(f"{name} must be a whole number, not {written!r}")
    return int(written)


def read_secret(name: str) -> str:
    """A variable that an agent's tool names, empty where it is not set; Hilo's own are not for tools."""
    return "" if name.startswith("HILO_") else os.environ.get(name, "")
