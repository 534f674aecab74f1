"""A phone number, of the agent's country or with the code of another."""

import re
from dataclasses import replace
from functools import lru_cache

from hilo.recognisers.found import Found, Value
from hilo.recognisers.normalise import Text
from hilo.recognisers.places.words import COUNTRY_NAMES
from hilo.slots.slot_type import Example, SlotRules, SlotType, said_alike, spanish
from hilo.slots.utterance import SURE, Utterance

MIN_DIGITS, MAX_DIGITS = 7, 15
_OF_COUNTRY = re.compile(rf"\b(?:de|en|from|in) (?P<name>{'|'.join(COUNTRY_NAMES)})\b")
_ENDS_IN = re.compile(r"\b(?:termina|terminaba|acaba|ends) (?:en|con|in|with) (?P<digits>\d(?:[ -]?\d){0,4})\b(?!\d)")
NEIGHBOURS = ("ES", "PE", "CL", "CO", "EC", "UY")


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
    possible = phonenumbers.is_possible_number(parsed) or len(number) == MIN_DIGITS
    return number if possible or _is_of(number, NEIGHBOURS) else None


def _is_of(number: str, countries: tuple[str, ...]) -> bool:
    """Whether it is a valid mobile of one of these countries, whose people leave out their code."""
    import phonenumbers

    parsed = [phonenumbers.parse(number, country) for country in countries if number[0] != "+"]
    return any(phonenumbers.number_type(each) == phonenumbers.PhoneNumberType.MOBILE for each in parsed)


def _find(said: Utterance, slot: SlotRules, *, asked: bool) -> tuple[Found, ...]:  # noqa: ARG001
    return said.once("phone", lambda: _phones(said)) or said.once(f"own:{asked}", lambda: _own(said, asked=asked))


def _own(said: Utterance, *, asked: bool) -> tuple[Found, ...]:
    """The number that the contact writes from, if that is the one they give."""
    from hilo.recognisers.people.own_number import own_number_in

    start, end, confidence = own_number_in(said.text, asked=asked) if said.own_number else (0, 0, 0)
    return (Found("phone", said.own_number, start, end, confidence),) if confidence else ()


def _phones(said: Utterance) -> tuple[Found, ...]:
    """Those of who receives the order, where two people are spoken of; a number may be dictated in words."""
    from hilo.recognisers.people.dictation import may_be_dictated
    from hilo.recognisers.people.recipients import theirs

    if not said.has_digits and not may_be_dictated(said.text.folded):
        return ()
    found = theirs(said.text.folded, _outside_addresses(said))
    return tuple(replace(each, value=_told_abroad(said, str(each.value))) for each in found)


def _told_abroad(said: Utterance, number: str) -> str:
    """The number with the code of the country that is named beside it ("es de Argentina"), or that they write from."""
    return _of_country(number, said.text.folded) or _where_they_are(said, number) or number


def _where_they_are(said: Utterance, number: str) -> str | None:
    """A number as one of the country that the contact writes from, if that is not the agent's and it is valid there."""
    import phonenumbers

    if not said.own_number.startswith("+") or number.startswith("+"):
        return None
    country = phonenumbers.region_code_for_number(phonenumbers.parse(said.own_number)) or said.country
    code = _by_country(number, country) if country != said.country else None
    return code if code and code.startswith("+") else None


def _of_country(number: str, text: str) -> str | None:
    """A number as one of the only country that a text names, if it is valid there."""
    named = {COUNTRY_NAMES[each.group("name")] for each in _OF_COUNTRY.finditer(text)}
    if len(named) != 1 or number.startswith("+"):
        return None
    code = _by_country(number, *named)
    return code if code and code.startswith("+") else None


def _amend(stored: str, text: Text) -> Found | None:
    """What was taken for a number of our country is one of another ("es de Argentina"), or ends otherwise."""
    import phonenumbers

    if last := _ENDS_IN.search(text.folded):
        digits = "".join(filter(str.isdigit, last["digits"]))
        return Found("phone", stored[: -len(digits)] + digits, last.start(), last.end(), SURE)
    said = _OF_COUNTRY.search(text.folded)
    if said is None or not stored.startswith("+"):
        return None
    number = _of_country(str(phonenumbers.parse(stored).national_number), text.folded)
    return Found("phone", number, said.start(), said.end(), SURE) if number and number != stored else None


