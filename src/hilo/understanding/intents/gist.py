"""What a message says once its courtesies are gone: "hola buen día! … muchas gracias" changes no intent."""

import re
from functools import lru_cache

from hilo.recognisers.normalise import normalise, words

EDGES = " .,;:!?¡¿-"

_PAUSE = rf"(?=[{re.escape(EDGES[1:])}]|$)"  # before these words may also ask something: "cómo va mi pedido"
_OPENINGS = (
    "hola+",
    "holis",
    "ola",
    "alo",
    "buenas(?: tardes| noches)?",
    "buena (?:tarde|noche)",
    "buenos dias",
    "buen dia",
    "como (?:estas|andas|te va|le va)",
    f"(?:que tal|como va|como esta|como anda){_PAUSE}",
    f"todo bien{_PAUSE}",
    f"(?:te |les? )?(?:hago |tengo |queria hacer(?:te|les?)? )?una (?:consulta|pregunta){_PAUSE}",
    "disculp[ae](?:me)?",
    "perdon[ae]?(?:me)?",
    "oi",
    "bom dia",
    "boa (?:tarde|noite)",
    "tudo bem",
    "hi(?: there)?",
    "hello",
    "hey",
    "good (?:morning|afternoon|evening)",
    "how are you",
    "excuse me",
    "por favor",
    "please",
)
_OPENING = re.compile(rf"(?:{'|'.join(_OPENINGS)})\b")
_CLOSINGS = (
    "por favor",
    "gracias",
    "muchas gracias",
    "muchisimas gracias",
    "mil gracias",
    "desde ya muchas gracias",
    "gracias de antemano",
    "saludos",
    "please",
    "thanks",
    "thank you",
    "obrigado",
    "obrigada",
)
_CLOSING = tuple(f" {closing}" for closing in sorted(_CLOSINGS, key=len, reverse=True))
_COURTESIES = 4  # at either end; nobody greets more often


@lru_cache(maxsize=512)
def gist(text: str) -> str:
    """The folded message, abbreviations spelled out, without greetings and thanks around it, unless that is all."""
    said = _spelled_out(text).strip(EDGES)
    return _without_closings(_without_openings(said)) or said


def is_courtesy(text: str) -> bool:
    """Whether a text greets or thanks, and does nothing else."""
    return not _without_closings(_without_openings(_spelled_out(text).strip(EDGES)))


@lru_cache(maxsize=64)
def _spelled_out(text: str) -> str:
    said = normalise(text)
    parts: list[str] = []
    last = 0
    for word in words(said):
        parts += (said.folded[last : word.start], word.text)
        last = word.end
    return "".join(parts) + said.folded[last:]


def _without_openings(said: str) -> str:
    for _ in range(_COURTESIES):
        opening = _OPENING.match(said)
        if not opening:
            break
        said = said[opening.end() :].lstrip(EDGES)
    return said


def _without_closings(said: str) -> str:
    for _ in range(_COURTESIES):
        closing = next((closing for closing in _CLOSING if f" {said}".endswith(closing)), None)
        if closing is None:
            break
        said = f" {said}"[: -len(closing)].strip(EDGES)
    return said
