"""A worker of the kiosk, as `hilo worker` is one, to be killed: `python kiosco_worker.py DATABASE INFOBIP`."""

import asyncio
import logging
import sys
from datetime import timedelta
from pathlib import Path

import structlog

from hilo.app.installation import WORKSPACE, Options, installation
from hilo.channels.infobip import Infobip, InfobipSettings
from hilo.settings import Settings
from hilo.store.workspaces import ChannelRow
from hilo.testing.providers.infobip import API_KEY, AUTH, SENDER

AGENT = Path(__file__).parents[2] / "agents" / "kiosco"
CHANNEL = ChannelRow("wa", WORKSPACE, "infobip", "kiosco", echo_seconds=20, window_hours=24)
SECONDS = 600  # nobody needs it for longer, whatever became of the test


async def main(database: str, infobip: str) -> None:
    options = Options(burst=timedelta(), sweep=timedelta(seconds=0.25))
    async with installation(Settings(Path(), database_url=database), [AGENT], options=options) as hilo:
        await hilo.add_channel(CHANNEL, Infobip(InfobipSettings(infobip, API_KEY, SENDER, auth=AUTH)))
        await hilo.runtime.start()
        sys.stdout.write("working\n")
        sys.stdout.flush()
        await asyncio.sleep(SECONDS)


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    asyncio.run(main(*sys.argv[1:]))
