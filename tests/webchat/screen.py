"""A chat page in a real browser: what a visitor does and sees."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Browser, BrowserContext, Frame, Page, expect

SOON = 60_000  # milliseconds; machines that test are busy
CALM: dict[str, Any] = {"reduced_motion": "reduce", "locale": "es-CO", "timezone_id": "America/Bogota"}
DESKTOP = {"width": 1200, "height": 800}
PHONE = {"width": 320, "height": 640}

expect.set_options(timeout=SOON)


@asynccontextmanager
async def visitor(browser: Browser, **options: Any) -> AsyncIterator[BrowserContext]:
    """A browser profile of its own."""
    context = await browser.new_context(**{"viewport": DESKTOP, **CALM, **options})
    context.set_default_timeout(SOON)
    try:
        yield context
    finally:
        await context.close()


@dataclass(frozen=True)
class Screen:
    """The chat, in a tab or in the widget's frame."""

    page: Page
    inside: Page | Frame

    @classmethod
    async def open(cls, context: BrowserContext, address: str) -> "Screen":
        page = await context.new_page()
        await page.goto(address)
        screen = cls(page, page)
        await screen.is_live()
        return screen

    async def is_live(self, way: str = "") -> None:
        wanted = f"body[data-live={way}]" if way else "body[data-live]"
        await self.inside.wait_for_selector(wanted, timeout=SOON)

    async def write(self, text: str) -> None:
        await self.inside.fill("#text", text)
        await self.inside.press("#text", "Enter")

    async def say(self, text: str) -> str:
        """Write, and wait for the answer."""
        known = await self.inside.locator(".line.agent").count()
        await self.write(text)
        return await self.answer(known)

    async def press(self, title: str) -> str:
        """Press a button of the last question, and wait for the answer."""
        known = await self.inside.locator(".line.agent").count()
        await self.inside.locator(".choices button:enabled", has_text=title).first.click()
        return await self.answer(known)

    async def answer(self, known: int) -> str:
        line = self.inside.locator(".line.agent").nth(known)
        return await line.locator(".text").inner_text(timeout=SOON)

    async def texts(self) -> list[str]:
        return await self.inside.locator(".line .text").all_inner_texts()

    async def sees(self, *texts: str) -> None:
        """All of these and nothing else, in this order."""
        await expect(self.inside.locator(".line .text")).to_have_text(list(texts), use_inner_text=True)

    async def is_accessible(self) -> None:
        """The page, and the frame in it."""
        for part in {self.page, self.inside}:
            results = await Axe().run(part)
            assert results.violations_count == 0, results.generate_report()
