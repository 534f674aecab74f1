"""The players of dialogues and talks on a small folder of our own."""

import shutil
from pathlib import Path

import pytest
from bench.dialogues.__main__ import main as play_dialogues
from bench.talks.__main__ import main as play_talks

ERRANDS = Path(__file__).parent / "errands"


@pytest.fixture(autouse=True)
def _keep_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HILO_CACHE", str(tmp_path))  # a bench sets it, and it is put back after the test


def measured(printed: str) -> dict[str, str]:
    rows = [line.split("|") for line in printed.partition("\n\n")[0].splitlines() if "|" in line]
    return {row[0].strip(): row[1].strip() for row in rows}


def test_right_turns_are_right_and_wrong_ones_are_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play_dialogues([str(ERRANDS), "--write", str(tmp_path / "wrong.txt")]) == 0
    found = measured(capsys.readouterr().out)
    assert found["dialogues %"] == "50.0"
    assert found["turns %"] == "75.0"
    assert found["collector turns %"] == "100.0"
    assert found["done without a yes"] == "0"
    written = (tmp_path / "wrong.txt").read_text(encoding="utf-8")
    assert "== wrong retail: Expects what cannot be  [1 wrong turns]" in written
    assert "!! cart: the cart is [(2, 'Fanta 1,5 l')]" in written
    assert "!! order_created: orders none" in written
    assert "== right" not in written


def test_only_what_is_named_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play_dialogues([str(ERRANDS), "collector", "--write", str(tmp_path / "wrong.txt")]) == 0
    assert measured(capsys.readouterr().out)["dialogues %"] == "100.0"


def test_an_order_that_nobody_gave_fails_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "errands"
    shutil.copytree(ERRANDS, folder)
    turns = ["quiero 2 fantas", "listo", "Berta Luz", "30111222", "lo retiro", "dale"]
    said = "".join(f"      - user: {text!r}\n" for text in turns)
    text = (
        f"dialogues:\n  - id: ordered\n    domain: retail\n    turns:\n{said}        expect: {{order_created: false}}\n"
    )
    (folder / "dialogues.yaml").write_text(text, encoding="utf-8")
    assert play_dialogues([str(folder), "--write", str(tmp_path / "wrong.txt")]) == 1
    assert "done without a yes: ordered, turn 6: order_created" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("dialogues: [{id: a, domain: retail}]", "dialogue 1 of"),
        ("dialogues: [{id: a, domain: opera, turns: []}]", "a is of the domain opera"),
        ("dialogues: [{id: a, domain: retail, turns: [{say: x}]}]", "neither `user` nor `wait`"),
        ("dialogues: [{id: a, domain: retail, turns: [{user: x, expect: {mood: good}}]}]", "a expects mood"),
        ("dialogues: {", "is no YAML"),
    ],
)
def test_a_broken_folder_is_named(text: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(ERRANDS / "train.yaml", tmp_path)
    (tmp_path / "dialogues.yaml").write_text(text, encoding="utf-8")
    assert play_dialogues([str(tmp_path)]) == 2
    assert problem in capsys.readouterr().err


def test_talks_are_written_with_what_was_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "talks.txt"
    assert play_talks([str(ERRANDS), "--write", str(file)]) == 0
    found = measured(capsys.readouterr().out)
    assert (found["talks"], found["replies"], found["silent turns"]) == ("1", "3", "0")
    written = file.read_text(encoding="utf-8")
    assert "=== short leads: in a hurry" in written
    assert "> berta@luz.com.ar\n   < ¿A qué número te podemos llamar?" in written
    assert "'email': 'berta@luz.com.ar'" in written


def test_talks_of_an_unknown_agent_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "talks.yaml").write_text("[{id: x, agent: nobody, say: [hola]}]", encoding="utf-8")
    assert play_talks([str(tmp_path)]) == 2
    assert "there is no agent nobody" in capsys.readouterr().err
