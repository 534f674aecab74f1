"""Sums that are told without their signs: "gasté 45 mil en luz y 30 mil en gas, ¿cuánto es todo?"."""

import re
from dataclasses import dataclass
from itertools import pairwise

from hilo import language

MOST = 20  # numbers of one story
PAIR = 2

_SIGNS = re.compile(r"[+*/%=]|\b(?:mas|menos|entre|dividido|multiplicado|elevado)\b|\bpor (?:\d|un[oa]?\b)")
_EACH_SHORT = re.compile(r"\bc/u\b", re.IGNORECASE)
_AVERAGE = re.compile(r"\b(?:promedio|media de)\b")
_LEFT = re.compile(r"\b(?:queda\w*|sobra\w*|vuelto|vueltas|me resta|falta\w*)\b")
_EACH = re.compile(
    r"\b(?:cada (?:un[oa]|cual)|por (?:unidad|persona|cabeza)|la unidad)\b|\ba [\d.,$ ]+(?: mil)? (?:el|la) \w+"
    r"|\b\d+ [a-z]+ (?:de|a) \$? ?\d"  # 12 cuotas de 4500
)
# si 3 kilos salen 4500, ¿cuánto sale un kilo?
_RULE_OF_THREE = re.compile(
    r"(?P<many>\d[\d.]*) (?P<what>[a-z]+?)(?:e?s)?\b.{0,20}?\b(?:sal|cuest|val|son|me cobra)\w*[ $]+"
    r"(?P<price>\d[\d.]*(?:,\d+)?)(?P<mil> mil)?"
    r".*?\bcuant\w+ .*?\b(?P<wanted>\d[\d.]*|un[oa]?|el|la|cada) (?P=what)(?:e?s)?\b"
)
PER_CENT = re.compile(r"(\d[\d.]*(?:,\d+)?) ?(?:%|por ?ciento)")
_CHANGES = re.compile(r"\b(?:descuento|rebaja|recargo|aument\w+|interes|mas|menos|sin|con|sub\w+|baj\w+|iva)\b")
_ONLY_JOINED = re.compile(r"[\s$]*(?:y|,)?[\s$]*")
# what everybody's part is, and how many they are: "somos 4 y gastamos 80 mil, ¿cuánto pone cada uno?"
_PART = re.compile(
    r"\bcuant\w+\b.*\b(?:cada (?:un[oa]|cual)|por (?:persona|cabeza))\b"
    r"|\b(?:toca|ponemos|tenemos que poner) (?:a )?cada"
)
_PEOPLE_BEFORE = re.compile(
    r"\b(?:somos|son|eramos|fuimos|seriamos|fueramos|entre|para|de a)(?: (?:los|las|unos|como))?\s*$"
)
_PEOPLE_AFTER = re.compile(
    r"\s*(?:personas|amig[oa]s|gente|invitad[oa]s|compañer\w+|companer\w+|herman[oa]s|comensales|cabezas)\b"
)
_SHARED = re.compile(r"\ben \d+ (?:cuotas|pagos|partes|meses|mensualidades|plazos)\b")
_TOTAL = re.compile(r"\b(?:total|tod[oa]s?|suman?|sumad[oa]s|junt[oa]s|gast(?:e|o|amos))\b")


@dataclass(frozen=True, slots=True)
class _Story:
    """A text without accents, and the numbers in it, as they are written in a sum too."""

    text: str
    found: tuple[language.Found, ...]

    @property
    def numbers(self) -> list[str]:
        return [str(each.value).replace(".", ",") for each in self.found]


def in_signs(text: str) -> str:
    """The sum that a story comes to, in signs; nothing where none can be told."""
    said = language.normalise(_EACH_SHORT.sub("cada uno", text))
    found = [each for each in language.find_numbers(said) if _counts(said.folded, each.start, each.end)]
    story = _Story(said.folded, tuple(found))
    if three := _rule_of_three(story):
        return three
    if not PAIR <= len(found) <= MOST:
        return ""
    if _PART.search(story.text):
        return _part_of_each(story)
    return _per_cent(story) or ("" if _SIGNS.search(story.text) else _by_its_words(story))


def _rule_of_three(story: _Story) -> str:
    three = _RULE_OF_THREE.search(story.text)
    if three is None:
        return ""
    wanted = three["wanted"] if three["wanted"][0].isdigit() else "1"
    times = "" if wanted == "1" else f" * {wanted}"
    return f"{three['price']}{three['mil'] or ''} / {three['many']}{times}"


def _part_of_each(story: _Story) -> str:
    """What everybody pays, where it is said how many they are, or in how many parts it is paid."""
    people = [counts_people(story.text, each.start, each.end) for each in story.found]
    counts = [number for number, is_count in zip(story.numbers, people, strict=True) if is_count]
    amounts = [number for number, is_count in zip(story.numbers, people, strict=True) if not is_count]
    if counts and amounts:
        whole = f"({' + '.join(amounts)})" if len(amounts) > 1 else amounts[0]
        return f"{whole} / {counts[-1]}"
    return " / ".join(story.numbers) if _SHARED.search(story.text) and len(story.found) == PAIR else ""


def _per_cent(story: _Story) -> str:
    """What a per cent of the other number is: "gano 850000 y ahorro el 20%, ¿cuánto ahorro?"."""
    share = PER_CENT.search(story.text)
    if not share or len(story.found) != PAIR or "cuant" not in story.text or _CHANGES.search(story.text):
        return ""
    others = [number for each, number in zip(story.found, story.numbers, strict=True) if each.start != share.start()]
    return f"{share[1]}% de {others[0]}"


def _by_its_words(story: _Story) -> str:
    text, numbers = story.text, story.numbers
    if _AVERAGE.search(text):
        return f"({' + '.join(numbers)}) / {len(numbers)}"
    if _SHARED.search(text) and len(numbers) == PAIR:
        return " / ".join(numbers)
    if _EACH.search(text) and len(numbers) == PAIR:
        return " * ".join(numbers)
    if _LEFT.search(text) and _EACH.search(text) and len(numbers) == PAIR + 1:
        return f"{numbers[2]} - {numbers[0]} * {numbers[1]}"  # 3 a 12000, y pago con 50000
    if _LEFT.search(text):
        return " - ".join(numbers)
    between = [text[one.end : other.start] for one, other in pairwise(story.found)]
    are_listed = len(numbers) > PAIR and all(map(_ONLY_JOINED.fullmatch, between))
    return " + ".join(numbers) if are_listed or _TOTAL.search(text) else ""


def counts_people(text: str, start: int, end: int) -> bool:
    """Whether a number says among how many something is shared."""
    return bool(_PEOPLE_BEFORE.search(text[:start]) or _PEOPLE_AFTER.match(text, end))


def _counts(text: str, start: int, end: int) -> bool:
    """Whether a number is one, and not the "una" of "cada una" or of "una remera"."""
    return text[start:end] not in {"un", "una", "uno", "unos", "unas"}
