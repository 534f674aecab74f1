"""What authors and owners do: people and their teams, keys, channels, the audit, versions, campaigns."""

import asyncio
import secrets
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, expect

from hilo.app.channels import new_row
from hilo.app.secrets import Secrets
from hilo.clock import SystemClock
from hilo.store.registry import Version, in_force, publish_by, published
from hilo.store.sqlite import SqliteStore
from hilo.store.workspaces import add_channel, remove_channel
from hilo.testing.providers import FakeTelegram
from panel.conftest import SECRET_KEY
from panel.desk import ANA, LUIS, Account, Customer, Desk, change
from panel.test_desk import WIDE, unlike_others
from patience import PATIENCE
from webchat.screen import visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_owner_lets_somebody_in_who_sees_their_team_and_lets_them_go(browser: Browser, shop: Serving) -> None:
    asked, login = unlike_others("quiero hablar con una persona"), f"vera{secrets.token_hex(3)}"
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana = await Desk.open(one, shop.url, ANA)
        await ana.visit("people")
        await ana.page.locator("form").get_by_label("Nombre").fill(login.capitalize())
        await ana.page.locator("form").get_by_label("Usuario").fill(login)
        await ana.page.locator("form").get_by_label("Equipos").fill("soporte")
        await ana.page.get_by_role("button", name="Agregar persona").click()
        password = await ana.page.locator("[data-secret]").inner_text()
        await ana.page.locator("form").get_by_label("Nombre").fill("Otra persona")
        await ana.page.locator("form").get_by_label("Usuario").fill(login)
        await ana.page.get_by_role("button", name="Agregar persona").click()
        await expect(ana.page.locator(".toast.bad")).to_have_text(f"No se pudo: ya hay alguien con el usuario {login}")
        await ana.is_accessible()
        vera = await Desk.open(other, shop.url, Account(login, login.capitalize(), password))
        await expect(vera.page.locator(".rail-item")).to_have_count(3)  # neither campaigns, nor agents, nor settings
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await vera.seek(asked)
        await expect(vera.rows).to_have_count(1)  # it waits for anybody
        await ana.visit("inbox")
        await ana.choose(asked)
        await ana.take()
        await ana.page.locator("#more").click()
        await ana.page.locator("[data-act=transfer]").click()
        await ana.page.get_by_label("Equipo: ventas").check()
        await ana.page.get_by_role("button", name="Pasar la conversación").click()
        await ana.is_held("nobody")
        await expect(vera.rows).to_have_count(0)  # and now for a team that is not hers
        await vera.seek(asked, "all")
        await expect(vera.rows).to_contain_text("ventas")
        await ana.visit("people")
        await ana.page.get_by_role("button", name=f"Nueva contraseña: {login.capitalize()}").click()
        await ana.be_sure()
        password = await ana.page.locator("[data-secret]").inner_text()
        await vera.page.reload()  # what was open with the old one is over
        await vera.log_in(Account(login, login.capitalize(), password))
        await vera.is_live()
        await ana.page.get_by_role("button", name=f"Quitar: {login.capitalize()}").click()
        await expect(ana.page.get_by_role("dialog")).to_contain_text("Ya no podrá entrar")
        await ana.page.keyboard.press("Escape")
        await expect(ana.page.locator(f"[data-row={login}]")).to_have_count(
            1
        )  # who thinks better of it changes nothing
        await ana.page.get_by_role("button", name=f"Quitar: {login.capitalize()}").click()
        await ana.is_accessible()
        await ana.be_sure()
        await expect(ana.page.locator(f"[data-row={login}]")).to_have_count(0)
        await vera.page.reload()
        await expect(vera.page.get_by_label("Usuario")).to_be_visible()
        ana.is_sound()


