"""What a person does in a conversation: answer within the window, correct, keep promises, use tools, give it back."""

import asyncio
import base64
import struct
import time
import zlib

import pytest
from playwright.async_api import Browser, Route, expect

from panel.desk import ANA, LUIS, Customer, Desk, a_mark, change
from panel.test_desk import WIDE, unlike_others
from webchat.screen import Screen, visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

DAY = 24 * 3600 * 1_000_000  # microseconds
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def called(shop: Serving, *words: str) -> tuple[Customer, str]:
    """A customer who said something to the agent that calls back; the mark stands in what they said."""
    mark = a_mark()
    customer = Customer.new(shop.url, "web-avisos")
    await customer.say(f"hola {mark}", *words)
    return customer, mark


async def test_a_closed_window_turns_free_text_off_and_offers_templates(browser: Browser, shop: Serving) -> None:
    customer, mark = await called(shop, "soy Ana Restrepo", "quiero una persona")
    change(shop.database, "UPDATE channels SET window_hours = 24 WHERE id = 'web-avisos'")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark)
        await desk.take()
        await expect(desk.page.locator(".window")).to_contain_text("Quedan 23 h")
        heard = time.time_ns() // 1000 - DAY + 8_000_000
        whose = "UPDATE addresses SET heard_at = ? WHERE id = (SELECT address_id FROM sessions WHERE id = ?)"
        change(shop.database, whose, heard, desk.session)
        await desk.page.reload()
        await desk.page.locator("#text").fill("a medio escribir")
        await expect(desk.page.locator("#text")).to_have_count(0)  # nothing was loaded in between
        await expect(desk.page.locator(".templates")).to_contain_text("Pasaron las 24 horas")
        await expect(desk.page.locator(".templates").get_by_label("nombre")).to_have_value("Ana Restrepo")
        await expect(desk.page.locator("#template-says")).to_have_text("Hola Ana Restrepo, seguimos con tu llamada.")
        await desk.is_accessible()
        await desk.page.locator("#send-template").click()
        await expect(desk.page.locator(".message.operator")).to_contain_text(
            "Hola Ana Restrepo, seguimos con tu llamada."
        )
        await customer.write("sí, por favor")  # the window is open again, on the page that was left open
        await expect(desk.page.locator("#text")).to_be_enabled()
        desk.is_sound()
    change(shop.database, "UPDATE channels SET window_hours = 0 WHERE id = 'web-avisos'")


async def test_values_are_shown_with_who_gave_them_and_corrected(browser: Browser, shop: Serving) -> None:
    _, mark = await called(shop, "soy Ana Restrepo", "quiero una persona")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark)
        name = desk.page.locator("[data-slot=nombre]")
        await expect(name).to_contain_text("cliente ·")
        await expect(desk.page.locator(".head h2")).to_have_text("Ana Restrepo")  # the page knows no other name
        await desk.take()
        await name.get_by_role("button", name="Corregir nombre").click()
        await desk.page.get_by_label("Nuevo valor: nombre").fill("Ana María Restrepo")
        await desk.page.keyboard.press("Enter")
        await expect(name.locator(".value")).to_have_text("Ana María Restrepo")
        await expect(name).to_contain_text("persona ·")
        await name.get_by_role("button", name="Corregir nombre").click()
        await desk.page.get_by_label("Nuevo valor: nombre").fill("1234")
        await desk.page.keyboard.press("Enter")
        await expect(name.get_by_role("alert")).to_contain_text("No se guardó: ese valor no sirve")
        await desk.is_accessible()
        await desk.page.keyboard.press("Escape")
        await expect(name.locator(".value")).to_have_text("Ana María Restrepo")
        await desk.page.locator("[data-card=handoff] summary").click()
        await expect(desk.page.locator("[data-card=handoff] .detail")).to_contain_text("el cliente escribió «persona»")
        desk.is_sound()


