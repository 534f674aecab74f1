"""Which slots and keywords a message speaks of by name: "mi correo es…", "el teléfono está mal"."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hilo.agent.declaration import Agent, Slot
from hilo.agent.policies import KeywordPolicy
from hilo.recognisers.normalise import Word, fold
from hilo.slots.person_name import CALLED_BY_PART

NEGATIONS = frozenset({"no", "sin", "tampoco", "nunca", "not", "dont", "without"})
REACH = 4  # a negation counts over this many words


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of a slot, and where it stands."""

    slot: str
    start: int
    end: int


Phrase = tuple[str, ...]
Index = Mapping[str, tuple[tuple[Phrase, str], ...]]


@dataclass(frozen=True, slots=True)
class SlotVocabulary:
    """What contacts call the slots of an agent, and its keywords: phrases by their first word, with what they name."""

    slots: Index
    keywords: Index


def vocabulary(agent: Agent) -> SlotVocabulary:
    """Made once per agent."""
    theirs = agent.found_only()
    types = [slot.type for name, slot in agent.slots.items() if name not in theirs]
    alone = {each for each in types if types.count(each) == 1}
    slots = {
        (phrase_words(phrase), name)
        for name, slot in agent.slots.items()
        for phrase in (name, slot.label, *slot.also, *_own_words(slot, alone=slot.type in alone))
        if phrase and name not in theirs
    }
    keywords = {
        (phrase_words(word), word)
        for policy in agent.escalation
        if isinstance(policy, KeywordPolicy)
        for word in policy.keyword
    }
    order = list(agent.slots)
    return SlotVocabulary(_index(sorted(slots, key=lambda pair: order.index(pair[1]))), _index(sorted(keywords)))


def _own_words(slot: Slot, *, alone: bool) -> tuple[str, ...]:
    """What everybody calls a slot of its type, where no other one has it."""
    if slot.part:
        return CALLED_BY_PART[slot.part]
    return slot.kind.called if alone else ()


def phrase_words(phrase: str) -> Phrase:
    """A phrase of a rule as folded words."""
    return tuple(fold(phrase).replace("_", " ").replace("-", " ").split())


def _index(phrases: Iterable[tuple[Phrase, str]]) -> Index:
    index: dict[str, tuple[tuple[Phrase, str], ...]] = {}
    for phrase, named in phrases:
        if phrase:
            index[phrase[0]] = (*index.get(phrase[0], ()), (phrase, named))
    return index


SAME = frozenset({"mismo", "misma", "mismos", "mismas", "same"})
# "el tercer pasajero" is one of them, and not how many there are
ONE_OF_THEM = frozenset({"segundo", "segunda", "tercer", "tercera", "cuarto", "cuarta", "quinto", "quinta"})


def slot_mentions(vocabulary: SlotVocabulary, words: Sequence[Word]) -> tuple[Mention, ...]:
    """The slots that are named, in order; the longest name at a place counts. "Misma hora" names what stays."""
    found: dict[int, list[Mention]] = {}
    for place, size, name in _named(vocabulary.slots, words):
        if place and words[place - 1].text in SAME | ONE_OF_THEM:
            continue
        mention = Mention(name, words[place].start, words[place + size - 1].end)
        others = found.setdefault(mention.start, [])
        if others and mention.end > others[0].end:
            others.clear()
        if not others or mention.end == others[0].end:
            others.append(mention)
    return tuple(mention for start in sorted(found) for mention in found[start])


def keywords_in(vocabulary: SlotVocabulary, words: Sequence[Word]) -> tuple[str, ...]:
    """The declared keywords that are written and not denied ("no quiero un asesor")."""
    named = _named(vocabulary.keywords, words)
    return tuple(dict.fromkeys(keyword for place, _, keyword in named if not _is_denied(place, words)))


def _named(index: Index, words: Sequence[Word]) -> Iterator[tuple[int, int, str]]:
    """Where phrases stand: the place of the first word, the number of words, and what they name."""
    for place, word in enumerate(words):
        for phrase, named in index.get(word.text, ()):
            if tuple(each.text for each in words[place : place + len(phrase)]) == phrase:
                yield place, len(phrase), named


def _is_denied(place: int, words: Sequence[Word]) -> bool:
    before = {word.text for word in words[max(0, place - REACH) : place]}
    return bool(NEGATIONS & before) and words[place - 1].text != "pero"
