"""A name that completes the one that is known: "Ana María Gil" after "Ana", "el apellido es Gil"."""

import re

from hilo.recognisers.normalise import Text, fold
from hilo.recognisers.people.name_words import GIVEN_NAMES, KIN
from hilo.recognisers.people.names import find_family_names, find_person_names

# "mi hermana Ana" and "el apellido de mi mujer" complete nobody
_ANOTHERS = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(KIN)))})\b")


def fuller_name(known: str, text: Text) -> tuple[int, int, str] | None:
    """Where a text completes a known name, and the whole name; None where it does not."""
    if _ANOTHERS.search(text.folded):
        return None
    if family := find_family_names(text):
        words = known.split()
        given = [word for word in words[1:] if fold(word) in GIVEN_NAMES]
        return family[0].start, family[0].end, " ".join((*words[:1], *given, str(family[0].value)))
    introduced = find_person_names(text)
    for found in (*introduced, *find_person_names(text, asked=True)[:1]):
        goes_on = fold(str(found.value)).startswith(f"{fold(known)} ")
        if goes_on and (found in introduced or not text.folded[: found.start].strip(" ,.!")):
            return found.start, found.end, str(found.value)
    return None
