"""`hilo new` makes agents that run as they are."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.cli import hilo
from hilo.cli.new import NAME, STARTING_POINTS


def run(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(hilo, list(arguments))


@pytest.mark.parametrize("kind", STARTING_POINTS)
def test_a_new_agent_passes_its_check_and_its_conversations(kind: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "la_esquina")
    assert run("new", folder, "--from", kind).exit_code == 0
    checked = run("check", folder)
    assert checked.exit_code == 0
    assert "la_esquina" in checked.output
    assert "warning" not in checked.output
    played = run("test", folder)
    assert played.exit_code == 0, played.output
    texts = [file.read_text(encoding="utf-8") for file in Path(folder).rglob("*") if file.suffix in {".yaml", ".sql"}]
    assert not any(NAME in text for text in texts)


@pytest.mark.parametrize("name", ["La Esquina", "1a", "ñandú", "a" * 50, "x.yaml"])
def test_a_name_that_no_agent_may_have_is_refused(name: str, tmp_path: Path) -> None:
    result = run("new", str(tmp_path / name))
    assert result.exit_code == 1
    assert "cannot be called" in str(result.exception)
    assert not (tmp_path / name).exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "kiosco").mkdir()
    result = run("new", str(tmp_path / "kiosco"))
    assert "is there already" in str(result.exception)
    assert list((tmp_path / "kiosco").iterdir()) == []
