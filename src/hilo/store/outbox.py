"""What is to be sent: in order per address, tried again when it fails, with what the channel says of it."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from hilo.dialogue.events import SendFailed
from hilo.dialogue.stored import decode, encode
from hilo.dialogue.timers import awake_by
from hilo.messages import Outbound, Receipt
from hilo.store.channel_health import Trouble, left_alone_until, take_trial
from hilo.store.inbox import IdReused, put
from hilo.store.live import LiveEvent, LiveKind, live_rows
from hilo.store.work import LEASE, Claim, NotNow, claim, is_held, release
from hilo.tools.database import (
    Row,
    Script,
    Statement,
    execute,
    maybe_moment,
    micros,
    moment,
    one,
    statement,
    together,
)

HeldFor = Literal["window_closed", "operator"]  # the reason of a message that is held; statements know these words

ATTEMPTS = 5  # of which nobody knows whether they arrived
FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=1)
GIVES_UP = timedelta(hours=24)  # an answer that is older helps nobody
AT_ONCE = 20
BURST_SECONDS = 1.0  # of a channel's rate may be used at once
SKEW = timedelta(seconds=10)  # the clocks of two machines do not differ more
WINDOW_CLOSED: HeldFor = "window_closed"
TEMPLATE = ".template"  # ends the id of a template that goes in place of a refused message

# The agent's words; a notice of the engine, which may go out while an operator holds the session; an operator's words.
Author = Literal["agent", "notice", "operator"]

_LIVE: Mapping[str, LiveKind] = {"held": "held", "failed": "failed"}  # what pages call it; anything else is a receipt


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A message to be put into the outbox, under an id that is the same however often its turn is tried."""

    message_id: str
    workspace: str
    channel: str
    address: str
    session: str | None
    turn: int | None
    author: Author
    message: Outbound
    quiet: str = ""  # hours in which it must not go out
    operator: str = ""  # whose words they are


@dataclass(frozen=True, slots=True)
class Sending:
    """A message that is marked as being sent."""

    claim: Claim
    id: int
    message_id: str
    channel: str
    to: str
    message: Outbound
    attempts: int
    echo: timedelta  # how long a receipt may take that tells whether a message was sent
    workspace: str
    session: str | None
    wanted_at: datetime  # since when it is to be said; a person may want it once more
    refusals: int = 0  # attempts that certainly did not arrive
    channel_fails: bool = False  # whether the channel's last messages did not arrive


@dataclass(frozen=True, slots=True)
class Went:
    """What came of a sending."""

    status: Literal["sent", "later", "failed", "unknown", "held"]
    reason: str = ""
    after: timedelta | None = None
    channel_message_id: str = ""
    trouble: Trouble | None = None  # what is wrong with the channel, and so with all its messages
    judged: bool = False  # the provider took it or refused this one message, so the channel works


def add_messages(drafts: Sequence[OutboxEntry], *, now: datetime) -> Script[None]:
    """Put messages into the outbox, in order."""
    for draft in drafts:
        yield from together(*message_rows(draft, now=now))


def message_rows(draft: OutboxEntry, *, now: datetime) -> tuple[Statement, Statement]:
    """The message, and that its address has something to send."""
    message = statement("add_message", **message_values(draft, now=now))
    urgent = int(draft.author == "operator")
    return message, statement("call_for_send", address=draft.address, next_at=micros(now), urgent=urgent)


def message_values(draft: OutboxEntry, *, now: datetime) -> dict[str, Any]:
    """What is written of a message."""
    return {
        "message_id": draft.message_id,
        "workspace": draft.workspace,
        "channel": draft.channel,
        "address": draft.address,
        "session": draft.session,
        "turn": draft.turn,
        "author": draft.author,
        "message": encode(Outbound, draft.message, exact=False),  # it must be possible to send it
        "quiet": draft.quiet,
        "operator": draft.operator,
        "at": micros(now),
    }


