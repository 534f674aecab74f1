"""`hilo usage`: what turns cost, by agent and by the stage that understood them."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta

import click
from rich.console import Console
from rich.table import Table

from hilo.cli.database import ask, json_option, print_json, workspace_option
from hilo.clock import SystemClock
from hilo.store.views import UsageView, usage

COLUMNS = ("agent", "stage", "turns", "0 tokens", "tokens", "cost", "tools", "p50 ms", "p95 ms")


@click.command("usage")
@workspace_option
@click.option("--days", type=click.IntRange(1, 3650), default=7, show_default=True, metavar="N", help="How far back.")
@json_option
def command(workspace: str, days: int, as_json: bool) -> None:
    """Turns, tokens, cost and times, by agent and stage."""
    since = SystemClock().now() - timedelta(days=days)
    found = ask(usage, workspace, since=since)
    if as_json:
        print_json([asdict(each) for each in found])
    elif found:
        Console(highlight=False).print(_table(found))
    else:
        Console(highlight=False).print(f"[dim]No turns in the last {days} days.[/]")


def _table(found: tuple[UsageView, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan", show_footer=True, footer_style="bold")
    for name, total in zip(COLUMNS, ("all", "", *_totals(found)), strict=True):
        table.add_column(name, total, no_wrap=True, justify="left" if name in {"agent", "stage"} else "right")
    for each in found:
        table.add_row(*_cells(each))
    return table


def _cells(row: UsageView) -> Iterator[str]:
    yield from (row.agent, row.stage, f"{row.turns:,}", f"{row.free_turns / row.turns:.0%}")
    yield from (f"{row.input_tokens + row.output_tokens:,}", f"{row.cost:,.4f}", f"{row.tools:,}")
    yield from (f"{row.half:,.1f}", f"{row.most:,.1f}")


def _totals(found: tuple[UsageView, ...]) -> Iterator[str]:
    """Sums; times do not add up."""
    turns = sum(each.turns for each in found)
    yield from (f"{turns:,}", f"{sum(each.free_turns for each in found) / turns:.0%}")
    yield f"{sum(each.input_tokens + each.output_tokens for each in found):,}"
    yield from (f"{sum(each.cost for each in found):,.4f}", f"{sum(each.tools for each in found):,}", "", "")
