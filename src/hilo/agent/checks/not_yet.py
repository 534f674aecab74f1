"""Words of the agent language whose meaning this version does not carry out: refused, never silently accepted."""

from collections.abc import Iterator

from hilo.agent.declaration import Agent
from hilo.agent.source import Path

HINT = "the word is reserved; this version of Hilo does not carry it out yet"

_TEMPLATE = ("fallback", "tones")


def not_yet(agent: Agent) -> Iterator[tuple[Path, str, str]]:
    """Where the file uses such a word."""
    for name, template in agent.templates.items():
        yield from (
            (("templates", name, key), f"`{key}` is not available yet", HINT)
            for key in _TEMPLATE
            if getattr(template, key)
        )
    own = [(("timers", name), timer) for name, timer in agent.timers.items()]
    of_modes = [
        (("modes", name, "timers", each), timer)
        for name, mode in agent.modes.items()
        for each, timer in mode.timers.items()
    ]
    for path, timer in (*own, *of_modes):
        if timer.consent != "ask":
            yield (*path, "consent"), "`consent` of a timer is not available yet", HINT
