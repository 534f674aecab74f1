"""The commands as a person uses them."""

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.cli import hilo, main

ROOT = Path(__file__).parents[2]
LEADS = str(ROOT / "agents" / "leads")


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(hilo, list(arguments), input=typed)


# --- chat -----------------------------------------------------------------------------------------------


def test_a_talk_shows_replies_and_ends_with_the_input() -> None:
    result = run("chat", LEADS, typed="hola\nsoy Juan\n")
    assert result.exit_code == 0
    assert "¿Cómo te llamas?" in result.output
    assert "¿A qué correo te escribimos?" in result.output


def test_why_shows_how_the_last_turn_came_about() -> None:
    output = run("chat", LEADS, typed="/why\nsoy Juan\n/why\n").output
    assert "Nothing has happened yet." in output
    for part in ("check_escalation", "SetSlot(name, Juan)", "waiting_for_slot", "embedded", "run by walk"):
        assert part in output
    assert "name = Juan: its shape" in output


def test_state_shows_the_slots_and_what_is_waited_for() -> None:
    output = run("chat", LEADS, typed="soy Juan\n/state\n").output
    assert "the slot email" in output
    assert "slot name" in output


def test_undo_takes_the_last_message_back() -> None:
    output = run("chat", LEADS, typed="soy Juan\n/undo\n/state\n/undo\n").output
    assert "Taken back." in output
    assert "version 0" in output
    assert "There is nothing to take back." in output


def test_time_can_pass() -> None:
    output = run("chat", LEADS, typed="soy Juan\n/after 31m\nhola\nbueno, espero\nok\n/release\n/after soon\n").output
    assert "A person has the session now (timeout" in output
    assert "(no reply)" in output
    assert "Ya estoy de vuelta" in output
    assert "must be a duration" in output


def test_a_number_presses_a_button() -> None:
    output = run("chat", LEADS, typed="soy Juan, juan@x.com\neso está mal\n2\n").output
    assert "1 Correo" in output
    assert "dime cuál es tu nombre" in output


def test_an_operator_takes_over_quietly() -> None:
    assert "A person has the session now" in run("chat", LEADS, typed="/operator\n").output


def test_a_talk_is_saved_as_a_conversation_that_passes(tmp_path: Path) -> None:
    file = tmp_path / "talk.yaml"
    output = run("chat", LEADS, typed=f"hola\nsoy Juan\n/after 31m\n/save {file}\n/save {file}\n").output
    assert "Saved." in output
    assert "is already there" in output
    result = run("test", str(file))
    assert result.exit_code == 0, result.output
    assert result.output.rstrip().endswith("1 passed, 0 failed")


def test_an_unknown_slash_command_is_named() -> None:
    assert "There is no command /nope" in run("chat", LEADS, typed="/nope\n/help\n").output


def test_rubbish_never_ends_in_a_traceback() -> None:
    rubbish = "\n".join(["", " ", "\x07\x1b[2J", "😀" * 50, "ا" * 30, "a" * 100_000, "<b>[red]x[/]", "{name} %s", "/ "])
    result = run("chat", LEADS, typed=rubbish + "\n/release\nsoy Juan\n")
    assert result.exit_code == 0
    assert result.exception is None
    assert "¿A qué correo te escribimos?" in result.output


@pytest.mark.parametrize("engine", ["walk", "langgraph"])
def test_both_engines_can_be_chosen(engine: str) -> None:
    assert f"run by {engine}" in run("chat", LEADS, "--engine", engine, typed="hola\n/why\n").output


