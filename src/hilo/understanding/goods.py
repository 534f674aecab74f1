"""The goods that a sentence names, whatever else it says: "hola vecina, ¿tendrás mayonesa por casualidad?"."""

from functools import lru_cache

from hilo.recognisers.normalise import normalise
from hilo.understanding.orders.catalogue import Catalogue
from hilo.understanding.orders.items import find_items
from hilo.understanding.orders.page import read_page
from hilo.understanding.orders.spots import Shelf, build_shelf, find_spots
from hilo.understanding.orders.words import COMMON

LONGEST = 400  # characters of a sentence that is looked at


def goods_in(catalogue: Catalogue, text: str, *, country: str = "") -> tuple[str, ...]:
    """What a text names of a catalogue, each with its size, as the text says it; nothing that only resembles a name."""
    shelf = _shelf(catalogue)
    page = read_page(normalise(text[:LONGEST]), country, shelf)
    items = find_items(page, shelf, find_spots(page, shelf))
    named = [
        f"{item.spot.text} {item.size}".strip()
        for item in items
        if item.spot.known and not item.spot.alike and not COMMON.issuperset(item.spot.text.split())
    ]
    return tuple(dict.fromkeys(named))


@lru_cache(maxsize=16)
def _shelf(catalogue: Catalogue) -> Shelf:
    return build_shelf(catalogue)
