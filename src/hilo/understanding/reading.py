"""Reading a message: all that the embedded understander sees in it before anything is decided."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal, Protocol
from zoneinfo import ZoneInfo

from hilo.agent.declaration import Agent, Slot
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.commands import WantAlso
from hilo.dialogue.escalation import Signals
from hilo.recognisers.normalise import MAX_CHARACTERS, Span, Text, hidden, words
from hilo.slots.utterance import SURE
from hilo.understanding.acts.deeds import deed_of
from hilo.understanding.acts.hearing import (
    ANGER,
    DISPLEASED,
    GRUMBLE,
    HeardAct,
    Hearing,
    feeling,
    hear,
    settle,
)
from hilo.understanding.acts.recognise import Act
from hilo.understanding.acts.sentiment import Sentiment
from hilo.understanding.acts.tabled import find_acts, mood_of
from hilo.understanding.acts.trained import NOTHING, SLOT
from hilo.understanding.intents.encoder import Encoder, load_encoder
from hilo.understanding.intents.standard import wants_something_else
from hilo.understanding.knowledge.index import KnowledgeIndex
from hilo.understanding.mentions import Mention, SlotVocabulary, keywords_in, slot_mentions, vocabulary
from hilo.understanding.ordered_goods import (
    SURELY_TOLD,
    chosen_words,
    known_goods,
    names_goods,
    ordered_goods,
    tells_a_look,
    without_mere_answers,
)
from hilo.understanding.orders.catalogue import build_catalogue
from hilo.understanding.orders.lines import OrderLine
from hilo.understanding.orders.spots import Shelf, build_shelf
from hilo.understanding.parts import (
    ANYTHING,
    EDGES,
    LONGEST_RANKED,
    SURE_INTENT,
    Part,
    Ranked,
    Topic,
    is_sure_or_alone,
    ranked_parts,
    topic_of,
)
from hilo.understanding.person_names import names_in
from hilo.understanding.plain_phrases import told_before
from hilo.understanding.slot_values import Values

_LETTERS = re.compile(r"[^\W\d_]+")
SHORT = 40  # letters of what many contacts write alike: "sí", "hola", "gracias"
WANTS_HUMAN = "wants_human"
SURELY_HEARD = 0.6  # of the values in messages that so surely give none, one in twenty is one
BORNE_OUT = 15  # so sure must the whole be of what only one of its parts means
SURE_BESIDE_AN_ANSWER = 90  # … and where the answer was that the contact does not know
SURELY_OURS = 85  # so sure an intent goes before acts that only the classifier hears, and is meant in anger too
LEAVING = frozenset({"cancel", "skip", "human"})  # what a contact leaves something by
LIKELY_TASK = 25  # so sure is enough of a flow, where the classifier of acts hears that something is to be done


class IntentRanker(Protocol):
    """Ranks the agent's intents for a text."""

    def rank(self, text: str) -> Ranked: ...


