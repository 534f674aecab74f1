"""Which thread a message belongs to: the order, information, or both. The agent declares what belongs where."""

import re
from itertools import pairwise
from typing import Literal

from hilo.agent.declaration import Agent
from hilo.understanding.openings import begins_anew

Topic = Literal["order", "info", "mixed", ""]

_ASKS = r"qu[eé]|q|si|cu[aá]l|cu[aá]nt[oa]s?|cu[aá]ndo|c[oó]mo|d[oó]nde|a qu[eé]|what|how|when|where"
_CLAUSE = re.compile(
    r"(?:[?!;\n]|\.(?!\d))+|,\s+(?=¿|(?:y|e|pero|adem[aá]s|tambi[eé]n|and|but)\b)|(?<=\w)\s+¿"
    rf"|\s+(?:y|and)\s+(?=(?:{_ASKS})\b)"
    r"|,?\s+(?:y|and)\s+(?:despu[eé]s|luego|adem[aá]s|tambi[eé]n|then|also)\s+"
    r"|\s+(?:pero|but)\s+(?:tengo|i have) (?:una|a) (?:duda|pregunta|question)\b[\s,:]*",
    re.IGNORECASE,
)
SHORTEST = 3  # characters; less than that is no clause of its own


def clauses(text: str, agent: Agent | None = None) -> tuple[tuple[int, int], ...]:
    """Where the parts of a message stand that may be about different things: "agregá una sprite, ¿y hasta cuándo?".

    With an agent, also where a wish begins that is kept in the contact's words.
    """
    wishes = begins_anew(agent, text) if agent else ()
    found = sorted({*(each.span() for each in _CLAUSE.finditer(text)), *wishes})
    breaks = [(0, 0), *found, (len(text), len(text))]
    spans = [(before[1], after[0]) for before, after in pairwise(breaks)]
    return tuple((start, end) for start, end in spans if len(text[start:end].strip(" ,¿¡")) >= SHORTEST)


def topic_of(agent: Agent, meant: tuple[str, ...]) -> Topic:
    """The thread of what was meant: flows and intents declared `order` on one side, the other intents on the other."""
    order = any(name in agent.flows or _is_order(agent, name) for name in meant)
    info = any(name in agent.intents and not _is_order(agent, name) for name in meant)
    return "mixed" if order and info else "order" if order else "info" if info else ""


def _is_order(agent: Agent, name: str) -> bool:
    return name in agent.intents and agent.intents[name].topic == "order"
