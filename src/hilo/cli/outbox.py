"""`hilo outbox`: what contacts have not got, and why; sending it again, or letting it be."""

from dataclasses import asdict
from datetime import datetime

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.cli.database import (
    Lists,
    ago,
    ask,
    json_option,
    masked,
    operator_option,
    print_json,
    short,
    visible,
    workspace_option,
)
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.store.channel_health import ChannelTrouble, troubled_channels
from hilo.store.undelivered import Fate, NotMoved, Undelivered, discard, list_undelivered, resend

LONGEST = 60  # characters of a message that tell which it is
STYLES = {"waiting": "yellow", "held": "cyan", "failed": "red"}
SOON = "It goes out within 15 seconds, or at once where a queue wakes the workers."


@click.group("outbox", cls=Lists)
def command() -> None:
    """Look at messages that contacts have not got, send them again or discard them; without a word, list them."""


@command.command("list")
@workspace_option
@click.option("--status", type=click.Choice(["waiting", "held", "failed"]), help="Only these.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, metavar="N")
@json_option
def list_all(workspace: str, status: Fate | None, limit: int, as_json: bool) -> None:
    """List messages that contacts have not got, the oldest first, and channels that cannot send."""
    found = ask(list_undelivered, workspace, status or "", at_most=limit)
    if as_json:
        print_json([{**asdict(each), "address": masked(each.address)} for each in found])
        return
    console, now = Console(highlight=False), SystemClock().now()
    for trouble in ask(troubled_channels):
        if trouble.workspace == workspace:
            console.print(_words(trouble, now))
    if not found:
        console.print("[dim]Everything has arrived, or is on its way.[/]")
        return
    console.print(_table(visible(found), now))
    if len(found) == limit:
        console.print(f"[dim]The first {limit}; --limit shows more.[/]")


def _words(trouble: ChannelTrouble, now: datetime) -> Text:
    since = ago(trouble.since, now)
    return Text(
        f"The channel {trouble.channel} {_TROUBLES[trouble.trouble]} since {since}: {trouble.reason}", style="red"
    )


_TROUBLES = {
    "away": "does not answer",
    "credentials": "does not accept our credentials",
    "paused": "is paused",
}


def _table(found: tuple[Undelivered, ...], now: datetime) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for name in ("message", "session", "status"):
        table.add_column(name, no_wrap=True)
    table.add_column("since", justify="right", no_wrap=True)
    table.add_column("reason")
    table.add_column("text")
    for each in found:
        status = Text(each.status, style=STYLES[each.status])
        session = short(each.session) if each.session else "none"
        text = Text(each.text if len(each.text) <= LONGEST else f"{each.text[:LONGEST]}…", style="dim")
        table.add_row(str(each.number), session, status, ago(each.created_at, now), each.reason, text)
    return table


@command.command("resend")
@click.argument("message")
@operator_option
@workspace_option
def send_again(message: str, operator: str, workspace: str) -> None:
    """Try MESSAGE again, which was held or given up: a number of the list."""
    _done(ask(resend, workspace, message, actor=operator, now=SystemClock().now()), message)
    click.echo(f"{message} is sent again. {SOON}")


@command.command("discard")
@click.argument("message")
@operator_option
@workspace_option
def let_be(message: str, operator: str, workspace: str) -> None:
    """Let MESSAGE be, which was held or given up: a number of the list."""
    _done(ask(discard, workspace, message, actor=operator, now=SystemClock().now()), message)
    click.echo(f"{message} is discarded.")


def _done(moved: str | NotMoved, message: str) -> None:
    if isinstance(moved, NotMoved) and moved.why == "not stuck":
        raise HiloError(f"{message} is neither held nor given up: there is nothing to do")
    if isinstance(moved, NotMoved):
        raise HiloError(f"there is no message {message}: `hilo outbox` lists them")
