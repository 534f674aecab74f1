"""Long lists in pieces: a cursor says where the next piece begins."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from fastapi import HTTPException, Query

from hilo.store.api import Place

T = TypeVar("T")

MOST = 200

Cursor = Annotated[str, Query(max_length=300, description="`next` of the piece before; empty for the first.")]
Limit = Annotated[int, Query(ge=1, le=MOST)]


def place_of(cursor: str, start: Place) -> Place:
    """Where a cursor points; 422 when it is none of ours."""
    if not cursor:
        return start
    try:
        number, word = json.loads(base64.urlsafe_b64decode(cursor.encode()))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise _unknown() from None
    if type(number) is not int or not 0 <= number < 1 << 62 or not isinstance(word, str):
        raise _unknown()
    return number, word


def piece(found: Sequence[T], limit: int, place: Callable[[T], Place]) -> tuple[Sequence[T], str | None]:
    """So many of them, and the cursor of the rest; one more than so many was asked for."""
    if len(found) <= limit:
        return found, None
    return found[:limit], _cursor(place(found[limit - 1]))


def _cursor(place: Place) -> str:
    return base64.urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).decode()


def _unknown() -> HTTPException:
    return HTTPException(422, "cursor: take it from `next` of the piece before")