def begin(address: str, *, owner: str, now: datetime, lease: timedelta = LEASE) -> Script[Sending | NotNow]:
    """Claim an address and mark its next message as being sent, if it may be sent now."""
    held = yield from claim("send", address, owner=owner, now=now, lease=lease)
    if isinstance(held, NotNow):
        return held
    (place,), waiting = yield from together(
        statement("sending_to", address=address),
        statement("unsent", address=address, at_most=AT_ONCE),
    )
    echo = timedelta(seconds=place["echo_seconds"])
    closes = _window_end(place)
    closed = closes is not None and closes <= now  # whether only approved templates may be sent
    row = yield from _next(address, waiting, place["workspace_id"], closes=closes, now=now)
    if row is None:
        yield from release(held, next_at=None)
        return NotNow(None)
    due = moment(row["next_at"])
    if row["status"] == "sending":  # a dead process was sending it: the receipt that tells may still come
        due = max(moment(row["sending_at"]) + echo, due)
    due = awake_by(row["quiet"], max(due, now))
    paused = left_alone_until(place["paused_until"], now=now)
    if due <= now and (hopeless := _why_hopeless(row, now, troubled=paused is not None)):
        yield from execute("mark_failed", id=row["id"], reason=hopeless)
        yield from _tell(place["workspace_id"], row["session_id"], row["message_id"], "failed", hopeless, now=now)
        yield from _tell_a_person(place["workspace_id"], row, hopeless, now=now)
        return (yield from _release(held))
    if paused is not None and paused > now:  # after those that can no longer be said, for they wait for nothing
        yield from release(held, next_at=paused)
        return NotNow(paused)
    if due <= now and place["per_second"] and not row["reserved"]:
        due = yield from _rate(place["channel_id"], place["per_second"], now)
        if due > now:
            yield from execute("reserve", id=row["id"], next_at=micros(due))
    if due > now:
        yield from release(held, next_at=due)
        return NotNow(due)
    if paused is not None and not (yield from take_trial(place["channel_id"], paused, now=now)):
        yield from release(held, next_at=now + FIRST_PAUSE)
        return NotNow(now + FIRST_PAUSE)
    if (yield from one("mark_sending", id=row["id"], now=micros(now))) is None:  # a receipt came in this moment
        return (yield from _release(held))
    message = decode(Outbound, row["message"])
    return Sending(
        claim=held,
        id=row["id"],
        message_id=row["message_id"],
        channel=place["channel_id"],
        to=place["value"],
        message=Outbound("", approved=message.approved) if closed else message,
        attempts=row["attempts"] + 1,
        echo=echo,
        workspace=place["workspace_id"],
        session=row["session_id"],
        wanted_at=moment(row["created_at"]),
        refusals=row["refusals"],
        channel_fails=place["failing"] > 0,
    )


def put_back(sending: Sending, *, now: datetime) -> Script[None]:
    """Let a message wait again that was marked as being sent, and was not."""
    if (yield from is_held(sending.claim)):
        yield from execute("mark_refused", id=sending.id, next_at=micros(now), reason="")
        yield from release(sending.claim, next_at=now)


def _why_hopeless(row: Row, now: datetime, *, troubled: bool) -> str:
    """Why a message is not tried once more, if so; over a troubled channel it may have waited without any trial."""
    if row["attempts"] >= ATTEMPTS:  # those who tried did not live to say what was wrong
        return f"perhaps sent: {ATTEMPTS} attempts were broken off"
    if (row["refusals"] or troubled) and now - moment(row["created_at"]) >= GIVES_UP:
        return f"{row['refusals']} attempts in {GIVES_UP.days * 24} hours, the last: {row['reason'] or 'none'}"
    return ""


def _window_end(place: Row) -> datetime | None:
    """When free text may no longer be sent to an address; none where that never is."""
    if not place["window_hours"]:
        return None
    if place["heard_at"] is None:  # nobody has opened the window who was never heard
        return moment(0)
    return moment(place["heard_at"]) + timedelta(hours=place["window_hours"])


def _tell(  # noqa: PLR0913 -- what became of which message
    workspace: str, session: str | None, message_id: str, status: str, reason: str = "", *, now: datetime
) -> Script[None]:
    """Tell open pages what became of a message."""
    yield from _told(workspace, session, message_id, status, reason, now=now)


def _told(  # noqa: PLR0913 -- what became of which message
    workspace: str, session: str | None, message_id: str, status: str, reason: str = "", *, now: datetime
) -> Iterator[Statement]:
    kind: LiveKind = _LIVE.get(status, "receipt")
    told = LiveEvent(kind, session or "", {"id": message_id, "status": status, "reason": reason})
    return live_rows(workspace, (told,), now=now)


def _tell_a_person(workspace: str, message: Row, reason: str, *, now: datetime) -> Script[None]:
    """What could not be said is a person's to say otherwise; told once, and again for what a person sent again."""
    session, message_id = message["session_id"], message["message_id"]
    if session is None:
        return
    once = f"send_failed:{message_id}:{message['created_at']}"
    with suppress(IdReused):  # it was told with another reason
        yield from put(workspace, session, SendFailed(now, message_id, reason), external_id=once, now=now)