async def test_keys_are_made_used_and_revoked_and_the_audit_tells(browser: Browser, shop: Serving) -> None:
    name = unlike_others("crm")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.visit("people")
        await desk.page.locator("[data-tab=keys]").click()
        await desk.page.get_by_label("Nombre").fill(name)
        await desk.page.get_by_role("button", name="Agregar clave").click()
        secret = await desk.page.locator("[data-secret]").inner_text()
        assert await _answered(shop, secret) == 200
        await desk.is_accessible()
        await desk.page.get_by_role("button", name=f"Revocar: {name}").click()
        await desk.be_sure()
        await expect(desk.page.locator("tr", has_text=name)).to_contain_text("revocada")
        assert await _answered(shop, secret) == 401
        await desk.page.locator("[data-tab=audit]").click()
        told = desk.page.locator("tbody tr", has_text=name)
        await expect(told.first).to_contain_text("revocó una clave")
        await expect(told.last).to_contain_text("agregó una clave")
        await expect(told.last).to_contain_text(ANA.name)
        await desk.page.locator("[data-tab=channels]").click()
        await expect(desk.page.locator("[data-row=web-leads]")).to_contain_text("Funciona")
        await desk.is_accessible()
        desk.is_sound()


async def test_the_audit_names_customers_and_tools_as_the_shop_does(browser: Browser, shop: Serving) -> None:
    asked = unlike_others("quiero hablar con una persona")
    customer = Customer.new(shop.url, "web-kiosco")
    await customer.say("quiero 2 cocas de 500 ml", "soy Rosa Ibarra", asked)
    await Customer.new(shop.url, "web-avisos").ask_for_a_person("quiero hacer un reclamo")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(asked)
        session = desk.session
        await desk.take()
        await desk.visit("people")
        await desk.page.locator("[data-tab=audit]").click()
        rows = desk.page.locator("tbody tr")
        await expect(rows.filter(has_text="tomó").first).to_contain_text("Ana Ruiz")
        await expect(rows.filter(has_text="Agregar al carrito").first).to_contain_text("usó")
        assert "add_to_cart" not in await desk.page.locator("tbody").inner_text()
        complaint = rows.filter(
            has_text="dice que hay un reclamo"
        ).first  # its author's words, though a flow is called so
        await expect(complaint).to_contain_text("motivo: dice que hay un reclamo")
        await desk.is_accessible()
        taken = rows.filter(has_text="tomó").first.get_by_role("button")
        assert await taken.inner_text() != "conversación"  # it says whose
        await taken.click()
        await expect(desk.message(asked)).to_be_visible()
        assert desk.session == session
        desk.is_sound()


async def test_a_channel_is_seen_failing_mended_tried_paused_and_resumed(browser: Browser, shop: Serving) -> None:
    channel, contact = f"bot-{secrets.token_hex(3)}", "880012345"
    async with (
        FakeTelegram(f"{shop.url}/webhooks/telegram/{channel}") as fake,
        visitor(browser, viewport=WIDE) as context,
    ):
        await _connect(shop, channel, {**fake.stored, "bot_token": "777:revoked"})
        desk = await Desk.open(context, shop.url)
        await desk.visit("people")
        await desk.page.locator("[data-tab=channels]").click()
        card = desk.page.locator(f"[data-row={channel}]")
        await expect(card).to_contain_text("nunca")
        await fake.write(contact, "hola")
        await expect(card.locator(".badge")).to_have_text("Sin permiso")
        await expect(card.locator(".notice")).to_contain_text("no acepta las credenciales")
        await expect(card).to_contain_text("Último mensaje recibidohace")
        await desk.is_accessible()
        await card.get_by_role("button", name="Renovar credenciales").click()
        await card.get_by_label("Token del bot").fill(fake.stored["bot_token"])
        await card.get_by_role("button", name="Guardar").click()
        await expect(card.get_by_label("Token del bot")).to_have_count(0)
        await card.get_by_role("button", name="Probar", exact=True).click()
        await card.get_by_label("Número o chat").fill("111")
        await card.get_by_role("button", name="Probar ahora").click()
        await expect(card.locator("[data-told=bad]")).to_contain_text("pídele que escriba primero")
        await card.get_by_label("Número o chat").fill(contact)
        await card.get_by_role("button", name="Probar ahora").click()
        await expect(card.locator("[data-told=well]")).to_have_text(f"Enviado a {contact}.")
        assert "Hilo: ✓" in fake.chats.said_to(contact)
        await _until(lambda: len(fake.chats.said_to(contact)) == 2)  # and what had waited for the credentials
        await expect(card.locator(".badge")).to_have_text("Funciona")
        await card.get_by_role("button", name="Pausar").click()
        await desk.be_sure()
        await expect(card.locator(".badge")).to_have_text("En pausa")
        await fake.write(contact, "soy Ana Restrepo")
        await expect(card.locator(".held dd")).to_have_text("1")
        await desk.is_accessible()
        assert len(fake.chats.said_to(contact)) == 2
        await card.get_by_role("button", name="Reanudar").click()
        await _until(lambda: len(fake.chats.said_to(contact)) == 3)
        await expect(card.locator(".badge")).to_have_text("Funciona")
        desk.is_sound()
    await _disconnect(shop, channel)


