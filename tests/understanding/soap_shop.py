"""A shop that asks for the details of a person and for a pack, and what it knows after a conversation."""

import asyncio
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from details import COLOMBIA

from hilo.app import load_agent
from hilo.app.loading import LoadedAgent
from hilo.testing.conversation import Conversation

SHOP = COLOMBIA.replace(
    "flows:",
    """\
  pack:
    type: choice
    ask: "¿Cuál?"
    choices:
      chico: [uno, una, un jabón, una sola, la de una, la 1]
      mediano: [dos, dos jabones, la de dos, la 2]
      grande: [tres, tres jabones, la de tres, la 3]
flows:""",
).replace(
    "direccion]\n      - say",
    'direccion, pack]\n      - confirm: "¿Enviamos {pack} a {direccion}, {ciudad}?"\n      - say',
)
DETAILS = "soy Ana Pérez, Medellín, calle 10 #43-12, 3001234567"
SUMMARY = (DETAILS, "la de dos")

Told = dict[str, str]


@cache
def _shop() -> LoadedAgent:
    with TemporaryDirectory() as folder:
        Path(folder, "agent.yaml").write_text(SHOP, "utf-8")
        return load_agent(Path(folder))


async def _after(messages: tuple[str, ...]) -> Told:
    conversation = Conversation(_shop())
    for message in messages:
        await conversation.say(message)
    return {name: str(value) for name, value in conversation.session.slots.items()}


def told(*messages: str) -> Told:
    """What the shop knows after these messages."""
    return asyncio.run(_after(("hola", *messages)))


def changed(before: tuple[str, ...], message: str) -> Told:
    """What one more message changes; regions follow their cities."""
    known, now = told(*before), told(*before, message)
    names = {*known, *now} - {"departamento"}
    return {name: now.get(name, "") for name in names if now.get(name) != known.get(name)}
