"""The embedded understander against its targets.

    python bench/understanding.py [FOLDER]

Prints the exact rates on the project's own labelled messages, the cost of reading a message, and the catalogue look-up.
With a FOLDER of public intent sets (BANKING77 and CLINC150 as .tsv files), the intent measurements too.
"""

import importlib
import os
import resource
import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)


def own_messages() -> list[str]:
    """The texts of our labelled messages."""
    labelled = yaml.safe_load((ROOT / "tests/understanding/messages.yaml").read_text(encoding="utf-8"))
    messages = labelled["messages"] if isinstance(labelled, dict) else labelled
    return [str(message["text"]) for message in messages]


def print_rates() -> None:
    """How many of our own messages are read exactly as labelled, kind by kind."""
    sys.path.insert(0, str(ROOT / "tests/understanding"))
    tested = importlib.import_module("test_messages")
    print("\nown messages, exact")
    for kind in tested.READERS:
        labelled, wrong = tested._misread(kind)  # noqa: SLF001 -- the test's own reader
        print(f"  {kind:<12} {1 - len(wrong) / labelled:6.1%}  of {labelled}")


def print_cost() -> None:
    """What reading a message costs, with all recognisers of an agent."""
    started = time.perf_counter()
    from hilo.app import load_agent  # noqa: PLC0415 -- its import is part of what is measured
    from hilo.understanding.reading import read  # noqa: PLC0415

    turns = {name: load_agent(ROOT / "agents" / name).turn for name in ("leads", "vuelos")}
    print(f"\nload both agents {time.perf_counter() - started:.2f} s (leads without intents, vuelos with the encoder)")
    for name, turn in turns.items():
        times = []
        for text in own_messages():
            begun = time.process_time()
            reading = read(turn.understander, text, at=NOW)
            for slot in turn.agent.slots.values():
                reading.values.of(slot)
            times.append((time.process_time() - begun) * 1000)
        late = statistics.quantiles(times, n=20)[18]
        print(f"  {name:<8} {statistics.median(times):.2f} ms p50, {late:.2f} ms p95 a message")
    print(f"  memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at peak")


def main() -> None:
    """Print everything."""
    load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, load {load}, Python {sys.version.split()[0]}")
    print_cost()
    print_rates()
    sys.path.insert(0, str(Path(__file__).parent))
    print("\ncatalogue of 100,000 products")
    importlib.import_module("understanding_catalogue").main()
    if len(sys.argv) > 1:
        print("\nintents")
        importlib.import_module("understanding_intents").main(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
