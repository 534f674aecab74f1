"""Transcripts, differences and coverage for the terminal."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.testing.conversation import Entry, Who
from hilo.testing.coverage import Covered
from hilo.testing.play import Played
from hilo.testing.suite import Report
from hilo.turn.trace import Trace, describe, describe_act

_STYLES: dict[Who, str] = {
    "contact": "bold cyan",
    "agent": "green",
    "operator": "bold magenta",
    "timer": "yellow",
    "time": "dim",
    "campaign": "bold magenta",
}


def show_report(console: Console, report: Report, *, verbose: bool = False) -> None:
    """One line for the agent; below it what failed, and with `verbose` every transcript."""
    _print(console, _headline(report), indent=0)
    for problem in filter(None, (report.problem, *(each.problem for each in report.broken))):
        _print(console, Text(problem, "red"), indent=2)
    for played in report.played:
        if verbose or not played.passed:
            show_played(console, played)


def _print(console: Console, text: Text, *, indent: int) -> None:
    """Lines are not cut or broken by us: a terminal wraps them, a log keeps them whole."""
    for line in text.split("\n"):
        console.print(Text(" " * indent) + line, soft_wrap=True)


def _headline(report: Report) -> Text:
    counts: list[str] = []
    style = "yellow"  # nothing was played
    if report.passed:
        counts.append(f"{report.passed} passed")
        style = "green"
    if report.failed:
        counts.append(f"{report.failed} failed")
        style = "red"
    line = Text.assemble((report.agent, "bold"), ": ", (", ".join(counts) or "no conversations", style))
    if report.played:
        line.append(f" in {report.seconds:.2f} s")
    if percents := [_percent(each) for each in report.covered if each.known]:
        line.append(f" · coverage: {', '.join(percents)}", "dim")
    return line


def _percent(covered: Covered) -> str:
    return f"{covered.kind} {covered.percent} %"


# --- one conversation -----------------------------------------------------------------------------------


def show_played(console: Console, played: Played) -> None:
    """A transcript; where a step went wrong, the difference and how that turn came about."""
    mark = Text("✓ ", "green") if played.passed else Text("✗ ", "bold red")
    where = "" if played.passed else f"  {played.place}"
    _print(console, Text.assemble(mark, (played.title, "bold"), (where, "dim")), indent=2)
    for line in transcript_lines(played.transcript):
        _print(console, line, indent=4)
    for difference in played.differences:
        _print(console, Text(difference, "bold red"), indent=6)
    if not played.passed and played.traces:
        _print(console, Text("\n".join(trace_lines(played.traces[-1])), "dim"), indent=6)


def transcript_lines(entries: Iterable[Entry]) -> Iterator[Text]:
    """Who said what, one line each; further lines of a message stand below its first."""
    for entry in entries:
        text = f"{entry.text} later" if entry.who == "time" else entry.text
        body = text.replace("\n", f"\n{'':10}")
        buttons = "".join(f" [{button.title}]" for button in entry.buttons)
        yield Text.assemble((f"{entry.who:>8}", _STYLES[entry.who]), "  ", body, (buttons, "bold"))


def trace_lines(trace: Trace) -> Iterator[str]:
    """How a turn came about: nodes, understanding, commands, states."""
    yield f"nodes: {' → '.join(trace.path)}"
    read = trace.understanding
    if read.stage != "none":
        intent = f"{read.intent} {read.confidence} %" if read.intent else ""
        parts = (
            read.stage,
            intent,
            *map(describe_act, read.acts),
            *(f"mentions {slot}" for slot in read.mentions),
            *read.keywords,
        )
        yield f"understood: {' · '.join(filter(None, parts))}"
    if trace.accepted or trace.refused:
        refused = (f"✗ {describe(each.command)} ({each.reason})" for each in trace.refused)
        yield f"commands: {' · '.join((*map(describe, trace.accepted), *refused))}"
    yield f"states: {' → '.join(trace.states)}"
    yield from (f"error: {error}" for error in trace.errors)


# --- coverage -------------------------------------------------------------------------------------------


def show_coverage(console: Console, report: Report) -> None:
    """A small table with what no conversation of an agent reached."""
    table = Table(title=f"coverage of {report.agent}", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for column in ("", "reached", "%", "missing"):
        table.add_column(column, justify="right" if column in {"reached", "%"} else "left", overflow="fold")
    for each in report.covered:
        reached = f"{len(each.known) - len(each.missing)}/{len(each.known)}" if each.known else "–"
        percent = "–" if each.percent is None else str(each.percent)
        table.add_row(each.kind, reached, percent, Text("\n".join(each.missing)))
    console.print(table)
