"""`hilo serve` as a process of its own, which may be killed and started again."""

import os
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket

import httpx

from forks import Fork, fork_hilo
from patience import PATIENCE
from servers import free_port

AGENTS = Path(__file__).parents[2] / "agents"
START_SECONDS = PATIENCE
MODEL = ("HILO_MODEL_URL", "HILO_MODEL_KEY", "ANTHROPIC_API_KEY")  # none but a test's own is asked


@dataclass
class Serving:
    """Agents on a free port, with a database of their own."""

    folder: Path
    agents: tuple[Path, ...] = (AGENTS / "leads", AGENTS / "vuelos")
    environment: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: Fork | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def database_url(self) -> str:
        return f"sqlite:///{self.database}"

    @property
    def database(self) -> Path:
        return self.folder / "hilo.db"

    def start(self) -> None:
        places = map(str, self.agents)
        command = ["serve", *places, "--port", str(self.port), "--burst", "0s", *self.options]
        own = {"HILO_DATABASE_URL": self.database_url, "HILO_QUEUE_URL": ""}
        environment = {**os.environ, **dict.fromkeys(MODEL, ""), **own, **self.environment}
        self.process = fork_hilo(command, environment, self.folder / "log")
        deadline = time.monotonic() + START_SECONDS
        while not self._listens() or not self._answers():
            assert self.process.poll() is None, self.log()
            assert time.monotonic() < deadline, f"hilo serve did not start: {self.log()}"
            time.sleep(0.05)

    def _listens(self) -> bool:
        """Asked first: to make an HTTP client twenty times a second is half of the work of a start."""
        with closing(socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """Without a word, as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(START_SECONDS)
        self.process = None

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(START_SECONDS)
            self.process = None

    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8")