def _next(
    address: str, rows: list[Row], workspace: str, *, closes: datetime | None, now: datetime
) -> Script[Row | None]:
    """The first message that may go out.

    Those before it are held for an operator: free text when the window is closed, and what the agent said while an
    operator has the session.
    """
    while rows:
        for row in rows:
            try:
                message = decode(Outbound, row["message"])
            except Exception as error:  # noqa: BLE001 -- whatever is wrong with it, it must not hold up the next
                unreadable = f"unreadable: {type(error).__name__}"
                yield from execute("mark_failed", id=row["id"], reason=unreadable)
                yield from _tell(workspace, row["session_id"], row["message_id"], "failed", unreadable, now=now)
                yield from _tell_a_person(workspace, row, unreadable, now=now)
                continue
            why: HeldFor | None = None
            if closes is not None and closes <= now and message.approved is None:
                why = WINDOW_CLOSED
            elif row["author"] == "agent":
                holder = yield from one("holder", session=row["session_id"])
                why = "operator" if holder and holder["holder"] == "operator" else None
            if why is None:
                return row
            yield from execute("mark_held", id=row["id"], reason=why)
            yield from _tell(workspace, row["session_id"], row["message_id"], "held", why, now=now)
            if why != WINDOW_CLOSED or closes is None:
                continue
            # It could have been said when it was written, whether or not it was ever tried since.
            if awake_by(row["quiet"], moment(row["created_at"])) < closes:
                late = f"the window closed after {row['refusals']} attempts, the last: {row['reason'] or 'none'}"
                yield from _tell_a_person(workspace, row, late, now=now)
        rows = yield from execute("unsent", address=address, at_most=AT_ONCE)
    return None


def _rate(channel: str, per_second: float, now: datetime) -> Script[datetime]:
    """Take one of the messages that a channel may send; when it may be sent, which is later if others come first."""
    row = yield from one("rate", channel=channel)
    assert row is not None  # noqa: S101 -- its address has just been found
    full = max(1.0, per_second * BURST_SECONDS)
    before = moment(row["refilled_at"] or 0)
    if before - now > SKEW:  # the clock was set back since
        before = now
    refilled = max(now, before)  # senders come here in another order than their clocks say
    elapsed = (refilled - before).total_seconds()
    tokens = min(full, row["tokens"] + elapsed * per_second)
    yield from execute("set_rate", channel=channel, tokens=tokens - 1, refilled_at=micros(refilled))
    return now if tokens >= 1 else refilled + timedelta(seconds=(1 - tokens) / per_second)


def end(sending: Sending, went: Went, *, now: datetime, began: datetime | None = None) -> Script[NotNow]:
    """Record the outcome of a delivery that `began` then, and when the address has its next message."""
    held, their_id = sending.claim, went.channel_message_id
    _, still_ours = yield from together(
        statement("lock_message_id", channel=sending.channel, message_id=their_id or sending.message_id),
        statement("held_lease", address=held.address, kind=held.kind, token=held.token, owner=held.owner),
    )
    if not still_ours:
        return NotNow(None)
    places = (sending.workspace, sending.session, sending.message_id)
    match went.status:
        case "sent":
            return (yield from _sent(sending, their_id, began=began, now=now))
        case "failed":
            yield from _fail(sending, went.reason, now=now)
        case "held":
            yield from execute("mark_held", id=sending.id, reason=went.reason)
            yield from _tell(*places, "held", went.reason, now=now)
            yield from _tell_a_person(sending.workspace, _row_of(sending), went.reason, now=now)
        case "unknown" if sending.attempts >= ATTEMPTS:
            yield from _fail(sending, f"perhaps sent: {went.reason}", now=now)
        case "unknown":
            pause = max(sending.echo, FIRST_PAUSE * 2 ** (sending.attempts - 1))
            yield from execute("mark_unknown", id=sending.id, next_at=micros(now + pause), reason=went.reason)
        case "later":
            pause = max(went.after or timedelta(), _pause(sending))
            yield from execute("mark_refused", id=sending.id, next_at=micros(now + pause), reason=went.reason)
    return (yield from _release(sending.claim))


def _sent(sending: Sending, their_id: str, *, began: datetime | None, now: datetime) -> Script[NotNow]:
    held, began_at = sending.claim, None if began is None else micros(began)
    (released,), _, earlier, _ = yield from together(
        statement("release_sent", address=held.address, token=held.token, sent=sending.id),
        statement("mark_sent", id=sending.id, began_at=began_at, now=micros(now), channel_message_id=their_id),
        statement("receipts_of", channel=sending.channel, message_id=their_id),
        *_told(sending.workspace, sending.session, sending.message_id, "sent", now=now),
    )
    if not earlier or not their_id:
        return NotNow(maybe_moment(released["next_at"]))
    yield from _apply_earlier(sending, earlier, now=now)
    return (yield from _release(held))


