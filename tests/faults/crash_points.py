"""Where a process may die: around every transaction, every sending and every tool."""

import os
import signal
import threading
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class CrashPoints:
    """Counts the places that are passed; at the one with that number, or of that name, the process kills itself."""

    die_at: int = 0
    die_in: str = ""  # every time
    testament: Path | None = None  # where to write what was passed, before dying
    passed: list[str] = field(default_factory=list)
    _one: threading.Lock = field(default_factory=threading.Lock, init=False)

    def reach(self, when: str, what: str) -> None:
        with self._one:  # held until death: while the store's thread dies, the loop's must not send one message more
            self.passed.append(f"{when} {what}")
            if len(self.passed) == self.die_at or self.passed[-1] == self.die_in:
                if self.testament is not None:
                    self.testament.write_text("\n".join(self.passed))
                os.kill(os.getpid(), signal.SIGKILL)


POINTS = CrashPoints()
