"""The agenda of the clinic on both databases: races for an hour, the waiting list, and who sees what."""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.agent_scene import AGENTS, AgentScene, Opened, own_sql_of
from hilo.agent.opening_hours import OpeningHours
from hilo.agent.parse import parse
from hilo.app.loading import load_tools
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.store.own_sql import OwnSql
from hilo.testing import find_suites, run_suite
from hilo.tools.call import call
from hilo.tools.given import Facts, Given
from hilo.tools.tool import Tool

pytest_plugins = ("agents.agent_databases",)

FOLDER = AGENTS / "turnos"
TOOLS = load_tools(FOLDER / "tools.py")
TOOLBOX = {name: each.spec for name, each in TOOLS.items()}
AGENT = parse((FOLDER / "agent.yaml").read_text(encoding="utf-8"), toolbox=TOOLBOX)
ZONE = ZoneInfo("America/Argentina/Buenos_Aires")
THURSDAY = {"servicio": "Odontología", "profesional": "Dra. Sosa", "dia": "2026-11-26"}
SATURDAY = {**THURSDAY, "dia": "2026-11-28"}  # four hours: 8, 9, 10 and 11


@dataclass
class Clinic(AgentScene):
    """A clinic in a workspace of its own, and somebody who writes to it."""

    own: OwnSql = field(default_factory=lambda: own_sql_of("turnos"))
    tools: dict[str, Tool] = field(default_factory=lambda: TOOLS)
    facts: Facts = field(default_factory=lambda: AGENT.facts)
    now: datetime = field(default_factory=lambda: datetime(2026, 11, 17, 13, tzinfo=UTC).astimezone(ZONE))

    async def call(self, tool: str, who: str = "ana", **arguments: Any) -> ToolResult:
        self.calls += 1
        self.now += timedelta(seconds=1)
        run = RunTool(arguments.pop("call_id", f"{who}-{self.calls}"), tool, arguments)
        database = self.database(who)
        opening: OpeningHours | None = AGENT.open
        given = Given(database.contact, database, self.facts, opening=opening)
        return await call(self.tools, run, now=self.now, given=given)

    async def book(self, hour: str, who: str = "ana", **more: Any) -> ToolResult:
        return await self.call("book", who, **{**SATURDAY, "hora": hour, "nombre": who, **more})

    async def free(self, who: str = "ana", **more: Any) -> list[str]:
        result = await self.call("free_hours", who, **{**SATURDAY, **more})
        assert result.ok, result
        found: list[str] = json.loads(str(result.outputs["result"]))
        return found


@pytest.fixture
def clinic(opened: Opened) -> Clinic:
    return Clinic(opened)


async def test_an_hour_that_is_booked_is_not_free_for_anybody(clinic: Clinic) -> None:
    assert await clinic.free() == ["08:00", "09:00", "10:00", "11:00"]
    assert (await clinic.book("09:00")).outputs["hecho"] == "T-0001, Odontología con Dra. Sosa, sáb 28 nov a las 09:00"
    assert await clinic.free("eva") == ["08:00", "10:00", "11:00"]


async def test_of_ten_who_want_the_same_hour_one_gets_it(clinic: Clinic) -> None:
    results = await asyncio.gather(*(clinic.book("09:00", f"contact{each}") for each in range(10)))
    assert sum(each.ok for each in results) == 1
    assert {each.tell for each in results if not each.ok} == {"Las 09:00 se acaban de ocupar."}


async def test_a_repeated_call_books_once(clinic: Clinic) -> None:
    first = await clinic.book("09:00", call_id="c1")
    again = await clinic.book("09:00", call_id="c1")
    assert first.outputs["hecho"] == again.outputs["hecho"]
    assert await clinic.free() == ["08:00", "10:00", "11:00"]


async def test_anybody_is_the_first_who_is_free(clinic: Clinic) -> None:
    wish = {"servicio": "Clínica médica", "profesional": "cualquier profesional", "dia": "2026-11-25", "hora": "09:00"}
    made = [await clinic.call("book", who, nombre=who, **wish) for who in ("ana", "eva", "leo")]
    assert ["Dra. Ruiz" in str(each.outputs.get("hecho")) for each in made[:2]] == [True, False]
    assert "Dr. Paz" in str(made[1].outputs["hecho"])
    assert not made[2].ok


async def test_a_longer_service_does_not_overlap_a_shorter_one_of_the_same_person(clinic: Clinic) -> None:
    day = {"profesional": "Dr. Paz", "dia": "2026-11-25"}
    await clinic.call("book", servicio="Clínica médica", hora="09:30", nombre="Ana", **day)
    assert "09:00" not in await clinic.free(servicio="Nutrición", **day)
    assert "10:00" in await clinic.free(servicio="Nutrición", **day)


