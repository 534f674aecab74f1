"""The engines that `durable.py` sets beside each other: each takes a contact's message and answers it durably."""

import asyncio
import itertools
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, TypedDict

import asyncpg

from hilo.app import load_agent, new_session
from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.channel import Outcome, Received, Sent, Webhook
from hilo.clock import SystemClock
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import Session, from_json, to_json
from hilo.messages import Address, Inbound, Outbound
from hilo.queue.embedded import EmbeddedQueue
from hilo.settings import Settings
from hilo.store.opening import migrate
from hilo.store.workspaces import ChannelRow
from hilo.turn.run import Turn

LEADS = Path(__file__).parent.parent / "agents" / "leads"
OPENING = ("hola, soy Juan Pérez", "juan{}@ejemplo.com", "mi celular es 300 {}", "Acme SAS", "unos 5 mil")
LATER = ("mi correo es juan{}@ejemplo.com", "mi celular es 300 {}", "no, mi empresa es Acme {}", "mi presupuesto es {}",
         "gracias")  # fmt: skip
CONVERSATION = len(OPENING) + len(LATER)
CONNECTIONS = 10  # to PostgreSQL, for all alike

Kind = Literal["turn_alone", "bare_rows", "hilo", "langgraph", "langgraph_exit"]
Order = Literal["kiosco", "kiosco_fleet"]  # whole orders, see `durable_kiosco.py`

numbers = itertools.count(1_000_000)


def message(turn: int) -> str:
    """What a contact writes: five slots first, then corrections for ever, with values that nobody gave before."""
    text = OPENING[turn] if turn < len(OPENING) else LATER[turn % len(LATER)]
    return text.format(next(numbers))


class Engine(Protocol):
    """Something that answers messages."""

    async def answer(self, contact: str, turn: int) -> None:
        """One turn of a contact: it returns when the reply is there."""
        ...

    async def jump(self, contact: str, turns: range) -> None:
        """Bring a conversation forward, not measured."""
        ...

    async def settle(self) -> None:
        """Wait for what is still to be written."""
        ...


async def answer_all(engine: Engine, contact: str, turns: range) -> list[float]:
    """A contact's turns one after another, with the seconds each reply took."""
    took = []
    for turn in turns:
        started = time.perf_counter()
        await engine.answer(contact, turn)
        took.append(time.perf_counter() - started)
    return took


# --- the turn without any storage ---------------------------------------------------------------------


@dataclass
class TurnAlone:
    """Understanding, dialogue and wording; the session stays in memory."""

    turn: Turn
    sessions: dict[str, Session] = field(default_factory=dict)

    async def answer(self, contact: str, turn: int) -> None:
        """Run the turn graph."""
        now = SystemClock().now()
        session = self.sessions.get(contact) or new_session(self.turn.agent, session_id=contact, at=now)
        result = await self.turn.run(session, MessageReceived(now, message(turn)))
        self.sessions[contact] = result.session

    async def jump(self, contact: str, turns: range) -> None:
        """By really talking."""
        await answer_all(self, contact, turns)

    async def settle(self) -> None:
        """There is nothing."""


@asynccontextmanager
async def turn_alone() -> AsyncIterator[Engine]:
    """The pure turn."""
    yield TurnAlone(load_agent(LEADS).turn)


# --- Hilo ---------------------------------------------------------------------------------------------


@dataclass
class Waiting:
    """A channel that sends to nobody, and tells who waits for a reply that it came."""

    contacts: dict[str, asyncio.Future[None]] = field(default_factory=dict)

    def came(self, contact: str) -> None:
        """A reply is there; it may be the second one of a turn."""
        reply = self.contacts.pop(contact, None)
        if reply and not reply.done():
            reply.set_result(None)

    def read(self, webhook: Webhook) -> Received:
        """Nobody writes to it."""
        del webhook
        return Received()

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """It is there."""
        del message
        self.came(to.value)
        return Sent(f"channel.{message_id}")

    async def typing(self, to: Address, *, answering: str) -> None:
        """Nobody looks."""


@dataclass
class Hilo:
    """The whole way: inbox, turn, commit, outbox, sent."""

    running: Installation
    channel: Waiting
    says: Callable[[int], str] = message
    others: tuple[int, ...] = ()  # processes that work for it

    async def answer(self, contact: str, turn: int) -> None:
        """A webhook's message, until the channel is told to send the reply."""
        now = self.running.clock.now()
        reply = self.channel.contacts[contact] = asyncio.get_running_loop().create_future()
        inbound = Inbound(f"wamid.{contact}.{turn}", Address("bench", contact), self.says(turn), now)
        await self.running.intake.messages("bench", [inbound])
        async with asyncio.timeout(60):
            await reply

    async def jump(self, contact: str, turns: range) -> None:
        """By really talking: the tables must be as full as they would be."""
        await answer_all(self, contact, turns)

    async def settle(self) -> None:
        """The sending is written down after the contact has it."""
        assert isinstance(self.running.queue, EmbeddedQueue)
        await self.running.queue.settled()


