"""Learn what the signs of `hilo.understanding.knowledge` are worth: `python tools/train_knowledge.py`.

Invented businesses have pages, and questions that customers of different kinds would ask (corpus/pages, and two agents
of this repository). Each answered question is also asked of the pages without the section that answers it: then nothing
may be quoted. Each business is judged by what the others teach; what is written is learnt from all.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import train
from numpy.typing import NDArray

from hilo.agent.documents import Section, read_page
from hilo.understanding.intents.encoder import Encoder, load_encoder
from hilo.understanding.knowledge import words
from hilo.understanding.knowledge.index import KnowledgeIndex, Look, make_index

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "src/hilo/understanding/knowledge/weights.json"
PAGES = ROOT / "corpus/pages"
FOLDERS = {"turnos": ROOT / "agents/turnos", "tienda": ROOT / "examples/tienda"}
KINDS = {"subjects": ("es", True), "meaning": ("", True), "words": ("es", False)}  # the language; with the encoder
FEWEST = 8  # messages with a word whose rarity is worth keeping
# What a question of each kind counts; "few" are asked of some sections alone, as where a business has one short page.
SHARES = {"answered": 1.0, "other": 1.5, "left out": 0.5, "answered by few": 0.5, "left out of few": 0.5}
SHARES |= {"aside": 0.5}
SHARES |= {"answered with questions": 0.5, "other with questions": 0.75, "left out with questions": 0.25}
SHARES_WITH_QUESTIONS = {kind: f"{kind} with questions" for kind in ("answered", "other", "left out")}
FEW = 3
ASIDES = ("ask_human", "chitchat", "greet", "negative", "unclear")  # acts; each business hears a part of them
ASIDES_APART = 15
RANK_PULL, SURE_PULL = 0.003, 5.0

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asked a business, and which of its sections answer it."""

    text: str
    kind: str
    index: KnowledgeIndex
    look: Look
    right: NDArray[np.bool_]


