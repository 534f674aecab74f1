"""Media in a bucket of S3 or of anything that speaks its protocol (MinIO, R2, Ceph …), through obstore."""

from collections.abc import Mapping
from typing import Any

from obstore.exceptions import BaseError
from obstore.store import S3Store

from hilo.errors import HiloError

# What an address may say; credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, never from it.
OPTIONS = frozenset({"endpoint", "region"})


class BucketFiles:
    """Files in one bucket, under one prefix."""

    def __init__(self, bucket: str, prefix: str, options: Mapping[str, str]) -> None:
        if unknown := sorted(options.keys() - OPTIONS):
            raise HiloError(f"HILO_MEDIA: a bucket has no option {unknown[0]}; it has {', '.join(sorted(OPTIONS))}")
        plain = options.get("endpoint", "").startswith("http://")
        settings: dict[str, Any] = {**options, "client_options": {"allow_http": plain, "timeout": "60s"}}
        if plain or "endpoint" in options:
            settings["virtual_hosted_style_request"] = False  # what is not Amazon's rarely has a name for each bucket
        self._store = S3Store(bucket, prefix=prefix or None, **settings)

    async def put(self, file: str, content: bytes) -> None:
        """Raises OSError when the bucket does not take it; whoever asked tries again later."""
        try:
            await self._store.put_async(file, content)
        except BaseError as error:
            raise OSError(f"the bucket: {type(error).__name__}") from error

    async def get(self, file: str) -> bytes | None:
        """A file, if it is there."""
        try:
            found = await self._store.get_async(file)
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            return None
        except BaseError as error:
            raise OSError(f"the bucket: {type(error).__name__}") from error

    async def remove(self, file: str) -> None:
        """Forget a file, if it is there."""
        try:
            await self._store.delete_async(file)
        except FileNotFoundError:
            return
        except BaseError as error:
            raise OSError(f"the bucket: {type(error).__name__}") from error
