"""Pages at the terminal: what `hilo check` says of bad ones, and what `hilo understand` would quote."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from hilo.agent import documents
from hilo.agent.parse import parse
from hilo.app import load_agent
from hilo.cli import hilo
from hilo.errors import FileProblems

AGENT = "agent: ayuda\nlanguage: es\nknowledge: {knowledge}\n"
PAGE = "# Ayuda\n## Estacionamiento\nHay un estacionamiento gratis detrás del local.\n"


def folder(tmp_path: Path, knowledge: str = "docs/*.md", **pages: str) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "agent.yaml").write_text(AGENT.format(knowledge=knowledge), encoding="utf-8")
    for name, text in pages.items():
        (tmp_path / f"docs/{name}.md").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("knowledge", "told"),
    [
        ("paginas/*.md", "agent.yaml:3:12: there is no file `paginas/*.md` (write a page there"),
        ("../*.md", "`../*.md` leads out of the agent's folder (keep the pages beside the agent"),
        ("/etc/*.md", "`/etc/*.md` leads out of the agent's folder"),
        ("{a: b}", "agent.yaml:3:12"),
    ],
)
def test_a_pattern_that_finds_nothing_is_a_problem_of_its_line(tmp_path: Path, knowledge: str, told: str) -> None:
    with pytest.raises(FileProblems) as raised:
        load_agent(folder(tmp_path, knowledge, ayuda=PAGE))
    assert told in str(raised.value)


def test_a_page_without_text_and_one_that_is_no_text_are_problems_of_their_own(tmp_path: Path) -> None:
    place = folder(tmp_path, vacia="# Nada\n")
    with pytest.raises(FileProblems, match=r"vacia\.md:1:1: the page has no text to quote"):
        load_agent(place)
    (place / "docs/vacia.md").write_bytes(b"\xff\xfe")
    with pytest.raises(FileProblems, match="not UTF-8 text"):
        load_agent(place)


@pytest.mark.parametrize(
    ("module", "limit", "told"),
    [("folder_texts", "MOST_PAGES", "2 pages"), ("loading", "MOST_SECTIONS", "2 sections")],
)
def test_too_much_is_said_with_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, limit: str, told: str
) -> None:
    monkeypatch.setattr(f"hilo.app.{module}.{limit}", 1)
    assert getattr(documents, limit) > 1
    with pytest.raises(FileProblems, match=f"agent.yaml:3:12: .*{told}.*at most 1"):
        load_agent(folder(tmp_path, a=PAGE, b=PAGE))


def test_documents_are_found_and_never_written(tmp_path: Path) -> None:
    place = folder(tmp_path, ayuda=PAGE)
    with (place / "agent.yaml").open("a", encoding="utf-8") as file:
        file.write("documents: []\n")
    with pytest.raises(FileProblems, match="unknown key `documents`"):
        load_agent(place)


def test_what_would_be_quoted_is_shown_with_its_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    place = folder(tmp_path, ayuda=PAGE)
    result = CliRunner().invoke(hilo, ["understand", str(place), "¿tienen estacionamiento?"])
    assert result.exit_code == 0, result.output
    [row] = [line for line in result.output.splitlines() if line.startswith("quotes")]
    assert "Ayuda › Estacionamiento" in row
    assert int(row.split()[-1]) >= 60


def test_another_page_is_another_version(tmp_path: Path) -> None:
    place = folder(tmp_path, ayuda=PAGE)
    before = load_agent(place).agent
    (place / "docs/ayuda.md").write_text(PAGE.replace("gratis", "pago"), encoding="utf-8")
    after = load_agent(place).agent
    assert before.version != after.version
    (place / "docs/ayuda.md").write_text(PAGE, encoding="utf-8")
    assert load_agent(place).agent.version == before.version


def test_a_file_with_nothing_beside_it_has_the_version_of_its_text(tmp_path: Path) -> None:
    text = 'agent: sola\nlanguage: es\nflows: {saludo: {starts: always, steps: [{say: "Hola."}]}}\n'
    (tmp_path / "agent.yaml").write_text(text, encoding="utf-8")
    assert load_agent(tmp_path).agent.version == parse(text).version
