"""Timers, quiet hours and waits in agent files."""

from datetime import time, timedelta

import pytest

from hilo.agent.drawing import draw_flow
from hilo.agent.parse import json_schema, parse
from hilo.agent.timers import After, QuietHours, Timer
from hilo.agent.toolbox import ToolSpec
from hilo.errors import FileProblems

AGENT = """\
agent: shop
timezone: America/Bogota
quiet_hours: 21:00 to 08:00
slots:
  name: {type: person_name, ask: "¿Nombre?"}
flows:
  order:
    starts: always
    steps: [{collect: name}, {wait: until 18:00}, {say: "Listo."}]
  follow_up:
    steps: [{say: "¿Todo bien?"}]
templates:
  pending: ["Quedamos pendientes.", "¿Seguimos?"]
timers:
  reminder: {after: 6m of silence, when: name is empty, say: pending, at_most: 2}
  evening: {at: "18:00", start: follow_up}
  last: {after: 1h 30m, handoff: nobody finished this}
  inline: {after: 2h of silence, say: "¿Sigues ahí?"}
"""


def problems(text: str) -> list[str]:
    with pytest.raises(FileProblems) as caught:
        parse(text, file="a.yaml")
    return [str(problem) for problem in caught.value.problems]


def test_a_timer_says_when_and_what() -> None:
    agent = parse(AGENT)
    assert agent.timers["reminder"] == Timer(
        after=After(timedelta(minutes=6), silence=True), when="name is empty", say="pending", at_most=2
    )
    assert agent.timers["evening"] == Timer(at=time(18), start="follow_up")
    assert agent.timers["last"] == Timer(after=After(timedelta(minutes=90)), handoff="nobody finished this")
    assert agent.quiet_hours == QuietHours(time(21), time(8))


def test_a_text_in_a_timer_becomes_a_template_of_its_name() -> None:
    agent = parse(AGENT)
    assert agent.timers["inline"].say == "timer.inline"
    assert agent.templates["timer.inline"].text == "¿Sigues ahí?"


def test_quiet_hours_may_go_over_midnight_and_their_end_is_not_quiet() -> None:
    night, siesta = QuietHours(time(21), time(8)), QuietHours(time(13), time(16))
    assert [night.has(time(hour)) for hour in (20, 21, 0, 7, 8)] == [False, True, True, True, False]
    assert [siesta.has(time(hour)) for hour in (12, 13, 15, 16, 23)] == [False, True, True, False, False]


def test_a_flow_that_only_a_timer_starts_is_started_and_drawn() -> None:
    assert "starts with the timer evening" in draw_flow(parse(AGENT), "follow_up")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("after: 6m of silence", "after: soon", "a.yaml:15:21: `after` must be a duration such as 90s"),
        ("after: 6m of silence", "after: 6m of quiet", "a.yaml:15:21: `after` must be a duration"),
        ("after: 6m of silence", "after: 6", "a.yaml:15:21: `after` must be a duration"),
        ("after: 6m of silence", "after: 0m of silence", "a.yaml:15:21: `after` must be longer than nothing"),
        ("after: 6m of silence", "after: 900d of silence", "`after` must be at most 366d"),
        ("after: 6m of silence, ", "", "a.yaml:15:13: a timer falls due `after` some time or `at` a time of day"),
        ("after: 6m of silence", "after: 6m, at: 10:00", "a timer falls due `after` some time or `at` a time of day"),
        ("say: pending", "sy: pending", "a.yaml:15:57: unknown key `sy` (did you mean `say`?)"),
        ("say: pending", "say: pendig", "template `pendig` is not declared (did you mean `pending`?)"),
        ("say: pending", 'say: "Hola {nombre}"', "slot `nombre` is not declared"),
        (", say: pending", "", "a timer does one thing, this one does nothing (one of: say, start, handoff, mode)"),
        ("say: pending", "say: pending, handoff: x", "a timer does one thing, this one does say and handoff"),
        ("at_most: 2", "at_most: 3", "a.yaml:15:62: it may speak 3 times, and has 2 wordings (name a template with"),
        ("of silence, say", "of silence, at_most: 2, say", "it may speak 2 times, and has 1 wording ("),
        ("at_most: 2", "at_most: 0", "`at_most` is from 1 to 50"),
        ("name is empty", "nme is empty", "slot `nme` is not declared (did you mean `name`?)"),
        ("name is empty", "name is", "`name is` is not a condition"),
        ('at: "18:00"', 'at: "25:00"', "a.yaml:16:17: `at` must be a time of day such as 18:00"),
        ('at: "18:00"', "at: 22:30", "a.yaml:16:17: 22:30 is in the quiet hours, which end at 08:00"),
        ("start: follow_up", "start: folow_up", "flow `folow_up` is not declared (did you mean `follow_up`?)"),
        ("until 18:00", "until 23:00", "23:00 is in the quiet hours, which end at 08:00"),
        ("until 18:00", "until noon", "`until noon` must be a time of day such as 18:00"),
        ("21:00 to 08:00", "at night", "a.yaml:3:14: `quiet_hours` must be hours such as 21:00 to 08:00"),
        ("21:00 to 08:00", "08:00 to 08:00", "`quiet_hours` begin when they end"),
        ("  last:", "  Last one:", "`Last one` is not a name"),
        ("handoff: nobody", "consent: silence, handoff: nobody", "silence can only be a yes to a flow"),
        ("  follow_up:\n", "  timer:\n", "`timer` is a word of the language"),
        ("pending: [", 'pending: ["{open_flow}", ', "slot `open_flow` is not declared"),
    ],
)
def test_a_mistake_about_time_is_named_with_its_place_and_a_hint(old: str, new: str, expected: str) -> None:
    assert old in AGENT
    found = problems(AGENT.replace(old, new, 1))
    assert any(expected in line for line in found), found


def test_a_mistake_in_a_timer_is_named_once() -> None:
    assert len(problems(AGENT.replace("6m of silence", "soon"))) == 1


def test_a_tool_that_needs_a_yes_is_not_reached_by_a_timer_without_one() -> None:
    writing = AGENT.replace('{say: "¿Todo bien?"}', "{do: book}")
    with pytest.raises(FileProblems, match="book needs a yes, and can be reached without one"):
        parse(writing, toolbox={"book": ToolSpec("book", writes=True, needs_yes=True)})


def test_timers_of_modes_have_the_same_words() -> None:
    text = AGENT + "modes: {IDLE: {timers: {nudge: {after: 10m of silence, say: pending}}}}\n"
    assert parse(text).modes["IDLE"].timers["nudge"] == Timer(
        after=After(timedelta(minutes=10), silence=True), say="pending"
    )
    assert problems(text.replace("10m of silence, say: pending", "0m, say: pendig")) == [
        "a.yaml:19:40: `after` must be longer than nothing",
        "a.yaml:19:49: template `pendig` is not declared (did you mean `pending`?)",
    ]


def test_a_welcome_may_speak_of_the_session_before() -> None:
    welcome = AGENT.replace("templates:\n", 'templates:\n  welcome_back: "Falta {open_slot} de {open_flow}, {name}."\n')
    assert parse(welcome).templates["welcome_back"]


def test_editors_know_the_words_of_time() -> None:
    schema = json_schema()
    assert schema["properties"]["quiet_hours"]["anyOf"][0] == {"type": "string"}
    assert {"after", "at", "when", "say", "start", "handoff", "at_most"} <= set(schema["$defs"]["Timer"]["properties"])
