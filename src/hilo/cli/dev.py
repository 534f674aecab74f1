"""`hilo dev`: an agent that is served while you edit it."""

import asyncio
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from hilo.agent.difference import difference
from hilo.app.developing import Edit, following, wait_until_it_runs
from hilo.app.running import Serving, serve_until_stopped
from hilo.cli.check import coloured
from hilo.cli.diff import print_changes
from hilo.logs import set_up_logs
from hilo.settings import read_settings

DATABASE = "sqlite:///hilo-dev.db"


@click.command("dev")
@click.argument("agent", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for the whole network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--database", default=DATABASE, show_default=True, help="Never one that a business works with.")
def command(agent: Path, host: str, port: int, database: str) -> None:
    """Serve AGENT while you edit it: its file, its tools, its words.

    An edit that runs is served at once and its changes are listed; open chats go on with it. Of one that does not run,
    the mistakes are told, and the last version that did goes on. HILO_DATABASE_URL is not used: nothing of a real
    installation is touched.
    """
    set_up_logs(level="warning")
    console = Console(highlight=False, soft_wrap=True)
    file = wait_until_it_runs(agent, lambda edit: _tell(console, edit))
    serving = Serving([file], host, port, panel_login=True, follows_edits=True)
    settings = replace(read_settings(), database_url=database, queue_url="")
    beside = following(file, lambda edit: _tell(console, edit))
    asyncio.run(serve_until_stopped(serving, settings=settings, beside=beside, say=click.echo))


def _tell(console: Console, edit: Edit) -> None:
    console.print(Text(f"{', '.join(edit.files)}:", style="bold"), end=" ")
    if edit.before and edit.after:
        changes = difference(edit.before, edit.after)
        console.print(
            "loaded" if changes else "loaded; nothing that the agent file declares is different", style="green"
        )
        print_changes(console, changes)
        return
    served = f"version {edit.before.version} goes on" if edit.before else "waiting for it to be fixed"
    console.print(f"does not run; {served}", style="yellow")
    for problem in edit.problems:
        console.print(coloured(problem, "red"))
