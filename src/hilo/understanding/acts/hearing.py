"""What a message does: the trained classifier, part by part, and the tables of words where it is not sure.

A message of several acts is cut where both sides are clear by themselves, and each act keeps its span. A yes does what
was asked, so at a summary it has a bar of its own (`consent`), and the classifier may take a doubtful one away.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from hilo.recognisers.normalise import Text, normalise
from hilo.recognisers.phrases import tokens_of
from hilo.understanding.acts.consent import (
    FIRM,
    YES_BAR,
    YES_BAR_BY_WORDS,
    hangs_on_something,
    is_firm_yes,
    is_plain,
    is_yes,
    speaks_against,
)
from hilo.understanding.acts.deeds import NO_DEED, Deed
from hilo.understanding.acts.recognise import POLAR, Act
from hilo.understanding.acts.segments import cuts
from hilo.understanding.acts.sentiment import Sentiment
from hilo.understanding.acts.trained import (
    ACTS,
    CONFIRMATION,
    MIXED,
    SLOT,
    act_features,
    vector_in,
    waiting_for,
)
from hilo.understanding.parts import joints
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.trained.classifier import Classifier, load_classifier, softmax
from hilo.understanding.trained.features import Numbers

Encode = Callable[[str], Numbers]

# the acts of the corpus in the words of the tables; the others leave a message to values, orders and intents
KINDS: Mapping[str, str] = {
    "affirm": "affirm",
    "deny": "deny",
    "cancel": "cancel",
    "correct": "change",
    "ask_human": "human",
    "info_question": "question",
    "greet": "greet",
    "thanks": "thanks",
    "chitchat": "chitchat",
}
HEARD = 0.6  # how probable an act must be; of a hand that is left out, nine in ten of these are right
SURELY = 0.7  # where more follows from it than the act itself
OVERRULES = 0.9  # where the tables have words for the whole message that say something else
WHOLLY = 0.8  # where the tables have heard it in some of the words only: "no, quiero dos" is more than a no
HEARD_BY_WORDS = 0.8  # the same where no encoder tells what the words mean
LIGHT = frozenset({"greet", "thanks", "chitchat"})  # beside anything else they are courtesy
COURTEOUS = frozenset({"greet", "thanks", "bye"})  # the same in the words of the tables
# What the tables may tell of words that the classifier takes for an act: it is a part of it, or says it more exactly.
WITHIN: Mapping[str, frozenset[str]] = {
    "affirm": frozenset({"affirm"}),
    "deny": frozenset({"deny", "skip", "correct"}),
    "correct": frozenset({"correct", "deny", "change"}),
    "cancel": frozenset({"cancel"}),
    "ask_human": frozenset({"human"}),
    "negative": frozenset({"human", "cancel", "deny", "skip", "affirm"}),
    "info_question": frozenset({"question", "repeat", "topic_change", "affirm", "correct"}),
    "order": frozenset({"affirm", "correct", "change", "topic_change", "question"}),
    "provide": frozenset({"affirm", "deny", "correct", "change", "skip"}),
    "unclear": frozenset({"repeat", "affirm", "deny", "skip", "later", "topic_change", "correct"}),
    "greet": frozenset({"human", "topic_change"}),
    "thanks": frozenset({"affirm", "deny", "cancel", "skip"}),
    "chitchat": frozenset({"affirm"}),
}
# what may stand beside an act that still is all that a message does
IGNORED: Mapping[str, frozenset[str]] = {
    "cancel": LIGHT | {"affirm", "deny", "negative", "unclear"},
    "deny": LIGHT | {"negative"},
    "skip": LIGHT | {"negative"},
}
COURTEOUS_PARTS = frozenset({"affirm", "thanks", "greet"})  # what changes nothing behind a yes; small talk may mock
BESIDE_A_YES = LIGHT | {"affirm", "unclear", "negative"}  # what takes nothing from a message that is a yes as a whole
GIVES = COURTEOUS_PARTS | {"provide", "correct"}
NOT_YET = frozenset({"unclear", "deny", "affirm", "chitchat"})  # what a delay is taken for
SPLIT = 0.5  # how clear both sides of a cut must be, together with how mixed the whole is
UNMIXED = 0.05  # a whole less mixed than this is cut only where a question mark opens, in an answer …
MARKED = 0.4  # … and counts as mixed by so much
SURE_AGAINST_A_YES = 0.8
LIKELY = 0.5  # so probable must a yes be in all that is said, where courtesies stand beside it
IMPROBABLE = 0.2  # a yes of the tables that the classifier finds less probable is none
FEWEST_OF_IRONY = 5
ANGER = "negative"  # the act of the corpus
CALM = 0.1  # anger less probable than this in all parts is none, whatever words of anger are there
GRUMBLE = Sentiment(-0.3, ("tone",))  # no more than this are such words then: "qué tráfico horrible"
BAD_TEMPER, BAD_TEMPER_BY_WORDS, IRONY = 0.64, 0.95, 0.95  # how probable anger must be, also in words of praise
DISPLEASED = Sentiment(-0.5, ("tone",))  # bad, and short of what calls a person by itself

_EXCUSE = re.compile(r"\W*(?:disculp\w+|perdon\w*|(?:con )?permiso|sorry)\W*")
# whom the contact means to call is nobody of ours
_CALLS_ANOTHER = re.compile(
    r"\bllamar (?:al?|a (?:la|los|las|mi|su)) (?!(?:un|una|la|los|las|mi|su|algun\w*|alguien|asesor\w*|agente\w*|"
    r"operador\w*|persona|humano|soporte|ustedes|servicio|atencion|vendedor\w*|encargad\w*)\b)"
)


@dataclass(frozen=True, slots=True)
class HeardAct:
    """What the classifier makes of a part of a message: the likeliest act, its probability, and its span."""

    act: str
    chance: float
    start: int = 0
    end: int = 0
    yes: float = 0.0  # how probable a yes is
    anger: float = 0.0  # how probable anger is, or several acts, of which one may be


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the classifier makes of a whole message, and of its parts where it has several acts."""

    whole: HeardAct
    parts: tuple[HeardAct, ...]
    words: int = 0  # how many there are
    by_words: bool = False  # no encoder told what they mean
    behind_yes: tuple[HeardAct, ...] = ()  # where a firm yes opens it, each thing that stands behind that

    @property
    def yes_bar(self) -> float:
        return YES_BAR_BY_WORDS if self.by_words else YES_BAR

    def is_sure(self, part: HeardAct, bar: float = HEARD) -> bool:
        return part.chance >= (max(bar, HEARD_BY_WORDS) if self.by_words else bar)

    def does(self, act: str) -> bool:
        """Whether this is surely all that the message does."""
        return self.whole.act == act and self.is_sure(self.whole, SURELY)


