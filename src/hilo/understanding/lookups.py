"""Which parts of a message the agent's pages answer: questions that no intent of the agent is nearer to.

Sections and intents are compared as answers alike; what neither knows falls on to the ladder. An order, a value, a yes
or a goodbye is no question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from hilo.agent.declaration import Agent, Bands
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    Command,
    Deny,
    Digress,
    OfferSections,
    Quote,
    StartFlow,
)
from hilo.dialogue.session import AskedSlot, Session
from hilo.recognisers.normalise import fold
from hilo.slots.utterance import SURE as SURE_VALUE
from hilo.understanding.arguments import calls_of
from hilo.understanding.intents.gist import gist, is_courtesy
from hilo.understanding.knowledge.index import FoundSection, KnowledgeIndex
from hilo.understanding.not_ours import kind_of
from hilo.understanding.parts import (
    LIKELY_INTENT,
    LONGEST_RANKED,
    MOST_CLAUSES,
    SURE_INTENT,
    Ranked,
    clauses,
    is_sure_or_alone,
)
from hilo.understanding.reading import Reading

SURE = 60  # from here on a section is quoted
SURE_IF_TOLD = 75  # where nothing is asked: "vivo solo, sin mascotas" is no question about them
SURE_BESIDE_A_TEXT = 85  # where any words may be the answer that was asked for
SURE_ANSWER = 50  # from here on the answer of an intent is said that the intent model was not sure of
MAY_BE_MEANT = 15  # from here on an intent is compared with the sections
A_SHARE, SURE_OF_BOTH = 25, 70  # what each of two intents must have, and both together, for both to be answered
PERHAPS = 30  # from here on it is quoted with a word of doubt
MAY_ANSWER = 18  # from here on a section is offered
MOST_OFFERED = 2
LEAST_RIVAL = 4  # what makes a section worth being offered beside the likeliest one
WORTH_TELLING = 15  # below it nobody wants to know which section was nearest
MOST_QUOTED = 2  # of one message
UNSURE = "which is not sure enough"
ENOUGH = "enough is quoted already"

SURE_QUESTION = 85  # how sure it must be that words without a mark ask something
# What may stand beside a question that the pages answer; anything else is what the message is about.
_BESIDE = Affirm | Deny | StartFlow | AskInfo | CallTool | Digress
_SOUNDS_LIKE_A_QUESTION = re.compile(
    r"(?:y |e |pero |consulta )*(?:como|cual|cuales|cuant[oa]s?|donde|quien(?:es)?|puedo|se puede|tengo que|hay que|"
    r"hace falta|necesito saber|quer(?:ia|emos) saber|how|what|where|which|can i|do you|is there|onde|posso|tem) "
)
NO_QUESTION = (
    "affirm", "deny", "greet", "thanks", "bye", "chitchat", "repeat", "skip", "later", "cancel", "correct", "human"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lookup:
    """A part of a message that asks, what was found for it in the agent's pages, and what became of that."""

    asked: str
    source: str
    confidence: int
    quoted: bool
    reason: str = ""  # why it is not quoted

    @property
    def unsure(self) -> bool:
        """Whether it is not quoted because it may not answer."""
        return self.reason == UNSURE

    def __str__(self) -> str:
        told = f"quoted {self.source}" if self.quoted else f"not quoted: {self.source}"
        reason = f", {self.reason}" if self.reason else ""
        return f"“{self.asked}” {self.confidence} of 100, {told}{reason}"


@dataclass(frozen=True, slots=True)
class AskingPart:
    """A part of a message that asks something, and what its intent may be; one that only tells is `told`."""

    text: str
    ranked: Ranked | None
    told: bool = False


