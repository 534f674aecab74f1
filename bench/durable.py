"""A durable turn: Hilo beside LangGraph with its savers and beside the bare rows, on SQLite and on PostgreSQL.

    python -m bench.durable [--quick | --ratios [--seconds N]]

Every engine has a process of its own; they work one after another, round by round, so that their ratios mean something
on a noisy machine. All run the same turn of `agents/leads`: Hilo from the message's arrival to the sent reply (with
de-duplication, inbox, leases and outbox), LangGraph as a graph of seven nodes with the messages in its state, "exit"
meaning durability="exit" (one checkpoint at the end of a run). "bare rows" are the rows that Hilo leaves behind for a
turn, written with the driver in one transaction; "turn alone" stores nothing. CPU time includes PostgreSQL's processes.
The floor of a durable turn is what these two take together; on a busy machine only ratios within one run mean anything.

With --ratios rounds go on for so many seconds, at least one of them, and the goals are printed with what they come to,
whole orders at `agents/kiosco` among them.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from bench.durable_engines import CONVERSATION, Kind, Order, bytes_by_table
from bench.durable_goals import Goal
from bench.durable_kiosco import ORDER, orders
from bench.durable_server import Job, Sample, SqliteFile, Worker, postgres
from rich.console import Console
from rich.table import Table

from bench import durable_goals

TOGETHER = 50
WINDOW = 10  # turns at the beginning and at the end of a long session
SHOPPERS = 10  # who order at the same time
CPU_GOAL, BYTES_GOAL, GROWTH_GOAL = 1 / 2, 1 / 20, 1.2

console = Console(width=120)  # also where nobody looks at a terminal
progress = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    rounds_alone: int = 6
    rounds_together: int = 2
    turns_together: int = 5
    long_sessions: int = 3  # a file grows by pages: fewer turns would tell nothing about bytes
    longest: int = 1000
    with_postgres: bool = True
    engines: tuple[Kind, ...] = get_args(Kind)
    seconds: float = 0  # so long rounds go on, if there are as many; 0 is without end


RATIOS = Size(rounds_alone=12, rounds_together=12, turns_together=4, longest=0, seconds=60,
              engines=("turn_alone", "bare_rows", "hilo", "langgraph_exit"))  # fmt: skip
QUICK = Size(rounds_alone=3, rounds_together=1, turns_together=2, long_sessions=6, longest=100, with_postgres=False)


@dataclass
class Measured:
    """All samples of an engine."""

    worker: Worker
    alone: list[Sample] = field(default_factory=list)
    together: list[Sample] = field(default_factory=list)
    early: Sample | None = None
    late: Sample | None = None

    @property
    def name(self) -> str:
        """How the tables call it."""
        place = {SqliteFile: " · SQLite", type(None): ""}.get(type(self.worker.database), " · PostgreSQL")
        return self.worker.kind.replace("_", " ") + place


# --- measuring ----------------------------------------------------------------------------------------


@contextmanager
def workers(size: Size) -> Iterator[dict[str, Measured]]:
    """All engines, ready, each with an empty database."""
    with tempfile.TemporaryDirectory() as folder, postgres() if size.with_postgres else nullcontext() as server:
        made = [Worker("turn_alone", None)]
        for kind in size.engines[1:]:
            made.append(Worker(kind, SqliteFile(Path(folder) / f"{kind}.db")))
            if server is not None:
                made.append(Worker(kind, server.database(kind)))
        try:
            for worker in made:
                worker.start()
            yield {each.name: each for each in (Measured(worker.ready()) for worker in made)}
            for worker in made:
                worker.stop()
        finally:
            for worker in made:
                worker.end()


def measure(engines: Sequence[Measured], size: Size) -> None:
    """Warm up; then one session alone and many together, in rounds, and a long one."""
    started = time.perf_counter()
    for each in engines:
        each.worker.run(Job(("warm",), range(CONVERSATION)))
    for number in range(max(size.rounds_alone, size.rounds_together)):
        took = time.perf_counter() - started
        if number and size.seconds and took > size.seconds:
            break
        progress.print(f"round {number + 1}, after {took:.0f} s, load {os.getloadavg()[0]:.1f}")
        if number < size.rounds_alone:
            for each in engines:
                each.alone.append(each.worker.run(Job((f"alone{number}",), range(CONVERSATION))))
        if number < size.rounds_together:
            contacts = tuple(f"together{number}.{contact}" for contact in range(TOGETHER))
            for each in engines:
                each.together.append(each.worker.run(Job(contacts, range(size.turns_together))))
    if size.longest:
        progress.print("a long session")
        _measure_growth(engines, size)


def _measure_growth(engines: Sequence[Measured], size: Size) -> None:
    contacts = tuple(f"long{number}" for number in range(size.long_sessions))
    for each in engines:
        each.worker.run(Job(contacts, range(WINDOW)))
        each.early = each.worker.run(Job(contacts, range(WINDOW, 2 * WINDOW)))
    for each in engines:
        each.worker.run(Job(contacts, range(2 * WINDOW, size.longest - WINDOW), jump=True))
        each.late = each.worker.run(Job(contacts, range(size.longest - WINDOW, size.longest)))


# --- numbers ------------------------------------------------------------------------------------------


def cpu(samples: Sequence[Sample]) -> float:
    """CPU-ms per turn."""
    return statistics.median(each.cpu * 1000 / each.turns for each in samples)


def stored(samples: Sequence[Sample]) -> float:
    """Bytes per turn that the database has grown by."""
    return sum(each.stored for each in samples) / sum(each.turns for each in samples)


def written(samples: Sequence[Sample]) -> float:
    """Bytes per turn that went to its log."""
    return sum(each.written for each in samples) / sum(each.turns for each in samples)


def rate(samples: Sequence[Sample]) -> float:
    """Turns per second."""
    return statistics.median(each.turns / each.seconds for each in samples)


def quantiles(samples: Sequence[Sample]) -> tuple[float, float]:
    """The 50th and the 99th hundredth of the replies' times, in ms."""
    cuts = statistics.quantiles((took * 1000 for each in samples for took in each.took), n=100)
    return cuts[49], cuts[98]