async def test_an_owner_connects_a_channel_and_is_told_what_the_provider_must_know(
    browser: Browser, shop: Serving
) -> None:
    name = f"wa-{secrets.token_hex(3)}"
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.visit("people")
        await desk.page.locator("[data-tab=channels]").click()
        form = desk.page.locator("#connecting")
        await form.get_by_label("Proveedor").select_option(label="WhatsApp con Infobip")
        await form.get_by_label("Agente").select_option("leads")
        await form.get_by_label("Nombre corto").fill(name)
        await form.get_by_label("Dirección de la API").fill("https://example.org")
        await form.get_by_label("Clave de la API").fill("una clave con espacios")
        await form.get_by_label("Número que envía").fill("441134960000")
        await desk.is_accessible()
        await form.get_by_role("button", name="Conectar").click()
        await expect(form.get_by_role("alert")).to_contain_text("terminar en infobip.com")
        await form.get_by_label("Dirección de la API").fill("https://abc123.api.infobip.com")
        await form.get_by_role("button", name="Conectar").click()
        await expect(form.get_by_role("alert")).to_contain_text("la clave de la API es una sola palabra")
        await form.get_by_label("Clave de la API").fill("una-clave")
        await form.get_by_role("button", name="Conectar").click()
        told = desk.page.locator(f"[data-entering={name}]")
        await expect(told).to_contain_text(f"{shop.url}/webhooks/infobip/{name}")
        await expect(told).to_contain_text("Contraseña del webhook")
        await expect(told).to_be_in_viewport()
        card = desk.page.locator(f"[data-row={name}]")
        await expect(card.locator(".badge")).to_have_text("Funciona")
        await desk.is_accessible()
        await told.get_by_role("button", name="Ya la guardé").click()
        await expect(told).to_have_count(0)
        await card.get_by_role("button", name="Quitar").click()
        await desk.be_sure()
        await expect(card).to_have_count(0)
        desk.is_sound()


async def _until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110 -- another process does it
            await asyncio.sleep(0.1)


async def _connect(shop: Serving, channel: str, settings: dict[str, str]) -> None:
    store, place = SqliteStore(shop.database), {"id": channel, "workspace": "main", "agent": "leads"}
    row = new_row("telegram", place, settings, Secrets(SECRET_KEY))
    await store.run(add_channel, row, now=SystemClock().now())
    await store.close()


async def _disconnect(shop: Serving, channel: str) -> None:
    store = SqliteStore(shop.database)
    await store.run(remove_channel, "main", channel, now=SystemClock().now())
    await store.close()


async def _answered(shop: Serving, secret: str) -> int:
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        answer = await http.get(f"{shop.url}/api/v1/inbox", headers={"Authorization": f"Bearer {secret}"})
    return answer.status_code


