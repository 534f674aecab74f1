"""Who holds a lease: a process that can be told alive or dead by others on the same machine."""

import os
import platform
from pathlib import Path

_PROC = Path("/proc")
_ENDED = ("Z", "X")  # dead, though its parent has not asked yet how it ended


def this_process(name: str = "") -> str:
    """The machine, the process and when it started; a restarted process is another one, whatever its number."""
    return f"{_machine()}|{os.getpid()}|{_started(os.getpid())}|{name}"


def is_dead(owner: str) -> bool:
    """Whether an owner was a process of this machine that is no more; of other machines nothing is known."""
    machine, _, rest = owner.partition("|")
    number, _, rest = rest.partition("|")
    started = rest.partition("|")[0]
    if machine != _machine() or not number.isdigit() or not _PROC.is_dir():
        return False
    return _started(int(number)) != started


def _machine() -> str:
    """Processes see one another only within a namespace, so it belongs to the machine's name."""
    try:
        namespace = (_PROC / "self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        namespace = ""
    return f"{platform.node()}/{namespace}"


def _started(number: int) -> str:
    try:
        stat = (_PROC / str(number) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in _ENDED else fields[19]