@asynccontextmanager
async def hilo(url: str) -> AsyncIterator[Engine]:
    """All of it in this process, as `hilo serve` runs it."""
    channel = Waiting()
    with tempfile.TemporaryDirectory() as cache:
        async with installation(Settings(Path(cache), url), [LEADS], options=Options(burst=timedelta())) as running:
            await running.add_channel(ChannelRow("bench", WORKSPACE, "web", "leads"), channel)
            await running.runtime.start()
            yield Hilo(running, channel)
            await running.runtime.stop()


# --- LangGraph ----------------------------------------------------------------------------------------

NODES = ("check_escalation", "understand", "check_correction", "extract_field", "validate", "decide", "prompt_next")


@dataclass
class LangGraph:
    """The same turn as a graph of as many nodes, with a checkpointer; no inbox, no outbox, no de-duplication."""

    graph: Any
    durability: str

    async def answer(self, contact: str, turn: int) -> None:
        """One run of the graph in the contact's thread."""
        given = {"messages": [("user", message(turn))]}
        await self.graph.ainvoke(given, {"configurable": {"thread_id": contact}}, durability=self.durability)

    async def jump(self, contact: str, turns: range) -> None:
        """Add the messages of those turns in one go: really talking would take minutes, and only add more rows."""
        reply = "Hecho, tu correo queda así: juan1000010@ejemplo.com."
        spoken = [pair for turn in turns for pair in (("user", message(turn)), ("assistant", reply))]
        config = {"configurable": {"thread_id": contact}}
        await self.graph.aupdate_state(config, {"messages": spoken}, as_node=NODES[-1])

    async def settle(self) -> None:
        """A run has written all when it returns."""


def _state() -> Any:
    from langgraph.graph.message import add_messages  # noqa: PLC0415 -- the other engines must not pay for it

    class State(TypedDict, total=False):
        """What a turn knows, as LangGraph's users keep it."""

        messages: Annotated[list[Any], add_messages]
        session: str
        escalated: bool
        reading: dict[str, Any]
        correction: str
        commands: list[str]
        reply: str

    return State


def _nodes(turn: Turn) -> Mapping[str, Callable[[Any], Any]]:
    """Each writes what ours of that name comes to; the work of all is done in `decide`."""

    async def decide(state: Any) -> dict[str, Any]:
        now = SystemClock().now()
        stored = state.get("session")
        session = from_json(stored) if stored else new_session(turn.agent, session_id="bench", at=now)
        result = await turn.run(session, MessageReceived(now, state["messages"][-1].content))
        reply = " ".join(each.text for each in result.replies)
        return {"session": to_json(result.session), "commands": [*map(str, result.trace.accepted)], "reply": reply}

    def writes(**values: Any) -> Callable[[Any], Any]:
        async def node(_state: Any) -> dict[str, Any]:
            return values

        return node

    async def prompt_next(state: Any) -> dict[str, Any]:
        return {"messages": [("assistant", state["reply"])]}

    return {
        "check_escalation": writes(escalated=False),
        "understand": writes(reading={"stage": "embedded", "intent": "", "topic": "", "confidence": 0, "acts": []}),
        "check_correction": writes(correction=""),
        "extract_field": writes(commands=["SetSlot(email, juan1000010@ejemplo.com)"]),
        "validate": writes(commands=["CorrectSlot(email, juan1000010@ejemplo.com)"]),
        "decide": decide,
        "prompt_next": prompt_next,
    }


def _graph(checkpointer: Any) -> Any:
    from langgraph.graph import END, START, StateGraph  # noqa: PLC0415

    built: Any = StateGraph(_state())
    for name, node in _nodes(load_agent(LEADS).turn).items():
        built.add_node(name, node)
    for before, after in itertools.pairwise((START, *NODES, END)):
        built.add_edge(before, after)
    return built.compile(checkpointer=checkpointer)


@asynccontextmanager
async def langgraph(url: str, durability: str) -> AsyncIterator[Engine]:
    """With LangGraph's own saver for the database."""
    async with _saver(url) as saver:
        await saver.setup()
        yield LangGraph(_graph(saver), durability)


