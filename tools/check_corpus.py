"""Checks the corpus: form, doubles, near-doubles, leaks from measuring sets, second labels, counts.

    python tools/check_corpus.py --measuring FOLDER

A folder that understanding is measured on holds *.jsonl (lines with "text") and *.yaml (what stands under `examples`,
`say` or `user`). Exits with 1 where a line is malformed, stands twice, or stands in a measuring folder too.
"""

import argparse
import json
import math
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import yaml
from order_corpus import ALL, LAST, OPERATIONS, read_marked
from value_corpus import mismarked, read_value_marks

from hilo.slots import TYPES

CORPUS = Path(__file__).parents[1] / "corpus"
ACTS = frozenset(
    "affirm deny correct cancel ask_human negative greet thanks chitchat info_question order provide unclear".split()  # noqa: SIM905
)
WAITING = frozenset({"none", "confirm", "slot", "any", *(f"slot:{name}" for name in TYPES)})
NONE_OF_THESE = "none_of_these"
BEYOND = re.compile(r"beyond\.[a-z]+(?:_[a-z]+)*")  # an intent of some business that is not among the standard ones
INTENT = re.compile(r"[a-z]+(?:_[a-z]+)*")
NEXT_ACT = "¦"
FIELDS = {"acts.tsv": 3, "intents.tsv": 2, "orders.tsv": 2, "values.tsv": 2}
SHOPS = "shops.yaml"

ALIKE = 0.85  # of their trigrams are shared
FEWEST_WORDS = 3  # shorter messages are everybody's
FEWEST_OF_AN_INTENT = 50
WORST_PAIRS = 8
STOPS = ("form", "double", "leak")  # what makes the check fail; the rest is to be read

_REPEATED = re.compile(r"([^\d ])\1+")


@dataclass(frozen=True)
class Line:
    """A message of a hand with its label; `waiting` is empty for intents."""

    file: str
    number: int
    label: str
    waiting: str
    message: str
    folded: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.number}"

    @property
    def labelled(self) -> str:
        return f"{self.label} at {self.waiting}" if self.waiting else self.label


@dataclass(frozen=True)
class Finding:
    kind: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.kind}: {self.what}"


# --- reading, and the form of lines -----------------------------------------------------------------------


def fold(message: str) -> str:
    """The message without case, accents, punctuation and repeated letters; emoji stay."""
    spread = unicodedata.normalize("NFKD", message.casefold().replace(NEXT_ACT, " "))
    kept = "".join(_folded(character) for character in spread)
    return _REPEATED.sub(r"\1", " ".join(kept.split())) or message


def _folded(character: str) -> str:
    category = unicodedata.category(character)
    if character.isalnum() or category == "So":
        return character
    return "" if category in {"Mn", "Cf", "Sk"} else " "


def rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line with its number; only a line feed ends a line."""
    for number, line in enumerate(file.read_text("utf-8").removesuffix("\n").split("\n"), 1):
        yield number, line.split("\t")


def read_intents(corpus: Path) -> tuple[list[str], list[Finding]]:
    """The names of the standard intents."""
    file = corpus / "standard_intents.tsv"
    names: list[str] = []
    findings = []
    for number, fields in rows(file):
        wrong = _malformed(fields, 2)
        if not wrong and not INTENT.fullmatch(fields[0]):
            wrong = f"{fields[0]} is no name of an intent"
        if not wrong and fields[0] in {*names, NONE_OF_THESE}:
            wrong = f"{fields[0]} stands for something already"
        if wrong:
            findings.append(Finding("form", f"{file.name}:{number}", wrong))
        else:
            names.append(fields[0])
    return names, findings


def read_hands(corpus: Path, intents: Iterable[str]) -> tuple[list[Line], list[Finding]]:
    """All well-formed lines of all hands, and what is wrong with the others."""
    known = frozenset({*intents, NONE_OF_THESE})
    lines, findings = [], []
    for file in sorted(corpus.glob("hands/*/*")):
        name = file.relative_to(corpus).as_posix()
        if file.name == SHOPS:
            continue
        if file.name not in FIELDS:
            findings.append(Finding("form", name, f"a hand has {', '.join(FIELDS)} and {SHOPS}, nothing else"))
            continue
        if file.name == "orders.tsv":
            sold = _sold(file.parent / SHOPS)
            for number, fields in rows(file):
                wrong = _malformed(fields, FIELDS[file.name]) or _mismarked(fields, sold)
                message = read_marked(fields[-1])[0]
                if wrong:
                    findings.append(Finding("form", f"{name}:{number}", wrong))
                else:
                    lines.append(Line(name, number, "order", "order", message, fold(message)))
            continue
        if file.name == "values.tsv":
            for number, fields in rows(file):
                wrong = _malformed(fields, FIELDS[file.name]) or _misvalued(fields)
                message = read_value_marks(fields[-1])[0]
                if wrong:
                    findings.append(Finding("form", f"{name}:{number}", wrong))
                else:
                    lines.append(Line(name, number, "values", f"values at {fields[0]}", message, fold(message)))
            continue
        for number, fields in rows(file):
            wrong = _malformed(fields, FIELDS[file.name]) or _mislabelled(fields, known)
            if wrong:
                findings.append(Finding("form", f"{name}:{number}", wrong))
                continue
            waiting = fields[1] if file.name == "acts.tsv" else ""
            lines.append(Line(name, number, fields[0], waiting, fields[-1], fold(fields[-1])))
    return lines, findings


def _malformed(fields: Sequence[str], expected: int) -> str:
    if len(fields) != expected:
        return f"{len(fields) - 1} tabs instead of {expected - 1}"
    if not all(fields):
        return "an empty field"
    if any(field != field.strip() for field in fields):
        return "blanks around a field"
    if any(unicodedata.normalize("NFC", field) != field for field in fields):
        return "letters that are not in Unicode's form NFC"
    return ""


def _sold(shops: Path) -> dict[str, frozenset[str]]:
    """What each shop of a hand sells, by name and by category."""
    listed = yaml.safe_load(shops.read_text("utf-8")) if shops.is_file() else {}
    return {
        shop: frozenset(str(each[key]) for each in goods for key in ("name", "category") if key in each)
        for shop, goods in listed.items()
    }


def _mismarked(fields: Sequence[str], sold: Mapping[str, frozenset[str]]) -> str:
    """What is wrong with an order: its shop, or one of its marks."""
    shop, marked = fields
    if shop not in sold:
        return f"no shop is called {shop}"
    message, marks = read_marked(marked)
    if not {"{", "}", "|"}.isdisjoint(message):
        return "a mark that is not {words|operation|quantity|product|size}"
    for mark in marks:
        if mark.operation not in OPERATIONS:
            return f"no operation is called {mark.operation}"
        if mark.product not in {LAST, ALL, *sold[shop]} and not mark.product.startswith("?"):
            return f"{shop} does not sell {mark.product}"
    return ""


def _misvalued(fields: Sequence[str]) -> str:
    """What is wrong with a message whose values are marked."""
    waiting, marked = fields
    return mismarked(marked) if waiting in WAITING else f"nothing waits for {waiting}"


def _mislabelled(fields: Sequence[str], intents: frozenset[str]) -> str:
    label, message = fields[0], fields[-1]
    if len(fields) == FIELDS["intents.tsv"]:
        if label not in intents and not (BEYOND.fullmatch(label) and label.removeprefix("beyond.") not in intents):
            return f"no intent is called {label}"
        return f"{NEXT_ACT} in a message with an intent" if NEXT_ACT in message else ""
    acts = label.split("+")
    if unknown := [act for act in acts if act not in ACTS]:
        return f"no act is called {unknown[0]}"
    if any(act == following for act, following in pairwise(acts)):
        return f"{label} names an act twice in a row"
    if fields[1] not in WAITING:
        return f"nothing waits for {fields[1]}"
    parts = message.split(NEXT_ACT)
    if len(parts) != len(acts):
        return f"{len(parts) - 1} {NEXT_ACT} in a message with {len(acts)} acts"
    return "" if all(part.strip() for part in parts) else f"an act without words beside {NEXT_ACT}"


# --- doubles ----------------------------------------------------------------------------------------------


def doubles(lines: Iterable[Line]) -> Iterator[Finding]:
    """The same message twice in a hand while the same waits, or with another label in any hand."""
    same = defaultdict(list)
    for line in lines:
        same[line.label == "values", bool(line.waiting), line.folded].append(line)
    for found in same.values():
        for first, second in combinations(found, 2):
            twice = first.file == second.file and first.waiting == second.waiting
            if twice or (first.label != second.label and _meet(first, second) and _tone(first) == _tone(second)):
                yield Finding("double", second.place, f"“{second.message}” ({second.labelled}) is in {_shown(first)}")


def _shown(line: Line) -> str:
    return f"{line.place} as “{line.message}” ({line.labelled})"


def _meet(first: Line, second: Line) -> bool:
    """Whether what the agent waits for may be the same for both."""
    one, other = sorted((first.waiting, second.waiting))
    return one == other or "any" in {one, other} or (one == "slot" and other.startswith("slot:"))


def _tone(line: Line) -> str:
    """What punctuation changes of an act: “listo?” asks, “bueno…” hesitates; it changes no intent."""
    if "?" in line.message and line.waiting:
        return "asks"
    return "hesitates" if line.message.endswith(("…", "..")) and line.waiting else ""


# --- messages that are nearly the same --------------------------------------------------------------------


class Neighbours:
    """Finds texts that share most of their trigrams: each is filed under its rarest ones, as few as will do."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._grams = [_trigrams(text) for text in texts]
        self._often = Counter(gram for grams in self._grams for gram in grams)
        self._filed: dict[str, list[int]] = defaultdict(list)
        for place, grams in enumerate(self._grams):
            for gram in self._rarest(grams):
                self._filed[gram].append(place)

    def of(self, text: str) -> Iterator[tuple[int, float]]:
        """The places of the texts that are alike, with the share of trigrams in common (Jaccard)."""
        mine = _trigrams(text)
        fewest, most = ALIKE * len(mine), len(mine) / ALIKE
        for place in sorted({place for gram in self._rarest(mine) for place in self._filed.get(gram, ())}):
            theirs = self._grams[place]
            if fewest <= len(theirs) <= most:
                shared = len(mine & theirs)
                share = shared / (len(mine) + len(theirs) - shared)
                if share >= ALIKE:
                    yield place, share

    def _rarest(self, grams: frozenset[str]) -> list[str]:
        """So many that two texts without any of them in common cannot be alike."""
        enough = len(grams) - math.ceil(ALIKE * len(grams)) + 1
        return sorted(grams, key=lambda gram: (self._often[gram], gram))[:enough]


