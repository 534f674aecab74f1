"""Who is named as somebody else: "el tercer pasajero es Samuel", "y la otra es Luz", "mi hijo se llama Bruno"."""

import re

from hilo.recognisers.people.name_words import KIN

_LONGEST = 80  # characters before a name that say whose it is
_ONE = r"(?:pasajer[oa]|viajer[oa]|acompanante|persona|paciente|invitad[oa]|huesped|comensal|adult[oa]|turno|lugar)"
_IS = r"(?:,|:| es| seria| se llama| va a nombre de| a nombre de| para| de nombre)*"
_KIN = rf"(?:{'|'.join(sorted(KIN))})"
_ANOTHER = re.compile(
    rf"\b(?:otr[oa]|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa])(?: {_ONE})?{_IS}(?: (?:mi|el|la) {_KIN})?,? $"
)
_RELATED = re.compile(rf"(?:^|(?<!para)(?<!a nombre de)[ ,.;])(?:mi|nuestr[oa]) {_KIN}(?: es| se llama|,)? $")


def is_another(text: str, start: int) -> bool:
    """Whether the name that stands there in a folded text is told as that of one more person."""
    return _ANOTHER.search(text, max(0, start - _LONGEST), start) is not None


def is_related(text: str, start: int) -> bool:
    """Whether it is told as that of somebody's kin, and nothing is asked for them: "para mi hijo Bruno" does."""
    return _RELATED.search(text, max(0, start - _LONGEST), start) is not None