@dataclass(frozen=True, slots=True)
class _Answers:
    """What may answer a part that asks, sections and intents, the nearest first."""

    agent: Agent
    session: Session
    asked: AskingPart
    found: tuple[FoundSection, ...]
    meanings: frozenset[str]  # the intents and flows that were looked at, too
    now: datetime

    @property
    def sections(self) -> list[FoundSection]:
        return [each for each in self.found if not each.section.meaning]

    @property
    def intent(self) -> str:
        """What the part is taken for by the intent model."""
        return self.asked.ranked.intent or "" if self.asked.ranked else ""

    @property
    def is_sure_of_intent(self) -> bool:
        bands = self.agent.confidence or Bands()
        return self.asked.ranked is not None and self.asked.ranked.confidence >= bands.proceed

    @property
    def enough(self) -> int:
        """How sure a section must be: words that only tell, while something is asked, are rather the answer to it."""
        is_answer = _takes_any_words(self.agent, self.session) or (self.asked.told and not self.session.is_idle)
        if is_answer:
            return SURE_BESIDE_A_TEXT
        return SURE_IF_TOLD if self.asked.told else SURE

    def by_intents(self) -> list[Command]:
        """What intents answer that the model is not sure of: one that is nearer than sections, or two it is between."""
        if self.asked.told or _takes_any_words(self.agent, self.session) or self.is_sure_of_intent:
            return []
        likely = self.asked.ranked.confidence if self.asked.ranked else 0
        enough = likely if LIKELY_INTENT <= likely < SURE_ANSWER else SURE_ANSWER
        name = self.found[0].section.meaning if self.found else ""
        if self._informs(name) and self.found[0].confidence >= enough:
            return [*self._answers_of(name)]
        return self._either()

    def _either(self) -> list[Command]:
        """What is answered where two intents that inform share what the model is sure of: one of them is right."""
        if self.asked.ranked is None or self.asked.ranked.confidence >= SURE_INTENT:
            return []
        chances = [(self.intent, self.asked.ranked.confidence), *self.asked.ranked.alternatives]
        shares = {name: chance for name, chance in chances if chance >= A_SHARE}
        if sum(shares.values()) < SURE_OF_BOTH or not all(map(self._informs, shares)):
            return []
        return [each for name in shares for each in self._answers_of(name)]

    def _informs(self, name: str) -> bool:
        """Whether an intent tells something, and not that this is not done here."""
        intent = self.agent.intents.get(name)
        return intent is not None and intent.topic == "info" and not kind_of(self.agent, name)

    def _answers_of(self, name: str) -> Iterator[Command]:
        """The answer of an intent, or what its tool finds that needs to know no more."""
        intent = self.agent.intents[name]
        tool = self.agent.toolbox.get(intent.do)
        if intent.answer and not intent.do:
            yield AskInfo(name)
        elif tool and not self.agent.writes(intent.do) and set(tool.needed) <= intent.arguments.keys():
            yield from calls_of(self.agent, intent, self.asked.text, now=self.now)

    def reason_not_to(self) -> str:
        """Why the best section is not quoted: it may not answer, or an intent goes first.

        An intent that was looked at, too, goes first where it is nearer; any other one where it is sure, and so does
        one that says what is not done here: no page is about that.
        """
        best, intent = self.sections[0], self.intent
        if best.confidence < self.enough:
            return UNSURE
        if not intent or self.asked.ranked is None:
            return ""
        goes_first = self.is_sure_of_intent or self.asked.ranked.confidence >= best.confidence
        if intent in self.meanings and not kind_of(self.agent, intent):
            goes_first = bool(self.found[0].section.meaning)
        return f"the intent {intent} goes first" if goes_first else ""

    def is_nearer(self) -> bool:
        """Whether a section may answer, and is nearer than the intent that the model is not sure of."""
        if _takes_any_words(self.agent, self.session) or self.is_sure_of_intent:
            return False
        first = self.found[0]
        return self.intent in self.meanings and not first.section.meaning and first.confidence >= MAY_ANSWER

    def may_be_offered(self) -> bool:
        """Whether the best section is worth asking about: no intent is, and no words at all are waited for."""
        if self.asked.told or _takes_any_words(self.agent, self.session):
            return False
        if self.sections[0].confidence < MAY_ANSWER:
            return False
        likely = self.asked.ranked.confidence if self.asked.ranked else 0
        return self.is_nearer() or likely < (self.agent.confidence or Bands()).clarify

    def offered(self) -> tuple[str, ...]:
        likely = [each.section.source for each in self.sections if each.confidence >= LEAST_RIVAL]
        return tuple(dict.fromkeys(likely))[:MOST_OFFERED]


