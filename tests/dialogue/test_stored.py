"""Stored things as JSON: what is read is what was written."""

import json
import math
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from itertools import pairwise
from typing import Any, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.agent.values import Value
from hilo.dialogue.commands import CallTool, Command, CorrectSlot, Digress, SetSlot
from hilo.dialogue.events import Closed, Event, MessageReceived, TimerFired, Told, ToolResult, ToolsReturned
from hilo.dialogue.stored import Arguments, decode, encode
from hilo.messages import ApprovedTemplate, Attachment, Button, Outbound

_ZONE = re.compile(r"tzinfo=[^)]*\)+")  # Pydantic has a class of its own for the same zones
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
    return st.builds(kind, **{**known, **texts})


COMMANDS: st.SearchStrategy[Any] = st.one_of([things(each) for each in get_args(get_args(Command)[0])])
st.register_type_strategy(ToolResult, things(ToolResult))
FIELDS["commands"] = st.lists(COMMANDS, max_size=4).map(tuple)
EVENTS: st.SearchStrategy[Any] = st.one_of([things(each) for each in get_args(get_args(Event)[0])])


def same(one: Any, two: Any) -> bool:
    """Equal, and of the same types all the way down: True is not 1, and 1.10 is not 1.1."""
    return _ZONE.sub("", repr(one)) == _ZONE.sub("", repr(two)) and one == two


@given(EVENTS)
@settings(max_examples=depth(60, 150))
def test_every_event_is_read_as_it_was_written(event: Any) -> None:
    assert same(decode(Event, encode(Event, event)), event)


@given(COMMANDS)
def test_every_command_is_read_as_it_was_written(command: Any) -> None:
    assert same(decode(Command, encode(Command, command)), command)


@given(st.dictionaries(ODD, PLAIN))
@example({"is": "Closed", "at": "x"})
@example({"map": {}, "time": "x"})
@example({"x": [(), [], ({},)]})
@example({"x": (Decimal("1.50"), 1.5, True, 1)})
def test_all_arguments_are_read_as_they_were_written(arguments: Any) -> None:
    assert same(decode(Arguments, encode(Arguments, arguments)), arguments)


@given(st.lists(EVENTS, max_size=3).map(tuple))
def test_what_was_told_in_a_turn_is_read_as_it_was_written(told: tuple[Any, ...]) -> None:
    assert same(decode(Told, encode(Told, told)), told)


@given(EVENTS)
def test_what_is_written_is_json_that_any_database_takes(event: Any) -> None:
    written = encode(Event, event)
    written.encode()
    assert "\0" not in written

    def refuse(word: str) -> None:
        raise AssertionError(word)

    json.loads(written, parse_constant=refuse)


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_json_has_not_are_kept(number: float) -> None:
    assert repr(decode(Arguments, encode(Arguments, {"x": number}))["x"]) == repr(number)


def test_what_has_its_default_is_not_written() -> None:
    assert encode(Event, MessageReceived(NOW, "hola")) == (
        '{"is":"MessageReceived","at":"2026-03-02T15:00:00+00:00","text":"hola"}'
    )
    assert encode(Command, CorrectSlot("name")) == '{"is":"CorrectSlot","slot":"name"}'


def test_letters_are_written_as_they_are() -> None:
    assert "¿Señor 👋?" in encode(Command, SetSlot("name", "¿Señor 👋?"))


def test_results_within_an_event_are_read_as_they_were_written() -> None:
    values: dict[str, Value] = {"price": Decimal("12.50"), "left": 0, "open": True, "name": "\0"}
    event = ToolsReturned(NOW, (ToolResult("c", "t", ok=True, outputs=values), ToolResult("d", "t", ok=False)))
    assert same(decode(Event, encode(Event, event)), event)


def test_a_record_from_before_a_field_was_added_is_read_with_its_default() -> None:
    old = '{"is":"TimerFired","at":{"time":"2026-03-02T15:00:00+00:00"},"name":"silence"}'
    assert decode(Event, old) == TimerFired(NOW, "silence")
    assert decode(Event, old.replace('{"time":', "").replace("},", ",")) == TimerFired(NOW, "silence")


@dataclass(frozen=True)
class Stranger:
    at: datetime


@pytest.mark.parametrize(
    "thing",
    [
        *(Stranger(NOW), Closed(NOW), {"x": {1}}, object()),
        *(CallTool("t", {"day": date(2026, 3, 2)}), CallTool("t", {"x": {1: "one"}})),
    ],
)
def test_what_could_not_be_read_back_is_refused(thing: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        encode(Command, thing)


@pytest.mark.parametrize(
    "stored",
    [
        *('{"is":"NoSuchThing"}', '{"is":"Closed"}', '{"is":"Digress","sort":"x"}', "[]", "7", '{"slot":"a"}'),
        *('{"is":"Digress","kind":"weird"}', '{"is":"SkipSlot","slot":5}', '{"is":"SetSlot","slot":"a","value":null}'),
        '{"is":"CallTool","tool":"t","arguments":7}',
    ],
)
def test_a_record_of_what_is_not_there_is_refused(stored: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(Command, stored)


def test_kinds_are_kept() -> None:
    assert decode(Command, encode(Command, Digress("greeting"))) == Digress("greeting")


PICTURE = Attachment("image", url="https://x/y.png", latitude=0.0)
MESSAGES = (
    Outbound("¿Señor \ud83d?"),
    Outbound("a", buttons=(Button("yes:1", "Sí"),), attachment=PICTURE),
    Outbound(approved=ApprovedTemplate("reminder", "es", ("Ana", ""))),
)


@pytest.mark.parametrize("message", MESSAGES, ids=repr)
def test_every_message_is_read_as_it_was_written(message: Outbound) -> None:
    assert same(decode(Outbound, encode(Outbound, message)), message)


def test_a_message_from_before_defaults_were_left_out_everywhere_is_read() -> None:
    empty = {"caption": "", "name": "", "latitude": None, "longitude": None, "phone": ""}
    old = json.dumps({"text": "a", "attachment": {"kind": "image", "url": "u", **empty}})
    assert decode(Outbound, old) == Outbound("a", attachment=Attachment("image", url="u"))
