"""What leads up to a question is no part of it: "una consulta, …", "no me respondiste lo del equipaje"."""

from hilo.recognisers.normalise import Span, fold
from hilo.understanding.parts import EDGES, clauses
from hilo.understanding.plain_phrases import pattern_of

MOST_LEADS = 4  # "bueno, pero antes una consulta: quería saber si …"


def without_leads(text: str) -> tuple[str, bool]:
    """A part without the words that lead up to its question, and whether some of them tell that it asks."""
    rest = text
    for _ in range(MOST_LEADS):
        lead = pattern_of("question: leads").match(fold(rest))
        if lead is None or not rest[lead.end() :].strip(" ,:¿?"):
            break
        rest = rest[lead.end() :].lstrip(" ,:¿")
    return rest, rest != text


def asked_again(text: str) -> str:
    """A message that complains of a question passed over, as that question: "no me dijiste el precio" → "¿el precio?".

    That nothing is done before the answer is known needs no saying: the question that is open waits anyway.
    """
    spans = clauses(text, loose=True)
    if not any(_says("question: passed over", text, span) for span in spans):
        return text
    for start, end in reversed(spans):
        before, behind = text[:start], text[end:]
        if _says("question: waits", text, (start, end)):
            before = before.rstrip(EDGES)
            text = f"{'' if fold(before) == 'no' else before}{behind}".lstrip(EDGES)
        else:
            text = f"{before}{_as_question(text[start:end])}{behind}"
    return text.replace("??", "?")


def _says(section: str, text: str, span: Span) -> bool:
    return pattern_of(section).match(fold(text[slice(*span)].strip(EDGES))) is not None


def _as_question(part: str) -> str:
    found = pattern_of("question: passed over").match(fold(part))
    asked = without_leads(part[found.end() :].strip(" .,;:!?"))[0] if found else ""
    return f"¿{asked}?" if asked else part