def main() -> None:
    """Train, judge each business by what the others teach, and write the weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--show", action="store_true", help="print every question and what becomes of it")
    given = parser.parse_args()
    rarity = _rarity()
    known = {stem: round(value, 2) for stem, value in sorted(rarity.known.items())}
    content = {"rarity": {"known": known, "unknown": round(rarity.unknown, 2)}, "weights": {}}
    WEIGHTS.write_text(json.dumps(content, indent=0, ensure_ascii=False), encoding="utf-8")
    words.trained.cache_clear()
    businesses = dict(_businesses())
    for kind, (language, meaning) in KINDS.items():
        asked = {name: list(_of(*each, language, meaning=meaning)) for name, each in businesses.items()}
        judged = []
        for name, some in asked.items():
            others = [each for other, its in asked.items() if other != name for each in its]
            learnt = _learnt(others)
            judged += [(name, each, *_chance(each, learnt)) for each in some]
        _tell(kind, judged, show=given.show and kind == "subjects")
        content["weights"][kind] = _learnt([each for some in asked.values() for each in some])
    WEIGHTS.write_text(f"{json.dumps(content, indent=0, ensure_ascii=False)}\n", encoding="utf-8")


# --- what was asked ---------------------------------------------------------------------------------------


def _rarity() -> words.Rarity:
    """How rare words are in all messages of the corpus; what fewer have than are worth keeping is as rare as can be."""
    rows = train.read_intents(train.CORPUS)
    rarity = words.rarity_in(row.message for row in rows)
    limit = float(np.log((len(rows) + 1) / (FEWEST + 1)))
    return words.Rarity({stem: value for stem, value in rarity.known.items() if value < limit}, limit + 0.5)


def _businesses() -> Iterator[tuple[str, tuple[list[Section], list[tuple[str, str]]]]]:
    """The sections of each business, and what it is asked with the source of what answers, or ""."""
    for file in sorted(PAGES.glob("*.md")):
        yield file.stem, _read(file)
    for name, folder in FOLDERS.items():
        pages = sorted(folder.glob("docs/*.md"))
        sections = [one for page in pages for one in read_page(page.read_text("utf-8"), file=str(page), name=page.stem)]
        rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
        yield name, (sections, [(row["text"], row["section"] or "") for row in rows])


def _read(file: Path) -> tuple[list[Section], list[tuple[str, str]]]:
    """A file of corpus/pages: questions stand below what answers them, after "? "; below "## ?" those of no section."""
    sections, asked, page, source = list[Section](), list[tuple[str, str]](), "", ""
    for part in re.split(r"(?m)^(?=#{1,2} )", file.read_text("utf-8")):
        lines = part.splitlines()
        heading = lines[0] if lines else ""
        if heading.startswith("# "):
            page = heading[2:]
            continue
        if not heading.startswith("## "):
            continue
        source = "" if heading == "## ?" else f"{page} › {heading[3:]}"
        asked += [(line[2:], source) for line in lines if line.startswith("? ")]
        if source:
            text = "\n".join(line for line in lines if not line.startswith("? "))
            sections += read_page(f"# {page}\n{text}", file=str(file), name=page)
    return sections, asked


def _of(
    sections: Sequence[Section], asked: Sequence[tuple[str, str]], language: str, *, meaning: bool
) -> Iterator[Question]:
    """What a business is asked: of its pages alone, and with half of the questions standing in all or some of them."""
    yield from _asked(sections, asked, language, meaning=meaning)
    for half, share in ((0, 1), (1, 1), (0, 2), (1, 2)):
        known, rest = asked[half::2], asked[1 - half :: 2]
        written = [_with_asked(each, known) if place % share == 0 else each for place, each in enumerate(sections)]
        for question in _asked(written, rest, language, meaning=meaning):
            if question.kind in SHARES_WITH_QUESTIONS:
                yield replace(question, kind=SHARES_WITH_QUESTIONS[question.kind])


def _with_asked(section: Section, known: Sequence[tuple[str, str]]) -> Section:
    return replace(section, asked=tuple(text for text, source in known if source == section.source))


def _asked(
    sections: Sequence[Section], asked: Sequence[tuple[str, str]], language: str, *, meaning: bool
) -> Iterator[Question]:
    encoder = load_encoder() if meaning else None
    whole = make_index(sections, encoder=encoder, language=language)
    without: dict[str, KnowledgeIndex] = {}
    for text, source in asked:
        right = np.array([each.source == source for each in sections])
        if source and not right.any():
            raise SystemExit(f"there is no section {source!r}, which should answer {text!r}")
        yield Question(text, "answered" if source else "other", whole, _look(whole, text), right)
        if not source:
            continue
        if source not in without:
            rest = [each for each in sections if each.source != source]
            without[source] = make_index(rest, encoder=encoder, language=language)
        left = without[source]
        yield Question(text, "left out", left, _look(left, text), np.zeros(len(left.sections), bool))
    yield from _asked_of_few(sections, asked, language, encoder)
    for text in _asides()[len(asked) % ASIDES_APART :: ASIDES_APART]:
        yield Question(text, "aside", whole, _look(whole, text), np.zeros(len(sections), bool))


@cache
def _asides() -> list[str]:
    """What is put as a question and asks nothing that a page could answer: "¿sigue ahí?", "¿en serio?"."""
    files = sorted(train.CORPUS.glob("hands/*/acts.tsv"))
    rows = [line.split("\t") for file in files for line in file.read_text("utf-8").splitlines()]
    return list(dict.fromkeys(text for act, _, text in rows if act in ASIDES and "?" in text))


def _asked_of_few(
    sections: Sequence[Section], asked: Sequence[tuple[str, str]], language: str, encoder: Encoder | None
) -> Iterator[Question]:
    """Each question once more, of the few sections among which its answer is, and of as many others."""
    parts = [sections[start : start + FEW] for start in range(0, len(sections) - FEW + 1, FEW)]
    indexes = [make_index(part, encoder=encoder, language=language) for part in parts]
    rights = [[each.source for each in part] for part in parts]
    for number, (text, source) in enumerate(asked):
        at = next((place for place, sources in enumerate(rights) if source in sources), -1)
        if at >= 0:
            right = np.array([each == source for each in rights[at]])
            yield Question(text, "answered by few", indexes[at], _look(indexes[at], text), right)
        other = indexes[(at + 1 + number % (len(parts) - 1)) % len(parts)]
        yield Question(text, "left out of few", other, _look(other, text), np.zeros(len(other.sections), bool))


def _look(index: KnowledgeIndex, text: str) -> Look:
    return index.look(index.rarity.saying(text), text)


# --- learning ---------------------------------------------------------------------------------------------


def _learnt(asked: Sequence[Question]) -> dict[str, list[float]]:
    """First which section is right, then whether the best one is."""
    answered = [each for each in asked if each.kind in ("answered", "answered with questions")]
    rank = _fit_ranks([each.look.signs for each in answered], [each.right for each in answered])
    seen, truth = zip(*(_best(each, rank) for each in asked), strict=True)
    shares = np.array([SHARES[each.kind] for each in asked])
    sure = _fit_chance(np.array(seen), np.array(truth), shares)
    return {"rank": rank.round(3).tolist(), "sure": sure.round(3).tolist()}


def _best(asked: Question, rank: Array) -> tuple[Array, bool]:
    ranks = asked.look.signs @ rank
    best = int(ranks.argmax())
    return asked.index.evidence(asked.look, ranks, best), bool(asked.right[best])


def _fit_ranks(signs: Sequence[Array], right: Sequence[NDArray[np.bool_]]) -> Array:
    """Weights by which the right section of each question is the likeliest of its business, by Newton's method."""
    rows, begins = np.concatenate(signs), np.cumsum([0, *map(len, signs)])[:-1]
    of = np.repeat(np.arange(len(signs)), list(map(len, signs)))
    wanted = np.concatenate([each / each.sum() for each in right])
    found = np.zeros(rows.shape[1])
    for _ in range(60):
        ranks = rows @ found
        raised = np.exp(ranks - np.maximum.reduceat(ranks, begins)[of])
        chance = raised / np.add.reduceat(raised, begins)[of]
        weighed = rows * chance[:, None]
        means = np.add.reduceat(weighed, begins, axis=0)
        slope = rows.T @ (chance - wanted) / len(signs) + RANK_PULL * found
        curve = (weighed.T @ rows - means.T @ means) / len(signs) + RANK_PULL * np.eye(len(found))
        step = np.linalg.solve(curve, slope)
        found = found - step * min(1.0, 5.0 / np.abs(step).max())
        if np.abs(step).max() < 1e-7:  # noqa: PLR2004
            break
    return found


