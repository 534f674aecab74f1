"""What Alembic runs: one process at a time, one transaction for all steps."""

import asyncio
import sqlite3
from typing import Any

import sqlalchemy as sa
from alembic import context

LOCK = 7_241_801  # one process migrates, the others wait


def _steps(connection: sa.Connection) -> None:
    context.configure(connection=connection, transaction_per_migration=False)
    with context.begin_transaction():
        context.run_migrations()


def _on_sqlite(url: str) -> None:
    engine = sa.create_engine(url)

    @sa.event.listens_for(engine, "connect")
    def _no_implicit_begin(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode = WAL")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        with engine.begin() as connection:
            _steps(connection)
    finally:
        engine.dispose()


async def _on_postgres(url: str) -> None:
    import asyncpg  # noqa: PLC0415 -- an extra, as greenlet, which SQLAlchemy wants for the next line
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415

    # the driver reads the URL itself: SQLAlchemy would pass on words such as sslmode that it does not take
    engine = create_async_engine("postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url))
    try:
        async with engine.begin() as connection:
            await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            await connection.run_sync(_steps)
    finally:
        await engine.dispose()


if (where := context.config.attributes["url"]).startswith("sqlite"):
    _on_sqlite(where)
else:
    asyncio.run(_on_postgres(where))
