"""Whole order lines of the corpus, each hand heard by what the other hands taught.

    python -m bench.corpus_orders [HAND …] [--errors FILE]

A message is right if all its lines are: product, size, quantity and what is done. Products are looked up in the hand's
own shops as `bench.spanish` looks them up. Whether what an exchange takes out is told as removed counts neither way,
and so does what the shop does not sell.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import yaml
from bench.spanish.orders import ALL_BUT, NOT_SOLD, Change, _merged
from bench.spanish.shelf import Good, Shelf
from bench.spanish.words import percent, table

from hilo.recognisers.normalise import normalise
from hilo.understanding.ordering import SURE_LINE, _measured
from hilo.understanding.orders import operations
from hilo.understanding.orders.lines import ALL, OrderLine, find_order_lines

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

import order_corpus
import train

KINDS = ("add", "change", "none")
DONE = {"add": "add", "new": "add", "remove": "remove", "old": "old", "set": "set", "keep": "keep"}
LAST = order_corpus.LAST


def main() -> None:
    """Score all hands, or some."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hands", nargs="*", metavar="HAND")
    parser.add_argument("--errors", type=Path, metavar="FILE", help="where to write the errors as JSON lines")
    given = parser.parse_args()
    orders = list(order_corpus.read_orders(train.CORPUS))
    shelves = order_corpus.read_shelves(train.CORPUS)
    rows = train.read_operations(train.CORPUS)
    prepared = train.prepare(operations.ORDER_OPERATIONS, rows)
    errors: list[str] = []
    total: Counter[str] = Counter()
    figures = []
    for hand in given.hands or sorted({order.hand for order in orders}):
        inside = [place for place, row in enumerate(rows) if row.hand != hand]
        classifier = train.train(operations.ORDER_OPERATIONS, prepared.part(inside))
        operations.load_classifier = lambda _, trained=classifier: trained  # type: ignore[assignment, attr-defined]
        counters = read_counters(hand)
        seen: Counter[str] = Counter()
        started = time.thread_time()
        for order in (each for each in orders if each.hand == hand):
            lines = find_order_lines(normalise(order.message), shelf=shelves[hand, order.shop])
            want, got = wanted(order), made(lines, counters[order.shop])
            right = is_right(want, got, counters[order.shop])
            seen.update({kind_of(order): 1, f"{kind_of(order)} right": int(right)})
            if not right:
                error = {"hand": hand, "kind": kind_of(order), "text": order.message, "want": want, "got": got}
                errors.append(json.dumps(error, ensure_ascii=False) + "\n")
        spent = (time.thread_time() - started) * 1000 / sum(seen[kind] for kind in KINDS)
        figures.append((*_shares(hand, seen), f"{spent:.1f}"))
        total.update(seen)
    figures.append((*_shares("all", total), ""))
    print(table(("hand", "messages", "right %", *KINDS, "CPU-ms"), figures))
    if given.errors:
        given.errors.write_text("".join(errors), encoding="utf-8")


def _shares(hand: str, seen: Counter[str]) -> tuple[object, ...]:
    messages = sum(seen[kind] for kind in KINDS)
    right = sum(seen[f"{kind} right"] for kind in KINDS)
    return hand, messages, percent(right, messages), *(percent(seen[f"{kind} right"], seen[kind]) for kind in KINDS)


def kind_of(order: order_corpus.MarkedOrder) -> str:
    """Whether a message only adds, changes something, or orders nothing."""
    done = {mark.operation for mark in order.marks} - {"ask"}
    if not done:
        return "none"
    return "add" if done == {"add"} else "change"


def read_counters(hand: str) -> dict[str, Shelf]:
    """The shelves of a hand's shops."""
    shops = yaml.safe_load((train.CORPUS / "hands" / hand / "shops.yaml").read_text(encoding="utf-8"))
    counters = {}
    for name, listed in shops.items():
        goods = [
            Good(str(each["name"]), str(each.get("category", "")), tuple(map(str, each.get("sizes") or ())))
            for each in listed
        ]
        counters[name] = Shelf(goods, frozenset(good.category for good in goods), {})
    return counters


def wanted(order: order_corpus.MarkedOrder) -> list[Change]:
    """The marks as changes of the cart; what was named last goes by its name."""
    found: list[Change] = []
    last = LAST
    for mark in order.marks:
        if mark.operation == "ask":
            last = mark.product
            continue
        quantity = float(mark.quantity) if mark.quantity else None
        if mark.product == LAST and found and found[-1].product != LAST:
            before = found[-1]
            found[-1] = before._replace(quantity=quantity or before.quantity, size=mark.size or before.size)
            continue
        product = last if mark.product == LAST else mark.product
        found.append(Change(DONE[mark.operation], product, mark.size or None, quantity))
    return found


def made(lines: Sequence[OrderLine], shelf: Shelf) -> list[Change]:
    """The lines as changes of the cart."""
    found: list[Change] = []
    for line in lines:
        if line.confidence < SURE_LINE:
            continue
        size, quantity = _measured(line)
        count = None if quantity is None else float(quantity)
        if line.product == ALL:
            found.append(Change("remove", "*", None, None))
        elif line.product.startswith(ALL_BUT):
            spared = line.product.removeprefix(ALL_BUT).split(" y ")
            found += [Change("keep", *(shelf.find(each) or (f"{NOT_SOLD}{each}", None)), None) for each in spared]
        elif not line.product:
            found.append(Change(line.action, LAST, None, count))
        else:
            text = f"{line.product} {size}".strip()
            found.append(Change(line.action, *(shelf.find(text) or (f"{NOT_SOLD}{text}", None)), count))
    return _merged(found)


def is_right(want: Sequence[Change], got: Sequence[Change], shelf: Shelf) -> bool:
    """Whether all that is wanted is done, and nothing else."""
    sold = [each for each in want if not each.product.startswith(NOT_SOLD)]
    unsold = len(sold) < len(want)
    left = [each for each in got if not (each.product.startswith(NOT_SOLD) and (unsold or each.action == "add"))]
    if any(each.action == "keep" for each in sold):
        sold = [each for each in sold if each.product != "*"]
    olds = [each for each in sold if each.action == "old"]
    for each in (each for each in sold if each.action != "old"):
        found = next((other for other in left if _same(each, other, olds, shelf)), None)
        if found is None:
            return False
        left.remove(found)
    for each in olds:
        found = next((other for other in left if other.action == "remove" and _named(each, other, shelf)), None)
        if found:
            left.remove(found)
    return not left


def _named(want: Change, got: Change, shelf: Shelf) -> bool:
    inside = {good.name for good in shelf.goods if good.category == want.product}
    return shelf.only(want.product) == shelf.only(got.product) or inside == {got.product}


def _same(want: Change, got: Change, olds: Sequence[Change], shelf: Shelf) -> bool:
    if want.action != got.action:
        exchanged = want.action == "add" and got.action == "set" and any(_named(each, got, shelf) for each in olds)
        told = {want.action, got.action} == {"add", "set"} and want.quantity is None
        if not exchanged and not told:
            return False
    sizes = {size for good in shelf.goods if got.product in (good.name, good.category) for size in good.sizes}
    sized = want.size in (None, got.size) or (got.size is None and len(sizes) <= 1)
    return _named(want, got, shelf) and sized and want.quantity in (None, got.quantity)


if __name__ == "__main__":
    main()
