"""Which conversations a path means, whose they are, and playing all those of an agent."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from hilo.app import AGENT_FILE, load_agent, read_text
from hilo.errors import HiloError
from hilo.recognisers.normalise import fold
from hilo.testing.coverage import Covered, coverage
from hilo.testing.play import Broken, Played, play, play_with_model
from hilo.testing.script import ScriptFile, documents, parse_script

FOLDER = "conversations"


@dataclass(slots=True)
class Suite:
    """An agent file with the conversations that are to be played with it."""

    agent_file: Path
    scripts: list[ScriptFile] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many conversations it has, broken ones too."""
        return len(self.scripts) + len(self.broken)


def default_path() -> Path:
    """`agents` where there is such a folder, otherwise here."""
    agents = Path("agents")
    return agents if agents.is_dir() else Path()


def find_suites(paths: tuple[Path, ...]) -> list[Suite]:
    """The suites of an agents folder, an agent's folder, a conversations folder or a single conversation."""
    suites: dict[Path, Suite] = {}
    for file in dict.fromkeys(file for path in paths for file in _files(path)):
        if file.name == AGENT_FILE:
            suites.setdefault(file.resolve(), Suite(file))
        else:
            for entry in _read(file):
                _add(suites, file, entry)
    return list(suites.values())


def selected(suites: list[Suite], words: str) -> list[Suite]:
    """Only the conversations whose title has these words; case and accents do not matter."""
    found = []
    for suite in suites:
        scripts = [script for script in suite.scripts if fold(words) in fold(script.title)]
        if scripts:
            found.append(Suite(suite.agent_file, scripts))
    return found


def _files(path: Path) -> Iterator[Path]:
    """Agent files, each followed by its conversations, and conversations by themselves."""
    if path.name == AGENT_FILE:
        yield path
        yield from _conversations(path.parent / FOLDER)
    elif path.is_file():
        yield path
    elif (path / AGENT_FILE).is_file():
        yield from _files(path / AGENT_FILE)
    elif path.resolve().name == FOLDER:
        yield from _conversations(path)
    else:
        for child in sorted(path.iterdir()):
            if (child / AGENT_FILE).is_file():
                yield from _files(child / AGENT_FILE)


def _conversations(folder: Path) -> list[Path]:
    return sorted(file for pattern in ("*.yaml", "*.yml") for file in folder.glob(pattern))


def _add(suites: dict[Path, Suite], file: Path, entry: ScriptFile | Broken) -> None:
    """Put a conversation into the suite of its agent; one that cannot be read goes to the agent it lies beside."""
    near = [folder / AGENT_FILE for folder in (file.parent, file.parent.parent)]
    beside = next((agent for agent in near if agent.is_file()), near[-1])
    agent_file = beside
    if isinstance(entry, ScriptFile) and entry.script.agent:
        named = file.parent / entry.script.agent
        agent_file = named / AGENT_FILE if named.is_dir() else named
        if not agent_file.is_file():
            problem = entry.source.problem(("agent",), f"there is no agent at {agent_file}", "a path from this file")
            agent_file, entry = beside, Broken(file, str(problem))
    suite = suites.setdefault(agent_file.resolve(), Suite(agent_file))
    if isinstance(entry, ScriptFile):
        suite.scripts.append(entry)
    else:
        suite.broken.append(entry)


def _read(file: Path) -> list[ScriptFile | Broken]:
    """The conversations of a file; one that is wrong does not keep the others from being played."""
    try:
        texts = documents(read_text(file))
    except HiloError as error:
        return [Broken(file, str(error))]
    return [_parsed(text, file, named=len(texts) > 1) for text in texts]


def _parsed(text: str, file: Path, *, named: bool) -> ScriptFile | Broken:
    try:
        script = parse_script(text, file=file)
    except HiloError as error:
        return Broken(file, str(error))
    if named and not script.script.conversation:
        problem = script.source.problem((), "one of several conversations in a file needs a name", "conversation: …")
        return Broken(file, str(problem))
    return script


# --- playing them ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """How an agent's conversations went; `problem` is why none could be played."""

    agent: str
    played: tuple[Played, ...] = ()
    broken: tuple[Broken, ...] = ()
    covered: tuple[Covered, ...] = ()
    seconds: float = 0.0
    problem: str = ""

    @property
    def passed(self) -> int:
        """How many went as written."""
        return sum(each.passed for each in self.played)

    @property
    def failed(self) -> int:
        """How many did not, or could not be played."""
        return max(len(self.played) + len(self.broken) - self.passed, bool(self.problem))


async def run_suite(suite: Suite) -> Report:
    """Play a suite with its agent; when that may not run, all its conversations have failed, and at least one."""
    began = time.perf_counter()
    try:
        loaded = load_agent(suite.agent_file)
    except HiloError as error:
        return _unplayable(suite, str(error))
    except Exception as error:  # noqa: BLE001 -- whatever an author's own module raises when it is imported
        return _unplayable(suite, f"{suite.agent_file}: {type(error).__name__}: {error}")
    played: list[Played] = []
    broken = [*suite.broken]
    with_model: list[ScriptFile] = []
    for script in suite.scripts:
        outcome = await play(script, loaded)
        if isinstance(outcome, Broken):
            broken.append(outcome)
            continue
        played.append(outcome)
        if script.script.has_model:
            with_model.append(script)
    # after the others, so that a report begins with what needs no model
    played += [await play_with_model(script, loaded) for script in with_model]
    covered = coverage(loaded.agent, chain.from_iterable(each.traces for each in played))
    seconds = time.perf_counter() - began
    return Report(loaded.agent.agent, tuple(played), tuple(broken), covered, seconds)


def _unplayable(suite: Suite, problem: str) -> Report:
    """The agent's problem is told once; a conversation that waits for it has none of its own."""
    waiting = tuple(Broken(script.file, "") for script in suite.scripts)
    return Report(suite.agent_file.parent.name, broken=(*suite.broken, *waiting), problem=problem)
