"""The flow that a message is about by what it gives: "soy Ana, para el jueves a las 10" names no wish, and tells one.

Only where nothing is under way and nothing else is meant. The flow that takes the most of the values is likely; it
is begun where the words speak for it too, and asked about otherwise. Its values are taken either way.
"""

from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import SuggestSlot
from hilo.dialogue.session import AskedArgument, AskedMeaning, AskedSlot, Pending, Session
from hilo.understanding.extraction import SlotCommand, weigh, weigh_for
from hilo.understanding.extraction import commands_of as values_of
from hilo.understanding.reading import Reading

FEWEST_WORDS_BEFORE = 4  # of a question: what is told there is no part of it
LEAST_HEARD = 3  # of a hundred: less is no sign of what a message is about
ENOUGH_VALUES = 2  # of a flow whose name or examples the words resemble
_OTHERWISE = ("human", "cancel", "deny", "later", "negative")


def flow_begun_by_values(agent: Agent, session: Session, reading: Reading) -> str:
    """The flow for which both the words and the values of a message speak."""
    flow = _likely_flow(agent, session, reading) if session.pending is None else ""
    if not flow or not agent.compiled[flow].opens_by_asking:
        return ""  # what begins with a tool may have conditions of its own
    is_heard = any(name == flow and sure >= LEAST_HEARD for name, sure in reading.alternatives)
    given: set[str] = set()  # the parts of a name are one value
    for each in _given_for(agent, session, reading, flow) if is_heard else ():
        given.update("name" if agent.slots[name].kind.names_person else name for name in _slots_of(each))
    return flow if len(given) >= ENOUGH_VALUES else ""


def flow_beside_an_answer(agent: Agent, session: Session, reading: Reading) -> str:
    """The flow that who asks likely wants, as the author says, by the values that they tell of it.

    What they ask is answered, and the flow goes on with what it lacks: "¿cuánto sale de Lima a Cusco?".
    """
    asked = [agent.intents[name].begins for name in reading.meant if name in agent.intents]
    for flow in filter(None, asked) if session.is_idle else ():
        found = _given_for(agent, session, reading, flow)
        if len({name for each in found for name in _slots_of(each)}) >= ENOUGH_VALUES:
            return flow
    return ""


def _slots_of(command: SlotCommand) -> tuple[str, ...]:
    return command.slots if isinstance(command, SuggestSlot) else (command.slot,)


def values_of_likely_flow(agent: Agent, session: Session, reading: Reading) -> tuple[SlotCommand, ...]:
    """What a message gives for the flow that it may be about."""
    flow = _likely_flow(agent, session, reading)
    return _given_for(agent, session, reading, flow) if flow else ()


def _likely_flow(agent: Agent, session: Session, reading: Reading) -> str:
    """The flow that takes the most of what a message gives, if there is one."""
    is_free = session.pending is None or isinstance(session.pending, AskedArgument | AskedMeaning)
    if session.stack or not is_free or reading.meant:
        return ""
    if reading.lines and not _orders(agent, session.pending):
        return ""
    if _asks(reading) or reading.has(*_OTHERWISE):
        return ""
    counted = {name: len(_given_for(agent, session, reading, name)) for name in _startable(agent)}
    most = max(counted.values(), default=0)
    if reading.lines and most < ENOUGH_VALUES:
        return ""  # "un cuaderno" is no name
    best = [name for name, count in counted.items() if count == most and count]
    ranked = [name for name, _ in reading.alternatives if name in best]
    return next(iter(ranked or best), "")


def _asks(reading: Reading) -> bool:
    """Whether a message asks, and does not begin with something else: "de Lima a Cusco en mayo, ¿qué día es mejor?"."""
    questions = [act for act in reading.acts if act.kind == "question"]
    if not questions:
        return "?" in reading.text.raw
    before = reading.text.folded[: min(act.start for act in questions)]
    return len(before.split()) < FEWEST_WORDS_BEFORE


def _given_for(agent: Agent, session: Session, reading: Reading, flow: str) -> tuple[SlotCommand, ...]:
    """The values that a message gives if a flow is meant; several nodes of a turn ask for the same."""
    key = f"given for:{id(session)}:{flow}"
    # The session is kept with what was found, so that no other one gets its id.
    return reading.values.said.once(key, lambda: (session, _found_for(agent, session, reading, flow)))[1]


def _found_for(agent: Agent, session: Session, reading: Reading, flow: str) -> tuple[SlotCommand, ...]:
    """The same, found.

    While an order is put together, what its checkout will ask for may come at any time: "Mitre 450", asked which beer.
    """
    meant = replace(reading, meant=(flow,))
    best = values_of(weigh_for(agent, session, meant), meant)
    for slot in _asked_ahead(agent, session, flow):
        case = weigh(agent, replace(session, pending=AskedSlot(slot)), meant, slot)
        best = max(best, values_of(case, meant), key=len)
    return best


def _orders(agent: Agent, asked: Pending | None) -> bool:
    """Whether what was asked is about an order."""
    return isinstance(asked, AskedArgument) and asked.tool in agent.ordering.values()


def _asked_ahead(agent: Agent, session: Session, flow: str) -> list[str]:
    """What a flow that the order leads to will ask for; nothing in free words."""
    asked, mode = session.pending, agent.modes.get(session.mode)
    orders = _orders(agent, asked)
    is_offered = asked is None or asked == AskedMeaning((flow,))
    leads_on = is_offered and agent.orders is not None and mode is not None and mode.next.yes == flow
    if not orders and not leads_on:
        return []
    if all(each.next.yes != flow for each in agent.modes.values()):
        return []
    missing = [name for name in agent.flows[flow].collects if name not in session.slots]
    return [name for name in missing if not agent.slots[name].kind.is_free]


def _startable(agent: Agent) -> list[str]:
    return [name for name, flow in agent.flows.items() if flow.examples and flow.collects and not flow.undoes]