def _fit_chance(rows: Array, truth: NDArray[np.bool_], shares: Array) -> Array:
    """Logistic regression by Newton's method, drawn towards zero; signs count alike, however much they vary."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    rows = np.column_stack([(rows - middle) / spread, np.ones(len(rows))])
    found = np.zeros(rows.shape[1])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (shares * (chance - truth)) + SURE_PULL * found
        curve = (rows * (shares * chance * (1 - chance))[:, None]).T @ rows + SURE_PULL * np.eye(len(found))
        step = np.linalg.solve(curve, slope)
        found = found - step
        if np.abs(step).max() < 1e-7:  # noqa: PLR2004
            break
    weights = found[:-1] / spread
    return np.append(weights, found[-1] - weights @ middle)


# --- telling ----------------------------------------------------------------------------------------------


def _chance(asked: Question, learnt: Mapping[str, Sequence[float]]) -> tuple[float, bool]:
    seen, right = _best(asked, np.array(learnt["rank"]))
    return float(1 / (1 + np.exp(-(np.append(seen, 1.0) @ np.array(learnt["sure"]))))), right


def _tell(title: str, judged: Sequence[tuple[str, Question, float, bool]], *, show: bool) -> None:
    """Print what would be quoted, and how often wrongly."""
    for kind in ("answered", "answered with questions"):
        found = [is_right for _, each, _, is_right in judged if each.kind == kind]
        print(f"{title}, {kind}: nearest is right {np.mean(found):.1%}")
    for limit in (0.5, 0.6, 0.7):
        told = [f"    at {limit}"]
        for kind in SHARES:
            some = [(sure >= limit, right) for _, each, sure, right in judged if each.kind == kind]
            right = np.mean([quoted and is_right for quoted, is_right in some])
            wrong = np.mean([quoted and not is_right for quoted, is_right in some])
            told.append(f"{kind} {right:.1%} right {wrong:.1%} wrong")
        print(*told, sep=", ")
    for name, each, sure, is_right in sorted(judged, key=lambda one: -one[2]) if show else ():
        mark = "right" if is_right else "WRONG" if each.right.any() else "-"
        print(f"    {sure:.2f} {mark:5} {name}, {each.kind}: {each.text}")


if __name__ == "__main__":
    main()
