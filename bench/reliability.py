"""Whether every contact gets what was asked for, once, whatever happens to the processes around the talk.

    python -m bench.reliability [--contacts 100] [--rows clean,thrice] [--away 40] [--beside] [--restarts 30]

Each row is an installation of its own: `hilo serve` with agents/kiosco and a provider on loopback (Infobip's API). All
contacts talk at the same time: they order, give their data, read the summary and say yes. What became of each is read
from the shop's own tables and from what the provider was given to deliver.

    right        one order with the quantity that was asked for, and nothing else wrong
    wrong        an order with another quantity
    doubled      two orders, or a message that was delivered twice
    lost         no order in the time that the row has
    misordered   the earlier message of a burst won, or a contact got replies in another order than they were made
    handed over  a person has the session, which nobody asked for

With `--beside`, each row is played once more with LangGraph and its SQLite saver (bench/reliability_langgraph.py).
`--restarts` measures how long a contact waits whose message was taken by a process that is killed at once.
"""

import argparse
import asyncio
import itertools
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "faults"))

from seen import all_rows, rows

from hilo.testing.providers import FakeInfobip, Faults
from hilo.testing.providers.infobip import API_KEY, AUTH, SENDER
from servers import free_port, fresh_database, postgres_server, redis_server

KIOSCO = Path(__file__).parents[1] / "agents" / "kiosco"
HILO = (sys.executable, "-m", "hilo")
KEY = "A" * 43 + "="
FIRST_CONTACT = "5491199999999"
FIRST = 2  # what is ordered first, and counts where no burst changes it
PATIENCE = 60.0  # seconds for one answer, beside the time that something is away
STARTING = 180.0  # seconds for a process to be there, on a machine that has other work too
KILLING = 30.0  # seconds in which a process is killed every second
SUMMARY_ENDS = ("¿Confirmamos?", "¿Va?")  # Hilo's and LangGraph's
METHOD_NOT_ALLOWED = 405  # of who is there, and wants to be posted to
COUNTED = ("right", "wrong", "doubled", "lost", "misordered", "handed over")

Disturb = Callable[["Place", asyncio.Event], Coroutine[Any, Any, None]]


@dataclass
class Place:
    """An installation that runs, and the provider that its contacts write through."""

    provider: FakeInfobip
    database: str
    away: float
    queue: Any = None  # the Redis of a row that has one
    workers: list[Any] = field(default_factory=list)
    start: Callable[[], Any] | None = None  # another worker
    orders: Callable[[], Sequence[Mapping[str, Any]]] | None = None  # where they are not in the shop's own tables


@dataclass(frozen=True)
class Row:
    """A line of the table: how contacts write, what goes wrong meanwhile, and which processes there are."""

    title: str
    quantity: int = FIRST
    copies: int = 1  # of each webhook
    yeses: int = 1
    overtaking: bool = False  # the webhooks of a burst arrive in any order
    disturb: Disturb | None = None
    patience: float = PATIENCE
    fleet: bool = False  # PostgreSQL, a gateway and two workers, in place of one process with SQLite
    redis: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        """What a contact asks for, in one message or in two."""
        order = f"quiero {FIRST} coca 500"
        return (order,) if self.quantity == FIRST else (order, f"no, mejor {self.quantity}")


Serve = Callable[[Row, Path, float], AbstractAsyncContextManager[Place]]


# --- what goes wrong ----------------------------------------------------------------------------------


async def provider_away(place: Place, _over: asyncio.Event) -> None:
    """503 to every send, from the beginning on."""
    provider = place.provider
    provider.faults = replace(provider.faults, failing=1.0)
    await asyncio.sleep(place.away)
    provider.faults = replace(provider.faults, failing=0.0)


async def kill_every_second(place: Place, over: asyncio.Event) -> None:
    """The older of two workers is killed, and another takes its place."""
    end = time.monotonic() + KILLING
    while time.monotonic() < end and not over.is_set():
        await asyncio.sleep(1)
        oldest = place.workers.pop(0)
        oldest.kill()
        oldest.join()
        assert place.start
        place.workers.append(place.start())


async def redis_away(place: Place, _over: asyncio.Event) -> None:
    """Redis is gone from the beginning on, and comes back with what it had."""
    await asyncio.to_thread(place.queue.stop)
    await asyncio.sleep(place.away)
    await asyncio.to_thread(place.queue.start)


