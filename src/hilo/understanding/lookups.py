"""Which parts of a message the agent's pages answer: questions that no intent of the agent is surer of.

An intent that is sure goes first, then the pages, and what neither knows falls on to the ladder. An order, a value, a
yes or a goodbye is no question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from hilo.understanding.intents.gist import gist, is_courtesy
from hilo.understanding.knowledge.index import FoundSection, KnowledgeIndex
from hilo.understanding.parts import LONGEST_RANKED, MOST_CLAUSES, Ranked, clauses, is_sure_or_alone
from hilo.understanding.reading import Reading

SURE = 60  # from here on a section is quoted
SURE_BESIDE_A_TEXT = 85  # where any words may be the answer that was asked for
MAY_ANSWER = 25  # from here on a section is offered
MOST_OFFERED = 2
LEAST_RIVAL = 4  # what makes a section worth being offered beside the likeliest one
WORTH_TELLING = 20  # below it nobody wants to know which section was nearest
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
    """A part of a message that asks something, and what its intent may be."""

    text: str
    ranked: Ranked | None


def with_quotes(
    index: KnowledgeIndex, agent: Agent, session: Session, reading: Reading, proposed: Sequence[Command]
) -> tuple[tuple[Command, ...], tuple[Lookup, ...]]:
    """What a message proposes, with what the pages answer of it, and all that was looked up."""
    commands, lookups = list(proposed), list[Lookup]()
    if not _may_ask(agent, reading, proposed):
        return tuple(commands), ()
    offered: tuple[str, ...] = ()
    for asked in _asked_of_pages(index, agent, session, reading):
        found = index.find(asked.text)
        best = next(iter(found), None)
        if best is None or best.confidence < WORTH_TELLING:
            continue
        reason = _reason_not_to(agent, session, asked, best)
        quote = Quote(best.section.source, best.section.text)
        quotes = [each for each in commands if isinstance(each, Quote)]
        if not reason and quote not in quotes and len(quotes) == MOST_QUOTED:
            reason = ENOUGH
        if not reason and quote not in quotes:
            taken = _taken_for(reading, asked)
            commands = [each for each in commands if not is_of_intent(agent, taken, each)]
            commands.append(quote)
        elif reason == UNSURE and _may_be_offered(agent, session, asked, best):
            likely = [each.section.source for each in found if each.confidence >= LEAST_RIVAL]
            offered = offered or tuple(dict.fromkeys(likely))[:MOST_OFFERED]
        lookups.append(Lookup(asked.text, best.section.source, best.confidence, not reason, reason))
    rest = [each for each in commands if each != Digress("off_topic")]
    if any(isinstance(each, Quote) for each in rest):
        commands = rest
    elif offered and not rest:
        commands = [OfferSections(offered)]
    return tuple(commands), tuple(lookups)


def _asked_of_pages(index: KnowledgeIndex, agent: Agent, session: Session, reading: Reading) -> Sequence[AskingPart]:
    """The parts that ask, or the whole message where it is the heading of a section."""
    if index.called(reading.text.raw):
        return [AskingPart(reading.text.raw, reading.parts[0].ranked if len(reading.parts) == 1 else None)]
    return list(asked_parts(agent, session, reading))


def _may_be_offered(agent: Agent, session: Session, asked: AskingPart, best: FoundSection) -> bool:
    """Whether a section is worth asking about: no intent is, and the words are not the answer that was asked for."""
    if best.confidence < MAY_ANSWER or _takes_any_words(agent, session):
        return False
    return not asked.ranked or asked.ranked.confidence < (agent.confidence or Bands()).clarify


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
    """The parts that ask, as intents are ranked for them; one that gives what was asked for does not."""
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
            _asks(reading, start, end)
            and not _echoes(agent, session, text)
            and not _gives_what_was_asked(agent, session, reading, (start, end))
        ):
            yield AskingPart(text, ranked.get(text) or (reading.parts[0].ranked if len(reading.parts) == 1 else None))


def _echoes(agent: Agent, session: Session, text: str) -> bool:
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


def _gives_what_was_asked(agent: Agent, session: Session, reading: Reading, span: tuple[int, int]) -> bool:
    """Whether the value that was asked for stands in a part: "¿a las 9?" is an answer."""
    if not isinstance(session.pending, AskedSlot) or agent.slots[session.pending.slot].kind.is_free:
        return False
    found = [each for each in reading.values.of(agent.slots[session.pending.slot]) if each.confidence >= SURE_VALUE]
    spans = [reading.text.span(each.start, each.end) for each in found]
    return any(first < span[1] and last > span[0] for first, last in spans)


def _reason_not_to(agent: Agent, session: Session, asked: AskingPart, best: FoundSection) -> str:
    """Why a section is not quoted: it may not answer, or an intent is surer."""
    limit = SURE_BESIDE_A_TEXT if _takes_any_words(agent, session) else SURE
    if best.confidence < limit:
        return UNSURE
    intent, sure = (asked.ranked.intent, asked.ranked.confidence) if asked.ranked else (None, 0)
    proceed = (agent.confidence or Bands()).proceed
    if intent and (sure >= proceed or sure >= best.confidence):
        return f"the intent {intent} goes first"
    return ""


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
