"""`hilo key`: who may use the API."""

from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hilo.cli.changing import change, check_workspace
from hilo.cli.database import ask, json_option, local, print_json, workspace_option
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.store.keys import SCOPES, add_key, keys, new_secret, revoke_key

MAX_NAME = 100


@click.group("key")
def command() -> None:
    """Add, list and revoke keys of the REST API."""


@command.command("add")
@click.argument("name")
@click.option(
    "--scope", "scopes", type=click.Choice(SCOPES), multiple=True, help="What it may do; `read` if not given."
)
@workspace_option
def add(name: str, scopes: tuple[Any, ...], workspace: str) -> None:
    """Make a key and print it, once: only its hash is kept."""
    check_workspace(workspace)
    if not 0 < len(name.strip()) <= MAX_NAME:
        raise HiloError(f"a key's name has 1 to {MAX_NAME} characters: it stands for who acts with it")
    secret, chosen = new_secret(), scopes or ("read",)
    number = change(add_key, workspace, name.strip(), secret=secret, scopes=chosen, now=SystemClock().now())
    click.echo(f"{number} may {', '.join(chosen)} in {workspace}. Keep the key; it is not shown again:", err=True)
    click.echo(secret)


@command.command("list")
@workspace_option
@json_option
def list_all(workspace: str, as_json: bool) -> None:
    """List keys, without their secrets."""
    found = ask(keys, workspace)
    if as_json:
        told = ("id", "name", "scopes", "created_at", "revoked_at")
        print_json([{name: getattr(each, name) for name in told} for each in found])
        return
    table = Table("key", "name", "may", "since", "until", box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for each in found:
        until = local(each.revoked_at, "%Y-%m-%d") if each.revoked_at else ""
        table.add_row(each.id, escape(each.name), ", ".join(each.scopes), local(each.created_at, "%Y-%m-%d"), until)
    Console(highlight=False).print(table)


@command.command("revoke")
@click.argument("key")
@workspace_option
def revoke(key: str, workspace: str) -> None:
    """End a key, at once and for ever."""
    if not change(revoke_key, workspace, key, now=SystemClock().now()):
        raise HiloError(f"there is no key {key} that works in {workspace}: `hilo key list` shows them")
    click.echo(f"The key {key} opens nothing any more.")
