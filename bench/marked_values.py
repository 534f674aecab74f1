"""How many messages of the corpus have all their values taken, and nothing else: real turns on `values.tsv`.

    python -m bench.marked_values [--errors FILE] [--held-out FOLDER]

For each type there is an agent that has just asked for such a value and will ask for others. What is marked as given
must fill its slot; what is denied, old, asked about, not decided or somebody else's must not. Names and free texts must
be taken word for word. Counts and texts that nobody asked for are left out, and so are choices.

With `--held-out` each hand is read by classifiers that were trained without it; they are written to the folder first
where they are not there (some minutes).
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
from hilo.understanding import open_values, value_roles
from hilo.understanding.trained.classifier import from_bytes, to_bytes

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))  # the tools import each other, as scripts do
import train
from value_corpus import COUNTRIES, MarkedMessage, read_values

BY_TYPE = {slot["type"]: name for name, slot in SLOTS.items()}
WORD_FOR_WORD = frozenset({"person_name", "text"})
ONLY_ASKED = frozenset({"number", "text"})
MODULES = {value_roles.VALUE_ROLES: value_roles, open_values.OPEN_VALUES: open_values}


def given_by(marked: MarkedMessage) -> dict[str, list[str]]:
    """What each slot should get, in the words of the message."""
    given: dict[str, list[str]] = {}
    for mark in marked.marks:
        if mark.role == value_roles.GIVE and mark.kind in BY_TYPE:
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


def read_without(hand: str, folder: Path) -> None:
    """Read messages with classifiers that have not seen this hand."""
    for name, module in MODULES.items():
        file = folder / f"{name}-{hand}.npz"
        if not file.exists():
            _train_without_each(name, folder)
        classifier = from_bytes(file.read_bytes())
        setattr(module, "load_classifier", lambda _name, kept=classifier: kept)  # noqa: B010 -- not exported


def _train_without_each(name: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = train.READERS[name](CORPUS.parent)
    prepared = train.prepare(name, rows)
    for hand in sorted({row.hand for row in rows}):
        others = [place for place, row in enumerate(rows) if row.hand != hand]
        (folder / f"{name}-{hand}.npz").write_bytes(to_bytes(train.train(name, prepared.part(others))))


async def run(
    scratch: Path, held_out: Path | None
) -> list[tuple[MarkedMessage, list[tuple[str, str]], dict[str, Any]]]:
    """Send every message to the agent that has just asked."""
    agents: dict[tuple[str, str], LoadedAgent] = {}
    found = []
    hand = ""
    for marked in read_values(CORPUS.parent):
        if marked.waiting == "confirm" or marked.hand == "autores" or (marked.asked and marked.asked not in BY_TYPE):
            continue
        if held_out and marked.hand != hand:
            read_without(marked.hand, held_out)
        hand = marked.hand
        key = BY_TYPE.get(marked.asked, ""), COUNTRIES.get(hand, "CO")
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
    parser.add_argument("--held-out", type=Path, metavar="FOLDER", help="classifiers that have not seen a hand")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        found = asyncio.run(run(Path(scratch), chosen.held_out))
    messages: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for marked, wrong, _ in found:
        messages[marked.hand] += 1
        right[marked.hand] += not wrong
    rows = [(hand, messages[hand], percent(right[hand], messages[hand])) for hand in messages]
    print(table(("hand", "messages", "right %"), [*rows, ("all", len(found), percent(right.total(), len(found)))]))
    kinds = Counter(each for _, wrong, _ in found for each in wrong)
    print(table(("what", "type", "times"), [(*what, many) for what, many in kinds.most_common()]))
    if chosen.errors:
        lines = [f"{marked.waiting}\t{marked.message}\t{wrong}\t{slots}" for marked, wrong, slots in found if wrong]
        chosen.errors.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
