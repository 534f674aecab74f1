"""The media worker: what it keeps, what it tries again, what it gives up, and what dies with it."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from hilo.app.installation import WORKSPACE
from hilo.channels.channel import CredentialsRefused, Rejected, TryLater
from hilo.channels.fetching import Fetched, NotFetched
from hilo.messages import Address, Attachment, Inbound
from hilo.store.media import Media, find_media
from hilo.store.work import clear_owner
from hilo.store.workspaces import ChannelRow
from hilo.testing.world import CHANNEL, RecordingChannel, World, open_world
from hilo.tools.database import Script, execute

PNG = Fetched(b"\x89PNG\r\n\x1a\n....", "image/png")
AGENT = """
agent: eco
language: es
slots: {word: {type: text, ask: "¿Qué anoto?"}}
flows: {note: {starts: always, steps: [{collect: word}, {say: "Anotado: {word}"}]}}
"""


@dataclass
class FileChannel(RecordingChannel):
    """A channel that gives out files as it is told."""

    given: Callable[[str], Fetched | NotFetched] = lambda _source: PNG
    asked: list[str] = field(default_factory=list)

    async def fetch(self, source: str, *, at_most: int) -> Fetched | NotFetched:
        del at_most
        self.asked.append(source)
        return self.given(source)


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    (tmp_path / "eco.yaml").write_text(AGENT)
    async with open_world(database_url, tmp_path / "eco.yaml", media=str(tmp_path / "media")) as opened:
        opened.channel = FileChannel()
        await opened.hilo.add_channel(ChannelRow(CHANNEL, WORKSPACE, "test", "eco"), opened.channel)
        yield opened


def channel_of(world: World) -> FileChannel:
    assert isinstance(world.channel, FileChannel)
    return world.channel


async def sends(world: World, *sources: str, message_id: str = "m1") -> None:
    files = tuple(Attachment("image", source) for source in sources)
    message = Inbound(message_id, Address(CHANNEL, "ana"), "", world.clock.now(), attachments=files)
    await world.hilo.intake.messages(CHANNEL, [message])


def _ids() -> Script[list[str]]:
    rows = yield from execute("old_media", before=1 << 62, at_most=100)
    return [row["id"] for row in rows]


async def kept(world: World) -> list[Media]:
    ids = await world.hilo.store.run(_ids)
    return list((await world.hilo.store.run(find_media, WORKSPACE, ids)).values())


async def test_every_file_of_a_message_is_fetched_once(world: World) -> None:
    await sends(world, "uno", "dos")
    await sends(world, "uno", "dos")
    await world.settle()
    assert sorted(channel_of(world).asked) == ["dos", "uno"]
    assert [each.status for each in await kept(world)] == ["kept", "kept"]


@pytest.mark.parametrize("trouble", [TryLater("503", away=True), CredentialsRefused("401")])
async def test_a_file_is_asked_for_again_until_the_provider_has_an_ear(
    world: World, trouble: TryLater | CredentialsRefused
) -> None:
    channel_of(world).given = lambda _source: trouble
    await sends(world, "uno")
    await world.wait(timedelta(minutes=10))
    asked = len(channel_of(world).asked)
    assert 5 <= asked <= 12, "pauses grow"
    channel_of(world).given = lambda _source: PNG
    await world.wait(timedelta(minutes=20))
    assert [each.status for each in await kept(world)] == ["kept"]


async def test_what_nobody_gives_out_for_three_days_is_lost_and_says_why(world: World) -> None:
    channel_of(world).given = lambda _source: TryLater("503")
    await sends(world, "uno")
    await world.wait(timedelta(days=4))
    [lost] = await kept(world)
    assert (lost.status, lost.reason) == ("lost", "503")


async def test_one_file_that_is_away_does_not_hold_up_the_next(world: World) -> None:
    channel_of(world).given = lambda source: TryLater("503") if source == "uno" else PNG
    await sends(world, "uno", "dos")
    await world.settle()
    assert sorted(each.status for each in await kept(world)) == ["kept", "waiting"]


async def test_a_refused_file_is_not_asked_for_again(world: World) -> None:
    channel_of(world).given = lambda _source: Rejected("too large")
    await sends(world, "uno")
    await world.wait(timedelta(hours=1))
    assert channel_of(world).asked == ["uno"]
    assert [(each.status, each.reason) for each in await kept(world)] == [("refused", "too large")]


async def test_a_disk_that_takes_nothing_now_gets_the_file_later(world: World, tmp_path: Path) -> None:
    (tmp_path / "media").write_text("in the way")
    await sends(world, "uno")
    await world.settle()
    assert [each.status for each in await kept(world)] == ["waiting"]
    (tmp_path / "media").unlink()
    await world.wait(timedelta(minutes=1))
    [media] = await kept(world)
    assert media.status == "kept"
    assert await world.hilo.files.get(media.id) == PNG.content


async def test_a_file_whose_fetcher_was_killed_is_fetched_by_another(world: World) -> None:
    class Killed(BaseException):
        """As if the process were gone: nothing of ours runs any more."""

    def die(_source: str) -> Fetched:
        raise Killed

    channel_of(world).given = die
    await sends(world, "uno")
    with pytest.raises(Killed):
        await world.settle()
    channel_of(world).given = lambda _source: PNG
    await world.hilo.store.run(clear_owner, world.hilo.runtime.media.owner)
    other = replace(world.hilo.runtime.media, owner="another")
    world.hilo.runtime.media = other
    await world.settle()
    assert [each.status for each in await kept(world)] == ["kept"]


async def test_files_are_let_go_after_their_time_with_their_bytes(world: World) -> None:
    await sends(world, "uno")
    await world.settle()
    [media] = await kept(world)
    await world.hilo.runtime.media.forget(world.clock.now() - timedelta(days=1))
    assert await kept(world) == [media]
    await world.hilo.runtime.media.forget(world.clock.now() + timedelta(seconds=1))
    assert await kept(world) == []
    assert await world.hilo.files.get(media.id) is None
