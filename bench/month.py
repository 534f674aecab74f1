"""A month of a shop's contacts in virtual time, on two cores, with processes that are killed again and again.

    python -m bench.month [contacts] [--kills SHARE] [--agent FILE] [--keep FILE]

Every contact lives from a seed (tests/month/people.py); the engine, its store, its workers and its timers are the real
ones. What came of it is judged from the tables and from what contacts received (tests/month/judge.py).
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from month.month import SOMNIO, Size, live_through

GOAL = 300  # seconds


def main() -> None:
    """Print the numbers; what is wrong is an error."""
    parser = argparse.ArgumentParser()
    parser.add_argument("contacts", nargs="?", type=int, default=10_000)
    parser.add_argument("--kills", type=float, default=0.004, help="the share of steps in which a process is killed")
    parser.add_argument("--agent", type=Path, default=SOMNIO)
    parser.add_argument("--seed", default="a month")
    parser.add_argument("--keep", type=Path, help="a SQLite file for the sessions, to look at with `hilo funnel`")
    given = parser.parse_args()
    month = live_through(Size(given.contacts, given.kills, given.seed), given.agent, keep=given.keep)
    for line in month.lines():
        print(line)
    for line in month.wrong[:20]:
        print("!", line[:500])
    print(f"{month.seconds:.0f} s of {GOAL}")
    sys.exit(bool(month.wrong) or month.seconds > GOAL)


if __name__ == "__main__":
    main()
