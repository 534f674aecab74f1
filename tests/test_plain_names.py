"""Names: one class for each, modules that say what they hold, and one spelling of handoff."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "hilo").rglob("*.py"))

# They say that a module holds something, never what.
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "handler", "service"}

# The noun is handoff, the verb hand off, the effect HandOff.
OTHER_SPELLING = re.compile(r"\bhand-off|\bhand-?overs?\b|\bhand(s|ed|ing)?[ _]over\b", re.IGNORECASE)
AUDITED = re.compile(r"\"handed over\"|agent  handed over  ")  # the audit's word: old chains are hashed with it
WRITTEN = {".py", ".md", ".yaml", ".sql", ".html", ".js"}


def _classes(file: Path) -> Iterator[str]:
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            yield node.name


def test_no_two_classes_have_one_name() -> None:
    files = defaultdict(list)
    for file in SOURCES:
        for name in _classes(file):
            files[name].append(str(file.relative_to(ROOT)))
    assert {name: found for name, found in files.items() if len(found) > 1} == {}


def test_every_module_is_named_after_what_it_holds() -> None:
    assert [file for file in SOURCES if {file.stem, file.parent.name} & EMPTY_NAMES] == []


def _written() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for part in ("src", "docs", "agents"):
        yield from (each for each in (ROOT / part).rglob("*") if each.suffix in WRITTEN)


def test_handoff_is_spelt_one_way() -> None:
    found = []
    for file in _written():
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if OTHER_SPELLING.search(AUDITED.sub("", line)):
                found.append(f"{file.relative_to(ROOT)}:{number}: {line.strip()}")
    assert found == []
