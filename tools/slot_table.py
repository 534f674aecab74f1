"""Writes the table of slot types into docs/agent-language.md, from what the types say of themselves.

python tools/slot_table.py
"""

import re
from collections.abc import Iterator
from pathlib import Path

from hilo.slots import TYPES
from hilo.slots.slot_type import SlotType

PAGE = Path(__file__).parents[1] / "docs" / "agent-language.md"
PLACE = re.compile(
    r"(?<=<!-- slot types, made by tools/slot_table.py -->\n).*?(?=<!-- end of slot types -->)", re.DOTALL
)


def table() -> str:
    """A row for each type, with what one contact wrote and what was stored of it."""
    lines = ["| type | takes | own keys | for example | is stored as |", "|---|---|---|---|---|"]
    return "\n".join([*lines, *_rows()]) + "\n"


def _rows() -> Iterator[str]:
    for slot_type in TYPES.values():
        yield f"| {' | '.join(_cells(slot_type))} |"


def _cells(slot_type: SlotType) -> Iterator[str]:
    example = slot_type.examples["es"]
    yield f"`{slot_type.name}`"
    yield slot_type.summary
    yield ", ".join(f"`{key}`" for key in sorted(slot_type.keys))
    yield f"“{example.said}”"
    yield f"`{str(example.stored).lower() if isinstance(example.stored, bool) else example.stored}`"


def written() -> str:
    """The page with the table as it is now."""
    return PLACE.sub(lambda _: table(), PAGE.read_text("utf-8"))


if __name__ == "__main__":
    PAGE.write_text(written(), "utf-8")
