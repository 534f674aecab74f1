"""Channels that are added while a process runs, and credentials that nobody can read without the key."""

import base64
import secrets as random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, gateway

from hilo.app.channels import ChannelBook, make_channel, new_row
from hilo.app.kinds import KINDS, filled
from hilo.app.secrets import Secrets
from hilo.channels.telegram import Telegram
from hilo.errors import HiloError
from hilo.store.opening import open_store
from hilo.store.registry import published
from hilo.store.workspaces import add_channel, add_workspace, channels, remove_channel
from hilo.testing.clock import START, FakeClock

KEY = base64.b64encode(b"k" * 32).decode()
TOKEN = "123456:un-token-muy-secreto-de-telegram"  # noqa: S105 -- invented
PLACE = {"id": "tg", "workspace": "main", "agent": "eco"}
SETTINGS = {"bot_token": TOKEN, "secret_token": "abc", "base_url": "http://127.0.0.1:9"}


def row(secrets: Secrets, **changes: str) -> Any:
    return new_row("telegram", PLACE, {**SETTINGS, **changes}, secrets)


@pytest.fixture
async def book(sqlite_url: str) -> Any:
    store, clock = await open_store(sqlite_url), FakeClock()
    await store.run(add_workspace, "main", name="main", now=START)
    yield ChannelBook(store, clock, Secrets(KEY))
    await store.close()


def pass_time(book: ChannelBook) -> None:
    assert isinstance(book.clock, FakeClock)
    book.clock.advance(timedelta(seconds=2))


async def test_a_channel_that_is_added_is_found_without_a_restart(book: ChannelBook) -> None:
    assert await book.find("tg") is None
    await book.store.run(add_channel, row(book.secrets), now=START)
    assert await book.find("tg") is None
    pass_time(book)
    found = await book.find("tg")
    assert isinstance(found, Telegram)
    assert await book.is_kind("tg", "telegram")
    assert not await book.is_kind("tg", "infobip")
    assert await book.find("tg") is found


async def test_new_credentials_make_a_new_channel(book: ChannelBook) -> None:
    await book.store.run(add_channel, row(book.secrets), now=START)
    before = await book.find("tg")
    await book.store.run(add_channel, row(book.secrets, secret_token="otro"), now=START)  # noqa: S106
    pass_time(book)
    assert await book.find("tg") is not before


async def test_a_channel_that_is_removed_is_gone_with_its_credentials(book: ChannelBook) -> None:
    await book.store.run(add_channel, row(book.secrets), now=START)
    assert await book.find("tg") is not None
    assert await book.store.run(remove_channel, "main", "tg", now=START)
    pass_time(book)
    assert await book.find("tg") is None
    assert await book.store.run(channels) == ()
    assert not await book.store.run(remove_channel, "main", "tg", now=START)


async def test_a_channel_of_another_workspace_cannot_be_removed_or_taken(book: ChannelBook) -> None:
    await book.store.run(add_channel, row(book.secrets), now=START)
    assert not await book.store.run(remove_channel, "otra", "tg", now=START)
    stolen = new_row("telegram", {**PLACE, "workspace": "otra"}, SETTINGS, book.secrets)
    with pytest.raises(HiloError, match="already there"):
        await book.store.run(add_channel, stolen, now=START)


async def test_guessing_ids_asks_the_database_once(book: ChannelBook, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    run = book.store.run

    async def count(*values: Any, **named: Any) -> Any:
        nonlocal asked
        asked += 1
        return await run(*values, **named)

    monkeypatch.setattr(book.store, "run", count)
    for number in range(100):
        assert await book.find(f"guess{number}") is None
    assert asked == 1


async def test_credentials_cannot_be_read_in_the_database(book: ChannelBook, sqlite_url: str) -> None:
    await book.store.run(add_channel, row(book.secrets), now=START)
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    stored = b"".join(each.read_bytes() for each in file.parent.glob("hilo.db*"))
    assert b"telegram" in stored
    assert TOKEN.encode() not in stored
    assert TOKEN.partition(":")[2].encode() not in stored


async def test_credentials_are_in_no_repr_and_no_error(book: ChannelBook) -> None:
    made = row(book.secrets)
    channel = make_channel(made, book.secrets, FakeClock())
    for thing in (made, channel, book.secrets, book, Secrets(KEY)):
        assert TOKEN not in repr(thing)
        assert KEY not in repr(thing)
        assert made.settings not in repr(made)
    with pytest.raises(HiloError) as refused:
        row(book.secrets, bot_token="not a token but still secret")  # noqa: S106
    assert "still secret" not in str(refused.value)


async def test_without_the_key_a_process_does_not_start(book: ChannelBook, agent: Path, sqlite_url: str) -> None:
    await book.store.run(add_channel, row(book.secrets), now=START)
    async with gateway(sqlite_url, agent) as hilo:
        with pytest.raises(HiloError, match="openssl rand -base64 32"):
            await hilo.hilo.channels.check()


async def test_a_webhook_whose_credentials_cannot_be_opened_is_asked_to_come_again(edge: Gateway) -> None:
    await edge.hilo.store.run(add_channel, row(Secrets(KEY)), now=START)
    async with edge.client() as client:
        answer = await client.post("/webhooks/telegram/tg", content=b"{}")
    assert (answer.status_code, "HILO" in answer.text) == (503, False)


def test_a_key_can_be_replaced_while_both_are_given() -> None:
    old, new = (base64.b64encode(random.token_bytes(32)).decode() for _ in range(2))
    sealed = Secrets(old).seal({"a": "b"})
    resealed = Secrets(f"{new}, {old}").reseal(sealed)
    assert Secrets(new).open(resealed) == {"a": "b"}
    for wrong in (Secrets(new).open, lambda text: Secrets(old).open(resealed + text[:0])):
        with pytest.raises(HiloError, match="is not the key"):
            wrong(sealed)


@pytest.mark.parametrize("key", ["corta", "ñ" * 32, "=" * 44, KEY[:-4]])
def test_a_key_that_is_none_says_how_to_make_one(key: str) -> None:
    with pytest.raises(HiloError, match="openssl") as refused:
        Secrets(key).seal({})
    assert key not in str(refused.value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_what_it_needs(kind: str) -> None:
    values, missing = filled(kind, {})
    assert not {each.name for each in missing} & values.keys()
    assert all(each.help for each in KINDS[kind].fields)
    with pytest.raises(HiloError, match="has no colour"):
        filled(kind, {"colour": "red"})


def test_secrets_of_ours_are_made_anew_each_time() -> None:
    first, second = (filled("telegram", {"bot_token": TOKEN})[0]["secret_token"] for _ in range(2))
    assert first != second


@pytest.mark.parametrize("kind", ["infobip", "whatsapp"])
def test_whatsapp_has_a_window_of_a_day(kind: str) -> None:
    assert KINDS[kind].window_hours == 24


async def test_an_agent_is_published_in_every_workspace_that_has_a_channel(sqlite_url: str, agent: Path) -> None:
    async with gateway(sqlite_url, agent) as hilo:
        store, version = hilo.hilo.store, hilo.hilo.agents.loaded["eco"].agent.version
        await store.run(add_workspace, "otra", name="otra", now=START)
        other = new_row("telegram", {**PLACE, "workspace": "otra"}, SETTINGS, Secrets(KEY))
        await store.run(add_channel, other, now=START)
        assert await hilo.hilo.channels.is_kind("tg", "telegram")
        assert await store.run(published, "otra", "eco", version) is not None
