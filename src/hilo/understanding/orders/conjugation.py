"""The forms of a Spanish verb that customers ask with, from its infinitive: agregar gives agregame, agregues.

A pack writes a verb as its infinitive, with the stem of its subjunctive where that is another one (traer:traig),
then the stem of its strong present, where there is one (mostrar:muestr:muestr), then the short imperative, where
there is one (poner:pong::pon). How a stem is spelled before an e (agreg-, agregu-) follows from its last letter.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_BEFORE_E = {"g": "gu", "c": "qu", "z": "c"}
_ASKING = ("", "me", "nos", "le", "les")
_NAMING = ("lo", "la", "los", "las")
_DOUBLE = tuple(to + what for to in ("me", "nos", "se") for what in _NAMING)
PRONOUNS = (*_NAMING, *_DOUBLE)
_CLITICS = (*_ASKING, "mele", *PRONOUNS)


@dataclass(frozen=True, slots=True)
class Stems:
    """What the forms of a verb are made of."""

    plain: str
    present: str
    subjunctive: str
    vowel: str  # of its infinitive: a, e or i
    short: str = ""  # its imperative: pon, haz


def stems_of(written: str) -> Stems:
    """The stems of a verb as a pack writes it."""
    infinitive, subjunctive, present, short = (*written.split(":"), "", "", "")[:4]
    plain, vowel = infinitive[:-2], infinitive[-2]
    present = present or plain
    if not subjunctive:
        spelled = _BEFORE_E.get(present[-1], present[-1]) if vowel == "a" else present[-1]
        subjunctive = present[:-1] + spelled
    return Stems(plain, present, subjunctive, vowel, short)


def requests(verbs: Iterable[str]) -> set[str]:
    """Agregá, agregue, agréguenme, sacala: the imperatives, alone and with pronouns."""
    return {form + clitic for verb in verbs for form in _imperatives(stems_of(verb)) for clitic in _CLITICS}


def _imperatives(stems: Stems) -> Iterator[str]:
    other = "e" if stems.vowel == "a" else "a"
    yield stems.plain + stems.vowel
    yield stems.present + ("a" if stems.vowel == "a" else "e")
    yield stems.subjunctive + other
    yield stems.subjunctive + other + "n"
    yield stems.plain + stems.vowel + "d"
    if stems.short:
        yield stems.short


def presents(verbs: Iterable[str]) -> set[str]:
    """Agregás, agrega, agregan, agregarías: what a polite question asks with."""
    found: set[str] = set()
    for stems in map(stems_of, verbs):
        endings = ("as", "a", "an") if stems.vowel == "a" else ("es", "e", "en")
        found.update(stems.present + ending for ending in endings)
        found.update(stems.plain + stems.vowel + ending for ending in ("s", "ria", "rias", "rian"))
    return found


def subjunctives(verbs: Iterable[str]) -> set[str]:
    """Agregues, agregue, agreguen, agreguemos."""
    found: set[str] = set()
    for stems in map(stems_of, verbs):
        vowel = "e" if stems.vowel == "a" else "a"
        found.update(stems.subjunctive + vowel + ending for ending in ("", "s", "n", "mos"))
    return found


def preterites(verbs: Iterable[str]) -> set[str]:
    """Agregaste, agregaron: what tells what was done; agregué and agregó are written like other forms."""
    found: set[str] = set()
    for stems in map(stems_of, verbs):
        endings = ("aste", "aron") if stems.vowel == "a" else ("iste", "ieron")
        found.update(stems.plain + ending for ending in endings)
    return found


def infinitives(verbs: Iterable[str]) -> set[str]:
    """Agregar, agregarle, agregarlo."""
    found: set[str] = set()
    for stems in map(stems_of, verbs):
        found.update(f"{stems.plain}{stems.vowel}r{clitic}" for clitic in (*_ASKING, "te", *_NAMING))
    return found
