"""Words of the agent language whose meaning this version does not carry out: refused, never silently accepted."""

from collections.abc import Iterator

from hilo.agent.declaration import Agent
from hilo.agent.source import Path
from hilo.agent.steps import Do, Repeat, Wait
from hilo.agent.texts import kind_of

HINT = "the word is reserved; this version of Hilo does not carry it out yet"

_AGENT = ("modes", "start_mode", "tools", "confidence", "timers", "grounded")
_TEMPLATE = ("fallback", "tones", "wa_template")


def not_yet(agent: Agent) -> Iterator[tuple[Path, str, str]]:
    """Where the file uses such a word."""
    for key in _AGENT:
        if getattr(agent, key):
            yield (key,), f"`{key}` is not available yet", HINT
    for name, slot in agent.slots.items():
        if slot.valid_if:
            yield ("slots", name, "valid_if"), "`valid_if` is not available yet", HINT
    for name, template in agent.templates.items():
        yield from (
            (("templates", name, key), f"`{key}` is not available yet", HINT)
            for key in _TEMPLATE
            if getattr(template, key)
        )
    for name, intent in agent.intents.items():
        if intent.do:
            yield ("intents", name, "do"), "`do` of an intent is not available yet", HINT
    yield from _in_flows(agent)


def _in_flows(agent: Agent) -> Iterator[tuple[Path, str, str]]:
    for name, flow in agent.flows.items():
        if flow.interrupts != "push":
            yield ("flows", name, "interrupts"), "`interrupts: ask` is not available yet", HINT
        for place, step in enumerate(flow.steps):
            path = ("flows", name, "steps", place)
            if isinstance(step, Do | Repeat | Wait):
                yield (*path, kind_of(step)), f"the step `{kind_of(step)}` is not available yet", HINT
            if step.mode:
                yield (*path, "mode"), "`mode` of a step is not available yet", HINT
