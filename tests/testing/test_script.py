"""What may stand in a conversation file, and how its problems are told."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tiny_agents import TICKETS, load

from hilo.dialogue.states import DialogueState
from hilo.errors import FileProblems
from hilo.testing import Broken, parse_script, play, read_scripts

WHOLE = """
conversation: the contact corrects the e-mail
agent: ../other
starts: 2026-05-04T09:30
steps:
  - contact: Mi nombre es Juan
    expect:
      mentions: correo
      omits: [teléfono]
      asked: email
      slots: {name: Juan, email: null, budget: 10.5, known: true}
      state: waiting_for_slot
      mode: IDLE
      handed_off: keyword
      nodes: [check_escalation, decide]
      silent: false
      completed: capture
      buttons: [Sí, No]
      refused: 2
  - press: yes
  - after: 1h 30m
    expect: {handed_off: true, refused: false}
  - operator: takes over
  - operator: releases
"""


def problems(text: str) -> list[str]:
    with pytest.raises(FileProblems) as caught:
        parse_script(text, file=Path("t.yaml"))
    return [str(problem) for problem in caught.value.problems]


def test_every_key_is_read() -> None:
    script = parse_script(WHOLE).script
    first, press, after, *operator = script.steps
    assert script.conversation == "the contact corrects the e-mail"
    assert script.agent == "../other"
    assert script.starts == datetime(2026, 5, 4, 9, 30)  # noqa: DTZ001
    assert first.expect.mentions == ("correo",)
    assert first.expect.state is DialogueState.WAITING_FOR_SLOT
    assert first.expect.refused == 2
    assert press.press == "yes"
    assert after.after == timedelta(minutes=90)
    assert after.expect.handed_off is True
    assert after.expect.refused is False
    assert [step.operator.does for step in operator if step.operator] == ["takes over", "releases"]


def test_a_number_is_what_a_contact_writes_too() -> None:
    steps = parse_script("steps: [{contact: 5}, {contact: 3.50}, {contact: 007, expect: {mentions: 7}}]").script.steps
    assert [step.contact for step in steps] == ["5", "3.50", "007"]
    assert steps[-1].expect.mentions == ("7",)


def test_a_conversation_without_a_title_is_called_like_its_file() -> None:
    assert parse_script("steps: []", file=Path("a/says_no_twice.yaml")).title == "says no twice"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "t.yaml:1:1: a conversation file is a mapping (start with `steps:`)"),
        ("conversation: x", "t.yaml:1:1: `steps` is missing"),
        ("stps: []\nsteps: []", "t.yaml:1:1: unknown key `stps` (did you mean `steps`?)"),
        ("steps:\n  - contct: hola", "t.yaml:2:5: unknown key `contct` (did you mean `contact`?)"),
        (
            "steps:\n  - expect: {silent: true}",
            "t.yaml:2:5: nothing happens in this step (one of: contact, press, after, comes_back, operator, campaign)",
        ),
        (
            "steps:\n  - contact: a\n    press: b",
            "t.yaml:2:5: a step is one event, not contact and press (one of: contact, press, after, comes_back, op",
        ),
        (
            "steps:\n  - contact: a\n    expect:\n      mention: b",
            "t.yaml:4:7: unknown key `mention` (did you mean `mentions`?)",
        ),
        (
            "steps:\n  - contact: a\n    expect: {state: confirmng}",
            "t.yaml:3:21: `confirmng` is not known here (did you mean `confirming`?)",
        ),
        ("steps:\n  - after: soon", "t.yaml:2:12: `after` must be a duration such as 90s, 30m, 2h or 1h 30m"),
        (
            "steps:\n  - operator: {calls: a, releases: {}}",
            "t.yaml:2:15: `operator` must be takes over, releases, pauses, resumes, {calls: …} or {releases: {…}}",
        ),
        (
            "steps:\n  - operator: {releases: {mod: IDLE}}",
            "t.yaml:2:27: unknown key `mod` (did you mean `mode`?)",
        ),
        (
            "steps:\n  - operator: on",
            "t.yaml:2:15: `on` is not known here (one of: takes over, releases, pauses, resumes, calls)",
        ),
        ("starts: 2026\nsteps: []", "t.yaml:1:9: `starts` must be a moment such as 2026-03-02T10:00"),
        ("starts: mañana\nsteps: []", "t.yaml:1:9: `starts` must be a moment such as 2026-03-02T10:00"),
        ("steps:\n  - contact: [a]", "t.yaml:2:14: `contact` must be a text, not a list"),
        ("steps: hola", "t.yaml:1:8: `steps` must be a list, not `hola`"),
        ("steps:\n  - hola", "t.yaml:2:5: `0` must have keys of its own (write `key: value`)"),
        ("steps: []\nsteps: []", "t.yaml:2:1: `steps` is here twice (first in line 1)"),
        ("steps: &a []", "t.yaml:1:8: aliases and anchors (& and *) are not allowed (write the value out)"),
    ],
)
def test_a_problem_says_where_it_is_and_what_was_meant(text: str, problem: str) -> None:
    assert any(line.startswith(problem) for line in problems(text)), problems(text)


def test_all_problems_are_told_at_once() -> None:
    assert (
        len(problems("starts: x\nsteps:\n  - contct: a\n  - after: b\n  - contact: c\n    expect: {slient: true}")) == 5
    )


def test_a_file_that_is_not_text_is_a_problem_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_bytes(b"steps: [\xff\xfe]")
    with pytest.raises(FileProblems, match="not UTF-8 text"):
        read_scripts(file)


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ("asked: nme", "conversation.yaml:3:21: there is no slot `nme` (did you mean `name`?)"),
        ("slots: {phone: 1}", "there is no slot `phone` (known are: name, seats, note)"),
        ("slots: {seats: many}", "`many` is no value for a slot of type number"),
        ("completed: boook", "there is no flow `boook` (did you mean `book`?)"),
        ("handed_off: keywrd", "there is no policy `keywrd` (did you mean `keyword`?)"),
        ("nodes: [decide, understnd]", "there is no node `understnd` (did you mean `understand`?)"),
        ("mode: IDLE", "there is no mode `IDLE` (known are: none)"),
    ],
)
async def test_names_that_the_agent_does_not_have_are_problems(tmp_path: Path, expect: str, problem: str) -> None:
    script = parse_script(f"steps:\n  - contact: hola\n    expect: {{{expect}}}")
    outcome = await play(script, load(tmp_path, TICKETS))
    assert isinstance(outcome, Broken)
    assert problem in outcome.problem
