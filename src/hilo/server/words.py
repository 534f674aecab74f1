"""What the routes of the API share: ids, and the answer to one that is not there."""

import hashlib
from typing import Annotated, TypeVar

from fastapi import HTTPException, Path, Query

T = TypeVar("T")

NOT_THERE = "there is no such thing in this workspace"

Id = Annotated[str, Path(max_length=100)]
Word = Annotated[str, Query(max_length=100)]


def there(found: T | None) -> T:
    """What was found; 404 when nothing was."""
    if found is None:
        raise HTTPException(404, NOT_THERE)
    return found


def digest(once: str) -> str:
    """A caller's word, short enough for a key of ours."""
    return hashlib.sha256(once.encode()).hexdigest()[:32]
