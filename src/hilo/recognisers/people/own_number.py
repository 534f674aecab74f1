"""Whether somebody gives the number that they write from: "a este mismo", "al que te escribo"."""

import re

from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import ADDRESSED
from hilo.recognisers.phrases import word_set

_LONGEST = 80  # characters of a message that only points at this chat
_WORD = re.compile(r"[^\W_]+")
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
# where a number was asked for: a word that points at this chat, and none that speaks of anything else
_POINTING = word_set("este esta esto mismo misma mismito aca aqui chat pantalla conversacion this same")
_WRITING_NOW = re.compile(r"(?:escrib|habl|mensaje|contact|text|writ|messag)(?:o|amos|imos|iendo|ando|ing)")
_CALLING = re.compile(r"(?:llam|marc|escrib|contact|busc|anot|us|pon|dej|ubic|encontr|tom|guard|registr|call)\w*")
_BESIDE = ADDRESSED | word_set("""
    si claro dale ok bueno pues mira ahi puede pueden puedes podes me te le les lo la se ser sea es seria mi
    tu su numero numerito nro num celular celu cel telefono tel fono movil whatsapp whats wsp wpp wasap guasap
    ws wa linea a al el en de del desde por con que cual donde y nomas no mas gracias porfa favor esta bien
    sirve va tienes tenes tiene tienen q k ke xfa pls plis tmb ves ve ven aparece sale figura ya siempre estoy
    estamos ando yo tranqui tranquilo the one number i am im from is at my you can use
""")
_DENIED = re.compile(r"\b(?:no|ni|nunca|tampoco|not|otro|equivocado|cambie|viejo)\b(?! (?:mas|hay problema))")
_OF_ANOTHER = re.compile(r"\bde (?:pedido|orden|factura|cuenta|seguimiento|guia|reserva|documento)\b|\bde quien\b")


def own_number_in(text: Text, *, asked: bool) -> tuple[int, int, int]:
    """Where it is said and how surely; nothing (0, 0, 0) where it is denied, asked about or of something else."""
    folded = text.folded
    named = _NAMED.search(folded)
    if "?" in folded or _DENIED.search(folded) or _OF_ANOTHER.search(folded):
        return 0, 0, 0
    if named:
        return named.start(), named.end(), NAMED
    return (0, len(folded), MEANT) if asked and _points_here(folded) else (0, 0, 0)


def _points_here(folded: str) -> bool:
    """Whether nothing is said but where the contact is to be reached: here."""
    said = _WORD.findall(folded[:_LONGEST])
    points = [word for word in said if word in _POINTING or _WRITING_NOW.fullmatch(word)]
    others = [word for word in said if word not in points and word not in _BESIDE]
    return bool(points) and len(folded) < _LONGEST and all(_CALLING.fullmatch(word) for word in others)
