"""What the agent says while a person has the session: only that one comes."""

from pathlib import Path

from hilo.testing.world import open_world

AGENT = """
agent: mesa
intents: {hours: {answer: hours, examples: [qué horario tienen, a qué hora abren, cuándo cierran]}}
templates: {hours: "De 9 a 18."}
modes:
  OPEN: {}
  PERSON: {operator: true, bridge: "Ya avisé: enseguida te responde una persona."}
escalation: [{keyword: [humano]}]
"""


async def test_who_writes_on_after_a_handoff_is_answered_but_for_a_second_nod(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(AGENT, encoding="utf-8")
    async with open_world(f"sqlite:///{tmp_path}/hilo.db", tmp_path) as desk:
        assert len(await desk.say("ana", "quiero un humano")) == 1
        assert await desk.say("ana", "¿hola?") == ["Ya avisé: enseguida te responde una persona."]
        assert await desk.say("ana", "ok, espero") == ["Gracias a ti por esperar: te escriben por aquí."]
        assert await desk.say("ana", "dale") == []
