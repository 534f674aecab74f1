"""A town, by its name."""

import re

from hilo.recognisers.found import Found, Value
from hilo.slots.places import of_the_receiver, towns, unless_of_two_people
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.text import clean
from hilo.slots.utterance import Utterance

MAX_NAME = 80
_LEAD = re.compile(r"^\W*(?:(?:a|al|de|del|desde|en|hacia|para|from|to|el|la)\s+)+")
_ODD = frozenset("@/<>{}[]=_#$%&*+|?¿!¡:")


def _accept(value: Value, _slot: SlotRules, _country: str) -> Value | None:
    name = clean(str(value)).strip(" .,;")
    odd = any(letter.isdigit() or letter in _ODD for letter in name)
    return name if len(name) > 1 and name[0].isalpha() and not odd and len(name) <= MAX_NAME else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once(f"city:{bool(slot.before)}", lambda: _cities(said, has_cues=bool(slot.before)))


def _cities(said: Utterance, *, has_cues: bool) -> tuple[Found, ...]:
    """Where it shall be sent to goes first, unless the slot's own words tell its towns."""
    from hilo.recognisers.people.recipients import sent_to
    from hilo.recognisers.places.cities import as_city

    found = tuple(map(as_city, towns(said)))
    if has_cues or not found:
        return found
    found = of_the_receiver(said, unless_of_two_people(said, found))
    return sent_to(said.text.folded, found) or found


def _may_be(said: Utterance) -> bool:
    """Whether words that no list has may be a small town; where we have no list, anything short may be."""
    from hilo.recognisers.people.name_words import FUNCTION_WORDS
    from hilo.recognisers.places.cities import AMERICA, is_covered
    from hilo.recognisers.places.small_towns import LONGEST_TOWN, may_be_town

    if is_covered(said.country) or said.country == AMERICA:
        return may_be_town(said.text)
    said_words = _LEAD.sub("", said.text.folded).split()
    return len(said_words) <= LONGEST_TOWN and FUNCTION_WORDS.isdisjoint(said_words)  # "yo nomás" is no town


TYPE = SlotType(
    name="city",
    summary="a town, by the name that it has on maps: “medallo” → `Medellín`",
    aliases=("ciudad", "town", "pueblo", "municipio", "location", "localidad", "place"),
    called=("ciudad", "city"),
    phrases={
        "invalid.city": {
            **spanish(
                "No reconozco esa ciudad. Escribe solo su nombre.",
                vos=("No reconozco esa ciudad. Escribí solo su nombre.",),
                usted=("No reconozco esa ciudad. Escriba solo su nombre.",),
            ),
            "en": ("I don't recognise that city. Just its name, please.",),
            "pt-BR": ("Não reconheço essa cidade. Escreva só o nome dela.",),
        }
    },
    examples=said_alike(
        Example(said="vivo en medellin", stored="Medellín", shown="Medellín"),
        english=Example(said="I live in Bogotá", stored="Bogotá", shown="Bogotá"),
        portuguese=Example(said="moro em São Paulo", stored="São Paulo", shown="São Paulo"),
    ),
    find=_find,
    accept=_accept,
    volunteered="in_a_correction",
    is_listed=True,
    place="town",
    may_be=_may_be,
)
