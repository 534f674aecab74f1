"""Count the words that messages use for anything but goods: `python tools/ordinary_words.py` writes them.

A word that people say every day is no misspelled product: "órale" is no Oral-B, "sabor" no Savora. The hands of the
corpus mark what is ordered, so the words outside the marks can be counted.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path

from hilo.recognisers.normalise import fold
from hilo.understanding.orders.ordinary import NAME

ROOT = Path(__file__).parents[1]
HANDS = ROOT / "corpus/hands"
FILE = ROOT / "src/hilo/understanding/trained/weights" / NAME
LEAST, LEAST_HANDS = 4, 3  # how often, and by how many, a word must be written
MOST_AS_GOODS = 0.1  # what part of all its uses may be in the name of something ordered
SHORTEST = 2  # letters

_WORD = re.compile(r"[^\W\d_]+")
_GOODS = re.compile(r"\{([^{}|]*)\|[^{}]*\}")


def ordinary_words() -> list[str]:
    """All words that are common outside of what is ordered, in their order."""
    beside, ordered = Counter[str](), Counter[str]()
    hands: dict[str, set[str]] = defaultdict(set)
    for file in sorted(HANDS.glob("*/*.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            text = fold(line.rpartition("\t")[2])
            ordered.update(word for goods in _GOODS.findall(text) for word in _WORD.findall(goods))
            said = _WORD.findall(_GOODS.sub(" ", text))
            beside.update(said)
            for word in said:
                hands[word].add(file.parent.name)
    return sorted(
        word
        for word, count in beside.items()
        if count >= LEAST
        and len(hands[word]) >= LEAST_HANDS
        and ordered[word] <= MOST_AS_GOODS * count
        and len(word) >= SHORTEST
    )


if __name__ == "__main__":
    FILE.write_text("\n".join(ordinary_words()) + "\n", encoding="utf-8")
