"""Agents from versions that are kept: read again, never run."""

from collections.abc import Iterator

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.store.registry import Version


def kept_agent(kept: Version) -> Agent:
    """A version as it was published, with what is known of its tools; raises FileProblems when it reads it no more."""
    return parse(kept.source, file=f"{kept.name}@{kept.version}", toolbox=dict(_tools(kept)))


def _tools(kept: Version) -> Iterator[tuple[str, ToolSpec]]:
    """The tools as they were when the version was last served; before there were specs, what was offered of them."""
    known = ToolSpec.__dataclass_fields__
    for name, told in (kept.offers.get("specs") or kept.offers.get("tools", {})).items():
        given = {
            key: tuple(value) if key in {"outputs", "choices"} else value for key, value in told.items() if key in known
        }
        yield name, ToolSpec(**{**given, "name": name})
