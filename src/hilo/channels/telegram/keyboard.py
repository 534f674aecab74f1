"""Buttons under a message: what they carry, and what comes back when one is pressed."""

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from typing import Any

from hilo.channels.bodies import Json, at, text_at
from hilo.messages import Button

MOST_BYTES = 64  # of what a button may carry
IN_ONE_ROW = 3
ROW_CHARACTERS = 30
_DIGEST = re.compile(r"#[A-Za-z0-9_-]{22}")


def carried(payload: str) -> str:
    """What a button carries: its payload, or a digest of one that is too long.

    A digest cannot be undone, so a press then comes back as the words on the button.
    """
    if len(payload.encode()) <= MOST_BYTES and not payload.startswith("#"):
        return payload
    digest = hashlib.sha256(payload.encode()).digest()[:16]
    return "#" + urlsafe_b64encode(digest).decode().rstrip("=")


def keyboard(buttons: Iterable[Button]) -> Json:
    """A few short titles stand side by side, others below one another."""
    keys = [{"text": each.title, "callback_data": each.payload} for each in buttons]
    side_by_side = len(keys) <= IN_ONE_ROW and sum(len(key["text"]) for key in keys) <= ROW_CHARACTERS
    return {"inline_keyboard": [keys] if side_by_side else [[key] for key in keys]}


def pressed(query: Json) -> tuple[str, str]:
    """The words and the payload of a pressed button; empty words when Telegram does not show the message any more."""
    came = text_at(query, "data")
    words = next((text_at(key, "text") for key in _keys(query) if text_at(key, "callback_data") == came), "")
    return words, "" if _DIGEST.fullmatch(came) else came


def _keys(query: Json) -> list[Any]:
    rows = at(query, "message", "reply_markup", "inline_keyboard")
    return [key for row in rows if isinstance(row, list) for key in row] if isinstance(rows, list) else []
