"""`hilo funnel`: how many contacts and sessions came into each mode of an agent, as a page or a picture."""

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal

import click
from rich.bar import Bar
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.agent.shorthand import read_duration
from hilo.cli.database import ask, counted, json_option, local, print_json, visible, workspace_option
from hilo.cli.funnel_drawing import WIDTH, Picture, Stage, draw_funnel
from hilo.clock import SystemClock
from hilo.errors import HiloError, install
from hilo.store.funnel import Funnel, ModeOrder, funnel, mode_orders

By = Literal["contacts", "sessions"]

COLUMNS = ("of all", "went on", "median")
SCALE = 2  # pixels of a PNG per unit of the drawing, as in `hilo graph`
MOST_WHOLE = 9.95  # larger numbers are told without a fraction
_UNITS = ((60, 1, "s"), (3600, 60, "min"), (48 * 3600, 3600, "h"))


@dataclass(frozen=True, slots=True)
class Period:
    """When the sessions began: not before the one, and before the other."""

    since: datetime
    until: datetime

    def __str__(self) -> str:
        last = self.until - timedelta(microseconds=1)  # midnight is the end of a day
        return f"{local(self.since, '%Y-%m-%d')} – {local(last, '%Y-%m-%d')}"


def _moment(_context: click.Context, option: click.Parameter, written: str | None) -> datetime | None:
    """So long ago, or a day here: from its beginning, or until its end."""
    if written is None:
        return None
    try:
        if "-" in written:
            day = date.fromisoformat(written) + timedelta(days=1 if option.name == "until" else 0)
            return datetime.combine(day, time()).astimezone()
        duration: timedelta = read_duration(written)
    except (ValueError, OverflowError):
        raise click.BadParameter("must be a time such as 30d, at most 366d, or a day such as 2026-11-01") from None
    return SystemClock().now() - duration


def _file(_context: click.Context, _option: click.Parameter, file: Path | None) -> Path | None:
    if file and not file.parent.is_dir():
        raise click.BadParameter(f"there is no folder {file.parent}")
    return file


@click.command("funnel")
@click.argument("agent", default="")
@workspace_option
@click.option(
    "--since", default="30d", show_default=True, callback=_moment, metavar="30d|DAY", help="Sessions from then."
)
@click.option("--until", callback=_moment, metavar="7d|DAY", help="Sessions until then, that day too; else until now.")
@click.option("--by", type=click.Choice(["contacts", "sessions"]), default="contacts", show_default=True)
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), callback=_file, help="Draw it to this file.")
@click.option("--png", type=click.Path(path_type=Path, dir_okay=False), callback=_file, help="The same in pixels.")
@json_option
def command(
    agent: str,
    workspace: str,
    since: datetime,
    until: datetime | None,
    by: By,
    svg: Path | None,
    png: Path | None,
    as_json: bool,
) -> None:
    """How far contacts come: who reached each mode of an AGENT, which need not be named where there is only one."""
    period = _period(since, until or SystemClock().now())
    order = _chosen(ask(mode_orders, workspace), agent)
    found = ask(funnel, workspace, order, since=period.since, until=period.until) if order else Funnel(0, 0, ())
    if as_json:
        print_json(_plain(order, found, period))
    elif order is None or not found.sessions:
        click.echo(_nothing(order, period))
    elif svg or png:
        _draw(_picture(order, found, by=by, period=period), svg, png)
    else:
        _show(visible(order), visible(found), by=by, period=period)


def _period(since: datetime, until: datetime) -> Period:
    if since >= until:
        raise click.UsageError("--since must be before --until, or before now where there is none")
    return Period(since, until)


def _chosen(orders: Sequence[ModeOrder], name: str) -> ModeOrder | None:
    """The agent that was named, or the only one; none where there is none to choose."""
    names = ", ".join(each.agent for each in orders)
    found = next((each for each in orders if each.agent == name), None)
    if name and found is None:
        raise HiloError(
            f"there is no agent {name}: " + (f"choose one of {names}" if names else "none was published here")
        )
    if len(orders) > 1 and found is None:
        raise HiloError(f"which agent? choose one of {names}")
    return found or next(iter(orders), None)


