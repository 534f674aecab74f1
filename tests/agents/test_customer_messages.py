"""Messages of customers that were once misread, in conversation with the agents of the repository."""

from functools import cache

import pytest

from agents.agent_scene import AGENTS
from hilo.app import LoadedAgent, load_agent
from hilo.testing.conversation import Conversation

WORKED_OUT = {"spoken", "one_line", "units", "total", "price", "shipping_cost"}


@cache
def _loaded(agent: str) -> LoadedAgent:
    return load_agent(AGENTS / agent)


async def told(agent: str, before: tuple[str, ...], message: str) -> dict[str, str]:
    """What a message changes in the slots, after those before it."""
    talk = Conversation(_loaded(agent))
    for each in before:
        await talk.say(each)
    known = dict(talk.session.slots)
    await talk.say(message)
    changed = {name: value for name, value in talk.session.slots.items() if known.get(name) != value}
    return {name: str(value) for name, value in changed.items() if name not in WORKED_OUT}


BRIGHTLEAF = "somnio/brightleaf.yaml"
NAME = ("I want to buy",)
STREET = (*NAME, "Bob Miller", "bob@mail.com")
CITY = (*STREET, "12 Main St")
ALL = (*CITY, "Chicago", "60601")
NEW_YORK = {"city": "New York City", "state": "New York"}
CHICAGO = {"city": "Chicago", "state": "Illinois"}
ELM = {"address": "9 Elm St"}
READING = {"city": "Reading", "state": "Pennsylvania", "zip": "19601"}
BOSTON = {"city": "Boston", "state": "Massachusetts", "zip": "02118"}


@pytest.mark.parametrize(
    ("before", "message", "expected"),
    [
        *((CITY, message, NEW_YORK) for message in ("New York", "NYC", "NY", "ny", "new york new york")),
        (CITY, "New York, NY 10001", {**NEW_YORK, "zip": "10001"}),
        *((CITY, message, {"city": "Los Angeles", "state": "California"}) for message in ("LA", "L.A.")),
        (CITY, "chicago illinois", CHICAGO),
        (CITY, "austin texas", {"city": "Austin", "state": "Texas"}),
        (CITY, "boston mass", {"city": "Boston", "state": "Massachusetts"}),
        (CITY, "albany new york", {"city": "Albany", "state": "New York"}),
        (CITY, "san jose california", {"city": "San Jose", "state": "California"}),
        (CITY, "60601 Chicago", {**CHICAGO, "zip": "60601"}),
        (CITY, "Chicago and the zip is 60601", {**CHICAGO, "zip": "60601"}),
        (CITY, "Truth or Consequences", {"city": "Truth or Consequences"}),
        (CITY, "Truth or Consequences, NM", {"city": "Truth or Consequences", "state": "New Mexico"}),
        (CITY, "not Austin, Dallas", {"city": "Dallas", "state": "Texas"}),
        ((*CITY, "Springfield"), "62701", {"zip": "62701", "state": "Illinois"}),
        ((*CITY, "Springfield"), "99501", {"zip": "99501"}),
        (STREET, "9 elm st chicago illinois", {"address": "9 elm st", **CHICAGO}),
        (STREET, "9 Elm St, boston ma 02118", {**ELM, **BOSTON}),
        (STREET, "it's for my mom, 9 Elm St, Chicago IL 60601", {**ELM, **CHICAGO, "zip": "60601"}),
        (STREET, "it's for my mom Rosa, 9 Elm St, Reading PA 19601", {**ELM, **READING}),
        (
            STREET,
            "the order is for my sister Ann Clark, 9 Elm St, Boston, MA 02118",
            {"name": "Ann", "last_name": "Clark", **ELM, **BOSTON},
        ),
        (STREET, "her address is 9 Elm St, Boston, MA 02118; mine is 12 Main St, Dallas TX 75201", {}),
        *((NAME, name, {"name": name}) for name in ("Warren", "Irving", "Gilbert", "Kent", "Tyler", "Lakewood")),
        (NAME, "hi I'm Warren", {"name": "Warren"}),
        (NAME, "it's Warren", {"name": "Warren"}),
        (NAME, "Hayward Jones", {"name": "Hayward", "last_name": "Jones"}),
        (ALL, "change the name to Warren", {"name": "Warren"}),
        (ALL, "it's for my mom Rosa", {}),
        (ALL, "it's for my mom Rosa Diaz", {"name": "Rosa", "last_name": "Diaz"}),
        (ALL, "my zip is 78701", {"zip": "78701"}),
        ((), "I love Boston tea", {}),
        ((), "order number 90210", {}),
        ((), "$20000", {}),
    ],
)
async def test_brightleaf_takes_what_is_said(before: tuple[str, ...], message: str, expected: dict[str, str]) -> None:
    assert await told(BRIGHTLEAF, before, message) == expected


ASKED_FOR_NAME = ("quiero 2 cocas de 500", "confirmar")
ASKED_FOR_ADDRESS = (*ASKED_FOR_NAME, "Marta Gómez", "30123456")


