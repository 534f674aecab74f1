"""Where the bytes of media lie: a folder, or a bucket that speaks S3. The tables know what they are and whose."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from hilo.errors import HiloError, install
from hilo.ids import new_id
from hilo.settings import Settings

FOLDER = "hilo-media"


class Files(Protocol):
    """Bytes by id. What was put is there for every process, or `put` raises OSError."""

    async def put(self, file: str, content: bytes) -> None:
        """Keep a file; once more with the same id does no harm."""
        ...

    async def get(self, file: str) -> bytes | None:
        """A file, if it is there."""
        ...

    async def remove(self, file: str) -> None:
        """Forget a file, if it is there."""
        ...


def open_files(settings: Settings) -> Files:
    """By `HILO_MEDIA`: a folder, or `s3://bucket/prefix?endpoint=…`; else a folder beside the database's file."""
    where = settings.media
    if where.startswith("s3://"):
        return _bucket(where)
    if where:
        return FolderFiles(Path(where))
    database = settings.database_url.removeprefix("sqlite:///")
    beside = Path(database).parent if database != settings.database_url else Path()
    return FolderFiles(beside / FOLDER)


class FolderFiles:
    """Files in a folder of this machine, or of one that all machines have mounted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def put(self, file: str, content: bytes) -> None:
        """Whole or not at all: it is written beside its place first."""
        await asyncio.to_thread(write_whole, self._place(file), content)

    async def get(self, file: str) -> bytes | None:
        """A file, if it is there."""
        try:
            return await asyncio.to_thread(self._place(file).read_bytes)
        except FileNotFoundError:
            return None

    async def remove(self, file: str) -> None:
        """Forget a file, if it is there."""
        await asyncio.to_thread(self._place(file).unlink, missing_ok=True)

    def _place(self, file: str) -> Path:
        """Ids are ours and end in hexadecimal digits; no folder holds too many of them."""
        return self.folder / file[-2:] / file


def keep_file(place: Path, content: bytes) -> None:
    """Put into a cache what can be made again; a full disk or a read-only home costs only time."""
    with suppress(OSError):
        write_whole(place, content)


def write_whole(place: Path, content: bytes) -> None:
    """A file with all of its content, or none."""
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_name(new_id("writing"))
    try:
        with beside.open("wb") as writing:
            writing.write(content)
            writing.flush()
            os.fsync(writing.fileno())
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def _bucket(where: str) -> Files:
    try:
        from hilo.store.bucket import BucketFiles  # noqa: PLC0415 -- an extra
    except ImportError:
        raise HiloError(f"HILO_MEDIA names a bucket: install the extra `s3` ({install('s3')})") from None
    parts = urlsplit(where)
    return BucketFiles(parts.netloc, parts.path.strip("/"), dict(parse_qsl(parts.query)))
