"""The panel's page: hostile texts, the keyboard, a phone, both languages, a thousand sessions."""

import asyncio
import contextlib
import math
import re
import time
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Browser, Page, Route, expect
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from panel.desk import Customer, Desk, a_mark, multiply
from panel.test_desk import WIDE
from webchat.screen import visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

MANY = 1000
FRAME = 1000 / 60  # milliseconds
SMOOTH = 3 * FRAME  # the machine that tests is busy and draws in software
FRAMES = """async (scrolls) => {
  const list = document.querySelector(".rows");
  const times = [];
  let last = performance.now();
  for (let step = 0; step < 120; step += 1) {
    if (scrolls) list.scrollTop = (list.scrollHeight * step) / 120;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times.sort((a, b) => a - b);
}"""
STEPS = 120
TRIES = 5  # the first compiles everything, and a busy machine spoils some of the others
SCROLL_TO = """async (part) => {
  const list = document.querySelector(".rows");
  list.scrollTop = list.scrollHeight * part;
  await new Promise(requestAnimationFrame);
}"""
NASTY = (
    "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>",
    "<svg/onload=document.title='hacked'> {{constructor.constructor('document.title=1')()}}",
    "javascript:document.title='hacked' https://example.com/?a=<b>1</b>\"onclick=\"x",
    "\u202eal revés\u2066 dentro\u2069 \u200f\u05e2\u05d1\u05e8\u200f y sigue",
    "á" * 3900,
)