def _trigrams(folded: str) -> frozenset[str]:
    padded = f" {folded} "
    return frozenset(padded[start : start + 3] for start in range(len(padded) - 2))


def near_doubles(lines: Iterable[Line]) -> Iterator[Finding]:
    """Messages that are nearly the same and have different labels, where the same may wait."""
    for kind in (True, False):
        some = [line for line in lines if bool(line.waiting) == kind]
        neighbours = Neighbours(line.folded for line in some)
        for place, line in enumerate(some):
            for other_place, share in neighbours.of(line.folded):
                other = some[other_place]
                if other_place < place and other.folded != line.folded and other.label != line.label:
                    if not _meet(line, other):
                        continue
                    what = f"“{line.message}” ({line.labelled}) is {share:.2f} like {_shown(other)}"
                    yield Finding("near-double", line.place, what)


def leaks(lines: Iterable[Line], measured: Mapping[str, str]) -> Iterator[Finding]:
    """Messages that are also, or nearly, in a measuring folder; `measured` says where each of its texts stands."""
    long = {text: place for text, place in measured.items() if _long_enough(fold(text))}
    texts = list(long)
    neighbours = Neighbours(fold(text) for text in texts)
    for line in lines:
        if _long_enough(line.folded):
            for place, share in neighbours.of(line.folded):
                text = texts[place]
                yield Finding("leak", line.place, f"“{line.message}” is {share:.2f} like “{text}” in {long[text]}")


def _long_enough(folded: str) -> bool:
    return len(folded.split()) >= FEWEST_WORDS


def read_measured(folders: Iterable[Path]) -> dict[str, str]:
    """Every text of the measuring folders, with the file that it stands in."""
    measured: dict[str, str] = {}
    for folder in folders:
        for file in sorted(folder.glob("*.jsonl")):
            for line in file.read_text("utf-8").splitlines():
                if line.strip() and isinstance(text := json.loads(line).get("text"), str):
                    measured.setdefault(text, f"{folder.name}/{file.name}")
        for file in sorted(folder.glob("*.yaml")):
            for text in _said(yaml.safe_load(file.read_text("utf-8"))):
                measured.setdefault(text, f"{folder.name}/{file.name}")
    return measured


def _said(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for each in node:
            yield from _said(each)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in {"examples", "say", "user"}:
                yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str))
            yield from _said(value)


# --- labels by a second hand ------------------------------------------------------------------------------


