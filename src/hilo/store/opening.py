"""Opening the database that a URL names."""

from pathlib import Path

from hilo.errors import HiloError
from hilo.store.migrate import migrate
from hilo.store.sqlite import SqliteStore
from hilo.store.store import Probe, Store, StoreUnavailable

SCHEMES = "sqlite:///file.db or postgresql://user:password@host/name"


async def open_store(url: str, *, probe: Probe | None = None) -> Store:
    """Bring the database up to date and open it."""
    if url.startswith("sqlite:///"):
        file = Path(url.removeprefix("sqlite:///"))
        _make_folder(file)
        await migrate(url)
        return SqliteStore(file, probe=probe)
    if url.startswith(("postgresql://", "postgres://")):
        return await _open_postgres("postgresql://" + url.partition("://")[2], probe)
    raise HiloError(f"HILO_DATABASE_URL must look like {SCHEMES}, not {url.partition('://')[0]}…")


def _make_folder(file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"the folder of the database {file} cannot be made: {error.strerror}") from None


async def _open_postgres(url: str, probe: Probe | None) -> Store:
    try:
        from hilo.store.postgres import PostgresStore  # noqa: PLC0415 -- an extra
    except ImportError:
        raise HiloError("PostgreSQL needs an extra: pip install 'hilo[postgres]'") from None
    store = await PostgresStore.open(url, probe=probe)
    try:
        await migrate(url)
    except BaseException:
        await store.close()
        raise
    return store
