"""What is added to a note that there is: "ponle también atún", "a la nota de la mudanza agrégale cinta"."""

import re
from dataclasses import dataclass

from asistente_notes import listed, note_text, numbered

from hilo import ToolFailed, language

_ADDING = (
    r"(?:\b(?P<for>les?)\s+)?\b"
    r"(?:(?:agr[eé]g(?:[aá]|ues?)|a[ñn][aá]d(?:[eaií]|as)|s[uú]m(?:[aáe]|es)|incl[uú](?:y[ea]s?|[ií])|m[eé]t(?:[eéa]|as)"
    r"|p[oó]n(?:[eé]|gas?)?|an[oó]t[aáe]s?|ap[uú]nt[aáe]s?)"
    r"|(?:pued|pod|quier|quisier|necesit)\w*\s+(?:agreg|a[ñn]ad|sum|inclu|met|pon|anot|apunt)[aei]r)"
    r"(?:me|les?|l[oa]s?)?\b"
)
_ADDS = re.compile(_ADDING, re.IGNORECASE)
_TAKES_OUT = re.compile(r"\b(?:borr|elimin|quit|sac(?:a|ar|alo|ala|ame|ale)\b|tach|suprim|cancel)")
_TARGET = re.compile(
    r",?\s*\b(?:a|en)(?:\s+(?:la|mi|mis|esa|esta|las|tu)|l)?\s+(?:[uú]ltima\s+)?"
    r"(?:(?P<title>(?P<kind>notas?|lista)\b(?:\s+(?:n[uú]mero\s+)?(?P<number>\d+))?"
    r"(?:\s+(?:de(?:l| las?| los)?|para(?: el| la)?)\s+(?P<name>\w+))?)|(?<=la )(?P<alone>\d+)\b)[,:]?",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"^(?:[\s,:]|\b(?:por favor|porfa|tambi[eé]n|tambien|tb|tmb|tbn|adem[aá]s|ah[ií]|que|q|de|ah)\b)+"
    r"|(?:[\s,]|\b(?:tambi[eé]n|tambien|tb|tmb|ah[ií]|porfa|por favor|gracias|porfis|please|jaja)\b)+[.!?]*$|\s*[?!]+$",
    re.IGNORECASE,
)
_ONE_MORE = re.compile(r"^(?:otra|otro|una|otra cosa)(?:\s+nota)?(?:\s+m[aá]s)?\s*:?\s+", re.IGNORECASE)
_LISTS = re.compile(r"\blista\b|^compr|,| y ")
_STEM = 5
_SHOPS = ("compr", "super", "merca")  # so is a list called that only says what to buy


@dataclass(frozen=True, slots=True)
class Addition:
    """What is to be added, and what is said of the note that it goes to."""

    body: str
    is_to_one: bool = False  # "ponle", "a la lista": to a note that there is
    number: int = 0
    name: str = ""
    title: str = ""  # what a list is called that there is not yet


def read_addition(text: str) -> Addition | None:
    """What a text adds, whatever stands before it: "ah, no sabes. ya, agrega arroz a la lista"."""
    said = " ".join(text.split())
    verb, target = _ADDS.search(said), _TARGET.search(said)
    if verb is None:
        return None
    rest = said[verb.end() :].strip()
    if one_more := _ONE_MORE.match(rest):
        return Addition(_bare(rest[one_more.end() :]))
    is_to_it = verb["for"] is not None or verb[0].lower().endswith(("le", "les"))
    if target is None:
        return Addition(_bare(rest), is_to_it)
    if target.start() >= verb.end():
        rest = f"{said[verb.end() : target.start()]} {said[target.end() :]}"
    kind = language.fold(target["kind"] or "")
    return Addition(
        _bare(rest),
        is_to_it or kind != "notas",  # "a mis notas" is one more of them
        int(target["number"] or target["alone"] or 0),
        target["name"] or "",
        target["title"] if kind == "lista" else "",
    )


def own_text(text: str) -> str:
    """What a note of its own shall say."""
    addition = read_addition(text)
    if addition is None:
        return note_text(text.strip().removeprefix("y "))
    return note_text(f"anota {addition.title}: {addition.body}" if addition.title else f"anota {addition.body}")


def _bare(body: str) -> str:
    while (shorter := _BESIDE.sub("", body.strip())) != body:
        body = shorter
    return body


def adds(text: str) -> bool:
    """Whether something is to be written and nothing taken out, whatever it was taken for."""
    return read_addition(text) is not None and not _TAKES_OUT.search(language.fold(text))


def listed_more(text: str, notes: list[str]) -> tuple[int, str]:
    """The number of the note that something is to be added to, and its whole text then; 0 for a note of its own."""
    addition = read_addition(text)
    if not addition or not addition.is_to_one or not notes or not addition.body:
        return 0, ""
    number = _number_of(addition, notes)
    if not number:
        return 0, ""
    whole, body = notes[number - 1].rstrip(". "), note_text(addition.body)
    if language.fold(whole).endswith(language.fold(body)):
        return number, whole
    return number, f"{whole}{',' if whole[-1:] not in ':,' else ''} {body}"


def _number_of(addition: Addition, notes: list[str]) -> int:
    """The note that is meant: by its number, its name, the only list, the only one; asks between several."""
    if addition.number:
        return numbered(addition.number, notes)
    folded = [language.fold(note) for note in notes]
    places = range(1, len(notes) + 1)
    stem = language.fold(addition.name)[:_STEM]
    named = [place for place in places if stem and stem in folded[place - 1]]
    called = [place for place in places if "lista" in folded[place - 1]]
    lists = [place for place in places if _LISTS.search(folded[place - 1])]
    if stem and not named and (called or stem not in _SHOPS):
        return 0  # none is called so
    for likely in (named, called, lists, list(places)):
        if len(likely) == 1:
            return likely[0]
        if likely:
            tell = f"¿A cuál? Dímelo con su número, por ejemplo «agrega {addition.body} a la nota {likely[-1]}».\n"
            raise ToolFailed("which list", tell=f"{tell}{listed(notes)}")
    return 0
