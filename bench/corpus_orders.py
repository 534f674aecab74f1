"""Whole order lines of the corpus, each hand heard by what the other hands taught.

    python -m bench.corpus_orders [HAND …] [--errors FILE]

A message is right if all its lines are: product, size, quantity and what is done. Products are looked up in the hand's
own shops as a shop would look them up. What an exchange takes out counts only where the message speaks of a change
of what is in the order already, and what the shop does not sell is neither right nor wrong.
"""

import argparse
import os
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.spanish.orders import ALL_BUT, NOT_SOLD, Change
from bench.spanish.orders import _merged as merged
from bench.spanish.shelf import Good, Shelf
from bench.spanish.words import percent, table

from hilo.recognisers.normalise import normalise
from hilo.understanding.orders import operations
from hilo.understanding.orders.lines import OrderLine, find_order_lines
from hilo.understanding.trained.classifier import from_bytes, to_bytes
from hilo.understanding.ordering import _measured as measured

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import order_corpus  # noqa: E402
import train  # noqa: E402
import yaml  # noqa: E402

DONE = {"add": "add", "new": "add", "remove": "remove", "old": "remove", "set": "set"}


def main() -> None:
    """Score all hands, or some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hands", nargs="*")
    parser.add_argument("--errors", type=Path)
    given = parser.parse_args()
    orders = list(order_corpus.read_orders(train.CORPUS))
    hands = given.hands or sorted({order.hand for order in orders})
    shelves = order_corpus.read_shelves(train.CORPUS)
    rows, prepared = [], None
    if not KEPT:
        rows = train.read_operations(train.CORPUS)
        prepared = train.prepare(operations.ORDER_OPERATIONS, rows)
    errors: list[dict[str, Any]] = []
    figures = []
    for hand in hands:
        if KEPT and (Path(KEPT) / f"{hand}.npz").exists():
            classifier = from_bytes((Path(KEPT) / f"{hand}.npz").read_bytes())
        else:
            if prepared is None:
                rows = train.read_operations(train.CORPUS)
                prepared = train.prepare(operations.ORDER_OPERATIONS, rows)
            inside = [place for place, row in enumerate(rows) if row.hand != hand]
            classifier = train.train(operations.ORDER_OPERATIONS, prepared.part(inside))
            if KEPT:
                (Path(KEPT) / f"{hand}.npz").write_bytes(to_bytes(classifier))
        operations.load_classifier = lambda _, trained=classifier: trained  # type: ignore[attr-defined]
        counters = read_counters(hand)
        seen: Counter[str] = Counter()
        started = time.thread_time()
        for order in (each for each in orders if each.hand == hand):
            lines = find_order_lines(normalise(order.message), shelf=shelves[hand, order.shop])
            want, got = wanted(order), made(lines, counters[order.shop])
            kind = kind_of(order)
            right = is_right(want, got, counters[order.shop])
            seen[f"{kind} right"] += right
            seen[kind] += 1
            if not right:
                errors.append({"hand": hand, "kind": kind, "text": order.message, "want": want, "got": got})
        spent = (time.thread_time() - started) * 1000
        total = sum(seen[kind] for kind in KINDS)
        good = sum(seen[f"{kind} right"] for kind in KINDS)
        shares = [percent(seen[f"{kind} right"], seen[kind]) for kind in KINDS]
        figures.append((hand, total, percent(good, total), *shares, f"{spent / total:.1f}"))
        print(figures[-1], flush=True)
        TOTAL.update(seen)
    total = sum(TOTAL[kind] for kind in KINDS)
    shares = [percent(TOTAL[f"{kind} right"], TOTAL[kind]) for kind in KINDS]
    good = sum(TOTAL[f"{kind} right"] for kind in KINDS)
    figures.append(("all", total, percent(good, total), *shares, ""))
    print(table(("hand", "messages", "right %", *KINDS, "CPU-ms"), figures))
    if given.errors:
        lines_ = [json.dumps(each, ensure_ascii=False, default=str) + "\n" for each in errors]
        given.errors.write_text("".join(lines_), encoding="utf-8")


KEPT = os.environ.get("KEPT", "")
KINDS = ("add", "change", "none")
TOTAL: Counter[str] = Counter()


def kind_of(order: order_corpus.MarkedOrder) -> str:
    """Whether a message only adds, changes something, or orders nothing."""
    done = {mark.operation for mark in order.marks} - {"ask"}
    if not done:
        return "none"
    return "add" if done == {"add"} else "change"


def read_counters(hand: str) -> dict[str, Shelf]:
    """The shelves of a hand's shops, as the bench looks products up."""
    shops = yaml.safe_load((train.CORPUS / "hands" / hand / "shops.yaml").read_text(encoding="utf-8"))
    counters = {}
    for name, listed in shops.items():
        goods = [
            Good(
                " ".join(filter(None, (each["name"], each.get("brand", "")))) if False else str(each["name"]),
                str(each.get("category", "")),
                tuple(map(str, each.get("sizes") or ())),
            )
            for each in listed
        ]
        counters[name] = Shelf(goods, frozenset(good.category for good in goods), {})
    return counters


