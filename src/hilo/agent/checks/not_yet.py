"""Words of the agent language whose meaning this version does not carry out: refused, never silently accepted."""

from collections.abc import Iterator

from hilo.agent.declaration import Agent
from hilo.agent.source import Path

HINT = "the word is reserved; this version of Hilo does not carry it out yet"

_AGENT = ("modes", "start_mode", "confidence", "grounded")
_TEMPLATE = ("fallback", "tones")


def not_yet(agent: Agent) -> Iterator[tuple[Path, str, str]]:
    """Where the file uses such a word."""
    for key in _AGENT:
        if getattr(agent, key):
            yield (key,), f"`{key}` is not available yet", HINT
    for key in ("python", "groups", "http", "mcp"):  # Python tools are found in tools.py
        if agent.tools and getattr(agent.tools, key):
            yield ("tools", key), f"`{key}` of tools is not available yet", HINT
    for name, template in agent.templates.items():
        yield from (
            (("templates", name, key), f"`{key}` is not available yet", HINT)
            for key in _TEMPLATE
            if getattr(template, key)
        )
    for name, intent in agent.intents.items():
        if intent.do:
            yield ("intents", name, "do"), "`do` of an intent is not available yet", HINT
    for name, timer in agent.timers.items():
        if timer.consent != "ask":
            yield ("timers", name, "consent"), "`consent` of a timer is not available yet", HINT
    yield from _in_flows(agent)


def _in_flows(agent: Agent) -> Iterator[tuple[Path, str, str]]:
    for name, flow in agent.flows.items():
        for place, step in enumerate(flow.steps):
            path = ("flows", name, "steps", place)
            if step.mode:
                yield (*path, "mode"), "`mode` of a step is not available yet", HINT
