"""`hilo sessions`: who is talking to which agent, and where something is wrong."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.cli.database import ago, ask, json_option, masked, print_json, short, visible, workspace_option
from hilo.clock import SystemClock
from hilo.store.views import SessionView, sessions

STYLES = {"active": "green", "handed_off": "yellow", "paused": "magenta", "closed": "dim"}


@click.command("sessions")
@workspace_option
@click.option("--open", "which", flag_value="open", default="open", help="Sessions that are not closed (the default).")
@click.option("--handed-off", "which", flag_value="handed_off", help="Sessions that wait for a person, or have one.")
@click.option("--all", "which", flag_value="all", help="Closed sessions too.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, metavar="N")
@json_option
def command(workspace: str, which: Any, limit: int, as_json: bool) -> None:
    """List sessions, the newest first."""
    found = ask(sessions, workspace, which, at_most=limit)
    if as_json:
        print_json([{**asdict(each), "address": masked(each.address)} for each in found])
        return
    console = Console(highlight=False)
    if found:
        console.print(session_table(visible(found), SystemClock().now()))
    else:
        console.print(f"[dim]There are no {'' if which == 'all' else which.replace('_', ' ') + ' '}sessions here.[/]")
    if len(found) == limit:
        console.print(f"[dim]The newest {limit}; --limit shows more.[/]")


def session_table(found: tuple[SessionView, ...], now: datetime) -> Table:
    """One line each; the column of modes is there when an agent has modes."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    modes = any(each.mode for each in found)
    for name in ("session", "contact", "agent", "status", *(["mode"] if modes else [])):
        table.add_column(name, no_wrap=True)
    table.add_column("turns", justify="right", no_wrap=True)
    table.add_column("last", justify="right", no_wrap=True)
    table.add_column("look at")
    for each in found:
        status = Text(each.status.replace("_", " "), style=STYLES.get(each.status, ""))
        mode = [each.mode] if modes else []
        names = (short(each.id), masked(each.address), each.agent)
        table.add_row(*names, status, *mode, str(each.turns), ago(each.last_at, now), troubles(each))
    return table


def troubles(session: SessionView) -> Text:
    """What somebody should look at."""
    parts = [
        (f"{session.failed} failed", "bold red") if session.failed else None,
        (f"{session.unsent} unsent", "yellow") if session.unsent else None,
        (f"handoff: {session.handoff}", "yellow") if session.handoff else None,
    ]
    return Text(", ").join(Text(*part) for part in parts if part)
