"""What a provider remembers: every message that it took, in a file that outlives whoever wrote it."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from hilo.channels.channel import Outcome, Received, Sent, Webhook
from hilo.clock import Clock
from hilo.messages import Address, Outbound
from hilo.tools.database import micros, moment


@dataclass(frozen=True, slots=True)
class Copy:
    """A message as the provider took it."""

    at: datetime
    contact: str
    message_id: str
    text: str
    payloads: tuple[str, ...] = ()
    approved: str = ""  # the approved template, with its values

    @property
    def free_form(self) -> bool:
        return bool(self.text)

    @property
    def session(self) -> str:
        return self.message_id.partition(".")[0]

    @property
    def turn(self) -> str:
        """The session and the number of the turn that said it."""
        return ".".join(self.message_id.split(".")[:2])


@dataclass
class LedgerChannel:
    """Takes every message; what is in the file is no more in the process's hands."""

    file: int
    clock: Clock

    @classmethod
    def open(cls, path: Path, clock: Clock) -> "LedgerChannel":
        return cls(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), clock)

    def read(self, webhook: Webhook) -> Received:
        del webhook
        return Received()

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        approved = f"{message.approved.name} {' '.join(message.approved.values)}" if message.approved else ""
        row = [micros(self.clock.now()), to.value, message_id, message.text]
        line = json.dumps([*row, [each.payload for each in message.buttons], approved], ensure_ascii=False)
        os.write(self.file, line.encode() + b"\n")  # one call: it is there as a whole, or not at all
        return Sent()

    async def typing(self, to: Address, *, answering: str) -> None:
        """Nobody looks."""


@dataclass
class Tail:
    """Reads what was added to the file since the last time."""

    file: BinaryIO
    copies: list[Copy] = field(default_factory=list)

    def news(self) -> Iterator[Copy]:
        for line in self.file:
            copy = _copy(*json.loads(line))
            self.copies.append(copy)
            yield copy


def _copy(*row: Any) -> Copy:
    at, contact, message_id, text, payloads, approved = row
    return Copy(moment(at), contact, message_id, text, tuple(payloads), approved)