ROWS = {
    "clean": Row("clean"),
    "thrice": Row("each webhook three times", copies=3),
    "yes-twice": Row("yes twice at once", yeses=2),
    "burst": Row("burst in order", quantity=5),
    "same-moment": Row("burst at the same moment", quantity=5, overtaking=True),
    "provider-away": Row("provider away", disturb=provider_away),
    "kill": Row("kill -9 every second", disturb=kill_every_second, fleet=True, patience=PATIENCE + KILLING),
    "redis-away": Row("Redis away", disturb=redis_away, fleet=True, redis=True),
}


# --- contacts -----------------------------------------------------------------------------------------


async def talk(place: Place, row: Row, contact: str) -> None:
    """A whole order; what a contact waits for in vain ends the talk.

    On a busy machine an answer to the message before may come first: whoever waits for the summary reads on until it is
    there, as people do, for a yes to something else confirms nothing.
    """
    patience = row.patience + (place.away if row.disturb else 0)
    steps = (
        (row.order, ("",)),
        (("confirmar",), ("",)),
        (("Ana Pérez\n30123456\nSan Martín 1234",), SUMMARY_ENDS),
        (("sí, dale",) * row.yeses, ("",)),
    )
    for said, awaited in steps:
        before = len(place.provider.chats.said_to(contact))
        for text in said:
            await place.provider.write(contact, text)
            # Burst: a moment apart by the provider's clock; what overtakes is decided by the wire.
            await asyncio.sleep(0.005 if row.overtaking or row.yeses > 1 else 0.3 * (len(said) > 1))
        deadline = time.monotonic() + patience
        while not any(text.endswith(awaited) for text in place.provider.chats.said_to(contact)[before:]):
            if time.monotonic() > deadline:
                return
            await asyncio.sleep(0.05)


async def play(place: Place, row: Row, contacts: Sequence[str]) -> None:
    """All contacts at once, with what goes wrong beside them; then what is still on its way arrives."""
    place.provider.faults = Faults(copies=row.copies, reorder=float(row.overtaking))
    over = asyncio.Event()
    disturbing = asyncio.create_task(row.disturb(place, over)) if row.disturb else None
    await asyncio.gather(*(talk(place, row, contact) for contact in contacts))
    over.set()
    if disturbing:
        await disturbing
    await place.provider.settle()
    await asyncio.sleep(3)  # a second answer would come now


# --- what became of them ------------------------------------------------------------------------------

_ORDERS = (
    "SELECT a.value AS contact, i.quantity AS quantity FROM kiosco_orders o "
    "JOIN addresses a ON a.contact_id = o.contact_id JOIN kiosco_order_items i ON i.number = o.number"
)
_HANDOFFS = (
    "SELECT a.value AS contact, h.policy AS policy, h.reason AS reason FROM handoffs h "
    "JOIN sessions s ON s.id = h.session_id JOIN addresses a ON a.id = s.address_id"
)


def judge(place: Place, row: Row, contacts: Sequence[str]) -> tuple[Counter[str], list[str]]:
    """One word for each contact, the gravest that fits; and what was not right, in words."""
    if place.orders:
        found: dict[str, Sequence[Mapping[str, Any]]] = {"orders": place.orders(), "handoffs": ()}
    else:
        found = dict(all_rows(place.database, {"orders": _ORDERS, "handoffs": _HANDOFFS}))
    handed = {each["contact"]: f"{each['policy']}: {each['reason']}" for each in found["handoffs"]}
    counted, told = Counter[str](), []
    for contact in contacts:
        quantities = [int(each["quantity"]) for each in found["orders"] if each["contact"] == contact]
        turns, answered = _sent(place, contact)
        word = _word(row, quantities, turns, answered, handed=contact in handed)
        counted[word] += 1
        if word != "right":
            last = place.provider.chats.said_to(contact)[-1:]
            told.append(f"{row.title}: {contact} {word}: orders {quantities} {handed.get(contact, '')} {last}")
    return counted, told


def _sent(place: Place, contact: str) -> tuple[list[int], list[str]]:
    """The turns whose replies a contact got, in this order, and what each reply is known by."""
    sent = [each.message_id for each in place.provider.taken if each.to == contact]
    turns = [int(each.split(".")[1]) for each in sent]
    # LangGraph has no ids for replies: they are known by the message that they answer.
    return turns, [each.split(".", 2)[2] if place.orders else each for each in sent]


def _word(row: Row, quantities: list[int], turns: list[int], answered: list[str], *, handed: bool) -> str:
    if len(quantities) > 1 or len(set(answered)) < len(answered):
        return "doubled"
    if handed:
        return "handed over"
    if not quantities:
        return "lost"
    if turns != sorted(turns) or (row.quantity != FIRST and quantities == [FIRST]):
        return "misordered"
    return "right" if quantities == [row.quantity] else "wrong"


# --- processes ----------------------------------------------------------------------------------------


