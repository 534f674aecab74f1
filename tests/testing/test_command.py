"""`hilo test` as its reader sees it."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tiny_agents import GREETED, HELLO, TICKETS, write_agent

from hilo.cli.test import command
from hilo.errors import HiloError

WRONG = """
conversation: a name is not enough
steps:
  - contact: hola
  - contact: Juan Pérez
    expect: {asked: name, mentions: [adiós]}
  - contact: gracias
"""


def hilo_test(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def closing(result: Result) -> str:
    return result.output.rstrip("\n").splitlines()[-1]


def test_what_passes_is_one_line_for_each_agent(tmp_path: Path) -> None:
    write_agent(tmp_path / "one", HELLO, a=GREETED, b=GREETED)
    write_agent(tmp_path / "two", HELLO.replace("agent: hello", "agent: other"), c=GREETED)
    result = hilo_test(tmp_path)
    first, second, last = result.output.splitlines()
    assert result.exit_code == 0
    assert first.startswith("hello: 2 passed in ")
    assert first.endswith(" s · coverage: steps 100 %, states 50 %")
    assert second.startswith("other: 1 passed in ")
    assert last == "3 passed, 0 failed"


def test_what_fails_is_shown_up_to_the_first_difference(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "one", HELLO, a=GREETED, wrong=WRONG)
    result = hilo_test(folder)
    assert result.exit_code == 1
    assert closing(result) == "1 passed, 1 failed"
    shown = [
        f"  ✗ a name is not enough  {folder}/conversations/wrong.yaml:5:5",
        "     contact  hola",
        "       agent  ¡Hola! ¿Cómo te llamas?",
        "     contact  Juan Pérez",
        "       agent  Hola, Juan Pérez.",
        "      expected the reply to mention “adiós”, but it says “Hola, Juan Pérez.”",
        "      expected a question for `name`, but there is no open question",
    ]
    lines = result.output.splitlines()
    assert lines[1:8] == shown
    assert lines[8].startswith("      nodes: check_escalation → understand → ")
    assert lines[9].startswith("      understood: embedded")
    assert lines[10] == "      commands: SetSlot(name, Juan Pérez)"
    assert lines[11].startswith("      states: waiting_for_slot → understanding → ")
    assert "gracias" not in result.output


def test_transcripts_of_what_passed_are_printed_when_asked_for(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "one", HELLO, a=GREETED)
    assert "Juan" not in hilo_test(folder).output
    assert "  ✓ a\n     contact  Soy Juan Pérez\n" in hilo_test(folder, "-v").output


def test_a_transcript_shows_buttons_time_and_operators(tmp_path: Path) -> None:
    steps = "steps: [{contact: Soy Ana Ruiz}, {contact: 1}, {after: 31m}, {operator: releases}]"
    shown = hilo_test(write_agent(tmp_path / "one", TICKETS, a=steps), "-v").output
    assert "1 asientos. ¿Es correcto? [Sí] [No]\n" in shown
    assert "        time  31m later\n       timer  escalation.timeout\n" in shown
    assert "    operator  releases\n" in shown


def test_a_broken_conversation_does_not_stop_the_others(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "one", HELLO, a=GREETED, b="steps: [{contct: hola}]", c=GREETED)
    result = hilo_test(folder)
    assert result.exit_code == 1
    assert f"  {folder}/conversations/b.yaml:1:10: unknown key `contct` (did you mean `contact`?)" in result.output
    assert closing(result) == "2 passed, 1 failed"


def test_conversations_of_one_file_are_played_and_told_one_by_one(tmp_path: Path) -> None:
    named = f"conversation: a greeting{GREETED}"
    folder = write_agent(tmp_path / "one", HELLO, a=f"{named}---{WRONG}---\n{named}")
    result = hilo_test(folder)
    assert f"✗ a name is not enough  {folder}/conversations/a.yaml:" in result.output
    assert closing(result) == "2 passed, 1 failed"


def test_words_of_a_title_select_what_is_played(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "one", HELLO, a=GREETED, b=WRONG)
    assert closing(hilo_test(folder, "-k", "enough")) == "0 passed, 1 failed"
    with pytest.raises(HiloError, match="no conversation has `nothing` in its title"):
        CliRunner().invoke(command, [str(folder), "-k", "nothing"], catch_exceptions=False)


@pytest.mark.parametrize(
    ("agent", "problem"),
    [
        ("agent: one\nslts: {}", "agent.yaml:2:1: unknown key `slts` (did you mean `slots`?)"),
        (HELLO + "nodes: [{node: 'nodes.py:score', after: validate}]", "needs the file"),
    ],
)
def test_a_broken_agent_fails_its_conversations_and_no_others(tmp_path: Path, agent: str, problem: str) -> None:
    write_agent(tmp_path / "one", agent, a=GREETED, b=GREETED)
    write_agent(tmp_path / "two", HELLO, c=GREETED)
    result = hilo_test(tmp_path)
    assert result.output.count(problem) == 1
    assert "one: 2 failed" in result.output
    assert closing(result) == "1 passed, 2 failed"


def test_a_module_of_an_agent_that_breaks_is_told(tmp_path: Path) -> None:
    nodes = "nodes: [{node: 'nodes.py:score', after: validate}]"
    folder = write_agent(tmp_path / "one", HELLO + nodes, a=GREETED)
    (folder / "nodes.py").write_text("1 / 0", encoding="utf-8")
    result = hilo_test(folder)
    assert "does not run: ZeroDivisionError: division by zero" in result.output
    assert closing(result) == "0 passed, 1 failed"


def test_a_broken_agent_without_conversations_fails_too(tmp_path: Path) -> None:
    result = hilo_test(write_agent(tmp_path / "one", "agent: one"))
    assert result.exit_code == 1
    assert closing(result) == "0 passed, 1 failed"


def test_an_agent_without_conversations_is_no_failure(tmp_path: Path) -> None:
    result = hilo_test(write_agent(tmp_path / "one"))
    assert result.exit_code == 0
    assert result.output.startswith("hello: no conversations · coverage: steps 0 %")
    assert closing(result) == "0 passed, 0 failed"


def test_coverage_names_what_is_missing(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "one", TICKETS, a="steps: [{contact: Soy Ana Ruiz}, {contact: 1}, {press: yes}]")
    output = hilo_test(folder, "--coverage").output
    table = [" ".join(line.split()) for line in output.splitlines()]
    assert "coverage of tickets" in table
    assert "steps 5/7 71 book.collect_3" in table
    assert "book.group" in table
    assert "guards 2/4 50 book.branch_2: seats > 8 is true" in table
    assert "policies 0/3 0 keyword" in table


def test_coverage_of_what_an_agent_does_not_have_is_a_dash(tmp_path: Path) -> None:
    output = hilo_test(write_agent(tmp_path / "one", HELLO, a=GREETED), "--coverage").output
    assert [line.split() for line in output.splitlines() if line.startswith("guards")] == [["guards", "–", "–"]]


def test_a_folder_without_agents_is_an_error(tmp_path: Path) -> None:
    result = hilo_test(tmp_path)
    assert isinstance(result.exception, HiloError)
    assert "there are no agents or conversations in" in str(result.exception)


def test_a_path_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert hilo_test(tmp_path / "nowhere").exit_code == 2
