"""The first page: what Hilo is, whom one can talk to, the way to the panel; and installing the panel."""

import pytest
from playwright.async_api import Browser, expect

from panel.desk import Desk
from webchat.screen import Screen, visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_first_page_leads_to_every_chat_and_to_the_panel(browser: Browser, shop: Serving) -> None:
    async with visitor(browser) as context:
        page = await context.new_page()
        await page.goto(shop.url)
        await expect(page.get_by_role("heading")).to_have_text("¿Con quién quieres hablar?")
        kiosk = page.get_by_role("link", name="Kiosco")
        await expect(kiosk).to_contain_text("«¿Qué bebidas tenés?»")
        await Screen(page, page).is_accessible()
        await kiosk.click()
        await expect(page.locator("#greeting")).to_contain_text("Soy el asistente del kiosco")
        await expect(page.locator("#starters button")).to_have_count(3)
        await expect(page.get_by_role("textbox", name="Escribí un mensaje")).to_be_visible()  # vos, as the agent
        await page.locator("#starters button").first.click()
        await expect(page.locator(".line.agent").first).to_be_visible()
        await page.get_by_role("link", name="Todos los chats").click()
        await page.get_by_role("link", name="Abrir el panel").click()
        await expect(page.get_by_label("Usuario")).to_be_visible()


async def test_the_first_page_speaks_english_when_asked(browser: Browser, shop: Serving) -> None:
    async with visitor(browser) as context:
        page = await context.new_page()
        await page.goto(f"{shop.url}/?lang=en")
        await expect(page.get_by_role("heading")).to_have_text("Who would you like to talk to?")
        await expect(page.get_by_role("link", name="Open the panel")).to_be_visible()
        kiosk = page.get_by_role("link", name="Kiosco")
        await expect(kiosk).to_contain_text("speaks Spanish")
        # everything about an agent stands in one column, beside its initial
        places = await kiosk.evaluate("link => [...link.children].map(part => part.getBoundingClientRect().left)")
        assert len(set(places)) == 2
        assert await page.evaluate("document.documentElement.lang") == "en"


async def test_an_unknown_chat_is_a_page_with_a_way_back(browser: Browser, shop: Serving) -> None:
    async with visitor(browser) as context:
        page = await context.new_page()
        answer = await page.goto(f"{shop.url}/chat/no-hay")
        assert answer is not None
        assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
        await expect(page.get_by_role("heading")).to_have_text("Este chat no existe")
        await Screen(page, page).is_accessible()
        await page.get_by_role("link", name="Ver todos los chats").click()
        await expect(page.get_by_role("heading")).to_have_text("¿Con quién quieres hablar?")


async def test_the_panel_can_be_installed(browser: Browser, shop: Serving) -> None:
    async with visitor(browser) as context:
        desk = await Desk.open(context, shop.url)
        protocol = await context.new_cdp_session(desk.page)
        found = await protocol.send("Page.getAppManifest")
        assert (found["errors"], '"display": "standalone"' in found["data"]) == ([], True)
        missing = await protocol.send("Page.getInstallabilityErrors")
        # a private window, as tests have it, is the only thing that stands in the way
        assert {each["errorId"] for each in missing["installabilityErrors"]} <= {"in-incognito"}