async def test_promises_count_down_and_are_kept_now_or_taken_back(browser: Browser, shop: Serving) -> None:
    customer, mark = await called(shop)
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark, "agent")
        timer = desk.page.locator("[data-card=timers] li")
        await expect(timer).to_contain_text("Recordarle la llamada")
        await expect(timer.locator(".countdown")).to_contain_text("en 3 h 59")
        await timer.get_by_role("button", name="Ejecutar ya").click()
        said = desk.message("¿Sigues esperando nuestra llamada?")
        await expect(said).to_be_visible()
        assert "¿Sigues esperando nuestra llamada?" in (await customer.read())[-1]
        await expect(said.locator(".by")).to_contain_text("enviado por un temporizador")
        await expect(timer).to_have_count(0)
        desk.is_sound()
    other, mark = await called(shop)
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark, "agent")
        await desk.page.locator("[data-card=timers] li").get_by_role("button", name="Cancelar").click()
        await expect(desk.page.locator("[data-card=timers]")).to_have_count(0)
        assert "¿Sigues esperando" not in (await other.read())[-1]


async def test_quick_actions_are_forms_with_the_shops_words(browser: Browser, shop: Serving) -> None:
    _, mark = await called(shop, "quiero una persona")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark)
        await desk.page.get_by_role("button", name="Marcar como llamado").click()
        form = desk.page.locator("[data-tool=marcar] form")
        await form.get_by_role("button", name="Ejecutar").click()
        await expect(form).to_be_visible()  # what is required is missing
        await form.get_by_label("Cuándo").fill("a las 10")
        await expect(form.get_by_label("veces")).to_have_attribute("type", "number")
        await desk.is_accessible()
        await form.get_by_role("button", name="Ejecutar").click()
        await expect(desk.page.locator(".toast", has_text="«Marcar como llamado» terminó")).to_be_visible()
        desk.is_sound()


async def test_replies_are_chosen_with_a_slash_and_filled_with_what_is_known(browser: Browser, shop: Serving) -> None:
    customer, mark = await called(shop, "soy Ana Restrepo", "quiero una persona")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark)
        await desk.take()
        await desk.page.get_by_role("button", name="Respuestas guardadas").click()
        await desk.page.get_by_label("Nombre corto").fill(f"sale{mark}")
        await desk.page.get_by_label("Texto (usa").fill("Sale, {nombre}")
        await expect(desk.page.get_by_role("dialog")).to_contain_text("En esta conversación: {nombre}")
        await desk.page.get_by_role("button", name="Agregar", exact=True).click()
        await expect(desk.page.locator(".replies")).to_contain_text(f"sale{mark}")
        await desk.page.get_by_role("button", name=f"Corregir sale{mark}").click()
        await desk.page.get_by_label("Texto (usa").fill("Ya sale, {Nómbre}. Va por {calle}.")
        await desk.page.get_by_role("dialog").get_by_role("button", name="Guardar", exact=True).click()
        await expect(desk.page.locator(".replies")).to_contain_text("Va por")
        await desk.page.keyboard.press("Escape")
        await desk.page.locator("#text").fill("/salw")
        await desk.page.locator("#text").press("Enter")  # a name that is misspelt is no message
        await expect(desk.page.locator(".canned")).to_contain_text("Ninguna respuesta guardada se llama así")
        await expect(desk.page.get_by_role("button", name="Enviar", exact=True)).to_be_disabled()
        await desk.page.locator("#text").fill(f"/sale{mark[:4]}")
        await expect(desk.page.locator("#canned li")).to_contain_text("Ya sale, Ana Restrepo.")
        await desk.is_accessible()
        await desk.page.locator("#text").press("Enter")
        await expect(desk.page.locator("#text")).to_have_value("Ya sale, Ana Restrepo. Va por {calle}.")
        await desk.page.locator("#text").fill("Ya sale, Ana Restrepo.")
        await desk.page.locator("#text").press("Enter")
        await customer.has("Ya sale, Ana Restrepo.")
        assert "/salw" not in await customer.read()
        await desk.page.get_by_role("button", name="Respuestas guardadas").click()
        await desk.page.get_by_role("button", name=f"Borrar sale{mark}").click()
        await expect(desk.page.locator(".replies")).not_to_contain_text(f"sale{mark}")
        await expect(desk.page.get_by_role("dialog").get_by_role("status")).to_contain_text(f"Se borró «sale{mark}»")
        await desk.page.get_by_role("button", name="Agregar", exact=True).click()  # it was a slip
        await expect(desk.page.locator(".replies")).to_contain_text(f"sale{mark}")


