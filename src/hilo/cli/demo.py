"""`hilo demo`: the agents that come with Hilo, each on a chat page of its own, and the panel."""

import asyncio
from pathlib import Path

import click

from hilo.app import AGENT_FILE
from hilo.app.running import Serving, serve_until_stopped
from hilo.logs import set_up_logs

PACKED = Path(__file__).with_name("demo_agents")  # where a wheel has them
CLONED = Path(__file__).parents[3] / "agents"  # where a clone has them


def demo_agents() -> list[Path]:
    """The folders of the agents that come with Hilo."""
    folder = PACKED if PACKED.is_dir() else CLONED
    return sorted(file.parent for file in folder.glob(f"*/{AGENT_FILE}"))


@click.command("demo")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for the whole network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
def command(host: str, port: int) -> None:
    """Serve the agents that come with Hilo, with a list of their chat pages at `/` and a first login for the panel.

    HILO_DATABASE_URL says where the truth is kept (default: hilo.db in this folder).
    """
    set_up_logs()
    agents = demo_agents()
    click.echo(f"The agents are in {agents[0].parent}: copy one to make it yours.")
    serving = Serving(agents, host, port, panel_login=True, lists_chats=True)
    asyncio.run(serve_until_stopped(serving, say=click.echo))
