"""Why the agent said what it said, where a model was asked: tokens, cost, refused commands; and wordings used up."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from hilo.testing.models.answers import Calls, Says, Script, about
from hilo.testing.models.anthropic import FakeAnthropic
from hilo.testing.models.server import KEY
from hilo.testing.models.table import Case, always
from panel.conftest import add_people
from panel.desk import Customer, Desk
from panel.test_desk import WIDE, unlike_others
from webchat.screen import visitor
from webchat.serving import Serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOP = """
agent: tienda
language: es
model: loop
grounded: loose
labels: {vaciar: Vaciar el carrito, buscar: Buscar productos, texto: Qué busca, IDLE: Mirando}
slots:
  hallado: {type: text, label: hallado, found: true}
modes:
  IDLE: {tools: [buscar], to: [ORDER]}
  ORDER: {tools: [buscar, vaciar], to: [IDLE]}
  PERSON: {operator: true, tools: [buscar]}
intents: {hours: {examples: [a qué hora abren, cuál es el horario], answer: hours}}
templates: {hours: "De 9 a 18.", off_topic: "Eso no lo sé."}
"""
SHOP_TOOLS = """
from hilo import tool


@tool
async def buscar(texto: str) -> dict[str, str]:
    \"\"\"Look for goods.\"\"\"
    return {"hallado": f"{texto} a 100"}


@tool(writes=True, needs_yes=False)
async def vaciar() -> dict[str, str]:
    \"\"\"Empty the cart.\"\"\"
    return {"hallado": ""}
"""
NEVER_TWICE = """
agent: fijo
language: es
repeats: never
intents:
  hours: {examples: [a qué hora abren, cuál es el horario, qué horario tienen], answer: hours}
templates: {hours: "Abrimos de 9 a 18."}
"""
WANTED = Says(calls=(Calls("vaciar"), Calls("buscar", {"texto": "yerba"})))
SCRIPT: list[Script] = [
    Case(about("mate"), WANTED, times=1),
    Case(always, Says("Hay yerba a 100.")),
]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def asking(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Serving]:
    """A shop whose agent asks a model, and one that never says the same twice."""
    folder = tmp_path_factory.mktemp("why")
    async with FakeAnthropic(SCRIPT) as claude:
        model = {"HILO_MODEL_URL": claude.url, "HILO_MODEL_KEY": KEY}
        server = Serving(folder, (_shop(folder), _fixed(folder)), model)
        await asyncio.to_thread(server.start)
        await add_people(server)
        yield server
        await asyncio.to_thread(server.stop)


def _shop(folder: Path) -> Path:
    shop = folder / "tienda"
    shop.mkdir()
    (shop / "agent.yaml").write_text(SHOP, encoding="utf-8")
    (shop / "tools.py").write_text(SHOP_TOOLS, encoding="utf-8")
    return shop


def _fixed(folder: Path) -> Path:
    file = folder / "fijo.yaml"
    file.write_text(NEVER_TWICE, encoding="utf-8")
    return file


async def test_why_tells_tokens_cost_calls_and_what_was_refused_with_the_reason(
    browser: Browser, asking: Serving
) -> None:
    words = "necesito algo para el mate de mi abuela"  # nothing that is understood without a model
    customer = Customer.new(asking.url, "web-tienda")
    await customer.say(words)
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, asking.url)
        await desk.choose(words, "agent")
        await desk.page.locator(".why-link").last.click()
        why = desk.page.locator(".why")
        refused = why.locator("[data-why=refused] li")
        await expect(refused).to_contain_text("Vaciar el carrito")
        await expect(refused.locator(".reason")).to_have_text("porque «Vaciar el carrito» no se permite en «Mirando»")
        call = why.locator("[data-why=calls] .call")
        await expect(call).to_contain_text("Buscar productos")
        await call.locator("summary").click()
        await expect(call.locator("pre").first).to_contain_text("yerba")
        await expect(call.locator("pre").last).to_contain_text("yerba a 100")
        await expect(why.locator("[data-why=said]")).to_contain_text("Hay yerba a 100.")
        cost = why.locator("[data-why=cost]")
        await expect(cost).to_contain_text("3.722 tokens leídos, 24 escritos")  # two requests of 21 + 1,840 and 12
        await expect(cost).to_contain_text(re.compile(r"US\$ 0,00\d+"))
        await expect(cost).to_contain_text("claude")
        await expect(cost).to_contain_text("Con un modelo, que propone")
        await expect(why.locator("[data-why=nodes] .visited", has_text="Escucha al modelo")).to_be_visible()
        await desk.is_accessible()
        desk.is_sound()


async def test_why_tells_that_a_person_was_called_and_by_which_words(browser: Browser, shop: Serving) -> None:
    words = unlike_others("hola, quiero hablar con una persona")
    await Customer.new(shop.url).ask_for_a_person(words)
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(words)
        await desk.page.locator(".why-link").last.click()
        why = desk.page.locator(".why")
        await expect(
            why.locator("[data-why=heard] mark", has_text="quiero hablar con una persona").first
        ).to_be_visible()
        await expect(why.locator("[data-why=heard] .found")).to_contain_text("pide una persona")
        await expect(why.locator("[data-why=accepted] li")).to_contain_text("Llamó a una persona: Pidió una persona")
        await desk.is_accessible()
        desk.is_sound()


async def test_why_names_flows_as_the_shop_does(browser: Browser, shop: Serving) -> None:
    mark = unlike_others("quiero hacer un reclamo")
    await Customer.new(shop.url, "web-avisos").ask_for_a_person(mark)
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, shop.url)
        await desk.choose(mark)
        await desk.page.locator(".why-link").last.click()
        done = desk.page.locator("[data-why=accepted] li")
        await expect(done).to_have_text(["Empezar hacer un reclamo", re.compile("Llamó a una persona: Reclamo")])
        desk.is_sound()


async def test_why_names_the_wordings_that_were_used_up(browser: Browser, asking: Serving) -> None:
    words = "cuál es el horario"
    customer = Customer.new(asking.url, "web-fijo")
    await customer.say(words, "qué horario tienen")
    async with visitor(browser, viewport=WIDE) as context:
        desk = await Desk.open(context, asking.url)
        await desk.choose(words)
        await expect(desk.page.locator("[data-card=handoff]")).to_contain_text("El agente ya dijo todo lo que podía")
        await desk.page.locator(".why-link").last.click()
        said = desk.page.locator("[data-why=said]")
        await expect(said).to_contain_text("Redacciones agotadas")
        await expect(said.locator(".found code")).to_have_text("hours")
        desk.is_sound()
