"""`hilo serve` as a process of its own, which may be killed and started again."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from patience import PATIENCE
from servers import free_port

AGENTS = Path(__file__).parents[2] / "agents"
START_SECONDS = PATIENCE
MODEL = ("HILO_MODEL_URL", "HILO_MODEL_KEY", "ANTHROPIC_API_KEY")  # none but a test's own is asked
COMMAND = "from hilo.cli import main; main()"


@dataclass
class Serving:
    """Agents on a free port, with a database of their own."""

    folder: Path
    agents: tuple[Path, ...] = (AGENTS / "leads", AGENTS / "vuelos")
    environment: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

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
        command = [sys.executable, "-c", COMMAND, "serve", *places, "--port", str(self.port), "--burst", "0s"]
        command += self.options
        own = {"HILO_DATABASE_URL": self.database_url, "HILO_QUEUE_URL": ""}
        environment = {**os.environ, **dict.fromkeys(MODEL, ""), **own, **self.environment}
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)  # noqa: S603 -- our words
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self.process.poll() is None, self.log()
            assert time.monotonic() < deadline, f"hilo serve did not start: {self.log()}"
            time.sleep(0.05)

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
