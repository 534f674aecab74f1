"""What authors and owners look at over the API: versions, replays, the audit, keys, channels; and teams."""

from base64 import b64encode
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
from test_handoffs_api import Desk, open_desk
from test_panel_api import act, desk, holds, light, mesa, person  # noqa: F401 -- fixtures
from test_people import add, browser

from hilo.app.channels import new_row
from hilo.app.secrets import Secrets
from hilo.messages import Address, Inbound
from hilo.store.registry import Version, publish_by, published
from hilo.store.workspaces import add_channel, add_workspace
from hilo.testing.providers import FakeTelegram


async def owner(desk: Desk, stack: AsyncExitStack) -> httpx.AsyncClient:  # noqa: F811 -- a fixture's value
    await add(desk.served, "olga", "owner")
    client = await stack.enter_async_context(browser(desk.served, "olga"))
    client.base_url = httpx.URL("http://hilo/api/v1")
    return client


async def test_versions_are_listed_compared_and_put_in_force_again(desk: Desk) -> None:  # noqa: F811
    await desk.write("hola", "soy Ana Pérez")
    session = (await desk.session())["id"]
    [first] = (await desk.get("/agents/mesa/versions"))["items"]
    assert (first["in_force"], first["open_sessions"]) == (True, 1)
    assert (await desk.get(f"/sessions/{session}/replay"))["broken"] == []
    hilo = desk.served.hilo
    kept = await hilo.store.run(published, "main", "mesa", first["version"])
    assert kept is not None
    edited = Version("mesa", "edited", kept.source.replace("¿Cómo te llamas?", "¿Tu nombre?"), kept.offers)
    await hilo.store.run(publish_by, "main", edited, actor="Ana", now=hilo.clock.now())
    newest, oldest = (await desk.get("/agents/mesa/versions"))["items"]
    assert (newest["version"], newest["in_force"], newest["by"], oldest["in_force"]) == ("edited", True, "Ana", False)
    found = await desk.get("/agents/mesa/difference")
    assert (found["before"], found["after"]) == (first["version"], "edited")
    assert [(each["part"], each["before"], each["after"]) for each in found["items"]] == [
        ("texts", "¿Cómo te llamas?", "¿Tu nombre?")
    ]
    played = await desk.get(f"/sessions/{session}/replay")
    assert (played["edited"] != "", played["changes"][0]["number"], played["changes"][0]["kind"]) == (
        True,
        1,
        "wording",
    )
    assert "¿Tu nombre?" in played["changes"][0]["changes"][0]["after"]
    async with AsyncExitStack() as stack:
        olga = await owner(desk, stack)
        back = await olga.post("/agents/mesa/in-force", json={"version": first["version"]})
        assert [each["in_force"] for each in back.json()["items"]] == [False, True]
        assert (await olga.post("/agents/mesa/in-force", json={"version": "none"})).status_code == 404
        newest_entry = (await olga.get("/audit", params={"limit": 1})).json()["items"][0]
        assert (newest_entry["actor"], newest_entry["action"]) == ("Olga", "rolled back")
    assert (await desk.api.get("/agents/none/versions")).status_code == 404
    assert (await desk.api.get("/agents/mesa/difference", params={"before": "none"})).status_code == 404


async def test_an_owner_sees_the_audit_keys_channels_and_what_it_cost(desk: Desk) -> None:  # noqa: F811
    await desk.write("hola")
    async with AsyncExitStack() as stack:
        olga = await owner(desk, stack)
        made = (await olga.post("/keys", json={"name": "crm", "scopes": ["read"]})).json()
        async with desk.served.client(key=made["secret"]) as program:
            assert (await program.get("/api/v1/inbox")).status_code == 200
            assert (await program.get("/api/v1/audit")).status_code == 403
        listed = {each["id"]: each for each in (await olga.get("/keys")).json()["items"]}
        assert (listed[made["id"]]["name"], "secret" in listed[made["id"]]) == ("crm", False)
        assert (await olga.delete(f"/keys/{made['id']}")).status_code == 204
        assert (await olga.delete(f"/keys/{made['id']}")).status_code == 404
        async with desk.served.client(key=made["secret"]) as program:
            assert (await program.get("/api/v1/inbox")).status_code == 401
        first = (await olga.get("/audit", params={"limit": 2})).json()
        assert [each["action"] for each in first["items"]] == ["key revoked", "key added"]
        rest = (await olga.get("/audit", params={"limit": 2, "cursor": first["next"]})).json()["items"]
        assert rest[0]["number"] == first["items"][-1]["number"] - 1
        channels = (await olga.get("/channels")).json()["items"]
        assert [(each["id"], each["agent"], each["trouble"]) for each in channels] == [("wa", "mesa", "")]
        [used] = (await olga.get("/usage")).json()["stages"]
        assert (used["agent"], used["turns"], used["free_turns"]) == ("mesa", 1, 1)
    async with person(desk, "luis") as luis:
        for path in ("/audit", "/keys", "/channels"):
            assert (await luis.get(path)).status_code == 403


