"""`hilo test`: play the conversations that agents must pass."""

import asyncio
import sys
from pathlib import Path

import click
from rich.console import Console

from hilo.cli.database import json_option, print_json
from hilo.errors import HiloError
from hilo.testing import Report, Suite, default_path, find_suites, run_suite, selected
from hilo.testing.results import as_json as plain_results
from hilo.testing.results import as_junit
from hilo.testing.show import show_coverage, show_report


@click.command("test")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "-k", "words", default="", metavar="WORDS", help="Play only conversations with these words in their title."
)
@click.option("-v", "--verbose", is_flag=True, help="Print every transcript, not only those that failed.")
@click.option("--coverage", "with_coverage", is_flag=True, help="Print what no conversation reached.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Also write the results as JUnit XML.")
@json_option
def command(
    paths: tuple[Path, ...], words: str, verbose: bool, with_coverage: bool, junit: Path | None, as_json: bool
) -> None:
    """Play conversations and say which did not go as written.

    A PATH is a folder of agents, an agent's folder, its conversations folder or one conversation; without one it is
    `agents`, or the current folder.
    """
    suites = find_suites(paths or (default_path(),))
    if not suites:
        where = ", ".join(map(str, paths or (default_path(),)))
        raise HiloError(f"there are no agents or conversations in {where}; conversations lie in AGENT/conversations")
    if words and not (suites := selected(suites, words)):
        raise HiloError(f"no conversation has `{words}` in its title")
    console = Console(highlight=False, quiet=as_json)
    reports = asyncio.run(_run(console, suites, verbose=verbose, with_coverage=with_coverage))
    failed = sum(report.failed for report in reports)
    console.print(f"{sum(report.passed for report in reports)} passed, {failed} failed")
    if as_json:
        print_json(plain_results(reports))
    if junit:
        junit.write_text(as_junit(reports), encoding="utf-8")
    sys.exit(1 if failed else 0)


async def _run(console: Console, suites: list[Suite], *, verbose: bool, with_coverage: bool) -> list[Report]:
    reports = []
    for suite in suites:
        report = await run_suite(suite)
        show_report(console, report, verbose=verbose)
        if with_coverage and report.covered:
            show_coverage(console, report)
        reports.append(report)
    return reports
