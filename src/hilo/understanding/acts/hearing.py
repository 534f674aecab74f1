"""What a message does: the tables of words where they are sure, the trained classifier otherwise, part by part.

A message of several acts is cut where both sides are clear by themselves, and each act keeps its span. A yes does what
was asked, so at a summary it has a bar of its own (`consent`), and the classifier may take a doubtful one away.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from hilo.recognisers.normalise import Text
from hilo.recognisers.phrases import tokens_of
from hilo.understanding.acts.consent import YES_BAR, YES_BAR_BY_WORDS, is_yes, speaks_against
from hilo.understanding.acts.deeds import NO_DEED, Deed
from hilo.understanding.acts.recognise import Act
from hilo.understanding.acts.segments import cuts
from hilo.understanding.acts.sentiment import Sentiment
from hilo.understanding.acts.trained import (
    ACTS,
    CONFIRMATION,
    MIXED,
    NOTHING,
    SLOT,
    contexts_of,
    vector_in,
    waiting_for,
)
from hilo.understanding.trained.classifier import Classifier, load_classifier
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
# how probable an act must be, by what is waited for; what is not named is not taken from the classifier
BARS: Mapping[str, Mapping[str, float]] = {
    CONFIRMATION: {
        "affirm": 0.5,
        "deny": 0.5,
        "cancel": 0.6,
        "correct": 0.8,
        "ask_human": 0.7,
        "info_question": 0.6,
        "greet": 0.6,
        "thanks": 0.6,
        "chitchat": 0.6,
    },
    SLOT: {
        "affirm": 0.6,
        "deny": 0.6,
        "cancel": 0.7,
        "ask_human": 0.8,
        "info_question": 0.88,
        "thanks": 0.6,
        "chitchat": 0.7,
    },
    NOTHING: {
        "cancel": 0.8,
        "correct": 0.8,
        "ask_human": 0.8,
        "info_question": 0.9,
        "greet": 0.5,
        "thanks": 0.5,
        "chitchat": 0.5,
    },
}
SETTLED = frozenset({"affirm", "deny", "cancel", "correct", "human", "skip", "later"})  # heard by the tables: believed
LIGHT = frozenset({"greet", "thanks", "chitchat"})  # beside anything else they are courtesy
COURTEOUS = frozenset({"greet", "thanks", "bye"})  # the same in the words of the tables
NOT_YET = frozenset({"unclear", "deny", "affirm", "chitchat"})  # what a delay is taken for
WHOLLY = frozenset(
    {"deny", "skip", "cancel", "greet", "bye", "thanks"}
)  # a part that the tables have heard is the whole where the classifier says so
# what may stand beside an act that still is all that a message does
IGNORED: Mapping[str, frozenset[str]] = {
    kind: LIGHT
    | (
        {"affirm", "deny", "negative", "unclear"}
        if kind == "cancel"
        else {"negative"}
        if kind in {"deny", "skip"}
        else set()
    )
    for kind in (*KINDS.values(), "skip", "bye")
}
SPLIT = 0.5  # how clear both sides of a cut must be, together with how mixed the whole is
UNMIXED = 0.05  # a whole less mixed than this is not cut where no mark stands
SURE_AGAINST_A_YES = 0.8
OVERRULES = 0.9  # how sure the classifier must be of one act to take others away that the tables have heard
# what is only a part of it: "qué bárbaro" asks nothing, "¿los domingos hay alguien?" calls no person
OVERRULED: Mapping[str, frozenset[str]] = {
    "provide": frozenset({"human", "cancel"}),
    "order": frozenset({"human", "cancel"}),
    "unclear": frozenset({"question", "human", "bye"}),
    "chitchat": frozenset({"question", "human", "repeat", "cancel"}),
    "cancel": frozenset({"question", "repeat"}),
    "info_question": frozenset({"human"}),
    "greet": frozenset({"human"}),
    "thanks": frozenset({"human"}),
}
IMPROBABLE = 0.2  # a yes of the tables that the classifier finds less probable is none
FEWEST_OF_IRONY = 5
BY_WORDS = 0.8  # the lowest bar where no encoder tells what the words mean
BAD_TEMPER, BAD_TEMPER_BY_WORDS, IRONY = 0.64, 0.95, 0.95  # how probable anger must be, also in words of praise
DISPLEASED = Sentiment(-0.5, ("tone",))  # bad, and short of what calls a person by itself

_EXCUSE = re.compile(r"\W*(?:disculp\w+|perdon\w*|(?:con )?permiso|sorry)\W*")
# the classifier alone ends nothing and calls nobody: one of these words must be there, and none that turns it
_ENDS = re.compile(
    r"\b(?:cancel|cansel|anul|borr|elimin|olvida|olvide[lmn]|olbide|dej|tumb|bota|arrepent|"
    r"desist|abort|abandon|suspend|"
    r"interrump|deten|stop|fren|baja\b|salir|sali\b|termin|paren|para\b|fuera|ya no\b|ya fue|"
    r"nada\b|mejor no|al final no|"
    r"no (?:lo |la |me |le )*(?:quiero|voy|vamos|sigo|sigas|siga|hag|mand|envi|compr|llev|cojo|"
    r"tomo)|quit\w* (?:to|eso))"
)
_ENDS_NOTHING = re.compile(
    r"\bdej[ae]\w* (?:en|con|al|a la|donde|afuera|abajo|arriba)\b|\bno (?:\w+ )?(?:cancel|anul|"
    r"borr)"
    r"|\bcancel\w* (?:con|en|por)\b|\b(?:me|nos) (?:cancelaron|anularon)\b|\bcomo (?:cancel|anul)"
)
_CALLS_NOBODY = re.compile(
    r"\bno (?:necesito|requiero|hace falta)\b|\bhable\b|^(?:soy|trabajo|voy con|mesa)\b|"
    r"^si alguien\b"
)
_SHRUGS = re.compile(r"no (?:pasa nada|importa|te preocupes|se preocupe)")  # they reject nothing
_LATER = re.compile(
    r"\b(?:todavia no|aun no|(?:mas|mejor) tarde|luego|despues|dsp|manana|ahorita|en un rato|"
    r"al rato|mas adelante|la semana"
    r" que viene|otro dia)\b.*\b(?:confirm|avis|dig|escrib|habl|llam|veo|vemos|cont|respond|"
    r"decid|resuelv)\w*"
    r"|\b(?:confirm|avis|dig|escrib|respond|contest)\w* (?:\w+ )?(?:luego|despues|dsp|manana|"
    r"mas tarde|al rato|en un rato)"
    r"|\b(?:deja\w*|deje\w*|tengo que|debo|voy a|necesito) (?:\w+ )?(?:ver|pensar|consultar|"
    r"preguntar|hablar|revisar|"
    r"chequear|mirar)\w*"
    r"|\blo (?:pienso|consulto|veo|charlo|hablo|reviso|miro)\b|\besper(?:a|e|en|ad|ame|eme|ate|"
    r"ese|enme)\b|\bperame\b|\baguant\w+"
    r"|\b(?:un|dame un|deme un) (?:momento|momentito|segundo|minuto|ratito|toque)\b|"
    r"\bya (?:vuelvo|vengo|te digo|le digo)\b"
    r"|^(?:todavia|aun) no$|^(?:luego|despues|mas tarde|mas adelante|al rato)$"
)


@dataclass(frozen=True, slots=True)
class HeardAct:
    """What the classifier makes of a part of a message: the likeliest act, its probability, and its span."""

    act: str
    chance: float
    start: int = 0
    end: int = 0
    yes: float = 0.0  # how probable a yes is


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the classifier makes of a whole message, and of its parts where it has several acts."""

    whole: HeardAct
    parts: tuple[HeardAct, ...]
    words: int = 0  # how many there are
    by_words: bool = False  # no encoder told what they mean

    @property
    def yes_bar(self) -> float:
        return YES_BAR_BY_WORDS if self.by_words else YES_BAR

    def is_sure(self, part: HeardAct, bar: float) -> bool:
        return part.chance >= (max(bar, BY_WORDS) if self.by_words else bar)