async def test_an_owner_pauses_tries_and_mends_a_channel(sqlite_url: str, mesa: Path) -> None:  # noqa: F811
    key = b64encode(b"k" * 32).decode()
    async with open_desk(sqlite_url, mesa, secret_key=key) as desk, FakeTelegram("http://127.0.0.1:9") as fake:  # noqa: F811
        hilo = desk.served.hilo
        stored = {**fake.stored, "bot_token": "777:revoked"}
        place = {"id": "bot", "workspace": "main", "agent": "mesa"}
        await hilo.store.run(add_channel, new_row("telegram", place, stored, Secrets(key)), now=hilo.clock.now())
        async with AsyncExitStack() as stack:
            olga = await owner(desk, stack)
            assert (await olga.post("/channels/bot/pause")).json()["trouble"] == "paused"
            [bot] = [each for each in (await olga.get("/channels")).json()["items"] if each["id"] == "bot"]
            assert (bot["reason"], bot["heard_at"], bot["waiting"]) == ("Olga", None, 0)
            assert {each["name"]: each["value"] for each in bot["settings"]} == {"bot_token": "", "base_url": fake.url}
            assert (await olga.post("/channels/bot/resume")).json()["trouble"] == ""
            assert (await olga.post("/channels/bot/test", json={})).json() == {"worked": True, "reason": ""}
            unheard = await olga.post("/channels/bot/test", json={"to": "88001"})
            assert unheard.status_code == 409
            await hilo.intake.messages("bot", [Inbound("1", Address("bot", "88001"), "hola", hilo.clock.now())])
            await fake.write("88001", "hola")  # a bot may answer who wrote
            refused = (await olga.post("/channels/bot/test", json={"to": "88001"})).json()
            assert not refused["worked"]
            assert "777:revoked" not in refused["reason"]
            for settings in ({"base_url": "http://127.0.0.1:1"}, {"secret_token": "x"}, {"none": "x"}, {}):
                assert (await olga.patch("/channels/bot", json={"settings": settings})).status_code == 422, settings
            mended = await olga.patch("/channels/bot", json={"settings": {"bot_token": fake.stored["bot_token"]}})
            assert "777" not in mended.text
            assert (await olga.post("/channels/bot/test", json={"to": "88001"})).json()["worked"]
            told = {each["action"]: each["detail"] for each in (await olga.get("/audit")).json()["items"]}
            assert told["channel changed"] == {"settings": ["bot_token"]}
            for path in ("pause", "resume", "test"):
                assert (await olga.post(f"/channels/none/{path}", json={})).status_code == 404
        async with person(desk, "luis") as luis:
            assert (await luis.post("/channels/bot/pause")).status_code == 403


async def test_an_owner_connects_an_agent_to_a_provider_and_to_nothing_else(
    database_url: str,
    mesa: Path,  # noqa: F811
) -> None:
    key = b64encode(b"k" * 32).decode()
    async with open_desk(database_url, mesa, secret_key=key) as desk, AsyncExitStack() as stack:  # noqa: F811
        olga = await owner(desk, stack)
        kinds = {each["kind"]: each for each in (await olga.get("/channels/kinds")).json()["items"]}
        assert list(kinds) == ["infobip", "whatsapp", "telegram"]
        asked = {each["name"]: (each["secret"], each["value"]) for each in kinds["telegram"]["fields"]}
        assert asked == {"bot_token": (True, ""), "base_url": (False, "https://api.telegram.org")}
        bot = {"kind": "telegram", "agent": "mesa", "settings": {"bot_token": "777:word"}}
        made = await olga.post("/channels", json=bot)
        assert (made.status_code, made.json()["id"], made.json()["webhook"]) == (
            201,
            "telegram-mesa",
            "/webhooks/telegram/telegram-mesa",
        )
        assert set(made.json()["enter"]) == {"secret_token"}
        assert "777:word" not in made.text
        found = await desk.served.hilo.channels.find("telegram-mesa")
        assert found is not None
        elsewhere = {"base_url": "https://api.telegram.org.example", "bot_token": "1:a"}
        for wrong in (
            bot,  # it is there already
            {**bot, "id": "otro", "agent": "nadie"},
            {**bot, "id": "otro", "kind": "web"},
            {**bot, "id": "otro", "settings": {}},
            {**bot, "id": "otro", "settings": {"none": "x"}},
            {**bot, "id": "Otro/1"},
            {**bot, "id": "otro", "settings": elsewhere},
            {**bot, "id": "otro", "settings": {**elsewhere, "base_url": "http://api.telegram.org"}},
            {**bot, "id": "otro", "settings": {**elsewhere, "base_url": "https://127.0.0.1"}},
        ):
            assert (await olga.post("/channels", json=wrong)).status_code == 422, wrong
        assert (await olga.delete("/channels/telegram-mesa")).status_code == 204
        assert (await olga.delete("/channels/telegram-mesa")).status_code == 404
        told = [(each["action"], each["actor"]) for each in (await olga.get("/audit")).json()["items"]][:2]
        assert told == [("channel removed", "Olga"), ("channel added", "Olga")]
        async with person(desk, "luis") as luis:
            assert (await luis.post("/channels", json=bot)).status_code == 403
            assert (await luis.get("/channels/kinds")).status_code == 403


