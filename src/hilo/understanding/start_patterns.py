"""Examples of a flow with slots in them, as patterns: "envía {monto} a {destinatario}" takes both from a message.

A message fits if it has the words of an example and, in the place of each slot, nothing but a value of it. A slot in
free words takes whatever stands there.
"""

import re
from functools import lru_cache

from hilo.agent.declaration import Agent, Slot
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.commands import Command, SetSlot, StartFlow
from hilo.dialogue.session import Session
from hilo.recognisers.found import Value
from hilo.recognisers.normalise import fold
from hilo.understanding.reading import Reading

SURE_OF_ANOTHER = 85  # what is meant this surely is no other flow
SHORTEST_WORD = 4  # letters: "a" and "el" alone make no pattern
LONGEST = 200  # characters of a message that is looked at
_AROUND = r"(?:(?:hola|buenas|ok|bueno|che|hi|hello|oi|ola)\b\W*)?"
_COURTESY = r"\W*(?:(?:por favor|porfa|gracias|please|thanks|obrigado)\W*)?"


def flow_by_pattern(agent: Agent, session: Session, reading: Reading) -> tuple[Command, ...]:
    """The flow that a message starts by an example with slots, and their values, where nothing is under way."""
    text = reading.text.folded.strip()
    if session.stack or session.pending or len(text) > LONGEST or "?" in text:
        return ()
    for name, flow in agent.flows.items():
        if reading.confidence >= SURE_OF_ANOTHER and reading.intent not in ("", name):
            continue
        for example in flow.examples:
            given = _values(agent, reading, example) if PLACEHOLDER.search(example) else {}
            if given:
                return (StartFlow(name), *(SetSlot(slot, value) for slot, value in given.items()))
    return ()


def _values(agent: Agent, reading: Reading, example: str) -> dict[str, Value]:
    """What a message has in the places of an example's slots; nothing if it does not fit."""
    pattern = _pattern(example)
    fits = pattern.fullmatch(reading.text.folded) if pattern else None
    if fits is None:
        return {}
    given: dict[str, Value] = {}
    for place, name in enumerate(PLACEHOLDER.findall(example), 1):
        value = _value(agent.slots[name], reading, *fits.span(place)) if name in agent.slots else None
        if value is None:
            return {}
        given[name] = value
    return given


def _value(slot: Slot, reading: Reading, start: int, end: int) -> Value | None:
    """What stands in the place of a slot, if that is a value of it and nothing else."""
    if slot.kind.is_free and not slot.pattern:
        return reading.text.original(start, end).strip(" .,!")
    whole = len(reading.text.folded)
    there = reading.values.without([(0, start), (end, whole)])
    for found in there.of(slot, asked=True):
        rest = reading.text.folded[start : found.start] + reading.text.folded[found.end : end]
        if not any(letter.isalnum() for letter in rest):
            return found.value
    return None


@lru_cache(maxsize=1024)
def _pattern(example: str) -> re.Pattern[str] | None:
    literal = PLACEHOLDER.sub(" ", example)
    if all(len(word) < SHORTEST_WORD for word in re.findall(r"\w+", literal)):
        return None
    # split gives words and names in turn: words, name, words, …
    parts = re.split(PLACEHOLDER.pattern, example)
    written = []
    for place, part in enumerate(parts):
        is_slot = place % 2 == 1
        written.append("(.+?)" if is_slot else r"\W+".join(re.findall(r"\w+", fold(part))))
    body = r"\W+".join(each for each in written if each)
    return re.compile(rf"\W*{_AROUND}{body}{_COURTESY}")
