"""What a newcomer stumbles over is explained where it happens."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.cli import hilo

ROOT = Path(__file__).parents[2]
AGENT = """\
agent: prueba
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
flows:
  saludo:
    starts: always
    steps:
      - collect: nombre
      - say: "¡Listo!"
"""


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "300"}).invoke(hilo, list(map(str, arguments)))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"¡Listo!"', '"listo"', 'small letters alone name a template; as a text, write "Listo."'),
        ('say: "¡Listo!"', "confirm: seguro", 'as a text, write "Seguro."'),
        ('say: "¡Listo!"', "do: reservar", "write it in tools.py beside this file"),
    ],
)
def test_a_word_that_is_taken_for_a_name_is_explained(tmp_path: Path, old: str, new: str, told: str) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(AGENT.replace(old, new), encoding="utf-8")
    result = run("check", file)
    assert result.exit_code == 1
    assert "agent.yaml:9:" in result.output
    assert told in result.output


def test_a_word_close_to_a_template_is_taken_for_it(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    text = AGENT.replace('"¡Listo!"', "lista") + "templates:\n  listo: ¡Listo!\n"
    file.write_text(text, encoding="utf-8")
    assert "did you mean `listo`?" in run("check", file).output


def test_a_folder_of_agents_is_told_from_an_agents_folder() -> None:
    told = str(run("chat", ROOT / "agents").exception)
    assert told.endswith(f"its folders have some; give one of them, such as {ROOT / 'agents' / 'asistente'}")


def test_a_file_of_another_name_is_found(tmp_path: Path) -> None:
    (tmp_path / "clinica.yaml").write_text(AGENT, encoding="utf-8")
    told = str(run("chat", tmp_path).exception)
    assert told.endswith(f"an agent's folder has an agent.yaml; is it {tmp_path / 'clinica.yaml'}?")


def test_an_empty_folder_is_told_how_to_begin(tmp_path: Path) -> None:
    assert "`hilo new NAME` makes one to begin with" in str(run("chat", tmp_path).exception)


def test_a_tool_that_does_not_run_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(AGENT, encoding="utf-8")
    (tmp_path / "helper.py").write_text("import json\n\nDATA = json.loads('{')\n", encoding="utf-8")
    (tmp_path / "tools.py").write_text("import helper\n", encoding="utf-8")
    # our own line, not the one of the library
    assert f"{tmp_path / 'helper.py'}:3:8: does not run: JSONDecodeError" in run("check", tmp_path).output
    (tmp_path / "tools.py").write_text("import sys\nsys.exit(3)\n", encoding="utf-8")
    assert f"{tmp_path / 'tools.py'}:2:1: does not run: SystemExit: 3" in run("check", tmp_path).output
    (tmp_path / "tools.py").write_text("def cost(:\n", encoding="utf-8")
    assert f"{tmp_path / 'tools.py'}:1:10: does not run: SyntaxError: invalid syntax" in run("check", tmp_path).output


def test_a_new_folder_says_what_lies_in_it(tmp_path: Path) -> None:
    told = run("new", tmp_path / "tienda", "--from", "shop").output
    for file in (tmp_path / "tienda").iterdir():
        assert f"  {file.name} " in told or file.suffix == ".csv"
