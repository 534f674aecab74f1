"""`hilo` in processes of their own that begin with everything imported: forks of one that has done that once.

Half of what a start costs are imports, and tests that kill servers and start them again do so dozens of times.
What is about the start itself begins with Python, as a person's command does.
"""

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
_ONE = threading.Lock()


@dataclass(frozen=True)
class Fork:
    """A running process, told of its end by the kernel, since it is no child of this one."""

    descriptor: int

    def poll(self) -> int | None:
        return None if not select.select([self.descriptor], [], [], 0)[0] else 0

    def wait(self, seconds: float) -> None:
        assert select.select([self.descriptor], [], [], seconds)[0], "it did not end"
        os.close(self.descriptor)

    def kill(self) -> None:
        signal.pidfd_send_signal(self.descriptor, signal.SIGKILL)

    def terminate(self) -> None:
        signal.pidfd_send_signal(self.descriptor, signal.SIGTERM)


def fork_hilo(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Fork:
    """Run the command line in a fork, which writes to the end of the log."""
    job = {"arguments": list(arguments), "environment": dict(environment), "log": str(log)}
    with _ONE:  # tests start two at once, and each must get its own
        process = _parent()
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        return Fork(os.pidfd_open(int(process.stdout.readline())))


@cache
def _parent() -> "subprocess.Popen[str]":
    """One for each process of tests; it ends when nobody is left who could write to it."""
    command, pipe = [sys.executable, __file__], subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)  # noqa: S603 -- our own
    atexit.register(process.communicate)
    return process


def _warm_up() -> None:
    """What is made when it is first needed is made here."""
    import hilo.cli.serve  # noqa: F401, PLC0415 -- in this process only
    from hilo.app import load_agent  # noqa: PLC0415

    for name in ("leads", "kiosco"):
        assert load_agent(ROOT / "agents" / name).turn.understander
    assert threading.active_count() == 1, "a thread would be missing in every fork"


def _be_parent() -> None:
    _warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if not child:
            _be_child(job)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


def _be_child(job: dict[str, object]) -> None:
    from hilo.cli import main  # noqa: PLC0415

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing, log = os.open(os.devnull, os.O_RDONLY), os.open(str(job["log"]), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for number, opened in enumerate((nothing, log, log)):
        os.dup2(opened, number)
    os.environ.clear()
    os.environ.update(job["environment"])  # type: ignore[call-overload]
    sys.argv = ["hilo", *job["arguments"]]  # type: ignore[misc]
    try:
        main()
    except Exception:  # noqa: BLE001 -- the log has it, as that of any process has
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


if __name__ == "__main__":
    _be_parent()