def wanted(order: order_corpus.MarkedOrder) -> list[Change]:
    """The marks as changes of the cart."""
    found: list[Change] = []
    last = "it"
    for mark in order.marks:
        product = mark.product
        if mark.operation == "ask":
            last = product
            continue
        quantity = float(mark.quantity) if mark.quantity else None
        if product == "it" and not found:
            product = last
        if mark.operation == "keep":
            found.append(Change("keep", product, mark.size or None, None))
        elif product == "it" and found and found[-1].product != "it":
            found[-1] = found[-1]._replace(quantity=quantity or found[-1].quantity, size=mark.size or found[-1].size)
        else:
            action = "old" if mark.operation == "old" else DONE[mark.operation]
            found.append(Change(action, product, mark.size or None, quantity))
    return found


def made(lines: Sequence[OrderLine], shelf: Shelf) -> list[Change]:
    """The lines as changes of the cart."""
    found: list[Change] = []
    for line in lines:
        if line.confidence < 60:
            continue
        if line.product == "todo":
            found.append(Change("remove", "*", None, None))
            continue
        if line.product.startswith(ALL_BUT):
            for spared in line.product.removeprefix(ALL_BUT).split(" y "):
                name, size = shelf.find(spared) or (f"{NOT_SOLD}{spared}", None)
                found.append(Change("keep", name, size, None))
            continue
        if not line.product:
            quantity = float(line.quantity) if line.quantity is not None else None
            found.append(Change(line.action, "it", None, quantity))
            continue
        size_said, quantity = measured(line)
        text = " ".join(filter(None, (line.product, size_said, line.notes)))
        name, size = shelf.find(text) or (f"{NOT_SOLD}{text}", None)
        found.append(Change(line.action, name, size, float(quantity) if quantity is not None else None))
    return merged(found)


def is_right(want: Sequence[Change], got: Sequence[Change], shelf: Shelf) -> bool:
    """Whether all that is wanted is done, and nothing else."""
    unsold = [each for each in want if each.product.startswith(NOT_SOLD)]
    left = [each for each in got if not (each.product.startswith(NOT_SOLD) and unsold)]
    left = [each for each in left if not (each.action == "add" and each.product.startswith(NOT_SOLD))]
    want = [each for each in want if each not in unsold]
    keeps = [each for each in want if each.action == "keep"]
    if keeps:
        want = [each for each in want if each.product != "*"]
    olds = [each for each in want if each.action == "old"]
    for each in (each for each in want if each.action != "old"):
        found = next((other for other in left if _same(each, other, olds, shelf)), None)
        if found is None:
            return False
        left.remove(found)
    for each in olds:
        found = next((o for o in left if o.action == "remove" and _named(each, o, shelf)), None)
        if found:
            left.remove(found)
    return not left


def _named(want: Change, got: Change, shelf: Shelf) -> bool:
    if want.product == got.product or shelf.only(want.product) == shelf.only(got.product):
        return True
    inside = {good.name for good in shelf.goods if good.category == want.product}
    return False if got.product not in inside else len(inside) == 1


def _same(want: Change, got: Change, olds: Sequence[Change], shelf: Shelf) -> bool:
    if want.action != got.action:
        exchanged = want.action == "add" and got.action == "set" and any(_named(o, got, shelf) for o in olds)
        told = {want.action, got.action} == {"add", "set"} and want.quantity is None
        if not exchanged and not told:
            return False
    if not _named(want, got, shelf):
        return False
    told = {size for good in shelf.goods if got.product in (good.name, good.category) for size in good.sizes}
    sized = want.size in (None, got.size) or (got.size is None and len(told) <= 1)
    if want.product == "it" and want.quantity is None:
        return got.product == "it"
    return sized and (want.quantity is None or want.quantity == got.quantity)


if __name__ == "__main__":
    main()
