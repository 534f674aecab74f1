"""What was reckoned before, with another number in it: "¿y si somos 5?", "¿y si es el 20%?", "¿y el 25?"."""

import re

from asistente_stories import PER_CENT, counts_people

from hilo import ToolFailed, language

WHICH = "No sé cuál de los números cambiar: escríbeme la cuenta completa."

# y si son 5, y el 25, y con el 20%
_WHAT_IF = re.compile(
    r"\W*(?:(?:y|pero|ahora|no)\W+)?(?:si\b|(?:(?:con|el|al|en) )+(?=[\d.,]+ ?(?:%|por ?ciento)?\W*$))"
)
_RECKONS = re.compile(
    r"\b(?:l[oe]|eso) (?:divid|reparti|multiplic|sum|rest|agreg|quit|sac)"
)  # "y si lo divido entre 4"
_VERB = re.compile(r"\b([a-z]{4,}) (?:a |como |unos |unas |el |\$)*$")
_COPULA = ("somos", "fuera", "fueran", "fuese", "fuesen", "seamos", "seriamos")
_UNIT = re.compile(r" (?!por\b)([a-z]{4,})")


def with_other_number(text: str, before: str) -> str:
    """The sum that a text asks for: what it says itself, or what was reckoned before with its one number instead."""
    said = language.normalise(text)
    numbers = _numbers(said)
    reckons = _RECKONS.search(said.folded)
    if not before or len(numbers) != 1 or reckons or not _WHAT_IF.match(said.folded):
        return text
    start, end = said.span(numbers[0].start, numbers[0].end)
    for line in reversed(before.splitlines()):
        told = language.normalise(line)
        own = _numbers(told)
        if len(own) == 1 and _WHAT_IF.match(told.folded):
            continue  # it went on with another, too
        places = _replaced(told.folded, own, said.folded, numbers[0])
        if len(places) == 1:
            first, last = told.span(places[0].start, places[0].end)
            other = said.raw[start:end]
            share = "%" if places[0].unit == "%" and numbers[0].unit != "%" else ""
            return f"{line[:first]}{other}{share}{line[last:]}"
    raise ToolFailed("several numbers", tell=WHICH)


def _numbers(said: language.Text) -> list[language.Found]:
    """The numbers of a text, without its articles."""
    return [each for each in language.find_numbers(said) if not said.folded[each.start : each.end].startswith("un")]


def _replaced(text: str, numbers: list[language.Found], other: str, number: language.Found) -> list[language.Found]:
    """The numbers of a text that another stands for: those that are called alike, or the only one of their kind."""
    shares = [each for each in numbers if PER_CENT.match(text, each.start)]
    if PER_CENT.match(other, number.start):
        return shares
    verb, unit = _VERB.search(other[: number.start]), _UNIT.match(other, number.end)
    if verb and verb[1] not in _COPULA:
        return [each for each in numbers if (led := _VERB.search(text[: each.start])) and led[1][:4] == verb[1][:4]]
    if unit:
        return [each for each in numbers if text.startswith(f" {unit[1][:4]}", each.end)]
    people = [each for each in numbers if counts_people(text, each.start, each.end)]
    return people or shares or numbers