async def test_hostile_texts_are_texts(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        mark = a_mark()
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(f"quiero hablar con una persona {mark}")
        await desk.choose(mark)
        for text in NASTY:
            await customer.write(text)
            await expect(desk.page.locator(".message.theirs").last).to_contain_text(text[:40].strip())
        await desk.take()
        await desk.say(NASTY[0])
        await customer.has(NASTY[0])
        await desk.page.locator("#tab-note").click()
        await desk.page.locator("#text").fill(NASTY[0])
        await desk.page.locator("#text").press("Enter")
        await expect(desk.page.locator(".note")).to_contain_text("onerror")
        assert "hacked" not in await desk.page.title()
        assert await desk.page.locator(".column img, .column script, .column svg[onload], .inbox img").count() == 0
        assert await desk.page.evaluate("document.body.scrollWidth <= innerWidth")
        assert await desk.page.locator(".column a[href^='javascript']").count() == 0
        await expect(desk.page.get_by_role("button", name="Ver completo")).to_be_visible()
        await desk.is_accessible()
        desk.is_sound()


async def test_everything_is_done_with_the_keyboard(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        mark = a_mark()
        for _ in range(2):
            await Customer.new(shop.url).ask_for_a_person(f"quiero hablar con una persona {mark}")
        keyboard = desk.page.keyboard
        await keyboard.press("1")
        await keyboard.press("/")
        await expect(desk.page.locator("#search")).to_be_focused()  # a key before that is a shortcut
        await keyboard.type(mark)
        await expect(desk.page).to_have_url(re.compile(f"q={mark}"))  # there may be two without searching, too
        await expect(desk.rows).to_have_count(2)
        await keyboard.press("Escape")
        first = await desk.page.locator(".row.chosen").get_attribute("data-session")
        await keyboard.press("j")
        await expect(desk.page.locator(".row.chosen")).not_to_have_attribute("data-session", first or "")
        await keyboard.press("k")
        await expect(desk.page.locator(".row.chosen")).to_have_attribute("data-session", first or "")
        await keyboard.press("Enter")
        await expect(desk.message(mark)).to_be_visible()
        await keyboard.press("t")
        await desk.is_held("me")
        await expect(desk.page.locator("#text")).to_be_focused()
        await keyboard.type("Hola")
        await keyboard.press("Enter")
        await expect(desk.message("Hola")).to_be_visible()
        await keyboard.press("Escape")
        await keyboard.press("w")
        await expect(desk.page.locator(".why")).to_be_visible()
        await keyboard.press("Escape")
        await keyboard.press("?")
        await expect(desk.page.get_by_role("dialog")).to_contain_text("Atajos de teclado")
        await keyboard.press("Escape")
        await expect(desk.page.get_by_role("dialog")).to_have_count(0)  # keys pressed while it closes are still its own
        await keyboard.press("r")
        await expect(desk.page.get_by_role("dialog")).to_contain_text("Reactivar IA")
        await desk.is_accessible()
        desk.is_sound()


async def test_on_a_phone_a_customer_is_answered_within_three_taps(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport={"width": 360, "height": 700}, has_touch=True) as context:
        desk = await Desk.open(context, shop.url)
        mark = a_mark()
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(f"quiero hablar con una persona {mark}")
        await desk.seek(mark)
        await desk.is_accessible()
        await desk.rows.tap()
        await desk.page.locator("#take").tap()
        await expect(desk.page.locator("#text")).to_be_focused()
        await desk.page.keyboard.type("Hola desde el teléfono")
        await desk.page.locator(".send").tap()
        await customer.has("Hola desde el teléfono")
        await desk.is_accessible()
        await desk.page.locator(".details").tap()
        await expect(desk.page.locator("[data-card=contact]")).to_be_visible()
        await desk.is_accessible()
        assert await desk.page.evaluate("document.body.scrollWidth <= innerWidth")


async def test_map_and_numbers_are_drawn_and_speak_english(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE, color_scheme="dark") as context:
        customer = Customer.new(shop.url, "web-kiosco")
        await customer.ask_for_a_person("hola")
        desk = await Desk.open(context, shop.url)
        await desk.page.locator("[data-page=map]").click()
        await desk.page.get_by_label("Agente").select_option("kiosco")
        await expect(desk.page.locator("[data-mode=IDLE]")).to_be_visible()
        await desk.is_accessible()
        await desk.page.locator("[data-mode=IDLE]").click()
        await expect(desk.page).to_have_url(f"{shop.url}/panel/inbox/all?agent=kiosco&mode=IDLE")
        await expect(desk.rows.first).to_be_visible()
        await desk.page.locator("[data-page=numbers]").click()
        await expect(desk.page.locator("[data-chart=conversations] rect").first).to_be_visible()
        await desk.is_accessible()
        await desk.page.locator("[data-tool=globe]").click()
        await expect(desk.page.get_by_role("heading", name="Numbers")).to_be_visible()
        await expect(desk.page.locator("html")).to_have_attribute("lang", "en")
        desk.is_sound()


async def test_a_map_that_comes_late_does_not_replace_the_one_chosen_since(browser: Browser, shop: Serving) -> None:
    late, told = asyncio.Event(), asyncio.Event()

    async def hold_back(route: Route) -> None:
        answer = await route.fetch()
        await late.wait()
        with contextlib.suppress(PlaywrightError):  # nobody waits for it any more
            await route.fulfill(response=answer)
        told.set()

    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await context.route("**/agents/leads/map", hold_back)
        async with desk.page.expect_request("**/agents/leads/map"):
            await desk.page.goto(f"{shop.url}/panel/map?agent=leads")
        await desk.page.get_by_label("Agente").select_option("kiosco")
        await expect(desk.page.locator("[data-mode=IDLE]")).to_be_visible()
        late.set()
        await told.wait()
        with pytest.raises(PlaywrightTimeout):
            await desk.page.wait_for_selector("[data-flow=capture]", timeout=2000)
        await expect(desk.page.locator("[data-mode=IDLE]")).to_be_visible()
        desk.is_sound()


async def test_a_thousand_sessions_scroll_smoothly(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        mark = a_mark()
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(f"Hola {mark}")
        await desk.choose(mark, "agent")
        session = desk.session
        multiply(shop.database, session, MANY)
        await desk.page.goto(f"{shop.url}/panel/inbox/agent")
        rows = desk.page.locator(".rows")
        await expect(desk.page.locator("[data-view=agent] .count")).to_have_text(re.compile(r"^\d{4,}$"))
        while int(await rows.get_attribute("data-loaded") or 0) < MANY:
            await rows.evaluate("list => { list.scrollTop = list.scrollHeight }")
            await asyncio.sleep(0.1)
        at_rest, _ = await _quietest(lambda: desk.page.evaluate(FRAMES, arg=False))
        half, most = await _quietest(lambda: desk.page.evaluate(FRAMES, arg=True))
        assert await desk.rows.count() < 60  # only what is on the screen is drawn
        print(f"{MANY} sessions: half of the frames took {half:.1f} ms, 95 of 100 at most {most:.1f} ms")  # noqa: T201
        # By the clock a frame also takes what others do meanwhile, as it does where nothing is scrolled.
        assert half < max(2 * SMOOTH, 3 * at_rest)
        half, most = await _quietest(lambda: _work_of_frames(desk.page))
        print(f"work of the page in a frame: half {half:.1f} ms, 95 of 100 at most {most:.1f} ms")  # noqa: T201
        assert half < FRAME
        assert most < SMOOTH
        news = f"lo primero {mark}"
        began = time.monotonic()
        await customer.write(news)
        await expect(desk.page.locator(".row", has_text="Visita").first).to_be_visible()
        await rows.evaluate("list => { list.scrollTop = 0 }")
        await expect(desk.rows.first).to_have_attribute("data-session", session)
        print(f"news among {MANY} sessions after {time.monotonic() - began:.1f} s")  # noqa: T201
        desk.is_sound()


async def _quietest(measured: Callable[[], Awaitable[list[float]]]) -> tuple[float, float]:
    """What half and what 95 of 100 of the frames take at most, in the try that others disturbed least."""
    best = (math.inf, math.inf)
    for _ in range(TRIES):
        times = sorted(await measured())
        best = min(best, (times[len(times) // 2], times[len(times) * 95 // 100]), key=lambda times: times[1])
        if best[0] < FRAME and best[1] < SMOOTH:
            break
    return best


async def _work_of_frames(page: Page) -> list[float]:
    """Milliseconds that the page's own thread worked in each frame of scrolling, whatever else the machine does."""
    protocol = await page.context.new_cdp_session(page)
    await protocol.send("Performance.enable", {"timeDomain": "threadTicks"})
    spent, before = [], 0.0
    for step in range(STEPS + 1):
        await page.evaluate(SCROLL_TO, step / STEPS)
        metrics = (await protocol.send("Performance.getMetrics"))["metrics"]
        now = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
        spent.append((now - before) * 1000)
        before = now
    return spent[1:]
