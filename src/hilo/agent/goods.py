"""The goods of an agent that takes orders, from the file that `orders: catalogue:` names."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from hilo.errors import FileProblems, Problem

_NAME = "product"


@dataclass(frozen=True, slots=True)
class Product:
    """What is known of a product for finding it."""

    id: str
    name: str
    brand: str = ""
    size: str = ""
    category: str = ""
    keywords: Sequence[str] = ()


def read_goods(text: str, *, file: str) -> tuple[Product, ...]:
    """The lines of a table of products; only the column `product` must be there, others may; # begins a remark."""
    rows = [row for row in text.lstrip("\ufeff").splitlines() if not row.startswith("#")]
    head = rows[0] if rows else ""
    table = csv.DictReader(rows, delimiter=";" if head.count(";") > head.count(",") else ",")
    if _NAME not in (table.fieldnames or ()):
        problem = Problem(file, 1, 1, f"there is no column `{_NAME}`", "the first line names the columns")
        raise FileProblems((problem,))
    return tuple(_product(number, row) for number, row in enumerate(table) if (row[_NAME] or "").strip())


def _product(number: int, row: dict[str, str | None]) -> Product:
    said = {name: (value or "").strip() for name, value in row.items() if isinstance(value, str | None)}
    name = " ".join(filter(None, (said[_NAME], said.get("flavour", ""))))
    others = tuple(each.strip() for each in said.get("synonyms", "").split("|") if each.strip())
    return Product(str(number), name, said.get("brand", ""), said.get("size", ""), said.get("category", ""), others)
