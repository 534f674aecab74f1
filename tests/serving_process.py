"""A `hilo` that serves in a process of its own, and a visitor who chats with it."""

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

import httpx

from patience import PATIENCE

CHAT = re.compile(r"Chat with (\w+): (\S+)")
OURS = ("HILO_", "ANTHROPIC_", "PYTHON")
STEP = 0.05  # seconds between two looks


class ServingProcess:
    """What a process has printed, and where its chats are."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        self.lines.extend(map(str.rstrip, self.process.stdout))  # each as it comes

    @property
    def printed(self) -> str:
        return "\n".join(self.lines)

    def until(self, pattern: str, *, after: int = 0) -> re.Match[str]:
        """Wait until this was printed, perhaps after a number of lines."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            # asked before it is read: what a process prints last is read after it ended
            ended = self.process.poll() is not None
            if found := re.search(pattern, "\n".join(self.lines[after:])):
                return found
            assert not ended, f"it ended with {self.process.returncode}:\n{self.printed}"
            time.sleep(STEP)
        raise AssertionError(f"{pattern!r} was not printed:\n{self.printed}")

    @property
    def chats(self) -> dict[str, str]:
        """The address of each chat page."""
        self.until("Panel: ")
        return dict(CHAT.findall(self.printed))

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def serving_process(
    command: Sequence[str | Path], *, folder: Path, environment: Mapping[str, str] | None = None
) -> Iterator[ServingProcess]:
    """Start it in a folder, with the variables of this process except those that speak of Hilo or of a model."""
    theirs = {name: value for name, value in os.environ.items() if not name.startswith(OURS) or name == "HILO_CACHE"}
    clean = {**theirs, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
    with subprocess.Popen(  # noqa: S603 -- our own
        list(map(str, command)), cwd=folder, env={**clean, **(environment or {})},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            yield ServingProcess(process)
        finally:
            if process.poll() is None:
                process.kill()


class Visitor:
    """Somebody on a chat page."""

    def __init__(self, url: str, token: str = "") -> None:
        self.url, self.token = url, token or token_hex(16)

    def messages(self) -> list[dict[str, str]]:
        answer = httpx.get(f"{self.url}/messages", headers={"X-Visitor": self.token})
        found: list[dict[str, str]] = answer.json()["messages"]
        return found

    def say(self, text: str) -> str:
        """Write, and wait for the reply."""
        before = len(self.messages())
        body = {"id": token_hex(8), "text": text}
        httpx.post(f"{self.url}/messages", json=body, headers={"X-Visitor": self.token}).raise_for_status()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            replies = [each["text"] for each in self.messages()[before:] if each["by"] != "contact"]
            if replies:
                return "\n".join(replies)
            time.sleep(STEP)
        raise AssertionError(f"nobody answered {text!r}")
