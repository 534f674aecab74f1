"""The bench on a small folder of our own: what is right and wrong there is known."""

import json
import shutil
from pathlib import Path

import pytest
from bench.spanish.__main__ import main

NURSERY = Path(__file__).parent / "nursery"
FALSE_YES = {"id": "false-yes", "pending": "confirm", "text": "sí, dale", "act": "deny"}  # labelled wrong on purpose


@pytest.fixture(autouse=True)
def _keep_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HILO_CACHE", str(tmp_path))  # the bench sets it, and it is put back after the test


def _ids(file: Path) -> list[str]:
    return [json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines()]


def _goals(printed: str) -> dict[str, str]:
    """What was measured, by the names of the first table."""
    rows = [line.split("|") for line in printed.partition("\n\n")[0].splitlines() if "|" in line]
    return {row[0].strip(): row[1].strip() for row in rows}


def test_right_lines_are_right_and_wrong_ones_are_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(NURSERY), "--errors", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    goals = _goals(printed.out)
    assert goals["acts %"] == "75.0"
    assert goals["intents, whole path %"] == "66.7"
    assert goals["slots %"] == "60.0"
    assert goals["order lines %"] == "33.3"
    assert goals["false orders %"] == "0.0"
    assert goals["false yeses at a summary"] == "0"
    assert _ids(tmp_path / "acts.errors.jsonl") == ["wrong"]
    assert _ids(tmp_path / "intents.errors.jsonl") == ["wrong"]
    assert _ids(tmp_path / "slots.errors.jsonl") == ["wrong-name", "too-much"]
    assert _ids(tmp_path / "orders.errors.jsonl") == ["wrong-quantity", "wrong-product"]
    assert "orders: 0 of 3" in printed.err


def test_a_false_yes_fails_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "nursery"
    shutil.copytree(NURSERY, folder)
    (folder / "acts.jsonl").write_text(json.dumps(FALSE_YES) + "\n", encoding="utf-8")
    assert main([str(folder), "acts", "--errors", str(tmp_path / "errors")]) == 1
    assert _goals(capsys.readouterr().out)["false yeses at a summary"] == "1"
    assert _ids(tmp_path / "errors" / "false-yeses.errors.jsonl") == ["false-yes"]


def test_a_broken_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "nursery"
    shutil.copytree(NURSERY, folder)
    with (folder / "orders.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "cut')
    assert main([str(folder)]) == 2
    assert "orders.jsonl:4 is no JSON" in capsys.readouterr().err


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(NURSERY / "train.yaml", tmp_path)
    assert main([str(tmp_path), "slots"]) == 2
    assert "slots.jsonl is missing" in capsys.readouterr().err


def test_a_folder_is_measured_by_the_sets_that_it_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, errors = tmp_path / "nursery", tmp_path / "errors"
    folder.mkdir()
    shutil.copy(NURSERY / "train.yaml", folder)
    orders = [
        {"id": "nothing", "text": "¿a cuánto tenés el potus?", "items": [], "op": "none"},
        {"id": "not-sold", "text": "mandame dos bonsáis", "items": [], "op": "none"},
        {"id": "unwanted", "text": "mandame dos potus", "items": [], "op": "none"},
        {"id": "emptied", "text": "sacá todo", "items": [{"product": "*", "qty": None}], "op": "remove"},
        {
            "id": "spared",
            "text": "sacá todo menos el potus",
            "items": [{"product": "*", "qty": None, "except": ["Potus"]}],
            "op": "remove",
        },
        {
            "id": "wrongly-spared",
            "text": "sacá todo menos el potus",
            "items": [{"product": "*", "qty": None, "except": ["Potus", "Romero"]}],
            "op": "remove",
        },
    ]
    (folder / "orders.jsonl").write_text("".join(json.dumps(row) + "\n" for row in orders), encoding="utf-8")
    assert main([str(folder), "--errors", str(errors)]) == 0
    assert _goals(capsys.readouterr().out)["order lines %"] == "66.7"
    assert _ids(errors / "orders.errors.jsonl") == ["unwanted", "wrongly-spared"]
