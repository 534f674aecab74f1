"""The tables of docs/kiosco.md say what the agent file says."""

import re
from pathlib import Path

from hilo.agent.mode_ways import ways
from hilo.app import load_agent

ROOT = Path(__file__).parents[2]
AGENT = load_agent(ROOT / "agents/kiosco").agent


def rows() -> dict[str, list[str]]:
    """The cells of each row of the tables about modes, by the word that it begins with."""
    page = (ROOT / "docs/kiosco.md").read_text(encoding="utf-8")
    about_modes = page.partition("\n## Modes\n")[2].partition("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in about_modes.splitlines() if line.startswith("| `")]
    return {first.strip("`"): cells for first, *cells in lines}


def words(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def test_the_page_shows_the_tools_of_every_mode() -> None:
    assert {mode: words(rows()[mode][0]) for mode in AGENT.modes} == {
        name: set(mode.tools) for name, mode in AGENT.modes.items()
    }


def test_the_page_shows_where_every_mode_leads() -> None:
    shown = {mode: words(rows()[mode][1]) & AGENT.modes.keys() for mode in AGENT.modes}
    assert shown == {mode: ways(AGENT, mode) for mode in AGENT.modes}


def test_the_page_shows_the_groups_that_modes_have() -> None:
    groups = AGENT.tools.groups
    used = {each for mode in AGENT.modes.values() for each in mode.tools if each in groups}
    assert {group: words(rows()[group][0]) for group in used} == {group: set(groups[group]) for group in used}
