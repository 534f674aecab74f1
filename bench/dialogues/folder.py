"""A folder of dialogues and talks: what it holds, and where it is broken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml
from bench.spanish.folder import BrokenFolder

Given = Mapping[str, Any]

STARTS = datetime(2026, 3, 10, 10, 0)  # noqa: DTZ001 -- by the clock of where the agent is


def starts_at(timezone: str) -> datetime:
    """When every dialogue and talk begins, so that "mañana" is always the same day."""
    return STARTS.replace(tzinfo=ZoneInfo(timezone))


@dataclass(frozen=True)
class Dialogue:
    """A conversation with what must be true after each of its turns."""

    id: str
    domain: str
    title: str
    turns: Sequence[Given]
    given: Given


@dataclass(frozen=True)
class Talk:
    """What somebody says to a shipped agent; how it answers is for a person to judge."""

    id: str
    agent: str
    who: str
    say: Sequence[str]


def read_dialogues(folder: Path) -> tuple[Dialogue, ...]:
    """The dialogues of a folder, each with its turns."""
    file = folder / "dialogues.yaml"
    found = _loaded(file)
    listed = found.get("dialogues") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        raise BrokenFolder(f"{file} has no list `dialogues`")
    return tuple(_dialogue(file, number, each) for number, each in enumerate(listed, 1))


def _dialogue(file: Path, number: int, found: Any) -> Dialogue:
    place = f"dialogue {number} of {file}"
    if not isinstance(found, dict) or not {"id", "domain", "turns"} <= found.keys():
        raise BrokenFolder(f"{place} needs `id`, `domain` and `turns`")
    for turn in found["turns"]:
        if not isinstance(turn, dict) or not {"user", "wait"} & turn.keys():
            raise BrokenFolder(f"{place} has a turn with neither `user` nor `wait`: {turn!r}")
    return Dialogue(found["id"], found["domain"], found.get("title", ""), found["turns"], found.get("given", {}))


def read_talks(folder: Path) -> tuple[Talk, ...]:
    """The talks of a folder."""
    file = folder / "talks.yaml"
    found = _loaded(file)
    if not isinstance(found, list):
        raise BrokenFolder(f"{file} is no list of talks")
    talks = []
    for number, each in enumerate(found, 1):
        if not isinstance(each, dict) or not {"id", "agent", "say"} <= each.keys():
            raise BrokenFolder(f"talk {number} of {file} needs `id`, `agent` and `say`")
        talks.append(Talk(each["id"], each["agent"], str(each.get("who", "")), [str(said) for said in each["say"]]))
    return tuple(talks)


def read_train(folder: Path) -> Mapping[str, Any]:
    """The places and examples that the copies of the agents are made with."""
    found = _loaded(folder / "train.yaml")
    if not isinstance(found, dict) or "intents" not in found:
        raise BrokenFolder(f"{folder / 'train.yaml'} has no intents by domain")
    return found


def _loaded(file: Path) -> Any:
    if not file.is_file():
        raise BrokenFolder(f"{file} is missing: give a folder of the form of es-dev")
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise BrokenFolder(f"{file} is no YAML: {error}") from None
