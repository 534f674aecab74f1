"""Words of a message compared without case and accents, and tables for the terminal."""

import re
import unicodedata
from collections.abc import Sequence


def fold(text: object) -> str:
    """Lower case, without accents."""
    parts = unicodedata.normalize("NFD", str(text).lower())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def as_name(text: object) -> str:
    """A name as agent files have them: a-z, 0-9 and _."""
    return "_".join(re.findall(r"[a-z0-9_]+", fold(text)))


def tokens(text: object) -> list[str]:
    return re.findall(r"[a-z0-9]+", fold(text))


def percent(some: float, of: float, digits: int = 1) -> str:
    return f"{100 * some / of:.{digits}f}" if of else "–"


def table(head: Sequence[object], lines: Sequence[Sequence[object]]) -> str:
    """Columns as wide as what stands in them."""
    rows = [[str(cell) for cell in row] for row in (head, *lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    written = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    rule = "-+-".join("-" * width for width in widths)
    return "\n".join([written[0], rule, *written[1:]])
