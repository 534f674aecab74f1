"""The server killed while an operator's answer is under way, at moments that nobody chose."""

import asyncio
import secrets
from collections.abc import Sequence

from playwright.async_api import expect

from depth import depth
from panel.desk import Customer, Desk
from webchat.serving import Serving

MOMENTS = (0.0, 0.02, 0.06)  # seconds after the answer was given: before, while and after it is stored and sent
ANSWERS = depth(2, 12)


async def killed_in_the_middle(desk: Desk, customer: Customer, servers: Sequence[Serving]) -> None:
    """Every answer arrives once, in the order in which it was given, whenever which server dies."""
    given = []
    for number in range(ANSWERS):
        words = f"respuesta {number} {secrets.token_hex(3)}"
        given.append(words)
        server = servers[number % len(servers)]
        await desk.say(words)
        await asyncio.sleep(MOMENTS[number % len(MOMENTS)])
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        await customer.has(words)
        await expect(desk.page.locator(".going")).to_have_count(0)
    said = [text for text in await customer.read() if text.startswith("respuesta ")]
    assert said == given
    for words in given:
        await expect(desk.page.locator(".message", has_text=words)).to_have_count(1)
