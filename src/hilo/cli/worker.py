"""`hilo worker`: turns and deliveries without the gateway, as many processes as you like."""

import asyncio
from pathlib import Path

import click

from hilo.app.running import work
from hilo.cli.serve import LEVELS
from hilo.errors import HiloError
from hilo.logs import set_up_logs


@click.command("worker")
@click.argument("agents", metavar="AGENT...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--concurrency", type=click.IntRange(min=1), default=200, show_default=True, help="Turns at once.")
@click.option("--metrics-port", type=click.IntRange(1, 65535), help="Serve /metrics of this process there.")
@click.option("--log-level", type=click.Choice(LEVELS), default="info", show_default=True)
def command(agents: tuple[Path, ...], concurrency: int, metrics_port: int | None, log_level: str) -> None:
    """Work on the turns and deliveries of the database that HILO_DATABASE_URL names."""
    set_up_logs(level=log_level)
    if metrics_port:
        _serve_metrics(metrics_port)
    asyncio.run(work(agents, concurrency=concurrency))


def _serve_metrics(port: int) -> None:
    from prometheus_client import start_http_server  # noqa: PLC0415 -- when asked for

    try:
        start_http_server(port, addr="0.0.0.0")  # noqa: S104 -- Prometheus comes from elsewhere
    except OSError as error:
        raise HiloError(f"/metrics cannot be served at port {port}: {error.strerror}") from None
