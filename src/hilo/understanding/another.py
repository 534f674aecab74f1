"""The same thing once more: "un turno con el dentista y otro de nutrición", "sí, y haceme otro para mi hijo".

What stands after such words (`another one` in the packs) is of a flow that is begun anew when the one under way is
over. Only what is done with a yes is done twice; "otro día" is another value, and goods are ordered by their names.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.agent.instructions import AskConfirmation
from hilo.agent.values import Value
from hilo.dialogue.commands import WantAlso
from hilo.dialogue.session import Session
from hilo.packs.pack import fold
from hilo.recognisers.people.name_words import KIN
from hilo.recognisers.phrases import word_set
from hilo.understanding.extraction import weigh_for
from hilo.understanding.plain_phrases import pattern_of
from hilo.understanding.reading import Reading
from hilo.understanding.slot_values import FILLERS

SURE_OF_ANOTHER_FLOW = 85
_WORD = re.compile(r"[^\W\d_]+")
_OTHER_THINGS = word_set("cosa cosita cosas pregunta consulta duda vez opcion thing question time option")
_SAME = re.compile(r"\b(?:mism[oa]s?|same) (\w+)")

Read = Callable[[str], Reading]


def with_another(agent: Agent, session: Session, reading: Reading, read: Read) -> Reading:
    """A message without what it wants once more, which is kept for later; else the message as it is."""
    said = pattern_of("another one").search(reading.text.folded)
    flow = _repeated(agent, session, reading) if said and agent.orders is None else ""
    if not said or not flow:
        return reading
    start = reading.text.span(said.start(), said.end())[0]
    head, tail = reading.text.raw[:start].strip(" ,.;¿¡"), reading.text.raw[start:]
    after = _WORD.match(reading.text.folded, said.end() + 1)
    if after and (after[0] in _labels(agent) or after[0] in _OTHER_THINGS):
        return reading  # "otro día" is another value, and "otra cosa" something else
    first = read(head) if _WORD.search(head) else reading.about_nothing()
    told = _told(agent, session, first, flow)
    before = {**session.slots, **told}
    is_open, shared = bool(session.stack or session.pending), tail.partition(",")[2]
    if shared and not is_open and _told(agent, session, read(shared), flow).keys().isdisjoint(before):
        first = read(f"{head}, {shared}")  # "uno para mí y otro para mi hijo, el martes": both on Tuesday
    values = _values(agent, session, read(tail), flow, before)
    if not any(agent.slots[name].kind.sort == "choice" for name in values):
        # "con el dentista para mí y otro para mi hijo": what is not said otherwise is the same
        values |= {name: value for name, value in told.items() if agent.slots[name].kind.sort == "choice"}
    also = WantAlso(flow, values)
    if is_open and not also.values:
        return reading  # "dame otro" may be another of what we offer
    chosen = [
        str(value)
        for name, value in also.values.items()
        if name not in before and agent.slots[name].kind.sort == "choice"
    ]
    if not is_open and chosen and _WORD.search(head):
        first = read(f"{head}, {', '.join(chosen)}")  # "uno para mi hijo y otro para mí con la dentista": both with her
    if not is_open and not first.meant:
        first = reading.about_nothing()  # "oiga, y otra para mi hijo"
    return replace(first, also=(also,))


def _repeated(agent: Agent, session: Session, reading: Reading) -> str:
    """The flow that would be done once more: under way, meant, or done last."""
    under_way = session.flows[:1]
    last = session.finished[-1:] if not session.stack and reading.confidence < SURE_OF_ANOTHER_FLOW else ()
    names = [*under_way, *reading.meant, *last]
    return next((name for name in names if _is_done_by_yes(agent, name)), "")


def _is_done_by_yes(agent: Agent, name: str) -> bool:
    flow = agent.flows.get(name)
    if flow is None or not flow.examples or flow.undoes or flow.starts_by_itself or name == agent.amends:
        return False
    return any(isinstance(step.does, AskConfirmation) for step in agent.compiled[name].steps)


def _labels(agent: Agent) -> set[str]:
    names = [fold(" ".join((name, slot.label, *slot.also))) for name, slot in agent.slots.items()]
    return {word for name in names for word in _WORD.findall(name)} - FILLERS


def _told(agent: Agent, session: Session, reading: Reading, flow: str) -> dict[str, Value]:
    """The values that words would give the flow if it began with them."""
    fresh = replace(session, stack=(), pending=None, slots={}, finished=())
    return weigh_for(agent, fresh, replace(reading, meant=(flow,))).values


def _values(
    agent: Agent, session: Session, wanted: Reading, flow: str, before: Mapping[str, Value]
) -> dict[str, Value | None]:
    """What is said of the other one: its own values, those that shall be the same, and that a name is missing."""
    collects = agent.flows[flow].collects
    told = _told(agent, session, wanted, flow)
    same = set(_SAME.findall(wanted.text.folded))
    values: dict[str, Value | None] = _kin(agent, wanted, flow)
    for name in collects:
        slot = agent.slots[name]
        if same.intersection(_WORD.findall(fold(f"{name} {slot.label}"))) and name in before:
            values[name] = before[name]
        elif name in told and not slot.valid_if:
            values[name] = told[name]
    return values


def _kin(agent: Agent, wanted: Reading, flow: str) -> dict[str, Value | None]:
    """Who is named only as somebody's child or mother is asked for the name."""
    if KIN.isdisjoint(_WORD.findall(wanted.text.folded)):
        return {}
    return {name: None for name in agent.flows[flow].collects if agent.slots[name].kind.names_person}
