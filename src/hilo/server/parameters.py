"""Parameters that the API's routes share, and the 404 for what is not found."""

import hashlib
from typing import Annotated, TypeVar

from fastapi import Header, HTTPException, Path, Query

T = TypeVar("T")

NOT_THERE = "there is no such thing in this workspace"

Id = Annotated[str, Path(max_length=100)]
Word = Annotated[str, Query(max_length=100)]

# Repeating a request with the same key does nothing twice.
IdempotencyKey = Annotated[
    str,
    Header(alias="Idempotency-Key", min_length=1, max_length=200, pattern=r"^[!-~]+$",
           description="A word of your own: a request that is repeated with it does nothing twice. One for every act."),
]  # fmt: skip


def or_404(found: T | None) -> T:
    """What was found; 404 when nothing was."""
    if found is None:
        raise HTTPException(404, NOT_THERE)
    return found


def key_digest(idempotency_key: str) -> str:
    """A caller's idempotency key, short enough for an id of ours."""
    return hashlib.sha256(idempotency_key.encode()).hexdigest()[:32]