@pytest.fixture(scope="module")
def first_talk() -> tuple[str, float]:
    """What `hilo chat` prints in a process of its own, then whether LangGraph was imported; and how long it worked."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = f"import sys; sys.argv = ['hilo', 'chat', {LEADS!r}]\nfrom hilo.cli import main\n"
    code = start + "try: main()\nfinally: print('langgraph' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], input="hola\n", capture_output=True, text=True, check=True)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_the_chat_starts_with_a_few_seconds_of_work(first_talk: tuple[str, float]) -> None:
    printed, seconds = first_talk
    assert "¿Cómo te llamas?" in printed
    assert seconds < 4  # 2.2 s on quiet cores with the encoder of its intents, half as much again on busy ones


def test_langgraph_is_not_imported_for_a_walked_talk(first_talk: tuple[str, float]) -> None:
    assert first_talk[0].rstrip().endswith("False")


# --- check and schema -----------------------------------------------------------------------------------


def test_check_prints_all_problems_and_exits_with_one(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("agent: x\nlangage: es\nflows: {a: {steps: [{colect: hola}]}}\n", encoding="utf-8")
    result = run("check", str(file))
    assert result.exit_code == 1
    assert "bad.yaml:2:1: unknown key `langage`" in result.output
    assert "did you mean `collect`?" in result.output
    assert "problems" in result.output


def test_check_of_a_good_agent_exits_with_zero() -> None:
    result = run("check", LEADS)
    assert result.exit_code == 0
    assert "✓" in result.output


def test_a_missing_agent_is_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from hilo.cli import main; main()", "check", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- our own
    assert done.returncode == 1
    assert "there is no agent at" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["chat", "graph", "understand"])
def test_a_missing_agent_is_a_sentence_to_other_commands(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["hilo", command, str(tmp_path), *(["x"] * (command == "understand"))])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "there is no agent at" in capsys.readouterr().err


def test_a_file_that_is_no_text_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8 text" in run("check", str(file)).output


def test_schema_is_json() -> None:
    schema = json.loads(run("schema").output)
    assert "flows" in schema["properties"]


# --- understand -----------------------------------------------------------------------------------------


def test_understand_shows_values_with_their_places() -> None:
    output = run("understand", LEADS, "hola soy Juan, mi mail es j@x.com").output
    for part in ("act greet", "slot email", "26–33 “j@x.com”", "SetSlot(email, j@x.com)", "embedded"):
        assert part in output


def test_understand_takes_the_asked_slot_into_account() -> None:
    assert "SetSlot(name, Juan)" in run("understand", LEADS, "juan", "--asked", "name").output
    assert "SetSlot(name" not in run("understand", LEADS, "juan").output


def test_understand_shows_what_a_turn_would_take() -> None:
    output = run("understand", str(ROOT / "agents" / "kiosco"), "hola kiero 2 cocas y una fanta").output
    for part in ("order add", "2 cocas", "1 fanta", "CallTool(add_to_cart, {'product': 'cocas', 'quantity': 2})"):
        assert part in output
    assert "number" not in output  # nothing that contacts cannot set


def test_understand_names_the_rules() -> None:
    output = run("understand", LEADS, "ana@x.com", "--asked", "email").output
    assert re.search(r"for email +ana@x.com +0–9 “ana@x.com” +asked", output)
    output = run("understand", str(ROOT / "agents" / "somnio"), "ayer miraron el de dos").output
    assert re.search(r"not for pack .* its shape, but in the past", output)


def test_understand_stands_where_it_is_told() -> None:
    filled = ("--slot", "email=ana@x.com", "--slot", "name=Ana")
    confirming = run("understand", LEADS, "sí", "--confirming", *filled).output
    assert "Affirm()" in confirming
    assert "Affirm()" not in run("understand", LEADS, "sí", *filled).output
    corrected = run("understand", LEADS, "no, es eva@x.com", *filled).output
    assert "CorrectSlot(email, eva@x.com)" in corrected


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--asked", "nada"), "there is no slot nada; there are: name,"),
        (("--slot", "nada=1"), "there is no slot nada"),
        (("--slot", "email"), "the slot email does not take ''"),
        (("--slot", "email=x"), "the slot email does not take 'x'"),
    ],
)
def test_understand_refuses_a_state_that_cannot_be(options: tuple[str, ...], complaint: str) -> None:
    result = run("understand", LEADS, "hola", *options)
    assert complaint in str(result.exception)


def test_understand_lists_intents_that_collide(tmp_path: Path) -> None:
    text = "agent: x\nflows: {a: {starts: always, steps: [{say: hola a todos}]}}\nintents:\n  uno: [a]\n"
    (tmp_path / "agent.yaml").write_text(text, encoding="utf-8")
    assert "uno has 1 examples; three are the least" in run("understand", str(tmp_path), "--lint").output
    apart = (
        "intents:\n  hours: [a qué hora abren, hasta qué hora están, qué días atienden]\n"
        "  pets: [puedo llevar a mi perro, aceptan mascotas, entran animales]\n"
    )
    (tmp_path / "agent.yaml").write_text(text.partition("intents:")[0] + apart, encoding="utf-8")
    assert "collide" not in run("understand", str(tmp_path), "--lint").output
