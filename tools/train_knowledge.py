"""Learn what the signs of `hilo.understanding.knowledge` are worth: `python tools/train_knowledge.py`.

Four invented businesses have pages. What customers of many hands asked (corpus/) is told by its intent: of some
intents a table says which sections answer them, of all others that none does. Two businesses have questions too.
Each answered question is also asked of the pages without the sections that answer it: then nothing may be quoted.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import train
from numpy.typing import NDArray

from hilo.agent.documents import read_page
from hilo.recognisers.normalise import normalise
from hilo.understanding.acts.recognise import find_acts
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.standard import STANDARD_INTENTS, sentences_of, standard_names
from hilo.understanding.knowledge import words
from hilo.understanding.knowledge.index import KnowledgeIndex, make_index
from hilo.understanding.trained.classifier import Classifier, from_bytes, to_bytes

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "src/hilo/understanding/knowledge/weights.json"
ASKED = ROOT / "bench/knowledge/asked"
BUSINESSES = {
    "turnos": ROOT / "agents/turnos",
    "tienda": ROOT / "examples/tienda",
    "posada": ROOT / "bench/knowledge/businesses/posada",
    "internet": ROOT / "bench/knowledge/businesses/internet",
}
KINDS = {"subjects": ("es", True), "meaning": ("", True), "words": ("es", False)}  # the language; with the encoder
UNSURE = "?"  # in the tables: some questions of this intent are answered and some are not
FEWEST = 8  # messages with a word whose rarity is worth keeping
ALONE = 1.0  # the margin of the only section of a business: it has no rival, which says little
SHARES = {
    "corpus": {"answered": 150, "left out": 60, "other": 300},
    "own": {"answered": 300, "left out": 150, "other": 200},
}

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asked a business: the signs of its sections, and which of them answer it."""

    of: str  # corpus, or own
    text: str
    signs: Array
    unknown: float
    meant: float
    right: NDArray[np.bool_]
    sure: bool = True  # whether nothing else answers it

    def without_right(self) -> "Question":
        """The same asked of pages that do not answer it; what they have in common with it was in those sections."""
        rest = ~self.right
        gone = max(0.0, float(self.signs[:, 3].max() - self.signs[rest, 3].max()))
        unknown = min(1.0, self.unknown + gone)
        return Question(self.of, self.text, self.signs[rest], unknown, self.meant, self.right[rest])


