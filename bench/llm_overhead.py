"""CPU time of a model call: ours (adapter, circuit breaker, retries, the budget of a turn) beside the bare SDK's.

    python bench/llm_overhead.py [--rounds N]

A fake Anthropic server answers from a process of its own, so that only our side is measured. All ask the same thing,
interleaved: four kilobytes of system prompt, ten tools, ten messages; answered with words, with a tool call, in pieces.
A budget is measured with reservations in memory, as `hilo chat` has them, and in a SQLite file, as a server has them.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from tempfile import TemporaryDirectory
from typing import Any

import anthropic

from hilo.clock import SystemClock
from hilo.llm.anthropic import AnthropicModel, AnthropicSettings, written
from hilo.llm.breaker import BreakingModel
from hilo.llm.configuration import Configuration
from hilo.llm.model import Message, Model, ModelReply, Offer, Request, TextPart
from hilo.llm.prices import Limit, Price, Prices, SpendingLimits
from hilo.llm.reservations import MemoryReservations, ModelAccount, Reservations
from hilo.llm.retrying import RetryingModel
from hilo.llm.turn_budget import ConfiguredModel, TurnBudget
from hilo.store.opening import open_store
from hilo.testing.models.answers import Calls, Says, about
from hilo.testing.models.anthropic import LARGE, SMALL, FakeAnthropic
from hilo.testing.models.server import KEY
from hilo.testing.models.table import Case, always
from hilo.workers.reservations import StoredReservations

GOAL = 1.3
LONGEST = 40.0  # seconds of measuring
BATCH = 20  # calls between two looks at the clock
ANSWER = "Tu pedido A-1001 salió ayer de Bogotá y llega mañana entre las nueve y las doce. ¿Algo más?"
SCHEMA = {
    "type": "object",
    "properties": {"order_id": {"type": "string", "description": "The order's id"}, "details": {"type": "boolean"}},
    "required": ["order_id"],
}
TALK = tuple(
    Message("user" if place % 2 == 0 else "assistant", (TextPart(f"Mensaje {place} de una charla sobre un pedido."),))
    for place in range(9)
)
TOOLS = tuple(Offer(f"tool_{number}", "Looks up one thing of an order by its id.", SCHEMA) for number in range(10))
WORDS = Request(TALK, system="Eres la asistente de una tienda. " * 120, tools=TOOLS)

ACCOUNT = ModelAccount("main", "tienda", "session_1", date(2026, 11, 15))
PRICE = Price(Decimal(1), Decimal(5), Decimal("0.1"), Decimal("1.25"))
LIMITS = SpendingLimits(turn=Limit(30_000), workspace_day=Limit(money=Decimal(1000)))
CONFIGURATION = Configuration(
    "anthropic", SMALL, LARGE, Prices({SMALL: PRICE, LARGE: PRICE}, "USD", date(2026, 11, 15)), LIMITS
)

Call = Callable[[], Awaitable[Any]]


async def serve() -> None:
    """Answer until our parent is gone."""
    script = [Case(about("herramienta"), Says(calls=(Calls("tool_1", {"order_id": "A-1001"}),)))]
    async with FakeAnthropic([*script, Case(always, Says(ANSWER))]) as fake:
        print(fake.url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


def asking(text: str) -> Request:
    """The talk, ended by this message."""
    return replace(WORDS, messages=(*TALK[:-1], Message("user", (TextPart(text),))))


def bare(client: Any, request: Request, *, stream: bool) -> Call:
    """As the SDK's own documentation does it; the body was written beforehand."""
    body = {"model": SMALL, **written(request)}

    async def whole() -> None:
        message = await client.messages.create(**body)
        assert message.content

    async def streamed() -> None:
        async with client.messages.stream(**body) as pieces:
            async for _ in pieces.text_stream:
                pass
            assert (await pieces.get_final_message()).content

    return streamed if stream else whole


def ours(model: Model, request: Request, *, stream: bool) -> Call:
    """From our request to our reply, through the whole stack."""

    async def whole() -> None:
        assert (await model.complete(request)).parts

    async def streamed() -> None:
        last: Any = None
        async for piece in model.stream(request):
            last = piece
        assert isinstance(last, ModelReply)

    return streamed if stream else whole


def budgeted(model: ConfiguredModel, reservations: Reservations, request: Request, *, stream: bool) -> Call:
    """The same as a turn asks: with a budget of its own, reserved and settled."""

    async def whole() -> None:
        assert (await TurnBudget(model, reservations, ACCOUNT).ask(request)).parts

    async def streamed() -> None:
        last: Any = None
        async for piece in TurnBudget(model, reservations, ACCOUNT).stream(request):
            last = piece
        assert isinstance(last, ModelReply)

    return streamed if stream else whole


async def cpu(call: Call) -> float:
    """CPU milliseconds per call, over a batch."""
    started = time.process_time()
    for _ in range(BATCH):
        await call()
    return (time.process_time() - started) * 1000 / BATCH


async def measure(url: str, rounds: int, folder: str) -> bool:
    """Print the table; whether the goal is met."""
    store = await open_store(f"sqlite:///{folder}/hilo.db")
    in_memory, in_store = MemoryReservations(), StoredReservations(store, SystemClock())
    client = anthropic.AsyncAnthropic(api_key=KEY, base_url=url, max_retries=0, timeout=25)
    breaking = BreakingModel(AnthropicModel(AnthropicSettings(KEY, SMALL, LARGE, url)))
    model, configured = RetryingModel(breaking), ConfiguredModel(breaking, CONFIGURATION)
    kinds = {
        "words": (asking("¿Dónde está?"), False),
        "tool call": (asking("Usa la herramienta."), False),
        "streamed words": (asking("¿Dónde está?"), True),
    }
    calls = {
        name: (
            bare(client, request, stream=stream),
            ours(model, request, stream=stream),
            budgeted(configured, in_memory, request, stream=stream),
            budgeted(configured, in_store, request, stream=stream),
        )
        for name, (request, stream) in kinds.items()
    }
    times: dict[str, list[tuple[float, ...]]] = {name: [] for name in calls}
    for each in calls.values():  # imports and connections are not measured
        for call in each:
            await cpu(call)
    deadline = time.monotonic() + LONGEST
    for _ in range(rounds):
        for name, each in calls.items():
            times[name].append(tuple([await cpu(call) for call in each]))
        if time.monotonic() > deadline:
            break
    await breaking.aclose()
    await client.close()
    await store.close()
    met = [show(name, measured) for name, measured in times.items()]
    return all(met)


def show(name: str, measured: list[tuple[float, ...]]) -> bool:
    """One line of the table."""
    theirs, mine, memory, stored = (statistics.median(column) for column in zip(*measured, strict=True))
    ratios = [statistics.median(row[place] / row[0] for row in measured) for place in (1, 2, 3)]
    figures = (
        f"SDK {theirs:5.2f}  ours {mine:5.2f}  with a budget {memory:5.2f}  in a store {stored:5.2f} CPU-ms a call"
    )
    shown = ", ".join(f"{each:4.2f} x" for each in ratios)
    print(f"{name:>15}: {figures}  {shown}  (goal {GOAL} x)")
    return max(ratios[:2]) <= GOAL  # what a database takes is its own affair


def main(rounds: int) -> int:
    """Start the server, measure, stop it."""
    command = [sys.executable, __file__, "--serve"]
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server,  # noqa: S603
    ):
        assert server.stdout
        try:
            met = asyncio.run(measure(server.stdout.readline().strip(), rounds, folder))
        finally:
            server.terminate()
    return 0 if met else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve())
    else:
        sys.exit(main(given.rounds))
