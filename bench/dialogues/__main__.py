"""Dialogues with assertions, played with copies of the shipped agents.

    python -m bench.dialogues FOLDER [ID or DOMAIN …] [--agents DIR] [--write FILE]

FOLDER has train.yaml and dialogues.yaml. A turn is right when all that it expects holds, a dialogue when all its turns
are right. Prints one table of goals; writes the dialogues with a wrong turn as text. Exits with 1 if something was
ordered or booked that nobody had said yes to, and with 2 if the folder cannot be read.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.dialogues.copies import SHIPPED, make_copies
from bench.dialogues.expectations import KEYS, NEVER, wrong
from bench.dialogues.folder import Dialogue, read_dialogues, read_train
from bench.dialogues.playing import Playing
from bench.spanish.folder import BrokenFolder
from bench.spanish.words import percent, table

from hilo.app import LoadedAgent, load_agent

AGENTS = Path(__file__).parents[2] / "agents"
ELSEWHERE = {"es-dlg-23": "UY"}  # a dialogue whose phone number is one of another country


@dataclass
class Outcome:
    """What a dialogue came to: its text, and for each turn what was wrong."""

    dialogue: Dialogue
    lines: list[str] = field(default_factory=list)
    turns: list[list[tuple[str, str]]] = field(default_factory=list)
    broken_promises: list[str] = field(default_factory=list)
    sizes_said: int = 0

    @property
    def wrong_turns(self) -> int:
        return sum(bool(found) for found in self.turns)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.dialogues", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where train.yaml and dialogues.yaml are")
    parser.add_argument("only", nargs="*", metavar="ID", help="which dialogues to play, by id or domain; default: all")
    parser.add_argument("--agents", type=Path, default=AGENTS, metavar="DIR", help="where the shipped agents are")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where to write the dialogues with a wrong turn")
    given = parser.parse_args(arguments)
    try:
        dialogues = _checked(read_dialogues(given.folder))
        train = read_train(given.folder)
    except BrokenFolder as broken:
        print(broken, file=sys.stderr)
        return 2
    played = [each for each in dialogues if not given.only or {each.id, each.domain} & set(given.only)]
    with tempfile.TemporaryDirectory(prefix="dialogues-") as scratch:
        os.environ["HILO_CACHE"] = str(Path(scratch) / "cache")  # one of an older Hilo would hide what has changed
        outcomes = asyncio.run(_play_all(played, Bench(given.agents, Path(scratch), train)))
    _print_goals(outcomes)
    file = given.write or Path(tempfile.mkdtemp(prefix="dialogues-")) / "wrong.txt"
    wrong_ones = [each for each in outcomes if each.wrong_turns]
    file.write_text("\n".join(line for each in wrong_ones for line in each.lines), encoding="utf-8")
    print(f"\nwrong dialogues: {file}")
    broken_promises = [promise for each in outcomes for promise in each.broken_promises]
    for promise in broken_promises:
        print(f"done without a yes: {promise}")
    return 1 if broken_promises else 0


def _checked(dialogues: Sequence[Dialogue]) -> Sequence[Dialogue]:
    for each in dialogues:
        if each.domain not in SHIPPED:
            raise BrokenFolder(f"{each.id} is of the domain {each.domain}; there are {', '.join(SHIPPED)}")
        unknown = {key for turn in each.turns for key in turn.get("expect", {})} - KEYS
        if unknown:
            raise BrokenFolder(f"{each.id} expects {', '.join(sorted(unknown))}, which nobody can look at")
    return dialogues


class Bench:
    """The copies of the agents, made and loaded once for each country."""

    def __init__(self, agents: Path, scratch: Path, train: Mapping[str, Any]) -> None:
        self.agents, self.scratch, self.train = agents, scratch, train
        self.airports = {code: place["city"] for place in train.get("places", []) for code in place["airports"]}
        self._copies: dict[str, dict[str, Path]] = {}
        self._loaded: dict[Path, LoadedAgent] = {}

    def agent(self, domain: str, country: str) -> LoadedAgent:
        if country not in self._copies:
            self._copies[country] = make_copies(self.agents, self.scratch / country, self.train, country=country)
        folder = self._copies[country][domain]
        if folder not in self._loaded:
            self._loaded[folder] = load_agent(folder)
        return self._loaded[folder]


async def _play_all(dialogues: Sequence[Dialogue], bench: Bench) -> list[Outcome]:
    return [await _play(each, bench) for each in dialogues]


async def _play(dialogue: Dialogue, bench: Bench) -> Outcome:
    loaded = bench.agent(dialogue.domain, ELSEWHERE.get(dialogue.id, "AR"))
    playing, outcome = Playing(loaded, dialogue, bench.airports), Outcome(dialogue)
    await playing.set_up()
    for number, turn in enumerate(dialogue.turns, 1):
        await playing.play(number, turn)
        expected = turn.get("expect", {})
        found = list(wrong(playing, number, expected))
        outcome.turns.append(found)
        done = [name for name, _ in found if name in NEVER and expected[name] == NEVER[name]]
        outcome.broken_promises += [f"{dialogue.id}, turn {number}: {name}" for name in done]
        outcome.lines += _turn_text(number, turn, playing, found)
    outcome.sizes_said = playing.sizes_said
    head = f"\n== {dialogue.id} {dialogue.domain}: {dialogue.title}  [{outcome.wrong_turns} wrong turns]"
    outcome.lines.insert(0, head)
    return outcome


def _turn_text(
    number: int, turn: Mapping[str, Any], playing: Playing, found: Sequence[tuple[str, str]]
) -> Iterator[str]:
    yield f"  {'✗' if found else ' '} {number} > {turn.get('user', turn.get('wait'))}"
    for text in (*playing.shown, *playing.replies) or ("(silence)",):
        yield f"        < {text}"
    for name, why in found:
        yield f"        !! {name}: {why}"


def _print_goals(outcomes: Sequence[Outcome]) -> None:
    tally: Counter[str] = Counter()
    for outcome in outcomes:
        for domain in ("", outcome.dialogue.domain):
            tally[f"{domain} dialogues"] += 1
            tally[f"{domain} dialogues right"] += not outcome.wrong_turns
            tally[f"{domain} turns"] += len(outcome.turns)
            tally[f"{domain} turns right"] += len(outcome.turns) - outcome.wrong_turns
    rows = []
    for domain in ("", *dict.fromkeys(each.dialogue.domain for each in outcomes)):
        for what, goal in (("dialogues", ">= 80"), ("turns", ">= 93")):
            right, of = tally[f"{domain} {what} right"], tally[f"{domain} {what}"]
            rows.append((f"{domain} {what} %".strip(), percent(right, of), goal if not domain else "", f"{right}/{of}"))
    promises = sum(len(each.broken_promises) for each in outcomes)
    rows.append(("done without a yes", str(promises), "0", ""))
    rows.append(("sizes said for the customer", str(sum(each.sizes_said for each in outcomes)), "", ""))
    print(table(("what", "measured", "goal", "of"), rows))


if __name__ == "__main__":
    sys.exit(main())
