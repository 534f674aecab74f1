"""`hilo diff`: what another version of an agent changes, in plain words."""

import sys
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.agent.declaration import Agent
from hilo.agent.difference import Change, Kind, difference
from hilo.app.folder_texts import read_text
from hilo.app.loading import TOOLS_FILE, agent_file, load_tools, read_declared
from hilo.cli.agents import known_agent, known_version
from hilo.cli.database import ask, counted, json_option, print_json, visible, workspace_option
from hilo.errors import FileProblems, HiloError
from hilo.store.registry import published
from hilo.workers.kept_agents import kept_agent

MARKS: dict[Kind, tuple[str, str]] = {"added": ("+", "green"), "removed": ("−", "red"), "changed": ("~", "yellow")}


@click.command("diff")
@click.argument("a")
@click.argument("b")
@click.option("--exit-code", "tells", is_flag=True, help="Exit with 1 when something differs.")
@workspace_option
@json_option
def command(a: str, b: str, tells: bool, workspace: str, as_json: bool) -> None:
    """Show what B changes against A: tools that come within reach, texts, paths and settings.

    Each is an agent file or folder, or a version from the database: NAME is the one in force, NAME@VERSION another; as
    much of a version as is unique will do.
    """
    before, after = _agent(a, workspace), _agent(b, workspace)
    changes = difference(before, after)
    if as_json:
        print_json([asdict(each) for each in changes])
    else:
        _print(Console(highlight=False), (before, after), visible(changes))
    sys.exit(1 if tells and changes else 0)


def _print(console: Console, both: tuple[Agent, Agent], changes: tuple[Change, ...]) -> None:
    names = [f"{each.agent} {each.version}" for each in both]
    console.print(Text(f"{names[0]} → {names[1]}" if names[0] != names[1] else names[0], style="bold"))
    print_changes(console, changes)
    console.print(_sum(both, changes), style="dim")


def print_changes(console: Console, changes: tuple[Change, ...]) -> None:
    """What differs, part by part."""
    for part, group in groupby(changes, key=lambda each: each.part):
        console.print(Text(part, style="bold cyan"))
        for each in group:
            console.print(_line(each))


def _line(change: Change) -> Table:
    """Long words hang under what they are about."""
    mark, style = MARKS[change.kind]
    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_column(no_wrap=True)
    line.add_column(overflow="fold")
    line.add_row(Text(f"  {mark}", style=style), _words(change))
    return line


def _words(change: Change) -> Text:
    """What contacts are told stands in lines of its own, to be read side by side."""
    what, (before, after) = Text(change.what, style="bold"), (change.before, change.after)
    if change.part == "texts":
        said = (Text(f"\n{mark} “{text}”", style=style) for text, (mark, style) in
                ((before, MARKS["removed"]), (after, MARKS["added"])) if text)  # fmt: skip
        return Text().join((what, *said))
    told = Text(" → ").join(Text(text, style=style) for text, style in ((before, "red"), (after, "green")) if text)
    return Text(": " if told else "").join((what, told))


def _sum(both: tuple[Agent, Agent], changes: tuple[Change, ...]) -> str:
    if changes:
        return counted(len(changes), "change")
    if both[0].version == both[1].version:
        return "Nothing changed: it is the same text."
    return "Nothing changed: only comments, the layout or the order in the file differ."


# --- finding both -------------------------------------------------------------------------------------


def _agent(named: str, workspace: str) -> Agent:
    """The agent that a path or a name means; a path goes first."""
    if Path(named).exists():
        file = agent_file(Path(named))
        return read_declared(read_text(file), file, load_tools(file.parent / TOOLS_FILE))[0]
    name, _, version = named.partition("@")
    try:
        found = known_agent(workspace, name)
    except HiloError as error:
        raise HiloError(f"{named} is no file or folder here, and no agent of the database: {error}") from None
    return stored_agent(workspace, name, known_version(found, version) if version else found.in_force.version)


def stored_agent(workspace: str, name: str, version: str) -> Agent:
    """A version as it was published, with what is known of its tools."""
    kept = ask(published, workspace, name, version)
    if kept is None:
        raise HiloError(f"the version {version} of the agent {name} is not kept any more")
    try:
        return kept_agent(kept)
    except FileProblems as problems:
        hint = "compare its file instead: `hilo diff` takes paths too"
        raise HiloError(f"{name}@{version} cannot be read by this program; {hint}\n{problems}") from problems
