"""Reaching people and being reached: a colleague's session, places on the map, notifications, words for failures."""

import asyncio
import re

import pytest
from playwright.async_api import Browser, Page, Route, expect

from depth import depth
from panel.desk import ANA, LUIS, Customer, Desk, a_mark, change
from panel.killing import killed_in_the_middle
from panel.test_desk import WIDE, unlike_others
from webchat.screen import Screen, visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = {"width": 390, "height": 844}
# a headless browser has no desktop to show anything on, and its shell takes no permission for that
SHOWN = """globalThis.shown = [];
Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
ServiceWorkerRegistration.prototype.showNotification = async (title) => { shown.push(title); };"""
PAGES = ("map", "numbers", "campaigns", "agents", "people")
WHY_NOT = {
    "131026: Message undeliverable": "Ese número no recibe mensajes en este canal.",
    "the contact has blocked the bot or never wrote to it (403: Forbidden)": "El cliente bloqueó este canal",
    "Meta does not accept the access token, renew it or its permissions (190)": "perdió el permiso para enviar",
    "132001: Template name does not exist": "La plantilla no está aprobada",
    "131042: Business eligibility payment issue": "problema de pago",
    "something that nobody has seen before": "El canal no lo aceptó.",
}


async def test_a_session_is_taken_from_a_colleague_only_on_purpose(browser: Browser, shop: Serving) -> None:
    asked = unlike_others("quiero hablar con una persona")
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana, luis = await Desk.open(one, shop.url, ANA), await Desk.open(other, shop.url, LUIS)
        await Customer.new(shop.url).ask_for_a_person(asked)
        await luis.choose(asked)
        await luis.take()
        await luis.page.locator("#text").fill("a medio escribir")
        await ana.choose(asked, "all")
        await ana.is_held("other")
        await ana.page.keyboard.press("t")  # a key alone takes nothing from anybody
        await ana.page.get_by_role("button", name="Tomarla igual").click()
        await expect(ana.page.get_by_role("dialog")).to_contain_text(f"{LUIS.name} la está atendiendo")
        await ana.is_accessible()
        await ana.page.locator("#take-now").click()
        await ana.is_held("me")
        await luis.is_held("other")
        await expect(luis.page.locator(".toast")).to_have_text(f"{ANA.name} tomó esta conversación.")
        await expect(luis.page.locator("#text")).to_have_count(0)
        for desk in (ana, luis):
            desk.is_sound()


async def test_who_is_passed_a_session_is_told_wherever_they_look(browser: Browser, shop: Serving) -> None:
    asked = unlike_others("quiero hablar con una persona")
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana, luis = await Desk.open(one, shop.url, ANA), await Desk.open(other, shop.url, LUIS)
        await Customer.new(shop.url).ask_for_a_person(asked)
        await ana.choose(asked)
        await ana.take()
        await luis.visit("numbers")
        rang = await luis.page.evaluate("document.documentElement.dataset.rang ?? '0'")
        await ana.page.locator("#more").click()
        await ana.page.locator("[data-act=transfer]").click()
        await ana.page.get_by_label(LUIS.name).check()
        await ana.page.get_by_role("button", name="Pasar la conversación").click()
        await ana.is_held("other")
        await expect(ana.page.locator(".toast")).to_have_text([f"Se la pasaste a {LUIS.name}."])  # once
        await expect(luis.page.locator(".toast", has_text=f"{ANA.name} te pasó una conversación.")).to_be_visible()
        assert await luis.page.evaluate("document.documentElement.dataset.rang") != rang
        await luis.visit("inbox")
        await luis.choose(asked, "mine")
        for desk in (ana, luis):
            desk.is_sound()


