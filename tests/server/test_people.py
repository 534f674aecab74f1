"""People: accounts, cookies, the word against other sites, roles, and a login that is tried too often."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from gateways import Gateway, gateway

from hilo.ids import new_id
from hilo.server.access import COOKIE, CSRF
from hilo.store.people import ATTEMPTS, ATTEMPTS_FROM, NewPerson, Role, add_person
from hilo.store.workspaces import add_workspace
from quick_hash import quick_hash

PASSWORD = "una clave larga"  # noqa: S105 -- of nobody
HASH = quick_hash(PASSWORD)


async def add(
    hilo: Gateway, login: str, role: Role = "operator", *, workspace: str = "main", teams: tuple[str, ...] = ()
) -> str:
    new = NewPerson(login, login.capitalize(), role, HASH, teams)
    return await hilo.hilo.store.run(add_person, workspace, new, by="test", now=hilo.hilo.clock.now())


async def log_in(client: httpx.AsyncClient, login: str, password: str = PASSWORD, **more: str) -> httpx.Response:
    return await client.post("/panel/login", json={"login": login, "password": password, **more})


@asynccontextmanager
async def browser(hilo: Gateway, login: str, **more: str) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody who is logged in."""
    async with hilo.client() as client:
        answer = await log_in(client, login, **more)
        assert answer.status_code == 200, answer.text
        client.headers[CSRF] = answer.json()["csrf"]
        yield client


@pytest.fixture
async def open_edge(database_url: str, agent: Path) -> AsyncIterator[Gateway]:
    """The application alone, on each kind of database."""
    async with gateway(database_url, agent) as opened:
        yield opened


async def test_a_login_gives_a_cookie_that_scripts_and_other_sites_cannot_use(open_edge: Gateway) -> None:
    await add(open_edge, "ana", teams=("ventas",))
    async with open_edge.client() as client:
        assert (await client.get("/panel/me")).status_code == 401
        answer = await log_in(client, " Ana ")
        cookie = answer.headers["set-cookie"].lower()
        assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/"))
        assert "secure" not in cookie
        me = (await client.get("/panel/me")).json()
        assert me == answer.json()
        assert (me["person"]["name"], me["person"]["teams"], me["workspace"]["id"]) == ("Ana", ["ventas"], "main")
        assert (me["person"]["away"], me["person"]["present"]) == (False, True)
        [row] = open_edge.rows("SELECT * FROM person_sessions")
        assert client.cookies[COOKIE] not in str(row)
        [person] = open_edge.rows("SELECT password FROM panel_people")
        assert person["password"].startswith("$argon2id$")


async def test_over_https_the_cookie_is_secure(edge: Gateway) -> None:
    await add(edge, "ana")
    async with edge.client() as client:
        client.base_url = httpx.URL("https://hilo")
        assert "secure" in (await log_in(client, "ana")).headers["set-cookie"].lower()


async def test_a_wrong_password_and_an_unknown_login_read_the_same(edge: Gateway) -> None:
    await add(edge, "ana")
    async with edge.client() as client:
        wrong, unknown = await log_in(client, "ana", "otra"), await log_in(client, "nadie")
        there = await log_in(client, "ana", workspace="otra")
    assert wrong.status_code == unknown.status_code == there.status_code == 401
    assert wrong.json() == unknown.json() == there.json()
    assert wrong.headers["content-type"] == "application/problem+json"


async def test_a_login_that_is_tried_a_thousand_times_is_looked_at_a_few_times(open_edge: Gateway) -> None:
    await add(open_edge, "ana")
    async with open_edge.client() as client:
        answers = await asyncio.gather(*(log_in(client, "ana", f"no {number}") for number in range(100)))
        seen = [each.status_code for each in answers]
        assert (seen.count(401), seen.count(429)) == (ATTEMPTS, 100 - ATTEMPTS)
        refused = await log_in(client, "ana")  # also the right one, for now
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 300


async def test_a_whole_shop_may_log_in_from_one_address(edge: Gateway) -> None:
    await add(edge, "ana")
    async with edge.client() as client:
        answers = [(await log_in(client, "ana")).status_code for _ in range(ATTEMPTS_FROM + 2)]
        assert (await log_in(client, "nadie")).status_code == 401
    assert set(answers) == {200}
    assert edge.rows("SELECT failures FROM login_attempts WHERE key LIKE 'from%'") == [
        {"failures": 1}
    ]  # the one that was wrong


async def test_after_a_while_the_right_password_is_taken_again(edge: Gateway) -> None:
    await add(edge, "ana")
    async with edge.client() as client:
        for _ in range(ATTEMPTS + 1):
            answer = await log_in(client, "ana", "no")
        assert answer.status_code == 429
        before = edge.hilo.clock.now() - timedelta(minutes=6)
        _forget(edge, int(before.timestamp() * 1_000_000))
        assert (await log_in(client, "ana")).status_code == 200
        assert edge.rows("SELECT key FROM login_attempts WHERE key LIKE 'login%'") == []


def _forget(edge: Gateway, at: int) -> None:
    with closing(sqlite3.connect(edge.database_url.removeprefix("sqlite:///"))) as file:
        file.execute("UPDATE login_attempts SET at = ?", (at,))
        file.commit()


async def test_a_request_that_changes_something_needs_the_word_of_the_login(edge: Gateway) -> None:
    await add(edge, "ana")
    async with browser(edge, "ana") as client:
        assert (await client.get("/api/v1/sessions")).status_code == 200
        once = {"idempotency-key": new_id("once")}
        assert (await client.post("/api/v1/sessions/none/close", headers=once)).status_code == 404
        for word in ("", "x", "ñ", "a" * 5000):
            headers: Any = {**once, CSRF: word.encode()}
            for path in ("/api/v1/sessions/none/close", "/panel/logout"):
                assert (await client.post(path, headers=headers)).status_code == 403
        assert (await client.patch("/panel/me", json={"away": True}, headers={CSRF: "no"})).status_code == 403


