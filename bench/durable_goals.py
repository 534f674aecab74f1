"""The goals of a durable turn, each with what it comes to now; the last table of `python -m bench.durable --ratios`."""

import asyncio
import os
import re
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent
FIVE = ("kiosco", "somnio", "vuelos", "turnos", "leads")
PATIENCE = 120.0  # seconds for `hilo serve` to answer
MESSAGES = 60  # that are understood
MEGABYTE = 1 << 20
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Goal:
    """A line of the table."""

    what: str
    now: str
    goal: str

    @classmethod
    def at_most(cls, what: str, found: Sequence[float], most: Sequence[float], unit: str = "") -> "Goal":
        """Numbers that should not be greater than others."""
        said = " / ".join(f"{each:.2f}" for each in found)
        return cls(what, said + unit, "≤ " + " / ".join(f"{each:g}" for each in most) + unit)


# --- a process that serves five agents -----------------------------------------------------------------


def serving() -> Iterator[Goal]:
    """Memory, and the time from the start to the first answer, with bytecode kept as an installed program has it."""
    with tempfile.TemporaryDirectory(prefix="hilo-bench-") as folder:
        _serve_once(Path(folder))  # compiles everything
        wall, cpu, resident, own = _serve_once(Path(folder))
    yield Goal("memory of `serve` with five agents: resident / its own", f"{resident:.0f} / {own:.0f} MB", "≤ 150 MB")
    yield Goal("start to first answer: CPU / as it took here", f"{cpu:.2f} / {wall:.2f} s", "≤ 0.8 s")


def _serve_once(folder: Path) -> tuple[float, float, float, float]:
    started = time.perf_counter()
    with _served(folder) as (process, port):
        asyncio.run(_first_answer(f"http://127.0.0.1:{port}/chat/web-leads/messages"))
        wall = time.perf_counter() - started
        fields = (_PROC / f"{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        memory = (_PROC / f"{process}/smaps_rollup").read_text(encoding="utf-8")
    sizes = {name: int(size) / 1024 for name, size in re.findall(r"(\w+): +(\d+) kB", memory)}
    return wall, cpu, sizes["Rss"], sizes["Private_Clean"] + sizes["Private_Dirty"]


@contextmanager
def _served(folder: Path) -> Iterator[tuple[int, int]]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "HILO_DATABASE_URL": f"sqlite:///{folder}/hilo.db",
        "PYTHONPYCACHEPREFIX": f"{folder}/bytecode",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    agents = [str(ROOT / "agents" / name) for name in FIVE]
    command = [sys.executable, "-m", "hilo", "serve", *agents, "--port", str(port), "--burst", "0s"]
    process = subprocess.Popen([*command, "--log-level", "error"], env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 -- our own words
    try:
        yield process.pid, port
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


async def _first_answer(address: str) -> None:
    """Write as a visitor, and read until the agent has answered."""
    visitor = {"x-visitor": secrets.token_urlsafe(24)}
    async with httpx.AsyncClient(headers=visitor, timeout=PATIENCE) as browser, asyncio.timeout(PATIENCE):
        written = {"id": secrets.token_hex(8), "text": "hola, soy Juan Pérez"}
        while not await _went(browser, address, written):  # noqa: ASYNC110 -- it is another process
            await asyncio.sleep(0.01)
        while "agent" not in (await browser.get(address)).text:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def _went(browser: httpx.AsyncClient, address: str, written: dict[str, str]) -> bool:
    try:
        return (await browser.post(address, json=written)).is_success
    except httpx.TransportError:
        return False


# --- smaller ones --------------------------------------------------------------------------------------


def understanding() -> Goal:
    """Reading messages of an agent with intents."""
    from bench.understanding import own_messages  # noqa: PLC0415

    from hilo.app import load_agent  # noqa: PLC0415
    from hilo.understanding.reading import read  # noqa: PLC0415

    turn, took = load_agent(ROOT / "agents" / "vuelos").turn, []
    texts = own_messages()
    for text in texts[:: max(1, len(texts) // MESSAGES)]:
        begun = time.process_time()
        reading = read(turn.understander, text, at=datetime.now(UTC))
        for slot in turn.agent.slots.values():
            reading.values.of(slot)
        took.append((time.process_time() - begun) * 1000)
    middle = statistics.median(took)
    return Goal.at_most("understanding of a message with intents, p50", [middle], [1.5], " CPU-ms")


def graph() -> Goal:
    """A turn beside a bare LangGraph graph of as many nodes: `python bench/turn.py` has more of it."""
    done = subprocess.run(  # noqa: S603 -- our own words
        [sys.executable, str(ROOT / "bench/turn.py"), "--rounds", "5"],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    found = {name: float(ratio) for name, ratio in re.findall(r"(\w+) +[\d.]+ ms +([\d.]+) ×", done.stdout)}
    return Goal.at_most(
        "walked / compiled turn, of a bare LangGraph graph", [found["walk"], found["langgraph"]], [0.2, 1.2]
    )


def demo() -> Goal:
    """The packages that `make demo` installs, as large as they are here; how long that takes the network has to say."""
    pinned = (ROOT / "requirements/demo.txt").read_text(encoding="utf-8")
    size = sum(map(_size, re.findall(r"^([\w.-]+)==", pinned, re.MULTILINE)))
    return Goal("packages of `make demo`, without bytecode", f"{size / MEGABYTE:.0f} MB", "≤ 250 MB with bytecode")


def _size(package: str) -> int:
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return 0
    places = (Path(str(each.locate())) for each in files if each.suffix != ".pyc")
    return sum(place.stat().st_size for place in places if place.exists())
