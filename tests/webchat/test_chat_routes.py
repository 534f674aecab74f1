"""What a browser asks for, on both databases: cursors, pages, limits and bad input."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hilo.channels.webchat import WebChat
from hilo.messages import Button
from hilo.server.statics import statics
from hilo.server.webchat.pages import LANGUAGES, WORDS, language
from hilo.server.webchat.visits import FROM_ADDRESS, FROM_ALL, MESSAGES, WITHIN, Pace, read_cursor, visitor_of
from hilo.store.chat import ChatVisit
from hilo.store.store import Store
from webchat.gateway import ANA, LUIS, PAGE, Gateway, gateway, texts

NOW = datetime(2026, 3, 2, 15, tzinfo=UTC)


async def test_what_was_said_and_heard_comes_back_in_order(any_door: Gateway) -> None:
    assert await any_door.write("hola", "id-number-1") == 202
    await any_door.answer("¡Hola!", buttons=(Button("yes", "Sí"),))
    assert await any_door.write("Sí", "id-number-2", payload="yes") == 202
    messages = (await any_door.get("messages")).json()["messages"]
    assert [(each["by"], each["text"]) for each in messages] == [
        ("contact", "hola"),
        ("agent", "¡Hola!"),
        ("contact", "Sí"),
    ]
    assert messages[0]["id"] == "id-number-1"
    assert messages[1]["buttons"] == [{"payload": "yes", "title": "Sí"}]
    assert messages[2]["payload"] == "yes"


async def test_a_repeated_message_is_there_once(any_door: Gateway) -> None:
    for _ in range(3):
        assert await any_door.write("hola", "id-number-1") == 202
    assert texts(await any_door.get("messages")) == ["hola"]


async def test_a_visitor_never_sees_what_another_one_said(any_door: Gateway) -> None:
    await any_door.write("soy Ana", "same-id-1", ANA)
    await any_door.write("soy Luis", "same-id-1", LUIS)
    await any_door.answer("hola Ana", token=ANA)
    assert texts(await any_door.get("messages", ANA)) == ["soy Ana", "hola Ana"]
    assert texts(await any_door.get("messages?after=0.0", LUIS)) == ["soy Luis"]
    assert texts(await any_door.get("messages?before=999999.999999", LUIS)) == ["soy Luis"]


async def test_the_same_browser_is_another_visitor_on_another_page(any_door: Gateway) -> None:
    await any_door.open_page("web-other", WebChat())
    await any_door.write("hola", "id-number-1")
    assert texts(await any_door.get("messages", channel="web-other")) == []


async def test_what_is_not_sent_yet_is_not_seen(any_door: Gateway) -> None:
    await any_door.write("hola", "id-number-1")
    await any_door.hold("secreto")
    assert texts(await any_door.get("messages")) == ["hola"]
    assert texts(await any_door.get("messages?after=0.0")) == ["hola"]


async def test_news_begin_where_the_history_ended(any_door: Gateway) -> None:
    await any_door.write("uno", "id-number-1")
    after = (await any_door.get("messages")).json()["after"]
    assert texts(await any_door.get(f"messages?after={after}")) == []
    await any_door.write("dos", "id-number-2")
    await any_door.answer("tres")
    assert texts(await any_door.get(f"messages?after={after}")) == ["dos", "tres"]


async def test_history_comes_in_pages_and_nothing_is_left_out(any_door: Gateway) -> None:
    await any_door.write("primero", "id-number-0")
    await any_door.answer(*(f"mensaje {number}" for number in range(119)))
    seen: list[str] = []
    page: dict[str, Any] = (await any_door.get("messages")).json()
    while True:
        assert len(page["messages"]) <= 50
        seen[:0] = [message["text"] for message in page["messages"]]
        if page["earlier"] is None:
            break
        page = (await any_door.get(f"messages?before={page['earlier']}")).json()
    assert seen == ["primero", *(f"mensaje {number}" for number in range(119))]


# --- limits -------------------------------------------------------------------------------------------


async def test_a_text_of_4000_characters_is_taken_and_a_longer_one_is_not(door: Gateway) -> None:
    assert await door.write("😀" * 4000, "id-number-1") == 202
    assert await door.write("a" * 4001, "id-number-2") == 413
    assert await door.write("a" * 100_000, "id-number-3") == 413
    assert len(texts(await door.get("messages"))) == 1


async def test_who_writes_too_fast_is_asked_to_wait(door: Gateway) -> None:
    statuses = [await door.write("hola", f"id-number-{number}") for number in range(MESSAGES + 1)]
    assert statuses == [202] * MESSAGES + [429]
    assert await door.write("hola", "id-number-1", LUIS) == 202


def test_the_pace_is_forgotten_after_a_while() -> None:
    pace, ana = Pace(), ChatVisit(PAGE, "ana")
    assert all(pace.allows(ana, "::1", now=NOW) for _ in range(MESSAGES))
    assert not pace.allows(ana, "::1", now=NOW + WITHIN - timedelta(seconds=1))
    assert pace.allows(ana, "::1", now=NOW + WITHIN)


def test_a_flood_of_visitors_from_one_address_stops_only_that_address() -> None:
    pace = Pace()
    let_in = [pace.allows(ChatVisit(PAGE, str(number)), "10.0.0.1", now=NOW) for number in range(FROM_ADDRESS + 50)]
    assert let_in == [True] * FROM_ADDRESS + [False] * 50
    assert pace.allows(ChatVisit(PAGE, "ana"), "10.0.0.2", now=NOW)


def test_a_flood_from_many_addresses_has_a_limit_as_well() -> None:
    pace = Pace()
    let_in = [pace.allows(ChatVisit(PAGE, str(number)), str(number), now=NOW) for number in range(FROM_ALL + 1)]
    assert let_in == [True] * FROM_ALL + [False]
    assert pace.allows(ChatVisit(PAGE, "ana"), "ana", now=NOW + WITHIN)


def test_the_memory_of_the_pace_is_bounded() -> None:
    pace = Pace()
    for number in range(25_000):
        pace.allows(ChatVisit(PAGE, str(number)), str(number), now=NOW + number * timedelta(seconds=1))
    assert len(pace.written) <= 10_000


TOKENS = ["", "short", "a" * 21, "a" * 129, "a" * 21 + "ñ", "' OR 1=1 --" * 3]


async def test_a_visitor_must_have_a_long_secret(door: Gateway) -> None:
    for token in TOKENS:
        header = {b"X-Visitor": token.encode()}
        body = {"id": "id-number-1", "text": "hola"}
        for answer in (
            await door.http.get(f"/chat/{PAGE}/messages", headers=header),
            await door.http.get(f"/chat/{PAGE}/events", headers=header),
            await door.http.post(f"/chat/{PAGE}/messages", headers=header, json=body),
        ):
            assert answer.status_code == 401, token


async def test_an_unknown_page_is_not_found(door: Gateway) -> None:
    for channel in ("none", "web-", "..%2f..%2fetc", "web-shop%00", "a" * 3000):
        for what in ("", "/messages", "/events"):
            answer = await door.http.get(f"/chat/{channel}{what}", headers={"X-Visitor": ANA})
            assert answer.status_code == 404, (channel, what)
        answer = await door.http.post(f"/chat/{channel}/messages", headers={"X-Visitor": ANA}, json={})
        assert answer.status_code == 404, channel


BAD = {
    "empty": b"",
    "no JSON": b"{",
    "not UTF-8": b'{"id":"id-number-1","text":"\xff"}',
    "a list": b"[]",
    "NaN": b"NaN",
    "deep": b"[" * 30_000,
    "a number too large": b'{"id": 1' + b"0" * 5000 + b"}",
    "no id": b'{"text":"hola"}',
    "an odd id": b'{"id":"../../etc/passwd","text":"hola"}',
    "a short id": b'{"id":"1","text":"hola"}',
    "no text": b'{"id":"id-number-1"}',
    "blank": b'{"id":"id-number-1","text":" \\n\\t "}',
    "a text that is none": b'{"id":"id-number-1","text":{"a":1}}',
    "only what no database keeps": b'{"id":"id-number-1","text":"\\u0000\\ud800"}',
}


async def test_a_malformed_message_is_refused(door: Gateway) -> None:
    for name, body in BAD.items():
        answer = await door.http.post(f"/chat/{PAGE}/messages", headers={"X-Visitor": ANA}, content=body)
        assert answer.status_code in {400, 422}, name
    assert texts(await door.get("messages")) == []


async def test_a_text_with_odd_characters_does_no_harm(any_door: Gateway) -> None:
    body = b'{"id":"id-number-1","text":"a\\u0000b\\ud800c <script>"}'
    answer = await any_door.http.post(f"/chat/{PAGE}/messages", headers={"X-Visitor": ANA}, content=body)
    assert answer.status_code == 202
    assert texts(await any_door.get("messages")) == ["abc <script>"]


async def test_a_cursor_that_is_none_is_refused(door: Gateway) -> None:
    for cursor in ("", "1", "1.2.3", "-1.0", "a.b", "1.9999999999999999999", "1.2;DROP"):
        for where in ("messages?after=", "messages?before=", "events?after="):
            assert (await door.get(where + cursor)).status_code == 422, where + cursor


def test_a_cursor_reads_ascii_digits_only() -> None:
    assert read_cursor("١.٢") is None


def test_the_address_of_a_visitor_does_not_tell_the_secret() -> None:
    assert visitor_of(ANA) not in {None, ANA}
    assert ANA not in str(visitor_of(ANA))


# --- pages --------------------------------------------------------------------------------------------


async def test_nothing_is_listed_unless_that_was_switched_on(door: Gateway) -> None:
    answer = await door.http.get("/")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert PAGE not in answer.text
    assert PAGE not in (await door.http.get("/chat/none")).text


async def test_the_only_page_is_the_first_one(sqlite_store: Store) -> None:
    async with gateway(sqlite_store, lists_chats=True) as door:
        answer = await door.http.get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, f"chat/{PAGE}")


async def test_several_pages_are_listed(sqlite_store: Store) -> None:
    async with gateway(sqlite_store, lists_chats=True) as door:
        await door.open_page("web-b", WebChat(title="<b>Viajes</b>"))
        answer = await door.http.get("/", headers={"Accept-Language": "en-GB,en;q=0.9,es;q=0.5"})
    assert "Who would you like to talk to?" in answer.text
    assert "&lt;b&gt;Viajes&lt;/b&gt;" in answer.text
    assert answer.headers["x-frame-options"] == "DENY"


async def test_a_chat_may_be_framed_and_runs_no_foreign_script(door: Gateway) -> None:
    policy = (await door.http.get(f"/chat/{PAGE}")).headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "unsafe" not in policy
    assert "script-src 'self';" in policy


async def test_files_are_kept_for_ever_under_a_name_that_changes_with_them(door: Gateway) -> None:
    page = (await door.http.get(f"/chat/{PAGE}")).text
    address = page.split('src="..', 1)[1].split('"', 1)[0]
    assert "immutable" in (await door.http.get(address)).headers["cache-control"]
    assert (await door.http.get("/static/old/chat.js")).headers["cache-control"] == "no-cache"


async def test_only_scripts_and_styles_are_given_away(door: Gateway) -> None:
    for name in ("chat.html", "none.js", "..%2fapp.py", "__init__.py"):
        assert (await door.http.get(f"/static/x/{name}")).status_code == 404, name


WISHES = [
    (("", "es-CO", "en"), "es"),
    (("en", "es"), "en"),
    (("", "", "fr-CA, en;q=0.8, es;q=0.7"), "en"),
    (("", "", ""), "es"),
    (("xx", "", "fr"), "es"),
    (("", "pt-BR", "es"), "pt"),
]


def test_the_page_has_every_text_in_every_language() -> None:
    blocks = re.findall(r"^  (\w\w): \{\n(.*?)^  \},", statics()["texts.js"].decode(), re.MULTILINE | re.DOTALL)
    names = {language: re.findall(r"^    (\w+):", block, re.MULTILINE) for language, block in blocks}
    assert tuple(names) == LANGUAGES == tuple(WORDS)
    assert all(each == names["es"] for each in names.values())


@pytest.mark.parametrize(("wishes", "granted"), WISHES)
def test_the_language_is_the_first_that_can_be_had(wishes: tuple[str, ...], granted: str) -> None:
    assert language(*wishes) == granted