@dataclass(frozen=True, slots=True)
class Understander:
    """What is prepared once per agent. `open` are the slots that stand as placeholders in its examples."""

    agent: Agent
    vocabulary: SlotVocabulary
    zone: ZoneInfo
    intents: IntentRanker | None = None
    open: tuple[Slot, ...] = ()
    shelf: Shelf | None = None
    knowledge: KnowledgeIndex | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message says, with where it says it."""

    text: Text
    acts: tuple[Act, ...]
    sentiment: Sentiment
    values: Values
    mentions: tuple[Mention, ...] = ()
    keywords: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    meant: tuple[str, ...] = ()
    topic: Topic = ""
    confidence: int = 0
    alternatives: tuple[tuple[str, int], ...] = ()
    cut: bool = False
    lines: tuple[OrderLine, ...] = ()
    refers_to: str = ""  # what words like "la más barata" were taken for
    hearing: Hearing | None = None  # what the classifier of acts makes of it, where it was asked
    leaves_goods: bool = False  # what is left is something that is sold, not all: "dejá el fernet"
    left: Literal["", "as it is", "to see"] = ""  # what a summary is to be, where nothing else is said
    also: tuple[WantAlso, ...] = ()  # what the rest of the message wants once more

    @property
    def intent(self) -> str:
        """What the message means above all, when that is sure."""
        return self.meant[0] if self.meant else ""

    @property
    def surely_means(self) -> bool:
        """Whether its intent is so sure that it goes before an answer to what was asked."""
        return self.confidence >= SURELY_OURS

    @property
    def asks(self) -> bool:
        """Whether it asks something, by its words or by a question mark."""
        return self.has("question") or "?" in self.text.raw

    def has(self, *kinds: str) -> bool:
        """Whether the message does one of these."""
        return any(act.kind in kinds for act in self.acts)

    def is_only(self, *kinds: str) -> bool:
        """Whether the message does one of these and nothing else."""
        return any(act.kind in kinds and act.whole for act in self.acts)

    @property
    def withheld(self) -> tuple[str, ...]:
        """The slots that are named where the message says that there is nothing for them: "no uso mail"."""
        skips = [act for act in self.acts if act.kind == "skip"]
        return tuple(each.slot for each in self.mentions if any(act.start <= each.start < act.end for act in skips))

    def about_nothing(self) -> "Reading":
        """The same words, of which nothing is meant."""
        values = self.values.without([(0, len(self.text.folded))])
        return replace(
            self, acts=(), values=values, mentions=(), parts=(), meant=(), lines=(), confidence=0, alternatives=()
        )

    def heard_at(self, place: tuple[int, int] | None = None) -> HeardAct | None:
        """What the classifier makes of the message, or of its part at a place."""
        if self.hearing is None:
            return None
        start, end = place or (0, len(self.text.folded))
        for part in self.hearing.parts:
            if part.start <= start and end <= part.end:
                return part
        return self.hearing.whole

    def is_heard(
        self, acts: Container[str], place: tuple[int, int] | None = None, *, bar: float = SURELY_HEARD
    ) -> bool:
        """Whether the classifier is sure that the message, or its part at a place, does one of these."""
        heard = self.heard_at(place)
        if self.hearing is None or heard is None:
            return False
        return heard.act in acts and self.hearing.is_sure(heard, bar)

    def signals(self, at: datetime) -> Signals:
        """What escalation policies look at."""
        human = (WANTS_HUMAN,) if self.has("human") else ()
        return Signals(
            at=at,
            keywords=self.keywords,
            sentiment=self.sentiment.score,
            sentiment_causes=self.sentiment.causes,
            intents=(*self.meant, *human),
        )


def understander(
    agent: Agent, *, intents: IntentRanker | None = None, knowledge: KnowledgeIndex | None = None
) -> Understander:
    """Prepare an agent's words."""
    examples = [*(flow.starts for flow in agent.flows.values()), *(each.examples for each in agent.intents.values())]
    named = {name for texts in examples for text in texts for name in PLACEHOLDER.findall(text)}
    slots = tuple(slot for name, slot in agent.slots.items() if name in named)
    shelf = build_shelf(build_catalogue(agent.goods, names=agent.meanings("goods"))) if agent.goods else None
    return Understander(agent, vocabulary(agent), ZoneInfo(agent.timezone), intents, slots, shelf, knowledge)


def intent_examples(agent: Agent) -> Mapping[str, tuple[str, ...]]:
    """What the intent model learns from: an agent's intents, and the flows that start by examples."""
    flows = {name: flow.examples for name, flow in agent.flows.items() if flow.examples or flow.like}
    return {**{name: intent.examples for name, intent in agent.intents.items()}, **flows}


def speaks_spanish(agent: Agent) -> bool:
    """Whether what was learnt from the corpus, which is Spanish, is of use to an agent."""
    return agent.language.startswith("es")


def standard_likes(agent: Agent) -> Mapping[str, str] | None:
    """The standard intents that an agent's own are like; None where they are of no use."""
    if not speaks_spanish(agent):
        return None
    intents = {name: intent.like for name, intent in agent.intents.items() if intent.like}
    flows = {name: flow.like for name, flow in agent.flows.items() if flow.like}
    return {**intents, **flows}