def main() -> None:
    """Train, judge each business by what the others teach, and write the weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--halves", type=Path, help="a folder to keep the classifiers of half of the hands in")
    parser.add_argument("--show", action="store_true", help="print every question of the businesses' own")
    given = parser.parse_args()
    rarity = _rarity()
    known = {stem: round(value, 2) for stem, value in sorted(rarity.known.items())}
    content = {"rarity": {"known": known, "unknown": round(rarity.unknown, 2)}, "weights": {}}
    WEIGHTS.write_text(json.dumps(content, indent=0, ensure_ascii=False), encoding="utf-8")
    words.trained.cache_clear()
    halves = _halves(given.halves)
    for kind, (language, meaning) in KINDS.items():
        asked = {name: list(_questions(name, language, halves, meaning=meaning)) for name in BUSINESSES}
        for name in BUSINESSES:
            others = [each for other, some in asked.items() if other != name for each in some]
            _judge(f"{kind}, {name}", _learnt(others), asked[name], show=given.show and kind == "subjects")
        content["weights"][kind] = _learnt([each for some in asked.values() for each in some])
    WEIGHTS.write_text(f"{json.dumps(content, indent=0, ensure_ascii=False)}\n", encoding="utf-8")


# --- what was asked ---------------------------------------------------------------------------------------


def _rarity() -> words.Rarity:
    """How rare words are in all messages of the corpus; what fewer have than are worth keeping is as rare as can be."""
    rows = train.read_intents(train.CORPUS)
    rarity = words.rarity_in(row.message for row in rows)
    limit = float(np.log((len(rows) + 1) / (FEWEST + 1)))
    return words.Rarity({stem: value for stem, value in rarity.known.items() if value < limit}, limit + 0.5)


def _halves(kept: Path | None) -> dict[str, Classifier]:
    """For each hand a classifier that has not seen its messages."""
    rows = train.read_intents(train.CORPUS)
    hands = sorted({row.hand for row in rows})
    made = []
    for half in range(2):
        file = kept / f"half{half}.npz" if kept else None
        if file and file.is_file():
            made.append(from_bytes(file.read_bytes()))
            continue
        some = [row for row in rows if hands.index(row.hand) % 2 == half]
        classifier = train.train(STANDARD_INTENTS, train.prepare(STANDARD_INTENTS, some))
        made.append(classifier)
        if file:
            file.write_bytes(to_bytes(classifier))
    return {hand: made[1 - place % 2] for place, hand in enumerate(hands)}


def _questions(name: str, language: str, halves: dict[str, Classifier], *, meaning: bool) -> Iterator[Question]:
    folder = BUSINESSES[name]
    sections = [
        section
        for page in sorted(folder.glob("docs/*.md"))
        for section in read_page(page.read_text(encoding="utf-8"), file=str(page), name=page.stem)
    ]
    index = make_index(sections, encoder=load_encoder() if meaning else None, language=language)
    lent = {text for intent in standard_names() for text in sentences_of(intent)}
    answers = _table(ASKED / f"{name}.tsv")
    for row in train.read_intents(train.CORPUS):
        told = answers.get(row.label, [])
        if row.label.startswith("beyond") or told == [UNSURE] or row.message in lent or not _asks(row.message):
            continue
        right = np.array([section.heading in told for section in sections])
        yield _question("corpus", index, row.message, right, halves[row.hand], sure=UNSURE not in told)
    own = folder / "questions.jsonl"
    for line in own.read_text(encoding="utf-8").splitlines() if own.is_file() else ():
        asked = json.loads(line)
        right = np.array([section.source == asked["section"] for section in sections])
        yield _question("own", index, asked["text"], right, halves["primera"], sure=True)


def _question(  # noqa: PLR0913 -- all that is known of it
    of: str, index: KnowledgeIndex, text: str, right: NDArray[np.bool_], classifier: Classifier, *, sure: bool
) -> Question:
    vector = index.encoder.encode([text])[0] if index.encoder else None
    chances = classifier.probabilities(text, vector=vector)
    places = {label: place for place, label in enumerate(classifier.labels)}
    standard = np.array([chances[places[name]] if name in places else 0.0 for name in standard_names()], np.float32)
    return Question(of, text, *index.signs(text, standard), right, sure)


def _table(file: Path) -> dict[str, list[str]]:
    rows = (line.partition("\t") for line in file.read_text(encoding="utf-8").splitlines())
    return {intent: sections.split("|") for intent, _, sections in rows if sections}


def _asks(text: str) -> bool:
    return "?" in text or any(act.kind == "question" for act in find_acts(normalise(text)))


# --- learning ---------------------------------------------------------------------------------------------


def _learnt(asked: Sequence[Question]) -> dict[str, object]:
    """First which section is right, then whether the best one is."""
    rows, truth, shares = [], [], []
    for of in SHARES:
        answered = [each for each in asked if each.of == of and each.right.any()]
        for each in answered:
            rows.append(each.signs)
            truth.append(each.right)
            shares.append(np.where(each.right, 1.0, 2 / len(each.right)) * 400 / len(answered))
    rank = _fit(np.concatenate(rows), np.concatenate(truth), np.concatenate(shares), pull=1.0)[:-1]
    seen, right, weighed = [], [], []
    for of, kinds in SHARES.items():
        for kind, share in kinds.items():
            some = [each for each in asked if each.of == of]
            some = _of_kind(some, kind)
            for each in some:
                evidence, is_right = _best(each, rank)
                seen.append(evidence)
                right.append(is_right)
                weighed.append(share / len(some))
    sure = _fit(np.array(seen), np.array(right), np.array(weighed), pull=3.0)
    return {"rank": rank.round(3).tolist(), "sure": sure.round(3).tolist(), "alone": ALONE}


def _of_kind(asked: Sequence[Question], kind: str) -> list[Question]:
    if kind == "other":
        return [each for each in asked if not each.right.any()]
    answered = [each for each in asked if each.right.any()]
    if kind == "left out":
        return [each.without_right() for each in answered if each.sure]
    return answered


def _best(asked: Question, rank: Array) -> tuple[Array, bool]:
    ranks = asked.signs @ rank
    best = int(ranks.argmax())
    others = np.delete(ranks, best)
    margin = ranks[best] - others.max() if len(others) else ALONE
    return np.array([ranks[best], margin, asked.unknown, asked.meant, *asked.signs[best]]), bool(asked.right[best])


def _fit(rows: Array, truth: NDArray[np.bool_], shares: Array, *, pull: float) -> Array:
    """Logistic regression by Newton's method, drawn towards zero."""
    rows = np.column_stack([rows, np.ones(len(rows))])
    found = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (shares * (chance - truth)) + pull * found
        curve = (rows * (shares * chance * (1 - chance))[:, None]).T @ rows + pull * np.eye(len(found))
        step = np.linalg.solve(curve, slope)
        found = found - step
        if np.abs(step).max() < 1e-7:  # noqa: PLR2004
            break
    return found


def _judge(title: str, learnt: dict[str, object], asked: Sequence[Question], *, show: bool) -> None:
    """Print what would be quoted, and how often wrongly."""
    rank, sure = np.array(learnt["rank"]), np.array(learnt["sure"])

    def chance(question: Question) -> tuple[float, bool]:
        evidence, right = _best(question, rank)
        return float(1 / (1 + np.exp(-(np.append(evidence, 1.0) @ sure)))), right

    for of, kinds in SHARES.items():
        some = [each for each in asked if each.of == of]
        if not some:
            continue
        parts = []
        for limit in (0.5, 0.6, 0.7):
            told = [f"at {limit}"]
            for kind in kinds:
                judged = [chance(each) for each in _of_kind(some, kind)]
                quoted = [right for sure_of, right in judged if sure_of >= limit]
                right, wrong = sum(quoted) / len(judged), (len(quoted) - sum(quoted)) / len(judged)
                told.append(f"{kind} {right:.1%} right {wrong:.1%} wrong")
            parts.append(", ".join(told))
        top = [chance(each)[1] for each in _of_kind(some, "answered")]
        print(f"{title}, {of}: first {sum(top) / len(top):.1%}", *parts, sep="\n    ")
        if show and of == "own":
            for each in sorted(some, key=chance, reverse=True):
                sure_of, is_right = chance(each)
                wrong_mark = "WRONG" if each.right.any() else "-"
                mark = "right" if is_right else wrong_mark
                print(f"        {sure_of:.2f} {mark:5} {each.text}")


if __name__ == "__main__":
    main()