# --- tables -------------------------------------------------------------------------------------------


def _table(title: str, *columns: str) -> Table:
    table = Table("engine", title=title, title_justify="left")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def costs(engines: Sequence[Measured], turn_alone: float) -> Table:
    """What a turn costs."""
    table = _table(
        "What a turn costs",
        *(
            "CPU-ms",
            "without the turn",
            f"CPU-ms, {TOGETHER} sessions",
            "bytes kept",
            "bytes written",
            "peak MB (grown)",
        ),
    )
    for each in engines:
        alone, peak, grown = cpu(each.alone), each.worker.peak >> 20, each.worker.peak - each.worker.resident >> 20
        sizes = (stored(each.alone), written(each.alone)) if each.worker.database else (0, 0)
        row = (f"{alone:.2f}", f"{alone - turn_alone:.2f}", f"{cpu(each.together):.2f}")
        table.add_row(each.name, *row, *(f"{size:,.0f}" for size in sizes), f"{peak} (+{grown})")
    return table


def speeds(engines: Sequence[Measured]) -> Table:
    """How fast replies come."""
    columns = [f"{what}, {sessions}" for sessions in (1, TOGETHER) for what in ("turns/s", "p50 ms", "p99 ms")]
    table = _table("How fast replies come, with 1 session and with many at once", *columns)
    for each in engines:
        cells = (number for samples in (each.alone, each.together) for number in (rate(samples), *quantiles(samples)))
        table.add_row(each.name, *(f"{number:,.1f}" for number in cells))
    return table


def growth(engines: Sequence[Measured], longest: int) -> Table:
    """How a long session changes that."""
    early, late = f"turns {WINDOW}-{2 * WINDOW}", f"turns {longest - WINDOW}-{longest}"
    table = _table(
        "One long session", *(f"{what}, {when}" for what in ("CPU-ms", "bytes kept") for when in (early, late))
    )
    for each in engines:
        assert each.early is not None
        assert each.late is not None
        times = (f"{cpu([sample]):.2f}" for sample in (each.early, each.late))
        sizes = (f"{stored([sample]):,.0f}" for sample in (each.early, each.late))
        table.add_row(each.name, *times, *sizes)
    return table


def by_table(file: Path, turns: int) -> str:
    """Where Hilo's bytes are."""
    sizes = {name: size / turns for name, size in bytes_by_table(file).items()}
    listed = ", ".join(f"{name} {size:.0f}" for name, size in sizes.items() if size >= 1)
    return (
        f"Hilo's bytes per turn on SQLite, free space in pages not counted: {listed}; {sum(sizes.values()):.0f} in all"
    )