async def test_what_the_agent_will_say_is_seen_before_it_gets_the_session_back(browser: Browser, shop: Serving) -> None:
    customer, mark = await called(shop, "soy Ana Restrepo", "quiero una persona")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark)
        await desk.take()
        await desk.page.get_by_role("button", name="Reactivar IA").click()
        preview = desk.page.locator(".preview .text")
        await expect(preview.first).to_be_visible()
        await desk.page.get_by_label("Con qué palabras vuelve el agente").fill("Te dejo con el asistente.")
        await expect(preview.first).to_contain_text("Te dejo con el asistente.")
        await desk.is_accessible()
        promised = await preview.all_inner_texts()
        await desk.page.locator("#release-now").click()
        await desk.is_held("agent")
        for text in promised:
            await customer.has(text)
        desk.is_sound()


async def test_a_file_is_attached_seen_and_sent(browser: Browser, shop: Serving) -> None:
    _, mark = await called(shop, "quiero una persona")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark)
        await desk.take()
        await desk.page.locator("#file").set_input_files(
            {"name": "foto.png", "mimeType": "image/png", "buffer": PICTURE}
        )
        await expect(desk.page.locator(".chosen-file")).to_contain_text("foto.png")
        await desk.is_accessible()
        await desk.page.locator("#text").fill("Mira esto")
        await desk.page.get_by_role("button", name="Enviar", exact=True).click()
        shown = desk.message("Mira esto").locator("img.picture")
        await expect(shown).to_be_visible()
        await expect(desk.page.locator(".going")).to_have_count(0)
        assert await shown.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") == 1
        desk.is_sound()


