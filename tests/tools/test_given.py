"""What surrounds a call: the contact and the tables are given, and outcomes for the contact are no errors."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypedDict

import pytest

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import Asks, ToolResult
from hilo.tools.call import MAX_NESTED, answer_of, call
from hilo.tools.given import Contact, Given
from hilo.tools.tool import AskContact, Tool, ToolFailed, tool

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
ANA = Contact("w", "contact_ana", "wa", "5491100000000", "session_1")


class Order(TypedDict):
    number: str
    total: int


@dataclass(frozen=True)
class Weather:
    city: str
    degrees: float


class Ledger:
    """A database that only remembers that it was asked."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    async def run(self, script: Callable[..., Any], *values: Any, **named: Any) -> Any:
        del values, named
        self.ran.append(script.__name__)
        return "kept"


@tool
def who(greeting: str, contact: Contact) -> str:
    return f"{greeting} {contact.id} of {contact.workspace} at {contact.address}"


@tool
async def keep(contact: Contact, database: Ledger, now: datetime, call_id: str) -> str:
    return f"{await database.run(keep_it)} {contact.id} {now:%H} {call_id}"


def keep_it() -> None:
    """What is run is not of interest here."""


@tool
def weather(city: str) -> Weather:
    if city == "Springfield":
        raise AskContact("city", ("Springfield, IL", "Springfield, MO"), "¿Cuál de ellas?")
    if city == "Atlantis":
        raise ToolFailed("no station at Atlantis", tell="No conozco esa ciudad.")
    return Weather(city, 21.5)


async def result(made: Tool, given: Given | None = None, **arguments: Any) -> ToolResult:
    return await call({made.spec.name: made}, RunTool("c1", made.spec.name, arguments), now=NOW, given=given)


def gives(value: Any) -> Tool:
    def act() -> Any:
        return value

    return tool(act)


async def test_the_contact_and_the_tables_are_given_and_nobody_else_can_set_them() -> None:
    ledger = Ledger()
    assert (await result(who, Given(ANA), greeting="hola")).outputs == {
        "result": "hola contact_ana of w at 5491100000000"
    }
    assert (await result(keep, Given(ANA, ledger))).outputs == {"result": "kept contact_ana 15 c1"}
    assert ledger.ran == ["keep_it"]
    assert who.spec.parameters == {"greeting": True}
    assert "contact" not in who.schema()["properties"]
    forged = await result(who, Given(ANA), greeting="hola", contact="contact_eva")
    assert "wrong arguments: contact" in forged.error


async def test_what_is_not_there_fails_with_how_to_get_it() -> None:
    without = await result(keep, Given(ANA))
    assert (without.ok, without.unknown) == (False, False)
    assert "an agent has one with a folder `sql` beside its file" in without.error
    assert "no contact: run it with `given`" in (await result(who, greeting="hola")).error
    with pytest.raises(ToolFailed, match="no contact"):
        await answer_of(who, "hola", now=NOW)
    assert "contact_ana" in await answer_of(who, "hola", now=NOW, given=Given(ANA))


def test_a_tool_that_takes_the_database_must_be_able_to_wait_for_it() -> None:
    with pytest.raises(TypeError, match="async def"):

        @tool
        def blocking(database: Ledger) -> str:
            return str(database)


async def test_a_failure_with_something_to_tell_keeps_both_sentences() -> None:
    told = await result(weather, city="Atlantis")
    assert told == ToolResult("c1", "weather", ok=False, error="no station at Atlantis", tell="No conozco esa ciudad.")


async def test_a_tool_may_ask_which_was_meant() -> None:
    asked = await result(weather, city="Springfield")
    assert asked.asks == Asks("city", ("Springfield, IL", "Springfield, MO"), "¿Cuál de ellas?")
    assert (asked.ok, asked.unknown) == (False, False)


async def test_a_tool_can_ask_only_for_a_parameter_of_its_own() -> None:
    @tool(idempotent=False)
    def lost(city: str) -> str:
        raise AskContact("planet", (city,))

    asked = await result(lost, city="x")
    assert (asked.asks, asked.unknown) == (None, False)
    assert "planet, which is no parameter of it" in asked.error


def test_known_outputs_are_those_of_a_typed_dict_or_a_dataclass() -> None:
    @tool
    def order() -> Order:
        return {"number": "7", "total": 3}

    @tool
    def loose() -> dict[str, str]:
        return {}

    assert order.spec.outputs == ("number", "total")
    assert weather.spec.outputs == ("city", "degrees")
    assert loose.spec.outputs == ()


async def test_a_dataclass_gives_an_output_for_each_field() -> None:
    assert (await result(weather, city="Bogotá")).outputs == {"city": "Bogotá", "degrees": Decimal("21.5")}


async def test_lists_and_mappings_among_outputs_are_compact_json() -> None:
    lines = [{"item": "café", "price": Decimal("9.90"), "at": NOW.date()}, Weather("Lima", 19.0)]
    outputs = (await result(gives({"lines": lines, "tags": {"b", "a"}, "count": 2}))).outputs
    assert outputs["count"] == 2
    assert outputs["tags"] == '["a","b"]'
    assert json.loads(str(outputs["lines"])) == [
        {"item": "café", "price": "9.90", "at": "2026-03-02"},
        {"city": "Lima", "degrees": 19.0},
    ]
    assert "café" in str(outputs["lines"])
    assert ", " not in str(outputs["lines"])
    assert (await result(gives([1, 2]))).outputs == {"result": "[1,2]"}


async def test_what_is_too_long_is_cut_and_says_so() -> None:
    text = str((await result(gives(list(range(5000))))).outputs["result"])
    assert len(text) == MAX_NESTED
    assert text.endswith("…")


async def test_what_holds_itself_is_a_failure() -> None:
    ring: list[Any] = []
    ring.append(ring)
    assert "cannot be kept" in (await result(gives(ring))).error
