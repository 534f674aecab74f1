"""Fairness between channels: a flood on one must not slow down the contacts of another."""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

SHARE = 16  # turns that one channel has under way in a process while others are in use
IN_USE = timedelta(minutes=10)  # so long after its last turn a channel still counts
FIRST_PAUSE = timedelta(milliseconds=50)
LONGEST_PAUSE = timedelta(seconds=5)
REMEMBERED = 20_000  # addresses of which we know the channel


@dataclass(slots=True)
class Lanes:
    """Counts the turns of each channel that are under way. A channel that is alone has no limit.

    All turns of a process share a processor, so what matters to a contact is how many are under way besides their own.
    """

    share: int = SHARE
    channels: OrderedDict[str, str] = field(default_factory=OrderedDict)  # by address
    running: Counter[str] = field(default_factory=Counter)
    used: dict[str, datetime] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)  # since a turn of the channel ended last

    def know(self, address: str, channel: str) -> None:
        """Remember where an address is."""
        self.channels[address] = channel
        if len(self.channels) > REMEMBERED:
            self.channels.popitem(last=False)

    def wait_for(self, channel: str, *, now: datetime) -> timedelta | None:
        """How long a turn of this channel should stand back; none where it may begin.

        The more of them stand back, the longer each does, so that asking costs the same however long the queue is.
        """
        shared = any(each != channel and now - at < IN_USE for each, at in self.used.items())
        self.used[channel] = now
        if not shared or self.running[channel] < self.share:
            return None
        self.refused[channel] += 1
        return min(FIRST_PAUSE * (1 + self.refused[channel] / self.share), LONGEST_PAUSE)

    @contextmanager
    def turn(self, channel: str) -> Iterator[None]:
        """A turn of this channel is under way."""
        self.running[channel] += 1
        try:
            yield
        finally:
            self.running[channel] -= 1
            self.refused[channel] = max(0, self.refused[channel] - self.share)