def ratios(engines: dict[str, Measured]) -> Table:
    """Hilo beside the floor, which is bare rows and turn, and beside LangGraph with one checkpoint a turn."""
    table = Table("Hilo", "1 session", "goal", f"{TOGETHER} at once", "goal", title="Ratios", title_justify="left")
    turn = engines["turn alone"]
    for place, alone_goal, together_goal in (("SQLite", 1.5, 1.3), ("PostgreSQL", 2.0, 1.7)):
        if f"hilo · {place}" not in engines:
            continue
        ours, rows, theirs = (engines[f"{kind} · {place}"] for kind in ("hilo", "bare rows", "langgraph exit"))
        alone = cpu(ours.alone) / (cpu(rows.alone) + cpu(turn.alone))
        together = cpu(ours.together) / (cpu(rows.together) + cpu(turn.together))
        table.add_row(f"CPU of the floor, {place}", *_cells(alone, alone_goal, together, together_goal))
        alone, together = (cpu(ours.alone) / cpu(theirs.alone), cpu(ours.together) / cpu(theirs.together))
        table.add_row(f"CPU of LangGraph exit, {place}", *_cells(alone, 0.33, together, 0.33))
        faster = rate(ours.together) / rate(theirs.together)
        table.add_row(f"turns/s of LangGraph exit, {place}", "", "", f"{faster:.2f}", "≥ 4")
    return table


def _cells(alone: float, alone_goal: float, together: float, together_goal: float) -> tuple[str, ...]:
    return f"{alone:.2f}", f"≤ {alone_goal}", f"{together:.2f}", f"≤ {together_goal}"


def measure_orders(seconds: float) -> Iterator[Goal]:
    """Whole orders at the kiosk: a contact alone and some together, in rounds."""
    with tempfile.TemporaryDirectory() as folder, postgres() as server:
        kinds: tuple[Order, ...] = ("kiosco", "kiosco_fleet")
        made = [Worker(kinds[0], SqliteFile(Path(folder) / "kiosco.db")), Worker(kinds[1], server.database("kiosco"))]
        try:
            for worker in made:
                worker.start()
            shops = [Measured(worker.ready()) for worker in made]
            started, whole = time.perf_counter(), range(len(ORDER))
            for number in range(5):
                took = time.perf_counter() - started
                if number > 1 and took > seconds:
                    break
                progress.print(f"orders, round {number}, after {took:.0f} s")
                contacts = tuple(f"together{number}.{contact}" for contact in range(SHOPPERS))
                for each in shops:
                    samples = (each.worker.run(Job((f"alone{number}",), whole)), each.worker.run(Job(contacts, whole)))
                    if number:  # the first is for the caches
                        each.alone.append(samples[0])
                        each.together.append(samples[1])
            for each in shops:
                assert each.worker.database is not None
                assert orders(each.worker.database.url) * len(ORDER) == each.worker.turns, "an order is missing"
                each.worker.stop()
        finally:
            for worker in made:
                worker.end()
    places = (("SQLite", 4.0), ("PostgreSQL + BullMQ, 2 workers", 12.0))
    for each, (place, goal) in zip(shops, places, strict=True):
        title = f"`kiosco`, whole order, 1 / {SHOPPERS} at once, {place}"
        yield Goal.at_most(title, [cpu(each.alone), cpu(each.together)], [goal], " CPU-ms a turn")


def measure_length(sessions: int = 3, longest: int = 1000) -> Goal:
    """A turn late in a session, beside one early in a session, both alternating."""
    progress.print(f"turn {longest} against turn {WINDOW}")
    with tempfile.TemporaryDirectory() as folder:
        worker = Worker("hilo", SqliteFile(Path(folder) / "long.db"))
        try:
            worker.start()
            worker.ready()
            old = tuple(f"old{number}" for number in range(sessions))
            worker.run(Job(old, range(longest), jump=True))
            early, late = [], []
            for number in range(6):
                young = tuple(f"young{number}.{each}" for each in range(sessions))
                worker.run(Job(young, range(WINDOW)))
                early.append(worker.run(Job(young, range(WINDOW, 2 * WINDOW))))
                begin = longest + number * WINDOW
                late.append(worker.run(Job(old, range(begin, begin + WINDOW))))
            worker.stop()
        finally:
            worker.end()
    return Goal.at_most(f"turn {longest} against turn {WINDOW}", [cpu(late) / cpu(early)], [1.1])


