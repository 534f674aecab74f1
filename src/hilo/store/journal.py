"""The tool journal: a call is recorded before it is made, its result after."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from hilo.dialogue.events import Asks
from hilo.dialogue.stored import Arguments, encode
from hilo.store.work import Claim, is_held
from hilo.tools.database import Script, execute, micros


@dataclass(frozen=True, slots=True)
class CallAttempt:
    """One attempt at a call, in a turn that began with the events up to that one of the inbox."""

    session: str
    turn: int
    call_id: str
    attempt: int
    tool: str
    inbox: int


def begin_call(held: Claim, call: CallAttempt, arguments: Mapping[str, Any], *, now: datetime) -> Script[bool]:
    """Write an intent down; false when the lease is lost, and then the call must not be made."""
    if not (yield from is_held(held)):
        return False
    yield from execute(
        "begin_call",
        **{name: getattr(call, name) for name in CallAttempt.__dataclass_fields__},
        arguments=encode(Arguments, arguments),
        at=micros(now),
    )
    return True


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a call."""

    status: Literal["ok", "failed", "unknown"]
    outputs: Mapping[str, Any]
    error: str = ""
    tell: str = ""
    asks: Asks | None = None
    person: str = ""


def end_call(call: CallAttempt, ended: Ended, *, now: datetime) -> Script[None]:
    """Record the result."""
    keys = {"session": call.session, "turn": call.turn, "call_id": call.call_id, "attempt": call.attempt}
    yield from execute(
        "end_call",
        **keys,
        status=ended.status,
        outputs=encode(Arguments, ended.outputs),
        error=ended.error,
        tell=ended.tell,
        asks=encode(Asks, ended.asks) if ended.asks else None,
        person=ended.person,
        at=micros(now),
    )