@dataclass(frozen=True, slots=True)
class _Ear:
    """The classifier at one message."""

    classifier: Classifier
    text: Text
    waiting: str
    encode: Encode | None

    def chances(self, start: int, end: int, *, fully: bool = True) -> Numbers:
        """How probable each act is for some of the words, by their meaning too where `fully`."""
        part = self.text
        if (start, end) != (0, len(part.folded)):
            part = normalise(part.original(start, end).strip())
        vector = vector_in(self.waiting, self.encode(part.raw)) if self.encode is not None and fully else None
        features = act_features(part, self.waiting, self.classifier.shape)
        return softmax(self.classifier.sums(features, vector))

    def heard(self, start: int, end: int, chances: Numbers) -> HeardAct:
        """The likeliest single act."""
        labels = self.classifier.labels
        alone = chances.copy()
        alone[labels.index(MIXED)] = 0
        best = int(alone.argmax())
        yes, anger = chances[labels.index("affirm")], chances[labels.index(ANGER)] + self.mixed(chances)
        return HeardAct(labels[best], float(alone[best]), start, end, float(yes), float(anger))

    def mixed(self, chances: Numbers) -> float:
        return float(chances[self.classifier.labels.index(MIXED)])


def hear(text: Text, waiting: str, encode: Encode | None) -> Hearing:
    """Ask the classifier; without a sentence encoder it goes by the words alone."""
    ear = _Ear(load_classifier(ACTS), text, waiting, encode)
    end = len(text.folded)
    chances = ear.chances(0, end)
    parts = tuple(_parts(ear, (0, end), cuts(text), chances))
    by_words, count = encode is None, len(tokens_of(text))
    return Hearing(ear.heard(0, end, chances), parts, count, by_words=by_words, behind_yes=_behind_a_yes(ear))


