"""The first message of a turn is marked as being sent by the turn's own commit, where nothing stands in its way.

That is `begin` of the outbox without a transaction of its own. What `begin` has to weigh (a rate, quiet hours, a closed
window, a troubled channel, messages before it, somebody who sends there) leaves the message to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from hilo.dialogue.stored import decode
from hilo.dialogue.timers import awake_by
from hilo.messages import Outbound
from hilo.store.outbox import OutboxEntry, Sending, message_values
from hilo.store.turns import Outcome
from hilo.store.work import Claim
from hilo.tools.database import Row, Script, Statement, execute, micros, statement, storable


@dataclass(frozen=True, slots=True)
class FirstMessage:
    """A message, who would send it, and for how long the address is claimed for that."""

    entry: OutboxEntry
    values: Mapping[str, Any]  # as they are written
    owner: str
    lease: timedelta
    now: datetime
    place: Row = field(default_factory=dict)  # where it goes, once it is known that it may

    def asks(self) -> Statement:
        """Whether it may go at once; a row means that it may."""
        return statement("free_to_send", address=self.entry.address, now=micros(self.now))

    def rows(self) -> tuple[Statement, Statement]:
        """The message as one that is being sent, and the claim of its address."""
        times = {"now": micros(self.now), "until": micros(self.now + self.lease)}
        claimed = statement("claim_send", address=self.entry.address, owner=self.owner, **times)
        return statement("add_sending", **self.values), claimed

    def begun(self, added: Sequence[Row], claimed: Sequence[Row]) -> Script[Sending | None]:
        """What is being sent now, by the rows of those statements."""
        entry, place = self.entry, self.place
        if not added or not claimed:
            yield from self._leave(added, claimed)
            return None
        return Sending(
            claim=Claim(entry.address, "send", self.owner, claimed[0]["lease_token"], claimed[0]["attempts"]),
            id=added[0]["id"],
            message_id=entry.message_id,
            channel=entry.channel,
            to=place["value"],
            message=_as_stored(entry.message, self.values["message"]),
            attempts=1,
            echo=timedelta(seconds=place["echo_seconds"]),
            workspace=entry.workspace,
            session=entry.session,
            wanted_at=self.now,
            channel_fails=place["failing"] > 0,
        )

    def _leave(self, added: Sequence[Row], claimed: Sequence[Row]) -> Script[None]:
        """Somebody was a moment earlier: it waits for its turn like any other message."""
        address, now = self.entry.address, micros(self.now)
        for row in added:
            yield from execute("mark_refused", id=row["id"], next_at=now, reason="")
        for row in claimed:
            yield from execute("release_sent", address=address, token=row["lease_token"], sent=0)
        yield from execute("call_for_send", address=address, next_at=now, urgent=0)


def first_message(outcome: Outcome, *, now: datetime, lease: timedelta | None) -> FirstMessage | None:
    """The message that might go at once, as far as the turn itself can tell."""
    if lease is None or not outcome.messages or outcome.taken.place.per_second:
        return None
    entry = outcome.messages[0]
    held_back = entry.author == "agent" and outcome.session.holder == "operator"
    if held_back or awake_by(entry.quiet, now) > now:
        return None
    return FirstMessage(entry, message_values(entry, now=now), outcome.taken.claim.owner, lease, now)


def _as_stored(message: Outbound, written: str) -> Outbound:
    """The message as the table has it: in characters that every database keeps."""
    kept = storable(written)
    if kept == written:
        return message
    changed: Outbound = decode(Outbound, kept)
    return changed