def floors(engines: dict[str, Measured]) -> Iterator[Goal]:
    """The first lines of the goals, from what was measured in rounds."""
    turn, beside, faster = engines["turn alone"], [], []
    for place, most in (("SQLite", (1.5, 1.3)), ("PostgreSQL", (2.0, 1.7))):
        ours, rows, theirs = (engines[f"{kind} · {place}"] for kind in ("hilo", "bare rows", "langgraph exit"))
        found = [
            cpu(getattr(ours, when)) / (cpu(getattr(rows, when)) + cpu(getattr(turn, when)))
            for when in ("alone", "together")
        ]
        yield Goal.at_most(f"`leads`, {place}, 1 / {TOGETHER} at once, CPU of bare rows + turn", found, most)
        beside += [cpu(getattr(ours, when)) / cpu(getattr(theirs, when)) for when in ("alone", "together")]
        faster.append(rate(ours.together) / rate(theirs.together))
    yield Goal.at_most("CPU against LangGraph exit: SQLite 1 / 50, PostgreSQL 1 / 50", beside, [0.33])
    said = " / ".join(f"{each:.2f}" for each in faster)
    yield Goal(f"turns/s with {TOGETHER} sessions against LangGraph exit: SQLite / PostgreSQL", said, "≥ 4")


def goals_table(lines: Sequence[Goal]) -> Table:
    """What was wanted, beside what it comes to."""
    table = Table("what", title="Goals", title_justify="left")
    table.add_column("now", justify="right")
    table.add_column("goal", justify="right")
    for line in lines:
        table.add_row(line.what, line.now, line.goal)
    return table


def measure_goals(engines: dict[str, Measured], seconds: float) -> Sequence[Goal]:
    """All lines; each is told when it is known."""
    found = list[Goal]()

    def known(*lines: Goal) -> None:
        found.extend(lines)
        for line in lines:
            progress.print(f"{line.what}: {line.now}")

    known(*floors(engines))
    known(*measure_orders(seconds / 2))
    known(measure_length())
    known(durable_goals.understanding(), durable_goals.graph(), durable_goals.demo())
    known(*durable_goals.serving())
    return found


def goals(engines: dict[str, Measured]) -> Iterator[str]:
    """What was wanted, and what it came to."""
    ours, theirs = engines["hilo · SQLite"], engines["langgraph · SQLite"]
    assert ours.early is not None
    assert ours.late is not None
    ratios = (
        ("CPU of LangGraph's, 1 session", cpu(ours.alone) / cpu(theirs.alone), CPU_GOAL),
        (f"CPU of LangGraph's, {TOGETHER} sessions", cpu(ours.together) / cpu(theirs.together), CPU_GOAL),
        ("bytes of LangGraph's", stored(ours.alone) / stored(theirs.alone), BYTES_GOAL),
        ("CPU late in a session, of early", cpu([ours.late]) / cpu([ours.early]), GROWTH_GOAL),
        ("bytes late in a session, of early", stored([ours.late]) / stored([ours.early]), GROWTH_GOAL),
    )
    for what, ratio, goal in ratios:
        yield f"{'reached' if ratio <= goal else 'MISSED'}: {what}: {ratio:.3f}, goal at most {goal:.2f}"


def main(size: Size, *, with_goals: bool = False) -> None:
    """Measure and print."""
    started = time.perf_counter()
    with workers(size) as engines:
        measured = tuple(engines.values())
        measure(measured, size)
        ours = engines["hilo · SQLite"].worker
        assert isinstance(ours.database, SqliteFile)
        ours.database.fold()
        tables = by_table(ours.database.file, ours.turns)
    durable = [each for each in measured if each.worker.database]
    for table in (costs(measured, cpu(measured[0].alone)), speeds(durable), ratios(engines)):
        console.print(table)
    if size.longest:
        console.print(growth(durable, size.longest), tables, *goals(engines), sep="\n")
    if with_goals:
        console.print(goals_table(measure_goals(engines, size.seconds)))
    console.print(f"{time.perf_counter() - started:.0f} s, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--quick", action="store_true", help="SQLite only, and less of it: half a minute instead of three"
    )
    parser.add_argument("--ratios", action="store_true", help="no long sessions with LangGraph; the goals at the end")
    parser.add_argument("--seconds", type=float, default=RATIOS.seconds, help="for the rounds of --ratios")
    chosen = parser.parse_args()
    if chosen.ratios:
        main(replace(RATIOS, seconds=chosen.seconds), with_goals=True)
    else:
        main(QUICK if chosen.quick else Size())
