"""LangGraph's development server with the example's graphs; skipped where `langgraph-cli[inmem]` is not installed.

The command may be in another environment than the tests: it is the `langgraph` that the PATH finds first.
"""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client

from patience import PATIENCE
from servers import free_port

ROOT = Path(__file__).parents[2]
COMMAND = shutil.which("langgraph")
SECONDS = 90

pytestmark = pytest.mark.skipif(COMMAND is None, reason="needs langgraph-cli[inmem]")


@asynccontextmanager
async def development_server(folder: Path) -> AsyncIterator[Any]:
    """The example as it is, beside the agents that it names."""
    shutil.copytree(ROOT / "examples" / "langgraph", folder / "examples" / "langgraph")
    (folder / "agents").symlink_to(ROOT / "agents")
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LANGSMITH_TRACING": "false"}
    options = ["--no-browser", "--no-reload", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(  # noqa: ASYNC220, S603 -- the command under test
            [str(COMMAND), "dev", *options],
            cwd=folder / "examples" / "langgraph",
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            await _answers(f"http://127.0.0.1:{port}/ok", process, (folder / "log").read_text)
            async with get_client(url=f"http://127.0.0.1:{port}") as client:
                yield client
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)


async def _answers(url: str, process: subprocess.Popen[bytes], wrote_down: Callable[[], str]) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        for _ in range(SECONDS * 4):
            assert process.poll() is None, wrote_down()
            try:
                if (await client.get(url)).is_success:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.25)
    raise TimeoutError(wrote_down())


def wrote(text: str) -> Any:
    return {"messages": [{"role": "user", "content": text}]}


async def test_the_examples_graphs_run_in_the_development_server(tmp_path: Path) -> None:
    async with development_server(tmp_path) as client:
        thread = (await client.threads.create())["thread_id"]
        events = set()
        async for piece in client.runs.stream(
            thread, "leads", input=wrote("hola"), stream_mode=["messages-tuple", "updates", "custom"],
            stream_subgraphs=True,
        ):  # fmt: skip
            events.add(piece.event.partition("|")[0])
        assert events >= {"messages", "updates", "custom"}
        await client.runs.wait(thread, "leads", input=wrote("soy Juan"))
        kept = await client.threads.get_state(thread)
        assert kept["values"]["slots"] == {"name": "Juan"}

        state = await client.runs.wait(thread, "leads", input=wrote("quiero hablar con una persona"))
        assert state["__interrupt__"][0]["value"]["waits_for"] == "person"
        state = await client.runs.wait(thread, "leads", command={"resume": {"do": "release", "text": "Aquí sigo."}})
        assert "Aquí sigo." in state["messages"][-1]["content"]

        thread = (await client.threads.create())["thread_id"]
        state = await client.runs.wait(thread, "sale", input=wrote("hola"))
        for answer in ("Juan", "juan@ejemplo.com", "300 123 4567", "Acme", "5 mil"):
            state = await client.runs.wait(thread, "sale", command={"resume": answer})
        assert (state["priority"], state["slots"]["company"]) == ("high", "Acme")
