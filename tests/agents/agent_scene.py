"""The tools of an agent called as the engine calls them, by any contact of a workspace."""

import importlib
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import OwnDatabase, read_own_sql
from hilo.store.store import Store
from hilo.tools.call import call
from hilo.tools.database import Row, execute
from hilo.tools.given import Contact, Facts, Given
from hilo.tools.tool import Tool

AGENTS = Path(__file__).parents[2] / "agents"
NOW = datetime(2026, 11, 16, 15, 0, tzinfo=UTC)

_workspaces = count(1)


def module_of(agent: str, name: str) -> ModuleType:
    """A module of an agent, the same that its tools use."""
    folder = str(AGENTS / agent)
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(folder)


def own_sql_of(agent: str) -> OwnSql:
    own = read_own_sql(agent, AGENTS / agent)
    assert own is not None
    return own


@dataclass(frozen=True, slots=True)
class Opened:
    """A database that has the tables of the agents."""

    store: Store
    url: str


@dataclass
class AgentScene:
    """A workspace of its own for each test, so that one PostgreSQL serves them all."""

    opened: Opened
    own: OwnSql
    tools: dict[str, Tool]
    facts: Facts = field(default_factory=dict)
    workspace: str = field(default_factory=lambda: f"w{next(_workspaces)}")
    now: datetime = NOW
    calls: int = 0

    def database(self, who: str = "ana", workspace: str = "") -> OwnDatabase:
        contact = Contact(workspace or self.workspace, who, "wa", "5491155550101", "s")
        return OwnDatabase(self.opened.store, self.own, contact)

    async def call(self, tool: str, who: str = "ana", **arguments: Any) -> ToolResult:
        """A call a second later; `call_id` and `workspace` may be given."""
        self.calls += 1
        self.now += timedelta(seconds=1)
        run = RunTool(arguments.pop("call_id", f"{who}-{self.calls}"), tool, arguments)
        database = self.database(who, arguments.pop("workspace", ""))
        return await call(self.tools, run, now=self.now, given=Given(database.contact, database, self.facts))

    async def use(self, tool: str, who: str = "ana", **arguments: Any) -> dict[str, Any]:
        """What a call gives that goes well."""
        result = await self.call(tool, who, **arguments)
        assert result.ok, (result.error, result.tell, result.asks)
        return dict(result.outputs)

    async def told(self, tool: str, who: str = "ana", **arguments: Any) -> tuple[str, str]:
        """The reason and the sentence for the contact of a call that cannot be done."""
        result = await self.call(tool, who, **arguments)
        assert not result.ok
        assert result.asks is None
        assert result.tell
        return result.error, result.tell

    async def asked(self, tool: str, who: str = "ana", **arguments: Any) -> tuple[str, ...]:
        """What a call that is not clear lets the contact choose from."""
        result = await self.call(tool, who, **arguments)
        assert result.asks, (result.error, result.tell)
        assert result.asks.parameter in self.tools[tool].spec.parameters
        assert result.asks.question
        return result.asks.options

    async def rows(self, query: str, who: str = "ana", **values: Any) -> list[Row]:
        """What a statement of the agent finds."""
        return await self.database(who).run(execute, query, **values)