def with_quotes(
    index: KnowledgeIndex, agent: Agent, session: Session, reading: Reading, proposed: Sequence[Command]
) -> tuple[tuple[Command, ...], tuple[Lookup, ...]]:
    """What a message proposes, with what the pages answer of it, and all that was looked up."""
    commands, lookups = list(proposed), list[Lookup]()
    if not _may_ask(agent, reading, proposed):
        return tuple(commands), ()
    offered: tuple[str, ...] = ()
    for asked in _asked_of_pages(index, agent, session, reading, proposed):
        found = index.find(asked.text, _named(asked))
        answers = _Answers(agent, session, asked, found, index.meanings, reading.values.now)
        taken = _taken_for(reading, asked)
        others = [each for each in commands if not is_of_intent(agent, taken, each)]
        if own := answers.by_intents():
            kept = commands if AskInfo(taken) in own else others  # what is proposed may name a day, too
            met = {each.intent for each in kept if isinstance(each, AskInfo)}
            new = (each for each in own if each not in kept and not (isinstance(each, AskInfo) and each.intent in met))
            commands = [*kept, *new]
            continue
        best = next(iter(answers.sections), None)
        if best is None or best.confidence < WORTH_TELLING:
            continue
        reason = answers.reason_not_to()
        may_answer = reason == UNSURE and answers.may_be_offered()
        perhaps = may_answer and best.confidence >= PERHAPS
        quotes = [each for each in commands if isinstance(each, Quote)]
        is_new = best.section.source not in {each.source for each in quotes}
        if is_new and (perhaps or not reason) and len(quotes) == MOST_QUOTED:
            reason, may_answer, perhaps = ENOUGH, False, False
        if may_answer and answers.is_nearer():
            commands = others
        if is_new and (perhaps or not reason):
            commands = [*others, Quote(best.section.source, best.section.text, sure=not perhaps)]
        elif may_answer:
            offered = offered or answers.offered()
        lookups.append(Lookup(asked.text, best.section.source, best.confidence, perhaps or not reason, reason))
    rest = [each for each in commands if each != Digress("off_topic")]
    if any(isinstance(each, Quote | AskInfo | CallTool) for each in rest):
        commands = rest
    elif offered and not rest:
        commands = [OfferSections(offered)]
    return tuple(commands), tuple(lookups)


def _named(asked: AskingPart) -> set[str]:
    """What the intent model takes a part for, and what else it may well be: any other one would only hide a section."""
    if asked.ranked is None:
        return set()
    chances = ((asked.ranked.intent or "", asked.ranked.confidence), *asked.ranked.alternatives)
    return {name for name, chance in chances if chance >= MAY_BE_MEANT}


def _asked_of_pages(
    index: KnowledgeIndex, agent: Agent, session: Session, reading: Reading, proposed: Sequence[Command]
) -> Sequence[AskingPart]:
    """The parts that ask, or the whole message where it is the heading of a section."""
    if index.called(reading.text.raw):
        return [AskingPart(reading.text.raw, reading.parts[0].ranked if len(reading.parts) == 1 else None)]
    return list(asked_parts(agent, session, reading)) or _told(agent, session, reading, proposed)


def _told(agent: Agent, session: Session, reading: Reading, proposed: Sequence[Command]) -> list[AskingPart]:
    """The whole message where nothing else is heard in it: "está incluido el seguro", "necesito factura con el RUC".

    What is said to a question of ours is rather an answer to it, however it is put: "el de la oficina".
    """
    if (
        isinstance(session.pending, AskedSlot)
        or reading.lines
        or any(each != Digress("off_topic") for each in proposed)
    ):
        return []
    if any(each.confidence >= SURE_VALUE for slot in agent.slots.values() for each in reading.values.of(slot)):
        return []
    return [AskingPart(reading.text.raw[:LONGEST_RANKED], None, told=True)]


def _may_ask(agent: Agent, reading: Reading, proposed: Sequence[Command]) -> bool:
    if reading.is_only(*NO_QUESTION):
        return False
    return all(isinstance(each, _BESIDE) and not _is_no_question(agent, each) for each in proposed)


