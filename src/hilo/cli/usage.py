"""`hilo usage`: what turns cost, by agent and by the stage that understood them, or by model."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from hilo.cli.database import ask, json_option, print_json, workspace_option
from hilo.clock import SystemClock
from hilo.llm.configuration import read_configuration
from hilo.llm.prices import MILLION, Prices
from hilo.settings import read_settings
from hilo.store.views import ModelView, UsageView, usage, usage_by_model

BY_STAGE = ("agent", "stage", "turns", "0 tokens", "tokens", "cached", "cost", "tools", "p50 ms", "p95 ms")
BY_MODEL = ("model", "turns", "input", "cached", "cache written", "output", "cost")
WORDS = {"agent", "stage", "model"}
HUNDRED = 100


@click.command("usage")
@workspace_option
@click.option("--days", type=click.IntRange(1, 3650), default=7, show_default=True, metavar="N", help="How far back.")
@click.option("--by", type=click.Choice(["stage", "model"]), default="stage", show_default=True, help="What to sum by.")
@json_option
def command(workspace: str, days: int, by: str, as_json: bool) -> None:
    """Turns, tokens, cost and times, by agent and stage, or by model."""
    since, prices = SystemClock().now() - timedelta(days=days), read_configuration(read_settings().models_file).prices
    found: Sequence[UsageView | ModelView]
    found, pages = _by_model(workspace, since) if by == "model" else _by_stage(workspace, since)
    if as_json:
        named = {"currency": prices.currency, "example_prices": prices.example}
        print_json([{**asdict(each), **named} for each in found])
    elif found:
        Console(highlight=False).print(*pages, *_notes(found, prices), sep="\n")
    else:
        what = "No model was asked" if by == "model" else "No turns"
        Console(highlight=False).print(f"[dim]{what} in the last {days} days.[/]")


def _notes(found: Sequence[UsageView | ModelView], prices: Prices) -> Iterator[str]:
    """What the cost is counted in, and whether anybody has said what the tokens really cost."""
    if any(each.cost for each in found):
        examples = f", by example prices as of {prices.as_of}: name a file with yours in HILO_MODELS"
        yield f"[dim]Cost in {prices.currency}{examples if prices.example else ''}.[/]"


def _table(columns: Sequence[str], totals: Sequence[str], rows: Iterator[Sequence[str]]) -> Table:
    table = Table(
        box=None,
        padding=(0, 1),
        pad_edge=False,
        collapse_padding=True,
        header_style="bold cyan",
        show_footer=True,
        footer_style="bold",
    )
    for name, total in zip(columns, totals, strict=True):
        table.add_column(name, total, no_wrap=True, justify="left" if name in WORDS else "right")
    for row in rows:
        table.add_row(*row)
    return table


def _count(tokens: int) -> str:
    """So short that a page of 80 columns has room for it."""
    return f"{tokens:,}" if tokens < MILLION else f"{tokens / MILLION:,.1f} M"


def _money(amount: Decimal) -> str:
    return f"{amount:,.4f}" if amount < HUNDRED else f"{amount:,.2f}"


# --- by agent and stage -------------------------------------------------------------------------------


def _by_stage(workspace: str, since: datetime) -> tuple[tuple[UsageView, ...], tuple[Any, ...]]:
    found = ask(usage, workspace, since=since)
    return found, (_table(BY_STAGE, ("all", "", *_sums(found)), map(_cells, found)), _without_models(found))


def _cells(row: UsageView) -> Sequence[str]:
    return row.agent, row.stage, *_sums([row])[:-2], f"{row.half:,.1f}", f"{row.most:,.1f}"


def _sums(found: Sequence[UsageView]) -> Sequence[str]:
    """Times do not add up."""
    fresh, cached = (sum(map(of, found)) for of in (_fresh, _cached))
    money = sum((each.cost for each in found), Decimal(0))
    turns, tools = (sum(getattr(each, name) for each in found) for name in ("turns", "tools"))
    return f"{turns:,}", _free(found), _count(fresh), _count(cached), _money(money), f"{tools:,}", "", ""


def _free(found: Sequence[UsageView]) -> str:
    """The share of turns that needed no model."""
    turns = sum(each.turns for each in found)
    return f"{sum(each.free_turns for each in found) / turns:.0%}" if turns else "-"


def _without_models(found: Sequence[UsageView]) -> str:
    agents = {each.agent: [row for row in found if row.agent == each.agent] for each in found}
    each = ", ".join(f"{agent} {_free(rows)}" for agent, rows in agents.items())
    return f"Turns without a model: {_free(found)} ({each})."


def _fresh(row: UsageView | ModelView) -> int:
    return row.input_tokens + row.output_tokens + row.cache_written_tokens


def _cached(row: UsageView | ModelView) -> int:
    return row.cached_tokens


# --- by model -----------------------------------------------------------------------------------------


def _by_model(workspace: str, since: datetime) -> tuple[tuple[ModelView, ...], tuple[Any, ...]]:
    found = ask(usage_by_model, workspace, since=since)
    totals = ("all", "", *_model_sums(found))  # a turn may ask two models
    return found, (_table(BY_MODEL, totals, ((each.model, f"{each.turns:,}", *_model_sums([each])) for each in found)),)


def _model_sums(found: Sequence[ModelView]) -> Sequence[str]:
    names = ("input_tokens", "cached_tokens", "cache_written_tokens", "output_tokens")
    tokens = (_count(sum(getattr(each, name) for each in found)) for name in names)
    return *tokens, _money(sum((each.cost for each in found), Decimal(0)))
