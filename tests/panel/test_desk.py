"""The panel in a real browser: two people and a customer at once, against a running `hilo serve`."""

import asyncio
import re
import secrets

import pytest
from playwright.async_api import Browser, Route, expect

from panel.desk import ANA, LUIS, Customer, Desk, a_mark
from webchat.screen import visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

WIDE = {"width": 1440, "height": 900}


def unlike_others(words: str) -> str:
    """Words that no other test says."""
    return f"{words} {a_mark()}"


async def test_a_wrong_password_says_so_and_the_right_one_lets_in(browser: Browser, shop: Serving) -> None:
    async with visitor(browser) as context:
        page = await context.new_page()
        await page.goto(f"{shop.url}/panel")
        await page.get_by_label("Usuario").fill(ANA.login)
        await page.get_by_label("Contraseña").fill("otra clave cualquiera")
        await page.get_by_role("button", name="Entrar").click()
        await expect(page.get_by_role("alert")).to_have_text("El usuario o la contraseña no coinciden.")
        await page.close()
        desk = await Desk.open(context, shop.url)
        await desk.page.reload()
        await desk.is_live()
        await desk.page.locator(".account .rail-tool").click()
        await expect(desk.page.get_by_label("Usuario")).to_be_visible()
        desk.is_sound()


async def test_who_tries_many_passwords_is_told_to_wait(browser: Browser, shop: Serving) -> None:
    async with visitor(browser) as context:
        page = await context.new_page()
        await page.goto(f"{shop.url}/panel")
        await page.get_by_label("Usuario").fill(f"nadie{secrets.token_hex(4)}")
        for tries in range(11):
            await page.get_by_label("Contraseña").fill(f"clave {tries}")
            async with page.expect_response("**/panel/login"):
                await page.get_by_role("button", name="Entrar").click()
        await expect(page.get_by_role("alert")).to_have_text(
            re.compile(r"Demasiados intentos\. Prueba de nuevo en \d+")
        )
        await Desk(page, []).is_accessible()


async def test_a_customer_is_seen_taken_answered_and_given_back(browser: Browser, shop: Serving) -> None:
    asked, answer = unlike_others("quiero hablar con una persona"), unlike_others("Hola, soy Ana.")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await desk.choose(asked)
        await desk.is_held("nobody")
        await expect(desk.rows.locator(".mode")).to_have_text("leads · Pidió una persona")
        await expect(desk.page.locator(".head .mode")).to_have_text("Pidió una persona")
        await expect(desk.page.locator("[data-card=handoff]")).to_contain_text("Pidió una persona")
        await expect(desk.page.locator("[data-card=handoff] blockquote").last).to_have_text(asked)
        await desk.take()
        await desk.say(answer)
        await customer.has(answer)
        await expect(desk.message(answer).locator(".by")).to_have_text("Tú")
        await expect(desk.page.locator(".going")).to_have_count(0)
        more = unlike_others("¿siguen ahí?")
        await customer.write(more)
        await expect(desk.message(more)).to_be_visible()
        await desk.page.locator("#release").click()
        await desk.page.locator("#release-now").click()
        await desk.is_held("agent")
        desk.is_sound()


async def test_two_people_reach_for_one_customer_and_one_of_them_has_it(browser: Browser, shop: Serving) -> None:
    asked = unlike_others("quiero hablar con una persona")
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana, luis = await Desk.open(one, shop.url, ANA), await Desk.open(other, shop.url, LUIS)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await asyncio.gather(ana.choose(asked), luis.choose(asked))
        await asyncio.gather(*(desk.page.locator("#take").click() for desk in (ana, luis)))
        badges = [desk.page.locator(".badge[data-holder=me], .badge[data-holder=other]") for desk in (ana, luis)]
        for badge in badges:
            await expect(badge).to_be_visible()
        holds = [await badge.get_attribute("data-holder") for badge in badges]
        assert sorted(filter(None, holds)) == ["me", "other"]
        winner, loser = (ana, luis) if holds[0] == "me" else (luis, ana)
        name = (ANA if winner is ana else LUIS).name
        await expect(loser.page.locator(".badge")).to_have_text(f"Atiende {name}")
        await expect(loser.page.locator("#text")).to_have_count(0)
        await expect(loser.page.locator(".toast.bad")).to_have_text(f"{name} ya tiene esta conversación.")
        words = unlike_others("Ya te ayudo")
        await winner.say(words)
        await customer.has(words)
        await expect(loser.message(words).locator(".by")).to_have_text(name)
        for desk in (ana, luis):
            desk.is_sound()


async def test_an_answer_survives_the_death_of_the_server_and_arrives_once(browser: Browser, shop: Serving) -> None:
    asked, answer = unlike_others("quiero hablar con una persona"), unlike_others("No te preocupes")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await desk.choose(asked)
        await desk.take()
        shop.kill()
        await desk.say(answer)
        await expect(desk.page.locator(".going.retrying")).to_be_visible()
        await asyncio.to_thread(shop.start)
        await customer.has(answer)
        await desk.is_live()
        await expect(desk.page.locator(".going")).to_have_count(0)
        await expect(desk.page.locator(".message", has_text=answer)).to_have_count(1)
        assert (await customer.read()).count(answer) == 1


