"""Opening the shop of a workspace: the first call that comes finds it filled. Importing products into it."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from kiosco_catalogue import Shelves, Variant, digest_of, known_shelves, shelves_of
from kiosco_products import Item, Products, read_products, shipped_products
from kiosco_words import plain

from hilo import Database, tables

CHUNK = 1000  # lines that are written in one transaction: others wait for it

Progress = Callable[[int, int], None]  # how many lines of how many are written


async def enter(database: Database, now: datetime) -> Shelves:
    """What the contact's shop sells; a shop that nobody has opened yet is opened with what is shipped."""
    found = await database.run(_entered, now)
    return found if isinstance(found, Shelves) else shelves_of(found)


def _entered(now: datetime) -> tables.Script[Shelves | list[Variant]]:
    """The index that is known, or what it can be made of."""
    shop = yield from tables.one("shop")
    if shop is None:
        shop = yield from _open_filled(now)
    if shelves := known_shelves(shop["catalogue"]):
        return shelves
    return (yield from sold())


def _open_filled(now: datetime) -> tables.Script[tables.Row]:
    """One of those who come at once fills it; the others wait for that."""
    if (yield from tables.one("open_shop", **shipped_profile(), at=tables.micros(now))):
        products = shipped_products()
        yield from put(shipped_rows())
        yield from tables.execute("put_digests", catalogue=products.catalogue, imported=products.digest)
    return (yield from profile())


def profile() -> tables.Script[tables.Row]:
    """What the business says of itself; the shop is open."""
    shop = yield from tables.one("shop")
    assert shop is not None  # noqa: S101 -- whoever asks has entered
    return shop


def sold() -> tables.Script[list[Variant]]:
    """Everything that the workspace sells."""
    rows = yield from tables.execute("variants")
    return [_variant(row) for row in rows]


@lru_cache(maxsize=1)
def shipped_profile() -> Mapping[str, Any]:
    """That of shop.yaml beside this file."""
    read = yaml.safe_load((Path(__file__).parent / "shop.yaml").read_text(encoding="utf-8"))
    return {**read, "payment": "|".join(read["payment"])}


@dataclass(frozen=True, slots=True)
class Rows:
    """Products as rows of their tables, in JSON: three statements write them, whatever their number."""

    products: str
    variants: str
    stock: str
    kept: str  # the skus whose stock nobody has counted


def rows_of(items: Iterable[Item]) -> Rows:
    """The lines of a file as rows."""
    listed = [(item, item.variant) for item in items]
    products = {plain(v.product): (plain(v.product), v.product, v.brand, v.category) for _, v in listed}
    variants = [
        (v.sku, plain(v.product), v.label, v.flavour, v.size, item.cents, "|".join(v.tags), "|".join(v.synonyms))
        for item, v in listed
    ]
    stock = [(v.sku, item.units) for item, v in listed if item.units is not None]
    kept = [v.sku for item, v in listed if item.units is None]
    return Rows(*(json.dumps(each) for each in (list(products.values()), variants, stock, kept)))


@lru_cache(maxsize=1)
def shipped_rows() -> Rows:
    """Made once for all shops that are opened: tests open one for each conversation."""
    return rows_of(shipped_products().items)


def put(rows: Rows) -> tables.Script[None]:
    """Write products, new or changed."""
    yield from tables.execute("put_products", rows=rows.products)
    yield from tables.execute("put_variants", rows=rows.variants)
    yield from tables.execute("put_stock", rows=rows.stock)
    yield from tables.execute("keep_stock", skus=rows.kept)


def _variant(row: tables.Row) -> Variant:
    named = {name: row[name] for name in ("sku", "product", "brand", "category", "flavour", "size")}
    return Variant(**named, tags=_listed(row["tags"]), synonyms=_listed(row["synonyms"]))


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("|")) if cell else ()


# --- importing ----------------------------------------------------------------------------------------


async def import_products(
    database: Database, file: Path, *, now: datetime, progress: Progress = lambda _done, _all: None
) -> int:
    """Bring the products of a file into the workspace; how many lines were written, 0 where it was the last one read.

    Every line is checked before the first is written: FileProblems means that nothing has changed. A large file is
    written in parts; when it broke off, the same file once more writes the rest.
    """
    products = read_products(file)
    if await database.run(_has_read, products.digest):
        return 0
    items = products.items
    for start in range(0, len(items), CHUNK):
        await database.run(_import_part, rows_of(items[start : start + CHUNK]), now=now)
        progress(min(start + CHUNK, len(items)), len(items))
    await database.run(finish, products)
    return len(items)


def _has_read(digest: str) -> tables.Script[bool]:
    shop = yield from tables.one("shop")
    return shop is not None and shop["imported"] == digest


def _import_part(rows: Rows, *, now: datetime) -> tables.Script[None]:
    """A shop that was never open is opened with these alone."""
    yield from tables.execute("open_shop", **shipped_profile(), at=tables.micros(now))
    yield from put(rows)


def finish(products: Products) -> tables.Script[None]:
    """Note what the workspace sells now, and from which file."""
    variants = yield from sold()
    yield from tables.execute("put_digests", catalogue=digest_of(variants), imported=products.digest)