async def test_nothing_of_another_workspace_is_in_the_records(light: Desk) -> None:  # noqa: F811
    await light.write("hola")
    session, hilo = (await light.session())["id"], light.served.hilo
    await hilo.store.run(add_workspace, "otra", name="otra", now=hilo.clock.now())
    key = await light.served.key("read", "author", "administer", workspace="otra")
    async with light.served.client(key=key) as other:
        other.base_url = httpx.URL("http://hilo/api/v1")
        for path in (f"/sessions/{session}/replay", "/agents/mesa/versions", "/agents/mesa/difference"):
            assert (await other.get(path)).status_code == 404, path
        assert (await other.post("/agents/mesa/in-force", json={"version": "x"})).status_code == 404
        for path in ("/audit", "/channels"):
            assert (await other.get(path)).json()["items"] == []
        assert (await other.get("/usage")).json()["stages"] == []


# --- teams and places ---------------------------------------------------------------------------------


async def test_an_operator_sees_who_waits_for_a_team_of_theirs_or_for_anybody(desk: Desk) -> None:  # noqa: F811
    await desk.write("humano")
    session = (await desk.session())["id"]
    await add(desk.served, "caro", teams=("ventas",))
    await add(desk.served, "tito", teams=("soporte",))

    async def waiting(login: str) -> tuple[int, int]:
        async with browser(desk.served, login) as client:
            page = (await client.get("/api/v1/inbox", params={"view": "waiting"})).json()
            return len(page["items"]), page["counts"]["waiting"]

    assert await waiting("tito") == (1, 1)
    async with person(desk, "luis") as luis:
        await act(luis, f"/sessions/{session}/take-over")
        await holds(desk, session, "Luis")
        assert (await act(luis, f"/sessions/{session}/transfer", team="ventas")).status_code == 202
    assert await waiting("caro") == (1, 1)
    assert await waiting("tito") == (0, 0)
    assert await waiting("luis") == (1, 1)  # who is in no team looks after everybody


async def test_those_at_a_step_of_a_flow_are_listed(desk: Desk) -> None:  # noqa: F811
    await desk.write("hola")
    flow = (await desk.get("/agents/mesa/map"))["flows"][0]
    here, there = (step["name"] for step in flow["steps"])
    where = {"agent": "mesa", "flow": flow["name"]}
    assert [len((await desk.get("/inbox", **where, step=step))["items"]) for step in (here, there, "")] == [1, 0, 1]
    assert (await desk.get("/inbox", agent="mesa", flow="none"))["items"] == []


async def test_the_numbers_of_a_day_tell_waits_failures_and_tokens(desk: Desk) -> None:  # noqa: F811
    await desk.write("humano")
    await desk.done(f"/sessions/{(await desk.session())['id']}/take-over")
    *_, before, today = (await desk.get("/numbers", days=3))["days"]
    assert (today["waited"] == today["waited_most"] is not None, before["waited"]) == (True, None)
    assert (today["turns"], today["free_turns"], today["tokens"], today["cost"]) == (2, 2, 0, "0")
    assert (today["failed"], before["turns"]) == (0, 0)


async def test_a_wait_ends_with_the_first_person_whoever_has_the_session_later(desk: Desk) -> None:  # noqa: F811
    await desk.write("humano")
    session = (await desk.session())["id"]
    async with person(desk, "luis"), person(desk, "olga") as olga:
        await act(olga, f"/sessions/{session}/take-over")
        await holds(desk, session, "Olga")
        waits = (await desk.get("/numbers", days=1))["waits"]
        assert (await act(olga, f"/sessions/{session}/transfer", operator="Luis")).status_code == 202
        await holds(desk, session, "Luis")
    assert (await desk.get("/numbers", days=1))["waits"] == waits
    assert waits["taken"] == 1


async def test_contacts_read_who_answers_where_the_agent_says_so(sqlite_url: str, mesa: Path) -> None:  # noqa: F811
    file = mesa / "agent.yaml"
    file.write_text(f"sign_answers: true\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    async with open_desk(sqlite_url, mesa) as desk:  # noqa: F811
        await desk.write("humano")
        session = (await desk.session())["id"]
        async with person(desk, "luis") as luis:
            await act(luis, f"/sessions/{session}/take-over")
            await holds(desk, session, "Luis")
            assert (await act(luis, f"/sessions/{session}/messages", text="Ya te ayudo")).status_code == 202
            said = (await luis.get(f"/sessions/{session}/messages")).json()["items"][0]
            assert (said["text"], said["operator"]) == ("Luis: Ya te ayudo", "Luis")
