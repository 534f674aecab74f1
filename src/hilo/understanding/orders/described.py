"""Which of several goods a few words describe: "la de litro y medio sin gas", of the waters that were offered."""

from collections.abc import Sequence

from hilo.agent.goods import Product
from hilo.packs.pack import fold
from hilo.recognisers.phrases import word_set
from hilo.understanding.orders.catalogue_terms import terms_of
from hilo.understanding.orders.words import COMMON, FILLERS

_TELLING = word_set("sin con")  # small words that tell two of the same kind apart
_SMALL = COMMON | FILLERS


def described(said: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names that hold all that is said; none where something is said that no name holds, or nothing at all."""
    held = [{key for _, keys in terms_of(name) for key in keys} for name in names]
    wanted = [keys for word, keys in terms_of(said) if word in _TELLING or word not in _SMALL]
    if not wanted:
        return ()
    return tuple(name for name, keys in zip(names, held, strict=True) if all(keys & set(each) for each in wanted))


def labels_below(goods: Sequence[Product], offered: Sequence[str]) -> tuple[str, ...]:
    """The sizes and kinds of what was offered, each with its size, where that is told by the name of a product."""
    tops = [fold(each) for each in offered]
    labels = dict.fromkeys(f"{each.name} {each.size}".strip() for each in goods)
    return tuple(label for label in labels if any(_is_of(fold(label), top) for top in tops))


def _is_of(label: str, top: str) -> bool:
    return label == top or label.startswith(f"{top} ")
