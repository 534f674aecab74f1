"""`hilo workspace`: the businesses of this installation."""

import re
from dataclasses import asdict

import click
from rich.console import Console
from rich.markup import escape

from hilo.cli.changing import change
from hilo.cli.database import ask, json_option, local, print_json
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.store.workspaces import add_workspace, workspaces

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@click.group("workspace")
def command() -> None:
    """Add and list businesses; each has channels, sessions and keys of its own."""


@command.command("add")
@click.argument("workspace")
@click.option("--name", default="", help="What people call it; its id if nothing is given.")
def add(workspace: str, name: str) -> None:
    """Add a business under an id of small letters, digits and hyphens."""
    if not NAME.fullmatch(workspace):
        raise HiloError("a workspace's id has small letters, digits and hyphens, at most 40")
    change(add_workspace, workspace, name=name or workspace, now=SystemClock().now())
    click.echo(f"The workspace {workspace} is there.")


@command.command("list")
@json_option
def list_all(as_json: bool) -> None:
    """List all businesses."""
    found = ask(workspaces)
    if as_json:
        print_json([asdict(each) for each in found])
        return
    for each in found:
        since = f"{each.name}, since {local(each.created_at, '%Y-%m-%d')}"
        Console(highlight=False).print(f"{each.id}  [dim]{escape(since)}[/]")
