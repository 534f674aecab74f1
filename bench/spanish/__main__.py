"""The embedded understander on a folder of labelled Spanish messages of other authors.

    python -m bench.spanish FOLDER [SET …] [--errors DIR]

FOLDER has train.yaml and the sets: intents.jsonl, slots.jsonl, acts.jsonl, orders.jsonl. Prints one table of goals and
then the details; writes the errors as JSON lines. Exits with 1 if a yes was heard at a summary that was none, and with
2 if the folder cannot be read.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.spanish import acts, intents, orders, slots
from bench.spanish.agents import Workshop
from bench.spanish.folder import SETS, BrokenFolder, open_folder
from bench.spanish.results import Goal, SetResult
from bench.spanish.words import percent, table

RUNS = {"acts": acts.run, "intents": intents.run, "slots": slots.run, "orders": orders.run}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.spanish", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where train.yaml and the sets are")
    parser.add_argument(
        "sets", nargs="*", metavar="SET", help=f"which sets to run, of {', '.join(SETS)}; default: those it has"
    )
    parser.add_argument("--errors", type=Path, metavar="DIR", help="where to write the errors; default: a new folder")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.sets if name not in RUNS]
    if unknown:
        parser.error(f"there is no set {', '.join(unknown)}; there are {', '.join(RUNS)}")
    try:
        results = measure(given.folder, given.sets)
    except BrokenFolder as broken:
        print(broken, file=sys.stderr)
        return 2
    false_yeses = [row for each in results for row in each.false_yeses]
    print(table(("what", "measured", "goal", "of"), [(g.what, g.measured, g.goal, g.of) for g in _goals(results)]))
    for each in results:
        print(f"\n{each.details}\n{_cost(each)}")
    for row in false_yeses:
        print(f"\na yes heard at the summary that was none: {row['text']}")
    errors = given.errors or Path(tempfile.mkdtemp(prefix="spanish-errors-"))
    _write_errors(errors, results)
    print(f"\nerrors: {errors}")
    return 1 if false_yeses else 0


def measure(path: Path, names: Iterable[str]) -> list[SetResult]:
    """Run sets of a folder, all that it has if none is named, in the order of the table of goals."""
    folder = open_folder(path)
    names = list(names) or [name for name in RUNS if folder.has(name)]
    for name in names:
        folder.rows(name)  # a broken line is told before anything is trained
    with tempfile.TemporaryDirectory(prefix="spanish-") as scratch:
        # Trained models are kept by their examples alone: one of an older Hilo would hide what has changed since.
        os.environ["HILO_CACHE"] = str(Path(scratch) / "cache")
        workshop = Workshop(folder, Path(scratch))
        return asyncio.run(_run(workshop, [name for name in RUNS if name in names]))


async def _run(workshop: Workshop, names: Iterable[str]) -> list[SetResult]:
    return [await RUNS[name](workshop) for name in names]


def _goals(results: Sequence[SetResult]) -> list[Goal]:
    """The rows of each set, and those that several sets make together."""
    goals = [goal for each in results for goal in each.goals]
    unordered = [message for each in results for message in each.unordered]
    if unordered:
        false = sum(bool(message.calls) for message in unordered)
        goals.append(Goal("false orders %", percent(false, len(unordered)), "<= 1", str(len(unordered))))
    if any(each.name == "acts" for each in results):
        false = sum(len(each.false_yeses) for each in results)
        goals.append(Goal("false yeses at a summary", str(false), "0"))
    costs = [cost for each in results for cost in each.costs]
    if costs:
        goals.append(Goal("CPU-ms a message, median", f"{statistics.median(costs):.1f}", "–", str(len(costs))))
        goals.append(Goal("CPU-ms a message, p95", f"{_late(costs):.1f}", "–", str(len(costs))))
    return goals


def _late(costs: Sequence[float]) -> float:
    """What 95 of 100 messages cost at most."""
    return sorted(costs)[int(len(costs) * 0.95)]


def _cost(result: SetResult) -> str:
    if not result.costs:
        return f"{result.name}: no messages"
    median = statistics.median(result.costs)
    return f"CPU-ms a message: median {median:.1f}, p95 {_late(result.costs):.1f}, most {max(result.costs):.1f}"


def _write_errors(folder: Path, results: Iterable[SetResult]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for each in results:
        _write_lines(folder / f"{each.name}.errors.jsonl", each.errors)
    unordered = [message for each in results for message in each.unordered if message.calls]
    _write_lines(
        folder / "false-orders.errors.jsonl",
        [{**message.message, "calls": message.calls} for message in unordered],
    )
    _write_lines(folder / "false-yeses.errors.jsonl", [row for each in results for row in each.false_yeses])


def _write_lines(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    lines = [json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows]
    file.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
