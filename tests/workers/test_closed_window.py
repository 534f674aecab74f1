"""What is said after WhatsApp's window: the approved template, or nothing before a person has looked."""

from datetime import timedelta
from pathlib import Path

from hilo.messages import ApprovedTemplate
from hilo.store.workspaces import ChannelRow
from hilo.testing.world import CHANNEL, World, open_world

AGENT = """
agent: mesas
language: es-AR
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
  dia: {type: date, ask: "¿Para qué día?"}
flows:
  reserva:
    starts: always
    steps: [collect: [nombre, dia]]
timers:
  recordatorio: {after: 25h of silence, say: pendiente}
templates:
  pendiente: {text: "Hola {nombre}, quedó pendiente tu mesa.", wa_template: mesa_pendiente}
"""


async def reminded(folder: Path, database_url: str, agent: str) -> World:
    (folder / "mesas.yaml").write_text(agent, encoding="utf-8")
    async with open_world(database_url, folder / "mesas.yaml") as opened:
        row = ChannelRow(CHANNEL, opened.workspace, "test", "mesas", window_hours=24)
        await opened.hilo.add_channel(row, opened.channel)
        await opened.say("ana", "soy Ana Ruiz")
        await opened.wait(timedelta(hours=26))
        return opened


async def test_a_reminder_after_the_window_goes_out_as_its_approved_template(tmp_path: Path, database_url: str) -> None:
    opened = await reminded(tmp_path, database_url, AGENT)
    last = opened.sent_to("ana")[-1].message
    assert last.approved == ApprovedTemplate("mesa_pendiente", "es_AR", ("Ana Ruiz",))
    assert last.text == ""


async def test_a_reminder_without_one_is_held(tmp_path: Path, database_url: str) -> None:
    opened = await reminded(tmp_path, database_url, AGENT.replace(", wa_template: mesa_pendiente", ""))
    assert opened.heard_by("ana") == ["¡Hola! ¿Cómo va? ¿Para qué día?"]
