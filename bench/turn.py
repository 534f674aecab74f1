"""CPU time of a turn of a five-slot collection: walked, in LangGraph, and a bare LangGraph graph of as many nodes.

    python bench/turn.py [--rounds N]

No storage, no model. All three run interleaved in one process, so that their ratios mean something on a noisy machine.
"""

import argparse
import asyncio
import itertools
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from hilo.app import load_agent, new_session
from hilo.clock import SystemClock
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import Session
from hilo.turn.run import Engine, Turn

LEADS = Path(__file__).parent.parent / "agents" / "leads"
SCRIPT = ("hola, soy Juan Pérez", "juan{}@ejemplo.com", "mi celular es 300 {}", "Acme SAS", "unos 5 mil")
GOALS = {"langgraph": 1.3, "walk": 0.3}


class BareState(TypedDict, total=False):
    """As much state as a graph needs to run."""

    text: str
    reply: str


def bare_graph(names: tuple[str, ...]) -> Any:
    """A LangGraph graph with as many nodes on its path as our turn visits, each doing nothing."""

    async def nothing(_state: BareState) -> BareState:
        return {"reply": ""}

    built: Any = StateGraph(BareState)
    for name in names:
        built.add_node(name, nothing)
    for before, after in zip((START, *names), (*names, END), strict=True):
        built.add_edge(before, after)
    return built.compile()


numbers = itertools.count(1_000_000)


async def conversation(turn: Turn, engine: Engine) -> tuple[Session, list[tuple[str, ...]]]:
    """One contact gives all five slots, with values that no other contact gave."""
    now, number = SystemClock().now(), next(numbers)
    session, paths = new_session(turn.agent, session_id="bench", at=now), []
    for text in SCRIPT:
        result = await turn.run(session, MessageReceived(now, text.format(number)), engine=engine)
        session = result.session
        paths.append(result.trace.path)
    return session, paths


async def cpu_per_turn(run: Callable[[], Awaitable[Any]]) -> float:
    """CPU milliseconds per turn of one conversation."""
    started = time.process_time()
    await run()
    return (time.process_time() - started) * 1000 / len(SCRIPT)


async def main(rounds: int) -> None:
    """Measure and print the table."""
    turn = load_agent(LEADS).turn
    session, paths = await conversation(turn, "walk")
    assert len(session.slots) == len(SCRIPT), session.slots
    bare = [bare_graph(path) for path in paths]

    async def run_bare() -> None:
        for graph in bare:
            await graph.ainvoke({"text": ""})

    engines: dict[str, Callable[[], Awaitable[Any]]] = {
        "bare": run_bare,
        "langgraph": lambda: conversation(turn, "langgraph"),
        "walk": lambda: conversation(turn, "walk"),
    }
    measured: dict[str, list[float]] = {name: [] for name in engines}
    for run in engines.values():
        await run()  # warm up
    for _ in range(rounds):
        for name, run in engines.items():
            measured[name].append(await cpu_per_turn(run))
    report(measured, sum(map(len, paths)) / len(paths))


def report(measured: dict[str, list[float]], nodes: float) -> None:
    """Medians, and ratios to the bare graph."""
    floor = statistics.median(measured["bare"])
    print(f"{nodes:.1f} nodes a turn, {len(measured['bare']) * len(SCRIPT)} turns each, CPU-ms per turn (median)")
    for name, values in measured.items():
        middle = statistics.median(values)
        goal = f"  goal ≤ {GOALS[name]:.1f} ×" if name in GOALS else ""
        print(f"{name:>10}  {middle:7.3f} ms  {middle / floor:5.2f} × bare{goal}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40, help="conversations of five turns (default 40)")
    asyncio.run(main(parser.parse_args().rounds))
