"""`hilo audit`: what was done and by whom, and whether nobody has changed the record of it."""

import json
import sys
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.cli.database import ask, json_option, local, print_json, short, visible, workspace_option
from hilo.store.audit import verify
from hilo.store.views import ID_PREFIX, audit_entries


@click.group("audit")
def command() -> None:
    """Look at the audit, or verify that it is whole."""


@command.command("verify")
@workspace_option
@json_option
def verify_command(workspace: str, as_json: bool) -> None:
    """Follow the chain of hashes; exit code 1 when it is broken.

    Keep the number and the hash of the last entry somewhere else: only who knows them sees that the end was cut off.
    """
    found = ask(verify, workspace)
    if as_json:
        print_json(asdict(found))
    elif found.broken:
        console, last = Console(highlight=False), f"the last that holds is {found.entries}"
        console.print(f"[bold red]✗ broken:[/] entry {found.broken.number} {found.broken.why}; {last}")
    elif found.last_at is None:
        Console(highlight=False).print("[dim]The audit is empty.[/]")
    else:
        console = Console(highlight=False)
        entries = "1 entry" if found.entries == 1 else f"{found.entries:,} entries"
        console.print(f"[bold green]✓[/] {entries}, the last of {local(found.last_at)}")
        console.print(f"[dim]head {found.last_hash}[/]", soft_wrap=True)
    sys.exit(1 if found.broken else 0)


@command.command("list")
@workspace_option
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, metavar="N")
@json_option
def list_command(workspace: str, limit: int, as_json: bool) -> None:
    """The newest entries, the last one at the bottom."""
    found = ask(audit_entries, workspace, at_most=limit)[::-1]
    if as_json:
        print_json([asdict(each) for each in found])
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for name in ("", "time", "actor", "action"):
        table.add_column(name, no_wrap=True, justify="right" if not name else "left")
    table.add_column("subject", overflow="fold")
    for each in visible(found):
        names = (str(each.number), local(each.at, "%m-%d %H:%M:%S"), each.actor, each.action)
        table.add_row(*names, Text.assemble(_subject(each.subject), "  ", (_detail(each.detail), "dim")))
    Console(highlight=False).print(table if found else "[dim]The audit is empty.[/]")


def _subject(subject: str) -> str:
    """A session by the part of its id that one types."""
    first, _, rest = subject.partition(" ")
    return f"{short(first)} {rest}".strip() if first.startswith(ID_PREFIX) else subject


def _detail(detail: Any) -> str:
    """One line: what is plain is written plainly."""
    return ", ".join(f"{name}: {_value(value)}" for name, value in detail.items())


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
