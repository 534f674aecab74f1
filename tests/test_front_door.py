"""`hilo`, `hilo.testing` and `hilo.langgraph` are all that agents, examples and users import."""

import ast
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

import hilo
import hilo.langgraph
import hilo.testing

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/python.md"
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("agents/*/README.md")]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PUBLIC = {
    "hilo": set(hilo.__all__),
    "hilo.testing": set(hilo.testing.__all__),
    "hilo.langgraph": set(hilo.langgraph.__all__),
}


def programs() -> Iterator[tuple[str, str]]:
    """What users write: the agents' Python files, and the examples of the pages."""
    for file in sorted([*ROOT.glob("agents/**/*.py"), *ROOT.glob("examples/**/*.py")]):
        yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            yield str(page.relative_to(ROOT)), block


def private_imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (
                each.name for each in node.names if each.name.split(".")[0] == "hilo" and each.name not in PUBLIC
            )
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "hilo":
            public = PUBLIC.get(node.module or "", set())
            yield from (f"{node.module}.{each.name}" for each in node.names if each.name not in public)


def test_agents_and_examples_import_public_names_only() -> None:
    assert {(where, name) for where, source in programs() for name in private_imports(source)} == set()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from hilo.tools.tool import tool", ["hilo.tools.tool.tool"]),
        ("from hilo import tool, testing", ["hilo.testing"]),
        ("import hilo.store", ["hilo.store"]),
        ("import hilo, hilo.testing\nfrom hilo.testing import open_world\nfrom hilo import tool", []),
    ],
)
def test_a_private_import_is_seen(source: str, found: list[str]) -> None:
    assert list(private_imports(source)) == found


def test_the_page_has_every_public_name_and_no_other() -> None:
    text = PAGE.read_text(encoding="utf-8")
    first_column = re.findall(r"^\| (`.*?) \|", text.partition("\n## ")[0], re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(first_column))) == sorted(hilo.__all__)


def test_the_page_shows_every_public_name_at_work() -> None:
    used = set()
    for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        tree = ast.parse(block)
        imported = [each.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for each in node.names]
        named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        used |= named.intersection(imported)
    assert set(hilo.__all__) - used == set()


@pytest.mark.parametrize("module", [hilo, hilo.testing], ids=["hilo", "hilo.testing"])
def test_every_public_name_is_there(module: object) -> None:
    for name in module.__all__:  # type: ignore[attr-defined]
        assert getattr(module, name) is not None
        assert name in dir(module) or module is hilo.testing


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError, match="module 'hilo' has no attribute 'tols'"):
        _ = hilo.tols  # type: ignore[attr-defined]


def run(*command: str) -> str:
    return subprocess.run([sys.executable, *command], check=True, capture_output=True, text=True).stdout  # noqa: S603


def test_importing_hilo_loads_nothing_but_itself() -> None:
    loaded = run("-c", "import sys, hilo; print(*(each for each in sys.modules if each.startswith('hilo')))")
    assert loaded.split() == ["hilo"]


def test_a_tool_loads_neither_a_server_nor_a_store() -> None:
    loaded = run("-c", "import sys\nfrom hilo import tool, ToolFailed, tables\nprint(*sys.modules)").split()
    assert {"fastapi", "httpx", "langgraph", "hilo.store", "hilo.turn"} & set(loaded) == set()


def test_python_m_hilo_is_hilo() -> None:
    assert "talk to an agent in this terminal" in run("-m", "hilo", "--help")


def test_serve_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    [example] = [block for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if "import serve" in block]
    program = tmp_path / "program.py"
    program.write_text(example.replace("port=8000", "port=0"), encoding="utf-8")
    environment = {**os.environ, "HILO_DATABASE_URL": f"sqlite:///{tmp_path}/hilo.db"}
    command = [sys.executable, str(program)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout
        url = process.stdout.readline().split()[-1]
        assert url.endswith("/chat/web-leads")
        with urlopen(url) as page:  # noqa: S310 -- our own server
            assert page.status == 200
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0


def test_a_chat_takes_a_path_too() -> None:
    assert "¿Cómo te llamas?" in hilo.Chat(ROOT / "agents/leads").say("hola")


async def test_a_chat_in_an_event_loop_says_what_to_use_instead() -> None:
    chat = hilo.Chat(ROOT / "agents/leads")
    with pytest.raises(hilo.errors.HiloError, match="use Conversation, with await"):
        chat.say("hola")


def test_serving_no_agent_is_refused() -> None:
    with pytest.raises(hilo.errors.HiloError, match="at least one agent"):
        hilo.serve()


def test_what_is_offered_is_what_is_public() -> None:
    assert dir(hilo) == sorted(hilo.__all__)
