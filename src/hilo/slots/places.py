"""Streets and towns of a message, which several types look at; details of two people are not mixed."""

from typing import TYPE_CHECKING

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import hidden
from hilo.slots.utterance import Utterance

if TYPE_CHECKING:
    from hilo.recognisers.places.cities import PlaceFound


def towns(said: Utterance) -> "tuple[PlaceFound, ...]":
    """The towns, with all places that each may be."""
    return said.once("town", lambda: _towns(said))


def _towns(said: Utterance) -> "tuple[PlaceFound, ...]":
    from hilo.recognisers.places.cities import find_cities

    return find_cities(said.text, country=said.country)


def streets(said: Utterance) -> tuple[Found, ...]:
    """The addresses with a street or a corner."""
    return said.once("street", lambda: _streets(said))


def _streets(said: Utterance) -> tuple[Found, ...]:
    from hilo.recognisers.places.addresses import find_addresses

    said.looks_at_goods()
    if said.goods:
        return find_addresses(hidden(said.text, said.goods), country=said.country)
    return find_addresses(said.text, country=said.country, towns_of=lambda: towns(said))


def is_of_two_people(said: Utterance) -> bool:
    """Whether the message has an address of one person and one of another."""
    return said.has_digits and said.once("two_people", lambda: _is_of_two_people(said))


def _is_of_two_people(said: Utterance) -> bool:
    from hilo.recognisers.people.recipients import of_two_people

    return of_two_people(said.text.folded, streets(said))


def unless_of_two_people(said: Utterance, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """What was found, if one person's details are all there is."""
    return () if found and is_of_two_people(said) else found


def of_the_receiver(said: Utterance, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """Those of who receives the order, where it is for another person."""
    from hilo.recognisers.people.recipients import is_received, theirs

    return theirs(said.text.folded, found) if is_received(said.text.folded) else found
