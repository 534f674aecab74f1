"""Is a yes plain enough to act on? "Sí, resérvalo" is, "sí, pero más barato" is not."""

import re

from hilo.recognisers.normalise import words
from hilo.recognisers.phrases import word_set
from hilo.understanding.reading import Reading

# What may stand beside a yes without changing it: courtesies, all is well, the thing is to be done.
BESIDE = word_set(
    """
    si ok dale listo perfecto correcto exacto bien esta todo eso es asi mismo claro obvio seguro segura adelante
    ya por favor gracias quiero va vale bueno genial excelente de una acuerdo confirmo confirmado confirmar
    acepto procede proceda reserva reservalo reservala reservalos reservame reservemos hazlo hacelo hagalo
    hagale haganlo hacela hazla confirma confirmalo confirmala confirmame confirme confirmemos manda mandalo
    mandala mandame envialo enviala pide pidelo pedilo pidala compra compralo compremos cambialo cambiala
    cancelalo cancelala cancela sigue seguimos sigamos avancemos yes yeah sure please thanks do it go ahead book
    confirmelo confirmela envielo enviela enviemelo enviemela mandelo mandela mandemelo mandemela despachelo separemelo
    cancelelo cancelela cancele que maravilla me encanta encanto dicha chevere bacano super buenisimo fantastico
    confirm correct right fine great perfect that is wonderful awesome love
    """
)
DOUBTS = (
    "puede ser",
    "creo",
    "supongo",
    "quiza",
    "tal vez",
    "capaz",
    "pasa nada",
    "por que no",
    "maybe",
    "i guess",
    "think",
)
_AFTER_YES = re.compile(r"\s*(?:[,.;!¿\n]|(?:y|pero|but|and)\b)")


def is_plain_yes(reading: Reading) -> bool:
    """Whether a message is a yes and nothing else."""
    beside = reading.is_only("affirm") or all(word.text in BESIDE for word in words(reading.text))
    doubts = "?" in reading.text.raw or any(doubt in reading.text.folded for doubt in DOUBTS)
    return reading.has("affirm") and beside and not doubts


def opens_with_yes(reading: Reading) -> bool:
    """Whether a yes stands first and is set apart, so that the rest can be looked at for itself."""
    text = reading.text.folded
    first = [act for act in reading.acts if act.kind == "affirm" and not text[: act.start].strip(" ,.!¡¿")]
    return any(_AFTER_YES.match(text, act.end) is not None for act in first)
