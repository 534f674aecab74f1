"""The bench of pages on a small folder of our own: what is right and wrong there is known."""

import json
import shutil
from pathlib import Path

import pytest
from bench.knowledge.__main__ import main

PAGES = Path(__file__).parent / "pages"


def test_right_and_wrong_answers_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(PAGES), "--errors"]) == 0
    out = capsys.readouterr().out
    assert "2 sections, 3 questions that they answer, 1 that they do not" in out
    assert "answered rightly           66.7 % (2 of 3)" in out
    assert "answered wrongly           33.3 % (1 of 3)" in out  # labelled wrong on purpose
    assert "answered though not there  0.0 % (0 of 1)" in out
    assert "'¿el estacionamiento es gratis?': wanted Ayuda › Cambios, quoted Ayuda › Estacionamiento" in out


def test_other_messages_are_told_when_they_are_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    others = tmp_path / "others.jsonl"
    lines = [{"text": "¿tienen estacionamiento?"}, {"text": "quiero dos pizzas"}]
    others.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main([str(PAGES), "--others", str(others), "--without-encoder"]) == 0
    assert "of 2 other messages 50.0 % (1 of 2) are answered" in capsys.readouterr().out


def test_a_section_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(PAGES, tmp_path / "pages")
    (tmp_path / "pages/questions.jsonl").write_text('{"text": "¿?", "section": "Nada"}\n', encoding="utf-8")
    assert main([str(tmp_path / "pages")]) == 2
    assert "questions.jsonl:1: there is no section 'Nada'" in capsys.readouterr().err
