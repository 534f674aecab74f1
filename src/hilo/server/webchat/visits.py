"""Who is talking on which page: the browser's secret, and how fast it may write."""

import hashlib
import re
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hilo.channels.webchat import WebChat
from hilo.server.edge import HttpEdge
from hilo.store.chat import ChatVisit, Cursor

VISITOR_HEADER = "x-visitor"  # a header, because addresses are logged
MESSAGES = 20  # of one visitor within the time below
FROM_ADDRESS = 100  # a whole office, or a school
FROM_ALL = 1_000
WITHIN = timedelta(seconds=10)
MAX_REMEMBERED = 10_000

_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,128}")  # 22 characters hold 128 bits
_CURSOR = re.compile(r"([0-9]{1,18})\.([0-9]{1,18})")


def visitor_of(token: str) -> str | None:
    """The address of a visitor. It is not the secret itself: whoever can look into the store cannot speak for them."""
    if not _TOKEN.fullmatch(token):
        return None
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def read_cursor(written: str) -> Cursor | None:
    """A cursor that we have written before."""
    match = _CURSOR.fullmatch(written)
    return Cursor(int(match[1]), int(match[2])) if match else None


def write_cursor(cursor: Cursor) -> str:
    """A cursor for the browser to keep."""
    return f"{cursor.heard}.{cursor.said}"


async def web_chat(edge: HttpEdge, channel: str) -> WebChat | None:
    """A chat page by the id of its channel; other channels are not even looked for."""
    found = await edge.channels.find(channel) if await edge.channels.is_kind(channel, "web") else None
    return found if isinstance(found, WebChat) else None


@dataclass
class Pace:
    """How much was written lately, in this process: by each visitor, from each address, and by all together.

    A visitor is whatever a browser says it is, so a flood has as many as it likes; it has fewer addresses.
    """

    written: dict[str, deque[datetime]] = field(default_factory=dict)

    def allows(self, visit: ChatVisit, address: str, *, now: datetime) -> bool:
        """Whether another message may come now; if so, it is counted."""
        if len(self.written) >= MAX_REMEMBERED:
            self.written = {each: times for each, times in self.written.items() if times[-1] > now - WITHIN}
        limits = {
            f"visitor {visit.channel} {visit.visitor}": MESSAGES,
            f"address {address}": FROM_ADDRESS,
            "all": FROM_ALL,
        }
        for each, limit in limits.items():
            times = self.written.get(each)
            # A clock that was set back must not lock anybody out until it has caught up.
            if times and len(times) == limit and timedelta() <= now - times[0] < WITHIN:
                return False
        for each, limit in limits.items():
            self.written.setdefault(each, deque(maxlen=limit)).append(now)
        return True
