"""Where somebody lives or something is sent: a street, a corner, a landmark, a place in the country."""

import re
from dataclasses import replace

from hilo.recognisers.address_words import UNITS
from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Text, fold
from hilo.slots.choice import accept_choice, find_named
from hilo.slots.places import is_of_two_people, of_the_receiver, streets, towns
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.text import clean
from hilo.slots.utterance import SURE, Utterance

MAX_ADDRESS = 200
AFTER_STREET = 55  # how sure a town must be right after a street
STREET_WORDS = 2  # that tell a street from another: "cra 15", "san martin"
_UNIT = re.compile(rf"[ ,]+(?:{'|'.join(sorted(UNITS, key=len, reverse=True))})\b\.? ?[\w-]+.*$", re.IGNORECASE)
_GAP = re.compile(r"[ ,]* ,[ ,]*|,[ ,]*,[ ,]*")
_BEFORE_TOWN = re.compile(r"[ ,.;-]+(?:(?:en|de) |\d{4,5},? )?")
_CORNER = re.compile(
    r"\w+ (?:esq\.?|esquina|casi|corner) \w+|\besquina [^,]+ y \w+"
    r"|^(?:av|avda|avenida|calle|cll?|carrera|cra|jr|jiron|pasaje|bv|bulevar)\b\.? [^,]+ (?:y|e) \w+",
    re.IGNORECASE,
)
_RURAL = re.compile(r"\b(?:vereda|finca|hacienda|corregimiento|caser[ií]o|parcela|rancho)\s+\w{2,}", re.IGNORECASE)
# "sí, y que suban al 4to" bids something, and tells no street
_BIDS = re.compile(r"\W*(?:(?:si+|no|dale|ok|bueno|listo|mi|amor|y|ah)\b\W*)*(?:que|q|ke) \w")
_LANDMARK = re.compile(
    r"\b(?:(?:en)?frente|diagonal|lado|costado|cerca|detr[aá]s|atr[aá]s|junto|contigu[oa]|esquina|cuadras?|arriba|abajo"
    r"|pasando|subiendo|bajando|entrando|llegando) (?:a|al|de|del|por|con) \w"
    r"|\b(?:por|en|entre|donde) (?:el|la|los|las) \w+ \w",
    re.IGNORECASE,
)


def _accept(value: Value, slot: SlotRules, country: str) -> Value | None:
    """Street and number, a corner, a landmark, a place in the country, or a choice for none of them: "lo retiro"."""
    if chosen := accept_choice(value, slot, country):
        return chosen
    text = clean(str(value)).strip(" .,;")
    told = _CORNER.search(text) or _RURAL.search(text) or _LANDMARK.search(text)
    placed = any(letter.isdigit() for letter in text) or told
    fits = any(letter.isalpha() for letter in text) and placed
    return text if fits and "@" not in text and len(text) <= MAX_ADDRESS else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:
    return said.once(f"address:{id(slot)}:{asked}", lambda: _addresses(said, slot, asked=asked))


def _addresses(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:
    found = _joined(_whole(said)) or find_named(said, slot, asked=asked) or _joined(_landmarks(said))
    if slot.before or not found:
        return found
    if not is_of_two_people(said):
        return of_the_receiver(said, found)
    return _sent_to(said, tuple(each for each in found if each.confidence >= SURE))


def _whole(said: Utterance) -> tuple[Found, ...]:
    """The streets, with the town after them where no slot is there for it."""
    found = streets(said)
    if not found or said.has_towns:
        return found
    return tuple(_with_town(said, each) for each in found)


def _with_town(said: Utterance, street: Found) -> Found:
    for town in towns(said):
        gap = said.text.folded[street.end : town.start]
        if town.confidence >= AFTER_STREET and street.end <= town.start and _BEFORE_TOWN.fullmatch(gap):
            written = said.text.original(street.end, town.end)
            return replace(street, value=f"{street.value}{written}", end=town.end)
    return street


def _sent_to(said: Utterance, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """Of the addresses of two people that of the receiver, where the message tells who that is."""
    from hilo.recognisers.people.recipients import is_received, theirs

    return theirs(said.text.folded, found) if is_received(said.text.folded) else ()


def _landmarks(said: Utterance) -> tuple[Found, ...]:
    from hilo.recognisers.places.landmarks import find_landmarks

    return () if said.asks else said.once("landmark", lambda: find_landmarks(said.text, country=said.country))


def _joined(found: tuple[Found, ...]) -> tuple[Found, ...]:
    """Addresses without the gap that a text hidden in them has left."""
    return tuple(replace(each, value=_GAP.sub(", ", str(each.value))) for each in found)


def _may_be(said: Utterance) -> bool:
    """Not where a message speaks of places and tells no address, or those of two people."""
    from hilo.recognisers.places.landmarks import speaks_of_landmarks

    if is_of_two_people(said) or _BIDS.match(said.text.folded):
        return False
    return said.has_digits or not speaks_of_landmarks(said.text)


def _with_unit(stored: str, new: str) -> str:
    """Another number of the same street, with the flat that was told before: "es cra 15 # 88-22", apto 301."""
    unit = _UNIT.search(stored)
    same_street = fold(stored).split()[:STREET_WORDS] == fold(new).split()[:STREET_WORDS]
    return f"{new} {unit[0].strip(' ,')}" if unit and same_street and not _UNIT.search(new) else new


def _amend(stored: str, text: Text) -> Found | None:
    from hilo.recognisers.places.amendments import amended

    return amended(stored, text)


TYPE = SlotType(
    name="address",
    summary="where somebody lives or something is sent: street and number, a corner, a landmark; "
    "or one of the `choices` that may stand in its place",
    aliases=("direccion", "domicilio", "street", "calle", "shipping_address", "delivery_address", "postal_address"),
    called=("direccion", "domicilio", "address"),
    phrases={
        "invalid.address": {
            **spanish("Necesito la dirección completa, con calle y número."),
            "es-CO": ("Necesito la dirección completa, por ejemplo calle 10 # 43-12.",),
            "es-MX": ("¿Me compartes la dirección completa, con calle, número y colonia?",),
            "en": ("I need the full address, with street and number.",),
            "pt-BR": ("Preciso do endereço completo, com rua e número.",),
        }
    },
    examples=said_alike(
        Example(said="vivo en San Martín 1234", stored="San Martín 1234", shown="San Martín 1234"),
        english=Example(said="I live at 12 Oak Street", stored="12 Oak Street", shown="12 Oak Street"),
        portuguese=Example(said="moro na Rua Augusta 1234", stored="Rua Augusta 1234", shown="Rua Augusta 1234"),
    ),
    keys=frozenset({"choices"}),
    find=_find,
    accept=_accept,
    volunteered="always",
    is_listed=True,
    place="street",
    is_beside_towns=True,
    may_be=_may_be,
    keep=_with_unit,
    amend=_amend,
)