def _behind_a_yes(ear: _Ear) -> tuple[HeardAct, ...]:
    """What stands behind a firm yes that opens a message, part by part, where a summary waits."""
    text = ear.text
    apart = joints(text.folded) if ear.waiting == CONFIRMATION else []
    if not apart or not is_firm_yes(text, 0, apart[0].start):
        return ()
    breaks = [*((each.start, each.end) for each in apart), (len(text.folded), 0)]
    spans = [(before[1], after[0]) for before, after in pairwise(breaks) if text.folded[before[1] : after[0]].strip()]
    return tuple(ear.heard(*span, ear.chances(*span)) for span in spans)


def _parts(ear: _Ear, span: tuple[int, int], places: Sequence[int], chances: Numbers) -> Iterator[HeardAct]:
    """The acts of some words, cut in two where both sides are clear; the right side may be cut again."""
    start, end = span
    mixed = ear.mixed(chances)
    inside = [place for place in places if start < place < end]
    if mixed < UNMIXED:
        # "Muebles Roble, ¿para qué lo preguntan?" is a value and a question; a yes is not cut like that
        is_asked = ear.waiting.startswith(SLOT)
        inside = [place for place in inside if is_asked and ear.text.folded[place] == "¿"]
        mixed = MARKED
    if inside:
        place = _clearest(ear, span, inside)
        rest = ear.chances(place, end)
        left, right = ear.heard(start, place, ear.chances(start, place)), ear.heard(place, end, rest)
        if left.act != right.act and (left.chance * right.chance + mixed) / 2 >= SPLIT:
            yield left
            yield from _parts(ear, (place, end), places, rest)
            return
    yield ear.heard(start, end, chances)


def _clearest(ear: _Ear, span: tuple[int, int], places: Sequence[int]) -> int:
    """The place with the clearest sides, by their words alone: the encoder is asked about one place only."""

    def clear(place: int) -> float:
        sides = ((span[0], place), (place, span[1]))
        return prod(ear.heard(*side, ear.chances(*side, fully=False)).chance for side in sides)

    return max(places, key=clear) if len(places) > 1 else places[0]


# --- with the tables --------------------------------------------------------------------------------------


def settle(text: Text, acts: Sequence[Act], hearing: Hearing, waiting: str, deed: Deed = NO_DEED) -> tuple[Act, ...]:
    """What each part does by the classifier, with what the tables tell of it, and without a yes that is none.

    `deed` is what a summary asks to be done.
    """
    kind = waiting.partition(":")[0]
    found = list(acts)
    if kind == CONFIRMATION:
        if (answer := _yes(text, hearing, deed)) is not None:
            return _in_order([*answer, *(act for act in found if act.kind in COURTEOUS)])
        found = [act for act in found if act.kind != "affirm" or not _is_no_yes(text, act, hearing)]
        if _puts_off(text, found, hearing):
            later = Act("later", 0, len(text.folded), whole=True, confidence=90)
            return _in_order([later, *(act for act in found if act.kind in COURTEOUS)])
    heard: list[Act] = []
    for part in hearing.parts:
        inside = [act for act in found if part.start <= act.start < part.end]
        heard += _acts_in(text, part, inside, hearing, waiting)
    if _gives_behind_a_yes(text, hearing) and not any(act.kind in POLAR for act in heard):
        heard += [act for act in acts if act.kind == "affirm"][:1]
    return _in_order(heard)


