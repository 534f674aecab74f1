"""Finding the section of an agent's pages that answers a question, and how sure it is that one does.

Sections are ranked by six signs: how near the question is to a sentence under its heading, to the heading, and to the
page and heading together; which share of what it says, and how much, is said in the section's own words; and whether
customers who ask of this section's subject write so. A second look at the best says how sure it is.
"""

import hashlib
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hilo.agent.documents import Section, sentences
from hilo.understanding.intents.encoder import Encoder
from hilo.understanding.intents.standard import STANDARD_INTENTS, fingerprint, sentences_of, standard_names
from hilo.understanding.intents.wording import Wording, learn
from hilo.understanding.knowledge.words import ENOUGH, Rarity, rarity_for, stems_of, trained
from hilo.understanding.trained.classifier import load_classifier

Numbers = NDArray[np.float32]
Places = NDArray[np.int64]

FORMAT = 1  # raise it when an index is made otherwise: kept ones are then made again
LENT = 6  # sentences that stand for a standard intent
NEAR, FAR = 0.55, 0.35  # how near a section is to the sentences of a standard intent that is its subject, or is not
RIVALS = 0.1  # an intent that is this much less near than the nearest one is not the section's subject
MOST_FOUND = 3


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section that may answer a question, and how probable it is, from 0 to 100, that it does."""

    section: Section
    confidence: int


@dataclass(frozen=True)
class KnowledgeIndex:
    """What was made of an agent's sections: `units` are their sentences under their headings."""

    sections: tuple[Section, ...]
    encoder: Encoder | None
    units: Numbers
    owners: Places
    headings: Numbers
    titles: Numbers
    subjects: Numbers  # how much each standard intent is the subject of a section; empty in other languages
    stems: tuple[frozenset[str], ...]
    rarity: Rarity
    wording: tuple[Wording, Wording, Wording] | None = None  # of units, headings and titles, without an encoder

    def find(self, question: str) -> tuple[FoundSection, ...]:
        """The sections that may answer a question, the likeliest first; only the first one is judged well."""
        if self.rarity.saying(question).total < self.rarity.least:
            return ()
        signs, unknown, meant = self.signs(question)
        weights = trained()["weights"][self.kind]
        ranks = signs @ np.array(weights["rank"])
        order = np.argsort(-ranks, kind="stable")[:MOST_FOUND]
        found = []
        for place in order:
            # pieces of one long section are no rivals
            others = [ranks[at] for at, each in enumerate(self.sections) if each.source != self.sections[place].source]
            margin = ranks[place] - max(others) if others else weights["alone"]
            seen = np.array([ranks[place], margin, unknown, meant, *signs[place], 1.0])
            sure = 1 / (1 + math.exp(-float(seen @ np.array(weights["sure"]))))
            found.append(FoundSection(self.sections[place], round(100 * sure)))
        return tuple(found)

    @property
    def kind(self) -> str:
        """Which weights are for it."""
        if self.encoder is None:
            return "words"
        return "subjects" if self.subjects.shape[1] else "meaning"

    def signs(self, question: str, chances: Numbers | None = None) -> tuple[NDArray[np.float64], float, float]:
        """The six signs of each section; which share of the question no section has; how surely it asks a business.

        `chances` are those of the standard intents, where they are known already.
        """
        said = self.rarity.saying(question)
        unit, heading, title = self._nearness(question)
        nearest = np.full(len(self.sections), -1.0)
        np.maximum.at(nearest, self.owners, unit)
        covered = np.array([said.covered(stems) for stems in self.stems])
        everywhere = said.covered(frozenset().union(*self.stems))
        total = said.total or 1.0
        subject, meant = self._subject(question, chances)
        weight = np.minimum(covered, ENOUGH) / ENOUGH
        signs = np.stack([nearest, heading, title, covered / total, weight, subject], axis=1)
        return signs, 1 - everywhere / total, meant

    def _nearness(self, question: str) -> tuple[Numbers, Numbers, Numbers]:
        if self.wording:
            unit, heading, title = (each.alike(question) for each in self.wording)
            return unit, heading, title
        assert self.encoder is not None  # noqa: S101 -- one of the two is there
        vector = self.encoder.encode([question])[0]
        return self.units @ vector, self.headings @ vector, self.titles @ vector

    def _subject(self, question: str, chances: Numbers | None) -> tuple[Numbers, float]:
        if not self.subjects.shape[1]:
            return np.zeros(len(self.sections), np.float32), 0.0
        if chances is None:
            chances = intent_chances(question, self.encoder)
        return self.subjects @ chances, float(chances.sum())


