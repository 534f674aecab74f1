"""What the shipped assistant makes of a message: its places and its sums, by its own modules.

Its tools take whole phrases, which no slot holds, so that its slots alone would not show what it understands.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from bench.spanish.folder import Row

from hilo.agent.declaration import Slot
from hilo.tools.tool import ToolFailed
from hilo.understanding import arguments
from hilo.understanding.reading import Reading

ASSISTANT = Path(__file__).resolve().parents[2] / "agents" / "asistente"
PLACE_CUES = Slot(type="text", before=("en", "de", "d", "entre", "para", "at", "in"))
ASKED = ("place", "places")
SURE_CITY = 70
SURE = 60


@cache
def _module(name: str) -> ModuleType:
    """A module of the shipped assistant."""
    if str(ASSISTANT) not in sys.path:
        sys.path.insert(0, str(ASSISTANT))
    return import_module(name)


def values_of(row: Row, slots: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    """What its tools would be given, by the names of the labels."""
    got: dict[str, Any] = {}
    total = _sum(row["text"]) if row["asked"] is None else None
    if total is not None:
        got["expression"] = total
    else:
        got |= {kind: slots[kind] for kind in ("date", "time") if slots.get(kind) not in (None, "")}
        got |= {kind: value for kind, value in _moments(row, reading).items() if kind not in got}
    places = _places(row, slots, reading)
    if places:
        got["places"] = places
    return got


def _sum(text: str) -> str | None:
    """The result of a sum; None where the tool finds none."""
    try:
        return str(_module("asistente_sums").solve(text).result)
    except ToolFailed:
        return None


def _moments(row: Row, reading: Reading) -> dict[str, Any]:
    """The date and the time that a message gives: a tool's parameters take them whatever was asked."""
    found = {}
    for kind in ("date", "time"):
        values = reading.values.of(Slot(type=kind), asked=row["asked"] == kind)
        sure = [each.value for each in values if each.confidence >= SURE]
        if sure:
            found[kind] = sure[0]
    return found


def _places(row: Row, slots: Mapping[str, Any], reading: Reading) -> list[Any]:
    """Phrases after the assistant's cues, looked up in its table; else the cities that Hilo knows; else the slot."""
    found = _in_table(row, reading)
    if not found:
        cities = sorted(reading.values.of(Slot(type="city")), key=lambda each: each.start)
        found = [str(each.value) for each in cities if each.confidence >= SURE_CITY]
    if not found and row["asked"] in ASKED and "place" in slots:
        found = [slots["place"]]
    return list(dict.fromkeys(found))


def _in_table(row: Row, reading: Reading) -> list[str]:
    # The tool itself answers with a full name ("Lima, Perú"); the labels are cities, so the table is read directly.
    table, plain = _module("asistente_places"), _module("asistente_words").plain
    phrases: Sequence[str] = [str(each.value) for each in arguments._phrases(PLACE_CUES, reading.text)]  # noqa: SLF001
    if not phrases and row["asked"] in ASKED:
        phrases = [row["text"]]
    found = []
    for phrase in phrases:
        known = table._named(plain(phrase)) or table._inside(plain(phrase))  # noqa: SLF001
        if known and known[0].country:
            found.append(str(known[0].name))
    return found
