"""`hilo channel`: the numbers, bots and pages on which contacts reach the agents."""

import asyncio
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hilo.app.channels import make_channel, new_row
from hilo.app.kinds import KINDS, Field, filled
from hilo.app.secrets import Secrets
from hilo.channels.channel import Sent
from hilo.cli.changing import change, check_workspace
from hilo.cli.database import ask, json_option, print_json, workspace_option
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.messages import Address, Outbound
from hilo.settings import read_settings
from hilo.store.workspaces import CHANNEL_NAME, ChannelRow, add_channel, channels, heard_on, remove_channel, reseal


@click.group("channel")
def command() -> None:
    """Connect, list, try and remove channels. Credentials are kept encrypted with HILO_SECRET_KEY."""


@command.command("add")
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option("--agent", required=True, help="The name of the agent that answers there.")
@click.option(
    "--id", "channel", default="", help="Its id, which stands in the webhook's address; KIND-AGENT if not given."
)
@workspace_option
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="A setting; NAME=@FILE reads it from a file.")
def add(kind: str, agent: str, channel: str, workspace: str, given: tuple[str, ...]) -> None:
    """Connect a channel, or give one new credentials. What is missing is asked for; a server that runs finds it."""
    check_workspace(workspace)
    place = {"id": channel or f"{kind}-{agent}", "workspace": workspace, "agent": agent}
    if not CHANNEL_NAME.fullmatch(place["id"]):
        raise HiloError("a channel's id has small letters, digits and hyphens, at most 40: give one with --id")
    chosen = dict(map(_setting, given))
    settings, missing = filled(kind, chosen)
    settings |= {each.name: _asked(each) for each in missing}
    row = new_row(kind, place, settings, _secrets())
    change(add_channel, row, now=SystemClock().now())
    _show_next_steps(row, {each.name: settings[each.name] for each in KINDS[kind].fields if each.name not in chosen})


@command.command("list")
@workspace_option
@json_option
def list_all(workspace: str, as_json: bool) -> None:
    """List the channels of a business, without their credentials."""
    found = [each for each in ask(channels) if each.workspace_id == workspace]
    if as_json:
        print_json([_plain(each) for each in found])
        return
    table = Table("channel", "kind", "agent", "webhook", box=None, padding=(0, 2, 0, 0), header_style="bold cyan")
    for each in found:
        table.add_row(each.id, each.kind, escape(each.agent), webhook_path(each) if each.settings else "")
    Console(highlight=False).print(table)


@command.command("remove")
@click.argument("channel")
@workspace_option
def remove(channel: str, workspace: str) -> None:
    """End a channel and forget its credentials; what was said over it stays."""
    if not change(remove_channel, workspace, channel, now=SystemClock().now()):
        raise _no_channel(channel)
    click.echo(f"The channel {channel} is removed.")


@command.command("test")
@click.argument("channel")
@click.option("--to", default="", help="Send a word to this address, which must have written before.")
@workspace_option
def test(channel: str, to: str, workspace: str) -> None:
    """Open the credentials of a channel and, with --to, send a message with them."""
    row = next((each for each in ask(channels) if (each.workspace_id, each.id) == (workspace, channel)), None)
    if row is None:
        raise _no_channel(channel)
    made = make_channel(row, _secrets(), SystemClock())
    click.echo(f"The credentials of {channel} can be opened. Its webhook is {webhook_path(row)}")
    if not to:
        return
    _check_window(row, to)
    outcome = asyncio.run(made.send(Address(channel, to), Outbound("Hilo: ✓"), message_id=new_id("test")))
    if not isinstance(outcome, Sent):
        raise HiloError(f"it was not sent: {outcome.reason}")
    click.echo("It was sent.")


@command.command("reseal")
def reseal_all() -> None:
    """Encrypt all credentials with the first key of HILO_SECRET_KEY; then the others are needed no more."""
    secrets = _secrets()
    sealed = [each for each in ask(channels) if each.settings]
    renewed = [replace(each, settings=secrets.reseal(each.settings)) for each in sealed]
    for old, new in zip(sealed, renewed, strict=True):
        change(reseal, old.id, before=old.settings, settings=new.settings)
    click.echo(f"{len(sealed)} channels are sealed with the first key.")


def _plain(row: ChannelRow) -> dict[str, str]:
    webhook = webhook_path(row) if row.settings else ""
    return {"id": row.id, "kind": row.kind, "agent": row.agent, "webhook": webhook}


def webhook_path(row: ChannelRow) -> str:
    """Where the provider delivers."""
    return f"/webhooks/{row.kind}/{row.id}"


def _secrets() -> Secrets:
    return Secrets(read_settings().secret_key)


def _setting(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals:
        raise HiloError(f"--set takes NAME=VALUE, not {name}")
    if not value.startswith("@"):
        return name, value
    try:
        return name, Path(value[1:]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise HiloError(f"{name} cannot be read from its file ({type(error).__name__})") from None


def _asked(field: Field) -> str:
    """What is typed; a secret is not shown while it is."""
    if not sys.stdin.isatty():
        raise HiloError(f"{field.name} is missing ({field.help}): give it with --set {field.name}=@FILE")
    return str(click.prompt(f"{field.name} ({field.help})", hide_input=field.secret)).strip()


def _show_next_steps(row: ChannelRow, settings: dict[str, str]) -> None:
    """What was made up here must be entered there, so it is shown, once."""
    click.echo(f"The channel {row.id} is connected to the agent {row.agent}.")
    if not KINDS[row.kind].where:
        return
    click.echo(f"Enter the webhook https://YOUR-HOST{webhook_path(row)} at: {KINDS[row.kind].where}.")
    for each in KINDS[row.kind].fields:
        if each.ours and each.name in settings:
            click.echo(f"Enter there too, it is not shown again: {each.name} = {settings[each.name]}")


def _check_window(row: ChannelRow, to: str) -> None:
    """Free text goes only to who has written within the window, from here as from anywhere."""
    heard = ask(heard_on, row, to)
    window = timedelta(hours=row.window_hours)
    if window and (heard is None or SystemClock().now() - heard >= window):
        raise HiloError(f"{to} has not written to {row.id} in the last {row.window_hours} hours: write to it first")


def _no_channel(channel: str) -> HiloError:
    return HiloError(f"there is no channel {channel}: `hilo channel list` shows them")
