"""The same shop talk on LangGraph with its SQLite saver, as its users serve one: a webhook runs the graph and replies.

    python -m bench.reliability_langgraph PORT PROVIDER FOLDER

It understands exactly the messages of the talk, so that nothing but the runtime is compared. A reply that cannot be
sent is tried three times. There is no inbox, no outbox and no lock per contact, for LangGraph brings none.
"""

import asyncio
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, TypedDict

import httpx
import uvicorn
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hilo.testing.providers.infobip import API_KEY, SENDER

ORDERS = "orders.db"
PAUSES = (0.5, 1.0, 2.0)  # seconds between the attempts to send a reply
_NUMBER = re.compile(r"\b\d+\b")


class Talk(TypedDict, total=False):
    """What the graph keeps of a contact."""

    contact: str
    text: str
    quantity: int
    summary: bool
    turns: int
    reply: str


def make_tables(folder: Path) -> None:
    """Where orders are written down."""
    with closing(sqlite3.connect(folder / ORDERS)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE IF NOT EXISTS orders (contact TEXT, quantity INTEGER)")
        database.commit()


def orders(folder: Path) -> list[dict[str, Any]]:
    """What was ordered, by whom."""
    with closing(sqlite3.connect(folder / ORDERS)) as database:
        rows = database.execute("SELECT contact, quantity FROM orders").fetchall()
    return [{"contact": contact, "quantity": quantity} for contact, quantity in rows]


def _understand(state: Talk) -> Talk:
    """Each message of the talk says what it does."""
    text, turns = state["text"], state.get("turns", 0) + 1
    if text.startswith("sí"):
        return {"turns": turns}
    if "\n" in text:
        return {"turns": turns, "summary": True, "reply": f"{state.get('quantity', 0)} × coca 500. ¿Va?"}
    if text == "confirmar":
        return {"turns": turns, "reply": "¿Nombre, DNI y dirección?"}
    found = _NUMBER.search(text)
    quantity = int(found.group()) if found else 0
    return {"turns": turns, "quantity": quantity, "reply": f"Anoté {quantity}."}


def _order(folder: Path) -> Any:
    def order(state: Talk) -> Talk:
        with closing(sqlite3.connect(folder / ORDERS, timeout=30)) as database:
            database.execute("INSERT INTO orders VALUES (?, ?)", (state["contact"], state["quantity"]))
            database.commit()
        return {"summary": False, "reply": "¡Listo! Va tu pedido."}

    return order


def _after_understanding(state: Talk) -> str:
    return "order" if state["text"].startswith("sí") and state.get("summary") else END


def _graph(folder: Path, saver: Any) -> Any:
    built: Any = StateGraph(Talk)
    built.add_node("understand", _understand)
    built.add_node("order", _order(folder))
    built.add_edge(START, "understand")
    built.add_conditional_edges("understand", _after_understanding, ["order", END])
    built.add_edge("order", END)
    return built.compile(checkpointer=saver)


async def _send(client: httpx.AsyncClient, provider: str, contact: str, reply: tuple[str, str]) -> None:
    message_id, text = reply
    body = {"from": SENDER, "to": contact, "messageId": message_id, "content": {"text": text}}
    for pause in PAUSES:
        try:
            sent = await client.post(f"{provider}/whatsapp/1/message/text", json=body)
        except httpx.HTTPError:
            await asyncio.sleep(pause)
            continue
        if sent.is_success:
            return
        await asyncio.sleep(pause)


async def serve(port: int, provider: str, folder: Path) -> None:
    """Until it is killed."""
    headers = {"authorization": f"App {API_KEY}"}
    async with (
        AsyncSqliteSaver.from_conn_string(str(folder / "langgraph.db")) as saver,
        httpx.AsyncClient(timeout=20, headers=headers, trust_env=False) as client,
    ):
        await saver.setup()
        graph = _graph(folder, saver)

        async def receive(request: Request) -> Response:
            for result in (await request.json()).get("results", ()):
                text, contact = result.get("message", {}).get("text", ""), result.get("from", "")
                if not text:
                    continue  # a report
                config = {"configurable": {"thread_id": contact}}
                state = await graph.ainvoke({"contact": contact, "text": text, "reply": ""}, config)
                if state["reply"]:
                    named = f"re.{state['turns']}.{result['messageId']}"
                    await _send(client, provider, contact, (named, state["reply"]))
            return Response()

        app = Starlette(routes=[Route("/webhook", receive, methods=["POST"])])
        config = uvicorn.Config(app, port=port, log_level="error", lifespan="off")
        await uvicorn.Server(config).serve()


def run(port: int, provider: str, folder: str) -> None:
    """In a process of its own."""
    asyncio.run(serve(port, provider, Path(folder)))


if __name__ == "__main__":
    run(int(sys.argv[1]), sys.argv[2], sys.argv[3])
