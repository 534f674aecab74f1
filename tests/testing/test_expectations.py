"""Each kind of expectation, as it passes and as it fails."""

from pathlib import Path

import pytest
from tiny_agents import load, played

from hilo.testing.expectations import says

# The contact writes their name, and is asked for the seats.
AFTER_THE_NAME = [
    ("mentions: [cuántos, ASIENTOS]", ""),
    ("mentions: cuantos asientos", ""),
    ("mentions: [asiento]", "expected the reply to mention “asiento”, but it says “"),
    ("mentions: [mesas, sillas]", "expected the reply to mention “mesas”, but it says “"),
    ("omits: [mesas]", ""),
    ("omits: [asientos]", "expected the reply not to mention “asientos”, but it says “"),
    ("asked: seats", ""),
    ("asked: name", "expected a question for `name`, but there is a question for `seats`"),
    ("asked: none", "expected no open question, but there is a question for `seats`"),
    ("slots: {name: Juan Pérez, seats: null}", ""),
    ("slots: {name: Juan}", "expected `name` to be “Juan”, but it is “Juan Pérez”"),
    ("slots: {name: null}", "expected `name` to be empty, but it is “Juan Pérez”"),
    ("slots: {seats: 2}", "expected `seats` to be “2”, but it is empty"),
    ("state: waiting_for_slot", ""),
    ("state: idle", "expected the state idle, but it is waiting_for_slot"),
    ("handed_off: false", ""),
    ("handed_off: true", "expected a handoff, but the agent holds the session"),
    ("handed_off: keyword", "expected a handoff by `keyword`, but the agent holds the session"),
    ("nodes: [check_escalation, understand, decide, prompt_next]", ""),
    (
        "nodes: [decide, understand]",
        "expected the nodes decide → understand, but `understand` is missing in check_escalation → ",
    ),
    ("silent: false", ""),
    ("silent: true", "expected no reply, but it says “"),
    ("completed: book", "expected the flow `book` to be completed, but completed is none"),
    ("buttons: []", ""),
    ("buttons: [Sí]", "expected the buttons Sí, but there are none"),
    ("refused: false", ""),
    ("refused: 0", ""),
    ("refused: true", "expected a refused command, but refused is none"),
    ("refused: 1", "expected 1 times a refused command, but refused is none"),
]


@pytest.mark.parametrize(("expect", "difference"), AFTER_THE_NAME)
async def test_an_expectation_holds_or_says_why_not(tmp_path: Path, expect: str, difference: str) -> None:
    result = await played(load(tmp_path), f"- contact: Soy Juan Pérez\n  expect: {{{expect}}}")
    assert result.passed == (not difference)
    assert "".join(result.differences[:1]).startswith(difference)


# After another message the contact writes this.
ELSEWHERE = [
    ("humano", "handed_off: keyword", ""),
    ("humano", "handed_off: true", ""),
    ("humano", "handed_off: timeout", "expected a handoff by `timeout`, but it was by `keyword`"),
    ("humano", "handed_off: false", "expected no handoff, but there was one by `keyword`: the contact wrote humano"),
    ("humano", "asked: none", ""),
    ("humano", "asked: name", "expected a question for `name`, but there is no open question"),
    ("1", "buttons: [si, NO]", ""),
    ("1", "buttons: [Sí]", "expected the buttons Sí, but there are Sí, No"),
    ("1", "asked: yes", ""),
    ("1", "asked: which", "expected a question for `which`, but there is a question for `yes`"),
    ("1", "{slots: {seats: 1}, state: confirming}", ""),
]


@pytest.mark.parametrize(("message", "expect", "difference"), ELSEWHERE)
async def test_it_does_so_in_other_situations(tmp_path: Path, message: str, expect: str, difference: str) -> None:
    expect = expect if expect.startswith("{") else f"{{{expect}}}"
    result = await played(load(tmp_path), f'- contact: Soy Ana Ruiz\n- contact: "{message}"\n  expect: {expect}')
    assert "".join(result.differences) == difference


async def test_a_command_that_was_refused_is_named(tmp_path: Path) -> None:
    steps = """
    - contact: Soy Ana Ruiz
    - contact: "0"
      expect: {refused: true}
    - contact: "2"
      expect: {refused: true}
    """
    refused = await played(load(tmp_path), steps)
    assert refused.differences == ("expected a refused command, but refused is none",)


async def test_a_completed_flow_is_seen_in_its_step_only(tmp_path: Path) -> None:
    steps = """
    - contact: Soy Ana Ruiz
    - contact: 1
    - press: yes
      expect: {completed: book, asked: none}
    - contact: gracias
      expect: {completed: book}
    """
    result = await played(load(tmp_path), steps)
    assert result.differences == ("expected the flow `book` to be completed, but completed is none",)


async def test_silence_is_expected_while_an_operator_holds_the_session(tmp_path: Path) -> None:
    steps = """
    - contact: hola
    - operator: takes over
      expect: {silent: true, handed_off: operator}
    - contact: Soy Juan Pérez
      expect: {silent: true, slots: {name: Juan Pérez}}
    - operator: releases
      expect: {asked: seats, silent: false, handed_off: false}
    - operator: releases
      expect: {silent: false}
    """
    result = await played(load(tmp_path), steps)
    assert result.differences == ("expected a reply, but nothing was said",)


async def test_a_conversation_stops_at_its_first_difference(tmp_path: Path) -> None:
    result = await played(load(tmp_path), "- contact: hola\n  expect: {silent: true}\n- contact: Soy Juan Pérez\n")
    assert [entry.who for entry in result.transcript] == ["contact", "agent"]
    assert result.place == "conversation.yaml:2:3"


async def test_all_differences_of_a_step_are_told(tmp_path: Path) -> None:
    result = await played(load(tmp_path), "- contact: hola\n  expect: {silent: true, asked: note, slots: {seats: 3}}")
    assert len(result.differences) == 3


@pytest.mark.parametrize(
    ("text", "phrase", "said"),
    [
        ("¿A qué correo te escribimos?", "a que CORREO", True),
        ("¿A qué correo te escribimos?", "¿A qué", True),
        ("Anoté juan@x.com.", "juan@x.com", True),
        ("Anoté ana.juan@x.com", "juan@x.com", True),
        ("Los correos", "correo", False),
        ("Te conocemos", "no", False),
        ("Línea uno\nlínea dos", "uno línea", True),
        ("Son 1.500 pesos", "1.500", True),
        ("Son 1500 pesos", "500", False),
        ("", "correo", False),
        ("a" * 5000 + "\ncorreo", "correo", True),
    ],
)
def test_a_text_says_a_phrase_as_whole_words(text: str, phrase: str, *, said: bool) -> None:
    assert says(text, phrase) is said
