"""Campaigns over the REST API: lists once per key, reports, and only for keys that may."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from gateways import Gateway, gateway

from hilo.app.installation import WORKSPACE
from hilo.store.workspaces import ChannelRow
from hilo.testing.world import RecordingChannel

AGENT = """
agent: eco
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
templates:
  aviso: {text: "Hola {nombre}, hay novedades.", wa_template: aviso}
campaigns:
  aviso: {template: aviso, flow: hablar}
flows:
  hablar: {steps: [{say: "¡Qué bueno, {nombre}!"}]}
"""
LIST = "\ufeffphone;nombre;opt_in\r\n11 5555 1001;Ana Ruiz;sí\r\nno;Beto Paz;sí\r\n11 5555 1002;Caro Gil;\r\n"
WHERE = {"campaign": "aviso", "channel": "wa"}


@pytest.fixture
async def hilo(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Gateway]:
    file = tmp_path / "eco.yaml"
    file.write_text(AGENT, encoding="utf-8")
    async with gateway(sqlite_url, file) as opened:
        await opened.hilo.add_channel(ChannelRow("wa", WORKSPACE, "test", "eco"), RecordingChannel())
        yield opened


def client(hilo: Gateway, key: str) -> httpx.AsyncClient:
    headers = {"authorization": f"Bearer {key}"}
    transport = httpx.ASGITransport(app=hilo.app)
    return httpx.AsyncClient(transport=transport, base_url="http://hilo/api/v1", headers=headers)


async def give(api: httpx.AsyncClient, once: str, **changes: Any) -> httpx.Response:
    contacts = [{"to": "+54 9 11 5555 1009", "values": {"nombre": "Eva Luna"}, "opt_in": True}]
    body = {**WHERE, "contacts": contacts, **changes}
    return await api.post("/campaigns", json=body, headers={"idempotency-key": once})


async def upload(api: httpx.AsyncClient, text: str | bytes, once: str, **changes: Any) -> httpx.Response:
    headers = {"idempotency-key": once, "content-type": "text/csv"}
    content = text.encode() if isinstance(text, str) else text
    return await api.post("/campaigns/csv", params={**WHERE, **changes}, content=content, headers=headers)


async def test_contacts_and_lists_are_taken_and_reported(hilo: Gateway) -> None:
    async with client(hilo, await hilo.key("read", "campaign")) as api:
        taken = await give(api, "one")
        assert (taken.status_code, taken.json()["new"]) == (202, 1)
        assert taken.json()["example"] == "Hola Eva Luna, hay novedades."
        listed = (await upload(api, LIST, "two")).json()
        assert (listed["rows"], listed["new"]) == (3, 2)
        assert listed["problems"] == [{"row": 3, "column": "phone", "problem": "`no` is no phone number"}]
        await hilo.hilo.runtime.sweep.once()
        [found] = (await api.get("/campaigns")).json()["items"]
        assert (found["campaign"], found["counts"]) == ("aviso", {"sending": 2, "skipped": 1})
        assert (await api.get(f"/campaigns/{found['id']}")).json() == found
        first = (await api.get(f"/campaigns/{found['id']}/recipients", params={"limit": 2})).json()
        rest = (await api.get(f"/campaigns/{found['id']}/recipients", params={"cursor": first["next"]})).json()
        rows = [*first["items"], *rest["items"]]
        assert [(row["number"][-4:], row["status"], row["reason"]) for row in rows] == [
            ("1009", "sending", ""),
            ("1001", "sending", ""),
            ("1002", "skipped", "has not opted in"),
        ]


async def test_a_request_that_is_repeated_gets_the_same_answer_and_changes_nothing(hilo: Gateway) -> None:
    async with client(hilo, await hilo.key("read", "campaign")) as api:
        first, again = await give(api, "one"), await give(api, "one")
        assert (first.json(), first.json()["new"]) == (again.json(), 1)
        other = await give(api, "one", round="2027")
        assert (other.status_code, "Idempotency-Key" in other.text) == (422, True)
        assert (await upload(api, LIST, "one")).status_code == 422
        assert (await give(api, "two")).json()["known"] == 1
        assert (await api.post("/campaigns", json={})).status_code == 422  # without a key


async def test_a_dry_run_says_what_would_happen_and_changes_nothing(hilo: Gateway) -> None:
    async with client(hilo, await hilo.key("read", "campaign")) as api:
        report = (await upload(api, LIST, "one", dry_run=True)).json()
        assert (report["new"], report["skipped"]) == (1, {"has not opted in": 1})
        assert (await api.get("/campaigns")).json() == {"items": []}
        assert (await upload(api, LIST, "one")).status_code == 202  # the key was not used up


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"campaign": "nada"}, 404),
        ({"channel": "nada"}, 404),
        ({"channel": "web-eco"}, 404),
        ({"contacts": []}, 422),
        ({"contacts": [{"to": "+5491155551009", "values": {"apodo": "Eva"}}]}, 422),
        ({"contacts": [{"to": "x" * 50}]}, 422),
        ({"other": 1}, 422),
    ],
)
async def test_what_is_not_there_or_not_right_is_refused(hilo: Gateway, changes: dict[str, Any], status: int) -> None:
    async with client(hilo, await hilo.key("read", "campaign")) as api:
        assert (await give(api, "one", **changes)).status_code == status


@pytest.mark.parametrize("text", ["", "nombre\nAna\n", b"phone,nombre\n11,P\xe9rez\n"])
async def test_a_list_that_is_none_is_refused(hilo: Gateway, text: str | bytes) -> None:
    async with client(hilo, await hilo.key("campaign")) as api:
        refused = await upload(api, text, "one")
        assert refused.status_code == 422
        assert refused.json()["detail"]


async def test_what_contacts_have_told_is_kept_and_rounds_are_held(hilo: Gateway) -> None:
    async with client(hilo, await hilo.key("read", "campaign")) as api:
        choice = {"channel": "wa", "to": "+54 9 11 5555 1009", "opted_in": False}
        assert (await api.put("/opt-ins", json=choice)).status_code == 204
        assert (await api.put("/opt-ins", json={**choice, "to": "123"})).status_code == 422
        assert (await api.put("/opt-ins", json={**choice, "channel": "x"})).status_code == 404
        await give(api, "one")
        [found] = (await api.get("/campaigns")).json()["items"]
        assert (await api.post(f"/campaigns/{found['id']}/stop")).json()["status"] == "stopped"
        assert (await api.post(f"/campaigns/{found['id']}/resume")).json()["status"] == "running"
        assert (await api.post("/campaigns/nada/stop")).status_code == 404
        await hilo.hilo.runtime.sweep.once()
        assert (await api.get(f"/campaigns/{found['id']}")).json()["counts"] == {"skipped": 1}


async def test_only_a_key_that_may_writes_first_and_only_in_its_workspace(hilo: Gateway) -> None:
    async with client(hilo, await hilo.key("read", "write", "operate")) as api:
        refused = await give(api, "one")
        assert (refused.status_code, "--scope campaign" in refused.text) == (403, True)
    async with client(hilo, await hilo.key("read", "campaign", workspace="other")) as api:
        assert (await give(api, "one")).status_code == 404
        assert (await api.get("/campaigns")).json() == {"items": []}
