"""The region of a city that a message gives: filled where it is unambiguous, unless the contact names another."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Command, CorrectSlot, SetSlot
from hilo.dialogue.session import Session
from hilo.recognisers.places.cities import region_of, regions_of

Each = TypeVar("Each", bound=Command)
NOTHING: Mapping[str, str] = MappingProxyType({})


def with_regions(
    agent: Agent, session: Session, commands: Sequence[Each], *, told: Mapping[str, str] = NOTHING
) -> tuple[Each | SetSlot | CorrectSlot, ...]:
    """The commands, with one for the region of each city before it; `told` is what stood beside the city's name."""
    given = {each.slot for each in commands if isinstance(each, SetSlot | CorrectSlot)}
    regional = {slot.region_of: name for name, slot in agent.slots.items() if slot.region_of and name not in given}
    return tuple(each for command in commands for each in (*_region(agent, session, command, regional, told), command))


def _region(
    agent: Agent, session: Session, command: Command, regional: Mapping[str, str], told: Mapping[str, str]
) -> Iterator[SetSlot | CorrectSlot]:
    if not isinstance(command, SetSlot | CorrectSlot) or command.slot not in regional or not command.value:
        return
    name, country = regional[command.slot], agent.slots[command.slot].country or agent.country
    said, possible = told.get(command.slot, ""), regions_of(str(command.value), country)
    region, known = said or region_of(str(command.value), country), session.slots.get(name)
    if known is None and region:
        yield SetSlot(name, region)
    if known is None or known == region or not (region or possible):
        return
    filled = known == region_of(str(session.slots.get(command.slot, "")), country)
    if said or known not in possible or (region and filled):
        # where several come into question, the largest one's is nearer the truth than what is known to be wrong
        yield CorrectSlot(name, region or possible[0])
