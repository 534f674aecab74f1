"""`hilo campaign`: messages that the business begins, from a list of contacts; what became of them."""

import asyncio
import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hilo.agent.campaigns import Campaign
from hilo.agent.declaration import Agent
from hilo.agent.shape_errors import did_you_mean
from hilo.channels.numbers import whatsapp_number
from hilo.cli.changing import change
from hilo.cli.database import (
    Lists,
    ago,
    ask,
    counted,
    json_option,
    local,
    masked,
    operator_option,
    print_json,
    visible,
    workspace_option,
)
from hilo.cli.diff import stored_agent
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.settings import read_settings
from hilo.store.campaign_reports import (
    CampaignRound,
    ListReport,
    RecipientFate,
    ReportedChoice,
    Standing,
    choose,
    list_recipients,
    list_rounds,
    set_standing,
)
from hilo.store.campaigns import CampaignPlace, GivenContact, NumberedRow, channel_to_begin
from hilo.store.registry import in_force
from hilo.store.views import existing_store
from hilo.workers.campaigns import take_list
from hilo.workers.contact_lists import contact_rows, csv_rows

MOST_SHOWN = 20  # problems of a list
PIECE = 500  # recipients that are read at once
MOST_ROUNDS = 100
LOOK = 2.0  # seconds
SOON = "Those who may be written to are, within 15 seconds, as fast as `per_hour` allows, in the hours of the business."
STYLES = {"waiting": "yellow", "skipped": "dim", "failed": "red", "held": "cyan", "read": "green"}

channel_option = click.option("--channel", required=True, metavar="C", help="The WhatsApp channel that it goes out on.")


@click.group("campaign", cls=Lists)
def command() -> None:
    """Write first to lists of contacts, and see what became of it; without a word, list the rounds."""


# --- sending ------------------------------------------------------------------------------------------


@command.command("send")
@click.argument("name")
@channel_option
@click.option("--csv", "file", type=click.Path(path_type=Path), help="The list; - reads it from the standard input.")
@click.option("--to", default="", metavar="NUMBER", help="One contact instead of a list.")
@click.option(
    "--set", "values", multiple=True, metavar="COLUMN=VALUE", help="A value for that contact; may be repeated."
)
@click.option("--opted-in", is_flag=True, help="That contact has agreed to be written to.")
@click.option("--round", "round_name", default="", metavar="R", help="In one round each contact is written to once.")
@click.option("--dry-run", is_flag=True, help="Check the list and say what would happen; nothing is changed.")
@click.option("--watch", is_flag=True, help="Show the progress until nobody waits; Ctrl-C stops only the showing.")
@workspace_option
@json_option
def send(
    name: str,
    channel: str,
    file: Path | None,
    to: str,
    values: tuple[str, ...],
    opted_in: bool,
    round_name: str,
    dry_run: bool,
    watch: bool,
    workspace: str,
    as_json: bool,
) -> None:
    """Put contacts on the list of the campaign NAME. Repeating it writes to nobody twice in a round."""
    if bool(file) == bool(to):
        raise HiloError("give a list with --csv FILE, or one contact with --to NUMBER")
    agent = _agent(workspace, channel)
    campaign = _campaign(agent, name)
    place = CampaignPlace(workspace, channel, name, round_name)
    if file:
        rows = _csv(file)
    else:
        contact = GivenContact(to, dict(map(_value, values)), opted_in=opted_in)
        rows = contact_rows([contact], campaign)
    report = asyncio.run(_take(agent, place, rows, dry_run=dry_run))
    if as_json:
        print_json(report.plain())
    else:
        _show_report(report, campaign, dry_run=dry_run)
    if watch and not dry_run:
        _watch(place)
    if report.problems and not (report.new or report.again or report.known):
        sys.exit(1)


def _agent(workspace: str, channel: str) -> Agent:
    """The agent in force on a channel."""
    found = ask(channel_to_begin, workspace, channel)
    if found is None:
        raise HiloError(f"there is no channel {channel}: `hilo channel list` lists them")
    version = ask(in_force, workspace, found.agent)
    if not version:
        raise HiloError(f"the agent {found.agent} was never served here: start it with `hilo serve`")
    return stored_agent(workspace, found.agent, version)


def _campaign(agent: Agent, name: str) -> Campaign:
    if name not in agent.campaigns:
        hint = did_you_mean(name, agent.campaigns) or f"it has: {', '.join(agent.campaigns) or 'none'}"
        raise HiloError(f"the version of {agent.agent} in force has no campaign {name}; {hint}")
    return agent.campaigns[name]


