"""How fast a webhook is acknowledged: `hilo serve` with its workers, loaded from a second process over loopback.

    python bench/gateway.py [--rate 200] [--seconds 15] [--agent agents/leads]

Every request is one WhatsApp message by way of Infobip, signed, from one of 500 contacts; it is acknowledged when it is
safe in the inbox, while the turns of the others run. The provider's side takes the replies.
"""

import argparse
import asyncio
import base64
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
SENDER = "441134960000"
CONTACTS = 500
CONNECTIONS = 50
WAIT = 20.0
WARM_UP = 2.0  # seconds that are not counted
GOAL_MS = 100.0
PASSWORD = "una-clave-para-medir"  # noqa: S105 -- of a server that lives for seconds


def main() -> None:
    """Print one line of milliseconds; fail when the goal is missed."""
    options = argparse.ArgumentParser()
    options.add_argument("--rate", type=int, default=200)
    options.add_argument("--seconds", type=float, default=15)
    options.add_argument("--agent", type=Path, default=ROOT / "agents/leads")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), given.agent, given.rate, given.seconds))


async def measure(folder: Path, agent: Path, rate: int, seconds: float) -> None:
    """Serve, load, tell."""
    provider = await asyncio.start_server(_take, "127.0.0.1", 0)
    environment = {
        **os.environ,
        "HILO_DATABASE_URL": f"sqlite:///{folder}/hilo.db",
        "HILO_SECRET_KEY": "A" * 43 + "=",
    }
    _connect(f"http://127.0.0.1:{provider.sockets[0].getsockname()[1]}", environment)
    with _serving(agent, environment) as port:
        await _healthy(port)
        started = time.process_time()
        times, wrong = await _load(port, rate, seconds)
        tell(times, wrong, rate=rate, load_cpu=time.process_time() - started)
        print("after that:", await _metrics(port, _key(environment)))
    provider.close()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()  # the provider's open connections


async def _take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A provider that takes everything at once."""
    taken = b'{"status": {"groupId": 1}}'
    with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
        while True:
            await _read(reader)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(taken), taken))


async def _read(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """One HTTP message of a peer that says how long it is."""
    head = await reader.readuntil(b"\r\n\r\n")
    size = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    return head, await reader.readexactly(size)


def tell(times: list[float], wrong: int, *, rate: int, load_cpu: float) -> None:
    """The line, and whether the goal is met."""
    ordered = sorted(each * 1000 for each in times)
    at = {name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] for name, share in SHARES.items()}
    shown = "  ".join(f"{name} {value:6.1f} ms" for name, value in at.items())
    print(f"{len(ordered)} acknowledged at {rate}/s, {wrong} not:  {shown}  mean {statistics.mean(ordered):.1f} ms")
    print(f"(the load itself took {load_cpu:.1f} s of a core)")
    if wrong or at["p99"] > GOAL_MS:
        print(f"MISSED: the goal is p99 <= {GOAL_MS:g} ms and none lost")


SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "max": 1.0}


async def _load(port: int, rate: int, seconds: float) -> tuple[list[float], int]:
    """Requests at fixed times, whether or not the ones before were answered: a slow server is not spared."""
    free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        free.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    times: list[float] = []
    wrong = 0

    async def post(number: int, due: float) -> None:
        nonlocal wrong
        reader, writer = await free.get()
        writer.write(_request(number))
        head, _ = await _read(reader)
        free.put_nowait((reader, writer))
        wrong += not head.startswith(b"HTTP/1.1 200")
        if due >= start + WARM_UP:
            times.append(time.perf_counter() - due)

    start, posts = time.perf_counter(), []
    for number in range(int(rate * (seconds + WARM_UP))):
        due = start + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        posts.append(asyncio.create_task(post(number, due)))
    await asyncio.gather(*posts)
    return times, wrong


def _request(number: int) -> bytes:
    body, secret = _body(number), base64.b64encode(f"hilo:{PASSWORD}".encode()).decode()
    head = f"POST /webhooks/infobip/bench HTTP/1.1\r\nhost: hilo\r\nauthorization: Basic {secret}\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


def _body(number: int) -> bytes:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000+0000")
    message = {"type": "TEXT", "text": f"hola, soy Ana y quiero saber el precio {number}"}
    sender = f"54911{number % CONTACTS:08}"
    result = {"from": sender, "to": SENDER, "integrationType": "WHATSAPP", "receivedAt": now, "message": message}
    return json.dumps({"results": [{**result, "messageId": f"m{number}"}], "messageCount": 1}).encode()


def _connect(provider: str, environment: dict[str, str]) -> None:
    given = {
        "base_url": provider,
        "api_key": "una-clave-de-prueba",
        "sender": SENDER,
        "webhook_secret": PASSWORD,
    }
    settings = [word for name, value in given.items() for word in ("--set", f"{name}={value}")]
    command = [*HILO, "channel", "add", "infobip", "--agent", "leads", "--id", "bench", *settings]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 -- our own words


HILO = (sys.executable, "-c", "from hilo.cli import main; main()")


@contextmanager
def _serving(agent: Path, environment: dict[str, str]) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [*HILO, "serve", str(agent), "--port", str(port), "--log-level", "error"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 -- our own words
    try:
        yield port
    finally:
        process.terminate()
        try:
            process.wait(WAIT)
        except subprocess.TimeoutExpired:
            process.kill()


async def _healthy(port: int) -> None:
    async with asyncio.timeout(WAIT):
        while not (await _get(port, "/readyz")).endswith(b"ready"):  # noqa: ASYNC110 -- it is another process
            await asyncio.sleep(0.05)


async def _get(port: int, path: str, key: str = "") -> bytes:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return b""
    writer.write(f"GET {path} HTTP/1.1\r\nhost: hilo\r\nauthorization: Bearer {key}\r\n\r\n".encode())
    _, body = await _read(reader)
    writer.close()
    return body


def _key(environment: dict[str, str]) -> str:
    command = [*HILO, "key", "add", "bench", "--scope", "metrics"]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)  # noqa: S603 -- our own words
    return next(word for word in done.stdout.split() if word.startswith("hilo_"))


async def _metrics(port: int, key: str) -> str:
    """What the workers got done meanwhile."""
    wanted = ("hilo_messages_total", "hilo_turns_total", "hilo_sends_total", "hilo_outbox_depth", "hilo_oldest")
    lines = (await _get(port, "/metrics", key)).decode().splitlines()
    return ", ".join(line for line in lines if line.startswith(wanted))


if __name__ == "__main__":
    main()
