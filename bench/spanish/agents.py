"""The agents of the bench: written to a scratch folder and loaded as `hilo chat` would load them."""

import csv
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from bench.spanish import order_tools
from bench.spanish.domains import Domain
from bench.spanish.folder import MessageFolder, Row
from bench.spanish.guesses import domains_of
from bench.spanish.shelf import shelf_of

from hilo.app import LoadedAgent, load_agent
from hilo.dialogue.session import Session
from hilo.errors import HiloError
from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation
from hilo.turn.run import TurnResult
from hilo.understanding.acts.trained import NOTHING
from hilo.understanding.open_question import waiting_in
from hilo.understanding.reading import Reading, read

Document = dict[str, Any]  # an agent file
Call = tuple[str, str, int]  # add, remove or set; the product in the contact's words; how many, -1 for all

EVERY = 50  # messages between two lines of progress


@dataclass
class Workshop:
    """A folder of messages, and the agents that were made to read them."""

    folder: MessageFolder
    scratch: Path
    domains: Mapping[str, Domain] = field(init=False)
    loaded: dict[str, LoadedAgent] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.domains = domains_of(self.folder)

    def load(self, name: str, document: Document) -> LoadedAgent:
        """Write an agent and load it; one that takes orders gets the tools for it."""
        if name not in self.loaded:
            self.loaded[name] = self._loaded(name, document)
        return self.loaded[name]

    def _loaded(self, name: str, document: Document) -> LoadedAgent:
        try:
            return self._written(name, document)
        except HiloError as error:
            # A guess that Hilo does not take costs the messages that need it, and not the rest of the run.
            print(f"the agent {name} is left with its intents alone: {error}", file=sys.stderr)
            kept = {key: document[key] for key in ("agent", "language", "country", "timezone", "intents")}
            return self._written(f"{name}_intents_alone", kept)

    def _written(self, name: str, document: Document) -> LoadedAgent:
        place = self.scratch / "agents" / name
        place.mkdir(parents=True)
        if "orders" in document:
            shutil.copy(order_tools.__file__, place / "tools.py")
            document = self._with_catalogue(document, place)
        written = yaml.safe_dump(document, allow_unicode=True, sort_keys=False)
        (place / "agent.yaml").write_text(written, encoding="utf-8")
        return load_agent(place)

    def _with_catalogue(self, document: Document, place: Path) -> Document:
        """A shop with the table of what it sells, as its developer would declare it."""
        shelf = shelf_of(self.folder.catalogue, document["agent"])
        if not shelf.goods:
            return document
        with (place / CATALOGUE).open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(["product", "category", "size"])
            for good in shelf.goods:
                words = shelf.size_words.get(good.category, {})
                for size in good.sizes or ("",):
                    called = [word for word, meant in words.items() if meant == size]
                    table.writerow([good.name, good.category, " ".join([size, *called])])
        return {**document, "orders": {**document["orders"], "catalogue": CATALOGUE}}

    def read(self, agent: LoadedAgent, text: str, session: Session | None = None) -> Reading:
        waiting = waiting_in(agent.agent, session) if session else NOTHING
        return read(agent.turn.understander, text, at=self.folder.now, waiting=waiting)

    def conversation(self, agent: LoadedAgent, session: Session | None = None) -> Conversation:
        """A new conversation, or one that goes on from a session."""
        talk = Conversation(agent.turn, clock=FakeClock(self.folder.now), phone=OWN_NUMBER)
        if session is not None:
            talk.session = session
        return talk

    def rows(self, name: str) -> Iterator[Row]:
        """The messages of a set, one by one, with a word now and then on how far we are."""
        rows = self.folder.rows(name)
        for number, row in enumerate(rows):
            if number % EVERY == 0:
                print(f"{name}: {number} of {len(rows)}", file=sys.stderr)
            yield row


@dataclass(frozen=True)
class Heard:
    """What came of one message: the turn, the calls of the order tools, and what it cost."""

    result: TurnResult
    calls: Sequence[Call]
    milliseconds: float  # of the CPU


async def hear(talk: Conversation, text: str) -> Heard:
    """The contact writes this."""
    written_down = _calls(talk)
    written_down.clear()
    started = time.thread_time()
    result = await talk.say(text)
    milliseconds = (time.thread_time() - started) * 1000
    return Heard(result, tuple(written_down), milliseconds)


def _calls(talk: Conversation) -> list[Call]:
    """The list of the agent's own copy of the order tools; one that takes no orders has none."""
    if "put" not in talk.turn.tools:
        return []
    calls: list[Call] = talk.turn.tools["put"].function.__globals__["CALLS"]
    return calls


OWN_NUMBER = "+5491122334455"  # that all contacts write from, as on WhatsApp
CATALOGUE = "products.csv"
ORDER_KEYS: Mapping[str, Any] = {
    "orders": {"add": "put", "remove": "take_out", "set": "leave"},
    "tools": {"says": {"put": "Sumado.", "take_out": "Sacado.", "leave": "Cambiado."}},
}


def language_of(country: str) -> str:
    """The language of an agent file for a country."""
    return f"es-{country}" if country in {"AR", "CO"} else "es"


def answering(examples: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Intents as an agent file has them, each with some answer."""
    return {name: {"examples": list(texts), "answer": "¡Listo!"} for name, texts in examples.items()}
