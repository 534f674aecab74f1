"""A handoff may name the team that it waits for."""

from pathlib import Path

from hilo.store.desk import Sought, list_desk
from hilo.testing.world import open_world

AGENT = """
agent: mesa
language: es
flows:
  presupuesto:
    starts: [quiero un presupuesto, necesito cotizar algo grande, hacen descuentos a empresas]
    steps: [{handoff: "pide un presupuesto", to: ventas}]
escalation: [{keyword: [humano]}]
"""
FIRST = (0, "")  # who waits longest


async def test_a_session_waits_for_the_team_that_the_file_names(tmp_path: Path, database_url: str) -> None:
    (tmp_path / "agent.yaml").write_text(AGENT, encoding="utf-8")
    async with open_world(database_url, tmp_path) as desk:
        await desk.say("ana", "quiero un presupuesto")
        await desk.say("eva", "quiero un humano")
        store, workspace = desk.hilo.store, desk.workspace
        sales = Sought(view="waiting", team="ventas")
        everybody = Sought(view="waiting")
        [row] = await store.run(list_desk, workspace, sales, place=FIRST, at_most=9)
        both = await store.run(list_desk, workspace, everybody, place=FIRST, at_most=9)
        assert row.team == "ventas"
        assert sorted(each.team for each in both) == ["", "ventas"]
