"""Who receives an order where the message says so, and which of several values are theirs."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from hilo.understanding.found import Found
from hilo.understanding.people.name_words import GIVEN_NAMES, KIN, TITLES

REACH = 45  # characters before a value that tell whose it is

_RECEIVES = re.compile(
    r"\b(?:pedido|orden|envio|paquete|domicilio|compra|encargo|regalo|order|package)\b[^.,;:?!\d]{0,20}?\b(?:para|for)\s"
    r"|(?:^|[,.;]\s?|\b(?:pero|y|que|aunque|sino|but|and)\s)(?:es|va|seria|it's|it is)\s(?:para|for)\s"
    r"|\ba nombre de\s"
    r"|\bque (?:lo|la|los|las) reciba\s|\b(?:lo|la|los|las|quien|que) recibe\s(?:es\s)?|\brecibe:?\s"
    r"|\bentreg(?:ar|arlo|arla|arselo|arsela|uenlo|uensela|uenselo|uen|uelo|uesela|ueselo|an|ado|ada)\sa\s"
    r"|\bdirigid[oa] a\s|\bdestinatari[oa]s?(?: es|:)?\s"
    r"|\b(?:send|ship|deliver|address)(?:ed)?(?: it)? to\s|\b(?:recipient|receiver)(?: is|:)?\s"
)
_CUES = ("para ", "nombre de", "recib", "entreg", "dirigid", "destinat", " for ", " to ", "recipient", "receiver")
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLES = frozenset(("mi", "su", "la", "el", "my", "our"))
_OF_SOMEBODY = re.compile(
    r"\b(?:(?P<own>mi (?:celu?|celular|telefono|numero|whatsapp|tel|direccion)|(?:el|la) mi[oa]|my|yo vivo)"
    r"|su (?:celu?|celular|telefono|numero|whatsapp)|her|his|their|de (?:(?:mi|su|la|el) )?(?P<owner>[a-z]+))\b"
)
_OTHERS = KIN | GIVEN_NAMES | {"ella", "el"}


def receivers(folded: str) -> Iterator[int]:
    """Where the name of who receives the order begins, with "mi mamá" before it."""
    for said in _RECEIVES.finditer(folded) if any(cue in folded for cue in _CUES) else ():
        words = _WORD.findall(folded, said.end(), said.end() + REACH)[:2]
        known = words[1:] if words and words[0] in _ARTICLES else words
        if known and known[0] in KIN | TITLES | GIVEN_NAMES:
            yield said.end()


def theirs(folded: str, found: Sequence[Found]) -> tuple[Found, ...]:
    """Of several values those of who receives the order; without one, those that are not said to be another's.

    None where a receiver is named and nothing tells the values apart: the wrong person is worse than a question.
    """
    if len({each.value for each in found}) < 2:  # noqa: PLR2004
        return tuple(found)
    received = next(receivers(folded), -1)
    owners = {each: _owner(folded, each) for each in found}
    others = tuple(each for each in found if owners[each] == "other")
    rest = tuple(each for each in found if owners[each] != "own")
    if received < 0:
        return tuple(each for each in found if each not in others) or tuple(found)
    after = tuple(each for each in rest if each.start > received)
    return others or after or (rest if len(rest) == 1 else ())


def _owner(folded: str, found: Found) -> Literal["own", "other", ""]:
    """Whose a value is, by the last words before it that tell; another value between them takes these for itself."""
    telling = list(_OF_SOMEBODY.finditer(folded, max(0, found.start - REACH), found.start))
    said = telling[-1] if telling else None
    if said is None or any(map(str.isdigit, folded[said.end() : found.start])):
        return ""
    if said.group("own"):
        return "own"
    return "other" if said.group("owner") is None or said.group("owner") in _OTHERS else ""
