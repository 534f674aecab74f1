"""What comes in goes before what is there: while a channel's messages are being written down, its turns stand back.

A message on its way in may belong to a burst whose turn is due, or may even have been written before what waits. On a
machine with much to do the turns would otherwise keep it out until its burst was answered without it. Another channel's
turns wait for none of that: a flood on one does not slow down the contacts of another.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

LONGEST = 5.0  # seconds that a turn stands back; a flood must not keep it from ever beginning
LATE = timedelta(seconds=1)  # so much later than usual; many channels tell the time in whole seconds
NEXT = 0.25  # seconds within which another one follows, where they come late


class ChannelArrivals:
    """The messages of one channel that are being written down in this process, and whether more are on their way."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._under_way = 0
        self._none = asyncio.Event()
        self._none.set()
        self._door = asyncio.Lock()
        self._usual = timedelta.max  # the shortest time that a message took to come
        self._expected = 0.0  # until then another late one, by the loop's clock

    @contextmanager
    def writing(self, sent: Iterable[datetime], *, now: datetime) -> Iterator[None]:
        """The messages of one webhook, from when they were read until they are safe."""
        self._under_way += 1
        self._none.clear()
        try:
            yield
        finally:
            for at in sent:
                self._note_lag(now - at)
            self._under_way -= 1
            if not self._under_way:
                self._none.set()

    def _note_lag(self, lag: timedelta) -> None:
        """The channel's clock may be wrong, so it is compared with itself."""
        self._usual = min(self._usual, lag)
        if lag - self._usual > LATE:
            self._expected = asyncio.get_running_loop().time() + NEXT

    async def stand_back(self) -> None:
        """Wait until a turn may begin.

        Turns come through one by one, in the order in which they came due, so that the loop looks after each of them
        at what else has come in.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + self._longest
        async with self._door:
            await asyncio.sleep(0)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(until):
                    while self._under_way or self._expected > loop.time():
                        await self._none.wait()
                        await asyncio.sleep(max(0, self._expected - loop.time()))


Arrivals = defaultdict[str, ChannelArrivals]  # by channel


def no_arrivals() -> Arrivals:
    """Nothing has come in yet."""
    return defaultdict(ChannelArrivals)
