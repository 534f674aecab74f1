"""How well questions are answered from a business's own pages.

    python -m bench.knowledge FOLDER [--agent] [--questions FILE] [--others FILE …] [--without-encoder] [--errors]

FOLDER has the pages, docs/*.md, and questions.jsonl: {"text": …, "section": "page > heading", or null where no page
answers}; several sections may answer: a list. Each question is read as the first message to an agent that has these
pages and nothing else, or, with --agent, to the agent of the folder: there an `intent` may be named that answers, too,
and what is answered by any other one is answered wrongly. OTHERS are messages that no page answers (JSON
lines with a `text`). Exits with 2 if the folder cannot be read.
"""

import argparse
import asyncio
import json
import re
import statistics
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hilo.agent.answerable import answerable
from hilo.agent.declaration import Agent
from hilo.agent.documents import Section
from hilo.app import LoadedAgent, load_agent, new_session
from hilo.app.loading import prepare
from hilo.dialogue.commands import AskInfo, CallTool, Command, OfferSections, Quote, StartFlow
from hilo.dialogue.events import MessageReceived
from hilo.errors import HiloError
from hilo.recognisers.normalise import fold
from hilo.understanding.knowledge.index import make_index

BARE = "agent: bench\nlanguage: {language}\nknowledge: docs/*.md\n"
AT = datetime(2026, 3, 10, 13, tzinfo=UTC)
BANDS = ((0, 20), (20, 40), (40, 60), (60, 80), (80, 101))
_BETWEEN = re.compile(r"\s*[>›#|]\s*|\s+/\s+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what answers it: sections by their places, none where no page does."""

    text: str
    right: frozenset[int]
    intents: frozenset[str] = frozenset()  # those of the agent that answer it, too

    @property
    def has_answer(self) -> bool:
        return bool(self.right or self.intents)


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a question."""

    asked: Asked
    nearest: int
    confidence: int
    quoted: frozenset[int]
    offered: frozenset[int]  # sections of which one may be meant: the contact is asked
    milliseconds: float
    intents: frozenset[str] = frozenset()  # what else is answered or begun

    @property
    def is_right(self) -> bool:
        return bool(self.quoted & self.asked.right or self.intents & self.asked.intents)

    @property
    def is_answered(self) -> bool:
        return bool(self.quoted or self.intents)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.knowledge", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where docs/*.md and questions.jsonl are")
    parser.add_argument("--agent", action="store_true", help="ask the agent of the folder, whose intents go first")
    parser.add_argument("--questions", type=Path, metavar="FILE", help="instead of questions.jsonl of the folder")
    parser.add_argument("--language", default="es-AR", help="of the pages; default: es-AR")
    parser.add_argument("--others", type=Path, nargs="*", default=[], metavar="FILE", help="what no page answers")
    parser.add_argument("--without-encoder", action="store_true", help="as where its package is not installed")
    parser.add_argument("--errors", action="store_true", help="print what went wrong, line by line")
    given = parser.parse_args(arguments)
    try:
        loaded = _loaded(given.folder, bare=not given.agent, language=given.language)
        if given.without_encoder:
            index = make_index(answerable(loaded.agent), encoder=None, language=given.language)
            loaded = replace(loaded, turn=replace(loaded.turn, knowledge=index))
        asked = list(_questions(given.questions or given.folder / "questions.jsonl", loaded))
        others = [Asked(text, frozenset()) for file in given.others for text in _texts(file)]
    except (HiloError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    told = asyncio.run(_ask(loaded, asked))
    _report(told, loaded.agent.documents, errors=given.errors)
    _report_left_out(loaded, asked, errors=given.errors)
    if others:
        answered = [each for each in asyncio.run(_ask(loaded, others)) if each.quoted]
        print(f"of {len(others)} other messages {_share(len(answered), len(others))} are answered")
        for each in answered:
            print(f"    {each.confidence} {each.asked.text!r}: {_named(each.quoted, loaded.agent.documents)}")
    return 0


# --- the folder -------------------------------------------------------------------------------------------


def _loaded(folder: Path, *, bare: bool, language: str) -> LoadedAgent:
    if bare:
        return prepare(BARE.format(language=language), folder / "agent.yaml")
    return load_agent(folder)


def _questions(file: Path, loaded: LoadedAgent) -> Iterator[Asked]:
    sections = loaded.agent.documents
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        row = json.loads(line)
        named = row.get("section")
        labels = [named] if isinstance(named, str) and named else named or []
        right = {place for label in labels for place, each in enumerate(sections) if _is_named(each, label)}
        if labels and not right:
            raise ValueError(f"{file}:{number}: there is no section {named!r}; write `page > heading`")
        named = row.get("intent", ())
        intents = {named} if isinstance(named, str) else set(named)
        yield Asked(row["text"], frozenset(right), frozenset(intents | set(_say_the_same(loaded, right))))


def _say_the_same(loaded: LoadedAgent, right: Collection[int]) -> Iterator[str]:
    """The intents whose answers say what sections say."""
    index = loaded.turn.knowledge
    assert index is not None
    for place, each in enumerate(index.sections):
        if each.meaning and not index.rivals[list(right), place].all():
            yield each.meaning


def _is_named(section: Section, label: str) -> bool:
    """Whether a label's parts stand in a section's page and headings, in their order."""
    path = [_plain(section.page), *map(_plain, section.heading.split(" › "))]
    for part in filter(None, _BETWEEN.split(label)):
        wanted = _plain(part)
        if wanted not in path:
            return False
        path = path[path.index(wanted) + 1 :]
    return True


def _plain(text: str) -> str:
    return fold(text).strip(" .:¿?¡!")


def _texts(file: Path) -> Iterator[str]:
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)["text"]


# --- asking -----------------------------------------------------------------------------------------------


async def _ask(loaded: LoadedAgent, asked: Sequence[Asked]) -> list[Told]:
    told = []
    places = {(each.source, each.text): place for place, each in enumerate(loaded.agent.documents)}
    assert loaded.turn.knowledge is not None
    for each in asked:
        session = new_session(loaded.agent, session_id="bench", at=AT)
        started = time.perf_counter()
        state, _record = await loaded.turn.understand(session, MessageReceived(AT, each.text))
        took = (time.perf_counter() - started) * 1000
        said = [one for one in state.get("commands", ()) if isinstance(one, Quote)]
        quotes = [one for one in said if one.sure]
        best = next((one for one in loaded.turn.knowledge.find(each.text) if not one.section.meaning), None)
        nearest = places[best.section.source, best.section.text] if best else -1
        quoted = frozenset(places[one.source, one.text] for one in quotes)
        sources = {
            source for one in state.get("commands", ()) if isinstance(one, OfferSections) for source in one.sources
        }
        sources |= {one.source for one in said if not one.sure}
        offered = frozenset(place for (source, _), place in places.items() if source in sources)
        intents = frozenset(_meant(loaded.agent, state.get("commands", ())))
        told.append(Told(each, nearest, best.confidence if best else 0, quoted, offered, took, intents))
    return told


def _meant(agent: Agent, commands: Sequence[Command]) -> Iterator[str]:
    """The intents that are answered, and the flows that begin."""
    for command in commands:
        match command:
            case AskInfo(intent=name) | StartFlow(flow=name):
                yield name
            case CallTool(tool=tool):
                yield from (name for name, intent in agent.intents.items() if intent.do == tool)


# --- telling ----------------------------------------------------------------------------------------------


def _report(told: Sequence[Told], sections: Sequence[Section], *, errors: bool) -> None:
    inside = [each for each in told if each.asked.has_answer]
    outside = [each for each in told if not each.asked.has_answer]
    right = [each for each in inside if each.is_right]
    wrong = [each for each in inside if each.is_answered and not each.is_right]
    false = [each for each in outside if each.is_answered]
    of_pages = [each for each in inside if each.asked.right]
    nearest = [each for each in of_pages if each.nearest in each.asked.right]
    print(f"{len(sections)} sections, {len(inside)} questions that they answer, {len(outside)} that they do not")
    print(f"answered rightly           {_share(len(right), len(inside))}")
    print(f"answered wrongly           {_share(len(wrong), len(inside))}")
    offers = [each for each in inside if each.offered & each.asked.right]
    vain = [each for each in inside if each.offered and not each.offered & each.asked.right]
    print(f"offered or said with doubt {_share(len(offers), len(inside))}")
    print(f"the same, in vain          {_share(len(vain), len(inside))}")
    print(f"right section is nearest   {_share(len(nearest), len(of_pages))}")
    print(f"answered though not there  {_share(len(false), len(outside))}")
    print(f"offered though not there   {_share(sum(bool(each.offered) for each in outside), len(outside))}")
    quoted = len(right) + len(wrong) + len(false)
    print(f"right of what is answered  {_share(len(right), quoted)}")
    print(f"a message takes            {statistics.median(each.milliseconds for each in told):.1f} ms")
    print("sure of 100 | questions | nearest section is right")
    for low, high in BANDS:
        band = [each for each in told if low <= each.confidence < high]
        hit = [each for each in band if each.nearest in each.asked.right]
        print(f"{low:>5}–{high - 1:<5} | {len(band):>9} | {_share(len(hit), len(band))}")
    if errors:
        for each in sorted(told, key=lambda one: -one.confidence):
            if each.is_right or (not each.asked.has_answer and not each.is_answered):
                continue
            wanted = _named(each.asked.right, sections) or ", ".join(each.asked.intents) or "nothing"
            near = f"nothing (nearest: {_named({each.nearest}, sections)})"
            got = _named(each.quoted, sections) or ", ".join(each.intents) or near
            print(f"    {each.confidence:>3} {each.asked.text!r}: wanted {wanted}, quoted {got}")


def _report_left_out(loaded: LoadedAgent, asked: Sequence[Asked], *, errors: bool) -> None:
    """Each answered question once more, of pages without the sections that answer it: all that is quoted is wrong."""
    inside = [each for each in asked if each.right and not each.intents]
    index = loaded.turn.knowledge
    assert index is not None
    false = []
    kept: dict[frozenset[int], Any] = {}
    for each in inside:
        if each.right not in kept:
            rest = [one for place, one in enumerate(loaded.agent.documents) if place not in each.right]
            agent = replace(loaded.agent, documents=tuple(rest))
            made = make_index(answerable(agent), encoder=index.encoder, language=agent.language) if rest else None
            kept[each.right] = replace(loaded, agent=agent, turn=replace(loaded.turn, agent=agent, knowledge=made))
        if kept[each.right].turn.knowledge:
            false += [one for one in asyncio.run(_ask(kept[each.right], [each])) if one.quoted]
    print(f"answered without its section  {_share(len(false), len(inside))}")
    for one in false if errors else ():
        rest = kept[one.asked.right].agent.documents
        print(f"    {one.confidence:>3} {one.asked.text!r}: {_named(one.quoted, rest)}")


def _share(some: int, of: int) -> str:
    return f"{100 * some / of:.1f} % ({some} of {of})" if of else "–"


def _named(places: Any, sections: Sequence[Section]) -> str:
    return ", ".join(sections[place].source for place in sorted(places) if place >= 0)


if __name__ == "__main__":
    sys.exit(main())
