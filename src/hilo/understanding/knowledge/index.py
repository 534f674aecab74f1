"""Finding the section of an agent's pages that answers a question, and how sure it is that one does.

Each section has twelve signs: how near the question is to one of its sentences, its heading, its page and heading, and
to all of it; whether both sound like the same standard intents; how much of what the question says is said there, in
the same words or in near ones; and whether both are about the same everyday things. The signs rank the sections; a
second look at the best says how sure it is. Among them are the agent's intents, which may answer better than any page.
"""

import hashlib
import io
import json
import math
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from hilo.agent.documents import Section, sentences
from hilo.understanding.intents.encoder import Encoder
from hilo.understanding.intents.encoder_weights import EMBEDDING
from hilo.understanding.intents.gist import EDGES, gist
from hilo.understanding.intents.standard import fingerprint, place_of, probabilities_of, standard_names
from hilo.understanding.intents.wording import Wording, learn
from hilo.understanding.knowledge.themes import Themes, themes_of
from hilo.understanding.knowledge.words import ENOUGH, Rarity, Saying, WordPlaces, place_words, rarity_for, trained

Numbers = NDArray[np.float32]
Signs = NDArray[np.float64]
Places = NDArray[np.int64]

FORMAT = 3  # raise it when an index is made otherwise: kept ones are then made again
MOST_FOUND = 3
THE_SAME = 0.75  # so near is an intent's answer to the section that says it, too
NEVER = -1e9  # the rank of what is not looked at
LONG = 8.0  # what a question says, for the second look; twice as much is the most that counts


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section that may answer a question, and how probable it is, from 0 to 100, that it does."""

    section: Section
    confidence: int


@dataclass(frozen=True, slots=True)
class Made:
    """What takes time to make of sections: vectors of their texts and words, and which intents they sound like."""

    units: Numbers
    asked: Numbers
    headings: Numbers
    titles: Numbers
    wholes: Numbers
    words: Numbers
    subjects: Numbers  # the roots of the chances of the standard intents; empty in other languages


@dataclass(frozen=True, slots=True)
class Look:
    """The signs of all sections for a question, a row each, and what is true of the question itself."""

    signs: Signs
    beyond: Signs  # how much of it no section says, in four ways; how much it says; how surely it asks a business


@dataclass(frozen=True)
class KnowledgeIndex:
    """What was made of an agent's sections: `units` are their sentences under their headings.

    `owners` and `askers` are the sections of the sentences and of the questions that stand with them.
    """

    sections: tuple[Section, ...]
    encoder: Encoder | None
    made: Made
    owners: Places
    askers: Places
    places: WordPlaces
    rarity: Rarity
    themes: Themes
    wording: tuple[Wording, ...] | None = None  # in the place of vectors, without an encoder

    @cached_property
    def _meanings(self) -> list[tuple[int, str]]:
        """Where the intents and flows are among the sections."""
        return [(place, each.meaning) for place, each in enumerate(self.sections) if each.meaning]

    @cached_property
    def meanings(self) -> frozenset[str]:
        """The intents and flows among the sections."""
        return frozenset(name for _, name in self._meanings)

    def called(self, words: str) -> Section | None:
        """The section whose heading these words are, if it is only one."""
        found = self._headings.get(gist(words).strip(EDGES), [])
        return self.sections[found[0]] if len({self.sections[place].source for place in found}) == 1 else None

    @cached_property
    def _headings(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, each in enumerate(self.sections):
            if each.meaning:
                continue
            last = gist(each.heading.rpartition(" › ")[2]).strip(EDGES)
            places.setdefault(last, []).append(place)
        return places

    def find(self, question: str, among: Container[str] = ()) -> tuple[FoundSection, ...]:
        """What may answer a question, the likeliest first; only the first one is judged well.

        Of the intents and flows those that are `among` the likely ones are looked at beside the pages.
        """
        if named := self.called(question):
            return (FoundSection(named, 100),)
        said = self.rarity.saying(question)
        if said.total <= self.rarity.least:
            return ()
        look = self.look(said, question)
        weights = trained()["weights"][self.kind]
        ranks = look.signs @ np.array(weights["rank"])
        ranks[[place for place, name in self._meanings if name not in among]] = NEVER
        found = []
        best = np.argsort(-ranks, kind="stable")[:MOST_FOUND]
        for place in best[ranks[best] > NEVER]:
            seen = self.evidence(look, ranks, int(place))
            sure = 1 / (1 + math.exp(-float(np.append(seen, 1.0) @ np.array(weights["sure"]))))
            found.append(FoundSection(self.sections[place], round(100 * sure)))
        return tuple(found)

    @property
    def kind(self) -> str:
        """Which weights are for it."""
        if self.encoder is None:
            return "words"
        return "subjects" if self.made.subjects.shape[1] else "meaning"

    def look(self, said: Saying, question: str) -> Look:
        """What there is to see."""
        vector = self.encoder.encode([question])[0] if self.encoder else None
        unit, asked, heading, title, whole = self._nearness(question, vector)
        nearest = np.full(len(self.sections), -1.0)
        np.maximum.at(nearest, self.owners, unit)
        like_asked = nearest.copy()  # what has no questions is as near by them as by its sentences
        np.maximum.at(like_asked, self.askers, asked)
        subject, meant = self._subject(question, vector)
        same = self.places.same(said)
        near, more, beyond = self.places.near(said, self.encoder, self.made.words)
        total = said.total or 1.0
        of_words = [same / total, np.minimum(same, ENOUGH) / ENOUGH]
        of_words += [near / total, np.minimum(near, ENOUGH) / ENOUGH, more / total, *self.themes.shared(said)]
        signs = np.stack([nearest, like_asked, heading, title, whole, subject, *of_words], axis=1)
        return Look(signs, np.array([*beyond, min(total / LONG, 2.0), meant]))

    def evidence(self, look: Look, ranks: Signs, place: int) -> Signs:
        """What the second look sees of a section: its rank and its signs, and how far others are behind it."""
        others = self.rivals[place] & (ranks > NEVER)
        chance = np.exp(ranks - ranks.max())
        signs = look.signs[place]
        if not others.any():
            return np.array([ranks[place], 1.0, 1.0, *look.beyond, *signs, *np.zeros(len(signs))])
        margin = ranks[place] - ranks[others].max()
        ahead = signs - look.signs[others].max(axis=0)
        share = chance[place] / (chance[place] + chance[others].sum())
        return np.array([ranks[place], margin, share, *look.beyond, *signs, *ahead])

    @cached_property
    def rivals(self) -> NDArray[np.bool_]:
        """For each section which others are rivals: a piece of the same long one is none, nor is what says the same."""
        sources = np.array([each.source for each in self.sections])
        rivals: NDArray[np.bool_] = sources[:, None] != sources[None, :]
        if self.encoder:
            answers = np.array([each.text != each.heading for each in self.sections])
            rivals &= ~((self.made.wholes @ self.made.wholes.T > THE_SAME) & answers & answers[:, None])
        return rivals

    def _nearness(self, question: str, vector: Numbers | None) -> tuple[Numbers, ...]:
        if self.wording:
            return tuple(each.alike(question) for each in self.wording)
        assert vector is not None  # noqa: S101 -- one of the two is there
        made = self.made
        return tuple(each @ vector for each in (made.units, made.asked, made.headings, made.titles, made.wholes))

    def _subject(self, question: str, vector: Numbers | None) -> tuple[Numbers, float]:
        if not self.made.subjects.shape[1]:
            return np.zeros(len(self.sections), np.float32), 0.0
        chances = intent_chances(question, vector)
        return self.made.subjects @ np.sqrt(chances), float(chances.sum())


def intent_chances(text: str, vector: Numbers | None) -> Numbers:
    """How probable each standard intent is."""
    return probabilities_of(text, vector)[_places_of_names()]


@cache
def _places_of_names() -> list[int]:
    return [place_of(name) for name in standard_names()]


# --- making one -------------------------------------------------------------------------------------------


def make_index(sections: Sequence[Section], *, encoder: Encoder | None, language: str) -> KnowledgeIndex:
    """Read all sections: their sentences, their words, and what customers ask about them."""
    texts = _Texts(sections, language)
    return _put_together(texts, encoder, _made(texts, encoder) if encoder else _nothing(len(sections)))


class _Texts:
    """What is read of sections."""

    def __init__(self, sections: Sequence[Section], language: str) -> None:
        self.sections = tuple(sections)
        self.language = language
        self.headings = [each.heading or each.page for each in sections]
        self.titles = [f"{each.page}: {each.heading}" for each in sections]
        self.wholes = [f"{heading}: {each.text}" for heading, each in zip(self.headings, sections, strict=True)]
        self.units: list[str] = []
        owners: list[int] = []
        for place, section in enumerate(sections):
            for sentence in sentences(section.text):
                self.units.append(f"{self.headings[place]}: {sentence}")
                owners.append(place)
        self.owners = np.array(owners, np.int64)
        self.asked = [question for each in sections for question in each.asked]
        self.askers = np.repeat(np.arange(len(sections)), [len(each.asked) for each in sections])
        self.rarity = rarity_for(language, self.units)
        parts = zip(self.titles, self.wholes, sections, strict=True)
        self.read = [f"{title} {whole} {' '.join(each.asked)}" for title, whole, each in parts]
        self.places = place_words(self.read, self.rarity)


def _made(texts: _Texts, encoder: Encoder) -> Made:
    units, asked, headings = (_encoded(encoder, each) for each in (texts.units, texts.asked, texts.headings))
    subjects = np.zeros((len(texts.sections), 0), np.float32)
    if texts.language.startswith("es"):
        chances = [intent_chances(text, vector) for text, vector in zip(texts.headings, headings, strict=True)]
        of_units = [intent_chances(text, vector) for text, vector in zip(texts.units, units, strict=True)]
        likely = np.array(chances)
        np.maximum.at(likely, texts.owners, np.array(of_units))
        of_asked = [intent_chances(text, vector) for text, vector in zip(texts.asked, asked, strict=True)]
        np.maximum.at(likely, texts.askers, np.array(of_asked).reshape(len(of_asked), likely.shape[1]))
        subjects = np.sqrt(likely)
    titles, wholes, words = (_encoded(encoder, each) for each in (texts.titles, texts.wholes, texts.places.words))
    return Made(units, asked, headings, titles, wholes, words, subjects)


def _nothing(sections: int) -> Made:
    empty = np.zeros((0, 0), np.float32)
    return Made(empty, empty, empty, empty, empty, empty, np.zeros((sections, 0), np.float32))


def _put_together(texts: _Texts, encoder: Encoder | None, made: Made) -> KnowledgeIndex:
    wording = None
    if encoder is None:
        wording = tuple(map(learn, (texts.units, texts.asked, texts.headings, texts.titles, texts.wholes)))
    return KnowledgeIndex(
        sections=texts.sections,
        encoder=encoder,
        made=made,
        owners=texts.owners,
        askers=texts.askers,
        places=texts.places,
        rarity=texts.rarity,
        themes=themes_of(texts.titles, texts.read),
        wording=wording,
    )


def _encoded(encoder: Encoder, texts: Sequence[str]) -> Numbers:
    """One by one, so that a vector is the same whatever else is read with it."""
    return np.array([encoder.encode([text])[0] for text in texts], np.float32).reshape(len(texts), EMBEDDING)


# --- kept between starts ----------------------------------------------------------------------------------


def index_digest(sections: Sequence[Section], encoder_name: str, language: str) -> str:
    """Changes whenever another index would be made: the key to keep its bytes under."""
    read = [[each.page, each.heading, each.text, each.asked, each.meaning] for each in sections]
    rarity = trained()["rarity"]
    content = [FORMAT, encoder_name, language, fingerprint(), rarity["unknown"], len(rarity["known"]), read]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def to_bytes(index: KnowledgeIndex) -> bytes:
    """What takes time to make, as an .npz archive without pickles."""
    file = io.BytesIO()
    np.savez(file, **{name: getattr(index.made, name) for name in Made.__slots__})
    return file.getvalue()


def from_bytes(
    content: bytes, sections: Sequence[Section], *, encoder: Encoder | None, language: str
) -> KnowledgeIndex:
    """The index that `to_bytes` wrote for these sections."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        made = Made(*(file[name] for name in Made.__slots__))
    return _put_together(_Texts(sections, language), encoder, made)