def picture(width: int, height: int) -> bytes:
    """A grey PNG."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = (b"\x00" + b"\x99" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


LOADED = """selector => [...document.querySelectorAll(selector)]
    .every(each => each.complete && each.naturalHeight === 900)"""


async def _late(route: Route) -> None:
    """A picture whose size is known only a while after its message."""
    await asyncio.sleep(0.7)
    await route.continue_()


async def test_a_picture_that_loads_late_is_seen_whole_on_both_sides(browser: Browser, shop: Serving) -> None:
    mark = unlike_others("quiero una persona")
    at_end = "log => log.scrollHeight - log.scrollTop - log.clientHeight"
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        for context in (one, other):
            await context.route(
                "**/media/**", lambda route: _late(route) if route.request.method == "GET" else route.continue_()
            )
        chat = await Screen.open(other, f"{shop.url}/chat/web-avisos")
        for words in ("hola", "soy Ana Restrepo", "me equivoqué de nombre, soy Ana Gil", mark):
            await chat.say(words)
        desk = await Desk.open(one, shop.url)
        await desk.choose(mark)
        await desk.take()
        for number in range(2):
            await desk.page.locator("#file").set_input_files(
                {"name": "alta.png", "mimeType": "image/png", "buffer": picture(400, 900)}
            )
            await desk.page.locator("#text").fill(f"Mira {number}")
            await desk.page.get_by_role("button", name="Enviar", exact=True).click()
            await expect(desk.page.locator(".going")).to_have_count(0)
        for page, log in ((desk.page, ".log"), (chat.page, "#log")):
            pictures = page.locator(f"{log} img")
            await expect(pictures).to_have_count(2)
            await page.wait_for_function(LOADED, arg=f"{log} img")
            assert await page.locator(log).evaluate(at_end) < 80
            await expect(page.locator(".newest, #newest:not([hidden])")).to_have_count(0)
        await desk.page.locator(".log").evaluate("log => { log.scrollTop = 0; }")
        await chat.write("gracias")
        await expect(desk.page.locator(".newest")).to_be_visible()  # who reads further up is not torn away
        desk.is_sound()


# --- several pages at once ----------------------------------------------------------------------------


async def test_two_tabs_of_one_person_show_the_same(browser: Browser, shop: Serving) -> None:
    customer, mark = await called(shop, "quiero una persona")
    async with visitor(browser, viewport=WIDE) as context:
        one = await Desk.open(context, shop.url)
        await one.choose(mark)
        other = Desk(await context.new_page(), [])
        await other.page.goto(one.page.url)
        await other.is_live()
        await one.take()
        await other.is_held("me")
        words = unlike_others("Desde una pestaña")
        await one.say(words)
        await expect(other.message(words)).to_have_count(1)
        more = unlike_others("desde la otra")
        await other.say(more)
        await expect(one.message(more)).to_be_visible()
        await customer.has(more)
        assert (await customer.read()).count(words) == 1


async def test_a_session_that_ends_while_somebody_writes_says_so_and_keeps_the_words(
    browser: Browser, shop: Serving
) -> None:
    _, mark = await called(shop, "quiero una persona")
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as other:
        ana, luis = await Desk.open(one, shop.url, ANA), await Desk.open(other, shop.url, LUIS)
        await asyncio.gather(ana.choose(mark), luis.choose(mark))
        await ana.page.locator("#tab-note").click()
        await ana.page.locator("#text").fill("a medio escribir")
        await luis.page.locator("#more").click()
        await luis.page.locator("[data-act=close]").click()
        await luis.page.locator("#close-now").click()
        for desk in (ana, luis):
            await desk.is_held("closed")
        await expect(ana.page.locator("#text")).to_have_value("a medio escribir")
        await ana.page.locator("#tab-reply").click()
        await expect(ana.page.locator(".instead")).to_contain_text("La conversación está cerrada")
        await expect(ana.page.locator("#take")).to_have_count(0)
        for desk in (ana, luis):
            desk.is_sound()


async def test_a_session_of_nobody_here_is_a_page_that_says_so(browser: Browser, shop: Serving) -> None:
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.page.goto(f"{shop.url}/panel/inbox/all/session_0000000000000000")
        await expect(desk.page.locator("#conversation")).to_contain_text("no existe o no es de tu empresa")
        await desk.is_accessible()
        desk.is_sound()


# --- the map, the numbers -----------------------------------------------------------------------------


async def test_the_map_follows_a_conversation_while_it_moves(browser: Browser, shop: Serving) -> None:
    mark = a_mark()
    customer = Customer.new(shop.url, "web-kiosco")
    await customer.say(f"hola {mark}")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark, "agent")
        await desk.page.get_by_role("button", name="Ver en el mapa").click()
        await expect(desk.page.locator(".box.lit")).to_contain_text("Sin pedido")
        await customer.write("quiero 2 alfajor havanna chocolate")
        await expect(desk.page.locator(".box.lit")).to_contain_text("Arma el pedido")
        await customer.write("confirmar")
        await expect(desk.page.locator(".box.lit")).to_contain_text("Da sus datos")
        await expect(desk.page.locator(".steps .lit")).to_contain_text("Pregunta")
        await desk.is_accessible()
        await desk.page.locator("#followed").click()
        await expect(desk.message(mark)).to_be_visible()
        desk.is_sound()


async def test_numbers_have_orders_with_their_money_a_table_and_a_file(browser: Browser, shop: Serving) -> None:
    customer = Customer.new(shop.url, "web-kiosco")
    await customer.say("hola, quiero 2 alfajor havanna chocolate", "confirmar", "soy Marta Gómez", "12345678")
    await customer.say("lo retiro", "sí")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.page.locator("[data-page=numbers]").click()
        await expect(desk.page.locator("[data-figure='kiosco.pedidos']")).to_contain_text("3.000")
        chart = desk.page.locator("[data-chart=made-kiosco-pedidos]")
        await chart.locator("summary").click()
        await expect(chart.locator("tbody tr")).to_have_count(30)
        async with desk.page.expect_download() as waiting:
            await chart.get_by_role("button", name="Descargar CSV").click()
        download = await waiting.value
        lines = (await download.path()).read_text(encoding="utf-8-sig").splitlines()
        assert lines[0] == "Día,Pedidos,Importe"
        assert int(lines[-1].split(",")[1]) >= 1
        await desk.is_accessible()
        desk.is_sound()


async def test_an_order_is_made_for_a_customer_and_marked_with_the_shops_words(browser: Browser, shop: Serving) -> None:
    mark = a_mark()
    customer = Customer.new(shop.url, "web-kiosco")
    await customer.say(f"hola {mark}")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark, "agent")
        await desk.page.get_by_role("button", name="Hacer un pedido").click()
        form = desk.page.locator("[data-tool=create_order] form")
        await expect(form.get_by_label("Producto", exact=False)).to_be_focused()  # an order has a first line
        await form.get_by_label("Producto", exact=False).fill("alfajor")
        await form.get_by_label("Cantidad", exact=False).fill("2")
        await form.get_by_role("button", name="Ejecutar").click()
        await expect(form.get_by_role("alert")).to_contain_text("Havanna")  # which ones there are
        await expect(form.get_by_label("Cantidad", exact=False)).to_have_value("2")  # nothing is typed again
        await form.get_by_label("Producto", exact=False).press("Escape")
        await expect(form).to_have_count(0)  # the form is left, not the conversation
        await desk.page.get_by_role("button", name="Hacer un pedido").click()
        await form.get_by_label("Producto", exact=False).fill("alfajor havanna chocolate")
        await form.get_by_label("Cantidad", exact=False).fill("2")
        await desk.is_accessible()
        await form.get_by_role("button", name="Ejecutar").click()
        await expect(desk.page.locator(".message.ours", has_text="ORD-").first).to_contain_text("$3.000")
        said = next(text for text in await customer.read() if "ORD-" in text)
        number = said[said.index("ORD-") :][:9]
        await desk.page.get_by_role("button", name="Marcar un pedido").click()
        form = desk.page.locator("[data-tool=mark_order] form")
        await form.get_by_label("Número de pedido").fill(number)
        await form.get_by_label("Estado").select_option(label="Enviado")
        await form.get_by_role("button", name="Ejecutar").click()
        await expect(desk.page.locator(".toast", has_text="«Marcar un pedido» terminó")).to_be_visible()
        desk.is_sound()


async def test_what_was_made_before_and_earlier_conversations_stand_beside(browser: Browser, shop: Serving) -> None:
    mark = a_mark()
    customer = Customer.new(shop.url, "web-kiosco")
    await customer.say(f"hola {mark}, quiero 2 alfajor havanna chocolate", "confirmar", "soy Marta Gómez", "12345678")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark, "agent")
        await expect(desk.page.locator("[data-card=found]")).to_contain_text(
            "Alfajor Havanna chocolate"
        )  # in the making
        await customer.say("lo retiro", "sí")
        made = desk.page.locator("[data-made=pedidos]")
        await expect(made).to_contain_text("ORD-")
        await expect(made).to_contain_text("3.000")
        first = desk.session
        await desk.page.locator("#more").click()
        await desk.page.locator("[data-act=close]").click()
        await desk.page.locator("#close-now").click()
        await desk.is_held("closed")
        again = unlike_others("hola otra vez")
        await customer.write(again)
        await desk.choose(again, "agent")
        assert desk.session != first
        await expect(made).to_contain_text("ORD-")
        earlier = desk.page.locator("[data-card=contact] .earlier").last.get_by_role("button")
        await expect(desk.page.locator("[data-card=contact]")).to_contain_text("cerrada")
        await earlier.last.click()
        await expect(desk.message("ORD-")).to_be_visible()
        assert desk.session == first
        desk.is_sound()


async def test_who_waits_too_long_turns_red_and_a_paused_session_stays_silent(browser: Browser, shop: Serving) -> None:
    _, mark = await called(shop, "quiero una persona")
    quiet, other = await called(shop)
    async with visitor(browser, viewport=WIDE) as one, visitor(browser, viewport=WIDE) as two:
        ana, luis = await Desk.open(one, shop.url, ANA), await Desk.open(two, shop.url, LUIS)
        await ana.choose(mark)
        await expect(ana.rows.locator(".wait.fine")).to_be_visible()
        for minutes, degree in ((3, "soon"), (6, "late")):  # of the five that a file without `answer_within` has
            since = time.time_ns() // 1000 - minutes * 60_000_000
            change(shop.database, "UPDATE handoffs SET created_at = ? WHERE session_id = ?", since, ana.session)
            await ana.page.reload()
            await expect(ana.rows.locator(f".wait.{degree}")).to_have_text(f"espera {minutes} min")
        await asyncio.gather(ana.choose(other, "agent"), luis.choose(other, "agent"))
        await ana.page.locator("#more").click()
        await ana.page.locator("[data-act=pause]").click()
        await luis.is_held("paused")
        await expect(luis.rows).to_have_count(0)  # the agent has it no more
        known = len(await quiet.read())
        await quiet.write("¿hola?")
        await expect(luis.message("¿hola?")).to_be_visible()
        assert len(await quiet.read()) == known + 1
        await expect(luis.page.locator(".instead")).to_contain_text("el agente no responde")
        await luis.page.locator("#resume").click()
        await ana.is_held("agent")
        for desk in (ana, luis):
            desk.is_sound()
