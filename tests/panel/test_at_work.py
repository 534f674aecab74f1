"""What people see while they work: who is there, WhatsApp with its ticks and files, links for colleagues, the news."""

import asyncio
import secrets
import time

import pytest
from playwright.async_api import Browser, expect

from hilo.app.channels import new_row
from hilo.app.secrets import Secrets
from hilo.clock import SystemClock
from hilo.store.sqlite import SqliteStore
from hilo.store.workspaces import add_channel, remove_channel
from hilo.testing.providers import FakeInfobip, SharedFile
from panel.conftest import SECRET_KEY
from panel.desk import ANA, LUIS, Customer, Desk
from panel.test_desk import WIDE, unlike_others
from panel.test_desk_work import picture
from webchat.screen import visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

SOON_ENOUGH = 5  # seconds; the goal is one, and a machine that tests is busy


async def test_colleagues_see_who_is_away(browser: Browser, shop: Serving) -> None:
    asked = unlike_others("quiero hablar con una persona")
    await Customer.new(shop.url).ask_for_a_person(asked)
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana, luis = await Desk.open(one, shop.url, ANA), await Desk.open(other, shop.url, LUIS)
        await luis.choose(asked)
        await luis.take()
        for away, words in ((True, "Ausente"), (False, "Disponible")):
            await ana.page.locator(".my-account").click()
            await ana.page.get_by_label("Estoy ausente").set_checked(away)
            await expect(ana.page.locator(".account-name")).to_contain_text(words)
            await ana.page.keyboard.press("Escape")
            await expect(ana.page.get_by_role("dialog")).to_have_count(0)
            await luis.page.locator("#more").click()
            await luis.page.locator("[data-act=transfer]").click()
            await expect(luis.page.get_by_role("dialog").locator("label", has_text=ANA.name)).to_contain_text(words)
            await luis.is_accessible()
            await luis.page.keyboard.press("Escape")
            await expect(luis.page.get_by_role("dialog")).to_have_count(0)
        for desk in (ana, luis):
            desk.is_sound()


async def test_whatsapp_has_ticks_files_places_moods_and_what_is_left_of_a_day(browser: Browser, shop: Serving) -> None:
    channel, contact = f"wa-{secrets.token_hex(3)}", f"57300{secrets.randbelow(10**7):07}"
    async with (
        FakeInfobip(f"{shop.url}/webhooks/infobip/{channel}") as fake,
        visitor(browser, viewport=WIDE) as context,
    ):
        await _connect(shop, channel, fake.stored)
        desk = await Desk.open(context, shop.url)
        await fake.write(contact, "esto es horrible, pésimo servicio, quiero hablar con una persona ya")
        await desk.seek(contact[-7:])
        await expect(desk.rows).to_have_count(1)
        await expect(desk.rows.locator(".mood.upset")).to_have_text("Molesto")
        await expect(desk.rows.locator(".facts")).to_contain_text("23 h")
        await expect(desk.rows).to_contain_text("WhatsApp")
        await desk.rows.click()
        await desk.take()
        await expect(desk.page.locator(".window")).to_contain_text("Quedan 23 h")
        await desk.say("Ya te ayudo")
        ours = desk.page.locator(".message.operator")
        await expect(ours.locator(".ticks.delivered")).to_have_text("✓✓")
        await fake.see(contact)
        await expect(ours.get_by_role("img", name="Leído")).to_have_text("✓✓")
        await fake.share_place(contact, 4.65, -74.05)
        place = desk.page.locator(".message a[href*='mlat=4.65']")
        await expect(place).to_be_visible()
        await fake.send_file(contact, SharedFile("image", picture(60, 40), "image/png"), "llegó roto")
        photo = desk.page.locator(".message", has_text="llegó roto").locator("img.picture")
        await expect(photo).to_be_visible()
        await desk.is_accessible()
        desk.is_sound()
    await _disconnect(shop, channel)


async def _connect(shop: Serving, channel: str, settings: dict[str, str]) -> None:
    store, place = SqliteStore(shop.database), {"id": channel, "workspace": "main", "agent": "leads"}
    await store.run(add_channel, new_row("infobip", place, settings, Secrets(SECRET_KEY)), now=SystemClock().now())
    await store.close()


async def _disconnect(shop: Serving, channel: str) -> None:
    store = SqliteStore(shop.database)
    await store.run(remove_channel, "main", channel, now=SystemClock().now())
    await store.close()


async def test_an_address_shows_a_colleague_the_same_view_filters_and_conversation(
    browser: Browser, shop: Serving
) -> None:
    mark = unlike_others("hola")
    for agent in ("leads", "avisos"):
        await Customer.new(shop.url, f"web-{agent}").say(mark)
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana, luis = await Desk.open(one, shop.url, ANA), await Desk.open(other, shop.url, LUIS)
        await ana.seek(mark, "agent")
        await expect(ana.rows).to_have_count(2)
        await ana.page.get_by_label("Agente", exact=True).select_option("avisos")
        await expect(ana.rows).to_have_count(1)
        await ana.rows.click()
        await expect(ana.message(mark)).to_be_visible()
        await luis.page.goto(ana.page.url)
        await expect(luis.message(mark)).to_be_visible()
        await expect(luis.rows).to_have_count(1)
        await expect(luis.page.locator("[data-view=agent]")).to_have_attribute("aria-current", "true")
        await expect(luis.page.get_by_label("Agente", exact=True)).to_have_value("avisos")
        await expect(luis.page.locator("#search")).to_have_value(mark)
        await ana.page.go_back()  # out of the conversation, then out of the filter
        await ana.page.go_back()
        await expect(ana.rows).to_have_count(2)
        for desk in (ana, luis):
            desk.is_sound()


async def test_news_appear_at_once_and_looks_are_kept(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        took = []
        for _ in range(5):
            mark = unlike_others("quiero hablar con una persona")
            customer = Customer.new(shop.url)
            shown = asyncio.ensure_future(expect(desk.page.locator(".row", has_text=mark)).to_be_visible())
            await customer.ask_for_a_person(mark)  # until the agent's answer can be read
            began = time.monotonic()
            await shown
            took.append(time.monotonic() - began)
        print(f"\nnews in the inbox after the answer: {', '.join(f'{each:.2f} s' for each in sorted(took))}")  # noqa: T201 -- a figure
        assert sorted(took)[2] < SOON_ENOUGH
        await desk.page.locator("[data-tool=moon]").click()
        await desk.page.locator("[data-tool=globe]").click()
        await desk.page.reload()
        await expect(desk.page.locator("[data-page=inbox]")).to_contain_text("Inbox")
        await expect(desk.page.locator("[data-tool=sun]")).to_be_visible()
        await desk.is_accessible()
        desk.is_sound()
