"""Logs: for people in a terminal, as JSON elsewhere; what contacts write and who they are is masked."""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

_PRIVATE = frozenset(
    {"text", "phone", "name", "to", "value", "contact", "contact_name", "sender", "message", "heard", "said"}
)
_NUMBER = re.compile(r"(?<![\w.-])\+?\d[\d\s().-]{6,}\d(?![\w-])")
_SECRET = re.compile(r"hilo_[\w-]{20,}|\d{6,}:[\w-]{20,}")  # a key of our API, a Telegram bot's token
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_SHOWN = 2  # characters of a masked value


def set_up_logs(*, level: str = "INFO", unmasked: bool = False) -> None:
    """Once per process, before anything is logged."""
    terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            *(() if unmasked else (masked,)),
            structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_FromLibraries()], level=logging.WARNING, force=True)


class _FromLibraries(logging.Handler):
    """What libraries log goes the same way, masked like the rest."""

    def emit(self, record: logging.LogRecord) -> None:
        """Say it in our log."""
        log = structlog.get_logger()
        log.log(record.levelno, record.getMessage(), source=record.name, exc_info=record.exc_info)


def masked(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Hide private values by their name, and numbers and addresses wherever they stand."""
    for key, value in event.items():
        if key != "timestamp":
            event[key] = _without_people(key, value)
    return event


def _without_people(key: str, value: Any) -> Any:
    if key in _PRIVATE and value:
        return mask(str(value))
    match value:
        case str():
            return _SECRET.sub(_masked_match, _MAIL.sub(_masked_match, _NUMBER.sub(_masked_match, value)))
        case Mapping():
            return {name: _without_people(name, each) for name, each in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_without_people("", each) for each in value]
    return value


def mask(value: str) -> str:
    """How long it was and how it ended, no more."""
    return f"…{value[-_SHOWN:]} ({len(value)})" if len(value) > 2 * _SHOWN else "…"


def _masked_match(match: re.Match[str]) -> str:
    return mask(match[0])