def _is_no_question(agent: Agent, command: Command) -> bool:
    """Whether a command orders goods, or answers a question about ourselves."""
    if isinstance(command, CallTool):
        return command.tool in agent.ordering.values()
    return isinstance(command, Digress) and command.kind not in ("off_topic", "too_long", "beside")


def asked_parts(agent: Agent, session: Session, reading: Reading) -> Iterator[AskingPart]:
    """The parts that ask, as intents are ranked for them; one that gives what was asked for does not.

    What surely means an intent that is answered asks, too, however it is put: "me puedo llevar la tabla".
    """
    raw = reading.text.raw
    spans = sorted((part.start, part.end) for part in reading.parts)
    if not spans:  # the agent has no intents
        spans = [span for span in clauses(raw[:LONGEST_RANKED], agent) if not is_courtesy(raw[slice(*span)])]
    if not 1 < len(spans) <= MOST_CLAUSES:
        spans = [(0, min(len(raw), LONGEST_RANKED))]
    ranked = {part.text: part.ranked for part in reading.parts}
    for start, end in spans:
        text = raw[start:end].strip(" ,¿¡")
        if (
            (_asks(reading, start, end) or _is_for_an_answer(agent, ranked.get(text)))
            and not echoes(agent, session, text)
            and not _gives_what_was_asked(agent, session, reading, (start, end))
        ):
            yield AskingPart(text, ranked.get(text) or (reading.parts[0].ranked if len(reading.parts) == 1 else None))


def echoes(agent: Agent, session: Session, text: str) -> bool:
    """Whether a part only says again what was asked for: "¿correo? uy, no me acuerdo"."""
    slot = agent.slots[session.pending.slot] if isinstance(session.pending, AskedSlot) else None
    if slot is None:
        return False
    said = set(re.findall(r"\w+", fold(text))) - {"el", "la", "mi", "y", "que", "un", "una"}
    return bool(said) and said <= set(re.findall(r"\w+", fold(" ".join((slot.label, *slot.also)))))


def _asks(reading: Reading, start: int, end: int) -> bool:
    """Whether a part has a question mark, or sounds as if it had."""
    text = reading.text.raw[start : end + 2]
    if "?" in text or _SOUNDS_LIKE_A_QUESTION.match(gist(text)):
        return True
    asking = [act for act in reading.acts if act.kind == "question" and act.confidence >= SURE_QUESTION]
    spans = [reading.text.span(act.start, act.end) for act in asking]
    return any(first < end and last > start for first, last in spans)


def _is_for_an_answer(agent: Agent, ranked: Ranked | None) -> bool:
    """Whether a part surely means an intent that is answered with information."""
    intent = agent.intents.get(ranked.intent or "") if ranked else None
    sure = (agent.confidence or Bands()).proceed
    return bool(intent and ranked and intent.topic == "info" and ranked.confidence >= sure)


def _gives_what_was_asked(agent: Agent, session: Session, reading: Reading, span: tuple[int, int]) -> bool:
    """Whether the value that was asked for stands in a part: "¿a las 9?" is an answer."""
    if not isinstance(session.pending, AskedSlot) or agent.slots[session.pending.slot].kind.is_free:
        return False
    found = [each for each in reading.values.of(agent.slots[session.pending.slot]) if each.confidence >= SURE_VALUE]
    spans = [reading.text.span(each.start, each.end) for each in found]
    return any(first < span[1] and last > span[0] for first, last in spans)


def _takes_any_words(agent: Agent, session: Session) -> bool:
    return isinstance(session.pending, AskedSlot) and agent.slots[session.pending.slot].kind.is_free


def _taken_for(reading: Reading, asked: AskingPart) -> str:
    """The intent that a part would have been taken for, if no other part means it too."""
    name = asked.ranked.intent if asked.ranked else None
    others = [part.ranked for part in reading.parts if part.ranked is not asked.ranked]
    if not name or any(each.intent == name and is_sure_or_alone(each) for each in others):
        return ""
    return name


def is_of_intent(agent: Agent, name: str, command: Command) -> bool:
    """Whether a command is what an intent or a flow's name proposes."""
    match command:
        case StartFlow(flow=meant) | AskInfo(intent=meant):
            return meant == name
        case CallTool(tool=tool):
            return name in agent.intents and agent.intents[name].do == tool
    return False
