"""The file of products: one line for each thing that is sold, read whole or refused with all that is wrong in it."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kiosco_catalogue import TAGS, Variant, digest_of
from kiosco_words import plain

from hilo import errors

COLUMNS = ("sku", "product", "brand", "category", "flavour", "size", "price", "stock", "tags", "synonyms")
MAX_LABEL = 50  # characters: a whole cart of them fits in one reply
MAX_CENTS = 10**11
MAX_UNITS = 10**7

_PRICE = re.compile(r"\$?\s*(\d{1,9})(?:[.,](\d{1,2}))?")
_SKU = re.compile(r"[\w.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the file; no units where the stock is left as it is."""

    variant: Variant
    cents: int
    units: int | None


@dataclass(frozen=True, slots=True)
class Products:
    """A file without mistakes: its lines, its digest, and the one that a shop has which sells just these."""

    items: tuple[Item, ...]
    digest: str
    catalogue: str


def read_products(file: Path) -> Products:
    """The products of a CSV file; raises FileProblems with every mistake and its line."""
    rows = list(_rows(file))
    problems: list[errors.Problem] = []
    items: dict[int, Item] = {}
    for line, row in rows:
        if item := _item(file, line, row, problems):
            items[line] = item
    problems += _doubled(file, items)
    if not rows:
        problems.append(errors.Problem(str(file), 2, 1, "there are no products in it"))
    if problems:
        raise errors.FileProblems(tuple(problems))
    digest = hashlib.sha256(json.dumps([row for _, row in rows], ensure_ascii=False).encode()).hexdigest()
    variants = sorted((each.variant for each in items.values()), key=lambda each: each.sku)
    return Products(tuple(items.values()), digest, digest_of(variants))


@lru_cache(maxsize=1)
def shipped_products() -> Products:
    """Those of products.csv beside this file."""
    return read_products(Path(__file__).parent / "products.csv")


def _rows(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines with their numbers; a spreadsheet may separate the columns with semicolons."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise errors.FileProblems(
            (errors.Problem(str(file), 1, 1, "not UTF-8 text", "save it as CSV UTF-8"),)
        ) from None
    except OSError as error:
        raise errors.FileProblems((errors.Problem(str(file), 1, 1, f"cannot be read: {error.strerror}"),)) from None
    header = text.partition("\n")[0]
    reader = csv.DictReader(
        io.StringIO(text, newline=""), delimiter=";" if header.count(";") > header.count(",") else ","
    )
    missing = [each for each in COLUMNS if each not in (reader.fieldnames or ())]
    if missing:
        hint = f"the first line must be {','.join(COLUMNS)}"
        raise errors.FileProblems(
            (errors.Problem(str(file), 1, 1, f"columns are missing: {', '.join(missing)}", hint),)
        )
    for row in reader:
        yield reader.line_num, {name: " ".join((row[name] or "").split()) for name in COLUMNS}


def _item(file: Path, line: int, row: Mapping[str, str], problems: list[errors.Problem]) -> Item | None:
    """What a line says, or its mistakes added to the problems."""
    wrong = list(_wrong(row))
    problems += [
        errors.Problem(str(file), line, COLUMNS.index(column) + 1, f"{column}: {said}", hint)
        for column, said, hint in wrong
    ]
    return None if wrong else Item(_variant(row), _cents(row["price"]), int(row["stock"]) if row["stock"] else None)


def _wrong(row: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Each mistake of a line: its column, what it is, and how to mend it."""
    for column, cell in row.items():
        if not cell.isprintable():
            yield column, "it has characters that cannot be seen", "take them out"
    if not _SKU.fullmatch(row["sku"]):
        yield "sku", f"`{row['sku']}` is none", "letters, digits, points and dashes, 40 at most"
    if not plain(row["product"]):
        yield "product", "the name is missing", ""
    if len(_variant(row).label) > MAX_LABEL:
        yield "product", f"the name with flavour and size is longer than {MAX_LABEL} characters", ""
    if not row["category"]:
        yield "category", "it is missing", ""
    if not 0 < _cents(row["price"]) <= MAX_CENTS:
        yield "price", f"`{row['price']}` is no price", "write it like 1250 or 1250,50, without a point for thousands"
    if row["stock"] and not (row["stock"].isdecimal() and len(row["stock"]) <= len(str(MAX_UNITS))):
        yield "stock", f"`{row['stock']}` is no number of units", "a whole number, or nothing to leave it as it is"
    for tag in _listed(row["tags"]):
        if tag not in TAGS:
            yield "tags", f"there is no tag `{tag}`", f"there is: {', '.join(TAGS)}"


def _doubled(file: Path, items: Mapping[int, Item]) -> Iterator[errors.Problem]:
    """A sku, or a name with flavour and size, that stands in two lines."""
    skus: dict[str, int] = {}
    labels: dict[str, int] = {}
    for line, item in items.items():
        for column, seen, value in (("sku", skus, item.variant.sku), ("product", labels, item.variant.label)):
            if (first := seen.setdefault(plain(value), line)) != line:
                said = f"{column}: `{value}` stands in line {first} too"
                yield errors.Problem(str(file), line, COLUMNS.index(column) + 1, said)


def _variant(row: Mapping[str, str]) -> Variant:
    named = {name: row[name] for name in ("sku", "product", "brand", "category", "flavour", "size")}
    return Variant(**named, tags=_listed(row["tags"]), synonyms=_listed(row["synonyms"]))


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(part for each in cell.split("|") if (part := each.strip()))


def _cents(price: str) -> int:
    """A price in cents; 0 where it is none. 1.250 is refused: nobody can tell what it means."""
    found = _PRICE.fullmatch(price)
    return int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0")) if found else 0
