"""The standard intents: what customers ask of any business, learnt from a corpus of many hands."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np

from hilo.recognisers.phrases import word_set
from hilo.understanding import trained
from hilo.understanding.intents.encoder import Encoder
from hilo.understanding.trained.classifier import load_classifier
from hilo.understanding.trained.features import Numbers

STANDARD_INTENTS = "standard_intents"  # the name of the classifier
SENTENCES = "standard_sentences.tsv"  # beside its weights: what stands for each of them
BEYOND = "beyond."  # labels of the corpus that no agent can name: they teach what else there is
NONE_OF_THESE = "none_of_these"
ACT = f"{BEYOND}act_"  # so begin the labels of what is an act and no intent: a bare value, a yes, thanks
GIVEN = f"{ACT}provide"
# what somebody may write who wants out of a talk, or a person
PARTING = frozenset(
    {
        "ask_callback",
        "ask_human",
        "ask_named_person",
        "cancel_appointment",
        "cancel_booking",
        "cancel_order",
        "cancel_subscription",
        "complain",
        "delete_account_data",
        "postpone",
        "stop_contacting",
        "wrong_person",
    }
)
# What some trade does for people. A question that nobody here can answer is none of these, nor is anything that most
# businesses may do (an appointment, a quote), nor what no word may turn away (an accident, a leak of gas).
DEEDS_OF_TRADES = word_set(
    """
    activate_line airport_transfer alterations book_room book_table book_trip car_problem car_service card_request
    cut_to_size design_help device_repair device_setup enrol excursion_info glasses legal_question list_property
    loan_request medical_certificate new_connection order_food parcel_pickup pay_rent people_vaccines pet_boarding
    pet_grooming pet_neutering pet_sick pet_vaccines plan_downgrade plan_upgrade port_number prescription_refill
    print_job private_event recharge rent_equipment report_street_problem request_ride search_property search_trip
    send_parcel set_reminder tax_help technician_visit tow_request
    """
)
SURELY_OF_A_TRADE = 0.7  # so probable must they be together that nothing of the agent is like
LIKE_NONE = 0.1  # of an intent's examples: a standard intent of fewer is nothing that the agent is about
SURELY_ELSE = 0.9  # so probable must all other intents be together
FLATTENED = 0.7
SURE_OF_A_NAME = 0.5  # of the examples of an intent, on the mean: then a standard intent is suggested for it


_PLACEHOLDER = re.compile(r"\{[^{}]*\}|\balgo\b")  # where a value stands in an example, or stood in a message
_WORD = re.compile(r"[^\W\d_]{4,}")  # longer than articles and prepositions


def standard_names() -> tuple[str, ...]:
    """The words that `like:` takes."""
    labels = load_classifier(STANDARD_INTENTS).labels
    return tuple(label for label in labels if not label.startswith(BEYOND) and label != NONE_OF_THESE)


@cache
def sentences_of(name: str) -> tuple[str, ...]:
    """Sentences of many hands that stand for a standard intent, the most typical first."""
    lines = files(trained).joinpath("weights", SENTENCES).read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return tuple(text for standard, text in rows if standard == name)


def chances_of(text: str, vector: Numbers | None) -> Numbers:
    """How probable each standard intent is for a text, of which the encoder made a vector."""
    classifier = load_classifier(STANDARD_INTENTS)
    rest = _PLACEHOLDER.sub(" ", text)
    if not rest.strip() or (rest != text and not _WORD.search(rest)):
        given: Numbers = np.zeros(len(classifier.labels), np.float32)
        given[place_of(GIVEN)] = 1.0  # nothing but values
        return given
    return probabilities_of(text, vector)


def probabilities_of(text: str, vector: Numbers | None) -> Numbers:
    """What the classifier says of a text as it is; read-only, for several sides of a turn ask about the same one."""
    return _probabilities(text, None if vector is None else vector.tobytes())


@lru_cache(maxsize=64)
def _probabilities(text: str, vector: bytes | None) -> Numbers:
    meant = None if vector is None else np.frombuffer(vector, np.float32)
    found = load_classifier(STANDARD_INTENTS).probabilities(text, vector=meant)
    found.setflags(write=False)
    return found


def flattened(chances: Numbers) -> Numbers:
    """Probabilities as a vector of length 1, whose product with another's is Bhattacharyya's likeness.

    The classifier is too sure of messages unlike the corpus: this brings what else it thought of back in.
    """
    flat = chances**FLATTENED
    roots: Numbers = np.sqrt(flat / max(1e-6, float(flat.sum())))
    return roots


def strange(chances: Numbers) -> dict[str, float]:
    """What speaks for no intent of any agent: it is nothing for a business, only an act, or the classifier is lost."""
    known = chances[chances > 0]
    return {
        "nothing": float(chances[place_of(NONE_OF_THESE)]),
        "act": float(chances[[*_acts()]].sum()),
        "spread": -float(known @ np.log(known)),
    }


def wants_something_else(text: str, vector: Numbers) -> bool:
    """Whether a message is surely about something, so that neither an end nor a person is wished for.

    "Están ocupando gente?" asks for work, and "saca el pollo a descongelar" is for somebody else.
    """
    chances = chances_of(text, vector)
    labels = load_classifier(STANDARD_INTENTS).labels
    parting = sum(
        float(chance)
        for label, chance in zip(labels, chances, strict=True)
        if label in PARTING or label.startswith(ACT)
    )
    return parting <= 1 - SURELY_ELSE


def surely_done_elsewhere(chances: Numbers, covered: Numbers) -> bool:
    """Whether a message surely wants what some trade does, and nothing that is `covered` (0 to 1) is like it."""
    uncovered = chances * (covered < LIKE_NONE)
    return float(uncovered[[*_deeds()]].sum()) >= SURELY_OF_A_TRADE


@cache
def _deeds() -> tuple[int, ...]:
    return tuple(map(place_of, sorted(DEEDS_OF_TRADES)))


@cache
def place_of(name: str) -> int:
    """Where a label stands among those of the classifier."""
    return load_classifier(STANDARD_INTENTS).labels.index(name)


@cache
def _acts() -> tuple[int, ...]:
    labels = load_classifier(STANDARD_INTENTS).labels
    return tuple(place for place, label in enumerate(labels) if label.startswith(ACT))


@cache
def fingerprint() -> str:
    """Changes with the weights and the sentences: what was learnt with others must be learnt again."""
    made = hashlib.sha256(load_classifier(STANDARD_INTENTS).weights.tobytes())
    made.update(files(trained).joinpath("weights", SENTENCES).read_bytes())
    return made.hexdigest()[:16]


def suggested_for(examples: Mapping[str, Sequence[str]], *, encoder: Encoder | None) -> dict[str, str]:
    """The standard intents that an agent's intents are; where several sound like one, it is the surest of them."""
    found: dict[str, tuple[float, str]] = {}
    for name, texts in examples.items():
        standard, share = _likeliest(texts, encoder)
        if standard in standard_names() and share >= SURE_OF_A_NAME and share > found.get(standard, (0.0, ""))[0]:
            found[standard] = share, name
    return {name: standard for standard, (_, name) in found.items()}


def _likeliest(examples: Sequence[str], encoder: Encoder | None) -> tuple[str, float]:
    """What the classifier takes these examples for, and how surely, on the mean."""
    if not examples:
        return "", 0.0
    classifier = load_classifier(STANDARD_INTENTS)
    vectors = encoder.encode(examples) if encoder else [None] * len(examples)
    pairs = zip(examples, vectors, strict=True)
    mean = np.mean([probabilities_of(text, vector) for text, vector in pairs], axis=0)
    return classifier.labels[int(mean.argmax())], float(mean.max())
