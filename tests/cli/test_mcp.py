"""`hilo mcp` as a program would use it: the SDK's own client starts the command and talks to it over pipes."""

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def connected(folder: Path, *agents: str) -> AsyncIterator[Client]:
    environment = {**os.environ, "HILO_DATABASE_URL": f"sqlite:///{folder}/hilo.db", "PYTHONPATH": str(ROOT / "src")}
    for name in ("HILO_MODEL_KEY", "HILO_MODEL_URL", "HILO_MODELS", "ANTHROPIC_API_KEY"):
        environment.pop(name, None)
    paths = [str(ROOT / "agents" / each) for each in agents]
    command = StdioServerParameters(command=sys.executable, args=["-m", "hilo", "mcp", *paths], env=environment)
    async with Client(stdio_client(command)) as client:
        yield client


async def ask(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text  # type: ignore[union-attr]
    return text if result.is_error else json.loads(text)


async def test_another_program_talks_to_an_agent_and_sees_to_its_handoffs(tmp_path: Path) -> None:
    async with connected(tmp_path, "leads", "kiosco") as client:
        listed = await client.list_tools()
        assert {each.name for each in listed.tools} == {
            "agents", "talk", "handoffs", "handoff", "take", "say", "release",
        }  # fmt: skip
        assert [each["name"] for each in (await ask(client, "agents"))["agents"]] == ["leads", "kiosco"]

        [reply] = (await ask(client, "talk", message="hola"))["replies"]
        assert reply["text"].endswith("¿Cómo te llamas?")
        [reply] = (await ask(client, "talk", message="soy Juan"))["replies"]
        assert "correo" in reply["text"]
        [other] = (await ask(client, "talk", message="hola", contact="somebody else"))["replies"]
        assert other["text"].endswith("¿Cómo te llamas?")
        [kiosk] = (await ask(client, "talk", message="hola", agent="kiosco"))["replies"]
        assert "kiosco" in kiosk["text"]

        assert (await ask(client, "handoffs"))["handoffs"] == []
        await ask(client, "talk", message="quiero hablar con una persona")
        [waiting] = (await ask(client, "handoffs"))["handoffs"]
        assert (waiting["status"], waiting["session"] != "") == ("pending", True)
        assert (await ask(client, "handoff", handoff=waiting["id"]))["context"]["known"]
        assert "take the handoff first" in await ask(client, "say", handoff=waiting["id"], text="Hola")

        assert (await ask(client, "take", handoff=waiting["id"], operator="Eva"))["status"] == "assigned"
        assert "no reply" in (await ask(client, "talk", message="¿hola?"))["note"]
        assert "is assigned already" in await ask(client, "take", handoff=waiting["id"])
        assert await ask(client, "say", handoff=waiting["id"], text="Soy Eva.", operator="Eva") == {"said": "Soy Eva."}
        assert "there is no mode NOPE" in await ask(client, "release", handoff=waiting["id"], mode="NOPE")
        done = await ask(client, "release", handoff=waiting["id"], message="Sigue el asistente.", operator="Eva")
        assert done["status"] == "resolved"
        [reply] = (await ask(client, "talk", message="juan@ejemplo.com"))["replies"]
        assert reply["by"] == "agent"


async def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path) -> None:
    async with connected(tmp_path, "leads") as client:
        assert "there is no agent nope; there are: leads" in await ask(client, "talk", message="hola", agent="nope")
        assert "a message has 1 to 4000 characters" in await ask(client, "talk", message=" ")
        assert "there is no button Sí; offered were: none" in await ask(client, "talk", button="Sí")
        assert "there is no handoff nope" in await ask(client, "take", handoff="nope")