def _gives_behind_a_yes(text: Text, hearing: Hearing) -> bool:
    """Whether nothing but values stands behind a yes: it is one if each is taken, and none of them changes the summary.

    "Sí, somos dos" is one to what was asked; "sí, pero somos dos" hangs on it.
    """
    behind = hearing.behind_yes
    if not behind or not {part.act for part in behind} <= GIVES:
        return False
    return not hangs_on_something(text, joints(text.folded)[0].start, len(text.folded))


def _acts_in(text: Text, part: HeardAct, inside: list[Act], hearing: Hearing, waiting: str) -> list[Act]:
    """What a part of a message does: what the classifier takes it for, and what the tables tell of it."""
    if not hearing.is_sure(part):
        return inside
    overrules = hearing.is_sure(part, OVERRULES)
    kept = WITHIN[part.act] | COURTEOUS
    found = [act for act in inside if act.kind in kept or (act.whole and not overrules)]
    kind = KINDS.get(part.act, "")
    others = [each for each in hearing.parts if each is not part]
    is_whole = {each.act for each in others} <= IGNORED.get(kind, LIGHT)
    if kind == "deny" and _asks_a_value(waiting) and not any(act.kind in {"deny", "correct"} for act in found):
        kind = "skip"
    if not kind or _is_no_act(text, part, kind, others, waiting):
        return found
    same = [act for act in found if act.kind == kind]
    if kind == "greet":  # the corpus calls a farewell a greeting, and "dios la bendiga" may thank
        same = [act for act in found if act.kind in COURTEOUS]
    if kind == "change" and any(act.kind == "correct" for act in found):
        return found  # the tables have words for it
    if not same:
        return [*found, _act(kind, part, whole=is_whole and kind != "change")]
    if is_whole and hearing.is_sure(part, WHOLLY):
        same = [replace(act, whole=True) for act in same]
    return [*(act for act in found if act.kind not in {each.kind for each in same}), *same]


def _is_no_act(text: Text, part: HeardAct, kind: str, others: Sequence[HeardAct], waiting: str) -> bool:
    """Whether what the classifier hears is nothing here: a yes that nobody waits for, small talk beside something."""
    if kind == "affirm":  # at a summary it was judged before
        return waiting != waiting_for("boolean")
    if kind == "chitchat":
        return bool(others)
    if kind == "greet":  # "disculpe" before something else opens it, and greets nobody
        return bool(others) and _EXCUSE.fullmatch(text.folded, part.start, part.end) is not None
    said = text.folded[part.start : part.end]
    if kind == "cancel":
        return not _has("ends", said) or _has("ends nothing", said)
    if kind == "human":
        return _has("calls nobody", said) or _CALLS_ANOTHER.search(said) is not None
    if kind == "deny":
        return pattern_of("shrugs").fullmatch(said.strip(" .!,")) is not None or _has("does not know", said)
    # whatever it sounds like, it may be the value that was asked for
    is_value = any(letter.isdigit() or letter == "@" for letter in said)
    return kind == "skip" and (is_value or not _has("withholds", said) or _has("blames", said))


def _has(section: str, said: str) -> bool:
    """Whether a phrase of the packs is there: alone, the classifier ends nothing, calls nobody and skips no value."""
    return pattern_of(section).search(said) is not None


def _in_order(acts: Iterable[Act]) -> tuple[Act, ...]:
    return tuple(sorted(acts, key=lambda act: (act.start, act.end)))