def _may_be(said: Utterance) -> bool:
    """Whether a message without a phone speaks of one: too few digits, or the number that it comes from."""
    from hilo.recognisers.people.dictation import may_be_dictated
    from hilo.recognisers.people.own_number import own_number_in

    return said.has_digits or may_be_dictated(said.text.folded) or bool(own_number_in(said.text, asked=True)[2])


def _outside_addresses(said: Utterance) -> tuple[Found, ...]:
    """The 12 of "calle 10 #43-12 3001234567" is no part of a phone."""
    from hilo.recognisers.address_words import STREETS
    from hilo.recognisers.normalise import hidden, words
    from hilo.recognisers.people.phones import find_phones
    from hilo.slots.places import streets

    on_street = "#" in said.text.folded or not STREETS.isdisjoint(word.text for word in words(said.text))
    sure = [each for each in streets(said) if each.confidence >= SURE] if on_street else []
    return find_phones(hidden(said.text, [(each.start, each.end) for each in sure]), country=said.country)


def _problem(value: Value) -> str:
    """A number that only another channel would tell is asked for kindly."""
    from hilo.recognisers.normalise import normalise
    from hilo.recognisers.people.own_number import own_number_in

    return "invalid.own_number" if own_number_in(normalise(str(value)), asked=True)[2] else "invalid.phone"


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
            **spanish(
                _INVALID,
                "Sigo sin poder leer el teléfono. Escribe solo los números, con el código de área.",
                vos=(
                    "Ese teléfono no parece válido. Escribilo con el código de área, por ejemplo 11 5555-1234.",
                    "Sigo sin poder leer el teléfono. Escribí solo los números, con el código de área.",
                ),
                usted=(
                    "Ese teléfono no parece válido. Escríbalo completo, por ejemplo 300 123 4567.",
                    "Sigo sin poder leer el teléfono. Escriba solo los números, por favor.",
                ),
            ),
            "es-MX": (
                "Ese número no parece válido. ¿Me lo compartes a 10 dígitos, por ejemplo 55 1234 5678?",
                "Sigo sin poder leer el número. Escribe solo los 10 dígitos de tu celular, por favor.",
            ),
            "es-ES": (
                "Ese teléfono no parece válido. Escríbelo completo, por ejemplo 612 34 56 78.",
                "Sigo sin poder leer el teléfono. Escribe solo las cifras de tu móvil o de tu fijo, por favor.",
            ),
            "pt-BR": (
                "Esse telefone não parece válido. Escreva com o DDD, por exemplo (11) 91234-5678.",
                "Ainda não consegui ler o telefone. Escreva só os números, com o DDD.",
            ),
            "en": (
                _INVALID_IN_ENGLISH,
                "I still can't read the number. Just the digits, with the area code, please.",
            ),
        },
        "invalid.own_number": {
            **spanish(
                "Desde aquí no veo tu número: escríbemelo, por favor, con el código de área.",
                vos=("Desde acá no veo tu número: escribímelo, por favor, con el código de área.",),
                usted=("Desde aquí no veo su número: escríbamelo completo, por favor.",),
            ),
            "es-ES": ("Desde aquí no veo tu número: escríbemelo completo, por favor.",),
            "es-MX": ("Desde aquí no veo tu número: ¿me lo compartes a 10 dígitos, por favor?",),
            "pt-BR": ("Daqui não vejo o seu número: escreva, por favor, com o DDD.",),
            "en": ("I can't see your number from here: please write it, with the area code.",),
        },
    },
    examples=said_alike(
        Example(said="mi celular es +57 300 123 4567", stored="+573001234567", shown="+573001234567"),
        english=Example(said="call me at +57 300 123 4567", stored="+573001234567", shown="+573001234567"),
        portuguese=Example(said="meu celular é +57 300 123 4567", stored="+573001234567", shown="+573001234567"),
    ),
    find=_find,
    accept=_accept,
    problem=_problem,
    may_be=_may_be,
    volunteered="always",
    is_beside_towns=True,
    amend=_amend,
)
