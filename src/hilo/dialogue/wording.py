"""Templates and values as words of the agent's language."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

from hilo.agent.declaration import Agent, Template
from hilo.agent.texts import PLACEHOLDER
from hilo.agent.values import Value
from hilo.dialogue.effects import Line
from hilo.slots.date import day_text
from hilo.slots.number import number_text

_GAP = "\0"  # where a value is not known
_SPACED_GAP = re.compile("( ?)\0( ?)")


def label(agent: Agent, slot: str) -> str:
    """What contacts call a slot."""
    return agent.slots[slot].label or slot.replace("_", " ")


def flow_label(agent: Agent, flow: str) -> str:
    """What contacts call what a flow does."""
    return agent.flows[flow].description or flow.replace("_", " ")


def intent_label(agent: Agent, intent: str) -> str:
    """What contacts call an intent, or what a flow does."""
    if intent in agent.flows:
        return flow_label(agent, intent)
    return agent.intents[intent].label or intent.replace("_", " ")


def word(agent: Agent, name: str) -> str:
    """A small word of the agent's language."""
    return agent.templates[f"word.{name}"].text


def spoken(agent: Agent, slot: str, value: Value) -> str:
    """A slot's value as one would write it to a contact."""
    show = agent.slots[slot].kind.show
    return show(value, partial(word, agent)) if show else said(agent, value)


def spoken_day(agent: Agent, day: date) -> str:
    """A day that no slot holds."""
    return day_text(day, partial(word, agent))


def said(agent: Agent, value: Any) -> str:
    """A tool's output as one would write it."""
    if isinstance(value, bool):
        return word(agent, "yes" if value else "no")
    return number_text(value, partial(word, agent)) if isinstance(value, int | Decimal) else str(value)


def reworded(line: Line, text: str) -> Line:
    """The same line in other words."""
    return replace(line, text=text)


def summary(agent: Agent, slots: Mapping[str, Value]) -> str:
    """What was collected, one line each, in the order of the agent file."""
    known = [name for name in agent.slots if name in slots]
    return "\n".join(f"• {label(agent, name)}: {spoken(agent, name, slots[name])}" for name in known)


def fill(text: str, values: Mapping[str, Any]) -> str:
    """A wording with its placeholders filled in; a value that is not known leaves nothing, nor a space too many."""
    filled = PLACEHOLDER.sub(lambda found: str(values.get(found.group(1), _GAP)), text)
    return _SPACED_GAP.sub(_closed, filled) if _GAP in filled else filled


def _closed(gap: re.Match[str]) -> str:
    before, after = gap.groups()
    if before and after:
        return " "
    ends = gap.string[gap.end() : gap.end() + 1] in "\n,.;:!?)"
    return "" if before and ends else before + after


def line_values(agent: Agent, slots: Mapping[str, Value], text: str) -> dict[str, str]:
    """The values that a wording speaks of."""
    names = set(PLACEHOLDER.findall(text))
    values = {name: said(agent, agent.named_facts[name]) for name in names & agent.named_facts.keys()}
    values |= {name: spoken(agent, name, slots[name]) for name in names & slots.keys()}
    return {**values, "summary": summary(agent, slots)} if "summary" in names else values


def wordings(template: Template, tone: str) -> tuple[tuple[int, str], ...]:
    """The texts of a template with their numbers, those for the tone first; those for another mood are left out."""
    plain = tuple(enumerate(template.variants))
    first = len(plain)
    for name, texts in template.tones.items():
        if name == tone:
            return (*enumerate(texts, first), *plain)
        first += len(texts)
    return plain


def next_wording(template: Template, tone: str, times_sent: int) -> tuple[int, str]:
    """Which wording comes next: those for the tone in turn; else the first one once, then the others in turn."""
    found = wordings(template, tone)
    if toned := len(found) - len(template.variants):
        return found[times_sent % toned]
    others = len(template.again)
    return found[0 if times_sent == 0 or not others else (times_sent - 1) % others + 1]


def mark(text: str) -> str:
    """By what a text is known to have been said."""
    return hashlib.blake2s(text.encode(errors="surrogatepass"), digest_size=4).hexdigest()
