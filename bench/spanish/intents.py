"""intents.jsonl: what Hilo reads in each message, with the intents of train.yaml.

Two readings are scored:
  model   the intent model of the agent alone; the surest clause counts
  path    what a turn acts on: an act that is the whole message (yes, no, greeting, thanks, bye, person, cancel, repeat,
          correct), very bad sentiment as a complaint, order lines in a shop, otherwise the model
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from bench.spanish import orders
from bench.spanish.agents import Document, Workshop, answering, hear, language_of
from bench.spanish.domains import Domain
from bench.spanish.folder import CROSS, MessageFolder, Row
from bench.spanish.results import Goal, SetResult, Unordered
from bench.spanish.words import percent, table

from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.standard import suggested_for
from hilo.understanding.orders.lines import find_order_lines
from hilo.understanding.orders.spots import Shelf
from hilo.understanding.reading import Reading

# How the agent document is made from the intents of a domain and their examples; see `from_examples`.
Writer = Callable[[MessageFolder, Domain, Mapping[str, Sequence[str]]], Document]

WAYS = ("model", "path")
# By the kind of an act that is the whole message, the intent it stands for; the first that fits counts.
INTENT_OF_ACT = {
    "greet": "greet",
    "thanks": "thanks",
    "bye": "goodbye",
    "affirm": "affirm",
    "deny": "deny",
    "human": "ask_human",
    "cancel": "cancel",
    "repeat": "repeat",
    "correct": "correct",
}
# Beside a shop's own: a message of these may change a cart, so that an order heard in it is not false.
MAY_ORDER = frozenset({"cancel", "correct"})

LIKE = " with like:"  # how the second scoring is called
ANGRY = -0.6
SURE, ACTED_ON, IN_DOUBT = 85, 60, 40  # the bands; below `ACTED_ON` the agent abstains


@dataclass(frozen=True)
class Guess:
    """An intent, or "", and how sure it is (0-100)."""

    intent: str
    confidence: int


@dataclass(frozen=True)
class Scored:
    """A message and what was read in it, either way."""

    row: Row
    guesses: Mapping[str, Guess]

    @property
    def is_inside(self) -> bool:
        """Whether the agent covers what is asked."""
        return not self.row["oos"]

    def is_right(self, way: str) -> bool:
        return self.is_inside and self.guesses[way].intent in {self.row["intent"], *self.row["alt"]}

    def confidence(self, way: str) -> int:
        return self.guesses[way].confidence


def from_examples(folder: MessageFolder, domain: Domain, examples: Mapping[str, Sequence[str]]) -> Document:
    """An agent that knows its intents by the examples of train.yaml alone."""
    return {
        "agent": domain.name,
        "language": language_of(domain.country),
        "country": domain.country,
        "timezone": folder.zone,
        "intents": answering(examples),
    }


def with_like(folder: MessageFolder, domain: Domain, examples: Mapping[str, Sequence[str]]) -> Document:
    """The same agent once its author has taken every word that `hilo check` suggests."""
    document = from_examples(folder, domain, examples)
    for name, standard in suggested_for(examples, encoder=load_encoder()).items():
        document["intents"][name]["like"] = standard
    return document


async def run(workshop: Workshop) -> SetResult:
    """Score the agents that know their intents by examples, and again with the suggested `like:`."""
    scored, costs = score(workshop, from_examples, "intents")
    again, _ = score(workshop, with_like, "intents_like")
    details = [_details(scored, way) for way in WAYS] + [_details(again, way, LIKE) for way in WAYS]
    return SetResult(
        name="intents",
        goals=[*_goals(scored), *_goals(again, LIKE)],
        details="\n\n".join(details),
        errors=[_error(each) for each in scored if _is_error(each)],
        costs=costs,
        unordered=await _unordered(workshop),
    )


def score(workshop: Workshop, writer: Writer, name: str) -> tuple[list[Scored], list[float]]:
    """Read every message with the agent of its domain, as a writer makes it."""
    folder, scored, costs = workshop.folder, [], []
    write = cache(lambda each: writer(folder, workshop.domains[each], folder.candidates(each)))
    for row in workshop.rows("intents"):
        domain = workshop.domains[row["domain"]]
        candidates = folder.candidates(domain.name)
        agent = workshop.load(f"{name}_{domain.name}", write(domain.name))
        started = time.thread_time()
        reading = workshop.read(agent, row["text"])
        costs.append((time.thread_time() - started) * 1000)
        guesses = {"model": by_model(reading), "path": by_path(reading, domain, candidates, _shelf(workshop, domain))}
        scored.append(Scored(row, guesses))
    return scored, costs


def by_model(reading: Reading) -> Guess:
    if not reading.parts:
        return Guess("", 0)
    best = reading.parts[0].ranked
    return Guess(best.intent or "", best.confidence)


def _shelf(workshop: Workshop, domain: Domain) -> Shelf | None:
    """What a shop sells, as its agent that takes orders knows it."""
    return orders.agent_of(workshop, domain.name).turn.understander.shelf if domain.cart else None


def by_path(
    reading: Reading, domain: Domain, candidates: Mapping[str, Sequence[str]], shelf: Shelf | None = None
) -> Guess:
    for kind, intent in INTENT_OF_ACT.items():
        found = [act for act in reading.acts if act.kind == kind and act.whole]
        if found and intent in candidates:
            return Guess(intent, max(found[0].confidence, 0))
    if reading.has("human") and "ask_human" in candidates:
        return Guess("ask_human", SURE)
    if reading.sentiment.score < ANGRY and "complaint" in candidates:
        return Guess("complaint", SURE)
    return _by_lines(reading, domain, shelf) or by_model(reading)


def _by_lines(reading: Reading, domain: Domain, shelf: Shelf | None) -> Guess | None:
    """What order lines say of a cart, unless the model is sure of something else."""
    if domain.cart is None:
        return None
    found = find_order_lines(reading.text, country=domain.country, shelf=shelf)
    lines = [each for each in found if each.confidence >= ACTED_ON]
    actions = {each.action for each in lines}
    if actions == {"add"}:
        intent = domain.cart.add
    elif actions == {"remove"}:
        intent = domain.cart.remove
    else:
        intent = domain.cart.modify
    model = by_model(reading)
    if not lines or not intent or (model.confidence >= SURE and model.intent not in domain.cart.by_lines):
        return None
    return Guess(intent, min(each.confidence for each in lines))


async def _unordered(workshop: Workshop) -> list[Unordered]:
    """The messages to a shop that order nothing, each in a turn with an agent that takes orders."""
    found = []
    for row in workshop.folder.rows("intents"):
        cart = workshop.domains[row["domain"]].cart
        if cart is None or {row["intent"], *row["alt"]} & (cart.all | MAY_ORDER):
            continue
        agent = orders.agent_of(workshop, row["domain"])
        heard = await hear(workshop.conversation(agent), row["text"])
        found.append(Unordered(row, heard.calls))
    return found


# --- what is printed ------------------------------------------------------------------------------------


def _goals(scored: Sequence[Scored], how: str = "") -> list[Goal]:
    inside = [each for each in scored if each.is_inside]
    right = sum(each.is_right("path") for each in inside)
    goals = [Goal(f"intents{how}, whole path %", percent(right, len(inside)), "82, then 87", str(len(inside)))]
    for way, called in (("path", "whole path"), ("model", "model alone")):
        band = _band(scored, way, SURE)
        goals += [
            Goal(f"band >= {SURE}{how}, {called}: precision", band.precision, ">= .95", str(band.size)),
            Goal(f"band >= {SURE}{how}, {called}: coverage %", band.coverage, "45, then 60", str(len(inside))),
            Goal(
                f"band >= {SURE}{how}, {called}: out of scope let through %",
                band.let_through,
                "<= 2",
                str(len(scored) - len(inside)),
            ),
        ]
    return goals


@dataclass(frozen=True)
class Band:
    """The messages that are at least so sure."""

    size: int
    precision: str
    precision_inside: str
    coverage: str
    let_through: str


def _band(scored: Sequence[Scored], way: str, least: int) -> Band:
    sure = [each for each in scored if each.confidence(way) >= least]
    inside = [each for each in sure if each.is_inside]
    right = sum(each.is_right(way) for each in sure)
    all_inside = sum(each.is_inside for each in scored)
    return Band(
        size=len(sure),
        precision=_ratio(right, len(sure)),
        precision_inside=_ratio(right, len(inside)),
        coverage=percent(len(inside), all_inside),
        let_through=percent(len(sure) - len(inside), len(scored) - all_inside),
    )


def _ratio(some: int, of: int) -> str:
    return f"{some / of:.3f}" if of else "–"


def _details(scored: Sequence[Scored], way: str, how: str = "") -> str:
    domains = dict.fromkeys([CROSS, *(each.row["domain"] for each in scored)])
    groups = {name: [each for each in scored if each.row["domain"] == name] for name in domains}
    head = ("domain", "in", "top-1 in scope %", f"right and >= {ACTED_ON} %", "in scope rejected %")
    head_outside = ("out", "out of scope caught %", "overall %", "AUROC", "ECE")
    lines = [_domain_line(name, some, way) for name, some in (*groups.items(), ("all", scored)) if some]
    bands = [(least, _band(scored, way, least)) for least in (SURE, ACTED_ON, IN_DOUBT)]
    shown = [(f">= {n}", band.precision, band.precision_inside, band.coverage, band.let_through) for n, band in bands]
    parts = [
        f"intents{how}, {way}: acted on at >= {ACTED_ON}, below it the agent abstains",
        table((*head, *head_outside), lines),
        table(("band", "precision", "precision in scope", "coverage %", "out of scope let through %"), shown),
    ]
    if way == "path":
        parts.append(_by_label(scored, way))
    return "\n".join(parts)


def _domain_line(name: str, some: Sequence[Scored], way: str) -> Sequence[Any]:
    inside = [each for each in some if each.is_inside]
    outside = [each for each in some if not each.is_inside]
    right = sum(each.is_right(way) for each in inside)
    kept = sum(each.is_right(way) and each.confidence(way) >= ACTED_ON for each in inside)
    rejected = sum(each.confidence(way) < ACTED_ON for each in inside)
    caught = sum(each.confidence(way) < ACTED_ON for each in outside)
    return (
        name,
        len(inside),
        percent(right, len(inside)),
        percent(kept, len(inside)),
        percent(rejected, len(inside)),
        len(outside),
        percent(caught, len(outside)),
        percent(kept + caught, len(some)),
        _auroc(inside, outside, way),
        f"{_calibration_error(some, way):.3f}",
    )


def _auroc(inside: Sequence[Scored], outside: Sequence[Scored], way: str) -> str:
    """How often a message in scope is surer than one out of it."""
    if not inside or not outside:
        return "–"
    known = [each.confidence(way) for each in inside]
    unknown = [each.confidence(way) for each in outside]
    wins = sum((one > other) + (one == other) / 2 for one in known for other in unknown)
    return f"{wins / (len(known) * len(unknown)):.3f}"


def _calibration_error(some: Sequence[Scored], way: str) -> float:
    """The expected error of the confidence, in ten bins."""
    bins: dict[int, list[Scored]] = {}
    for each in some:
        bins.setdefault(min(each.confidence(way) // 10, 9), []).append(each)
    total = 0.0
    for members in bins.values():
        confidence = sum(each.confidence(way) for each in members) / len(members) / 100
        accuracy = sum(each.is_right(way) for each in members) / len(members)
        total += len(members) / len(some) * abs(confidence - accuracy)
    return total


def _by_label(scored: Sequence[Scored], way: str) -> str:
    groups: dict[str, list[Scored]] = {}
    for each in scored:
        if each.is_inside:
            groups.setdefault(f"{each.row['domain']}.{each.row['intent']}", []).append(each)
    lines = []
    for name, some in sorted(
        groups.items(), key=lambda pair: sum(each.is_right(way) for each in pair[1]) / len(pair[1])
    ):
        right = sum(each.is_right(way) for each in some)
        read_instead = {each.guesses[way].intent or "nothing" for each in some if not each.is_right(way)}
        lines.append((name, len(some), percent(right, len(some), 0), ", ".join(sorted(read_instead))))
    return table(("intent", "n", "right %", "read instead"), lines)


def _is_error(scored: Scored) -> bool:
    """A wrong intent in scope, or one out of scope that is acted on."""
    if scored.is_inside:
        return not scored.is_right("path")
    return scored.confidence("path") >= ACTED_ON


def _error(scored: Scored) -> Row:
    guesses = {way: [guess.intent, guess.confidence] for way, guess in scored.guesses.items()}
    return {**scored.row, **guesses}
