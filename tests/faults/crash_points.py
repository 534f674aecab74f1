"""Where a process may die: around every transaction, every sending and every tool."""

import os
import signal
import threading
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class CrashPoints:
    """Notes the places that are passed; at one of them the process kills itself.

    A place is a name and how often it was passed: by its number among all places it would be another one as soon as
    two workers come round in another order.
    """

    die_in: str = ""
    nth: int = 0  # at which passing of it; 0: at every one
    testament: Path | None = None  # where to write what was passed, before dying
    passed: list[str] = field(default_factory=list)
    _one: threading.Lock = field(default_factory=threading.Lock, init=False)

    def reach(self, when: str, what: str) -> None:
        with self._one:  # held until death: while the store's thread dies, the loop's must not send one message more
            self.passed.append(f"{when} {what}")
            if self.passed[-1] == self.die_in and self.nth in (0, self.passed.count(self.die_in)):
                if self.testament is not None:
                    self.testament.write_text("\n".join(self.passed))
                os.kill(os.getpid(), signal.SIGKILL)


POINTS = CrashPoints()