@asynccontextmanager
async def _saver(url: str) -> AsyncIterator[Any]:
    if url.startswith("sqlite"):
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver  # noqa: PLC0415

        async with AsyncSqliteSaver.from_conn_string(url.removeprefix("sqlite:///")) as saver:
            yield saver
        return
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver  # noqa: PLC0415
    from psycopg.rows import dict_row  # noqa: PLC0415
    from psycopg_pool import AsyncConnectionPool  # noqa: PLC0415

    settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(url, min_size=1, max_size=CONNECTIONS, kwargs=settings) as pool:
        yield AsyncPostgresSaver(pool)  # type: ignore[arg-type]


# --- the floor ----------------------------------------------------------------------------------------

ROWS = ("inbox", "turns", "usage", "outbox")  # that a turn adds, beside the session that it changes
Values = dict[str, Any]
Writes = Iterator[tuple[str, Sequence[Any]]]


@dataclass
class BareRows:
    """The rows that Hilo leaves behind for a turn, written in one transaction by the driver; nothing is worked out."""

    pattern: Mapping[str, Sequence[Values]]  # what Hilo wrote in a conversation
    write: Callable[[Writes], Any]

    async def answer(self, contact: str, turn: int) -> None:
        """Write the rows of a turn."""
        await self.write(self._rows(contact, turn))

    def _rows(self, contact: str, turn: int) -> Writes:
        ids = {"session_id": f"session_{contact}", "address_id": f"address_{contact}"}
        own = {"external_id": f"wamid.{contact}.{turn}", "message_id": f"session_{contact}.{turn}", "number": turn}
        session = {**self.pattern["sessions"][0], "id": ids["session_id"], "address_id": ids["address_id"]}
        if turn == 0:
            yield _insert("sessions", session)
        else:
            changed = (session["state"], turn, session["last_at"], ids["session_id"])
            yield "UPDATE sessions SET state = $1, version = $2, last_at = $3 WHERE id = $4", changed
        for table in ROWS:
            row = self.pattern[table][turn % CONVERSATION]
            mine = {"turn": turn, **ids, **own}
            yield _insert(table, {name: mine.get(name, value) for name, value in row.items() if name != "id"})

    async def jump(self, contact: str, turns: range) -> None:
        """By writing."""
        await answer_all(self, contact, turns)

    async def settle(self) -> None:
        """All is written."""


def _insert(table: str, row: Values) -> tuple[str, Sequence[Any]]:
    places = ", ".join(f"${number}" for number in range(1, len(row) + 1))
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", tuple(row.values())  # noqa: S608


@asynccontextmanager
async def bare_rows(url: str) -> AsyncIterator[Engine]:
    """Hilo's tables, and a driver."""
    pattern = await _pattern()
    await migrate(url)
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")

            async def write(rows: Writes) -> None:
                connection.execute("BEGIN IMMEDIATE")
                for sql, values in rows:
                    connection.execute(sql.replace("$", "?"), values)
                connection.execute("COMMIT")

            yield BareRows(pattern, write)
        return
    async with asyncpg.create_pool(url, min_size=1, max_size=CONNECTIONS) as pool:

        async def write(rows: Writes) -> None:
            async with pool.acquire() as connection, connection.transaction():
                for sql, values in rows:
                    await connection.fetch(sql, *values)

        yield BareRows(pattern, write)


async def _pattern() -> dict[str, list[Values]]:
    """What Hilo leaves behind for one conversation."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pattern.db"
        async with hilo(f"sqlite:///{file}") as engine:
            await answer_all(engine, "pattern", range(CONVERSATION))
            await engine.settle()
        with closing(sqlite3.connect(file)) as connection:
            connection.row_factory = sqlite3.Row
            tables = ("sessions", *ROWS)
            return {each: [dict(row) for row in connection.execute(f"SELECT * FROM {each}")] for each in tables}  # noqa: S608


def engine(kind: Kind | Order, url: str) -> AbstractAsyncContextManager[Engine]:
    """The engine of that kind on that database."""
    match kind:
        case "turn_alone":
            return turn_alone()
        case "bare_rows":
            return bare_rows(url)
        case "hilo":
            return hilo(url)
        case "langgraph":
            return langgraph(url, "async")
        case "langgraph_exit":
            return langgraph(url, "exit")
        case "kiosco" | "kiosco_fleet":
            from bench import durable_kiosco  # noqa: PLC0415 -- it imports this module

            return durable_kiosco.kiosco(url) if kind == "kiosco" else durable_kiosco.kiosco_fleet(url)


def bytes_by_table(file: Path) -> dict[str, int]:
    """What the rows of each table and index of an SQLite database take, without what is free in their pages."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT name, SUM(pgsize - unused) FROM dbstat GROUP BY name ORDER BY 2 DESC")
        return {str(name): int(size) for name, size in rows}