async def test_a_lost_answer_of_the_server_does_not_double_a_message(browser: Browser, shop: Serving) -> None:
    asked, answer = unlike_others("quiero hablar con una persona"), unlike_others("Un momento")
    posts = 0

    async def lose_the_first(route: Route) -> None:
        nonlocal posts
        if route.request.method != "POST":
            await route.continue_()
            return
        posts += 1
        if posts > 1:
            await route.continue_()
            return
        await route.fetch()
        await route.abort()

    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await desk.choose(asked)
        await desk.take()
        await context.route("**/messages", lose_the_first)
        await desk.say(answer)
        await customer.has(answer)
        await expect(desk.page.locator(".going")).to_have_count(0)
        await expect(desk.page.locator(".message", has_text=answer)).to_have_count(1)
        assert posts == 2
        assert (await customer.read()).count(answer) == 1


async def test_notes_are_for_colleagues_and_never_for_the_customer(browser: Browser, shop: Serving) -> None:
    asked, note = unlike_others("quiero hablar con una persona"), unlike_others("Es clienta de siempre")
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana, luis = await Desk.open(one, shop.url, ANA), await Desk.open(other, shop.url, LUIS)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person(asked)
        await asyncio.gather(ana.choose(asked), luis.choose(asked))
        await luis.page.keyboard.press("n")
        await luis.page.locator("#text").fill(note)
        await luis.page.locator("#text").press("Enter")
        await expect(ana.page.locator(".note", has_text=note)).to_contain_text(LUIS.name)
        assert note not in await customer.read()


async def test_what_either_side_said_and_names_are_found_whatever_the_accents(browser: Browser, shop: Serving) -> None:
    asked, answer = unlike_others("quiero hablar con una persona"), unlike_others("Sale en el camión azul, señora")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        customer = Customer.new(shop.url)
        await customer.say("hola", "soy Ángela Iñíguez")
        await customer.ask_for_a_person(asked)
        await desk.choose(asked)
        session = desk.session
        await desk.take()
        await desk.say(answer)
        await customer.has(answer)
        mark = answer.rpartition(" ")[2]
        await desk.seek(f"CAMION AZUL, SENORA {mark}")  # nobody who waits was told that
        await expect(desk.rows).to_have_count(0)
        await desk.page.get_by_role("button", name="Buscar en todas las conversaciones").click()
        await expect(desk.rows).to_have_attribute("data-session", session)
        await desk.seek("angela iniguez", "mine")
        await expect(desk.page.locator(f".row[data-session={session}]")).to_be_visible()
        more = unlike_others("gracias")
        await desk.seek(more, "mine")
        await expect(desk.rows).to_have_count(0)
        await customer.write(more)  # a search that is open finds what comes now
        await expect(desk.rows).to_have_attribute("data-session", session)
        await desk.is_accessible()
        desk.is_sound()


async def test_polling_takes_over_where_streams_are_blocked(browser: Browser, shop: Serving) -> None:
    async def block_streams(route: Route) -> None:
        if "event-stream" in route.request.headers.get("accept", ""):
            await route.abort()
        else:
            await route.continue_()

    async with visitor(browser, viewport=WIDE) as context:
        await context.route("**/api/v1/stream*", block_streams)
        desk = await Desk.open(context, shop.url, way="polling")
        asked = unlike_others("quiero hablar con una persona")
        await desk.seek(asked)
        await Customer.new(shop.url).ask_for_a_person(asked)
        await expect(desk.rows).to_have_count(1)


async def test_a_cut_stream_goes_on_where_it_stopped(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        asked = unlike_others("quiero hablar con una persona")
        await desk.seek(asked)
        await expect(desk.rows).to_have_count(0)
        await context.set_offline(True)
        await desk.is_live("down")
        await Customer.new(shop.url).ask_for_a_person(asked)
        await context.set_offline(False)
        await desk.is_live()
        await expect(desk.rows).to_have_count(1)
        rung = await desk.page.evaluate("document.documentElement.dataset.rang")
        assert int(rung or 0) >= 1
        assert (await desk.page.title()).startswith("(")


async def test_why_shows_what_was_read_understood_and_said(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        customer = Customer.new(shop.url)
        await customer.ask_for_a_person("Hola")
        words = unlike_others("soy Ana Restrepo y mi correo es ana@example.com")
        await customer.write(words)
        await desk.choose(words, "agent")
        await desk.page.locator(".why-link").last.click()
        why = desk.page.locator(".why")
        first = why.locator("[data-why=nodes] .node").first
        await expect(first).to_have_text("¿Pide una persona?")
        await expect(first).to_have_attribute("title", "check_escalation")  # its name, for authors
        await expect(why.locator("[data-why=heard] mark").first).to_be_visible()
        await expect(why.locator("[data-why=cost]")).to_contain_text("Sin tokens")
        await desk.is_accessible()
        await desk.page.keyboard.press("Escape")
        await expect(why).to_have_count(0)
        desk.is_sound()