def start_worker(environment: Mapping[str, str]) -> Any:
    """A worker of ours."""
    return _process(_work, (dict(environment),))


def _process(target: Callable[..., None], given: tuple[Any, ...]) -> Any:
    """From a process that has everything imported: it works after a moment."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["hilo.app.running", "hilo.app.loading"])
    started = context.Process(target=target, args=given, daemon=True)
    started.start()
    return started


def _work(environment: dict[str, str]) -> None:
    from hilo.app.running import work  # noqa: PLC0415 -- in the worker's process
    from hilo.logs import set_up_logs  # noqa: PLC0415

    os.environ.update(environment)
    set_up_logs(level="error")
    asyncio.run(work([KIOSCO], concurrency=50))


@asynccontextmanager
async def running(row: Row, folder: Path, away: float) -> AsyncIterator[Place]:
    """The processes of a row, ready; all of them end with it."""
    async with AsyncExitStack() as stack:
        url, queue = f"sqlite:///{folder}/hilo.db", None
        if row.fleet:
            url = fresh_database(stack.enter_context(postgres_server(folder)))
        environment = {**os.environ, "HILO_DATABASE_URL": url, "HILO_SECRET_KEY": KEY}
        if row.redis:
            queue = stack.enter_context(redis_server(folder))
            environment["HILO_QUEUE_URL"] = queue.url
        port = free_port()
        fake = FakeInfobip(f"http://127.0.0.1:{port}/webhooks/infobip/bench")
        provider = await stack.enter_async_context(fake)
        place = Place(provider, url, away, queue, start=partial(start_worker, environment))
        _connect(provider.url, environment)
        stack.enter_context(_serving(environment, port, gateway_only=row.fleet))
        await _ready(port)
        stack.callback(_end_workers, place)
        if row.fleet:
            place.workers += [start_worker(environment), start_worker(environment)]
        await _first_answer(provider, "quiero 1 coca 500")  # the shop fills its shelves when somebody asks
        rows(url, "UPDATE kiosco_stock SET units = 100000")
        yield place


@asynccontextmanager
async def running_langgraph(_row: Row, folder: Path, away: float) -> AsyncIterator[Place]:
    """The same talk on LangGraph: one process, as its SQLite saver asks for."""
    from bench import reliability_langgraph as other  # noqa: PLC0415 -- only who compares pays for it

    other.make_tables(folder)
    port = free_port()
    async with FakeInfobip(f"http://127.0.0.1:{port}/webhook") as provider:
        place = Place(provider, "", away, orders=partial(other.orders, folder))
        place.start = partial(_process, other.run, (port, provider.url, str(folder)))
        place.workers.append(place.start())
        try:
            await _ready(port, path="/webhook")  # a provider gives a webhook up that nobody takes
            await _first_answer(provider, "confirmar")
            yield place
        finally:
            _end_workers(place)


def _connect(provider: str, environment: Mapping[str, str]) -> None:
    given = {"base_url": provider, "api_key": API_KEY, "sender": SENDER}
    given |= {"webhook_name": AUTH.user, "webhook_secret": AUTH.password}
    settings = [word for name, value in given.items() for word in ("--set", f"{name}={value}")]
    command = [*HILO, "channel", "add", "infobip", "--agent", "kiosco", "--id", "bench", *settings]
    subprocess.run(command, env=dict(environment), check=True, stdout=subprocess.DEVNULL)  # noqa: S603 -- our own words


def _serve(environment: Mapping[str, str], port: int, *options: str) -> subprocess.Popen[bytes]:
    command = [*HILO, "serve", str(KIOSCO), "--port", str(port), "--log-level", "error", *options]
    return subprocess.Popen(command, env=dict(environment), stdout=subprocess.DEVNULL)  # noqa: S603 -- our own words


@contextmanager
def _serving(environment: Mapping[str, str], port: int, *, gateway_only: bool) -> Iterator[None]:
    process = _serve(environment, port, *(["--gateway-only"] if gateway_only else []))
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def _first_answer(provider: FakeInfobip, text: str = "hola") -> None:
    """The workers are there when somebody was answered."""
    await provider.write(FIRST_CONTACT, text)
    async with asyncio.timeout(STARTING):
        while not provider.chats.said_to(FIRST_CONTACT):  # noqa: ASYNC110 -- by another process
            await asyncio.sleep(0.1)


def _end_workers(place: Place) -> None:
    for worker in place.workers:
        worker.kill()
        worker.join()


async def _ready(port: int, path: str = "/readyz") -> None:
    async with asyncio.timeout(STARTING), httpx.AsyncClient(trust_env=False) as client:
        while True:
            with suppress(httpx.HTTPError):
                answer = await client.get(f"http://127.0.0.1:{port}{path}")
                if answer.is_success or answer.status_code == METHOD_NOT_ALLOWED:
                    return
            await asyncio.sleep(0.2)


# --- the table ----------------------------------------------------------------------------------------


async def measure(row: Row, count: int, away: float, serve: Serve) -> tuple[Counter[str], list[str], float]:
    """One row, from empty tables to the judgement."""
    contacts = [f"54911{number:08}" for number in range(count)]
    with tempfile.TemporaryDirectory(prefix="hilo-bench-") as folder:
        async with serve(row, Path(folder), away) as place:
            began = time.monotonic()
            await play(place, row, contacts)
            took = time.monotonic() - began
            return *judge(place, row, contacts), took


async def measure_restarts(times: int) -> tuple[list[float], list[float]]:
    """Seconds from the kill of a process that has just taken a message to the answer of the one after it.

    Beside them the CPU time that the new process had used by then: what else runs on the machine does not count there.
    """
    waits, used = [], []
    with tempfile.TemporaryDirectory(prefix="hilo-bench-") as folder:
        environment = {**os.environ, "HILO_DATABASE_URL": f"sqlite:///{folder}/hilo.db", "HILO_SECRET_KEY": KEY}
        # An installed program has its bytecode at hand, whatever the shell of this one says.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"
        port = free_port()
        async with FakeInfobip(f"http://127.0.0.1:{port}/webhooks/infobip/bench") as provider:
            _connect(provider.url, environment)
            process = _serve(environment, port)
            for number in range(times + 1):
                await _ready(port)
                contact = f"54911{number:08}"
                await provider.write(contact, "¿a qué hora abren?")
                await provider.settle()
                process.kill()
                killed = time.monotonic()
                process.wait()
                process = _serve(environment, port)
                async with asyncio.timeout(PATIENCE):
                    while not provider.chats.said_to(contact):  # noqa: ASYNC110 -- by another process
                        await asyncio.sleep(0.005)
                waits.append(time.monotonic() - killed)
                used.append(_cpu(process.pid))
            process.kill()
            process.wait()
    return waits[1:], used[1:]  # the first one fills the caches


def _cpu(process: int) -> float:
    """Seconds in user and system mode."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _told(waits: list[float]) -> str:
    ordered = sorted(waits)
    at = {50: ordered[len(ordered) // 2], 99: ordered[min(len(ordered) - 1, round(len(ordered) * 0.99))]}
    return ", ".join(f"p{part} {seconds:.2f} s" for part, seconds in at.items())


def main() -> None:
    """Print the table; anything that is not right is an error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contacts", type=int, default=100)
    parser.add_argument("--rows", default=",".join(ROWS), help="some of them, with commas in between")
    parser.add_argument("--away", type=float, help="seconds that the provider (40) and Redis (30) are away")
    parser.add_argument("--beside", action="store_true", help="play each row with LangGraph too")
    parser.add_argument("--restarts", type=int, default=0, help="kill and start the process so often, and time it")
    given = parser.parse_args()
    table = Table("row", "engine", *COUNTED, "seconds", title=f"{given.contacts} contacts in each row")
    wrong: list[str] = []
    engines: dict[str, Serve] = {"Hilo": running, **({"LangGraph": running_langgraph} if given.beside else {})}
    for name, engine in itertools.product(filter(None, given.rows.split(",")), engines):
        if engine == "LangGraph" and ROWS[name].redis:
            continue  # it has no queue that could be away
        away = given.away or (30.0 if name == "redis-away" else 40.0)
        try:
            counted, told, took = asyncio.run(measure(ROWS[name], given.contacts, away, engines[engine]))
        except (TimeoutError, OSError, subprocess.SubprocessError) as error:  # the other rows can run all the same
            table.add_row(ROWS[name].title, engine, "did not run")
            wrong.append(f"{ROWS[name].title} {engine}: did not run: {type(error).__name__} {error}")
            print(wrong[-1], flush=True)
            continue
        figures = [str(counted[each]) for each in COUNTED]
        table.add_row(ROWS[name].title, engine, *figures, f"{took:.0f}")
        print(ROWS[name].title, engine, dict(counted), f"{took:.0f} s", flush=True)
        wrong += told if engine == "Hilo" else []
    Console(width=120).print(table)
    if given.restarts:
        waits, used = asyncio.run(measure_restarts(given.restarts))
        print(f"kill -9 to the next answer, {given.restarts} times: {_told(waits)}; CPU until then: {_told(used)}")
    for line in wrong[:20]:
        print("!", line[:400])
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
