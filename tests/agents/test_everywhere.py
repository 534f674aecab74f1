"""Conversations of the shops go the same way in memory, on SQLite and PostgreSQL, on the page and on Infobip.

`hilo test` plays all of them in memory; here a part is played elsewhere too, and all with HILO_DEEP_TESTS=1.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache

import pytest

from agents.agent_scene import AGENTS
from agents.shop_lines import Kind, Seen, seen_in, shop
from depth import depth
from hilo.app import LoadedAgent, load_agent
from hilo.testing import Expect, Played, ScriptFile, ScriptStep, play, read_scripts

ONE_IN = 6  # of the pairs that are not played whole


WINDOW = timedelta(hours=24)


@cache
def loaded(agent: str) -> LoadedAgent:
    return load_agent(AGENTS / agent)


def playable(agent: str, kind: Kind) -> list[ScriptFile]:
    """All of an agent but those with a model of their own."""
    files = sorted((AGENTS / agent / "conversations").glob("*.yaml"))
    scripts = [script for file in files for script in read_scripts(file)]
    plain = [each for each in scripts if not each.script.has_model and not each.script.agent]
    return [opened(each) for each in plain if not any(_is_other_there(step, kind) for step in each.script.steps)]


def _is_other_there(step: ScriptStep, kind: Kind) -> bool:
    """No channel sends a blank message, WhatsApp gets templates after a day, and a campaign is sent to a list."""
    late = kind == "infobip" and step.after is not None and step.after > WINDOW
    return step.contact == "" or step.campaign is not None or late


_heard: dict[tuple[str, str], list[Seen]] = {}  # a conversation goes one way in memory, wherever else it is played


async def in_memory(agent: str, script: ScriptFile) -> list[Seen]:
    where = (script.place(0), script.title)
    if where not in _heard:
        _heard[where] = await _played(agent, script)
    return _heard[where]


async def _played(agent: str, script: ScriptFile) -> list[Seen]:
    outcome = await play(script, loaded(agent))
    assert isinstance(outcome, Played), outcome.problem
    assert outcome.passed, (outcome.place, outcome.differences)
    return seen_in(outcome.transcript)


def opened(script: ScriptFile) -> ScriptFile:
    """An operator finds a session when its contact has written: one that a conversation begins with comes second."""
    if script.script.steps[0].operator is None:
        return script
    steps = [replace(each, expect=Expect()) for each in script.script.steps]
    return replace(script, script=replace(script.script, steps=(ScriptStep(contact="hola"), *steps)))


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    def write(line: str) -> None:
        with capsys.disabled():
            sys.stderr.write(f"\n{line}\n")  # not stdout: that of a test process is thrown away

    return write


@pytest.mark.parametrize("agent", ["kiosco", "somnio", "turnos"])
@pytest.mark.parametrize(
    ("database", "kind", "one_in", "first"),
    [
        ("sqlite", "web", depth(6, 1), 0),
        ("postgres", "infobip", depth(9, 1), 1),
        ("sqlite", "infobip", depth(18, ONE_IN), 2),
        ("postgres", "web", depth(18, ONE_IN), 5),
    ],
)
async def test_conversations_go_the_same_way_everywhere(  # noqa: PLR0913, PLR0917 -- what is varied, and fixtures
    agent: str, database: str, kind: Kind, one_in: int, first: int, request: pytest.FixtureRequest
) -> None:
    url, tell = request.getfixturevalue(f"{database}_url"), request.getfixturevalue("tell")
    scripts, wrong, began = playable(agent, kind)[first::one_in], [], time.monotonic()
    async with shop(url, AGENTS / agent) as opened_shop:
        for script in scripts:
            expected, found = await in_memory(agent, script), await opened_shop.play(script, kind)
            if found != expected:
                wrong.append((script.file.name, _first_difference(expected, found)))
    tell(f"{len(scripts)} conversations of {agent} on {database} and {kind}: {time.monotonic() - began:.1f} s")
    assert wrong == []


def _first_difference(expected: list[Seen], found: list[Seen]) -> object:
    for number, (one, other) in enumerate(zip(expected, found, strict=False)):
        if one != other:
            return number, one, other
    return "only", expected[len(found) :], found[len(expected) :]