@dataclass(frozen=True, slots=True)
class _Ear:
    """The classifier at one message."""

    classifier: Classifier
    text: Text
    waiting: str
    encode: Encode | None

    def chances(self, start: int, end: int, *, fully: bool = True) -> Numbers:
        """How probable each act is for some of the words, by their meaning too where `fully`."""
        said = self.text.original(start, end).strip() if (start, end) != (0, len(self.text.folded)) else self.text.raw
        vector = vector_in(self.waiting, self.encode(said)) if self.encode is not None and fully else None
        return self.classifier.probabilities(said, contexts_of(self.waiting), vector)

    def heard(self, start: int, end: int, chances: Numbers) -> HeardAct:
        """The likeliest single act."""
        labels = self.classifier.labels
        alone = chances.copy()
        alone[labels.index(MIXED)] = 0
        best = int(alone.argmax())
        return HeardAct(labels[best], float(alone[best]), start, end, float(chances[labels.index("affirm")]))

    def mixed(self, chances: Numbers) -> float:
        return float(chances[self.classifier.labels.index(MIXED)])


def hear(text: Text, waiting: str, encode: Encode | None) -> Hearing:
    """Ask the classifier; without a sentence encoder it goes by the words alone."""
    ear = _Ear(load_classifier(ACTS), text, waiting, encode)
    end = len(text.folded)
    chances = ear.chances(0, end)
    parts = tuple(_parts(ear, (0, end), cuts(text), chances))
    return Hearing(ear.heard(0, end, chances), parts, len(tokens_of(text)), by_words=encode is None)


