"""Whether somebody gives the number that they write from: "a este mismo", "al que te escribo"."""

import re

from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import ADDRESSED

NAMED, MEANT = 80, 75  # how sure it is with a word for the number, and only where a number was asked for

_NUMBER = (
    r"(?:numero|numerito|nro|num|celular|celu|cel|telefono|tel|fono|movil|whatsapp|whats|wsp|wpp|wasap|guasap|ws|wa)"
)
_WRITING = r"(?:(?:te|le|les|los|me) )?(?:estoy |estamos |ando )?(?:escrib\w+|habl\w+|mensaje\w+|contact\w+)"
_FROM = r"(?:desde |con |del? |por )?(?:el |donde |al |a |la )?(?:que |cual )?"
# with a word for the number or for writing
_NAMED = re.compile(
    rf"\b(?:este|el|al|mi) (?:mismo )?{_NUMBER}(?: mismo)? {_FROM}{_WRITING}"
    rf"|\b(?:este|el|al|mi) mismo {_NUMBER}|\best[ea] (?:{_NUMBER}|linea)(?: mismo| misma)?\b"
    rf"|\b(?:(?:el|al) )?mismo (?:(?:de|del|que) )?(?:este |mi |el |uso (?:en|de|para) )?{_NUMBER}"
    rf"|\b(?:al|el|este|desde el|por el) (?:mismo )?(?:del? |desde |por |con )?(?:el )?(?:que|donde) {_WRITING}"
    rf"|\bdesde donde {_WRITING}"
    rf"|\b(?:al|el|este|ese) (?:{_NUMBER} )?que (?:ya )?(?:te|le|les|ahi)(?: ahi)? (?:aparece|sale|figura)"
    r"(?: ahi| en (?:la )?pantalla)?[ .!]*$"
    rf"|\b(?:al|el) de este (?:chat|{_NUMBER})\b"
    r"|\b(?:same number|this number|the number i(?:'m| am) (?:writing|texting|messaging) from)\b"
)
# where a number was asked for and little else is said
_BEFORE = (
    r"(?:si|claro|dale|ok|bueno|pues|mira|ahi|usa|usen|anota|puede[ns]?|podes|me|te|dejo|ser|llam[ae]\w*|marc\w+"
    r"|escrib\w+|contact\w+|porfa|por favor|es|seria|mi|numero|a|al|en|y|nomas|no mas|gracias|tranqui\w*)"
)
_AFTER = (
    r"(?:mi|numero|celular|de aca|de aqui|me|podes|puede[ns]?|llamar\w*|marc\w+|escribir\w*|contactar\w*|es|nomas"
    rf"|no mas|por favor|porfa|gracias|esta bien|sirve|va|dale|{'|'.join(sorted(ADDRESSED))})"
)
_MEANT = re.compile(
    rf"(?:{_BEFORE}[ ,.!]+)*"
    r"(?:est[ea](?: mism[oa])?|(?:el|al) mism(?:o|ito)(?: de (?:siempre|aca|aqui|ahora|este chat|whatsapp))?"
    r"|por (?:este|aca|aqui)(?: mismo)?|(?:aca|aqui)(?: mismo)?,? a este|this one|the same)"
    rf"(?:[ ,.!]+{_AFTER})*[ .!]*"
)
_DENIED = re.compile(r"\b(?:no|ni|nunca|tampoco|not|otro|equivocado|cambie|viejo)\b(?! (?:mas|hay problema))")
_OF_ANOTHER = re.compile(r"\bde (?:pedido|orden|factura|cuenta|seguimiento|guia|reserva|documento)\b|\bde quien\b")


def own_number_in(text: Text, *, asked: bool) -> tuple[int, int, int]:
    """Where it is said and how surely; nothing (0, 0, 0) where it is denied, asked about or of something else."""
    folded = text.folded
    named = _NAMED.search(folded)
    meant = _MEANT.fullmatch(folded.strip()) if asked and not named else None
    if "?" in folded or not (named or meant) or _DENIED.search(folded) or _OF_ANOTHER.search(folded):
        return 0, 0, 0
    return (named.start(), named.end(), NAMED) if named else (0, len(folded), MEANT)
