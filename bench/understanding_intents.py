"""How well and how fast intents are understood: `python bench/understanding_intents.py FOLDER`.

FOLDER holds banking77 and clinc150 as .train_10.tsv, .test.tsv, and clinc150.oos_test.tsv: intent, tab, sentence.
"""

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.intents.encoder import Encoder, load_encoder
from hilo.understanding.intents.model import IntentModel, train

SETS = ("banking77", "clinc150")
DRAWS = 10
INTENTS, EXAMPLES = 12, 6
OUT_OF_SCOPE = 0.25
SURE = 85

Pairs = list[tuple[str, str]]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A small agent, messages for it and messages that none of its intents fits."""

    examples: Mapping[str, Sequence[str]]
    inside: Pairs
    outside: Sequence[str]


@dataclass(frozen=True, slots=True)
class Answers:
    """The confidence given to each message, whether the intent was right, and whether the message was out of scope."""

    confidence: NDArray[np.int64]
    right: Booleans
    outside: Booleans


def read(folder: Path, name: str) -> Pairs:
    """The (intent, sentence) pairs of a set."""
    lines = (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [(intent, sentence) for intent, _, sentence in (line.partition("\t") for line in lines)]


def by_intent(pairs: Pairs) -> dict[str, list[str]]:
    """The sentences of each intent."""
    found: dict[str, list[str]] = {}
    for intent, sentence in pairs:
        found.setdefault(intent, []).append(sentence)
    return found


def draw(folder: Path, name: str, *, seed: int) -> Iterator[Drawn]:
    """Agents of a few intents; half of what is out of scope comes from the intents that were not drawn."""
    dice = np.random.default_rng(seed)
    taught, test, strange = by_intent(read(folder, f"{name}.train_10")), read(folder, f"{name}.test"), strangers(folder)
    for _ in range(DRAWS):
        chosen = dice.choice(sorted(taught), INTENTS, replace=False).tolist()
        examples = {intent: dice.choice(taught[intent], EXAMPLES, replace=False).tolist() for intent in chosen}
        inside = [(intent, sentence) for intent, sentence in test if intent in examples]
        near = [sentence for intent, sentence in test if intent not in examples]
        half = round(len(inside) * OUT_OF_SCOPE / (1 - OUT_OF_SCOPE) / 2)
        outside = [
            *dice.choice(near, half, replace=False).tolist(),
            *dice.choice(strange, half, replace=False).tolist(),
        ]
        yield Drawn(examples, inside, outside)


def strangers(folder: Path) -> list[str]:
    """Sentences that fit none of CLINC150's intents."""
    return [sentence for _, sentence in read(folder, "clinc150.oos_test")]


def answer(model: IntentModel, drawn: Drawn) -> Answers:
    """Rank every message of a drawn agent."""
    inside = [(model.rank(sentence), intent) for intent, sentence in drawn.inside]
    outside = [model.rank(sentence) for sentence in drawn.outside]
    return Answers(
        np.array([ranking.confidence for ranking, _ in inside] + [ranking.confidence for ranking in outside]),
        np.array([ranking.intent == intent for ranking, intent in inside] + [False] * len(outside)),
        np.array([False] * len(inside) + [True] * len(outside)),
    )


def auroc(answers: Answers) -> float:
    """How often a message in scope gets more confidence than one that is not."""
    inside, outside = answers.confidence[~answers.outside][:, None], answers.confidence[answers.outside]
    return float((inside > outside).mean() + (inside == outside).mean() / 2)


def calibration_error(answers: Answers) -> float:
    """Expected calibration error over ten bins."""
    bins = np.minimum(answers.confidence // 10, 9)
    gaps = [
        (bins == place).mean()
        * abs(answers.confidence[bins == place].mean() / 100 - answers.right[bins == place].mean())
        for place in np.unique(bins)
    ]
    return float(sum(gaps))


def measures(answers: Answers) -> list[float]:
    """Accuracy, AUROC, calibration error; precision, coverage and let through of the sure band."""
    sure = answers.confidence >= SURE
    return [
        float(answers.right[~answers.outside].mean()),
        auroc(answers),
        calibration_error(answers),
        float(answers.right[sure].mean()) if sure.any() else 1.0,
        float(sure[~answers.outside].mean()),
        float(sure[answers.outside].mean()),
    ]


def join(several: Sequence[Answers]) -> Answers:
    """The answers of many agents as if of one."""
    return Answers(
        np.concatenate([answers.confidence for answers in several]),
        np.concatenate([answers.right for answers in several]),
        np.concatenate([answers.outside for answers in several]),
    )


def print_ten_shot(folder: Path, encoder: Encoder | None) -> None:
    """Accuracy with ten examples an intent, training time, time per message."""
    for name in SETS:
        started = time.perf_counter()
        model = train(by_intent(read(folder, f"{name}.train_10")), encoder=encoder)
        trained = time.perf_counter()
        test = read(folder, f"{name}.test")
        right = sum(model.rank(sentence).intent == intent for intent, sentence in test)
        each = (time.perf_counter() - trained) / len(test)
        print(f"{name:10} {right / len(test):8.2%} {trained - started:8.2f} s {each * 1000:8.2f} ms")


def print_agents(folder: Path, encoder: Encoder | None) -> None:
    """Small agents with a quarter of messages out of scope; mean over agents, calibration error also over all."""
    for name in SETS:
        several = [answer(train(drawn.examples, encoder=encoder), drawn) for drawn in draw(folder, name, seed=2024)]
        row = np.mean([measures(answers) for answers in several], axis=0)
        joined = calibration_error(join(several))
        print(f"{name:10} {row[0]:8.1%} {row[1]:8.3f} {row[2]:8.3f} {joined:9.3f}", end="")
        print(f" {row[3]:10.3f} {row[4]:9.1%} {row[5]:8.1%}")


def memory() -> float:
    """Resident memory in MB, where the system tells it."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / 2**20
    except OSError:
        return float("nan")


def print_cost(encoder: Encoder) -> None:
    """Loading the encoder, and a sentence of ordinary length."""
    before, started = memory(), time.perf_counter()
    encoder.encode(["hola"])
    print(f"load {time.perf_counter() - started:.2f} s, memory {before:.0f} → {memory():.0f} MB", end="")
    started = time.perf_counter()
    for number in range(200):
        encoder.encode([f"quiero cambiar el turno del viernes {number} para el lunes a la tarde"])
    print(f", encoding {(time.perf_counter() - started) * 5:.2f} ms\n")


def main(folder: Path) -> None:
    """Print all tables, with the encoder and without it."""
    encoder = load_encoder()
    if encoder:
        print_cost(encoder)
    for title, used in (("with encoder", encoder), ("wording alone", None)):
        print(f"{title}\n10-shot    accuracy   training  message")
        print_ten_shot(folder, used)
        print(f"\n{INTENTS} × {EXAMPLES}     accuracy    AUROC      ECE ECE joined", end="")
        print(f" | ≥ {SURE}: precision coverage let through")
        print_agents(folder, used)
        print()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
