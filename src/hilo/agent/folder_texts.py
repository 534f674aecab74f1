"""The texts beside an agent's file that are part of it: its pages, its goods, its own words.

They belong to a version as its file does: a session is answered from what its version was published with.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from hilo.agent.declaration import Agent
from hilo.agent.documents import Section, read_page
from hilo.agent.goods import read_goods
from hilo.packs.pack import OWN, Pack, read_pack


@dataclass(frozen=True, slots=True)
class FolderTexts:
    """What was read beside a file; pages by their paths in its folder, in the order of the sections."""

    pages: Mapping[str, str] = field(default_factory=dict)
    catalogue: str = ""
    words: str = ""


def with_folder_texts(agent: Agent, given: FolderTexts, *, folder: str) -> Agent:
    """The agent with its documents, goods and words; raises FileProblems when a text cannot be used."""
    catalogue = agent.orders.catalogue if agent.orders else ""
    sections: list[Section] = []
    for path, text in given.pages.items():
        sections += read_page(text, file=f"{folder}/{path}", name=_title(path))
    return replace(
        agent,
        documents=tuple(sections),
        goods=read_goods(given.catalogue, file=f"{folder}/{catalogue}") if catalogue else (),
        pack=read_pack(given.words, file=f"{folder}/{agent.words}", sections=OWN) if agent.words else Pack(),
    )


def version_with(version: str, given: FolderTexts) -> str:
    """The version of a file and of what lies beside it; a file that has nothing beside it keeps its own."""
    if given == FolderTexts():
        return version
    return hashlib.sha256(f"{version}\n{to_json(given)}".encode()).hexdigest()[: len(version)]


def to_json(given: FolderTexts) -> str:
    """As they are kept with a version."""
    return json.dumps(asdict(given), ensure_ascii=False)


def from_json(text: str) -> FolderTexts | None:
    """What was kept; none of a version from before they were."""
    return FolderTexts(**json.loads(text)) if text else None


def _title(path: str) -> str:
    """What a page without a heading is called."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return stem.replace("-", " ").replace("_", " ").capitalize()
