"""Which day or hour a slot gets of a message, by those that were given before it.

After "el 10 de enero" (also where that would not do), "el 11" is in January and "el jueves" in that week. The day of
coming back, for the second of two slots, is not before the day of setting out. An hour without a part of the day that
moves another stays near it: "mejor a las 7" after 9:00 is in the morning.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import NarrowDays
from hilo.dialogue.session import Session
from hilo.recognisers.calendar.days_in_talk import day_meant, said_of_day
from hilo.recognisers.calendar.times import find_times
from hilo.recognisers.found import Found, Value
from hilo.slots.date import dates
from hilo.understanding.assignment import Offer
from hilo.understanding.reading import Reading

PAIR = 2


def told_period(agent: Agent, slots: Iterable[str], reading: Reading) -> tuple[NarrowDays, ...]:
    """The month or week that a message tells for a day that is still to be given: "en enero"."""
    found = dates(reading.values.said) if any(agent.slots[name].type == "date" for name in slots) else ()
    firsts = [str(each.value).partition("/")[0] for each in found if each.kind == "period"]
    return tuple(NarrowDays(day) for day in firsts[:1]) if all(each.kind == "period" for each in found) else ()


def pair_of_times(agent: Agent, known: Iterable[str]) -> list[str]:
    """The two slots for days, else the two for hours."""
    in_play = set(known)
    when = [name for name, slot in agent.slots.items() if name in in_play and slot.kind.is_when]
    for type_of in dict.fromkeys(agent.slots[name].type for name in when):
        pair = [name for name in when if agent.slots[name].type == type_of]
        if len(pair) == PAIR:
            return pair
    return []


def day_in_context(
    agent: Agent, session: Session, reading: Reading, offer: Offer, beside: Mapping[str, Value]
) -> Found:
    """A value for a slot; a day or an hour as it is meant here. `beside` are the other values of the message."""
    slot, found = offer
    if found.kind == "time" and agent.slots[slot].type == "time" and slot in session.slots:
        return _hour_near(str(session.slots[slot]), reading, found)
    if found.kind != "date" or agent.slots[slot].type != "date":
        return found
    given = {**session.slots, **beside}
    flows = [name for frame in session.stack for name in agent.flows[frame.flow].collects]
    pair = pair_of_times(agent, (*flows, *given, slot))
    out = str(given.get(pair[0]) or "") if pair and slot == pair[1] else ""
    said = said_of_day(reading.values.text.folded, found.start, found.end)  # one in a note is hidden from the reading
    last = session.stack[-1].day if session.stack else ""
    held = day_looked_up(agent, session) if said[-1:].isdecimal() else ""
    base = str(session.slots.get(slot) or out or last or held)
    if not base:
        return found
    after = date.fromisoformat(out) if out else reading.values.now.date()
    day = day_meant(said, date.fromisoformat(str(found.value)), near=date.fromisoformat(base), after=after)
    return replace(found, value=day.isoformat())


def day_looked_up(agent: Agent, session: Session) -> str:
    """The day of what the flow under way has looked up, to be changed: a number is a day of its month."""
    finds = agent.flows[session.flow].finds if session.flow in agent.flows else ()
    days = [str(session.slots.get(name, "")) for name in finds if agent.slots[name].type == "date"]
    return next(filter(None, days), "")


def _hour_near(before: str, reading: Reading, found: Found) -> Found:
    """An hour as it is meant where another stood."""
    values = reading.values
    near = find_times(reading.text, now=values.now, asked=True, near=before)
    return next((each for each in near if (each.start, each.end) == (found.start, found.end)), found)
