"""docs/reference.md is what the JSON Schema says."""

import re
import runpy
from pathlib import Path

from hilo.cli.schema import described_schema

TOOL = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "reference.py"))
PAGE: str = TOOL["PAGE"].read_text("utf-8")


def test_the_reference_is_current() -> None:
    assert TOOL["page"]() == PAGE, "run python tools/reference.py"


def test_every_key_has_a_row_and_every_link_a_section() -> None:
    schema = described_schema()
    shapes = [schema, *schema["$defs"].values()]
    assert len(re.findall(r"^\| `", PAGE, re.MULTILINE)) == sum(len(each.get("properties", ())) for each in shapes)
    sections = {title.lower().replace(" ", "-") for title in re.findall(r"^## (.+)$", PAGE, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= sections
