"""The widget on a page of somebody else, whose styles are as bad as can be."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Frame, Page, Route, expect

from webchat.screen import Screen, visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOSTILE = """
<!doctype html><html lang="es"><head><title>Shop</title><style>
* {{ display: none !important; visibility: hidden !important; font: 3px cursive !important; all: unset;
  transform: rotate(9deg) !important; position: static !important; opacity: 0.1 !important; width: 1px !important; }}
html, head ~ body, main, h1, main button {{ display: block !important; visibility: visible !important;
  transform: none !important; opacity: 1 !important; width: auto !important; font: 16px sans-serif !important; }}
iframe {{ display: none !important; }} button {{ background: red !important; }}
</style></head><body><main><h1>Shop</h1><button id="mine">Mine</button></main>
<script src="{server}/widget.js" data-channel="web-leads" {attributes} async></script></body></html>
"""


@asynccontextmanager
async def shop(browser: Browser, serving: Serving, attributes: str = "", **options: Any) -> AsyncIterator[Page]:
    """A page of another origin, open in a browser profile of its own."""
    body = HOSTILE.format(server=serving.url, attributes=attributes).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server, visitor(browser, **options) as context:
        page = await context.new_page()
        await page.goto(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        yield page


async def framed(page: Page) -> Frame:
    handle = await page.locator("hilo-chat iframe").element_handle()
    frame = await handle.content_frame()
    assert frame is not None
    return frame


async def test_the_widget_opens_talks_and_gives_the_focus_back(browser: Browser, serving: Serving) -> None:
    async with shop(browser, serving) as page:
        button = page.get_by_role("button", name="Abrir chat")
        box = await button.bounding_box()
        assert box is not None
        assert (round(box["width"]), round(box["height"])) == (60, 60)
        assert (round(1200 - box["x"] - 60), round(800 - box["y"] - 60)) == (20, 20)
        await Screen(page, page).is_accessible()
        await button.focus()
        await page.keyboard.press("Enter")
        screen = Screen(page, await framed(page))
        await screen.is_live()
        await expect(page.get_by_role("button", name="Cerrar chat")).to_have_attribute("aria-expanded", "true")
        await screen.inside.wait_for_function("document.activeElement.id === 'text'")
        assert "¿Cómo te llamas?" in await screen.say("Hola")
        await screen.is_accessible()
        await page.keyboard.press("Escape")
        await expect(page.locator("hilo-chat iframe")).to_be_hidden()
        assert await page.evaluate("document.activeElement.shadowRoot.activeElement.className") == "round"
        await button.click()
        await expect(page.locator("hilo-chat iframe")).to_be_visible()
        assert len(await screen.texts()) == 2


async def test_an_answer_that_comes_while_it_is_closed_is_announced(browser: Browser, serving: Serving) -> None:
    async with shop(browser, serving) as page:
        await page.get_by_role("button", name="Abrir chat").click()
        screen = Screen(page, await framed(page))
        await screen.is_live()
        await page.context.route("**/messages", _late)
        await screen.write("Hola")
        await page.get_by_role("button", name="Cerrar chat").click()
        await expect(page.get_by_role("button", name="Abrir chat: mensajes nuevos")).to_be_visible()


async def _late(route: Route) -> None:
    await asyncio.sleep(0.5)
    await route.continue_()


async def test_the_widget_wears_what_its_tag_says(browser: Browser, serving: Serving) -> None:
    attributes = 'data-position="left" data-color="#ffd500" data-language="en" data-greeting="Hi! <b>Questions?</b>"'
    async with shop(browser, serving, attributes) as page:
        await expect(page.get_by_role("button", name="Hi! <b>Questions?</b>")).to_be_visible()
        await Screen(page, page).is_accessible()
        box = await page.get_by_role("button", name="Open chat").bounding_box()
        assert box is not None
        assert round(box["x"]) == 20
        await page.get_by_role("button", name="Hi! <b>Questions?</b>").click()
        screen = Screen(page, await framed(page))
        await screen.is_live()
        await expect(screen.inside.get_by_role("textbox", name="Write a message")).to_be_visible()
        accent = "getComputedStyle(document.getElementById('send'))"
        assert await screen.inside.evaluate(f"{accent}.backgroundColor") == "rgb(255, 213, 0)"
        assert await screen.inside.evaluate(f"{accent}.color") == "rgb(0, 0, 0)"
        await screen.is_accessible()


async def test_the_widget_fills_a_phone_and_can_be_closed_there(browser: Browser, serving: Serving) -> None:
    async with shop(browser, serving, viewport={"width": 360, "height": 640}) as page:
        await page.get_by_role("button", name="Abrir chat").click()
        screen = Screen(page, await framed(page))
        await screen.is_live()
        box = await page.locator("hilo-chat iframe").bounding_box()
        assert box == {"x": 0, "y": 0, "width": 360, "height": 640}
        await screen.inside.get_by_role("button", name="Cerrar el chat").click()
        await expect(page.locator("hilo-chat iframe")).to_be_hidden()
        await expect(page.get_by_role("button", name="Abrir chat")).to_be_focused()
