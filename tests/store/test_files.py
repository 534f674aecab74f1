"""Where the bytes of media lie: a folder and a bucket behave alike."""

import asyncio
import importlib.util
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hilo.errors import HiloError
from hilo.settings import Settings
from hilo.store.files import Files, FolderFiles, open_files
from hilo.testing.loopback import serving

NO_BUCKETS = importlib.util.find_spec("obstore") is None


class FakeBucket:
    """Speaks as much of S3 as keeping files takes."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.away = False

    async def answer(self, request: Request) -> Response:
        key = request.path_params["key"]
        if self.away or "AWS4-HMAC-SHA256" not in request.headers.get("authorization", ""):
            return Response(status_code=503 if self.away else 403)
        if request.method == "POST" and "delete" in request.query_params:
            return self._delete((await request.body()).decode())
        if request.method == "PUT":
            self.objects[key] = await request.body()
            return Response(headers={"etag": '"1"'})
        if key not in self.objects:
            return Response("<Error><Code>NoSuchKey</Code></Error>", 404)
        dated = {"etag": '"1"', "last-modified": "Tue, 17 Nov 2026 10:00:00 GMT"}
        return Response(self.objects[key], headers=dated)

    def _delete(self, wanted: str) -> Response:
        """Several at once, whether they are there or not."""
        keys = re.findall(r"<Key>([^<]+)</Key>", wanted)
        for key in keys:
            self.objects.pop(f"fotos/{key}", None)
        told = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        return Response(f"<DeleteResult>{told}</DeleteResult>", media_type="application/xml")


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.skipif(NO_BUCKETS, reason="no obstore"))])
async def files(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Files]:
    if request.param == "folder":
        yield open_files(Settings(Path(), media=str(tmp_path / "media")))
        return
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "una-clave")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "un-secreto")
    bucket = FakeBucket()
    app = Starlette(routes=[Route("/{key:path}", bucket.answer, methods=["PUT", "GET", "POST"])])
    async with serving(app, 0) as url:
        yield open_files(Settings(Path(), media=f"s3://fotos/tienda?endpoint={url}&region=us-east-1"))
        assert all(key.startswith("fotos/tienda/media_") for key in bucket.objects)


async def test_what_was_put_can_be_got_until_it_is_removed(files: Files) -> None:
    await files.put("media_0a", b"uno")
    await files.put("media_0a", b"uno")
    assert await files.get("media_0a") == b"uno"
    await files.remove("media_0a")
    assert await files.get("media_0a") is None
    await files.remove("media_0a")


async def test_many_are_put_at_once(files: Files) -> None:
    names = [f"media_{number:02x}" for number in range(30)]
    await asyncio.gather(*(files.put(name, name.encode()) for name in names))
    assert [await files.get(name) for name in names] == [name.encode() for name in names]


async def test_a_folder_holds_no_half_written_file(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path / "media")
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "0a").write_text("in the way")
    with pytest.raises(OSError, match="0a"):
        await files.put("media_0a", b"uno")
    assert await FolderFiles(tmp_path / "other").get("media_0a") is None


def test_files_lie_beside_the_database_unless_somebody_says_where(tmp_path: Path) -> None:
    beside = open_files(Settings(Path(), database_url=f"sqlite:///{tmp_path}/hilo.db"))
    assert isinstance(beside, FolderFiles)
    assert beside.folder == tmp_path / "hilo-media"


@pytest.mark.skipif(not NO_BUCKETS, reason="obstore is here")
def test_a_bucket_without_its_extra_says_what_to_install() -> None:
    with pytest.raises(HiloError, match=r"hilo\[s3\]"):
        open_files(Settings(Path(), media="s3://fotos"))


@pytest.mark.skipif(NO_BUCKETS, reason="no obstore")
def test_an_option_that_no_bucket_has_is_a_mistake() -> None:
    with pytest.raises(HiloError, match="no option secret"):
        open_files(Settings(Path(), media="s3://fotos?secret=1"))