def _fail(sending: Sending, reason: str, *, now: datetime) -> Script[None]:
    yield from execute("mark_failed", id=sending.id, reason=reason)
    yield from _tell(sending.workspace, sending.session, sending.message_id, "failed", reason, now=now)
    yield from _tell_a_person(sending.workspace, _row_of(sending), reason, now=now)


def _row_of(sending: Sending) -> Row:
    names = {"session_id": sending.session, "message_id": sending.message_id}
    return {**names, "created_at": micros(sending.wanted_at)}


def _pause(sending: Sending) -> timedelta:
    """Longer with each attempt, and not quite the same for messages that failed together."""
    pause = min(FIRST_PAUSE * 2 ** min(sending.refusals, 10), LONGEST_PAUSE)
    spread: float = zlib.crc32(f"{sending.message_id}:{sending.refusals}".encode()) % 1000 / 4000
    return timedelta(seconds=pause.total_seconds() * (1 + spread))


def _release(held: Claim) -> Script[NotNow]:
    row = yield from one("next_unsent", address=held.address)
    due = moment(row["next_at"]) if row else None
    yield from release(held, next_at=due)
    return NotNow(due)


# --- receipts -----------------------------------------------------------------------------------------

_RANK = {"sent": 1, "failed": 2, "delivered": 3, "read": 4}


def note_receipts(channel: str, receipts: Sequence[Receipt], *, now: datetime) -> Script[tuple[str, ...]]:
    """Write down what the channel says; the addresses whose next message need not wait any longer."""
    freed, failed = [], []
    for receipt in sorted(receipts, key=lambda each: each.message_id):  # two batches never wait for each other
        yield from execute("lock_message_id", channel=channel, message_id=receipt.message_id)
        new = yield from one(
            "add_receipt",
            channel=channel,
            message_id=receipt.message_id,
            status=receipt.status,
            at=micros(receipt.at),
            reason=receipt.reason,
            window_closed=int(receipt.window_closed),
        )
        row = (yield from one("find_message", channel=channel, message_id=receipt.message_id)) if new else None
        if row is None:
            continue
        if row["status"] == "sending":  # others wait for it; who sends locks their work first, so we do it too
            yield from execute("call_for_send", address=row["address_id"], next_at=micros(now), urgent=0)
            freed.append(row["address_id"])
        if (yield from _apply(row, receipt, now=now)):
            freed.append(row["address_id"])
        elif receipt.status == "failed":
            failed.append((row, WINDOW_CLOSED if receipt.window_closed else receipt.reason))
    # Turns are locked after sends, by everybody.
    for row, reason in sorted(failed, key=lambda each: str(each[0]["address_id"])):
        if row["status"] not in {"delivered", "read"}:
            yield from _tell_a_person(row["workspace_id"], row, reason, now=now)
    return tuple(dict.fromkeys(freed))


def _apply(message: Row, receipt: Receipt, *, now: datetime) -> Script[bool]:
    """Move a message forward, whatever order receipts come in; whether its template goes out in its place."""
    arrived = message["status"] in {"delivered", "read"}
    closed = receipt.window_closed and receipt.status == "failed" and not arrived
    instead = _instead(message) if closed else None
    if instead:
        yield from add_messages((instead,), now=now)
    status, reason = str(receipt.status), receipt.reason
    if instead:
        reason = "the window is closed: the template goes instead"
    elif closed:
        status, reason = "held", WINDOW_CLOSED
    moved = {"status": status, "reason": reason, "now": micros(now), "rank": _RANK[receipt.status]}
    if (yield from one("move_message", id=message["id"], **moved)) is not None:
        places = (message["workspace_id"], message["session_id"], message["message_id"])
        yield from _tell(*places, status, reason, now=now)
    return instead is not None


def _instead(message: Row) -> OutboxEntry | None:
    """What may go out in place of a message that came too late; under another id, for the channel knows the first."""
    refused = decode(Outbound, message["message"])
    if refused.approved is None or message["message_id"].endswith(TEMPLATE):
        return None
    places = (message["workspace_id"], message["channel_id"], message["address_id"], message["session_id"])
    template = Outbound("", approved=refused.approved)
    return OutboxEntry(
        message["message_id"] + TEMPLATE, *places, message["turn"], message["author"], template, message["quiet"]
    )


def _apply_earlier(sending: Sending, rows: list[Row], *, now: datetime) -> Script[None]:
    """Receipts may come before the answer that tells us the id they carry."""
    for row in rows:
        message = yield from one("find_message", channel=sending.channel, message_id=sending.message_id)
        assert message is not None  # noqa: S101 -- it has just been sent
        closed = bool(row["window_closed"])
        receipt = Receipt(sending.message_id, row["status"], moment(row["at"]), row["reason"], window_closed=closed)
        yield from _apply(message, receipt, now=now)
