"""Tools with tables of their own, in talks: in memory, in the terminal, and with a real database."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from hilo.app import load_agent
from hilo.cli import hilo
from hilo.errors import FileProblems
from hilo.testing import Conversation, find_suites, run_suite
from hilo.testing.world import open_world
from hilo.tools.database import execute

AGENT = """
agent: fila
language: es
timezone: America/Bogota
slots:
  item: {type: choice, choices: [café, té, mate], ask: "¿Qué quieres pedir?"}
  number: {type: number}
flows:
  order:
    starts: always
    steps:
      - collect: item
      - do: place
        into: {number: number}
      - say: "Llevas {number}."
"""

TOOLS = '''
from hilo.tools.database import Script, execute, one
from hilo.tools.given import Contact, Database
from hilo.tools.tool import tool


@tool(writes=True, needs_yes=False)
async def place(item: str, contact: Contact, database: Database, call_id: str) -> dict[str, int]:
    """Put an item on the contact's list."""
    return {"number": await database.run(placed, item, call_id=call_id)}


def placed(item: str, *, call_id: str) -> Script[int]:
    yield from execute("place", item=item, call=call_id)
    row = yield from one("count")
    return row["number"]
'''

SQL = """
-- place: one more
INSERT INTO fila_items (workspace, contact, call, item) VALUES (:workspace, :contact, :call, :item)
ON CONFLICT DO NOTHING;

-- count: how many the contact has
SELECT count(*) AS number FROM fila_items WHERE workspace = :workspace AND contact = :contact;
"""

TABLES = """
CREATE TABLE fila_items (
    workspace TEXT, contact TEXT, call TEXT, item TEXT, PRIMARY KEY (workspace, contact, call)
);
"""

ONE = """
steps:
  - contact: un café
    expect: {mentions: "Llevas 1."}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "fila"
    texts = {
        "agent.yaml": AGENT,
        "tools.py": TOOLS,
        "sql/items.sql": SQL,
        "migrations/0001_items.sql": TABLES,
        "conversations/one.yaml": ONE,
        "conversations/again.yaml": ONE,
    }
    for name, text in texts.items():
        file = made / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return made


async def test_each_talk_has_tables_of_its_own(folder: Path) -> None:
    loaded = load_agent(folder)
    for _ in range(2):
        talk = Conversation(loaded)
        await talk.say("un café")
        assert talk.replies[-1].text == "¡Hola! Llevas 1."


async def test_conversations_of_a_suite_do_not_see_each_other(folder: Path) -> None:
    [suite] = find_suites((folder,))
    report = await run_suite(suite)
    assert (report.passed, report.failed) == (2, 0), [each.differences for each in report.played]


async def test_a_talk_without_them_is_told_how_to_get_them(folder: Path) -> None:
    talk = Conversation(load_agent(folder).turn)
    result = await talk.say("un café")
    assert "takes `database`, and there is none" in str(result.told)


def test_undo_in_the_terminal_takes_back_what_the_tables_got(folder: Path) -> None:
    typed = "un café\n/undo\nun té\n/quit\n"
    output = CliRunner().invoke(hilo, ["chat", str(folder)], input=typed).output
    assert output.count("Llevas 1.") == 2
    assert "Llevas 2." not in output


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_an_installation_keeps_them(
    kind: str, folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path}/hilo.db" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    async with open_world(url, folder) as first:
        assert await first.say("ana", "un café") == ["¡Hola! Llevas 1."]
        assert await first.say("beto", "un té") == ["¡Hola! Llevas 1."]
        await first.wait(timedelta(hours=25))
    (folder / "migrations" / "0002_more.sql").write_text("ALTER TABLE fila_items ADD COLUMN note TEXT")
    async with open_world(url, folder, clock=first.clock) as again:
        [told] = await again.say("ana", "un mate")
        assert "Llevas 2." in told
        assert await again.hilo.store.run(execute, "agent_migration", agent="fila", name="0002_more")


async def test_an_agent_whose_sql_is_broken_does_not_start(folder: Path, tmp_path: Path) -> None:
    (folder / "sql" / "items.sql").write_text(SQL.replace("count(*)", "count(* FROM"))
    said = r"items\.sql:7:\d+: `count` is refused: it cannot be parsed"
    with pytest.raises(FileProblems, match=said):
        load_agent(folder)
    with pytest.raises(FileProblems, match=said):
        async with open_world(f"sqlite:///{tmp_path}/hilo.db", folder):
            pass
    [suite] = find_suites((folder,))
    assert re.search(said, (await run_suite(suite)).problem)
    (folder / "sql" / "items.sql").write_text("SELECT 1")
    with pytest.raises(FileProblems, match="SQL that has no name"):
        load_agent(folder)
