"""The numbers of a shop where it is known what happened, and pages that can be read in the dark."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from panel.conftest import add_people
from panel.desk import Customer, Desk, change
from webchat.screen import Screen, visitor
from webchat.serving import AGENTS, Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES = (
    *("inbox/all", "map", "numbers", "campaigns", "agents"),
    *("people", "people?tab=keys", "people?tab=channels", "people?tab=audit"),
)


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A shop in which nothing has happened yet."""
    server = Serving(tmp_path_factory.mktemp("numbers"), (AGENTS / "kiosco",), options=("--list-chats",))
    server.start()
    asyncio.run(add_people(server))
    yield server
    server.stop()


async def order(server: Serving, alfajores: int) -> None:
    customer = Customer.new(server.url, "web-kiosco")
    await customer.say(
        f"hola, quiero {alfajores} alfajor havanna chocolate", "confirmar", "soy Marta Gómez", "12345678"
    )
    await customer.say("lo retiro", "sí")
    assert "ORD-" in (await customer.read())[-1]


async def test_every_figure_is_what_happened(browser: Browser, kiosk: Serving) -> None:
    """Five customers: two order (1,500 each alfajor), two want a person and one of them gets one, one greets."""
    await order(kiosk, 2)
    await order(kiosk, 1)
    await Customer.new(kiosk.url, "web-kiosco").say("hola")
    await Customer.new(kiosk.url, "web-kiosco").ask_for_a_person("quiero hablar con una persona ya")
    await Customer.new(kiosk.url, "web-kiosco").ask_for_a_person("quiero hablar con una persona por favor")
    async with visitor(browser) as context:
        desk = await Desk.open(context, kiosk.url)
        await desk.choose("por favor")
        await desk.take()
        change(kiosk.database, "UPDATE handoffs SET created_at = taken_at - 120000000 WHERE taken_at IS NOT NULL")
        change(kiosk.database, "UPDATE outbox SET status = 'failed' WHERE id = (SELECT MAX(id) FROM outbox)")
        await desk.visit("numbers")
        for figure, words in {
            "conversations": "Conversaciones5",
            "kiosco.pedidos": "Pedidos (kiosco)2Importe: 4.500",
            "alone": "Atendidas sin persona60 %3 de 5",
            "handoffs": "Traspasos a una persona2",
            "waits": "Espera por una persona2 min95 de cada 100: hasta 2 min",
            "free": "Respuestas sin modelo100 %0 tokens",
            "failures": "Fallos de entrega1",
        }.items():
            await expect(desk.page.locator(f"[data-figure='{figure}']")).to_have_text(words)
        last = desk.page.locator("[data-chart=conversations] tbody tr").last.locator("td")
        assert (await last.all_text_contents())[1:] == ["5", "3", "2"]
        desk.is_sound()


async def test_every_page_can_be_read_in_the_dark(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, color_scheme="dark") as context:
        page = await context.new_page()
        for path in ("", "chat/web-kiosco", "chat/no-hay", "panel"):
            await page.goto(f"{shop.url}/{path}")
            await Screen(page, page).is_accessible()
        desk = await Desk.open(context, shop.url)
        for path in PAGES:
            await desk.page.goto(f"{shop.url}/panel/{path}")
            await desk.is_live()
            await desk.is_accessible()
        desk.is_sound()


async def test_an_owner_gives_somebody_another_name(browser: Browser, kiosk: Serving) -> None:
    async with visitor(browser) as context:
        desk = await Desk.open(context, kiosk.url)
        await desk.visit("people")
        await desk.page.get_by_role("button", name="Cambiar nombre: Luis Peña").click()
        await desk.page.get_by_label("Nombre de Luis Peña").fill("Luis Peña Gil")
        await desk.be_sure()
        await expect(desk.page.get_by_role("cell", name="Luis Peña Gil", exact=True)).to_be_visible()
        desk.is_sound()
