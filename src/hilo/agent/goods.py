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
    """The lines of a table of products, of which only the column `product` must be there; # begins a remark."""
    # spreadsheets put a mark at the beginning of a file, which would belong to the first column's name
    rows = [row for row in text.lstrip("\ufeff").splitlines() if not row.startswith("#")]
    table = csv.DictReader(rows, delimiter=_delimiter(rows), restval="")
    if _NAME not in (table.fieldnames or ()):
        problem = Problem(file, 1, 1, f"there is no column `{_NAME}`", "the first line names the columns")
        raise FileProblems((problem,))
    goods: list[Product] = []
    for number, row in enumerate(table):
        if row[_NAME].strip():
            goods.append(_product(number, row))
    return tuple(goods)


def _delimiter(rows: list[str]) -> str:
    """Spreadsheets write semicolons where the comma is for decimals."""
    head = "".join(rows[:1])
    return ";" if head.count(";") > head.count(",") else ","


def _product(number: int, row: dict[str, str]) -> Product:
    def said(column: str) -> str:
        return row.get(column, "").strip()

    name = f"{said(_NAME)} {said('flavour')}".strip()
    synonyms = map(str.strip, said("synonyms").split("|"))
    keywords = tuple(filter(None, synonyms))
    return Product(str(number), name, said("brand"), said("size"), said("category"), keywords)
