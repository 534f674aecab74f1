"""Opening the database that a URL names, and bringing it up to date first."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from importlib.resources import files
from pathlib import Path

from hilo.errors import HiloError, install
from hilo.store.sqlite import SqliteStore
from hilo.store.store import Probe, Store, StoreUnavailable

SCHEMES = "sqlite:///file.db or postgresql://user:password@host/name"
HEAD = "0014"  # the newest step of `migrations/versions`; a test holds it to that

_ONE_AT_A_TIME = threading.Lock()  # Alembic keeps what it works on in globals


async def open_store(url: str, *, probe: Probe | None = None) -> Store:
    """Bring the database up to date and open it."""
    if url.startswith("sqlite:///"):
        file = Path(url.removeprefix("sqlite:///"))
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"the folder of the database {file} cannot be made: {error.strerror}") from None
        await migrate(url)
        return SqliteStore(file, probe=probe)
    if url.startswith(("postgresql://", "postgres://")):
        return await _open_postgres("postgresql://" + url.partition("://")[2], probe)
    raise HiloError(f"HILO_DATABASE_URL must look like {SCHEMES}, not {url.partition('://')[0]}…")


async def _open_postgres(url: str, probe: Probe | None) -> Store:
    try:
        from hilo.store.postgres import PostgresStore  # noqa: PLC0415 -- an extra
    except ImportError:
        raise HiloError(f"PostgreSQL needs an extra: {install('postgres')}") from None
    store = await PostgresStore.open(url, probe=probe)
    try:
        await migrate(url)
    except BaseException:
        await store.close()
        raise
    return store


# --- migrations -------------------------------------------------------------------------------------


async def migrate(url: str) -> bool:
    """Run the steps that are missing; whether there were any. A database that is newer than this program is refused."""
    if await _current(url) == HEAD:
        return False
    await asyncio.to_thread(_upgrade, url)
    return True


async def _current(url: str) -> str:
    if url.startswith("sqlite"):
        return _current_of_file(Path(url.removeprefix("sqlite:///")))
    import asyncpg  # noqa: PLC0415 -- an extra

    connection = await asyncpg.connect(url)
    try:
        there = await connection.fetchval("SELECT to_regclass('alembic_version')")
        return str(await connection.fetchval("SELECT version_num FROM alembic_version")) if there else ""
    finally:
        await connection.close()


def _current_of_file(file: Path) -> str:
    if not file.exists():
        return ""
    try:
        with closing(sqlite3.connect(file)) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
                return ""
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise StoreUnavailable(f"the database {file} cannot be read: {error}") from error
    return str(row[0]) if row else ""


def _upgrade(url: str) -> None:
    from alembic import command  # noqa: PLC0415 -- half a second, and only a new or an old database needs it
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(files("hilo.store").joinpath("migrations")))
    config.attributes["url"] = url
    try:
        with _ONE_AT_A_TIME:
            command.upgrade(config, "head")
    except CommandError as error:
        raise HiloError(
            f"the database was made by a newer Hilo ({error}): use that version, or another database"
        ) from error
    except DBAPIError as error:
        raise StoreUnavailable(f"the database cannot be brought up to date: {error.orig}") from error
