"""What a message says once its courtesies are gone: "hola buen día! … muchas gracias" changes no intent."""

import re
from functools import cache, lru_cache

from hilo.recognisers.normalise import normalise, words
from hilo.understanding.plain_phrases import alternatives_of, phrases_of

EDGES = " .,;:!?¡¿-"

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
        opening = _openings().match(said)
        if not opening:
            break
        said = said[opening.end() :].lstrip(EDGES)
    return said


def _without_closings(said: str) -> str:
    for _ in range(_COURTESIES):
        closing = _closings().search(said)
        if closing is None:
            break
        said = said[: closing.start()].strip(EDGES)
    return said


@cache
def _openings() -> re.Pattern[str]:
    pause = rf"(?=[{re.escape(EDGES[1:])}]|$)"  # before these words may also ask something: "cómo va mi pedido"
    with_pause = alternatives_of("opening with a pause")
    return re.compile(rf"(?:{_longest_first('opening')}|(?:{with_pause}){pause})\b")


@cache
def _closings() -> re.Pattern[str]:
    return re.compile(rf"(?:^| )(?:{_longest_first('closing')})$")


def _longest_first(section: str) -> str:
    return "|".join(sorted(map(re.escape, phrases_of(section)), key=len, reverse=True))
