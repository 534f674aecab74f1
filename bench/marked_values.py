"""How many messages of the corpus have all their values taken, and nothing else: real turns on `values.tsv`.

    python -m bench.marked_values [--errors FILE] [--type TYPE]

For each type there is an agent that has just asked for such a value and will ask for others. What is marked as given
must fill its slot; what is denied, old, asked about, not decided or somebody else's must not. Names and free texts must
be taken word for word. Counts and texts that nobody asked for are left out, and so are choices.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.corpus_values import CORPUS, NOW, OWN_NUMBER, SLOTS, agent_for
from bench.spanish.words import percent, table

from hilo.app import LoadedAgent
from hilo.recognisers.normalise import fold
from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))  # the tools import each other, as scripts do
from value_corpus import GIVE, MarkedMessage, read_values

COUNTRIES = {
    "mendoza": "AR",
    "bucaramanga": "CO",
    "oaxaca": "MX",
    "bilbao": "ES",
    "huancayo": "PE",
    "cordobesa": "AR",
    "guayaquil": "EC",
}
BY_TYPE = {slot["type"]: name for name, slot in SLOTS.items()}
WORD_FOR_WORD = frozenset({"person_name", "text"})
ONLY_ASKED = frozenset({"number", "text"})

Judged = tuple[MarkedMessage, list[tuple[str, str]], dict[str, Any]]


def given_by(marked: MarkedMessage) -> dict[str, list[str]]:
    """What each slot should get, in the words of the message."""
    given: dict[str, list[str]] = {}
    for mark in marked.marks:
        if mark.role == GIVE and mark.kind in BY_TYPE:
            given.setdefault(BY_TYPE[mark.kind], []).append(marked.message[mark.start : mark.end])
    return given


def errors_of(marked: MarkedMessage, slots: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with the slots after a message: what happened, and to which type."""
    given = given_by(marked)
    wrong: list[tuple[str, str]] = []
    for kind, name in BY_TYPE.items():
        if kind != marked.asked and kind in ONLY_ASKED:
            continue
        if name in slots and name not in given:
            wrong.append(("taken", kind))
        if name in given and not _is_there(kind, given[name], slots.get(name)):
            wrong.append(("missed", kind))
    return wrong


def _is_there(kind: str, said: Sequence[str], value: Any) -> bool:
    if value is None or kind not in WORD_FOR_WORD:
        return value is not None
    words = [fold(each).strip(" .") for each in said]
    return fold(str(value)).strip(" .") in (*words, " ".join(words))


async def run(scratch: Path, asked: str) -> list[Judged]:
    """Send every message to the agent that has just asked."""
    agents: dict[tuple[str, str], LoadedAgent] = {}
    found: list[Judged] = []
    for marked in read_values(CORPUS.parent):
        if marked.waiting == "confirm" or (marked.asked and marked.asked not in BY_TYPE):
            continue
        if asked and marked.asked != asked:
            continue
        key = BY_TYPE.get(marked.asked, ""), COUNTRIES.get(marked.hand, "CO")
        if key not in agents:
            agents[key] = agent_for(scratch, *key)
        talk = Conversation(agents[key].turn, clock=FakeClock(NOW), phone=OWN_NUMBER)
        if marked.asked:
            await talk.say("hola")
        await talk.say(marked.message)
        slots = dict(talk.session.slots)
        found.append((marked, errors_of(marked, slots), slots))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.marked_values")
    parser.add_argument("--errors", type=Path, metavar="FILE", help="where to write the errors")
    parser.add_argument("--type", default="", help="only messages while such a value is asked")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        found = asyncio.run(run(Path(scratch), chosen.type))
    messages: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for marked, wrong, _ in found:
        for name in (marked.hand, marked.waiting):
            messages[name] += 1
            right[name] += not wrong
    rows = [(name, messages[name], percent(right[name], messages[name])) for name in messages]
    every = sum(not wrong for _, wrong, _ in found)
    print(table(("hand, or asked", "messages", "right %"), [*rows, ("all", len(found), percent(every, len(found)))]))
    kinds = Counter(each for _, wrong, _ in found for each in wrong)
    print(table(("what", "type", "times"), [(*what, many) for what, many in kinds.most_common()]))
    if chosen.errors:
        lines = [f"{marked.waiting}\t{marked.message}\t{wrong}\t{slots}" for marked, wrong, slots in found if wrong]
        chosen.errors.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
