"""Sums that are told without their signs: "gasté 45 mil en luz y 30 mil en gas, ¿cuánto es todo?"."""

import re

from hilo import language

MOST = 20  # numbers of one story
PAIR = 2

_SIGNS = re.compile(r"[+*/%=]|\b(?:mas|menos|entre|dividido|multiplicado|elevado)\b|\bpor (?:\d|un[oa]?\b)")
_AVERAGE = re.compile(r"\b(?:promedio|media de)\b")
_LEFT = re.compile(r"\b(?:queda\w*|sobra\w*|vuelto|vueltas|me resta|falta\w*)\b")
_EACH = re.compile(
    r"\b(?:cada (?:un[oa]|cual)|c/u|por (?:unidad|persona|cabeza)|la unidad)\b|\ba [\d.,$ ]+(?: mil)? (?:el|la) \w+"
)
_SHARED = re.compile(r"\ben \d+ (?:cuotas|pagos|partes|meses|mensualidades|plazos)\b")
_TOTAL = re.compile(r"\b(?:total|tod[oa]s?|suman?|sumad[oa]s|junt[oa]s|gast(?:e|o|amos))\b")


def in_signs(text: str) -> str:
    """The sum that a story comes to, in signs; nothing where none can be told."""
    said = language.normalise(text)
    found = [str(each.value) for each in language.find_numbers(said) if _counts(said.folded, each.start, each.end)]
    if not PAIR <= len(found) <= MOST or _SIGNS.search(said.folded):
        return ""
    numbers = [each.replace(".", ",") for each in found]
    if _AVERAGE.search(said.folded):
        return f"({' + '.join(numbers)}) / {len(numbers)}"
    if _SHARED.search(said.folded) and len(numbers) == PAIR:
        return " / ".join(numbers)
    if _EACH.search(said.folded) and len(numbers) == PAIR:
        return " * ".join(numbers)
    if _LEFT.search(said.folded):
        return " - ".join(numbers)
    return " + ".join(numbers) if _TOTAL.search(said.folded) else ""


def _counts(text: str, start: int, end: int) -> bool:
    """Whether a number is one, and not the "una" of "cada una" or of "una remera"."""
    return text[start:end] not in {"un", "una", "uno", "unos", "unas"}