def intent_chances(question: str, encoder: Encoder | None) -> Numbers:
    """How probable each standard intent is."""
    classifier = load_classifier(STANDARD_INTENTS)
    vector = encoder.encode([question])[0] if encoder else None
    chances = classifier.probabilities(question, vector=vector)
    return chances[[classifier.labels.index(name) for name in standard_names()]]


# --- making one -------------------------------------------------------------------------------------------


def make_index(sections: Sequence[Section], *, encoder: Encoder | None, language: str) -> KnowledgeIndex:
    """Read all sections: their sentences, their words, and what customers ask about them."""
    texts = _Texts(sections)
    empty = np.zeros((0, 0), np.float32)
    units = headings = titles = empty
    subjects = np.zeros((len(sections), 0), np.float32)
    if encoder is not None:
        units, headings, titles = (_encoded(encoder, each) for each in (texts.units, texts.headings, texts.titles))
        if language.startswith("es"):
            subjects = _subjects(encoder, texts.owners, (units, headings, titles))
    return _put_together(texts, encoder, language, (units, headings, titles, subjects))


class _Texts:
    """What is read of sections."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = tuple(sections)
        self.headings = [each.heading or each.page for each in sections]
        self.titles = [f"{each.page}: {each.heading}" for each in sections]
        self.units: list[str] = []
        owners: list[int] = []
        for place, section in enumerate(sections):
            for sentence in sentences(section.text):
                self.units.append(f"{self.headings[place]}: {sentence}")
                owners.append(place)
        self.owners = np.array(owners, np.int64)

    def stems(self) -> tuple[frozenset[str], ...]:
        found = [set(stems_of(title)) for title in self.titles]
        for place, unit in zip(self.owners, self.units, strict=True):
            found[place].update(stems_of(unit))
        return tuple(map(frozenset, found))


def _put_together(
    texts: _Texts, encoder: Encoder | None, language: str, made: tuple[Numbers, Numbers, Numbers, Numbers]
) -> KnowledgeIndex:
    units, headings, titles, subjects = made
    wording = None
    if encoder is None:
        wording = learn(texts.units), learn(texts.headings), learn(texts.titles)
    return KnowledgeIndex(
        sections=texts.sections,
        encoder=encoder,
        units=units,
        owners=texts.owners,
        headings=headings,
        titles=titles,
        subjects=subjects,
        stems=texts.stems(),
        rarity=rarity_for(language, texts.units),
        wording=wording,
    )


def _encoded(encoder: Encoder, texts: Sequence[str]) -> Numbers:
    """One by one, so that a vector is the same whatever else is read with it."""
    return np.array([encoder.encode([text])[0] for text in texts], np.float32)


def _subjects(encoder: Encoder, owners: Places, vectors: tuple[Numbers, Numbers, Numbers]) -> Numbers:
    """How much each standard intent is what customers ask about a section: by its nearest sentence or heading."""
    intents = [_encoded(encoder, sentences_of(name)[:LENT]).mean(axis=0) for name in standard_names()]
    units, headings, titles = (each @ np.array(intents).T for each in vectors)
    nearness = np.maximum(headings, titles)
    np.maximum.at(nearness, owners, units)
    best = nearness.max(axis=1, keepdims=True)
    is_near = np.clip((nearness - FAR) / (NEAR - FAR), 0, 1)
    is_nearest = np.clip(1 - (best - nearness) / RIVALS, 0, 1)
    subjects: Numbers = (is_near * is_nearest).astype(np.float32)
    return subjects


# --- kept between starts ----------------------------------------------------------------------------------


def index_digest(sections: Sequence[Section], encoder_name: str, language: str) -> str:
    """Changes whenever another index would be made: the key to keep its bytes under."""
    read = [[each.page, each.heading, each.text] for each in sections]
    content = [FORMAT, encoder_name, language, fingerprint(), read]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def to_bytes(index: KnowledgeIndex) -> bytes:
    """What takes time to make, as an .npz archive without pickles."""
    file = io.BytesIO()
    np.savez(file, units=index.units, headings=index.headings, titles=index.titles, subjects=index.subjects)
    return file.getvalue()


def from_bytes(
    content: bytes, sections: Sequence[Section], *, encoder: Encoder | None, language: str
) -> KnowledgeIndex:
    """The index that `to_bytes` wrote for these sections."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        made = file["units"], file["headings"], file["titles"], file["subjects"]
    return _put_together(_Texts(sections), encoder, language, made)
