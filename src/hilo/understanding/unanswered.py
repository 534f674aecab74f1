"""Questions of a message that has several, of which only the others are answered: none is dropped without a word."""

import re
from collections.abc import Sequence

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import AskInfo, CallTool, Command, CorrectSlot, LeaveUnanswered, Quote, SetSlot, StartFlow
from hilo.dialogue.session import Session
from hilo.recognisers.normalise import normalise
from hilo.slots.utterance import SURE
from hilo.understanding.about_us import known_by_words
from hilo.understanding.acts.tabled import find_acts
from hilo.understanding.lookups import NO_QUESTION, Lookup, asked_parts
from hilo.understanding.parts import is_sure_or_alone
from hilo.understanding.reading import Reading

_AND = re.compile(r"^(?:y|e|pero|and|but)\b\W*", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:en|a|al|para|con|de|del|por|desde|hasta|in|for|with|at) ")  # "¿y en Lima?"
MOST_NAMED = 2
LONGEST = 60  # characters of a question that is named
SHORTEST = 2  # words: "¿y?" asks nothing that could be named


def left_unanswered(
    agent: Agent, session: Session, reading: Reading, proposed: Sequence[Command], lookups: Sequence[Lookup]
) -> tuple[LeaveUnanswered, ...]:
    """What a message asks beside what is done with it, and neither an intent nor a page knows."""
    is_met = any(_meets(agent, each) for each in proposed)
    if len(reading.parts) == 1 or not is_met or any(isinstance(each, LeaveUnanswered) for each in proposed):
        return ()
    quoted = {each.asked for each in lookups if each.quoted}
    unknown = []
    for part in asked_parts(agent, session, reading):
        is_meant = part.ranked is None or (part.ranked.intent and is_sure_or_alone(part.ranked))
        question = _AND.sub("", part.text).strip(" ¿?!.,")
        if part.text not in quoted and not is_meant and _can_be_named(agent, reading, question):
            unknown.append(LeaveUnanswered(question))
    return tuple(unknown[:MOST_NAMED])


def _meets(agent: Agent, command: Command) -> bool:
    """Whether another part of the message is answered, begins a flow or gives a value; an order asks by itself."""
    if isinstance(command, CallTool):
        return command.tool not in agent.ordering.values()
    if isinstance(command, SetSlot) and agent.slots[command.slot].wish:
        return False  # what is asked is kept there
    return isinstance(command, AskInfo | Quote | StartFlow | SetSlot | CorrectSlot)


def _can_be_named(agent: Agent, reading: Reading, text: str) -> bool:
    """Whether a part is a question by itself: no greeting, no value, nothing about ourselves, nothing to buy."""
    said = normalise(text)
    if len(text.split()) < SHORTEST or len(text) > LONGEST:
        return False
    if _GOES_ON.match(said.folded) or known_by_words(said.folded):
        return False
    if any(act.kind in NO_QUESTION for act in find_acts(said)):
        return False
    start = reading.text.raw.find(text)
    spans = [(line.start, line.end) for line in reading.lines]
    for slot in agent.slots.values():
        spans += [(each.start, each.end) for each in reading.values.of(slot) if each.confidence >= SURE]
    placed = [reading.text.span(*span) for span in spans]
    return not any(first < start + len(text) and last > start for first, last in placed)
