"""Words that people use every day for anything but goods, counted by `tools/ordinary_words.py`."""

from functools import cache, lru_cache
from importlib.resources import files

from hilo.understanding.orders import words
from hilo.understanding.orders.catalogue_terms import terms_of
from hilo.understanding.orders.page import Page
from hilo.understanding.orders.spots import Shelf, Spot

WEIGHTS, NAME = "hilo.understanding.trained", "ordinary_words.txt"
_LEADING = words.ARTICLES | words.ONE | words.SKIPPED


@cache
def ordinary_words() -> frozenset[str]:
    """All of them, as messages are folded."""
    return frozenset(files(WEIGHTS).joinpath("weights", NAME).read_text(encoding="utf-8").split())


def is_ordinary(page: Page, shelf: Shelf, spot: Spot) -> bool:
    """Whether one everyday word was taken for goods: "órale" for Oral-B, the "paso" of "paso a buscarlo" for a drink.

    Written just as the goods are, it names them where it is counted or asked for.
    """
    text = page.word(spot.first)
    if spot.last - spot.first > 1 or spot.completed or text not in ordinary_words() | words.FILLERS:
        return False
    if _spellings(shelf).isdisjoint({text, text.removesuffix("s"), text.removesuffix("es"), f"{text}s"}):
        return True
    before = page.word(spot.first - 1)
    ends = {count.last for count in page.counts.values()} | {verb.last for verb in page.verbs.values()}
    return before not in _LEADING and spot.first not in ends


@lru_cache(maxsize=16)
def _spellings(shelf: Shelf) -> frozenset[str]:
    """The words of a catalogue as it writes them, and what the packs call its goods."""
    written = {
        word
        for each in shelf.catalogue.products
        for word, _ in terms_of(" ".join((each.name, each.brand, each.category, each.size, *each.keywords)))
    }
    return frozenset(written | set(shelf.catalogue.spelled))
