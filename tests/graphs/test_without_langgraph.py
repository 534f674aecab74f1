"""Where LangGraph or MCP are not installed, the missing extra is named."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("missing", "does", "told"),
    [
        ("langgraph", "import hilo.langgraph", "hilo.langgraph needs an extra: pip install 'hilo-chat[langgraph]'"),
        ("mcp", "import hilo.app.mcp_server", "`hilo mcp` needs an extra: pip install 'hilo-chat[mcp]'"),
    ],
)
def test_a_missing_extra_is_named(missing: str, does: str, told: str) -> None:
    code = f"import sys\nsys.modules[{missing!r}] = None\n{does}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)  # noqa: S603
    assert told in done.stderr
