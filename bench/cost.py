"""What a message costs, agent by agent, and whether another checkout hears the same.

    python -m bench.cost [FOLDER …] [--agents NAME …] [--against CHECKOUT] [--most N]

Plays messages through the shipped agents in short talks and prints the CPU time of a turn. The messages are a sample of
the corpus, or those of FOLDERs of the form of es-dev, and the memory that the process has in the end (on Linux). With
--against, another checkout of Hilo hears each message right before or after this one, in a process of its own, so that
a busy machine slows both: what counts is the ratio, message by message. Whatever the other one hears, proposes or
answers differently is printed: exit 1.
"""

import argparse
import asyncio
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Texts = Mapping[str, Sequence[str]]  # the messages for each agent

ROOT = Path(__file__).parents[1]
AGENTS = ("asistente", "kiosco", "leads", "somnio", "turnos", "vuelos")
TALK = 4  # messages to a contact
LEAST_DIFFERENCE = 1e-5  # of numbers: sums may be made in another order
SHOWN = 20
MARKED = re.compile(r"\{([^|{}]*)\|[^{}]*\}")  # what the corpus marks: the words stay


@dataclass(frozen=True)
class Played:
    """One message of a talk: what it cost, and what came of it."""

    milliseconds: float
    outcome: Any
    megabytes: float  # resident by then


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.cost", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="messages of es-dev's form")
    parser.add_argument("--agents", nargs="+", default=AGENTS, metavar="NAME", help="which of the shipped agents")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout to compare with")
    parser.add_argument("--most", type=int, default=200, metavar="N", help="messages for each agent")
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.play:
        return asyncio.run(_play(given.play))
    texts = _dealt(_messages(given.folders), given.agents, given.most)
    trees = {"here": ROOT} | ({"there": given.against.resolve()} if given.against else {})
    with tempfile.TemporaryDirectory(prefix="cost-") as scratch:
        players = {name: Player(tree, Path(scratch) / name) for name, tree in trees.items()}
        played = {agent: _played(players, agent, some) for agent, some in texts.items()}
    for agent, each in played.items():
        print(_line(agent, each))
    print(_line("all", {name: [one for each in played.values() for one in each[name]] for name in trees}))
    last = list(played)[-1]
    print("   ".join(f"{name} {each[-1].megabytes:.0f} MB" for name, each in played[last].items()))
    different = [line for agent, some in texts.items() for line in _differences(agent, some, played[agent])]
    for line in different[:SHOWN]:
        print(line)
    if given.against:
        print(f"{len(different)} of {sum(map(len, texts.values()))} turns differ")
    return 1 if different else 0


# --- messages -------------------------------------------------------------------------------------------


def _messages(folders: Sequence[Path]) -> list[str]:
    """What people wrote, each once; of the corpus without its marks."""
    found: dict[str, None] = {}
    for folder in folders:
        for file in sorted(folder.glob("*.jsonl")):
            rows = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
            found.update(dict.fromkeys(str(row["text"]) for row in rows if "text" in row))
    for file in sorted((ROOT / "corpus/hands").glob("*/*.tsv")) if not folders else ():
        lines = (line for line in file.read_text(encoding="utf-8").splitlines() if "\t" in line)
        found.update((MARKED.sub(r"\1", line.split("\t")[-1].replace(" ⏎ ", "\n")), None) for line in lines)
    return list(found)


