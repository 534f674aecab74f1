"""Agents from versions that are kept: read again, never run."""

from collections.abc import Iterator
from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.agent.folder_texts import from_json, with_folder_texts
from hilo.agent.parse import parse
from hilo.agent.toolbox import Toolbox, ToolSpec
from hilo.store.registry import Version


def kept_agent(kept: Version, toolbox: Toolbox | None = None) -> Agent:
    """A version as it was published, with what is known of its tools; raises FileProblems when it reads it no more."""
    place = f"{kept.name}@{kept.version}"
    agent = parse(kept.source, file=place, toolbox=dict(_tools(kept)) if toolbox is None else toolbox)
    if folder_texts := from_json(kept.folder_texts):
        agent = with_folder_texts(agent, folder_texts, folder=place)
    return replace(agent, version=kept.version)


def _tools(kept: Version) -> Iterator[tuple[str, ToolSpec]]:
    """The tools as they were when the version was last served; before there were specs, what was offered of them."""
    known = ToolSpec.__dataclass_fields__
    for name, told in (kept.offers.get("specs") or kept.offers.get("tools", {})).items():
        given = {
            key: tuple(value) if key in {"outputs", "choices"} else value for key, value in told.items() if key in known
        }
        yield name, ToolSpec(**{**given, "name": name})
