"""An agent that goes by the contact's clock: the country of their number tells it, or they do."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from hilo.agent.parse import parse
from hilo.agent.whereabouts import zone_told
from hilo.agent.zones import ZONES, zone_of_number
from hilo.app import LoadedAgent, load_agent
from hilo.errors import FileProblems
from hilo.testing.clock import FakeClock
from hilo.testing.conversation import Conversation

LATE = datetime(2026, 11, 19, 3, 30, tzinfo=UTC)  # the 18th in Bogotá, the 19th in Buenos Aires
AGENT = """
agent: avisos
language: es
timezone: America/Bogota
timezone_of: contact
slots:
  dia: {type: date, ask: "¿Qué día?"}
  hora: {type: time, ask: "¿A qué hora?"}
flows:
  aviso: {starts: always, steps: [{collect: [dia, hora]}, {say: "Bien."}]}
  avisar: {steps: [{say: "Es hora."}]}
timers:
  avisar: {at: "{dia} {hora}", start: avisar}
"""


@pytest.fixture
def agent(tmp_path: Path) -> LoadedAgent:
    (tmp_path / "agent.yaml").write_text(AGENT, encoding="utf-8")
    return load_agent(tmp_path)


@pytest.mark.parametrize(
    ("phone", "day", "due"),
    [
        ("+5491155551234", "2026-11-20", datetime(2026, 11, 20, 12, 0, tzinfo=UTC)),
        ("+573001234567", "2026-11-19", datetime(2026, 11, 19, 14, 0, tzinfo=UTC)),
        ("", "2026-11-19", datetime(2026, 11, 19, 14, 0, tzinfo=UTC)),
        ("+8613912345678", "2026-11-19", datetime(2026, 11, 19, 14, 0, tzinfo=UTC)),
    ],
)
async def test_days_and_timers_are_of_the_contacts_country(
    agent: LoadedAgent, phone: str, day: str, due: datetime
) -> None:
    talk = Conversation(agent, clock=FakeClock(LATE), phone=phone)
    await talk.say("hola")
    await talk.say("mañana")
    assert talk.session.slots["dia"] == day
    await talk.say("a las 9 de la mañana")
    assert talk.timers["timer.avisar"] == due


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("hola, soy de mexico", "America/Mexico_City"),
        ("no vivo en Colombia, vivo en Uruguay", "America/Montevideo"),
        ("soy de Perú pero estoy en Madrid", "Europe/Madrid"),
        ("acá en Chile son las 5", "America/Santiago"),
        ("vivo en Tijuana", "America/Tijuana"),
        ("ando por Guadalajara", "America/Mexico_City"),
        ("cuando estoy en Lima", ""),
        ("el lunes estoy en Lima", ""),
        ("si vivo en Quito", ""),
        ("estoy en la oficina", ""),
        ("soy de Valencia", ""),  # there are two of that size
        ("mi hermana vive en Chile", ""),
        ("quiero viajar a México", ""),
    ],
)
def test_where_contacts_say_that_they_are(said: str, zone: str) -> None:
    assert zone_told(said) == zone


async def test_who_says_where_they_are_lives_by_that_clock_from_then_on(agent: LoadedAgent) -> None:
    talk = Conversation(agent, clock=FakeClock(LATE), phone="+573001234567")
    await talk.say("hola, estoy en Madrid")
    await talk.say("mañana")
    assert talk.session.slots["dia"] == "2026-11-20"
    await talk.say("a las 9 de la mañana")
    assert talk.timers["timer.avisar"] == datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
    await talk.wait(timedelta(days=3))
    await talk.say("hola de nuevo")
    assert talk.session.zone == "Europe/Madrid"


async def test_where_contacts_are_counts_only_where_the_agent_goes_by_it(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(AGENT.replace("timezone_of: contact\n", ""), encoding="utf-8")
    talk = Conversation(load_agent(tmp_path), clock=FakeClock(LATE))
    await talk.say("hola, estoy en Madrid")
    assert talk.session.zone == ""


def test_every_zone_is_one_and_a_number_without_country_has_none() -> None:
    assert all(ZoneInfo(zone) for zone in ZONES.values())
    assert zone_of_number("1155551234") == ""
    assert zone_of_number("+54") == ""


def test_opening_hours_are_the_business_own() -> None:
    with pytest.raises(FileProblems, match="the business opens by its own clock"):
        parse(AGENT + "open: mon-fri 9-18\n", file="agent.yaml")
