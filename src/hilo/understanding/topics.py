"""Which thread a message belongs to: the order, information, or both. The agent declares what belongs where."""

import re
from typing import Literal

from hilo.agent.declaration import Agent

Topic = Literal["order", "info", "mixed", ""]

_CLAUSE = re.compile(r"[.?!;\n]+|,\s+(?=¿|(?:y|e|pero|adem[aá]s|tambi[eé]n|and|but)\b)|(?<=\w)\s+¿")
SHORTEST = 3  # characters; less than that is no clause of its own


def clauses(text: str) -> tuple[str, ...]:
    """The parts of a message that may be about different things: "agregá una sprite, ¿y hasta qué hora están?"."""
    parts = [part.strip(" ,¿¡") for part in _CLAUSE.split(text)]
    return tuple(part for part in parts if len(part) >= SHORTEST)


def topic_of(agent: Agent, meant: tuple[str, ...]) -> Topic:
    """The thread of what was meant: flows and intents declared `order` on one side, the other intents on the other."""
    order = any(name in agent.flows or _is_order(agent, name) for name in meant)
    info = any(name in agent.intents and not _is_order(agent, name) for name in meant)
    return "mixed" if order and info else "order" if order else "info" if info else ""


def _is_order(agent: Agent, name: str) -> bool:
    return name in agent.intents and agent.intents[name].topic == "order"
