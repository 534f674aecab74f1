"""What a contact sees of an answer while it is written: no message, and gone unless one takes its place."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import structlog

from hilo.store.turns import SessionScope

log = structlog.get_logger()

Show = Callable[[str], None]
Drafts = Callable[[SessionScope], Show | None]  # none where a channel cannot show them


def no_drafts(_place: SessionScope) -> None:
    """Nobody sees anything before it is sent."""


def shown_at(drafts: Drafts, place: SessionScope) -> Show | None:
    """What a turn shows its words with."""
    show = drafts(place)
    return partial(_show, show, place.channel) if show else None


def _show(show: Show, channel: str, text: str) -> None:
    """That words cannot be shown is no concern of the turn."""
    try:
        show(text)
    except Exception:
        log.warning("draft not shown", channel=channel, exc_info=True)


@contextmanager
def vanishing(show: Show | None) -> Iterator[None]:
    """When this breaks, no message will follow."""
    try:
        yield
    except BaseException:
        if show:
            show("")
        raise