async def test_a_step_on_the_map_lists_who_stands_there(browser: Browser, shop: Serving) -> None:
    mark = a_mark()
    customer = Customer.new(shop.url, "web-avisos")
    await customer.say(f"hola {mark}")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.visit("map")
        await desk.page.get_by_label("Agente").select_option("avisos")
        step = desk.page.locator("[data-flow=llamada] li").first
        await expect(step).to_contain_text("nombre, ciudad")
        await step.get_by_role("button").click()
        await expect(desk.page.locator(".chip")).to_contain_text("En el paso «Pregunta nombre, ciudad»")
        await desk.page.locator("#search").fill(mark)
        await expect(desk.rows).to_have_count(1)
        await expect(desk.page).to_have_url(re.compile(f"/panel/inbox/all\\?q={mark}&agent=avisos&flow=llamada&step=."))
        await desk.page.locator(".chip").click()
        await expect(desk.page.locator(".chip")).to_have_count(0)
        desk.is_sound()


async def test_who_waits_is_told_also_where_the_page_is_not_in_sight(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        await context.grant_permissions(["notifications"])
        await context.add_init_script("Object.defineProperty(document, 'hidden', { get: () => true })")
        await context.add_init_script(SHOWN)
        desk = await Desk.open(context, shop.url)
        asked = unlike_others("quiero hablar con una persona")
        await Customer.new(shop.url).ask_for_a_person(asked)
        await desk.page.wait_for_function("() => shown.length > 0")
        assert "pide una persona" in (await desk.page.evaluate("shown"))[0]
        desk.is_sound()


async def test_a_message_that_did_not_arrive_says_why_and_what_to_do(browser: Browser, shop: Serving) -> None:
    asked, answer = unlike_others("quiero hablar con una persona"), unlike_others("Ya te ayudo")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await desk.choose(asked)
        await desk.take()
        await desk.say(answer)
        await customer.has(answer)
        for reason, words in WHY_NOT.items():
            spoiled = "UPDATE outbox SET status = 'failed', reason = ? WHERE session_id = ? AND author = 'operator'"
            change(shop.database, spoiled, reason, desk.session)
            await desk.page.reload()
            told = desk.message(answer).locator(".undelivered")
            await expect(told).to_contain_text(words)
            await expect(told).to_contain_text(reason)
        await desk.is_accessible()
        await desk.page.locator("[data-view=trouble]").click()
        await desk.page.locator("#search").fill(asked)
        await expect(desk.rows).to_contain_text("no entregado")
        await desk.message(answer).get_by_role("button", name="Reintentar el envío").click()
        await expect(desk.message(answer).locator(".undelivered")).to_have_count(0)
        await expect(desk.rows).to_have_count(0)
        desk.is_sound()


async def test_a_server_that_dies_with_the_answer_in_its_hands_sends_it_once(browser: Browser, shop: Serving) -> None:
    asked, answer = unlike_others("quiero hablar con una persona"), unlike_others("En eso estoy")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await desk.choose(asked)
        await desk.take()
        died = False

        async def die_with_it(route: Route) -> None:
            nonlocal died
            if route.request.method != "POST" or died:
                await route.continue_()
                return
            died = True
            await route.fetch()  # it is safe there, and nobody learns of it
            shop.kill()
            await route.abort()

        await context.route("**/messages", die_with_it)
        await desk.say(answer)
        await expect(desk.page.locator(".going.retrying")).to_be_visible()
        await asyncio.to_thread(shop.start)
        await customer.has(answer)
        await expect(desk.page.locator(".going")).to_have_count(0)
        await expect(desk.page.locator(".message", has_text=answer)).to_have_count(1)
        assert (await customer.read()).count(answer) == 1


async def test_killing_the_server_again_and_again_loses_and_doubles_no_answer(browser: Browser, shop: Serving) -> None:
    asked = unlike_others("quiero hablar con una persona")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await desk.choose(asked)
        await desk.take()
        await killed_in_the_middle(desk, customer, [shop])
        desk.is_sound()


async def test_ten_minutes_without_the_stream_lose_nothing(browser: Browser, shop: Serving) -> None:
    mark = a_mark()
    async with visitor(browser, viewport=WIDE) as context:
        await context.clock.install()
        desk = await Desk.open(context, shop.url)
        await desk.seek(mark)
        await expect(desk.rows).to_have_count(0)
        await context.set_offline(True)
        await desk.is_live("down")
        for _ in range(3):
            await Customer.new(shop.url).ask_for_a_person(f"quiero hablar con una persona {mark}")
        await desk.page.clock.fast_forward("10:00")  # what would give up by then, gives up
        await asyncio.sleep(depth(0, 600))  # and in deep runs what the server and the browser would
        await expect(desk.page.locator(".link-state.down")).to_contain_text("Sin conexión")
        await context.set_offline(False)
        await desk.is_live()
        await expect(desk.rows).to_have_count(3)
        assert int(await desk.page.evaluate("document.documentElement.dataset.rang") or 0) >= 1
        desk.is_sound()


async def test_hostile_names_and_a_hundred_kilobytes_are_texts(browser: Browser, shop: Serving) -> None:
    asked = unlike_others("quiero hablar con una persona")
    name = "<img src=x onerror=\"document.title='hacked'\">\u202eoirártnoc\u2066 " + "ñ" * 300
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await Customer.new(shop.url).ask_for_a_person(asked)
        await desk.choose(asked)
        whose = "UPDATE contacts SET name = ? WHERE id = (SELECT contact_id FROM sessions WHERE id = ?)"
        change(shop.database, whose, name, desk.session)
        large = f"{asked} " + "<b>x</b> " * 12_000
        change(shop.database, "UPDATE turns SET heard = ? WHERE session_id = ? AND number = 1", large, desk.session)
        await desk.page.reload()
        await expect(desk.page.locator(".head h2")).to_contain_text("<img src=x")
        await expect(desk.page.locator(".row .name").first).to_contain_text("<img src=x")
        await desk.page.get_by_role("button", name="Ver completo (106 KB)").click()
        await expect(desk.page.get_by_role("button", name="Ver menos")).to_be_visible()
        assert "hacked" not in await desk.page.title()
        assert await desk.page.locator(".column b b, .column img, .inbox img, .head img").count() == 0
        assert await desk.page.evaluate("document.body.scrollWidth <= innerWidth")
        await desk.is_accessible()
        desk.is_sound()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_page_fits_a_phone_in_english_and_breaks_no_policy(
    browser: Browser, shop: Serving, scheme: str
) -> None:
    async with visitor(browser, viewport=PHONE, has_touch=True, color_scheme=scheme) as context:
        await context.add_init_script(
            "globalThis.broken = []; addEventListener('securitypolicyviolation', e => broken.push(e.blockedURI))"
        )
        desk = await Desk.open(context, shop.url)
        await desk.page.evaluate("localStorage.setItem('hilo.panel.language', 'en')")
        await desk.page.reload()
        await desk.is_live()
        await _fits(desk.page)
        for page in PAGES:
            await desk.visit(page)
            await expect(desk.page.locator(".page h1")).to_be_visible()
            await _fits(desk.page)
            await desk.is_accessible()
        for tab in ("keys", "channels", "audit"):
            await desk.page.locator(f"[data-tab={tab}]").click()
            await expect(desk.page.locator(".panel-card").first).to_be_visible()
            await _fits(desk.page)
            await desk.is_accessible()
        assert await desk.page.evaluate("broken") == []
        desk.is_sound()


async def _fits(page: Page) -> None:
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_flow_is_drawn_way_by_way_in_the_shops_words(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.page.goto(f"{shop.url}/panel/map?agent=kiosco")
        flow = desk.page.locator("details.flow", has_text="Confirmar el pedido")
        await flow.evaluate("details => { details.open = true }")
        ways = flow.locator(".steps")
        await expect(ways.first).to_contain_text("Usa Confirmar el pedido")
        await expect(ways.first.locator("li").last).to_have_text(re.compile("^Termina"))  # no arrow leads on from there
        await expect(ways.nth(1)).to_contain_text("todavía no lo confirmo")
        await expect(ways.nth(1).locator("li").last).to_have_text(re.compile("^Termina"))  # it goes to the end
        await expect(flow).not_to_contain_text("Decide")
        await expect(flow).to_contain_text("A nombre de «nombre»")
        for back in await flow.locator("li", has_text="Sigue en").all():
            await expect(back).to_have_text(re.compile("Sigue en «.+»"))
        right = await desk.page.locator(".drawing svg").bounding_box()
        for edge in await desk.page.locator(".drawing .edge").all():
            box = await edge.bounding_box()
            assert box
            assert right
            assert box["x"] + box["width"] <= right["x"] + right["width"]
        await desk.is_accessible()
        desk.is_sound()


async def test_how_long_the_agent_took_is_said_as_people_say_it(browser: Browser, shop: Serving) -> None:
    mark = unlike_others("hola")
    await Customer.new(shop.url).say(mark)
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark, "agent")
        late = desk.page.locator("[data-card=timers] li", has_text="Pasar a una persona por la demora")
        await late.get_by_role("button", name="Ejecutar ya").click()
        card = desk.page.locator("[data-card=handoff]")
        await expect(card).to_contain_text("El agente no avanzaba")
        await card.locator("summary").click()
        await expect(card.locator("details")).to_contain_text(re.compile(r"no terminó en \d+ (s|min)$"))
        desk.is_sound()


async def test_a_reason_of_the_agents_own_has_the_shops_word(browser: Browser, shop: Serving) -> None:
    customer = Customer.new(shop.url, "web-avisos")
    await customer.say("tengo un reclamo")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.page.goto(f"{shop.url}/panel/inbox/waiting?agent=avisos")
        await expect(desk.rows.locator(".mode", has_text="Reclamo").first).to_be_visible()
        await desk.page.goto(f"{shop.url}/panel/numbers")
        await expect(desk.page.locator("[data-chart=reasons] .bars")).to_contain_text("Reclamo")
        desk.is_sound()


async def test_every_chart_has_its_table_and_a_file(browser: Browser, shop: Serving) -> None:
    await Customer.new(shop.url).ask_for_a_person("quiero hablar con una persona")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.visit("numbers")
        for name, columns in {"conversations": 4, "waits": 3, "reasons": 2, "tokens": 5, "failures": 2}.items():
            chart = desk.page.locator(f"[data-chart={name}]")
            await chart.locator("summary").click()
            await expect(chart.locator("thead th")).to_have_count(columns)
            async with desk.page.expect_download() as waiting:
                await chart.get_by_role("button", name="Descargar CSV").click()
            assert (await waiting.value).suggested_filename == f"hilo-{name}.csv"
        today = desk.page.locator("[data-chart=tokens] tbody tr").last.locator("td")
        assert int(await today.nth(1).inner_text()) >= int(await today.nth(2).inner_text()) > 0
        await desk.is_accessible()
        desk.is_sound()


async def test_both_sides_see_that_the_other_writes(browser: Browser, shop: Serving) -> None:
    asked = unlike_others("quiero hablar con una persona")
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        desk = await Desk.open(one, shop.url)
        chat = await Screen.open(other, f"{shop.url}/chat/web-leads")
        await chat.say(asked)
        await desk.choose(asked)
        await desk.take()
        await desk.page.locator("#text").press_sequentially("Ya ")
        await expect(chat.page.locator("#typing")).to_be_visible()
        await expect(desk.page.locator(".typing")).to_have_count(0)  # nobody is told of their own writing
        await chat.page.locator("#text").press_sequentially("gra")
        await expect(desk.page.locator(".typing")).to_contain_text("Cliente escribe")
        await chat.page.locator("#text").press("Enter")
        await expect(desk.message("gra")).to_be_visible()
        await expect(desk.page.locator(".typing")).to_have_count(0)
        desk.is_sound()
