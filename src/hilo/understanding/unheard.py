"""Parts of a message in which nothing was heard, and what the answer to a summary is beside them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import (
    Affirm,
    CallTool,
    Command,
    Digress,
    LeaveUnanswered,
    SkipSlot,
    TakeNote,
)
from hilo.dialogue.draft import has, of_kind
from hilo.dialogue.session import AskedYes, Session
from hilo.recognisers.normalise import Span, fold, normalise
from hilo.recognisers.phrases import tokens_of
from hilo.understanding.acts.consent import is_plain
from hilo.understanding.acts.hearing import COURTEOUS_PARTS
from hilo.understanding.assignment import Weighed
from hilo.understanding.beside_values import Commands
from hilo.understanding.doubts import KNOWN
from hilo.understanding.intents.gist import is_courtesy
from hilo.understanding.lookups import Lookup, is_of_intent
from hilo.understanding.ordering import ordered_lines
from hilo.understanding.parts import EDGES, LONGEST_RANKED, clauses, denies
from hilo.understanding.put_right import says_nothing_else
from hilo.understanding.reading import Reading

SAYS_NO_MORE = ("change", "correct")  # acts that say nothing by themselves: what is to be otherwise is told beside them
WHOLLY_HEARD = ("affirm", "later", "human")  # acts that are all of a message, where they are
_NO = re.compile(r"\W*no\W*", re.IGNORECASE)  # alone before a part: what is put right by it goes on from there
_CANNOT = re.compile(
    r"\bno (?:(?:me|te|nos|lo|la) )*"
    r"(?:puedo|podemos|podr[ií]a|llego|llegamos|alcanzo|sirve|queda|da|va|doy|estoy|estamos)"
    r"(?: [^,.;?!\n]*)?,\s*(?:es que |porque |que )?$",
    re.IGNORECASE,
)
_JOINERS = re.compile(r"^(?:(?:y|e|pero|and|but)\s+)+|\s+(?:y|e|pero|and|but)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Understood:
    """What a message means as a whole, with the values and the pages that were found for it."""

    commands: Commands
    values: tuple[Weighed, ...] = ()
    lookups: tuple[Lookup, ...] = ()


def unheard_parts(
    agent: Agent, session: Session, reading: Reading, understood: Understood
) -> Iterator[tuple[str, str]]:
    """The parts in which nothing stands that was understood, each with a no right before it; courtesy needs none."""
    raw = reading.text.raw[:LONGEST_RANKED]
    parts = clauses(raw, agent, loose=True)
    is_one = len(parts) == 1 and not raw[: parts[0][0]].strip(EDGES)
    if is_one or reading.is_only(*WHOLLY_HEARD):
        return
    heard = list(_heard(agent, session, reading, understood))
    meant = list(_meant(agent, reading, understood.commands))
    shown = isinstance(session.pending, AskedYes)  # a value that is taken is shown before anything is done
    lost = [(each.start, each.end) for each in understood.values if shown and not each.taken]
    for start, end in parts:
        text = _JOINERS.sub("", raw[start:end].strip(EDGES))
        # What a message means as a whole is not meant by its noes ("no quiero reservar, quiero cancelar"), and is not
        # all of a part with a value that the whole had doubts about.
        is_more = denies(text) or _meets(lost, start, end)
        if not text or _meets(heard if is_more else [*heard, *meant], start, end):
            continue
        if _is_reason(raw, start, end):
            continue
        is_of_yes = has(understood.commands, Affirm) and is_plain(list(tokens_of(normalise(text))), fold(text))
        if not is_of_yes and not is_courtesy(text) and not says_nothing_else(fold(text)):
            opening = "no, " if _NO.fullmatch(raw, 0, start) else ""
            yield opening, f"{text}?" if raw[end : end + 1] == "?" else text


def _is_reason(raw: str, start: int, end: int) -> bool:
    """Whether words behind a comma tell why something cannot be, and ask nothing: "a la mañana no puedo, trabajo"."""
    return raw[end : end + 1] != "?" and _CANNOT.search(raw[:start]) is not None


def _meets(spans: Iterable[Span], start: int, end: int) -> bool:
    return any(first < end and start < last for first, last in spans)


def _heard(agent: Agent, session: Session, reading: Reading, understood: Understood) -> Iterator[Span]:
    """Where what was understood stands in the message."""
    raw, commands = reading.text.raw, understood.commands
    left_out = {each.slot for each in of_kind(commands, SkipSlot)}
    for each in understood.values:
        if (each.taken and each.slot not in left_out) or KNOWN in each.against:
            yield each.start, each.end
    if any(orders_goods(agent, each) for each in commands):
        lines = ordered_lines(agent, session, reading)
        yield from (reading.text.span(line.start, line.end) for line in lines)
    said = [each.asked for each in understood.lookups if each.quoted and not each.unsure]
    said += [each.question for each in of_kind(commands, LeaveUnanswered)]
    said += [each.text for each in of_kind(commands, TakeNote)]
    yield from ((raw.find(text), raw.find(text) + len(text)) for text in said)
    for act in reading.acts:
        # a question is heard where it is met with a word; "sí, y que toquen el timbre" is none
        is_met = act.kind != "question" or (Digress("off_topic") in commands and _may_ask(reading, commands))
        if act.kind not in SAYS_NO_MORE and is_met:
            yield reading.text.span(act.start, act.end)


def _may_ask(reading: Reading, commands: Commands) -> bool:
    return "?" in reading.text.raw or not has(commands, Affirm)


def _meant(agent: Agent, reading: Reading, commands: Commands) -> Iterator[Span]:
    """Where the intents stand that something is done by."""
    for part in reading.parts:
        name = part.ranked.intent or ""
        if name in reading.meant and any(is_of_intent(agent, name, each) for each in commands):
            yield part.start, part.end


def orders_goods(agent: Agent, command: Command) -> bool:
    return isinstance(command, CallTool) and command.tool in agent.ordering.values()


def said_behind(reading: Reading) -> list[str]:
    """What stands behind a yes that it takes nothing from, and is no courtesy: "sí, cuidado con el escalón"."""
    heard = reading.hearing
    behind = heard.behind_yes if heard else ()
    more = [each for each in behind if heard and not (each.act in COURTEOUS_PARTS and heard.is_sure(each))]
    return [reading.text.original(each.start, each.end) for each in more]
