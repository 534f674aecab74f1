"""Train the classifier of notes on `corpus/notes.tsv`, against what the hands of the corpus write: an own run.

    python tools/train_notes.py            # writes the weights
    python tools/train_notes.py --try      # a third of the notes left out at a time: how many of them are found

It stands apart from `tools/train.py`, as a note is neither an intent nor an act: it may stand beside any of them.
"""

import argparse
import hashlib
from collections.abc import Sequence

import numpy as np
import train as trainer
from train import CORPUS, ROOT, WEIGHTS, Row

from hilo.understanding.notes import NOTE, NOTES, SURELY_NOTED
from hilo.understanding.trained.classifier import softmax, to_bytes
from hilo.understanding.trained.features import FeatureShape

NONE = "none"
EVERY = 6  # of the messages of the corpus: they are many, and alike
OF_THE_CORPUS = 0.1  # what one of them weighs beside one that was written for this
OF_A_NOTE = 6.0  # they are few, and rarer in the corpus than in talks
# What customers ask there may be a note elsewhere: to be called at an hour, a table by the window, change for a note.
NEAR = frozenset(
    {
        "accessibility", "ask_callback", "ask_pets", "choose_professional", "custom_order", "delivery_to_other",
        "gift_wrap", "kids_welcome", "late_checkout", "need_change", "outdoor_seating", "parcel_pickup",
        "reschedule_delivery", "reserve_item", "running_late", "special_assistance", "split_payment",
    }
)  # fmt: skip
FOLDS = 3
MADE_OF = WEIGHTS / "notes_made_of.txt"

trainer.SHAPES[NOTES] = FeatureShape(bits=14, words=3, pieces=(3, 5))
trainer.EPOCHS[NOTES] = 10
trainer.UNSEEN_ENCODER[NOTES] = 0.2


def read_notes() -> list[Row]:
    """What was written for this; others' messages teach what is none."""
    lines = (CORPUS / "notes.tsv").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines]
    own = [Row("notes", label, message, share=OF_A_NOTE if label == NOTE else 1.0) for label, message in pairs]
    intents = [row for row in trainer.read_intents(CORPUS) if row.label.removeprefix("beyond.") not in NEAR]
    others = [*intents, *trainer.read_acts(CORPUS)][::EVERY]
    return [*own, *(Row(row.hand, NONE, row.message, share=OF_THE_CORPUS) for row in others)]


def made_of() -> str:
    """The digest of what the weights are made of."""
    made = hashlib.sha256()
    for name in ("corpus/notes.tsv", "tools/train_notes.py"):
        made.update((ROOT / name).read_bytes())
    return made.hexdigest()


def try_out(rows: Sequence[Row]) -> None:
    """How surely notes are told that the classifier has not seen."""
    given = trainer.prepare(NOTES, rows)
    own = np.array([row.hand == "notes" for row in rows])
    note = given.labels.index(NOTE)
    chances = np.zeros(len(rows))
    for fold in range(FOLDS):
        left = np.arange(len(rows)) % FOLDS == fold
        classifier = trainer.train(NOTES, given.part([*np.flatnonzero(~left)]))
        for place in np.flatnonzero(left):
            chances[place] = softmax(classifier.sums(given.features[place], given.vectors[place]))[note]
    truth = given.truth == note
    for bar in (0.3, 0.5, 0.7, 0.9):
        taken = chances >= bar
        print(
            f"{bar}: notes found {100 * taken[truth].mean():.1f} %, taken of what was written as none "
            f"{100 * taken[own & ~truth].mean():.1f} %, of the corpus {100 * taken[~own].mean():.2f} %"
        )
    for place in np.argsort(-chances * ~truth)[:25]:
        print(f"{chances[place]:.2f}", rows[place].hand, rows[place].message)
    print("--")
    for place in np.flatnonzero(truth & (chances < SURELY_NOTED)):
        print(f"{chances[place]:.2f}", rows[place].message)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--try", action="store_true", dest="only_try")
    rows = read_notes()
    if parser.parse_args().only_try:
        try_out(rows)
        return
    classifier = trainer.train(NOTES, trainer.prepare(NOTES, rows))
    (WEIGHTS / f"{NOTES}.npz").write_bytes(to_bytes(classifier))
    MADE_OF.write_text(made_of() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
