"""Reading what lies beside an agent's file and is part of it."""

from dataclasses import dataclass
from pathlib import Path

from hilo.agent.declaration import Agent
from hilo.agent.documents import MOST_PAGES
from hilo.agent.folder_texts import FolderTexts
from hilo.agent.source import read_source
from hilo.errors import FileProblems, Problem


def read_folder_texts(agent: Agent, file: Path, source: str) -> FolderTexts:
    """The texts that an agent names; raises FileProblems when one is not there or leads elsewhere."""
    catalogue = agent.orders.catalogue if agent.orders else ""
    return FolderTexts(
        pages={path: read_text(file.parent / path) for path in _Pages(agent, file, source).paths()},
        catalogue=read_text(file.parent / catalogue) if catalogue else "",
        words=read_text(file.parent / agent.words) if agent.words else "",
    )


@dataclass(frozen=True, slots=True)
class _Pages:
    """Finds the pages that `knowledge` names."""

    agent: Agent
    file: Path
    source: str

    def paths(self) -> tuple[str, ...]:
        """Each once, pattern by pattern."""
        found: dict[str, None] = {}
        for pattern in self.agent.knowledge:
            found.update(dict.fromkeys(self._matching(pattern)))
        if len(found) > MOST_PAGES:
            hint = f"name fewer, or put some of them together: at most {MOST_PAGES}"
            raise self._problem(f"these are {len(found)} pages", hint)
        return tuple(found)

    def _matching(self, pattern: str) -> list[str]:
        folder = self.file.parent
        if pattern.startswith("/") or ".." in Path(pattern).parts:
            raise self._problem(
                f"`{pattern}` leads out of the agent's folder", "keep the pages beside the agent: docs/*.md"
            )
        pages = sorted(page for page in folder.glob(pattern) if page.is_file())
        if not pages:
            hint = f"write a page there, or correct the pattern: it is looked for in {folder}"
            raise self._problem(f"there is no file `{pattern}`", hint)
        return [page.relative_to(folder).as_posix() for page in pages]

    def _problem(self, what: str, hint: str) -> FileProblems:
        place = read_source(self.source, file=str(self.file))
        return FileProblems((place.problem(("knowledge",), what, hint),))


def read_text(file: Path) -> str:
    """A file's text; raises FileProblems when it is none."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FileProblems((Problem(str(file), 1, 1, f"not UTF-8 text: {error.reason}", "save it as UTF-8"),)) from None
    except OSError as error:
        raise FileProblems((Problem(str(file), 1, 1, f"cannot be read: {error.strerror}"),)) from None
