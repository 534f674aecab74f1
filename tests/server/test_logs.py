"""Logs say what happened and not who it happened to."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from hilo.logs import masked, set_up_logs


@pytest.fixture(autouse=True)
def put_back() -> Iterator[None]:
    root = logging.getLogger()
    before, level, configured = root.handlers[:], root.level, structlog.get_config()
    yield
    root.handlers[:], root.level = before, level
    structlog.configure(**configured)


PRIVATE = {
    "by its name": {"text": "quiero dos pizzas"},
    "a phone in a sentence": {"reason": "sent to +54 9 11 5555-0001 today"},
    "a mail in a sentence": {"reason": "ana.perez@example.com wrote"},
    "within a list": {"seen": ["5491155550001"]},
    "within an object": {"detail": {"phone": "5491155550001", "more": {"name": "Ana Pérez"}}},
    "a key of ours": {"reason": "hilo_" + "a" * 43},
    "a bot's token": {"url": "https://api/bot123456789:AAEhBOweik9ai2o1-abcdefghijk/getMe"},
}


@pytest.mark.parametrize("event", PRIVATE.values(), ids=PRIVATE)
def test_what_is_private_is_masked(event: dict[str, object]) -> None:
    told = json.dumps(masked(None, "info", {"event": "x", **event}), ensure_ascii=False)
    for secret in ("pizzas", "5555", "ana.perez", "5491155550001", "Ana", "aaaa", "AAEhBOweik9ai2o1"):
        assert secret not in told


def test_what_is_not_private_is_told() -> None:
    event = {"event": "ignored", "channel": "infobip-eco", "attempt": 3, "timestamp": "2026-03-02T15:00:00.000000Z"}
    assert masked(None, "info", dict(event)) == event


def test_libraries_log_the_same_way(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs()
    logging.getLogger("some.library").warning("failed for %s", "5491155550001")
    told = json.loads(capsys.readouterr().err)
    assert (told["level"], told["source"]) == ("warning", "some.library")
    assert "5491155550001" not in told["event"]


def test_elsewhere_than_in_a_terminal_a_line_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs(level="info")
    structlog.get_logger().debug("not told")
    structlog.get_logger().info("told", text="hola qué tal")
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["text"] == "…al (12)"