def _dealt(texts: Sequence[str], agents: Sequence[str], most: int) -> Texts:
    """So many of them for each agent, from beginning to end, in an order that mixes what stands together.

    No agent hears what another one has heard: what is remembered of a text would cost it nothing.
    """
    step = max(1, len(texts) // (most * len(agents)))
    some = texts[::step][: most * len(agents)]
    return {agent: _mixed(some[place :: len(agents)]) for place, agent in enumerate(agents)}


def _mixed(texts: Sequence[str]) -> list[str]:
    stride = max(1, len(texts) // TALK)
    return [text for start in range(stride) for text in texts[start::stride]]


# --- playing --------------------------------------------------------------------------------------------


class Player:
    """A checkout in a process of its own, which hears one message after the other."""

    def __init__(self, tree: Path, cache: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "HILO_CACHE": str(cache)}
        command = [sys.executable, __file__, "--play", str(tree / "agents")]
        self._process = subprocess.Popen(  # noqa: S603 -- this very script
            command, env=environment, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def hear(self, agent: str, text: str, *, begins: bool) -> Played:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([agent, text, begins]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"{agent} broke at {text!r}")
        return Played(*json.loads(answer))


def _played(players: Mapping[str, Player], agent: str, texts: Sequence[str]) -> dict[str, list[Played]]:
    """What each checkout makes of the messages; who hears a message first goes in turns."""
    played: dict[str, list[Played]] = {name: [] for name in players}
    for place, text in enumerate(texts):
        for name in list(players)[:: 1 if place % 2 else -1]:
            played[name].append(players[name].hear(agent, text, begins=place % TALK == 0))
    return played


async def _play(agents: Path) -> int:
    from hilo.app import load_agent  # noqa: PLC0415 -- of the checkout that plays
    from hilo.testing import Conversation, FakeClock  # noqa: PLC0415
    from hilo.turn.trace import trace_to_json  # noqa: PLC0415

    loaded: dict[str, Any] = {}
    talk: Any = None
    for line in sys.stdin:
        agent, text, begins = json.loads(line)
        if agent not in loaded:
            loaded[agent] = load_agent(agents / agent)
            await Conversation(loaded[agent], FakeClock()).say("hola")  # what is made at first is not counted
        if begins:
            talk = Conversation(loaded[agent], FakeClock())
        started = time.thread_time()
        result = await talk.say(text)
        cost = (time.thread_time() - started) * 1000
        trace = json.loads(trace_to_json(result.trace))
        del trace["nodes"]
        outcome = {**trace, "replies": [reply.text for reply in result.replies]}
        print(json.dumps([cost, outcome, _resident()]), flush=True)
    return 0


def _resident() -> float:
    """The memory of this process, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * resource.getpagesize() / 1e6


# --- what is printed ------------------------------------------------------------------------------------


def _line(agent: str, played: Mapping[str, Sequence[Played]]) -> str:
    """The median and the 95th of a hundred messages, and the median of the ratios."""
    costs = {name: [each.milliseconds for each in some] for name, some in played.items()}
    written = [f"{name} {statistics.median(some):5.1f} / {_late(some):5.1f}" for name, some in costs.items()]
    if "there" in costs:
        ratios = [here / there for here, there in zip(costs["here"], costs["there"], strict=True)]
        written.append(f"here/there {statistics.median(ratios):.2f}")
    return f"{agent:<10} CPU-ms a message, median / p95: {'   '.join(written)}"


def _late(costs: Sequence[float]) -> float:
    return sorted(costs)[int(len(costs) * 0.95)]


def _differences(agent: str, texts: Sequence[str], played: Mapping[str, Sequence[Played]]) -> Iterator[str]:
    if "there" not in played:
        return
    for text, here, there in zip(texts, played["here"], played["there"], strict=True):
        places = list(_differing(here.outcome, there.outcome))
        if places:
            yield f"{agent}: {text!r}: {'; '.join(places[:3])}"


def _differing(here: Any, there: Any, place: str = "") -> Iterator[str]:
    """Where two outcomes differ."""
    if isinstance(here, float) and isinstance(there, float) and abs(here - there) < LEAST_DIFFERENCE:
        return
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        for key in here:
            yield from _differing(here[key], there[key], f"{place}.{key}")
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for number, pair in enumerate(zip(here, there, strict=True)):
            yield from _differing(*pair, f"{place}[{number}]")
    elif here != there:
        yield f"{place}: {here!r} here, {there!r} there"


if __name__ == "__main__":
    sys.exit(main())
