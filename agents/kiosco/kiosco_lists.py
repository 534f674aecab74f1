"""Lists of what is sold, as they are sent: one line for each product with its sizes, flavours and prices."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kiosco_catalogue import Shelves, Variant, categories
from kiosco_words import pesos

from hilo import tables

MOST_PRODUCTS = 8  # of a search
MAX_REPLY = 1900  # characters: what a tool may give
MAX_PAGE = 3900  # characters of a message that an operator sends


@dataclass(frozen=True, slots=True)
class Offer:
    """What a thing costs now, and how many there are."""

    cents: int
    units: int


Offers = Mapping[str, Offer]


def offers() -> tables.Script[dict[str, Offer]]:
    """The prices and the stock of everything, by sku."""
    rows = yield from tables.execute("prices")
    return {row["sku"]: Offer(row["price_cents"], row["units"]) for row in rows}


def at_hand(known: Offers) -> list[str]:
    """The skus of which there is something."""
    return [sku for sku, offer in known.items() if offer.units]


def by_product(variants: Iterable[Variant]) -> dict[str, list[Variant]]:
    """Things by their product, in the order they came."""
    found: dict[str, list[Variant]] = {}
    for each in variants:
        found.setdefault(each.product, []).append(each)
    return found


def product_line(variants: Sequence[Variant], known: Offers) -> str:
    """• Coca-Cola: 500 ml $850 · 1,5 l $1.600 (sin stock)."""
    parts = [_part(each, known.get(each.sku, Offer(0, 0))) for each in variants]
    if len(parts) == 1:
        return f"• {variants[0].label}: {parts[0].removeprefix(_kind(variants[0])).strip()}"
    return f"• {variants[0].product}: {' · '.join(parts)}"


def _kind(variant: Variant) -> str:
    return " ".join(filter(None, (variant.flavour, variant.size)))


def _part(variant: Variant, offer: Offer) -> str:
    price = pesos(offer.cents) + ("" if offer.units else " (sin stock)")
    return f"{_kind(variant)} {price}".strip()


def listed(variants: Iterable[Variant], known: Offers, *, most: int = MOST_PRODUCTS) -> str:
    """So many products, a line each, and how many are left out."""
    groups = list(by_product(variants).values())
    return fitting([product_line(each, known) for each in groups], most=most)


def fitting(lines: Sequence[str], *, most: int, room: int = MAX_REPLY) -> str:
    """As many lines as fit, and how many are left out."""
    kept: list[str] = []
    for line in lines[:most]:
        if sum(map(len, kept)) + len(kept) + len(line) > room:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    return "\n".join((*kept, f"… y {left} más.") if left else kept)


# --- the catalogue ------------------------------------------------------------------------------------


def overview(shelves: Shelves) -> str:
    """The categories, with how many products each has and a few of them."""
    lines = []
    for name, variants in categories(shelves).items():
        products = list(by_product(variants))
        lines.append(f"• {name} ({len(products)}): {', '.join(products[:3])}…")
    return fitting(lines, most=len(lines))


def pages(shelves: Shelves, known: Offers, category: str = "") -> tuple[str, ...]:
    """A catalogue as messages that a channel takes: of one category, or of all."""
    lines: list[str] = []
    for name, variants in categories(shelves).items():
        if category in ("", name):
            lines += [f"*{name}*", *(product_line(each, known) for each in by_product(variants).values())]
    return tuple(_pages(lines))


def _pages(lines: Sequence[str]) -> Iterable[str]:
    page = ""
    for line in lines:
        if page and len(page) + len(line) + 1 > MAX_PAGE:
            yield page
            page = ""
        page = f"{page}\n{line}" if page else line
    if page:
        yield page
