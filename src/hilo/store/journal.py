"""The tool journal: a call is recorded before it is made, its result after."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from hilo.dialogue.events import Asks
from hilo.dialogue.stored import Arguments, encode
from hilo.store.store import stepwise
from hilo.store.work import Claim
from hilo.tools.database import Script, execute, micros, statement, together


@dataclass(frozen=True, slots=True)
class CallAttempt:
    """One attempt at a call, in a turn that began with the events up to that one of the inbox."""

    session: str
    turn: int
    call_id: str
    attempt: int
    tool: str
    inbox: int


@stepwise
def begin_call(held: Claim, call: CallAttempt, arguments: Mapping[str, Any], *, now: datetime) -> Script[None]:
    """Write an intent down; Refuted when the lease is lost, and then the call must not be made."""
    ours = {"address": held.address, "kind": held.kind, "token": held.token, "owner": held.owner}
    intent = {name: getattr(call, name) for name in CallAttempt.__dataclass_fields__}
    yield from together(
        statement("held_lease", **ours),
        statement("begin_call", **intent, arguments=encode(Arguments, arguments), at=micros(now)),
        required=1,
    )


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a call."""

    status: Literal["ok", "failed", "unknown"]
    outputs: Mapping[str, Any]
    error: str = ""
    tell: str = ""
    asks: Asks | None = None
    person: str = ""


@stepwise
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
