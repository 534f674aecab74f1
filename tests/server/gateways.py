"""A gateway over a real database: the application alone, or served on loopback with its workers running."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
from fastapi import FastAPI
from psycopg.rows import dict_row

from hilo.app.channels import Closing
from hilo.app.gateway import edge_of
from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.channel import Channel
from hilo.channels.infobip import Infobip, InfobipSettings, SecretHeader
from hilo.server.app import make_app
from hilo.settings import Settings
from hilo.store.keys import Scope, add_key, new_secret
from hilo.store.workspaces import ChannelRow
from hilo.testing.loopback import serving
from patience import PATIENCE

AGENT = """
agent: eco
language: es
slots:
  word: {type: text, ask: "¿Qué anoto?"}
flows:
  note:
    starts: always
    steps:
      - collect: word
      - say: "Anotado: {word}"
escalation:
  - keyword: [humano]
"""

SECRET = {"x-secret": "un-secreto"}


@dataclass
class Gateway:
    """An installation with its HTTP application."""

    hilo: Installation
    app: FastAPI
    database_url: str
    url: str = ""

    async def connect(self, row: ChannelRow, channel: Channel) -> None:
        await self.hilo.add_channel(row, channel)

    async def connect_infobip(self, channel: str = "wa", *, workspace: str = WORKSPACE) -> None:
        """A channel whose webhooks carry SECRET, and whose provider is nowhere."""
        settings = InfobipSettings("http://127.0.0.1:9", "clave", "1", auth=SecretHeader("x-secret", "un-secreto"))
        await self.connect(ChannelRow(channel, workspace, "infobip", "eco", window_hours=24), Infobip(settings))

    def client(self, *, key: str = "") -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(transport=transport, base_url="http://hilo", headers=headers)

    async def key(self, *scopes: Scope, workspace: str = WORKSPACE) -> str:
        secret, now = new_secret(), self.hilo.clock.now()
        await self.hilo.store.run(add_key, workspace, "crm", secret=secret, scopes=scopes, now=now)
        return secret

    def rows(self, sql: str) -> list[dict[str, Any]]:
        return rows(self.database_url, sql)


@asynccontextmanager
async def gateway(
    database_url: str, agent: Path, *, workers: bool = False, port: int = 0, **more: Any
) -> AsyncIterator[Gateway]:
    settings = Settings(Path(), database_url=database_url, **more)
    async with installation(settings, [agent], options=Options(burst=timedelta())) as hilo:
        opened = Gateway(hilo, make_app(edge_of(hilo, settings)), database_url)
        try:
            if not workers:
                yield opened
            else:
                async with serving(opened.app, port) as opened.url:
                    await hilo.runtime.start()
                    yield opened
                    await hilo.runtime.stop()
        finally:  # a test that fails leaves no sockets to the next
            for _, channel in hilo.channels.given.values():
                if isinstance(channel, Closing):
                    await channel.aclose()


def rows(database_url: str, sql: str) -> list[dict[str, Any]]:
    """Look at the tables, past the store."""
    if database_url.startswith("sqlite"):
        with closing(sqlite3.connect(database_url.removeprefix("sqlite:///"))) as file:
            file.row_factory = sqlite3.Row
            return [dict(row) for row in file.execute(sql)]
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        return connection.execute(sql.encode()).fetchall()


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000+0000")


def infobip_body(text: str = "hola", *, message_id: str = "m1", sender: str = "5491155550001", **message: Any) -> bytes:
    """One message of a contact as Infobip posts it."""
    content = {"type": "TEXT", "text": text, **message}
    result = {"from": sender, "to": "1", "integrationType": "WHATSAPP", "receivedAt": _now()}
    return json.dumps({"results": [{**result, "messageId": message_id, "message": content}]}).encode()


async def until(holds: Callable[[], Awaitable[bool]], *, seconds: float = PATIENCE) -> None:
    """Wait for something that the workers do."""
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 -- it happens in the database
            await asyncio.sleep(0.02)