async def test_a_cookie_that_is_none_is_nobody(edge: Gateway) -> None:
    for cookie in ("x", "a" * 5000, '"'):
        async with edge.client() as client:
            client.cookies.set(COOKIE, cookie)
            assert (await client.get("/api/v1/sessions")).status_code == 401


async def test_who_logs_out_is_out(edge: Gateway) -> None:
    await add(edge, "ana")
    async with browser(edge, "ana") as client:
        token = client.cookies[COOKIE]
        assert (await client.post("/panel/logout")).status_code == 204
        client.cookies.set(COOKIE, token)
        assert (await client.get("/panel/me")).status_code == 401


async def test_roles_open_what_they_are_for(edge: Gateway) -> None:
    for role in ("operator", "author", "owner"):
        await add(edge, role, role)
    may = {}
    for role in ("operator", "author", "owner"):
        async with browser(edge, role) as client:
            once = {"idempotency-key": new_id("once")}
            may[role] = [
                (await client.get("/api/v1/people")).status_code,
                (await client.post("/api/v1/sessions/none/close", headers=once)).status_code,
                (await client.post("/api/v1/people", json={"login": f"de-{role}", "name": role * 2})).status_code,
            ]
    assert may == {"operator": [200, 404, 403], "author": [200, 403, 403], "owner": [200, 404, 201]}


async def test_an_owner_makes_changes_and_ends_accounts(open_edge: Gateway) -> None:
    await add(open_edge, "olga", "owner")
    async with browser(open_edge, "olga") as owner:
        made = (await owner.post("/api/v1/people", json={"login": "luis", "name": "Luis", "teams": ["ventas"]})).json()
        async with open_edge.client() as luis:
            assert (await log_in(luis, "luis", made["password"])).status_code == 200
            person = f"/api/v1/people/{made['id']}"
            changed = await owner.patch(person, json={"role": "author", "teams": ["caja", "ventas"]})
            assert (changed.json()["role"], changed.json()["teams"]) == ("author", ["caja", "ventas"])
            assert (await luis.get("/panel/me")).json()["person"]["role"] == "author"
            assert (await owner.patch(person, json={"removed": True})).status_code == 200
            assert (await luis.get("/panel/me")).status_code == 401
        assert (await owner.patch(person, json={"name": "X"})).status_code == 404
        assert [each["name"] for each in (await owner.get("/api/v1/people")).json()["items"]] == ["Olga"]
    actions = [row["action"] for row in open_edge.rows("SELECT action FROM audit ORDER BY number")]
    assert actions[-3:] == ["person added", "person changed", "person removed"]
    assert made["password"] not in str(open_edge.rows("SELECT * FROM audit"))


async def test_no_two_people_are_called_the_same_and_an_owner_stays(edge: Gateway) -> None:
    olga = await add(edge, "olga", "owner")
    async with browser(edge, "olga") as owner:
        for new in ({"login": "olga", "name": "Otra"}, {"login": "otra", "name": "OLGA"}):
            assert (await owner.post("/api/v1/people", json=new)).status_code == 409
        for wanted in ({"removed": True}, {"role": "operator"}):
            answer = await owner.patch(f"/api/v1/people/{olga}", json=wanted)
            assert (answer.status_code, "last owner" in answer.json()["detail"]) == (409, True)


async def test_people_of_another_workspace_are_not_there(edge: Gateway) -> None:
    await edge.hilo.store.run(add_workspace, "otra", name="Otra", now=edge.hilo.clock.now())
    await add(edge, "olga", "owner")
    theirs = await add(edge, "olga", "owner", workspace="otra")
    async with browser(edge, "olga") as owner:
        assert (await owner.patch(f"/api/v1/people/{theirs}", json={"away": True})).status_code == 404
        assert len((await owner.get("/api/v1/people")).json()["items"]) == 1
    async with browser(edge, "olga", workspace="otra") as other:
        assert (await other.get("/panel/me")).json()["workspace"] == {"id": "otra", "name": "Otra"}


async def test_people_change_their_own_password_with_the_old_one(edge: Gateway) -> None:
    await add(edge, "ana")
    async with browser(edge, "ana") as here, browser(edge, "ana") as there:
        wrong = await here.patch("/panel/me", json={"password": "otra clave larga", "old_password": "no"})
        assert wrong.status_code == 403
        assert (await here.patch("/panel/me", json={"away": True})).json()["person"]["away"] is True
        right = await here.patch("/panel/me", json={"password": "otra clave larga", "old_password": PASSWORD})
        assert right.status_code == 200
        assert (await here.get("/panel/me")).status_code == 200
        assert (await there.get("/panel/me")).status_code == 401
    async with edge.client() as client:
        assert (await log_in(client, "ana")).status_code == 401
        assert (await log_in(client, "ana", "otra clave larga")).status_code == 200


async def test_every_address_of_the_panel_is_the_same_page_with_a_strict_policy(edge: Gateway) -> None:
    async with edge.client() as client:
        for path in ("/panel", "/panel/", "/panel/inbox/session_1", "/panel/x/../y"):
            page = await client.get(path)
            assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
            policy = page.headers["content-security-policy"]
            assert "script-src 'self';" in policy
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
        assert "$version" not in page.text
        for path in ("/static/x/panel/none.js", "/static/x/panel/panel.html", "/static/x/webchat/pages.py"):
            assert (await client.get(path)).status_code == 404
