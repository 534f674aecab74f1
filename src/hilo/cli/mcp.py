"""`hilo mcp`: an agent and its installation for other programs, over MCP on stdin and stdout."""

import asyncio
from pathlib import Path

import click

from hilo.logs import set_up_logs


@click.command("mcp")
@click.argument("agents", metavar="AGENT...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(agents: tuple[Path, ...]) -> None:
    """Offer agents to a program that speaks MCP: to talk to them, and to list, take and release their handoffs.

    Whoever starts this command may do all of it: it has the rights of the database in HILO_DATABASE_URL.
    """
    set_up_logs(level="warning")  # to stderr: stdout belongs to the protocol
    from hilo.app.mcp_server import serve_mcp  # noqa: PLC0415 -- an extra

    asyncio.run(serve_mcp(agents))
