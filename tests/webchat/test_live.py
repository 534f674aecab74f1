"""News by WebSocket and as server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from secrets import token_hex
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from hilo.channels.webchat import MAX_TABS
from hilo.messages import Address
from hilo.server.webchat.visits import visitor_of
from hilo.server.webchat.watch import SETTLED, ChatLooks
from hilo.store.chat import ChatChange
from patience import PATIENCE
from webchat.gateway import ANA, LUIS, PAGE, Gateway, until

SOON = PATIENCE


@asynccontextmanager
async def socket(door: Gateway, token: str = ANA, after: str = "0.0") -> AsyncIterator[ClientConnection]:
    async with connect(door.socket_url, open_timeout=PATIENCE) as opened:
        await opened.send(json.dumps({"visitor": token, "after": after}))
        yield opened


async def hear(opened: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(SOON):
        heard: dict[str, Any] = json.loads(await opened.recv())
        return heard


async def hear_texts(opened: ClientConnection) -> list[str]:
    return [message["text"] for message in (await hear(opened))["messages"]]


async def closed_with(opened: ClientConnection) -> int:
    """The code, after whatever was said before."""
    async with asyncio.timeout(SOON):
        await opened.wait_closed()
    assert opened.close_code is not None
    return opened.close_code


async def test_a_socket_tells_what_is_new_at_once(any_door: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hilo.server.webchat.watch.LOOK", 2 * SOON)  # so that only the bell can tell it
    async with socket(any_door) as opened:
        assert await hear_texts(opened) == []
        await any_door.write("hola", "id-number-1")
        assert await hear_texts(opened) == ["hola"]
        await any_door.answer("¡Hola!")
        assert await hear_texts(opened) == ["¡Hola!"]


async def test_what_another_process_sent_is_found_soon(door: Gateway) -> None:
    async with socket(door) as opened:
        await hear(opened)
        await door.write("hola", "id-number-1")
        await hear(opened)
        await door.answer("de lejos", rings=False)
        assert await hear_texts(opened) == ["de lejos"]


async def test_nothing_is_told_twice_over_one_socket(door: Gateway) -> None:
    async with socket(door) as opened:
        await hear(opened)
        await door.write("hola", "id-number-0")
        for number in range(5):
            await door.answer(f"mensaje {number}")
        seen: list[str] = []
        while len(seen) < 6:
            seen += await hear_texts(opened)
        assert seen == ["hola", *(f"mensaje {number}" for number in range(5))]


async def test_a_socket_goes_on_where_the_page_stopped(door: Gateway) -> None:
    await door.write("uno", "id-number-1")
    after = (await door.get("messages")).json()["after"]
    await door.write("dos", "id-number-2")
    async with socket(door, after=after) as opened:
        assert await hear_texts(opened) == ["dos"]


async def test_a_visitor_hears_only_what_is_theirs(door: Gateway) -> None:
    async with socket(door, LUIS) as opened:
        await hear(opened)
        await door.write("soy Ana", "id-number-1", ANA)
        await door.answer("hola Ana", token=ANA)
        await door.write("soy Luis", "id-number-1", LUIS)
        assert await hear_texts(opened) == ["soy Luis"]


async def test_typing_is_told_to_every_tab(door: Gateway) -> None:
    async with socket(door) as one, socket(door) as other:
        await hear(one)
        await hear(other)
        visitor = visitor_of(ANA)
        assert visitor is not None
        await door.chat.typing(Address(PAGE, visitor), answering="")
        assert await hear(one) == await hear(other) == {"typing": True}


async def test_events_tell_the_same_as_a_socket(any_door: Gateway) -> None:
    headers = {"X-Visitor": ANA}
    async with any_door.http.stream("GET", f"/chat/{PAGE}/events?after=0.0", headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.aiter_lines()
        async with asyncio.timeout(SOON):
            assert json.loads((await anext(lines)).removeprefix("data: "))["messages"] == []
            await any_door.write("hola", "id-number-1")
            heard = [line async for line in _until(lines, "hola")]
    assert json.loads(heard[-1].removeprefix("data: "))["messages"][0]["text"] == "hola"
    await until(lambda: not any_door.chat.listeners)


async def _until(lines: AsyncIterator[str], word: str) -> AsyncIterator[str]:
    async for line in lines:
        yield line
        if word in line:
            return


# --- limits -------------------------------------------------------------------------------------------

BAD: dict[str, tuple[str | bytes, int]] = {
    "no JSON": ("{", 4400),
    "a list": ("[]", 4400),
    "deep": ("[" * 900, 4400),
    "no visitor": ('{"after":"0.0"}', 4400),
    "a short secret": ('{"visitor":"short","after":"0.0"}', 4400),
    "no cursor": (json.dumps({"visitor": ANA}), 4400),
    "bytes": (b"\xff\x00", 4400),
    "too large": ("x" * 2000, 1009),
}


async def test_a_malformed_first_message_closes_the_socket(door: Gateway) -> None:
    for name, (first, code) in BAD.items():
        async with connect(door.socket_url, open_timeout=PATIENCE) as opened:
            await opened.send(first)
            assert await closed_with(opened) == code, name
    assert not door.chat.listeners


async def test_a_socket_that_goes_on_talking_is_closed(door: Gateway) -> None:
    async with socket(door) as opened:
        await hear(opened)
        await opened.send("{}")
        assert await closed_with(opened) == 4400


async def test_a_socket_that_says_nothing_is_closed(door: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hilo.server.webchat.live.HELLO", 0.1)
    async with connect(door.socket_url, open_timeout=PATIENCE) as opened:
        assert await closed_with(opened) == 4408


async def test_an_unknown_page_has_no_socket(door: Gateway) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(door.socket_url.replace(PAGE, "none"), open_timeout=PATIENCE)
    assert refused.value.response.status_code == 404


async def test_the_number_of_open_tabs_is_bounded(door: Gateway) -> None:
    opened = [await connect(door.socket_url, open_timeout=PATIENCE) for _ in range(MAX_TABS)]
    for each in opened:
        await each.send(json.dumps({"visitor": ANA, "after": "0.0"}))
        await hear(each)
    async with socket(door) as refused:
        assert await closed_with(refused) == 1013
    assert (await door.get("events?after=0.0")).status_code == 429
    async with socket(door, LUIS) as another:
        assert await hear_texts(another) == []
    for each in opened:
        await each.close()
    await until(lambda: not door.chat.listeners)


async def test_a_silent_connection_is_kept_awake(door: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hilo.server.webchat.live.PING", 0.1)
    async with socket(door) as opened:
        await hear(opened)
        assert await hear_texts(opened) == []


async def test_a_tab_that_takes_nothing_is_let_go(door: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hilo.server.webchat.live.SLOW", 0.2)
    monkeypatch.setattr("hilo.server.webchat.live.CLOSING", 0.1)
    await door.write("hola", "id-number-1")
    visitor = visitor_of(ANA)
    assert visitor is not None
    async with socket(door) as opened:
        await hear(opened)
        opened.transport.pause_reading()
        await door.answer(*(token_hex(200_000) for _ in range(40)))  # nothing to compress
        for _ in range(20):
            await door.chat.typing(Address(PAGE, visitor), answering="")
            await asyncio.sleep(0.05)
        await until(lambda: not door.chat.listeners)
        opened.transport.abort()


async def test_many_idle_tabs_cost_one_look_a_second(door: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, run = list[str](), type(door.store).run

    async def counted(store: Any, script: Any, *values: Any, **named: Any) -> Any:
        runs.append(script.__name__)
        return await run(store, script, *values, **named)

    async with AsyncExitStack() as tabs:
        opened = [await tabs.enter_async_context(socket(door, token_hex(16))) for _ in range(50)]
        for each in opened:
            await hear(each)
        monkeypatch.setattr(type(door.store), "run", counted)
        await asyncio.sleep(2.5)
    assert runs.count("chat_news") == 0
    assert 1 <= runs.count("chat_changes") <= 3


async def test_nobody_looks_when_the_last_tab_is_gone(door: Gateway) -> None:
    async with socket(door) as one:
        await hear(one)
        assert [task for task in asyncio.all_tasks() if "ChatWatch" in repr(task)]
    await until(lambda: not [task for task in asyncio.all_tasks() if "ChatWatch" in repr(task)])


def test_what_becomes_visible_late_is_told_though_later_numbers_were_seen() -> None:
    looks = ChatLooks((0, 0))
    assert looks.new((ChatChange(7, heard=False, visitor="luis"),)) == ("luis",)
    late = ChatChange(6, heard=False, visitor="ana")  # its number was given first, its transaction ended later
    assert looks.new((late, ChatChange(7, heard=False, visitor="luis"))) == ("ana",)
    for _ in range(SETTLED):
        assert looks.after[1] <= 7
        looks.new(())
    assert looks.after == (0, 7)