def _parts(ear: _Ear, span: tuple[int, int], places: Sequence[int], chances: Numbers) -> Iterator[HeardAct]:
    """The acts of some words, cut in two where both sides are clear; the right side may be cut again."""
    start, end = span
    mixed = ear.mixed(chances)
    inside = [place for place in places if start < place < end] if mixed >= UNMIXED else []
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
    """The acts of the tables, with what the classifier adds and without a yes that is none.

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
    parts = hearing.parts
    found = _without_overruled(found, hearing)
    for part in parts:
        if part.act == "affirm" and waiting != waiting_for("boolean"):
            continue  # at a summary it was judged before; elsewhere nothing waits for one
        bar = BARS[kind].get(part.act)
        if bar is not None and hearing.is_sure(part, bar) and not _may_be_a_value(text, part, kind):
            does = "skip" if part.act == "deny" and _asks_a_value(waiting) else KINDS[part.act]
            found = _with(text, found, (does, part), [each for each in parts if each is not part])
    return _in_order(found)


def _without_overruled(acts: list[Act], hearing: Hearing) -> list[Act]:
    """The acts of the tables, without those that are only a part of the one act of which the classifier is sure."""
    whole = hearing.whole
    if len(hearing.parts) > 1 or not hearing.is_sure(whole, OVERRULES):
        return acts
    overruled = OVERRULED.get(whole.act, frozenset())
    return [act for act in acts if act.kind not in overruled or (act.kind == "human" and act.whole)]


def _in_order(acts: Iterable[Act]) -> tuple[Act, ...]:
    return tuple(sorted(acts, key=lambda act: (act.start, act.end)))


def _yes(text: Text, hearing: Hearing, deed: Deed) -> list[Act] | None:
    """The yes to a summary, and the question beside it; None where it is none, or something else beside it."""
    whole = hearing.whole

    def says_yes(part: HeardAct) -> bool:
        return is_yes(text, part.start, part.end, part.yes, bar=hearing.yes_bar, deed=deed)

    if says_yes(whole):
        return [_act("affirm", whole, whole=True)]
    yeses = [part for part in hearing.parts if says_yes(part)]
    others = [part for part in hearing.parts if part not in yeses]
    if not yeses or not {part.act for part in others} <= LIGHT | {"info_question"}:
        return None
    if whole.act in LIGHT and whole.yes < IMPROBABLE:
        return None  # "vale, gracias" may only end the talk
    questions = [part for part in others if part.act == "info_question"]
    span = HeardAct("affirm", min(part.yes for part in yeses), yeses[0].start, yeses[-1].end)
    return [_act("affirm", span, whole=not questions), *(_act("question", part, whole=False) for part in questions)]


def _is_no_yes(text: Text, act: Act, hearing: Hearing) -> bool:
    """Whether a yes that the tables have heard is surely none: "listo?", "bueno…", "puede ser"."""
    whole = hearing.whole
    if act.whole and (whole.yes < IMPROBABLE or speaks_against(text, 0, len(text.folded))):
        return True
    if not act.whole and "?" in text.raw:
        return True  # with a question it was judged before, and is none
    return whole.act != "affirm" and whole.chance >= SURE_AGAINST_A_YES and len(hearing.parts) == 1


def _puts_off(text: Text, acts: Sequence[Act], hearing: Hearing) -> bool:
    """Whether the answer is neither yes nor no, but not yet."""
    whole = hearing.whole
    if "?" in text.raw or any(act.kind in {"cancel", "human", "correct"} for act in acts):
        return False
    return whole.act in NOT_YET and _LATER.search(text.folded.strip(" .!¡…")) is not None


def _asks_a_value(waiting: str) -> bool:
    """Whether a no to what is asked means that it is not given: to a yes-or-no question or a choice it is an answer."""
    return waiting.startswith(f"{SLOT}:") and waiting not in {waiting_for("boolean"), waiting_for("choice")}


def _with(text: Text, acts: list[Act], done: tuple[str, HeardAct], others: Sequence[HeardAct]) -> list[Act]:
    """The acts with what a part does, unless the tables have settled it otherwise."""
    kind, part = done
    beside = {each.act for each in others}
    whole = beside <= IGNORED[kind]
    if kind == "change":
        return _with_a_change(acts, part) if whole else acts
    if kind == "greet" and others and _EXCUSE.fullmatch(text.folded, part.start, part.end):
        return acts  # "disculpe" before something else opens it, and greets nobody
    if kind == "greet" and any(act.kind == "bye" for act in acts):
        kind = "bye"  # the corpus calls a farewell a greeting
    same = [act for act in acts if act.kind == kind]
    rest = [act for act in acts if act.kind != kind]
    if kind == "chitchat" and (acts or others):
        return acts
    if not _has_cue(text.folded, kind):
        return acts
    overlapping = [act for act in rest if act.start < part.end and part.start < act.end]
    if kind == "cancel" and whole:  # "no, dejá, no quiero nada", "sí, cancele el pedido": the no or yes is a part of it
        overlapping = [act for act in overlapping if not _opens_it(act)]
        rest = [act for act in rest if not _opens_it(act)]
    if kind == "skip":  # "ni en sueños, después me llaman": the no is a part of it
        overlapping = [act for act in overlapping if act.kind != "deny" or act.whole]
    if any(act.whole or act.kind in SETTLED for act in overlapping):
        return acts
    if same and (kind not in WHOLLY or not whole):
        return acts
    return [_act(kind, part, whole=whole), *rest]


def _with_a_change(acts: list[Act], part: HeardAct) -> list[Act]:
    """The acts with a change that no table has words for; a yes before it is none to what was shown."""
    if any(act.whole or act.kind in {"cancel", "human", "later"} for act in acts):
        return acts
    return [_act("change", part, whole=False), *(act for act in acts if act.kind != "affirm")]


def _opens_it(act: Act) -> bool:
    return act.kind == "deny" or (act.kind == "affirm" and not act.whole)


def _has_cue(said: str, kind: str) -> bool:
    """Whether the words allow what the classifier alone has heard: an end of it all, a person, a no."""
    match kind:
        case "cancel":
            return _ENDS.search(said) is not None and _ENDS_NOTHING.search(said) is None
        case "human":
            return _CALLS_NOBODY.search(said) is None
        case "deny":
            return _SHRUGS.fullmatch(said.strip(" .!,")) is None
    return True


def _act(kind: str, part: HeardAct, *, whole: bool) -> Act:
    return Act(kind, part.start, part.end, whole, confidence=round(100 * part.chance))


def _may_be_a_value(text: Text, part: HeardAct, kind: str) -> bool:
    """Whether a message looks like the value that was asked for, whatever else it sounds like."""
    if kind != SLOT or part.act != "deny":
        return False
    return any(letter.isdigit() or letter == "@" for letter in text.folded[part.start : part.end])


def feeling(found: Sentiment, hearing: Hearing) -> Sentiment:
    """The sentiment, also where anger is told without one of the words of anger."""
    heard = hearing.whole
    sure = BAD_TEMPER_BY_WORDS if hearing.by_words else IRONY if found.score > 0 else BAD_TEMPER
    praised = found.score > 0 and hearing.words < FEWEST_OF_IRONY  # "excelente servicio" is meant so
    if heard.act != "negative" or heard.chance < sure or praised:
        return found
    return min(found, DISPLEASED, key=lambda each: each.score)
