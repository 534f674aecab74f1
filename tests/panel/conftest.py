"""One `hilo serve` with two agents and two people for all tests of a process."""

import asyncio
from base64 import b64encode
from collections.abc import Iterator

import pytest

from hilo.clock import SystemClock
from hilo.store.people import NewPerson, add_person
from hilo.store.sqlite import SqliteStore
from panel.desk import ANA, LUIS, PASSWORD
from quick_hash import quick_hash
from webchat.conftest import browser, chromium  # noqa: F401 -- fixtures
from webchat.serving import AGENTS, Serving

SECRET_KEY = b64encode(b"k" * 32).decode()  # credentials of channels are sealed with it
# Whom to call back, with a template that WhatsApp has approved and a reminder.
CALLS = """
agent: avisos
language: es
labels: {recordar: Recordarle la llamada, marcar: Marcar como llamado, cuando: Cuándo, queja: Reclamo}
slots:
  nombre: {type: person_name, label: nombre, ask: "¿Cómo te llamas?"}
  ciudad: {type: city, label: ciudad, ask: "¿En qué ciudad estás?"}
templates:
  volvemos: {text: "Hola {nombre}, seguimos con tu llamada.", wa_template: volvemos_a_llamar}
timers:
  recordar: {after: 4h of silence, say: "¿Sigues esperando nuestra llamada?"}
flows:
  llamada:
    description: pedir una llamada
    starts: always
    steps:
      - collect: [nombre, ciudad]
      - say: "Te llamamos hoy a {ciudad}."
  reclamo:
    description: hacer un reclamo
    starts: [quiero hacer un reclamo, tengo un reclamo, es un reclamo por la factura]
    steps:
      - handoff: dice que hay un reclamo
        policy: queja
escalation:
  - keyword: [persona]
"""
TOOLS = """
from hilo import tool


@tool(writes=True, operator=True)
async def marcar(cuando: str, veces: int = 1) -> dict[str, str]:
    \"\"\"Note that somebody was called.\"\"\"
    return {"text": f"{cuando} {veces}"}
"""


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A shop with an owner and an operator, and a chat for each of its three agents."""
    folder = tmp_path_factory.mktemp("panel")
    calls = folder / "avisos"
    calls.mkdir()
    (calls / "agent.yaml").write_text(CALLS, encoding="utf-8")
    (calls / "tools.py").write_text(TOOLS, encoding="utf-8")
    agents = (AGENTS / "kiosco", AGENTS / "leads", calls)
    server = Serving(folder, agents, {"HILO_SECRET_KEY": SECRET_KEY}, options=("--list-chats",))
    server.start()
    asyncio.run(add_people(server))
    yield server
    server.stop()


async def add_people(server: Serving) -> None:
    store = SqliteStore(server.folder / "hilo.db")
    kept, now = quick_hash(PASSWORD), SystemClock().now()
    await store.run(add_person, "main", NewPerson(ANA.login, ANA.name, "owner", kept, ("ventas",)), by="test", now=now)
    await store.run(add_person, "main", NewPerson(LUIS.login, LUIS.name, "operator", kept, ()), by="test", now=now)
    await store.close()
