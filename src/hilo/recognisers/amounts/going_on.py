"""Sums that go on with a number that was told before: "¿y el doble?", "divídelo en 3", "pásalo a euros"."""

import re
from collections.abc import Iterator

_SIZE = (
    r"(?:\d[\d.,]*|iva\b|\w*(?:[ei]nta|ient[oa]s|cien|mil|dos|tres|cuatro|cinco|seis|diez|quince|veinte)\b)"
    r"(?: ?%| (?:mil|y|por ciento|pesos|de|iva|descuento|mas|\w+ent[oa]s?))*"
)
_ADDS = r"(?:sum|agreg|aument|anad|rest|quit|sac|descont|descuent)\w*"
# How a text goes on with a number; the group that fits tells where and how that is written (`_WORDED`).
_GOES_ON = tuple(
    re.compile(rf"\W*(?:y |ahora |pero )*{each}")
    for each in (
        r"(?:el doble|el triple|la mitad|(?:un|el) (?:tercio|cuarto)|(?:el )?\d[\d.,]* ?%)(?P<of>)\W*$",
        r"(?P<at>)(?:con|mas|sin|menos) (?:el |un )?(?:\d[\d.,]* ?%(?: de)?(?: \w+)?|iva)\W*$",
        r"(?P<at>)(?=(?:mas|menos|por|entre|dividido|multiplicado) (?:por |entre )?\d)",
        r"(?:si )?(?:le|se le|me) (?:hag|hac|aplic|pon|d)\w+ (?P<at>)(?:un |el )?(?:\w+ del? )?\d[\d.,]* ?%",
        r"(?:si )?(?:l[oae]s? )?(?:multiplic|divid|repart)\w* (?P<at>)(?:por|entre|en|a) ",
        r"redonde\w*l[oa](?P<by>)\W*$",
        r"(?P<change>(?:pas|convert|conviert|cambi)\w*l[oa])(?= (?:a|en) (?!las? |el |los |\d))",
        rf"(?:{_ADDS}l[eo]s?|si l[eo] {_ADDS}) (?:el |un )?{_SIZE}(?P<to>)(?:,? ?(?:cuanto|que) \w+)?\W*$",
    )
)
_WORDED = {"of": " de {}", "at": "{} ", "by": " {}", "change": "convierte {}", "to": " a {}"}


def goes_on(text: str, number: str) -> Iterator[tuple[int, int, str]]:
    """Where in a folded text the number belongs, and how it is written there."""
    for pattern in _GOES_ON:
        if found := pattern.match(text):
            place = str(found.lastgroup)
            yield *found.span(place), _WORDED[place].format(number)
