"""`hilo agents`: the versions of agents, which of them is in force, publishing another and going back."""

import asyncio
import difflib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.cli.changing import change, check_workspace
from hilo.cli.database import Lists, ago, ask, counted, json_option, print_json, visible, workspace_option
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.store.registry import Registered, Version, VersionChoice, publish_by, put_in_force, registered

MAX_LISTED = 10
MAX_NAME = 100
STAY = "New sessions begin on what is in force, also where `hilo serve` runs; open sessions stay on their version."

by_option = click.option(
    "--by", default="operator", show_default=True, metavar="NAME", help="Who does it; it stands in the audit."
)


@click.group("agents", cls=Lists)
def command() -> None:
    """Look at the versions of agents, publish one, or go back; without a word, list what is in force."""


# --- looking ------------------------------------------------------------------------------------------


@command.command("list")
@workspace_option
@json_option
def list_all(workspace: str, as_json: bool) -> None:
    """List agents with the version that new sessions begin on."""
    found = ask(registered, workspace)
    if as_json:
        print_json([_plain(each) for each in found])
        return
    console = Console(highlight=False)
    if not found:
        console.print("[dim]No agent was ever published here: `hilo serve` and `hilo agents publish` do it.[/]")
        return
    console.print(_agents_table(visible(found), _now()))


def _agents_table(found: tuple[Registered, ...], now: datetime) -> Table:
    table = _table("agent", "in force", "since", "by", "versions", "open sessions")
    for each in found:
        since = ago(each.in_force.at, now)
        table.add_row(
            *(each.name, Text(each.in_force.version, style="green"), since, each.in_force.actor),
            *(str(len(each.versions)), _open_sessions(each)),
        )
    return table


def _open_sessions(agent: Registered) -> Text:
    """How many on each version, the one in force first."""
    talking = [each for each in reversed(agent.versions) if each.open_sessions]
    talking.sort(key=lambda each: each.version != agent.in_force.version)
    return Text(", ".join(f"{each.open_sessions:,} on {each.version}" for each in talking) or "none")


@command.command("versions")
@click.argument("name")
@workspace_option
@json_option
def versions(name: str, workspace: str, as_json: bool) -> None:
    """List all versions of the agent NAME, the newest first."""
    found = known_agent(workspace, name)
    if as_json:
        print_json(_plain(found))
    else:
        Console(highlight=False).print(_versions_table(visible(found), _now()))


def _versions_table(agent: Registered, now: datetime) -> Table:
    table = _table("version", "published", "last put in force", "by", "open sessions")
    for each in reversed(agent.versions):
        last = agent.last(each.version)
        current = each.version == agent.in_force.version
        when = f"{ago(last.at, now)}{', in force' if current else ''}" if last else "never"
        shown = Text(each.version, style="green" if current else "")
        table.add_row(shown, ago(each.published_at, now), when, last.actor if last else "", f"{each.open_sessions:,}")
    return table


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for name in names[:-1]:
        table.add_column(name, no_wrap=True, justify="right" if name == "versions" else "left")
    table.add_column(names[-1])
    return table


def _plain(agent: Registered) -> dict[str, Any]:
    return {"name": agent.name, "in_force": agent.in_force.version, **asdict(agent)}


# --- acting -------------------------------------------------------------------------------------------


@command.command("publish")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@by_option
@workspace_option
def publish(paths: tuple[Path, ...], by: str, workspace: str) -> None:
    """Put the agents at PATHS in force; all of them are checked, MCP servers too, before anything is changed."""
    agents = asyncio.run(_checked(paths))
    check_workspace(workspace)
    for each in agents:
        _say_done(each.name, each.version, change(publish_by, workspace, each, actor=by[:MAX_NAME], now=_now()))
    click.echo(STAY)


async def _checked(paths: Sequence[Path]) -> tuple[Version, ...]:
    """As a process that starts with them does it; raises HiloError when one may not run."""
    from hilo.app.agents import to_publish  # noqa: PLC0415 -- lists do without it, and start in half the time
    from hilo.app.loading import connected, load_agent  # noqa: PLC0415

    async with AsyncExitStack() as servers:
        return tuple([to_publish(await connected(load_agent(path), servers)) for path in paths])


@command.command("rollback")
@click.argument("name")
@click.argument("version", required=False)
@by_option
@workspace_option
def rollback(name: str, version: str | None, by: str, workspace: str) -> None:
    """Put an older version of NAME in force again: VERSION, or the one that was in force before this one."""
    found = known_agent(workspace, name)
    wanted = known_version(found, version) if version else found.before
    if not wanted:
        raise HiloError(f"there is nothing to go back to: {name} has only had the version {found.in_force.version}")
    choice = VersionChoice(name, wanted, by[:MAX_NAME], "rolled back")
    _say_done(name, wanted, ask(put_in_force, workspace, choice, now=_now()))
    click.echo(STAY)


def _now() -> datetime:
    return SystemClock().now()


def _say_done(name: str, version: str, before: str) -> None:
    if version == before:
        click.echo(f"{name} {version} is in force already; nothing was changed.")
        return
    was = f" instead of {before}" if before else ""
    click.echo(f"{name} {version} is in force{was}.")


# --- naming -------------------------------------------------------------------------------------------


def known_agent(workspace: str, name: str) -> Registered:
    """The agent of that name; raises with those that there are."""
    found = {each.name: each for each in ask(registered, workspace)}
    if name not in found:
        there = f"there are {_listed(tuple(found))}" if found else "none was ever published"
        raise HiloError(f"there is no agent {name} in the workspace {workspace}{_meant(name, tuple(found))}: {there}")
    return found[name]


def known_version(agent: Registered, beginning: str) -> str:
    """The version that begins like this; raises with those that there are."""
    every = tuple(each.version for each in reversed(agent.versions))
    found = [version for version in every if version.startswith(beginning)]
    if not found:
        known = f"it has {counted(len(every), 'version')}: {_listed(every)}"
        raise HiloError(f"{agent.name} has no version {beginning}{_meant(beginning, every)}; {known}")
    if len(found) > 1 and beginning not in found:
        raise HiloError(f"{beginning} may be several versions of {agent.name}: {_listed(found)}; write more of it")
    return beginning if beginning in found else found[0]


def _meant(written: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(written, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _listed(names: Sequence[str]) -> str:
    more = ", … (`hilo agents versions NAME` lists all)" if len(names) > MAX_LISTED else ""
    return ", ".join(names[:MAX_LISTED]) + more
