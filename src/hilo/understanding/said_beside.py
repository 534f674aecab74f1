"""What a message says beside all else, in the very words of an example with a value: "…, y te pago con débito".

An example such as "te pago con {pay}" is a pattern: where its words stand in a message with a value of the slot, the
intent is meant, however much is said besides. It holds for slots that no flow asks for; the others are taken as values.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hilo.agent.declaration import Agent
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.commands import Affirm, CallTool, Command, Deny, StartFlow
from hilo.dialogue.session import Session
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import fold, hidden
from hilo.slots.places import streets
from hilo.understanding.once import once_per_agent
from hilo.understanding.orders.words import FILLERS as COURTESY
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import FILLERS

_CLAUSE = re.compile(r"(?:[^.,;:!?\n]|[.,](?=\d))+")
_JOINED = re.compile(r"\s+y\s+")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class ValuePattern:
    """A tool that takes a slot, the words before its value in the examples, and all the words of those."""

    tool: str
    slot: str
    leads: frozenset[str]
    words: frozenset[str]


def calls_beside(
    agent: Agent, session: Session, reading: Reading, proposed: tuple[Command, ...]
) -> tuple[Command, ...]:
    """What is proposed, and the calls that examples with a value mean, of tools that nothing else proposes.

    A message that says nothing but the value, and perhaps a yes or a no, means that alone.
    """
    called = {each.tool for each in proposed if isinstance(each, CallTool)}
    patterns = () if "?" in reading.text.raw else _patterns(agent)
    calls: list[Command] = []
    for pattern in patterns:
        found = reading.values.of(agent.slots[pattern.slot])
        said = [each for each in found if _is_led(pattern, reading, each) or _is_clause(pattern, reading, each)]
        if not said:
            continue
        last = max(said, key=lambda each: each.start)  # "efectivo no, transferencia"
        call = CallTool(pattern.tool, {pattern.slot: last.value})
        if _is_all(pattern, reading, last):
            return (*_answers(agent, session, reading, proposed), call)
        if pattern.tool not in called:
            calls.append(call)
    return (*proposed, *calls)


def _answers(agent: Agent, session: Session, reading: Reading, proposed: tuple[Command, ...]) -> Iterator[Command]:
    """The yes or the no beside the value; where nothing is asked, a yes leads on: "sí, con tarjeta"."""
    yield from (each for each in proposed if isinstance(each, Affirm | Deny))
    mode = agent.modes.get(session.mode)
    is_idle = session.pending is None and not session.stack
    if is_idle and mode and mode.next.yes and reading.has("affirm"):
        yield StartFlow(mode.next.yes)


def _is_led(pattern: ValuePattern, reading: Reading, found: Found) -> bool:
    before = reading.text.folded[: found.start].rstrip()
    return any(re.search(rf"\b{re.escape(words)}$", before) for words in pattern.leads)


def _is_clause(pattern: ValuePattern, reading: Reading, found: Found) -> bool:
    """Whether a choice stands for itself: "2 cocas, efectivo"; a sum needs words that tell what it is."""
    if found.kind != "choice":
        return False
    houses = [(each.start, each.end) for each in streets(reading.values.said)]
    others = [span for span in (*reading.values.goods, *houses) if not span[0] <= found.start < span[1]]
    text = hidden(reading.text, others).folded
    for clause in _CLAUSE.finditer(text):
        if not clause.start() <= found.start < clause.end():
            continue
        before, after = text[clause.start() : found.start], text[found.end : clause.end()]
        return _says_nothing(pattern, f"{_JOINED.split(before)[-1]} {_JOINED.split(after)[0]}")
    return False


def _is_all(pattern: ValuePattern, reading: Reading, found: Found) -> bool:
    text = reading.text.folded
    return _says_nothing(pattern, f"{text[: found.start]} {text[found.end :]}")


def _says_nothing(pattern: ValuePattern, rest: str) -> bool:
    return set(_WORD.findall(rest)) <= pattern.words | FILLERS | COURTESY


@once_per_agent
def _patterns(agent: Agent) -> tuple[ValuePattern, ...]:
    """The examples of one value with words before it, of tools that take the slot as a parameter."""
    asked = {slot for flow in agent.flows.values() for slot in flow.collects}
    leads: dict[tuple[str, str], set[str]] = {}
    for intent in agent.intents.values():
        takes = agent.toolbox[intent.do].parameters if intent.do in agent.toolbox else {}
        for example in intent.examples if takes else ():
            names = PLACEHOLDER.findall(example)
            if len(names) != 1 or names[0] not in takes or names[0] in asked or names[0] not in agent.slots:
                continue
            words = fold(example[: example.index("{")]).strip()
            if words and example.rstrip().endswith("}"):
                leads.setdefault((intent.do, names[0]), set()).add(words)
    return tuple(
        ValuePattern(tool, slot, frozenset(said), frozenset(_WORD.findall(" ".join(said))))
        for (tool, slot), said in leads.items()
    )
