"""The command line: each command in a module of its own, imported when it is used."""

import gc
import importlib
import sys

import click

from hilo.errors import DISTRIBUTION, HiloError

COMMANDS = {
    "agents": "list, publish and roll back versions of agents",
    "audit": "list and verify what was done and by whom",
    "campaign": "write first to lists of contacts, and see what became of it",
    "channel": "connect, list, try and remove channels",
    "chat": "talk to an agent in this terminal",
    "check": "check an agent file",
    "demo": "serve the agents that come with Hilo",
    "dev": "serve an agent while you edit it",
    "diff": "show what another version of an agent changes",
    "funnel": "show how far contacts and sessions come",
    "graph": "draw an agent's turn graph and flows",
    "handoffs": "list handoffs, take them, and give sessions back",
    "key": "add, list and revoke keys of the API",
    "new": "make an agent to begin with",
    "mcp": "offer an agent and its handoffs to other programs, over MCP",
    "outbox": "list messages that have not arrived, send them again or discard them",
    "prompt": "print what a model would be sent",
    "replay": "run recorded sessions again, and see what an edit changes",
    "schema": "print the JSON Schema of agent files",
    "serve": "serve agents: gateway and workers in one process",
    "sessions": "list sessions",
    "show": "show a session's transcript and traces",
    "test": "run conversation tests",
    "understand": "show what is understood of a text",
    "usage": "show what turns cost",
    "user": "add, list and remove people of the panel",
    "worker": "work on turns and deliveries without the gateway",
    "workspace": "add and list businesses",
}


class _Commands(click.Group):
    """Commands that are imported only when they run, so that `hilo chat` starts at once."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        gc.disable()  # what is imported stays: looking for garbage among it is a tenth of a start
        try:
            module = importlib.import_module(f"hilo.cli.{name}")
        finally:
            gc.enable()
        command = module.command
        assert isinstance(command, click.Command)  # noqa: S101
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=DISTRIBUTION)
def hilo() -> None:
    """Hilo: agents that never lose the thread."""


def main() -> None:
    """Run the command line; an error of ours is a sentence, not a traceback."""
    try:
        hilo()
    except HiloError as error:
        click.secho(f"hilo: {error}", fg="red", err=True)
        sys.exit(1)