def _nothing(order: ModeOrder | None, period: Period) -> str:
    if order is None:
        return "No agent was published here yet."
    if not order.modes:
        return f"{order.agent} has no modes, so there is no way through them to show."
    return f"No session of {order.agent} that began {period} has come into a mode yet."


def _plain(order: ModeOrder | None, found: Funnel, period: Period) -> dict[str, Any]:
    modes = [{**asdict(each), "half": None if each.half is None else each.half.total_seconds()} for each in found.modes]
    return {"agent": order.agent if order else None, **asdict(period), **asdict(found), "modes": modes}


# --- numbers as words ---------------------------------------------------------------------------------


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "–"


def _lasting(span: timedelta | None) -> str:
    """A time in one unit."""
    if span is None:
        return "–"
    seconds = span.total_seconds()
    unit, name = next(((unit, name) for limit, unit, name in _UNITS if seconds < limit), (86400, "d"))
    number = seconds / unit
    return f"{number:.1f}".removesuffix(".0") + f" {name}" if number < MOST_WHOLE else f"{number:.0f} {name}"


def _who(found: Funnel, by: By, period: Period) -> str:
    """Of whom the shares are."""
    sessions = f"{counted(found.sessions, 'session')} that began {period}"
    return sessions if by == "sessions" else f"{counted(found.contacts, 'contact')}, {sessions}"


def _stages(found: Funnel, by: By) -> Iterator[Stage]:
    """Each mode with its shares; nothing is later than the last mode, or than what is not in the order."""
    not_last = [each for each in found.modes if each.in_order][:-1]
    for each in found.modes:
        count = getattr(each, by)
        yield Stage(
            name=each.mode,
            count=count,
            of_all=_share(count, getattr(found, by)),
            went_on=_share(getattr(each, f"{by}_went_on"), count) if each in not_last else "",
            median=_lasting(each.half),
            beside=not each.in_order,
        )


# --- a page -------------------------------------------------------------------------------------------


def _show(order: ModeOrder, found: Funnel, *, by: By, period: Period) -> None:
    console = Console(highlight=False)
    title = Text.assemble((order.agent, "bold"), (f"  {_who(found, by, period)}", "dim"))
    console.print(title, _table(tuple(_stages(found, by)), by))
    console.print("[dim]went on: of those who came into a mode, who came into any later one too[/]")
    if any(not each.in_order for each in found.modes):
        console.print("[dim]· beside the order: a handoff, or a mode of another version[/]")


def _table(stages: Sequence[Stage], by: By) -> Table:
    table = Table(box=None, expand=True, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold cyan")
    table.add_column("mode", no_wrap=True, max_width=20)
    table.add_column("", ratio=1, min_width=6)
    for name in (by, *COLUMNS):
        table.add_column(name, justify="right", no_wrap=True)
    most = max(stage.count for stage in stages)
    for stage in stages:
        bar = Bar(most, 0, stage.count, color="yellow" if stage.beside else "cyan")
        named = Text(f"· {stage.name}" if stage.beside else stage.name)
        table.add_row(named, bar, f"{stage.count:,}", stage.of_all, stage.went_on, stage.median)
    return table


# --- a picture ----------------------------------------------------------------------------------------


def _picture(order: ModeOrder, found: Funnel, *, by: By, period: Period) -> Picture:
    title = f"{order.agent}: {by} that reached each mode"
    return Picture(title, f"{_who(found, by, period)}; went on: into any later mode", tuple(_stages(found, by)))


def _draw(picture: Picture, svg: Path | None, png: Path | None) -> None:
    drawn = draw_funnel(picture)
    if svg:
        _write(svg, drawn.encode())
    if png:
        _write(png, _pixels(drawn))


def _pixels(svg: str) -> bytes:
    try:
        return bytes(
            importlib.import_module("mermaidx").svg_to_png(svg, width=WIDTH * SCALE)
        )  # optional, and half a second
    except ModuleNotFoundError:
        hint = f"install it with `{install('graph')}`, or write an SVG"
        raise HiloError(f"drawing PNG needs the package mermaidx: {hint}") from None


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise HiloError(f"cannot write {file}: {error.strerror}") from None
    click.echo(file)
