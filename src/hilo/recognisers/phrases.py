"""Tables of phrases matched over the words of a message, one typo in a long word allowed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from hilo.packs.pack import shared_classes, shared_words, word_set_of
from hilo.recognisers.normalise import EMOJI, Text, words

SHORTEST_WITH_TYPO = 5
SHORTEST_WITH_ANY_LETTER = 8
LONGEST_WORD = 24
SAME_SOUND = tuple(set(letters) for letters in ("bv", "scz", "kcq", "iy", "gj", "xs", "nm", "jh"))

_DOUBLED = re.compile(r"(si|no|ok|ya|va)\1+")
_BREAK = re.compile(r"[^\w\s'’´`*+_-]|\s[-–—]+\s")


def word_set(block: str) -> frozenset[str]:
    """The words of a block of text, for tables."""
    return frozenset(block.split())


# words of their own, one letter away from words of the tables
OWN_WORDS = word_set_of("no typo")


@dataclass(frozen=True, slots=True)
class PhraseToken:
    """A word as it stands in the folded text; `breaks` when punctuation or a new line stands before it."""

    text: str
    start: int
    end: int
    breaks: bool = False
    emoji: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """What a phrase that ends here means: `opens` a clause only, `closes` a clause only."""

    kind: str
    opens: bool = False
    closes: bool = False
    confidence: int = 95


@dataclass(slots=True)
class Node:
    """Where a phrase stands after a word."""

    following: "dict[str, list[Node]]" = field(default_factory=dict)
    endings: list[Ending] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """A compiled table: the first node, the classes of each word, and those that a typo may mean by their halves."""

    root: Node
    labels: Mapping[str, tuple[str, ...]]
    typos: Mapping[str, Sequence[str]]


@lru_cache(maxsize=64)  # acts and sentiment read the same message, and its parts
def tokens_of(text: Text) -> tuple[PhraseToken, ...]:
    """The words of a message, with where clauses break."""
    tokens: list[PhraseToken] = []
    end = 0
    for word in words(text):
        gap = text.folded[end : word.start]
        breaks = bool(end) and (_BREAK.search(gap) is not None or _new_line(text, end, word.start))
        emoji = text.original(word.start, word.end) in EMOJI
        for part in _once(word.text).split(" "):
            tokens.append(PhraseToken(part, word.start, word.end, breaks, emoji))
            breaks = False
        end = word.end
    return tuple(tokens)


def phrases_of_packs(family: str, kinds: Mapping[str, str]) -> Phrases:
    """The phrases of a family of sections, `act: affirm` and the like, each below the heading that it has here."""
    table: dict[str, list[str]] = {}
    for section, heading in kinds.items():
        table.setdefault(heading, []).extend(shared_words(f"{family}: {section}"))
    return compile_phrases(table, shared_classes(family))


def compile_phrases(table: Mapping[str, Iterable[str]], classes: Mapping[str, Iterable[str]]) -> Phrases:
    """A table of kind → phrases: `a|b`, `word?`, `@class`, `*` (any word), `^` opens, `$` closes a clause.

    A heading may carry a confidence and close all its phrases: `deny:90$`.
    """
    root = Node()
    labels: dict[str, list[str]] = {}
    for name, members in classes.items():
        for word in members:
            labels.setdefault(word, [word]).append(f"@{name}")
    for heading, lines in table.items():
        kind, _, confidence = heading.rstrip("$").partition(":")
        for phrase in lines:
            closes = heading.endswith("$") or phrase.endswith("$")
            ending = Ending(kind, phrase.startswith("^"), closes, int(confidence or 95))
            _grow(root, phrase.strip("^$ "), ending, labels)
    final = {word: tuple(names) for word, names in labels.items()}
    return Phrases(root, final, _typo_index(final))


def endings_at(phrases: Phrases, labels: Sequence[tuple[str, ...]], start: int) -> list[tuple[Ending, int]]:
    """All phrases that start at a word, each with the index after its last word."""
    frontier = [node for name in labels[start] for node in phrases.root.following.get(name, ())]
    found: list[tuple[Ending, int]] = []
    index = start
    while frontier:
        index += 1
        found += [(ending, index) for node in frontier for ending in node.endings]
        if index == len(labels):
            break
        names = (*labels[index], "*")
        frontier = [
            following
            for node in frontier
            for name in names
            if name in node.following
            for following in node.following[name]
        ]
    return found


def label(phrases: Phrases, tokens: Sequence[PhraseToken]) -> list[tuple[str, ...]]:
    """The names under which each word may be found in the phrases."""
    return [phrases.labels.get(token.text) or _guess(phrases, token.text) for token in tokens]


def one_typo_apart(written: str, meant: str) -> bool:
    """One letter added, lost, changed or two swapped, but not the first nor the last, where inflections live."""
    if written[:1] != meant[:1] or abs(len(written) - len(meant)) > 1:
        return False
    head = _shared(written, meant)
    tail = _shared(written[head:][::-1], meant[head:][::-1])
    rest_written, rest_meant = written[head : len(written) - tail], meant[head : len(meant) - tail]
    return tail > 0 and _slip(rest_written, rest_meant, len(meant))


def _slip(written: str, meant: str, length: int) -> bool:
    """Whether the differing letters are a likely slip; short words have too many neighbours for an arbitrary one."""
    if len(written) == len(meant) == 2:  # noqa: PLR2004
        return written == meant[::-1]
    if len(written) == len(meant) == 1:
        return length >= SHORTEST_WITH_ANY_LETTER or any({written, meant} <= sound for sound in SAME_SOUND)
    return len(written) + len(meant) == 1 and length >= SHORTEST_WITH_TYPO + 1


def _once(word: str) -> str:
    """Words said over and over in one breath count once: sisisi, nono, okok."""
    doubled = _DOUBLED.fullmatch(word)
    return doubled.group(1) if doubled else word


def _new_line(text: Text, end: int, start: int) -> bool:
    if "\n" not in text.raw:
        return False
    return "\n" in text.raw[text.origins[end - 1] : text.origins[start]]


def _grow(root: Node, phrase: str, ending: Ending, labels: dict[str, list[str]]) -> None:
    """A chain of nodes for one phrase: all words of a slot lead to the same node, an optional slot may be jumped."""
    ends = [root]
    for slot in phrase.split():
        options = [option.removesuffix("?") for option in slot.split("|")]
        node = Node()
        for option in dict.fromkeys(options):
            if option[0] not in "@*":
                labels.setdefault(option, [option])
            for end in ends:
                end.following.setdefault(option, []).append(node)
        ends = [node, *ends] if "?" in slot else [node]
    for end in ends:
        end.endings.append(ending)


def _typo_index(labels: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for word in labels:
        if len(word) >= SHORTEST_WITH_TYPO:
            for half in _halves(word, len(word)):
                index.setdefault(half, []).append(word)
    return index


def _halves(word: str, length: int) -> tuple[str, str]:
    """Of a word with that many letters one typo leaves the first half as it is, or all behind the letter after it."""
    half = length // 2
    return f"{length}{word[:half]}-", f"{length}-{word[half + 1 - length :]}"


@lru_cache(maxsize=4096)
def _guess(phrases: Phrases, word: str) -> tuple[str, ...]:
    """The labels of the known word that this one is a typo of, if exactly one is."""
    if not SHORTEST_WITH_TYPO <= len(word) <= LONGEST_WORD or not word.isalpha() or word in OWN_WORDS:
        return ()
    if word[-1] == word[-2] and word[:-1] in phrases.labels:
        return phrases.labels[word[:-1]]
    halves = [half for length in range(len(word) - 1, len(word) + 2) for half in _halves(word, length)]
    near = [known for half in halves for known in phrases.typos.get(half, ())]
    meant = {known for known in near if one_typo_apart(word, known)}
    return phrases.labels[meant.pop()] if len(meant) == 1 else ()


def _shared(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