async def test_an_author_sees_what_a_version_changes_and_goes_back(browser: Browser, shop: Serving) -> None:
    first = await _publish_another(shop.database)
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.visit("agents")
        await desk.page.get_by_label("Agente", exact=True).select_option("avisos")
        await expect(desk.page.locator("[data-row=otra]")).to_contain_text("Vigente")
        await desk.page.locator("[data-row=otra]").get_by_role("button", name="Qué cambia").click()
        changed = desk.page.locator("[data-difference=otra]")
        await expect(changed.locator("del")).to_contain_text("¿En qué ciudad estás?")
        await expect(changed.locator("ins")).to_contain_text("¿Dónde estás?")
        await desk.is_accessible()
        await desk.page.locator(f"[data-row='{first}']").get_by_role("button", name="Poner vigente").click()
        await desk.be_sure()
        await expect(desk.page.locator(f"[data-row='{first}']")).to_contain_text("Vigente")
        desk.is_sound()


async def _publish_another(database: Path) -> str:
    store = SqliteStore(database)
    first = await store.run(in_force, "main", "avisos")
    kept = await store.run(published, "main", "avisos", first)
    assert kept is not None
    edited = kept.source.replace("¿En qué ciudad estás?", "¿Dónde estás?")
    await store.run(
        publish_by, "main", Version("avisos", "otra", edited, kept.offers), actor="Ana", now=SystemClock().now()
    )
    await store.close()
    return first


ROUND = (
    "INSERT INTO campaigns (id, workspace_id, channel_id, name, round, status, created_at)"
    " VALUES (?, 'main', 'web-avisos', 'control_anual', 'noviembre', 'running', ?)"
)
RECIPIENT = (
    "INSERT INTO recipients (campaign_id, workspace_id, channel_id, value, place, opted_in, slots, status, reason,"
    " created_at) VALUES (?, 'main', 'web-avisos', ?, ?, 1, '{}', ?, ?, ?)"
)


async def test_a_campaign_shows_what_became_of_its_list_and_is_stopped(browser: Browser, shop: Serving) -> None:
    campaign, now = f"campaign_{secrets.token_hex(6)}", time.time_ns() // 1000
    change(shop.database, ROUND, campaign, now)
    fates = (("skipped", "has not opted in"), ("skipped", "opted out"), ("skipped", "opted out"), ("waiting", ""))
    for row, (status, reason) in enumerate(fates, 2):
        change(shop.database, RECIPIENT, campaign, f"{secrets.token_hex(6)}", row, status, reason, now)
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.visit("campaigns")
        card = desk.page.locator(f"[data-round={campaign}]")
        await expect(card.locator("[data-fate=skipped]")).to_contain_text("3")
        await card.get_by_role("button", name="Ver el informe").click()
        await expect(card.locator(".reasons")).to_contain_text("2 pidió que no le escriban")
        await expect(card.locator("tbody tr")).to_have_count(4)
        await expect(card.locator("tbody tr").first).to_contain_text("no dio permiso")
        await desk.is_accessible()
        async with desk.page.expect_download() as waiting:
            await card.get_by_role("button", name="Descargar CSV").click()
        lines = (await (await waiting.value).path()).read_text(encoding="utf-8-sig").splitlines()
        assert (len(lines), lines[0]) == (5, "Fila,Teléfono,Estado,porque,Respondió,Escrito")
        await card.get_by_role("button", name="Detener").click()
        await expect(card.locator(".badge")).to_have_text("Detenida")
        await card.get_by_role("button", name="Seguir").click()
        await expect(desk.page.get_by_role("dialog")).to_contain_text("Se le escribirá al contacto que falta")
        await desk.page.get_by_role("button", name="Cancelar").click()
        await expect(card.locator(".badge")).to_have_text("Detenida")
        desk.is_sound()


async def test_an_operator_has_no_way_to_what_owners_do(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url, LUIS)
        await desk.page.goto(f"{shop.url}/panel/people?tab=keys")
        await expect(desk.page.locator(".toast.bad")).to_have_text("Tu cuenta no tiene permiso para esto.")
        await expect(desk.page.locator("tbody tr")).to_have_count(0)
