"""What a person does to a thread, as plain JSON: the value of `act`, or of `Command(resume=…)`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from hilo.dialogue.events import Event, OperatorTookOver, Released
from hilo.errors import HiloError

Act = dict[str, Any]

HINT = "use take(), say() or release() of hilo.langgraph"


def take(operator: str = "") -> Act:
    """An operator answers from now on."""
    return {"do": "take", "operator": operator}


def say(text: str, *, operator: str = "") -> Act:
    """An operator's words for the contact; whoever speaks has taken the thread."""
    return {"do": "say", "text": text, "operator": operator}


def release(*, mode: str = "", calls: Sequence[str] = (), text: str = "", operator: str = "") -> Act:
    """The thread goes back to its agent: in which mode, after which tools, with which words."""
    return {"do": "release", "mode": mode, "calls": list(calls), "text": text, "operator": operator}


def words_of(act: Any) -> str:
    """What an operator says; nothing where they do something else. Raises HiloError for what is no act."""
    if not isinstance(act, Mapping) or act.get("do") not in {"take", "say", "release"}:
        raise HiloError(f"{act!r:.100} is nothing that a person can do: {HINT}")
    return str(act.get("text", "")).strip() if act["do"] == "say" else ""


def event_of(act: Mapping[str, Any], at: datetime) -> Event | None:
    """What the dialogue is told of an act; of mere words nothing."""
    operator = str(act.get("operator", ""))
    match act["do"]:
        case "take":
            return OperatorTookOver(at, operator)
        case "release":
            calls = tuple(map(str, act.get("calls", ())))
            return Released(at, str(act.get("mode", "")), calls, str(act.get("text", "")), operator)
    return None
