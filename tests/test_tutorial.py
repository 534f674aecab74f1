"""The tutorial is followed to the letter: files are written, commands run, and what they print is what it shows."""

import re
import shlex
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from hilo.cli import hilo
from patience import PATIENCE
from servers import free_port
from serving_process import ServingProcess, Visitor, serving_process

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
AGENT = Path("peluqueria")
PIECE = re.compile(r"^```(\w+)\n(.*?)^```|^<!-- edit: `(.*?)` becomes `(.*?)` -->", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"\A(?:#|--) (\S+\.(?:py|sql))\n")
SERVING = ("serve", "dev")
BY_HAND = ("python3.11", ".venv/bin/pip", "source")  # test_package.py installs
LEFT_OUT = "…"


class Reader:
    """Somebody who does what the page says, in a folder of their own."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.port = free_port()
        self.printed = ""
        self.served: ServingProcess | None = None
        self.answers: list[str] = []
        self.commands: list[str] = []

    def write(self, name: Path | str, text: str) -> None:
        file = self.folder / AGENT / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def edit(self, old: str, new: str) -> None:
        text = (self.folder / AGENT / "agent.yaml").read_text(encoding="utf-8")
        assert old in text
        self.write("agent.yaml", text.replace(old, new))

    def run(self, line: str) -> None:
        line = line.replace("127.0.0.1:8001", f"127.0.0.1:{self.port + 1}")
        program, *words = shlex.split(line)
        self.commands.append(" ".join([program, *words[:1]]))
        if program == "curl":
            self.answers.append(request(words))
        elif program == "hilo" and words[0] in SERVING:
            self.serve(words)
        elif program == "hilo":
            result = CliRunner(env={"COLUMNS": "120", "HILO_DATABASE_URL": None}).invoke(hilo, words)
            assert result.exception is None or isinstance(result.exception, SystemExit)
            self.printed = result.output
        else:
            assert program in BY_HAND, line

    def serve(self, words: list[str]) -> None:
        if self.served:
            assert self.served.stop() == 0
        command = [sys.executable, "-m", "hilo", *words, "--port", str(self.port)]
        self.served = self.stack.enter_context(serving_process(command, folder=self.folder))
        assert "peluqueria" in self.served.chats

    def expect(self, shown: str) -> None:
        """What the last command printed, or what a process that serves has printed meanwhile."""
        pattern = ".*".join(re.escape(part) for part in shown.strip().split(LEFT_OUT))
        if self.served and not self.printed:
            self.served.until(pattern)
        else:
            assert re.fullmatch(pattern, self.printed.strip(), re.DOTALL), self.printed
        self.printed = ""


def request(words: list[str]) -> str:
    """What curl would get; a question about a phone is asked until our side has said something."""
    url, *options = words
    given = dict(zip(options[::2], options[1::2], strict=True))
    if "-d" in given:
        kind, _, value = given["-H"].partition(": ")
        return httpx.post(url, content=given["-d"], headers={kind: value}).raise_for_status().text
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        bubbles = httpx.get(url).json()["bubbles"]
        if bubbles and bubbles[-1]["side"] == "business":
            return str(bubbles[-1]["text"])
        time.sleep(0.1)
    raise AssertionError("nothing arrived")


def test_the_tutorial_goes_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HILO_DATABASE_URL", raising=False)
    with ExitStack() as stack:
        reader = Reader(tmp_path, stack)
        for kind, text, old, new in PIECE.findall(PAGE):
            if old:
                reader.edit(old, new)
            elif kind == "console":
                for line in text.splitlines():
                    reader.run(line.removeprefix("$ "))
            elif kind == "text":
                if "handed off" in text:
                    wait_for_the_handoff(reader)
                reader.expect(text)
            elif text.startswith("agent:"):
                reader.write("agent.yaml", text)
            elif text.startswith("conversation:"):
                reader.write("conversations/turno.yaml", text)
            elif named := NAMED.match(text):
                reader.write(named[1], text)
        assert "¿Para qué día?" in reader.answers[1]
        assert reader.served
        assert "¿Para qué día?" in Visitor(reader.served.chats["peluqueria"]).say("quiero un turno para color")
    assert set(reader.commands) >= {"hilo check", "hilo test", "hilo dev", "hilo serve", "hilo sessions"}


def wait_for_the_handoff(reader: Reader) -> None:
    """The reader looks again until the message has had its turn."""
    end = time.monotonic() + PATIENCE
    while "handed off" not in reader.printed and time.monotonic() < end:
        time.sleep(0.2)
        reader.run("hilo sessions")
