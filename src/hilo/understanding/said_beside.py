"""What a message says beside all else, in the very words of an example with a value: "…, y te pago con débito".

An example such as "te pago con {pay}" is a pattern: where its words stand in a message with a value of the slot, the
intent is meant, however much is said besides. It holds for slots that no flow asks for; the others are taken as values.
"""

import re

from hilo.agent.declaration import Agent
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.commands import CallTool, Command
from hilo.recognisers.normalise import fold
from hilo.understanding.reading import Reading

Pattern = tuple[str, str, str]  # a tool, a slot, and the words before its value


def calls_beside(agent: Agent, reading: Reading, proposed: tuple[Command, ...]) -> tuple[CallTool, ...]:
    """The calls that examples with a value mean, of tools that nothing else proposes."""
    called = {each.tool for each in proposed if isinstance(each, CallTool)}
    calls: dict[str, CallTool] = {}
    for tool, slot, words in _patterns(agent):
        if tool in called or tool in calls or "?" in reading.text.raw:
            continue
        for found in reading.values.of(agent.slots[slot]):
            before = reading.text.folded[: found.start].rstrip()
            if re.search(rf"\b{re.escape(words)}$", before):
                calls[tool] = CallTool(tool, {slot: found.value})
    return tuple(calls.values())


def _patterns(agent: Agent) -> tuple[Pattern, ...]:
    """The examples of one value and words right before it, of tools that take the slot as a parameter."""
    asked = {slot for flow in agent.flows.values() for slot in flow.collects}
    found: dict[Pattern, None] = {}
    for intent in agent.intents.values():
        takes = agent.toolbox[intent.do].parameters if intent.do in agent.toolbox else {}
        for example in intent.examples if takes else ():
            names = PLACEHOLDER.findall(example)
            if len(names) != 1 or names[0] not in takes or names[0] in asked or names[0] not in agent.slots:
                continue
            words = fold(example[: example.index("{")]).strip()
            if words and example.rstrip().endswith("}"):
                found[intent.do, names[0], words] = None
    return tuple(found)