def rank(understander: Understander, values: Values, *, does_one_thing: bool = False) -> tuple[Part, ...]:
    """What the parts of a message mean, the surest first, each as examples are written.

    Where it does one thing alone, as far as its acts tell, a part means nothing that the whole cannot mean.
    """
    intents = understander.intents
    if intents is None:
        return ()
    agent, text, spans = understander.agent, values.text.raw, _value_spans(understander, values)
    likely = _value_spans(understander, values, least=0)

    def mean(span: Span) -> Ranked:
        told = intents.rank(_without(text, spans, *span))
        if is_sure(told) or not any(span[0] <= start and end <= span[1] for start, end in spans):
            return told
        # an example may have the value in its own words: "cuánto dura un frasco"
        worded = intents.rank(text[slice(*span)].strip(" ,¿¡"))
        return worded if worded.confidence >= SURELY_OURS and worded.intent in agent.intents else told

    def gives_values(span: Span) -> bool:
        return set(_LETTERS.findall(_without(text, likely, *span))) <= {ANYTHING}

    parts = ranked_parts(understander.agent, text, mean, gives_values)
    if len(parts) == 1 or not does_one_thing or _are_several(parts):
        return parts
    everything = (0, len(text[:LONGEST_RANKED]))
    whole = Part(text[slice(*everything)].strip(EDGES), mean(everything))
    return parts if _is_borne_out(parts[0], whole.ranked) else (whole,)


def _are_several(parts: Sequence[Part]) -> bool:
    """Whether the parts of a message surely mean different things."""
    return len({part.ranked.intent for part in parts if part.ranked.intent and is_sure(part.ranked)}) > 1


def _is_borne_out(part: Part, whole: Ranked) -> bool:
    """Whether a message may mean what its surest part means: "qué rabia. mi perro rompió la caja" is no complaint."""
    may_be: dict[str | None, int] = {whole.intent: whole.confidence, **dict(whole.alternatives)}
    return may_be.get(part.ranked.intent, 0) >= BORNE_OUT


def _value_spans(understander: Understander, values: Values, least: float = SURE) -> tuple[tuple[int, int], ...]:
    """Where the values of the examples' placeholders stand."""
    found = [each for slot in understander.open for each in values.of(slot) if each.confidence >= least]
    return tuple(sorted({values.text.span(each.start, each.end) for each in found}, reverse=True))


def _without(text: str, spans: tuple[tuple[int, int], ...], start: int, end: int) -> str:
    """A part as examples are written: a word for anything where a placeholder's value stands."""
    for first, last in spans:
        if start <= first and last <= end:
            text, end = f"{text[:first]}{ANYTHING}{text[last:]}", end + len(ANYTHING) - (last - first)
    return text[start:end].strip(" ,¿¡")


def is_sure(ranked: Ranked) -> bool:
    """Whether an intent is sure enough to be proposed while something else is asked."""
    return ranked.confidence >= SURE_INTENT


def _is_our_own(agent: Agent, ranked: Sequence[Ranked]) -> bool:
    """Whether the agent's own examples surely tell what a message means, and that it undoes nothing."""
    best = ranked[0] if ranked else None
    if best is None or best.confidence < SURELY_OURS or not best.intent:
        return False
    flow = agent.flows.get(best.intent)
    return flow is None or not flow.undoes


def _likely_task(agent: Agent, ranked: Sequence[Ranked]) -> tuple[str, ...]:
    """The flow that a message is likeliest about; one that undoes something has to be surer."""
    best = ranked[0] if ranked else None
    flow = agent.flows.get(best.intent or "") if best else None
    if best is None or flow is None or flow.undoes or best.confidence < LIKELY_TASK:
        return ()
    return (str(best.intent),)


