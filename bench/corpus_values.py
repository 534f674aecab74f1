"""How often a question for a value takes one from messages of the corpus that give one, and from those that give none.

    python -m bench.corpus_values [--errors FILE] [--held-out FOLDER]

For each slot type there is an agent that has just asked for such a value and will ask for others. A message that the
corpus labels `provide` must fill the slot (which value is right is not labelled); one that refuses, asks, complains,
hesitates or cancels must leave it empty. Of the latter, and of messages that do something else while nothing is asked,
`others` counts the slots that were filled though nobody asked for them.

The classifier of acts was trained on these messages. With `--held-out` each hand is heard by one that was trained
without that hand; they are written to the folder first where they are not there (some minutes).
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml
from bench.spanish.words import percent, table

from hilo.app import LoadedAgent, load_agent
from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation
from hilo.understanding.acts import hearing
from hilo.understanding.acts.trained import ACTS
from hilo.understanding.trained.classifier import Classifier, from_bytes, to_bytes

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))  # the tools import each other, as scripts do
import train

CORPUS = Path(__file__).parents[1] / "corpus" / "hands"
ZONE = "America/Bogota"
NOW = datetime(2026, 3, 10, 10, 0, tzinfo=ZoneInfo(ZONE))
OWN_NUMBER = "+573001112233"
COUNTRIES = {"cdmx": "MX", "lima": "PE", "medellin": "CO", "rosario": "AR", "santiago": "CL", "sevilla": "ES"}

# a slot of each type as an author would declare it; of choices and yes-or-no questions the corpus does not tell enough
SLOTS: dict[str, dict[str, Any]] = {
    "nombre": {"type": "person_name", "label": "nombre", "ask": "¿Cómo te llamas?"},
    "correo": {"type": "email", "label": "correo", "ask": "¿Cuál es tu correo?"},
    "telefono": {"type": "phone", "label": "teléfono", "ask": "¿Cuál es tu teléfono?"},
    "direccion": {"type": "address", "label": "dirección", "ask": "¿A qué dirección?"},
    "ciudad": {"type": "city", "label": "ciudad", "ask": "¿En qué ciudad?"},
    "fecha": {"type": "date", "label": "fecha", "ask": "¿Qué día?"},
    "hora": {"type": "time", "label": "hora", "ask": "¿A qué hora?"},
    "cantidad": {"type": "number", "label": "cantidad", "ask": "¿Cuántos?"},
    "presupuesto": {"type": "money", "label": "presupuesto", "ask": "¿Qué presupuesto tienes?"},
    "documento": {"type": "national_id", "label": "documento", "ask": "¿Cuál es tu documento?"},
    "plazo": {"type": "duration", "label": "plazo", "ask": "¿Por cuánto tiempo?"},
    "pagina": {"type": "url", "label": "página", "ask": "¿Cuál es tu página?"},
    "empresa": {"type": "text", "label": "empresa", "ask": "¿Cómo se llama tu empresa?"},
}
# an agent with intents reads messages with the sentence encoder, as most do
INTENTS = {
    "horario": {
        "examples": ["¿a qué hora abren?", "¿qué días atienden?", "hasta qué hora están"],
        "answer": "De 9 a 18.",
    },
    "pagos": {"examples": ["¿cómo puedo pagar?", "aceptan tarjeta", "medios de pago"], "answer": "Con tarjeta."},
    "envios": {"examples": ["¿hacen envíos?", "cuánto sale el envío", "llevan a domicilio"], "answer": "Sí."},
}
GIVES = "provide"
NO_VALUE = frozenset({"deny", "info_question", "unclear", "cancel", "negative", "ask_human", "chitchat", "thanks"})
UNASKED = "(nothing)"


@dataclass(frozen=True)
class Message:
    hand: str
    act: str
    asked: str  # the slot, or nothing
    text: str


@dataclass(frozen=True)
class Taken:
    message: Message
    slots: dict[str, Any]

    @property
    def is_asked_filled(self) -> bool:
        return self.message.asked in self.slots

    @property
    def others(self) -> dict[str, Any]:
        return {name: value for name, value in self.slots.items() if name != self.message.asked}

    @property
    def is_wrong(self) -> bool:
        gives = self.message.act == GIVES
        return gives != self.is_asked_filled if self.message.asked else bool(self.slots)


def messages() -> list[Message]:
    """Those that are labelled as giving a value of a type, or none."""
    by_type = {f"slot:{slot['type']}": name for name, slot in SLOTS.items()} | {"none": ""}
    found: list[Message] = []
    for hand in sorted(file.parent for file in CORPUS.glob("*/acts.tsv")):
        for line in (hand / "acts.tsv").read_text(encoding="utf-8").splitlines():
            act, waiting, text = line.split("\t")
            labelled = act in NO_VALUE or (act == GIVES and waiting != "none")
            if waiting in by_type and labelled:
                found.append(Message(hand.name, act, by_type[waiting], text))
    return found


def agent_for(scratch: Path, asked: str, country: str) -> LoadedAgent:
    """An agent that asks for this slot first; with none, one that waits for nothing."""
    first = {asked: SLOTS[asked]} if asked else {}
    slots = {**first, **SLOTS}
    document = {
        "agent": "valores",
        "language": "es",
        "country": country,
        "timezone": ZONE,
        "slots": slots,
        "intents": INTENTS,
        "flows": {"datos": {"starts": "always", "steps": [{"collect": list(slots)}, {"say": "¡Listo!"}]}},
    }
    place = scratch / f"{asked or 'nada'}_{country}"
    place.mkdir()
    (place / "agent.yaml").write_text(yaml.safe_dump(document, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return load_agent(place)


def trained_without(hand: str, folder: Path) -> Classifier:
    """The classifier of acts that has not seen a hand; all of them are trained where one is not there."""
    if not (folder / f"{hand}.npz").exists():
        folder.mkdir(parents=True, exist_ok=True)
        rows = train.read_acts(CORPUS.parent)
        given = train.prepare(ACTS, rows)
        for each in sorted({row.hand for row in rows}):
            others = [place for place, row in enumerate(rows) if row.hand != each]
            (folder / f"{each}.npz").write_bytes(to_bytes(train.train(ACTS, given.part(others))))
    return from_bytes((folder / f"{hand}.npz").read_bytes())


def hear_without(hand: str, folder: Path) -> None:
    """Let all agents hear with a classifier that has not seen this hand."""
    classifier = trained_without(hand, folder)
    setattr(hearing, "load_classifier", lambda _name: classifier)  # noqa: B010 -- not exported


async def take(some: Iterable[Message], scratch: Path, held_out: Path | None) -> list[Taken]:
    """Send each message to the agent that has just asked."""
    hand = ""
    agents: dict[tuple[str, str], LoadedAgent] = {}
    found = []
    for message in some:
        if held_out and message.hand != hand:
            hand = message.hand
            hear_without(hand, held_out)
        key = message.asked, COUNTRIES.get(message.hand, "CO")
        if key not in agents:
            agents[key] = agent_for(scratch, *key)
        talk = Conversation(agents[key].turn, clock=FakeClock(NOW), phone=OWN_NUMBER)
        if message.asked:
            await talk.say("hola")
        await talk.say(message.text)
        found.append(Taken(message, dict(talk.session.slots)))
    return found


def _rows(taken: Sequence[Taken]) -> list[Sequence[Any]]:
    return [_row(SLOTS[name]["type"] if name else UNASKED, taken, name) for name in (*SLOTS, "")]


def _row(title: str, taken: Sequence[Taken], asked: str) -> Sequence[Any]:
    here = [each for each in taken if each.message.asked == asked]
    giving = [each for each in here if each.message.act == GIVES]
    without = [each for each in here if each.message.act != GIVES]
    missed = sum(not each.is_asked_filled for each in giving)
    false = sum(each.is_asked_filled for each in without)
    others = sum(bool(each.others) for each in without)
    return title, len(giving), percent(missed, len(giving)), len(without), percent(false, len(without)), others


def _all(taken: Sequence[Taken]) -> Sequence[Any]:
    giving = [each for each in taken if each.message.act == GIVES]
    without = [each for each in taken if each.message.act != GIVES]
    asked = [each for each in without if each.message.asked]
    missed = sum(not each.is_asked_filled for each in giving)
    false = sum(each.is_asked_filled for each in asked)
    others = sum(bool(each.others) for each in without)
    return "all", len(giving), percent(missed, len(giving)), len(asked), percent(false, len(asked)), others


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.corpus_values")
    parser.add_argument("--errors", type=Path, metavar="FILE", help="where to write the errors, as JSON lines")
    parser.add_argument("--held-out", type=Path, metavar="FOLDER", help="classifiers that have not seen a hand")
    parser.add_argument("--type", default="", help="only messages while such a value is asked")
    given = parser.parse_args(arguments)
    some = [each for each in messages() if not given.type or SLOTS.get(each.asked, {}).get("type") == given.type]
    with tempfile.TemporaryDirectory() as scratch:
        taken = asyncio.run(take(some, Path(scratch), given.held_out))
    head = ("asked", "giving", "missed %", "without", "taken %", "others")
    print(table(head, [*_rows(taken), _all(taken)]))
    if given.errors:
        wrong = [each for each in taken if each.is_wrong or (each.message.act != GIVES and each.others)]
        lines = [json.dumps({**vars(each.message), "slots": each.slots}, ensure_ascii=False) for each in wrong]
        given.errors.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
