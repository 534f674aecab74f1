"""A phone number, of the agent's country or with the code of another."""

import re
from functools import lru_cache

from hilo.recognisers.found import Found, Value
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike
from hilo.slots.utterance import SURE, Utterance

MIN_DIGITS, MAX_DIGITS = 7, 15


def _accept(value: Value, _slot: SlotRules, country: str) -> Value | None:
    text = str(value).strip()
    digits = "".join(letter for letter in text if letter.isascii() and letter.isdigit())
    if not re.fullmatch(r"\+?[\d\s().\-/]+", text) or not MIN_DIGITS <= len(digits) <= MAX_DIGITS:
        return None
    return _by_country(("+" if text.startswith("+") else "") + digits, country)


@lru_cache(maxsize=256)
def _by_country(number: str, country: str) -> str | None:
    """The number with its country code where it is a valid one of the country; None where its length cannot be."""
    import phonenumbers

    if not number.startswith("+") and not country:
        return number
    try:
        parsed = phonenumbers.parse(number, country or None)
    except phonenumbers.NumberParseException:
        return None
    if phonenumbers.is_valid_number(parsed):
        return str(phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164))
    return number if phonenumbers.is_possible_number(parsed) or len(number) == MIN_DIGITS else None


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once("phone", lambda: _phones(said))


def _phones(said: Utterance) -> tuple[Found, ...]:
    """Those of who receives the order, where two people are spoken of; a number may be dictated in words."""
    from hilo.recognisers.people.dictation import may_be_dictated
    from hilo.recognisers.people.recipients import theirs

    if not said.has_digits and not may_be_dictated(said.text.folded):
        return ()
    return theirs(said.text.folded, _outside_addresses(said))


def _outside_addresses(said: Utterance) -> tuple[Found, ...]:
    """The 12 of "calle 10 #43-12 3001234567" is no part of a phone."""
    from hilo.recognisers.normalise import hidden, words
    from hilo.recognisers.people.phones import find_phones
    from hilo.recognisers.places.address_words import STREETS
    from hilo.slots.places import streets

    on_street = "#" in said.text.folded or not STREETS.isdisjoint(word.text for word in words(said.text))
    sure = [each for each in streets(said) if each.confidence >= SURE] if on_street else []
    return find_phones(hidden(said.text, [(each.start, each.end) for each in sure]), country=said.country)


_INVALID = (
    "Ese teléfono no parece válido. Escríbelo con al menos 7 dígitos y, si es de otro país, con su código (+57…)."
)
_INVALID_IN_ENGLISH = (
    "That phone number doesn't look right. Write at least 7 digits, with the country code (+1…) if it is abroad."
)

TYPE = SlotType(
    name="phone",
    summary="a phone number: `300 123 4567` → `+573001234567` for an agent of Colombia",
    aliases=("tel", "telefono", "telephone", "phone_number", "celular", "cel", "movil", "mobile", "whatsapp"),
    called=("telefono", "celular", "cel", "movil", "whatsapp", "numero de telefono", "fono", "phone", "phone number"),
    phrases={
        "invalid.phone": {
            "es": (
                _INVALID,
                "Sigo sin poder leer el teléfono. Escribe solo los números, con el código de área.",
            ),
            "es-AR": (
                "Ese teléfono no parece válido. Escribilo con el código de área, por ejemplo 11 5555-1234.",
                "Sigo sin poder leer el teléfono. Escribí solo los números, con el código de área.",
            ),
            "es-CO": (
                "Ese teléfono no parece válido. Escríbalo completo, por ejemplo 300 123 4567.",
                "Sigo sin poder leer el teléfono. Escriba solo los números, por favor.",
            ),
            "en": (
                _INVALID_IN_ENGLISH,
                "I still can't read the number. Just the digits, with the area code, please.",
            ),
        }
    },
    examples=said_alike(
        Example(said="mi celular es +57 300 123 4567", stored="+573001234567", shown="+573001234567"),
        Example(said="call me at +57 300 123 4567", stored="+573001234567", shown="+573001234567"),
    ),
    find=_find,
    accept=_accept,
    volunteered="always",
    is_beside_towns=True,
)