@pytest.mark.parametrize(
    "message",
    [
        "junto con las cocas mandá hielo",
        "arriba de las cocas poné hielo",
        "por la plaza Italia paso en un rato",
        "frente al kiosco de Raúl chocaron dos autos",
        "en el bar La Academia tomando algo",
        "llegando a la plaza Congreso te llamo",
        "cerca de Año Nuevo",
        "estoy en la parada del colectivo",
        "trabajo en el hospital Italiano",
        "en el centro de Rosario",
        "no sé, frente a la plaza San Martín creo",
    ],
)
async def test_the_kiosk_takes_no_story_for_an_address(message: str) -> None:
    assert "address" not in await told("kiosco", ASKED_FOR_ADDRESS, message)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("frente a la plaza San Martín", {"address": "frente a la plaza San Martín"}),
        ("casa blanca frente al club Atlanta", {"address": "casa blanca frente al club Atlanta"}),
        ("al lado del 1234 de San Martín", {"address": "al lado del 1234 de San Martín"}),
        ("en la finca de los Pérez, ruta 2", {"address": "en la finca de los Pérez, ruta 2"}),
        ("la casa de Rosa, San Martín 1234, o la mía, Belgrano 450", {"address": "San Martín 1234"}),
        ("San Martín 1234 a nombre de Rosa", {"name": "Rosa", "address": "San Martín 1234"}),
        (
            "el pedido es para mi mamá Rosa Díaz, San Martín 1234, yo vivo en Belgrano 450",
            {"name": "Rosa Díaz", "address": "San Martín 1234"},
        ),
    ],
)
async def test_the_kiosk_takes_an_address_that_was_asked_for(message: str, expected: dict[str, str]) -> None:
    assert await told("kiosco", ASKED_FOR_ADDRESS, message) == expected


@pytest.mark.parametrize(
    "message", ["lo recibe mi abuela, Dejalo en la puerta", "recibe luz el barrio?", "es para mi mamá, San Martín 1234"]
)
async def test_the_kiosk_takes_nothing_else_for_who_receives(message: str) -> None:
    assert "name" not in await told("kiosco", ASKED_FOR_NAME, message)


@pytest.mark.parametrize(
    "message",
    [
        "los precios son trescientos, doscientos, quince, veinte",
        "trescientos diez, doscientos, cuatrocientos, cinco",
        "mi cuenta de ahorros tres cero uno cinco cinco cinco seis seis siete siete",
        "no es tres cero uno cinco cinco cinco seis seis siete siete",
        "no me llamen al tres cero uno cinco cinco cinco seis seis siete siete",
        "tres cientos uno 555 6677",
    ],
)
async def test_leads_takes_no_other_numbers_for_a_phone(message: str) -> None:
    assert "phone" not in await told("leads", ("hola", "Ana Torres", "ana@acme.co"), message)


@pytest.mark.parametrize(
    "message",
    [
        "trescientos uno quinientos cincuenta y cinco sesenta y seis setenta y siete",
        "mi celular es tres cero uno triple cinco doble seis doble siete",
        "el de mi jefe es 3102223344, el mío 3015556677",
        "el WhatsApp de Rosa es 3015556677 y el de la empresa 6017453210",
    ],
)
async def test_leads_takes_the_phone(message: str) -> None:
    assert await told("leads", ("hola", "Ana Torres", "ana@acme.co"), message) == {"phone": "+573015556677"}


FLIGHT = ("quiero un vuelo de Lima a Madrid el 20 de diciembre",)


@pytest.mark.parametrize(
    ("before", "message", "expected"),
    [
        (FLIGHT, "no, de Santiago a Lima", {"origin": "Santiago de Chile", "destination": "Lima"}),
        ((), "de Santiago a Lima", {"origin": "Santiago de Chile", "destination": "Lima"}),
        ((), "soy hermano de Rosa, quiero un vuelo de Madrid a Lima", {"origin": "Madrid", "destination": "Lima"}),
    ],
)
async def test_vuelos_takes_both_cities(before: tuple[str, ...], message: str, expected: dict[str, str]) -> None:
    noted = await told("vuelos", before, message)
    assert {name: noted.get(name) for name in ("name", *expected)} == {"name": None, **expected}


@pytest.mark.parametrize(
    ("message", "cart"), [("es para mi mamá", None), ("dame pan rallado mamá cocina", "1x Pan rallado")]
)
async def test_a_mother_is_nothing_that_is_sold(message: str, cart: str | None) -> None:
    changed = await told("kiosco", (), message)
    assert ("cart" in changed) == (cart is not None)
    assert changed.get("cart", "").startswith(cart or "")


async def test_what_several_messages_of_a_burst_are_answered_alike_is_said_once() -> None:
    talk = Conversation(_loaded("kiosco"))
    for each in ("quiero 1 turrón", "confirmar", "Ana Paz, DNI 30123456", "lo retiro", "sí"):
        await talk.say(each)
    result = await talk.say("sí", "sí", "sí")
    assert sum(reply.text.count("ya está confirmado") for reply in result.replies) == 1