def _value(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals:
        raise HiloError(f"--set takes COLUMN=VALUE, not {given}")
    return name, value


def _csv(file: Path) -> Iterator[NumberedRow]:
    """The rows of a file, read as they are needed; it is closed at its end."""
    if str(file) == "-":
        yield from csv_rows(sys.stdin)
        return
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            yield from csv_rows(_decoded(lines))
    except OSError as error:
        raise HiloError(f"{file} cannot be read: {error.strerror}") from None


def _decoded(lines: TextIO) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        try:
            line = next(lines)
        except StopIteration:
            return
        except UnicodeDecodeError:
            raise HiloError(f"near row {number} it is not UTF-8: save the list as CSV UTF-8") from None
        yield line


async def _take(agent: Agent, place: CampaignPlace, rows: Iterable[NumberedRow], *, dry_run: bool) -> ListReport:
    async with existing_store(read_settings().database_url) as store:
        return await take_list(store, SystemClock(), agent, place, rows, dry_run=dry_run)


def _show_report(report: ListReport, campaign: Campaign, *, dry_run: bool) -> None:
    console = Console(highlight=False)
    for problem in visible(report.problems[:MOST_SHOWN]):
        console.print(Text(str(problem), style="yellow"))
    left_out = len(report.problems) + report.more_problems
    if left_out > MOST_SHOWN:
        console.print(f"[dim]… {left_out - MOST_SHOWN:,} more; --json shows up to 1,000.[/]")
    if report.example:
        console.print(
            Text("The first of them reads: ", style="dim").append(Text(visible(report.example), style="green"))
        )
    told = [counted(report.rows, "row"), f"{left_out:,} left out"]
    if dry_run:
        told += [f"{report.new:,} would be written to"]
        told += [f"{times:,} not: {why}" for why, times in sorted(report.skipped.items())]
        console.print(
            "; ".join(told) + f". It would take {_duration(report.new, campaign.per_hour)}. Nothing was changed."
        )
        return
    told += [f"{report.new:,} new on the list", f"{report.again:,} looked at again", f"{report.known:,} there already"]
    console.print("; ".join(told) + ".")
    if report.new or report.again:
        console.print(f"[dim]{SOON} `hilo campaign list` shows how far it is.[/]")


def _duration(contacts: int, per_hour: int) -> str:
    hours = max(0, contacts - 1) // per_hour
    return "less than an hour" if not hours else f"at least {counted(hours, 'hour')}"


def _watch(place: CampaignPlace) -> None:
    """Tell how far a round is, whenever that has changed, until nobody waits any more."""
    before = ""
    while True:
        found = [each for each in _rounds(place.workspace) if _is_of(each, place)]
        now = _counts(found[0]) if found else ""
        if now != before:
            click.echo(f"{local(SystemClock().now(), '%H:%M:%S')}  {now}")
            before = now
        if not found or not (found[0].counts.get("waiting") or found[0].counts.get("sending")):
            return
        asyncio.run(asyncio.sleep(LOOK))


def _is_of(found: CampaignRound, place: CampaignPlace) -> bool:
    return (found.channel, found.name, found.round) == (place.channel, place.name, place.round)


# --- looking ------------------------------------------------------------------------------------------


@command.command("list")
@workspace_option
@json_option
def list_all(workspace: str, as_json: bool) -> None:
    """List the rounds of campaigns with what became of their lists, the newest first."""
    found = _rounds(workspace)
    if as_json:
        print_json([asdict(each) for each in found])
        return
    console, now = Console(highlight=False), SystemClock().now()
    if not found:
        console.print("[dim]No campaign has a list: `hilo campaign send NAME --channel C --csv FILE` gives it one.[/]")
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for name in ("campaign", "round", "channel", "id", "status", "since"):
        table.add_column(name, no_wrap=True)
    table.add_column("contacts")
    for each in visible(found):
        since = ago(each.created_at, now)
        table.add_row(each.name, each.round, each.channel, _short(each.id), _standing(each, now), since, _counts(each))
    console.print(table)


def _rounds(workspace: str) -> tuple[CampaignRound, ...]:
    return ask(list_rounds, workspace, at_most=MOST_ROUNDS)


def _short(campaign: str) -> str:
    return campaign.removeprefix("campaign_")[:8]


def _standing(found: CampaignRound, now: datetime) -> str:
    if found.status == "stopped":
        return "stopped"
    if not found.counts.get("waiting"):
        return "done"
    if found.next_at and found.next_at > now:
        return f"goes on at {local(found.next_at, '%Y-%m-%d %H:%M')}"
    return "running"


def _counts(found: CampaignRound) -> str:
    counts = [f"{times:,} {name}" for name, times in sorted(found.counts.items()) if times]
    if found.answered:
        counts.append(f"{found.answered:,} answered")
    return ", ".join(counts)


@command.command("report")
@click.argument("campaign")
@click.option("--csv", "file", type=click.Path(path_type=Path), help="Write it into this file, with whole numbers.")
@workspace_option
@json_option
def report(campaign: str, file: Path | None, workspace: str, as_json: bool) -> None:
    """What became of each contact of a round, and why: CAMPAIGN is its name or the id of the list."""
    recipients = _recipients(workspace, _found(workspace, campaign).id)
    if file:
        with file.open("w", encoding="utf-8", newline="") as lines:
            names = [each.name for each in fields(RecipientFate) if each.name != "id"]
            writer = csv.DictWriter(lines, names, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(_harmless(asdict(each)) for each in recipients)
        return
    shown = [{**asdict(each), "number": masked(each.number)} for each in recipients]
    if as_json:
        print_json(shown)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for name in ("row", "number", "status", "answered", "reason"):
        table.add_column(name, overflow="fold")
    for each in visible(shown):
        status = Text(each["status"], style=STYLES.get(each["status"], ""))
        table.add_row(str(each["row"]), each["number"], status, "yes" if each["answered"] else "", each["reason"])
    Console(highlight=False).print(table)


def _harmless(row: dict[str, Any]) -> dict[str, Any]:
    """A cell that a spreadsheet would take for a formula is a text."""
    return {
        name: f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value
        for name, value in row.items()
    }


def _recipients(workspace: str, campaign: str) -> Iterator[RecipientFate]:
    after = 0
    while rows := ask(list_recipients, workspace, campaign, after=after, at_most=PIECE):
        yield from rows
        after = rows[-1].id


def _found(workspace: str, named: str) -> CampaignRound:
    """The round that an id or a name means; of several rounds of a name the newest."""
    for each in _rounds(workspace):
        if named in (each.name, each.id, _short(each.id)):
            return each
    raise HiloError(f"there is no campaign {named}: `hilo campaign list` lists them")


# --- acting -------------------------------------------------------------------------------------------


def _stand(workspace: str, campaign: str, standing: Standing, operator: str) -> CampaignRound:
    found = _found(workspace, campaign)
    change(set_standing, workspace, found.id, standing, actor=operator, now=SystemClock().now())
    return found


@command.command("stop")
@click.argument("campaign")
@operator_option
@workspace_option
def stop(campaign: str, operator: str, workspace: str) -> None:
    """Write to nobody else on the list of CAMPAIGN."""
    found = _stand(workspace, campaign, "stopped", operator)
    click.echo(f"{found.name} is stopped: `hilo campaign resume {_short(found.id)}` lets it go on.")


@command.command("resume")
@click.argument("campaign")
@operator_option
@workspace_option
def resume(campaign: str, operator: str, workspace: str) -> None:
    """Go on with the list of CAMPAIGN."""
    found = _stand(workspace, campaign, "running", operator)
    click.echo(f"{found.name} goes on.")


def _choosing(name: str, words: str, *, wanted: bool) -> Callable[..., None]:
    @command.command(name, help=words)
    @click.argument("numbers", nargs=-1, required=True)
    @channel_option
    @operator_option
    @workspace_option
    def chosen(numbers: Sequence[str], channel: str, operator: str, workspace: str) -> None:
        for number in numbers:
            found = whatsapp_number(number)
            if found is None:
                raise HiloError(f"{number} is no phone number with its country's code, such as +5491155551234")
            choice = ReportedChoice(channel, found, wanted, operator)
            if not change(choose, workspace, choice, now=SystemClock().now()):
                raise HiloError(f"there is no channel {channel}: `hilo channel list` lists them")
            click.echo(f"{masked(number)} has {'opted in' if wanted else 'opted out'}.")

    return chosen


opt_in = _choosing(
    "opt-in", "Keep that the contacts with these NUMBERS have agreed to be written to first.", wanted=True
)
opt_out = _choosing("opt-out", "Keep that the contacts with these NUMBERS want it no more.", wanted=False)
