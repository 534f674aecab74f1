"""`hilo serve`: everything in one process: the gateway, the turns, the deliveries and the timers."""

import asyncio
from datetime import timedelta
from pathlib import Path

import click

from hilo.agent.shorthand import read_duration
from hilo.app.running import Serving, serve_until_stopped
from hilo.logs import set_up_logs

LEVELS = ("debug", "info", "warning", "error")


def _duration(_context: click.Context, _option: click.Parameter, written: str) -> timedelta:
    try:
        duration: timedelta = read_duration(written)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return duration


@click.command("serve")
@click.argument("agents", metavar="AGENT...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for the whole network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--concurrency", type=click.IntRange(min=1), default=200, show_default=True, help="Turns at once.")
@click.option(
    "--burst",
    callback=_duration,
    default="2s",
    show_default=True,
    help="How long to wait at most for the rest of a thought.",
)
@click.option("--gateway-only", is_flag=True, help="Take messages in and serve pages; `hilo worker` does the rest.")
@click.option("--list-chats", is_flag=True, help="List all chat pages at `/`, for whoever comes.")
@click.option("--fake-provider", type=click.Choice(["infobip", "whatsapp", "telegram"]),
              help="Try a provider without an account: a page on which you write as a contact.")  # fmt: skip
@click.option("--panel-login", is_flag=True,
              help="If the panel has no account yet, make the owner `admin` and tell the password.")  # fmt: skip
@click.option("--log-level", type=click.Choice(LEVELS), default="info", show_default=True)
def command(
    agents: tuple[Path, ...],
    host: str,
    port: int,
    concurrency: int,
    burst: timedelta,
    gateway_only: bool,
    list_chats: bool,
    fake_provider: str | None,
    panel_login: bool,
    log_level: str,
) -> None:
    """Serve agents: their web chat at once, and the channels that this installation has.

    HILO_DATABASE_URL says where the truth is kept (default: hilo.db in this folder), HILO_QUEUE_URL what wakes the
    workers (default: this process itself), HILO_SECRET_KEY what the channels' credentials are encrypted with.
    """
    set_up_logs(level=log_level)
    serving = Serving(
        agents,
        host,
        port,
        concurrency,
        burst,
        works=not gateway_only,
        panel_login=panel_login,
        lists_chats=list_chats,
    )
    if fake_provider is None:
        asyncio.run(serve_until_stopped(serving, say=click.echo))
        return
    from hilo.testing.beside import fake_beside  # noqa: PLC0415 -- only for trials

    asyncio.run(serve_until_stopped(serving, beside=fake_beside(fake_provider), say=click.echo))
