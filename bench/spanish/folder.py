"""A folder of labelled messages: what it holds, and where it is broken."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml
from bench.spanish.words import as_name

Row = dict[str, Any]  # one labelled message, as its line has it

ZONE = "America/Argentina/Buenos_Aires"
NOW = "2026-03-10T10:00:00-03:00"  # when the messages of a set are written, unless its train.yaml says otherwise
CATALOGUE_KEYS = ("catalog", "catalogue", "catalogo", "menu", "products")
CROSS = "cross"  # the intents that every agent has beside its own

NEEDED: Mapping[str, tuple[str, ...]] = {
    "intents": ("domain", "text", "intent"),
    "slots": ("domain", "text", "slots"),
    "acts": ("pending", "text", "act"),
    "orders": ("text", "items", "op"),
}
SETS = tuple(NEEDED)


class BrokenFolder(Exception):  # noqa: N818 -- it names what is wrong
    """A file that is missing or a line that cannot be read; its text says which and what to do."""


@dataclass(frozen=True)
class MessageFolder:
    """What a folder of the form of es-dev holds. `train.yaml` is read at once, a set when it is asked for."""

    path: Path
    train: Mapping[str, Any]

    @cached_property
    def zone(self) -> str:
        return str(self.train.get("timezone") or ZONE)

    @cached_property
    def now(self) -> datetime:
        """When all messages are written, so that "mañana" is always the same day."""
        written = datetime.fromisoformat(str(self.train.get("now") or NOW))
        zone = ZoneInfo(self.zone)
        return written.astimezone(zone) if written.tzinfo else written.replace(tzinfo=zone)

    @cached_property
    def domains(self) -> tuple[str, ...]:
        """The domains that have intents of their own."""
        return tuple(name for name in self.train["intents"] if name != CROSS)

    @cached_property
    def catalogue(self) -> Any:
        """What is sold, as train.yaml lists it; None where nothing is."""
        return next((self.train[key] for key in CATALOGUE_KEYS if self.train.get(key)), None)

    def examples(self, domain: str) -> dict[str, list[str]]:
        """A domain's own intents with their examples."""
        intents = self.train["intents"].get(domain) or {}
        return {name: [str(text) for text in intent["examples"]] for name, intent in intents.items()}

    def candidates(self, domain: str) -> dict[str, list[str]]:
        """All intents that an agent of a domain tells apart: those of every agent and its own."""
        return {**self.examples(CROSS), **self.examples(domain)}

    def rows(self, name: str) -> Sequence[Row]:
        """The labelled messages of a set."""
        file = self.path / f"{name}.jsonl"
        if not file.is_file():
            raise BrokenFolder(f"{file} is missing: put it there, or name the sets to run ({', '.join(SETS)})")
        lines = file.read_text(encoding="utf-8").split("\n")
        return [self._row(name, f"{file}:{number}", line) for number, line in enumerate(lines, 1) if line.strip()]

    def has(self, name: str) -> bool:
        return (self.path / f"{name}.jsonl").is_file()

    def _row(self, name: str, place: str, line: str) -> Row:
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise BrokenFolder(f"{place} is no JSON: {error}") from None
        if not isinstance(row, dict):
            raise BrokenFolder(f"{place} is no JSON object")
        missing = [key for key in NEEDED[name] if key not in row]
        if missing:
            raise BrokenFolder(f"{place} has no {', '.join(missing)}")
        said = {key: value for key, value in row.items() if value is not None}
        try:
            whole = _with_names(name, {**_defaults(name, row), **said})
        except (AttributeError, KeyError, TypeError) as error:
            raise BrokenFolder(f"{place} is not of the form of es-dev: {error!r}") from None
        if name == "intents" and whole["domain"] not in (CROSS, *self.domains):
            raise BrokenFolder(f"{place} is of the domain {row['domain']!r}, which has no intents in train.yaml")
        return whole


def _defaults(name: str, row: Row) -> Row:
    """What a line may leave out."""
    match name:
        case "intents":
            return {"alt": [], "oos": row["intent"] == "oos"}
        case "slots":
            return {"asked": None, "alt": []}
        case "acts":
            return {"alt": []}
        case _:
            return {"alt_items": []}


def _with_names(name: str, row: Row) -> Row:
    """A line whose domain, intents and slots are called as an agent file would call them."""
    named = {**row, "domain": as_name(row["domain"])} if row.get("domain") else row
    match name:
        case "intents":
            return {**named, "intent": as_name(row["intent"]), "alt": [as_name(each) for each in row["alt"]]}
        case "slots":
            asked = as_name(row["asked"]) if row["asked"] else None
            slots, *alt = (_named(each) for each in (row["slots"], *row["alt"]))
            return {**named, "asked": asked, "slots": slots, "alt": alt}
        case "acts":
            kind, colon, slot = row["pending"].partition(":")
            return {**named, "pending": f"{kind}{colon}{as_name(slot)}"}
        case _:
            items = [each for some in (row["items"], *row["alt_items"]) for each in some]
            if not all(item.get("product") for item in items):
                raise KeyError("product")
            return named


def _named(slots: Mapping[str, Any]) -> Row:
    return {as_name(name): value for name, value in slots.items()}


def _described(intents: Mapping[str, Any]) -> Row:
    """Intents with their examples, which a file may list without more words."""
    return {
        as_name(name): {"examples": intent} if isinstance(intent, list) else intent for name, intent in intents.items()
    }


def open_folder(path: Path) -> MessageFolder:
    """Read and check `train.yaml`."""
    file = path / "train.yaml"
    if not file.is_file():
        raise BrokenFolder(f"{file} is missing: give a folder of the form of es-dev")
    try:
        train = yaml.safe_load(file.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise BrokenFolder(f"{file} is no YAML: {error}") from None
    intents = train.get("intents") if isinstance(train, dict) else None
    if not isinstance(intents, dict) or not all(isinstance(each, dict) for each in intents.values()):
        raise BrokenFolder(f"{file} has no intents by domain")
    for domain, own in intents.items():
        for name, intent in own.items():
            examples = intent.get("examples") if isinstance(intent, dict) else intent
            if not isinstance(examples, list):
                raise BrokenFolder(f"{file}: the intent {name} of {domain} has no list of examples")
    by_name = {as_name(domain): _described(own) for domain, own in intents.items()}
    return MessageFolder(path, {**train, "intents": by_name})
