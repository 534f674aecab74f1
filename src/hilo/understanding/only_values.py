"""Whether a message is nothing but values, and the flow that those begin."""

import re
from collections.abc import Iterable, Mapping

from hilo.agent.declaration import Agent
from hilo.agent.texts import PLACEHOLDER
from hilo.agent.values import Value
from hilo.dialogue.commands import Command, CorrectSlot, SetSlot, StartFlow
from hilo.dialogue.draft import of_kind
from hilo.dialogue.session import Session
from hilo.packs.pack import word_set_of
from hilo.recognisers.normalise import fold
from hilo.recognisers.people.name_words import KIN
from hilo.understanding.once import once_per_agent
from hilo.understanding.parts import denies
from hilo.understanding.reading import Reading

SPARE_WORDS = 1  # beside values that begin a flow: "de Lima a Cusco en enero"
SPARE_BESIDE = 2  # beside values that mean nothing else: "mande el de uno"
MAY_BE_MEANT = 25  # how sure an intent is that words beside values may be about
_WORD = re.compile(r"[^\W\d_]+")
# what may stand beside values in a message that is about nothing else
_BESIDE_VALUES = KIN | word_set_of("beside values")


def started_by_values(
    agent: Agent, session: Session, reading: Reading, given: Mapping[str, Value]
) -> tuple[Command, ...]:
    """The flow that a message starts by what it gives and nothing else, where nothing is under way."""
    spare = 0 if reading.meant or reading.asks else SPARE_WORDS
    if session.stack or session.pending or not is_but_values(agent, reading, given, spare=spare):
        return ()
    flows = [
        name for name, flow in agent.flows.items() if any(slots <= given.keys() for slots in flow.starts_by_values)
    ]
    return tuple(map(StartFlow, flows[:1]))


def begun_by_a_choice(
    agent: Agent, session: Session, reading: Reading, given: Mapping[str, Value], proposed: tuple[Command, ...]
) -> tuple[Command, ...]:
    """What is proposed, with the flow that a choice begins, where nothing is under way and none that takes it is meant.

    Who chooses is shown nothing to choose from: "no quiero más promociones, la de dos y ya".
    """
    chosen = {name for name in given if agent.slots[name].kind.sort == "choice"}
    flows = [name for name, flow in agent.flows.items() if frozenset(chosen) in flow.starts_by_values]
    others = [each for each in proposed if isinstance(each, StartFlow)]
    if (
        not chosen
        or not flows
        or session.stack
        or session.pending
        or any(_takes(agent, each.flow, chosen) for each in others)
    ):
        return proposed
    refused = [part.ranked.intent for part in reading.parts if denies(part.text)]
    if (reading.asks or len(others) < len(proposed)) and not any(each.flow in refused for each in others):
        return proposed  # what is asked is answered first
    return (StartFlow(flows[0]), *(each for each in proposed if each not in others))


def _takes(agent: Agent, flow: str, slots: Iterable[str]) -> bool:
    """Whether a flow is begun by words with one of these slots, or asks for it."""
    named = {name for example in agent.flows[flow].examples for name in PLACEHOLDER.findall(example)}
    return not named.isdisjoint(slots) or not set(agent.collected_by(flow)).isdisjoint(slots)


def is_but_values(agent: Agent, reading: Reading, given: Mapping[str, Value], *, spare: int = 0) -> bool:
    """Whether a message has no words of its own: neither a question nor a complaint comes along with the values.

    So many words that are `spare` may be others.
    """
    labels = [fold(" ".join(agent.slots[name].before)) for name in given]
    told = (fold(str(value)) for value in given.values())
    spans = [(each.start, each.end) for slot in given for each in reading.values.of(agent.slots[slot])]
    text = reading.text.folded
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    known = {word for text in (*labels, *told) for word in _WORD.findall(text)}
    return len(set(_WORD.findall(text)) - known - _names_of_slots(agent) - _BESIDE_VALUES) <= spare


def gives_only_values(agent: Agent, reading: Reading, commands: Iterable[Command]) -> bool:
    """Whether a message says nothing but what it gives, or at least asks and refuses nothing beside it."""
    values: dict[str, Value] = {}
    for each in of_kind(commands, SetSlot | CorrectSlot):
        if each.value is not None and each.slot in agent.slots:
            values[each.slot] = each.value
    if not values:
        return False
    asks = "?" in reading.text.raw or reading.has("question", "deny", "cancel", "human", "negative")
    # The words beside values may be about something that takes none of them: "nunca me llegó".
    likeliest = next((name for name, sure in reading.alternatives if sure >= MAY_BE_MEANT), "")
    means_else = bool(likeliest) and values.keys().isdisjoint(agent.collected_by(likeliest))
    if not asks and not means_else:
        return True
    return is_but_values(agent, reading, values, spare=SPARE_BESIDE)


@once_per_agent
def _names_of_slots(agent: Agent) -> frozenset[str]:
    labels = [fold(" ".join((name, slot.label, *slot.also))) for name, slot in agent.slots.items()]
    return frozenset(word for label in labels for word in _WORD.findall(label))
