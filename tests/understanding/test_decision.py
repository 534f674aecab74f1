"""The one decision over all intents and none: what it makes of signs, and how it is learnt."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from hilo.understanding.intents.decision import Signs, chances, kind_of, load_decision
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {
    "horario": ["a qué hora abren", "hasta qué hora están", "abren los domingos"],
    "envio": ["hacen envíos", "cuánto sale el envío", "mandan a domicilio"],
}


@pytest.fixture(scope="module")
def trainer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("train_decision", ROOT / "tools/train_decision.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["train_decision"] = module  # its dataclasses look for themselves there
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("encoder", [load_encoder(), None], ids=["by meaning", "by words"])
@pytest.mark.parametrize("like", [{"horario": "ask_hours"}, None], ids=["with the corpus", "without"])
def test_there_is_a_decision_for_all_that_an_agent_may_see(encoder: object, like: dict[str, str] | None) -> None:
    model = train(EXAMPLES, encoder=load_encoder() if encoder else None, like=like)
    signs = model.signs("hasta qué hora abren hoy")
    worth = load_decision(kind_of(encoder=encoder is not None, standing=like is not None))
    assert (set(signs.fits), set(signs.none)) == (set(worth["fits"]), set(worth["none"]))
    assert model.rank("hasta qué hora abren hoy").intent == "horario"


def test_what_speaks_for_none_takes_from_all_intents() -> None:
    worth = {"fits": {"said": [2.0, 0.0]}, "none": {"always": [1.0, 0.0], "strange": [3.0, 0.0]}}
    fits = {"said": np.array([1.0, 0.5])}
    known = chances(Signs(fits, {"always": 1.0, "strange": 0.0}), worth)
    strange = chances(Signs(fits, {"always": 1.0, "strange": 1.0}), worth)
    assert known.sum() == pytest.approx(1.0)
    assert known[0] > known[1]
    assert (strange[:2] < known[:2]).all()
    assert strange[2] > known[2]


def test_the_fit_finds_what_the_signs_are_worth(trainer: ModuleType) -> None:
    dice = np.random.default_rng(3)
    truth = {"fits": {"a": [3.0, 0.0], "b": [0.0, 0.0]}, "none": {"always": [1.0, 0.0]}}
    judged = []
    for _ in range(3000):
        signs = Signs({"a": dice.normal(size=4), "b": dice.normal(size=4)}, {"always": 1.0})
        judged.append((signs, int(dice.choice(5, p=chances(signs, truth)))))
    outside = np.mean([place == 4 for _, place in judged])
    found = trainer.fit(judged, float(outside))  # as often as it happened
    among_four = {name: many + few / 4 for name, (many, few) in (found["fits"] | found["none"]).items()}
    assert among_four == pytest.approx({"a": 3.0, "b": 0.0, "always": 1.0}, abs=0.3)


def test_more_of_a_likeness_never_speaks_against_an_intent() -> None:
    kept = json.loads((ROOT / "src/hilo/understanding/trained/weights/intent_decision.json").read_text("utf-8"))
    for kind, worth in kept.items():
        assert worth["fits"]["learnt"][0] > 0, kind
