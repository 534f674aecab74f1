"""The package: all that Hilo needs is in the wheel, which runs the demo where there is no clone."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hilo.errors import DISTRIBUTION, install
from patience import PATIENCE
from serving_process import Visitor, serving_process

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
MB = 1_000_000


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(  # noqa: S603 -- our own
        list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, folder=ROOT)
    return folder


def only(folder: Path, pattern: str) -> Path:
    [found] = folder.glob(pattern)
    return found


def packed(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as file:
        return {name for name in file.namelist() if not name.startswith(f"{DISTRIBUTION.replace('-', '_')}-")}


def files_of(folder: Path, into: str) -> Iterator[str]:
    for file in folder.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            yield f"{into}/{file.relative_to(folder).as_posix()}"


def test_the_wheel_has_every_file_of_hilo_and_of_its_agents(built: Path) -> None:
    wanted = {*files_of(ROOT / "src/hilo", "hilo"), *files_of(ROOT / "agents", "hilo/cli/demo_agents")}
    wheel = only(built, "*.whl")
    assert packed(wheel) == wanted
    kinds = {Path(name).suffix for name in wanted}
    assert {".py", ".html", ".js", ".npz", ".tsv", ".sql", ".yaml", ".csv"} <= kinds  # pages, weights, packs, agents
    assert wheel.stat().st_size < 8 * MB


def test_a_wheel_made_from_the_sdist_is_the_same(built: Path, tmp_path: Path) -> None:
    with tarfile.open(only(built, "*.tar.gz")) as archive:
        archive.extractall(tmp_path, filter="data")
    source = only(tmp_path, f"{DISTRIBUTION.replace('-', '_')}-*")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again", folder=source)
    assert packed(only(tmp_path / "again", "*.whl")) == packed(only(built, "*.whl"))
    assert not (source / "tests").exists()  # and nothing that it is not made from
    assert only(built, "*.tar.gz").stat().st_size < 8 * MB


@pytest.fixture(scope="module")
def program(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`hilo` of a clean environment with the wheel, which borrows what Hilo needs from the one that runs."""
    place = tmp_path_factory.mktemp("clean") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", place, folder=built)
    python = place / "bin/python"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--no-index", "--no-deps", only(built, "*.whl"), folder=built)
    packages = only(place, "lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(str(Path(click.__file__).parents[1]))
    return place / "bin/hilo"


def test_the_demo_runs_from_the_wheel(program: Path, tmp_path: Path) -> None:
    assert run(program, "--version", folder=tmp_path).strip() == f"hilo, version {PROJECT['version']}"
    where = run(program.parent / "python", "-c", "import hilo; print(hilo.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(program.parents[1])
    with serving_process([program, "demo", "--port", "0"], folder=tmp_path) as demo:
        assert set(demo.chats) == {file.parent.name for file in ROOT.glob("agents/*/agent.yaml")}
        assert "¿Cómo te llamas?" in Visitor(demo.chats["leads"]).say("hola")
        assert demo.until(r"Log in to the panel as admin with the password \S+")
        assert demo.stop() == 0


def test_a_new_agent_passes_its_conversations_where_there_is_no_clone(program: Path, tmp_path: Path) -> None:
    run(program, "new", "tienda", "--from", "shop", folder=tmp_path)
    assert "passed" in run(program, "test", "tienda", folder=tmp_path)


# --- names --------------------------------------------------------------------------------------------


def test_our_name_is_the_one_that_hints_use() -> None:
    assert PROJECT["name"] == DISTRIBUTION
    assert install("mcp") == "pip install 'hilo-chat[mcp]'"


def test_the_extra_all_has_all_extras() -> None:
    [named] = EXTRAS["all"]
    assert named == f"{DISTRIBUTION}[{','.join(name for name in EXTRAS if name != 'all')}]"


def test_every_extra_is_explained() -> None:
    page = (ROOT / "docs/how-to.md").read_text(encoding="utf-8")
    table = page.partition("| extra | brings |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
    assert sorted(named) == sorted(EXTRAS)


def written() -> Iterator[tuple[Path, str]]:
    """Everything that may tell somebody to install something."""
    for pattern in ("src/**/*.py", "docs/**/*.md", "*.md", "examples/**/*", "tools/*.py", "deploy/*", "agents/*/*.md"):
        for file in ROOT.glob(pattern):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file, file.read_text(encoding="utf-8")


def test_every_hint_names_an_extra_that_there_is() -> None:
    named = [
        (str(file.relative_to(ROOT)), extra)
        for file, text in written()
        for several in re.findall(r"hilo-chat\[([\w,]+)\]|\binstall\(['\"](\w+)['\"]\)", text)
        for extra in "".join(several).split(",")
    ]
    assert len(named) > 15
    assert [each for each in named if each[1] not in EXTRAS] == []


def test_nobody_is_told_to_install_somebody_elses_package() -> None:
    wrong = re.compile(r"\bhilo\[\w|pip install (?:-\S+ )*'?hilo\b(?!-chat)")
    assert [str(file) for file, text in written() if wrong.search(text)] == []
