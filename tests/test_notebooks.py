"""Every cell of the notebooks runs, in order, and prints what the notebook shows below it."""

import ast
import inspect
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(ROOT.glob("examples/**/*.ipynb"))


def cells(notebook: Path) -> list[dict[str, Any]]:
    found = json.loads(notebook.read_text(encoding="utf-8"))
    assert (found["nbformat"], found["metadata"]["kernelspec"]["language"]) == (4, "python")
    return [cell for cell in found["cells"] if cell["cell_type"] == "code"]


def shown(cell: dict[str, Any]) -> str:
    return "".join(line for output in cell["outputs"] for line in output["text"])


async def run(source: str, names: dict[str, Any]) -> str:
    """As a notebook runs a cell: in an event loop, where `await` may stand anywhere."""
    code = compile(source, "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    printed = io.StringIO()
    with redirect_stdout(printed):
        waiting = eval(code, names)  # noqa: S307 -- our own notebook
        if inspect.isawaitable(waiting):
            await waiting
    return printed.getvalue()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: str(notebook.name))
async def test_every_cell_prints_what_is_shown(notebook: Path) -> None:
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells(notebook), start=1):
        assert cell["execution_count"] == number
        assert await run("".join(cell["source"]), names) == shown(cell)


def test_there_is_a_notebook() -> None:
    assert [each.name for each in NOTEBOOKS] == ["first_steps.ipynb"]