def _yes(text: Text, hearing: Hearing, deed: Deed) -> list[Act] | None:
    """The yes to a summary, and the question beside it; None where it is none, or something else beside it."""
    whole = hearing.whole

    def says_yes(part: HeardAct) -> bool:
        return is_yes(text, part.start, part.end, part.yes, bar=hearing.yes_bar, deed=deed)

    behind = {part.act for part in hearing.behind_yes}
    is_courteous = behind <= COURTEOUS_PARTS and all(map(hearing.is_sure, hearing.behind_yes))
    if behind and is_courteous and not speaks_against(text, 0, len(text.folded)):
        return [_act("affirm", whole, whole=True)]  # "sí, gracias, que Dios lo bendiga"
    asks = {"info_question"} if "?" in text.raw else set()
    if not behind <= BESIDE_A_YES | asks and not is_plain(list(tokens_of(text)), text.folded):
        return None  # "sí, con ventanilla" says more
    if says_yes(whole):
        return [_act("affirm", whole, whole=True)]
    yeses = [part for part in hearing.parts if says_yes(part)]
    others = [part for part in hearing.parts if part not in yeses]
    if not yeses or not {part.act for part in others} <= LIGHT | {"info_question"}:
        return None
    questions = [part for part in others if part.act == "info_question"]
    may_end = whole.act in LIGHT or (whole.yes < LIKELY and not questions)
    if may_end and not _is_firm(text, yeses):
        return None  # "vale, gracias" may only end the talk; "sí dale, gracias, sos un genio" does not
    span = HeardAct("affirm", min(part.yes for part in yeses), yeses[0].start, yeses[-1].end)
    return [_act("affirm", span, whole=not questions), *(_act("question", part, whole=False) for part in questions)]


def _is_firm(text: Text, yeses: Sequence[HeardAct]) -> bool:
    """Whether a word of these parts can only be a yes, and nothing in the message speaks against one."""
    said = [token.text for token in tokens_of(text) for part in yeses if part.start <= token.start < part.end]
    return not FIRM.isdisjoint(said) and not speaks_against(text, 0, len(text.folded))


def _is_no_yes(text: Text, act: Act, hearing: Hearing) -> bool:
    """Whether a yes that the tables have heard is surely none: "listo?", "bueno…", "puede ser"."""
    whole = hearing.whole
    if act.whole and (whole.yes < IMPROBABLE or speaks_against(text, 0, len(text.folded))):
        return True
    if not act.whole and "?" in text.raw:
        return True  # with a question it was judged before, and is none
    if whole.act in LIGHT:
        return True  # "listo, gracias, chau" ends the talk
    return whole.act != "affirm" and whole.chance >= SURE_AGAINST_A_YES and len(hearing.parts) == 1


def _puts_off(text: Text, acts: Sequence[Act], hearing: Hearing) -> bool:
    """Whether the answer is neither yes nor no, but not yet."""
    whole = hearing.whole
    if "?" in text.raw or any(act.kind in {"cancel", "human", "correct"} for act in acts):
        return False
    if _has("hesitates", " ".join(token.text for token in tokens_of(text))):
        return True
    return whole.act in NOT_YET and _has("later", text.folded.strip(" .!¡…"))


def _asks_a_value(waiting: str) -> bool:
    """Whether a no to what is asked means that it is not given: to a yes-or-no question or a choice it is an answer."""
    return waiting.startswith(f"{SLOT}:") and waiting not in {waiting_for("boolean"), waiting_for("choice")}


def _act(kind: str, part: HeardAct, *, whole: bool) -> Act:
    return Act(kind, part.start, part.end, whole, confidence=round(100 * part.chance))


def feeling(found: Sentiment, hearing: Hearing) -> Sentiment:
    """The sentiment, also where anger is told without one of the words of anger, or they are no anger."""
    heard = hearing.whole
    if found.score < DISPLEASED.score and not hearing.by_words and max(part.anger for part in hearing.parts) < CALM:
        return GRUMBLE
    sure = BAD_TEMPER_BY_WORDS if hearing.by_words else IRONY if found.score > 0 else BAD_TEMPER
    praised = found.score > 0 and hearing.words < FEWEST_OF_IRONY  # "excelente servicio" is meant so
    if heard.act != ANGER or heard.chance < sure or praised:
        return found
    return min(found, DISPLEASED, key=lambda each: each.score)