def second_labels(corpus: Path, lines: Iterable[Line]) -> tuple[dict[str, list[tuple[str, str]]], list[Finding]]:
    """The label and the second label of each line that has one, by the name of the file; none if there is no file."""
    file = corpus / "second_labels.tsv"
    by_text = defaultdict(list)
    for line in lines:
        by_text[line.file, line.message].append(line)
        by_text[line.file, f"{line.waiting}\t{line.message}"].append(line)
    pairs = defaultdict(list)
    findings = []
    for number, fields in rows(file) if file.exists() else ():
        name, text, label = fields[0], "\t".join(fields[1:-1]), fields[-1]
        labels = {_family(line.label) for line in by_text[name, text]}
        if len(labels) == 1:
            pairs[Path(name).name].append((labels.pop(), _family(label)))
        else:
            wrong = "fits lines with different labels, put what waits before it" if labels else "is in no line of it"
            findings.append(Finding("form", f"{file.name}:{number}", f"“{text}” of {name} {wrong}"))
    return pairs, findings


def _family(label: str) -> str:
    """Intents beyond the standard ones are one label to a second hand, who has no list of them."""
    return "beyond" if label.startswith("beyond.") else label


def kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Cohen's kappa: agreement beyond what the frequency of labels would bring about."""
    by_first, by_second = Counter(first for first, _ in pairs), Counter(second for _, second in pairs)
    chance = sum(by_first[label] * by_second[label] for label in by_first) / len(pairs) ** 2
    agreed = sum(first == second for first, second in pairs) / len(pairs)
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


# --- the report -------------------------------------------------------------------------------------------


def counts(lines: Sequence[Line], intents: Sequence[str]) -> Iterator[str]:
    """How much there is of everything."""
    acts = [line for line in lines if line.waiting]
    of_intents = Counter(line.label for line in lines if not line.waiting)
    hands = sorted({Path(line.file).parent.name for line in lines})
    beyond = {label for label in of_intents if label.startswith("beyond.")}
    yield f"{len(lines)} messages by {len(hands)} hands ({', '.join(hands)}): {of_intents.total()} with an intent, "
    yield f"{len(acts)} with an act.\n"
    yield f"{len(intents)} standard intents, {len(beyond)} beyond them; {of_intents[NONE_OF_THESE]} messages are none "
    yield "of these.\n"
    few = [f"{name} {of_intents[name]}" for name in intents if of_intents[name] < FEWEST_OF_AN_INTENT]
    yield f"Standard intents with fewer than {FEWEST_OF_AN_INTENT} messages: {', '.join(few) or 'none'}.\n"
    for some, of_some in (("Acts", acts), ("A+B", [line for line in acts if "+" in line.label])):
        yield f"{some} by what waits: {_listed(line.waiting.partition(':')[0] for line in of_some)}.\n"
    yield f"Acts, those within A+B too: {_listed(act for line in acts for act in line.label.split('+'))}.\n"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {many}" for name, many in Counter(names).most_common())


def agreement(pairs: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[str]:
    """How far a second hand agrees, and where it agrees least."""
    for name, some in sorted(pairs.items()):
        agreed = sum(first == second for first, second in some)
        yield f"A second hand agrees on {agreed} of {len(some)} lines of {name}; kappa {kappa(some):.2f}.\n"
        worst = Counter((first, second) for first, second in some if first != second)
        for (first, second), many in worst.most_common(WORST_PAIRS):
            yield f"  {many} × {first}, to the second hand {second}\n"


def check(corpus: Path, measured: Mapping[str, str]) -> tuple[list[Finding], list[str]]:
    """All findings, and the report about the rest."""
    intents, findings = read_intents(corpus)
    lines, malformed = read_hands(corpus, intents)
    pairs, misplaced = second_labels(corpus, lines)
    findings += [*malformed, *misplaced, *doubles(lines), *near_doubles(lines), *leaks(lines, measured)]
    return findings, [*counts(lines, intents), *agreement(pairs)]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check the corpus.")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="where it lies")
    parser.add_argument("--measuring", type=Path, action="append", default=[], metavar="FOLDER", help="may be repeated")
    options = parser.parse_args(arguments)
    measured = read_measured(options.measuring)
    if options.measuring and not measured:
        parser.error("there are no texts in the measuring folders")
    findings, report = check(options.corpus, measured)
    found = Counter(finding.kind for finding in findings)
    kinds = (*STOPS, "near-double")
    sys.stdout.write("".join(f"{finding}\n" for finding in findings))
    sys.stdout.write("".join(report))
    sys.stdout.write(f"Findings: {', '.join(f'{kind} {found[kind]}' for kind in kinds)}.\n")
    if not options.measuring:
        sys.stdout.write("Leaks were not looked for: name the folders that understanding is measured on.\n")
    return int(any(found[kind] for kind in STOPS))


if __name__ == "__main__":
    sys.exit(main())