async def test_nobody_sees_or_changes_the_appointments_of_others(clinic: Clinic) -> None:
    await clinic.book("09:00")
    assert (await clinic.call("my_appointment", "eva")).outputs["elegido"] == ""
    await clinic.call("cancel", "eva", elegido="T-0001")
    await clinic.call("move", "eva", elegido="T-0001", **{**SATURDAY, "hora": "10:00", "nombre": "ana"})
    assert (await clinic.call("next_appointment")).outputs["turno_hora"] == "09:00"


async def test_an_appointment_is_moved_and_its_old_hour_is_free(clinic: Clinic) -> None:
    await clinic.book("09:00")
    await clinic.call("confirm_appointment", turno="T-0001")
    moved = await clinic.call("move", elegido="T-0001", **{**SATURDAY, "hora": "10:00", "nombre": "ana"})
    assert moved.outputs["turno_hora"] == "10:00"
    assert moved.outputs["turno_confirmado"] is False  # a yes was for another hour
    assert await clinic.free("eva") == ["08:00", "09:00", "11:00"]


async def test_it_is_not_moved_to_an_hour_that_somebody_has(clinic: Clinic) -> None:
    await clinic.book("09:00")
    await clinic.book("10:00", "eva")
    moved = await clinic.call("move", elegido="T-0001", **{**SATURDAY, "hora": "10:00", "nombre": "ana"})
    assert moved.tell == "Las 10:00 se acaban de ocupar."
    assert (await clinic.call("next_appointment")).outputs["turno_hora"] == "09:00"


async def test_a_cancelled_appointment_is_given_back_once_while_nobody_else_has_its_place(clinic: Clinic) -> None:
    await clinic.book("09:00", "ana")
    await clinic.call("cancel", "ana", elegido="T-0001")
    assert not (await clinic.call("restore", "eva", soltado="T-0001")).ok, "it is not theirs"
    assert (await clinic.call("restore", "ana", soltado="T-0001")).outputs["turno"] == "T-0001"
    assert (await clinic.call("restore", "ana", soltado="T-0001")).ok, "a repeated call finds it given back"
    assert "09:00" not in await clinic.free("eva")

    await clinic.call("cancel", "ana", elegido="T-0001")
    await clinic.book("09:00", "eva")
    assert "ocup" in (await clinic.call("cancelled_appointment", "ana", soltado="T-0001")).tell
    assert not (await clinic.call("restore", "ana", soltado="T-0001")).ok


async def test_a_day_that_is_full_names_the_next_one_with_room(clinic: Clinic) -> None:
    for hour in ("08:00", "09:00", "10:00", "11:00"):
        await clinic.book(hour)
    looked = await clinic.call("look_at_day", "eva", **SATURDAY)
    assert looked.outputs == {"libres": 0, "cercano": "mar 1 dic"}


async def test_a_place_that_comes_free_is_offered_to_whoever_waits_longest_and_kept_for_two_hours(
    clinic: Clinic,
) -> None:
    for hour in ("08:00", "09:00", "10:00", "11:00"):
        await clinic.book(hour)
    for who in ("eva", "leo"):
        await clinic.call("join_waitlist", who, **SATURDAY)
    assert (await clinic.call("look_for_room", "eva")).outputs["espera_hora"] == ""
    await clinic.call("cancel", elegido="T-0002")
    assert (await clinic.call("look_for_room", "leo")).outputs["espera_hora"] == ""
    assert (await clinic.call("look_for_room", "eva")).outputs["espera_hora"] == "09:00"
    assert await clinic.free("leo") == []
    clinic.now += timedelta(hours=3)
    assert (await clinic.call("look_for_room", "leo")).outputs["espera_hora"] == "09:00"
    late = await clinic.call("take_offer", "eva", espera_hora="09:00", nombre="Eva")
    assert late.tell.startswith("Uy")
    assert (await clinic.call("take_offer", "leo", espera_hora="09:00", nombre="Leo")).ok
    assert (await clinic.call("look_for_room", "leo")).outputs["espera"] == ""


async def test_looking_for_room_ends_with_the_day(clinic: Clinic) -> None:
    wish = {**THURSDAY, "dia": "2026-11-17"}
    clinic.now = datetime(2026, 11, 17, 18, 30, tzinfo=ZONE)
    assert (await clinic.call("join_waitlist", **wish)).outputs["mirar_dia"] == ""
    clinic.now = datetime(2026, 11, 17, 12, 30, tzinfo=ZONE)
    joined = await clinic.call("join_waitlist", **wish)
    assert (joined.outputs["mirar_dia"], joined.outputs["mirar_hora"]) == ("2026-11-17", "13:30")


async def test_the_conversations_go_through_all_of_the_agent() -> None:
    (suite,) = find_suites((FOLDER,))
    report = await run_suite(suite)
    assert [each.title for each in report.played if not each.passed] == []
    assert {each.kind: each.missing for each in report.covered} == {each.kind: () for each in report.covered}
