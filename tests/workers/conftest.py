from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hilo.testing.world import World, open_world

AGENT = """
agent: tienda
language: es
timezone: America/Bogota
slots:
  name: {type: person_name, ask: "¿Cómo te llamas?", keep: true}
  item: {type: text, ask: "¿Qué quieres pedir?"}
  number: {type: text}
intents:
  hours: {examples: [a qué hora abren, cuál es el horario, hasta qué hora atienden], answer: hours}
flows:
  order:
    starts: always
    steps:
      - collect: [name, item]
      - confirm: "Pido {item} a nombre de {name}. ¿Está bien?"
      - do: place_order
        into: {number: number}
      - say: "Tu pedido es el {number}."
templates:
  hours: "Abrimos de 9 a 18."
"""

TOOLS = '''
import asyncio
from pathlib import Path

from hilo.tools.tool import ToolFailed, tool

LEDGER = Path(__file__).parent / "ledger"
TROUBLE = Path(__file__).parent / "trouble"


@tool(writes=True)
async def place_order(name: str, item: str, call_id: str) -> dict[str, str]:
    """Order an item."""
    if TROUBLE.exists():
        kind = TROUBLE.read_text()
        if kind == "slow":
            await asyncio.sleep(0.3)
        else:
            raise RuntimeError(kind)
    with LEDGER.open("a") as ledger:
        ledger.write(f"{call_id} {item}\\n")
    return {"number": f"N-{len(LEDGER.read_text().splitlines())}"}
'''


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "tienda"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    return folder


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture
async def shop_world(database_url: str, shop: Path) -> AsyncIterator[World]:
    async with open_world(database_url, shop) as opened:
        yield opened
