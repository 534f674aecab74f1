"""Events and commands as JSON: what is read is what was written."""

import json
import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from itertools import pairwise
from typing import Any, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hilo.agent.values import Value
from hilo.dialogue.commands import CallTool, Command, CorrectSlot, Digress, SetSlot
from hilo.dialogue.events import Event, MessageReceived, TimerFired, ToolResult, ToolsReturned
from hilo.dialogue.recorded import from_json, to_json

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)

TEXTS = st.text(st.characters(exclude_categories=[])) | st.sampled_from(
    ["\0", "\ud83d", "is", "map", "decimal", "time", '{"is": "Closed"}', "\u2028", "👩‍👩‍👧", "\\ud83d"]
)


def _has_whole_pair(text: str) -> bool:
    """Two halves side by side: JSON has no other way to write the character that they make."""
    return any("\ud800" <= one < "\udc00" <= two < "\ue000" for one, two in pairwise(text))


ODD = TEXTS.filter(lambda text: not _has_whole_pair(text))
DECIMALS = st.decimals(allow_nan=False) | st.sampled_from([Decimal("1.10"), Decimal("-0"), Decimal("1E+5"), Decimal(0)])
VALUES = ODD | st.integers() | DECIMALS | st.booleans()
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=-5))])
TIMES = st.datetimes(timezones=ZONES).map(lambda time: time.replace(fold=0))
PLAIN = st.recursive(
    VALUES | st.none() | st.floats(allow_nan=False) | TIMES,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(ODD, inner),
    max_leaves=8,
)

st.register_type_strategy(datetime, TIMES)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "outputs": st.dictionaries(ODD, VALUES),
    "arguments": st.dictionaries(ODD, PLAIN),
    "value": VALUES,
    "at": TIMES,
}


def things(kind: type) -> st.SearchStrategy[Any]:
    """Any of a class, with odd texts and values in it."""
    known = {name: FIELDS[name] for name in kind.__annotations__ if name in FIELDS}
    texts = {name: ODD for name, hint in kind.__annotations__.items() if hint is str}
    return st.builds(kind, **known, **texts)


COMMANDS: st.SearchStrategy[Any] = st.one_of([things(each) for each in get_args(Command)])
st.register_type_strategy(ToolResult, things(ToolResult))
FIELDS["commands"] = st.lists(COMMANDS, max_size=4).map(tuple)
EVENTS: st.SearchStrategy[Any] = st.one_of([things(each) for each in get_args(Event)])


def same(one: Any, two: Any) -> bool:
    """Equal, and of the same types all the way down: True is not 1, and 1.10 is not 1.1."""
    return repr(one) == repr(two) and one == two


@given(EVENTS)
@settings(max_examples=150)
def test_every_event_is_read_as_it_was_written(event: Any) -> None:
    assert same(from_json(to_json(event)), event)


@given(COMMANDS)
def test_every_command_is_read_as_it_was_written(command: Any) -> None:
    assert same(from_json(to_json(command)), command)


@given(PLAIN)
@example({"is": "Closed", "at": "x"})
@example({"map": {}})
@example([(), [], ({},)])
@example((Decimal("1.50"), 1.5, True, 1))
def test_every_value_is_read_as_it_was_written(value: Any) -> None:
    assert same(from_json(to_json(value)), value)


@given(st.lists(EVENTS, max_size=3).map(tuple))
def test_what_was_told_in_a_turn_is_read_as_it_was_written(told: tuple[Any, ...]) -> None:
    assert same(from_json(to_json(told)), told)


@given(EVENTS | PLAIN)
def test_what_is_written_is_json_that_any_database_takes(thing: Any) -> None:
    written = to_json(thing)
    written.encode()
    assert "\0" not in written

    def refuse(word: str) -> None:
        raise AssertionError(word)

    json.loads(written, parse_constant=refuse)


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_json_has_not_are_kept(number: float) -> None:
    assert repr(from_json(to_json({"x": number}))["x"]) == repr(number)


def test_what_has_its_default_is_not_written() -> None:
    assert to_json(MessageReceived(NOW, "hola")) == (
        '{"is":"MessageReceived","at":{"time":"2026-03-02T15:00:00+00:00"},"text":"hola"}'
    )
    assert to_json(CorrectSlot("name")) == '{"is":"CorrectSlot","slot":"name"}'


def test_letters_are_written_as_they_are() -> None:
    assert "¿Señor 👋?" in to_json(SetSlot("name", "¿Señor 👋?"))


def test_results_within_an_event_are_read_as_they_were_written() -> None:
    values: dict[str, Value] = {"price": Decimal("12.50"), "left": 0, "open": True, "name": "\0"}
    event = ToolsReturned(NOW, (ToolResult("c", "t", ok=True, outputs=values), ToolResult("d", "t", ok=False)))
    assert same(from_json(to_json(event)), event)


def test_a_record_from_before_a_field_was_added_is_read_with_its_default() -> None:
    old = '{"is":"TimerFired","at":{"time":"2026-03-02T15:00:00+00:00"},"name":"silence"}'
    assert from_json(old) == TimerFired(NOW, "silence")


@dataclass(frozen=True)
class Stranger:
    at: datetime


@pytest.mark.parametrize(
    "thing",
    [Stranger(NOW), CallTool("t", {"day": date(2026, 3, 2)}), CallTool("t", {"x": {1: "one"}}), {"x": {1}}, object()],
)
def test_what_could_not_be_read_back_is_refused(thing: Any) -> None:
    with pytest.raises(TypeError):
        to_json(thing)


@pytest.mark.parametrize("recorded", ['{"is":"NoSuchThing"}', '{"is":"Closed"}', '{"is":"Digress","sort":"x"}'])
def test_a_record_of_what_is_not_there_is_refused(recorded: str) -> None:
    with pytest.raises((KeyError, TypeError)):
        from_json(recorded)


def test_kinds_are_kept() -> None:
    assert from_json(to_json(Digress("greeting"))) == Digress("greeting")
