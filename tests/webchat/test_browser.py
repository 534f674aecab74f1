"""The chat page in a real browser, against a running `hilo serve`."""

import asyncio
import json
from datetime import datetime, timedelta

import pytest
from playwright.async_api import Browser, Route, WebSocketRoute, expect

from hilo.clock import SystemClock
from hilo.dialogue.events import MessageReceived
from hilo.messages import Address, Inbound, Outbound
from hilo.server.webchat.visits import visitor_of
from hilo.store.chat import message_key
from hilo.store.inbox import Arrival, accept
from hilo.store.outbox import OutboxEntry, Sending, Went, add_messages, begin, end
from hilo.store.sqlite import SqliteStore
from hilo.tools.database import Script, execute
from webchat.screen import PHONE, Screen, visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAME = "¿Cómo te llamas?"
MAIL = "¿A qué correo te escribimos?"
ELSEWHERE = "desde otro proceso"


def leads(serving: Serving) -> str:
    return f"{serving.url}/chat/web-leads"


def vuelos(serving: Serving) -> str:
    return f"{serving.url}/chat/web-vuelos"


async def test_a_visitor_is_led_from_hello_to_thanks(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        await screen.is_accessible()  # with nothing said yet
        assert NAME in await screen.say("Hola")
        assert await screen.say("Soy Ana Restrepo") == MAIL
        for words in ("ana@example.com", "313 555 0142", "Panadería El Trigal"):
            await screen.say(words)
        thanks = await screen.say("2 millones")
        assert thanks.startswith("¡Gracias, Ana Restrepo!")
        assert "\n" in thanks
        await screen.is_accessible()
        before = await screen.texts()
        await screen.page.reload()
        await screen.is_live("socket")
        await screen.sees(*before)
        assert await screen.page.locator(".day").inner_text() == "Hoy"


async def test_a_pressed_button_is_the_visitors_message_and_stays_marked(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, vuelos(serving))
        assert "¿Es correcto?" in await screen.say("Quiero un vuelo de Madrid a Bogotá el próximo viernes")
        await expect(screen.page.get_by_role("group", name="Opciones").get_by_role("button")).to_have_count(2)
        await screen.is_accessible()  # with open choices
        assert "ida y vuelta" in await screen.press("Sí")
        assert await screen.page.locator(".line.contact .text").all_inner_texts() == [
            "Quiero un vuelo de Madrid a Bogotá el próximo viernes",
            "Sí",
        ]
        for _ in range(2):
            await expect(screen.page.locator(".choices").first.locator("button:disabled")).to_have_count(2)
            await expect(screen.page.locator("button.pressed")).to_have_text(["Sí"])
            await expect(screen.page.locator(".choices button:enabled")).to_have_count(2)
            await screen.page.reload()
            await screen.is_live()


async def test_two_tabs_of_one_visitor_both_see_everything(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context, visitor(browser) as stranger:
        one, other = await Screen.open(context, leads(serving)), await Screen.open(context, leads(serving))
        foreign = await Screen.open(stranger, leads(serving))
        first = await one.say("Hola")
        await other.sees("Hola", first)  # or the first answer would be taken for the second
        second = await other.say("Soy Ana Restrepo")
        for screen in (one, other):
            await screen.sees("Hola", first, "Soy Ana Restrepo", second)
        assert await foreign.texts() == []


async def test_nothing_is_lost_or_doubled_when_the_server_dies_in_mid_talk(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        first = await screen.say("Hola")
        serving.kill()
        await screen.write("Soy Ana Restrepo")
        await expect(screen.page.locator(".state.retrying")).to_have_text("No enviado, reintentando…")
        await expect(screen.page.locator("#status")).to_have_text("Conectando…")
        await asyncio.to_thread(serving.start)
        await screen.is_live()
        await screen.sees("Hola", first, "Soy Ana Restrepo", MAIL)
        await expect(screen.page.locator(".state")).to_have_count(0)
        await screen.page.reload()
        await screen.sees("Hola", first, "Soy Ana Restrepo", MAIL)


@pytest.mark.parametrize(("blocked", "way"), [(0, "socket"), (1, "events"), (2, "poll")])
async def test_the_next_best_way_is_taken(browser: Browser, serving: Serving, blocked: int, way: str) -> None:
    async with visitor(browser) as context:
        if blocked >= 1:
            await context.route_web_socket("**/socket", lambda socket: socket.close(code=1006 + 5))
        if blocked >= 2:
            await context.route("**/events*", lambda route: route.abort())
        screen = await Screen.open(context, leads(serving))
        await screen.is_live(way)
        assert NAME in await screen.say("Hola")
        assert await screen.say("Soy Ana Restrepo") == MAIL
        assert len(await screen.texts()) == 4


async def test_what_is_written_offline_goes_out_when_the_network_is_back(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        first = await screen.say("Hola")
        await context.set_offline(True)
        await expect(screen.page.get_by_role("alert")).to_contain_text("Sin conexión")
        await screen.write("Soy Ana Restrepo")
        await expect(screen.page.locator(".state.retrying")).to_be_visible()
        await screen.is_accessible()  # without a network
        await context.set_offline(False)
        await screen.sees("Hola", first, "Soy Ana Restrepo", MAIL)
        await expect(screen.page.get_by_role("alert")).to_be_hidden()


async def test_a_message_survives_a_reload_before_it_was_sent(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        await context.route("**/messages", _refuse_posts)
        await screen.write("Hola")
        await expect(screen.page.locator(".state.retrying")).to_be_visible()
        await context.unroute("**/messages")
        await screen.page.reload()
        assert NAME in await screen.answer(0)
        assert len(await screen.texts()) == 2


async def _refuse_posts(route: Route) -> None:
    await (route.abort() if route.request.method == "POST" else route.continue_())


async def test_a_lost_answer_does_not_double_a_message(browser: Browser, serving: Serving) -> None:
    posts = 0

    async def lose_the_first(route: Route) -> None:
        nonlocal posts
        posts += route.request.method == "POST"
        if route.request.method == "POST" and posts == 1:
            await route.fetch()
            await route.abort()
            return
        await route.continue_()

    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        await context.route("**/messages", lose_the_first)
        first = await screen.say("Hola")
        await asyncio.sleep(1)
        assert posts == 2
        await screen.sees("Hola", first)


async def test_a_visitor_who_is_too_fast_is_told_and_served_later(browser: Browser, serving: Serving) -> None:
    refused = 0

    async def slow_down(route: Route) -> None:
        nonlocal refused
        if route.request.method == "POST" and not refused:
            refused += 1
            await route.fulfill(status=429, headers={"Retry-After": "1"}, json={"detail": "too many messages"})
            return
        await route.continue_()

    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        await context.route("**/messages", slow_down)
        await screen.write("Hola")
        await expect(screen.page.get_by_role("alert")).to_have_text("Vas muy rápido. Espera unos segundos.")
        assert NAME in await screen.answer(0)
        await expect(screen.page.get_by_role("alert")).to_be_hidden()


async def test_a_text_that_is_too_long_stays_where_it_is(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        await screen.write("a" * 4001)
        await expect(screen.page.get_by_role("alert")).to_contain_text("4000")
        assert len(await screen.page.input_value("#text")) == 4001
        await screen.is_accessible()  # with an error
        assert await screen.texts() == []


NASTY = (
    "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>",
    "javascript:alert(1) https://example.com/a?b=1&c=<b>2</b>.",
    "línea uno\n\n  línea dos \u202e al revés 😀",
)


async def test_html_is_shown_as_text_and_links_are_safe(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        for words in NASTY:
            await screen.say(words)
        await screen.page.reload()
        await screen.is_live()
        shown = await screen.page.locator(".line.contact .text").all_text_contents()
        assert shown == [words.strip() for words in NASTY]
        assert await screen.page.locator("#lines img, #lines script, #lines b").count() == 0
        links = screen.page.locator("#lines a")
        assert await links.evaluate_all("all => all.map((a) => a.href)") == ["https://example.com/a?b=1&c="]
        assert await links.first.get_attribute("rel") == "noopener noreferrer nofollow"
        assert await screen.page.title() == "Leads"


async def test_everything_fits_a_small_phone(browser: Browser, serving: Serving) -> None:
    async with visitor(browser, viewport=PHONE, has_touch=True, is_mobile=True) as context:
        screen = await Screen.open(context, vuelos(serving))
        await screen.say("Quiero un vuelo de Madrid a Bogotá el próximo viernes")
        await screen.say("pala" * 60 + " https://example.com/" + "x" * 200)
        assert await screen.page.evaluate("document.documentElement.scrollWidth") == 320
        overflow = "all => all.filter((e) => e.getBoundingClientRect().right > 320).length"
        assert await screen.page.locator("body *:not(.unseen)").evaluate_all(overflow) == 0
        for target in ("#send", "#text", ".choices button:enabled"):
            box = await screen.page.locator(target).first.bounding_box()
            assert box is not None
            assert box["height"] >= 42
            assert box["y"] + box["height"] <= 640
        await screen.is_accessible()


async def test_the_page_shrinks_with_the_keyboard_on_the_screen(browser: Browser, serving: Serving) -> None:
    async with visitor(browser, viewport=PHONE, has_touch=True, is_mobile=True) as context:
        screen = await Screen.open(context, leads(serving))
        await screen.say("Hola")
        await screen.page.set_viewport_size({"width": 320, "height": 330})
        await expect(screen.page.locator("#send")).to_be_in_viewport()
        await expect(screen.page.locator(".line.agent").last).to_be_in_viewport()


async def test_the_dark_page_is_dark_and_readable(browser: Browser, serving: Serving) -> None:
    async with visitor(browser, color_scheme="dark") as context:
        screen = await Screen.open(context, vuelos(serving))
        await screen.say("Quiero un vuelo de Madrid a Bogotá el próximo viernes")
        background = await screen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == "rgb(18, 22, 21)"
        await screen.is_accessible()


async def test_typing_is_shown_until_the_answer_comes(browser: Browser, serving: Serving) -> None:
    sockets: list[WebSocketRoute] = []

    def listen_in(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    async with visitor(browser) as context:
        await context.route_web_socket("**/socket", listen_in)
        screen = await Screen.open(context, leads(serving))
        sockets[-1].send(json.dumps({"typing": True}))
        await expect(screen.page.locator("#typing")).to_be_visible()
        await expect(screen.page.locator("#status")).to_have_text("Escribiendo…")
        await screen.is_accessible()
        await screen.say("Hola")
        await expect(screen.page.locator("#typing")).to_be_hidden()
        await expect(screen.page.locator("#status")).to_have_text("En línea")


async def test_the_page_speaks_english_when_asked(browser: Browser, serving: Serving) -> None:
    async with visitor(browser, locale="en-GB") as context:
        page = await context.new_page()
        await page.goto(serving.url)
        await expect(page.get_by_role("heading")).to_have_text("Conversations happen here")
        assert await page.get_by_role("link").all_inner_texts() == ["Open the panel"]  # chats are not listed here
        await Screen(page, page).is_accessible()
        await page.goto(leads(serving))
        await expect(page.get_by_role("textbox", name="Escribe un mensaje")).to_be_visible()  # as its agent speaks
        await page.goto(f"{leads(serving)}?lang=en")
        await expect(page.get_by_role("textbox", name="Write a message")).to_be_visible()
        await expect(page.get_by_role("button", name="Send")).to_be_visible()
        await expect(page.get_by_role("log", name="Conversation")).to_be_visible()
        assert await page.evaluate("document.documentElement.lang") == "en"


async def test_a_talk_needs_no_mouse(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, vuelos(serving))
        keys = screen.page.keyboard
        await keys.press("Tab")
        assert await screen.page.evaluate("document.activeElement.id") == "log"
        starters = await screen.page.locator("#starters button").all_inner_texts()
        assert starters
        for starter in starters:  # what one may begin with is reached before the field
            await keys.press("Tab")
            assert await screen.page.evaluate("document.activeElement.textContent") == starter
        await keys.press("Tab")
        await keys.type("Quiero un vuelo de Madrid a Bogotá")
        await keys.press("Shift+Enter")
        await keys.type("el próximo viernes")
        await keys.press("Enter")
        assert "¿Es correcto?" in await screen.answer(0)
        assert await screen.page.evaluate("document.activeElement.id") == "text"
        await keys.press("Shift+Tab")
        await keys.press("Shift+Tab")
        assert await screen.page.evaluate("document.activeElement.textContent") == "Sí"
        await keys.press("Enter")
        assert "ida y vuelta" in await screen.answer(1)


# --- what another process did -------------------------------------------------------------------------


async def _talked(serving: Serving, token: str, number: int) -> None:
    """A long talk, put into the store past the server."""
    store, now = SqliteStore(serving.folder / "hilo.db"), SystemClock().now()
    who = visitor_of(token)
    assert who is not None
    address = await store.run(_long_talk, who, number, now=now - timedelta(days=1))
    draft = OutboxEntry(f"told.{address}", "main", "web-leads", address, None, None, "operator", Outbound(ELSEWHERE))
    await store.run(add_messages, [draft], now=now)
    sending = await store.run(begin, address, owner="test", now=now)
    assert isinstance(sending, Sending)
    await store.run(end, sending, Went("sent"), now=now)
    await store.close()


def _long_talk(who: str, number: int, *, now: datetime) -> Script[str]:
    """Nobody answers it: it is done when the transaction ends."""
    arrivals = []
    for each in range(number):
        once, text = message_key(who, f"earlier-{each}"), f"mensaje {each}"
        message = Inbound(once, Address("web-leads", who), text, now)
        arrivals.append(Arrival(message, MessageReceived(now, text, id=once)))
    accepted = yield from accept("web-leads", arrivals, now=now)
    yield from execute("events_done", address=accepted[0].address, status="done", turn=0, last=10**9)
    return accepted[0].address


async def test_a_long_talk_comes_in_pages_and_news_from_elsewhere_are_found(browser: Browser, serving: Serving) -> None:
    async with visitor(browser) as context:
        screen = await Screen.open(context, leads(serving))
        token = await screen.page.evaluate("localStorage.getItem('hilo.visitor.web-leads')")
        await _talked(serving, token, 70)
        await expect(screen.page.locator(".line.operator .text")).to_have_text(ELSEWHERE)
        await screen.page.reload()
        await expect(screen.page.locator(".line")).to_have_count(50)
        await expect(screen.page.locator(".line").last).to_be_in_viewport()
        await screen.page.get_by_role("button", name="Ver mensajes anteriores").click()
        await screen.sees(*(f"mensaje {each}" for each in range(70)), ELSEWHERE)
        await expect(screen.page.locator("#earlier")).to_be_hidden()
        assert await screen.page.locator(".day").all_inner_texts() == ["Ayer", "Hoy"]
        await screen.is_accessible()
