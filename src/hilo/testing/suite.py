"""Playing all conversations of an agent."""

import time
from dataclasses import dataclass

from hilo.app import LoadedAgent, load_agent
from hilo.errors import HiloError
from hilo.testing.coverage import Covered, coverage
from hilo.testing.discovery import Suite
from hilo.testing.play import Broken, Played, play, play_with_model


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
    outcomes = [await play(script, loaded) for script in suite.scripts]
    playable = [script for script, each in zip(suite.scripts, outcomes, strict=True) if isinstance(each, Played)]
    outcomes += [await play_with_model(script, loaded) for script in playable if script.script.has_model]
    return _report(suite, loaded, outcomes, seconds=time.perf_counter() - began)


def _report(suite: Suite, loaded: LoadedAgent, outcomes: list[Played | Broken], *, seconds: float) -> Report:
    played = tuple(each for each in outcomes if isinstance(each, Played))
    broken = tuple(each for each in outcomes if isinstance(each, Broken))
    covered = coverage(loaded.agent, [trace for each in played for trace in each.traces])
    return Report(loaded.agent.agent, played, (*suite.broken, *broken), covered, seconds)


def _unplayable(suite: Suite, problem: str) -> Report:
    """The agent's problem is told once; a conversation that waits for it has none of its own."""
    waiting = tuple(Broken(script.file, "") for script in suite.scripts)
    return Report(suite.agent_file.parent.name, broken=(*suite.broken, *waiting), problem=problem)