def _alternatives(best: Ranked, meant: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """What else it may mean; also the likeliest, where that is not sure enough to be meant."""
    unsure = ((best.intent, best.confidence),) if best.intent and best.intent not in meant else ()
    return (*unsure, *best.alternatives)


def read(  # noqa: PLR0913 -- all that is known of a message
    understander: Understander,
    text: str,
    *,
    at: datetime,
    waiting: str = NOTHING,
    asked: str = "",
    own_number: str = "",
) -> Reading:
    """Read one message, given what is waited for; a pressed button waits for nothing ("") to be heard.

    `asked` are the words of a summary that waits for a yes.
    `own_number` is the phone that the contact writes from, where the channel tells it: "llámenme a este".
    """
    agent = understander.agent
    folded = _without_complaint(agent.fold(text))
    said = words(folded)
    heard = _hear(understander, folded, waiting, asked)
    values = _find_values(agent, heard, at.astimezone(understander.zone), own_number)
    parts = rank(understander, values, does_one_thing=heard.does_one_thing) if said else ()
    values = _without_mere_talk(values, heard)
    ranked = [each.ranked for each in parts]
    heard = _without_contradicted(agent, heard, ranked)
    meant = _meant(agent, heard, ranked, waiting)
    lines: tuple[OrderLine, ...] = ()
    if agent.orders:
        lines = without_mere_answers(heard.hearing, waiting, ordered_goods(agent, understander.shelf, values))
    if lines:
        values = values.with_goods((*known_goods(lines), *chosen_words(understander.open, values)))
    return Reading(
        text=folded,
        acts=heard.acts,
        sentiment=heard.sentiment,
        values=values,
        mentions=slot_mentions(understander.vocabulary, said),
        keywords=keywords_in(understander.vocabulary, said),
        parts=parts,
        meant=meant,
        topic=topic_of(agent, meant),
        confidence=ranked[0].confidence if ranked else 0,
        alternatives=_alternatives(ranked[0], meant) if ranked else (),
        cut=len(text) > MAX_CHARACTERS,
        lines=lines,
        hearing=heard.hearing,
        leaves_goods=_leaves_goods(understander.shelf, heard),
    )


# --- the stages of a reading, in their order ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a message does and how it sounds: by the tables of words, and by the classifier with them as clues."""

    text: Text
    tabled: tuple[Act, ...]
    acts: tuple[Act, ...]
    sentiment: Sentiment
    hearing: Hearing | None = None
    encoder: Encoder | None = None

    @property
    def does_one_thing(self) -> bool:
        questions = [act for act in self.tabled if act.kind == "question"]
        return self.hearing is not None and len(self.hearing.parts) == 1 and len(questions) <= 1

    def does(self, act: str) -> bool:
        """Whether the classifier was asked, and hears this act in the message."""
        return self.hearing is not None and self.hearing.does(act)

    def only_classified(self, *kinds: str) -> frozenset[Act]:
        """The acts of these kinds that the classifier alone hears: other signs may speak against them."""
        return frozenset(act for act in self.acts if act.kind in kinds and act not in self.tabled)

    def without(self, acts: Container[Act]) -> "_Heard":
        return replace(self, acts=tuple(act for act in self.acts if act not in acts))


def _without_complaint(text: Text) -> Text:
    """A yes or a no without the words that it was told before: "que sí, ya te dije" says nothing but yes."""
    told = [each.span() for each in told_before().finditer(text.folded)]
    rest = hidden(text, told)
    is_answer = any(act.whole and act.kind in {"affirm", "deny"} for act in find_acts(rest)) if told else False
    return rest if is_answer else text


def _hear(understander: Understander, text: Text, waiting: str, asked: str) -> _Heard:
    """The acts and the mood of a message."""
    tabled, mood = find_acts(text), mood_of(text)
    if not words(text) or not waiting or not speaks_spanish(understander.agent):
        return _Heard(text, tabled, tabled, mood)
    # an agent without intents does not load the encoder for this alone
    encoder = load_encoder() if understander.intents is not None else None
    hearing = _heard(text, waiting, encoder)
    acts = settle(text, tabled, hearing, waiting, deed_of(asked))
    return _Heard(text, tabled, acts, feeling(mood, hearing), hearing, encoder)


def _find_values(agent: Agent, heard: _Heard, now: datetime, own_number: str) -> Values:
    """What the recognisers find, given what the message does."""
    told = heard.acts
    if _is_told(heard.text, heard.hearing):
        told = tuple(act for act in heard.acts if act.kind != "question")
    has_towns = any(slot.kind.place == "town" for slot in agent.slots.values())
    names = names_in if speaks_spanish(agent) else None
    country, language = agent.country, agent.language
    return Values(heard.text, told, now, country, language, own_number, has_towns, names=names)


def _without_mere_talk(values: Values, heard: _Heard) -> Values:
    """The values without what stands in words that give none."""
    # who adds that they said it before gives no value by that
    values = values.without([each.span() for each in told_before().finditer(heard.text.folded)])
    if any(act.kind == "later" for act in heard.acts):
        values = values.without([(0, len(heard.text.folded))])  # "mañana le confirmo" gives no date
    return values


def _without_contradicted(agent: Agent, heard: _Heard, ranked: Sequence[Ranked]) -> _Heard:
    """What is heard, without acts and a mood that the meaning of the message speaks against."""
    doubtful = heard.only_classified(*LEAVING)
    if doubtful and _is_our_own(agent, ranked):
        # "lo retiro" is what the agent knows to do, and no wish to leave it
        heard = heard.without(doubtful)
    unsure = {act for act in doubtful if act.kind != "skip"}
    is_cross = heard.sentiment.score < DISPLEASED.score and not heard.does(ANGER)
    if (unsure or is_cross) and _wants_something_else(heard):
        mood = GRUMBLE if is_cross else heard.sentiment
        heard = replace(heard.without(unsure), sentiment=mood)
    if agent.orders and tells_a_look(words(heard.text)):
        heard = heard.without(heard.only_classified("human"))
    return heard


def _wants_something_else(heard: _Heard) -> bool:
    """Whether the message is about one of the things that people ask of any business."""
    text, encoder = heard.text.raw, heard.encoder
    return encoder is not None and wants_something_else(text, encoder.encode([text])[0])


def _meant(agent: Agent, heard: _Heard, ranked: Sequence[Ranked], waiting: str) -> tuple[str, ...]:
    """The intents that are sure enough to be meant; how sure is enough hangs on what the message does."""
    if waiting.startswith(SLOT) and any(act.whole and act.kind == "skip" for act in heard.acts):
        # who does not know what was asked has answered, and hardly wishes anything else
        return _at_least(SURE_BESIDE_AN_ANSWER, ranked)
    if heard.does("negative"):
        return _at_least(SURELY_OURS, ranked)
    answers = waiting != NOTHING or any(act.whole and act.kind != "question" for act in heard.acts)
    # An answer or small talk may look like a wish; an agent with bands says itself how sure is sure.
    is_meant = is_sure if answers or agent.confidence else is_sure_or_alone
    meant = tuple(dict.fromkeys(each.intent for each in ranked if each.intent and is_meant(each)))
    if not meant and waiting == NOTHING and heard.does("order"):
        return _likely_task(agent, ranked)
    return meant


def _at_least(confidence: int, ranked: Sequence[Ranked]) -> tuple[str, ...]:
    return tuple(each.intent for each in ranked if each.intent and each.confidence >= confidence)


def _heard(text: Text, waiting: str, encoder: Encoder | None) -> Hearing:
    """What the classifier of acts makes of a message; short ones, which come again and again, are remembered."""
    if len(text.folded) <= SHORT and encoder is load_encoder():
        return _remembered(text, waiting)
    return hear(text, waiting, (lambda said: encoder.encode([said])[0]) if encoder else None)


@lru_cache(maxsize=1024)
def _remembered(text: Text, waiting: str) -> Hearing:
    encoder = load_encoder()
    return hear(text, waiting, (lambda said: encoder.encode([said])[0]) if encoder else None)


def _leaves_goods(shelf: Shelf | None, heard: _Heard) -> bool:
    """Whether what is left is something that is sold, and not all: "dejá el fernet"."""
    return bool(heard.only_classified("cancel")) and shelf is not None and names_goods(shelf, heard.text)


def _is_told(text: Text, hearing: Hearing | None) -> bool:
    """Whether words that may ask surely give something: "como 20 mil", "puedo gastar 600"."""
    if hearing is None or "?" in text.folded:
        return False
    return hearing.whole.act == "provide" and hearing.is_sure(hearing.whole, SURELY_TOLD)
